//! A score in words: its items, the runs that gave points, and the other parts.

use std::fmt::Write as _;

use houserule_game::explain::{CountedRun, ItemExplanation, ScorePart};
use houserule_model::{Model, ScoreDirection};

/// Formats an item with the runs it counted, a subtotal for each direction, and its other parts, as the rules write them.
pub fn item_text(item: &ItemExplanation) -> String {
    item_text_with(item, &|part| part.name.clone())
}

/// Like [`item_text`], with names for the parts.
pub fn item_text_with(item: &ItemExplanation, name_of: &dyn Fn(&ScorePart) -> String) -> String {
    let mut text = String::new();
    let help = if item.help.is_empty() { String::new() } else { format!("  ({})", item.help) };
    let _ = writeln!(text, "  {}: {}{help}", item.name, points(item.points));
    for (name, points) in lines(item, name_of) {
        let _ = writeln!(text, "    {name}{points}");
    }
    if item.runs.len() > 1 {
        let subtotals: Vec<String> =
            item.directions.iter().map(|(direction, sum)| format!("{} {sum}", direction.name())).collect();
        let _ = writeln!(text, "    in all: {}", subtotals.join(", "));
    }
    text
}

/// Returns the runs and parts of an item in words, each with its points. Empty if the item has no parts, or a single number.
fn lines(item: &ItemExplanation, name_of: &dyn Fn(&ScorePart) -> String) -> Vec<(String, String)> {
    let runs = item.runs.iter().map(|run| (format!("{}, ", run_text(run)), points(run.points)));
    let is_item = |one: &ScorePart| one.name == item.name || one.name == one.points.to_string();
    let alone = item.runs.is_empty() && matches!(item.rest.as_slice(), [one] if is_item(one));
    let rest =
        item.rest.iter().filter(|_| !alone).map(|part| (format!("{}: ", name_of(part)), points(part.points)));
    runs.chain(rest).collect()
}

/// Says where a run is and what it is of: `row 3: c3–f3, 4 dots`.
pub fn run_text(run: &CountedRun) -> String {
    let [first, last] = [run.sites.first(), run.sites.last()].map(|site| site.map_or("", String::as_str));
    format!("{}: {first}–{last}, {}", run.line, run.pieces)
}

/// Returns a remark to follow the points if the lowest score wins, so that they aren't taken for a good score.
pub fn which_are_best(model: &Model) -> &'static str {
    match model.score_direction {
        ScoreDirection::Most => "",
        ScoreDirection::Least => " (the fewest are best)",
    }
}

/// Formats `1 point`, `2 points`.
pub fn points(points: i64) -> String {
    if points.abs() == 1 { format!("{points} point") } else { format!("{points} points") }
}
