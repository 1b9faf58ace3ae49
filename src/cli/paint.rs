//! Colours for terminals.

/// Paints text, or leaves it as it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paint {
    on: bool,
}

impl Paint {
    pub(super) fn new(on: bool) -> Self {
        Paint { on }
    }

    pub(super) fn is_on(self) -> bool {
        self.on
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.on && !text.is_empty() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// A headline.
    pub(super) fn head(self, text: &str) -> String {
        self.with("1", text)
    }

    /// What can be passed over.
    pub(super) fn quiet(self, text: &str) -> String {
        self.with("2", text)
    }

    /// A bar.
    pub(super) fn bar(self, text: &str) -> String {
        self.with("36", text)
    }

    /// What went wrong.
    pub(super) fn error(self, text: &str) -> String {
        self.with("1;31", text)
    }

    /// What went well.
    pub(super) fn good(self, text: &str) -> String {
        self.with("32", text)
    }
}
