//! How a game ends, and who wins then.

mod implied;
mod results;
mod stated;

use std::collections::BTreeSet;

use crate::prose::grammar::is_several;
use crate::prose::phrases::Wording;
use crate::prose::{RulesEntry, capitalised, help_of, is_sentence};
use houserule_base::names::plain;
use houserule_language::format::print;
use houserule_language::syntax::{BinaryOp, DeclKind, EndTiming, Expr, ExprKind};
use houserule_model::Model;
use results::draw;

pub(super) use results::{declared_result, stated_result};

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
        let told = declared_result(&words, decl);
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
    let (stated, undecided_by_statement) = stated::stated(words, decls);
    undecided |= undecided_by_statement;
    let order = match (!all.is_empty() && !stated.is_empty(), results.len() > 1) {
        (true, true) => {
            Some("those in a step or a choice count first; of the others, the first in this list counts")
        }
        (true, false) => Some("those in a step or a choice count first"),
        (false, true) => Some("the first in this list counts"),
        (false, false) => None,
    };
    all.extend(stated);
    all.extend(order.map(|order| RulesEntry::new("", format!("If several of these come at once, {order}."))));
    let mover = mover(model, &all);
    all.extend(mover);
    let is_shared = is_one_side(model);
    let compared = undecided || all.is_empty() && !is_shared;
    all.extend(compared.then(|| winner(words)).flatten());
    all.extend(payoff(words));
    (all, compared && !is_shared)
}

/// Says who the mover is, if the ends name the mover: a reader could take the player who is to move next for it.
fn mover(model: &Model, ends: &[RulesEntry]) -> Option<RulesEntry> {
    let is_named = ends.iter().any(|end| end.text.contains("the mover"));
    let round = if model.rounds { "; at the end of a round it is the starter" } else { "" };
    let told = format!("The mover is the player whose turn it is or has just ended{round}.");
    (is_named && model.players.count > 1).then(|| RulesEntry::new("", told))
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
        false => {
            let wins = match first.starts_with(THOSE) {
                true => format!("{} then win before all others", capitalised(first)),
                false => format!("Who has {first} then wins"),
            };
            format!("{wins}{ties}{help}. Whoever is still equal shares the win.")
        }
    };
    Some(RulesEntry::new("", told))
}

/// How the words begin for the players for whom a condition holds.
const THOSE: &str = "those ";

/// Describes the players for whom a condition on them holds: `those who still play`, `those whose coins are more than 3`.
/// `clause` says it of several, and `most` that it isn't denied.
fn those_for_whom(words: &Wording<'_>, value: &Expr, most: bool, clause: &str) -> String {
    let is_playing = |set: &Expr| matches!(&set.kind, ExprKind::Name(name) if name.text == "playing");
    let is_me = |e: &Expr| matches!(&e.kind, ExprKind::Name(name) if name.text == "me");
    if let ExprKind::Binary(op @ (BinaryOp::In | BinaryOp::NotIn), one, set) = &value.kind
        && is_me(one)
        && is_playing(set)
        && words.find("playing").is_none()
    {
        let play = if (*op == BinaryOp::In) == most { "still play" } else { "no longer play" };
        return format!("{THOSE}who {play}");
    }
    let is_one = !matches!(
        value.kind,
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) | ExprKind::If(..) | ExprKind::Unary(..)
    );
    match (clause.strip_prefix("they "), clause.strip_prefix("their ")) {
        (Some(rest), _) if is_one => format!("{THOSE}who {rest}"),
        (_, Some(rest)) if is_one => format!("{THOSE}whose {rest}"),
        _ => format!("{THOSE}of whom it is true that {clause}"),
    }
}

/// Describes a criterion by which the winner is found: `the fewest of their cards`.
fn ranked(words: &Wording<'_>, most: bool, value: &Expr) -> String {
    let highest = if most { "highest" } else { "lowest" };
    if matches!(&value.kind, ExprKind::Name(name) if name.text == "score") {
        return format!("the {highest} score");
    }
    if words.is_truth(value) {
        let clause = if most { words.condition(value) } else { words.denied(value) };
        return match has_sides(words.model) {
            true => format!("the advantage that {clause}"),
            false => those_for_whom(words, value, most, &clause),
        };
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
    // What lies in a zone is told with it.
    let is_told = counted.is_some_and(|set| !words.lying_in(set).is_empty());
    let help = words.help_of_slot(counted.unwrap_or(value)).filter(|_| !is_told);
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
        let what = match (&decl.help, &value.kind) {
            (Some(help), _) => help.text.clone(),
            (None, ExprKind::Name(name)) if name.text == "score" => "the score".to_owned(),
            (None, _) => words.value(value),
        };
        let sum = if *zero_sum { "; the payoffs of all players add up to 0" } else { "" };
        Some(RulesEntry::new("payoff", format!("{what}{sum}.")))
    })
}
