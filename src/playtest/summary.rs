//! The means and shares of a report with their 95 % intervals, a row each.

use super::report::{Report, Share};

/// A mean or a share of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The kind of quantity: `score`, `item`, `count`, `win`, `draw`, `end`, `option`, `variable`, `total`,
    /// `record` or `matches won`.
    pub kind: &'static str,
    /// Name of the item, count, end, option or variable; else empty.
    pub name: String,
    /// The seat, from 0; `None` if it is about all seats.
    pub seat: Option<u32>,
    /// The mean, or the share of games.
    pub mean: f64,
    /// The 95 % interval; `None` for a mean of fewer than two games, and for options.
    pub interval: Option<(f64, f64)>,
    /// The standard deviation of scores, totals and records.
    pub sd: Option<f64>,
    /// The minimum, and the index of the first game that has it.
    pub least: Option<(i64, u64)>,
    /// The maximum, and the index of the first game that has it.
    pub most: Option<(i64, u64)>,
}

/// Returns a row for each mean and share of a report.
pub fn summary(report: &Report) -> Vec<Summary> {
    let games = report.games;
    let row = |kind, name: &str, seat, mean: f64, low: Option<f64>, high: Option<f64>| Summary {
        kind,
        name: name.to_owned(),
        seat,
        mean,
        interval: low.zip(high),
        sd: None,
        least: None,
        most: None,
    };
    let share =
        |kind, name: &str, seat, share: &Share| row(kind, name, seat, share.share, share.low, share.high);
    let seats = |count: usize| (0..count as u32).map(Some);
    let mut all = Vec::new();
    for (seat, score) in seats(report.score.len()).zip(&report.score) {
        let row = row("score", "", seat, score.mean, score.low, score.high);
        all.push(Summary { sd: score.sd, least: score.least(), most: score.most(), ..row });
    }
    for (name, items) in &report.items.0 {
        let items = seats(items.len()).zip(items);
        all.extend(items.map(|(seat, item)| row("item", name, seat, item.mean, item.low, item.high)));
    }
    let wins = seats(report.win_shares.len()).zip(&report.win_shares);
    all.extend(wins.map(|(seat, wins)| share("win", "", seat, wins)));
    all.extend(report.draw_share.iter().map(|draws| share("draw", "", None, draws)));
    if let Some(found) = &report.matches {
        for (kind, scores) in [("total", &found.total), ("record", &found.record)] {
            for (seat, score) in seats(scores.len()).zip(scores) {
                let row = row(kind, "", seat, score.mean, score.low, score.high);
                all.push(Summary { sd: score.sd, least: score.least(), most: score.most(), ..row });
            }
        }
        let wins = seats(found.win_shares.len()).zip(&found.win_shares);
        all.extend(wins.map(|(seat, wins)| share("matches won", "", seat, wins)));
    }
    for (name, count) in &report.counts.0 {
        let row = row("count", name, None, count.mean, count.low, count.high);
        all.push(Summary { least: count.least(), most: count.most(), ..row });
    }
    all.extend(
        report.ends.0.iter().map(|(name, count)| share("end", name, None, &Share::of(*count as f64, games))),
    );
    for (name, taken) in &report.options.0 {
        let each = *taken as f64 / (games as f64).max(1.0);
        all.push(row("option", name, None, each, None, None));
    }
    for member in report.variables.0.iter().flat_map(|(_, members)| members) {
        let row = row("variable", &member.name, None, member.mean, member.low, member.high);
        all.push(Summary { least: member.least(), most: member.most(), ..row });
    }
    all
}
