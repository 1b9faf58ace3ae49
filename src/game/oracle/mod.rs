//! The reference interpreter: executes the checked model directly, so its code defines what the rules mean.
//! Tests compare the fast executor with it, state by state.
//!
//! Depends on the model; independent of programs and compilation. Panics on a model that is not well typed,
//! which the checker never makes.

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
pub use state::SlotValues;

use crate::{ActionId, RuntimeError};
use houserule_model::{Builtin, ChoiceId, LocalId, Model, Seat, Value};

/// Maximum number of outcomes of a `chance … given` whose sequences are all tried.
pub const MOST_OUTCOMES: u64 = 10_000;

/// Maximum number of loop iterations between two decisions.
pub const LOOP_BUDGET: u64 = 1_000_000;

/// Maximum number of loop iterations in all trials for one decision.
pub const TRIAL_BUDGET: u64 = 16 * LOOP_BUDGET;

/// The driver stops this game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DriverStop;

/// Decides for the players and for chance.
pub trait Driver {
    /// Returns one of `legal`, which is ascending and never empty.
    fn choose(&mut self, view: &Situation<'_>, legal: &[ActionId]) -> Result<ActionId, DriverStop>;

    /// Returns one of `0..outcomes`, which are equally likely. There are at least two, except if a `given`
    /// condition leaves one.
    fn chance(&mut self, view: &Situation<'_>, outcomes: u64) -> Result<u64, DriverStop>;
}

/// A game at a decision or chance event.
#[derive(Clone, Copy)]
pub struct Situation<'a> {
    /// The rules.
    pub model: &'a Model,
    /// The state.
    pub state: &'a SlotValues,
    /// The player to decide; for chance, the player in whose name the rules act.
    pub me: Seat,
    /// The choice of the rules; `None` for chance.
    pub choice: Option<ChoiceId>,
    /// The counters of the game so far.
    pub counts: GameCounters,
    locals: &'a [Option<Value>],
}

impl Situation<'_> {
    /// Returns the mover.
    pub fn mover(&self) -> Seat {
        self.state.player(Builtin::Mover).unwrap_or(Seat(0))
    }

    /// Returns the last value of a local.
    pub fn local(&self, local: LocalId) -> Option<&Value> {
        self.locals.get(local.index())?.as_ref()
    }
}

/// The counters of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameCounters {
    /// Finished turns, including the one that the end of the game cut short.
    pub turns: u64,
    /// Rolls, including those with a single outcome, which are no event. A roll of several dice counts once, and so
    /// does one that `chance … given` draws again.
    pub rolls: u64,
    /// Choices with a legal action.
    pub decisions: u64,
}

/// The result of a finished game. The final state is where the game was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The end: an index of [`Model::end_names`].
    pub end: usize,
    /// By player, then by item.
    pub scores: Vec<Vec<i64>>,
    /// By player: the sum of the items.
    pub totals: Vec<i64>,
    /// By player: a share in the win. If all have one, the game is a draw.
    pub winners: Vec<bool>,
    /// The counters of the game.
    pub counts: GameCounters,
}

/// Why a game was not finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The rules failed.
    Error(RuntimeError),
    /// The driver stopped.
    Stopped,
    /// The driver chose an illegal action, or an outcome that does not exist.
    Illegal,
}

impl From<RuntimeError> for Halt {
    fn from(error: RuntimeError) -> Self {
        Halt::Error(error)
    }
}

impl From<DriverStop> for Halt {
    fn from(_: DriverStop) -> Self {
        Halt::Stopped
    }
}

/// Plays a game from its setup. `state` keeps the final state, however the game ends.
pub fn play(model: &Model, state: &mut SlotValues, driver: &mut dyn Driver) -> Result<Ending, Halt> {
    exec::ReferenceRun::new(model, state, driver).play(true)
}

/// Continues from the start of the mover's turn. The counters begin at 0.
pub fn resume(model: &Model, state: &mut SlotValues, driver: &mut dyn Driver) -> Result<Ending, Halt> {
    exec::ReferenceRun::new(model, state, driver).play(false)
}
