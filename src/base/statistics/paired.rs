//! Paired samples: sums over pairs of numbers, one of each game, and statistics of their difference.
//!
//! The sums are integers, so they don't depend on the order of the pairs. Independent of games.

use serde::{Deserialize, Serialize};

use super::interval::{NORMAL, wilson};
use super::sample::{Interval, difference_of_parts};
use super::wide::Int256;

/// Confidence level of the intervals.
pub(crate) const LEVEL: f64 = 0.95;

/// Sums over pairs of numbers, in units of 1/`scale`.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Paired {
    scales: [i128; 2],
    pairs: i128,
    sums: [i128; 2],
    squares: [Int256; 2],
    products: Int256,
    /// Pairs whose numbers differ.
    pub differing: u64,
}

/// The difference of two means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanDifference {
    /// The difference.
    pub mean: f64,
    /// Its standard error.
    pub se: f64,
    /// Half the width of its 95 % interval.
    pub half_width: f64,
    /// p-value: probability of a difference at least this large if there is none.
    pub p: f64,
}

impl MeanDifference {
    /// The second estimate minus the first, of samples that are independent. Returns `None` if one has no interval.
    pub fn between(first: Interval, second: Interval) -> Option<MeanDifference> {
        let mean = second.value - first.value;
        let half_width = first.half()?.hypot(second.half()?);
        let se = half_width / NORMAL;
        let p = match se > 0.0 {
            // The normal distribution, as Student's with many degrees of freedom.
            true => two_sided(mean.abs() / se, 1e6),
            false if mean == 0.0 => 1.0,
            false => 0.0,
        };
        Some(MeanDifference { mean, se, half_width, p })
    }
}

impl Paired {
    /// Starts without pairs. The numbers of each side are divided by its scale.
    pub fn new(scale_a: i64, scale_b: i64) -> Self {
        Paired {
            scales: [scale_a.max(1).into(), scale_b.max(1).into()],
            pairs: 0,
            sums: [0; 2],
            squares: [Int256::default(); 2],
            products: Int256::default(),
            differing: 0,
        }
    }

    /// Adds a pair.
    #[inline]
    pub fn add(&mut self, a: i64, b: i64) {
        let [a, b] = [a, b].map(i128::from);
        self.pairs += 1;
        self.sums[0] += a;
        self.sums[1] += b;
        self.squares[0].add(a * a);
        self.squares[1].add(b * b);
        self.products.add(a * b);
        self.differing += u64::from(a * self.scales[1] != b * self.scales[0]);
    }

    /// Adds the pairs of another sample.
    pub fn merge(&mut self, other: &Paired) {
        self.pairs += other.pairs;
        for side in 0..2 {
            self.sums[side] += other.sums[side];
            self.squares[side] = self.squares[side].plus(other.squares[side]);
        }
        self.products = self.products.plus(other.products);
        self.differing += other.differing;
    }

    /// Returns the sums of one side alone.
    pub fn of_side(&self, side: usize) -> Paired {
        let mut alone = Paired::new(1, 1);
        alone.scales[0] = self.scales[side];
        (alone.pairs, alone.sums[0], alone.squares[0]) = (self.pairs, self.sums[side], self.squares[side]);
        alone
    }

    /// Returns the number of pairs.
    pub fn pairs(&self) -> u64 {
        self.pairs as u64
    }

    /// Returns the mean of one side, or 0 without pairs.
    pub fn mean(&self, side: usize) -> f64 {
        if self.pairs == 0 {
            return 0.0;
        }
        self.sums[side] as f64 / self.pairs as f64 / self.scales[side] as f64
    }

    /// Returns the sample variance of one side.
    pub fn variance(&self, side: usize) -> f64 {
        let spread = spread(self.pairs, self.squares[side], self.sums[side]);
        self.of_sample(spread) / (self.scales[side] as f64).powi(2)
    }

    /// Returns the standard error of the mean of one side.
    pub fn error(&self, side: usize) -> f64 {
        (self.variance(side) / (self.pairs as f64).max(1.0)).sqrt()
    }

    /// Returns the sample variance of the difference within a pair.
    pub fn variance_of_difference(&self) -> f64 {
        let [ka, kb] = self.scales;
        let [a, b] = self.sums;
        let [aa, bb] = self.squares;
        // Convert both sides to the common unit 1/(ka·kb).
        let squares = aa.times(kb * kb).plus(bb.times(ka * ka));
        let squares = squares.minus(self.products.times(2 * ka * kb));
        self.of_sample(spread(self.pairs, squares, b * ka - a * kb)) / ((ka * kb) as f64).powi(2)
    }

    fn of_sample(&self, spread: f64) -> f64 {
        if self.pairs < 2 { 0.0 } else { spread / self.pairs as f64 / (self.pairs - 1) as f64 }
    }

    /// Returns the second mean minus the first. `between` is variance of the difference beyond that of the pairs.
    pub fn difference(&self, between: f64) -> MeanDifference {
        let [ka, kb] = self.scales;
        let apart = self.sums[1] * ka - self.sums[0] * kb;
        let mean = apart as f64 / self.pairs.max(1) as f64 / (ka * kb) as f64;
        if self.differing == 0 {
            return MeanDifference { mean: 0.0, se: 0.0, half_width: 0.0, p: 1.0 };
        }
        let se = (self.variance_of_difference() / self.pairs as f64 + between).sqrt();
        // Degrees of freedom count only the pairs that differ: a few of these say little about the variance.
        let freedom = (self.differing as f64 - 1.0).max(1.0);
        let p = match se {
            se if se > 0.0 => two_sided(mean.abs() / se, freedom),
            // All pairs differ by the same amount. A single pair is no evidence.
            _ if self.pairs > 1 => 0.5f64.powf(self.pairs as f64 - 1.0),
            _ => 1.0,
        };
        let half_width = if self.pairs > 1 { quantile(LEVEL, freedom) * se } else { f64::INFINITY };
        MeanDifference { mean, se, half_width, p }
    }

    /// Like [`Paired::difference`], for shares of games. A pair in which the second side has more counts for it, one in
    /// which it has less against it. The interval is that of the difference of these two shares of the pairs, each by
    /// Wilson's score (Newcombe 1998), so no or few differing pairs don't make it short. Its half width is that of the
    /// longer side.
    pub fn difference_of_shares(&self, between: f64) -> MeanDifference {
        let found = self.difference(between);
        if self.pairs == 0 {
            return found;
        }
        let n = self.pairs as f64;
        // The mean of d²: from the sample variance and the mean.
        let square = self.variance_of_difference() * (n - 1.0) / n + found.mean * found.mean;
        let part = |sign: f64| {
            let value = ((square + sign * found.mean) / 2.0).clamp(0.0, 1.0);
            let (low, high) = wilson(value, n);
            Interval { value, low: Some(low), high: Some(high) }
        };
        let apart = difference_of_parts(part(1.0), part(-1.0));
        let side = |end: Option<f64>| end.map_or(0.0, |end| (end - apart.value).abs());
        let half = side(apart.low).max(side(apart.high));
        MeanDifference { half_width: half.hypot(NORMAL * between.sqrt()), ..found }
    }

    /// Returns `true` if both sides have the same number in every pair.
    pub fn is_constant(&self) -> bool {
        self.differing == 0 && self.variance(0) == 0.0
    }
}

/// Returns n Σx² − (Σx)², computed without rounding the sums.
fn spread(n: i128, squares: Int256, sum: i128) -> f64 {
    squares.times(n).minus(Int256::product(sum, sum)).to_f64()
}

/// Returns p-values adjusted by Holm's method. If each pair with a p-value below 5 % is called different, 19
/// of 20 runs contain no false difference.
pub fn holm(chances: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..chances.len()).collect();
    order.sort_by(|a, b| chances[*a].total_cmp(&chances[*b]));
    let mut adjusted = vec![1.0; chances.len()];
    let mut before = 0.0f64;
    for (rank, at) in order.into_iter().enumerate() {
        before = before.max(chances[at] * (chances.len() - rank) as f64).min(1.0);
        adjusted[at] = before;
    }
    adjusted
}

/// Returns the between-training part of the variance of the mean over all trainings. Each training is given by
/// its mean and the within-training variance of that mean.
pub fn variance_between(trainings: &[(f64, f64)]) -> f64 {
    let n = trainings.len() as f64;
    if n < 2.0 {
        return 0.0;
    }
    let mean = trainings.iter().map(|(mean, _)| mean).sum::<f64>() / n;
    let spread = trainings.iter().map(|(of, _)| (of - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let within = trainings.iter().map(|(_, variance)| variance).sum::<f64>() / n;
    (spread - within).max(0.0) / n
}

/// Returns the probability that a Student-distributed number is further from zero than `t`.
fn two_sided(t: f64, freedom: f64) -> f64 {
    incomplete_beta(freedom / (freedom + t * t), freedom / 2.0, 0.5)
}

/// Returns the `t` such that a Student-distributed number is within ±`t` with probability `level`.
pub fn quantile(level: f64, freedom: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1e4);
    for _ in 0..80 {
        let middle = (low + high) / 2.0;
        if two_sided(middle, freedom) > 1.0 - level { low = middle } else { high = middle }
    }
    high
}

/// The regularised incomplete beta function, by its continued fraction (modified Lentz).
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    // The fraction converges fast only up to here.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(1.0 - x, b, a);
    }
    let front = (a * x.ln() + b * (1.0 - x).ln() - ln_beta(a, b)).exp() / a;
    let away = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let (mut c, mut d) = (1.0, 1.0 / away(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for m in 1..1000 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut step = 1.0;
        for term in [even, odd] {
            d = 1.0 / away(1.0 + term * d);
            c = away(1.0 + term / c);
            step = c * d;
            fraction *= step;
        }
        if (step - 1.0f64).abs() < 1e-14 {
            break;
        }
    }
    (front * fraction).clamp(0.0, 1.0)
}

fn ln_beta(a: f64, b: f64) -> f64 {
    ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b)
}

/// Returns the logarithm of the gamma function by Stirling's series, shifted to where that is accurate.
pub(super) fn ln_gamma(x: f64) -> f64 {
    let (mut x, mut steps) = (x, 0.0);
    while x < 12.0 {
        steps += x.ln();
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    let series = (1.0 / 12.0 - y * (1.0 / 360.0 - y * (1.0 / 1260.0 - y / 1680.0))) / x;
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series - steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paired(pairs: &[(i64, i64)]) -> Paired {
        let mut sums = Paired::new(1, 1);
        pairs.iter().for_each(|(a, b)| sums.add(*a, *b));
        sums
    }

    #[test]
    fn differences_by_hand() {
        // Differences 1, 2, 3, 2: mean 2, variance 2/3, standard error √(1/6).
        let sums = paired(&[(1, 2), (5, 7), (2, 5), (4, 6)]);
        let found = sums.difference(0.0);
        assert_eq!((sums.mean(0), sums.mean(1), found.mean), (3.0, 5.0, 2.0));
        assert!((sums.variance_of_difference() - 2.0 / 3.0).abs() < 1e-12);
        assert!((found.se - (1.0f64 / 6.0).sqrt()).abs() < 1e-12);
        // Student's t with 3 degrees of freedom: 3.1824.
        assert!((found.half_width / found.se - 3.182446).abs() < 1e-5, "{found:?}");
        assert_eq!(sums.differing, 4);
    }

    #[test]
    fn scales_are_made_comparable() {
        // Halves and thirds: 0.5 against 1/3, 1 against 1.
        let mut sums = Paired::new(2, 3);
        sums.add(1, 1);
        sums.add(2, 3);
        assert_eq!(sums.differing, 1);
        assert!((sums.difference(0.0).mean + 1.0 / 12.0).abs() < 1e-12);
        assert!((sums.variance_of_difference() - 1.0 / 72.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_and_always_the_same() {
        assert_eq!(Paired::new(1, 1).difference(0.0).p, 1.0);
        assert!(paired(&[(3, 3), (3, 3)]).is_constant());
        assert!(!paired(&[(3, 3), (4, 4)]).is_constant());
        let always = paired(&[(1, 2); 50]).difference(0.0);
        assert_eq!((always.mean, always.se, always.half_width), (1.0, 0.0, 0.0));
        assert!(always.p < 1e-9);
    }

    #[test]
    fn differences_of_rare_shares_contain_the_truth() {
        use crate::rng::Stream;
        use rand::RngExt;
        // 2 % and 4 % of 50 games: in more than a third of the runs, fewer than three pairs differ.
        let covers = |run: u64| {
            let mut stream = Stream::new(3, run, 0);
            let mut happens = |percent: u32| i64::from(stream.random_ratio(percent, 100));
            let mut sums = Paired::new(1, 1);
            (0..50).for_each(|_| sums.add(happens(2), happens(4)));
            let found = sums.difference_of_shares(0.0);
            (found.mean - 0.02).abs() <= found.half_width
        };
        let share = (0..4000).filter(|run| covers(*run)).count() as f64 / 4000.0;
        // With so few events the interval is careful.
        assert!(share >= 0.94, "{share}");
        // Without a differing pair it is Wilson's of a share of 0.
        let none = paired(&[(1, 1); 50]).difference_of_shares(0.0);
        assert!(none.mean == 0.0 && (none.half_width - 0.0713).abs() < 1e-3, "{none:?}");
    }

    #[test]
    fn parts_add_up() {
        let pairs: Vec<(i64, i64)> = (0..100).map(|i: i64| (i * i % 37, i * 7 % 11)).collect();
        let mut parts = paired(&pairs[60..]);
        parts.merge(&paired(&pairs[..60]));
        assert_eq!(parts, paired(&pairs));
    }

    #[test]
    fn numbers_of_any_size() {
        let sums = paired(&[(i64::MAX, i64::MIN), (i64::MIN, i64::MAX), (0, 1)]);
        assert!(sums.difference(0.0).mean.is_finite() && sums.difference(0.0).se.is_finite());
        // Numbers beyond 2⁵³ are not rounded before means and variances are computed.
        let large = 1i64 << 60;
        let sums = paired(&[(large, large + 1024), (large + 2048, large + 3072)]);
        assert_eq!(sums.difference(0.0).mean, 1024.0);
        assert_eq!((sums.variance(0), sums.variance_of_difference()), (2_097_152.0, 0.0));
    }

    #[test]
    fn students_distribution_as_in_tables() {
        let table = [(1.0, 12.7062), (2.0, 4.30265), (10.0, 2.228139), (30.0, 2.042272), (1e6, 1.959966)];
        for (freedom, t) in table {
            let found = quantile(0.95, freedom);
            assert!((found / t - 1.0).abs() < 1e-5, "{freedom}: {found}");
        }
        assert!((two_sided(2.576, 1e8) - 0.009995).abs() < 1e-5);
    }

    #[test]
    fn holms_correction_by_hand() {
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        let expected = [0.03, 0.06, 0.06, 0.02];
        assert!(adjusted.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{adjusted:?}");
        assert!(holm(&[]).is_empty());
        assert_eq!(holm(&[0.6, 0.7]), [1.0, 1.0]);
    }

    #[test]
    fn the_spread_of_trainings_is_what_games_do_not_explain() {
        assert_eq!(variance_between(&[(3.0, 1.0)]), 0.0);
        // The means 1 and 5 have variance 8, of which the games explain 2. The mean of both has half of the rest.
        assert_eq!(variance_between(&[(1.0, 2.0), (5.0, 2.0)]), 3.0);
        assert_eq!(variance_between(&[(1.0, 9.0), (2.0, 9.0)]), 0.0);
    }
}
