//! Turn search: the best action of a seat by the learned values of afterstates.

use std::cmp::Ordering;
use std::sync::Arc;

use super::plan::{FeaturePlan, Scratch, lead};
use crate::agent::Barred;
use crate::game::Game;
use crate::many::Trials;
use crate::rng::Stream;

/// What a value estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The score of a one-player game.
    Score,
    /// The final lead over the best of the others.
    Lead,
    /// The returns of the game, from -1 to 1.
    Outcome,
    /// The payoff of a game whose rules declare payoffs.
    Payoff,
}

impl Aim {
    /// The name in player files.
    pub fn name(self) -> &'static str {
        match self {
            Aim::Score => "score",
            Aim::Lead => "lead",
            Aim::Outcome => "outcome",
            Aim::Payoff => "payoff",
        }
    }

    /// Computes a value from `base`, the part known without weights, and the sum of the weights.
    pub(super) fn value(self, base: f32, sum: f32) -> f32 {
        match self {
            Aim::Outcome => sum.tanh(),
            Aim::Score | Aim::Lead | Aim::Payoff => base + sum,
        }
    }

    /// Returns the aim called `name`.
    pub fn named(name: &str) -> Option<Aim> {
        [Aim::Score, Aim::Lead, Aim::Outcome, Aim::Payoff].into_iter().find(|aim| aim.name() == name)
    }
}

/// Maximum depth of the search, in decisions.
const DEPTH: usize = 24;

/// Number of states evaluated in a game above which no game is a sparring game. Few games are played then, and go 9×9
/// lost more by playing fewer of them against itself than it gained.
const SPARRING_STATES: f64 = 3000.0;

/// The value of an action that ends in an error of the rules.
pub(super) const WORST: f32 = -1e9;

/// Weight of the returns relative to the lead. It breaks ties between equal leads.
const WIN: f64 = 0.01;

/// A search over the decisions of one turn. Frame 0 holds the root state.
pub(super) struct TurnSearch {
    pub(super) plan: Arc<FeaturePlan>,
    pub(super) aim: Aim,
    pub(super) trials: Trials,
    pub(super) scratch: Scratch,
    features: Vec<u32>,
    legal: Vec<Vec<u32>>,
    /// Actions that the seat must not take in its turn.
    pub(super) barred: Barred,
    /// Work so far, in weight look-ups: the features of each evaluated state plus [`STATE`].
    pub(super) work: u64,
}

/// Fixed cost of evaluating a state, in weight look-ups.
pub(super) const STATE: u64 = 100;

impl TurnSearch {
    pub(super) fn new(game: &Game, plan: &Arc<FeaturePlan>, aim: Aim) -> TurnSearch {
        TurnSearch::with(Trials::new(game, DEPTH + 1), plan, aim)
    }

    /// Returns another search for the same game.
    pub(super) fn more(&self) -> TurnSearch {
        TurnSearch::with(self.trials.more(), &self.plan, self.aim)
    }

    fn with(trials: Trials, plan: &Arc<FeaturePlan>, aim: Aim) -> TurnSearch {
        let players = trials.game().players() as usize;
        TurnSearch {
            plan: Arc::clone(plan),
            aim,
            trials,
            scratch: Scratch::new(players),
            features: vec![],
            legal: vec![vec![]; DEPTH + 1],
            barred: Barred::default(),
            work: 0,
        }
    }

    /// Returns `true` if some training games are played against greedy opponents: in games of several players without
    /// chance whose scores all players see, unless a game evaluates more than [`SPARRING_STATES`].
    pub(super) fn spars(&self) -> bool {
        let sample = &self.plan.sample;
        self.trials.game().players() > 1
            && !self.trials.has_chance()
            && self.plan.sees_scores
            && sample.decisions * sample.actions <= SPARRING_STATES
    }

    /// Returns the action of the greedy agent for `seat`, which must decide in frame `i` among `legal`: the one with the
    /// best return of a finished game, then with the best lead. Breaks ties uniformly at random.
    pub(super) fn greedy(
        &mut self,
        i: usize,
        seat: usize,
        legal: &[u32],
        stream: &mut Stream,
    ) -> Option<u32> {
        let (mut best, mut most, mut ties) = (None, (f64::NEG_INFINITY, f64::NEG_INFINITY), 1);
        for action in legal {
            self.trials.copy(i, i + 1);
            self.work += STATE;
            let worth = match self.trials.try_out(i + 1, *action) {
                Ok(()) => self.standing(i + 1, seat),
                Err(_) => (f64::NEG_INFINITY, f64::NEG_INFINITY),
            };
            ties = match worth.partial_cmp(&most) {
                Some(Ordering::Greater) => 1,
                Some(Ordering::Equal) => ties + 1,
                _ => continue,
            };
            if ties == 1 || stream.below(ties) == 0 {
                (best, most) = (Some(*action), worth);
            }
        }
        best
    }

    /// The return of a finished game for a seat, 0 before its end, and the seat's lead.
    fn standing(&mut self, i: usize, seat: usize) -> (f64, f64) {
        let returned = if self.trials.is_over(i) { self.trials.returned(i, seat as u32) } else { 0.0 };
        match self.trials.worths(i, &mut self.scratch.worths) {
            Ok(()) => (returned, lead(&self.scratch.worths, seat)),
            Err(_) => (f64::NEG_INFINITY, f64::NEG_INFINITY),
        }
    }

    /// The value of a finished game for a seat.
    pub(super) fn end(&mut self, i: usize, seat: usize) -> f32 {
        if self.trials.worths(i, &mut self.scratch.worths).is_err() {
            return WORST;
        }
        let returned = self.trials.returned(i, seat as u32);
        (match self.aim {
            Aim::Score => self.scratch.worths[seat],
            Aim::Lead => lead(&self.scratch.worths, seat) + WIN * returned,
            Aim::Outcome | Aim::Payoff => returned,
        }) as f32
    }

    /// Writes the features of a state for a seat to `out`. Returns the part of its value known without weights.
    pub(super) fn look(&mut self, i: usize, seat: usize, out: &mut Vec<u32>) -> f32 {
        let mut base = 0.0;
        if self.plan.sees_scores {
            if self.trials.worths(i, &mut self.scratch.worths).is_err() {
                self.scratch.worths.fill(0.0);
            }
            base = match self.aim {
                Aim::Score => self.scratch.worths[seat] as f32,
                Aim::Lead => lead(&self.scratch.worths, seat) as f32,
                Aim::Outcome | Aim::Payoff => 0.0,
            };
        }
        self.plan.features(&self.trials, i, seat, &mut self.scratch, out);
        self.work += STATE + out.len() as u64;
        base
    }

    /// The value of a state for a seat.
    pub(super) fn value(&mut self, weights: &[f32], i: usize, seat: usize) -> f32 {
        if self.trials.is_over(i) {
            return self.end(i, seat);
        }
        let mut features = std::mem::take(&mut self.features);
        let base = self.look(i, seat, &mut features);
        let sum = features.iter().map(|at| weights[*at as usize]).sum();
        self.features = features;
        self.aim.value(base, sum)
    }

    /// Returns the value of the best line of `seat`, which must decide in frame `i`, and writes its actions to
    /// `line`. Searches the seat's consecutive decisions, at most `nodes` actions. Decisions of others and chance
    /// are part of the values. Breaks ties uniformly at random.
    pub(super) fn best(
        &mut self,
        weights: &[f32],
        i: usize,
        seat: usize,
        nodes: &mut usize,
        stream: &mut Stream,
        line: &mut Vec<u32>,
    ) -> f32 {
        self.weigh(weights, (i, seat), nodes, stream, line, &mut |_, _| {})
    }

    /// Like [`TurnSearch::best`], and calls `tell` with the value of each action.
    pub(super) fn weigh(
        &mut self,
        weights: &[f32],
        (i, seat): (usize, usize),
        nodes: &mut usize,
        stream: &mut Stream,
        line: &mut Vec<u32>,
        tell: &mut dyn FnMut(u32, f32),
    ) -> f32 {
        line.clear();
        let mut legal = std::mem::take(&mut self.legal[i]);
        self.trials.legal_actions(i, &mut legal);
        self.barred.leave_out(&mut legal, |action| *action);
        *nodes = nodes.saturating_sub(legal.len());
        let (mut most, mut ties, mut behind) = (f32::NEG_INFINITY, 1, vec![]);
        for action in &legal {
            self.trials.copy(i, i + 1);
            behind.clear();
            let value = match self.trials.try_out(i + 1, *action) {
                Err(_) => WORST,
                Ok(()) => {
                    let again = self.trials.current_player(i + 1) == Some(seat as u32);
                    if again && *nodes > 0 && i + 2 < self.legal.len() {
                        self.best(weights, i + 1, seat, nodes, stream, &mut behind)
                    } else {
                        self.value(weights, i + 1, seat)
                    }
                }
            };
            tell(*action, value);
            ties = match value.total_cmp(&most) {
                Ordering::Greater => 1,
                Ordering::Equal => ties + 1,
                Ordering::Less => continue,
            };
            if ties == 1 || stream.below(ties) == 0 {
                most = value;
                line.clear();
                line.push(*action);
                line.append(&mut behind);
            }
        }
        self.legal[i] = legal;
        most
    }
}
