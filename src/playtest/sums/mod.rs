//! Sums over the games of a run. They are integers, so parts of a run can be merged in any order. Adding a
//! finished game takes a few increments and no allocation.

pub(crate) mod match_sums;
pub(crate) mod totals;

use serde::{Deserialize, Serialize};

use crate::metric::COUNTS;
use crate::precision::MetricSums;
use crate::variables::{EndValue, measured_values};
use houserule_base::statistics::Histogram;
use houserule_game::random_games::{Finished, UsageCounts};
use houserule_game::{Game, RuntimeError};
use houserule_model::CountedUses;

/// The first game of a run that an error ended.
#[derive(Clone, Debug)]
pub struct AbortedGame {
    /// Index of the game in the run.
    pub index: u64,
    /// The error.
    pub error: RuntimeError,
}

/// What to add of every game. It follows from the rules, so it isn't saved with the sums.
#[derive(Clone, Debug, Default)]
struct SumPlan {
    /// Number of items of the score.
    items: usize,
    counts: [bool; COUNTS.len()],
    values: Vec<EndValue>,
}

/// Sums over some games. The lists have an element for each [`Metric::at`](crate::metric::Metric::at).
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct GameSums {
    #[serde(skip)]
    plan: SumPlan,
    pub(crate) scores: Vec<Histogram>,
    /// Empty for at most one item, which `scores` has.
    items: Vec<Histogram>,
    pub(crate) counts: [Histogram; COUNTS.len()],
    pub(crate) variables: Vec<Histogram>,
    /// Number of games by set of winners.
    pub(crate) winners: Vec<u64>,
    pub(crate) ends: Vec<u64>,
    pub(crate) options: Vec<u64>,
    pub(crate) steps: Vec<u64>,
    #[serde(default)]
    pub(crate) otherwise: Vec<u64>,
    pub(crate) aborted: u64,
    /// The metrics whose precision ends the run; not saved, because a saved run is over.
    #[serde(skip)]
    pub(crate) metrics: MetricSums,
    /// Not saved with the sums, because errors point into rule texts.
    #[serde(skip)]
    pub first_aborted: Option<AbortedGame>,
}

impl GameSums {
    pub(crate) fn new(game: &Game) -> GameSums {
        let model = game.model();
        let players = game.players() as usize;
        let items = model.score.len();
        let counts = std::array::from_fn(|at| COUNTS[at].applies_to(game));
        let counted = CountedUses::new(model);
        let plan = SumPlan { items, counts, values: measured_values(game) };
        let histograms = |count| vec![Histogram::default(); count];
        GameSums {
            scores: histograms(players),
            items: histograms(if items > 1 { players * items } else { 0 }),
            counts: Default::default(),
            variables: histograms(plan.values.len()),
            plan,
            winners: vec![0; 1 << players],
            ends: vec![0; model.end_names().count()],
            options: vec![0; counted.options.len()],
            steps: vec![0; model.steps.len()],
            otherwise: vec![0; counted.otherwise.len()],
            aborted: 0,
            metrics: MetricSums::default(),
            first_aborted: None,
        }
    }

    /// Returns the sums with those of some metrics.
    pub(crate) fn with(self, metrics: &MetricSums) -> GameSums {
        GameSums { metrics: metrics.clone(), ..self }
    }

    /// Completes deserialised sums. Returns `None` if they don't fit this game.
    pub(crate) fn restored(mut self, game: &Game) -> Option<GameSums> {
        let mut new = GameSums::new(game);
        let fits = self.lengths() == new.lengths();
        self.plan = new.plan;
        fits.then_some(self)
    }

    fn lengths(&mut self) -> ([usize; 4], [usize; 5]) {
        (self.histograms().map(|all| all.len()), self.numbers().map(|all| all.len()))
    }

    fn histograms(&mut self) -> [&mut [Histogram]; 4] {
        [&mut self.scores, &mut self.items, &mut self.counts, &mut self.variables]
    }

    fn numbers(&mut self) -> [&mut [u64]; 5] {
        [&mut self.winners, &mut self.ends, &mut self.options, &mut self.steps, &mut self.otherwise]
    }

    /// Returns the histogram of an item of a player's score.
    pub(crate) fn item(&self, at: usize) -> &Histogram {
        if self.items.is_empty() { &self.scores[at] } else { &self.items[at] }
    }

    /// Returns the histogram of a count.
    pub(crate) fn count(&self, name: &str) -> Option<&Histogram> {
        let mut counts = COUNTS.iter().zip(&self.counts);
        counts.find(|(count, _)| count.kind.name == name).map(|(_, sum)| sum)
    }

    /// Returns the number of finished games.
    pub(crate) fn games(&self) -> u64 {
        self.winners.iter().sum()
    }

    /// Adds a finished game.
    #[inline(always)]
    pub(crate) fn add(&mut self, game: &Finished<'_>) {
        match self.plan.items {
            0 => self.scores.iter_mut().for_each(|sum| sum.add(0, game.index)),
            1 => self.scores.iter_mut().zip(game.scores).for_each(|(sum, score)| sum.add(*score, game.index)),
            _ => self.add_items(game.scores, game.index),
        }
        let last = self.winners.len() - 1;
        self.winners[game.winners as usize & last] += 1;
        // `COUNTS` is a constant, so the compiler unrolls the loop, inlines the functions and drops the test of counts
        // that all games have. It doesn't do so for an iterator.
        #[allow(clippy::needless_range_loop)]
        for at in 0..COUNTS.len() {
            if COUNTS[at].applies.is_none() || self.plan.counts[at] {
                self.counts[at].add((COUNTS[at].from)(game), game.index);
            }
        }
        if let Some(games) = self.ends.get_mut(game.end as usize) {
            *games += 1;
        }
        for (sum, value) in self.variables.iter_mut().zip(&self.plan.values) {
            sum.add(value.number(game), game.index);
        }
    }

    #[inline(always)]
    fn add_items(&mut self, scores: &[i64], game: u64) {
        let players = self.scores.iter_mut().zip(self.items.chunks_exact_mut(self.plan.items));
        for ((total, items), scores) in players.zip(scores.chunks_exact(self.plan.items)) {
            items.iter_mut().zip(scores).for_each(|(sum, score)| sum.add(*score, game));
            // No overflow: a game whose score does not fit is aborted.
            total.add(scores.iter().sum(), game);
        }
    }

    /// Counts an aborted game.
    pub(crate) fn abort(&mut self, index: u64, error: RuntimeError) {
        self.aborted += 1;
        if self.first_aborted.as_ref().is_none_or(|first| index < first.index) {
            self.first_aborted = Some(AbortedGame { index, error });
        }
    }

    /// Adds the counts of options, steps and `otherwise` of some games.
    pub(crate) fn add_usage(&mut self, counts: &UsageCounts) {
        self.options.iter_mut().zip(&counts.options).for_each(|(sum, n)| *sum += n);
        self.steps.iter_mut().zip(&counts.steps).for_each(|(sum, n)| *sum += n);
        self.otherwise.iter_mut().zip(&counts.otherwise).for_each(|(sum, n)| *sum += n);
    }

    /// Adds the sums of other games.
    pub(crate) fn merge(&mut self, mut other: GameSums) {
        for (mine, others) in self.histograms().into_iter().zip(other.histograms()) {
            mine.iter_mut().zip(others).for_each(|(sum, other)| sum.merge(other));
        }
        for (mine, others) in self.numbers().into_iter().zip(other.numbers()) {
            mine.iter_mut().zip(others).for_each(|(sum, other)| *sum += *other);
        }
        self.metrics.merge(&other.metrics);
        let aborted = self.aborted + other.aborted;
        if let Some(AbortedGame { index, error }) = other.first_aborted {
            self.abort(index, error);
        }
        self.aborted = aborted;
    }
}
