//! Targets of a tuning: what a metric's mean is to be, and how far from it a mean is.

use houserule_base::numbers::parse_decimal;

/// Default tolerance, as a fraction of the target.
const RELATIVE: f64 = 0.05;

/// Default tolerance of a share of games.
const SHARE: f64 = 0.02;

/// Symbols of a target, the longer ones first.
const SYMBOLS: [&str; 6] = [">=", "<=", "==", "=", "≥", "≤"];

/// What a metric's mean is to be: `turns = 20`, `wins[1] in 0.48..0.52`, `score >= 50`, each perhaps with `± 2`.
#[derive(Clone, Debug, PartialEq)]
pub struct TuningTarget {
    /// The metric as it was named.
    pub metric: String,
    /// The least mean that meets the target; minus infinity if there is none.
    pub low: f64,
    /// The greatest mean that meets the target; infinity if there is none.
    pub high: f64,
    /// The distance that counts 1; `None` for the default.
    pub tolerance: Option<f64>,
}

impl TuningTarget {
    /// Reads a target.
    pub fn parse(text: &str) -> Result<TuningTarget, String> {
        let wrong = |why: &str| {
            format!(
                "`{text}`: {why}; write `turns = 20`, `turns = 20 ± 1`, `score >= 50` or `wins[1] in 0.48..0.52`"
            )
        };
        let (wanted, tolerance) = match ["±", "+-", "+/-"].iter().find_map(|sign| text.split_once(sign)) {
            Some((wanted, tolerance)) => {
                let tolerance = parse_decimal(tolerance).filter(|tolerance| *tolerance > 0.0);
                (wanted, Some(tolerance.ok_or_else(|| wrong("the tolerance must be a number above 0"))?))
            }
            None => (text, None),
        };
        let between = wanted.split_once(" in ");
        let symbol = SYMBOLS.iter().find_map(|symbol| Some((*symbol, wanted.split_once(symbol)?)));
        let (metric, low, high) = match (between, symbol) {
            (Some((metric, range)), _) => {
                let ends = range
                    .split_once("..")
                    .and_then(|(low, high)| Some((parse_decimal(low)?, parse_decimal(high)?)));
                let Some((low, high)) = ends else { return Err(wrong("a range is needed after `in`")) };
                if low > high {
                    return Err(wrong("the range is empty"));
                }
                (metric, low, high)
            }
            (None, Some((symbol, (metric, value)))) => {
                let Some(value) = parse_decimal(value) else { return Err(wrong("a number is needed")) };
                match symbol {
                    ">=" | "≥" => (metric, value, f64::INFINITY),
                    "<=" | "≤" => (metric, f64::NEG_INFINITY, value),
                    _ => (metric, value, value),
                }
            }
            (None, None) => return Err(wrong("`=`, `>=`, `<=` or `in` is missing")),
        };
        match metric.trim() {
            "" => Err(wrong("a metric is missing")),
            metric => Ok(TuningTarget { metric: metric.to_owned(), low, high, tolerance }),
        }
    }

    /// Returns the distance that counts 1.
    pub(crate) fn unit(&self, is_share: bool) -> f64 {
        let ends = [self.low, self.high].map(f64::abs).into_iter().filter(|end| end.is_finite());
        let size = ends.fold(0.0, f64::max);
        match self.tolerance {
            Some(tolerance) => tolerance,
            None if self.high > self.low && (self.high - self.low).is_finite() => {
                (self.high - self.low) / 2.0
            }
            None if is_share => SHARE,
            None if size > 0.0 => RELATIVE * size,
            None => RELATIVE,
        }
    }

    /// Returns how far a mean is from the target, in units of `unit`; 0 if it meets it.
    pub(crate) fn distance(&self, mean: f64, unit: f64) -> f64 {
        (self.low - mean).max(mean - self.high).max(0.0) / unit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_as_they_are_written() {
        let found = |text: &str| {
            let TuningTarget { metric, low, high, tolerance } = TuningTarget::parse(text).unwrap();
            (metric, low, high, tolerance)
        };
        assert_eq!(found("turns = 20"), ("turns".to_owned(), 20.0, 20.0, None));
        assert_eq!(found("turns==20±2"), ("turns".to_owned(), 20.0, 20.0, Some(2.0)));
        assert_eq!(found("wins[1] in 48%..52 %"), ("wins[1]".to_owned(), 0.48, 0.52, None));
        assert_eq!(found("score >= 50 +- 5"), ("score".to_owned(), 50.0, f64::INFINITY, Some(5.0)));
        assert_eq!(found("score<=-3").2, -3.0);
        for (text, why) in [
            ("turns", "is missing"),
            ("= 3", "a metric is missing"),
            ("turns = many", "a number is needed"),
            ("turns in 3", "a range is needed"),
            ("turns in 5..3", "the range is empty"),
            ("turns = 3 ± 0", "above 0"),
        ] {
            let found = TuningTarget::parse(text).unwrap_err();
            assert!(found.contains(why) && found.contains("write `turns = 20`"), "{found}");
        }
    }

    #[test]
    fn distances_are_in_tolerances() {
        let target = |text: &str| TuningTarget::parse(text).unwrap();
        let exact = target("turns = 20");
        assert_eq!(
            (exact.unit(false), exact.distance(22.0, 1.0), exact.distance(20.0, 1.0)),
            (1.0, 2.0, 0.0)
        );
        assert_eq!(target("wins[1] = 0.5").unit(true), 0.02);
        let range = target("wins[1] in 0.4..0.6");
        assert!((range.unit(true) - 0.1).abs() < 1e-12 && (range.distance(0.8, 0.1) - 2.0).abs() < 1e-9);
        assert_eq!(range.distance(0.5, 0.1), 0.0);
        let least = target("score >= 50");
        assert_eq!((least.distance(60.0, 2.5), least.distance(45.0, 2.5)), (0.0, 2.0));
        assert_eq!(target("score = 0").unit(false), 0.05);
    }
}
