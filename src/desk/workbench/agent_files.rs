//! Agents by the names that a page writes, with the contents of their files: nothing here reads one.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Ask;
use houserule_base::files::{PLAYER_ENDING, SCRIPT_ENDING};
use houserule_players::agents::{AgentError, AgentKind};

/// The contents of agents' files, by their paths.
#[derive(Clone, Debug, Default)]
pub(super) struct AgentFiles(BTreeMap<String, Arc<[u8]>>);

/// Returns the path of the file that the name of an agent contains: the name, or what follows its last colon.
fn agent_file(name: &str) -> Option<&str> {
    let path = name.rsplit(':').next().unwrap_or(name).trim();
    [SCRIPT_ENDING, PLAYER_ENDING].iter().any(|ending| path.ends_with(ending)).then_some(path)
}

impl Ask {
    /// The paths of the agents' files that it needs, which [`Session::know_agent`](super::Session::know_agent) is told
    /// before.
    pub fn agent_files(&self) -> impl Iterator<Item = &str> {
        let names = match self {
            Ask::Table { seats, .. } => seats.as_slice(),
            Ask::Seat { agent, .. } => std::slice::from_ref(agent),
            Ask::Measure { agents, .. } => agents,
            _ => &[],
        };
        names.iter().filter_map(|name| agent_file(name))
    }
}

/// Most files whose contents are kept. Agents that are seated keep their own.
const MOST: usize = 16;

impl AgentFiles {
    pub(super) fn insert(&mut self, path: &str, content: Vec<u8>) {
        if self.0.len() >= MOST {
            self.0.clear();
        }
        self.0.insert(path.to_owned(), content.into());
    }

    /// Returns the agent with a name. One in a file must be known.
    pub(super) fn agent(&self, name: &str) -> Result<AgentKind, String> {
        let in_words = |error: AgentError| error.to_string();
        let Some(path) = agent_file(name) else { return AgentKind::parse(name).map_err(in_words) };
        match self.0.get(path) {
            Some(content) => AgentKind::parse_with(name, Some(&**content)).map_err(in_words),
            None => Err(format!("no agent is in the file `{path}`")),
        }
    }
}
