//! Messages about usual mistakes: signs of other languages, forgotten words, fractions.

use super::Parser;
use super::expect::Expected;
use super::message::{is_die, short};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::split::tokens::TokenKind;
use crate::vocabulary::keywords;

/// An unexpected token, with what stands around it.
struct SlipPlace<'p, 'a> {
    parser: &'p Parser<'a>,
    expected: &'p Expected,
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

    fn error(&self, code: Code, message: String, help: &str) -> Diagnostic {
        Diagnostic::error(code, self.parser.pieces.span(self.i), message).help(help)
    }

    /// Returns the message about a sign or word that is wrong here.
    fn wrong(&self, message: impl Into<String>, help: &str) -> Diagnostic {
        self.error(Code::WrongSign, message.into(), help)
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
        is_made: |at| at.word == "if" && at.expects("where"),
        message: |at| {
            let expected = at.expected.phrase();
            let message = format!("expected {expected} after `{}`, found `if`", short(at.before));
            at.error(at.expected.code(), message, "a condition is written `where …`")
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

impl Parser<'_> {
    /// The message for a usual mistake at token `i`, if any.
    pub(super) fn slip(&self, expected: &Expected, i: usize) -> Option<Diagnostic> {
        let word = |i: usize| self.pieces.word(i);
        let (before, next) = (word(i.wrapping_sub(1)), word(i + 1));
        let at = SlipPlace { parser: self, expected, i, word: word(i), before, next };
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

    fn is_operator(&self, i: usize) -> bool {
        matches!(
            self.pieces.word(i),
            "+" | "-" | "*" | "/" | "%" | "|" | "&" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "in"
        )
    }
}
