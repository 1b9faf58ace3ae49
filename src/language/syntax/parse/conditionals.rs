//! Messages about conditions that other languages write elsewhere: `a if c else b`, `c ? a : b`, and a statement before its
//! condition, `n += 1 if c`.

use super::Parser;

/// The most characters of a part that a help repeats.
const LONGEST_PART: usize = 60;

impl Parser<'_> {
    /// Returns `true` if `else` follows the condition of the `if` at token `i` on its line.
    pub(super) fn has_other_value(&self, i: usize) -> bool {
        self.pieces.is(self.part_end(i + 1, "else"), "else")
    }

    /// Returns `true` if the `if` at token `i` follows a value on its line.
    pub(super) fn is_if_after_value(&self, i: usize) -> bool {
        self.pieces.is(i, "if")
            && i > 0
            && self.pieces.same_line(i - 1, i)
            && self.pieces.ends_value(i - 1)
            && !self.pieces.is(i - 1, "}")
    }

    /// How `A if C else B` is written. The `if` is token `i`.
    pub(super) fn chosen_by_if(&self, i: usize) -> String {
        let end = self.part_end(i + 1, "else");
        let last = if self.pieces.is(end, "else") {
            self.part(end + 1, self.part_end(end + 1, "else"))
        } else {
            "…".to_owned()
        };
        format!("write `if {} then {} else {last}`", self.part(i + 1, end), self.value_before(i))
    }

    /// How `C ? A : B` is written. The `?` is token `i`. Returns `None` if no `:` follows.
    pub(super) fn chosen_by_sign(&self, i: usize) -> Option<String> {
        let colon = self.part_end(i + 1, ":");
        if !self.pieces.is(colon, ":") {
            return None;
        }
        let last = self.part(colon + 1, self.part_end(colon + 1, ":"));
        let (condition, first) = (self.value_before(i), self.part(i + 1, colon));
        Some(format!("write `if {condition} then {first} else {last}`"))
    }

    /// How a statement with its condition after it is written: `n += 1 if c`. The `if` is token `i`.
    pub(super) fn statement_on_condition(&self, i: usize) -> Option<String> {
        if !self.is_if_after_value(i) || self.has_other_value(i) {
            return None;
        }
        let mut start = i;
        while start == i || !self.begins_statement(start) {
            start = self.part_before(start)?;
            if !self.pieces.same_line(start, i) {
                return None;
            }
        }
        if self.pieces.is(start, "let") {
            return None;
        }
        let condition = self.part(i + 1, self.part_end(i + 1, "else"));
        Some(format!("write `if {condition} {{ {} }}`", self.part(start, i)))
    }

    /// Returns `true` if a statement begins at a token within a block.
    fn begins_statement(&self, i: usize) -> bool {
        let is_first = i > 0 && (self.pieces.opens_block(i - 1) || self.pieces.is(i - 1, ";"));
        is_first || self.pieces.stmt_starts(i, false)
    }

    /// The token before token `i`, or the bracket that opens the pair before it. Returns `None` after an opening bracket.
    fn part_before(&self, i: usize) -> Option<usize> {
        let before = i.checked_sub(1)?;
        match self.pieces.bracket(before) {
            Some(b'(' | b'[' | b'{') => None,
            Some(_) => Some(self.pieces.partner(before).min(before)),
            None => Some(before),
        }
    }

    /// The value on this line that ends before token `i`, or `…`.
    fn value_before(&self, i: usize) -> String {
        let mut start = i;
        while let Some(before) = self.part_before(start) {
            let ends = matches!(
                self.pieces.word(before),
                "=" | "+="
                    | "-="
                    | ","
                    | ":"
                    | ";"
                    | "if"
                    | "then"
                    | "else"
                    | "where"
                    | "when"
                    | "while"
                    | "until"
                    | "by"
                    | "win"
                    | "lose"
            );
            if ends || self.pieces.is_text(before) {
                break;
            }
            if !self.pieces.same_line(before, i) {
                return "…".to_owned();
            }
            start = before;
        }
        self.part(start, i)
    }

    /// The end of the part of an expression that begins at token `i`, on its line or before a word.
    fn part_end(&self, i: usize, word: &str) -> usize {
        self.skip_until(i, |j| {
            !self.pieces.same_line(i, *j)
                || self.pieces.is_text(*j)
                || self.pieces.is(*j, word)
                || matches!(self.pieces.word(*j), "," | ";" | "where" | "when" | "ensuring")
                || matches!(self.pieces.bracket(*j), Some(b')' | b']' | b'}'))
                || *j > i && self.pieces.opens_block(*j) && self.pieces.ends_value(*j - 1)
        })
    }

    /// The text of the tokens `a..b`, or `…` for none or many.
    fn part(&self, a: usize, b: usize) -> String {
        let text = if a < b { self.pieces.slice(a, b).0.trim() } else { "" };
        match text.chars().count() {
            1..=LONGEST_PART => text.to_owned(),
            _ => "…".to_owned(),
        }
    }
}
