//! Probabilities as fractions of large integers, and their decimals.

use houserule_base::numbers::even_at_tie;
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use serde::Serialize;

/// A probability, or another number that follows from probabilities: a decimal, and the fraction if it is known.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Probability {
    /// The number, rounded.
    pub decimal: f64,
    /// The reduced fraction, such as `25/108`; `None` if it isn't known.
    pub fraction: Option<String>,
}

/// Maximum number of digits above or below the bar of a fraction that is shown.
const LONGEST_FRACTION: usize = 20;

/// What differs less than this from 1 is certain, but for rounding.
const CERTAIN: f64 = 1e-13;

impl Probability {
    /// Formats it in percent, with more digits if it is small.
    pub fn percent(&self) -> String {
        match 100.0 * self.decimal {
            none if none <= 0.0 => "0 %".to_owned(),
            small if small < 1e-4 => format!("{small:.3e} %"),
            small if small < 0.1 => format!("{small:.6} %"),
            _ if self.decimal > 1.0 - CERTAIN => "100 %".to_owned(),
            all if all >= 99.99995 => ">99.9999 %".to_owned(),
            some => format!("{:.4} %", even_at_tie(some, 4)),
        }
    }

    /// Returns the fraction, or nothing if it is a whole number, long or not known.
    pub fn short_fraction(&self) -> String {
        let short =
            |text: &&String| text.contains('/') && text.split('/').all(|part| part.len() <= LONGEST_FRACTION);
        self.fraction.as_ref().filter(short).cloned().unwrap_or_default()
    }

    /// Returns a number without its fraction.
    pub fn rounded(decimal: f64) -> Probability {
        Probability { decimal, fraction: None }
    }

    /// Returns `part / whole`, reduced.
    pub(super) fn from_ratio(part: &BigUint, whole: &BigUint) -> Probability {
        Probability::from_signed_ratio(&BigInt::from(part.clone()), whole)
    }

    /// Like [`Probability::from_ratio`], of a number that may be negative.
    pub(super) fn from_signed_ratio(part: &BigInt, whole: &BigUint) -> Probability {
        let sign = if part.sign() == Sign::Minus { -1.0 } else { 1.0 };
        let common = part.magnitude().gcd(whole);
        let (top, bottom) = (part.magnitude() / &common, whole / &common);
        let minus = if sign < 0.0 { "-" } else { "" };
        let fraction = if bottom == BigUint::from(1u8) {
            format!("{minus}{top}")
        } else {
            format!("{minus}{top}/{bottom}")
        };
        Probability { decimal: sign * quotient(&top, &bottom), fraction: Some(fraction) }
    }
}

/// Returns the quotient of two integers, correct to the last digits of a 64-bit number.
pub(super) fn quotient(top: &BigUint, bottom: &BigUint) -> f64 {
    let (above, below) = (top.bits() as i64, bottom.bits() as i64);
    if above == 0 || below == 0 {
        return 0.0;
    }
    // Scaled so that the whole part of the quotient has 64 or 65 bits.
    let shift = 64 + below - above;
    let whole =
        if shift >= 0 { (top << shift as u64) / bottom } else { top / (bottom << shift.unsigned_abs()) };
    let digits =
        whole.iter_u64_digits().rev().fold(0.0, |sum: f64, digit| sum * 2f64.powi(64) + digit as f64);
    // In two steps, since the power alone may be too small for a number.
    digits * 2f64.powi((-shift / 2) as i32) * 2f64.powi((-shift - -shift / 2) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_reduced() {
        let of = |a: u64, b: u64| Probability::from_ratio(&a.into(), &b.into());
        assert_eq!(of(300, 1296), Probability { decimal: 25.0 / 108.0, fraction: Some("25/108".to_owned()) });
        assert_eq!(of(0, 7), Probability { decimal: 0.0, fraction: Some("0".to_owned()) });
        assert_eq!(of(12, 4).fraction.as_deref(), Some("3"));
        let minus = Probability::from_signed_ratio(&BigInt::from(-3), &6u8.into());
        assert_eq!(minus, Probability { decimal: -0.5, fraction: Some("-1/2".to_owned()) });
    }

    #[test]
    fn quotients_of_large_numbers_are_right() {
        let power = |n: u32| BigUint::from(6u8).pow(n);
        assert_eq!(quotient(&power(500), &power(499)), 6.0);
        assert_eq!(quotient(&power(499), &power(500)), 1.0 / 6.0);
        assert!((quotient(&BigUint::from(1u8), &power(300)) / 6f64.powi(-300) - 1.0).abs() < 1e-12);
    }
}
