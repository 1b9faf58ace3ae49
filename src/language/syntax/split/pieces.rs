//! Texts as words, signs and comments, without a tree: what holds of a text that doesn't parse, too.

use std::ops::Range;

use super::tokens::{TokenKind, tokenise};
use crate::diagnostic::{FileId, without_lone_cr};

/// The kind of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// A word or a sign.
    Token(TokenKind),
    /// A comment, without the end of its line.
    Comment,
}

/// A token or a comment.
#[derive(Clone, Copy, Debug)]
pub struct TextPiece {
    /// Its kind.
    pub kind: PieceKind,
    /// Its first byte.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
}

impl TextPiece {
    /// Its bytes.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Returns `true` for a token of this kind.
    pub fn is(&self, kind: TokenKind) -> bool {
        self.kind == PieceKind::Token(kind)
    }
}

/// The tokens and comments of a text, in order. A comment ends with its line, however lines end.
pub fn pieces(text: &str) -> Vec<TextPiece> {
    let text = &*without_lone_cr(text);
    let mut found = vec![];
    let mut end = 0;
    let comments = |from: usize, to: usize, found: &mut Vec<TextPiece>| {
        let mut at = from;
        while let Some(start) = text.get(at..to).and_then(|gap| gap.find("//")).map(|n| at + n) {
            at = text[start..to].find('\n').map_or(to, |n| start + n);
            let end = start + text[start..at].trim_end().len();
            found.push(TextPiece { kind: PieceKind::Comment, start, end });
        }
    };
    for token in tokenise(FileId(0), text).list {
        let (start, token_end) = (token.start as usize, token.end as usize);
        comments(end, start, &mut found);
        found.push(TextPiece { kind: PieceKind::Token(token.kind), start, end: token_end });
        end = token_end;
    }
    comments(end, text.len(), &mut found);
    found
}

/// The word around a byte, or an empty range there.
pub fn word_around(text: &str, byte: usize) -> Range<usize> {
    let byte = text.floor_char_boundary(byte);
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let before = text.as_bytes()[..byte].iter().rev().take_while(|b| is_word(b)).count();
    let after = text.as_bytes()[byte..].iter().take_while(|b| is_word(b)).count();
    byte - before..byte + after
}

/// The pairs of braces, by their bytes, in the order of the opening ones. Braces without a partner are left out.
pub fn blocks(text: &str, pieces: &[TextPiece]) -> Vec<Range<usize>> {
    let (mut open, mut found) = (vec![], vec![]);
    for piece in pieces.iter().filter(|piece| piece.is(TokenKind::Sign)) {
        match &text[piece.range()] {
            "{" => open.push(piece.start),
            "}" => found.extend(open.pop().map(|start| start..piece.end)),
            _ => {}
        }
    }
    found.sort_by_key(|range| range.start);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_pieces_too() {
        let text = "// é\na \"x // y\" // z \n/// doc";
        let words: Vec<&str> = pieces(text).iter().map(|piece| &text[piece.range()]).collect();
        assert_eq!(words, ["// é", "a", "\"x // y\"", "// z", "/// doc"]);
    }

    #[test]
    fn a_comment_ends_at_any_end_of_a_line() {
        for end in ["\n", "\r", "\r\n"] {
            let text = ["// x", "a // y", "b"].join(end);
            let words: Vec<&str> = pieces(&text).iter().map(|piece| &text[piece.range()]).collect();
            assert_eq!(words, ["// x", "a", "// y", "b"], "{end:?}");
        }
    }

    #[test]
    fn a_word_is_found_from_all_its_bytes() {
        let text = "a joker_2 é";
        for byte in 2..=9 {
            assert_eq!(word_around(text, byte), 2..9);
        }
        assert_eq!(word_around(text, 11), 10..10, "inside a character");
    }
}
