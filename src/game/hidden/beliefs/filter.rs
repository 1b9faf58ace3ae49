//! The exact forward filter: all states that agree with the observations of a seat, with their probabilities.
//! The weights of equal states are added, so the order of unseen deals doesn't multiply the states.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use super::ways::{Rules, WayCost};
use crate::State;
use houserule_base::hash::hash;
use houserule_base::interrupt;
use houserule_base::rng::Stream;

/// Maximum number of consecutive events that show the seat nothing. Beyond it the filter gives up.
const MOST_UNSEEN: usize = 1_000;

/// Maximum number of outcomes of a chance event. Beyond it the filter gives up.
const MOST_WAYS: usize = 10_000;

/// Number of outcomes that may be tried for each state of the bound to find the ways of `chance … given`. Beyond it the filter
/// gives up.
const MOST_TRIED: u64 = 100;

/// Work between two observations for each state of the bound. Beyond it the filter gives up. The unit is an iteration of a loop
/// of the rules, or 64 copied words: see [`State::work_since`]. Usual events cost less than a hundred, so the number of states
/// ends the filter first. An event with a decision after it for which thousands of candidates are tried costs thousands.
const MOST_WORK: u64 = 10_000;

/// Distinct states with their weights.
#[derive(Clone, Debug, Default)]
struct WeightedStates {
    states: Vec<(Arc<State>, f64)>,
    by_hash: HashMap<u64, Vec<u32>, BuildHasherDefault<Hashed>>,
}

/// Returns a hash unchanged, as a hasher.
#[derive(Clone, Debug, Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64((*byte).into()));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = word;
    }
}

impl WeightedStates {
    /// Adds a state, or the weight if an equal state is present. Keeps one of the two histories, drawn by
    /// weight.
    fn add(&mut self, state: State, weight: f64) {
        let hash = hash(state.persistent());
        let known = self.by_hash.entry(hash).or_default();
        if let Some(at) = known.iter().find(|at| *self.states[**at as usize].0 == state) {
            let (kept, sum) = &mut self.states[*at as usize];
            *sum += weight;
            // The seed makes the choice independent of when a caller asks.
            let mut stream = Stream::new(hash, sum.to_bits(), 0);
            if stream.below(1 << 53) as f64 / (1u64 << 53) as f64 * *sum < weight {
                *kept = Arc::new(state);
            }
            return;
        }
        known.push(self.states.len() as u32);
        self.states.push((Arc::new(state), weight));
    }
}

/// All states that agree with a log, unless there were too many.
#[derive(Clone, Debug)]
pub(super) struct Filter {
    /// The states by their number of observations.
    layers: BTreeMap<u64, WeightedStates>,
    /// Whether the filter gave up because of too many states or too much work.
    over: bool,
    /// The largest number of states held at one time.
    most: usize,
    /// The outcomes that were tried to find the ways of `chance … given`, and the work since the last observation.
    cost: WayCost,
}

impl Filter {
    /// Returns a filter at the first stop of a game.
    pub(super) fn begin(rules: Rules<'_>, first: &State) -> Filter {
        let mut first_layer = WeightedStates::default();
        first_layer.add(first.clone(), 1.0);
        Filter {
            layers: BTreeMap::from([(rules.progress(first), first_layer)]),
            over: false,
            most: 1,
            cost: WayCost::default(),
        }
    }

    /// Advances to `goal` observations of the log. Gives up if it has to hold more than `bound` states, or if that is too much
    /// work for that many.
    pub(super) fn advance(&mut self, rules: Rules<'_>, bound: usize, goal: u64) {
        let most = WayCost {
            tried: MOST_TRIED.saturating_mul(bound as u64),
            work: MOST_WORK.saturating_mul(bound.max(1) as u64),
        };
        while !self.over
            && let Some(at) = self.layers.keys().next().copied().filter(|at| *at < goal)
        {
            self.scale(1e-100);
            let Some(mut layer) = self.layers.remove(&at) else { break };
            self.cost.work = 0;
            for unseen in 0.. {
                let mut still = WeightedStates::default();
                for (state, weight) in std::mem::take(&mut layer.states) {
                    interrupt::check();
                    let state = Arc::unwrap_or_clone(state);
                    if rules.is_wide(&state, MOST_WAYS) {
                        self.over = true;
                        self.layers.clear();
                        return;
                    }
                    rules.expand(state, &mut self.cost, most, &mut |p, next| match rules.progress(&next) {
                        progress if progress > at => {
                            self.layers.entry(progress).or_default().add(next, weight * p)
                        }
                        _ => still.add(next, weight * p),
                    });
                    let held: usize = self.layers.values().map(|layer| layer.states.len()).sum();
                    self.most = self.most.max(held + still.states.len());
                    let is_slow = self.cost.exceeds(most);
                    if held + still.states.len() > bound || unseen > MOST_UNSEEN || is_slow {
                        self.over = true;
                        self.layers.clear();
                        return;
                    }
                }
                if still.states.is_empty() {
                    break;
                }
                layer = still;
            }
        }
        self.scale(f64::INFINITY);
    }

    /// Normalizes the weights to probabilities if their sum is less than `below`. Only ratios of weights
    /// matter, and products of many probabilities would underflow.
    fn scale(&mut self, below: f64) {
        let sum: f64 = self.layers.values().flat_map(|layer| &layer.states).map(|(_, weight)| weight).sum();
        if sum > 0.0 && sum < below {
            for layer in self.layers.values_mut() {
                layer.states.iter_mut().for_each(|(_, weight)| *weight /= sum);
            }
        }
    }

    /// Returns the states with their probabilities, or `None` if the filter gave up.
    pub(super) fn states(&self) -> Option<Vec<(Arc<State>, f64)>> {
        let all = || self.layers.values().flat_map(|layer| layer.states.iter().cloned()).collect();
        (!self.over).then(all)
    }
}
