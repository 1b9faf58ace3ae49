//! Journal files: created, found, locked, and written so that no acknowledged event is lost.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use etcetera::{BaseStrategy, choose_base_strategy};

use super::super::CliError;
use crate::files::{self, FileError, FileKind};
use crate::notation::journal::{Journal, JournalHeader, JournalLine, written};

/// Maximum number of a game's newest journals that are searched for an unfinished game.
const MOST_SEARCHED: usize = 50;

/// A journal that this process writes.
#[derive(Debug)]
pub(super) struct JournalFile {
    pub(super) path: PathBuf,
    file: File,
}

impl JournalFile {
    /// Creates a journal in a new file.
    pub(super) fn create(path: &Path, head: &JournalHeader) -> Result<Self, CliError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(|error| unwritable(path, &error))?;
        }
        let made = OpenOptions::new().read(true).append(true).create_new(true).open(path);
        let file = made.map_err(|error| unwritable(path, &error))?;
        let mut journal = JournalFile { path: path.to_owned(), file };
        journal.lock()?;
        journal.write(written(head).as_bytes())?;
        files::sync_folder(path);
        Ok(journal)
    }

    /// Creates a journal in a folder, numbered after the existing journals of the game.
    pub(super) fn create_in(folder: &Path, head: &JournalHeader) -> Result<Self, CliError> {
        let stem = stem(&head.game);
        let last = numbered(folder, &stem).first().map_or(0, |(number, _)| *number);
        for number in last + 1.. {
            match JournalFile::create(&folder.join(format!("{stem}-{number}.jsonl")), head) {
                // Another process has just created it.
                Err(_) if folder.join(format!("{stem}-{number}.jsonl")).exists() => {}
                made => return made,
            }
        }
        Err(CliError::Rules("there are too many journals".to_owned()))
    }

    /// Opens a journal to continue it. An incomplete last line is cut off.
    pub(super) fn open(path: &Path) -> Result<(Self, Journal), CliError> {
        let file = files::open_with(path, OpenOptions::new().read(true).append(true))?;
        let mut opened = JournalFile { path: path.to_owned(), file };
        opened.lock()?;
        let (journal, whole) = read_from(&mut opened.file, path)?;
        let cut = opened.file.set_len(whole as u64).and_then(|()| opened.file.seek(SeekFrom::End(0)));
        cut.map_err(|error| unwritable(path, &error))?;
        Ok((opened, journal))
    }

    fn lock(&self) -> Result<(), CliError> {
        match self.file.try_lock() {
            Ok(()) => Ok(()),
            Err(TryLockError::WouldBlock) => Err(CliError::Command(format!(
                "the game in `{}` is being played elsewhere: leave it there first",
                self.path.display()
            ))),
            // Some file systems have no locks.
            Err(TryLockError::Error(_)) => Ok(()),
        }
    }

    /// Writes lines with a single write, and returns when they are on the disk.
    pub(super) fn append(&mut self, lines: &[JournalLine]) -> Result<(), CliError> {
        let text: String = lines.iter().map(written).collect();
        self.write(text.as_bytes())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        let done = self.file.write_all(bytes).and_then(|()| self.file.sync_data());
        done.map_err(|error| unwritable(&self.path, &error))
    }
}

fn unwritable(path: &Path, error: &io::Error) -> CliError {
    let path = path.display();
    match error.kind() {
        io::ErrorKind::AlreadyExists => CliError::Command(format!("`{path}` is there already")),
        _ => CliError::Command(format!("the journal `{path}` can't be written: {error}")),
    }
}

/// Reads a journal and the length of its complete lines, in bytes. Doesn't change the file if it is invalid.
fn read_from(file: &mut File, path: &Path) -> Result<(Journal, usize), CliError> {
    let mut bytes = files::bytes_of(file, path, FileKind::Journal)?;
    // The incomplete last line may not be text. Complete lines must all be valid.
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    bytes.truncate(whole);
    let text = files::text_of(bytes, path, FileKind::Journal).map_err(|error| {
        let FileError::NoText(_, _, line) = error else { return error.into() };
        let shown = path.display();
        let before = line.saturating_sub(1);
        CliError::Rules(format!(
            "{error}. The journal is as it was: mend that line to go on, or go on from before it with a copy of the \
             {before} lines above: head -n {before} '{shown}' > COPY.jsonl"
        ))
    })?;
    Journal::read(&text).map_err(|message| CliError::Rules(format!("`{}`: {message}", path.display())))
}

/// Reads a journal without locking it.
pub(super) fn read(path: &Path) -> Result<Journal, CliError> {
    Ok(read_from(&mut files::open(path)?, path)?.0)
}

/// Returns the default folder of journals.
pub(super) fn default_folder() -> Result<PathBuf, CliError> {
    let strategy = choose_base_strategy().map_err(|error| {
        CliError::Command(format!("no place for the journal: {error}; name one with `--journal FILE`"))
    })?;
    Ok(strategy.data_dir().join("houserule").join("play"))
}

/// Returns the unfinished journals of a game in a folder, the newest first.
pub(super) fn unfinished(folder: &Path, game: &str) -> Vec<(PathBuf, Journal)> {
    let newest = numbered(folder, &stem(game)).into_iter().take(MOST_SEARCHED);
    let read = newest.filter_map(|(_, path)| read(&path).ok().map(|journal| (path, journal)));
    read.filter(|(path, journal)| journal.head.game == game && !journal.is_over() && !is_locked(path))
        .collect()
}

fn is_locked(path: &Path) -> bool {
    files::free(path).is_err()
}

/// Returns the numbered journals of a name in a folder, the highest number first.
fn numbered(folder: &Path, stem: &str) -> Vec<(u64, PathBuf)> {
    let Ok(entries) = fs::read_dir(folder) else { return vec![] };
    let number = |path: &Path| -> Option<u64> {
        let name = path.file_name()?.to_str()?.strip_suffix(".jsonl")?;
        name.strip_prefix(stem)?.strip_prefix('-')?.parse().ok()
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut found: Vec<(u64, PathBuf)> = paths.filter_map(|path| Some((number(&path)?, path))).collect();
    found.sort();
    found.reverse();
    found
}

/// Returns the start of the file names of a game's journals.
fn stem(game: &str) -> String {
    let parts = game.split('+').map(|part| {
        let file = part.trim().rsplit(['/', '\\']).next().unwrap_or("");
        file.replace(".rules", "")
    });
    let words: Vec<String> = parts.collect();
    let letters = words.join("-");
    let clean: String = letters.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).take(60).collect();
    let clean = clean.trim_matches('-').to_owned();
    if clean.is_empty() { "game".to_owned() } else { clean }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn journals_are_named_after_games() {
        let all = ["dilido", "dilido + torus", "./my games/mine.rules#Mine", "..", "über.rules"];
        assert_eq!(all.map(stem), ["dilido", "dilido-torus", "mine-Mine", "game", "über"]);
    }
}
