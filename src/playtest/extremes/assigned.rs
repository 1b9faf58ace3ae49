//! The values that slots can take in a game: those at its start, and those that statements assign.

use super::bound::{Bounds, Ranges};
use super::range::ValueRange;
use houserule_model::board::BitSet;
use houserule_model::{
    Builtin, CheckedExpr, CheckedExprKind, CheckedStmt, CheckedStmtKind, Model, PLAYER, Role, SlotId, Target,
    Type, walk,
};

/// Maximum number of values of a family that are bounded one by one.
const MOST_PLACES: usize = 4_096;

/// Number of times that the values of all slots are computed from those before. Each time they are correct.
const ROUNDS: usize = 3;

/// Returns a range for every value of every slot that holds in all states of a game.
pub(super) fn ranges(model: &Model) -> Ranges {
    let stmts = statements(model);
    let mut written = std::collections::BTreeSet::new();
    stmts.iter().for_each(|stmt| walk::own_writes(model, stmt, &mut written));
    let mut ranges: Ranges = (0..)
        .map(SlotId)
        .zip(&model.slots)
        .map(|(id, slot)| {
            let initial = slot.initial.iter().map(|value| {
                let size = match slot.content {
                    houserule_model::Content::Element { domain, .. }
                    | houserule_model::Content::Set(domain) => model.domains[domain.index()].size,
                    _ => 0,
                };
                ValueRange::single(value, size)
            });
            let fixed = match slot.role {
                Role::Variable | Role::Piece(_) | Role::Zone | Role::Copies => !written.contains(&id),
                // A single game is the first of its match.
                Role::Builtin(Builtin::GameNumber) => return vec![ValueRange::number(1, 1)],
                Role::Builtin(Builtin::Total) => true,
                _ => false,
            };
            match fixed {
                true => initial.collect(),
                false => vec![ValueRange::declared(model, slot.content); slot.initial.len()],
            }
        })
        .collect();
    // A script may change any variable.
    if !model.hooks.is_empty() {
        return ranges;
    }
    for _ in 0..ROUNDS {
        let next = narrowed(model, &stmts, &ranges);
        if next == ranges {
            break;
        }
        ranges = next;
    }
    ranges
}

fn statements(model: &Model) -> Vec<&CheckedStmt> {
    let mut stmts = vec![];
    for block in walk::all_blocks(model) {
        walk::stmts(model, block, &mut |stmt| stmts.push(stmt));
    }
    stmts
}

/// Returns the ranges of variables that only assignments change: their first values and those assigned.
fn narrowed(model: &Model, stmts: &[&CheckedStmt], ranges: &Ranges) -> Ranges {
    let mut next = ranges.clone();
    for (id, slot) in (0..).map(SlotId).zip(&model.slots) {
        if slot.role != Role::Variable || slot.initial.len() > MOST_PLACES {
            continue;
        }
        let assigns = |stmt: &CheckedStmt| matches!(stmt.kind, CheckedStmtKind::Assign { .. });
        if stmts.iter().any(|stmt| !assigns(stmt) && walk::writes_slot(model, stmt, id)) {
            continue;
        }
        for place in 0..slot.initial.len() {
            let size = match slot.content {
                houserule_model::Content::Element { domain, .. } | houserule_model::Content::Set(domain) => {
                    model.domains[domain.index()].size
                }
                _ => 0,
            };
            let mut range = ValueRange::single(&slot.initial[place], size);
            for stmt in stmts {
                if let CheckedStmtKind::Assign { target, value } = &stmt.kind
                    && target.slot == id
                    && let Some(assigned) = assigned(model, ranges, target, place, value)
                {
                    range = range.join(assigned);
                }
            }
            next[id.index()][place] = range.within(&ranges[id.index()][place]);
        }
    }
    next
}

/// Returns the values that an assignment can give to one place of its slot, or `None` if it names other places.
fn assigned(
    model: &Model,
    ranges: &Ranges,
    target: &Target,
    place: usize,
    value: &CheckedExpr,
) -> Option<ValueRange> {
    let mut of = Bounds::new(model, ranges.clone());
    let mut rest = place;
    let domains = &model.slots[target.slot.index()].index;
    for (domain, e) in domains.iter().zip(&target.index).rev() {
        let size = model.domains[domain.index()].size;
        let element = (rest % size as usize) as u32;
        rest /= size as usize;
        let only = ValueRange::Element(BitSet::single(size, element), false);
        match &e.kind {
            CheckedExprKind::Local(local) => of.locals[local.index()] = Some(only),
            CheckedExprKind::Me if *domain == PLAYER => of.me = only,
            _ => {
                let ValueRange::Element(can, _) = of.range(e) else { continue };
                if !can.contains(element) {
                    return None;
                }
            }
        }
    }
    Some(match value.ty {
        Type::Number => {
            let (low, high) = of.split_number(value);
            ValueRange::number(low, high)
        }
        _ => of.range(value),
    })
}
