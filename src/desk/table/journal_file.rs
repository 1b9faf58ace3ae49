//! Journal files: created, found, locked, and written so that no acknowledged event is lost.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::journal::{JournalError, JournalWriter};
use houserule_base::files::{self, FileError, FileKind};
use houserule_game::notation::journal::{Journal, JournalHeader, JournalLine, written};

/// Maximum number of a game's newest journals that are searched for an unfinished game.
const MOST_SEARCHED: usize = 50;

/// A journal in a file that this process has locked.
#[derive(Debug)]
pub struct JournalFile {
    path: PathBuf,
    file: File,
}

impl JournalWriter for JournalFile {
    /// Writes lines with a single write, and returns when they are on the disk. If that fails, the lines are cut
    /// off again.
    fn append(&mut self, lines: &[JournalLine]) -> Result<(), JournalError> {
        let text: String = lines.iter().map(written).collect();
        self.write(text.as_bytes())
    }
}

impl JournalFile {
    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Creates a journal in a new file.
    pub fn create(path: &Path, head: &JournalHeader) -> Result<Self, JournalError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(|error| JournalError::Written(path.to_owned(), error))?;
        }
        let made = OpenOptions::new().read(true).append(true).create_new(true).open(path);
        let file = made.map_err(|error| unwritable(path, error))?;
        let mut journal = JournalFile { path: path.to_owned(), file };
        journal.lock()?;
        if let Err(error) = journal.write(written(head).as_bytes()) {
            // Without its first line the file is no journal.
            let _ = fs::remove_file(path);
            return Err(error);
        }
        files::sync_folder(path);
        Ok(journal)
    }

    /// Creates a journal in a folder, numbered after the existing journals of the game.
    pub fn create_in(folder: &Path, head: &JournalHeader) -> Result<Self, JournalError> {
        let stem = stem(&head.game);
        let last = numbered(folder, &stem).first().map_or(0, |(number, _)| *number);
        for number in last + 1.. {
            match JournalFile::create(&folder.join(format!("{stem}-{number}.jsonl")), head) {
                // Another process has just created it.
                Err(JournalError::Exists(_) | JournalError::Busy(_)) => {}
                made => return made,
            }
        }
        Err(JournalError::TooMany(folder.to_owned()))
    }

    /// Opens a journal to continue it. An incomplete last line is cut off.
    pub fn open(path: &Path) -> Result<(Self, Journal), JournalError> {
        let file = files::open_with(path, OpenOptions::new().read(true).append(true))?;
        let mut opened = JournalFile { path: path.to_owned(), file };
        opened.lock()?;
        let (journal, whole) = read_from(&mut opened.file, path)?;
        let cut = opened.file.set_len(whole as u64).and_then(|()| opened.file.seek(SeekFrom::End(0)));
        cut.map_err(|error| unwritable(path, error))?;
        Ok((opened, journal))
    }

    /// Returns the unfinished journals of a game in a folder that can be continued, the newest first.
    pub fn unfinished(folder: &Path, game: &str) -> Vec<(PathBuf, Journal)> {
        let newest = numbered(folder, &stem(game)).into_iter().take(MOST_SEARCHED);
        // Reading needs no lock.
        let read = |path: &Path| Some(read_from(&mut files::open(path).ok()?, path).ok()?.0);
        let journals = newest.filter_map(|(_, path)| read(&path).map(|journal| (path, journal)));
        journals
            .filter(|(_, journal)| journal.head.game == game && !journal.is_over())
            .filter(|(path, _)| is_writable(path) && !is_locked(path))
            .collect()
    }

    fn lock(&self) -> Result<(), JournalError> {
        match self.file.try_lock() {
            Ok(()) => Ok(()),
            Err(TryLockError::WouldBlock) => Err(JournalError::Busy(self.path.clone())),
            // Some file systems have no locks.
            Err(TryLockError::Error(_)) => Ok(()),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), JournalError> {
        let whole = self.file.metadata().map(|metadata| metadata.len());
        let done = self.file.write_all(bytes).and_then(|()| self.file.sync_data());
        done.map_err(|error| {
            // If this fails too, the file ends in an incomplete line, which readers ignore.
            let _ = whole.and_then(|whole| self.file.set_len(whole));
            unwritable(&self.path, error)
        })
    }
}

fn unwritable(path: &Path, error: io::Error) -> JournalError {
    match error.kind() {
        io::ErrorKind::AlreadyExists => JournalError::Exists(path.to_owned()),
        _ => JournalError::Written(path.to_owned(), error),
    }
}

/// Reads a journal and the length of its complete lines, in bytes. Doesn't change the file if it is invalid.
fn read_from(file: &mut File, path: &Path) -> Result<(Journal, usize), JournalError> {
    let mut bytes = files::bytes_of(file, path, FileKind::Journal)?;
    // The incomplete last line may not be text. Complete lines must all be valid.
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    bytes.truncate(whole);
    let text = files::text_of(bytes, path, FileKind::Journal).map_err(|error| {
        let FileError::NoText(_, _, line) = error else { return error.into() };
        JournalError::NoText(path.to_owned(), line)
    })?;
    Journal::read(&text).map_err(|message| JournalError::Invalid(path.to_owned(), message))
}

fn is_writable(path: &Path) -> bool {
    OpenOptions::new().append(true).open(path).is_ok()
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
