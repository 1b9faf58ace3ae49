//! 95 % confidence intervals of means and of shares.

use super::paired::{LEVEL, quantile};

/// Returns half the width of a mean's 95 % interval, in standard errors, for a sample of size `numbers`, by
/// Student's distribution. Returns `None` for a sample smaller than two.
pub fn student(numbers: u64) -> Option<f64> {
    (numbers > 1).then(|| quantile(LEVEL, (numbers - 1) as f64))
}

/// Half the width of a 95 % interval, in standard errors, if these are known (normal distribution).
pub const NORMAL: f64 = 1.959_964;

/// Returns the 95 % interval of a share of `games` games by Wilson's score (1927), or `None` without games. Unlike Student's
/// interval, it has a width even if all games end alike; `docs/metrics.md` says how often it contains the truth. It is also
/// valid for the mean of values from 0 to 1, whose variance is at most that of wins and losses.
pub fn share_interval(share: f64, games: u64) -> Option<(f64, f64)> {
    (games > 0).then(|| wilson(share, games as f64))
}

/// Returns Wilson's interval of a share of `n` independent events; `n` need not be whole.
pub(super) fn wilson(share: f64, n: f64) -> (f64, f64) {
    let z = quantile(LEVEL, 1e9);
    let (middle, width) = (
        share + z * z / (2.0 * n),
        z * (share * (1.0 - share) / n + (z / (2.0 * n)).powi(2)).max(0.0).sqrt(),
    );
    let whole = 1.0 + z * z / n;
    // Rounding must not exclude the share itself.
    (((middle - width) / whole).clamp(0.0, share), ((middle + width) / whole).clamp(share, 1.0))
}

/// Returns half the width of an interval: the figure after ± in text.
pub fn half_width(low: Option<f64>, high: Option<f64>) -> Option<f64> {
    Some((high? - low?) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_by_hand() {
        // Wilson's interval of 1 in 10, from tables: 0.0179 to 0.4042.
        let (low, high) = share_interval(0.1, 10).unwrap();
        assert!((low - 0.017876).abs() < 1e-5 && (high - 0.404150).abs() < 1e-5, "{low} {high}");
        let (low, high) = share_interval(0.0, 100).unwrap();
        assert!(low == 0.0 && (high - 0.036994).abs() < 1e-5, "{high}");
        assert_eq!(share_interval(0.0, 0), None);
    }

    #[test]
    fn few_numbers_have_wide_intervals() {
        assert_eq!(student(1), None);
        assert!((student(2).unwrap() - 12.7062).abs() < 1e-3);
        assert!((student(1_000_000).unwrap() - 1.95997).abs() < 1e-4);
    }
}
