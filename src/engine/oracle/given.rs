//! What the draws of `chance … given` ask the driver.

/// How the draws go.
#[derive(Default)]
pub(super) enum Given {
    /// As they would without a condition.
    #[default]
    Freely,
    /// Along one of these ways, by what the draws so far have left; so many there were.
    Through(Vec<Vec<u64>>, usize),
    /// On trial: as it is written, then always the first outcome. The numbers of outcomes are noted.
    Along(Vec<u64>, Vec<u64>),
}

impl Given {
    /// Along one of the ways, if they are known.
    pub(super) fn through(ways: Option<Vec<Vec<u64>>>) -> Given {
        ways.map_or(Given::Freely, |ways| Given::Through(ways, 0))
    }

    /// On trial.
    pub(super) fn along(way: Vec<u64>) -> Given {
        Given::Along(way, vec![])
    }

    /// What a draw on trial comes to.
    pub(super) fn tried(&mut self, outcomes: u64) -> Option<u64> {
        let Given::Along(way, sizes) = self else { return None };
        if sizes.len() == way.len() {
            way.push(0);
        }
        sizes.push(outcomes);
        way.get(sizes.len() - 1).copied()
    }

    /// What was drawn on trial, and among how many.
    pub(super) fn went(&mut self) -> (Vec<u64>, Vec<u64>) {
        match std::mem::take(self) {
            Given::Along(way, sizes) => (way, sizes),
            _ => (vec![], vec![]),
        }
    }

    /// How many ways are left, if they are known.
    pub(super) fn ways(&self) -> Option<u64> {
        match self {
            Given::Through(ways, _) => Some(ways.len() as u64),
            _ => None,
        }
    }

    /// The outcome of a draw, by the number that the driver gave.
    pub(super) fn drawn(&mut self, number: u64) -> u64 {
        let Given::Through(ways, depth) = self else { return number };
        let Some(outcome) = ways.get(number as usize).and_then(|way| way.get(*depth)).copied() else {
            return number;
        };
        ways.retain(|way| way.get(*depth) == Some(&outcome));
        *depth += 1;
        outcome
    }
}
