//! The score in words: its items, and the points for lines.

use super::RulesEntry;
use super::kinds::NUMERALS;
use super::phrases::{NamedDefines, Wording};
use houserule_base::names::plain;
use houserule_game::Game;
use houserule_game::explain::ScorePart;
use houserule_game::values::BoardNames;
use houserule_language::diagnostic::Span;
use houserule_language::syntax::{DeclKind, Expr, ExprKind, Name, Quantifier, ScoreEntry};
use houserule_model::{
    Arithmetic, CheckedExpr, CheckedExprKind, HookKind, Model, ParamValue, PointsTable, ScoreDirection,
};

/// Words after a number at the beginning of a help text that is a number of points.
const FOR: [&str; 4] = ["each", "for", "if", "when"];

/// Describes the score. `compared` is whether the ends say who has the best one.
pub(super) fn scoring(words: Wording<'_>, compared: bool) -> Vec<RulesEntry> {
    let mut all: Vec<RulesEntry> = score_entries(words).map(|entry| score_entry(words, entry)).collect();
    if all.len() > 1 {
        let may_fail =
            |entry: &ScoreEntry| entry.when.as_ref().is_some_and(|when| words.settled(when).is_none());
        let sum = match score_entries(words).any(may_fail) {
            true => "The score is the sum of these, as far as they hold:",
            false => "The score is the sum of these:",
        };
        all.insert(0, RulesEntry::new("", sum));
    }
    if words.model.score_direction == ScoreDirection::Least && !all.is_empty() && !compared {
        all.push(RulesEntry::new("", "The lowest score is best."));
    }
    all
}

/// Returns the items of the score that can count.
pub(crate) fn score_items(game: &Game) -> Vec<RulesEntry> {
    let decls = game.sheet().tree.as_ref().map_or(&[][..], |tree| &tree.decls);
    let named = NamedDefines::default();
    let words = Wording::new(game.model(), decls, "you", &named);
    score_entries(words).map(|entry| score_entry(words, entry)).collect()
}

/// Names a part of a score: an element as the board shows it, and a part of the rules in words. Where these would have names
/// that only the rules know, it is just the rest.
pub fn part_name(game: &Game, part: &ScorePart) -> String {
    const REST: &str = "the rest";
    if let Some((domain, element)) = part.element {
        return plain(BoardNames::new(game).element(domain, element));
    }
    let Some((span, factor)) = part.source else { return plain(&part.name) };
    let decls = game.sheet().tree.as_ref().map_or(&[][..], |tree| &tree.decls);
    let named = NamedDefines::default();
    let words = Wording::new(game.model(), decls, "the player", &named);
    let entries = score_entries(words);
    let Some(told) =
        entries.filter_map(|entry| find_value(&entry.value, span)).next().map(|e| words.value(e))
    else {
        return REST.to_owned();
    };
    let told = match factor {
        1 => told,
        -1 => format!("minus {told}"),
        _ => format!("{factor} times {told}"),
    };
    if told.contains(['`', '_', '[', '*']) { REST.to_owned() } else { told }
}

/// Returns the part of a value that stands at a place of the rules.
fn find_value(value: &Expr, span: Span) -> Option<&Expr> {
    if value.span == span {
        return Some(value);
    }
    match &value.kind {
        ExprKind::Binary(_, a, b) => find_value(a, span).or_else(|| find_value(b, span)),
        ExprKind::Unary(_, one) => find_value(one, span),
        ExprKind::If(_, a, b) => find_value(a, span).or_else(|| find_value(b, span)),
        ExprKind::Quantified { body, .. } => find_value(body, span),
        ExprKind::Call(_, args) => args.iter().find_map(|arg| find_value(&arg.value, span)),
        _ => None,
    }
}

fn score_entries<'d>(words: Wording<'d>) -> impl Iterator<Item = &'d ScoreEntry> {
    let entries = words.decls.iter().filter_map(|decl| match &decl.kind {
        DeclKind::Score(entries) => Some(entries),
        _ => None,
    });
    entries.flatten().filter(move |entry| {
        let is_off = entry.when.as_ref().and_then(|when| words.settled(when)) == Some(false);
        !is_off && !is_without_points(words, entry)
    })
}

/// Returns `true` if a param sets an item to 0 points, and no script computes it.
fn is_without_points(words: Wording<'_>, entry: &ScoreEntry) -> bool {
    let ExprKind::Name(name) = &entry.value.kind else { return false };
    matches!(words.param(&name.text), Some(ParamValue::Number(0)))
        && !is_computed_by_script(words.model, &entry.name.text)
}

/// Returns `true` if a script computes an item of the score.
pub(super) fn is_computed_by_script(model: &Model, item: &str) -> bool {
    let hook = format!("score_{item}");
    model.hooks.iter().any(|one| one.kind == HookKind::Points && one.name == hook)
}

/// Describes an item of the score.
pub(super) fn score_entry(words: Wording<'_>, entry: &ScoreEntry) -> RulesEntry {
    let model = words.model;
    let mut text = match (&entry.help, words.help_of_slot(&entry.value)) {
        (Some(help), _) if words.full => format!("{} ({})", help.text, words.value(&entry.value)),
        (Some(help), _) => help.text.clone(),
        // The name of a variable says no more than that of the item.
        (None, Some(help)) => format!("{} ({help})", words.value(&entry.value)),
        (None, None) => words.value(&entry.value),
    };
    let runs = points_of_runs(model, &entry.name.text);
    if let Some(points) = line_points(model, &entry.value) {
        text.push_str(&format!("; {}", points_text(points)));
    } else if !runs.is_empty() {
        let runs: Vec<String> =
            runs.into_iter().map(|points| format!("; a run {}", points_text(points))).collect();
        text.push_str(&runs.concat());
    } else if let ExprKind::Name(Name { text: name, .. }) = &entry.value.kind
        && let Some(ParamValue::Number(number)) = words.param(name)
    {
        text.push_str(&format!(": {number}"));
    } else if let (ExprKind::Number(number), Some(help)) = (&entry.value.kind, &entry.help)
        && !words.full
        && *number != 0
        && !tells_points(&help.text, *number)
    {
        let s = if *number == 1 { "" } else { "s" };
        text.push_str(&format!(": {number} point{s}"));
    }
    if let Some(when) = &entry.when
        && words.settled(when).is_none()
    {
        text.push_str(&format!(" (when {})", words.condition(when)));
    }
    RulesEntry::new(plain(&entry.name.text), text)
}

/// Returns `true` if a help text says itself how many points an item is: `13 for the queen`, `a point for each`, `two points`.
fn tells_points(help: &str, number: i64) -> bool {
    let words = help.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    let digits = number.to_string();
    let numeral = usize::try_from(number).ok().and_then(|number| NUMERALS.get(number));
    let is_number = |word: &str| {
        word == digits
            || numeral.is_some_and(|numeral| *numeral == word)
            || number == 1 && matches!(word, "a" | "another")
    };
    let begins =
        matches!(words.as_slice(), [first, next, ..] if *first == digits && FOR.contains(&next.as_str()));
    let is_told = |pair: &[String]| is_number(&pair[0]) && matches!(pair[1].as_str(), "point" | "points");
    begins || words.windows(2).any(is_told)
}

/// Returns the table in which a score item looks up lines.
fn line_points<'a>(model: &'a Model, value: &Expr) -> Option<&'a PointsTable> {
    let ExprKind::Call(name, args) = &value.kind else { return None };
    let ("lines", Some(table)) = (name.text.as_str(), args.get(1)) else { return None };
    let ExprKind::Name(Name { text: table, .. }) = &table.value.kind else { return None };
    match &model.params.iter().find(|param| param.name == *table)?.value {
        ParamValue::Table(points) => Some(points),
        _ => None,
    }
}

/// Returns the tables of the points for runs of lines that are parts of a score item, each table once.
fn points_of_runs<'a>(model: &'a Model, item: &str) -> Vec<&'a PointsTable> {
    fn add<'a>(e: &'a CheckedExpr, all: &mut Vec<&'a PointsTable>) {
        use CheckedExprKind as E;
        match &e.kind {
            E::Lines { points, .. } if !all.contains(&points) => all.push(points),
            E::Arithmetic(Arithmetic::Add, one, other) | E::If(_, one, other) => {
                add(one, all);
                add(other, all);
            }
            E::Arithmetic(Arithmetic::Subtract, part, _)
            | E::As { value: part, .. }
            | E::Quantified { op: Quantifier::Sum, body: part, .. } => add(part, all),
            // Elsewhere, the points of a run aren't those of the table.
            _ => {}
        }
    }
    let mut all = vec![];
    model.score.iter().filter(|known| known.name == item).for_each(|item| add(&item.value, &mut all));
    all.retain(|points| !points.entries.is_empty() || points.and_more.is_some());
    all
}

pub(super) fn points_text(points: &PointsTable) -> String {
    let one =
        |length: String, value: i64| format!("{length} {value} point{}", if value == 1 { "" } else { "s" });
    let mut all: Vec<String> =
        points.entries.iter().map(|(length, value)| one(format!("of {length}:"), *value)).collect();
    all.extend(points.and_more.iter().map(|(length, value)| one(format!("of {length} or more:"), *value)));
    all.join(", ")
}
