//! Runs that end when their results are precise enough, or when their time is over.
//!
//! The precision is looked at only after fixed numbers of games, so that chance has few occasions to end a run early.
//! The number of games that a run reached gives the same results again. Depends on simulations and statistics.

use std::sync::Arc;

use super::measure::{MetricColumn, enter, keyed_columns, metric_named};
use super::metric::Metric;
use super::plan::{CustomAgents, GameSinks, Keep, RunMonitor, SimulateError, SimulationPlan};
use super::report::Report;
use super::rows::GameRows;
use super::simulate::SeatedPlan;
use houserule_base::clock::{EndForecast, Instant, time_left};
use houserule_base::numbers::parse_decimal;
use houserule_base::statistics::interval::half_width;
use houserule_base::statistics::paired::Paired;
use houserule_game::Game;

/// Number of games at the first look. Intervals of fewer games are too narrow too often if the games differ much.
pub const FIRST_LOOK: u64 = 1_000;

/// Maximum number of games of a run until a precision, if no other is given.
pub const MOST_UNTIL_PRECISE: u64 = 10_000_000;

/// Maximum number of games of a run of a given time.
pub const MOST_IN_TIME: u64 = 1_000_000_000_000;

/// A wanted precision: half the width of a metric's 95 % interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Precision {
    /// The metric as it was named.
    pub metric: String,
    /// Maximum of half the width, in units of the metric.
    pub half_width: f64,
}

impl Precision {
    /// Parses `score=0.5`, `wins[1]=0.01` or `wins[1]=1%`.
    pub fn parse(text: &str) -> Result<Precision, String> {
        let wrong = || {
            format!("`{text}`: write a metric and half the width of its interval: `score=0.5`, `wins[1]=1%`")
        };
        // Figures of targets may have `=` in them: `share(turns <= 20)=1%`.
        let (metric, half) = text.rsplit_once('=').ok_or_else(wrong)?;
        let half_width = parse_decimal(half).filter(|half| *half > 0.0).ok_or_else(wrong)?;
        match metric.trim() {
            "" => Err(wrong()),
            metric => Ok(Precision { metric: metric.to_owned(), half_width }),
        }
    }
}

/// What ends a run besides its number of games; the first that applies.
#[derive(Clone, Debug, Default)]
pub struct RunBudget {
    /// Its time, in seconds.
    pub seconds: Option<f64>,
    /// All of these are reached.
    pub precision: Vec<Precision>,
    /// When the run presumably ends, if that is before its time is over.
    pub end: EndForecast,
}

/// Seconds of a quick answer, and of another, if nobody says how long. What is begun in time may end a little later: the user
/// waits for ten seconds, and for three minutes.
pub fn answer_seconds(is_quick: bool) -> f64 {
    if is_quick { 7.5 } else { 165.0 }
}

/// The CPU seconds that a game may take in such an answer on two processors, at most `most`. `games` is the number of games that
/// the user wants, if it is given.
pub fn game_seconds(games: Option<u64>, is_quick: bool, most: f64) -> f64 {
    games.map_or(most, |games| most.min(2.0 * answer_seconds(is_quick) / games.max(1) as f64))
}

impl RunBudget {
    /// Returns `true` if it ends runs.
    pub fn is_bounded(&self) -> bool {
        self.seconds.is_some() || !self.precision.is_empty()
    }

    /// Returns the keys of the metrics whose precision is wanted, of those that there are.
    pub fn keys(&self, keys: &[String]) -> Result<Vec<String>, SimulateError> {
        let at = |one: &Precision| {
            metric_named(&one.metric, keys).map_err(|error| refuse_figure(&one.metric).unwrap_or(error))
        };
        let each = self.precision.iter().map(|one| Ok(keys[at(one)?].clone()));
        each.collect::<Result<_, String>>()
            .map_err(|error| SimulateError::Metric(format!("precision: {error}")))
    }

    /// Returns the maximum number of games, given the one that was asked for and the default without a budget.
    pub fn most_games(&self, asked: Option<u64>, usual: u64) -> u64 {
        asked.unwrap_or(match (self.precision.is_empty(), self.seconds) {
            (false, _) => MOST_UNTIL_PRECISE,
            (true, Some(_)) => MOST_IN_TIME,
            (true, None) => usual,
        })
    }
}

/// Says that a figure such as `p90(turns)` or `turns <= 20` has no precision. Returns `None` for names of metrics.
fn refuse_figure(name: &str) -> Option<String> {
    let is_figure = name.contains(['<', '>', '=', '≤', '≥']) || name.ends_with(')') && !name.contains(" (");
    is_figure.then(|| {
        format!(
            "`{name}` isn't the name of a metric: only `tune` takes a quantile or a share of the games, one that has a \
             target; others take the mean of a metric: `turns=0.5`"
        )
    })
}

/// Returns the number of games at which to look next, after `games` at which the precision was not reached: of the
/// numbers 1,000, 1,414, 2,000, 2,828 …, each √2 times the one before, the first that is greater and at least
/// `needed`.
pub fn next_look(games: u64, needed: f64) -> u64 {
    let at = |power: f64| (FIRST_LOOK as f64 * 2f64.powf(power / 2.0)).round() as u64;
    let power = (2.0 * (needed.max(1.0) / FIRST_LOOK as f64).log2()).ceil().clamp(0.0, 80.0);
    // Rounding may have gone either way.
    (0..)
        .map(|more| at(power - 1.0 + f64::from(more)))
        .find(|look| *look > games && *look as f64 >= needed - 1.0)
        .unwrap_or(games)
}

/// Returns the number of games that will presumably reach a precision, given half the widths after `games` and those
/// wanted; `None` if they are reached. An interval without a width says nothing yet.
pub fn needed(games: u64, halves: impl Iterator<Item = (Option<f64>, f64)>) -> Option<f64> {
    let each = halves.filter_map(|(half, wanted)| match half.filter(|half| half.is_finite()) {
        Some(half) if half <= wanted => None,
        Some(half) => Some(games as f64 * (half / wanted).powi(2)),
        None => Some(0.0),
    });
    each.reduce(f64::max)
}

/// Sums of some metrics over the games, or matches, of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct MetricSums {
    columns: Arc<[MetricColumn]>,
    /// The values of the game, or match, that is being added.
    row: Vec<i64>,
    sums: Vec<Paired>,
}

impl MetricSums {
    fn new(columns: Vec<MetricColumn>) -> MetricSums {
        let sums = columns.iter().map(|column| Paired::new(column.scale, 1)).collect();
        MetricSums { row: vec![0; columns.len()], sums, columns: columns.into() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.sums.is_empty()
    }

    /// Returns `true` if games must be played one by one to measure them.
    pub(super) fn are_of_batches(&self) -> bool {
        self.columns.iter().any(MetricColumn::is_of_batches)
    }

    /// Adds values of the metrics to those of the game, or match.
    pub(super) fn enter(&mut self, value: impl Fn(&Metric) -> i64) {
        enter(&self.columns, &mut self.row, value);
    }

    /// Ends the game, or match.
    pub(super) fn close(&mut self) {
        self.sums.iter_mut().zip(&self.row).for_each(|(sum, value)| sum.add(*value, 0));
        self.forget();
    }

    /// Drops what was entered of the game, or match.
    pub(super) fn forget(&mut self) {
        self.row.fill(0);
    }

    pub(super) fn merge(&mut self, other: &MetricSums) {
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, other)| sum.merge(other));
    }

    /// Returns half the width of each metric's interval.
    fn half_widths(&self) -> Vec<Option<f64>> {
        let intervals = self.columns.iter().zip(&self.sums).map(|(column, sums)| column.interval(sums, 0.0));
        intervals.map(|[_, low, high]| half_width(low, high)).collect()
    }
}

/// Simulates until a budget is used up; `plan.games` is the maximum number of games, or matches. The report has the
/// results of a run of [`Report::requested`] games. The second list has half the width of the interval of each metric
/// whose precision was wanted.
pub fn simulate_within(
    game: &Game,
    plan: &SimulationPlan,
    seats: Option<CustomAgents>,
    budget: &RunBudget,
    watch: &RunMonitor<'_>,
    keep: Keep,
    mut sinks: GameSinks<'_, '_>,
) -> Result<(Report, GameRows, Vec<Option<f64>>), SimulateError> {
    let clock = Instant::now();
    let all = keyed_columns(game, plan.match_play);
    let keys: Vec<String> = all.iter().map(MetricColumn::key).collect();
    let wanted = budget.keys(&keys)?;
    let of = |key: &String| all.iter().find(|column| column.key() == *key).cloned();
    let metrics = MetricSums::new(wanted.iter().filter_map(of).collect());
    let stop = budget.seconds.map_or_else(|| watch.stop.clone(), |seconds| watch.stop.within(seconds));
    let keep = Keep { prefix: keep.prefix || budget.is_bounded(), ..keep };
    let (mut found, mut rows): (Option<Report>, Vec<GameRows>) = (None, vec![]);
    let (mut done, mut look) = (0, if budget.precision.is_empty() { plan.games } else { FIRST_LOOK });
    loop {
        let games = look.min(plan.games) - done;
        let part = SimulationPlan { games, first: plan.first.saturating_add(done), ..plan.clone() };
        let seats = seats.as_ref().map(|seats| CustomAgents {
            names: seats.names.clone(),
            agents: seats.agents.iter().map(|agent| agent.copy()).collect(),
        });
        let progress = |played: u64| (watch.progress)(done + played);
        let monitor = RunMonitor { progress: &progress, stop: &stop };
        let (report, kept) =
            SeatedPlan::new(game, &part, seats)?.play(&monitor, keep, sinks.again(), &metrics)?;
        done += report.requested;
        let report = match &found {
            Some(before) => before.and_then(&report, game),
            None => report,
        };
        rows.push(kept);
        let halves = report.totals.sums.metrics.half_widths();
        let wanted = budget.precision.iter().map(|one| one.half_width);
        let needed = needed(done, halves.iter().copied().zip(wanted));
        let is_over = stop.is_set() || keep.only_until_error && report.aborted > 0;
        match needed.filter(|_| !is_over && done < plan.games) {
            Some(needed) => {
                look = next_look(done, needed).min(plan.games);
                budget.end.expect(time_left(clock.elapsed().as_secs_f64(), done as f64 / look as f64));
            }
            None if report.games + report.aborted == 0 && stop.is_late() => {
                return Err(SimulateError::NoTime);
            }
            None => return Ok((report, GameRows::concat(rows.into_iter()), halves)),
        }
        found = Some(report);
    }
}

#[cfg(test)]
#[path = "../../tests/support/sizes.rs"]
pub(crate) mod sizes;

#[cfg(test)]
mod tests {
    use super::sizes::tries;
    use super::*;
    use houserule_base::rng::Stream;
    use rand::RngExt;

    #[test]
    fn precisions_as_they_are_written() {
        let found = |text: &str| Precision::parse(text).map(|one| (one.metric, one.half_width));
        assert_eq!(found("score=0.5"), Ok(("score".to_owned(), 0.5)));
        assert_eq!(found("wins[1] = 1 %"), Ok(("wins[1]".to_owned(), 0.01)));
        assert_eq!(found("share(turns <= 20)=1%"), Ok(("share(turns <= 20)".to_owned(), 0.01)));
        for text in ["score", "=1", "score=", "score=0", "score=-1", "score=x", "score=inf"] {
            assert!(found(text).unwrap_err().contains("`score=0.5`"), "{text}");
        }
    }

    #[test]
    fn looks_are_at_fixed_numbers() {
        let mut looks = vec![FIRST_LOOK];
        while looks.len() < 8 {
            looks.push(next_look(looks[looks.len() - 1], 0.0));
        }
        assert_eq!(looks, [1000, 1414, 2000, 2828, 4000, 5657, 8000, 11314]);
        for (games, needed, look) in [
            (1000, 1414.0, 1414),
            (1000, 1500.0, 2000),
            (1000, 7000.0, 8000),
            (1000, 8000.5, 8000),
            (8000, 10.0, 11314),
        ] {
            assert_eq!(next_look(games, needed), look, "{games} {needed}");
        }
        assert_eq!(next_look(1000, 1e9), 1_048_576_000);
    }

    #[test]
    fn games_needed_grow_with_the_square_of_the_width() {
        let found = |halves: &[(Option<f64>, f64)]| needed(1000, halves.iter().copied());
        assert_eq!(found(&[(Some(0.5), 0.5), (Some(0.1), 0.2)]), None);
        assert_eq!(found(&[(Some(1.0), 0.5), (Some(0.3), 0.1)]), Some(1000.0 * (0.3f64 / 0.1).powi(2)));
        assert_eq!(found(&[(None, 0.5)]), Some(0.0));
    }

    /// Returns how often the interval of a run that ends at a precision contains the true mean, and the mean number of
    /// games.
    fn coverage(
        runs: u64,
        wanted: f64,
        truth: f64,
        share: bool,
        value: fn(&mut Stream) -> i64,
    ) -> (f64, f64) {
        let (mut covered, mut games) = (0, 0);
        for run in 0..runs {
            let mut stream = Stream::new(11, run, 0);
            let (mut sums, mut look) = (Paired::new(1, 1), FIRST_LOOK);
            let interval = loop {
                (sums.pairs()..look).for_each(|_| sums.add(value(&mut stream), 0));
                let (mean, half) =
                    (sums.mean(0), houserule_base::statistics::student(look).unwrap() * sums.error(0));
                let interval = match share {
                    true => houserule_base::statistics::share_interval(mean, look).unwrap(),
                    false => (mean - half, mean + half),
                };
                match needed(look, [(half_width(Some(interval.0), Some(interval.1)), wanted)].into_iter()) {
                    Some(needed) => look = next_look(look, needed),
                    None => break interval,
                }
            };
            covered += u64::from(interval.0 <= truth && truth <= interval.1);
            games += look;
        }
        (covered as f64 / runs as f64, games as f64 / runs as f64)
    }

    /// A run that ends at a precision is no fixed sample. Its intervals must cover the truth nevertheless.
    #[test]
    fn intervals_of_runs_that_end_at_a_precision_cover_the_truth() {
        let runs = tries(500, 2_000);
        // Geometric with mean 9, as the number of failures at 10 %: the standard deviation is 9.5, the skewness 2.
        let skewed = |stream: &mut Stream| (0..).find(|_| stream.random_ratio(1, 10)).unwrap_or(0);
        let rare = |stream: &mut Stream| i64::from(stream.random_ratio(1, 100));
        let even = |stream: &mut Stream| i64::from(stream.random_ratio(1, 2));
        for (name, wanted, truth, share, value) in [
            ("skewed", 0.5, 9.0, false, skewed as fn(&mut Stream) -> i64),
            ("skewed, ends at the first looks", 0.57, 9.0, false, skewed),
            ("rare", 0.0045, 0.01, true, rare),
            ("even", 0.02, 0.5, true, even),
        ] {
            let (covered, games) = coverage(runs, wanted, truth, share, value);
            // Four standard errors of 2,000 runs at 95 % are 1.9 %.
            let error = (0.94 * 0.06 / runs as f64).sqrt();
            assert!(covered > 0.94 - 2.0 * error, "{name}: {covered} after {games} games");
            assert!(games > FIRST_LOOK as f64 && covered < 0.985, "{name}: {covered} after {games} games");
        }
    }
}
