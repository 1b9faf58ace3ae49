//! The slow executor: walks the checked model as it stands, so that reading it tells what the rules
//! mean. The fast executor is tested against it, state for state.
//!
//! It may not know programs or how they are compiled. It expects a model that the checker made, and
//! panics on one that is not well typed.

mod chance;
mod choose;
mod eval;
mod exec;
mod finish;
mod given;
mod hooks;
mod state;
#[cfg(test)]
mod tests;

pub use finish::{score_of, total_of, value_of, value_with};
pub use state::State;

use super::{ActionId, RuntimeError};
use crate::lang::model::{Builtin, ChoiceId, LocalId, Model, Value};

/// Maximum number of outcomes of a `chance … given` whose ways are all looked at.
pub const MOST_OUTCOMES: u64 = 10_000;

/// Turns of loops between two decisions.
pub const LOOP_BUDGET: u64 = 1_000_000;

/// Turns of loops in all that is tried for one decision.
pub const TRIAL_BUDGET: u64 = 16 * LOOP_BUDGET;

/// The driver wants no more of this game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop;

/// Who answers for the players and for chance.
pub trait Driver {
    /// One of `legal`, which is ascending and never empty.
    fn choose(&mut self, view: &Situation<'_>, legal: &[ActionId]) -> Result<ActionId, Stop>;

    /// One of `0..outcomes`, all with the same chance; there are at least two, but for draws under a
    /// condition that leaves one.
    fn chance(&mut self, view: &Situation<'_>, outcomes: u64) -> Result<u64, Stop>;
}

/// A game at the moment when its driver is asked.
#[derive(Clone, Copy)]
pub struct Situation<'a> {
    /// The rules.
    pub model: &'a Model,
    /// All state.
    pub state: &'a State,
    /// Whose answer is wanted; for chance, in whose name the rules act.
    pub me: u32,
    /// Where in the rules a player chooses; none for chance.
    pub choice: Option<ChoiceId>,
    /// What has happened so far.
    pub counts: Counts,
    locals: &'a [Option<Value>],
}

impl Situation<'_> {
    /// Whose turn it is.
    pub fn mover(&self) -> u32 {
        self.state.player(Builtin::Mover).unwrap_or(0)
    }

    /// The value that a local was last given.
    pub fn local(&self, local: LocalId) -> Option<&Value> {
        self.locals.get(local.index())?.as_ref()
    }
}

/// How much has happened in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Turns that finished, with the one that the end of the game cut short.
    pub turns: u64,
    /// Rolls, with those of one outcome that nobody is asked for. A roll of several dice is one.
    pub rolls: u64,
    /// Choices with a legal action.
    pub decisions: u64,
}

/// How a game ended. Its last state is where the game was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Which end: an index of [`Model::end_names`].
    pub end: usize,
    /// By player, then by item.
    pub scores: Vec<Vec<i64>>,
    /// By player: the sum of the items.
    pub totals: Vec<i64>,
    /// By player: has a share in the win? If all have, the game is a draw.
    pub winners: Vec<bool>,
    /// What has happened.
    pub counts: Counts,
}

/// Why a game did not come to an end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The rules went wrong.
    Error(RuntimeError),
    /// The driver stopped.
    Stopped,
    /// The driver chose what is not legal, or an outcome that does not exist.
    Illegal,
}

impl From<RuntimeError> for Halt {
    fn from(error: RuntimeError) -> Self {
        Halt::Error(error)
    }
}

impl From<Stop> for Halt {
    fn from(_: Stop) -> Self {
        Halt::Stopped
    }
}

/// Plays a game from its setup on. `state` is left as the game leaves it, however that is.
pub fn play(model: &Model, state: &mut State, driver: &mut dyn Driver) -> Result<Ending, Halt> {
    exec::Game::new(model, state, driver).play(true)
}

/// Plays on from the start of the mover's turn. The counts begin at 0.
pub fn resume(model: &Model, state: &mut State, driver: &mut dyn Driver) -> Result<Ending, Halt> {
    exec::Game::new(model, state, driver).play(false)
}
