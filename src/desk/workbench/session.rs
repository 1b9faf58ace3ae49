//! What a page has open: texts, and a table.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::agent_files::AgentFiles;
use super::ask::about_game;
use super::game_table::GameTable;
use super::rules::RuleTexts;
use super::{Ask, PositionTold, Run, Tell};

/// A page's session.
pub struct Session {
    rules: RuleTexts,
    agents: AgentFiles,
    table: Option<GameTable>,
}

impl Session {
    /// Begins a session over a folder.
    pub fn new(folder: PathBuf) -> Session {
        Session { rules: RuleTexts::new(folder), agents: AgentFiles::default(), table: None }
    }

    /// Takes the texts of all files in the folder, by their paths.
    pub fn know(&mut self, texts: &BTreeMap<String, Arc<str>>) {
        self.rules.know(texts);
    }

    /// Takes the content of an agent's file, see [`Ask::agent_files`].
    pub fn know_agent(&mut self, path: &str, content: Vec<u8>) {
        self.agents.insert(path, content);
    }

    /// Takes note of files that were changed outside.
    pub fn changed(&mut self, changed: &[String], tell: &mut dyn FnMut(Tell)) {
        self.rules.changed(changed, tell);
        self.follow_rules(tell);
    }

    /// Answers an ask.
    pub fn ask(&mut self, ask: &Ask, tell: &mut dyn FnMut(Tell)) {
        if self.rules.ask(ask, tell) {
            if matches!(ask, Ask::Text { .. } | Ask::Close { .. }) {
                self.follow_rules(tell);
            }
            return;
        }
        let Some((id, answer)) = self.ask_table(ask) else { return };
        tell(match answer {
            Ok(position) => Tell::Position(Box::new(position)),
            Err(message) => Tell::Wrong { id: Some(id), message },
        });
    }

    /// Answers an ask about the table. Returns `None` for another ask.
    fn ask_table(&mut self, ask: &Ask) -> Option<(u64, Result<PositionTold, String>)> {
        let (Ask::Table { id, .. } | about_game!(id)) = ask else { return None };
        if let Ask::Table { .. } = ask {
            let begun = GameTable::begin(ask, &self.rules, &self.agents);
            let told = begun.map(|(table, told)| {
                self.table = Some(table);
                told
            });
            return Some((*id, told));
        }
        let answer = match &mut self.table {
            Some(table) => table.ask(ask, &self.agents)?,
            None => Err("no game is on the table".to_owned()),
        };
        Some((*id, answer))
    }

    /// Prepares a run, with the rules as they are now. Returns `None` for an ask that needs none. The host steps it on a
    /// thread within an interrupt scope, and drops it to end it early.
    pub fn run(&self, ask: &Ask) -> Option<(u64, Result<Run, String>)> {
        if let Ask::Train { id } = ask {
            let waiting = self
                .table
                .as_ref()
                .and_then(|table| Some(Run::training(*id, table.game(), table.to_train()?)));
            return Some((*id, waiting.ok_or_else(|| "no agent at the table has to be trained".to_owned())));
        }
        Run::begin(ask, &self.rules, &self.agents)
    }

    /// Replays the game at the table if its rules have changed.
    fn follow_rules(&mut self, tell: &mut dyn FnMut(Tell)) {
        if let Some(told) = self.table.as_mut().and_then(|table| table.follow_rules(&self.rules)) {
            tell(Tell::Position(Box::new(told)));
        }
    }

    /// Does a part of what may wait.
    pub fn idle(&mut self, tell: &mut dyn FnMut(Tell)) -> bool {
        self.rules.idle(tell)
    }
}
