//! Variables in `together` that are kept for longer than a round: a player writes a copy of them, which nobody else
//! sees before all have chosen, and the copies are written back after the block. In the block the player's own values
//! are those of the copy.

use std::collections::BTreeMap;

use super::committed::OwnBlock;
use super::together::is_of_me;
use crate::draft::Draft;
use crate::resolution::lookup::content_type;
use houserule_language::diagnostic::Span;
use houserule_model::walk::children_mut;
use houserule_model::*;

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

impl Draft {
    /// Lets the acting player of a `together` block use copies of the variables that outlive the round.
    pub(super) fn commit_variables(&mut self, own: &mut OwnBlock<'_>, span: Span) -> CommittedVariables {
        let mut found = CommittedVariables::default();
        own.each_block(&mut |stmts| {
            for stmt in stmts {
                if let CheckedStmtKind::Assign { target, .. } = &stmt.kind
                    && self.lasts(target)
                {
                    found.copies.insert(target.slot, self.copy_for(target.slot, span));
                }
            }
        });
        let copies = &found.copies;
        own.each_expr(&mut |e| read_copies(e, copies));
        own.each_block(&mut |stmts| {
            for stmt in stmts {
                if let CheckedStmtKind::Assign { target, .. } = &mut stmt.kind {
                    use_copy(target, copies);
                }
            }
        });
        for (slot, copy) in found.copies.clone() {
            found.before.push(self.assign_all(copy, slot, span));
            found.after.push(self.assign_all(slot, copy, span));
        }
        found
    }

    fn copy_for(&mut self, variable: SlotId, span: Span) -> SlotId {
        let slot = self.model.slots[variable.index()].clone();
        let name = format!("committed {}", slot.name);
        let help = format!("what {} becomes when all have chosen", slot.name);
        self.committed_slot(Slot { name, help, ..slot }, span)
    }

    /// Is this the acting player's value of a variable that outlives the round?
    fn lasts(&self, target: &Target) -> bool {
        let slot = &self.model.slots[target.slot.index()];
        slot.role == Role::Variable && !matches!(slot.life, Life::Turn | Life::Round) && is_of_me(target)
    }

    /// Assigns the values of one variable to another of the same shape, for all players and places.
    fn assign_all(&mut self, to: SlotId, from: SlotId, span: Span) -> CheckedStmt {
        self.for_all_players(to, span, |c, target| {
            let index = target.index.iter().map(|e| c.copy(e)).collect();
            let read = CheckedExprKind::Read(Target { slot: from, index });
            let value = c.build(read, content_type(c.model.slots[from.index()].content), span);
            vec![CheckedStmtKind::Assign { target, value }]
        })
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
