//! The table of message codes: every kind of message with its meaning, its mend and an example.
//!
//! [`Code`] is generated from the table, so a code that isn't in it doesn't compile. `houserule explain-error` and
//! `docs/messages.md` show the table. `example_messages` in `src/desk/service` checks an example to get its message.

use std::fmt;

/// The example of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeExample {
    /// Rules that cause the message when they are checked. A first line `// stack: Title + Title` names the stack
    /// to load; without it, it is the last item.
    Rules(&'static str),
    /// A script agent that causes the message. Its first line, `// of GAME`, names the game that it plays.
    Agent(&'static str),
    /// There is no example, for this reason.
    None(&'static str),
}

/// Makes the example of a row. Examples are files, `examples/CODE.rules` or `examples/CODE.rhai`.
macro_rules! example {
    ($code:literal rules) => {
        CodeExample::Rules(include_str!(concat!("examples/", $code, ".rules")))
    };
    ($code:literal agent) => {
        CodeExample::Agent(include_str!(concat!("examples/", $code, ".rhai")))
    };
    ($code:literal $reason:literal) => {
        CodeExample::None($reason)
    };
}

/// Says whether the `error` or `warning` of a row is a warning.
macro_rules! is_warning {
    (error) => {
        false
    };
    (warning) => {
        true
    };
}

/// Generates [`Code`]. A row has: the variant, the code in kebab case, `error` or `warning`, the kind of its example
/// (`rules`, `agent`, or the reason why there is none), its meaning in a sentence, and its mend.
macro_rules! codes {
    ($($variant:ident $code:literal $severity:ident $example:tt $meaning:literal $mend:literal;)*) => {
        /// A kind of message. Codes are stable, for tests and tools; their order is that of the alphabet.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $meaning] $variant,)*
        }

        impl Code {
            /// All codes, in alphabetical order.
            pub const ALL: &'static [Code] = &[$(Code::$variant),*];

            /// Returns the code as messages print it, such as `unknown-name`.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Code::$variant => $code,)*
                }
            }

            /// Returns `true` for warnings: marks of rules that can be played but look wrong.
            pub const fn is_warning(self) -> bool {
                match self {
                    $(Code::$variant => is_warning!($severity),)*
                }
            }

            /// Returns what the code means, in one sentence.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Code::$variant => $meaning,)*
                }
            }

            /// Returns how the error is usually mended.
            pub const fn mend(self) -> &'static str {
                match self {
                    $(Code::$variant => $mend,)*
                }
            }

            /// Returns an example that causes the message.
            pub const fn example(self) -> CodeExample {
                match self {
                    $(Code::$variant => example!($code $example),)*
                }
            }
        }
    };
}

codes! {
    Ambiguous "ambiguous" error rules
        "A variant names a part that the game has more than once."
        "Name the choice around the part, or give the parts names in the game.";
    AmbiguousName "ambiguous-name" error rules
        "A name could mean several things here, such as the sites of two boards."
        "Write which one is meant, as the help text shows.";
    BaseCycle "base-cycle" error rules
        "A variant is a variant of itself, directly or through other variants."
        "Name another game or variant after `of`.";
    BranchNeverEntered "branch-never-entered" warning rules
        "No random game entered one of the branches of an `if … else`."
        "Check the condition, or remove the branch.";
    Conflict "conflict" error rules
        "Two variants of a stack change the same part of the game."
        "Use only one of them, or write a variant that says what both do together.";
    Covers "covers" warning rules
        "A `put` or `move` covered another piece in random games, and the rules don't say so."
        "Write `replacing` after it if that is meant. Otherwise choose only empty sites: `… & empty`.";
    Cycle "cycle" error rules
        "A declaration needs its own value, directly or through others."
        "Remove one of the uses in the circle. Use `while` or `repeat` to do something again.";
    DeclaredTwice "declared-twice" error rules
        "The rules have two parts of which a game has only one."
        "Remove one of them, or join the two.";
    DivisionByZero "division-by-zero" error rules
        "A number is divided by 0."
        "Test for 0 before dividing.";
    DuplicateEdges "duplicate-edges" error rules
        "The sides of a board's cells have two names."
        "Keep one of the two `edges` declarations.";
    DuplicateKey "duplicate-key" error rules
        "A table or a `match` gives the same key twice."
        "Remove one of the two entries.";
    DuplicateName "duplicate-name" error rules
        "Two things of one kind have the same name."
        "Rename one of them.";
    DuplicateOption "duplicate-option" error rules
        "Two options of one `choose` can't be told apart."
        "Rename one of them.";
    EdgesOfNoGrid "edges-of-no-grid" error rules
        "`edges` needs a grid without `wrap`, because it names the sides of cells."
        "Declare a `graph` whose sites are the places between the sites.";
    EmptyFile "empty-file" error rules
        "A rule file has neither a game nor a variant."
        "Write `game \"Title\" { … }`, or `variant \"Title\" of \"game\" { … }`.";
    EmptyRange "empty-range" error rules
        "The first number of a range is greater than the second."
        "Write the smaller number first.";
    EndlessLoop "endless-loop" error rules
        "A loop ran a million iterations without a decision, or turns pass and nobody has a legal action."
        "Change something in the loop that its condition tests; end the game when nobody can act.";
    ExistsAlready "exists-already" error rules
        "A variant adds something that the game already has."
        "Leave out `new` to replace it, or choose another name.";
    ExpectedBlock "expected-block" error rules
        "A block in braces is missing."
        "Write `{ … }` after the word that needs a block.";
    ExpectedGame "expected-game" error rules
        "Something stands outside a game or variant."
        "Move it into `game \"Title\" { … }`, or remove a `}` too many above it.";
    ExpectedName "expected-name" error rules
        "A name is missing, or a keyword is used as one."
        "Write a name: letters, digits and `_`, with a letter first.";
    ExpectedSign "expected-sign" error rules
        "A sign such as `:`, `,` or `=` is missing."
        "Write the sign that the message names.";
    ExpectedText "expected-text" error rules
        "A text in double quotes is missing."
        "Put the text between double quotes.";
    ExpectedType "expected-type" error rules
        "A declaration has no type."
        "Write a type after a colon: `var penalties: 0..10 = 0`.";
    ExpectedValue "expected-value" error rules
        "A value is missing, or something else stands in its place."
        "Write a number, a name or an expression.";
    ExpectedWord "expected-word" error rules
        "A keyword is missing, such as `in`, `then` or `when`."
        "Write the keyword that the message names.";
    Falls "falls" warning rules
        "A `put` or `move` named a site off the board in random games."
        "Test it first: `let there = …  if there is some { put … at there }`.";
    FileTooLarge "file-too-large" error "it needs a file of more than 1 MiB"
        "A rule file is larger than 1 MiB."
        "Leave out what the game doesn't need, or move a part of it into a variant.";
    GraphChain "graph-chain" error rules
        "A chain of a `graph` visits one site twice."
        "Begin another chain at that site. Only a ring returns, to its first site: `a-b-c-a`.";
    GraphEmpty "graph-empty" error rules
        "A `graph` has no sites."
        "Write chains of sites joined by dashes: `graph(\"a1-b1-c1 a1-a2\")`.";
    GraphLinkTwice "graph-link-twice" warning rules
        "A link of a `graph` is written twice, and is there once."
        "Write it once; for a second way between two sites, put a site into it: `a-b a-by_sea-b`.";
    GraphName "graph-name" error rules
        "A site of a `graph` has no valid name."
        "Write letters and digits, with a dash between two sites and a space between two chains.";
    IllegalChoice "illegal-choice" error "it needs an agent that returns no legal action"
        "An agent returned no action, or one that is not legal."
        "Have the agent return one of the legal actions of its view.";
    IncompleteTable "incomplete-table" error rules
        "A table has no value for one of its keys, and no default fits."
        "Give a value for every key.";
    KeywordAsProcedure "keyword-as-procedure" error rules
        "A procedure has the name of a keyword of statements."
        "Rename the procedure.";
    LanguageVersion "language-version" error rules
        "A file names a version of the language that isn't known, or none."
        "Write `language 1`, or use a later version of the program.";
    LimitActions "limit-actions" error rules
        "The rules have too many actions."
        "Let players choose in several steps, one part after the other.";
    LimitBoard "limit-board" error rules
        "A board is too large."
        "Make it smaller: at most 64 sites on a side.";
    LimitBoards "limit-boards" error "it needs more than 64 `board` declarations"
        "A game has too many boards."
        "Declare boards with an index: `board cell[player] = grid(5, 5)`.";
    LimitCopies "limit-copies" error rules
        "A zone has too many copies of one kind."
        "Use fewer copies.";
    LimitDecisions "limit-decisions" error rules
        "The `limit` of decisions is too small or too large."
        "Write a number from 1 to 10,000,000.";
    LimitDice "limit-dice" error rules
        "A set of dice has too many or too few dice."
        "Declare 1 to 20 dice.";
    LimitDomain "limit-domain" error rules
        "A domain has too many elements."
        "Make it smaller, or use two domains.";
    LimitFaces "limit-faces" error rules
        "A die has too many or too few faces."
        "Use a die with 1 to 1,000 faces.";
    LimitFamily "limit-family" error rules
        "One declaration with indices has too many values."
        "Use fewer or smaller index domains.";
    LimitFields "limit-fields" error rules
        "The elements of a domain have too many fields."
        "Use two domains, or a table.";
    LimitPlayers "limit-players" error rules
        "A game has too many or too few players."
        "Declare 1 to 16 players.";
    LimitState "limit-state" error rules
        "A state of the game needs too much memory."
        "Use smaller boards and domains, or fewer index domains.";
    LimitSubset "limit-subset" error rules
        "A domain is too large for choosing a subset of it, because each subset is an action."
        "Bound its size in the condition itself, `where count(k) <= 3`; or let players choose one element after the other, in a loop.";
    LimitTables "limit-tables" error "it needs tables with more than a million values"
        "The tables have too many values together."
        "Use smaller index domains.";
    LimitWork "limit-work" error rules
        "The combinations of an option, or its condition, are too much to look at for one decision."
        "Choose among fewer, or in several steps; let the condition look at fewer elements.";
    LineTableGap "line-table-gap" warning rules
        "A table of points has no entry for a length that lines of this board can have."
        "Add entries for the missing lengths, or write `3+` for a length and all above.";
    MayBeNone "may-be-none" error rules
        "A value may be `none`, but a value is needed."
        "Test it first: `if x is some { … }`.";
    MeOfNobody "me-of-nobody" warning rules
        "`me` stands where nobody acts, in the condition that ends a match."
        "Say of which player it is true: `any p in players: total[p] >= 50`.";
    Misplaced "misplaced" error rules
        "Something is used where it isn't allowed, such as `again` outside a turn."
        "Move it to a place that allows it, or remove it.";
    MissingBrace "missing-brace" error rules
        "A `{` is missing."
        "Write `{` at the marked place.";
    MissingDefault "missing-default" error rules
        "A param or table has no value."
        "Write `= …` after its type.";
    MissingPart "missing-part" error rules
        "The rules lack a part that every game or match needs."
        "Add the part that the message names.";
    MisspeltWord "misspelt-word" warning rules
        "A word is nearly a keyword that fits here."
        "Write the keyword, or choose a name that is less similar.";
    MixedChoice "mixed-choice" error rules
        "The type of a param lists both words and numbers."
        "List only words, or only numbers.";
    NestedTooDeeply "nested-too-deeply" error rules
        "Defines, procedures or blocks are nested too deeply when they are expanded."
        "Use fewer of them inside each other.";
    Nesting "nesting" error rules
        "Brackets or operators are nested too deeply."
        "Name the inner part with `define` or `procedure`.";
    NeverChanged "never-changed" warning rules
        "Rules read a variable that nothing changes, so it always has its first value."
        "Change it in a statement, or declare a `param`, a `table` or a `define` in its place.";
    NeverLegal "never-legal" warning rules
        "The condition of an option is never true."
        "Correct the condition, or remove the option.";
    NeverOver "never-over" error rules
        "A game isn't over after the decisions that `limit` allows."
        "Add an `end when …` that every game reaches, raise `limit`, or write `deliberate` before an option that only puts off the end.";
    NeverRead "never-read" warning rules
        "A variable changes, but no rule reads it."
        "Remove it, or use it in a condition or in the score.";
    NewMissing "new-missing" error rules
        "A variant has a `require` without `new`, and a `require` has no name to replace."
        "Write `new require …`.";
    NoBoard "no-board" error rules
        "A declaration needs a board, and the game has none."
        "Declare a board: `board cell = grid(6, 6)`.";
    NoChain "no-chain" error rules
        "`longest_chain` tries an option again and again, and it can't do that here."
        "Name an option that chooses elements and only changes pieces and variables.";
    NoChance "no-chance" error rules
        "A block `chance … given` contains nothing random."
        "Roll, pick, draw or deal in it, or remove `chance`.";
    NoCopies "no-copies" error rules
        "A zone of copies begins without any copies."
        "Write how many copies of each kind it has, or remove the `= …`.";
    NoEnd "no-end" warning rules
        "Nothing in the rules ends a game."
        "Declare an end: `end when …`.";
    NoFirstChoice "no-first-choice" error rules
        "`no action` asks what the first choice of a turn offers, and that isn't known before the turn."
        "Ask for what the player needs: `{ c in … where … } is nothing`.";
    NoOwner "no-owner" error rules
        "`owner` asks for a player, but no such zone or piece belongs to one player."
        "Declare the zone or the piece with a player as its first index: `zone hand[player] of card`, `piece man[player] on …`.";
    NoScore "no-score" error rules
        "The rules use the score or the payoff, and declare none."
        "Declare it: `score { points: … }`, `payoff …`.";
    NoScript "no-script" error rules
        "A script file can't be read."
        "Write the path of the script as seen from the folder of the rule file.";
    NoTable "no-table" error rules
        "The file with the table of a domain can't be read."
        "Write the path of the CSV file as seen from the folder of the rule file.";
    NoTurns "no-turns" warning rules
        "No player takes a turn in a `round`."
        "Write `each player from starter as me { … }` around what every player does.";
    NoWorld "no-world" error "no rules are known that cause it"
        "An agent found no complete state that agrees with what its seat has observed."
        "Use agents that don't search hidden information, such as `random`, and report the rules.";
    NoZone "no-zone" error rules
        "A statement doesn't say to or from which zone elements move."
        "Name the zone: `draw c from stock to hand[me]`.";
    NoneIndex "none-index" error rules
        "An index is `none`, or a number outside the index's range."
        "Test the index before using it. Dice have no value until they are rolled.";
    NoneValue "none-value" error "the checker finds such uses before play, and no rules are known that it lets through"
        "A value is `none` where a player or an element is needed."
        "Test it before using it: `if x is some { … }`.";
    NotADomain "not-a-domain" error rules
        "An index or a type isn't a domain."
        "Write `player`, a board's name, an enum, a domain or a range such as `1..6`.";
    NotAFunction "not-a-function" error rules
        "Something that isn't a function has arguments in parentheses."
        "Write an index in square brackets, `mark[me]`, and find an element of records by its fields: `{ c in card where c.rank == 1 }`.";
    NotAPiece "not-a-piece" error rules
        "`put` or `move … to` needs a piece."
        "Name a piece with its whole index, such as `mark[me]`.";
    NotARank "not-a-rank" error rules
        "`winner` needs `most(…)` or `least(…)`."
        "Write `winner most(score)` if the highest score wins, and several criteria in parentheses.";
    NotAStatement "not-a-statement" error rules
        "A name is used as a statement, but it isn't a procedure."
        "Call a procedure, or write a statement such as `x = …`.";
    NotAValue "not-a-value" error rules
        "A procedure is used as a value."
        "Call it as a statement, or write a `define`.";
    NotAZone "not-a-zone" error rules
        "A statement needs a zone."
        "Name a zone with its whole index, such as `hand[me]`.";
    NotAssignable "not-assignable" error rules
        "Something other than a variable is given a value."
        "Use a `var`. Dice change by `roll`, zones by `move`, boards by `put` and `clear`.";
    NotConstant "not-constant" error rules
        "A value that must be fixed when the game is loaded can change in play."
        "Use numbers, params, tables and `count(players)`.";
    NotFormatted "not-formatted" error "`houserule fmt` checks its own work with it, and no rules are known that cause it"
        "`houserule fmt` can't format a file without changing its meaning."
        "Move comments inside expressions to lines of their own.";
    NotIndexed "not-indexed" error rules
        "A value without an index is followed by an index in brackets."
        "Remove the brackets, or name something that has an index.";
    NotOfChance "not-of-chance" error rules
        "A block `chance … given` contains a choice, or leaves the block."
        "Move that statement after the block, which may run several times.";
    NotOnThisBoard "not-on-this-board" error rules
        "A board lacks what a function needs, such as columns or directions."
        "Use a function that the board has, or name the sites: `{@a1, @b1}`.";
    NotOnTrial "not-on-trial" error rules
        "The body of an option with `ensuring` chooses, draws at random or leaves the turn."
        "Move that statement after the `choose`. The body is run to test the condition, and may be undone.";
    NotOrdered "not-ordered" error rules
        "A zone has a top, a bottom and an order only if it is declared with `ordered`."
        "Declare it so: `zone pile of card ordered`. Copies have no order.";
    NotTogether "not-together" error rules
        "A statement in `together` would show a player what others choose."
        "Let each player change only own variables in the block and move only between own zones, and do the rest after it.";
    NotYet "not-yet" error rules
        "The language has this construct, but this version doesn't support it."
        "Write the rule in another way.";
    NothingToRemove "nothing-to-remove" error rules
        "A variant removes something that the game doesn't have."
        "Correct the name, or remove the line.";
    NothingToReplace "nothing-to-replace" error rules
        "A variant replaces something that the game doesn't have."
        "Correct the name, or write `new` before it to add it.";
    NumberTooLarge "number-too-large" error rules
        "A number doesn't fit in 64 bits."
        "Use a smaller number.";
    OddCharacter "odd-character" error rules
        "A character has no meaning in rule files."
        "Remove it, or write the character that the help text names.";
    OptionNeverTaken "option-never-taken" warning rules
        "No random game took an option."
        "Check the conditions of the option, or remove it.";
    OtherwiseNeverEntered "otherwise-never-entered" warning rules
        "No random game entered an `otherwise`."
        "Check the conditions of the options, or remove the `otherwise`.";
    OutOfRange "out-of-range" error rules
        "A number is outside the range of its variable or param."
        "Widen the range where it is declared, or test the number before it changes.";
    Overflow "overflow" error rules
        "A calculation in play has a result that doesn't fit in 64 bits."
        "Keep the numbers smaller.";
    PassWithOtherwise "pass-with-otherwise" error rules
        "A `choose` has both `pass` and `otherwise`, which never runs then."
        "Remove one of the two.";
    PayoffSum "payoff-sum" error rules
        "The payoffs of a finished game don't add up to 0, as `payoff zero sum` promises."
        "Let the others lose what a player wins, or leave out `zero sum` if points are made or lost.";
    PlaceMissing "place-missing" error rules
        "After `shown at`, a site has no place, or a walk has another number of places than there are sites."
        "Give each site a place: a walk has one for where it begins, and one for each step.";
    PlaceTwice "place-twice" error rules
        "After `shown at`, two sites have the same place, or a site has two."
        "Give each site a place of its own.";
    RequireFailed "require-failed" error rules
        "A `require` of the rules doesn't hold for these params."
        "Change a param so that the condition holds.";
    RulesTooLarge "rules-too-large" error rules
        "The rules become too large when defines and procedures are expanded."
        "Use a `let` or a `for` instead of defines that use each other several times.";
    ScoreOverflow "score-overflow" error rules
        "A score doesn't fit in 64 bits."
        "Keep the items of the score smaller.";
    Script "script" error rules
        "A script function failed in play."
        "Correct the function. The message says what it did, and which rule called it.";
    ScriptAgent "script-agent" error agent
        "The file of a script agent has neither `choose` nor `value`."
        "Write `fn choose(g, actions) { actions[0] }`, or `fn value(g, player) { g.score(player) }`.";
    ScriptChance "script-chance" error rules
        "A script function draws at random where it may only answer a question."
        "Draw in a hook that does something, and keep the result in a variable.";
    ScriptChanges "script-changes" error agent
        "A script agent changes the game."
        "Return an action from `choose`. Only that changes the game.";
    ScriptFunction "script-function" error rules
        "A script calls a function that doesn't exist."
        "Correct the name, or write the function.";
    ScriptParameters "script-parameters" error rules
        "A script function has the wrong number of parameters."
        "Write the parameters that the help text shows.";
    ScriptPath "script-path" error rules
        "The path of a script isn't allowed, or there is no script in the text."
        "Put the script in the folder of its rule file, and write its path without `..`.";
    ScriptRefused "script-refused" error rules
        "A script uses something that scripts may not use."
        "Write it without: a script can't read files, wait, print or make code.";
    ScriptState "script-state" error rules
        "A script declares a constant or variable outside a function."
        "Declare a `var` in the rules, or use `let` inside a function.";
    ScriptSyntax "script-syntax" error rules
        "A script isn't valid Rhai."
        "Correct the script at the marked place.";
    ScriptWord "script-word" error rules
        "A script uses a name that the game doesn't have."
        "Correct the name after `g.`, or declare it in the rules.";
    SetDoesNotFit "set-does-not-fit" error rules
        "A set may have elements that a smaller set can't hold."
        "Write `… & (1..6)` to keep what fits, or declare the larger domain.";
    ShadowedName "shadowed-name" error rules
        "A local has a name that already means something."
        "Choose another name for the local.";
    ShownAs "shown-as" error rules
        "`shown as` is followed by something that doesn't fit the declaration."
        "Write a colour, a letter or a picture for a piece, a player, an element or a set of sites, a form such as `boxes` or `row` for a variable or a zone.";
    ShownAsBoxes "shown-as-boxes" error rules
        "A variable is shown as boxes, but its numbers don't begin at 0 or are too many."
        "Give the variable a range such as `0..3`: at most 40 boxes.";
    ShownAsLetter "shown-as-letter" error rules
        "A piece, a player, an element or a set of sites is shown as something other than one free character."
        "Write one letter, digit or sign, such as `\"W\"`.";
    ShownAsTwice "shown-as-twice" error rules
        "One character stands for two things on one board: kinds of pieces or sets of sites; or for two players or two elements."
        "Give each a character of its own.";
    StepNeverEntered "step-never-entered" warning rules
        "No random game entered a step."
        "Check the conditions around the step, or remove it.";
    StrayBracket "stray-bracket" error rules
        "A closing bracket or brace has no opening one."
        "Remove it, or add the opening one.";
    StrayWord "stray-word" error rules
        "A word isn't allowed at its place."
        "Remove it, or write what the message expects.";
    TableFile "table-file" error "its place is in a file of its own, beside the rules"
        "A table of a domain has a row, a column or a cell that can't be read."
        "Correct the file at the marked place: a `name` for each row, and a value for each column.";
    TooLong "too-long" error "it needs an expression of more than 10,000 words and signs"
        "One declaration or statement has too many words and signs."
        "Split it up with `define`, `procedure` or several statements.";
    TooManyPositions "too-many-positions" error "it needs a game of many thousand turns"
        "A game has had more positions than `repeated` keeps."
        "Compare less, with `of: …`, or add an `end when …` that comes earlier.";
    TooManyVariants "too-many-variants" error "it needs more than 32 variants"
        "Too many variants are stacked."
        "Use fewer: put the changes of several variants into one.";
    TotalOverflow "total-overflow" error "it needs a match whose scores add up to a number of more than 64 bits"
        "A player's total of a match doesn't fit in 64 bits."
        "Keep the scores smaller, or play fewer games.";
    Twice "twice" error rules
        "A block or variant has something a second time that it may have once."
        "Remove one of the two.";
    TypeMismatch "type-mismatch" error rules
        "A value has another type than its place needs."
        "Write a value of the type that the message expects.";
    UnclosedBrace "unclosed-brace" error rules
        "A `{` is never closed."
        "Write `}` at the marked place.";
    UnclosedBracket "unclosed-bracket" error rules
        "A `(` or `[` is never closed."
        "Add the closing bracket.";
    UnclosedText "unclosed-text" error rules
        "A text has no closing quotes."
        "Put `\"` at its end.";
    UnknownBase "unknown-base" error rules
        "A variant names a game that doesn't exist."
        "Name a bundled game (`houserule list`), or a path that ends in `.rules`.";
    UnknownBoard "unknown-board" error rules
        "A board or kind of board has an unknown name."
        "Correct the name, or declare the board.";
    UnknownColour "unknown-colour" error rules
        "`shown as` names a colour that doesn't exist."
        "Use one of the colours that the message lists.";
    UnknownDeclaration "unknown-declaration" error rules
        "A declaration begins with an unknown word."
        "Write the keyword that the help text names.";
    UnknownDie "unknown-die" error rules
        "A die isn't written as `d6` or `d(size)`."
        "Write `d` and the number of faces.";
    UnknownDirection "unknown-direction" error rules
        "The board doesn't have this direction."
        "Write one of the directions that the message lists.";
    UnknownDomain "unknown-domain" error rules
        "It isn't known which domain a set or element belongs to."
        "Write the type: `let s: set of cell = {}`.";
    UnknownField "unknown-field" error rules
        "A value doesn't have this field."
        "Correct the name of the field.";
    UnknownFunction "unknown-function" error rules
        "A function, define or procedure doesn't exist."
        "Correct the name, or declare it with `define` or `procedure`.";
    UnknownHook "unknown-hook" error rules
        "The rules call no script function of this name."
        "Correct the name, or remove the function.";
    UnknownKey "unknown-key" error rules
        "A `match` has an unknown entry."
        "Use one of the entries that the message lists.";
    UnknownKind "unknown-kind" error rules
        "A variant removes something without saying what kind of thing it is."
        "Write the keyword that declares it: `without step joker`.";
    UnknownName "unknown-name" error rules
        "A name is used that nothing declares."
        "Correct the spelling, or declare the name.";
    UnknownPicture "unknown-picture" error rules
        "`shown as` names a picture that doesn't exist."
        "Use the picture that the help text names, or one of those that the language reference lists.";
    UnknownProperty "unknown-property" error rules
        "The word after `is` is no property."
        "Write `some`, `nothing` or `double` after `is`, as in `hand[me] is nothing` for a set without elements, or compare with `==`.";
    UnknownSite "unknown-site" error rules
        "A board doesn't have this site."
        "Write the name of one of its sites.";
    UnknownStatement "unknown-statement" error rules
        "A statement begins with an unknown word."
        "Write the keyword that the help text names.";
    UnknownTarget "unknown-target" error rules
        "A variant changes a step, choice or option that the game doesn't have."
        "Correct the name.";
    UnknownType "unknown-type" error rules
        "A type names a domain that doesn't exist."
        "Correct the name, or declare the domain.";
    UnknownWord "unknown-word" error rules
        "An argument or entry has none of the words that it can have."
        "Use one of the words that the message lists.";
    Unused "unused" warning rules
        "Nothing uses a declaration."
        "Remove it, or use it.";
    WrongArgument "wrong-argument" error rules
        "A function, board or procedure gets an argument that it can't take."
        "Correct the name or the value of the argument.";
    WrongArgumentCount "wrong-argument-count" error rules
        "A function, define or procedure gets too many or too few arguments."
        "Write as many arguments as the message says.";
    WrongBracket "wrong-bracket" error rules
        "A bracket is closed by another kind of bracket."
        "Close `(` with `)`, `[` with `]` and `{` with `}`.";
    WrongDice "wrong-dice" error rules
        "Dice are written in a form that the language doesn't have."
        "Write the number of dice, `of` and the die: `2 of d6`.";
    WrongIndexCount "wrong-index-count" error rules
        "Something has too many or too few indices in brackets."
        "Write one index for each domain of the declaration.";
    WrongPlayers "wrong-players" error rules
        "`other` is used with a number of players other than two."
        "Write `after(me)` for the next player, `players - {me}` for all others.";
    WrongSet "wrong-set" error rules
        "A set with `where` doesn't name its elements."
        "Write `{ c in S where condition }`.";
    WrongSign "wrong-sign" error rules
        "A sign has no meaning at its place, often one of another language."
        "Write the sign or word that the help text names.";
    WrongType "wrong-type" error rules
        "A declaration has a type that it can't have."
        "Choose a type that the declaration allows.";
}

impl Code {
    /// Returns the code with a name such as `unknown-name`.
    pub fn named(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.as_str() == name)
    }

    /// Returns `true` for messages about a name or word that doesn't exist.
    pub fn is_unknown(self) -> bool {
        self.as_str().starts_with("unknown-")
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
