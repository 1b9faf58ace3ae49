//! The start of a game, its events, and why an action or outcome can't be applied.

use std::fmt;

use super::{ActionId, RuntimeError, State};
use houserule_model::{Seat, SlotId};

/// How a game starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// The seed of the run.
    pub seed: u64,
    /// The index of the game in the run.
    pub index: u64,
    /// The seat that starts.
    pub starter: Seat,
    /// The number of the game in the match, from 1; 0 counts as 1.
    pub game_number: i64,
    /// The points of each player in the match so far; empty for none.
    pub totals: Vec<i64>,
    /// `true` if the caller decides chance events, `false` if they are drawn.
    pub explicit_chance: bool,
}

/// What a state knows of the game before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HistoryOrigin {
    /// Everything: the history begins with the game, and its chance is that of the seed.
    #[default]
    Seed,
    /// All events, but their chance isn't that of a seed: the state is a world, or was given other random streams.
    Drawn,
    /// Nothing: the history begins in a position or in a saved state.
    Position,
    /// The number of decisions: environments keep neither the history nor the numbers of turns and rolls.
    Environment,
}

impl HistoryOrigin {
    /// Returns `true` if the history has every event since the start of the game.
    pub fn is_start(self) -> bool {
        matches!(self, HistoryOrigin::Seed | HistoryOrigin::Drawn)
    }
}

/// A decision or a chance event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// A player's decision.
    Action {
        /// The player.
        player: Seat,
        /// The action.
        action: ActionId,
    },
    /// A roll of dice.
    Roll {
        /// The slot of the dice.
        slot: SlotId,
        /// Index of the dice in a family such as `hand[X]`.
        family: u32,
        /// The rolled dice, as bits.
        dice: u32,
        /// The faces less 1 as the digits of a number in base `faces`, first die most significant.
        outcome: u64,
    },
    /// A chance event of a script.
    Draw {
        /// The outcome, from 0.
        outcome: u64,
        /// The number of outcomes.
        outcomes: u64,
    },
    /// A pick of an element.
    Pick {
        /// Its domain.
        domain: houserule_model::DomainId,
        /// The element.
        element: u32,
    },
}

impl Event {
    /// Returns `true` if a turn with this event has a move to show. Rolls alone make none; and `in_secret`, where a viewer
    /// sees only a part of the game, draws make none either: whether there was something to draw may be hidden.
    pub fn is_move(&self, in_secret: bool) -> bool {
        match self {
            Event::Action { .. } => true,
            Event::Roll { .. } => false,
            Event::Pick { .. } | Event::Draw { .. } => !in_secret,
        }
    }
}

/// Why an action or outcome can't be applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApplyError {
    /// The action is not legal here.
    Illegal(ActionId),
    /// The game is over.
    Over,
    /// A chance event is pending, not a decision; or the reverse.
    WrongKind,
    /// The chance event has no such outcome.
    NoOutcome(u64),
    /// The action or outcome is possible, but the rules failed.
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

/// An action in a `together` block that the others don't see before it ends.
#[derive(Clone, Debug)]
pub(crate) struct Commitment {
    /// The state before it, which has the earlier ones.
    pub(crate) before: State,
    pub(crate) action: ActionId,
}
