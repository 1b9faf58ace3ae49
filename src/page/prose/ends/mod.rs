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
use houserule_language::syntax::{BinaryOp, Decl, DeclKind, EndTiming, Expr, ExprKind};
use houserule_model::Model;
use results::{draw, with_whose_turn};

pub(super) use results::{declared_result, stated_result};

/// The player whose turn it is or has just ended.
const MOVER: &str = "the mover";

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

/// What joins the criteria of who wins, each of which decides among those who are equal by the ones before it.
pub(super) const AMONG_EQUALS: &str = "; among equals ";

/// The ends of a game in words.
pub(super) struct ToldEnds {
    pub(super) entries: Vec<RulesEntry>,
    /// Whether they compare the players' scores.
    pub(super) compared: bool,
    /// The names of ends that have no other word of what they are.
    pub(super) given_names: BTreeSet<String>,
}

/// Describes the ends.
pub(super) fn ends(words: Wording<'_>) -> ToldEnds {
    let (model, decls) = (words.model, words.decls);
    let words = words.seen_by(mover_of(model));
    let mut all = vec![];
    let mut undecided = false;
    let mut results = BTreeSet::new();
    for decl in decls {
        let DeclKind::End { name, when, result, .. } = &decl.kind else { continue };
        if words.settled(when) == Some(false) {
            continue;
        }
        undecided |= result.is_none();
        results.insert(declared_result(&words, decl));
        let name = name.as_ref().map_or(String::new(), |name| plain(&name.text));
        all.extend(declared_end(words, decl).map(|text| RulesEntry::new(name, text)));
    }
    if let Some(end) = implied::find_end(model) {
        undecided = true;
        let told = undecided_result(words);
        all.push(RulesEntry::new("", format!("{}, when nobody plays any more{told}.", time_of(end.timing))));
        results.insert(told);
    }
    let stated::StatedEntries { entries: stated, undecided: undecided_by_statement, decided, given_names } =
        stated::stated(words, decls);
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
    let is_decided = results.iter().any(|result| !result.is_empty());
    all.extend(compared.then(|| winner(words, is_decided || decided)).flatten());
    all.extend(payoff(words));
    ToldEnds { entries: all, compared: compared && !is_shared, given_names }
}

/// The words for the player by whose turn an end is tested.
fn mover_of(model: &Model) -> &'static str {
    if model.players.count > 1 { MOVER } else { "you" }
}

/// Describes an end that is declared: when it comes, and its result. Returns `None` for other declarations.
pub(super) fn declared_end(words: Wording<'_>, decl: &Decl) -> Option<String> {
    let DeclKind::End { timing, when, .. } = &decl.kind else { return None };
    let words = words.seen_by(mover_of(words.model));
    let (tested, told) = (time_of(*timing), declared_result(&words, decl));
    Some(match &decl.help {
        Some(help) => {
            let more = if words.full { format!(" ({})", words.condition(when)) } else { String::new() };
            let told = with_whose_turn(words, *timing, told, &[&help.text, &more]);
            stated::helped_end(tested, &help.text, &told, &more)
        }
        None => {
            let condition = end_condition(words, when);
            let told = with_whose_turn(words, *timing, told, &[&condition]);
            format!("{tested}, when {condition}{told}.")
        }
    })
}

/// Says who the mover is, if the ends name the mover: a reader could take the player who is to move next for it.
fn mover(model: &Model, ends: &[RulesEntry]) -> Option<RulesEntry> {
    let is_named = ends.iter().any(|end| end.text.contains(MOVER));
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
    let is_compared = winner(words, false).is_some() || model.players.count < 2;
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

/// Describes how the winner is found if no end decides it. `is_decided` means that other ends decide it.
pub(super) fn winner(words: Wording<'_>, is_decided: bool) -> Option<RulesEntry> {
    let (model, decls) = (words.model, words.decls);
    let is_declared = decls.iter().any(|decl| matches!(decl.kind, DeclKind::Winner(_) | DeclKind::Ties(_)));
    let is_alone = model.players.count < 2;
    let best = match is_alone && is_declared {
        true => format!("The {} score is best.", model.score_direction.superlative()),
        false => String::new(),
    };
    if is_alone && model.players.most < 2 {
        return Some(best).filter(|best| !best.is_empty()).map(|best| RulesEntry::new("", best));
    }
    if is_one_side(model) {
        return Some(RulesEntry::new("", "All players then win together."));
    }
    let (mut first, mut keys): (Vec<String>, Vec<String>) = (vec![], vec![]);
    let help = help_of(decls, |kind| matches!(kind, DeclKind::Winner(_)));
    let help = if help.is_empty() { String::new() } else { format!(" ({help})") };
    for decl in decls {
        match &decl.kind {
            DeclKind::Winner(e) => first = criteria(words, e),
            DeclKind::Ties(all) => keys.extend(all.iter().flat_map(|e| criteria(words, e))),
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
    let ties: String = rest.iter().map(|key| format!("{AMONG_EQUALS}{key}")).collect();
    // Those for whom another end decides share nothing.
    let (case, then) = match (is_alone, is_decided) {
        (true, _) => ("With several players, ", ""),
        (false, true) => ("If the end leaves the result open, ", ""),
        (false, false) => ("", " then"),
    };
    let wins = match (has_sides(model), first.starts_with(THOSE)) {
        (true, _) => format!("the side with {first}{then} wins"),
        (false, true) => format!("{first}{then} win before all others"),
        (false, false) => format!("who has {first}{then} wins"),
    };
    let told = capitalised(&format!("{case}{wins}{ties}{help}"));
    let told = match (has_sides(model), case.is_empty()) {
        (true, _) => format!("{told}. {TEAM_SUM} Sides that are still equal share the win."),
        (false, true) => format!("{told}. Whoever is still equal shares the win."),
        (false, false) => format!("{told}; whoever is still equal shares the win."),
    };
    let told = if best.is_empty() { told } else { format!("{best} {told}") };
    Some(RulesEntry::new("", told))
}

/// Describes the criteria by which the winner is found, the first one first: `the highest score`.
pub(super) fn criteria(words: Wording<'_>, e: &Expr) -> Vec<String> {
    let words = words.seen_by("they");
    let one = |e: &Expr| match &e.kind {
        ExprKind::Call(name, args) if args.len() == 1 => {
            let values = args[0].value.listed().iter();
            values.map(|value| ranked(&words, name.text == "most", value)).collect()
        }
        _ => vec![format!("`{}`", print::expr(e))],
    };
    e.listed().iter().flat_map(one).collect()
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

/// What a payoff is, in words.
const PAYOFF: &str = "What a player wins or loses in the end";

/// Describes what a finished game returns to each player.
pub(super) fn payoff(words: Wording<'_>) -> Option<RulesEntry> {
    let words = words.seen_by("you");
    words.decls.iter().find_map(|decl| {
        let DeclKind::Payoff { zero_sum, value } = &decl.kind else { return None };
        let what = match (&decl.help, &value.kind) {
            (Some(help), _) => format!("What counts in the end: {}", help.text),
            (None, ExprKind::Name(name)) if name.text == "score" => format!("{PAYOFF}: the score"),
            (None, _) => format!("{PAYOFF}: {}", words.value(value)),
        };
        let others = if *zero_sum { "; what one wins, others lose" } else { "" };
        Some(RulesEntry::new("", format!("{what}{others}.")))
    })
}
