//! Undo, and errors at the table.

use super::output::put;
use super::{LoopControl, TerminalSession};
use crate::terminal::{CliError, Terminal};
use houserule_base::names::shell_quoted;
use houserule_desk::table::{Pending, TableError};
use houserule_game::ApplyError;
use houserule_language::diagnostic::render;

impl TerminalSession {
    /// Undoes a person's last input.
    pub(super) fn undo(&mut self, terminal: &mut Terminal<'_>) -> Result<LoopControl, CliError> {
        self.veiled.clear();
        match self.table.undo() {
            Ok(undone) => put(&format!("Taken back: {}.", undone.input), terminal)?,
            Err(error @ TableError::NothingToUndo { .. }) => put(&error.to_string(), terminal)?,
            Err(error) => return Err(self.error(error)),
        }
        Ok(LoopControl::On)
    }

    /// Reports an error in the rules. A move that fails isn't made; if only chance can continue, the game ends.
    pub(super) fn failed(
        &mut self,
        error: TableError,
        terminal: &mut Terminal<'_>,
    ) -> Result<LoopControl, CliError> {
        let error = match error {
            TableError::Apply(ApplyError::Runtime(error)) | TableError::Agent(error) => error,
            error => return Err(self.error(error)),
        };
        terminal.out.flush()?;
        let style = terminal.style();
        let told = error.diagnostic_in(self.table.game(), None);
        writeln!(terminal.err, "{}", render(&told, &error.sources(&self.loaded.sources), style))?;
        let mend = match self.path() {
            Some(path) => {
                format!(" Mend them, then: houserule play --journal {} --changed-rules", shell_quoted(&path))
            }
            None => String::new(),
        };
        writeln!(terminal.err, "The rules fail here, and this was not played.{mend}")?;
        match self.table.pending() {
            Pending::Decision(_) | Pending::HandOver(_) => Ok(LoopControl::On),
            Pending::Draws | Pending::Agent(_) | Pending::OnlyMove(_) | Pending::Chance | Pending::Over => {
                Err(CliError::AlreadyReported)
            }
        }
    }

    /// Returns the error of the command for an error at the table.
    pub(super) fn error(&self, error: TableError) -> CliError {
        match error {
            TableError::Rules(error) => {
                CliError::Rules(format!("the rules of {} fail: {error}", self.table.head().game))
            }
            error => error.into(),
        }
    }
}
