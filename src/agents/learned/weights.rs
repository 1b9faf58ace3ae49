//! Weights, and how they are learned.

use super::selfplay::Log;
use super::turn::Aim;

/// How much of an error is corrected at once, shared out among the features.
const STEP: f32 = 1.0;

/// How far what happened later counts. It says less where chance had a part in it.
pub(super) fn lambda(has_chance: bool) -> f32 {
    if has_chance { 0.5 } else { 0.8 }
}

/// Weights while they are learned: TD(λ) (Sutton 1988) on the states that a seat leaves to others and to chance,
/// with a rate of its own for every weight, the smaller the more its errors have cancelled out (temporal
/// coherence: Beal and Smith 1999).
pub(super) struct Learning {
    pub(super) weights: Vec<f32>,
    /// The errors of each weight added up, and their sizes added up.
    errors: Vec<[f32; 2]>,
    aim: Aim,
    lambda: f32,
}

impl Learning {
    pub(super) fn new(weights: usize, each: f32, aim: Aim, lambda: f32) -> Learning {
        Learning { weights: vec![each; weights], errors: vec![[0.0; 2]; weights], aim, lambda }
    }

    /// Learns from a game that was played to its end: backwards, seat by seat.
    pub(super) fn learn(&mut self, log: &Log) {
        for (seat, end) in log.ends.iter().enumerate() {
            let mut target = *end;
            for step in log.steps.iter().rev().filter(|step| step.seat as usize == seat) {
                let features = &log.features[step.features.clone()];
                if !features.is_empty() {
                    let value = self.update(features, step.base, target);
                    target = (1.0 - self.lambda) * value + self.lambda * target;
                }
                // What came of an action for the sake of exploring says nothing of the state before.
                if let Some(best) = step.instead_of {
                    target = best;
                }
            }
        }
    }

    /// Brings the value of a state nearer to a target. Returns the value before.
    fn update(&mut self, features: &[u32], base: f32, target: f32) -> f32 {
        let sum: f32 = features.iter().map(|at| self.weights[*at as usize]).sum();
        let value = self.aim.value(base, sum);
        let slope = match self.aim {
            // A value that is nearly certain can still be unlearned.
            Aim::Outcome => 1.0 - value * value + 0.05,
            Aim::Score | Aim::Lead => 1.0,
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
