//! The files of the folder that was opened: rule files and scripts, and nothing outside of it.
//!
//! A path is checked as text first. Then symbolic links are resolved, and what they lead to must lie in the folder.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sha2::{Digest, Sha256};

use houserule_base::files::{FileKind, read_bytes, read_text, replace, write_new};
use houserule_desk::workbench::FileTold;
use houserule_desk::workbench::rules::paths;
use houserule_loader::folders::{files_in, kind_of, texts_of};

/// The texts of a folder at some time.
#[derive(Clone, Debug, Default)]
pub(super) struct FolderTexts {
    /// The texts by their paths in the folder.
    pub(super) texts: BTreeMap<String, Arc<str>>,
    /// What each of them is.
    pub(super) told: Vec<FileTold>,
}

/// A text of a file with its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileText {
    pub(super) text: String,
    pub(super) hash: String,
}

impl FileText {
    pub(super) fn new(text: String) -> FileText {
        let hash = hash(&text);
        FileText { text, hash }
    }
}

/// What came of saving a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum SaveResult {
    /// It has the new text, with this hash.
    Saved(String),
    /// Nothing was written: the file has this text, or is gone.
    Conflict(Option<FileText>),
}

/// A folder.
#[derive(Debug)]
pub(super) struct OpenedFolder {
    /// Its path without symbolic links.
    root: PathBuf,
    /// The depth to which folders in it are listed.
    deepest: usize,
    /// Held while a file is compared and written.
    saving: Mutex<()>,
}

/// Returns the hash of a text.
pub(super) fn hash(text: &str) -> String {
    Sha256::digest(text).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

impl OpenedFolder {
    /// Opens a folder. With `deepest` 0, only the files directly in it are listed.
    pub(super) fn open(path: &Path, deepest: usize) -> io::Result<OpenedFolder> {
        let root = fs::canonicalize(path)?;
        match root.is_dir() {
            true => Ok(OpenedFolder { root, deepest, saving: Mutex::new(()) }),
            false => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    /// Its path without symbolic links.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// A port that belongs to it, below those that systems give to programs that ask for any.
    pub(super) fn port(&self) -> u16 {
        let digest = Sha256::digest(self.root.as_os_str().as_encoded_bytes());
        20_000 + u16::from_be_bytes([digest[0], digest[1]]) % 12_000
    }

    /// The rule files and scripts in it.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        files_in(std::slice::from_ref(&self.root), self.deepest)
    }

    /// Reads the texts of files.
    pub(super) fn texts(&self, files: &[PathBuf]) -> FolderTexts {
        let mut found = FolderTexts::default();
        for (file, text) in texts_of(files) {
            // A file whose name is no path of the page can't be opened.
            let told = paths::file_told(&self.root, &file, &text);
            if let Some(told) = told.filter(|told| paths::relative(&told.path).is_ok()) {
                found.texts.insert(told.path.clone(), text);
                found.told.push(told);
            }
        }
        found
    }

    /// Reads the file of an agent: a player that was trained, or a script. Returns the reason why it can't be read.
    pub(super) fn agent(&self, path: &str) -> Result<Vec<u8>, String> {
        let kind_of = |file: &Path| match file.extension()?.to_str()? {
            "player" => Some(FileKind::Player),
            "rhai" => Some(FileKind::Script),
            _ => None,
        };
        let inside = self.root.join(paths::inside(path)?);
        let target = fs::canonicalize(&inside).map_err(|_| format!("no file is called `{path}`"))?;
        // The name that a link leads to counts as well.
        let fits = target.starts_with(&self.root) && kind_of(&target) == kind_of(&inside);
        let Some(kind) = kind_of(&target).filter(|_| fits) else {
            return Err(format!("`{path}` is no agent of the folder"));
        };
        read_bytes(&target, kind).map_err(|error| error.to_string())
    }

    /// The file of a path. Returns the reason why there can't be one.
    fn resolve(&self, path: &str) -> Result<PathBuf, String> {
        let inside = self.root.join(paths::relative(path)?);
        let outside = || format!("`{path}` is outside of the folder");
        if fs::symlink_metadata(&inside).is_ok() {
            let target =
                fs::canonicalize(&inside).map_err(|error| format!("`{path}` can't be read: {error}"))?;
            // The name that a link leads to counts as well.
            let fits = target.starts_with(&self.root) && kind_of(&target).is_some();
            return fits.then_some(target).ok_or_else(outside);
        }
        let (Some(parent), Some(name)) = (inside.parent(), inside.file_name()) else { return Err(outside()) };
        let parent = fs::canonicalize(parent)
            .map_err(|_| format!("there is no folder for `{path}`; make it first"))?;
        parent.starts_with(&self.root).then(|| parent.join(name)).ok_or_else(outside)
    }

    /// Reads a file. Returns `None` if there is none.
    pub(super) fn read(&self, path: &str) -> Result<Option<FileText>, String> {
        let file = self.resolve(path)?;
        let Some(kind) = kind_of(&file).filter(|_| file.exists()) else { return Ok(None) };
        let text = read_text(&file, kind).map_err(|error| error.to_string())?;
        Ok(Some(FileText::new(text)))
    }

    /// Writes a file if it still has the text with the hash `base`, or if there is none and `base` is `None`.
    pub(super) fn save(&self, path: &str, text: &str, base: Option<&str>) -> Result<SaveResult, String> {
        let _saving = self.lock();
        let now = self.read(path)?;
        if now.as_ref().map(|now| now.hash.as_str()) != base {
            return Ok(SaveResult::Conflict(now));
        }
        let file = self.resolve(path)?;
        let write = if now.is_some() { replace } else { write_new };
        // The page ends lines in one way. A file that ends them in the other keeps it.
        let is_crlf = now.is_some_and(|now| now.text.contains("\r\n")) && !text.contains('\r');
        let text = if is_crlf { text.replace('\n', "\r\n") } else { text.to_owned() };
        write(&file, text.as_bytes()).map_err(|error| error.to_string())?;
        Ok(SaveResult::Saved(hash(&text)))
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.saving.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
