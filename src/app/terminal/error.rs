//! Why a command failed.

use std::fmt::Display;
use std::io;

use houserule_base::files::FileError;
use houserule_players::agents::{AgentError, ScriptFault};
use houserule_playtest::SimulateError;

/// Why a subcommand failed.
#[derive(Debug)]
pub(crate) enum CliError {
    /// An error in the rules or the game, with its message.
    Rules(String),
    /// An error in the rules that has already been reported.
    AlreadyReported,
    /// An error in the command line.
    Command(String),
    /// An error in the script of an agent.
    Script(Box<ScriptFault>),
    /// Stopped by Ctrl-C; the results so far have been reported.
    Interrupted,
    /// The output can't be written because of the disk or device, with the reason.
    Output(String),
    /// Writing the results failed.
    Io(io::Error),
}

impl CliError {
    /// Creates the error for a file that can't be written. It is an error in the command line if the path is
    /// invalid.
    pub(crate) fn writing(name: impl Display, error: &io::Error) -> CliError {
        use io::ErrorKind as Kind;
        let message = format!("`{name}` can't be written: {error}");
        match error.kind() {
            Kind::NotFound
            | Kind::PermissionDenied
            | Kind::AlreadyExists
            | Kind::IsADirectory
            | Kind::NotADirectory
            | Kind::InvalidFilename
            | Kind::InvalidInput => CliError::Command(message),
            _ => CliError::Output(message),
        }
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        CliError::Io(error)
    }
}

impl From<FileError> for CliError {
    fn from(error: FileError) -> Self {
        let message = error.to_string();
        match error {
            FileError::Exists(_) => {
                CliError::Command(format!("{message}; choose another name, or overwrite it with `--force`"))
            }
            FileError::Written(path, error) => CliError::writing(path.display(), &error),
            _ => CliError::Command(message),
        }
    }
}

impl From<AgentError> for CliError {
    fn from(error: AgentError) -> Self {
        match error {
            AgentError::Script(fault) => CliError::Script(fault),
            error => CliError::Command(error.to_string()),
        }
    }
}

impl From<SimulateError> for CliError {
    fn from(error: SimulateError) -> Self {
        match error {
            SimulateError::NoMatch => CliError::Rules(error.to_string()),
            SimulateError::Agent(error) => error.into(),
            error => CliError::Command(error.to_string()),
        }
    }
}
