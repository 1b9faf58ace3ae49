//! Lines of coloured text.

use crate::paint::{Paint, TextStyle};

/// A line of coloured text with its width in columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TextLine {
    text: String,
    width: usize,
}

impl TextLine {
    pub(crate) fn painted(paint: Paint, look: TextStyle, text: &str) -> TextLine {
        let mut line = TextLine::default();
        line.push(paint, look, text);
        line
    }

    pub(crate) fn push(&mut self, paint: Paint, look: TextStyle, text: &str) {
        self.text.push_str(&paint.text(look, text));
        self.width += text.chars().count();
    }

    pub(crate) fn append(&mut self, other: &TextLine) {
        self.text.push_str(&other.text);
        self.width += other.width;
    }

    pub(crate) fn pad_to(&mut self, width: usize) {
        let blanks = width.saturating_sub(self.width);
        self.text.push_str(&" ".repeat(blanks));
        self.width += blanks;
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn text(&self) -> &str {
        self.text.trim_end()
    }
}

/// Wraps lines to at most `width` columns. Continuation lines are indented further.
pub fn hanging(text: &str, width: usize) -> String {
    let mut all = String::new();
    for line in text.lines() {
        let indent = line.chars().take_while(|c| *c == ' ').count();
        if line.chars().count() <= width {
            all.push_str(&format!("{line}\n"));
            continue;
        }
        let mut before = indent;
        // The width is that of the continuation lines.
        for part in wrap(line, width.saturating_sub(indent + 4)) {
            all.push_str(&format!("{:before$}{part}\n", ""));
            before = indent + 4;
        }
    }
    all
}

/// Wraps words to lines of at most `width` columns. A longer word gets its own line.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last().map_or(0, |line| line.chars().count());
        let fits = last == 0 || last + 1 + word.chars().count() <= width;
        match lines.last_mut() {
            Some(line) if fits => {
                if !line.is_empty() {
                    line.push(' ');
                }
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Cuts a text to `width` columns.
pub(crate) fn clipped(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}
