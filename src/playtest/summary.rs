//! The means and shares of a report with their 95 % intervals, a row each.

use super::paired::{LEVEL, quantile};
use super::report::Report;

/// A mean or a share of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// What kind of thing: `score`, `item`, `count`, `win`, `draw`, `end`, `option`, `variable`, `total`,
    /// `record` or `matches won`.
    pub kind: &'static str,
    /// The name of an item, count, end, option or variable; else empty.
    pub name: String,
    /// The seat, from 0; none if it is about all.
    pub seat: Option<u32>,
    /// The mean, or the share of games.
    pub mean: f64,
    /// The 95 % interval; none where a single game leaves it open, and for options.
    pub interval: Option<(f64, f64)>,
    /// The standard deviation, of scores and totals.
    pub sd: Option<f64>,
    /// The least value.
    pub least: Option<i64>,
    /// The greatest.
    pub most: Option<i64>,
}

/// How many standard errors of a mean of so many numbers its 95 % interval goes to either side, by
/// Student's distribution; none of fewer than two.
pub fn student(numbers: u64) -> Option<f64> {
    (numbers > 1).then(|| quantile(LEVEL, (numbers - 1) as f64))
}

/// The 95 % interval of a share of so many games, by Wilson's score (1927). It also holds for the mean
/// of numbers from 0 to 1, which vary no more than whole wins do.
pub fn share_interval(share: f64, games: u64) -> Option<(f64, f64)> {
    if games == 0 {
        return None;
    }
    let n = games as f64;
    let z = quantile(LEVEL, 1e9);
    let (middle, width) = (
        share + z * z / (2.0 * n),
        z * (share * (1.0 - share) / n + (z / (2.0 * n)).powi(2)).max(0.0).sqrt(),
    );
    let whole = 1.0 + z * z / n;
    // Rounding must not push the share itself out.
    Some((((middle - width) / whole).clamp(0.0, share), ((middle + width) / whole).clamp(share, 1.0)))
}

/// What a report says, a row for each figure that a sample is behind.
pub fn summary(report: &Report) -> Vec<Summary> {
    let games = report.games;
    let matches = report.matches.as_ref().map_or(0, |matches| matches.matches);
    let mean = |kind, name: &str, seat, mean: f64, se: f64, of: u64| Summary {
        kind,
        name: name.to_owned(),
        seat,
        mean,
        interval: student(of).map(|errors| (mean - errors * se, mean + errors * se)),
        sd: None,
        least: None,
        most: None,
    };
    let share = |kind, name: &str, seat, count: f64, of: u64| {
        let share = count / (of as f64).max(1.0);
        Summary { interval: share_interval(share, of), ..mean(kind, name, seat, share, 0.0, 0) }
    };
    let seats = |count: usize| (0..count as u32).map(Some);
    let mut all = Vec::new();
    for (seat, score) in seats(report.score.len()).zip(&report.score) {
        let row = mean("score", "", seat, score.mean, score.se, games);
        all.push(Summary { sd: Some(score.sd), least: score.min, most: score.max, ..row });
    }
    for (name, items) in &report.items.0 {
        let items = seats(items.len()).zip(items);
        all.extend(items.map(|(seat, item)| mean("item", name, seat, item.mean, item.se, games)));
    }
    let wins = seats(report.wins.len()).zip(&report.wins);
    all.extend(wins.map(|(seat, wins)| share("win", "", seat, *wins, games)));
    if report.players > 1 {
        all.push(share("draw", "", None, report.draws as f64, games));
    }
    if let Some(found) = &report.matches {
        for (kind, scores) in [("total", &found.total), ("record", &found.record)] {
            for (seat, score) in seats(scores.len()).zip(scores) {
                let row = mean(kind, "", seat, score.mean, score.se, matches);
                all.push(Summary { sd: Some(score.sd), least: score.min, most: score.max, ..row });
            }
        }
        let wins = seats(found.wins.len()).zip(&found.wins);
        all.extend(wins.map(|(seat, wins)| share("matches won", "", seat, *wins, matches)));
    }
    for (name, count) in &report.counts.0 {
        let least = count.histogram.first().map(|(number, _)| *number);
        let row = mean("count", name, None, count.mean, count.se, games);
        all.push(Summary { least, most: least.map(|_| count.max), ..row });
    }
    all.extend(report.ends.0.iter().map(|(name, count)| share("end", name, None, *count as f64, games)));
    for (name, taken) in &report.options.0 {
        let each = *taken as f64 / (games as f64).max(1.0);
        all.push(mean("option", name, None, each, 0.0, 0));
    }
    for (name, members) in &report.variables.0 {
        for (at, member) in members.iter().enumerate() {
            let name = if members.len() == 1 { name.clone() } else { format!("{name} {at}") };
            let row = mean("variable", &name, None, member.mean, member.se, games);
            all.push(Summary { least: member.min, most: member.max, ..row });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_by_hand() {
        // Wilson's interval of 1 in 10, as tables have it: 0.0179 to 0.4042.
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
