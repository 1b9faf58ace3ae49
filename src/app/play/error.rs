//! Errors at the table as errors of the command.

use crate::terminal::CliError;
use houserule_desk::table::{JournalError, SeatError, TableError};
use houserule_players::agents::AgentError;

impl From<SeatError> for CliError {
    fn from(error: SeatError) -> Self {
        match error {
            SeatError::Agent(AgentError::Script(fault)) => CliError::Script(fault),
            error => CliError::Command(error.to_string()),
        }
    }
}

impl From<JournalError> for CliError {
    fn from(error: JournalError) -> Self {
        match error {
            JournalError::File(error) => error.into(),
            JournalError::NoText(..) | JournalError::Invalid(..) | JournalError::TooMany(_) => {
                CliError::Rules(error.to_string())
            }
            JournalError::Busy(_)
            | JournalError::Exists(_)
            | JournalError::Written(..)
            | JournalError::Other(_) => CliError::Command(error.to_string()),
        }
    }
}

impl From<TableError> for CliError {
    fn from(error: TableError) -> Self {
        match error {
            TableError::Seats(error) => error.into(),
            TableError::Journal(error) => error.into(),
            error => CliError::Rules(error.to_string()),
        }
    }
}
