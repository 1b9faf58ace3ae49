//! The formatter: writes a rule file in the standard layout.
//!
//! It indents lines, sets spaces, aligns help strings and defines, and wraps long lines; tokens and
//! comments stay the same. A block that fits on one line stays there if it was written so, and line
//! breaks inside long lists are kept. The output is parsed and compared with the input: a file whose
//! meaning would change is left as it is.

mod item;
mod lines;
mod marks;
pub mod print;
#[cfg(test)]
mod tests;
mod tokens;

use crate::diagnostic::{Code, Diagnostic, FileId, Severity, Span};
use crate::syntax::line_ends::{LineEnds, with_lf};
use crate::syntax::parse;
use item::ItemLayout;
use tokens::tokens;

/// Maximum width of a line, in columns. Only unbreakable strings exceed it.
const WIDTH: usize = 110;
/// Column of help strings.
const HELP_COLUMN: usize = 45;
/// Spaces per level of indentation.
const INDENT: usize = 2;
/// Additional indentation of continuation lines, in spaces.
const CONTINUED: usize = 4;

/// Formats a rule file. Returns the errors if it doesn't parse.
pub fn format(file: FileId, text: &str) -> Result<String, Vec<Diagnostic>> {
    let (tree, diagnostics) = parse(file, text);
    if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return Err(diagnostics);
    }
    // The layout is that of lines that end in LF; the file keeps its own ends.
    if text.contains('\r') {
        let ends = LineEnds::from_text(text);
        return format(file, &with_lf(text)).map(|formatted| ends.apply_to(formatted));
    }
    let marks = marks::marks(&tree, text);
    let before = tokens(text, &marks);
    let formatted = ItemLayout::new(&before, &marks).file();
    let (again, wrong) = parse(file, &formatted);
    let comments = |text: &str, marks: &marks::Marks| {
        let found = tokens(text, marks);
        found.comments().map(str::to_owned).collect::<Vec<_>>()
    };
    let same = wrong.is_empty()
        && meaning(&tree) == meaning(&again)
        && comments(text, &marks) == comments(&formatted, &marks::marks(&again, &formatted));
    if same {
        return Ok(formatted);
    }
    let span = Span::new(file, 0, 0);
    let message = "this file can't be formatted without a change of its meaning, so it is left as it is";
    let error = Diagnostic::error(Code::NotFormatted, span, message);
    Err(vec![error.help("move comments inside expressions to lines of their own, and try again")])
}

/// The meaning of a file, independent of its layout.
fn meaning(file: &crate::syntax::RuleFile) -> Vec<String> {
    file.items.iter().map(print::item).collect()
}
