//! The end that no rule says: can it come that nobody plays any more?

use houserule_language::syntax::EndTiming;
use houserule_model::{
    CheckedBlock, CheckedExpr, CheckedExprKind as E, CheckedStmt, CheckedStmtKind, End, Model, SlotId, Value,
    walk,
};

/// Returns the end of a game in which nobody plays any more, if it can come: players leave, and no end of the rules always
/// comes before it.
pub(super) fn find_end(model: &Model) -> Option<&End> {
    let end = model.ends.iter().find(|end| end.implied)?;
    let playing = model.playing.as_ref()?.slot;
    let changes = |block: &CheckedBlock| walk::writes(model, block).contains(&playing);
    let one_by_one = || {
        let leave = leaving(model, &model.turn, playing);
        model.players.count > 1 && !changes(&model.setup) && leave.is_some_and(|leave| leave < 2)
    };
    // The ends of the rules are tested before it. After a turn, those of a round aren't.
    let is_tested =
        |other: &&End| !other.implied && (other.timing != EndTiming::Round || end.timing == EndTiming::Round);
    let comes_first = model.ends.iter().filter(is_tested).any(|other| {
        holds_for(&other.when, playing, 0) || holds_for(&other.when, playing, 1) && one_by_one()
    });
    let leaves = changes(&model.setup) || changes(&model.turn);
    (leaves && !comes_first).then_some(end)
}

/// Returns `true` if a condition surely holds when this number of players still play, judging by its form.
fn holds_for(when: &CheckedExpr, playing: SlotId, left: i64) -> bool {
    let is_playing = |e: &CheckedExpr| matches!(&e.kind, E::Read(target) if target.slot == playing);
    match &when.kind {
        E::Or(a, b) => holds_for(a, playing, left) || holds_for(b, playing, left),
        E::Not(one) => left == 0 && matches!(&one.kind, E::IsSome(set) if is_playing(set)),
        E::Compare(op, a, b) => match (&a.kind, &b.kind) {
            (E::Count(set), E::Constant(Value::Number(number))) if is_playing(set) => op.holds(left, *number),
            _ => false,
        },
        _ => false,
    }
}

/// Returns how many players a block lets leave at most, or `None` if that isn't known.
fn leaving(model: &Model, block: &CheckedBlock, playing: SlotId) -> Option<usize> {
    block.stmts.iter().try_fold(0, |all, one| Some(all + leaving_by(model, one, playing)?))
}

/// Returns how many players a statement lets leave at most, or `None` if that isn't known.
fn leaving_by(model: &Model, one: &CheckedStmt, playing: SlotId) -> Option<usize> {
    let changes = walk::writes_slot(model, one, playing);
    let mut within = vec![];
    for block in walk::blocks(model, one) {
        within.push(leaving(model, block, playing)?);
    }
    match &one.kind {
        _ if !changes && within.iter().all(|leave| *leave == 0) => Some(0),
        CheckedStmtKind::Assign { value, .. } => takes_one(value, playing).then_some(1),
        CheckedStmtKind::If { .. } | CheckedStmtKind::Choose(_) => within.into_iter().max(),
        CheckedStmtKind::Step { .. } | CheckedStmtKind::As { .. } => Some(within.into_iter().sum()),
        // What is in a loop happens any number of times.
        _ => None,
    }
}

/// Returns `true` if a value is the players who still play without one of them.
fn takes_one(value: &CheckedExpr, playing: SlotId) -> bool {
    let E::Minus(all, gone) = &value.kind else { return false };
    let is_one = match &gone.kind {
        E::Elements(list) => list.len() == 1,
        E::Constant(Value::Set(set)) => set.iter().count() == 1,
        _ => false,
    };
    is_one && matches!(&all.kind, E::Read(target) if target.slot == playing)
}
