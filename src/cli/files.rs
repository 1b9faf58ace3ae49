//! Files that somebody edits, looked at again and again.
//!
//! A look asks the system for the state of a few files, which takes microseconds, and works wherever
//! there are files: over a network, and with editors that save under another name and rename. What a
//! clock is too coarse to tell, the text does: a file that has just changed is read again.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use crate::files::{Kind, read_bytes};

/// Between two looks.
pub(super) const LOOK: Duration = Duration::from_millis(10);

/// A clock of a file system is never coarser than this.
const FRESH: Duration = Duration::from_secs(3);

/// An editor that takes a file away to write it anew has done so after this.
const GONE: Duration = Duration::from_millis(300);

/// The files as they were when they were last read.
pub(super) struct Files(Vec<Seen>);

struct Seen {
    path: PathBuf,
    stamp: Option<Stamp>,
    text: Option<Vec<u8>>,
    gone: Option<Instant>,
}

/// What the system says of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stamp {
    written: Option<SystemTime>,
    bytes: u64,
    node: u64,
}

impl Stamp {
    fn of(path: &Path) -> Option<Stamp> {
        let told = std::fs::metadata(path).ok()?;
        #[cfg(unix)]
        let node = std::os::unix::fs::MetadataExt::ino(&told);
        #[cfg(not(unix))]
        let node = 0;
        Some(Stamp { written: told.modified().ok(), bytes: told.len(), node })
    }

    /// May it have changed without a new stamp?
    fn is_fresh(&self) -> bool {
        let age = self.written.and_then(|written| written.elapsed().ok());
        age.is_none_or(|age| age < FRESH)
    }
}

/// The text of a file; one that is too long to be read is told by its stamp alone.
fn text(path: &Path, stamp: Option<&Stamp>) -> Option<Vec<u8>> {
    stamp?;
    read_bytes(path, Kind::Rules).ok()
}

impl Files {
    /// Files as they are now. To be called before they are read, so that no change is lost.
    pub(super) fn new(paths: impl IntoIterator<Item = PathBuf>) -> Files {
        let mut files = Files(Vec::new());
        files.add(paths);
        files
    }

    /// Adds those that are not among them yet, as they are now.
    pub(super) fn add(&mut self, paths: impl IntoIterator<Item = PathBuf>) {
        for path in paths {
            if self.0.iter().all(|seen| seen.path != path) {
                let stamp = Stamp::of(&path);
                let text = text(&path, stamp.as_ref());
                self.0.push(Seen { path, stamp, text, gone: None });
            }
        }
    }

    /// Which files.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        self.0.iter().map(|seen| seen.path.clone()).collect()
    }

    /// Has a file another text than before?
    pub(super) fn changed(&mut self) -> bool {
        // Every one is looked at: each notes what it has become.
        let changed = self.0.iter_mut().filter_map(|seen| seen.changed().then_some(())).count();
        changed > 0
    }

    /// When the file that was written last was written.
    pub(super) fn written(&self) -> Option<SystemTime> {
        self.0.iter().filter_map(|seen| seen.stamp.as_ref()?.written).max()
    }
}

impl Seen {
    fn changed(&mut self) -> bool {
        let stamp = Stamp::of(&self.path);
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
        let mut files = Files::new([path.clone(), other.clone(), path.clone()]);
        assert_eq!(files.paths().len(), 2);
        assert!(!files.changed());
        // As long as before, and within one tick of the clock.
        std::fs::write(&path, "two").unwrap();
        assert!(files.changed() && !files.changed());
        // Saved with the same text.
        std::fs::write(&path, "two").unwrap();
        assert!(!files.changed());
        // Saved under another name and renamed; for a moment there is no file.
        std::fs::remove_file(&path).unwrap();
        assert!(!files.changed());
        std::fs::write(folder.join("new"), "three").unwrap();
        std::fs::rename(folder.join("new"), &path).unwrap();
        assert!(files.changed() && !files.changed());
        // One that was not there.
        std::fs::write(&other, "").unwrap();
        assert!(files.changed() && !files.changed());
        // Gone for good: two of them would be noticed one after the other.
        std::fs::remove_file(&path).unwrap();
        while !files.changed() {}
        assert!(!files.changed());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
