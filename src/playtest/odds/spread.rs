//! How the probability spreads from the start of a game over its states to its ends.
//!
//! If no state can come again, each passes its probability on once, after all before it, in fractions. Otherwise all
//! states pass it on step by step, until less than [`REST`] is left.

use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasherDefault;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;

use super::fraction::{Probability, quotient};
use super::plan::OddsError;
use super::states::StateGraph;
use houserule_base::clock::Instant;
use houserule_base::hash::WordHasher;
use houserule_base::interrupt;

/// The probability of the games that are not followed to their ends.
const REST: f64 = 1e-15;

/// The error that rounded results state.
pub(super) const BOUND: f64 = 1e-12;

/// Maximum number of products of large integers. Beyond it, probabilities are rounded.
const MOST_PRODUCTS: u64 = 20_000_000;

/// Maximum time in which states pass on their probability, in seconds, of a game that can come back to a state.
const LONGEST: f64 = 60.0;

/// The probabilities of the values of some quantities.
pub(super) struct Spread {
    /// Whether all are fractions.
    pub(super) is_exact: bool,
    /// Maximum error of a probability.
    pub(super) bound: f64,
    /// The quantities.
    pub(super) columns: Vec<SpreadColumn>,
}

/// The probabilities of the values of a quantity, in order of the values.
pub(super) enum SpreadColumn {
    /// Numerators, and the denominator of all.
    Exact(BTreeMap<i64, BigUint>, BigUint),
    /// Rounded.
    Rounded(BTreeMap<i64, f64>),
}

impl SpreadColumn {
    /// Returns each value with its probability, that of no smaller value, and that of no greater one.
    pub(super) fn values(&self) -> Vec<(i64, [Probability; 3])> {
        match self {
            SpreadColumn::Exact(parts, whole) => {
                let mut below = BigUint::ZERO;
                let of_each = parts.iter().map(|(value, part)| {
                    let rest = whole - &below;
                    below += part;
                    (*value, [part, &rest, &below].map(|part| Probability::from_ratio(part, whole)))
                });
                of_each.collect()
            }
            SpreadColumn::Rounded(parts) => {
                // Each sum begins with the small parts of its own end.
                let mut at_least: Vec<f64> = vec![];
                for part in parts.values().rev() {
                    at_least.push(at_least.last().unwrap_or(&0.0) + part);
                }
                let mut below = 0.0;
                let of_each = parts.iter().zip(at_least.into_iter().rev()).map(|((value, part), rest)| {
                    below += part;
                    (*value, [*part, rest.min(1.0), f64::min(below, 1.0)].map(Probability::rounded))
                });
                of_each.collect()
            }
        }
    }

    /// Returns the mean and the standard deviation.
    pub(super) fn moments(&self) -> (Probability, f64) {
        match self {
            SpreadColumn::Exact(parts, whole) => {
                let (mut sum, mut squares) = (BigInt::ZERO, BigInt::ZERO);
                for (value, part) in parts {
                    let weighted = BigInt::from(*value) * BigInt::from(part.clone());
                    squares += &weighted * *value;
                    sum += weighted;
                }
                let variance = squares * BigInt::from(whole.clone()) - &sum * &sum;
                let variance = quotient(variance.magnitude(), &(whole * whole));
                (Probability::from_signed_ratio(&sum, whole), variance.sqrt())
            }
            SpreadColumn::Rounded(parts) => {
                let all: f64 = parts.values().sum();
                let mean = parts.iter().map(|(value, part)| *value as f64 * part).sum::<f64>() / all;
                let variance = parts.iter().map(|(value, part)| (*value as f64 - mean).powi(2) * part);
                (Probability::rounded(mean), (variance.sum::<f64>() / all).sqrt())
            }
        }
    }
}

/// Spreads the probability over the states of a game.
pub(super) fn spread(graph: &StateGraph, columns: usize, begun: Instant) -> Result<Spread, OddsError> {
    let Some(order) = order(graph) else {
        return all_end(graph)
            .then_some(())
            .ok_or(OddsError::Endless)
            .and_then(|()| step_by_step(graph, columns, begun));
    };
    match exactly(graph, &order, columns) {
        Some(columns) => Ok(Spread { is_exact: true, bound: 0.0, columns }),
        None => Ok(Spread { is_exact: false, bound: BOUND, columns: rounded(graph, &order, columns) }),
    }
}

/// Returns the states so that each comes after all from which it can be reached, or `None` if a state can come again.
fn order(graph: &StateGraph) -> Option<Vec<u32>> {
    let mut before = vec![0u32; graph.len() as usize];
    for state in 0..graph.len() {
        graph.steps(state).iter().for_each(|step| before[step.to as usize] += 1);
    }
    let mut order = vec![];
    if before[0] == 0 {
        order.push(0);
    }
    let mut at = 0;
    while let Some(state) = order.get(at).copied() {
        at += 1;
        for step in graph.steps(state) {
            before[step.to as usize] -= 1;
            if before[step.to as usize] == 0 {
                order.push(step.to);
            }
        }
    }
    (order.len() == graph.len() as usize).then_some(order)
}

/// Returns `true` if from every state some end can be reached.
fn all_end(graph: &StateGraph) -> bool {
    let mut from: Vec<Vec<u32>> = vec![vec![]; graph.len() as usize];
    for state in 0..graph.len() {
        graph.steps(state).iter().for_each(|step| from[step.to as usize].push(state));
    }
    let mut found: Vec<u32> = (0..graph.len()).filter(|state| graph.values(*state).is_some()).collect();
    let mut ends = vec![false; graph.len() as usize];
    found.iter().for_each(|state| ends[*state as usize] = true);
    while let Some(state) = found.pop() {
        for before in &from[state as usize] {
            if !std::mem::replace(&mut ends[*before as usize], true) {
                found.push(*before);
            }
        }
    }
    ends.iter().all(|ends| *ends)
}

/// Something for each number of counted things, in order of the numbers.
struct Tallies<T>(Vec<(i64, T)>);

impl<T> Default for Tallies<T> {
    fn default() -> Self {
        Tallies(vec![])
    }
}

impl<T: Default> Tallies<T> {
    fn at(&mut self, tally: i64) -> &mut T {
        let at = self.0.binary_search_by_key(&tally, |(of, _)| *of).unwrap_or_else(|at| {
            self.0.insert(at, (tally, T::default()));
            at
        });
        &mut self.0[at].1
    }
}

/// Returns the probabilities as fractions, or `None` if that takes too long.
fn exactly(graph: &StateGraph, order: &[u32], columns: usize) -> Option<Vec<SpreadColumn>> {
    if graph.step_count() as u64 > MOST_PRODUCTS / 4 {
        return None;
    }
    let states = graph.len() as usize;
    let ways = |state: u32| graph.steps(state).iter().map(|step| u128::from(step.times)).sum::<u128>();
    // Each state has a denominator of its own: the least that all ways to it allow.
    let mut wholes = vec![BigUint::ZERO; states];
    wholes[0] = BigUint::from(1u8);
    let mut whole = BigUint::from(1u8);
    for state in order {
        interrupt::check();
        if graph.values(*state).is_some() {
            whole = whole.lcm(&wholes[*state as usize]);
            continue;
        }
        let passed = &wholes[*state as usize] * ways(*state);
        for step in graph.steps(*state) {
            let of = &mut wholes[step.to as usize];
            if *of == BigUint::ZERO {
                of.clone_from(&passed);
            } else if *of != passed {
                *of = of.lcm(&passed);
            }
        }
    }
    let mut parts: Vec<BTreeMap<i64, BigUint>> = vec![BTreeMap::new(); columns];
    let mut masses: Vec<Tallies<BigUint>> = Vec::new();
    masses.resize_with(states, Tallies::default);
    *masses[0].at(graph.before) = BigUint::from(1u8);
    let mut products = 0;
    for state in order {
        interrupt::check();
        let mass = std::mem::take(&mut masses[*state as usize]);
        if let Some(values) = graph.values(*state) {
            let factor = &whole / &wholes[*state as usize];
            for (tally, mass) in mass.0 {
                let mass = mass * &factor;
                for (part, value) in parts.iter_mut().zip(values) {
                    *part.entry(value + tally).or_default() += &mass;
                }
            }
            continue;
        }
        let passed = &wholes[*state as usize] * ways(*state);
        for step in graph.steps(*state) {
            let mut factor = BigUint::from(step.times);
            if wholes[step.to as usize] != passed {
                factor *= &wholes[step.to as usize] / &passed;
            }
            products += mass.0.len() as u64 * (1 + passed.bits() / 512);
            let to = &mut masses[step.to as usize];
            for (tally, mass) in &mass.0 {
                *to.at(tally + i64::from(step.counted)) += mass * &factor;
            }
        }
        if products > MOST_PRODUCTS {
            return None;
        }
    }
    Some(parts.into_iter().map(|part| SpreadColumn::Exact(part, whole.clone())).collect())
}

/// Like [`exactly`], rounded.
fn rounded(graph: &StateGraph, order: &[u32], columns: usize) -> Vec<SpreadColumn> {
    let mut parts: Vec<BTreeMap<i64, f64>> = vec![BTreeMap::new(); columns];
    let mut masses: Vec<Tallies<f64>> = Vec::new();
    masses.resize_with(graph.len() as usize, Tallies::default);
    *masses[0].at(graph.before) = 1.0;
    for state in order {
        interrupt::check();
        let mass = std::mem::take(&mut masses[*state as usize]);
        if let Some(values) = graph.values(*state) {
            for (tally, mass) in mass.0 {
                for (part, value) in parts.iter_mut().zip(values) {
                    *part.entry(value + tally).or_default() += mass;
                }
            }
            continue;
        }
        let ways: f64 = graph.steps(*state).iter().map(|step| step.times as f64).sum();
        for step in graph.steps(*state) {
            let (share, to) = (step.times as f64 / ways, &mut masses[step.to as usize]);
            for (tally, mass) in &mass.0 {
                *to.at(tally + i64::from(step.counted)) += mass * share;
            }
        }
    }
    parts.into_iter().map(SpreadColumn::Rounded).collect()
}

/// Follows all games at the same time, step by step.
fn step_by_step(graph: &StateGraph, columns: usize, begun: Instant) -> Result<Spread, OddsError> {
    type Masses = HashMap<(u32, i64), f64, BuildHasherDefault<WordHasher>>;
    let mut parts: Vec<BTreeMap<i64, f64>> = vec![BTreeMap::new(); columns];
    let mut now: Vec<((u32, i64), f64)> = vec![((0, graph.before), 1.0)];
    let mut next = Masses::default();
    let (mut left, mut steps) = (1.0, 0u64);
    while left > REST {
        steps += 1;
        left = 0.0;
        for ((state, tally), mass) in now.drain(..) {
            if let Some(values) = graph.values(state) {
                for (part, value) in parts.iter_mut().zip(values) {
                    *part.entry(value + tally).or_default() += mass;
                }
                continue;
            }
            left += mass;
            let ways: f64 = graph.steps(state).iter().map(|step| step.times as f64).sum();
            for step in graph.steps(state) {
                let key = (step.to, tally + i64::from(step.counted));
                *next.entry(key).or_default() += mass * step.times as f64 / ways;
            }
        }
        now.extend(next.drain());
        // The order of a hash table is no result.
        now.sort_unstable_by_key(|(key, _)| *key);
        interrupt::check();
        let seconds = begun.elapsed().as_secs_f64();
        if seconds > LONGEST && left > REST {
            return Err(OddsError::Late { left, seconds });
        }
    }
    let bound = BOUND.max(left + steps as f64 * f64::EPSILON);
    Ok(Spread { is_exact: false, bound, columns: parts.into_iter().map(SpreadColumn::Rounded).collect() })
}
