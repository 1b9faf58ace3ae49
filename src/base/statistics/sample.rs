//! Estimates from the games of a sample: means, ratios, quantiles and the bootstrap, each with a 95 % interval. The
//! unit is the game.

use super::interval::{NORMAL, share_interval, student, wilson};
use super::paired::variance_between;
use crate::interrupt;
use crate::rng::Stream;
use rand::RngExt;

/// An estimate and its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// The lower end; `None` if the sample is too small.
    pub low: Option<f64>,
    /// The upper end; `None` if the sample is too small.
    pub high: Option<f64>,
}

impl Interval {
    /// An exact value.
    pub fn exact(value: f64) -> Interval {
        Interval { value, low: Some(value), high: Some(value) }
    }

    /// The value plus and minus a half width.
    pub fn around(value: f64, half: Option<f64>) -> Interval {
        Interval { value, low: half.map(|half| value - half), high: half.map(|half| value + half) }
    }

    /// Half of the interval's width.
    pub fn half(&self) -> Option<f64> {
        Some((self.high? - self.low?) / 2.0)
    }

    /// The interval with both ends kept within a range.
    pub fn within(self, least: f64, most: f64) -> Interval {
        let keep = |end: f64| end.clamp(least, most);
        Interval { low: self.low.map(keep), high: self.high.map(keep), ..self }
    }

    /// The interval in another unit.
    pub fn times(self, factor: f64) -> Interval {
        let (low, high) = (self.low.map(|low| low * factor), self.high.map(|high| high * factor));
        let (low, high) = if factor < 0.0 { (high, low) } else { (low, high) };
        Interval { value: self.value * factor, low, high }
    }
}

/// Estimates the mean of independent numbers, by Student's distribution. Returns `None` for an empty sample.
pub fn mean(numbers: &[f64]) -> Option<Interval> {
    let n = numbers.len() as f64;
    if numbers.is_empty() {
        return None;
    }
    let mean = numbers.iter().sum::<f64>() / n;
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    let half = student(numbers.len() as u64).map(|wide| wide * (squares / (n - 1.0) / n).sqrt());
    Some(Interval::around(mean, half))
}

/// Estimates the ratio of two sums over games, Σx/Σy, by the delta method. Returns `None` if Σy is 0.
pub fn ratio(pairs: &[(f64, f64)]) -> Option<Interval> {
    let n = pairs.len() as f64;
    let (x, y) = pairs.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    if y == 0.0 {
        return None;
    }
    let ratio = x / y;
    let squares: f64 = pairs.iter().map(|(x, y)| (x - ratio * y).powi(2)).sum();
    let half =
        student(pairs.len() as u64).map(|wide| wide * (squares / (n - 1.0) / n).sqrt() / (y / n).abs());
    Some(Interval::around(ratio, half))
}

/// Estimates a share Σx/Σy of events, of which each game has y, and x of them count. Returns `None` if Σy is 0.
///
/// The interval is Wilson's for the number of independent events whose share would vary as much (Korn and Graubard
/// 1998). If the share doesn't vary, because none or all count, each game is one event.
pub fn ratio_of_counts(pairs: &[(f64, f64)]) -> Option<Interval> {
    let found = ratio(pairs)?;
    let value = found.value.clamp(0.0, 1.0);
    let games = pairs.iter().filter(|(_, y)| *y > 0.0).count() as f64;
    let half = found.half().unwrap_or(0.0);
    let events = match value * (1.0 - value) {
        varies if varies > 0.0 && half > 0.0 => varies * (NORMAL / half).powi(2),
        _ => games,
    };
    let (low, high) = wilson(value, events);
    Some(Interval { value, low: Some(low), high: Some(high) })
}

/// Estimates a share of `n` games by Wilson's score; also valid for the mean of numbers from 0 to 1. Returns `None` without
/// games.
pub fn share(value: f64, n: u64) -> Option<Interval> {
    let (low, high) = share_interval(value, n)?;
    Some(Interval { value, low: Some(low), high: Some(high) })
}

/// Returns the share below which an event lies with 95 % confidence if it never occurred in `n` games (about 3/`n`, the
/// rule of three).
pub fn below(n: u64) -> f64 {
    1.0 - 0.05f64.powf(1.0 / n.max(1) as f64)
}

/// Estimates the difference of two shares that exclude each other, such as the wins of two seats, from the interval of each
/// (Newcombe 1998; Zou and Donner 2008).
pub fn difference_of_parts(one: Interval, other: Interval) -> Interval {
    let (p, q) = (one.value, other.value);
    // What one of the shares gains, the other loses.
    let correlation = -(p * q / ((1.0 - p) * (1.0 - q)).max(1e-300)).sqrt().min(1.0);
    let distance = |a: f64, b: f64| (a * a - 2.0 * correlation * a * b + b * b).sqrt();
    let value = p - q;
    let low = one.low.zip(other.high).map(|(low, high)| value - distance(p - low, high - q));
    let high = one.high.zip(other.low).map(|(high, low)| value + distance(high - p, q - low));
    Interval { value, low, high }
}

/// Returns a quantile of a sample and its interval by order statistics, whose coverage depends on no distribution.
/// An end that the sample is too small for is `None`. `share` is between 0 and 1. Sorts the numbers.
pub fn quantile(numbers: &mut [f64], share: f64) -> Option<Interval> {
    numbers.sort_by(f64::total_cmp);
    let n = numbers.len();
    let at = ((share * n as f64).ceil() as usize).clamp(1, n.max(1)) - 1;
    let value = *numbers.get(at)?;
    let (low, high) = ranks(n, share);
    Some(Interval {
        value,
        low: low.map(|rank| numbers[rank - 1].min(value)),
        high: high.map(|rank| numbers[rank - 1].max(value)),
    })
}

/// Returns the ranks, from 1, between which the quantile lies with a probability of at least 95 %: 2.5 % on each side.
fn ranks(n: usize, share: f64) -> (Option<usize>, Option<usize>) {
    // log P(Bin(n, share) = k), added up from both sides.
    let log = |k: usize| ln_choose(n, k) + k as f64 * share.ln() + (n - k) as f64 * (1.0 - share).ln();
    let (mut low, mut below) = (None, 0.0);
    for k in 0..n {
        below += log(k).exp();
        if below > 0.025 {
            break;
        }
        // P(Bin < k + 1) is at most 2.5 %.
        low = Some(k + 1);
    }
    let (mut high, mut above) = (None, 0.0);
    for k in (1..=n).rev() {
        above += log(k).exp();
        if above > 0.025 {
            break;
        }
        // P(Bin ≥ k) is at most 2.5 %.
        high = Some(k);
    }
    (low, high)
}

/// Returns the logarithm of a binomial coefficient.
fn ln_choose(n: usize, k: usize) -> f64 {
    use super::paired::ln_gamma;
    ln_gamma(n as f64 + 1.0) - ln_gamma(k as f64 + 1.0) - ln_gamma((n - k) as f64 + 1.0)
}

/// Most and fewest resamples of [`bootstrap`].
const RESAMPLES: usize = 1000;
const FEWEST_RESAMPLES: usize = 250;

/// Number of games that all resamples have together, before there are the fewest.
const RESAMPLED_GAMES: usize = 5_000_000;

/// Returns the number of resamples of a sample of `n` games: of many games fewer, so that they take seconds.
fn resamples(n: usize) -> usize {
    (RESAMPLED_GAMES / n.max(1)).clamp(FEWEST_RESAMPLES, RESAMPLES)
}

/// Estimates a figure of a sample of `n` games by the bootstrap: see [`bootstraps`].
pub fn bootstrap(n: usize, mut figure: impl FnMut(&[usize]) -> Option<f64>) -> Option<Interval> {
    bootstraps(n, |games| figure(games).map(|found| [found])).map(|[found]| found)
}

/// Estimates several figures of a sample of `n` games by the bootstrap: each interval is between the 2.5 % and the 97.5 %
/// quantile over resamples (Efron 1979). `figures` gets the indices of the games, and returns `None` if they don't
/// have the figures. The resamples are the same in every run.
pub fn bootstraps<const K: usize>(
    n: usize,
    mut figures: impl FnMut(&[usize]) -> Option<[f64; K]>,
) -> Option<[Interval; K]> {
    let mut games: Vec<usize> = (0..n).collect();
    let values = figures(&games)?;
    let mut stream = Stream::new(0xb007, n as u64, 0);
    let times = resamples(n);
    let mut found: [Vec<f64>; K] = [(); K].map(|()| Vec::with_capacity(times));
    for _ in 0..times {
        interrupt::check();
        games.fill_with(|| stream.random_range(0..n as u64) as usize);
        if let Some(resampled) = figures(&games) {
            found.iter_mut().zip(resampled).for_each(|(all, one)| all.push(one));
        }
    }
    let mut at = 0;
    Some(values.map(|value| {
        let found = &mut found[at];
        at += 1;
        if n < 2 || found.len() < times / 2 {
            return Interval { value, low: None, high: None };
        }
        found.sort_by(f64::total_cmp);
        let end = |share: f64| found.get((share * found.len() as f64) as usize).copied();
        Interval {
            value,
            low: end(0.025).map(|low| low.min(value)),
            high: end(0.975).map(|high| high.max(value)),
        }
    }))
}

/// Combines estimates of one figure by several trainings, given as value and variance. The variance between
/// trainings beyond that within enters the interval (the method of moments of a random-effects model).
pub fn pooled(trainings: &[(f64, f64)]) -> Option<Interval> {
    let n = trainings.len() as f64;
    if trainings.is_empty() {
        return None;
    }
    let mean = trainings.iter().map(|(mean, _)| mean).sum::<f64>() / n;
    let within = trainings.iter().map(|(_, variance)| variance).sum::<f64>() / n;
    let between = variance_between(trainings);
    Some(Interval::around(mean, Some(NORMAL * (within / n + between).sqrt())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::distr::Open01;

    #[test]
    fn many_games_have_fewer_resamples_and_end_when_they_must() {
        assert_eq!([0, 100, 5_000, 10_000, 1_000_000].map(resamples), [1000, 1000, 1000, 500, 250]);
        let stop = interrupt::Interrupt::new();
        let mut calls = 0;
        let found = stop.scope(|| {
            bootstrap(10, |_| {
                calls += 1;
                if calls == 3 {
                    stop.set();
                }
                Some(0.0)
            })
        });
        assert!(found.is_err() && calls == 3, "{calls} resamples");
    }

    #[test]
    fn a_ratio_weighs_games_by_their_length() {
        // 1 of 2 and 3 of 4: 4 of 6. Residuals 1 − 4/3 and 3 − 8/3, so the variance is 2/9.
        let found = ratio(&[(1.0, 2.0), (3.0, 4.0)]).unwrap();
        assert!((found.value - 2.0 / 3.0).abs() < 1e-12);
        let error = (2.0f64 / 9.0 / 2.0).sqrt() / 3.0;
        assert!((found.half().unwrap() - 12.7062 * error).abs() < 1e-3);
        assert_eq!(ratio(&[(1.0, 0.0)]), None);
    }

    #[test]
    fn ranks_of_quantiles_as_in_tables() {
        // David and Nagaraja, Order Statistics: the median of 100 lies between the 40th and the 61st.
        assert_eq!(ranks(100, 0.5), (Some(40), Some(61)));
        assert_eq!(ranks(1000, 0.95), (Some(936), Some(964)));
        assert_eq!(ranks(5, 0.5), (None, None));
        let mut numbers: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        let found = quantile(&mut numbers, 0.5).unwrap();
        assert_eq!(found, Interval { value: 50.0, low: Some(40.0), high: Some(61.0) });
    }

    #[test]
    fn the_bootstrap_of_a_mean_is_about_its_interval() {
        let numbers: Vec<f64> = (0..400).map(|i| f64::from(i * 7919 % 400)).collect();
        let by_t = mean(&numbers).unwrap();
        let of =
            |games: &[usize]| Some(games.iter().map(|game| numbers[*game]).sum::<f64>() / games.len() as f64);
        let found = bootstrap(400, of).unwrap();
        assert_eq!(found.value, by_t.value);
        assert!((found.half().unwrap() / by_t.half().unwrap() - 1.0).abs() < 0.1, "{found:?} {by_t:?}");
    }

    #[test]
    fn trainings_are_pooled() {
        // Within: variance 2 a training, so 1 of the mean; between: 3.
        let found = pooled(&[(1.0, 2.0), (5.0, 2.0)]).unwrap();
        assert!(found.value == 3.0 && (found.half().unwrap() - 2.0 * NORMAL).abs() < 1e-12);
    }

    /// Returns how often intervals of samples contain the truth. `draw` makes a sample of a stream.
    fn coverage(runs: u64, truth: f64, draw: impl Fn(&mut Stream) -> Option<Interval>) -> f64 {
        let covers = |run: u64| {
            let found = draw(&mut Stream::new(7, run, 0)).unwrap();
            found.low.unwrap() <= truth && truth <= found.high.unwrap()
        };
        (0..runs).filter(|run| covers(*run)).count() as f64 / runs as f64
    }

    /// A skewed number: exponential, with mean 1.
    fn skewed(stream: &mut Stream) -> f64 {
        -stream.sample::<f64, _>(Open01).ln()
    }

    #[test]
    fn intervals_contain_the_truth_in_95_of_100_runs() {
        // Four standard errors of 4,000 runs are 1.4 %.
        let is_honest = |found: f64, name: &str| assert!((found - 0.95).abs() < 0.014, "{name}: {found}");
        let sample = |n: usize, stream: &mut Stream| -> Vec<f64> { (0..n).map(|_| skewed(stream)).collect() };
        is_honest(coverage(4000, 1.0, |stream| mean(&sample(200, stream))), "a mean");
        // Two thirds of the decisions of games of 1 to 20 decisions.
        let game = |stream: &mut Stream| {
            let n = stream.random_range(1..=20u64);
            ((0..n).filter(|_| stream.random_ratio(2, 3)).count() as f64, n as f64)
        };
        let games = |stream: &mut Stream| -> Vec<(f64, f64)> { (0..200).map(|_| game(stream)).collect() };
        is_honest(coverage(4000, 2.0 / 3.0, |stream| ratio(&games(stream))), "a ratio");
        let median = |stream: &mut Stream| quantile(&mut sample(400, stream), 0.5);
        is_honest(coverage(4000, 2.0f64.ln(), median), "a median");
        let of_mean = |stream: &mut Stream| {
            let numbers = sample(150, stream);
            bootstrap(150, |games| Some(games.iter().map(|game| numbers[*game]).sum::<f64>() / 150.0))
        };
        // Fewer runs, as they take long; the percentile interval of a skewed mean is a little short.
        let found = coverage(1000, 1.0, of_mean);
        assert!((0.92..0.97).contains(&found), "a bootstrap: {found}");
    }

    #[test]
    fn intervals_of_rare_shares_contain_the_truth() {
        use crate::statistics::share_interval;
        // Wilson's interval varies around 95 % with share and sample; its mean over them is close.
        let shares = [0.004, 0.01, 0.02, 0.05, 0.1, 0.3, 0.5];
        let of = |share: f64, n: u64| {
            coverage(1000, share, |stream| {
                let count = (0..n).filter(|_| stream.random_bool(share)).count() as f64;
                let (low, high) = share_interval(count / n as f64, n)?;
                Some(Interval { value: count / n as f64, low: Some(low), high: Some(high) })
            })
        };
        let found: Vec<f64> =
            shares.iter().flat_map(|share| [50, 200, 1000].map(|n| of(*share, n))).collect();
        let mean = found.iter().sum::<f64>() / found.len() as f64;
        assert!((0.94..0.965).contains(&mean), "{mean}");
        assert!(found.iter().all(|covers| *covers > 0.91), "{found:?}");
    }

    #[test]
    fn intervals_over_trainings_contain_the_truth_of_these_trainings() {
        // Two players with means 1 − apart and 1 + apart, in 200 games each.
        let of = |apart: f64| {
            coverage(4000, 1.0, |stream| {
                let mut training = |shift: f64| {
                    let numbers: Vec<f64> = (0..200).map(|_| skewed(stream) + shift).collect();
                    let n = numbers.len() as f64;
                    let mean = numbers.iter().sum::<f64>() / n;
                    let variance =
                        numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / (n - 1.0);
                    (mean, variance / n)
                };
                pooled(&[training(-apart), training(apart)])
            })
        };
        // The spread of the trainings widens the interval, so it is never short.
        assert!((0.94..0.98).contains(&of(0.0)), "{}", of(0.0));
        assert!(of(0.2) > 0.97, "{}", of(0.2));
    }
}
