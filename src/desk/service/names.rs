//! Where names are defined and used, over all files that stand on each other.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::checked_file::{CheckedItem, SharedFile};
use super::workspace::is_script;
use super::{TextPlace, Workspace};
use houserule_check::{Definition, DefinitionKind};
use houserule_language::syntax;
use houserule_loader::bundled;

/// A name at a place, and what it stands for.
#[derive(Clone, Debug)]
pub(super) struct FoundName {
    pub(super) place: TextPlace,
    pub(super) definition: Definition,
    /// The place of the definition's name. `None` for what is built into the language.
    pub(super) defined: Option<TextPlace>,
}

/// The definitions that a name at exactly this place stands for, as indices.
fn meanings(item: &CheckedItem, place: &TextPlace) -> Vec<usize> {
    let Some(span) = item.span(place) else { return vec![] };
    let uses = &item.names.uses;
    let first = uses.partition_point(|one| one.span < span);
    let used = uses[first..].iter().take_while(|one| one.span == span).map(|one| one.definition);
    let defined = item.names.definitions.iter().position(|one| one.span == Some(span));
    used.chain(defined).collect()
}

impl Workspace {
    /// The names around a byte of a file, each meaning once. A define's name can have several.
    pub(super) fn names_at(&mut self, file: &str, byte: usize) -> Vec<FoundName> {
        let mut found: Vec<FoundName> = vec![];
        let all = match is_script(file) {
            true => self.checked_with(file),
            false => self.check(file).into_iter().collect(),
        };
        for item in all.iter().flat_map(|checked| &checked.items) {
            let Some(id) = item.file(file) else { continue };
            let names = &item.names;
            let definitions = names.definitions.iter().filter_map(|one| one.span);
            let spans = names.uses.iter().map(|one| one.span).chain(definitions);
            let around =
                spans.filter(|span| span.file == id && (span.start..=span.end).contains(&(byte as u32)));
            // If a name contains another, as the name of a hook contains that of an option, the shorter one counts.
            let Some(span) = around.min_by_key(|span| (span.end - span.start, span.start)) else { continue };
            let place = item.place(span);
            for at in meanings(item, &place) {
                let definition = names.definitions[at].clone();
                let defined = definition.span.map(|span| item.place(span));
                let same = |one: &FoundName| {
                    one.defined == defined && one.definition.name == definition.name
                        || defined.as_ref() == Some(&one.place)
                };
                if !found.iter().any(same) {
                    found.push(FoundName { place: place.clone(), definition, defined });
                }
            }
        }
        found
    }

    /// Where the name around a byte is defined. For the text after `of`, that is what the variant changes.
    pub fn definitions(&mut self, file: &str, byte: usize) -> Vec<TextPlace> {
        if let Some(base) = self.base_at(file, byte) {
            return vec![base];
        }
        self.names_at(file, byte).into_iter().filter_map(|found| found.defined).collect()
    }

    /// All places of the name around a byte, in all files: where it is defined and where it is used.
    pub fn references(&mut self, file: &str, byte: usize) -> Vec<TextPlace> {
        let Some(found) = self.names_at(file, byte).into_iter().next() else { return vec![] };
        if found.defined.is_none() {
            return self.places_of_built_in(file, &found.definition);
        }
        let all = self.checked_with_all(file);
        same_name(&all, found.place).into_iter().collect()
    }

    /// All files that share names with a file: that stand on it, or on what it stands on.
    pub(super) fn checked_with_all(&mut self, file: &str) -> Vec<SharedFile> {
        let mut all = self.checked_with(file);
        let below: BTreeSet<String> = all.iter().flat_map(|checked| checked.files.iter().cloned()).collect();
        for other in below {
            for more in self.checked_with(&other) {
                if !all.iter().any(|known| Arc::ptr_eq(known, &more)) {
                    all.push(more);
                }
            }
        }
        all
    }

    fn places_of_built_in(&mut self, file: &str, definition: &Definition) -> Vec<TextPlace> {
        let Some(checked) = self.check(file) else { return vec![] };
        let mut places = BTreeSet::new();
        for item in &checked.items {
            let all = item.names.definitions.iter().enumerate();
            for (at, _) in all.filter(|(_, one)| *one == definition) {
                places.extend(item.names.places(at).map(|span| item.place(span)));
            }
        }
        places.retain(|place| place.file == file);
        places.into_iter().collect()
    }

    /// The title of the game or variant that the text after `of` around a byte names.
    fn base_at(&mut self, file: &str, byte: usize) -> Option<TextPlace> {
        let tree = self.tree(file)?;
        let inside =
            |span: houserule_language::diagnostic::Span| (span.start..=span.end).contains(&(byte as u32));
        let of = tree.items.iter().find_map(|item| match item {
            syntax::Item::Variant(variant) if inside(variant.of.span) => Some(&variant.of.text),
            _ => None,
        })?;
        let title = |item: &syntax::Item| match item {
            syntax::Item::Game(game) => game.title.clone(),
            syntax::Item::Variant(variant) => variant.title.clone(),
        };
        let place = |file: &str, title: syntax::Name| {
            TextPlace::new(file, title.span.start as usize..title.span.end as usize)
        };
        let (name, wanted) =
            of.split_once('#').map_or((of.as_str(), None), |(name, title)| (name, Some(title)));
        if bundled::find(name).is_none()
            && let Some(own) = tree.items.iter().map(title).find(|title| title.text == *of)
        {
            return Some(place(file, own));
        }
        let checked = self.check(file)?;
        let base = match bundled::find(name) {
            Some(bundled) => bundled.name.to_owned(),
            None => {
                let folder = std::path::Path::new(file).parent()?;
                houserule_loader::plain_path(&folder.join(name)).display().to_string()
            }
        };
        let read = checked.items.iter().find_map(|item| Some(&item.sources.get(item.file(&base)?).text))?;
        let tree = syntax::parse(houserule_language::diagnostic::FileId(0), read).0;
        let mut titles = tree.items.iter().map(title);
        let found = match wanted {
            Some(wanted) => titles.find(|title| title.text == wanted.trim()),
            None => titles.next_back(),
        };
        Some(place(&base, found?))
    }
}

/// All places that name the same thing as the name at `from`, in checked files that share names.
pub(super) fn same_name(all: &[SharedFile], from: TextPlace) -> BTreeSet<TextPlace> {
    let (mut found, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(place) = open.pop() {
        if !found.insert(place.clone()) {
            continue;
        }
        for item in all.iter().flat_map(|checked| &checked.items) {
            for at in meanings(item, &place) {
                open.extend(item.names.places(at).map(|span| item.place(span)));
            }
        }
    }
    found
}

/// Returns `true` for a kind of thing whose name is in scope in the whole of the rules.
pub(super) fn is_global(kind: DefinitionKind) -> bool {
    !matches!(kind, DefinitionKind::Local | DefinitionKind::Parameter | DefinitionKind::ScriptFunction)
}
