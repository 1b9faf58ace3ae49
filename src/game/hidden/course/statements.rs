//! What matters of the statements of the rules for what is told of them: in which of them another player acts, and after
//! which of them it isn't clear from the numbers at the places what went where.
//!
//! Reads the model alone.

use std::collections::{HashMap, HashSet};

use super::open_choices::StatementsInSight;
use houserule_language::diagnostic::Span;
use houserule_model::{CheckedBlock, CheckedExprKind, CheckedStmt, CheckedStmtKind, Model, Role, walk};

/// What matters of statements for what is told of them.
#[derive(Clone, Debug)]
pub(super) struct ToldStatements {
    /// For each statement the `as` block around it, if everybody knows who acts there. Without a value, there is none, or it
    /// isn't the same wherever a procedure with the statement is called.
    acts: HashMap<Span, Option<Span>>,
    /// These `as` blocks.
    known_acts: HashSet<Span>,
    /// Statements after which it isn't clear what went where.
    unclear: HashSet<Span>,
}

impl ToldStatements {
    pub(super) fn new(model: &Model) -> ToldStatements {
        let in_sight = StatementsInSight::new(model);
        let (mut acts, mut swaps) = (HashMap::<Span, Option<Span>>::new(), HashSet::new());
        for block in walk::all_blocks(model) {
            add_acts(model, block, None, &in_sight, &mut acts);
            add_swaps(model, block, &mut swaps);
        }
        // Whoever can't tell whether a swap or another statement is run is told as little of both.
        let unclear =
            if in_sight.may_skip(&swaps) { in_sight.with_alternatives(swaps, model) } else { swaps };
        let known_acts = acts.values().flatten().copied().collect();
        ToldStatements { acts, known_acts, unclear }
    }

    /// Returns the `as` block around a statement, if everybody knows who acts there.
    pub(super) fn act_around(&self, stmt: Span) -> Option<Span> {
        self.acts.get(&stmt).copied().flatten()
    }

    /// Returns `true` for an `as` block around some statements, if everybody knows who acts there.
    pub(super) fn is_act(&self, stmt: Span) -> bool {
        self.known_acts.contains(&stmt)
    }

    /// Returns `true` if it isn't clear after a statement what went where, as after a swap of two zones.
    pub(super) fn is_unclear(&self, stmt: Span) -> bool {
        self.unclear.contains(&stmt)
    }
}

/// Adds the statements of a block, each with the `as` block around it. `act`: that around the block.
fn add_acts(
    model: &Model,
    block: &CheckedBlock,
    act: Option<Span>,
    in_sight: &StatementsInSight,
    acts: &mut HashMap<Span, Option<Span>>,
) {
    for stmt in &block.stmts {
        acts.entry(stmt.span).and_modify(|known| *known = known.filter(|_| *known == act)).or_insert(act);
        let inside = match &stmt.kind {
            CheckedStmtKind::As { .. } => Some(stmt.span).filter(|span| in_sight.shows_actor(*span)),
            CheckedStmtKind::Turns { .. } => None,
            _ => act,
        };
        for inner in walk::blocks(model, stmt) {
            add_acts(model, inner, inside, in_sight, acts);
        }
    }
}

/// Adds the statements of a block that swap zones. Each is several statements of the model.
fn add_swaps(model: &Model, block: &CheckedBlock, swaps: &mut HashSet<Span>) {
    let is_kept = |stmt: &CheckedStmt| matches!(&stmt.kind, CheckedStmtKind::MoveTo { what, .. } if matches!(what.kind, CheckedExprKind::Local(_)));
    for (at, stmt) in block.stmts.iter().enumerate() {
        let is_swap = match &stmt.kind {
            CheckedStmtKind::MoveTo { .. } => {
                let mut later = block.stmts[at + 1..].iter();
                is_kept(stmt) && later.any(|next| next.span == stmt.span && is_kept(next))
            }
            CheckedStmtKind::Assign { target, value } => {
                let of_copies = model.slots[target.slot.index()].role == Role::Copies;
                of_copies && matches!(value.kind, CheckedExprKind::Local(_))
            }
            _ => false,
        };
        if is_swap {
            swaps.insert(stmt.span);
        }
        for inner in walk::blocks(model, stmt) {
            add_swaps(model, inner, swaps);
        }
    }
}
