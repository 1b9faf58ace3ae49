//! Removes control characters from terminal output: they could clear the screen or hide text on it.

use std::borrow::Cow;
use std::io::{self, Write};

/// Returns `true` if a character controls a terminal. Newline and tab count as text.
pub fn is_control(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\t')
}

/// Returns a printable version of a text: control characters are escaped as in Rust (`\u{1b}`).
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if is_control(character) { shown.extend(character.escape_debug()) } else { shown.push(character) }
    }
    Cow::Owned(shown)
}

/// A writer for terminals that escapes control characters, except in colour sequences.
pub struct Screened<W> {
    inner: W,
    /// The start of a colour sequence or of a multi-byte character whose rest hasn't been written yet.
    held: Vec<u8>,
}

impl<W: Write> Screened<W> {
    /// Creates a writer on top of `inner`.
    pub fn new(inner: W) -> Self {
        Screened { inner, held: Vec::new() }
    }
}

/// Returns the length of the colour sequence (`ESC [ 1;31 m`) at the start: `None` if there is none, 0 if it is
/// incomplete.
fn color(bytes: &[u8]) -> Option<usize> {
    if bytes.len() < 2 {
        return Some(0);
    }
    if bytes[1] != b'[' {
        return None;
    }
    match bytes[2..].iter().position(|byte| !byte.is_ascii_digit() && *byte != b';') {
        Some(end) if bytes[2 + end] == b'm' => {
            // This program never writes blinking or hidden text.
            let codes = bytes[2..2 + end].split(|byte| *byte == b';');
            let allowed = codes.clone().all(|code| !matches!(code, b"5" | b"6" | b"8"));
            // `38;5;N` is a colour; its 5 doesn't mean blinking.
            let extended = codes.clone().next().is_some_and(|code| matches!(code, b"38" | b"48"));
            (allowed || extended).then_some(end + 3)
        }
        Some(_) => None,
        None if bytes.len() > 24 => None,
        None => Some(0),
    }
}

impl<W: Write> Write for Screened<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.extend_from_slice(bytes);
        let held = std::mem::take(&mut self.held);
        let mut out = Vec::with_capacity(held.len());
        let mut at = 0;
        while at < held.len() {
            let rest = &held[at..];
            match rest[0] {
                0x1b => match color(rest) {
                    Some(0) => break,
                    Some(length) => {
                        out.extend_from_slice(&rest[..length]);
                        at += length;
                    }
                    None => {
                        out.extend_from_slice(b"\\u{1b}");
                        at += 1;
                    }
                },
                // The second half of the control characters (U+0080 to U+009F) in UTF-8.
                0xc2 if rest.len() == 1 => break,
                0xc2 if (0x80..0xa0).contains(&rest[1]) => {
                    write!(out, "\\u{{{:x}}}", rest[1])?;
                    at += 2;
                }
                byte if (byte < 0x20 && !matches!(byte, b'\n' | b'\t')) || byte == 0x7f => {
                    write!(out, "{}", char::from(byte).escape_debug())?;
                    at += 1;
                }
                byte => {
                    out.push(byte);
                    at += 1;
                }
            }
        }
        self.held = held[at..].to_vec();
        self.inner.write_all(&out)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screened(parts: &[&[u8]]) -> String {
        let mut screen = Screened::new(Vec::new());
        for part in parts {
            screen.write_all(part).unwrap();
        }
        String::from_utf8(screen.inner).unwrap()
    }

    #[test]
    fn colours_pass_and_other_controls_are_shown() {
        assert_eq!(
            screened(&[b"\x1b[1;31mred\x1b[0m\n\ttext \xc3\xa9"]),
            "\u{1b}[1;31mred\u{1b}[0m\n\ttext é"
        );
        assert_eq!(screened(&[b"a\x1b[2Jb\x1b]0;t\x07c\x7f"]), "a\\u{1b}[2Jb\\u{1b}]0;t\\u{7}c\\u{7f}");
        assert_eq!(
            screened(&[b"\x1b[8mhidden\x1b[5mblink\x1b[38;5;9mred"]),
            "\\u{1b}[8mhidden\\u{1b}[5mblink\u{1b}[38;5;9mred"
        );
        assert_eq!(screened(&[b"\xc2\x9b31m \xc2\xb1"]), "\\u{9b}31m ±");
    }

    #[test]
    fn sequences_may_come_in_parts() {
        assert_eq!(screened(&[b"\x1b", b"[3", b"1mx", b"\xc2", b"\x9b"]), "\u{1b}[31mx\\u{9b}");
        assert_eq!(screened(&[b"\x1b", b"[2", b"J"]), "\\u{1b}[2J");
    }

    #[test]
    fn a_printable_text_has_no_controls() {
        assert_eq!(printable("a\tb\n"), "a\tb\n");
        assert_eq!(printable("a\u{1b}[2J\r\u{9b}"), "a\\u{1b}[2J\\r\\u{9b}");
    }
}
