//! The exact forward filter: all states in which a game may be for all that a seat has observed, with their
//! probabilities. Equal states are added up, so the order in which cards were dealt unseen does not count.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use super::ways::Rules;
use crate::engine::State;
use crate::hash::hash;
use crate::interrupt;
use crate::rng::Stream;

/// The most chance events and decisions in a row of which a seat sees nothing at all.
const MOST_UNSEEN: usize = 1_000;

/// The most outcomes of a chance event that are all tried.
const MOST_WAYS: usize = 10_000;

/// States with weights, each once.
#[derive(Clone, Debug, Default)]
struct Layer {
    states: Vec<(Arc<State>, f64)>,
    by_hash: HashMap<u64, Vec<u32>, BuildHasherDefault<Hashed>>,
}

/// Passes a hash on as it is.
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

impl Layer {
    /// Adds a state. Of the ways that lead to it one is kept, by their weights.
    fn add(&mut self, state: State, weight: f64) {
        let hash = hash(state.persistent());
        let known = self.by_hash.entry(hash).or_default();
        if let Some(at) = known.iter().find(|at| *self.states[**at as usize].0 == state) {
            let (kept, sum) = &mut self.states[*at as usize];
            *sum += weight;
            // The same every time: whoever asks earlier or later finds the same ways.
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

/// All states that agree with a log, unless they became too many.
#[derive(Clone, Debug)]
pub(super) struct Filter {
    /// By how much has been observed.
    layers: BTreeMap<u64, Layer>,
    /// There were too many states at some time.
    over: bool,
    /// The most states that there were at a time.
    most: usize,
}

impl Filter {
    /// At the first stop of a game.
    pub(super) fn begin(rules: Rules<'_>, first: &State) -> Filter {
        let mut first_layer = Layer::default();
        first_layer.add(first.clone(), 1.0);
        Filter { layers: BTreeMap::from([(rules.progress(first), first_layer)]), over: false, most: 1 }
    }

    /// Goes on to all that has been observed. Gives up where there are more than `bound` states.
    pub(super) fn advance(&mut self, rules: Rules<'_>, bound: usize) {
        let goal = rules.log.progress();
        while !self.over
            && let Some(at) = self.layers.keys().next().copied().filter(|at| *at < goal)
        {
            self.scale(1e-100);
            let Some(mut layer) = self.layers.remove(&at) else { break };
            for unseen in 0.. {
                let mut still = Layer::default();
                for (state, weight) in std::mem::take(&mut layer.states) {
                    interrupt::check();
                    let state = Arc::unwrap_or_clone(state);
                    if rules.is_wide(&state, MOST_WAYS) {
                        self.over = true;
                        self.layers.clear();
                        return;
                    }
                    rules.expand(state, &mut |p, next| match rules.progress(&next) {
                        progress if progress > at => {
                            self.layers.entry(progress).or_default().add(next, weight * p)
                        }
                        _ => still.add(next, weight * p),
                    });
                    let held: usize = self.layers.values().map(|layer| layer.states.len()).sum();
                    self.most = self.most.max(held + still.states.len());
                    if held + still.states.len() > bound || unseen > MOST_UNSEEN {
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

    /// Only ratios of weights count, and products of many probabilities become too small: makes the weights
    /// probabilities, if their sum is below a bound.
    fn scale(&mut self, below: f64) {
        let sum: f64 = self.layers.values().flat_map(|layer| &layer.states).map(|(_, weight)| weight).sum();
        if sum > 0.0 && sum < below {
            for layer in self.layers.values_mut() {
                layer.states.iter_mut().for_each(|(_, weight)| *weight /= sum);
            }
        }
    }

    /// The states with their probabilities; `None` if there were too many of them.
    pub(super) fn states(&self) -> Option<Vec<(Arc<State>, f64)>> {
        let all = || self.layers.values().flat_map(|layer| layer.states.iter().cloned()).collect();
        (!self.over).then(all)
    }
}
