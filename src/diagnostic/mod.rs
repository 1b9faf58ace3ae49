//! Spans, source files and messages as plain data.
//!
//! A message says where, what and how to mend it. This module knows nothing of the rule language;
//! [`render`] is the one place that turns messages into text.

mod control;
mod render;
mod source;

pub use control::{Screened, is_control, printable};
pub use render::{Style, render, render_all};
pub use source::{FileId, LineColumn, Source, SourceMap, Span};

/// How much a message matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The rules can be used, but something in them looks wrong.
    Warning,
    /// The rules can't be used.
    Error,
}

/// A place in a source with a few words about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The underlined text.
    pub span: Span,
    /// What stands beside the underline; may be empty.
    pub text: String,
}

/// One message about a rule file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// The kind of mistake in kebab case, `unknown-name` say: stable, for tests and tools.
    pub code: &'static str,
    /// What is wrong, in plain words.
    pub message: String,
    /// Where the mistake is.
    pub primary: Label,
    /// Other places that explain it.
    pub secondary: Vec<Label>,
    /// What was expected, and other facts.
    pub notes: Vec<String>,
    /// How to mend it ("did you mean …").
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, span, message.into())
    }

    /// A warning at `span`.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, span, message.into())
    }

    fn new(severity: Severity, code: &'static str, span: Span, message: String) -> Self {
        let primary = Label { span, text: String::new() };
        Diagnostic { severity, code, message, primary, secondary: vec![], notes: vec![], help: None }
    }

    /// Puts words beside the underline.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Says how to mend it.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}

/// Bytes of a name up to which it is compared with others: comparing takes the product of the lengths.
const LONGEST_NAME: usize = 200;

/// The name among `known` that `name` was most likely meant to be.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Of a name of one letter nothing would be left.
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
