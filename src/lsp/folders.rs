//! The rule files and scripts in the folders that an editor has open.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::files::{FileKind, read_text};
use crate::loader::plain_path;
use crate::script::ENDING;

/// The most files that are read, and the most folders that are nested.
const MOST_FILES: usize = 2_000;
const DEEPEST: usize = 8;

/// Reads the files in some folders, by their paths. Files that can't be read are left out.
pub(super) fn texts_in(folders: &[PathBuf]) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    let mut open: Vec<(PathBuf, usize)> = folders.iter().map(|folder| (folder.clone(), 0)).collect();
    while let Some((folder, depth)) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
            if kind.is_dir() && depth < DEEPEST && !is_skipped(&path) {
                open.push((path, depth + 1));
            } else if kind.is_file()
                && let Some(kind) = kind_of(&path)
                && texts.len() < MOST_FILES
                && let Ok(text) = read_text(&path, kind)
            {
                texts.insert(plain_path(&path).display().to_string(), text);
            }
        }
    }
    texts
}

fn kind_of(path: &Path) -> Option<FileKind> {
    let name = path.file_name()?.to_str()?;
    match name.ends_with(".rules") {
        true => Some(FileKind::Rules),
        false => name.ends_with(ENDING).then_some(FileKind::Script),
    }
}

/// Folders that hold what programs made.
fn is_skipped(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
    name.starts_with('.') || matches!(name, "target" | "node_modules")
}
