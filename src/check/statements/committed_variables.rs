//! Variables in `together` that are kept for longer than a round: a player writes a copy of them, which nobody else
//! sees before all have chosen, and the copies are written back after the block. In the block the player's own values
//! are those of the copy.

use std::collections::BTreeMap;

use super::together::is_of_me;
use crate::check::Checker;
use crate::check::names::lookup::content_type;
use crate::diagnostic::Span;
use crate::model::walk::{children_mut, each_block_mut, exprs_without_choices_mut};
use crate::model::*;

/// The variables of which a `together` block writes copies.
#[derive(Default)]
pub(super) struct CommittedVariables {
    /// For each variable its copy.
    pub(super) copies: BTreeMap<SlotId, SlotId>,
    /// The statements before the block, which fill the copies.
    pub(super) before: Vec<CheckedStmt>,
    /// The statements after the block, which write them back.
    pub(super) after: Vec<CheckedStmt>,
}

impl Checker<'_> {
    /// Lets the acting player of a `together` block use copies of the variables that outlive the round. `choices` is
    /// the number of choices before the block.
    pub(super) fn commit_variables(
        &mut self,
        acts: &mut CheckedBlock,
        choices: usize,
        span: Span,
    ) -> CommittedVariables {
        let mut own = self.model.choices.split_off(choices);
        let mut found = CommittedVariables::default();
        let mut blocks = vec![acts];
        blocks.extend(own.iter_mut().flat_map(Choice::blocks_mut));
        for block in &mut blocks {
            each_block_mut(block, &mut |stmts| {
                for stmt in stmts.iter() {
                    if let CheckedStmtKind::Assign { target, .. } = &stmt.kind
                        && self.lasts(target)
                    {
                        let copy = self.copy_for(target.slot, span);
                        found.copies.insert(target.slot, copy);
                    }
                }
            });
        }
        let copies = &found.copies;
        for block in &mut blocks {
            exprs_without_choices_mut(block, &mut |e| read_copies(e, copies));
            each_block_mut(block, &mut |stmts| {
                for stmt in stmts {
                    if let CheckedStmtKind::Assign { target, .. } = &mut stmt.kind {
                        use_copy(target, copies);
                    }
                }
            });
        }
        for option in own.iter_mut().flat_map(|choice| &mut choice.options) {
            let sets = option.binders.iter_mut().map(|binder| &mut binder.over);
            let all = sets.chain(&mut option.filter).chain(&mut option.ensuring);
            all.for_each(|e| read_copies(e, copies));
        }
        self.model.choices.append(&mut own);
        for (slot, copy) in found.copies.clone() {
            found.before.push(self.assign_all(copy, slot, span));
            found.after.push(self.assign_all(slot, copy, span));
        }
        found
    }

    /// Is this the acting player's value of a variable that outlives the round?
    fn lasts(&self, target: &Target) -> bool {
        let slot = &self.model.slots[target.slot.index()];
        slot.role == Role::Variable && !matches!(slot.life, Life::Turn | Life::Round) && is_of_me(target)
    }

    /// The copy of a variable; created if missing.
    fn copy_for(&mut self, variable: SlotId, span: Span) -> SlotId {
        let slot = self.model.slots[variable.index()].clone();
        let name = format!("committed {}", slot.name);
        if let Some(copy) = self.model.slots.iter().position(|slot| slot.name == name) {
            return SlotId(copy as u32);
        }
        if let Content::Set(domain) = slot.content {
            self.afford_sets(self.size(domain), slot.initial.len(), span);
        }
        let help = format!("what {} becomes when all have chosen", slot.name);
        let life = if self.has_round() { Life::Round } else { Life::Turn };
        self.add_slot(Slot { name, life, shown: DisplayForm::Plainly, help, span: None, ..slot })
    }

    /// Assigns the values of one variable to another of the same shape, for all players and places.
    fn assign_all(&mut self, to: SlotId, from: SlotId, span: Span) -> CheckedStmt {
        let local = self.new_local("player", Type::Element(PLAYER), span);
        let player = self.mk(CheckedExprKind::Local(local), Type::Element(PLAYER), span);
        let stmts = self.everywhere(to, player, span, |c, target| {
            let index = target.index.iter().map(|e| c.copy(e)).collect();
            let read = CheckedExprKind::Read(Target { slot: from, index });
            let ty = content_type(c.model.slots[from.index()].content);
            let value = c.mk(read, ty, span);
            vec![CheckedStmtKind::Assign { target, value }]
        });
        let over = self.full_set(PLAYER, span);
        let body = CheckedBlock { stmts };
        CheckedStmt { kind: CheckedStmtKind::For { local, over, from: None, body }, span }
    }
}

/// Makes an expression read the copies of the acting player's values.
fn read_copies(e: &mut CheckedExpr, copies: &BTreeMap<SlotId, SlotId>) {
    if matches!(e.kind, CheckedExprKind::As { .. }) {
        // Inside, `me` is another player.
        return;
    }
    children_mut(&mut e.kind, &mut |part| read_copies(part, copies));
    if let CheckedExprKind::Read(target) = &mut e.kind {
        use_copy(target, copies);
    }
}

fn use_copy(target: &mut Target, copies: &BTreeMap<SlotId, SlotId>) {
    if let Some(copy) = copies.get(&target.slot).filter(|_| is_of_me(target)) {
        target.slot = *copy;
    }
}
