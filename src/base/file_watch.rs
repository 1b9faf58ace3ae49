//! Watches files that a user edits, by polling.
//!
//! A poll reads the metadata of a few files, which takes microseconds. It works on every file system, network
//! ones included, and with editors that save under another name and rename. The clock of a file system may be
//! too coarse to show a change, so recently changed files are read and compared.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::clock::Instant;
use crate::files::{FileKind, read_bytes};

/// Interval between two polls.
pub const LOOK: Duration = Duration::from_millis(10);

/// Upper bound for the resolution of a file system's clock.
const FRESH: Duration = Duration::from_secs(3);

/// Maximum time for which an editor removes a file before it writes the new one.
const GONE: Duration = Duration::from_millis(300);

/// Files with their state when they were last read.
pub struct WatchedFiles(Vec<FileState>);

struct FileState {
    path: PathBuf,
    stamp: Option<Stamp>,
    text: Option<Vec<u8>>,
    gone: Option<Instant>,
}

/// The metadata of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stamp {
    written: Option<SystemTime>,
    bytes: u64,
    node: u64,
}

impl Stamp {
    fn from_path(path: &Path) -> Option<Stamp> {
        let metadata = std::fs::metadata(path).ok()?;
        #[cfg(unix)]
        let node = std::os::unix::fs::MetadataExt::ino(&metadata);
        #[cfg(not(unix))]
        let node = 0;
        Some(Stamp { written: metadata.modified().ok(), bytes: metadata.len(), node })
    }

    /// Returns `true` if the file may have changed without a change of the metadata.
    fn is_fresh(&self) -> bool {
        let age = self.written.and_then(|written| written.elapsed().ok());
        age.is_none_or(|age| age < FRESH)
    }
}

/// Returns the contents of a file, or `None` if it doesn't exist or is too long to be read.
fn text(path: &Path, stamp: Option<&Stamp>) -> Option<Vec<u8>> {
    stamp?;
    read_bytes(path, FileKind::Rules).ok()
}

impl WatchedFiles {
    /// Records the current state of files. Call this before reading them, so that no change is missed.
    pub fn new(paths: impl IntoIterator<Item = PathBuf>) -> WatchedFiles {
        let mut files = WatchedFiles(Vec::new());
        files.add(paths);
        files
    }

    /// Adds files that aren't watched yet, with their current state.
    pub fn add(&mut self, paths: impl IntoIterator<Item = PathBuf>) {
        for path in paths {
            if self.0.iter().all(|seen| seen.path != path) {
                let stamp = Stamp::from_path(&path);
                let text = text(&path, stamp.as_ref());
                self.0.push(FileState { path, stamp, text, gone: None });
            }
        }
    }

    /// Returns the paths of the files.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.0.iter().map(|seen| seen.path.clone()).collect()
    }

    /// Returns `true` if the contents of a file have changed since the last call.
    pub fn changed(&mut self) -> bool {
        // No short-circuiting: every file must update its state.
        let changed = self.0.iter_mut().filter_map(|seen| seen.changed().then_some(())).count();
        changed > 0
    }

    /// Returns the time of the last write to any of the files.
    pub fn written(&self) -> Option<SystemTime> {
        self.0.iter().filter_map(|seen| seen.stamp.as_ref()?.written).max()
    }
}

impl FileState {
    fn changed(&mut self) -> bool {
        let stamp = Stamp::from_path(&self.path);
        if stamp.is_none() && self.stamp.is_some() {
            let since = *self.gone.get_or_insert_with(Instant::now);
            if since.elapsed() < GONE {
                return false;
            }
        } else {
            self.gone = None;
        }
        if stamp == self.stamp && stamp.as_ref().is_none_or(|stamp| !stamp.is_fresh()) {
            return false;
        }
        let text = text(&self.path, stamp.as_ref());
        let changed = match (&text, &self.text) {
            (None, None) => stamp != self.stamp,
            (now, before) => now != before,
        };
        (self.stamp, self.text) = (stamp, text);
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_seen_once() {
        let folder = std::env::temp_dir().join(format!("houserule-files-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (path, other) = (folder.join("a.rules"), folder.join("b.rules"));
        std::fs::write(&path, "one").unwrap();
        let mut files = WatchedFiles::new([path.clone(), other.clone(), path.clone()]);
        assert_eq!(files.paths().len(), 2);
        assert!(!files.changed());
        // The same length as before, and within one tick of the clock.
        std::fs::write(&path, "two").unwrap();
        assert!(files.changed() && !files.changed());
        // Saved with the same contents.
        std::fs::write(&path, "two").unwrap();
        assert!(!files.changed());
        // Saved under another name and renamed; for a moment there is no file.
        std::fs::remove_file(&path).unwrap();
        assert!(!files.changed());
        std::fs::write(folder.join("new"), "three").unwrap();
        std::fs::rename(folder.join("new"), &path).unwrap();
        assert!(files.changed() && !files.changed());
        // A file that didn't exist before.
        std::fs::write(&other, "").unwrap();
        assert!(files.changed() && !files.changed());
        // Removed for good: a second removal would be noticed in a later call.
        std::fs::remove_file(&path).unwrap();
        while !files.changed() {}
        assert!(!files.changed());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
