//! A mergeable histogram of integers. Its contents don't depend on the order of insertion.
//!
//! Every statistic of a report comes from such histograms, so a run gives the same report for any number of
//! threads. Independent of games, except for their indices.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::wide::Int256;

/// Numbers in `-EXACT..EXACT` have a counter each.
const EXACT: i64 = 1 << 15;

/// Numbers outside of that range are counted with those that share this many leading bits.
const LEADING_BITS: u32 = 11;

/// A histogram of integers, with the first games that have the minimum and the maximum.
///
/// Mean, standard deviation, minimum and maximum are exact. Quantiles and histogram are exact for numbers within
/// ±32,767. Larger numbers that differ by less than a thousandth are counted together, as the lowest of them.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Histogram {
    /// Counts of the numbers from `low` on.
    low: i64,
    counts: Vec<u64>,
    far: Option<Box<Far>>,
    /// The minimum, and the smallest index of a game that has it.
    least: (i64, u64),
    /// The maximum, and the smallest index of a game that has it.
    most: (i64, u64),
}

/// Buckets of large numbers.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
struct Far {
    /// By leading bits: the minimum and the count of a bucket.
    buckets: BTreeMap<i64, (i64, u64)>,
    sum: i128,
    squares: Int256,
}

impl Default for Histogram {
    fn default() -> Self {
        Histogram {
            low: 0,
            counts: Vec::new(),
            far: None,
            least: (i64::MAX, u64::MAX),
            most: (i64::MIN, u64::MAX),
        }
    }
}

impl Histogram {
    /// Counts a number of a game.
    #[inline(always)]
    pub fn add(&mut self, number: i64, game: u64) {
        if number <= self.least.0 {
            self.least = self.least.min((number, game));
        }
        if number >= self.most.0 {
            self.most = greater(self.most, (number, game));
        }
        let at = number.wrapping_sub(self.low) as u64;
        match self.counts.get_mut(at as usize) {
            // On a 64-bit machine the cast loses no bits.
            Some(count) if usize::BITS == 64 || at <= u64::from(u32::MAX) => *count += 1,
            _ => self.add_slowly(number, 1),
        }
    }

    #[cold]
    #[inline(never)]
    fn add_slowly(&mut self, number: i64, times: u64) {
        if (-EXACT..EXACT).contains(&number) {
            self.cover(number);
            self.counts[(number - self.low) as usize] += times;
        } else {
            self.far.get_or_insert_default().add(number, times);
        }
    }

    /// Extends the counters to include `number`, with spare room.
    fn cover(&mut self, number: i64) {
        if self.counts.is_empty() {
            self.low = if number >= 0 { 0 } else { number };
        }
        if number < self.low {
            let low = (number - self.counts.len() as i64).max(-EXACT);
            let room = (self.low - low) as usize;
            self.counts.splice(0..0, std::iter::repeat_n(0, room));
            self.low = low;
        }
        let length = (number - self.low) as usize + 1;
        if length > self.counts.len() {
            self.counts.resize(length.next_power_of_two().max(16).min((EXACT - self.low) as usize), 0);
        }
    }

    /// Adds the counts of another histogram.
    pub fn merge(&mut self, other: &Histogram) {
        for (number, times) in other.near() {
            self.add_slowly(number, times);
        }
        if let Some(far) = &other.far {
            self.far.get_or_insert_default().merge(far);
        }
        self.least = self.least.min(other.least);
        self.most = greater(self.most, other.most);
    }

    fn near(&self) -> impl DoubleEndedIterator<Item = (i64, u64)> + '_ {
        let low = self.low;
        self.counts.iter().enumerate().filter(|(_, n)| **n > 0).map(move |(i, n)| (low + i as i64, *n))
    }

    /// Returns the distinct numbers in ascending order, with their counts.
    pub fn entries(&self) -> Vec<(i64, u64)> {
        let far = self.far.iter().flat_map(|far| far.buckets.values().copied());
        let mut all: Vec<(i64, u64)> = self.near().chain(far).collect();
        all.sort_unstable();
        all
    }

    /// Returns the sample size.
    pub fn len(&self) -> u64 {
        let far = self.far.as_ref().map_or(0, |far| far.buckets.values().map(|(_, n)| n).sum());
        self.counts.iter().sum::<u64>() + far
    }

    /// Returns `true` for an empty sample.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the sum.
    pub fn sum(&self) -> i128 {
        let far = self.far.as_ref().map_or(0, |far| far.sum);
        self.near().map(|(number, n)| i128::from(number) * i128::from(n)).sum::<i128>() + far
    }

    /// Returns the mean, or 0 for an empty sample.
    pub fn mean(&self) -> f64 {
        let (n, sum) = (i128::from(self.len()), self.sum());
        if n == 0 {
            return 0.0;
        }
        // The sum may have more digits than a floating-point number, and so may the integer part of the mean.
        let whole = sum.div_euclid(n);
        let rest = (whole - (whole as f64) as i128) as f64 + sum.rem_euclid(n) as f64 / n as f64;
        let mean = whole as f64 + rest;
        mean.clamp(self.least.0 as f64, self.most.0 as f64)
    }

    /// Returns the sample standard deviation, or 0 for fewer than two numbers.
    pub fn deviation(&self) -> f64 {
        let (n, sum) = (i128::from(self.len()), self.sum());
        if n < 2 {
            return 0.0;
        }
        let near: i128 = self.near().map(|(x, n)| i128::from(x) * i128::from(x) * i128::from(n)).sum();
        let mut squares = self.far.as_ref().map_or_else(Int256::default, |far| far.squares);
        squares.add(near);
        // n Σx² − (Σx)² in integers: no digits are lost.
        let spread = squares.times(n).minus(Int256::product(sum, sum)).to_f64();
        (spread / n as f64 / (n - 1) as f64).sqrt()
    }

    /// Returns the standard error of the mean.
    pub fn error(&self) -> f64 {
        match self.len() {
            0 => 0.0,
            n => self.deviation() / (n as f64).sqrt(),
        }
    }

    /// Returns the minimum, and the smallest index of a game that has it.
    pub fn least(&self) -> Option<(i64, u64)> {
        (!self.is_empty()).then_some(self.least)
    }

    /// Returns the maximum, and the smallest index of a game that has it.
    pub fn most(&self) -> Option<(i64, u64)> {
        (!self.is_empty()).then_some(self.most)
    }

    /// Returns the lowest number that at least `percent` % of the numbers don't exceed.
    pub fn quantile(&self, percent: u64) -> Option<i64> {
        let wanted = (u128::from(self.len()) * u128::from(percent)).div_ceil(100).max(1);
        let mut seen = 0u128;
        for (number, n) in self.entries() {
            seen += u128::from(n);
            if seen >= wanted {
                return Some(number);
            }
        }
        None
    }
}

impl Far {
    fn add(&mut self, number: i64, times: u64) {
        self.put(bucket(number), number, times);
        let (number, times) = (i128::from(number), i128::from(times));
        self.sum += number * times;
        self.squares = self.squares.plus(Int256::product(number * number, times));
    }

    fn put(&mut self, bucket: i64, number: i64, times: u64) {
        let (least, count) = self.buckets.entry(bucket).or_insert((number, 0));
        *least = number.min(*least);
        *count += times;
    }

    fn merge(&mut self, other: &Far) {
        for (bucket, (least, n)) in &other.buckets {
            self.put(*bucket, *least, *n);
        }
        self.sum += other.sum;
        self.squares = self.squares.plus(other.squares);
    }
}

/// Returns the greater of two numbers with its game; for equal numbers the earlier game.
#[inline(always)]
fn greater(one: (i64, u64), other: (i64, u64)) -> (i64, u64) {
    if other.0 > one.0 || (other.0 == one.0 && other.1 < one.1) { other } else { one }
}

/// Returns the number with all but its leading bits cleared.
fn bucket(number: i64) -> i64 {
    let bits = 64 - number.unsigned_abs().leading_zeros();
    let dropped = bits.saturating_sub(LEADING_BITS);
    (number >> dropped) << dropped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram_of(numbers: &[i64]) -> Histogram {
        let mut histogram = Histogram::default();
        numbers.iter().zip(0..).for_each(|(n, game)| histogram.add(*n, game));
        histogram
    }

    #[test]
    fn figures_of_a_small_sample() {
        let histogram = histogram_of(&[2, 4, 4, 4, 5, 5, 7, 9]);
        assert_eq!(histogram.len(), 8);
        assert_eq!(histogram.sum(), 40);
        assert_eq!(histogram.mean(), 5.0);
        assert!((histogram.deviation() - (32.0f64 / 7.0).sqrt()).abs() < 1e-12);
        assert!((histogram.error() - (32.0f64 / 7.0 / 8.0).sqrt()).abs() < 1e-12);
        assert_eq!((histogram.least(), histogram.most()), (Some((2, 0)), Some((9, 7))));
        assert_eq!([5, 25, 50, 75, 95].map(|p| histogram.quantile(p)), [2, 4, 4, 5, 9].map(Some));
        assert_eq!(histogram.entries(), [(2, 1), (4, 3), (5, 2), (7, 1), (9, 1)]);
    }

    #[test]
    fn nothing_has_no_figures() {
        let histogram = Histogram::default();
        assert!(histogram.is_empty());
        assert_eq!((histogram.mean(), histogram.deviation(), histogram.error()), (0.0, 0.0, 0.0));
        assert_eq!((histogram.least(), histogram.most(), histogram.quantile(50)), (None, None, None));
    }

    #[test]
    fn negative_and_far_numbers() {
        let histogram = histogram_of(&[-3, 10, -40_000, 1 << 40, i64::MAX, i64::MIN]);
        assert_eq!(histogram.len(), 6);
        assert_eq!((histogram.least(), histogram.most()), (Some((i64::MIN, 5)), Some((i64::MAX, 4))));
        assert_eq!(histogram.sum(), -3 + 10 - 40_000 + (1 << 40) - 1);
        assert_eq!(histogram.quantile(50), Some(-3));
    }

    #[test]
    fn order_and_parts_do_not_matter() {
        let numbers: Vec<i64> = (0..2000).map(|i: i64| (i * i * 7919) % 100_003 - 30_000).collect();
        let part = |range: std::ops::Range<usize>| {
            let mut histogram = Histogram::default();
            range.for_each(|game| histogram.add(numbers[game], game as u64));
            histogram
        };
        let whole = histogram_of(&numbers);
        let mut parts = part(1500..2000);
        parts.merge(&part(0..700));
        parts.merge(&part(700..1500));
        assert_eq!(whole.entries(), parts.entries());
        assert_eq!((whole.sum(), whole.deviation()), (parts.sum(), parts.deviation()));
        assert_eq!((whole.least(), whole.most()), (parts.least(), parts.most()));
    }

    #[test]
    fn the_first_game_shows_the_least_and_the_most() {
        let mut histogram = Histogram::default();
        [(5, 9), (2, 8), (7, 7), (2, 3), (7, 6), (2, 4), (i64::MAX, 11), (i64::MAX, 10)]
            .into_iter()
            .for_each(|(number, game)| histogram.add(number, game));
        assert_eq!((histogram.least(), histogram.most()), (Some((2, 3)), Some((i64::MAX, 10))));
    }

    #[test]
    fn figures_of_large_numbers_keep_their_digits() {
        let base = 1i64 << 53;
        let coins: Vec<i64> = (0..10_000).map(|game| base + game % 2 + 1).collect();
        let histogram = histogram_of(&coins);
        assert!((histogram.deviation() - 0.5).abs() < 1e-4, "{}", histogram.deviation());
        for percent in [5, 25, 50, 75, 95] {
            assert!((base + 1..=base + 2).contains(&histogram.quantile(percent).unwrap()));
        }
        assert!(histogram.entries().iter().all(|(number, _)| (base + 1..=base + 2).contains(number)));
        assert!((histogram.mean() - (base + 2) as f64).abs() <= 1.0 && histogram.mean() <= (base + 2) as f64);
        // The same variance at either end of the range of `i64`.
        for middle in [i64::MIN + 10, i64::MAX - 10] {
            let histogram = histogram_of(&[middle - 1, middle, middle + 1]);
            assert!((histogram.deviation() - 1.0).abs() < 1e-9, "{}", histogram.deviation());
        }
    }

    #[test]
    fn far_numbers_take_bounded_room() {
        let mut histogram = Histogram::default();
        for i in 0..50_000i64 {
            histogram.add(1_000_000 + i * 17, i as u64);
        }
        assert!(histogram.entries().len() < 2100);
        assert_eq!(histogram.len(), 50_000);
        let median = histogram.quantile(50).unwrap() as f64;
        assert!((median / (1_000_000.0 + 25_000.0 * 17.0) - 1.0).abs() < 1e-3);
    }
}
