//! Reading and writing the files that users name, for the command, the loader and Python.
//!
//! A file is read completely or not at all, and writing never destroys another program's data. Folders, pipes and
//! devices are refused before a read could block. Text must be UTF-8, and every kind of file has a maximum size.
//! Replacing is an atomic rename, so a file has the old contents or the new ones.

use std::fmt;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// How the names of files of rules end.
pub const RULES_ENDING: &str = ".rules";

/// How the names of scripts end.
pub const SCRIPT_ENDING: &str = ".rhai";

/// How the names of files of trained players end.
pub const PLAYER_ENDING: &str = ".player";

/// The kind of a file. It sets the noun in messages and the maximum size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Rules.
    Rules,
    /// Functions in Rhai.
    Script,
    /// A game in progress.
    Journal,
    /// Finished games, one a line.
    Records,
    /// A drawn position.
    Sheet,
    /// Rows of cards.
    Table,
    /// A trained agent.
    Player,
}

impl FileKind {
    /// The noun for messages.
    pub fn name(self) -> &'static str {
        match self {
            FileKind::Rules => "rule file",
            FileKind::Script => "script",
            FileKind::Journal => "journal",
            FileKind::Records => "file of records",
            FileKind::Sheet => "sheet",
            FileKind::Table => "table",
            FileKind::Player => "player",
        }
    }

    /// Maximum size of a file, in bytes; for records, of one line.
    pub fn longest(self) -> u64 {
        match self {
            FileKind::Rules | FileKind::Script => crate::limits::FILE_BYTES as u64,
            FileKind::Journal => 256 << 20,
            FileKind::Records | FileKind::Sheet | FileKind::Table => 64 << 20,
            FileKind::Player => 4 << 20,
        }
    }

    /// How to shorten the file, for messages.
    fn shorter(self) -> &'static str {
        match self {
            FileKind::Rules => "; leave out what the game does not need, or put part of it into a variant",
            FileKind::Script => "; leave out what the game does not need",
            _ => "",
        }
    }
}

/// Why a file was not read or not written.
#[derive(Debug)]
pub enum FileError {
    /// The file does not exist.
    Missing(PathBuf),
    /// The file exists and is not overwritten.
    Exists(PathBuf),
    /// The path is not a file but, for example, `a folder` or `a pipe`.
    NoFile(PathBuf, &'static str),
    /// The file exceeds its maximum size.
    TooLong(PathBuf, FileKind),
    /// A line, counted from 1, is not UTF-8.
    NoText(PathBuf, FileKind, usize),
    /// A line, counted from 1, exceeds the maximum length.
    LongLine(PathBuf, usize),
    /// Another process is writing the file.
    Busy(PathBuf),
    /// Opening or reading failed.
    Read(PathBuf, io::Error),
    /// Writing failed.
    Written(PathBuf, io::Error),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Missing(path) => write!(f, "there is no file `{}`", path.display()),
            FileError::Exists(path) => write!(f, "`{}` exists already", path.display()),
            FileError::NoFile(path, what) => write!(f, "`{}` is {what}, not a file", path.display()),
            FileError::TooLong(path, kind) => {
                let (name, longest) = (kind.name(), kind.longest());
                write!(f, "`{}` has more than {longest} bytes, the most of a {name}", path.display())?;
                f.write_str(kind.shorter())
            }
            FileError::NoText(path, kind, line) => {
                write!(
                    f,
                    "`{}`, line {line}: a byte is not UTF-8, and a {} is text",
                    path.display(),
                    kind.name()
                )
            }
            FileError::LongLine(path, line) => {
                let longest = FileKind::Records.longest();
                write!(f, "`{}`, line {line}, has more than {longest} bytes", path.display())
            }
            FileError::Busy(path) => write!(f, "another process writes `{}`", path.display()),
            FileError::Read(path, error) => write!(f, "`{}` can't be read: {error}", path.display()),
            FileError::Written(path, error) => write!(f, "`{}` can't be written: {error}", path.display()),
        }
    }
}

impl std::error::Error for FileError {}

/// Returns the noun of a path that is not a regular file, or `None` if it is one.
fn no_file(metadata: &Metadata) -> Option<&'static str> {
    let kind = metadata.file_type();
    if kind.is_file() {
        return None;
    }
    if kind.is_dir() {
        return Some("a folder");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        if kind.is_fifo() {
            return Some("a pipe");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
    }
    Some("a device")
}

/// Opens a file for reading. Anything that could block the reader is refused before it is opened.
pub fn open(path: &Path) -> Result<File, FileError> {
    open_with(path, OpenOptions::new().read(true))
}

/// Opens an existing file with `options`, with the checks of [`open`].
pub fn open_with(path: &Path, options: &OpenOptions) -> Result<File, FileError> {
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => FileError::Missing(path.to_owned()),
        _ => FileError::Read(path.to_owned(), error),
    };
    let regular = |metadata: Metadata| match no_file(&metadata) {
        Some(what) => Err(FileError::NoFile(path.to_owned(), what)),
        None => Ok(()),
    };
    // Opening a pipe blocks until another process writes to it.
    regular(fs::metadata(path).map_err(failed)?)?;
    let file = options.open(path).map_err(failed)?;
    regular(file.metadata().map_err(failed)?)?;
    Ok(file)
}

/// Reads a file as bytes.
pub fn read_bytes(path: &Path, kind: FileKind) -> Result<Vec<u8>, FileError> {
    bytes_of(&mut open(path)?, path, kind)
}

/// Reads an open file as bytes.
pub fn bytes_of(file: &mut File, path: &Path, kind: FileKind) -> Result<Vec<u8>, FileError> {
    let failed = |error| FileError::Read(path.to_owned(), error);
    // Refuse a file that is too long without reading it, and check again afterwards, because files grow.
    let told = file.metadata().map_err(failed)?.len();
    let mut bytes = Vec::new();
    if told <= kind.longest() {
        file.take(kind.longest() + 1).read_to_end(&mut bytes).map_err(failed)?;
    }
    match told.max(bytes.len() as u64) > kind.longest() {
        true => Err(FileError::TooLong(path.to_owned(), kind)),
        false => Ok(bytes),
    }
}

/// Reads a file as text.
pub fn read_text(path: &Path, kind: FileKind) -> Result<String, FileError> {
    text_of(read_bytes(path, kind)?, path, kind)
}

/// Reads standard input as text.
pub fn read_input(kind: FileKind) -> Result<String, FileError> {
    let path = Path::new("standard input");
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(kind.longest() + 1).read_to_end(&mut bytes);
    read.map_err(|error| FileError::Read(path.to_owned(), error))?;
    if bytes.len() as u64 > kind.longest() {
        return Err(FileError::TooLong(path.to_owned(), kind));
    }
    text_of(bytes, path, kind)
}

/// Converts bytes to text. An error names the first line that is not UTF-8.
pub fn text_of(bytes: Vec<u8>, path: &Path, kind: FileKind) -> Result<String, FileError> {
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        FileError::NoText(path.to_owned(), kind, line)
    })
}

/// An iterator over the lines of a file of records. A line that is not UTF-8 doesn't end the iteration.
#[derive(Debug)]
pub struct RecordLines<R> {
    from: BufReader<R>,
    path: PathBuf,
    number: usize,
}

impl<R: Read> RecordLines<R> {
    /// Iterates over the lines of `from`. `path` is shown in messages.
    pub fn new(from: R, path: &Path) -> RecordLines<R> {
        RecordLines { from: BufReader::new(from), path: path.to_owned(), number: 0 }
    }

    /// Returns the remaining complete lines as one text: the rest of a journal. A torn last line is dropped.
    pub fn rest(&mut self) -> Result<String, FileError> {
        let mut bytes = Vec::new();
        let read = self.from.by_ref().take(FileKind::Journal.longest() + 1).read_to_end(&mut bytes);
        read.map_err(|error| FileError::Read(self.path.clone(), error))?;
        if bytes.len() as u64 > FileKind::Journal.longest() {
            return Err(FileError::TooLong(self.path.clone(), FileKind::Journal));
        }
        bytes.truncate(bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1));
        text_of(bytes, &self.path, FileKind::Journal).map_err(|error| match error {
            FileError::NoText(path, kind, line) => FileError::NoText(path, kind, line + self.number),
            error => error,
        })
    }
}

impl<R: Read> Iterator for RecordLines<R> {
    /// The line number, from 1, and its text with the line end, or why the line is not text.
    type Item = Result<(usize, Result<String, &'static str>), FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut line = Vec::new();
        let read = self.from.by_ref().take(FileKind::Records.longest() + 1).read_until(b'\n', &mut line);
        self.number += 1;
        match read {
            Err(error) => Some(Err(FileError::Read(self.path.clone(), error))),
            Ok(0) => None,
            Ok(bytes) if bytes as u64 > FileKind::Records.longest() => {
                Some(Err(FileError::LongLine(self.path.clone(), self.number)))
            }
            Ok(_) => {
                let text = String::from_utf8(line).map_err(|_| "a byte is not UTF-8, and a record is text");
                Some(Ok((self.number, text)))
            }
        }
    }
}

/// Writes a new file. Returns an error if it exists, unless it is empty or a device.
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    if let Ok(metadata) = fs::metadata(path)
        && let Some(what) = no_file(&metadata)
    {
        // Writing to a device such as `/dev/null` or the terminal overwrites nothing.
        if what == "a device" {
            let written =
                OpenOptions::new().write(true).open(path).and_then(|mut file| file.write_all(bytes));
            return written.map_err(|error| FileError::Written(path.to_owned(), error));
        }
        return Err(FileError::NoFile(path.to_owned(), what));
    }
    // An empty file, as `mktemp` makes one, has nothing to lose.
    if fs::metadata(path).is_ok_and(|metadata| metadata.len() == 0) {
        free(path)?;
        return replace(path, bytes);
    }
    let made = OpenOptions::new().write(true).create_new(true).open(path);
    let mut file = made.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => FileError::Exists(path.to_owned()),
        io::ErrorKind::NotFound => FileError::Written(path.to_owned(), no_folder()),
        _ => FileError::Written(path.to_owned(), error),
    })?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(|error| {
        // This call created the file, and half of it is useless.
        let _ = fs::remove_file(path);
        FileError::Written(path.to_owned(), error)
    })
}

/// Writes or atomically replaces a file: a reader finds the old contents or the new ones, complete. Keeps the mode
/// of the file, and a symbolic link stays one.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let Ok(target) = fs::canonicalize(path) else { return write_new(path, bytes) };
    let failed = |error| FileError::Written(path.to_owned(), error);
    let metadata = fs::metadata(&target).map_err(failed)?;
    if no_file(&metadata).is_some() {
        return write_new(path, bytes);
    }
    // A rename needs only a writable folder; refuse a file that is itself read-only.
    OpenOptions::new().write(true).open(&target).map_err(failed)?;
    let (beside, mut file) = beside(&target).map_err(failed)?;
    let done = file
        .write_all(bytes)
        .and_then(|()| take_after(&file, &metadata))
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&beside, &target));
    done.map_err(|error| {
        let _ = fs::remove_file(&beside);
        failed(error)
    })?;
    sync_folder(&target);
    Ok(())
}

/// Writes an output file: a new one or, with `force`, in place of an existing one. Never overwrites rules, scripts
/// or a file that another process has locked.
pub fn write(path: &Path, bytes: &[u8], force: bool) -> Result<(), FileError> {
    if !force || is_spared(path) {
        return write_new(path, bytes);
    }
    free(path)?;
    replace(path, bytes)
}

/// A file that is written beside its final name, which it gets when it is complete. If it is dropped before, nothing
/// is left of it.
#[derive(Debug)]
pub struct PendingFile {
    path: PathBuf,
    target: PathBuf,
    /// The file so far; empty once it has its name.
    beside: PathBuf,
    file: File,
    force: bool,
}

impl PendingFile {
    /// Begins a file. Returns an error if it exists and isn't empty, unless `force` is set; if it is a rule file, a
    /// script or no file; and if another process has locked it.
    pub fn create(path: &Path, force: bool) -> Result<PendingFile, FileError> {
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => FileError::Written(path.to_owned(), no_folder()),
            _ => FileError::Written(path.to_owned(), error),
        };
        if let Ok(metadata) = fs::metadata(path) {
            if let Some(what) = no_file(&metadata) {
                return Err(FileError::NoFile(path.to_owned(), what));
            }
            if metadata.len() > 0 && (!force || is_spared(path)) {
                return Err(FileError::Exists(path.to_owned()));
            }
            // A rename needs only a writable folder; refuse a file that is itself read-only.
            OpenOptions::new().write(true).open(path).map_err(failed)?;
            free(path)?;
        }
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let (beside, file) = beside(&target).map_err(failed)?;
        Ok(PendingFile { path: path.to_owned(), target, beside, file, force })
    }

    /// The file, for writing.
    pub fn file(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// The final name, as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the complete file its name.
    pub fn finish(mut self) -> Result<(), FileError> {
        let failed = |error| FileError::Written(self.path.clone(), error);
        let old = fs::metadata(&self.target).ok();
        if old.as_ref().is_some_and(|old| old.len() > 0) && !self.force {
            return Err(FileError::Exists(self.path.clone()));
        }
        old.map_or(Ok(()), |old| take_after(&self.file, &old))
            .and_then(|()| self.file.sync_all())
            .and_then(|()| fs::rename(&self.beside, &self.target))
            .map_err(failed)?;
        self.beside = PathBuf::new();
        sync_folder(&self.target);
        Ok(())
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        if !self.beside.as_os_str().is_empty() {
            let _ = fs::remove_file(&self.beside);
        }
    }
}

/// Returns `true` if the file exists and is a rule file or script, which output never overwrites.
pub fn is_spared(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "rules" || ending == "rhai") && path.exists()
}

/// Returns an error if the file exists, or another process has locked it: before long work whose result it is to have.
pub fn unused(path: &Path) -> Result<(), FileError> {
    free(path)?;
    if path.exists() { Err(FileError::Exists(path.to_owned())) } else { Ok(()) }
}

/// Returns an error if another process has locked the file.
pub fn free(path: &Path) -> Result<(), FileError> {
    match open(path).map(|file| file.try_lock()) {
        Ok(Err(fs::TryLockError::WouldBlock)) => Err(FileError::Busy(path.to_owned())),
        _ => Ok(()),
    }
}

/// Creates a temporary file in the folder of `target`.
fn beside(target: &Path) -> io::Result<(PathBuf, File)> {
    let name = target.file_name().unwrap_or_default().to_string_lossy().into_owned();
    // A file name has at most 255 bytes.
    let short: String = name.chars().take(50).collect();
    for number in 0..1000 {
        let path = target.with_file_name(format!(".{short}.{}-{number}.tmp", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|file| (path, file)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Gives a file the mode in `metadata` and, as far as the system allows, the owner.
fn take_after(file: &File, metadata: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let _ = std::os::unix::fs::fchown(file, Some(metadata.uid()), Some(metadata.gid()));
    }
    file.set_permissions(metadata.permissions())
}

/// Syncs the folder of `path`, so that a rename survives a crash. Ignores errors: some systems can't sync folders.
pub fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let _ = File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all());
}

/// The error for a file whose folder does not exist.
fn no_folder() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "its folder does not exist")
}
