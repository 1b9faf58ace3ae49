//! What a page asks about the texts of rules, over [`crate::service`].
//!
//! The page counts places in code units of UTF-16, the service in bytes; [`units`] converts them. Paths are those of
//! the page, and [`paths`] maps them to files.

mod answers;
mod draft;
mod lines;
mod params;
pub mod paths;
mod profile;
mod units;

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use self::units::Units;
use super::{Ask, AskedValues, EditTold, PlaceTold, Tell};
use crate::service::{MessageFix, TextChange, TextMessage, TextPlace, Workspace, bundled_text};
use houserule_game::Game;
use houserule_language::syntax::line_ends::with_lf;
use houserule_loader::{LoadError, Loaded};

pub(super) use params::settings;
pub(super) use profile::RulesProfile;

/// The most texts that a page has open.
pub const MOST_OPEN: usize = 100;

/// The most messages of a text for which fixes are looked for.
const MOST_MENDED: usize = 50;

/// Messages whose fixes are being found, one at a time.
struct Mending {
    file: String,
    left: VecDeque<TextMessage>,
}

/// The texts of a page.
pub struct RuleTexts {
    /// The folder whose files have paths.
    folder: PathBuf,
    workspace: Workspace,
    /// The last game without errors of each open text.
    good: BTreeMap<String, Game>,
    /// The fixes for the messages of each open text.
    fixes: BTreeMap<String, Vec<MessageFix>>,
    /// Open texts of which everything but the messages is still to be told.
    untold: VecDeque<String>,
    mending: VecDeque<Mending>,
}

impl RuleTexts {
    /// Creates a page without texts.
    pub fn new(folder: PathBuf) -> RuleTexts {
        RuleTexts {
            folder,
            workspace: Workspace::default(),
            good: BTreeMap::new(),
            fixes: BTreeMap::new(),
            untold: VecDeque::new(),
            mending: VecDeque::new(),
        }
    }

    /// Takes the texts of all files in the folder, by their paths. Open texts are not replaced. The page opens a file with
    /// LF at the end of each line, so places are counted in such a text.
    pub fn know(&mut self, texts: &BTreeMap<String, Arc<str>>) {
        let file = |path: &String| paths::file_of(&self.folder, path).ok();
        let as_opened = |text: &Arc<str>| match with_lf(text) {
            Cow::Borrowed(_) => Arc::clone(text),
            Cow::Owned(text) => text.into(),
        };
        let texts = texts.iter().filter_map(|(path, text)| Some((file(path)?, as_opened(text))));
        self.workspace.know(texts.collect());
    }

    /// Tells that files were changed outside, and the messages of the open texts that this affects.
    pub fn changed(&mut self, changed: &[String], tell: &mut dyn FnMut(Tell)) {
        let mut affected: Vec<String> = vec![];
        for path in changed {
            let Ok(file) = paths::file_of(&self.folder, path) else { continue };
            affected.extend(self.workspace.affected(&file).into_iter().filter(|one| *one != file));
        }
        self.workspace.recheck();
        affected.sort();
        affected.dedup();
        self.tell_all(&affected, tell);
    }

    /// Loads a file with values for its params, with what the open texts say. Returns the reason why it can't be.
    pub fn load(&self, path: &str, set: &AskedValues, players: Option<u32>) -> Result<Loaded, String> {
        let file = paths::file_of(&self.folder, path)?;
        self.workspace.load(&file, &settings(set), players).map_err(|error| in_words(&error))
    }

    /// Like [`RuleTexts::load`], for the game alone: one that is loaded already isn't loaded again.
    pub fn game(&self, path: &str, set: &AskedValues, players: Option<u32>) -> Result<Game, String> {
        let file = paths::file_of(&self.folder, path)?;
        let is_plain = set.is_empty() && players.is_none();
        let known = is_plain.then(|| self.workspace.checked_game(&file)).flatten();
        known.map_or_else(|| Ok(self.load(path, set, players)?.game), Ok)
    }

    /// Answers an ask about texts. Returns `false` for another.
    pub fn ask(&mut self, ask: &Ask, tell: &mut dyn FnMut(Tell)) -> bool {
        match ask {
            Ask::Text { path, version, text } => {
                if let Err(message) = self.text(path, *version, text, tell) {
                    tell(Tell::Wrong { id: None, message });
                }
            }
            Ask::Close { path } => {
                if let Ok(file) = paths::file_of(&self.folder, path) {
                    let others = self.workspace.affected(&file);
                    self.workspace.close(&file);
                    self.good.remove(&file);
                    self.fixes.remove(&file);
                    let others: Vec<String> = others.into_iter().filter(|other| *other != file).collect();
                    self.tell_all(&others, tell);
                }
            }
            ask => {
                let Some((id, answer)) = self.answer(ask) else { return false };
                tell(answer.unwrap_or_else(|message| Tell::Wrong { id: Some(id), message }));
            }
        }
        true
    }

    /// Answers an ask that has a number and one answer. Returns `None` for another.
    fn answer(&mut self, ask: &Ask) -> Option<(u64, Result<Tell, String>)> {
        Some(match ask {
            Ask::Hover { id, path, at } => (*id, self.hover(*id, path, *at)),
            Ask::Complete { id, path, at } => (*id, self.complete(*id, path, *at)),
            Ask::Define { id, path, at } => (*id, self.places(*id, path, *at, Workspace::definitions)),
            Ask::References { id, path, at } => (*id, self.places(*id, path, *at, Workspace::references)),
            Ask::Rename { id, path, at, new } => (*id, self.rename(*id, path, *at, new)),
            Ask::Format { id, path } => (*id, self.format(*id, path)),
            Ask::Diff { id, path, set } => (*id, self.diff(*id, path, set)),
            Ask::HouseRule { id, of, title, set } => (*id, self.house_rule(*id, of, title, set)),
            _ => return None,
        })
    }

    /// Takes a text, and tells what is found in it and in the others that it affects. An older version is ignored.
    fn text(
        &mut self,
        path: &str,
        version: i64,
        text: &str,
        tell: &mut dyn FnMut(Tell),
    ) -> Result<(), String> {
        let file = paths::file_of(&self.folder, path)?;
        let open = self.workspace.open_files();
        if open.len() >= MOST_OPEN && !open.contains(&file) {
            return Err(format!("{MOST_OPEN} texts are open; close one of them first"));
        }
        if self.workspace.open(&file, version, text) {
            let affected = self.workspace.affected(&file);
            self.tell_all(&affected, tell);
        }
        Ok(())
    }

    /// Tells the messages of some open texts. Their other facts and their fixes follow.
    fn tell_all(&mut self, files: &[String], tell: &mut dyn FnMut(Tell)) {
        self.untold.retain(|one| !files.contains(one));
        self.mending.retain(|one| !files.contains(&one.file));
        for file in files {
            self.fixes.remove(file);
            let mut left: VecDeque<TextMessage> = self.workspace.messages(file).into();
            left.retain(|message| message.help.is_some());
            left.truncate(MOST_MENDED);
            let fixing = !left.is_empty() && bundled_text(file).is_none();
            self.messages(file, fixing).into_iter().for_each(&mut *tell);
            self.untold.push_back(file.clone());
            if fixing {
                self.mending.push_back(Mending { file: file.clone(), left });
            }
        }
    }

    /// Does a part of what may wait until nothing is asked: tells the other facts of a text, or looks for the fixes of one
    /// message. Those of a text are told once all are found. Returns `true` if there is more.
    pub fn idle(&mut self, tell: &mut dyn FnMut(Tell)) -> bool {
        if let Some(file) = self.untold.pop_front() {
            self.facts(&file).into_iter().for_each(tell);
            return true;
        }
        let Some(Mending { file, left }) = self.mending.front_mut() else { return false };
        let file = file.clone();
        let Some(message) = left.pop_front() else {
            self.mending.pop_front();
            self.messages(&file, false).into_iter().for_each(tell);
            return !self.mending.is_empty();
        };
        let mut found = self.workspace.fixes(&file, message.place.range());
        found.retain(|fix| fix.message == message);
        if !found.is_empty() {
            self.fixes.entry(file).or_default().extend(found);
        }
        true
    }

    /// The file of a path with its text.
    fn open_text(&self, path: &str) -> Result<(String, Arc<str>), String> {
        let file = paths::file_of(&self.folder, path)?;
        match self.workspace.text(&file) {
            Some(text) => Ok((file, text)),
            None => Err(format!("no file is called `{path}`")),
        }
    }

    /// A place as the page writes it. Returns `None` for one outside of the folder.
    fn place(&self, place: &TextPlace) -> Option<PlaceTold> {
        let path = paths::path_of(&self.folder, &place.file)?;
        let (from, to) = Units::from_text(&self.workspace.text(&place.file)?).range(place.range());
        Some(PlaceTold { path, from, to })
    }

    fn edits(&self, changes: &[TextChange]) -> Vec<EditTold> {
        let edit = |change: &TextChange| {
            let PlaceTold { path, from, to } = self.place(&change.place)?;
            let version = self.workspace.version(&change.place.file);
            Some(EditTold { path, version, from, to, text: change.text.clone() })
        };
        changes.iter().filter_map(edit).collect()
    }
}

/// Why rules can't be loaded, in a sentence.
fn in_words(error: &LoadError) -> String {
    use houserule_language::diagnostic::Severity;
    match error {
        LoadError::Rules { diagnostics, .. } => {
            let first = diagnostics.iter().find(|one| one.severity == Severity::Error);
            let first = first.map_or("", |one| one.message.as_str());
            format!("the rules have errors: {first}")
        }
        LoadError::Compile(message) => message.clone(),
        LoadError::Request(messages) => messages.join("\n"),
    }
}
