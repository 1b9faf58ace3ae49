//! Test support: files of the repository that have the text a test makes. With `UPDATE_SNAPSHOTS=1` they are written
//! again.
#![allow(dead_code, clippy::unwrap_used)]

use std::path::Path;

/// Writes a file of the repository, by its path, if snapshots are updated. Returns `true` if they are.
pub(crate) fn update_snapshot(path: &str, text: &str) -> bool {
    let is_update = std::env::var_os("UPDATE_SNAPSHOTS").is_some();
    if is_update {
        std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(path), text).unwrap();
    }
    is_update
}

/// Compares files of the repository, by their paths, with the texts that a test makes. Panics with all differences.
pub(crate) fn check_snapshots(texts: impl IntoIterator<Item = (String, String)>) {
    let mut differences = String::new();
    for (path, text) in texts {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(&path);
        let old = std::fs::read_to_string(file).unwrap_or_default();
        if !update_snapshot(&path, &text) && old != text {
            differences += &format!("{path}{}\n", difference(&old, &text));
        }
    }
    assert!(differences.is_empty(), "{differences}(UPDATE_SNAPSHOTS=1 writes the files again)");
}

/// Returns the lines from the first to the last that differs, of both texts.
pub(crate) fn difference(old: &str, new: &str) -> String {
    let [mut old, mut new] = [old, new].map(|text| text.split('\n').collect::<Vec<_>>());
    let first = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    while old.len().min(new.len()) > first && old.last() == new.last() {
        old.pop();
        new.pop();
    }
    let [old, new] = [old, new].map(|lines| lines[first..].join("\n"));
    format!(":{}\n--- as it was\n{old}\n--- as it is\n{new}", first + 1)
}
