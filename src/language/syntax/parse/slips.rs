//! Messages about usual mistakes: signs of other languages, forgotten words, fractions.

use super::Parser;
use super::expect::Expected;
use super::message::{is_die, short};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::split::tokens::TokenKind;
use crate::vocabulary::keywords;

impl Parser<'_> {
    /// The message for a usual mistake, if any.
    pub(super) fn slip(&self, expected: &Expected, i: usize) -> Option<Diagnostic> {
        let word = self.pieces.word(i);
        let before = self.pieces.word(i.wrapping_sub(1));
        let next = self.pieces.word(i + 1);
        let span = self.pieces.span(i);
        let wrong =
            |message: String, help: &str| Some(Diagnostic::error(Code::WrongSign, span, message).help(help));
        let instead = |meant: &str| {
            let message = format!("`{word}` is not an operator here");
            Some(Diagnostic::error(Code::WrongSign, span, message).help(format!("write `{meant}`")))
        };
        match word {
            _ if matches!(self.pieces.word(i.wrapping_sub(2)), "game" | "variant") && expected.end => {
                let message = format!("expected `{{` after `{before}`, found `{}`", short(word));
                let help = "all that belongs to it stands in `{ … }`";
                Some(Diagnostic::error(Code::ExpectedSign, span, message).help(help))
            }
            _ if before == "by" && expected.words.iter().any(|word| word == "owner") => {
                let message =
                    format!("expected `all`, `owner`, `none` or a player after `by`, found `{word}`");
                let help = "`owner` is the player of the first index, as in `hand[player]`";
                Some(Diagnostic::error(Code::ExpectedWord, span, message).help(help))
            }
            _ if expected.signs == [",", "}"] && !expected.operator && self.pieces.is_word(i) => {
                let message = format!("expected `,` after `{}`, found `{word}`", short(before));
                let help =
                    "values stand side by side with commas: `enum suit { clubs \"black\", hearts \"red\" }`";
                Some(Diagnostic::error(Code::ExpectedSign, span, message).help(help))
            }
            "of" if expected.words.iter().any(|word| word == "until") => {
                let message = "`of` comes before `from` and `until`".to_owned();
                let help = "write `each player of S from p until C as me { … }`";
                Some(Diagnostic::error(Code::ExpectedWord, span, message).help(help))
            }
            "/" if next == "*" => wrong("`/*` begins nothing here".to_owned(), "a comment begins with `//`"),
            "+" if before == "=" => wrong("`=+` is no sign".to_owned(), "write `+=` to add"),
            "<" | "<=" | ">" | ">=" | "==" | "!=" if expected.operator && !expected.signs.contains(&"=") => {
                let help = match self.quantifier_before(i) {
                    Some(quantifier) => format!(
                        "all after its `:` belongs to the `{quantifier}`; to compare its value, put it in parentheses: \
                         `({quantifier} …: …) {word} …`"
                    ),
                    None => "compare two values at a time: `a < b and b < c`".to_owned(),
                };
                wrong(format!("`{word}` can't follow another comparison"), &help)
            }
            "=" if expected.signs == [":"]
                && matches!(self.pieces.word(i.wrapping_sub(2)), "var" | "param" | "table") =>
            {
                let error = Diagnostic::error(Code::ExpectedType, span, format!("`{before}` has no type"));
                Some(error.help(format!("say what it can hold before the `=`, as in `{before}: 0..10 = 0`")))
            }
            "(" if expected.signs.contains(&"=") && self.pieces.word(i.wrapping_sub(2)) == "board" => {
                let error = Diagnostic::error(
                    Code::ExpectedSign,
                    span,
                    format!("expected `=` after `{before}`, found `(`"),
                );
                Some(
                    error.help(format!(
                        "the name of the board's sites comes first: `board cell = {before}(…)`"
                    )),
                )
            }
            "when" if self.pieces.kind(i.wrapping_sub(1)) == Some(TokenKind::Text) => wrong(
                "`when` comes before the help text".to_owned(),
                "write the text last: `… when … \"help\"`",
            ),
            "&&" => instead("and"),
            "||" => instead("or"),
            "!" => instead("not"),
            ":=" => instead("="),
            "=>" => instead(">="),
            "<>" => instead("!="),
            "=" if before == "=" || next == "=" => instead("=="),
            "=" if before == "<" || before == ">" => instead(if before == "<" { "<=" } else { ">=" }),
            "=" if expected.operator && !expected.signs.contains(&"=") => wrong(
                "`=` sets a value and isn't allowed in an expression".to_owned(),
                "write `==` to compare; a new statement begins on a line of its own or after `;`",
            ),
            "==" if expected.signs.contains(&"=") => {
                wrong("expected `=`, found `==`".to_owned(), "`=` sets a value, `==` compares")
            }
            _ if before == "." && self.pieces.kind(i) == Some(TokenKind::Number) => {
                Some(self.fraction(i - 1))
            }
            "." if self.pieces.kind(i + 1) == Some(TokenKind::Number)
                || self.pieces.kind(i.wrapping_sub(1)) == Some(TokenKind::Number) =>
            {
                Some(self.fraction(i))
            }
            _ if is_die(word) && self.pieces.kind(i.wrapping_sub(1)) == Some(TokenKind::Number) => {
                let span = self.pieces.span_of(i - 1, i + 1);
                let help = match expected.words.iter().any(|word| word == "of") {
                    true => format!("write `{before} of {word}`"),
                    false => format!("declare `dice pair: {before} of {word}`, then write `roll pair`"),
                };
                let message = format!("`{before}{word}` is no name of dice");
                Some(Diagnostic::error(Code::WrongDice, span, message).help(help))
            }
            "%" if self.pieces.kind(i.wrapping_sub(1)) == Some(TokenKind::Number) => wrong(
                "`%` is the remainder of a division and needs a number after it".to_owned(),
                "numbers are integers; for a percentage, multiply by 100 first",
            ),
            "**" | "^" => wrong(format!("`{word}` is not an operator here"), "write `x * x`"),
            ";" => wrong(
                "`;` isn't allowed here".to_owned(),
                "`;` separates statements; entries and arguments are separated by `,`",
            ),
            "if" if expected.words.iter().any(|word| word == "where") => {
                let message = format!("expected {} after `{}`, found `if`", expected.phrase(), short(before));
                Some(
                    Diagnostic::error(expected.code(), span, message)
                        .help("a condition is written `where …`"),
                )
            }
            "in" if expected.name && expected.words.iter().any(|word| word == "where") => {
                let message = format!("`{}` needs the name of an option before it", short(before));
                let help = format!("write `my_option {} in …`", short(before));
                Some(Diagnostic::error(Code::ExpectedName, span, message).help(help))
            }
            "where" if self.loop_over(i) => {
                let message = format!("`where` isn't allowed after `{}`", short(before));
                let help = "write `for x in { x in S where … } { … }`";
                Some(Diagnostic::error(Code::StrayWord, span, message).help(help))
            }
            _ if before == "from" && self.pieces.word(i.wrapping_sub(2)) == "draw" => {
                let message = "what is drawn has no name".to_owned();
                let help = format!("write `draw x from {}`", short(word));
                Some(Diagnostic::error(Code::ExpectedName, span, message).help(help))
            }
            _ if before == "draw" && self.pieces.kind(i) == Some(TokenKind::Number) => {
                let message = format!("expected a name after `draw`, found `{word}`");
                let help = format!("`draw` takes one: write `deal {word} {}`", self.rest_of_line(i, true));
                Some(Diagnostic::error(Code::ExpectedName, span, message).help(help))
            }
            "then" if expected.signs.is_empty() && !expected.value => wrong(
                "`then` belongs to an expression".to_owned(),
                "a statement is written `if … { … } else { … }`",
            ),
            _ if (word == "if" || keywords::has(word, keywords::QUANTIFIER))
                && expected.value
                && !expected.name
                && self.is_operator(i.wrapping_sub(1)) =>
            {
                wrong(format!("`{word}` isn't allowed after an operator"), "put it in parentheses")
            }
            _ if keywords::has(before, keywords::QUANTIFIER) && i > 1 && self.is_operator(i - 2) => {
                wrong(format!("`{before}` isn't allowed after an operator"), "put it in parentheses")
            }
            "none" if before == "is" || before == "not" => wrong(
                "`is` needs `some`, `nothing` or the name of a value".to_owned(),
                "write `is nothing` or `is some`",
            ),
            _ => None,
        }
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
    fn loop_over(&self, i: usize) -> bool {
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

    fn is_operator(&self, i: usize) -> bool {
        matches!(
            self.pieces.word(i),
            "+" | "-" | "*" | "/" | "%" | "|" | "&" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "in"
        )
    }
}
