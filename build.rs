//! Lists the rule files that come with the program; `src/bundled.rs` includes the list.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    // Of a folder this means all that is in it.
    println!("cargo::rerun-if-changed=rules");
    let mut list = "&[\n".to_owned();
    for path in rule_files(Path::new("rules"))? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let from_root = format!("/{}", path.display());
        list += &format!(
            "Bundled {{ name: {name:?}, text: include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {from_root:?})) }},\n"
        );
    }
    list += "]\n";
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("bundled.rs"), list)
}

/// The rule files of a folder by name, then those of each folder in it.
fn rule_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    let (mut folders, mut files): (Vec<_>, Vec<_>) = entries.into_iter().partition(|path| path.is_dir());
    files.retain(|path| path.extension().is_some_and(|extension| extension == "rules"));
    files.sort_by(|a, b| a.file_stem().cmp(&b.file_stem()));
    folders.sort();
    for folder in folders {
        files.extend(rule_files(&folder)?);
    }
    Ok(files)
}
