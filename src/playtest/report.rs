//! What a simulation found, as data: its fields are the keys of `simulate --json`.

use std::sync::Arc;

use serde::Serialize;

use super::interval::{share_interval, student};
use super::sums::{Aborted, Sums};
use super::tally::Tally;
use super::totals::Totals;
use crate::engine::Game;
use crate::engine::drawing::family_names;
use crate::engine::ordered::Ordered;
use crate::engine::values::params_json;
use crate::lang::model::{Model, SlotId};

/// The version of the JSON that `--json` writes.
pub const VERSION: u32 = 1;

/// The quantiles of a report, in percent.
pub const QUANTILES: [u64; 5] = [5, 25, 50, 75, 95];

/// What a simulation found. Seats are in order, from 0.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The version of the JSON format.
    pub version: u32,
    /// The game, as it can be loaded again.
    pub game: String,
    /// The rules' fingerprint.
    pub rules_sha256: String,
    /// The params with their values.
    pub params: Ordered<serde_json::Value>,
    /// How many play.
    pub players: u32,
    /// The matches; null if single games were played.
    #[serde(rename = "match")]
    pub matches: Option<MatchReport>,
    /// Finished games: all figures are of these.
    pub games: u64,
    /// Games that an error ended.
    pub aborted: u64,
    /// How many games, or matches, were asked for.
    pub requested: u64,
    /// Was the run stopped before all of them were played?
    pub interrupted: bool,
    /// The seed of the run.
    pub seed: u64,
    /// The index of the first game, or match.
    pub first: u64,
    /// How many threads worked.
    pub threads: usize,
    /// Who played, by seat.
    pub agents: Vec<String>,
    /// How long it took.
    pub seconds: f64,
    /// How long all processors worked for it.
    pub cpu_seconds: f64,
    /// Finished games a second.
    pub games_per_second: f64,
    /// Decisions in finished games a second.
    pub decisions_per_second: f64,
    /// The score of each seat.
    pub score: Vec<ScoreReport>,
    /// The wins of each seat; a win that k share counts 1/k. Empty for one player.
    pub wins: Vec<f64>,
    /// The share of each seat in the wins.
    pub win_shares: Vec<Share>,
    /// Games that all share, or nobody wins.
    pub draws: u64,
    /// The share of the drawn games; null for one player.
    pub draw_share: Option<Share>,
    /// What each item of the score gave each seat.
    pub items: Ordered<Vec<ItemReport>>,
    /// Turns, rolls and decisions in a game.
    pub counts: Ordered<CountReport>,
    /// How often each option was taken.
    pub options: Ordered<u64>,
    /// How often each step was entered.
    pub steps: Ordered<u64>,
    /// How many games each end decided.
    pub ends: Ordered<u64>,
    /// The variables at the end, for each position of the family in order.
    pub variables: Ordered<Vec<VariableReport>>,
    /// The first game that an error ended, and the error.
    #[serde(skip)]
    pub first_aborted: Option<Aborted>,
    /// The sums that the figures were computed from.
    #[serde(skip)]
    pub(super) totals: Arc<Totals>,
}

/// A share of the games, with its 95 % interval by Wilson; null if no game was finished.
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

/// The scores of a seat.
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
    /// The least; null if no game was finished.
    pub min: Option<i64>,
    /// The smallest index of a game, or match, with the least score.
    pub min_index: Option<u64>,
    /// The greatest; null if no game was finished.
    pub max: Option<i64>,
    /// The smallest index of a game, or match, with the greatest score.
    pub max_index: Option<u64>,
    /// By percent, see [`QUANTILES`].
    pub quantiles: Ordered<Option<i64>>,
    /// How many games had each score.
    pub histogram: Ordered<u64>,
}

/// What an item gave a seat.
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

/// How many of something a game had.
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
    /// The least; null if no game was finished.
    pub min: Option<i64>,
    /// The smallest index of a game, or match, with the least.
    pub min_index: Option<u64>,
    /// The greatest; null if no game was finished.
    pub max: Option<i64>,
    /// The smallest index of a game, or match, with the greatest.
    pub max_index: Option<u64>,
    /// How many games had each number.
    #[serde(skip)]
    pub histogram: Vec<(i64, u64)>,
}

/// A variable at the end.
#[derive(Clone, Debug, Serialize)]
pub struct VariableReport {
    /// The variable as rules write it: `penalties`, `points[X]`, `seen[5]`.
    pub name: String,
    /// The mean.
    pub mean: f64,
    /// The lower end of the mean's 95 % interval; null for fewer than two games.
    pub low: Option<f64>,
    /// The upper end of the mean's 95 % interval; null for fewer than two games.
    pub high: Option<f64>,
    /// The standard error of the mean; null for fewer than two games.
    pub se: Option<f64>,
    /// The least; null if no game was finished.
    pub min: Option<i64>,
    /// The smallest index of a game, or match, with the least.
    pub min_index: Option<u64>,
    /// The greatest; null if no game was finished.
    pub max: Option<i64>,
    /// The smallest index of a game, or match, with the greatest.
    pub max_index: Option<u64>,
}

/// The least and the greatest of a quantity, each with the smallest index of a game that has it.
macro_rules! extremes {
    ($($report:ty),*) => {$(
        impl $report {
            /// The least, and the smallest index of a game, or match, that has it.
            pub fn least(&self) -> Option<(i64, u64)> {
                self.min.zip(self.min_index)
            }

            /// The greatest, and the smallest index of a game, or match, that has it.
            pub fn most(&self) -> Option<(i64, u64)> {
                self.max.zip(self.max_index)
            }
        }
    )*};
}

extremes!(ScoreReport, CountReport, VariableReport);

/// What the matches of a simulation came to.
#[derive(Clone, Debug, Serialize)]
pub struct MatchReport {
    /// Matches played to the end.
    pub matches: u64,
    /// Games in a match.
    pub games: CountReport,
    /// The total of each person.
    pub total: Vec<ScoreReport>,
    /// The best game of each person, if the rules keep it.
    pub record: Vec<ScoreReport>,
    /// The wins of each person; a win that k share counts 1/k.
    pub wins: Vec<f64>,
    /// The share of each person in the wins.
    pub win_shares: Vec<Share>,
    /// Matches that all share.
    pub draws: u64,
    /// The share of the drawn matches.
    pub draw_share: Option<Share>,
}

/// A mean with its interval.
struct MeanOf {
    mean: f64,
    low: Option<f64>,
    high: Option<f64>,
    se: Option<f64>,
    sd: Option<f64>,
}

impl From<&Tally> for MeanOf {
    fn from(tally: &Tally) -> Self {
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

impl From<&Tally> for ScoreReport {
    fn from(tally: &Tally) -> Self {
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

impl From<&Tally> for ItemReport {
    fn from(tally: &Tally) -> Self {
        let MeanOf { mean, low, high, se, .. } = MeanOf::from(tally);
        ItemReport { mean, low, high, se }
    }
}

impl From<&Tally> for CountReport {
    fn from(tally: &Tally) -> Self {
        let MeanOf { mean, low, high, se, .. } = MeanOf::from(tally);
        let ((min, min_index), (max, max_index)) = (tally.least().unzip(), tally.most().unzip());
        CountReport { mean, low, high, se, min, min_index, max, max_index, histogram: tally.entries() }
    }
}

impl VariableReport {
    fn new(name: String, tally: &Tally) -> Self {
        let MeanOf { mean, low, high, se, .. } = MeanOf::from(tally);
        let ((min, min_index), (max, max_index)) = (tally.least().unzip(), tally.most().unzip());
        VariableReport { name, mean, low, high, se, min, min_index, max, max_index }
    }
}

/// The share of each seat in the wins, and that of the draws; nothing for one player.
pub(super) fn shares(wins: &[f64], draws: u64, games: u64) -> (Vec<Share>, Option<Share>) {
    let shares: Vec<Share> = wins.iter().map(|wins| Share::of(*wins, games)).collect();
    let drawn = (!shares.is_empty()).then(|| Share::of(draws as f64, games));
    (shares, drawn)
}

/// Wins by seat and draws, of games counted by the set of their winners.
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
        let count = |name: &str, tally: &Tally| (name.to_owned(), CountReport::from(tally));
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

/// Counts under their names; what has the same name is added up.
fn by_name<'a>(names: impl Iterator<Item = &'a str>, counts: &[u64]) -> Ordered<u64> {
    let mut all = Ordered::default();
    for (name, count) in names.zip(counts) {
        *all.entry(name) += count;
    }
    all
}

/// What a variant has removed is left out.
fn options(model: &Model, sums: &Sums) -> Ordered<u64> {
    let mut all = Ordered::default();
    for (block, count) in model.actions.iter().zip(&sums.options).filter(|(block, _)| !block.dead) {
        *all.entry(&block.option) += count;
    }
    all
}

fn ends(model: &Model, sums: &Sums) -> Ordered<u64> {
    by_name(model.end_names(), &sums.ends)
}

fn items(model: &Model, sums: &Sums, players: usize) -> Ordered<Vec<ItemReport>> {
    let seats = |item: usize| (0..players).map(|player| ItemReport::from(sums.item(player, item))).collect();
    model.score.iter().enumerate().map(|(at, item)| (item.name.clone(), seats(at))).collect()
}

fn variables(game: &Game, sums: &Sums) -> Ordered<Vec<VariableReport>> {
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
