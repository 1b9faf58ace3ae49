//! Weights and their TD(λ) updates.

use super::selfplay::TrainingGame;
use super::turn::Aim;

/// Learning rate: the share of an error that one update corrects, distributed over the features.
const STEP: f32 = 1.0;

/// The λ of TD(λ). It is smaller with chance, because later results then say less about earlier states.
pub(super) fn lambda(has_chance: bool) -> f32 {
    if has_chance { 0.5 } else { 0.8 }
}

/// Weights in training: TD(λ) (Sutton 1988) on the afterstates of each seat. Every weight has its own learning
/// rate, which falls as its errors cancel out (temporal coherence: Beal and Smith 1999).
pub(super) struct Learning {
    pub(super) weights: Vec<f32>,
    /// For each weight, the sum of its errors and the sum of their absolute values.
    errors: Vec<[f32; 2]>,
    aim: Aim,
    lambda: f32,
}

impl Learning {
    pub(super) fn new(weights: usize, each: f32, aim: Aim, lambda: f32) -> Learning {
        Learning { weights: vec![each; weights], errors: vec![[0.0; 2]; weights], aim, lambda }
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

    /// Moves the value of a state towards `target`. Returns the value before the update.
    fn update(&mut self, features: &[u32], base: f32, target: f32) -> f32 {
        let sum: f32 = features.iter().map(|at| self.weights[*at as usize]).sum();
        let value = self.aim.value(base, sum);
        let slope = match self.aim {
            // The constant keeps the gradient above 0, so that a nearly certain value can be unlearned.
            Aim::Outcome => 1.0 - value * value + 0.05,
            Aim::Score | Aim::Lead | Aim::Payoff => 1.0,
        };
        let error = (target - value) * slope;
        let step = STEP * error / features.len() as f32;
        for at in features {
            let [sum, size] = &mut self.errors[*at as usize];
            let rate = if *size == 0.0 { 1.0 } else { sum.abs() / *size };
            self.weights[*at as usize] += step * rate;
            *sum += error;
            *size += error.abs();
        }
        value
    }
}
