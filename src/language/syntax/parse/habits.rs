//! Words from other languages or plain English that people often write, with their equivalents in this
//! language.

use super::Parser;
use super::message::short;
use crate::diagnostic::FileId;
use crate::vocabulary::{keywords, statements};

/// The place where a word was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordContext {
    /// At the start of a declaration of a game.
    Declaration,
    /// At the start of an edit of a variant.
    Change,
    /// At the start of a statement.
    Statement,
}

use WordContext::{Change, Declaration, Statement};

/// The form of the help for a habitual word.
#[derive(Clone, Copy)]
enum Help {
    /// The text itself.
    Say(&'static str),
    /// `write …`, with the first word replaced by this one.
    Instead(&'static str),
    /// `write …`, without the first word.
    Without,
}

use Help::{Instead, Say, Without};

/// Words that begin nothing in this language, with the help for each.
const HABITS: &[(&[WordContext], &[&str], Help)] = &[
    (&[Change], &["add", "create", "insert", "introduce"], Instead("new")),
    (&[Change], &["remove", "delete", "drop", "omit"], Instead("without")),
    (&[Change], &["replace", "change", "override", "set", "modify", "update", "redefine"], Without),
    (&[Statement], &["var", "int", "const", "local", "auto", "variable", "val", "my"], Instead("let")),
    (&[Statement], &["set", "call", "do_now", "then"], Without),
    (&[Statement], &["foreach", "forall"], Instead("for")),
    (&[Statement], &["unless"], Say("write `if not … { … }`")),
    (&[Statement], &["elif", "elsif", "elseif"], Say("write `else if`")),
    (&[Statement], &["loop", "forever", "do"], Say("write `repeat { … } until …` or `while … { … }`")),
    (&[Statement], &["return", "yield"], Say("a rule that gives a value is a `define NAME(…) = …`")),
    (
        &[Statement],
        &["break", "continue", "stop", "exit", "quit"],
        Say(
            "`skip` leaves the step, and so every loop in it: `step NAME { while true { … } }`; `done` leaves the turn, `end game` the game",
        ),
    ),
    (
        &[Statement],
        &["print", "log", "say", "show", "message", "echo"],
        Say("rules print nothing; keep a number in a `var`, which `play` and `simulate` show"),
    ),
    (
        &[Statement],
        &["switch", "case", "select"],
        Say("write `if … { … } else if … { … }`; a player's options are written in `choose { … }`"),
    ),
    (
        &[Statement],
        &["take", "erase", "delete", "capture", "discard"],
        Say(
            "to take a piece off the board, write `clear SITE`; what is in a zone goes elsewhere by `move CARD to ZONE`",
        ),
    ),
    (
        &[Statement],
        &["give"],
        Say("to add to a variable, write `points += 1`; to move a card, write `move CARD to ZONE`"),
    ),
    (
        &[Statement],
        &["add", "gain", "increase", "increment", "inc"],
        Say("to add to a variable, write `points += 1`"),
    ),
    (
        &[Statement],
        &["subtract", "lose_points", "decrease", "decrement", "dec"],
        Say("to subtract from a variable, write `points -= 1`"),
    ),
    (&[Statement], &["swap"], Say("write `let old = a`, then `a = b` and `b = old`")),
    (
        &[Statement],
        &["pass", "nothing", "noop"],
        Say(
            "to do nothing, leave the block empty: `{ }`; to let a player pass, write the option `pass` in a `choose`",
        ),
    ),
    (&[Statement], &["throw", "toss"], Instead("roll")),
    (
        &[Statement],
        &["place", "set_piece"],
        Say(
            "to put a piece on the board, write `put PIECE at …`, to lay a card down, `move CARD to ZONE`; options are written \
             in a `choose { … }`",
        ),
    ),
    (
        &[Statement],
        &["remove"],
        Say(
            "to take a piece off the board, write `clear SITE`, to lay a card away, `move CARD to ZONE`; to shrink a set, write \
             `s -= …`",
        ),
    ),
    (&[Statement], &["player", "players"], Say("for every player in turn, write `each player as me { … }`")),
    (
        &[Statement],
        &["try", "assert"],
        Say("a condition on what an option does is written `ensuring …` in its header"),
    ),
    (
        &[Statement],
        &["win", "lose"],
        Say(
            "to end the game here, write `end game as NAME: win me`; what is tested after each turn is declared: `end NAME when …: win me`",
        ),
    ),
    (
        &[Declaration, Change],
        &["int", "number", "integer", "bool", "boolean", "variable", "let", "counter", "state", "global"],
        Say("write `var NAME: 0..9 = 0` for a number that changes, `define NAME = …` for one that doesn't"),
    ),
    (&[Declaration, Change], &["const", "constant"], Say("write `define NAME = …`")),
    (
        &[Declaration, Change],
        &["function", "func", "def", "fn", "macro"],
        Say("write `define NAME(x) = …` for a value, `procedure NAME(x) { … }` for statements"),
    ),
    (&[Declaration, Change], &["proc", "sub", "method", "void", "routine"], Instead("procedure")),
    (
        &[Declaration, Change],
        &["class", "struct", "record", "object"],
        Say("write `domain NAME { field: 1..6, … }`"),
    ),
    (&[Declaration, Change], &["type"], Say("write `enum NAME { red, blue }` or `domain NAME = 1..6`")),
    (
        &[Declaration, Change],
        &["option", "setting", "parameter", "config"],
        Say("write `param NAME: 1..9 = 3`"),
    ),
    (&[Declaration, Change], &["die"], Instead("dice")),
    (&[Declaration, Change], &["player"], Instead("players")),
    (&[Declaration, Change], &["token", "marker", "pawn", "stone", "counter_piece"], Instead("piece")),
    (&[Declaration, Change], &["grid"], Say("write `board cell = grid(8, 8)`")),
    (
        &[Declaration, Change],
        &["cards", "card", "deck", "hand", "pile", "bag"],
        Say("write `domain card { … }` for the cards, and `zone deck of card` for where they lie"),
    ),
    (
        &[Declaration, Change],
        &["win", "wins", "victory", "goal", "lose", "draw"],
        Say("write `end NAME when …: win me`"),
    ),
    (&[Declaration, Change], &["start", "init", "initial", "begin", "prepare"], Instead("setup")),
    (&[Declaration, Change], &["points", "scoring", "scores"], Instead("score")),
    (&[Declaration, Change], &["turns", "move", "moves", "play", "main", "loop"], Instead("turn")),
    (
        &[Declaration, Change],
        &["import", "include", "use", "extends"],
        Say(
            "a game that changes another is `variant \"…\" of \"GAME\" { … }`; functions come from `script \"FILE.rhai\"`",
        ),
    ),
    (
        &[Declaration, Change],
        &["rule", "rules", "phase", "phases", "stage"],
        Say("the rules of a turn are written in `turn { … }`, its parts in `step NAME { … }`"),
    ),
];

/// Returns `true` if what a help says can be written there. What is left open, `…`, is taken as right.
fn is_accepted(place: WordContext, written: &str) -> bool {
    let text = written.replace("{ … }", "{ }");
    let whole = match place {
        Declaration => format!("game \"G\" {{ {text}\n}}"),
        Change => format!("variant \"V\" of \"g\" {{ {text}\n}}"),
        Statement => format!("game \"G\" {{ turn {{ {text}\n}} }}"),
    };
    text.contains('…') || super::parse(FileId(0), &whole).1.is_empty()
}

/// The form of what begins with a keyword.
fn form(keyword: &str) -> &str {
    match keyword {
        "dice" => "dice NAME: 1 of d6",
        "new" => "new var NAME: 0..9`, `new define NAME = …` or `extend CHOICE { OPTION { … } }",
        "piece" => "piece NAME",
        "players" => "players 2..4",
        "procedure" => "procedure NAME(x) { … }",
        "score" => "score { ITEM: VALUE }",
        "setup" => "setup { … }",
        "turn" => "turn { … }",
        other => statements::verb(other).and_then(|verb| verb.forms.first()).map_or(other, |form| form),
    }
}

impl Parser<'_> {
    /// The help for the word at token `i`, if it is such a habitual word.
    pub(super) fn habit(&self, place: WordContext, i: usize) -> Option<String> {
        let word = self.pieces.word(i);
        let lower = word.to_ascii_lowercase();
        let here = HABITS
            .iter()
            .filter(|(places, words, _)| places.contains(&place) && words.contains(&lower.as_str()));
        let help = here.map(|(_, _, help)| *help).next()?;
        let rest = self.rest_of_line(i, place == Statement);
        Some(match help {
            Say(help) => help.to_owned(),
            Instead("let") if self.pieces.is(i + 2, ":") => {
                let name = self.pieces.word(i + 1);
                format!(
                    "write `let {name} = …`; what lasts longer is declared outside of the turn: `var {name}: …`"
                )
            }
            Instead("without") if !self.names_a_kind(i + 1) => {
                let name = self.pieces.word(i + 1);
                format!(
                    "write `without` and what it is, such as `without param {name}`, `without step {name}` or `without end {name}`"
                )
            }
            Instead(other) => {
                let written = format!("{other} {rest}");
                let written = written.trim_end();
                match is_accepted(place, written) {
                    true => format!("write `{written}`"),
                    false => format!("write `{}`", form(other)),
                }
            }
            Without if rest.is_empty() => return None,
            Without if is_accepted(place, &rest) => format!("leave `{word}` out: write `{rest}`"),
            Without => return self.meant_change(place, i + 1),
        })
    }

    /// Returns `true` if `without` can remove what the word at token `i` names: the keyword of a declaration, or `step`.
    fn names_a_kind(&self, i: usize) -> bool {
        keywords::has(self.pieces.word(i), keywords::DECLARATION | keywords::PART)
    }

    /// What is written for `NAME to VALUE`, the name being token `i`, or for a part of a variant that no word changes.
    fn meant_change(&self, place: WordContext, i: usize) -> Option<String> {
        let name = self.pieces.word(i);
        if !self.pieces.is_word(i) || self.pieces.first(i) {
            return None;
        }
        let sets = matches!(self.pieces.word(i + 1), "to" | "=" | ":=" | "as" | "by");
        let value = self.rest_of_line(i + 1, place == Statement);
        let kind = if place == Change { "param " } else { "" };
        let written = format!("{kind}{name} = {value}");
        if sets && is_accepted(place, &written) {
            return Some(match place {
                Change => format!("to change a param, write `{written}`"),
                _ => format!("write `{written}`"),
            });
        }
        match (place, name) {
            (Change, "step") => Some(self.step_in_variant(i)),
            (Change, "option" | "choose" | "choice") => {
                Some("the options of a choice are changed by `extend CHOICE { … }`".to_owned())
            }
            (Change, _) => Some(
                "a change is written as the declaration that it replaces, such as `param NAME = 5`, or begins with \
                 `new`, `without`, `extend`, `before`, `after` or `fix`"
                    .to_owned(),
            ),
            (Statement, _) if is_accepted(place, &format!("{name}()")) => Some(format!("write `{name}()`")),
            _ => None,
        }
    }

    /// How a variant changes a step. The keyword `step` is token `i`.
    pub(super) fn step_in_variant(&self, i: usize) -> String {
        let known = self.pieces.is_word(i + 1) && !self.pieces.first(i + 1);
        let name = if known { short(self.pieces.word(i + 1)) } else { "NAME".to_owned() };
        format!(
            "to write a step anew, write `without step {name}`, and add it by `before STEP step {name} {{ … }}` or `after STEP \
             step {name} {{ … }}`; the options of its choices are changed by `extend CHOICE {{ … }}`"
        )
    }

    /// The source text after token `i` on its line, up to a bracket or the end of the statement. `…`
    /// stands for the contents of a block.
    pub(super) fn rest_of_line(&self, i: usize, statement: bool) -> String {
        let more = |j: &usize| {
            self.pieces.tokens.get(*j).is_some()
                && self.pieces.same_line(i, *j)
                && !matches!(self.pieces.word(*j), "{" | "}" | ";")
        };
        let mut end = i + 1;
        while more(&end)
            && (end == i + 1
                || !(statement && self.pieces.stmt_starts(end, false) && self.pieces.assigns(end)))
        {
            end += 1;
        }
        if end == i + 1 {
            return if self.pieces.opens_block(end) { "{ … }".to_owned() } else { String::new() };
        }
        let (text, _) = self.pieces.slice(i + 1, end);
        let cut: String = text.chars().take(60).collect();
        let block = if self.pieces.opens_block(end) { " { … }" } else { "" };
        if cut.len() < text.len() {
            format!("{}…", cut.trim_end())
        } else {
            format!("{}{block}", cut.trim())
        }
    }
}
