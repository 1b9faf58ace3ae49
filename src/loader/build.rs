//! Lists the rule files and scripts that come with the program; `bundled.rs` includes the lists.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The folder of all rule files.
const RULES: &str = "../../rules";

fn main() -> io::Result<()> {
    // Of a folder this means all that is in it.
    println!("cargo::rerun-if-changed={RULES}");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let rules = files(Path::new(RULES), "rules")?;
    fs::write(out.join("bundled.rs"), list(&rules, |path| path.file_stem()))?;
    let scripts = files(Path::new(RULES), "rhai")?;
    fs::write(out.join("scripts.rs"), list(&scripts, |path| path.file_name()))
}

/// The files as a list in Rust, each with its name, its folder in `rules` and its text.
fn list(files: &[PathBuf], name: fn(&Path) -> Option<&OsStr>) -> String {
    let entries = files.iter().map(|path| {
        let name = name(path).unwrap_or_default().to_string_lossy();
        let folder =
            path.parent().and_then(|folder| folder.strip_prefix(RULES).ok()).unwrap_or(Path::new(""));
        let folder = folder.to_string_lossy();
        let from_root = format!("/{}", path.display());
        let text = format!("include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {from_root:?}))");
        format!("Bundled {{ name: {name:?}, folder: {folder:?}, text: {text} }},\n")
    });
    format!("&[\n{}]\n", entries.collect::<String>())
}

/// The files of a folder that end so, by name, then those of each folder in it.
fn files(folder: &Path, ending: &str) -> io::Result<Vec<PathBuf>> {
    let entries: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    let (mut folders, mut found): (Vec<_>, Vec<_>) = entries.into_iter().partition(|path| path.is_dir());
    found.retain(|path| path.extension().is_some_and(|extension| extension == ending));
    found.sort_by(|a, b| a.file_stem().cmp(&b.file_stem()));
    folders.sort();
    for folder in folders {
        found.extend(files(&folder, ending)?);
    }
    Ok(found)
}
