//! Aligned columns of text, and formatted numbers.

use houserule_base::numbers::even_at_tie;
pub use houserule_base::numbers::{
    counted, decimal, grouped, nouns, share_with_half_width, share_with_interval, trimmed, with_half_width,
};
use houserule_picture::paint::Paint;
pub use houserule_picture::paint::line::wrap;

/// Minimum width of a column of words next to others. If there is less space, the words go below their row.
const LEAST_WORDS: usize = 20;

/// Placeholder for a space at which a line must not be broken.
pub(super) const GLUE: &str = "\u{1}";

/// Returns what ended a run before all was played, as the beginning of a sentence.
pub(super) fn name_end(out_of_time: bool) -> &'static str {
    if out_of_time { "The time was over" } else { "Interrupted" }
}

/// Rows of cells. The first column, and the last if it holds words, are left-aligned, the others right-aligned.
#[derive(Debug, Default)]
pub struct TextTable {
    rows: Vec<Vec<String>>,
    words_last: bool,
    headed: bool,
    /// The number of columns after the first that are left-aligned, too.
    left: usize,
}

impl TextTable {
    /// Creates a table whose last column holds words, which are wrapped at the edge of the page.
    pub fn with_words() -> Self {
        TextTable { words_last: true, ..TextTable::default() }
    }

    /// Left-aligns the first `columns` columns instead of just one.
    pub fn left(mut self, columns: usize) -> Self {
        self.left = columns.saturating_sub(1);
        self
    }

    /// Adds a row of column names.
    pub fn head(mut self, names: &[&str]) -> Self {
        self.rows.push(names.iter().map(|name| (*name).to_owned()).collect());
        self.headed = true;
        self
    }

    /// Appends a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Returns `true` if there are no rows below the heading.
    pub fn is_empty(&self) -> bool {
        self.rows.len() <= usize::from(self.headed)
    }

    /// Formats the table with an indent of two columns. If the page is too narrow for words next to the other
    /// columns, they go below their row. If it is too narrow for the columns themselves, each row becomes a
    /// list.
    pub fn text(&self, paint: Paint) -> String {
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
        let plain = columns - usize::from(self.words_last && columns > 0);
        let filled = 2 * plain + widths[..plain].iter().sum::<usize>();
        if filled > paint.columns() {
            return self.lists(plain, paint);
        }
        let mut before = 2;
        let mut below = false;
        if plain < columns {
            let room = paint.columns().saturating_sub(filled + 2);
            below = room < LEAST_WORDS.min(widths[plain]);
            before = if below { 6 } else { filled + 2 };
            widths[plain] = paint.columns() - before;
        }
        let mut text = String::new();
        for (at, row) in self.rows.iter().enumerate() {
            let mut line = String::from("  ");
            for (column, cell) in row.iter().enumerate() {
                let words = column == plain;
                let cell = if words {
                    if below && !cell.trim().is_empty() {
                        text.push_str(line.trim_end());
                        text.push('\n');
                        line = " ".repeat(before);
                    }
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

    /// Formats every row as a list of its cells, each with the name of its column.
    fn lists(&self, plain: usize, paint: Paint) -> String {
        let (head, rows) = self.rows.split_at(usize::from(self.headed));
        let head = head.first();
        let mut text = String::new();
        for row in rows {
            let cells = row.iter().enumerate().filter(|(_, cell)| !cell.trim().is_empty());
            let cells = cells.map(|(column, cell)| {
                let name = head.and_then(|head| head.get(column)).map_or("", String::as_str);
                let cell = if name.is_empty() { cell.clone() } else { format!("{name} {}", cell.trim()) };
                let last = column >= plain;
                if last { cell } else { cell.trim().replace(' ', GLUE) }
            });
            let line = cells.collect::<Vec<_>>().join(&format!("{GLUE} "));
            let lines = wrap(&line, paint.columns() - 4);
            let lines: Vec<String> = lines.iter().map(|line| line.replace(GLUE, " ")).collect();
            let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
            text.push_str(&format!("  {}\n", lines.join("\n    ")));
        }
        text
    }
}

/// Formats a proportion as `12.3 %`.
pub(crate) fn percent(part: f64, all: f64) -> String {
    match 100.0 * part / all {
        _ if all <= 0.0 => "–".to_owned(),
        small if small > 0.0 && small < 0.05 => "<0.1 %".to_owned(),
        share => format!("{:.1} %", even_at_tie(share, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_as_people_read_them() {
        assert_eq!(percent(1.0, 3.0), "33.3 %");
        assert_eq!(percent(1.0, 0.0), "–");
        assert_eq!(percent(1.0, 1e6), "<0.1 %");
    }

    #[test]
    fn columns_are_aligned_and_words_wrapped() {
        let mut table = TextTable::with_words().head(&["", "n", ""]);
        table.row(["a".into(), "5".into(), "word ".repeat(30)]);
        table.row(["long".into(), "12,000".into(), String::new()]);
        let text = table.text(Paint::new(false));
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.iter().all(|line| line.chars().count() <= 100), "{text}");
        assert_eq!(lines[0], "             n");
        assert!(lines[1].starts_with("  a          5  word word"), "{text}");
        assert!(lines[2].starts_with("                word"), "{text}");
        assert_eq!(lines.last(), Some(&"  long  12,000"));
    }

    #[test]
    fn tables_fit_a_narrow_page() {
        let mut table = TextTable::with_words().head(&["", "mean", "least", "most", ""]);
        table.row(["penalties".into(), "12.3 ± 0.4".into(), "0".into(), "17".into(), "points lost".into()]);
        let text = |columns| table.text(Paint::plain().with_columns(columns));
        let below =
            "                   mean  least  most\n  penalties  12.3 ± 0.4      0    17\n      points lost\n";
        assert_eq!(text(40), below);
        assert_eq!(text(30), "  penalties\n    mean 12.3 ± 0.4  least 0\n    most 17  points lost\n");
    }
}
