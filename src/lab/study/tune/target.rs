//! Targets of a tuning: what a figure of the games is to be, how far from it a figure is, and whether it meets it.

use houserule_base::numbers::{parse_decimal, trimmed};

/// Default tolerance, as a fraction of the target.
const RELATIVE: f64 = 0.05;

/// Default tolerance of a share of games.
const SHARE: f64 = 0.02;

/// The distance of a figure that misses a target only because its end is excluded.
const EXCLUDED: f64 = 1e-6;

/// Symbols of a comparison, the longer ones first.
const SYMBOLS: [&str; 10] = [">=", "<=", "==", "≥", "≤", "=>", "=<", "<", ">", "="];

/// Ways to write a tolerance.
const TOLERANCES: [&str; 3] = ["±", "+-", "+/-"];

/// The figure of a metric that a target is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Statistic {
    /// The mean of all games.
    Mean,
    /// The least value that at least this share of the games doesn't exceed.
    Quantile(f64),
    /// The share of the games whose value lies in a range.
    Share(TargetRange),
}

/// A range of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TargetRange {
    /// Its least number; minus infinity if there is none.
    pub low: f64,
    /// Its greatest number; infinity if there is none.
    pub high: f64,
    /// Whether `low` itself is excluded.
    pub excludes_low: bool,
    /// Whether `high` itself is excluded.
    pub excludes_high: bool,
}

/// What a figure is to be: `turns = 20`, `wins[1] in 48..52 %`, `p90(turns) < 15`, `share(turns <= 20) >= 80 %`, each
/// perhaps with `± 2`.
#[derive(Clone, Debug, PartialEq)]
pub struct TuningTarget {
    /// The metric as it was named.
    pub metric: String,
    /// The figure of the metric.
    pub statistic: Statistic,
    /// Where the figure is to be.
    pub range: TargetRange,
    /// The distance that counts 1; `None` for the default.
    pub tolerance: Option<f64>,
    /// Whether a number in it is written in percent.
    pub is_percent: bool,
    /// The target as it was written.
    pub text: String,
}

/// A number as it was written.
#[derive(Clone, Copy)]
struct TargetNumber {
    value: f64,
    is_percent: bool,
}

/// A comparison: what is compared, and where it is to be.
struct Compared<'t> {
    left: &'t str,
    range: TargetRange,
    is_percent: bool,
}

impl TuningTarget {
    /// Reads a target.
    pub fn parse(text: &str) -> Result<TuningTarget, String> {
        let wrong = |why: String| {
            format!(
                "`{text}`: {why}; write `turns = 20`, `turns = 20 ± 1`, `score >= 50`, `wins[1] in 48..52 %`, \
                 `p90(turns) < 15` or `share(turns <= 20) >= 80 %`"
            )
        };
        let tolerance = TOLERANCES.iter().find_map(|sign| split_at(text, sign));
        let wanted = tolerance.map_or(text, |(wanted, _)| wanted);
        let compared = compared(wanted).map_err(wrong)?;
        let tolerance = match tolerance {
            None => None,
            Some((_, tolerance)) => {
                let found = number(tolerance).filter(|found| found.value > 0.0);
                let found =
                    found.ok_or_else(|| wrong("the tolerance must be a number above 0".to_owned()))?;
                // `50 % ± 2` means 2 %.
                let counts_percent = compared.is_percent && !found.is_percent && found.value >= 1.0;
                Some(if counts_percent { found.value / 100.0 } else { found.value })
            }
        };
        let (statistic, metric) = figure(compared.left).map_err(wrong)?;
        Ok(TuningTarget {
            metric,
            statistic,
            range: compared.range,
            tolerance,
            is_percent: compared.is_percent,
            text: text.trim().to_owned(),
        })
    }

    /// Returns the name of the figure of a metric with this key: `turns`, `p90(turns)`, `share(turns <= 20)`.
    pub fn name(&self, key: &str) -> String {
        self.statistic.name(key)
    }

    /// Returns the name of the figure in text, given that of the metric.
    pub(crate) fn label(&self, metric: &str) -> String {
        match &self.statistic {
            Statistic::Mean => metric.to_owned(),
            Statistic::Quantile(share) if *share == 0.5 => format!("median of {metric}"),
            Statistic::Quantile(share) => format!("p{} of {metric}", trimmed(100.0 * share)),
            Statistic::Share(range) => format!("games with {}", range.condition(metric)),
        }
    }

    /// Checks the target for a metric, which is a share of games or a number.
    pub(crate) fn check(&self, is_share: bool) -> Result<(), String> {
        let text = &self.text;
        let metric = &self.metric;
        let is_share = match &self.statistic {
            Statistic::Mean => is_share,
            Statistic::Quantile(_) | Statistic::Share(_) if is_share => {
                return Err(format!(
                    "`{text}`: `{metric}` is a share of the games already; write `{metric} >= 50 %`"
                ));
            }
            Statistic::Quantile(_) => false,
            Statistic::Share(_) => true,
        };
        if !is_share && self.is_percent {
            return Err(format!(
                "`{text}`: `{}` is a number, not a share of the games; leave the `%` out, or write \
                 `share({metric} <= 20) >= 80 %`",
                self.name(metric)
            ));
        }
        let wrong = [self.range.low, self.range.high]
            .into_iter()
            .find(|end| is_share && end.is_finite() && !(0.0..=1.0).contains(end));
        match wrong {
            Some(end) if self.is_percent => Err(format!(
                "`{text}`: a share of the games is from 0 % to 100 %, found {} %",
                trimmed(100.0 * end)
            )),
            Some(end) => Err(format!(
                "`{text}`: a share of the games is from 0 to 1, found {0}; for percent write `{0} %`",
                trimmed(end)
            )),
            None => Ok(()),
        }
    }

    /// Returns the value of a game of which the figure is computed: that of the metric, or for a share 1 or 0.
    pub(crate) fn counted(&self, value: f64) -> f64 {
        match &self.statistic {
            Statistic::Mean | Statistic::Quantile(_) => value,
            Statistic::Share(range) => f64::from(u8::from(range.has(value, 0.0))),
        }
    }

    /// Returns the share of games of the quantile, if it is about one.
    pub(crate) fn quantile(&self) -> Option<f64> {
        match self.statistic {
            Statistic::Quantile(share) => Some(share),
            Statistic::Mean | Statistic::Share(_) => None,
        }
    }

    /// Returns the distance that counts 1.
    pub(crate) fn unit(&self, is_share: bool) -> f64 {
        let TargetRange { low, high, .. } = self.range;
        let ends = [low, high].map(f64::abs).into_iter().filter(|end| end.is_finite());
        let size = ends.fold(0.0, f64::max);
        match self.tolerance {
            Some(tolerance) => tolerance,
            None if high > low && (high - low).is_finite() => (high - low) / 2.0,
            None if is_share => SHARE,
            None if size > 0.0 => RELATIVE * size,
            None => RELATIVE,
        }
    }

    /// Returns how far a figure may be outside of the range and still meet the target: the tolerance for a single number, and
    /// for one that was given; else 0. No number of games shows a share to be 0 or 1, so these have the tolerance too.
    pub(crate) fn margin(&self, is_share: bool) -> f64 {
        let TargetRange { low, high, .. } = self.range;
        let is_utmost = is_share && (high <= 0.0 || low >= 1.0);
        match self.tolerance.is_some() || low == high || is_utmost {
            true => self.unit(is_share),
            false => 0.0,
        }
    }

    /// Returns how far a figure is outside of the range, in units of `unit`; inside it is 0 or less: minus the distance from
    /// the nearer end.
    pub(crate) fn signed_distance(&self, figure: f64, unit: f64) -> f64 {
        let TargetRange { low, high, excludes_low, excludes_high } = self.range;
        let [below, above] = [(low - figure, excludes_low), (figure - high, excludes_high)]
            .map(|(by, is_excluded)| if is_excluded && by == 0.0 { EXCLUDED } else { by / unit });
        below.max(above)
    }

    /// Returns how far a figure is from the range, in units of `unit`; 0 if it lies in it.
    pub(crate) fn distance(&self, figure: f64, unit: f64) -> f64 {
        self.signed_distance(figure, unit).max(0.0)
    }

    /// Returns whether a figure meets the target, if it may be outside by `margin`.
    pub(crate) fn is_met(&self, figure: f64, margin: f64) -> bool {
        self.range.has(figure, margin)
    }
}

impl Statistic {
    /// Returns the name of the figure of a metric with this key: see [`TuningTarget::name`].
    fn name(&self, key: &str) -> String {
        match self {
            Statistic::Mean => key.to_owned(),
            Statistic::Quantile(share) => format!("p{}({key})", trimmed(100.0 * share)),
            Statistic::Share(range) => format!("share({})", range.condition(key)),
        }
    }
}

impl TargetRange {
    /// Returns whether it has a number, if its ends are moved out by `margin`.
    fn has(&self, number: f64, margin: f64) -> bool {
        // Sums of decimals may be off by a rounding error.
        let error = |end: f64| 1e-9 * (1.0 + end.abs());
        let is_above = match self.excludes_low {
            true => number > self.low - margin + error(self.low),
            false => number >= self.low - margin - error(self.low),
        };
        let is_below = match self.excludes_high {
            true => number < self.high + margin - error(self.high),
            false => number <= self.high + margin + error(self.high),
        };
        (self.low == f64::NEG_INFINITY || is_above) && (self.high == f64::INFINITY || is_below)
    }

    /// Writes that something lies in it: `turns <= 20`.
    fn condition(&self, what: &str) -> String {
        let [low, high] = [self.low, self.high].map(trimmed);
        let below = if self.excludes_low { "<" } else { "<=" };
        let above = if self.excludes_high { "<" } else { "<=" };
        match (self.low.is_finite(), self.high.is_finite()) {
            (true, true) if self.low == self.high => format!("{what} = {low}"),
            (true, true) if !self.excludes_low && !self.excludes_high => format!("{what} in {low}..{high}"),
            (true, true) => format!("{low} {below} {what} {above} {high}"),
            (true, false) => format!("{what} {} {low}", if self.excludes_low { ">" } else { ">=" }),
            (false, _) => format!("{what} {above} {high}"),
        }
    }
}

/// Returns the usual name of a figure, however it is written: `p90(turns)` for `quantile(turns, 90 %)`. Other text is left as
/// it is.
pub(crate) fn figure_name(text: &str) -> String {
    figure(text).map_or_else(|_| text.to_owned(), |(statistic, metric)| statistic.name(&metric))
}

/// Reads the figure of a metric: `turns`, `mean(turns)`, `median(turns)`, `p90(turns)`, `quantile(turns, 90 %)`,
/// `share(turns <= 20)`.
fn figure(text: &str) -> Result<(Statistic, String), String> {
    let text = text.trim();
    let Some((function, rest)) = text.split_once('(') else {
        return match text {
            "" => Err("a metric is missing".to_owned()),
            metric => Ok((Statistic::Mean, metric.to_owned())),
        };
    };
    let inside = rest.trim_end().strip_suffix(')').ok_or_else(|| format!("`)` is missing after `{text}`"))?;
    let function = function.trim();
    let named = |metric: &str| match metric.trim() {
        "" => Err(format!("a metric is missing in `{text}`")),
        metric => Ok(metric.to_owned()),
    };
    let quantile = |metric: &str, share: f64| match share > 0.0 && share < 1.0 {
        true => Ok((Statistic::Quantile(share), named(metric)?)),
        false => Err(format!("a quantile is between 0 % and 100 %, found {} %", trimmed(100.0 * share))),
    };
    match function {
        "mean" => Ok((Statistic::Mean, named(inside)?)),
        "median" => quantile(inside, 0.5),
        "quantile" => {
            let parts = inside.rsplit_once(',').and_then(|(metric, share)| Some((metric, number(share)?)));
            let (metric, share) = parts
                .ok_or_else(|| format!("`{text}` needs a metric and a share: `quantile(turns, 90 %)`"))?;
            quantile(metric, share.value)
        }
        "share" => {
            let Compared { left, range, is_percent } = compared(inside)?;
            match is_percent {
                true => Err(format!("`{inside}` is about a single game, which has no `%`")),
                false => Ok((Statistic::Share(range), named(left)?)),
            }
        }
        other => match other.strip_prefix('p').and_then(parse_decimal) {
            Some(percent) => quantile(inside, percent / 100.0),
            None => Err(format!(
                "there is no `{other}(…)`; there are `mean(…)`, `median(…)`, `p90(…)`, `quantile(…, 90 %)` and `share(…)`"
            )),
        },
    }
}

/// Reads a comparison: `turns > 15`, `turns in 10..15`, `10 <= turns <= 15`.
fn compared(text: &str) -> Result<Compared<'_>, String> {
    if let Some((left, range)) = split_at(text, " in ") {
        let needed = "a range is needed after `in`, such as `10..15`";
        let (low, high) = range.split_once("..").ok_or(needed)?;
        let (low, high) = number(low).zip(number(high)).ok_or(needed)?;
        return ranged(left, low, high, false, false);
    }
    let Some((left, symbol, right)) = first_symbol(text) else {
        return Err("`=`, `<`, `<=`, `>`, `>=` or `in` is missing".to_owned());
    };
    let is_strict = |symbol: &str| matches!(symbol, "<" | ">");
    if let Some((middle, second, last)) = first_symbol(right) {
        let (first, last) = number(left).zip(number(last)).ok_or("a number is needed at both ends")?;
        let is_rising = |symbol: &str| matches!(symbol, "<" | "<=" | "≤" | "=<");
        let is_falling = |symbol: &str| matches!(symbol, ">" | ">=" | "≥" | "=>");
        return match (symbol, second) {
            (a, b) if is_rising(a) && is_rising(b) => ranged(middle, first, last, is_strict(a), is_strict(b)),
            (a, b) if is_falling(a) && is_falling(b) => {
                ranged(middle, last, first, is_strict(b), is_strict(a))
            }
            _ => Err("both signs must be `<` or `<=`, or both `>` or `>=`".to_owned()),
        };
    }
    let TargetNumber { value, is_percent } = number(right).ok_or("a number is needed")?;
    let (low, high) = match symbol {
        ">=" | "≥" | "=>" | ">" => (value, f64::INFINITY),
        "<=" | "≤" | "=<" | "<" => (f64::NEG_INFINITY, value),
        _ => (value, value),
    };
    let range = TargetRange { low, high, excludes_low: symbol == ">", excludes_high: symbol == "<" };
    Ok(Compared { left, range, is_percent })
}

/// Makes a comparison with two ends.
fn ranged(
    left: &str,
    low: TargetNumber,
    high: TargetNumber,
    excludes_low: bool,
    excludes_high: bool,
) -> Result<Compared<'_>, String> {
    let is_percent = low.is_percent || high.is_percent;
    let [mut from, mut to] = [low, high].map(|end| end.value);
    // `48..52 %` is in percent as a whole.
    if from > to && high.is_percent && !low.is_percent {
        from /= 100.0;
    } else if low.is_percent && !high.is_percent && to > 1.0 {
        to /= 100.0;
    }
    if from > to || from == to && (excludes_low || excludes_high) {
        return Err("the range is empty".to_owned());
    }
    Ok(Compared { left, range: TargetRange { low: from, high: to, excludes_low, excludes_high }, is_percent })
}

/// Splits a text at the first symbol outside of parentheses.
fn first_symbol(text: &str) -> Option<(&str, &'static str, &str)> {
    let at = outside(text).find_map(|at| {
        let symbol = SYMBOLS.into_iter().find(|symbol| text[at..].starts_with(symbol))?;
        Some((at, symbol))
    });
    at.map(|(at, symbol)| (&text[..at], symbol, &text[at + symbol.len()..]))
}

/// Splits a text at a separator outside of parentheses.
fn split_at<'t>(text: &'t str, separator: &str) -> Option<(&'t str, &'t str)> {
    let at = outside(text).find(|at| text[*at..].starts_with(separator))?;
    Some((&text[..at], &text[at + separator.len()..]))
}

/// Returns the places of the characters that aren't in parentheses.
fn outside(text: &str) -> impl Iterator<Item = usize> {
    let mut depth = 0i32;
    text.char_indices().filter_map(move |(at, c)| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        (depth == 0).then_some(at)
    })
}

fn number(text: &str) -> Option<TargetNumber> {
    Some(TargetNumber { value: parse_decimal(text)?, is_percent: text.trim_end().ends_with('%') })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FROM: f64 = f64::NEG_INFINITY;
    const TO: f64 = f64::INFINITY;

    fn target(text: &str) -> TuningTarget {
        TuningTarget::parse(text).unwrap_or_else(|why| panic!("{why}"))
    }

    #[test]
    fn targets_as_they_are_written() {
        let found = |text: &str| {
            let TuningTarget { metric, statistic, range, tolerance, .. } = target(text);
            assert_eq!(statistic, Statistic::Mean, "{text}");
            (metric, range.low, range.high, tolerance)
        };
        assert_eq!(found("turns = 20"), ("turns".to_owned(), 20.0, 20.0, None));
        assert_eq!(found("turns==20±2"), ("turns".to_owned(), 20.0, 20.0, Some(2.0)));
        assert_eq!(found("wins[1] in 48%..52 %"), ("wins[1]".to_owned(), 0.48, 0.52, None));
        assert_eq!(found("wins[1] in 48..52 %"), ("wins[1]".to_owned(), 0.48, 0.52, None));
        assert_eq!(found("wins[1] = 50 % ± 2"), ("wins[1]".to_owned(), 0.5, 0.5, Some(0.02)));
        assert_eq!(found("score >= 50 +- 5"), ("score".to_owned(), 50.0, TO, Some(5.0)));
        assert_eq!(found("score<=-3").2, -3.0);
        assert_eq!(found("mean(turns) > 3"), ("turns".to_owned(), 3.0, TO, None));
        assert_eq!(found("15 >= turns > 10"), ("turns".to_owned(), 10.0, 15.0, None));
        for (text, why) in [
            ("turns", "is missing"),
            ("= 3", "a metric is missing"),
            ("turns = many", "a number is needed"),
            ("turns in 3", "a range is needed"),
            ("turns in 5..3", "the range is empty"),
            ("3 < turns < 3", "the range is empty"),
            ("3 < turns > 2", "both signs"),
            ("turns = 3 ± 0", "above 0"),
            ("p90(turns < 3", "is missing"),
            ("p100(turns) < 3", "between 0 % and 100 %"),
            ("p90() < 3", "a metric is missing"),
            ("quantile(turns) < 3", "`quantile(turns, 90 %)`"),
            ("share(turns) > 50 %", "is missing"),
            ("share(turns < 5 %) > 50 %", "a single game"),
            ("average(turns) < 3", "there is no `average(…)`"),
        ] {
            let found = TuningTarget::parse(text).unwrap_err();
            assert!(found.contains(why) && found.contains("write `turns = 20`"), "{text}: {found}");
        }
    }

    #[test]
    fn quantiles_and_shares() {
        let found = |text: &str| {
            let TuningTarget { metric, statistic, range, .. } = target(text);
            (metric, statistic, range.low, range.high)
        };
        let turns = || "turns".to_owned();
        assert_eq!(found("p90(turns) >= 15"), (turns(), Statistic::Quantile(0.9), 15.0, TO));
        assert_eq!(found("median(turns) <= 15"), (turns(), Statistic::Quantile(0.5), FROM, 15.0));
        assert_eq!(found("quantile(turns, 2.5 %) = 15"), (turns(), Statistic::Quantile(0.025), 15.0, 15.0));
        let share = target("share(turns < 20) >= 80 %");
        assert_eq!((share.range.low, share.name("turns")), (0.8, "share(turns < 20)".to_owned()));
        assert_eq!([19.0, 20.0].map(|turns| share.counted(turns)), [1.0, 0.0]);
        let within = target("share(10 <= turns < 20) = 50 % ± 5 %");
        assert_eq!([9.0, 10.0, 19.5, 20.0].map(|turns| within.counted(turns)), [0.0, 1.0, 1.0, 0.0]);
        assert_eq!(target("share(turns in 10..20) > 0.5").name("turns"), "share(turns in 10..20)");
        assert_eq!(target("p2.5(score[2]) < 3").name("score[2]"), "p2.5(score[2])");
    }

    #[test]
    fn percent_signs_are_of_shares() {
        for (text, is_share, told) in [
            ("turns = 20 %", false, "leave the `%` out"),
            ("p90(turns) = 20 %", false, "`p90(turns)` is a number"),
            ("draws < 5", true, "write `5 %`"),
            ("draws < 500 %", true, "found 500 %"),
            ("p90(draws) < 5", true, "is a share of the games already"),
            ("share(turns < 20) >= 80", false, "write `80 %`"),
        ] {
            let found = target(text).check(is_share).unwrap_err();
            assert!(found.contains(told), "{text}: {found}");
        }
        for (text, is_share) in
            [("draws < 5 %", true), ("draws = 0.05", true), ("share(turns < 2) > 5 %", false)]
        {
            assert_eq!(target(text).check(is_share), Ok(()));
        }
    }

    #[test]
    fn distances_are_in_tolerances() {
        let exact = target("turns = 20");
        assert_eq!(
            (exact.unit(false), exact.distance(22.0, 1.0), exact.distance(20.0, 1.0)),
            (1.0, 2.0, 0.0)
        );
        assert_eq!(target("wins[1] = 0.5").unit(true), 0.02);
        let range = target("wins[1] in 0.4..0.6");
        assert!((range.unit(true) - 0.1).abs() < 1e-12 && (range.distance(0.8, 0.1) - 2.0).abs() < 1e-9);
        assert_eq!(range.distance(0.5, 0.1), 0.0);
        assert!((range.signed_distance(0.45, 0.1) + 0.5).abs() < 1e-9);
        let least = target("score >= 50");
        assert_eq!((least.distance(60.0, 2.5), least.distance(45.0, 2.5)), (0.0, 2.0));
        assert_eq!(target("score = 0").unit(false), 0.05);
        let more = target("score > 50");
        assert!(more.distance(50.0, 2.5) > 0.0 && more.distance(50.1, 2.5) == 0.0);
    }

    #[test]
    fn what_meets_a_target() {
        let met = |text: &str, figure: f64, is_share: bool| {
            let target = target(text);
            target.is_met(figure, target.margin(is_share))
        };
        assert!(met("turns = 20", 20.9, false) && !met("turns = 20", 21.1, false));
        assert!(met("turns >= 20", 20.0, false) && !met("turns >= 20", 19.9, false));
        assert!(met("turns > 20", 20.1, false) && !met("turns > 20", 20.0, false));
        assert!(met("turns >= 20 ± 1", 19.5, false) && !met("turns >= 20 ± 1", 18.9, false));
        assert!(met("turns in 10..15", 15.0, false) && !met("turns in 10..15", 15.1, false));
        assert!(met("draws <= 0 %", 0.01, true) && !met("draws <= 0 %", 0.03, true));
        assert!(!met("p90(turns) < 15", 15.0, false) && met("p90(turns) < 15", 14.0, false));
    }
}
