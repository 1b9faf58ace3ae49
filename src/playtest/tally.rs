//! How often each number came up: exact, and the same in whatever order it is gathered.
//!
//! Every figure of a report comes from such a tally, so that a run gives the same report for any
//! number of threads. Knows nothing of games.

use std::collections::BTreeMap;

/// Numbers below this, either side of zero, are counted one by one.
const EXACT: i64 = 1 << 15;

/// Beyond that, a number is counted with those that share its leading bits.
const LEADING_BITS: u32 = 11;

/// How often each number came up.
///
/// Mean, deviation and range are exact for all numbers. Quantiles and histogram are exact for those
/// below 32,768 either side of zero, and to one part in a thousand beyond.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Counts of the numbers from `low` on.
    low: i64,
    counts: Vec<u64>,
    far: Option<Box<Far>>,
}

/// The numbers that are counted together.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Far {
    buckets: BTreeMap<i64, u64>,
    sum: i128,
    squares: u128,
    least: i64,
    most: i64,
}

impl Tally {
    /// Counts a number.
    #[inline(always)]
    pub fn add(&mut self, number: i64) {
        let at = number.wrapping_sub(self.low) as u64;
        match self.counts.get_mut(at as usize) {
            // On a 64-bit machine the index is the whole number.
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
            self.far.get_or_insert_with(Far::new).add(number, times);
        }
    }

    /// Makes room for a number, and for its neighbours.
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

    /// Adds what another tally counted.
    pub fn merge(&mut self, other: &Tally) {
        for (number, times) in other.near() {
            self.add_slowly(number, times);
        }
        if let Some(far) = &other.far {
            self.far.get_or_insert_with(Far::new).merge(far);
        }
    }

    fn near(&self) -> impl DoubleEndedIterator<Item = (i64, u64)> + '_ {
        let low = self.low;
        self.counts.iter().enumerate().filter(|(_, n)| **n > 0).map(move |(i, n)| (low + i as i64, *n))
    }

    /// The numbers that came up, ascending, with how often.
    pub fn entries(&self) -> Vec<(i64, u64)> {
        let far = self.far.iter().flat_map(|far| far.buckets.iter().map(|(k, n)| (*k, *n)));
        let mut all: Vec<(i64, u64)> = self.near().chain(far).collect();
        all.sort_unstable();
        all
    }

    /// How many numbers.
    pub fn len(&self) -> u64 {
        let far = self.far.as_ref().map_or(0, |far| far.buckets.values().sum());
        self.counts.iter().sum::<u64>() + far
    }

    /// Were there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Their sum.
    pub fn sum(&self) -> i128 {
        let far = self.far.as_ref().map_or(0, |far| far.sum);
        self.near().map(|(number, n)| i128::from(number) * i128::from(n)).sum::<i128>() + far
    }

    fn squares(&self) -> u128 {
        let far = self.far.as_ref().map_or(0, |far| far.squares);
        let near: u128 = self.near().map(|(number, n)| square(number) * u128::from(n)).sum();
        near.saturating_add(far)
    }

    /// Their mean; 0 of none.
    pub fn mean(&self) -> f64 {
        match self.len() {
            0 => 0.0,
            n => self.sum() as f64 / n as f64,
        }
    }

    /// Their standard deviation (of a sample); 0 of fewer than two.
    pub fn deviation(&self) -> f64 {
        let n = self.len();
        if n < 2 {
            return 0.0;
        }
        // n Σx² − (Σx)² in whole numbers, as long as these hold it: no digits are lost.
        let whole = self.squares().checked_mul(u128::from(n));
        let square_of_sum = self.sum().unsigned_abs().checked_pow(2);
        let spread = match (whole, square_of_sum) {
            (Some(whole), Some(square)) => whole.saturating_sub(square) as f64,
            _ => (self.squares() as f64 * n as f64 - (self.sum() as f64).powi(2)).max(0.0),
        };
        (spread / n as f64 / (n - 1) as f64).sqrt()
    }

    /// The standard error of their mean.
    pub fn error(&self) -> f64 {
        match self.len() {
            0 => 0.0,
            n => self.deviation() / (n as f64).sqrt(),
        }
    }

    /// The least.
    pub fn least(&self) -> Option<i64> {
        let near = self.near().next().map(|(number, _)| number);
        near.into_iter().chain(self.far.as_ref().map(|far| far.least)).min()
    }

    /// The greatest.
    pub fn most(&self) -> Option<i64> {
        let near = self.near().next_back().map(|(number, _)| number);
        near.into_iter().chain(self.far.as_ref().map(|far| far.most)).max()
    }

    /// The least number that is not below `percent` of all of them.
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
    fn new() -> Box<Far> {
        Box::new(Far { buckets: BTreeMap::new(), sum: 0, squares: 0, least: i64::MAX, most: i64::MIN })
    }

    fn add(&mut self, number: i64, times: u64) {
        *self.buckets.entry(bucket(number)).or_insert(0) += times;
        self.sum += i128::from(number) * i128::from(times);
        self.squares = self.squares.saturating_add(square(number).saturating_mul(u128::from(times)));
        self.least = self.least.min(number);
        self.most = self.most.max(number);
    }

    fn merge(&mut self, other: &Far) {
        for (bucket, n) in &other.buckets {
            *self.buckets.entry(*bucket).or_insert(0) += n;
        }
        self.sum += other.sum;
        self.squares = self.squares.saturating_add(other.squares);
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
    }
}

fn square(number: i64) -> u128 {
    u128::from(number.unsigned_abs()).pow(2)
}

/// A number with all but its leading bits cleared.
fn bucket(number: i64) -> i64 {
    let bits = 64 - number.unsigned_abs().leading_zeros();
    let dropped = bits.saturating_sub(LEADING_BITS);
    (number >> dropped) << dropped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(numbers: &[i64]) -> Tally {
        let mut tally = Tally::default();
        numbers.iter().for_each(|n| tally.add(*n));
        tally
    }

    #[test]
    fn figures_of_a_small_sample() {
        let tally = of(&[2, 4, 4, 4, 5, 5, 7, 9]);
        assert_eq!(tally.len(), 8);
        assert_eq!(tally.sum(), 40);
        assert_eq!(tally.mean(), 5.0);
        assert!((tally.deviation() - (32.0f64 / 7.0).sqrt()).abs() < 1e-12);
        assert!((tally.error() - (32.0f64 / 7.0 / 8.0).sqrt()).abs() < 1e-12);
        assert_eq!((tally.least(), tally.most()), (Some(2), Some(9)));
        assert_eq!([5, 25, 50, 75, 95].map(|p| tally.quantile(p)), [2, 4, 4, 5, 9].map(Some));
        assert_eq!(tally.entries(), [(2, 1), (4, 3), (5, 2), (7, 1), (9, 1)]);
    }

    #[test]
    fn nothing_has_no_figures() {
        let tally = Tally::default();
        assert!(tally.is_empty());
        assert_eq!((tally.mean(), tally.deviation(), tally.error()), (0.0, 0.0, 0.0));
        assert_eq!((tally.least(), tally.most(), tally.quantile(50)), (None, None, None));
    }

    #[test]
    fn negative_and_far_numbers() {
        let tally = of(&[-3, 10, -40_000, 1 << 40, i64::MAX, i64::MIN]);
        assert_eq!(tally.len(), 6);
        assert_eq!((tally.least(), tally.most()), (Some(i64::MIN), Some(i64::MAX)));
        assert_eq!(tally.sum(), -3 + 10 - 40_000 + (1 << 40) - 1);
        assert_eq!(tally.quantile(50), Some(-3));
    }

    #[test]
    fn order_and_parts_do_not_matter() {
        let numbers: Vec<i64> = (0..2000).map(|i: i64| (i * i * 7919) % 100_003 - 30_000).collect();
        let whole = of(&numbers);
        let mut parts = of(&numbers[1500..]);
        parts.merge(&of(&numbers[..700]));
        parts.merge(&of(&numbers[700..1500]));
        assert_eq!(whole.entries(), parts.entries());
        assert_eq!((whole.sum(), whole.deviation()), (parts.sum(), parts.deviation()));
    }

    #[test]
    fn far_numbers_take_bounded_room() {
        let mut tally = Tally::default();
        for i in 0..50_000i64 {
            tally.add(1_000_000 + i * 17);
        }
        assert!(tally.entries().len() < 2100);
        assert_eq!(tally.len(), 50_000);
        let median = tally.quantile(50).unwrap() as f64;
        assert!((median / (1_000_000.0 + 25_000.0 * 17.0) - 1.0).abs() < 1e-3);
    }
}
