//! Renaming: all places of a name get another, or the reason why they can't.

use std::collections::BTreeSet;

use super::checked_file::{CheckedItem, SharedFile};
use super::names::{FoundName, same_name};
use super::workspace::is_bundled;
use super::{TextChange, TextPlace, Workspace};
use houserule_check::DefinitionKind;
use houserule_language::diagnostic::Severity;
use houserule_language::vocabulary::{BuiltInName, keywords};

impl Workspace {
    /// The name around a byte, if it can be renamed. Otherwise the reason why not.
    pub fn renamable(&mut self, file: &str, byte: usize) -> Result<TextPlace, String> {
        let (found, _) = self.name_to_change(file, byte)?;
        Ok(found.place)
    }

    /// The changes that rename the name around a byte in all files. Otherwise the reason why not.
    pub fn rename(&mut self, file: &str, byte: usize, new: &str) -> Result<Vec<TextChange>, String> {
        let (found, places) = self.name_to_change(file, byte)?;
        let old = &found.definition.name;
        if new == old {
            return Ok(vec![]);
        }
        may_be_name(new, found.definition.kind)?;
        let changes: Vec<TextChange> =
            places.into_iter().map(|place| TextChange { place, text: new.to_owned() }).collect();
        let mut after = self.after(&changes);
        for before in self.checked_with_all(file) {
            let Some(again) = after.check(&before.name) else { continue };
            if let Some(reason) = difference(&before, &again, old, new) {
                return Err(reason);
            }
        }
        Ok(changes)
    }

    /// The name around a byte and all its places.
    fn name_to_change(
        &mut self,
        file: &str,
        byte: usize,
    ) -> Result<(FoundName, BTreeSet<TextPlace>), String> {
        let Some(found) = self.names_at(file, byte).into_iter().next() else {
            return Err("there is no name here".to_owned());
        };
        let name = &found.definition.name;
        if found.defined.is_none() {
            return Err(format!("`{name}` is a word of the language and can't be renamed"));
        }
        let all = self.checked_with_all(file);
        let broken = |item: &CheckedItem| {
            !item.faults.is_empty() || item.diagnostics.iter().any(|one| one.severity == Severity::Error)
        };
        if all.iter().flat_map(|checked| &checked.items).any(broken)
            || found.definition.kind == DefinitionKind::Broken
        {
            return Err(
                "the rules have errors; fix them first, so that all uses of the name are known".to_owned()
            );
        }
        let places = same_name(&all, found.place.clone());
        if let Some(place) = places.iter().find(|place| is_bundled(&place.file)) {
            return Err(format!(
                "`{name}` is a name of `{0}`, which is bundled with the program and can't be changed; \
                 `houserule new FILE --like {0}` writes a copy of a game",
                place.file
            ));
        }
        if let Some(place) = places.iter().find(|place| self.text(&place.file).is_none()) {
            return Err(format!("`{name}` is also a name in `{}`; open that file too", place.file));
        }
        Ok((found, places))
    }
}

/// Returns the reason why a word can't be a name.
fn may_be_name(word: &str, kind: DefinitionKind) -> Result<(), String> {
    let letters = word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if !letters || !word.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return Err(format!(
            "`{word}` is no name: a name begins with a letter, and has letters from a to z, digits and `_`"
        ));
    }
    // A part of the rules may be called by a keyword: `step roll`.
    use DefinitionKind as K;
    if matches!(kind, K::Step | K::Choice | K::Option | K::Setup | K::End | K::ScoreItem) {
        return Ok(());
    }
    if keywords::is_refused(word) {
        return Err(format!("`{word}` is a keyword and can't be a name"));
    }
    if BuiltInName::named(word).is_some() {
        return Err(format!("`{word}` is a word of the language and can't be a name"));
    }
    let faces = word.strip_prefix('d').unwrap_or("");
    if !faces.is_empty() && faces.bytes().all(|b| b.is_ascii_digit()) {
        return Err(format!("`{word}` means a die and can't be a name"));
    }
    Ok(())
}

/// Returns the reason why a renamed file is not what it was. Its names come in the same order, so they can be compared
/// one by one.
fn difference(before: &SharedFile, after: &SharedFile, old: &str, new: &str) -> Option<String> {
    for (before, after) in before.items.iter().zip(&after.items) {
        let codes = |item: &CheckedItem| item.diagnostics.iter().map(|one| one.code).collect::<Vec<_>>();
        let error = after.diagnostics.iter().find(|one| one.severity == Severity::Error);
        if let Some(reason) = error.map(|one| &one.message).or(after.faults.first()) {
            return Some(format!("`{old}` can't be called `{new}`: {reason}"));
        }
        let kinds =
            |item: &CheckedItem| item.names.definitions.iter().map(|one| one.kind).collect::<Vec<_>>();
        let uses = |item: &CheckedItem| item.names.uses.iter().map(|one| one.definition).collect::<Vec<_>>();
        if codes(before) != codes(after) || kinds(before) != kinds(after) || uses(before) != uses(after) {
            return Some(format!(
                "`{old}` can't be called `{new}`: that already means something else in these rules"
            ));
        }
    }
    None
}
