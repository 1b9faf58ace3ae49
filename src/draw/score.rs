//! A score in words: its items, with the runs that gave points.

use std::fmt::Write as _;

use crate::board::LineKinds;
use crate::engine::explain::{CountedRun, ItemExplanation};

/// An item with the runs that it counted, and a subtotal for each direction.
pub fn item_text(item: &ItemExplanation) -> String {
    let mut text = String::new();
    let help = if item.help.is_empty() { String::new() } else { format!("  ({})", item.help) };
    let _ = writeln!(text, "  {}: {}{help}", item.name, points(item.points));
    for run in &item.runs {
        let (first, last) = (run.sites.first(), run.sites.last());
        let sites = format!("{}–{}", first.map_or("", String::as_str), last.map_or("", String::as_str));
        let _ = writeln!(text, "    {}: {sites}, {}, {}", run.line, run.pieces, points(run.points));
    }
    if item.runs.len() > 1 {
        let subtotals: Vec<String> =
            directions(&item.runs).into_iter().map(|(name, sum)| format!("{name} {sum}")).collect();
        let _ = writeln!(text, "    in all: {}", subtotals.join(", "));
    }
    text
}

/// `1 point`, `2 points`
pub fn points(points: i64) -> String {
    if points.abs() == 1 { format!("{points} point") } else { format!("{points} points") }
}

/// The points of each kind of line.
fn directions(runs: &[CountedRun]) -> Vec<(&'static str, i64)> {
    let kinds = [("across", LineKinds::ACROSS), ("down", LineKinds::DOWN), ("diagonal", LineKinds::DIAGONAL)];
    let sum = |kind: LineKinds| runs.iter().filter(|run| run.kind == kind).map(|run| run.points).sum();
    kinds.into_iter().map(|(name, kind)| (name, sum(kind))).collect()
}
