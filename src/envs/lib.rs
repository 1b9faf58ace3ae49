//! Training environments: games that are stepped with action numbers and return observations, action masks and
//! rewards in plain slices of numbers.
//!
//! [`VectorEnv`] steps many games at once, over threads; [`Env`] steps one. Both run the same code. With the same
//! seeds and actions they give the same steps, for any number of games and threads. A *step* is one decision of
//! the learner. Decisions of opponents, chance, and with [`EnvOptions::skip_forced`] decisions with a single legal
//! action happen between two steps.
//!
//! | slice | shape | values |
//! | --- | --- | --- |
//! | actions | (N) `i64` | action numbers, see `Game::action_name` |
//! | observations | (N, L) `f32` | 0 to 1, see [`houserule_game::observe`] |
//! | masks | (N, A) `i8` | 1 for legal actions; all 1 after the end of an episode, when any action is accepted |
//! | current players | (N) `i32` | the seat that decides, from 0; -1 after the end of an episode |
//! | rewards | (N) `f64` | the learner's; in self-play those of the seat that took the step |
//! | seat rewards | (N, P) `f64` | in self-play, those of every seat |
//! | terminated, truncated | (N) `bool` | the episode is over; by the rules, or for another reason |
//!
//! Observations as planes have the shape (N, C, H, W). [`EnvOptions::dtype`] makes observations halves, bytes, truth values or bits.
//!
//! **Rewards.** By *score*, a step's reward is how much the learner's score has improved since the learner's last
//! step; in self-play, since the last step of any seat. It is counted from 0, so the rewards of an episode add up
//! to the final score, negated if the least is best. By *outcome*, it is the returns at the end of the game (see
//! `docs/words.md`), and 0 before. In a match the score is the total as if the current game ended now, and the
//! outcome is that of the match. By *margin*, a score is one's own minus the best of the others, and in a one-player
//! game one's own. By an *expression* of the rule language, the rewards of an episode add up to its last value minus its
//! first. A [`Potential`] shapes rewards of any kind.
//!
//! **Ends.** A game that ends by its rules is *terminated*. So is an episode in which the learner takes an illegal
//! action, if that is penalized, with a reward of -1. A game that is aborted by an error or by the limit of
//! decisions is *truncated*. [`EpisodeEnd`] says which it was.
//!
//! **Seeds.** Episode *k* after a reset with seed *s* is game *k* (or match *k*) of the run with seed *s*: it has
//! the same dice and, against random opponents, the same opponents as everywhere else.
//!
//! **Starts.** An episode starts as its game does, or in one of the positions of `set_starts`, drawn uniformly at
//! random from the episode's seed. Its dice are those of its seed and index. The points of the position aren't part of the
//! rewards.
//!
//! **Rule sets.** With [`RuleOptions`] every episode plays one of several games. Observations and actions have one
//! layout for all, a [`SharedLayout`](houserule_game::observe::SharedLayout). The rule set of an episode is drawn from a stream
//! of its own, so it depends on the seed and the index of the episode alone.
//!
//! **Interruptions.** A step or reset in which agents think or scripts of the rules run can be interrupted (see
//! [`houserule_base::interrupt`]). It then unwinds and restores the environments.
//!
//! Depends on the engine and the agents; independent of Python.

pub mod evaluated;

mod chunk;
mod config;
mod episode;
mod families;
mod group;
mod line_ups;
mod measured;
mod mixed;
mod options;
mod queue;
mod rewards;
mod rule_sets;
mod save;
mod single;
mod slots;
mod starts;
mod vector;
mod whole;

pub use config::Guests;
pub use options::{
    Autoreset, EnvError, EnvOptions, Illegal, LineUp, LoadMeasured, ObservationForm, Opponents, Potential,
    Reward, SeatChoice,
};
pub use queue::{EnvQueue, QueuedStep, StepFailure};
pub use rule_sets::{EnvRules, RuleChoice, RuleFunction, RuleOptions};
pub use single::{Env, EnvStep};
pub use vector::{EnvBuffers, Outputs, VectorEnv};

/// Why an episode is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum EpisodeEnd {
    /// The episode isn't over.
    #[default]
    No,
    /// The rules ended it.
    Over,
    /// The learner took an illegal action.
    IllegalAction,
    /// It reached the limit of decisions.
    Limit,
    /// The rules or an opponent raised an error.
    Aborted,
    /// It took as many steps as [`EnvOptions::max_steps`] allows.
    Steps,
}

impl EpisodeEnd {
    /// All values, in order.
    pub const ALL: [EpisodeEnd; 6] = [
        EpisodeEnd::No,
        EpisodeEnd::Over,
        EpisodeEnd::IllegalAction,
        EpisodeEnd::Limit,
        EpisodeEnd::Aborted,
        EpisodeEnd::Steps,
    ];

    /// Returns `true` if the episode was terminated.
    pub fn is_terminated(self) -> bool {
        matches!(self, EpisodeEnd::Over | EpisodeEnd::IllegalAction)
    }

    /// Returns `true` if the episode was truncated.
    pub fn is_truncated(self) -> bool {
        matches!(self, EpisodeEnd::Limit | EpisodeEnd::Aborted | EpisodeEnd::Steps)
    }
}
