//! The answers about one text: what is found in it, and about a place in it.

use std::collections::HashMap;
use std::fmt::Debug;

use super::units::Units;
use super::{RuleTexts, params, paths};
use crate::service::{
    CompletionKind, MessageFix, OutlineEntry, TextMessage, TextPlace, Workspace, bundled_text,
};
use crate::workbench::{
    CompletionTold, FixTold, HintTold, MessageTold, OutlineTold, ParamTold, PlaceTold, RelatedTold, Tell,
};
use houserule_game::Game;
use houserule_language::diagnostic::{Severity, printable};
use houserule_language::syntax::{Item, RuleFile};

impl RuleTexts {
    /// The messages of an open text. `fixing` says that they are told again with their fixes.
    pub(super) fn messages(&mut self, file: &str, fixing: bool) -> Option<Tell> {
        let path = paths::path_of(&self.folder, file)?;
        let version = self.workspace.version(file)?;
        let units = Units::from_text(&self.workspace.text(file)?);
        let messages = self.workspace.messages(file);
        let messages = messages.iter().map(|one| self.message(file, one, &units)).collect();
        let tree = self.workspace.tree(file).unwrap_or_default();
        let (title, of) = match tree.items.last() {
            Some(Item::Game(game)) => (game.title.text.clone(), None),
            Some(Item::Variant(variant)) => (variant.title.text.clone(), Some(&variant.of.text)),
            None => (path.rsplit('/').next().unwrap_or(&path).to_owned(), None),
        };
        let of = of.and_then(|of| paths::base_path(&self.folder, file, &tree, of));
        Some(Tell::Messages { path, version, title, of, messages, fixing })
    }

    /// What is found in an open text besides messages.
    pub(super) fn facts(&mut self, file: &str) -> Option<Tell> {
        let path = paths::path_of(&self.folder, file)?;
        let version = self.workspace.version(file)?;
        let text = self.workspace.text(file)?;
        let units = Units::from_text(&text);
        let mut classes = HashMap::new();
        let token = |one: &crate::service::TokenSpan| {
            let flags = u8::from(one.defines) + 2 * u8::from(one.built_in);
            let class = classes.entry(one.class).or_insert_with(|| kebab(one.class)).clone();
            (units.at(one.start), units.at(one.end), class, flags)
        };
        let tokens = self.workspace.tokens(file).iter().map(token).collect();
        let hint =
            |hint: &crate::service::TypeHint| HintTold { at: units.at(hint.byte), text: hint.text.clone() };
        let hints = self.workspace.type_hints(file, 0..text.len() + 1).iter().map(hint).collect();
        let folds = self.workspace.folds(file).into_iter().map(|(bytes, _)| units.range(bytes)).collect();
        let outline = outline(&self.workspace.outline(file), &units);
        let tree = self.workspace.tree(file).unwrap_or_default();
        let params = self.params(file, &path, &text, &tree);
        Some(Tell::Facts { path, version, tokens, params, outline, hints, folds })
    }

    fn message(&self, file: &str, one: &TextMessage, units: &Units) -> MessageTold {
        let (from, to) = units.range(one.place.range());
        let related = one.related.iter().filter_map(|(place, label)| {
            let PlaceTold { path, from, to } = self.place(place)?;
            Some(RelatedTold { path, from, to, label: label.clone() })
        });
        let fixes = self.fixes.get(file).into_iter().flatten().filter(|fix| fix.message == *one);
        let fix = |fix: &MessageFix| FixTold { title: fix.title.clone(), edits: self.edits(&fix.changes) };
        MessageTold {
            severity: match one.severity {
                Severity::Error => "error".to_owned(),
                Severity::Warning => "warning".to_owned(),
            },
            code: one.code.map(|code| code.as_str().to_owned()),
            from,
            to,
            message: printable(&one.message).into_owned(),
            label: printable(&one.label).into_owned(),
            notes: one.notes.clone(),
            help: one.help.clone(),
            words: one.words(),
            related: related.collect(),
            fixes: fixes.map(fix).collect(),
        }
    }

    /// The params of a text, or while it has errors those that it had without.
    fn params(&mut self, file: &str, path: &str, text: &str, tree: &RuleFile) -> Vec<ParamTold> {
        if let Some(game) = self.workspace.game(file) {
            self.good.insert(file.to_owned(), game);
        }
        let Some(game) = self.good.get(file).cloned() else { return vec![] };
        let base = self.base(&game);
        let path = bundled_text(file).is_none().then_some(path);
        params::changeable_params(&game, base.as_ref(), path, text, tree)
    }

    /// The game that a variant changes.
    pub(super) fn base(&mut self, game: &Game) -> Option<Game> {
        let names = &game.sheet().names;
        let name = &names[names.len().checked_sub(2)?];
        match self.workspace.text(name) {
            Some(_) => self.workspace.game(name),
            None => self.workspace.load(name, &[], None).ok().map(|loaded| loaded.game),
        }
    }

    /// The game that a variant changes, for a number of players.
    pub(in crate::workbench) fn base_for(&self, game: &Game, players: Option<u32>) -> Option<Game> {
        let names = &game.sheet().names;
        let name = &names[names.len().checked_sub(2)?];
        self.workspace.load(name, &[], players).ok().map(|loaded| loaded.game)
    }

    pub(super) fn hover(&mut self, id: u64, path: &str, at: usize) -> Result<Tell, String> {
        let (file, text) = self.open_text(path)?;
        let units = Units::from_text(&text);
        let found = self.workspace.hover(&file, units.byte(at));
        let range = found.as_ref().map(|found| units.range(found.place.range()));
        let (code, help) = found.map(|found| (found.code, found.help)).unzip();
        Ok(Tell::Hovered { id, from: range.map(|(from, _)| from), to: range.map(|(_, to)| to), code, help })
    }

    pub(super) fn complete(&mut self, id: u64, path: &str, at: usize) -> Result<Tell, String> {
        let (file, text) = self.open_text(path)?;
        let units = Units::from_text(&text);
        let items = self.workspace.complete(&file, units.byte(at));
        let item = |item: crate::service::CompletionItem| {
            let (from, to) = units.range(item.place.range());
            let kind = match item.kind {
                CompletionKind::Name(kind) => kebab(kind),
                kind => kebab(kind),
            };
            CompletionTold { word: item.word, kind, detail: item.detail, help: item.help, from, to }
        };
        Ok(Tell::Completions { id, items: items.into_iter().map(item).collect() })
    }

    pub(super) fn places(
        &mut self,
        id: u64,
        path: &str,
        at: usize,
        find: impl FnOnce(&mut Workspace, &str, usize) -> Vec<TextPlace>,
    ) -> Result<Tell, String> {
        let (file, text) = self.open_text(path)?;
        let found = find(&mut self.workspace, &file, Units::from_text(&text).byte(at));
        Ok(Tell::Places { id, places: found.iter().filter_map(|place| self.place(place)).collect() })
    }

    pub(super) fn rename(&mut self, id: u64, path: &str, at: usize, new: &str) -> Result<Tell, String> {
        let (file, text) = self.open_text(path)?;
        let changes = self.workspace.rename(&file, Units::from_text(&text).byte(at), new)?;
        Ok(Tell::Edits { id, edits: self.edits(&changes) })
    }

    pub(super) fn format(&mut self, id: u64, path: &str) -> Result<Tell, String> {
        let (file, _) = self.open_text(path)?;
        let changes = self.workspace.format(&file)?;
        Ok(Tell::Edits { id, edits: self.edits(&changes) })
    }
}

fn outline(entries: &[OutlineEntry], units: &Units) -> Vec<OutlineTold> {
    let told = |entry: &OutlineEntry| {
        let ((from, to), (name_from, name_to)) =
            (units.range(entry.range.clone()), units.range(entry.name_range.clone()));
        OutlineTold {
            name: entry.name.clone(),
            detail: entry.detail.clone(),
            kind: kebab(entry.kind),
            from,
            to,
            name_from,
            name_to,
            children: outline(&entry.children, units),
        }
    };
    entries.iter().map(told).collect()
}

/// The name of a variant without fields, in words with hyphens.
fn kebab(variant: impl Debug) -> String {
    let mut word = String::new();
    for c in format!("{variant:?}").chars() {
        if c.is_ascii_uppercase() && !word.is_empty() {
            word.push('-');
        }
        word.push(c.to_ascii_lowercase());
    }
    word
}
