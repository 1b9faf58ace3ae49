//! The formatter: a rule file in the layout that all rule files share.
//!
//! It moves tokens and comments and makes none: lines are indented, spaces set, help strings and
//! defines aligned, long lines wrapped. Whether a block stands on one line is the writer's choice as
//! long as it fits, and so are the line breaks inside long lists. What comes out is read again and
//! compared with what went in, so a file whose meaning would change is left as it is.

mod item;
mod lines;
mod marks;
#[cfg(test)]
mod tests;
mod tokens;

use super::{parse, print};
use crate::diagnostic::{Diagnostic, FileId, Severity, Span};
use item::Layout;
use tokens::tokens;

/// Columns that a line may fill. Texts can't be broken and may be longer.
const WIDTH: usize = 110;
/// Where help strings begin.
const HELP_COLUMN: usize = 45;
/// Spaces for each level.
const INDENT: usize = 2;
/// Further spaces where a declaration or statement goes on in the next line.
const CONTINUED: usize = 4;

/// A rule file with its layout made right. What does not parse is not formatted: what is wrong with it
/// is returned.
pub fn format(file: FileId, text: &str) -> Result<String, Vec<Diagnostic>> {
    let (tree, diagnostics) = parse(file, text);
    if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return Err(diagnostics);
    }
    let marks = marks::marks(&tree, text);
    let before = tokens(text, &marks);
    let formatted = Layout::new(&before, &marks).file();
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
    let error = Diagnostic::error("not-formatted", span, message);
    Err(vec![error.help("move comments inside expressions to lines of their own, and try again")])
}

/// What a file says, whatever its layout.
fn meaning(file: &super::syntax::File) -> Vec<String> {
    file.items.iter().map(print::item).collect()
}
