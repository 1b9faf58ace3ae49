//! Aligned columns of text, and numbers as people read them.

pub(super) use crate::draw::line::wrap;
use crate::draw::paint::Paint;
pub(super) use crate::playtest::numbers::{decimal, digits_for, grouped};

/// Columns that a line may fill.
pub(super) const WIDTH: usize = 100;

/// Rows of cells. The first column and the last, if it holds words, are set left, the others right.
#[derive(Debug, Default)]
pub(super) struct Table {
    rows: Vec<Vec<String>>,
    words_last: bool,
    headed: bool,
    /// Columns after the first that are set left, too.
    left: usize,
}

impl Table {
    /// A table whose last column holds words; they are wrapped at the edge of the page.
    pub(super) fn with_words() -> Self {
        Table { words_last: true, ..Table::default() }
    }

    /// Sets the first columns left, not only one.
    pub(super) fn left(mut self, columns: usize) -> Self {
        self.left = columns.saturating_sub(1);
        self
    }

    /// Puts names over the columns.
    pub(super) fn head(mut self, names: &[&str]) -> Self {
        self.rows.push(names.iter().map(|name| (*name).to_owned()).collect());
        self.headed = true;
        self
    }

    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.len() <= usize::from(self.headed)
    }

    /// The table as text, two columns in from the margin.
    pub(super) fn text(&self, paint: Paint) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            self.rows
                .iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or(0)
        };
        let mut widths: Vec<usize> = (0..columns).map(width).collect();
        let mut before = 2;
        if self.words_last && columns > 0 {
            before += widths[..columns - 1].iter().map(|width| width + 2).sum::<usize>();
            widths[columns - 1] = WIDTH.saturating_sub(before).max(20);
        }
        let mut text = String::new();
        for (at, row) in self.rows.iter().enumerate() {
            let mut line = String::from("  ");
            for (column, cell) in row.iter().enumerate() {
                let words = self.words_last && column == columns - 1;
                let cell = if words {
                    wrap(cell, widths[column]).join(&format!("\n{}", " ".repeat(before)))
                } else if column <= self.left {
                    format!("{cell:<width$}", width = widths[column])
                } else {
                    format!("{cell:>width$}", width = widths[column])
                };
                let quiet = (words && !cell.trim().is_empty()) || (self.headed && at == 0);
                line.push_str(&if quiet { paint.quiet(&cell) } else { cell });
                line.push_str("  ");
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// What a noun ends in, behind a number.
pub(super) fn plural(number: impl PartialEq + From<u8>) -> &'static str {
    if number == 1.into() { "" } else { "s" }
}

/// `15.23 ± 0.04`
pub(super) fn with_error(mean: f64, error: f64) -> String {
    let digits = digits_for(error);
    if error > 0.0 {
        format!("{} ± {}", decimal(mean, digits), decimal(error, digits))
    } else {
        trimmed(mean)
    }
}

/// A number without zeros at its end.
pub(super) fn trimmed(number: f64) -> String {
    let text = decimal(number, 4);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A share of all as `12.3 %`.
pub(super) fn percent(part: f64, all: f64) -> String {
    match 100.0 * part / all {
        _ if all <= 0.0 => "–".to_owned(),
        small if small > 0.0 && small < 0.05 => "<0.1 %".to_owned(),
        share => format!("{share:.1} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_people_read_them() {
        assert_eq!([0, 7, 999, 1000, -1234567].map(grouped), ["0", "7", "999", "1,000", "-1,234,567"]);
        assert_eq!(decimal(1234.5678, 2), "1,234.57");
        assert_eq!(decimal(-0.001, 2), "0.00");
        assert_eq!(decimal(-12.5, 1), "-12.5");
        assert_eq!(with_error(15.2341, 0.0432), "15.234 ± 0.043");
        assert_eq!(with_error(1523.45, 12.0), "1,523 ± 12");
        assert_eq!(with_error(3.0, 0.0), "3");
        assert_eq!(trimmed(2.5), "2.5");
        assert_eq!(percent(1.0, 3.0), "33.3 %");
        assert_eq!(percent(1.0, 0.0), "–");
        assert_eq!(percent(1.0, 1e6), "<0.1 %");
    }

    #[test]
    fn columns_are_aligned_and_words_wrapped() {
        let mut table = Table::with_words().head(&["", "n", ""]);
        table.row(["a".into(), "5".into(), "word ".repeat(30)]);
        table.row(["long".into(), "12,000".into(), String::new()]);
        let text = table.text(Paint::new(false));
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.iter().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert_eq!(lines[0], "             n");
        assert!(lines[1].starts_with("  a          5  word word"), "{text}");
        assert!(lines[2].starts_with("                word"), "{text}");
        assert_eq!(lines.last(), Some(&"  long  12,000"));
    }
}
