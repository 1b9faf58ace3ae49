//! Messages about usual mistakes: signs of other languages, forgotten words, fractions.

use super::Parser;
use super::edit_words::edit_word;
use super::expect::Expected;
use super::message::{is_die, short};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::split::tokens::TokenKind;
use crate::vocabulary::{keywords, statements};

/// An unexpected token, with what stands around it.
struct SlipPlace<'p, 'a> {
    parser: &'p Parser<'a>,
    expected: &'p Expected,
    /// The index of the first token of the fragment.
    from: usize,
    /// The index of the token.
    i: usize,
    word: &'p str,
    /// The word before the token, and the word after it.
    before: &'p str,
    next: &'p str,
}

impl SlipPlace<'_, '_> {
    /// Returns the second word before the token.
    fn second_before(&self) -> &str {
        self.parser.pieces.word(self.i.wrapping_sub(2))
    }

    fn kind_before(&self) -> Option<TokenKind> {
        self.parser.pieces.kind(self.i.wrapping_sub(1))
    }

    fn is_after_number(&self) -> bool {
        self.kind_before() == Some(TokenKind::Number)
    }

    /// Returns `true` if the grammar expects a word here.
    fn expects(&self, word: &str) -> bool {
        self.expected.words.iter().any(|expected| expected == word)
    }

    /// Returns `true` if an operator could follow: a value or a condition stands before the token.
    fn follows_value(&self) -> bool {
        self.expected.operator || self.expects("and")
    }

    /// Returns `true` if an item of a score or a match begins with a word such as `without` or `change`.
    fn is_edit_of_entry(&self) -> bool {
        edit_word(self.before).is_some()
            && self.i == self.from + 1
            && self.parser.pieces.is_word(self.i)
            && self.expected.signs == [":"]
    }

    fn error(&self, code: Code, message: String, help: &str) -> Diagnostic {
        Diagnostic::error(code, self.parser.pieces.span(self.i), message).help(help)
    }

    /// Returns the message about a sign or word that is wrong here.
    fn wrong(&self, message: impl Into<String>, help: &str) -> Diagnostic {
        self.error(Code::WrongSign, message.into(), help)
    }

    /// Returns the message about an `if` after a value, token `i`.
    fn late_if(&self, i: usize) -> Diagnostic {
        let message = "`if` comes before the values that it chooses between";
        Diagnostic::error(Code::WrongSign, self.parser.pieces.span(i), message)
            .help(self.parser.chosen_by_if(i))
    }

    /// Returns the operator that an operator of other languages stands for.
    fn operator_meant(&self) -> Option<&'static str> {
        Some(match self.word {
            "&&" => "and",
            "||" => "or",
            "!" => "not",
            ":=" => "=",
            "=>" => ">=",
            "<>" => "!=",
            "=" if self.before == "=" || self.next == "=" => "==",
            "=" if self.before == "<" => "<=",
            "=" if self.before == ">" => ">=",
            _ => return None,
        })
    }
}

/// A usual mistake.
struct UsualSlip {
    is_made: fn(&SlipPlace<'_, '_>) -> bool,
    message: fn(&SlipPlace<'_, '_>) -> Diagnostic,
}

/// The usual mistakes. The first that was made gives the message, so what is more special stands further up.
const SLIPS: &[UsualSlip] = &[
    UsualSlip {
        is_made: |at| matches!(at.second_before(), "game" | "variant") && at.expected.end,
        message: |at| {
            let message = format!("expected `{{` after `{}`, found `{}`", at.before, short(at.word));
            at.error(Code::ExpectedSign, message, "all that belongs to it stands in `{ … }`")
        },
    },
    UsualSlip {
        is_made: |at| at.expects("of") && at.second_before() == "variant",
        message: |at| {
            let message = format!("expected `of` after `{}`, found `{}`", short(at.before), short(at.word));
            let help = "name the game that it changes: `variant \"…\" of \"GAME\" { … }`";
            at.error(Code::ExpectedWord, message, help)
        },
    },
    UsualSlip {
        is_made: |at| at.word == "{" && at.before == "of" && at.expected.text,
        message: |at| {
            let message = "expected a text in double quotes after `of`, found `{`".to_owned();
            at.error(Code::ExpectedText, message, "name the game that it changes: `of \"GAME\"`")
        },
    },
    UsualSlip {
        is_made: |at| at.second_before() == "param" && at.before == "players" && at.expected.signs == [":"],
        message: |at| {
            let given = at.parser.pieces.kind(at.i + 1) == Some(TokenKind::Number);
            let count = if given { at.next } else { "2..4" };
            let span = at.parser.pieces.span(at.i - 1);
            Diagnostic::error(Code::ExpectedName, span, "the number of players is no param")
                .help(format!("write `players {count}`"))
        },
    },
    UsualSlip {
        is_made: |at| at.before != "new" && at.is_edit_of_entry(),
        message: |at| at.parser.edit_of_entry(at.i),
    },
    UsualSlip {
        is_made: |at| {
            at.before == "from"
                && at.second_before() == "all"
                && at.i == at.from + 3
                && matches!(at.parser.pieces.word(at.from), "deal" | "move" | "reveal")
        },
        message: |at| {
            let (verb, all) = (at.parser.pieces.word(at.from), at.i - 2);
            let message = format!("`{verb} all` isn't how all of a zone is named");
            Diagnostic::error(Code::ExpectedValue, at.parser.pieces.span(all), message)
                .help(at.parser.all_of_zone(at.i))
        },
    },
    UsualSlip {
        is_made: |at| {
            at.before == "from"
                && at.expects("from")
                && at.i == at.from + 2
                && at.parser.pieces.is(at.from, "deal")
        },
        message: |at| {
            let form =
                statements::verb("deal").and_then(|verb| verb.forms.first()).copied().unwrap_or("deal");
            let message = "expected a number after `deal`, found `from`";
            Diagnostic::error(Code::ExpectedValue, at.parser.pieces.span(at.i - 1), message)
                .help(format!("it is written `{form}`"))
        },
    },
    UsualSlip {
        is_made: |at| at.word == "all" && at.before == "draw" && at.next == "from",
        message: |at| {
            let help = at.parser.all_of_zone(at.i + 2);
            at.error(Code::ExpectedName, "`draw` takes one, and not all".to_owned(), &help)
        },
    },
    UsualSlip {
        is_made: |at| at.parser.names_two_at(at.from, at.parser.comma_of(at.from, at.i)).is_some(),
        message: |at| {
            let comma = at.parser.comma_of(at.from, at.i);
            let help = at.parser.names_two_at(at.from, comma).unwrap_or_default();
            let before = short(at.parser.pieces.word(comma - 1));
            let message = format!("only one name is allowed here, found `,` after `{before}`");
            Diagnostic::error(Code::ExpectedSign, at.parser.pieces.span(comma), message).help(help)
        },
    },
    UsualSlip {
        is_made: |at| {
            superlative(at.before).is_some()
                && at.parser.pieces.is_word(at.i)
                && matches!(at.next, "in" | "subset")
        },
        message: |at| {
            let least = superlative(at.before) == Some(Superlative::Least);
            let help = at.parser.best_for(at.i, least);
            let message = format!("`{}` finds no element: `best` does", at.before);
            let span = at.parser.pieces.span(at.i - 1);
            Diagnostic::error(Code::UnknownName, span, message).help(help)
        },
    },
    UsualSlip {
        is_made: |at| at.word == "on" && at.parser.statement_with_board(at.i).is_some(),
        message: |at| {
            let (verb, help) = at.parser.statement_with_board(at.i).unwrap_or_default();
            at.error(Code::StrayWord, format!("`{verb}` names no board with `on`"), &help)
        },
    },
    UsualSlip {
        is_made: |at| at.before == "by" && at.expects("owner"),
        message: |at| {
            let message =
                format!("expected `all`, `owner`, `none` or a player after `by`, found `{}`", at.word);
            let help = "`owner` is the player of the first index, as in `hand[player]`";
            at.error(Code::ExpectedWord, message, help)
        },
    },
    UsualSlip {
        is_made: |at| {
            at.expected.signs == [",", "}"] && !at.expected.operator && at.parser.pieces.is_word(at.i)
        },
        message: |at| {
            let message = format!("expected `,` after `{}`, found `{}`", short(at.before), at.word);
            let help =
                "values stand side by side with commas: `enum suit { clubs \"black\", hearts \"red\" }`";
            at.error(Code::ExpectedSign, message, help)
        },
    },
    UsualSlip {
        is_made: |at| at.word == "of" && at.expects("until"),
        message: |at| {
            let help = "write `each player of S from p until C as me { … }`";
            at.error(Code::ExpectedWord, "`of` comes before `from` and `until`".to_owned(), help)
        },
    },
    UsualSlip {
        is_made: |at| at.word == "/" && at.next == "*",
        message: |at| at.wrong("`/*` begins nothing here", "a comment begins with `//`"),
    },
    UsualSlip {
        is_made: |at| at.word == "+" && at.before == "=",
        message: |at| at.wrong("`=+` is no sign", "write `+=` to add"),
    },
    UsualSlip {
        is_made: |at| {
            matches!(at.word, "<" | "<=" | ">" | ">=" | "==" | "!=")
                && at.expected.operator
                && !at.expected.signs.contains(&"=")
        },
        message: |at| {
            let help = match at.parser.quantifier_before(at.i) {
                Some(quantifier) => format!(
                    "all after its `:` belongs to the `{quantifier}`; to compare its value, put it in parentheses: \
                     `({quantifier} …: …) {} …`",
                    at.word
                ),
                None => "compare two values at a time: `a < b and b < c`".to_owned(),
            };
            at.wrong(format!("`{}` can't follow another comparison", at.word), &help)
        },
    },
    UsualSlip {
        is_made: |at| {
            at.word == "="
                && at.expected.signs == [":"]
                && matches!(at.second_before(), "var" | "param" | "table")
        },
        message: |at| {
            let help = format!("say what it can hold before the `=`, as in `{}: 0..10 = 0`", at.before);
            at.error(Code::ExpectedType, format!("`{}` has no type", at.before), &help)
        },
    },
    UsualSlip {
        is_made: |at| at.word == "(" && at.expected.signs.contains(&"=") && at.second_before() == "board",
        message: |at| {
            let help = format!("the name of the board's sites comes first: `board cell = {}(…)`", at.before);
            at.error(Code::ExpectedSign, format!("expected `=` after `{}`, found `(`", at.before), &help)
        },
    },
    UsualSlip {
        is_made: |at| at.word == "when" && at.kind_before() == Some(TokenKind::Text),
        message: |at| {
            at.wrong("`when` comes before the help text", "write the text last: `… when … \"help\"`")
        },
    },
    UsualSlip {
        is_made: |at| at.operator_meant().is_some(),
        message: |at| {
            let help = format!("write `{}`", at.operator_meant().unwrap_or_default());
            at.wrong(format!("`{}` is not an operator here", at.word), &help)
        },
    },
    UsualSlip {
        is_made: |at| at.word == "=" && at.expected.operator && !at.expected.signs.contains(&"="),
        message: |at| {
            let help = "write `==` to compare; a new statement begins on a line of its own or after `;`";
            at.wrong("`=` sets a value and isn't allowed in an expression", help)
        },
    },
    UsualSlip {
        is_made: |at| at.word == "==" && at.expected.signs.contains(&"="),
        message: |at| at.wrong("expected `=`, found `==`", "`=` sets a value, `==` compares"),
    },
    UsualSlip {
        is_made: |at| at.before == "." && at.parser.pieces.kind(at.i) == Some(TokenKind::Number),
        message: |at| at.parser.fraction(at.i - 1),
    },
    UsualSlip {
        is_made: |at| {
            let is_before_number = at.parser.pieces.kind(at.i + 1) == Some(TokenKind::Number);
            at.word == "." && (is_before_number || at.is_after_number())
        },
        message: |at| at.parser.fraction(at.i),
    },
    UsualSlip {
        is_made: |at| is_die(at.word) && at.is_after_number(),
        message: |at| {
            let (count, die) = (at.before, at.word);
            let help = match at.expects("of") {
                true => format!("write `{count} of {die}`"),
                false => format!("declare `dice pair: {count} of {die}`, then write `roll pair`"),
            };
            let span = at.parser.pieces.span_of(at.i - 1, at.i + 1);
            Diagnostic::error(Code::WrongDice, span, format!("`{count}{die}` is no name of dice")).help(help)
        },
    },
    UsualSlip {
        is_made: |at| at.word == "%" && at.is_after_number(),
        message: |at| {
            let help = "numbers are integers; for a percentage, multiply by 100 first";
            at.wrong("`%` is the remainder of a division and needs a number after it", help)
        },
    },
    UsualSlip {
        is_made: |at| matches!(at.word, "**" | "^"),
        message: |at| at.wrong(format!("`{}` is not an operator here", at.word), "write `x * x`"),
    },
    UsualSlip {
        is_made: |at| at.word == ";",
        message: |at| {
            let help = "`;` separates statements; entries and arguments are separated by `,`";
            at.wrong("`;` isn't allowed here", help)
        },
    },
    UsualSlip {
        is_made: |at| at.word == "if" && at.follows_value() && at.parser.has_other_value(at.i),
        message: |at| at.late_if(at.i),
    },
    UsualSlip {
        is_made: |at| at.word == "else" && at.i > at.from && at.parser.is_if_after_value(at.from),
        message: |at| at.late_if(at.from),
    },
    UsualSlip {
        is_made: |at| at.word == "?" && at.follows_value() && at.parser.chosen_by_sign(at.i).is_some(),
        message: |at| {
            let help = at.parser.chosen_by_sign(at.i).unwrap_or_default();
            at.wrong("`?` chooses no value here", &help)
        },
    },
    UsualSlip {
        is_made: |at| at.word == "if" && (at.expects("where") || at.expects("when")),
        message: |at| {
            let expected = at.expected.phrase();
            let message = format!("expected {expected} after `{}`, found `if`", short(at.before));
            let word = if at.expects("where") { "where" } else { "when" };
            at.error(at.expected.code(), message, &format!("a condition is written `{word} …`"))
        },
    },
    UsualSlip {
        is_made: |at| at.word == "if" && at.follows_value() && at.parser.is_if_after_value(at.i),
        message: |at| at.late_if(at.i),
    },
    UsualSlip {
        is_made: |at| at.word == "{" && at.expects("then"),
        message: |at| {
            let message = format!("expected `then` after `{}`, found `{{`", short(at.before));
            let help = "an `if` that gives a value is written `if … then … else …`";
            at.error(Code::ExpectedWord, message, help)
        },
    },
    UsualSlip {
        is_made: |at| at.word == "in" && at.expected.name && at.expects("where"),
        message: |at| {
            let help = format!("write `my_option {} in …`", short(at.before));
            let message = format!("`{}` needs the name of an option before it", short(at.before));
            at.error(Code::ExpectedName, message, &help)
        },
    },
    UsualSlip {
        is_made: |at| at.word == "where" && at.parser.follows_set_of_loop(at.i),
        message: |at| {
            let message = format!("`where` isn't allowed after `{}`", short(at.before));
            at.error(Code::StrayWord, message, "write `for x in { x in S where … } { … }`")
        },
    },
    UsualSlip {
        is_made: |at| at.before == "from" && at.second_before() == "draw",
        message: |at| {
            let help = format!("write `draw x from {}`", short(at.word));
            at.error(Code::ExpectedName, "what is drawn has no name".to_owned(), &help)
        },
    },
    UsualSlip {
        is_made: |at| at.before == "draw" && at.parser.pieces.kind(at.i) == Some(TokenKind::Number),
        message: |at| {
            let rest = at.parser.rest_of_line(at.i, true);
            let help = format!("`draw` takes one: write `deal {} {rest}`", at.word);
            at.error(Code::ExpectedName, format!("expected a name after `draw`, found `{}`", at.word), &help)
        },
    },
    UsualSlip {
        is_made: |at| at.word == "then" && at.expected.signs.is_empty() && !at.expected.value,
        message: |at| {
            let help = "a statement is written `if … { … } else { … }`";
            at.wrong("`then` belongs to an expression", help)
        },
    },
    UsualSlip {
        is_made: |at| {
            (at.word == "if" || keywords::has(at.word, keywords::QUANTIFIER))
                && at.expected.value
                && !at.expected.name
                && at.parser.is_operator(at.i.wrapping_sub(1))
        },
        message: |at| {
            at.wrong(format!("`{}` isn't allowed after an operator", at.word), "put it in parentheses")
        },
    },
    UsualSlip {
        is_made: |at| {
            keywords::has(at.before, keywords::QUANTIFIER) && at.i > 1 && at.parser.is_operator(at.i - 2)
        },
        message: |at| {
            at.wrong(format!("`{}` isn't allowed after an operator", at.before), "put it in parentheses")
        },
    },
    UsualSlip {
        is_made: |at| at.word == "none" && matches!(at.before, "is" | "not"),
        message: |at| {
            let help = "write `is nothing` or `is some`";
            at.wrong("`is` needs `some`, `nothing` or the name of a value", help)
        },
    },
];

/// What a word such as `lowest` asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Superlative {
    Least,
    Greatest,
}

/// Returns what a word asks for that many write instead of `best`.
fn superlative(word: &str) -> Option<Superlative> {
    match word {
        "lowest" | "least" | "fewest" | "smallest" | "minimum" | "worst" | "argmin" | "cheapest"
        | "nearest" => Some(Superlative::Least),
        "highest" | "most" | "greatest" | "largest" | "maximum" | "argmax" | "biggest" => {
            Some(Superlative::Greatest)
        }
        _ => None,
    }
}

impl Parser<'_> {
    /// How a statement says that it takes all of a zone, where `VERB all from ZONE to …` is written. Token `i` is the zone.
    fn all_of_zone(&self, i: usize) -> String {
        let ends = |j: &usize| {
            !self.pieces.same_line(i, *j) || matches!(self.pieces.word(*j), "to" | "{" | "}" | ";")
        };
        let to = self.skip_until(i, ends);
        let zone = short(self.pieces.slice(i, to).0);
        let verb = self.pieces.word(i - 3);
        if !matches!(verb, "deal" | "draw") {
            return format!("write `{verb} {}`", self.rest_of_line(i - 1, true));
        }
        let goal = if self.pieces.is_word(to + 1) { self.pieces.word(to + 1) } else { "ZONE" };
        if self.pieces.is(to + 2, "[") {
            return format!(
                "`deal` takes a number: write `deal count({zone}) {}`",
                self.rest_of_line(i - 2, true)
            );
        }
        format!(
            "`deal` takes a number: to one zone, `deal count({zone}) from {zone} to {goal}`; to a zone of each player, one by \
             one, `while {zone} is some {{ for p in players {{ deal 1 from {zone} to {goal}[p] }} }}`"
        )
    }

    /// How the element with the least or the greatest value is written. Its name is token `i`.
    fn best_for(&self, i: usize, least: bool) -> String {
        let ends = |j: &usize| {
            !self.pieces.same_line(i, *j)
                || self.pieces.is_text(*j)
                || matches!(self.pieces.word(*j), ":" | "{" | "}" | ")" | "]" | ";" | ",")
        };
        let upto = self.skip_until(i, ends);
        let by = self.skip_until(i, |j| ends(j) || self.pieces.is(*j, "by"));
        let (head, _) = self.pieces.slice(i, by.min(upto));
        let value = if by + 1 < upto && self.pieces.is(by, "by") {
            self.pieces.slice(by + 1, upto).0.to_owned()
        } else {
            "…".to_owned()
        };
        let value = match least {
            false => value,
            true if value.contains(' ') => format!("-({value})"),
            true => format!("-{value}"),
        };
        let written = format!("best {head} by {value}");
        match least {
            true => format!("`best` finds the greatest value; for the least, write `{written}`"),
            false => format!("write `{written}`"),
        }
    }

    /// The first token from `i` for which `ends` holds, brackets skipped.
    pub(super) fn skip_until(&self, i: usize, ends: impl Fn(&usize) -> bool) -> usize {
        let mut j = i;
        while j < self.pieces.tokens.len() && !ends(&j) {
            j = self.pieces.after(j);
        }
        j
    }

    /// How a statement such as `clear` is written that names a board by `on`, token `i`. Returns its keyword and the help.
    fn statement_with_board(&self, i: usize) -> Option<(&'static str, String)> {
        let start = (0..i).rev().find(|j| {
            matches!(self.pieces.word(*j), "clear" | "put" | "move" | "swap" | "draw" | ";" | "{" | "}")
                || keywords::has(self.pieces.word(*j), keywords::ONLY_STATEMENT)
        })?;
        let board = self.pieces.is_word(i + 1).then(|| self.pieces.word(i + 1))?;
        let index = if self.pieces.is(i + 2, "[") {
            self.pieces.slice(i + 2, self.pieces.after(i + 2)).0
        } else {
            ""
        };
        match self.pieces.word(start) {
            "clear" => {
                let sites = short(self.pieces.slice(start + 1, i).0);
                if (start + 1..i).any(|j| self.is_piece(j)) {
                    let help = format!("a piece belongs to a board: write `clear {sites}`");
                    return Some(("clear", help));
                }
                let piece = self.piece_on(board).unwrap_or("PIECE");
                let sites = if sites.contains(' ') { format!("({sites})") } else { sites };
                let help = format!(
                    "name the pieces that go, with the index of their board: `clear {sites} & {piece}{index}`"
                );
                Some(("clear", help))
            }
            "put" => {
                let at = (start..i).find(|j| self.pieces.is(*j, "at"))?;
                let piece = short(self.pieces.slice(start + 1, at).0);
                let sites = short(self.pieces.slice(at + 1, i).0);
                let help = match (piece.strip_suffix(']'), index.strip_prefix('[')) {
                    (_, None) => format!("a piece belongs to a board: write `put {piece} at {sites}`"),
                    (None, _) => {
                        format!("the piece has the index of its board: write `put {piece}{index} at {sites}`")
                    }
                    (Some(_), _) => {
                        "the piece has the index of its board first: write `put PIECE[board, …] at …`"
                            .to_owned()
                    }
                };
                Some(("put", help))
            }
            verb @ ("swap" | "shuffle" | "deal" | "draw" | "reveal") => {
                let verb = keywords::keyword(verb)?.word;
                Some((
                    verb,
                    format!("leave `on {board}{index}` out: a piece, a zone or a variable has one place"),
                ))
            }
            _ => None,
        }
    }

    /// Returns `true` if the word at token `i` is declared as a piece, by the text.
    fn is_piece(&self, i: usize) -> bool {
        let declares = |j: &usize| self.pieces.is(j - 1, "piece") && self.pieces.is(*j, self.pieces.word(i));
        self.pieces.is_word(i) && (1..self.pieces.tokens.len()).any(|j| declares(&j))
    }

    /// The only piece without an index of its own on this board, by the text.
    fn piece_on(&self, board: &str) -> Option<&str> {
        let starts = |j: &usize| self.pieces.is(*j, "piece") && self.pieces.is_word(j + 1);
        let declared = || (0..self.pieces.tokens.len()).filter(starts);
        let plain = |j: &usize| !self.pieces.is(j + 2, "[");
        let there = |j: &usize| !self.pieces.is(j + 2, "on") || self.pieces.is(j + 3, board);
        let mut found = declared().filter(|j| plain(j) && there(j));
        let first = found.next()?;
        (declared().count() == 1 && found.next().is_none()).then(|| self.pieces.word(first + 1))
    }

    /// The message for a usual mistake at token `i` of the fragment that begins at token `from`, if any.
    pub(super) fn slip(&self, expected: &Expected, from: usize, i: usize) -> Option<Diagnostic> {
        let word = |i: usize| self.pieces.word(i);
        let (before, next) = (word(i.wrapping_sub(1)), word(i + 1));
        let at = SlipPlace { parser: self, expected, from, i, word: word(i), before, next };
        SLIPS.iter().find(|slip| (slip.is_made)(&at)).map(|slip| (slip.message)(&at))
    }

    /// The quantifier of a number to whose value token `i` belongs, if any.
    fn quantifier_before(&self, i: usize) -> Option<&str> {
        let (mut depth, mut colon) = (0, false);
        for j in (0..i).rev() {
            match self.pieces.word(j) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" if depth == 0 => return None,
                "(" | "[" | "{" => depth -= 1,
                ";" if depth == 0 => return None,
                ":" if depth == 0 => colon = true,
                word @ ("count" | "sum" | "min" | "max") if depth == 0 && colon => return Some(word),
                _ => {}
            }
        }
        None
    }

    /// Returns `true` if token `i` follows the set of a `for` loop on its line.
    fn follows_set_of_loop(&self, i: usize) -> bool {
        let header = (0..i).rev().take_while(|j| {
            self.pieces.same_line(*j, i) && !matches!(self.pieces.word(*j), "{" | "}" | ";" | "where")
        });
        header.last().is_some_and(|j| self.pieces.word(j) == "for")
    }

    /// The message for a decimal point, token `i`.
    fn fraction(&self, i: usize) -> Diagnostic {
        let number = |j: usize| self.pieces.kind(j) == Some(TokenKind::Number);
        let a = i - usize::from(i > 0 && number(i - 1));
        let b = i + 1 + usize::from(number(i + 1));
        let (text, _) = self.pieces.slice(a, b);
        let whole = |j: usize| if number(j) { self.pieces.word(j) } else { "0" };
        let (low, high) = (whole(i.wrapping_sub(1)), whole(i + 1));
        Diagnostic::error(Code::WrongSign, self.pieces.span_of(a, b), format!("`{text}` is not an integer"))
            .help(format!(
                "numbers are integers, without fractions; to award halves, double all points; for a range, write `{low}..{high}`"
            ))
    }

    pub(super) fn is_operator(&self, i: usize) -> bool {
        matches!(
            self.pieces.word(i),
            "+" | "-" | "*" | "/" | "%" | "|" | "&" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "in"
        )
    }
}
