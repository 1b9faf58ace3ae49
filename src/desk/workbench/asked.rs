//! The parts of what a page asks.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::told::{EventKindTold, EventTold};

/// Values of params by their names.
pub type AskedValues = BTreeMap<String, AskedValue>;

/// A value of a param.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AskedValue {
    /// `true` or `false`.
    Truth(bool),
    /// A number.
    Number(i64),
    /// The name of a value of an enum.
    Name(String),
}

/// Rules: a file, and values for its params.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesAsked {
    /// The file.
    pub path: String,
    /// Values for its params.
    #[serde(default)]
    pub set: AskedValues,
}

/// Where the dice of a table come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DiceAsked {
    /// The seed decides.
    #[default]
    Drawn,
    /// People report what real dice show.
    Reported,
}

/// How wide the page has room for the drawing of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FormAsked {
    /// Seats around the middle.
    #[default]
    Wide,
    /// Everything below each other, for a phone.
    Narrow,
}

/// An event of a game: its text, or as it was told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum EventAsked {
    /// In the notation of journals.
    Text(String),
    /// As it was told; without a text it was hidden.
    Told(EventTold),
}

impl EventAsked {
    /// Returns `true` for an event that records have too.
    pub(super) fn is_recorded(&self) -> bool {
        use EventKindTold as K;
        !matches!(self, EventAsked::Told(told) if matches!(told.kind, K::Certain | K::Pass | K::Moved))
    }

    /// The text, if it is known.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            EventAsked::Text(text) => Some(text),
            EventAsked::Told(told) => told.text.as_deref(),
        }
    }
}

/// An outcome of chance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OutcomeAsked {
    /// The outcome.
    Number(u64),
    /// What people type: what the dice show, or what was picked.
    Text(String),
}

/// A place in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DecisionAsked {
    /// The place before the decision with this index.
    Index(usize),
    /// The place of another decision of a person.
    Next(NextPlace),
}

/// A place next to the one that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NextPlace {
    /// One decision of a person back.
    Undo,
    /// One decision of a person on.
    Redo,
}
