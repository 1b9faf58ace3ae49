//! Lines of a drawing in text.

use super::paint::{Look, Paint};

/// A line with colours that knows how wide it is without them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    text: String,
    width: usize,
}

impl Line {
    pub(super) fn painted(paint: Paint, look: Look, text: &str) -> Line {
        let mut line = Line::default();
        line.push(paint, look, text);
        line
    }

    pub(super) fn push(&mut self, paint: Paint, look: Look, text: &str) {
        self.text.push_str(&paint.text(look, text));
        self.width += text.chars().count();
    }

    pub(super) fn append(&mut self, other: &Line) {
        self.text.push_str(&other.text);
        self.width += other.width;
    }

    pub(super) fn pad_to(&mut self, width: usize) {
        let blanks = width.saturating_sub(self.width);
        self.text.push_str(&" ".repeat(blanks));
        self.width += blanks;
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn text(&self) -> &str {
        self.text.trim_end()
    }
}

/// Lines of at most a width: a longer one goes on below, further in than it begins.
pub(crate) fn hanging(text: &str, width: usize) -> String {
    let mut all = String::new();
    for line in text.lines() {
        let indent = line.chars().take_while(|c| *c == ' ').count();
        if line.chars().count() <= width {
            all.push_str(&format!("{line}\n"));
            continue;
        }
        let mut before = indent;
        // What goes on is as wide as what is further in.
        for part in wrap(line, width.saturating_sub(indent + 4)) {
            all.push_str(&format!("{:before$}{part}\n", ""));
            before = indent + 4;
        }
    }
    all
}

/// Words in lines of at most a width; a longer word has a line of its own.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
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
