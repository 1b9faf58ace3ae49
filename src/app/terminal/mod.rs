//! The terminal of a command: what its streams show, the width and the colours of a page, progress bars, typed lines,
//! Ctrl-C, and why a command fails. It knows how games are loaded, and no subcommand.

mod error;
mod forecast;
mod input;
mod interrupted;
mod progress;
mod screen;

use std::io::{self, Write};

pub(crate) use error::CliError;
pub(crate) use forecast::Forecast;
use houserule_language::diagnostic::{Diagnostic, RenderOptions, Severity, SourceMap, printable, render_all};
use houserule_language::variants::Setting;
use houserule_loader::{LoadError, Loaded, Request, load};
use houserule_page::report::columns::{counted, wrap};
use houserule_picture::paint::Paint;
pub(crate) use input::InputSource;
pub(crate) use interrupted::{EXIT_CODE, on_ctrl_c};
pub(crate) use progress::Progress;
pub(crate) use screen::Screen;

/// The output streams of a subcommand.
pub(crate) struct Terminal<'a> {
    pub(crate) out: &'a mut dyn Write,
    pub(crate) err: &'a mut (dyn Write + Send),
    /// The paint for results.
    pub(crate) paint: Paint,
    /// The paint for messages.
    pub(crate) err_paint: Paint,
    /// The terminal behind `out`.
    pub(crate) screen: Screen,
    /// The terminal behind `err`.
    pub(crate) err_screen: Screen,
    /// Whether to show nothing but results and errors.
    pub(crate) quiet: bool,
    /// Whether this is the command's own process, not a call from a program or a test.
    pub(crate) process: bool,
}

/// Writes a note where only the stream for messages is at hand.
pub(crate) fn write_note(err: &mut dyn Write, message: &str) -> io::Result<()> {
    writeln!(err, "{}", printable(message))
}

impl Terminal<'_> {
    /// Clears the screen and the scrollback, if the terminal can.
    pub(crate) fn clear(&mut self) -> Result<(), CliError> {
        if self.screen.terminal && !self.screen.dumb {
            // Bypasses `out`, which escapes control characters.
            self.out.flush()?;
            let mut out = io::stdout();
            write!(out, "\x1b[2J\x1b[3J\x1b[H")?;
            out.flush()?;
        }
        Ok(())
    }

    /// Turns colours on or off.
    pub(crate) fn colors(&mut self, wanted: bool) {
        (self.paint, self.err_paint) = (self.screen.paint(wanted), self.err_screen.paint(wanted));
    }

    /// Writes a result as JSON.
    pub(crate) fn json(&mut self, value: &impl serde::Serialize) -> Result<(), CliError> {
        let text = serde_json::to_string_pretty(value).map_err(|error| CliError::Rules(error.to_string()))?;
        Ok(writeln!(self.out, "{text}")?)
    }

    /// Loads a game and reports its errors and warnings.
    pub(crate) fn load(
        &mut self,
        name: &str,
        settings: &[Setting],
        players: Option<u32>,
    ) -> Result<Loaded, CliError> {
        let request = Request { name, settings, players };
        match load(&request) {
            Ok(loaded) => {
                self.diagnostics(&loaded.warnings, &loaded.sources)?;
                Ok(loaded)
            }
            Err(LoadError::Rules { diagnostics, sources, .. }) => {
                self.diagnostics(&diagnostics, &sources)?;
                Err(CliError::AlreadyReported)
            }
            Err(LoadError::Compile(message)) => Err(CliError::Rules(message)),
            Err(LoadError::Request(messages)) => Err(CliError::Command(with_players(messages, settings))),
        }
    }

    /// Returns the style for rendering messages about rules.
    pub(crate) fn style(&self) -> RenderOptions {
        let style = RenderOptions { color: self.err_paint.is_on(), ..RenderOptions::default() };
        match self.err_screen.messages() {
            Some(width) => RenderOptions { width, wrap: true, ..style },
            None => style,
        }
    }

    /// Writes messages about rules, without warnings if the user wants quiet.
    pub(crate) fn diagnostics(
        &mut self,
        diagnostics: &[Diagnostic],
        sources: &SourceMap,
    ) -> Result<(), CliError> {
        let is_shown = |diagnostic: &&Diagnostic| !self.quiet || diagnostic.severity == Severity::Error;
        let shown: Vec<Diagnostic> = diagnostics.iter().filter(is_shown).cloned().collect();
        if shown.is_empty() {
            return Ok(());
        }
        let text = render_all(&shown, sources, self.style());
        Ok(writeln!(self.err, "{}", text.trim_end())?)
    }

    /// Formats the number of errors and warnings of a file.
    pub(crate) fn verdict(&self, errors: usize, warnings: usize) -> String {
        match (errors, warnings) {
            (0, 0) => self.paint.good("no errors"),
            (0, n) => self.paint.good(&format!("no errors, {}", counted(n, "warning"))),
            (n, _) => self.paint.error(&counted(n, "error")),
        }
    }

    /// Writes a note: useful information that isn't an error.
    pub(crate) fn note(&mut self, message: &str) -> io::Result<()> {
        write_note(self.err, message)
    }

    pub(crate) fn fault(&mut self, message: &str) -> io::Result<()> {
        let message = printable(message);
        // The terminal would break lines within words.
        let lines = match self.err_screen.messages() {
            Some(columns) => wrap(&message, columns - "error: ".len()),
            None => vec![message.into_owned()],
        };
        writeln!(self.err, "{} {}", self.err_paint.error("error:"), lines.join("\n  "))
    }
}

/// Adds how the number of players is set, if it was set as a param.
pub(crate) fn with_players(mut messages: Vec<String>, settings: &[Setting]) -> String {
    let count = settings.iter().find(|setting| setting.name == "players");
    if let Some(count) = count.filter(|_| messages.iter().any(|text| text.contains("no param `players`"))) {
        messages.push(format!("the number of players is set by `--players {}`", count.value));
    }
    messages.join("\n")
}
