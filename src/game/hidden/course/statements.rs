//! What matters of the statements of the rules for what is told of them: in which of them another player acts, after which
//! of them it isn't clear from the numbers at the places what went where, which of them swap two zones in sight of all, and
//! which picks are no draws.
//!
//! Reads the model alone.

use std::collections::{HashMap, HashSet};

use super::super::sites_in_zones::has_zones;
use super::open_choices::StatementsInSight;
use houserule_language::diagnostic::Span;
use houserule_model::{
    CheckedBlock, CheckedExprKind, CheckedStmt, CheckedStmtKind, DomainId, Model, Role, Type, walk,
};

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
    /// Statements that swap two zones of elements, where everybody sees that they are run, and which zones these are.
    exchanges: HashSet<Span>,
}

impl ToldStatements {
    pub(super) fn new(model: &Model) -> ToldStatements {
        let in_sight = StatementsInSight::new(model);
        let mut acts = HashMap::<Span, Option<Span>>::new();
        let (mut swaps, mut exchanges) = (HashSet::new(), HashSet::new());
        for block in walk::all_blocks(model) {
            add_acts(model, block, None, &in_sight, &mut acts);
            add_swaps(model, block, &mut swaps, &mut exchanges);
        }
        let may_skip = in_sight.may_skip(&swaps);
        exchanges.retain(|stmt| !may_skip && in_sight.shows_zones(*stmt));
        // A player who can't tell whether a swap or another statement is run is told as little of both.
        let unclear = if may_skip { in_sight.with_alternatives(swaps, model) } else { swaps };
        let known_acts = acts.values().flatten().copied().collect();
        ToldStatements { acts, known_acts, unclear, exchanges }
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

    /// Returns `true` for a statement that swaps two zones of elements, as everybody sees.
    pub(super) fn is_exchange(&self, stmt: Span) -> bool {
        self.exchanges.contains(&stmt)
    }
}

/// Returns for each domain whether an element that is picked out of sight is told as picked, and not as drawn face down:
/// elements of the domain lie in no zone, or nobody can tell the pick from one of such a domain.
pub fn find_picked_domains(model: &Model) -> Vec<bool> {
    let lies_in_zones = |domain: DomainId| has_zones(model, domain) || model.has_copies(domain);
    let mut picks = HashSet::new();
    for block in walk::all_blocks(model) {
        walk::stmts(model, block, &mut |stmt| {
            if let CheckedStmtKind::Pick { over, .. } = &stmt.kind
                && let Type::Set(domain) = over.ty
                && !lies_in_zones(domain)
            {
                picks.insert(stmt.span);
            }
        });
    }
    let may_skip = StatementsInSight::new(model).may_skip(&picks);
    let domains = (0u32..).map(DomainId).take(model.domains.len());
    domains.map(|domain| may_skip || !lies_in_zones(domain)).collect()
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

/// Adds the statements of a block that swap zones. Each is several statements of the model. `exchanges`: those that swap zones
/// of elements, which hold what lies in both before they move it.
fn add_swaps(model: &Model, block: &CheckedBlock, swaps: &mut HashSet<Span>, exchanges: &mut HashSet<Span>) {
    let is_kept = |stmt: &CheckedStmt| matches!(&stmt.kind, CheckedStmtKind::MoveTo { what, .. } if matches!(what.kind, CheckedExprKind::Local(_)));
    let holds_zone = |stmt: &CheckedStmt| {
        let CheckedStmtKind::Let { value, .. } = &stmt.kind else { return false };
        matches!(&value.kind, CheckedExprKind::Read(target) if model.slots[target.slot.index()].role == Role::Zone)
    };
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
            let held = block.stmts.iter().filter(|other| other.span == stmt.span && holds_zone(other));
            if held.count() >= 2 {
                exchanges.insert(stmt.span);
            }
        }
        for inner in walk::blocks(model, stmt) {
            add_swaps(model, inner, swaps, exchanges);
        }
    }
}
