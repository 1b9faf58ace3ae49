//! Environments for learners: games that are stepped with action numbers and answer with observations,
//! masks and rewards as plain slices of numbers.
//!
//! [`VectorEnv`] steps many games at once, over threads; [`Env`] one. Both run the same code, so that with
//! the same seeds and actions they give the same steps, for any number of games and threads. A *step* is
//! one decision of the learner: decisions of opponents, chance, and with [`Options::skip_forced`]
//! decisions with a single option, happen between two steps.
//!
//! | slice | shape | values |
//! | --- | --- | --- |
//! | actions | (N) `i64` | action numbers, see `Game::action_name` |
//! | observations | (N, L) `f32` | 0 to 1, see [`crate::engine::observation`]; as planes (N, C, H, W); bytes or bits by [`Options::dtype`] |
//! | masks | (N, A) `i8` | 1 for legal actions; all 1 once an episode is over, when any action does |
//! | current players | (N) `i32` | the seat that decides, from 0; -1 once an episode is over |
//! | rewards | (N) `f64` | the learner's; in self-play those of whoever took the step |
//! | seat rewards | (N, P) `f64` | in self-play, those of every seat |
//! | terminated, truncated | (N) `bool` | the episode is over; by the rules, or for another reason |
//!
//! **Rewards.** By *score* a step's reward is the change of one's own score since one's last step, the
//! first one counted from 0, so that the rewards of an episode add up to the final score. By *outcome* it
//! is what the game returns when it is over (see `docs/words.md`), and 0 before. In a match the score is
//! the total as it would be if the game at hand ended here, and the outcome that of the match.
//!
//! **Ends.** A game that is over by its rules is *terminated*; so is an episode in which the learner took
//! an illegal action, if that is penalized, with a reward of -1 for it. A game that is aborted, by an
//! error of the rules or by their limit of decisions, is *truncated*. [`Ended`] says which it was.
//!
//! **Seeds.** Episode *k* after a reset with seed *s* is game *k* of the run with seed *s* (or match *k*):
//! the same dice and, against random opponents, the same opponents as everywhere else.
//!
//! **Interruptions.** A step or a reset in which agents think or scripts of the rules run can be interrupted (see
//! [`crate::interrupt`]). It unwinds then, and the environments are as they were before.
//!
//! Knows engine and agents; nothing of Python.

mod chunk;
mod episode;
mod kind;
mod options;
mod pool;
mod rewards;
mod save;
mod single;
mod vector;
mod whole;

pub use kind::Guests;
pub use options::{Autoreset, EnvError, Illegal, ObservationForm, Opponents, Options, Reward, SeatChoice};
pub use single::{Env, Step};
pub use vector::{Outputs, VectorEnv, View};

/// Why an episode is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Ended {
    /// It is not.
    #[default]
    No,
    /// By the rules.
    Over,
    /// By an illegal action.
    IllegalAction,
    /// By the limit of decisions.
    Limit,
    /// By an error of the rules.
    Aborted,
}

impl Ended {
    /// All of them, in order.
    pub const ALL: [Ended; 5] = [Ended::No, Ended::Over, Ended::IllegalAction, Ended::Limit, Ended::Aborted];

    /// Is the episode terminated? Else, if it is over, it is truncated.
    pub fn is_terminated(self) -> bool {
        matches!(self, Ended::Over | Ended::IllegalAction)
    }

    /// Is it truncated?
    pub fn is_truncated(self) -> bool {
        matches!(self, Ended::Limit | Ended::Aborted)
    }
}
