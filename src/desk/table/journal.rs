//! The destinations of a journal's lines: a text in memory, a file, or a writer of the caller's own.

use std::fmt;
use std::io;
use std::path::PathBuf;

use houserule_base::files::{FileError, FileKind};
use houserule_game::notation::journal::{JournalHeader, JournalLine, written};

/// A place to which a table writes the lines of its journal.
///
/// A table writes before it reports: what [`append`](JournalWriter::append) has accepted is kept, and what it
/// rejects was not played. A `String` collects the lines as text, which
/// [`Journal::read`](houserule_game::notation::journal::Journal::read) reads; a [`JournalFile`](super::JournalFile) writes
/// them to the disk.
pub trait JournalWriter {
    /// Keeps some lines, all of them or none.
    fn append(&mut self, lines: &[JournalLine]) -> Result<(), JournalError>;
}

impl JournalWriter for String {
    fn append(&mut self, lines: &[JournalLine]) -> Result<(), JournalError> {
        self.extend(lines.iter().map(written));
        Ok(())
    }
}

/// `None` keeps nothing, and accepts all lines.
impl<J: JournalWriter> JournalWriter for Option<J> {
    fn append(&mut self, lines: &[JournalLine]) -> Result<(), JournalError> {
        self.as_mut().map_or(Ok(()), |journal| journal.append(lines))
    }
}

/// Opens a journal in memory: a text that begins with the head.
pub fn in_memory(head: &JournalHeader) -> Result<String, JournalError> {
    Ok(written(head))
}

/// Why a journal was not opened, read or written.
#[derive(Debug)]
pub enum JournalError {
    /// The file can't be opened or read.
    File(FileError),
    /// Another process plays the game in this file.
    Busy(PathBuf),
    /// The file to be created exists.
    Exists(PathBuf),
    /// Writing failed.
    Written(PathBuf, io::Error),
    /// A byte in a complete line of the file, counted from 1, is not UTF-8.
    NoText(PathBuf, usize),
    /// The file is no journal, with the reason.
    Invalid(PathBuf, String),
    /// The folder has a journal with the highest possible number.
    TooMany(PathBuf),
    /// A writer of the caller's own failed.
    Other(Box<dyn std::error::Error + Send + Sync>),
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JournalError::File(error) => error.fmt(f),
            JournalError::Busy(path) => {
                write!(f, "the game in `{}` is being played elsewhere: leave it there first", path.display())
            }
            JournalError::Exists(path) => write!(f, "`{}` is there already", path.display()),
            JournalError::Written(path, error) => {
                write!(f, "the journal `{}` can't be written: {error}", path.display())
            }
            JournalError::NoText(path, line) => {
                let error = FileError::NoText(path.clone(), FileKind::Journal, *line);
                let (shown, before) = (path.display(), line.saturating_sub(1));
                write!(
                    f,
                    "{error}. The journal is as it was: mend that line to go on, or go on from before it with a \
                     copy of the {before} lines above: head -n {before} '{shown}' > COPY.jsonl"
                )
            }
            JournalError::Invalid(path, message) => write!(f, "`{}`: {message}", path.display()),
            JournalError::TooMany(folder) => {
                write!(f, "there are too many journals in `{}`: remove some", folder.display())
            }
            JournalError::Other(error) => write!(f, "the journal can't be written: {error}"),
        }
    }
}

impl std::error::Error for JournalError {}

impl From<FileError> for JournalError {
    fn from(error: FileError) -> Self {
        JournalError::File(error)
    }
}
