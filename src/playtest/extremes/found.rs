//! What was found, with a game that shows it.

use serde::Serialize;

use super::plan::{ChanceRole, Extreme, ExtremeQuantity};
use houserule_game::notation::record::Record;

/// How an extreme was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// All positions that the game can reach were examined.
    Positions,
    /// All positions that fewer turns, rolls or decisions can reach were examined.
    Shortest,
    /// A bound that follows from the rules is reached.
    Bound,
    /// A position can come up again and again.
    Loop,
    /// The best game of a search.
    #[serde(rename = "search")]
    ExtremeSearch,
    /// The players can force it, whatever chance does.
    Enemy,
}

/// The extremes of a game.
#[derive(Clone, Debug, Serialize)]
pub struct Extremes {
    /// Version of the JSON format.
    pub version: u32,
    /// The game, as it can be loaded again.
    pub game: String,
    /// Its title.
    pub title: String,
    /// The names of the players.
    pub players: Vec<String>,
    /// For whom chance acts.
    pub chance: ChanceRole,
    /// The seed of the search.
    pub seed: u64,
    /// Number of positions that were examined.
    pub positions: u64,
    /// `true` if the search was stopped before its end.
    pub interrupted: bool,
    /// Duration in seconds.
    pub seconds: f64,
    /// The extremes, by quantity and seat, the most before the least.
    pub extremes: Vec<ExtremeFound>,
}

/// An extreme, and a game that shows it.
#[derive(Clone, Debug, Serialize)]
pub struct ExtremeFound {
    /// What is measured.
    pub of: ExtremeQuantity,
    /// The seat, from 0, of a score.
    pub seat: Option<u32>,
    /// The most or the least.
    pub extreme: Extreme,
    /// The value; `None` if there is no limit, if no game was found, or if no end can be forced.
    pub value: Option<i64>,
    /// Games can have more than any number. With chance as the enemy: one side can go on for ever.
    pub unlimited: bool,
    /// `true` if no game has more, or less.
    pub proved: bool,
    /// A value that no game exceeds, if one is known.
    pub bound: Option<i64>,
    /// How it was found, or proved.
    pub method: Method,
    /// The first and the last event that can be repeated, from 1, if there is no limit.
    #[serde(rename = "loop")]
    pub repeat: Option<EventLoop>,
    /// A game that shows it; `None` if no game was found.
    pub record: Option<Record>,
}

/// Events that lead back to the same position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct EventLoop {
    /// The first event, from 1.
    pub first: usize,
    /// The last event.
    pub last: usize,
}
