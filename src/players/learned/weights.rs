//! Weights and their TD(λ) updates.

use super::selfplay::TrainingGame;
use super::turn::Aim;

/// Learning rate: the share of an error that one update corrects, distributed over the features.
const STEP: f32 = 1.0;

/// The λ of TD(λ). It is smaller with chance, because later results then say less about earlier states.
pub(super) fn lambda(has_chance: bool) -> f32 {
    if has_chance { 0.5 } else { 0.8 }
}

/// Weights in training: TD(λ) (Sutton 1988) on the afterstates of each seat.
pub(super) struct Learning {
    weights: Vec<Weight>,
    /// The weights that have changed in this round.
    changed: Vec<u32>,
    /// The number of the round, from 1.
    round: u32,
    aim: Aim,
    lambda: f32,
}

/// A weight in training. All that an update needs lies side by side, because most weights are far apart in memory.
#[derive(Clone, Copy)]
struct Weight {
    value: f32,
    /// The sum of the weight's errors.
    errors: f32,
    /// The sum of their absolute values. The learning rate of a weight falls as its errors cancel out (temporal
    /// coherence: Beal and Smith 1999).
    sizes: f32,
    /// The average of the weight over rounds, with less weight on older rounds. Each error moves weights far, so a
    /// player with averaged weights is steadier than one with the last weights (Polyak and Juditsky 1992).
    average: f32,
    /// The round in which the weight last changed. Until then the average is up to date.
    changed: u32,
}

/// Time constant of the averages, as a share of all rounds so far.
const MEMORY: f32 = 1.0 / 16.0;

impl Weight {
    fn new(value: f32) -> Weight {
        Weight { value, errors: 0.0, sizes: 0.0, average: value, changed: 0 }
    }

    /// Returns the average over the rounds before `round`.
    #[inline(always)]
    fn averaged(&self, round: u32) -> f32 {
        let rounds = (round - self.changed) as f32;
        self.average + (self.value - self.average) * rounds / (rounds + MEMORY * round as f32 + 1.0)
    }
}

impl Learning {
    pub(super) fn new(weights: usize, each: f32, aim: Aim, lambda: f32) -> Learning {
        Learning { weights: vec![Weight::new(each); weights], changed: vec![], round: 1, aim, lambda }
    }

    /// Learns from a finished game: backwards, seat by seat.
    pub(super) fn learn(&mut self, log: &TrainingGame) {
        for (seat, end) in log.ends.iter().enumerate() {
            let mut target = *end;
            for step in log.steps.iter().rev().filter(|step| step.seat as usize == seat) {
                let features = &log.features[step.features.clone()];
                if !features.is_empty() {
                    let value = self.update(features, step.base, target);
                    target = (1.0 - self.lambda) * value + self.lambda * target;
                }
                // The result of an exploratory action says nothing about the state before it.
                if let Some(best) = step.instead_of {
                    target = best;
                }
            }
        }
    }

    /// Ends a round: writes the weights that changed in it to `weights`.
    pub(super) fn publish(&mut self, weights: &mut [f32]) {
        for at in self.changed.drain(..) {
            weights[at as usize] = self.weights[at as usize].value;
        }
        self.round += 1;
    }

    /// Keeps the weights, and forgets how they were found: learning rates and averages begin again.
    pub(super) fn begin_again(&mut self) {
        self.weights.iter_mut().for_each(|weight| *weight = Weight::new(weight.value));
        self.round = 1;
    }

    /// Returns the averages of the weights over past rounds.
    pub(super) fn averaged(&self) -> Vec<f32> {
        self.weights.iter().map(|weight| weight.averaged(self.round - 1)).collect()
    }

    /// Moves the value of a state towards `target`. Returns the value before the update.
    fn update(&mut self, features: &[u32], base: f32, target: f32) -> f32 {
        let sum: f32 = features.iter().map(|at| self.weights[*at as usize].value).sum();
        let value = self.aim.value(base, sum);
        let slope = match self.aim {
            // The constant keeps the gradient above 0, so that a nearly certain value can be unlearned.
            Aim::Outcome => 1.0 - value * value + 0.05,
            Aim::Score | Aim::Lead | Aim::Payoff => 1.0,
        };
        let error = (target - value) * slope;
        let step = STEP * error / features.len() as f32;
        for at in features {
            let weight = &mut self.weights[*at as usize];
            if weight.changed < self.round {
                weight.average = weight.averaged(self.round);
                weight.changed = self.round;
                self.changed.push(*at);
            }
            let rate = if weight.sizes == 0.0 { 1.0 } else { weight.errors.abs() / weight.sizes };
            weight.value += step * rate;
            weight.errors += error;
            weight.sizes += error.abs();
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::super::selfplay::Afterstate;
    use super::*;

    #[test]
    fn averages_follow_weights_and_forget() {
        let mut weights = [Weight::new(0.0); 2];
        // The first weight alternates, the second settles.
        let values = |round: u32| {
            [if round.is_multiple_of(2) { 3.0 } else { 5.0 }, if round < 100 { 9.0 } else { 1.0 }]
        };
        for round in 1..=2000 {
            for (weight, value) in weights.iter_mut().zip(values(round - 1)) {
                weight.value = value;
                weight.average = weight.averaged(round);
                weight.changed = round;
            }
        }
        let [first, second] = [weights[0].averaged(2000), weights[1].averaged(2000)];
        assert!((first - 4.0).abs() < 0.1, "{first} is the mean of 3 and 5");
        assert!((second - 1.0).abs() < 0.1, "{second} has forgotten 9");
    }

    #[test]
    fn a_weight_is_averaged_once_a_round_and_published_once() {
        let mut learning = Learning::new(3, 1.0, Aim::Score, 0.5);
        let steps = |features: &[u32]| TrainingGame {
            features: features.to_vec(),
            steps: vec![Afterstate { seat: 0, features: 0..features.len(), base: 0.0, instead_of: None }],
            ends: vec![8.0],
            work: 0,
        };
        learning.learn(&steps(&[1]));
        learning.learn(&steps(&[1, 2]));
        assert_eq!(learning.changed, [1, 2]);
        assert_eq!(learning.weights[1].average, 1.0, "its value before the round");
        let mut weights = vec![1.0; 3];
        learning.publish(&mut weights);
        let values: Vec<f32> = learning.weights.iter().map(|weight| weight.value).collect();
        assert_eq!(weights, values);
        assert!(weights[0] == 1.0 && weights[1] > 7.0 && weights[2] < 1.0, "{weights:?}");
        assert!(learning.changed.is_empty());
    }
}
