//! The rule files and scripts in folders.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::plain_path;
use houserule_base::files::{FileKind, RULES_ENDING, SCRIPT_ENDING, read_text};

/// The most files of the folders, and the most entries that are looked at.
const MOST_FILES: usize = 2_000;
const MOST_ENTRIES: usize = 20_000;

/// The most bytes of all texts together. Files beyond it are left out.
const MOST_BYTES: usize = 32 << 20;

/// The depth to which folders in folders are looked at.
pub const DEEPEST: usize = 8;

/// Returns the paths of the files in some folders, and in the folders in them up to a depth. Symbolic links are left
/// out, as are hidden folders and those that programs fill.
pub fn files_in(folders: &[PathBuf], deepest: usize) -> Vec<PathBuf> {
    let (mut files, mut entries) = (vec![], 0);
    let mut open: Vec<(PathBuf, usize)> = folders.iter().map(|folder| (folder.clone(), 0)).collect();
    while let Some((folder, depth)) = open.pop() {
        let Ok(found) = std::fs::read_dir(&folder) else { continue };
        for entry in found.flatten() {
            entries += 1;
            if files.len() == MOST_FILES || entries > MOST_ENTRIES {
                return files;
            }
            let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
            if kind.is_dir() && depth < deepest && !is_skipped(&path) {
                open.push((path, depth + 1));
            } else if kind.is_file() && kind_of(&path).is_some() {
                files.push(plain_path(&path));
            }
        }
    }
    files
}

/// Reads files, by their paths. Files that can't be read are left out.
pub fn texts_of(files: &[PathBuf]) -> BTreeMap<String, Arc<str>> {
    let (mut texts, mut bytes) = (BTreeMap::new(), 0);
    for path in files {
        if let Some(kind) = kind_of(path)
            && let Ok(text) = read_text(path, kind)
            && bytes + text.len() <= MOST_BYTES
        {
            bytes += text.len();
            texts.insert(path.display().to_string(), text.into());
        }
    }
    texts
}

/// The kind of a rule file or script, by its name.
pub fn kind_of(path: &Path) -> Option<FileKind> {
    let name = path.file_name()?.to_str()?;
    match name.ends_with(RULES_ENDING) {
        true => Some(FileKind::Rules),
        false => name.ends_with(SCRIPT_ENDING).then_some(FileKind::Script),
    }
}

/// Folders that hold what programs made.
fn is_skipped(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
    name.starts_with('.') || matches!(name, "target" | "node_modules")
}
