//! Files that tests write for the command.

use std::path::PathBuf;

/// Writes a file to a folder of a test's own, and returns its path.
pub(crate) fn file(folder: &str, name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path
}
