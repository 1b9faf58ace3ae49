//! The origin of a game: rule texts, stack of variants, settings and players. It is enough to build the
//! game again in another process, in another folder or on another machine.

use houserule_base::names::shell_word;
use serde::{Deserialize, Serialize};

/// A param and its value as text: `5`, `ordered`, `true`, `[3: 1, 4: 2]`. With a name such as
/// `line_points.4`, one entry of a table.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Setting {
    /// Name of the param, or of the param and a key of its table.
    pub name: String,
    /// The value as text.
    pub value: String,
}

impl Setting {
    /// Creates a setting.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Setting { name: name.into(), value: value.into() }
    }

    /// Returns the flag of a command that sets it: `--set rounds=7`, in quotes if a shell would read it otherwise.
    pub fn flag(&self) -> String {
        format!("--set {}", shell_word(&format!("{}={}", self.name, self.value)))
    }
}

/// Everything a game was built from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The stack: a game, then the variants on top of it.
    pub parts: Vec<StackPart>,
    /// Texts that are already loaded. A name or path that is not among them is looked up.
    pub files: Vec<RuleText>,
    /// Values set for params, in this order.
    pub settings: Vec<Setting>,
    /// Number of players. `None` means the fewest that the rules allow.
    pub players: Option<u32>,
    /// Expressions besides the rules that are compiled with them, such as the reward of an environment.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<MeasureText>,
}

impl Origin {
    /// Returns the flags of a command that load the same game: `--set rounds=7`, `--players 4`.
    pub fn flags(&self) -> Vec<String> {
        let players = self.players.map(|players| format!("--players {players}"));
        self.settings.iter().map(Setting::flag).chain(players).collect()
    }
}

/// An expression besides the rules: a number for `me`, such as `score + 15 * jokers_left`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeasureText {
    /// Its name in messages.
    pub name: String,
    /// The expression.
    pub text: String,
}

/// One part of a stack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StackPart {
    /// A name or path: `dilido`, `torus`, `mine.rules#Title`.
    Named(String),
    /// A rule text.
    Text {
        /// Name of the text in messages.
        name: String,
        /// The rules.
        text: String,
    },
}

impl StackPart {
    /// Its name in messages and records.
    pub fn name(&self) -> &str {
        match self {
            StackPart::Named(name) | StackPart::Text { name, .. } => name.trim(),
        }
    }
}

/// A rule text and its source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "struct File")]
pub struct RuleText {
    /// Source of the text.
    pub place: TextSource,
    /// Name of the text in messages.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// The source of a rule text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextSource {
    /// Bundled with the program, under this name.
    Bundled(String),
    /// A file: every path by which the rules name it.
    Paths(Vec<String>),
    /// Passed as a string.
    Text,
}

impl Origin {
    /// Returns the origin for a name in which `+` stacks variants.
    pub fn named(name: &str) -> Origin {
        Origin { parts: StackPart::all(name), ..Origin::default() }
    }

    /// Returns a copy with these expressions besides the rules.
    #[must_use]
    pub fn measuring(&self, measures: Vec<MeasureText>) -> Origin {
        Origin { measures, ..self.clone() }
    }

    /// Returns a copy with `settings` added to its settings, and with `players` if given.
    #[must_use]
    pub fn with(&self, settings: &[Setting], players: Option<u32>) -> Origin {
        let mut with = self.clone();
        // A new value of a param replaces the old one and all set entries of its table.
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

impl StackPart {
    /// Splits a name at each `+` into its parts.
    pub fn all(name: &str) -> Vec<StackPart> {
        name.split('+').map(|part| StackPart::Named(part.trim().to_owned())).collect()
    }
}
