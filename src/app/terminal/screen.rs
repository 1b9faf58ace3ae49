//! The terminal behind a stream: whether there is one, whether it shows colours, its width.

use std::io::IsTerminal;

use houserule_picture::paint::{COLUMNS, Paint};

/// Minimum width that output is fitted to. A narrower terminal breaks the lines itself.
const NARROWEST: usize = 40;

/// Properties of the terminal behind an output stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Screen {
    /// Whether the stream goes to a terminal, not to a file or a pipe.
    pub(crate) terminal: bool,
    /// Whether the terminal can't move its cursor and has no colours (`TERM=dumb`, or no `TERM` at all).
    pub(crate) dumb: bool,
    /// The width of the terminal in columns, if known.
    columns: Option<usize>,
}

impl Screen {
    /// No terminal: output is plain text.
    pub(crate) const NONE: Screen = Screen { terminal: false, dumb: true, columns: None };

    /// Returns the terminal behind standard output.
    pub(crate) fn of_output() -> Screen {
        let out = std::io::stdout();
        Screen::new(out.is_terminal(), || terminal_size::terminal_size_of(std::io::stdout()))
    }

    /// Returns the terminal behind standard error.
    pub(crate) fn of_errors() -> Screen {
        let err = std::io::stderr();
        Screen::new(err.is_terminal(), || terminal_size::terminal_size_of(std::io::stderr()))
    }

    fn new(
        terminal: bool,
        size: impl FnOnce() -> Option<(terminal_size::Width, terminal_size::Height)>,
    ) -> Screen {
        if !terminal {
            return Screen::NONE;
        }
        let term = std::env::var("TERM").ok();
        // Windows doesn't set `TERM`.
        let dumb = if cfg!(windows) { term.as_deref() == Some("dumb") } else { is_dumb(term.as_deref()) };
        let reported = size().map(|(width, _)| usize::from(width.0)).filter(|width| *width > 0);
        let variable = || std::env::var("COLUMNS").ok()?.parse().ok();
        Screen { terminal, dumb, columns: reported.or_else(variable) }
    }

    /// Returns `true` if progress bars can be shown.
    pub(crate) fn shows_bars(self) -> bool {
        self.terminal && !self.dumb
    }

    /// Returns `true` if colours are used by default: on a terminal that has them, unless `NO_COLOR` is set.
    pub(crate) fn wants_colors(self) -> bool {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        self.terminal && !self.dumb && !refused
    }

    /// Returns the width of a page of results, in columns: that of the terminal, at most [`COLUMNS`].
    pub(crate) fn page(self) -> usize {
        self.columns.map_or(COLUMNS, |columns| columns.clamp(NARROWEST, COLUMNS))
    }

    /// Returns the width for messages with source lines, in columns, or `None` if the width is unknown.
    pub(crate) fn messages(self) -> Option<usize> {
        self.columns.map(|columns| columns.max(NARROWEST))
    }

    /// Returns the paint for results on this screen.
    pub(crate) fn paint(self, colors: bool) -> Paint {
        Paint::new(colors).with_columns(self.page())
    }
}

fn is_dumb(term: Option<&str>) -> bool {
    matches!(term, None | Some("" | "dumb"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_fit_the_terminal_between_40_and_100_columns() {
        let page = |columns| Screen { terminal: true, dumb: false, columns }.page();
        assert_eq!([None, Some(10), Some(64), Some(300)].map(page), [100, 40, 64, 100]);
    }

    #[test]
    fn a_terminal_without_a_type_is_dumb() {
        assert_eq!([None, Some(""), Some("dumb"), Some("xterm")].map(is_dumb), [true, true, true, false]);
        assert!(!Screen { terminal: true, dumb: true, columns: None }.wants_colors());
    }
}
