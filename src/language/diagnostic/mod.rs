//! Spans, source files and messages as plain data.
//!
//! A message says where the error is, what is wrong and how to fix it. Independent of the rule language. Only
//! [`render`] turns messages into text.

mod codes;
mod control;
mod render;
mod source;

pub use codes::{Code, CodeExample};
pub use control::{Screened, is_control, printable};
pub use render::{RenderOptions, render, render_all};
pub use source::{FileId, LineColumn, PlaceFinder, Source, SourceMap, Span, without_lone_cr};

/// The severity of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The rules can be used, but something in them looks wrong.
    Warning,
    /// The rules can't be used.
    Error,
}

/// A marked place in a source file, with a short text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The underlined part of the source.
    pub span: Span,
    /// The text beside the underline; may be empty.
    pub text: String,
}

/// A message about a rule file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// The kind of message.
    pub code: Code,
    /// What is wrong, in plain words.
    pub message: String,
    /// Where the error is.
    pub primary: Label,
    /// Other places that explain the error.
    pub secondary: Vec<Label>,
    /// Additional facts, such as what was expected.
    pub notes: Vec<String>,
    /// How to fix it ("did you mean …").
    pub help: Option<String>,
}

impl Diagnostic {
    /// Creates an error at `span`.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, span, message.into())
    }

    /// Creates a warning at `span`.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, span, message.into())
    }

    fn new(severity: Severity, code: Code, span: Span, message: String) -> Self {
        let primary = Label { span, text: String::new() };
        Diagnostic { severity, code, message, primary, secondary: vec![], notes: vec![], help: None }
    }

    /// Sets the text beside the underline.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Adds a secondary label.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Sets the help text: how to fix the error.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}

/// Longest name, in bytes, that is compared with others. Comparing takes time proportional to the product of
/// the lengths.
const LONGEST_NAME: usize = 200;

/// Returns the name among `known` that was most likely meant by `name`, or `None` if none is close.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // At least one letter must stay, so a name of one letter has no suggestion.
    let length = name.chars().count();
    let most = (length / 3).max(1).min(length.saturating_sub(1));
    let lower = name.to_lowercase();
    known
        .into_iter()
        .filter(|k| *k != name && name.len().max(k.len()) <= LONGEST_NAME)
        .map(|k| (strsim::damerau_levenshtein(&lower, &k.to_lowercase()), k))
        .filter(|(distance, k)| *distance <= most && *distance < k.chars().count())
        .min_by_key(|(distance, k)| (*distance, *k))
        .map(|(_, k)| k)
}
