//! Sums over pairs of games, which are merged from several threads and processes.

use serde::{Deserialize, Serialize};

use crate::sums::AbortedGame;
use houserule_base::statistics::Histogram;
use houserule_base::statistics::paired::Paired;

/// Sums over some pairs.
#[derive(Deserialize, Serialize)]
pub(super) struct PairSums {
    pub(super) shared: Vec<Paired>,
    pub(super) alone: [Vec<Paired>; 2],
    pub(super) pairs: u64,
    /// Pairs in which something differs.
    pub(super) differing: u64,
    /// Pairs in which an option was taken that only the second game has.
    pub(super) using: u64,
    /// Of the quantity of which a picture is drawn, for each of the games.
    pub(super) samples: [Histogram; 2],
    /// Pairs in which this quantity is greater in the second game, and in which it is less.
    pub(super) ordered: [u64; 2],
    /// Some sides, but not all, shared a win in one of the games.
    pub(super) shares_wins: bool,
    pub(super) aborted: u64,
    /// For each game, the pairs in which an error ended it.
    pub(super) aborted_of: [u64; 2],
    /// Not saved with the sums, because errors point into rule texts.
    #[serde(skip)]
    pub(super) first_aborted: [Option<AbortedGame>; 2],
}

impl PairSums {
    /// Returns the sums and the indices of the first aborted games, from which they are loaded again.
    pub(super) fn saved(&self) -> Option<Vec<u8>> {
        let aborted = self.first_aborted.each_ref().map(|first| first.as_ref().map(|first| first.index));
        serde_json::to_vec(&(self, aborted)).ok()
    }

    /// Adds the sums of other pairs.
    pub(super) fn merge(&mut self, other: &PairSums) {
        self.shared.iter_mut().zip(&other.shared).for_each(|(mine, other)| mine.merge(other));
        for side in 0..2 {
            let both = self.alone[side].iter_mut().zip(&other.alone[side]);
            both.for_each(|(mine, other)| mine.merge(other));
            self.samples[side].merge(&other.samples[side]);
            self.ordered[side] += other.ordered[side];
        }
        self.pairs += other.pairs;
        self.differing += other.differing;
        self.using += other.using;
        self.shares_wins |= other.shares_wins;
        self.aborted += other.aborted;
        self.aborted_of.iter_mut().zip(other.aborted_of).for_each(|(mine, other)| *mine += other);
        for (first, other) in self.first_aborted.iter_mut().zip(&other.first_aborted) {
            keep_first(first, other.clone());
        }
    }
}

/// Keeps the game with the smaller index.
pub(super) fn keep_first(first: &mut Option<AbortedGame>, other: Option<AbortedGame>) {
    if let Some(other) = other
        && first.as_ref().is_none_or(|first| other.index < first.index)
    {
        *first = Some(other);
    }
}
