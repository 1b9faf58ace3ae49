//! The ends of lines: LF, CRLF, or CR alone.

use std::borrow::Cow;

/// How the lines of a text end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnds {
    /// LF, as on Unix. A text of one line has it, too.
    Lf,
    /// CR and LF, as on Windows.
    CrLf,
    /// CR alone, as on old Macs.
    Cr,
}

impl LineEnds {
    /// Returns how most lines of a text end.
    pub fn from_text(text: &str) -> LineEnds {
        let crlf = text.matches("\r\n").count();
        let (lf, cr) = (text.matches('\n').count() - crlf, text.matches('\r').count() - crlf);
        match crlf.max(lf).max(cr) {
            most if most == lf => LineEnds::Lf,
            most if most == crlf => LineEnds::CrLf,
            _ => LineEnds::Cr,
        }
    }

    /// Gives a text whose lines end in LF these ends.
    pub fn apply_to(self, text: String) -> String {
        match self {
            LineEnds::Lf => text,
            LineEnds::CrLf => text.replace('\n', "\r\n"),
            LineEnds::Cr => text.replace('\n', "\r"),
        }
    }
}

/// Returns a text with LF at the end of each line.
pub fn with_lf(text: &str) -> Cow<'_, str> {
    match text.contains('\r') {
        true => text.replace("\r\n", "\n").replace('\r', "\n").into(),
        false => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::without_lone_cr;

    #[test]
    fn line_ends_are_told_apart_and_given_back() {
        for (text, ends) in
            [("a\nb\n", LineEnds::Lf), ("a\r\nb\r\n", LineEnds::CrLf), ("a\rb\r", LineEnds::Cr)]
        {
            assert_eq!(LineEnds::from_text(text), ends);
            assert_eq!(with_lf(text), "a\nb\n");
            assert_eq!(ends.apply_to("a\nb\n".to_owned()), text);
        }
        assert_eq!(LineEnds::from_text("a\r\nb\n"), LineEnds::Lf, "as many of both");
        assert_eq!(LineEnds::from_text(""), LineEnds::Lf);
        assert_eq!(without_lone_cr("a\rb\r\nc\r"), "a\nb\r\nc\n");
    }
}
