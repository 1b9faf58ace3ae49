//! Messages about two names where one quantifier, loop or option binds only one at a place.

use super::Parser;
use super::message::short;
use crate::vocabulary::keywords;

impl Parser<'_> {
    /// The token itself, or for the `where` of `{ a in S, b in T where … }` the comma before it. The fragment begins at
    /// token `from`.
    pub(super) fn comma_of(&self, from: usize, i: usize) -> usize {
        if !self.pieces.is(i, "where") {
            return i;
        }
        let (mut depth, mut j) = (0, i);
        while j > from {
            j -= 1;
            match self.pieces.word(j) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" | ";" if depth == 0 => return i,
                "(" | "[" | "{" => depth -= 1,
                "," if depth == 0 => return j,
                _ => {}
            }
        }
        i
    }

    /// How two names are bound where the comma, token `i`, follows the first: `count a in S, b in T: …`,
    /// `any a, b in S: …`, `for a, b in S { … }`, `{ a in S, b in T where … }`, `OPTION a, b in S { … }`. The fragment begins
    /// at token `from`.
    pub(super) fn names_two_at(&self, from: usize, i: usize) -> Option<String> {
        let word = |j: usize| self.pieces.word(j);
        if !self.pieces.is(i, ",")
            || !self.pieces.is_word(i + 1)
            || !matches!(word(i + 2), "in" | "subset" | ",")
        {
            return None;
        }
        // Back to the word that binds the first name.
        let (mut depth, mut j) = (0, i);
        let start = loop {
            if j <= from {
                return self.names_two_of_option(from, i);
            }
            j -= 1;
            match word(j) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" if depth == 0 => return None,
                "{" if depth == 0 => break j,
                "(" | "[" | "{" => depth -= 1,
                ";" | ":" if depth == 0 => return None,
                "for" | "pick" if depth == 0 => break j,
                word if depth == 0
                    && keywords::has(word, keywords::QUANTIFIER)
                    && self.pieces.is_word(j + 1) =>
                {
                    break j;
                }
                _ => {}
            }
        };
        let first = short(word(start + 1));
        let second = short(word(i + 1));
        let over = |j: usize, upto: usize| short(self.pieces.slice(j, upto).0);
        let set = if self.pieces.is(start + 2, "in") { over(start + 3, i) } else { "…".to_owned() };
        let end = (i + 3..self.pieces.tokens.len())
            .find(|j| {
                !self.pieces.same_line(i, *j)
                    || matches!(word(*j), ":" | "," | "where" | "by" | "{" | "}" | ")" | "]")
            })
            .unwrap_or(i + 3);
        let other =
            if self.pieces.is(i + 2, "in") && end > i + 3 { over(i + 3, end) } else { "…".to_owned() };
        let set = if set == "…" { other.clone() } else { set };
        Some(match word(start) {
            "for" => format!("write one loop in the other: `for {first} in {set} {{ for {second} in {other} {{ … }} }}`"),
            "pick" => format!("write two: `pick {first} in {set}`, then `pick {second} in {other}`"),
            "{" => format!(
                "a set has elements of one kind; write one condition in the other: `{{ {first} in {set} where any {second} in {other}: … }}`"
            ),
            "best" => "write `best` with one name; what it compares may name the other: `best x in S by (max y in T: …)`".to_owned(),
            "count" => format!("write one in the other: `sum {first} in {set}: count {second} in {other}: …`"),
            outer => format!("write one in the other: `{outer} {first} in {set}: {outer} {second} in {other}: …`"),
        })
    }

    /// How an option that begins at token `from` binds two names where the comma, token `i`, follows the first, which has no
    /// set: `OPTION a, b in S { … }`.
    fn names_two_of_option(&self, from: usize, i: usize) -> Option<String> {
        let is_bare = i > from + 1
            && self.pieces.is_word(i - 1)
            && (self.pieces.is(i - 2, ",") || self.pieces.is_word(i - 2) && !self.is_operator(i - 2));
        let is_option = self.pieces.is_word(from)
            && !keywords::has(self.pieces.word(from), keywords::STATEMENT | keywords::DECLARATION);
        if !is_bare || !is_option || !self.pieces.is(i + 2, "in") {
            return None;
        }
        let upto = self.skip_until(i + 3, |j| {
            !self.pieces.same_line(i, *j)
                || self.pieces.is_text(*j)
                || matches!(self.pieces.word(*j), "," | "where" | "ensuring" | "seen" | "{" | "}")
        });
        let set = short(self.pieces.slice(i + 3, upto).0);
        let (first, second) = (self.pieces.word(i - 1), self.pieces.word(i + 1));
        Some(format!("each name has its set: write `{first} in {set}, {second} in {set}`"))
    }
}
