//! How games start, what happens in them, and why an action can't be taken.

use std::fmt;

use super::game::Player;
use super::{ActionId, RuntimeError};
use crate::lang::model::SlotId;

/// How a game starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// Of the run.
    pub seed: u64,
    /// Which game of the run.
    pub index: u64,
    /// Who begins.
    pub starter: u32,
    /// Which game of the match, from 1; 0 counts as 1.
    pub game_number: i64,
    /// The points of each player in the match so far; empty for none.
    pub totals: Vec<i64>,
    /// Chance events are decisions of whoever drives, instead of being drawn.
    pub explicit_chance: bool,
}

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// A player acted.
    Action {
        /// Who.
        player: Player,
        /// What.
        action: ActionId,
    },
    /// Dice were rolled.
    Roll {
        /// Their slot.
        slot: SlotId,
        /// Which of the slot's families.
        family: u32,
        /// Which dice of it, as bits.
        dice: u32,
        /// The faces as a number in base `faces`, first die most significant.
        outcome: u64,
    },
    /// A script left something to chance.
    Draw {
        /// What came out, from 0.
        outcome: u64,
        /// Of how many.
        outcomes: u64,
    },
    /// An element was picked.
    Pick {
        /// Its domain.
        domain: crate::lang::model::DomainId,
        /// The element.
        element: u32,
    },
}

/// Why an action can't be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApplyError {
    /// It is not legal here.
    Illegal(ActionId),
    /// The game is over.
    Over,
    /// A chance event is pending, not a decision; or the other way round.
    WrongKind,
    /// There is no such outcome.
    NoOutcome(u64),
    /// It is legal, and the rules went wrong.
    Runtime(RuntimeError),
}

impl fmt::Display for ApplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ApplyError::Illegal(action) => write!(f, "action {} is not legal here", action.0),
            ApplyError::Over => write!(f, "the game is over"),
            ApplyError::WrongKind => write!(f, "a chance event and a decision are not the same thing"),
            ApplyError::NoOutcome(n) => write!(f, "the chance event has no outcome {n}"),
            ApplyError::Runtime(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ApplyError {}

impl From<RuntimeError> for ApplyError {
    fn from(error: RuntimeError) -> Self {
        ApplyError::Runtime(error)
    }
}
