//! A bound on the length of games from below: how soon a condition of an end can hold, if only the sizes of sets and the
//! values of counters after some turns are limited.

use super::assigned;
use super::bound::Bounds;
use super::progress::{Measures, counters, setup_draws, step};
use super::range::ValueRange;
use houserule_game::State;
use houserule_language::syntax::EndTiming;
use houserule_model::{
    Builtin, CheckedBlock, CheckedExpr, CheckedExprKind, CheckedStmt, CheckedStmtKind, Content, Model, Role,
    SlotId, Type, Value, walk,
};

/// Maximum number of turns that are tried.
const MOST_TURNS: u64 = 2_000;

/// Lower bounds of a game's length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Soonest {
    pub(super) turns: u64,
    pub(super) rolls: u64,
    pub(super) decisions: u64,
}

/// Bounds the length of a game from below.
pub(super) fn soonest(start: &State) -> Soonest {
    let model = start.game().model();
    let mut plain = model.hooks.is_empty() && !model.rounds && model.stated_ends.is_empty();
    let mut in_order = true;
    walk::stmts(model, &model.turn, &mut |stmt| match stmt.kind {
        CheckedStmtKind::Again => plain = false,
        CheckedStmtKind::Next(_) | CheckedStmtKind::As { .. } => in_order = false,
        _ => {}
    });
    // Before the end of a setup with chance, the first values are not known.
    if !plain || setup_draws(model) {
        return Soonest::default();
    }
    let players = u64::from(model.players.count);
    let ranges = assigned::ranges(model);
    let counted = counters(model);
    for turns in 1..=MOST_TURNS {
        // Of one player, if all take turns in order.
        let own = if in_order { turns.div_ceil(players) } else { turns };
        let mut of = Bounds::new(model, ranges.clone());
        for (slot, declared) in (0..).map(SlotId).zip(&model.slots) {
            let times = |is_me: bool| if is_me { own } else { turns };
            match declared.role {
                Role::Piece(_) => {
                    let puts = |stmt: &CheckedStmt| match &stmt.kind {
                        CheckedStmtKind::Put { piece, at, .. } if piece.slot == slot => match is_single(at) {
                            true => Some(1),
                            false => None,
                        },
                        // What moves may be any piece.
                        CheckedStmtKind::Move { .. } => None,
                        // These put none of this one.
                        CheckedStmtKind::Put { .. }
                        | CheckedStmtKind::Clear { .. }
                        | CheckedStmtKind::ClearPiece { .. } => Some(0),
                        _ => (!walk::writes_slot(model, stmt, slot)).then_some(0),
                    };
                    let Some(puts) = most(model, &model.turn, &puts) else { continue };
                    let times = times(is_own(model, slot));
                    for place in 0..declared.initial.len() {
                        let Value::Set(set) = start.value(slot, place) else { continue };
                        let size = u64::from(set.len()).saturating_add(puts.saturating_mul(times));
                        of.sizes.insert((slot, place), u32::try_from(size).unwrap_or(u32::MAX));
                    }
                }
                Role::Variable if counted.iter().any(|(known, _)| *known == slot) => {
                    let steps = |stmt: &CheckedStmt| match &stmt.kind {
                        CheckedStmtKind::Assign { target, value } if target.slot == slot => {
                            Some(step(stmt, value)?.unsigned_abs())
                        }
                        _ => (!walk::writes_slot(model, stmt, slot)).then_some(0),
                    };
                    let Some(steps) = most(model, &model.turn, &steps) else { continue };
                    let far =
                        i64::try_from(steps.saturating_mul(times(is_own(model, slot)))).unwrap_or(i64::MAX);
                    let Content::Number { low, high } = declared.content else { continue };
                    for place in 0..declared.initial.len() {
                        let Value::Number(now) = start.value(slot, place) else { continue };
                        let (least, most) =
                            (now.saturating_sub(far).max(low), now.saturating_add(far).min(high));
                        of.slots[slot.index()][place] = ValueRange::number(least, most);
                    }
                }
                Role::Empty(board) => {
                    let puts = |stmt: &CheckedStmt| match &stmt.kind {
                        CheckedStmtKind::Put { piece, at, .. } => {
                            match model.slots[piece.slot.index()].role {
                                Role::Piece(on) if on == board => is_single(at).then_some(1),
                                _ => Some(0),
                            }
                        }
                        // These leave no fewer empty sites.
                        CheckedStmtKind::Move { .. }
                        | CheckedStmtKind::Clear { .. }
                        | CheckedStmtKind::ClearPiece { .. } => Some(0),
                        _ => (!walk::writes_slot(model, stmt, slot)).then_some(0),
                    };
                    let Some(puts) = most(model, &model.turn, &puts) else { continue };
                    for place in 0..declared.initial.len() {
                        let Value::Set(set) = start.value(slot, place) else { continue };
                        let size = u64::from(set.len()).saturating_sub(puts.saturating_mul(turns));
                        of.least_sizes.insert((slot, place), u32::try_from(size).unwrap_or(0));
                    }
                }
                Role::Builtin(Builtin::Turns) => {
                    let own = i64::try_from(own).unwrap_or(i64::MAX);
                    of.slots[slot.index()].fill(ValueRange::number(0, own));
                }
                _ => {}
            }
        }
        let may_end = model.ends.iter().any(|end| {
            let is_due = end.timing != EndTiming::Round || !in_order || turns % players == 0;
            is_due && of.truth(&end.when).1
        });
        if may_end {
            // The last turn may be cut short.
            let cut = model.ends.iter().any(|end| end.timing == EndTiming::AtOnce);
            let whole = turns - u64::from(cut);
            let measures = Measures::new(model);
            let rolls = |stmt: &CheckedStmt| u64::from(matches!(stmt.kind, CheckedStmtKind::Roll { .. }));
            let decisions = |stmt: &CheckedStmt| match stmt.kind {
                CheckedStmtKind::Choose(choice) => {
                    let choice = &model.choices[choice.index()];
                    u64::from(choice.otherwise.is_none() && measures.is_never_stuck(choice))
                }
                _ => 0,
            };
            return Soonest {
                turns,
                rolls: whole * least(model, &model.turn, &rolls),
                decisions: whole * least(model, &model.turn, &decisions),
            };
        }
    }
    Soonest { turns: MOST_TURNS, ..Soonest::default() }
}

/// Is this at most one site?
fn is_single(at: &CheckedExpr) -> bool {
    match (&at.kind, at.ty) {
        (_, Type::Element(_)) => true,
        (CheckedExprKind::Elements(list), _) => list.len() <= 1,
        _ => false,
    }
}

/// Do statements change this slot only for the player who acts?
fn is_own(model: &Model, slot: SlotId) -> bool {
    let mut own = true;
    walk::stmts(model, &model.turn, &mut |stmt| {
        if let CheckedStmtKind::Put { piece: target, .. } | CheckedStmtKind::Assign { target, .. } =
            &stmt.kind
            && target.slot == slot
        {
            own &= target.index.iter().any(|index| matches!(index.kind, CheckedExprKind::Me));
        }
    });
    own
}

/// Returns the greatest sum over the statements of a way through a block, or `None` if there is none.
fn most(model: &Model, block: &CheckedBlock, of: &dyn Fn(&CheckedStmt) -> Option<u64>) -> Option<u64> {
    let mut sum = 0u64;
    for stmt in &block.stmts {
        sum = sum.checked_add(of(stmt)?)?;
        let inner = walk::blocks(model, stmt);
        let each = inner.into_iter().map(|block| most(model, block, of));
        sum = sum.checked_add(match &stmt.kind {
            CheckedStmtKind::Choose(_)
            | CheckedStmtKind::If { .. }
            | CheckedStmtKind::Step { .. }
            | CheckedStmtKind::As { .. } => each.into_iter().try_fold(0, |most, n| Some(n?.max(most)))?,
            _ => {
                // A loop may run any number of times.
                let each: Vec<Option<u64>> = each.collect();
                if each.iter().any(|n| *n != Some(0)) {
                    return None;
                }
                0
            }
        })?;
    }
    Some(sum)
}

/// Returns a sum over the statements of a block that no way through it falls below.
fn least(model: &Model, block: &CheckedBlock, of: &dyn Fn(&CheckedStmt) -> u64) -> u64 {
    let mut sum = 0;
    for stmt in &block.stmts {
        if leaves(model, stmt) {
            // What follows may be left out.
            return sum;
        }
        sum += of(stmt);
        sum += match &stmt.kind {
            CheckedStmtKind::Step { body, .. } | CheckedStmtKind::As { body, .. } => least(model, body, of),
            CheckedStmtKind::If { then, otherwise, .. } => {
                least(model, then, of).min(least(model, otherwise, of))
            }
            _ => 0,
        };
    }
    sum
}

/// Can a statement leave the turn or the game?
fn leaves(model: &Model, stmt: &CheckedStmt) -> bool {
    stmt.kind.exit().is_some()
        || walk::blocks(model, stmt)
            .into_iter()
            .any(|block| block.stmts.iter().any(|inner| leaves(model, inner)))
}
