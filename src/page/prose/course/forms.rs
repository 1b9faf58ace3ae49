//! What statements set, bind and leave, and which texts say the same, judging by their form.

use std::collections::BTreeSet;

use crate::prose::phrases::is_name;
use crate::prose::statements::is_call;
use houserule_language::format::print;
use houserule_language::syntax::{
    BinaryOp, Block, ChoiceOption, ComparisonOperator as C, Expr, ExprKind, Stmt, StmtKind,
};

/// Returns `true` if a statement gives a local name another value.
pub(in crate::prose) fn assigns(name: &str, one: &Stmt) -> bool {
    let sets = match &one.kind {
        StmtKind::Assign { target, .. } => is_name(target, name),
        _ => false,
    };
    sets || one.blocks().into_iter().any(|block| block.stmts.iter().any(|one| assigns(name, one)))
}

/// Returns `true` if others than the mover may act in a statement.
pub(in crate::prose) fn acts_as_other(one: &Stmt) -> bool {
    let own = matches!(one.kind, StmtKind::Together(_) | StmtKind::As { .. } | StmtKind::EachPlayer { .. });
    own || one.blocks().into_iter().any(|block| block.stmts.iter().any(acts_as_other))
}

/// Returns the local name that a statement binds.
pub(in crate::prose) fn bound(one: &Stmt) -> Option<&str> {
    match &one.kind {
        StmtKind::Let { name, .. } | StmtKind::Pick { name, .. } | StmtKind::Draw { name, .. } => {
            Some(name.text.as_str())
        }
        _ => None,
    }
}

/// Returns the value of which a condition asks whether it is another one. Conditions on the same value are its cases.
pub(in crate::prose) fn tested(one: &Stmt) -> Option<String> {
    match &one.kind {
        StmtKind::If {
            condition: Expr { kind: ExprKind::Binary(BinaryOp::Compare(C::Equal), value, _), .. },
            ..
        } => Some(print::expr(value)),
        _ => None,
    }
}

/// Splits the statements of an option into those that variants added before, its own, and those added after. Only its own
/// are written within it.
pub(in crate::prose) fn by_origin(option: &ChoiceOption) -> (&[Stmt], &[Stmt], &[Stmt]) {
    let stmts = option.body.stmts.as_slice();
    let own = |one: &Stmt| {
        let (inner, outer) = (one.span, option.span);
        inner.file == outer.file && outer.start <= inner.start && inner.end <= outer.end
    };
    let Some(first) = stmts.iter().position(own) else {
        // What follows nothing is told in its order.
        return (&[], &[], stmts);
    };
    let last = stmts.iter().rposition(own).unwrap_or(first);
    (&stmts[..first], &stmts[first..=last], &stmts[last + 1..])
}

/// Adds the local names that statements bind, at any depth.
pub(in crate::prose) fn add_bound<'a>(stmts: &'a [Stmt], names: &mut BTreeSet<&'a str>) {
    for one in stmts {
        names.extend(bound(one));
        one.blocks().into_iter().for_each(|body| add_bound(&body.stmts, names));
    }
}

/// Returns how many statements at the beginning of some are calls that are written alike, or 1.
pub(in crate::prose) fn same_calls(stmts: &[Stmt]) -> usize {
    let Some((first, rest)) = stmts.split_first().filter(|(first, _)| is_call(first)) else { return 1 };
    let written = print::stmt(first);
    1 + rest.iter().take_while(|next| is_call(next) && print::stmt(next) == written).count()
}

/// Returns `true` if nothing can follow some statements: the last of them leaves the step, the turn or the game.
pub(in crate::prose) fn always_leaves(stmts: &[Stmt]) -> bool {
    stmts.last().is_some_and(|last| leaves_itself(&last.kind))
}

/// Returns `true` if a statement itself leaves the step, the turn or the game.
pub(in crate::prose) fn leaves_itself(kind: &StmtKind) -> bool {
    matches!(kind, StmtKind::Skip | StmtKind::Done | StmtKind::Again | StmtKind::EndGame { .. })
}

/// Returns `true` if a block may end the game, or a block in it.
pub(in crate::prose) fn ends_game(body: &Block) -> bool {
    let ends =
        |one: &Stmt| matches!(one.kind, StmtKind::EndGame { .. }) || one.blocks().into_iter().any(ends_game);
    body.stmts.iter().any(ends)
}

/// Returns `true` if a text begins with a label, whatever its capitals.
pub(in crate::prose) fn begins_with(text: &str, label: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let label = words(label);
    !label.is_empty() && words(text).starts_with(&label)
}

/// Returns `true` if a text has some words, one after the other.
pub(in crate::prose) fn has_words(text: &str, words: &str) -> bool {
    let spaced = |text: &str| text.replace("'s ", " ").replace(|sign: char| !sign.is_alphanumeric(), " ");
    format!(" {} ", spaced(text)).contains(&format!(" {} ", spaced(words)))
}

/// Returns `true` if two texts differ in capitals and in the stop at the end only.
pub(in crate::prose) fn is_same_sentence(text: &str, other: &str) -> bool {
    let [text, other] = [text, other].map(|text| text.trim_end_matches('.').to_lowercase());
    text == other
}

/// Returns `true` if a block may leave the loop around it.
pub(in crate::prose) fn leaves(block: &Block) -> bool {
    let leaves_by = |one: &Stmt| leaves_itself(&one.kind) || one.blocks().into_iter().any(leaves);
    block.stmts.iter().any(leaves_by)
}

/// Returns `true` if a statement begins the same turn again under a condition, so that what follows happens only without it.
pub(in crate::prose) fn begins_again(one: &Stmt) -> bool {
    let StmtKind::If { then, otherwise: None, .. } = &one.kind else { return false };
    then.stmts.last().is_some_and(|last| matches!(last.kind, StmtKind::Again))
}

/// Returns `true` if a block is a choice of the player with this name, of whom its label tells.
pub(in crate::prose) fn is_choice_of(player_name: &str, body: &Block) -> bool {
    body.stmts.iter().all(|one| match &one.kind {
        StmtKind::As { player, .. } => is_name(player, player_name),
        _ => false,
    })
}
