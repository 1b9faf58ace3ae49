//! How probable it is that settings meet their targets, from games that were played of them: the Bayesian bootstrap (Rubin
//! 1981), which weighs the games at random. A share of games has half a game that counts and half a game that doesn't
//! besides (Jeffreys 1946), so that no number of games makes a share surely 0.
//!
//! Independent of games.

use houserule_base::rng::Stream;
use rand::RngExt;
use rand::distr::Open01;

use super::search::Rows;

/// Maximum and minimum number of draws of weights.
const DRAWS: (usize, usize) = (1_000, 100);

/// Weights of games drawn in all.
const WORK: usize = 30_000_000;

/// What is computed of a column of the rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TunedFigure {
    /// The mean of numbers.
    Mean,
    /// The mean of numbers from 0 to 1, each the share of a game that counts.
    Share,
    /// The least value that at least this share of the games doesn't exceed.
    Quantile(f64),
}

/// How probable it is that a setting meets its targets.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Certainty {
    /// That it meets all.
    pub(super) all: f64,
    /// That it meets each.
    pub(super) each: Vec<f64>,
}

/// A column of a setting, ready for figures of weighted games.
enum FigureValues {
    /// The value of each finished game, with its index.
    Values(Vec<(usize, f64)>),
    /// The same, sorted by value.
    Sorted(Vec<(usize, f64)>),
}

/// Computes the figures of some games. `None` if none was finished.
pub(super) fn figures(rows: &Rows, of: &[TunedFigure]) -> Option<Vec<f64>> {
    let finished = rows.iter().flatten().count() as f64;
    if finished == 0.0 {
        return None;
    }
    let figure = |(at, figure): (usize, &TunedFigure)| {
        let values = rows.iter().flatten().map(|row| row[at]);
        match figure {
            TunedFigure::Mean | TunedFigure::Share => values.sum::<f64>() / finished,
            TunedFigure::Quantile(share) => {
                let mut values: Vec<f64> = values.collect();
                let rank = (share * finished - 1e-9).ceil().clamp(1.0, finished) as usize;
                *values.select_nth_unstable_by(rank - 1, f64::total_cmp).1
            }
        }
    };
    Some(of.iter().enumerate().map(figure).collect())
}

/// Returns how probable it is that each setting meets the targets. All settings played the same games, and get the same
/// weights. `is_met` gets the index of a target and its figure.
pub(super) fn certainties(
    settings: &[&Rows],
    of: &[TunedFigure],
    is_met: &dyn Fn(usize, f64) -> bool,
    seed: u64,
) -> Vec<Certainty> {
    let mut stream = Stream::new(seed, 0, 1);
    let longest = settings.iter().map(|rows| rows.len()).max().unwrap_or(0);
    let draws = (WORK / (longest * settings.len()).max(1)).clamp(DRAWS.1, DRAWS.0);
    let prepared: Vec<Vec<FigureValues>> = settings.iter().map(|rows| columns(rows, of)).collect();
    let mut met = vec![(0usize, vec![0usize; of.len()]); settings.len()];
    let mut weights = vec![0.0; longest];
    for _ in 0..draws {
        weights.fill_with(|| -stream.sample::<f64, _>(Open01).ln());
        let [counting, other] = [(); 2].map(|()| half_a_game(&mut stream));
        for (columns, (all, each)) in prepared.iter().zip(&mut met) {
            let mut meets_all = true;
            for (at, (column, figure)) in columns.iter().zip(of).enumerate() {
                let found = column.weighted(*figure, &weights, counting, other);
                let is_met = found.is_some_and(|found| is_met(at, found));
                each[at] += usize::from(is_met);
                meets_all &= is_met;
            }
            *all += usize::from(meets_all);
        }
    }
    let share = |count: usize| count as f64 / draws as f64;
    let certainty = |(all, each): (usize, Vec<usize>)| Certainty {
        all: share(all),
        each: each.into_iter().map(share).collect(),
    };
    met.into_iter().map(certainty).collect()
}

/// Draws the weight of half a game: a gamma distribution with shape 1/2.
fn half_a_game(stream: &mut Stream) -> f64 {
    let [a, b] = [(); 2].map(|()| stream.sample::<f64, _>(Open01));
    -a.ln() * (std::f64::consts::TAU * b).cos().powi(2)
}

fn columns(rows: &Rows, of: &[TunedFigure]) -> Vec<FigureValues> {
    let column = |(at, figure): (usize, &TunedFigure)| {
        let games = rows.iter().enumerate();
        let mut values: Vec<(usize, f64)> =
            games.filter_map(|(game, row)| Some((game, row.as_ref()?[at]))).collect();
        match figure {
            TunedFigure::Mean | TunedFigure::Share => FigureValues::Values(values),
            TunedFigure::Quantile(_) => {
                values.sort_by(|a, b| a.1.total_cmp(&b.1));
                FigureValues::Sorted(values)
            }
        }
    };
    of.iter().enumerate().map(column).collect()
}

impl FigureValues {
    /// Computes a figure of weighted games. `None` without games.
    fn weighted(&self, figure: TunedFigure, weights: &[f64], counting: f64, other: f64) -> Option<f64> {
        let (FigureValues::Values(values) | FigureValues::Sorted(values)) = self;
        values.last()?;
        let total: f64 = values.iter().map(|(game, _)| weights[*game]).sum();
        let sum = || values.iter().map(|(game, value)| weights[*game] * value).sum::<f64>();
        match figure {
            TunedFigure::Mean => Some(sum() / total),
            TunedFigure::Share => Some((sum() + counting) / (total + counting + other)),
            TunedFigure::Quantile(share) => {
                let mut below = 0.0;
                let reaches = |(game, _): &&(usize, f64)| {
                    below += weights[*game];
                    below >= share * total
                };
                values.iter().find(reaches).or(values.last()).map(|(_, value)| *value)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(values: impl Iterator<Item = f64>) -> Rows {
        values.map(|value| Some(vec![value])).collect()
    }

    #[test]
    fn a_mean_and_a_quantile_are_as_certain_as_their_games() {
        // Numbers from 0 to 99: the mean is 49.5, its standard error 2.9.
        let all = rows((0..100).map(|at| f64::from(at * 37 % 100)));
        assert_eq!(figures(&all, &[TunedFigure::Mean]), Some(vec![49.5]));
        assert_eq!(figures(&all, &[TunedFigure::Quantile(0.9)]), Some(vec![89.0]));
        let above = |figure: TunedFigure, end: f64| {
            certainties(&[&all], &[figure], &|_, found| found >= end, 1)[0].all
        };
        assert!((above(TunedFigure::Mean, 49.5) - 0.5).abs() < 0.06);
        assert!((above(TunedFigure::Mean, 49.5 - 2.9) - 0.84).abs() < 0.06);
        assert!(above(TunedFigure::Mean, 39.0) > 0.99 && above(TunedFigure::Mean, 60.0) < 0.01);
        // The 90 % quantile is at least 90 if fewer than 90 % are below 90: a share of 90 %, give or take 3 %.
        assert!((above(TunedFigure::Quantile(0.9), 90.0) - 0.5).abs() < 0.08);
        assert!((above(TunedFigure::Quantile(0.9), 87.0) - 0.84).abs() < 0.06);
    }

    #[test]
    fn few_games_make_no_share_sure() {
        let none = |games: usize| rows((0..games).map(|_| 0.0));
        let below = |games: usize| {
            certainties(&[&none(games)], &[TunedFigure::Share], &|_, share| share < 0.05, 3)[0].all
        };
        // Of a beta distribution with 1/2 and 16.5.
        assert!((below(16) - 0.80).abs() < 0.05, "{}", below(16));
        assert!(below(400) > 0.99);
        let mean = certainties(&[&none(16)], &[TunedFigure::Mean], &|_, mean| mean < 0.05, 3);
        assert_eq!(mean[0], Certainty { all: 1.0, each: vec![1.0] });
    }

    #[test]
    fn all_targets_are_met_together_or_not() {
        // The second column is what is missing from the first to 1.
        let both: Rows = (0..200).map(|at| f64::from(at % 2)).map(|one| Some(vec![one, 1.0 - one])).collect();
        let met = |_: usize, share: f64| share > 0.5;
        let found = certainties(&[&both, &vec![None; 3]], &[TunedFigure::Mean; 2], &met, 5);
        assert!(found[0].all == 0.0 && found[0].each.iter().all(|one| (one - 0.5).abs() < 0.06), "{found:?}");
        assert_eq!(found[1], Certainty { all: 0.0, each: vec![0.0; 2] });
    }
}
