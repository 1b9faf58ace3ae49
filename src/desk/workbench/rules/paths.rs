//! Paths as the page writes them, and the files of the service.

use std::path::{Component, Path, PathBuf};

use crate::service::bundled_text;
use crate::workbench::{FileHolds, FileTold};
use houserule_base::files::{RULES_ENDING, SCRIPT_ENDING};
use houserule_language::diagnostic::FileId;
use houserule_language::syntax::{Item, RuleFile, parse};
use houserule_loader::bundled;
use houserule_loader::{CatalogueEntry, catalogue, plain_path};

/// The folder of the bundled files in paths.
const BUNDLED: &str = "bundled/";

/// Returns the path of a bundled file, or of a file in a folder. Returns `None` for a file outside of it.
pub fn path_of(folder: &Path, file: &str) -> Option<String> {
    if bundled_text(file).is_some() {
        return Some(format!("{BUNDLED}{file}"));
    }
    let inside = Path::new(file).strip_prefix(folder).ok()?;
    let parts: Option<Vec<&str>> = inside.components().map(|part| part.as_os_str().to_str()).collect();
    Some(parts?.join("/"))
}

/// Returns the name of the bundled file that a path names.
pub fn bundled_name(path: &str) -> Option<&str> {
    path.strip_prefix(BUNDLED).filter(|name| bundled_text(name).is_some())
}

/// Returns the file of a path: the name of a bundled file, or a path in the folder. Returns the reason why it is none.
pub fn file_of(folder: &Path, path: &str) -> Result<String, String> {
    if let Some(name) = bundled_name(path) {
        return Ok(name.to_owned());
    }
    if path.starts_with(BUNDLED) {
        return Err(format!("no file is called `{path}`"));
    }
    Ok(plain_path(&folder.join(relative(path)?)).display().to_string())
}

/// Returns a path as one that leads to a rule file or script and never out of the folder, as far as names tell.
/// Returns the reason why it isn't one.
pub fn relative(path: &str) -> Result<PathBuf, String> {
    let parsed = inside(path)?;
    match path.ends_with(RULES_ENDING) || path.ends_with(SCRIPT_ENDING) {
        true => Ok(parsed),
        false => {
            refused(path, "is neither a rule file nor a script: their names end in `.rules` and `.rhai`")
        }
    }
}

fn refused<T>(path: &str, why: &str) -> Result<T, String> {
    Err(format!("`{}` {why}", path.escape_debug()))
}

/// Returns a path as one that never leads out of the folder, as far as names tell. Returns the reason why it isn't one.
pub fn inside(path: &str) -> Result<PathBuf, String> {
    if path.contains(['\\', ':']) || path.chars().any(char::is_control) {
        return refused(path, "is no path: write names with `/` between them");
    }
    let parsed = Path::new(path);
    let plain = |part| matches!(part, Component::Normal(name) if !name.to_string_lossy().starts_with('.'));
    // An empty part, or one of dots, would be left out of the components.
    let parts = path.split('/');
    if !parts.clone().all(|part| !part.is_empty() && !part.starts_with('.'))
        || !parsed.components().all(plain)
    {
        return refused(path, "is outside of the folder, or hidden");
    }
    Ok(parsed.to_owned())
}

/// What a rule file or script is, by its text.
pub fn file_told(folder: &Path, file: &str, text: &str) -> Option<FileTold> {
    let path = path_of(folder, file)?;
    let read_only = path.starts_with(BUNDLED);
    let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
    let tree = match file.ends_with(SCRIPT_ENDING) {
        true => RuleFile::default(),
        false => parse(FileId(0), text).0,
    };
    let told = |title: String, kind, of| {
        let family = family(read_only.then_some(file), of);
        let of = of.and_then(|of| base_path(folder, file, &tree, of));
        FileTold { path: path.clone(), title, kind, of, family, read_only }
    };
    if file.ends_with(SCRIPT_ENDING) {
        return Some(told(name, FileHolds::Script, None));
    }
    Some(match tree.items.last() {
        Some(Item::Game(game)) => told(game.title.text.clone(), FileHolds::Game, None),
        Some(Item::Variant(variant)) => {
            told(variant.title.text.clone(), FileHolds::Variant, Some(&variant.of.text))
        }
        None => told(name, FileHolds::Broken, None),
    })
}

/// The bundled games and variants.
pub fn bundled_files() -> Vec<FileTold> {
    let told = |entry: &CatalogueEntry| FileTold {
        path: format!("{BUNDLED}{}", entry.name),
        title: entry.title.clone(),
        kind: if entry.of.is_some() { FileHolds::Variant } else { FileHolds::Game },
        of: entry.of.as_deref().and_then(|of| base_path(Path::new(""), entry.name, &RuleFile::default(), of)),
        family: Some(entry.family.to_owned()),
        read_only: true,
    };
    catalogue().iter().map(told).collect()
}

/// The family of a bundled file, or of the bundled game that is changed.
fn family(bundled: Option<&str>, of: Option<&str>) -> Option<String> {
    let name = bundled.or(of)?;
    catalogue().iter().find(|entry| entry.name == name).map(|entry| entry.family.to_owned())
}

/// The path of what the text after `of` names in a file.
pub(super) fn base_path(folder: &Path, file: &str, tree: &RuleFile, of: &str) -> Option<String> {
    let name = match of.rsplit_once(".rules#") {
        Some((name, _)) => format!("{name}.rules"),
        None => of.to_owned(),
    };
    if bundled::find(&name).is_some() {
        return Some(format!("{BUNDLED}{name}"));
    }
    if name.ends_with(RULES_ENDING) || name.contains('/') {
        let beside = Path::new(file).parent()?.join(name);
        return path_of(folder, &plain_path(&beside).display().to_string());
    }
    let title = |item: &Item| match item {
        Item::Game(game) => game.title.text == name,
        Item::Variant(variant) => variant.title.text == name,
    };
    tree.items.iter().any(title).then(|| path_of(folder, file))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_in_the_folder() {
        for good in ["a.rules", "a/b c/♣.rules", "x.rhai", "a..b.rules", "bundled/dilido"] {
            let file = file_of(Path::new("/f"), good).expect(good);
            assert_eq!(path_of(Path::new("/f"), &file).as_deref(), Some(good));
        }
        let bad = [
            "",
            "/etc/x.rules",
            "../x.rules",
            "a/../x.rules",
            "a/../../x.rules",
            "./a.rules",
            "a//b.rules",
            "..",
            "c:x.rules",
            "a\\..\\b.rules",
            "a\0.rules",
            "a\n.rules",
            ".hidden.rules",
            ".git/x.rules",
            "a/",
            "a",
            "a.txt",
            "a.rules/",
            "bundled/../x.rules",
            "bundled/none",
            "bundled/",
            "%2e%2e/x",
            "~/x",
        ];
        for bad in bad {
            assert!(file_of(Path::new("/f"), bad).is_err(), "{bad:?}");
        }
        assert_eq!(path_of(Path::new("/f"), "/g/a.rules"), None);
        assert_eq!(path_of(Path::new("/f"), "/fg/a.rules"), None);
    }

    #[test]
    fn a_file_tells_what_it_is() {
        let told = |file: &str, text: &str| file_told(Path::new("/f"), file, text).expect("a path inside");
        let game = "game \"A\" {}\n";
        assert_eq!(
            (told("/f/a.rules", game).kind, told("/f/a.rules", "gam").kind),
            (FileHolds::Game, FileHolds::Broken)
        );
        let of = |of: &str| told("/f/x/b.rules", &format!("{game}variant \"B\" of \"{of}\" {{}}"));
        assert_eq!(of("dilido").of.as_deref(), Some("bundled/dilido"));
        assert_eq!(of("dilido").family, told("dilido", "").family);
        assert_eq!(of("../a.rules#A").of.as_deref(), Some("a.rules"));
        assert_eq!(
            (of("A").of.as_deref(), of("../../a.rules").of, of("Q").of),
            (Some("x/b.rules"), None, None)
        );
        assert_eq!(told("/f/s.rhai", "").title, "s.rhai");
    }
}
