//! The texts that are open in an editor, over the files that are not.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::checked_file::{SharedFile, check_file};
use super::{TextChange, apply_changes};
use houserule_base::files::SCRIPT_ENDING;
use houserule_game::Game;
use houserule_language::syntax::RuleFile;
use houserule_language::variants::{Origin, Setting, StackPart};
use houserule_loader::bundled;
use houserule_loader::{LoadError, Loaded, OverlayTexts, load_over, plain_path};

/// A text in place of a file.
#[derive(Clone, Debug)]
struct HeldText {
    text: Arc<str>,
    /// The version of an open text. `None` for the text of a file that is only known.
    version: Option<i64>,
}

/// Texts in place of files, and what was found in them.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    texts: BTreeMap<String, HeldText>,
    overlay: OverlayTexts,
    checked: BTreeMap<String, SharedFile>,
    /// The last check of a file that found names. While someone types, the text is often too broken for that.
    named: BTreeMap<String, SharedFile>,
}

/// Returns the text of a bundled rule file or script.
pub fn bundled_text(file: &str) -> Option<&'static str> {
    Some(bundled::find(file).or_else(|| bundled::find_script(file))?.text)
}

/// Returns `true` if a file is bundled with the program. It can't be changed.
pub(super) fn is_bundled(file: &str) -> bool {
    bundled_text(file).is_some()
}

impl Workspace {
    /// Opens a text, or replaces it by a newer version. Returns `false` for an older version, which is ignored.
    pub fn open(&mut self, file: &str, version: i64, text: &str) -> bool {
        let known = self.texts.get(file).and_then(|held| held.version);
        if known.is_some_and(|known| known > version) {
            return false;
        }
        self.hold(file, HeldText { text: text.into(), version: Some(version) });
        true
    }

    /// Closes a text. From now on the file counts.
    pub fn close(&mut self, file: &str) {
        self.texts.remove(file);
        self.named.remove(file);
        Arc::make_mut(&mut self.overlay).remove(&plain_path(Path::new(file)));
        self.changed(file);
    }

    /// Tells the texts of files that aren't open, in place of those told before, so that uses of names in them are found.
    pub fn know(&mut self, texts: BTreeMap<String, Arc<str>>) {
        let is_open = |held: Option<&HeldText>| held.is_some_and(|held| held.version.is_some());
        let gone = self.texts.keys().filter(|file| !texts.contains_key(*file));
        let gone: Vec<String> = gone.filter(|file| !is_open(self.texts.get(*file))).cloned().collect();
        for file in gone {
            self.texts.remove(&file);
            self.checked.retain(|_, checked| !checked.files.contains(&file));
        }
        for (file, text) in texts {
            let known = self.texts.get(&file);
            if !is_open(known) && known.is_none_or(|known| *known.text != *text) {
                self.texts.insert(file.clone(), HeldText { text, version: None });
                self.checked.retain(|_, checked| !checked.files.contains(&file));
            }
        }
        self.share();
    }

    /// Tells that files have changed on disk: all that is known from them is read again.
    pub fn recheck(&mut self) {
        self.checked.clear();
    }

    fn hold(&mut self, file: &str, held: HeldText) {
        let text = Arc::clone(&held.text);
        Arc::make_mut(&mut self.overlay).insert(plain_path(Path::new(file)), text);
        self.texts.insert(file.to_owned(), held);
        self.changed(file);
    }

    fn changed(&mut self, file: &str) {
        self.checked.retain(|_, checked| !checked.files.contains(file));
    }

    /// Makes all texts visible to the loader.
    fn share(&mut self) {
        let key = |file: &String| plain_path(Path::new(file));
        let texts = self.texts.iter().map(|(file, held)| (key(file), Arc::clone(&held.text)));
        self.overlay = Arc::new(texts.collect::<HashMap<PathBuf, Arc<str>>>());
    }

    /// The tree of a rule file, with a hole for each part that doesn't parse. Returns `None` for a script, or without a text.
    pub fn tree(&mut self, file: &str) -> Option<Arc<RuleFile>> {
        Some(Arc::clone(&self.check(file)?.tree))
    }

    /// The files with open texts.
    pub fn open_files(&self) -> Vec<String> {
        let open = self.texts.iter().filter(|(_, held)| held.version.is_some());
        open.map(|(file, _)| file.clone()).collect()
    }

    /// The version of an open text.
    pub fn version(&self, file: &str) -> Option<i64> {
        self.texts.get(file)?.version
    }

    /// The text of a file: an open one, a known one, or a bundled one.
    pub fn text(&self, file: &str) -> Option<Arc<str>> {
        if let Some(text) = bundled_text(file) {
            return Some(text.into());
        }
        self.texts.get(file).map(|held| Arc::clone(&held.text))
    }

    /// The open files whose messages a change of a file can change, the file itself first.
    pub fn affected(&mut self, file: &str) -> Vec<String> {
        let mut open = self.open_files();
        open.retain(|other| {
            other == file || is_script(other) || self.check(other).is_some_and(|one| one.files.contains(file))
        });
        open.sort_by_key(|other| other != file);
        open
    }

    /// The game that the name of a rule file loads, with what the texts say now. Returns `None` if it has errors.
    pub fn game(&mut self, file: &str) -> Option<Game> {
        self.check(file)?.items.first()?.game.clone()
    }

    /// Like [`Workspace::game`]. Returns `None` for a file that has not been checked since its last change, too.
    pub fn checked_game(&self, file: &str) -> Option<Game> {
        self.checked.get(file)?.items.first()?.game.clone()
    }

    /// Loads a game with values for its params, with what the texts say now. `name` is a file, with a title after `#`
    /// if it is not the last of the file.
    pub fn load(&self, name: &str, settings: &[Setting], players: Option<u32>) -> Result<Loaded, LoadError> {
        self.load_part(StackPart::Named(name.to_owned()), settings, players)
    }

    /// Loads a game from a text that isn't a file, such as a variant of a file.
    pub(super) fn load_text(&self, text: &str) -> Result<Loaded, LoadError> {
        self.load_part(StackPart::Text { name: "new".to_owned(), text: text.to_owned() }, &[], None)
    }

    fn load_part(
        &self,
        part: StackPart,
        settings: &[Setting],
        players: Option<u32>,
    ) -> Result<Loaded, LoadError> {
        let origin = Origin { parts: vec![part], settings: settings.to_vec(), players, ..Origin::default() };
        load_over(&origin, &self.overlay, &mut vec![])
    }

    /// Checks a rule file, or returns what the last check found. Returns `None` for a script, or without a text.
    pub(super) fn check(&mut self, file: &str) -> Option<SharedFile> {
        if let Some(known) = self.checked.get(file) {
            return Some(Arc::clone(known));
        }
        let text = self.text(file).filter(|_| !is_script(file))?;
        let checked = Arc::new(check_file(file, &text, &self.overlay));
        self.checked.insert(file.to_owned(), Arc::clone(&checked));
        if checked.items.iter().any(|item| !item.names.definitions.is_empty()) {
            self.named.insert(file.to_owned(), Arc::clone(&checked));
        }
        Some(checked)
    }

    /// The last check of a file that found names, of the text as it is or as it was.
    pub(super) fn last_named(&mut self, file: &str) -> Option<SharedFile> {
        self.check(file);
        self.named.get(file).map(Arc::clone)
    }

    /// Checks all files that stand on this one or name it, this one first.
    pub(super) fn checked_with(&mut self, file: &str) -> Vec<SharedFile> {
        let mut all: Vec<SharedFile> = self.check(file).into_iter().collect();
        let others: Vec<String> = self.texts.keys().filter(|other| *other != file).cloned().collect();
        for other in others {
            all.extend(self.check(&other).filter(|one| one.files.contains(file)));
        }
        all
    }

    /// The workspace after changes.
    pub(super) fn after(&self, changes: &[TextChange]) -> Workspace {
        let mut after = self.clone();
        let mut files: Vec<&str> = changes.iter().map(|change| change.place.file.as_str()).collect();
        files.sort_unstable();
        files.dedup();
        for file in files {
            let Some(text) = self.text(file) else { continue };
            let text = apply_changes(&text, changes.iter().filter(|change| change.place.file == file));
            let version = self.version(file);
            after.hold(file, HeldText { text: text.into(), version });
        }
        after
    }
}

/// Returns `true` for a script, whose messages come from the rules that name it.
pub(super) fn is_script(file: &str) -> bool {
    file.ends_with(SCRIPT_ENDING)
}
