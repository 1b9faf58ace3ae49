//! A score in words: its items, with the runs that gave points and what else did.

use std::fmt::Write as _;

use crate::engine::explain::ItemExplanation;
use crate::lang::model::{Model, ScoreDirection};

/// An item with the runs that it counted, a subtotal for each direction, and its other parts.
pub fn item_text(item: &ItemExplanation) -> String {
    let mut text = String::new();
    let help = if item.help.is_empty() { String::new() } else { format!("  ({})", item.help) };
    let _ = writeln!(text, "  {}: {}{help}", item.name, points(item.points));
    for (name, points) in lines(item) {
        let _ = writeln!(text, "    {name}{points}");
    }
    if item.runs.len() > 1 {
        let subtotals: Vec<String> =
            item.directions.iter().map(|(direction, sum)| format!("{} {sum}", direction.name())).collect();
        let _ = writeln!(text, "    in all: {}", subtotals.join(", "));
    }
    text
}

/// The runs and parts of an item in words, each with its points. What is not made of parts has none.
fn lines(item: &ItemExplanation) -> Vec<(String, String)> {
    let runs = item.runs.iter().map(|run| {
        let (first, last) = (run.sites.first(), run.sites.last());
        let sites = format!("{}–{}", first.map_or("", String::as_str), last.map_or("", String::as_str));
        (format!("{}: {sites}, {}, ", run.line, run.pieces), points(run.points))
    });
    let alone = item.runs.is_empty() && matches!(item.rest.as_slice(), [one] if one.name == item.name);
    let rest =
        item.rest.iter().filter(|_| !alone).map(|part| (format!("{}: ", part.name), points(part.points)));
    runs.chain(rest).collect()
}

/// What follows the points of a game in which the least win, so that nobody takes them for a good score.
pub fn which_are_best(model: &Model) -> &'static str {
    match model.score_direction {
        ScoreDirection::Most => "",
        ScoreDirection::Least => " (the fewest are best)",
    }
}

/// `1 point`, `2 points`
pub fn points(points: i64) -> String {
    if points.abs() == 1 { format!("{points} point") } else { format!("{points} points") }
}
