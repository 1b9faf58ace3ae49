//! Finds the statements that random games can do without: they write only what nobody reads.
//!
//! Random players look at nothing, so what the rules note about what each player has seen is idle in such a game. The same
//! holds for any slot that neither the course of the game nor its result nor a declared variable depends on.

use std::collections::{BTreeSet, HashSet};

use super::layout::{address, local_len, slot_len};
use super::lower::Lowering;
use crate::program::Span16;
use houserule_model::{
    CheckedBlock, CheckedEndResult, CheckedExpr, CheckedExprKind, CheckedStmt, CheckedStmtKind, LocalId,
    MatchLength, Role, Slot, SlotId, Target, walk,
};

/// What the rest of a game depends on, as far as it is known.
struct Needs<'l, 'm> {
    lower: &'l Lowering<'m>,
    slots: BTreeSet<SlotId>,
    locals: HashSet<LocalId>,
    /// Addresses of the statements that are needed.
    stmts: HashSet<usize>,
}

/// What a random game can do without.
#[derive(Debug, Default)]
pub(super) struct Unread {
    /// Addresses of statements, with those inside them. None of them can fail, draw, decide or leave anything.
    pub(super) stmts: HashSet<usize>,
    /// The words of the slots and locals that nothing reads.
    pub(super) words: Vec<Span16>,
}

/// Finds what a random game can do without.
pub(super) fn find(lower: &Lowering<'_>) -> Unread {
    let model = lower.model;
    // A script may read any slot.
    if !model.hooks.is_empty() {
        return Unread::default();
    }
    let mut needs = Needs { lower, slots: BTreeSet::new(), locals: HashSet::new(), stmts: HashSet::new() };
    needs.result();
    loop {
        let known = (needs.slots.len(), needs.locals.len(), needs.stmts.len());
        for block in walk::all_blocks(model) {
            needs.block(block);
        }
        if known == (needs.slots.len(), needs.locals.len(), needs.stmts.len()) {
            break;
        }
    }
    let mut stmts = HashSet::new();
    for block in walk::all_blocks(model) {
        walk::stmts(model, block, &mut |stmt| {
            if !needs.stmts.contains(&address(stmt)) {
                stmts.insert(address(stmt));
            }
        });
    }
    let (slots, locals) = (&lower.layout.slots, &lower.layout.locals);
    let unread_slots = (0..).map(SlotId).zip(slots).filter(|(slot, _)| !needs.slots.contains(slot));
    let unread_slots =
        unread_slots.filter_map(|(slot, at)| Some(((*at)?, slot_len(lower.layout.width, model, slot))));
    let unread_locals = (0..).map(LocalId).zip(locals).filter(|(local, _)| !needs.locals.contains(local));
    let unread_locals = unread_locals
        .filter_map(|(local, at)| Some(((*at)?, local_len(lower.layout.width, model, local).into())));
    let words = unread_slots.chain(unread_locals).map(|(at, len)| Span16 { at, len: len as u16 }).collect();
    Unread { stmts, words }
}

impl<'m> Needs<'_, 'm> {
    /// Notes what the ends, the result and the measures depend on, and what is told.
    fn result(&mut self) {
        let model = self.lower.model;
        let slots = (0..).map(SlotId).zip(&model.slots);
        let is_asked = |slot: &Slot| matches!(slot.role, Role::Builtin(_)) || slot.is_told_at_end();
        self.slots.extend(slots.filter(|(_, slot)| is_asked(slot)).map(|(id, _)| id));
        for key in &model.pasts {
            self.slots.extend(&key.slots);
        }
        for end in &model.ends {
            self.reads(&end.when);
            if let Some(CheckedEndResult::Win(player) | CheckedEndResult::Lose(player)) = &end.result {
                self.reads(player);
            }
        }
        model.score.iter().for_each(|item| self.reads(&item.value));
        model.winner.iter().for_each(|rank| self.reads(&rank.value));
        model.payoff.iter().for_each(|payoff| self.reads(&payoff.value));
        model.measures.iter().for_each(|measure| self.reads(measure));
        model.playing.iter().flat_map(|playing| [&playing.mover, &playing.next]).for_each(|e| self.reads(e));
        if let Some(MatchLength::Until(until)) = model.match_rules.as_ref().map(|rules| &rules.length) {
            self.reads(until);
        }
    }

    /// Notes what an expression reads.
    fn reads(&mut self, e: &'m CheckedExpr) {
        walk::expr(e, &mut |e| match &e.kind {
            CheckedExprKind::Read(target) => {
                self.slots.insert(target.slot);
            }
            CheckedExprKind::Local(local) => {
                self.locals.insert(*local);
            }
            CheckedExprKind::Tried { body, .. } => {
                self.block(body);
            }
            _ => {}
        });
    }

    /// Notes what the statements of a block need. Returns `true` if one of them is needed.
    fn block(&mut self, block: &'m CheckedBlock) -> bool {
        // A statement reads what those before it write.
        block.stmts.iter().rev().filter(|stmt| self.stmt(stmt)).count() > 0
    }

    fn stmt(&mut self, stmt: &'m CheckedStmt) -> bool {
        let model = self.lower.model;
        let inner = walk::blocks(model, stmt);
        let holds_needed = inner.into_iter().filter(|block| self.block(block)).count() > 0;
        let mut written = BTreeSet::new();
        walk::own_writes(model, stmt, &mut written);
        let own = walk::own_exprs(model, stmt);
        let needed = holds_needed
            || !written.is_disjoint(&self.slots)
            || self.does_more(&stmt.kind)
            || own.iter().any(|e| !self.lower.never_fails(e));
        if needed && self.stmts.insert(address(stmt)) {
            own.into_iter().for_each(|e| self.reads(e));
            // Moves read what they change.
            self.slots.extend(written);
        }
        needed
    }

    /// Returns `true` if a statement does more than to change slots, even if its expressions don't fail.
    fn does_more(&self, kind: &CheckedStmtKind) -> bool {
        match kind {
            CheckedStmtKind::If { .. } => false,
            CheckedStmtKind::For { from, .. } => from.is_some(),
            CheckedStmtKind::As { player, .. } => !self.lower.is_sure(player),
            CheckedStmtKind::Let { local, .. } | CheckedStmtKind::SetLocal { local, .. } => {
                self.locals.contains(local) || self.lower.model.locals[local.index()].range.is_some()
            }
            CheckedStmtKind::Assign { target, value } => {
                !self.is_sure_target(target) || !self.lower.always_fits(target.slot, value)
            }
            CheckedStmtKind::Put { piece, .. } | CheckedStmtKind::ClearPiece { piece } => {
                !self.is_sure_target(piece)
            }
            CheckedStmtKind::Clear { index, .. } | CheckedStmtKind::Move { index, .. } => {
                !index.iter().all(|e| self.lower.is_sure(e))
            }
            CheckedStmtKind::MoveTo { zone, .. } => !self.is_sure_target(zone),
            _ => true,
        }
    }

    fn is_sure_target(&self, target: &Target) -> bool {
        target.index.iter().all(|e| self.lower.is_sure(e))
    }
}
