//! Exact sums over whole matches, by person rather than by seat.

use serde::{Deserialize, Serialize};

use super::report::{CountReport, MatchReport, ScoreReport, shares, wins};
use super::sums::mask;
use crate::matches::Match;
use crate::statistics::Histogram;

/// The sums of some matches.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct MatchSums {
    games: Histogram,
    totals: Vec<Histogram>,
    records: Vec<Histogram>,
    winners: Vec<u64>,
}

impl MatchSums {
    pub(super) fn new(players: usize) -> Self {
        MatchSums {
            games: Histogram::default(),
            totals: vec![Histogram::default(); players],
            records: vec![Histogram::default(); players],
            winners: vec![0; 1 << players.min(16)],
        }
    }

    /// Checks deserialised sums. Returns `None` if they are of another number of players.
    pub(super) fn restored(self, players: usize) -> Option<MatchSums> {
        let new = MatchSums::new(players);
        let lengths = |sums: &MatchSums| [sums.totals.len(), sums.records.len(), sums.winners.len()];
        (lengths(&self) == lengths(&new)).then_some(self)
    }

    pub(super) fn add(&mut self, one: &Match, number: u64) {
        self.games.add(one.played() as i64, number);
        for (person, standing) in one.standings().into_iter().enumerate() {
            self.totals[person].add(standing.total, number);
            if let Some(record) = standing.record {
                self.records[person].add(record, number);
            }
        }
        let last = self.winners.len() - 1;
        self.winners[mask(&one.leaders()) as usize & last] += 1;
    }

    pub(super) fn merge(&mut self, other: &MatchSums) {
        self.games.merge(&other.games);
        self.totals.iter_mut().zip(&other.totals).for_each(|(mine, other)| mine.merge(other));
        self.records.iter_mut().zip(&other.records).for_each(|(mine, other)| mine.merge(other));
        self.winners.iter_mut().zip(&other.winners).for_each(|(mine, other)| *mine += other);
    }

    pub(super) fn report(&self, players: usize) -> MatchReport {
        let (wins, draws) = wins(&self.winners, players);
        let (win_shares, draw_share) = shares(&wins, draws, self.games.len());
        let kept = self.records.iter().filter(|run_state| !run_state.is_empty());
        MatchReport {
            matches: self.games.len(),
            win_shares,
            draw_share,
            games: CountReport::from(&self.games),
            total: self.totals.iter().map(ScoreReport::from).collect(),
            record: kept.map(ScoreReport::from).collect(),
            wins,
            draws,
        }
    }
}
