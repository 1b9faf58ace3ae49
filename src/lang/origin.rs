//! What a game was made of: the texts of its rules, how they were put together, and what was set. It is
//! enough to make the game again in another process, in another folder or on another machine.

use serde::{Deserialize, Serialize};

use super::check::Setting;

/// What a game was made of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The stack: a game, and what is put on top of it.
    pub parts: Vec<Part>,
    /// The texts that are known already; a name or path that is not among them is looked for.
    pub files: Vec<File>,
    /// What was set, in this order.
    pub settings: Vec<Setting>,
    /// How many play; without it, the fewest that the rules allow.
    pub players: Option<u32>,
}

/// A part of a stack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// By name or path: `dilido`, `torus`, `mine.rules#Title`.
    Named(String),
    /// By its text.
    Text {
        /// What it is called in messages.
        name: String,
        /// The rules.
        text: String,
    },
}

impl Part {
    /// What messages and records call it.
    pub fn name(&self) -> &str {
        match self {
            Part::Named(name) | Part::Text { name, .. } => name.trim(),
        }
    }
}

/// A text with the place that it came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    /// Where it came from.
    pub place: Place,
    /// What messages call it.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// Where a text came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// It came with the program, under this name.
    Bundled(String),
    /// A file: every path by which the rules name it.
    Paths(Vec<String>),
    /// It was given as a text.
    Text,
}

impl Origin {
    /// Of a name, in which `+` stacks variants.
    pub fn named(name: &str) -> Origin {
        Origin { parts: Part::all(name), ..Origin::default() }
    }

    /// The same with other settings and players on top of those that it has.
    #[must_use]
    pub fn with(&self, settings: &[Setting], players: Option<u32>) -> Origin {
        let mut with = self.clone();
        // A param that is set anew is no longer what it was, and neither are the entries of its table.
        let replaced = |old: &Setting, new: &Setting| {
            old.name == new.name
                || old.name.strip_prefix(new.name.as_str()).is_some_and(|rest| rest.starts_with('.'))
        };
        with.settings.retain(|old| !settings.iter().any(|new| replaced(old, new)));
        with.settings.extend_from_slice(settings);
        with.players = players.or(self.players);
        with
    }
}

impl Part {
    /// The parts of a name that `+` separates.
    pub fn all(name: &str) -> Vec<Part> {
        name.split('+').map(|part| Part::Named(part.trim().to_owned())).collect()
    }
}
