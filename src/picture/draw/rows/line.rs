//! Rows of words with a label. A row that is longer than the page goes on under its own start.

use crate::paint::line::{TextLine, clipped};
use crate::paint::{Paint, TextStyle};

/// The widest label with a column of its own; what follows a wider one begins after it.
const WIDEST_LABEL: usize = 12;

/// Words that stay together, with the blanks before them.
#[derive(Clone, Debug)]
pub(super) struct RowPiece {
    /// The number of blanks before it, unless it begins a line.
    pub(super) gap: usize,
    /// It stays on the line of the piece before it, if both fit on one.
    is_joined: bool,
    style: TextStyle,
    text: String,
}

impl RowPiece {
    /// Words after some blanks.
    pub(super) fn after(gap: usize, style: TextStyle, text: impl Into<String>) -> RowPiece {
        RowPiece { gap, is_joined: false, style, text: text.into() }
    }

    /// Keeps it with the piece before it.
    pub(super) fn join(mut self) -> RowPiece {
        self.is_joined = true;
        self
    }

    fn width(&self) -> usize {
        self.text.chars().count()
    }
}

/// A label and the words after it.
#[derive(Clone, Debug, Default)]
pub(super) struct TextRow {
    /// The label, which may be empty.
    pub(super) label: String,
    /// The words.
    pub(super) pieces: Vec<RowPiece>,
}

/// Formats rows with a common column for their labels.
pub(super) fn labelled(rows: &[TextRow], paint: Paint, width: usize) -> Vec<TextLine> {
    let wide = |row: &TextRow| row.label.chars().count();
    let column = rows.iter().map(wide).filter(|wide| *wide <= WIDEST_LABEL.min(width / 3)).max().unwrap_or(0);
    let column = if column > 0 { column + 2 } else { 0 };
    rows.iter()
        .flat_map(|row| {
            let mut line = TextLine::default();
            line.push(paint, TextStyle::quiet(), &clipped(&row.label, width));
            let after = if row.label.is_empty() { 0 } else { line.width() + 2 };
            line.pad_to(if after > column { after } else { column });
            fill(line, column, &row.pieces, paint, width)
        })
        .collect()
}

/// Puts pieces after what a line begins with. Further lines begin at a column.
pub(super) fn fill(
    begun: TextLine,
    column: usize,
    pieces: &[RowPiece],
    paint: Paint,
    width: usize,
) -> Vec<TextLine> {
    let mut filling = Filling { lines: vec![], line: begun, column, is_fresh: true, paint, width };
    let mut rest = pieces;
    while let Some(first) = rest.first() {
        let joined = rest[1..].iter().take_while(|piece| piece.is_joined).count();
        let (cluster, later) = rest.split_at(1 + joined);
        let wide = first.width() + cluster[1..].iter().map(|piece| piece.gap + piece.width()).sum::<usize>();
        filling.make_room(first.gap, wide);
        for piece in cluster {
            filling.put(piece);
        }
        rest = later;
    }
    filling.lines.push(filling.line);
    filling.lines
}

/// Lines that are being filled.
struct Filling {
    lines: Vec<TextLine>,
    line: TextLine,
    column: usize,
    /// Nothing has been put on the line yet.
    is_fresh: bool,
    paint: Paint,
    width: usize,
}

impl Filling {
    /// Begins another line if words that stay together don't fit on this one.
    fn make_room(&mut self, gap: usize, wide: usize) {
        let gap = if self.is_fresh { 0 } else { gap };
        if self.line.width() + gap + wide <= self.width {
            return;
        }
        let is_better = !self.is_fresh || self.line.width() > self.column;
        if is_better {
            self.begin_line();
        }
    }

    fn begin_line(&mut self) {
        let mut line = TextLine::default();
        line.pad_to(self.column);
        self.lines.push(std::mem::replace(&mut self.line, line));
        self.is_fresh = true;
    }

    /// Puts a piece on the line, or its words on as many lines as they need.
    fn put(&mut self, piece: &RowPiece) {
        let gap = if self.is_fresh { 0 } else { piece.gap };
        if self.line.width() + gap + piece.width() <= self.width {
            self.push(gap, piece.style, &piece.text);
            return;
        }
        for (at, word) in piece.text.split([' ', '\u{a0}']).enumerate() {
            let gap = match at {
                _ if self.is_fresh => 0,
                0 => piece.gap,
                _ => 1,
            };
            let wide = word.chars().count();
            let is_fitting = self.line.width() + gap + wide <= self.width;
            if !is_fitting && (!self.is_fresh || self.line.width() > self.column) {
                self.begin_line();
            }
            let gap = if self.is_fresh { 0 } else { gap };
            let room = self.width.saturating_sub(self.line.width() + gap);
            self.push(gap, piece.style, &clipped(word, room.max(1)));
        }
    }

    fn push(&mut self, gap: usize, style: TextStyle, text: &str) {
        self.line.push(self.paint, TextStyle::plain(), &" ".repeat(gap));
        self.line.push(self.paint, style, &text.replace('\u{a0}', " "));
        self.is_fresh = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(rows: &[TextRow], width: usize) -> Vec<String> {
        let lines = labelled(rows, Paint::plain(), width);
        lines.iter().map(|line| line.text().to_owned()).collect()
    }

    fn row(label: &str, pieces: Vec<RowPiece>) -> TextRow {
        TextRow { label: label.to_owned(), pieces }
    }

    fn after(gap: usize, text: &str) -> RowPiece {
        RowPiece::after(gap, TextStyle::plain(), text)
    }

    fn joined(text: &str) -> RowPiece {
        after(1, text).join()
    }

    #[test]
    fn long_rows_go_on_under_their_start() {
        let trick = row("trick", vec![after(0, "East"), joined("♦6"), after(3, "South"), joined("♦8")]);
        let hand = row("hand", vec![after(0, "♦J"), after(2, "♥Q 8 5")]);
        assert_eq!(lines(&[trick.clone(), hand], 40), ["trick  East ♦6   South ♦8", "hand   ♦J  ♥Q 8 5"]);
        assert_eq!(lines(&[trick], 20), ["trick  East ♦6", "       South ♦8"]);
    }

    #[test]
    fn nothing_is_wider_than_the_page() {
        let long =
            row("a label without end or use", vec![after(0, "words and more words"), joined("abcdefghijkl")]);
        for width in 8..40 {
            for line in lines(std::slice::from_ref(&long), width) {
                assert!(line.chars().count() <= width, "{width}: {line}");
            }
        }
        let ends = lines(&[row("", vec![after(0, "abcdefghijkl")])], 8);
        assert_eq!(ends, ["abcdefg…"]);
    }
}
