//! Signed 256-bit integers, for exact sums of squares and products of 64-bit numbers.
//!
//! Exact sums don't depend on the order of the numbers, so they are the same for any number of threads.

use serde::{Deserialize, Serialize};

/// A signed integer in two's complement.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
pub(crate) struct Int256 {
    high: i128,
    low: u128,
}

impl Int256 {
    /// Returns the product of two numbers.
    pub(crate) fn product(a: i128, b: i128) -> Int256 {
        let product = Int256::unsigned_product(a.unsigned_abs(), b.unsigned_abs());
        if (a < 0) == (b < 0) { product } else { Int256::default().minus(product) }
    }

    fn unsigned_product(a: u128, b: u128) -> Int256 {
        const HALF: u128 = u64::MAX as u128;
        let ((a1, a0), (b1, b0)) = ((a >> 64, a & HALF), (b >> 64, b & HALF));
        let (first, second) = (a1 * b0, a0 * b1);
        let middle = (first & HALF) + (second & HALF) + ((a0 * b0) >> 64);
        let low = (middle << 64) | ((a0 * b0) & HALF);
        let high = a1 * b1 + (first >> 64) + (second >> 64) + (middle >> 64);
        Int256 { high: high as i128, low }
    }

    /// Adds a number.
    #[inline]
    pub(crate) fn add(&mut self, number: i128) {
        *self = self.plus(Int256 { high: number >> 127, low: number as u128 });
    }

    pub(crate) fn plus(self, other: Int256) -> Int256 {
        let (low, carry) = self.low.overflowing_add(other.low);
        Int256 { high: self.high.wrapping_add(other.high).wrapping_add(i128::from(carry)), low }
    }

    pub(crate) fn minus(self, other: Int256) -> Int256 {
        let (low, borrow) = self.low.overflowing_sub(other.low);
        Int256 { high: self.high.wrapping_sub(other.high).wrapping_sub(i128::from(borrow)), low }
    }

    /// Returns the product with a non-negative number.
    pub(crate) fn times(self, number: i128) -> Int256 {
        let low = Int256::unsigned_product(self.low, number.unsigned_abs());
        Int256 { high: low.high.wrapping_add(self.high.wrapping_mul(number)), low: low.low }
    }

    /// Returns the nearest floating-point number, to within a unit of its last digit.
    pub(crate) fn to_f64(self) -> f64 {
        if self.high < 0 {
            return -Int256::default().minus(self).to_f64();
        }
        self.high as f64 * 2f64.powi(128) + self.low as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(number: i128) -> Int256 {
        let mut wide = Int256::default();
        wide.add(number);
        wide
    }

    #[test]
    fn small_numbers_as_usual() {
        for (a, b) in [(0, 5), (7, -3), (-7, -3), (1 << 60, 12345), (-(1 << 60), 1 << 62)] {
            assert_eq!(Int256::product(a, b), wide(a * b), "{a} {b}");
            assert_eq!(wide(a).plus(wide(b)), wide(a + b));
            assert_eq!(wide(a).minus(wide(b)), wide(a - b));
            assert_eq!(wide(a * b).to_f64(), (a * b) as f64);
            assert_eq!(wide(a).times(9), wide(a * 9));
        }
    }

    #[test]
    fn large_numbers_lose_no_digit() {
        // (2¹²⁷ − 1)² = 2²⁵⁴ − 2¹²⁸ + 1
        let square = Int256::product(i128::MAX, i128::MAX);
        assert_eq!(square, Int256 { high: (1 << 126) - 1, low: 1 });
        assert_eq!(square.minus(Int256::product(i128::MAX, i128::MAX - 1)), wide(i128::MAX));
        assert_eq!(Int256::product(-i128::MAX, i128::MAX).plus(square), wide(0));
        let large = Int256::product(1 << 100, 1 << 90);
        assert_eq!(large.times(1 << 20).minus(Int256::product(1 << 110, 1 << 100)), wide(0));
        assert_eq!(large.to_f64(), 2f64.powi(190));
        assert_eq!(Int256::default().minus(large).to_f64(), -(2f64.powi(190)));
    }
}
