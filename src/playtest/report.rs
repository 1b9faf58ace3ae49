//! Results of a simulation as data; the fields are the keys of `simulate --json`.

use std::sync::Arc;

use serde::Serialize;

use super::sums::{AbortedGame, GameSums};
use super::totals::Totals;
use crate::game::ordered::Ordered;
use crate::game::values::params_json;
use crate::game::{Game, family_names};
use crate::model::{Model, SlotId};
use crate::statistics::Histogram;
use crate::statistics::interval::{share_interval, student};

/// Version of the JSON format.
pub const VERSION: u32 = 1;

/// The quantiles of a report, in percent.
pub const QUANTILES: [u64; 5] = [5, 25, 50, 75, 95];

/// The results of a simulation. Seats are in order, from 0.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Version of the JSON format.
    pub version: u32,
    /// The game, as it can be loaded again.
    pub game: String,
    /// Fingerprint of the rules.
    pub rules_sha256: String,
    /// Values of the params.
    pub params: Ordered<serde_json::Value>,
    /// Number of players.
    pub players: u32,
    /// Results of the matches; null if single games were played.
    #[serde(rename = "match")]
    pub matches: Option<MatchReport>,
    /// Finished games. All statistics are of these.
    pub games: u64,
    /// Games that an error ended.
    pub aborted: u64,
    /// Requested number of games, or matches.
    pub requested: u64,
    /// `true` if the run was stopped before all of them were played.
    pub interrupted: bool,
    /// The seed of the run.
    pub seed: u64,
    /// The index of the first game, or match.
    pub first: u64,
    /// Number of threads.
    pub threads: usize,
    /// The agent of each seat.
    pub agents: Vec<String>,
    /// Duration of the run, in seconds.
    pub seconds: f64,
    /// CPU time of all threads, in seconds.
    pub cpu_seconds: f64,
    /// Finished games per second.
    pub games_per_second: f64,
    /// Decisions in finished games per second.
    pub decisions_per_second: f64,
    /// Scores of each seat.
    pub score: Vec<ScoreReport>,
    /// Wins of each seat; a win shared by k counts 1/k. Empty for one player.
    pub wins: Vec<f64>,
    /// Share of the games that each seat won.
    pub win_shares: Vec<Share>,
    /// Games that all share or that nobody wins.
    pub draws: u64,
    /// Share of drawn games; null for one player.
    pub draw_share: Option<Share>,
    /// Points of each seat from each item of the score.
    pub items: Ordered<Vec<ItemReport>>,
    /// Turns, rolls and decisions in a game.
    pub counts: Ordered<CountReport>,
    /// Number of times each option was taken.
    pub options: Ordered<u64>,
    /// Number of times each step was entered.
    pub steps: Ordered<u64>,
    /// Number of games that each end decided.
    pub ends: Ordered<u64>,
    /// Variables at the end, for each position of the family in order.
    pub variables: Ordered<Vec<VariableReport>>,
    /// The first game that an error ended, and the error.
    #[serde(skip)]
    pub first_aborted: Option<AbortedGame>,
    /// The sums that the statistics are computed from.
    #[serde(skip)]
    pub(super) totals: Arc<Totals>,
}

/// A share of the games, with its 95 % interval (Wilson); the interval is null if no game was finished.
#[derive(Clone, Debug, Serialize)]
pub struct Share {
    /// The share, from 0 to 1.
    pub share: f64,
    /// The lower end of the interval.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
}

impl Share {
    /// The share of `count` in `all`.
    pub fn of(count: f64, all: u64) -> Share {
        let share = count / (all as f64).max(1.0);
        let (low, high) = share_interval(share, all).unzip();
        Share { share, low, high }
    }
}

/// Statistics of a seat's scores.
#[derive(Clone, Debug, Serialize)]
pub struct ScoreReport {
    /// The mean.
    pub mean: f64,
    /// The lower end of the mean's 95 % interval; null for fewer than two games.
    pub low: Option<f64>,
    /// The upper end of the mean's 95 % interval; null for fewer than two games.
    pub high: Option<f64>,
    /// The standard error of the mean; null for fewer than two games.
    pub se: Option<f64>,
    /// The standard deviation; null for fewer than two games.
    pub sd: Option<f64>,
    /// The minimum; null if no game was finished.
    pub min: Option<i64>,
    /// The smallest index of a game, or match, with the minimum.
    pub min_index: Option<u64>,
    /// The maximum; null if no game was finished.
    pub max: Option<i64>,
    /// The smallest index of a game, or match, with the maximum.
    pub max_index: Option<u64>,
    /// By percent, see [`QUANTILES`].
    pub quantiles: Ordered<Option<i64>>,
    /// Number of games with each score.
    pub histogram: Ordered<u64>,
}

/// Statistics of a seat's points from an item of the score.
#[derive(Clone, Debug, Serialize)]
pub struct ItemReport {
    /// The mean.
    pub mean: f64,
    /// The lower end of the mean's 95 % interval; null for fewer than two games.
    pub low: Option<f64>,
    /// The upper end of the mean's 95 % interval; null for fewer than two games.
    pub high: Option<f64>,
    /// The standard error of the mean; null for fewer than two games.
    pub se: Option<f64>,
}

/// Statistics of a count per game, such as turns.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CountReport {
    /// The mean.
    pub mean: f64,
    /// The lower end of the mean's 95 % interval; null for fewer than two games.
    pub low: Option<f64>,
    /// The upper end of the mean's 95 % interval; null for fewer than two games.
    pub high: Option<f64>,
    /// The standard error of the mean; null for fewer than two games.
    pub se: Option<f64>,
    /// The minimum; null if no game was finished.
    pub min: Option<i64>,
    /// The smallest index of a game, or match, with the minimum.
    pub min_index: Option<u64>,
    /// The maximum; null if no game was finished.
    pub max: Option<i64>,
    /// The smallest index of a game, or match, with the maximum.
    pub max_index: Option<u64>,
    /// Number of games with each count.
    #[serde(skip)]
    pub histogram: Vec<(i64, u64)>,
}

/// Statistics of a variable at the end.
#[derive(Clone, Debug, Serialize)]
pub struct VariableReport {
    /// The variable in the notation of the rules: `penalties`, `points[X]`, `seen[5]`.
    pub name: String,
    /// The mean.
    pub mean: f64,
    /// The lower end of the mean's 95 % interval; null for fewer than two games.
    pub low: Option<f64>,
    /// The upper end of the mean's 95 % interval; null for fewer than two games.
    pub high: Option<f64>,
    /// The standard error of the mean; null for fewer than two games.
    pub se: Option<f64>,
    /// The minimum; null if no game was finished.
    pub min: Option<i64>,
    /// The smallest index of a game, or match, with the minimum.
    pub min_index: Option<u64>,
    /// The maximum; null if no game was finished.
    pub max: Option<i64>,
    /// The smallest index of a game, or match, with the maximum.
    pub max_index: Option<u64>,
}

/// Accessors of the minimum and the maximum, each with the smallest index of a game that has it.
macro_rules! extremes {
    ($($report:ty),*) => {$(
        impl $report {
            /// Returns the minimum and the smallest index of a game, or match, that has it.
            pub fn least(&self) -> Option<(i64, u64)> {
                self.min.zip(self.min_index)
            }

            /// Returns the maximum and the smallest index of a game, or match, that has it.
            pub fn most(&self) -> Option<(i64, u64)> {
                self.max.zip(self.max_index)
            }
        }
    )*};
}

extremes!(ScoreReport, CountReport, VariableReport);

/// The results of the matches of a simulation.
#[derive(Clone, Debug, Serialize)]
pub struct MatchReport {
    /// Matches played to the end.
    pub matches: u64,
    /// Number of games in a match.
    pub games: CountReport,
    /// The total of each person.
    pub total: Vec<ScoreReport>,
    /// The best game of each person, if the rules keep it.
    pub record: Vec<ScoreReport>,
    /// Wins of each person; a win shared by k counts 1/k.
    pub wins: Vec<f64>,
    /// Share of the matches that each person won.
    pub win_shares: Vec<Share>,
    /// Matches that all share.
    pub draws: u64,
    /// Share of drawn matches; null for one player.
    pub draw_share: Option<Share>,
}

/// A mean with its interval, standard error and standard deviation.
struct MeanOf {
    mean: f64,
    low: Option<f64>,
    high: Option<f64>,
    se: Option<f64>,
    sd: Option<f64>,
}

impl From<&Histogram> for MeanOf {
    fn from(tally: &Histogram) -> Self {
        let (mean, errors) = (tally.mean(), student(tally.len()));
        let half = errors.map(|errors| errors * tally.error());
        MeanOf {
            mean,
            low: half.map(|half| mean - half),
            high: half.map(|half| mean + half),
            se: errors.map(|_| tally.error()),
            sd: errors.map(|_| tally.deviation()),
        }
    }
}

impl From<&Histogram> for ScoreReport {
    fn from(tally: &Histogram) -> Self {
        let MeanOf { mean, low, high, se, sd } = MeanOf::from(tally);
        let ((min, min_index), (max, max_index)) = (tally.least().unzip(), tally.most().unzip());
        ScoreReport {
            mean,
            low,
            high,
            se,
            sd,
            min,
            min_index,
            max,
            max_index,
            quantiles: QUANTILES.iter().map(|q| (q.to_string(), tally.quantile(*q))).collect(),
            histogram: tally.entries().into_iter().map(|(score, n)| (score.to_string(), n)).collect(),
        }
    }
}

impl From<&Histogram> for ItemReport {
    fn from(tally: &Histogram) -> Self {
        let MeanOf { mean, low, high, se, .. } = MeanOf::from(tally);
        ItemReport { mean, low, high, se }
    }
}

impl From<&Histogram> for CountReport {
    fn from(tally: &Histogram) -> Self {
        let MeanOf { mean, low, high, se, .. } = MeanOf::from(tally);
        let ((min, min_index), (max, max_index)) = (tally.least().unzip(), tally.most().unzip());
        CountReport { mean, low, high, se, min, min_index, max, max_index, histogram: tally.entries() }
    }
}

impl VariableReport {
    fn new(name: String, tally: &Histogram) -> Self {
        let MeanOf { mean, low, high, se, .. } = MeanOf::from(tally);
        let ((min, min_index), (max, max_index)) = (tally.least().unzip(), tally.most().unzip());
        VariableReport { name, mean, low, high, se, min, min_index, max, max_index }
    }
}

/// Returns the share of games won by each seat and the share of draws; empty and `None` for one player.
pub(super) fn shares(wins: &[f64], draws: u64, games: u64) -> (Vec<Share>, Option<Share>) {
    let shares: Vec<Share> = wins.iter().map(|wins| Share::of(*wins, games)).collect();
    let drawn = (!shares.is_empty()).then(|| Share::of(draws as f64, games));
    (shares, drawn)
}

/// Returns the wins of each seat and the draws, from game counts by set of winners.
pub(super) fn wins(by_winners: &[u64], players: usize) -> (Vec<f64>, u64) {
    if players < 2 {
        return (Vec::new(), 0);
    }
    let all = (1usize << players) - 1;
    let win = |seat: usize| {
        let shares = by_winners.iter().enumerate().filter(|(who, _)| who & (1 << seat) != 0);
        shares.map(|(who, games)| *games as f64 / f64::from(who.count_ones())).sum()
    };
    let draws = by_winners.first().copied().unwrap_or(0) + by_winners.get(all).copied().unwrap_or(0);
    ((0..players).map(win).collect(), draws)
}

impl Report {
    pub(super) fn new(game: &Game, totals: Totals) -> Report {
        let model = game.model();
        let players = game.players() as usize;
        let Totals { sums, matches, run } = &totals;
        let matches = matches.as_ref().map(|matches| matches.report(players));
        let games = sums.turns.len();
        let (wins, draws) = wins(&sums.winners, players);
        let (win_shares, draw_share) = shares(&wins, draws, games);
        let per_second = |n: f64| if run.seconds > 0.0 { n / run.seconds } else { 0.0 };
        let count = |name: &str, tally: &Histogram| (name.to_owned(), CountReport::from(tally));
        Report {
            version: VERSION,
            game: game.identity().name.clone(),
            rules_sha256: game.identity().rules_sha256.clone(),
            params: params_json(model),
            players: game.players(),
            matches,
            games,
            aborted: sums.aborted,
            requested: run.requested,
            interrupted: run.interrupted,
            seed: run.seed,
            first: run.first,
            threads: run.threads,
            agents: run.agents.clone(),
            seconds: run.seconds,
            cpu_seconds: run.cpu_seconds,
            games_per_second: per_second(games as f64),
            decisions_per_second: per_second(sums.decisions.sum() as f64),
            score: sums.scores.iter().map(ScoreReport::from).collect(),
            wins,
            win_shares,
            draws,
            draw_share,
            items: items(model, sums, players),
            counts: Ordered(vec![
                count("turns", &sums.turns),
                count("rolls", &sums.rolls),
                count("decisions", &sums.decisions),
            ]),
            options: options(model, sums),
            steps: by_name(model.steps.iter().map(|step| step.name.as_str()), &sums.steps),
            ends: ends(model, sums),
            variables: variables(game, sums),
            first_aborted: sums.first_aborted.clone(),
            totals: Arc::new(totals),
        }
    }
}

/// Sums counts by name.
fn by_name<'a>(names: impl Iterator<Item = &'a str>, counts: &[u64]) -> Ordered<u64> {
    let mut all = Ordered::default();
    for (name, count) in names.zip(counts) {
        *all.entry(name) += count;
    }
    all
}

/// Leaves out options that a variant has removed.
fn options(model: &Model, sums: &GameSums) -> Ordered<u64> {
    let mut all = Ordered::default();
    for (block, count) in model.actions.iter().zip(&sums.options).filter(|(block, _)| !block.dead) {
        *all.entry(&block.option) += count;
    }
    all
}

fn ends(model: &Model, sums: &GameSums) -> Ordered<u64> {
    by_name(model.end_names(), &sums.ends)
}

fn items(model: &Model, sums: &GameSums, players: usize) -> Ordered<Vec<ItemReport>> {
    let seats = |item: usize| (0..players).map(|player| ItemReport::from(sums.item(player, item))).collect();
    model.score.iter().enumerate().map(|(at, item)| (item.name.clone(), seats(at))).collect()
}

fn variables(game: &Game, sums: &GameSums) -> Ordered<Vec<VariableReport>> {
    let model = game.model();
    let mut all: Ordered<Vec<VariableReport>> = Ordered::default();
    let mut names: (Option<SlotId>, Vec<String>) = (None, Vec::new());
    for (tally, followed) in sums.variables.iter().zip(super::sums::followed(model)) {
        let slot = &model.slots[followed.slot.index()];
        if names.0 != Some(followed.slot) {
            names = (Some(followed.slot), family_names(game, &slot.name, &slot.index));
        }
        let name = names.1.get(followed.position).unwrap_or(&slot.name).clone();
        all.entry(&slot.name).push(VariableReport::new(name, tally));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_wins_are_split() {
        // Nobody 1, first 2, second 4, both 3.
        let (wins, draws) = wins(&[1, 2, 4, 3], 2);
        assert_eq!(wins, [3.5, 5.5]);
        assert_eq!(draws, 4);
        let mut three = vec![0; 8];
        three[0b011] = 4;
        three[0b111] = 3;
        let (wins, draws) = super::wins(&three, 3);
        assert_eq!(wins, [3.0, 3.0, 1.0]);
        assert_eq!(draws, 3);
    }

    #[test]
    fn one_player_wins_nothing() {
        assert_eq!(wins(&[3, 4], 1), (vec![], 0));
    }
}
