//! What a page has open: texts, and later a table.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::rules::RuleTexts;
use super::{Ask, Tell};

/// A page's session.
pub struct Session {
    rules: RuleTexts,
}

impl Session {
    /// Begins a session over a folder.
    pub fn new(folder: PathBuf) -> Session {
        Session { rules: RuleTexts::new(folder) }
    }

    /// Tells the texts of all files in the folder, by their paths.
    pub fn know(&mut self, texts: &BTreeMap<String, Arc<str>>) {
        self.rules.know(texts);
    }

    /// Tells that files were changed outside.
    pub fn changed(&mut self, changed: &[String], tell: &mut dyn FnMut(Tell)) {
        self.rules.changed(changed, tell);
    }

    /// Answers an ask.
    pub fn ask(&mut self, ask: &Ask, tell: &mut dyn FnMut(Tell)) {
        self.rules.ask(ask, tell);
    }

    /// Does a part of what may wait.
    pub fn idle(&mut self, tell: &mut dyn FnMut(Tell)) -> bool {
        self.rules.idle(tell)
    }
}
