//! How a game ends, and who wins then.

use std::collections::BTreeSet;

use super::grammar::{is_several, lists_criteria};
use super::phrases::Wording;
use super::{RulesEntry, help_of, implied, is_sentence, listed, stated};
use houserule_base::names::plain;
use houserule_language::diagnostic::Span;
use houserule_language::format::print;
use houserule_language::syntax::{DeclKind, EndResult, EndTiming, Expr, ExprKind, Quantifier};
use houserule_model::{CheckedExpr, CheckedStmtKind, Model, Type, walk};

/// What follows the words for who wins, where teams compare what their players have.
pub(super) const TEAM_SUM: &str = "For a team, the sum of its players counts.";

/// Returns `true` if all players win together, or all lose.
pub(super) fn is_one_side(model: &Model) -> bool {
    model.players.count > 1 && model.sides().count_ones() == 1
}

/// Returns `true` if several players are one side.
pub(super) fn has_sides(model: &Model) -> bool {
    model.sides().count_ones() < model.players.count
}

/// Describes the ends, and returns whether they compare the players' scores.
pub(super) fn ends(words: Wording<'_>) -> (Vec<RulesEntry>, bool) {
    let (model, decls) = (words.model, words.decls);
    let words = words.seen_by(if model.players.count > 1 { "the mover" } else { "you" });
    let mut all = vec![];
    let mut undecided = false;
    let mut results = BTreeSet::new();
    for decl in decls {
        let DeclKind::End { name, timing, when, result, .. } = &decl.kind else { continue };
        if words.settled(when) == Some(false) {
            continue;
        }
        let tested = time_of(*timing);
        undecided |= result.is_none();
        let told = self::result(&words, result.as_ref(), decl.span);
        results.insert(told.clone());
        let name = name.as_ref().map_or(String::new(), |name| plain(&name.text));
        let more = if words.full { format!(" ({})", words.condition(when)) } else { String::new() };
        let text = match &decl.help {
            Some(help) => stated::helped_end(tested, &help.text, &told, &more),
            None => format!("{tested}, when {}{told}.", end_condition(words, when)),
        };
        all.push(RulesEntry::new(name, text));
    }
    if let Some(end) = implied::find_end(model) {
        undecided = true;
        let told = undecided_result(words);
        all.push(RulesEntry::new("", format!("{}, when nobody plays any more{told}.", time_of(end.timing))));
        results.insert(told);
    }
    if results.len() > 1 {
        all.push(RulesEntry::new("", "If several of these come at once, the first in this list counts."));
    }
    let (stated, undecided_by_statement) = stated::stated(words, decls);
    undecided |= undecided_by_statement;
    all.extend(stated);
    let is_shared = is_one_side(model);
    let compared = undecided || all.is_empty() && !is_shared;
    all.extend(compared.then(|| winner(words)).flatten());
    all.extend(payoff(words));
    (all, compared && !is_shared)
}

/// Says when an end is tested.
fn time_of(timing: EndTiming) -> &'static str {
    match timing {
        EndTiming::Turn => "after a turn",
        EndTiming::AtOnce => "at once",
        EndTiming::Round => "at the end of a round",
    }
}

/// Describes the result of an end that declares none, if nothing tells the players apart. Empty where they are compared.
fn undecided_result(words: Wording<'_>) -> String {
    let model = words.model;
    let is_compared = winner(words).is_some() || model.players.count < 2;
    if is_compared { String::new() } else { draw(model) }
}

/// Describes a draw, which is a win of all if they are one side.
fn draw(model: &Model) -> String {
    let told = if is_one_side(model) { "; all players win" } else { "; it is a draw" };
    told.to_owned()
}

/// Describes the condition of an end without a help text. What only a name stands for is told instead of the name.
fn end_condition(words: Wording<'_>, when: &Expr) -> String {
    let named = match &when.kind {
        ExprKind::Name(name) => words.define(&name.text),
        _ => None,
    };
    let helped = |name: &str| {
        let is = |decl: &DeclKind| matches!(decl, DeclKind::Define { name: one, .. } if one.text == name);
        !help_of(words.decls, is).is_empty()
    };
    match (named, &when.kind) {
        (Some(value), ExprKind::Name(name)) if !helped(&name.text) => words.condition(value),
        _ => words.condition(when),
    }
}

/// Returns `true` if a help text says who wins or loses, or that nobody does.
pub(super) fn tells_result(help: &str) -> bool {
    let words = ["win", "wins", "lose", "loses", "won", "lost", "draw", "drawn"];
    // What precedes a colon or a comma says when the game ends; a whole sentence says it all.
    let said = help.rsplit([':', ';', ',']).next().filter(|said| said.len() < help.len());
    let said = if is_sentence(help) { Some(help) } else { said };
    let mut told = said.unwrap_or_default().split(|c: char| !c.is_alphabetic());
    told.any(|word| words.contains(&word.to_lowercase().as_str()))
}

/// Describes the result that an end declares.
pub(super) fn result(words: &Wording<'_>, result: Option<&EndResult>, end: Span) -> String {
    let named = |result: &Option<EndResult<CheckedExpr>>| match result {
        Some(EndResult::Win(e) | EndResult::Lose(e)) => matches!(e.ty, Type::Set(_)),
        Some(EndResult::Draw) | None => false,
    };
    // Several players win, and one wins.
    let mut many = words.model.ends.iter().any(|one| one.span == end && named(&one.result));
    walk::stmts(words.model, &words.model.turn, &mut |stmt| {
        if let CheckedStmtKind::EndGame { result, .. } = &stmt.kind {
            many |= stmt.span == end && named(result);
        }
    });
    let told = |players: &Expr, verb: &str| {
        let (who, many) = match &players.kind {
            ExprKind::Set(list) if !list.is_empty() => {
                let names: Vec<String> = list.iter().map(|one| words.value(one)).collect();
                (listed(&names), list.len() > 1)
            }
            _ => (words.value(players), many),
        };
        format!("; {}{}", wins(&who, verb, many), of_equals(words, players))
    };
    match result {
        Some(EndResult::Draw) => draw(words.model),
        Some(EndResult::Win(players)) => told(players, "win"),
        Some(EndResult::Lose(players)) => told(players, "lose"),
        None => String::new(),
    }
}

/// Says which one of those that are equally good is meant, for the best of some players or teams. Empty for others.
fn of_equals(words: &Wording<'_>, best: &Expr) -> &'static str {
    match &best.kind {
        ExprKind::Quantified { op: Quantifier::Best, over, .. } if words.is_players(over) => {
            ", of equals the first in the order of play"
        }
        ExprKind::Quantified { op: Quantifier::Best, .. } => ", of equals the first",
        _ => "",
    }
}

fn wins(player: &str, verb: &str, many: bool) -> String {
    let s = if many || is_several(player) { "" } else { "s" };
    let comma = if lists_criteria(player) { "," } else { "" };
    format!("{player}{comma} {verb}{s}")
}

/// Describes how the winner is found if no end decides it.
pub(super) fn winner(words: Wording<'_>) -> Option<RulesEntry> {
    let (model, decls) = (words.model, words.decls);
    let declared = decls.iter().any(|decl| matches!(decl.kind, DeclKind::Winner(_) | DeclKind::Ties(_)));
    if model.players.count < 2 {
        let superlative = model.score_direction.superlative();
        return declared.then(|| RulesEntry::new("", format!("The {superlative} score is best.")));
    }
    if is_one_side(model) {
        return Some(RulesEntry::new("", "All players then win together."));
    }
    let words = words.seen_by("they");
    let rank = |e: &Expr| match &e.kind {
        ExprKind::Call(name, args) if args.len() == 1 => {
            let values = args[0].value.listed().iter();
            values.map(|value| ranked(&words, name.text == "most", value)).collect()
        }
        _ => vec![format!("`{}`", print::expr(e))],
    };
    let (mut first, mut keys): (Vec<String>, Vec<String>) = (vec![], vec![]);
    let help = help_of(decls, |kind| matches!(kind, DeclKind::Winner(_)));
    let help = if help.is_empty() { String::new() } else { format!(" ({help})") };
    for decl in decls {
        match &decl.kind {
            DeclKind::Winner(e) => first = e.listed().iter().flat_map(rank).collect(),
            DeclKind::Ties(all) => keys.extend(all.iter().flat_map(Expr::listed).flat_map(rank)),
            _ => {}
        }
    }
    let undeclared = match (model.score.is_empty(), &model.payoff) {
        (false, _) => Some("the highest score".to_owned()),
        (true, Some(_)) => Some("the highest payoff".to_owned()),
        (true, None) => None,
    };
    first.extend(undeclared.filter(|_| first.is_empty()));
    keys.splice(0..0, first);
    let (first, rest) = keys.split_first()?;
    let ties: String = rest.iter().map(|key| format!("; among equals {key}")).collect();
    let told = match has_sides(model) {
        true => format!(
            "The side with {first} then wins{ties}{help}. {TEAM_SUM} Sides that are still equal share the win."
        ),
        false => format!("Who has {first} then wins{ties}{help}. Whoever is still equal shares the win."),
    };
    Some(RulesEntry::new("", told))
}

/// Describes a criterion by which the winner is found: `the fewest of their cards`.
fn ranked(words: &Wording<'_>, most: bool, value: &Expr) -> String {
    let highest = if most { "highest" } else { "lowest" };
    if matches!(&value.kind, ExprKind::Name(name) if name.text == "score") {
        return format!("the {highest} score");
    }
    if words.is_truth(value) {
        let clause = if most { words.condition(value) } else { words.denied(value) };
        return format!("the advantage that {clause}");
    }
    let counted = match &value.kind {
        ExprKind::Call(name, args) if name.text == "count" && args.len() == 1 => Some(&args[0].value),
        _ => None,
    };
    let what = words.whole(value);
    let what = match what.strip_prefix("the number that ") {
        Some(common) => format!("of what {common}"),
        None => what.trim_start_matches("the number of ").trim_start_matches("their ").to_owned(),
    };
    let help = words.help_of_slot(counted.unwrap_or(value));
    let help = help.map(|help| format!(" ({help})")).unwrap_or_default();
    let how = match (most, counted.is_some() || is_several(&what)) {
        (true, _) => "most",
        (false, true) => "fewest",
        (false, false) => "lowest",
    };
    match what.starts_with("the ") || counted.is_none() && what.starts_with('(') {
        true => format!("the {highest} value of {what}{help}"),
        false => format!("the {how} {what}{help}"),
    }
}

/// Describes what a finished game returns to each player.
pub(super) fn payoff(words: Wording<'_>) -> Option<RulesEntry> {
    let words = words.seen_by("you");
    words.decls.iter().find_map(|decl| {
        let DeclKind::Payoff { zero_sum, value } = &decl.kind else { return None };
        let what = decl.help.as_ref().map_or_else(|| words.value(value), |help| help.text.clone());
        let sum = if *zero_sum { "; the payoffs of all players add up to 0" } else { "" };
        Some(RulesEntry::new("payoff", format!("{what}{sum}.")))
    })
}
