//! House rules: how they differ from what they change, and new ones.

use std::path::Path;

use super::{RuleTexts, lines, params, paths};
use crate::service::NewVariant;
use crate::workbench::{AskedValues, Tell};
use houserule_game::Game;
use houserule_language::diagnostic::FileId;
use houserule_language::format::{format as laid_out, print};
use houserule_language::syntax::Item;
use houserule_page::prose::diff::diff;

impl RuleTexts {
    /// What a variant changes, with values for its params. A game differs from itself by the values alone.
    pub(super) fn diff(&mut self, id: u64, path: &str, set: &AskedValues) -> Result<Tell, String> {
        let game = self.game(path, &AskedValues::new(), None)?;
        let changed = if set.is_empty() { game.clone() } else { self.game(path, set, None)? };
        let base = self.base(&game);
        let of = base.as_ref().and_then(|base| {
            let name = base.sheet().names.last()?;
            let file = name.rsplit_once(".rules#").map_or(name.clone(), |(file, _)| format!("{file}.rules"));
            paths::path_of(&self.folder, &file)
        });
        let base = base.unwrap_or(game);
        let changes = diff(&base, &changed).iter().map(|one| one.text()).collect();
        let lines = lines::beside(&rules_of(&base), &rules_of(&changed));
        Ok(Tell::Differences { id, of, changes, lines })
    }

    /// The text of a new variant of a file, with values for its params.
    pub(super) fn house_rule(
        &mut self,
        id: u64,
        of: &str,
        title: &str,
        set: &AskedValues,
    ) -> Result<Tell, String> {
        if title.contains(['"', '\n', '\r']) || title.trim().is_empty() {
            return Err("a title must be one line of text, without `\"`, and not empty".to_owned());
        }
        let loaded = self.load(of, set, None)?;
        let names: Vec<String> =
            loaded.game.sheet().names.iter().map(|name| self.seen_from_folder(name)).collect();
        let name = format!("{}.rules", file_name(title));
        let settings = params::settings(set);
        let new = NewVariant { title, file: &name, of: &names, settings: &settings };
        let text = self.workspace.new_variant(&new, &loaded).map_err(|error| error.to_string())?;
        Ok(Tell::Drafted { id, name, text })
    }

    /// The name of a game as a file in the folder writes it after `of`.
    fn seen_from_folder(&self, name: &str) -> String {
        let (file, title) = match name.rsplit_once(".rules#") {
            Some((file, title)) => (format!("{file}.rules"), format!("#{title}")),
            None => (name.to_owned(), String::new()),
        };
        match Path::new(&file).strip_prefix(&self.folder) {
            Ok(inside) => format!("{}{title}", inside.display()),
            Err(_) => name.to_owned(),
        }
    }
}

/// The rules of a game with its variants merged in, in the standard layout. Its params have the values of now.
fn rules_of(game: &Game) -> String {
    let Some(tree) = &game.sheet().tree else { return String::new() };
    let text = print::item(&Item::Game((**tree).clone()));
    params::with_values(&laid_out(FileId(0), &text).unwrap_or(text), game)
}

/// A file name made of a title: `My own game` becomes `my-own-game`.
fn file_name(title: &str) -> String {
    let word = |c: char| if c.is_alphanumeric() { c } else { ' ' };
    let words = title.to_lowercase().chars().map(word).collect::<String>();
    let name = words.split_whitespace().collect::<Vec<_>>().join("-");
    if name.is_empty() { "house-rule".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_becomes_a_file_name() {
        assert_eq!(file_name("Di-Li-Do,  on a Torus!"), "di-li-do-on-a-torus");
        assert_eq!((file_name("♣"), file_name("../Ü")), ("house-rule".into(), "ü".into()));
    }
}
