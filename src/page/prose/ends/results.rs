//! Who wins and who loses at an end, in words.

use super::{MOVER, has_sides, is_one_side};
use crate::prose::course::forms::assigns;
use crate::prose::grammar::{is_several, lists_criteria};
use crate::prose::phrases::{Wording, is_name};
use crate::prose::players;
use houserule_base::names::list_words;
use houserule_language::diagnostic::Span;
use houserule_language::syntax::{
    AssignOp, BinaryOp, Block, ComparisonOperator as C, Decl, DeclKind, EndResult, EndTiming, Expr, ExprKind,
    StmtKind,
};
use houserule_language::vocabulary::Function;
use houserule_model::{CheckedExpr, CheckedStmtKind, Content, Life, Model, Seat, Type, walk};

/// The player who has no option, at an end that comes of it. “The mover” could be who has left no option to this player.
const WHO_IS_STUCK: &str = "the player who can't move";

/// The starter, where a round has just said who begins the next one.
const NEXT_STARTER: &str = "the player who would begin the next round";

/// The player who is left.
const LAST_PLAYER: &str = "the only player who still plays";

/// Describes the result of a declared end. Its condition may say who is meant.
pub(in crate::prose) fn declared_result(words: &Wording<'_>, decl: &Decl) -> String {
    let DeclKind::End { timing, when, result, .. } = &decl.kind else { return String::new() };
    let result = result.as_ref();
    let subject = players_of(result).and_then(|players| {
        let is_starter = is_name(players, "starter") && words.find("starter").is_none();
        if is_name(players, "me") && words.me == MOVER && comes_of_otherwise(words, *timing, when) {
            Some(WHO_IS_STUCK)
        } else if is_starter && words.model.rounds && players::changes_starter(*words) {
            Some(NEXT_STARTER)
        } else if leaves_one(words, when) && is_of_playing(words, players) {
            Some(LAST_PLAYER)
        } else {
            None
        }
    });
    result_of(words, result, decl.span, subject)
}

/// Describes the result that a statement has. `stuck` means that the player whose turn it is has no option there.
pub(in crate::prose) fn stated_result(
    words: &Wording<'_>,
    result: Option<&EndResult>,
    end: Span,
    stuck: bool,
) -> String {
    let is_stuck = stuck && words.me == MOVER && players_of(result).is_some_and(|e| is_name(e, "me"));
    result_of(words, result, end, is_stuck.then_some(WHO_IS_STUCK))
}

/// Returns a result with the player whose turn it is or was in place of the mover, where no other words of the end name the
/// mover.
pub(super) fn with_whose_turn(
    words: Wording<'_>,
    timing: EndTiming,
    result: String,
    others: &[&str],
) -> String {
    let who = match timing {
        EndTiming::Turn => "the player whose turn it was",
        EndTiming::AtOnce => "the player whose turn it is",
        // At the end of a round it is nobody's turn.
        EndTiming::Round => return result,
    };
    let verb = result.strip_prefix("; ").and_then(|told| told.strip_prefix(MOVER));
    let verb = verb.filter(|verb| verb.starts_with(" wins") || verb.starts_with(" loses"));
    let names_mover = others.iter().any(|told| told.to_lowercase().contains(MOVER));
    match verb {
        Some(verb) if !names_mover && !words.model.rounds => format!("; {who}{verb}"),
        _ => result,
    }
}

/// Describes a draw, which is a win of all if they are one side.
pub(super) fn draw(model: &Model) -> String {
    let told = if is_one_side(model) { "; all players win" } else { "; it is a draw" };
    told.to_owned()
}

/// Returns who wins or loses by a result.
fn players_of(result: Option<&EndResult>) -> Option<&Expr> {
    match result? {
        EndResult::Win(players) | EndResult::Lose(players) => Some(players),
        EndResult::Draw => None,
    }
}

/// Describes the result that an end has, with other words for who wins or loses if there are some.
fn result_of(
    words: &Wording<'_>,
    result: Option<&EndResult>,
    end: Span,
    subject: Option<&'static str>,
) -> String {
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
        if is_one_side(words.model) || takes_all_along(words, players) {
            return format!("; all players {verb}");
        }
        if let Some(who) = subject {
            return format!("; {}", wins(who, verb, false));
        }
        let (who, many) = match &players.kind {
            ExprKind::Set(list) if !list.is_empty() => {
                let names: Vec<String> = list.iter().map(|one| words.value(one)).collect();
                (list_words(&names), list.len() > 1)
            }
            _ => (words.value(players), many),
        };
        let equals = words.of_equals(players);
        let many = many && !is_team(words, players);
        let along = if is_without_one(words, players) { " with their sides" } else { "" };
        format!("; {}{along}{equals}", wins(who.strip_suffix(equals.as_str()).unwrap_or(&who), verb, many))
    };
    match result {
        Some(EndResult::Draw) => draw(words.model),
        Some(EndResult::Win(players)) => told(players, "win"),
        Some(EndResult::Lose(players)) => format!("{}{}", told(players, "lose"), others(words, players)),
        None => String::new(),
    }
}

/// Says what happens to those who don't lose, if there can be several. Who loses takes the players of the same side along.
fn others(words: &Wording<'_>, losers: &Expr) -> &'static str {
    let is_rest = match &losers.kind {
        ExprKind::Binary(BinaryOp::Subtract, ..) => true,
        _ => is_name(losers, "players"),
    };
    let model = words.model;
    let may_be_more = model.players.count > 1 && model.players.most > 2 && !has_sides(model);
    let are_several = model.sides().count_ones() > 2 || may_be_more;
    match are_several && !is_rest {
        true if has_sides(model) => ", and all other sides win",
        true => ", and all others win",
        false => "",
    }
}

/// Returns `true` for the players without one of them, where this player may have a side that wins and loses with the others.
fn is_without_one(words: &Wording<'_>, players: &Expr) -> bool {
    let ExprKind::Binary(BinaryOp::Subtract, _, one) = &players.kind else { return false };
    has_sides(words.model) && words.player(one).is_some()
}

/// Returns `true` for all players without one of them, if each has others on the same side: this player wins or loses, too.
fn takes_all_along(words: &Wording<'_>, players: &Expr) -> bool {
    let ExprKind::Binary(BinaryOp::Subtract, all, _) = &players.kind else { return false };
    let mut seats = (0..words.model.players.count).map(Seat);
    is_without_one(words, players)
        && is_name(all, "players")
        && seats.all(|seat| words.model.team_of(seat).len() > 1)
}

/// Returns `true` for the team of a player. Its words are singular: `your team`.
fn is_team(words: &Wording<'_>, players: &Expr) -> bool {
    match &players.kind {
        ExprKind::Call(name, args) => {
            args.len() == 1 && words.function_named(&name.text) == Some(Function::Team)
        }
        _ => false,
    }
}

fn wins(player: &str, verb: &str, many: bool) -> String {
    let s = if many || is_several(player) { "" } else { "s" };
    let comma = if lists_criteria(player) { "," } else { "" };
    format!("{player}{comma} {verb}{s}")
}

/// Returns `true` if a condition surely leaves one player who still plays, judging by its form.
fn leaves_one(words: &Wording<'_>, when: &Expr) -> bool {
    match &when.kind {
        ExprKind::Binary(BinaryOp::And, a, b) => leaves_one(words, a) || leaves_one(words, b),
        ExprKind::Binary(BinaryOp::Compare(C::Equal), count, one) => match &count.kind {
            ExprKind::Call(name, args) if args.len() == 1 => {
                words.function_named(&name.text) == Some(Function::Count)
                    && is_playing(words, &args[0].value)
                    && matches!(one.kind, ExprKind::Number(1))
            }
            _ => false,
        },
        _ => false,
    }
}

fn is_playing(words: &Wording<'_>, e: &Expr) -> bool {
    is_name(e, "playing") && words.find("playing").is_none()
}

/// Returns `true` for those who still play, and for the first or the last of them.
fn is_of_playing(words: &Wording<'_>, e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Call(name, args) if args.len() == 1 => {
            let function = words.function_named(&name.text);
            matches!(function, Some(Function::Lowest | Function::Highest))
                && is_playing(words, &args[0].value)
        }
        _ => is_playing(words, e),
    }
}

/// Returns `true` if an end comes only in the turn of a player who has no option: its condition has a variable that nothing
/// but an `otherwise` makes true, and the game is over, or the variable forgotten, when that turn is over.
fn comes_of_otherwise(words: &Wording<'_>, timing: EndTiming, when: &Expr) -> bool {
    let mut parts = vec![];
    words.flat(BinaryOp::And, when, &mut parts);
    let is_alone = parts.len() == 1;
    let names = parts.iter().filter_map(|part| match &part.kind {
        ExprKind::Name(name) => Some(name.text.as_str()),
        _ => None,
    });
    let ends_turn = |name: &str| {
        let ends = |decl: &Decl| match &decl.kind {
            DeclKind::End { timing, when, .. } => *timing != EndTiming::Round && is_name(when, name),
            _ => false,
        };
        let is_forgotten = words.model.slots.iter().any(|slot| slot.name == name && slot.life == Life::Turn);
        is_alone || is_forgotten || words.decls.iter().any(ends)
    };
    let mut names = names.filter(|name| words.find(name).is_none());
    timing != EndTiming::Round
        && words.model.hooks.is_empty()
        && names.any(|name| only_otherwise_sets(words, name) && ends_turn(name))
}

/// Returns `true` if a variable is false at first, and nothing but the `otherwise` of a turn makes it true.
fn only_otherwise_sets(words: &Wording<'_>, name: &str) -> bool {
    let is_truth = words.model.slots.iter().any(|slot| {
        slot.name == name
            && slot.content == Content::Bool
            && slot.is_declared_variable()
            && slot.index.is_empty()
    });
    let is_false_first = |decl: &Decl| match &decl.kind {
        DeclKind::Var(var) if var.name.text == name => {
            var.value.as_ref().is_none_or(|value| matches!(value.kind, ExprKind::Bool(false)))
        }
        _ => false,
    };
    let mut places = SettingPlaces { is_round: words.model.rounds, ..SettingPlaces::default() };
    for decl in words.decls {
        match &decl.kind {
            DeclKind::Turn(body) | DeclKind::Round(body) => places.note(body, name, false),
            DeclKind::Setup { body, .. } | DeclKind::Procedure { body, .. } => {
                places.elsewhere |= body.stmts.iter().any(|one| assigns(name, one));
            }
            _ => {}
        }
    }
    is_truth && words.decls.iter().any(is_false_first) && places.in_otherwise && !places.elsewhere
}

/// Where statements give a variable a value.
#[derive(Clone, Copy, Default)]
struct SettingPlaces {
    /// Whether the turns are those of a round.
    is_round: bool,
    /// Where the player whose turn it is has no option, as true.
    in_otherwise: bool,
    elsewhere: bool,
}

impl SettingPlaces {
    /// Notes the assignments in a block. `stuck` means that the player whose turn it is has no option there.
    fn note(&mut self, block: &Block, name: &str, stuck: bool) {
        for one in &block.stmts {
            match &one.kind {
                StmtKind::Assign { target, op: AssignOp::Set, value }
                    if stuck && is_name(target, name) && matches!(value.kind, ExprKind::Bool(true)) =>
                {
                    self.in_otherwise = true;
                }
                StmtKind::Choose(choose) => {
                    let options = choose.options.iter().flatten();
                    let mut stmts = options.flat_map(|option| &option.body.stmts);
                    self.elsewhere |= stmts.any(|one| assigns(name, one));
                    if let Some(body) = &choose.otherwise {
                        self.note(body, name, true);
                    }
                }
                StmtKind::EachPlayer { of: None, body, .. } if self.is_round => self.note(body, name, stuck),
                // Another player acts.
                StmtKind::EachPlayer { .. } | StmtKind::As { .. } | StmtKind::Together(_) => {
                    self.elsewhere |= assigns(name, one);
                }
                _ if one.blocks().is_empty() => {
                    self.elsewhere |= one.assigned().into_iter().any(|target| is_name(target, name));
                }
                _ => one.blocks().into_iter().for_each(|body| self.note(body, name, stuck)),
            }
        }
    }
}
