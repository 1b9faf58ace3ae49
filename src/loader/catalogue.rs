//! The bundled games and variants, and the messages for unknown names.

use std::path::Path;
use std::sync::OnceLock;

use crate::bundled;
use houserule_base::files::RULES_ENDING;
use houserule_language::diagnostic::{FileId, did_you_mean};
use houserule_language::syntax::{Item, parse};

/// A bundled game or variant, as shown in lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogueEntry {
    /// The name under which it is loaded.
    pub name: &'static str,
    /// The title.
    pub title: String,
    /// A description of one or two sentences.
    pub help: String,
    /// The game it changes, if it is a variant.
    pub of: Option<String>,
    /// The family: the folder of the game in `rules`, or `house` for a game in `rules` itself. A variant has that of
    /// its game.
    pub family: &'static str,
}

/// The family of the games in `rules` itself, the house's own.
const HOUSE: &str = "house";

/// Returns all bundled games and variants.
pub fn catalogue() -> Vec<CatalogueEntry> {
    static READ: OnceLock<Vec<CatalogueEntry>> = OnceLock::new();
    READ.get_or_init(read_catalogue).clone()
}

fn read_catalogue() -> Vec<CatalogueEntry> {
    let entry = |file: &bundled::Bundled| {
        let (parsed, _) = parse(FileId(0), file.text);
        let (title, help, of) = match parsed.items.into_iter().next_back()? {
            Item::Game(game) => (game.title.text, game.help, None),
            Item::Variant(variant) => (variant.title.text, variant.help, Some(variant.of.text)),
        };
        Some(CatalogueEntry { name: file.name, title, help, of, family: file.folder })
    };
    let mut entries: Vec<CatalogueEntry> = bundled::ALL.iter().filter_map(entry).collect();
    let families: Vec<&'static str> = entries.iter().map(|entry| family(entry, &entries)).collect();
    for (entry, family) in entries.iter_mut().zip(families) {
        entry.family = family;
    }
    entries
}

/// Returns the folder of the game that `entry` is, or changes directly or through other variants.
fn family(entry: &CatalogueEntry, all: &[CatalogueEntry]) -> &'static str {
    let base = entry.of.as_deref().and_then(|of| all.iter().find(|other| other.name == of));
    match base {
        Some(base) => family(base, all),
        None if entry.family.is_empty() => HOUSE,
        None => entry.family,
    }
}

/// Returns the message for a path that is a folder, or lacks the ending or the capitals of a file that is there. `None` for
/// another one.
pub(super) fn misnamed(path: &Path) -> Option<String> {
    let name = path.display().to_string();
    let (folder, file) = (name.trim_end_matches('/'), format!("{name}{RULES_ENDING}"));
    if path.is_dir() {
        return Some(format!("`{name}` is a folder; name the rule files in it: `{folder}/*{RULES_ENDING}`"));
    }
    if path.extension().is_some() {
        let like = file_without_case(path).filter(|_| !path.exists())?;
        return Some(format!("there is no file `{name}`, but `{like}`: write its name so"));
    }
    if Path::new(&file).is_file() {
        return Some(format!(
            "no game is called `{name}`, but there is a file `{file}`: write its ending too"
        ));
    }
    let like = file_without_case(Path::new(&file))?;
    Some(format!("no game is called `{name}`, but there is a file `{like}`: write its name so"))
}

/// Returns the file whose name is that of a path but for capital letters.
fn file_without_case(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_str()?.to_lowercase();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let files = entries.flatten().filter(|entry| entry.path().is_file());
    let names = files.filter_map(|entry| entry.file_name().into_string().ok());
    let name = names.filter(|name| name.to_lowercase() == wanted).min()?;
    Some(folder.map_or_else(|| name.clone(), |folder| folder.join(&name).display().to_string()))
}

pub(super) fn unknown_game(name: &str) -> String {
    if let Some(message) = misnamed(Path::new(name)) {
        return message;
    }
    match did_you_mean(name, bundled::names()) {
        Some(meant) => {
            format!("no game is called `{name}`; did you mean `{meant}`? (a path ends in `.rules`)")
        }
        None => {
            let is_variant = |name: &str| {
                bundled::names().any(|game| name.strip_prefix(game).is_some_and(|rest| rest.starts_with('-')))
            };
            let games: Vec<&str> = bundled::names().filter(|name| !is_variant(name)).collect();
            format!(
                "no game is called `{name}`; there are {}, and their variants (`houserule list`); a path ends in \
                 `.rules`",
                games.join(", ")
            )
        }
    }
}

pub(super) fn unknown_part(name: &str, base: Option<&str>) -> String {
    let Some(base) = base else { return unknown_game(name) };
    if let Some(message) = misnamed(Path::new(name)) {
        return message;
    }
    let variants = || bundled::names().filter_map(|full| full.strip_prefix(base)?.strip_prefix('-'));
    match did_you_mean(name, variants()) {
        Some(meant) => format!("no variant of {base} is called `{name}`; did you mean `{meant}`?"),
        None => {
            let names: Vec<&str> = variants().collect();
            let there =
                if names.is_empty() { String::new() } else { format!("; there are {}", names.join(", ")) };
            format!("no variant of {base} is called `{name}`{there} (a path ends in `.rules`)")
        }
    }
}
