//! Bytes of a text as the page counts: in code units of UTF-16 from its beginning.

use std::ops::Range;

/// The code units of a text by its bytes.
pub(super) struct Units {
    /// The code units before each byte and before the end. Empty if each byte is one.
    before: Vec<u32>,
    bytes: usize,
}

impl Units {
    /// Counts the code units of a text.
    pub(super) fn from_text(text: &str) -> Units {
        let bytes = text.len();
        if text.is_ascii() {
            return Units { before: vec![], bytes };
        }
        let mut before = Vec::with_capacity(bytes + 1);
        let mut units = 0;
        for c in text.chars() {
            before.resize(before.len() + c.len_utf8(), units);
            units += c.len_utf16() as u32;
        }
        before.push(units);
        Units { before, bytes }
    }

    /// The code units before a byte. One inside a character counts as the character's first, one after the text as its
    /// end.
    pub(super) fn at(&self, byte: usize) -> usize {
        let byte = byte.min(self.bytes);
        self.before.get(byte).map_or(byte, |units| *units as usize)
    }

    /// The beginning and the end of a range of bytes.
    pub(super) fn range(&self, bytes: Range<usize>) -> (usize, usize) {
        (self.at(bytes.start), self.at(bytes.end))
    }

    /// The byte after some code units. The middle of a surrogate pair counts as the start of its character.
    pub(super) fn byte(&self, units: usize) -> usize {
        let units = units.min(self.at(self.bytes));
        if self.before.is_empty() {
            return units;
        }
        let next = self.before.partition_point(|before| (*before as usize) <= units);
        let last = self.before[next - 1];
        self.before.partition_point(|before| *before < last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_has_its_own_place() {
        for text in ["", "plain\n", "a é\r\n\"♣ 🎲\" x🎲"] {
            let units = Units::from_text(text);
            for (byte, c) in text.char_indices() {
                let before = text[..byte].encode_utf16().count();
                assert_eq!(units.at(byte), before, "{c:?}");
                assert_eq!(units.at(byte + c.len_utf8() - 1), before, "{c:?}");
                for inside in before..before + c.len_utf16() {
                    assert_eq!(units.byte(inside), byte, "{c:?}");
                }
            }
            let end = text.encode_utf16().count();
            assert_eq!((units.range(text.len()..999), units.byte(end)), ((end, end), text.len()));
            assert_eq!(units.byte(end + 9), text.len());
        }
    }
}
