//! Monte Carlo tree search with an evaluator of the caller, such as a neural network.
//!
//! The search needs no playouts: where the tree grows, the [`LeafEvaluator`] gives a prior for each action and the value
//! of the position. Actions are selected by PUCT (Rosin, <https://doi.org/10.1007/s10472-011-9258-6>; Silver et al.,
//! <https://doi.org/10.1038/nature24270>). Leaves of one tree that wait for their evaluation count as losses until
//! then (virtual loss: Chaslot, Winands and van den Herik, <https://doi.org/10.1007/978-3-540-87608-3_6>), so that a
//! tree can have several.
//!
//! A network is fast only for many positions at once. So a [`LeafSearch`](search::LeafSearch) stops at its leaves, and
//! the leaves of many searches are evaluated in one call: those of a list of states ([`search_states`]), or those of
//! games that are played side by side on threads of their own (see [`together`]). What a search finds depends on its
//! state, its random stream and the answers of the evaluator alone, not on the other searches in the call.
//!
//! Depends on worlds, simulations and observations; independent of Python and of environments.

mod agent;
mod leaves;
mod search;
mod states;
mod together;
mod tree;

use std::fmt;

pub use agent::EvaluatedSearch;
pub use leaves::{LeafBatch, LeafCells, LeafForm};
pub use states::{SearchError, SearchResult, search_states};

/// Evaluates positions.
pub trait LeafEvaluator: Send + Sync {
    /// Evaluates the leaves of a batch, for the seats that decide there.
    ///
    /// # Errors
    /// If it can't. It keeps the reason itself, and the search ends.
    fn evaluate(&self, batch: LeafBatch) -> Result<LeafAnswers, EvaluatorStopped>;
}

/// The evaluator has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluatorStopped;

/// What an evaluator says of N leaves of a game with A actions and P players.
#[derive(Clone, Debug, Default)]
pub struct LeafAnswers {
    /// N × A: the prior of each action, at least 0. Those of illegal actions are ignored, and the others are scaled to
    /// a sum of 1; if all are 0, they are made equal.
    pub priors: Vec<f32>,
    /// N × 1 or N × P. With one number for a leaf, the value for the seat that decides, in a game for one or two
    /// players. With P numbers, the values of the seat that decides and of those after it, in turn order. A value is
    /// an expected return, from -1 to 1; in a one-player game it is the expected final score.
    pub values: Vec<f32>,
    /// The numbers of each leaf in `values`.
    pub values_each: usize,
}

/// Why the answers of an evaluator can't be used. `row` is the index of the leaf in the batch.
#[derive(Clone, Debug, PartialEq)]
pub enum AnswerError {
    /// The priors aren't N × A numbers.
    Priors {
        /// The number of leaves and of actions.
        expected: (usize, usize),
        /// How many numbers there are.
        given: usize,
    },
    /// The values aren't N × 1 or N × P numbers.
    Values {
        /// The number of leaves and of players.
        expected: (usize, usize),
        /// How many numbers there are.
        given: usize,
    },
    /// A prior is negative, infinite or no number.
    Prior {
        /// The leaf.
        row: usize,
        /// The action.
        action: usize,
        /// The prior.
        prior: f32,
    },
    /// A value is infinite or no number.
    Value {
        /// The leaf.
        row: usize,
        /// The value.
        value: f32,
    },
}

impl fmt::Display for AnswerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnswerError::Priors { expected: (leaves, actions), given } => write!(
                f,
                "the evaluator returned {given} priors: expected an array of shape ({leaves}, {actions}), a prior for \
                 each leaf and action"
            ),
            AnswerError::Values { expected: (leaves, players), given } => {
                write!(f, "the evaluator returned {given} values: expected an array of shape ")?;
                match players {
                    1 | 2 => write!(
                        f,
                        "({leaves},), the value of each leaf for the player to move, or ({leaves}, {players})"
                    ),
                    _ => write!(
                        f,
                        "({leaves}, {players}), the value of each leaf for the player to move and those after it"
                    ),
                }
            }
            AnswerError::Prior { row, action, prior } => write!(
                f,
                "the evaluator returned the prior {prior} for action {action} of leaf {row}: expected a number from 0; \
                 a softmax makes priors of logits"
            ),
            AnswerError::Value { row, value } => {
                write!(f, "the evaluator returned the value {value} for leaf {row}: expected a finite number")
            }
        }
    }
}

impl std::error::Error for AnswerError {}

impl LeafAnswers {
    /// Checks the answers for `leaves` leaves of a game with this number of actions and players.
    pub fn check(&self, leaves: usize, actions: usize, players: usize) -> Result<(), AnswerError> {
        if self.priors.len() != leaves * actions {
            return Err(AnswerError::Priors { expected: (leaves, actions), given: self.priors.len() });
        }
        let is_right = self.values_each == players || self.values_each == 1 && players <= 2;
        if !is_right || self.values.len() != leaves * self.values_each {
            return Err(AnswerError::Values { expected: (leaves, players), given: self.values.len() });
        }
        let is_wrong = |prior: &f32| !(*prior >= 0.0 && prior.is_finite());
        if let Some(at) = self.priors.iter().position(is_wrong) {
            let prior = self.priors[at];
            return Err(AnswerError::Prior { row: at / actions, action: at % actions, prior });
        }
        match self.values.iter().position(|value| !value.is_finite()) {
            Some(at) => Err(AnswerError::Value { row: at / self.values_each, value: self.values[at] }),
            None => Ok(()),
        }
    }

    /// The priors of a leaf, by action.
    fn priors_of(&self, row: usize) -> &[f32] {
        let actions = self.priors.len() / (self.values.len() / self.values_each).max(1);
        &self.priors[row * actions..][..actions]
    }

    /// The values of a leaf.
    fn values_of(&self, row: usize) -> &[f32] {
        &self.values[row * self.values_each..][..self.values_each]
    }
}

/// The tree in which a search looks ahead if something is hidden. Otherwise both are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TreeKind {
    /// A tree of positions for each of several worlds, below the shared root.
    #[default]
    Mcts,
    /// A tree of information sets; every few simulations are in a new world.
    Ismcts,
}

/// How a search spends its simulations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchSettings {
    /// The kind of tree.
    pub tree: TreeKind,
    /// The number of simulations per decision.
    pub simulations: u32,
    /// The greatest number of leaves of one tree in a call of the evaluator.
    pub leaves: u32,
    /// The greatest number of leaves in a call of the evaluator.
    pub batch: u32,
    /// The exploration constant of PUCT.
    pub exploration: f64,
    /// The concentration of the Dirichlet noise that is a quarter of the priors of the root.
    pub noise: Option<f64>,
    /// Actions are drawn with the weights visits^(1/temperature). With 0, the most visited action is taken.
    pub temperature: f64,
}

impl Default for SearchSettings {
    fn default() -> Self {
        SearchSettings {
            tree: TreeKind::Mcts,
            simulations: 200,
            leaves: 8,
            batch: 2048,
            exploration: 1.25,
            noise: None,
            temperature: 0.0,
        }
    }
}

/// The greatest number of leaves in a call of the evaluator that can be asked for.
pub const MOST_LEAVES: u32 = 1 << 20;

impl SearchSettings {
    /// The number of games that are searched or played side by side, so that their leaves fill a batch.
    pub fn side_by_side(&self) -> usize {
        (self.batch / self.leaves).clamp(1, 1024) as usize
    }

    /// Says what is wrong with the settings, if anything is.
    pub fn check(&self) -> Result<(), String> {
        let most = houserule_players::agents::MOST_SIMULATIONS;
        let number = |name: &str, number: u32, most: u32| match (1..=most).contains(&number) {
            true => Ok(()),
            false => Err(format!("{name}={number} is not possible: give a number from 1 to {most}")),
        };
        number("simulations", self.simulations, most)?;
        number("leaves", self.leaves, MOST_LEAVES)?;
        number("batch", self.batch, MOST_LEAVES)?;
        if self.batch < self.leaves {
            return Err(format!("batch={} is less than leaves={}", self.batch, self.leaves));
        }
        if !(self.exploration.is_finite() && self.exploration >= 0.0) {
            return Err(format!("c_puct={} is not possible: give a number from 0", self.exploration));
        }
        if let Some(alpha) = self.noise.filter(|alpha| !(alpha.is_finite() && *alpha > 0.0)) {
            return Err(format!("root_noise={alpha} is not possible: give a number above 0, or None"));
        }
        if !(self.temperature.is_finite() && self.temperature >= 0.0) {
            return Err(format!("temperature={} is not possible: give a number from 0", self.temperature));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_a_wrong_shape_or_with_impossible_numbers_are_refused() {
        let answers = |priors: &[f32], values: &[f32], values_each| LeafAnswers {
            priors: priors.to_vec(),
            values: values.to_vec(),
            values_each,
        };
        let said = |answers: LeafAnswers, players| answers.check(2, 2, players).map_err(|e| e.to_string());
        let even = [0.5; 4];
        assert_eq!(said(answers(&even, &[0.0; 2], 1), 2), Ok(()));
        assert_eq!(said(answers(&even, &[0.0; 6], 3), 3), Ok(()));
        let error = |answers, players| said(answers, players).unwrap_err();
        assert!(
            error(answers(&even[1..], &[0.0; 2], 1), 2)
                .contains("3 priors: expected an array of shape (2, 2)")
        );
        assert!(error(answers(&even, &[0.0; 2], 1), 3).contains("expected an array of shape (2, 3)"));
        assert!(error(answers(&even, &[0.0; 3], 1), 2).contains("(2,), the value of each leaf"));
        let logits = answers(&[0.5, 0.5, 0.5, -0.5], &[0.0; 2], 1);
        assert!(
            error(logits, 2).contains("-0.5 for action 1 of leaf 1: expected a number from 0; a softmax")
        );
        assert!(
            error(answers(&[f32::NAN, 0.5, 0.5, 0.5], &[0.0; 2], 1), 2)
                .contains("NaN for action 0 of leaf 0")
        );
        assert!(error(answers(&even, &[0.0, f32::INFINITY], 1), 2).contains("inf for leaf 1"));
    }

    #[test]
    fn settings_that_are_not_possible_are_named() {
        let usual = SearchSettings::default();
        assert_eq!(usual.check(), Ok(()));
        let error = |settings: SearchSettings| settings.check().unwrap_err();
        assert!(error(SearchSettings { simulations: 0, ..usual }).starts_with("simulations=0"));
        assert!(error(SearchSettings { leaves: 9, batch: 8, ..usual }).starts_with("batch=8 is less"));
        assert!(error(SearchSettings { exploration: f64::NAN, ..usual }).starts_with("c_puct=NaN"));
        assert!(error(SearchSettings { noise: Some(0.0), ..usual }).starts_with("root_noise=0"));
        assert!(error(SearchSettings { temperature: -1.0, ..usual }).starts_with("temperature=-1"));
    }
}
