//! Exact sums over whole matches, by person rather than by seat.

use serde::{Deserialize, Serialize};

use crate::metric::{FinishedMatch, GAMES, Metric, MetricKind, RECORD, Subject, TOTAL, metrics};
use crate::report::{Detail, MatchReport, Statistics, Winners};
use houserule_base::statistics::Histogram;
use houserule_game::Game;

/// The sums of some matches.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct MatchSums {
    /// The metrics of matches, except wins and draws; not saved with the sums.
    #[serde(skip)]
    metrics: Vec<Metric>,
    /// A histogram for each metric.
    histograms: Vec<Histogram>,
    winners: Vec<u64>,
}

impl MatchSums {
    pub(crate) fn new(game: &Game) -> Self {
        let mut metrics = metrics(game, true);
        let is_won = |subject| matches!(subject, Subject::Result | Subject::Team);
        metrics.retain(|metric| metric.is_of_match() && !is_won(metric.kind.subject));
        MatchSums {
            histograms: vec![Histogram::default(); metrics.len()],
            metrics,
            winners: vec![0; 1 << game.players()],
        }
    }

    /// Completes deserialised sums. Returns `None` if they don't fit this game.
    pub(crate) fn restored(self, game: &Game) -> Option<MatchSums> {
        let new = MatchSums::new(game);
        let lengths = |sums: &MatchSums| [sums.histograms.len(), sums.winners.len()];
        (lengths(&self) == lengths(&new)).then_some(MatchSums { metrics: new.metrics, ..self })
    }

    pub(crate) fn add(&mut self, one: &FinishedMatch, number: u64) {
        for (sum, metric) in self.histograms.iter_mut().zip(&self.metrics) {
            metric.measure_match(one).into_iter().for_each(|value| sum.add(value, number));
        }
        let last = self.winners.len() - 1;
        self.winners[one.winners as usize & last] += 1;
    }

    pub(crate) fn merge(&mut self, other: &MatchSums) {
        self.histograms.iter_mut().zip(&other.histograms).for_each(|(mine, other)| mine.merge(other));
        self.winners.iter_mut().zip(&other.winners).for_each(|(mine, other)| *mine += other);
    }

    pub(crate) fn report(&self, game: &Game) -> MatchReport {
        let of = |kind: &'static MetricKind| {
            let all = self.metrics.iter().zip(&self.histograms);
            all.filter(|(metric, _)| metric.kind.name == kind.name).map(|(_, sum)| sum)
        };
        let record = of(&RECORD).filter(|sum| !sum.is_empty());
        MatchReport {
            matches: self.winners.iter().sum(),
            games: of(&GAMES).map(|sum| Statistics::new(sum, Detail::Range)).next().unwrap_or_default(),
            total: of(&TOTAL).map(|sum| Statistics::new(sum, Detail::Full)).collect(),
            record: record.map(|sum| Statistics::new(sum, Detail::Full)).collect(),
            winners: Winners::new(&self.winners, game.model()),
        }
    }
}
