//! What editors ask about rule texts: messages and their fixes, what names stand for, completion, renaming, layout.
//!
//! A [`Workspace`] holds texts in place of files. Questions name a file and a byte, and answers are data: words,
//! places, edits. The module has no sockets, threads or clocks, and knows nothing of editors' protocols. Files without
//! a text are read by the loader.
//!
//! A file is named by its path, or by its name if it is bundled with the program.

mod checked_file;
mod completion;
mod example_messages;
mod fixes;
mod hints;
mod hover;
mod line_index;
mod messages;
mod names;
mod new_variant;
mod outline;
mod rename;
mod script_words;
mod tokens;
mod workspace;

pub use completion::{CompletionItem, CompletionKind};
pub use example_messages::{ExampleMessages, example_messages};
pub use fixes::{MessageFix, NameLeft};
pub use hints::TypeHint;
pub use hover::HoverText;
pub use line_index::{LineIndex, LinePosition, PositionEncoding};
pub use messages::TextMessage;
pub use new_variant::{NewVariant, NewVariantError};
pub use outline::{OutlineEntry, OutlineKind};
pub use tokens::{TokenClass, TokenSpan};
pub use workspace::{Workspace, bundled_text};

use std::ops::Range;

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextPlace {
    /// The file's path, or the name of a bundled file.
    pub file: String,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl TextPlace {
    /// Creates a place.
    pub fn new(file: impl Into<String>, range: Range<usize>) -> TextPlace {
        TextPlace { file: file.into(), start: range.start, end: range.end }
    }

    /// The bytes.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// A change of a text: what replaces a part of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextChange {
    /// The part that is replaced; empty to insert.
    pub place: TextPlace,
    /// The new text.
    pub text: String,
}

/// Applies changes of one file that don't overlap to its text.
pub fn apply_changes<'c>(text: &str, changes: impl IntoIterator<Item = &'c TextChange>) -> String {
    let mut all: Vec<&TextChange> = changes.into_iter().collect();
    all.sort_by_key(|change| (change.place.start, change.place.end));
    let (mut new, mut end) = (String::with_capacity(text.len()), 0);
    for change in all {
        new.push_str(text.get(end..change.place.start).unwrap_or(""));
        new.push_str(&change.text);
        end = change.place.end.max(end);
    }
    new.push_str(text.get(end..).unwrap_or(""));
    new
}
