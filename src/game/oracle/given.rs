//! The draws of `chance … given`, as the driver makes them.

/// How draws are made.
#[derive(Default)]
pub(crate) enum DrawMode {
    /// As without a condition.
    #[default]
    Freely,
    /// Along one of these sequences, which agree with the draws so far; then the number of draws.
    Through(Vec<Vec<u64>>, usize),
    /// On trial: along a sequence, then always the first outcome. The second list has the numbers of
    /// outcomes.
    Along(Vec<u64>, Vec<u64>),
}

impl DrawMode {
    /// Draws along one of the sequences, if they are known.
    pub(crate) fn through(ways: Option<Vec<Vec<u64>>>) -> DrawMode {
        ways.map_or(DrawMode::Freely, |ways| DrawMode::Through(ways, 0))
    }

    /// Draws on trial.
    pub(crate) fn along(way: Vec<u64>) -> DrawMode {
        DrawMode::Along(way, vec![])
    }

    /// Returns the outcome of a draw on trial.
    pub(crate) fn trial_outcome(&mut self, outcomes: u64) -> Option<u64> {
        let DrawMode::Along(way, sizes) = self else { return None };
        if sizes.len() == way.len() {
            way.push(0);
        }
        sizes.push(outcomes);
        way.get(sizes.len() - 1).copied()
    }

    /// Returns the outcomes drawn on trial, and the numbers of possible ones.
    pub(crate) fn finish_trial(&mut self) -> (Vec<u64>, Vec<u64>) {
        match std::mem::take(self) {
            DrawMode::Along(way, sizes) => (way, sizes),
            _ => (vec![], vec![]),
        }
    }

    /// Returns the number of remaining sequences, if they are known.
    pub(crate) fn ways(&self) -> Option<u64> {
        match self {
            DrawMode::Through(ways, _) => Some(ways.len() as u64),
            _ => None,
        }
    }

    /// Returns the outcome of a draw. `number` is the driver's answer.
    pub(crate) fn drawn(&mut self, number: u64) -> u64 {
        let DrawMode::Through(ways, depth) = self else { return number };
        let Some(outcome) = ways.get(number as usize).and_then(|way| way.get(*depth)).copied() else {
            return number;
        };
        ways.retain(|way| way.get(*depth) == Some(&outcome));
        *depth += 1;
        outcome
    }
}
