//! Bytes of a text as lines and characters, and back.

/// What the characters of a line are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionEncoding {
    /// Bytes of UTF-8.
    Utf8,
    /// Code units of UTF-16.
    Utf16,
}

impl PositionEncoding {
    fn length(self, c: char) -> usize {
        match self {
            PositionEncoding::Utf8 => c.len_utf8(),
            PositionEncoding::Utf16 => c.len_utf16(),
        }
    }
}

/// A line and a character in it, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinePosition {
    /// The line.
    pub line: usize,
    /// The character, in the units of a [`PositionEncoding`].
    pub character: usize,
}

/// The lines of a text. A line ends with `\n`, `\r\n` or `\r`.
#[derive(Clone, Debug)]
pub struct LineIndex<'t> {
    text: &'t str,
    /// The first byte of each line.
    starts: Vec<usize>,
    encoding: PositionEncoding,
}

impl<'t> LineIndex<'t> {
    /// Finds the lines of a text.
    pub fn new(text: &'t str, encoding: PositionEncoding) -> Self {
        let bytes = text.as_bytes();
        let ends =
            |at: &usize| bytes[*at] == b'\n' || bytes[*at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
        let starts = std::iter::once(0).chain((0..bytes.len()).filter(ends).map(|at| at + 1)).collect();
        LineIndex { text, starts, encoding }
    }

    /// The number of lines, at least 1.
    pub fn lines(&self) -> usize {
        self.starts.len()
    }

    /// The bytes of a line without its end. Lines after the last are empty.
    pub fn line(&self, line: usize) -> std::ops::Range<usize> {
        let Some(start) = self.starts.get(line) else { return self.text.len()..self.text.len() };
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        let text = &self.text[*start..end];
        *start..*start + text.trim_end_matches(['\r', '\n']).len()
    }

    /// The position of a byte. One inside a character counts as the character's first, one after the text as its end.
    pub fn position(&self, byte: usize) -> LinePosition {
        let byte = self.text.floor_char_boundary(byte);
        let line = self.starts.partition_point(|start| *start <= byte) - 1;
        let before = &self.text[self.starts[line]..byte];
        LinePosition { line, character: before.chars().map(|c| self.encoding.length(c)).sum() }
    }

    /// The byte of a position. A character after the line counts as its end.
    pub fn byte(&self, position: LinePosition) -> usize {
        let line = self.line(position.line);
        let mut left = position.character;
        for (at, c) in self.text[line.clone()].char_indices() {
            let length = self.encoding.length(c);
            if left < length {
                return line.start + at;
            }
            left -= length;
        }
        line.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a é\r\n\"♣ 🎲\" x\n\rz\r";

    #[test]
    fn every_character_has_its_own_position_in_both_encodings() {
        for encoding in [PositionEncoding::Utf8, PositionEncoding::Utf16] {
            let index = LineIndex::new(TEXT, encoding);
            assert_eq!(index.lines(), 5);
            for (byte, c) in TEXT.char_indices().filter(|(_, c)| !"\r\n".contains(*c)) {
                let position = index.position(byte);
                assert_eq!(index.byte(position), byte, "{c:?} {encoding:?}");
                // The other bytes of a character count as its first.
                assert_eq!(index.position(byte + c.len_utf8() - 1), position, "{c:?}");
            }
        }
    }

    #[test]
    fn characters_are_counted_in_the_encoding() {
        let at = |encoding| LineIndex::new(TEXT, encoding).position(TEXT.find('x').expect("an x"));
        assert_eq!(at(PositionEncoding::Utf8), LinePosition { line: 1, character: 11 });
        assert_eq!(at(PositionEncoding::Utf16), LinePosition { line: 1, character: 7 });
    }

    #[test]
    fn positions_outside_of_the_text_are_moved_into_it() {
        let index = LineIndex::new(TEXT, PositionEncoding::Utf16);
        assert_eq!(index.byte(LinePosition { line: 0, character: 99 }), 4);
        assert_eq!(index.byte(LinePosition { line: 99, character: 0 }), TEXT.len());
        assert_eq!(index.position(999), index.position(TEXT.len()));
        // The middle of a surrogate pair is the start of its character.
        let die = TEXT.find('🎲').expect("a die");
        assert_eq!(index.byte(LinePosition { line: 1, character: 4 }), die);
        let empty = LineIndex::new("", PositionEncoding::Utf8);
        assert_eq!((empty.lines(), empty.byte(LinePosition { line: 0, character: 3 })), (1, 0));
    }
}
