//! The tokeniser: from rule text to tokens with their lines. It reports unknown characters and unclosed
//! strings.

use crate::diagnostic::{Code, Diagnostic, FileId, Span, is_control};
use houserule_base::limits;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Letters, digits and `_`, beginning with a letter.
    Word,
    /// Digits.
    Number,
    /// A string in quotes.
    Text,
    /// `@c3`
    Site,
    /// A bracket, an operator or a separator.
    Sign,
}

/// A token with its location in the text and on its line.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it begins in the text, as a byte offset.
    pub start: u32,
    /// Where it ends, as a byte offset.
    pub end: u32,
    /// Line, from 0.
    pub(crate) line: u32,
    /// Indentation of its line, in columns.
    pub(crate) indent: u32,
    /// Only white space precedes it on its line.
    pub(crate) first: bool,
    /// For a token without text that replaces a missing bracket: the bracket. The error has been
    /// reported.
    pub(crate) made: Option<u8>,
}

/// The tokens of a file, its doc comments and its errors.
#[derive(Debug, Default)]
pub struct Tokens {
    /// The tokens.
    pub list: Vec<Token>,
    /// `///` lines: line from 0, text.
    pub(crate) docs: Vec<(u32, String)>,
    pub(crate) messages: Vec<Diagnostic>,
    /// Byte offsets of reported errors. A fragment around one becomes a hole without a further message.
    pub(crate) bad: Vec<u32>,
}

/// Operators and separators of more than one character.
const SIGNS: [&str; 12] = ["&&", "||", ":=", "..", "+=", "-=", "==", "!=", "<=", ">=", "=>", "<>"];

impl Tokens {
    fn report(&mut self, message: Diagnostic) {
        self.bad.push(message.primary.span.start);
        if self.messages.len() < limits::COLLECTED {
            self.messages.push(message);
        }
    }
}

/// Splits `text` into tokens.
pub fn tokenise(file: FileId, text: &str) -> Tokens {
    let mut tokens = Tokens::default();
    let bytes = text.as_bytes();
    let (mut at, mut line, mut indent, mut first) = (0, 0_u32, 0_u32, true);
    if text.starts_with('\u{feff}') {
        at = 3;
    }
    while at < bytes.len() {
        let start = at;
        let kind = match bytes[at] {
            b'\n' => {
                (line, indent, first) = (line + 1, 0, true);
                at += 1;
                continue;
            }
            b' ' | b'\r' | b'\t' => {
                if first {
                    indent += if bytes[at] == b'\t' { 4 } else { 1 };
                }
                at += 1;
                continue;
            }
            b'/' if text[at..].starts_with("//") => {
                at = text[at..].find('\n').map_or(text.len(), |n| at + n);
                let comment = text[start..at].trim_end();
                if let Some(doc) = comment.strip_prefix("///").filter(|doc| !doc.starts_with('/')) {
                    control(file, text, start..start + comment.len(), &mut tokens);
                    tokens.docs.push((line, doc.trim().to_owned()));
                }
                continue;
            }
            b'"' => {
                let (end, closed) = text_end(text, at);
                at = end;
                control(file, text, start..end, &mut tokens);
                if !closed {
                    let span = Span::new(file, start, end);
                    let open = Diagnostic::error(Code::UnclosedText, span, "this text has no closing `\"`");
                    tokens.report(
                        open.help("put `\"` at its end; write a text of several lines between `\"\"\"`"),
                    );
                }
                TokenKind::Text
            }
            b'@' => {
                at = site_end(bytes, at + 1);
                if at == start + 1 { TokenKind::Sign } else { TokenKind::Site }
            }
            b'0'..=b'9' => {
                at = run(bytes, at, |b| b.is_ascii_digit());
                TokenKind::Number
            }
            b if b.is_ascii_alphabetic() => {
                at = run(bytes, at, is_word);
                TokenKind::Word
            }
            b if b"{}()[],;:.=<>+-*/%|&?!".contains(&b) => {
                at += SIGNS.iter().find(|sign| text[at..].starts_with(**sign)).map_or(1, |sign| sign.len());
                TokenKind::Sign
            }
            _ => {
                at += odd(file, text, at, &mut tokens);
                continue;
            }
        };
        let (from, to) = (start as u32, at as u32);
        tokens.list.push(Token { kind, start: from, end: to, line, indent, first, made: None });
        let lines = text[start..at].matches('\n').count() as u32;
        line += lines;
        first = false;
    }
    tokens
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

fn run(bytes: &[u8], from: usize, belongs: impl Fn(u8) -> bool) -> usize {
    bytes[from..].iter().position(|b| !belongs(*b)).map_or(bytes.len(), |n| from + n)
}

/// The end of `c3` or `3:4` after an `@`.
fn site_end(bytes: &[u8], from: usize) -> usize {
    let digits = run(bytes, from, |b| b.is_ascii_digit());
    if digits > from && bytes.get(digits) == Some(&b':') {
        let more = run(bytes, digits + 1, |b| b.is_ascii_digit());
        if more > digits + 1 {
            return more;
        }
    }
    run(bytes, from, is_word)
}

/// Returns the end of a string and whether it is closed. An unclosed string ends with its line.
fn text_end(text: &str, start: usize) -> (usize, bool) {
    if let Some(rest) = text[start..].strip_prefix("\"\"\"")
        && let Some(n) = rest.find("\"\"\"")
    {
        return (start + n + 6, true);
    }
    let rest = &text[start + 1..];
    match rest.find(['"', '\n']) {
        Some(n) if rest[n..].starts_with('"') => (start + n + 2, true),
        Some(n) => (start + 1 + rest[..n].trim_end().len(), false),
        None => (start + 1 + rest.trim_end().len(), false),
    }
}

/// Reports the first control character of a text, because it could control the terminal that displays
/// the text.
fn control(file: FileId, text: &str, range: std::ops::Range<usize>, tokens: &mut Tokens) {
    let odd = |c: char| is_control(c) && c != '\r';
    if let Some((at, c)) = text[range.clone()].char_indices().find(|(_, c)| odd(*c)) {
        let at = range.start + at;
        let span = Span::new(file, at, at + c.len_utf8());
        let message = format!("the control character `{}` isn't allowed in a text", c.escape_debug());
        tokens.report(Diagnostic::error(Code::OddCharacter, span, message).help("remove it"));
    }
}

/// Reports a run of unknown characters and returns its length.
fn odd(file: FileId, text: &str, at: usize, tokens: &mut Tokens) -> usize {
    let known =
        |c: char| c.is_ascii() && c != '\'' && c != '_' && !c.is_ascii_control() && !"#$\\^`~".contains(c);
    let length = text[at..].find(|c: char| known(c) || "\n\r\t".contains(c)).unwrap_or(text.len() - at);
    let odd = &text[at..at + length];
    let (what, help) = match odd.chars().next().unwrap_or(' ') {
        '“' | '”' | '„' | '«' | '»' | '‘' | '’' | '\'' => {
            ("quote", "write texts between straight double quotes: `\"`".to_owned())
        }
        '–' | '—' | '−' => ("dash", "write `-`".to_owned()),
        '×' | '·' => ("character", "write `*` to multiply".to_owned()),
        '≤' => ("character", "write `<=`".to_owned()),
        '≥' => ("character", "write `>=`".to_owned()),
        '≠' => ("character", "write `!=`".to_owned()),
        '…' => ("character", "write `..` for a range".to_owned()),
        '\u{a0}' | '\u{3000}' | '\u{2003}' | '\u{2009}' | '\u{202f}' => {
            ("space", "replace it by an ordinary space".to_owned())
        }
        '#' => ("character", "a comment begins with `//`".to_owned()),
        '_' => ("character", "a name begins with a letter".to_owned()),
        c if c.is_alphabetic() => {
            ("letter", "names are made of the letters a to z, digits and `_`".to_owned())
        }
        _ => ("character", "remove it".to_owned()),
    };
    let shown: String = odd.chars().take(12).flat_map(char::escape_debug).collect();
    let span = Span::new(file, at, at + length);
    let message = format!("the {what} `{shown}` has no meaning here");
    tokens.report(Diagnostic::error(Code::OddCharacter, span, message).help(help));
    length.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        let tokens = tokenise(FileId(0), text);
        tokens.list.iter().map(|t| &text[t.start as usize..t.end as usize]).collect()
    }

    #[test]
    fn tokens_are_the_longest_possible() {
        assert_eq!(
            words("a-=1..6 @c3 @3:4 d6 \"x // y\" // z"),
            ["a", "-=", "1", "..", "6", "@c3", "@3:4", "d6", "\"x // y\""]
        );
    }

    #[test]
    fn a_text_that_is_not_closed_ends_with_its_line() {
        let tokens = tokenise(FileId(0), "a \"open\nb");
        assert_eq!(tokens.list.len(), 3);
        assert_eq!(tokens.messages[0].code.as_str(), "unclosed-text");
    }

    #[test]
    fn odd_characters_are_reported_once_a_run() {
        let tokens = tokenise(FileId(0), "a ≤≤ b # c");
        let codes: Vec<_> = tokens.messages.iter().map(|m| m.code.as_str()).collect();
        assert_eq!(codes, ["odd-character", "odd-character"]);
        assert_eq!(tokens.list.len(), 3);
    }

    #[test]
    fn lines_and_indents_are_kept() {
        let tokens = tokenise(FileId(0), "a {\r\n  b\r\n}");
        let places: Vec<_> = tokens.list.iter().map(|t| (t.line, t.indent, t.first)).collect();
        assert_eq!(places, [(0, 0, true), (0, 0, false), (1, 2, true), (2, 0, true)]);
    }
}
