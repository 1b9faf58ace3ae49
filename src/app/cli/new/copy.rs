//! A bundled game under a new title, to be changed in any way.

use crate::terminal::{CliError, Terminal};
use houserule_language::diagnostic::{FileId, did_you_mean};
use houserule_language::syntax::{Item, parse};
use houserule_loader::bundled;
use houserule_loader::{CatalogueEntry, catalogue};

/// Returns the rules of the game called `like`, or of the game that stands for the family called `like`, under a title. No
/// bundled game needs a script; only variants have some.
pub(super) fn copy(like: &str, title: &str, terminal: &mut Terminal<'_>) -> Result<String, CliError> {
    let entries = catalogue();
    let name = match entries.iter().find(|entry| entry.name == like) {
        Some(entry) if entry.of.is_none() => entry.name,
        Some(entry) => {
            let of = entry.of.as_deref().unwrap_or_default();
            let message = format!("`{like}` is a variant of `{of}`; write `--like {of}`, or `--from {like}`");
            return Err(CliError::Command(message));
        }
        None => example(like, &entries, terminal)?,
    };
    let missing = || CliError::Rules(format!("`{name}` has no rules to copy"));
    let file = bundled::find(name).ok_or_else(missing)?;
    let (parsed, _) = parse(FileId(0), file.text);
    let Some(Item::Game(rules)) = parsed.items.last() else { return Err(missing()) };
    let place = if file.folder.is_empty() { String::new() } else { format!("{}/", file.folder) };
    let origin = format!("// Begun as a copy of \"{}\", rules/{place}{name}.rules.\n", rules.title.text);
    let span = rules.title.span;
    let (before, after) = (&file.text[..span.start as usize], &file.text[span.end as usize..]);
    Ok(format!("{origin}{before}\"{title}\"{after}"))
}

/// Returns the name of the game that stands for a family: the shortest one in which players choose.
fn example(
    family: &str,
    entries: &[CatalogueEntry],
    terminal: &mut Terminal<'_>,
) -> Result<&'static str, CliError> {
    let games = || entries.iter().filter(|entry| entry.of.is_none());
    let mut names: Vec<&'static str> =
        games().filter(|entry| entry.family == family).map(|entry| entry.name).collect();
    names.sort_by_key(|name| bundled::find(name).map(|file| file.text.len()));
    for name in names {
        let game = terminal.load(name, &[], None)?.game;
        if !game.model().choices.is_empty() {
            return Ok(name);
        }
    }
    let mut families: Vec<&str> = games().map(|entry| entry.family).collect();
    families.dedup();
    let known = families.iter().copied().chain(games().map(|entry| entry.name));
    let meant = did_you_mean(family, known).map(|name| format!("; did you mean `{name}`?"));
    Err(CliError::Command(format!(
        "no family and no game is called `{family}`{} The families are {} (`houserule list` shows their games)",
        meant.as_deref().unwrap_or("."),
        families.join(", ")
    )))
}
