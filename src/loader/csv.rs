//! Tables in CSV files, as spreadsheets write them: separators, quotes and line ends of all kinds.

use houserule_language::diagnostic::{Code, Diagnostic, FileId, Span};

/// A cell of a table.
#[derive(Clone, Debug)]
pub(super) struct TableCell {
    /// What is in it, without quotes and the spaces around it.
    pub(super) text: String,
    /// Where it is.
    pub(super) span: Span,
}

/// The rows of a table, the head first. Empty lines are left out, and empty cells at the end of a row.
pub(super) fn read_rows(file: FileId, text: &str) -> Result<Vec<Vec<TableCell>>, Box<Diagnostic>> {
    let mut reader = CellReader { file, text, at: 0, separator: ',' };
    // Spreadsheets understand a first line that names the separator.
    if let Some(separator) = reader.rest().strip_prefix("sep=").and_then(|rest| rest.chars().next()) {
        reader.separator = separator;
        reader.at += reader.rest().find('\n').map_or(reader.rest().len(), |end| end + 1);
    } else {
        reader.separator = separator(reader.rest());
    }
    let mut rows = vec![];
    while !reader.rest().is_empty() {
        let mut row = reader.row()?;
        while row.last().is_some_and(|cell| cell.text.is_empty()) {
            row.pop();
        }
        if !row.is_empty() {
            rows.push(row);
        }
    }
    Ok(rows)
}

/// Returns the separator of a table: that of `,`, `;` and tabs which is most frequent in its head, outside of quotes.
fn separator(text: &str) -> char {
    let mut is_quoted = false;
    let mut counts = [(',', 0), (';', 0), ('\t', 0)];
    for letter in text.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            '\n' if !is_quoted => break,
            letter if !is_quoted => {
                counts.iter_mut().filter(|(sign, _)| *sign == letter).for_each(|(_, count)| *count += 1);
            }
            _ => {}
        }
    }
    // Of equal numbers, the first.
    counts.into_iter().rev().max_by_key(|(_, count)| *count).map_or(',', |(sign, _)| sign)
}

/// Reads cells one after the other.
struct CellReader<'t> {
    file: FileId,
    text: &'t str,
    /// The byte that is read next.
    at: usize,
    separator: char,
}

impl CellReader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn skip(&mut self, what: &str) -> bool {
        let found = self.rest().starts_with(what);
        self.at += if found { what.len() } else { 0 };
        found
    }

    fn row(&mut self) -> Result<Vec<TableCell>, Box<Diagnostic>> {
        let mut row = vec![];
        loop {
            row.push(self.cell()?);
            let separator = self.separator.to_string();
            if !self.skip(&separator) {
                break;
            }
        }
        if !self.skip("\r\n") {
            let _ = self.skip("\n") || self.skip("\r");
        }
        Ok(row)
    }

    fn cell(&mut self) -> Result<TableCell, Box<Diagnostic>> {
        let blanks = self.rest().len() - self.rest().trim_start_matches(' ').len();
        let start = self.at + blanks;
        let ends = [self.separator, '\n', '\r'];
        if !self.rest()[blanks..].starts_with('"') {
            let length = self.rest().find(ends).unwrap_or(self.rest().len());
            let text = self.rest()[..length].trim().to_owned();
            self.at += length;
            return Ok(TableCell {
                span: Span::new(self.file, start.min(self.at), start.min(self.at) + text.len()),
                text,
            });
        }
        self.at = start + 1;
        let mut text = String::new();
        loop {
            let Some(end) = self.rest().find('"') else {
                let span = Span::new(self.file, start, start + 1);
                let error = Diagnostic::error(Code::TableFile, span, "this `\"` is never closed");
                return Err(Box::new(
                    error.help("add `\"` at the end of the cell; a quote inside a cell is written twice"),
                ));
            };
            text.push_str(&self.rest()[..end]);
            self.at += end + 1;
            if !self.skip("\"") {
                break;
            }
            text.push('"');
        }
        let span = Span::new(self.file, start, self.at);
        let after = self.rest().find(ends).unwrap_or(self.rest().len());
        let rest = self.rest()[..after].trim();
        if !rest.is_empty() {
            let place = Span::new(self.file, self.at, self.at + after);
            let error =
                Diagnostic::error(Code::TableFile, place, format!("`{rest}` stands after the closing `\"`"));
            return Err(Box::new(
                error.help("put the whole cell in quotes; a quote inside a cell is written twice"),
            ));
        }
        self.at += after;
        Ok(TableCell { text: text.split_whitespace().collect::<Vec<_>>().join(" "), span })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Vec<String>> {
        let rows = read_rows(FileId(0), text).unwrap();
        rows.into_iter().map(|row| row.into_iter().map(|cell| cell.text).collect()).collect()
    }

    #[test]
    fn tables_of_all_spreadsheets_are_read() {
        let wanted = vec![vec!["name", "text"], vec!["tea", "a, b; \"c\""], vec!["fish"]];
        for text in [
            "name,text\ntea,\"a, b; \"\"c\"\"\"\nfish\n",
            "name;text\r\ntea;\"a, b; \"\"c\"\"\"\r\n\r\nfish;\r\n",
            "name\ttext\rtea\t\"a, b; \"\"c\"\"\"\rfish\t\t",
            "sep=;\nname; text\n tea ;\"a, b;\n\"\"c\"\"\"\n;\nfish",
        ] {
            assert_eq!(rows(text), wanted, "{text:?}");
        }
        assert!(rows("").is_empty() && rows("\n\n,,\n").is_empty());
    }

    #[test]
    fn cells_have_places() {
        let text = "name,cost\nsalt fish, 12\n";
        let all = read_rows(FileId(0), text).unwrap();
        let span = all[1][1].span;
        assert_eq!(&text[span.start as usize..span.end as usize], "12");
        for (text, at) in [("name\n\"tea", 5), ("name\n\"tea\"x,1\n", 10)] {
            let error = read_rows(FileId(0), text).unwrap_err();
            assert_eq!((error.code, error.primary.span.start), (Code::TableFile, at), "{text:?}");
        }
    }
}
