//! What is committed in `together`: the block of the acting player, the variables that keep what it commits, and the
//! loops over them before and after the block.

use crate::draft::Draft;
use houserule_language::diagnostic::Span;
use houserule_model::walk::{each_block_mut, exprs_without_choices_mut};
use houserule_model::*;

/// The block that each player of a `together` carries out, and its choices, which are kept out of the model meanwhile.
pub(super) struct OwnBlock<'b> {
    pub(super) acts: &'b mut CheckedBlock,
    pub(super) choices: Vec<Choice>,
}

impl OwnBlock<'_> {
    pub(super) fn options(&self) -> impl Iterator<Item = &CheckedOption> {
        self.choices.iter().flat_map(|choice| &choice.options)
    }

    /// Calls `f` with the statements of the block and of all blocks inside it and its options.
    pub(super) fn each_block(&mut self, f: &mut dyn FnMut(&mut Vec<CheckedStmt>)) {
        each_block_mut(self.acts, f);
        self.choices.iter_mut().flat_map(Choice::blocks_mut).for_each(|block| each_block_mut(block, f));
    }

    /// Calls `f` for the expressions of the statements and of the options, not for their parts.
    pub(super) fn each_expr(&mut self, f: &mut dyn FnMut(&mut CheckedExpr)) {
        exprs_without_choices_mut(self.acts, f);
        for choice in &mut self.choices {
            choice.blocks_mut().for_each(|block| exprs_without_choices_mut(block, f));
            for option in &mut choice.options {
                let sets = option.binders.iter_mut().map(|binder| &mut binder.over);
                sets.chain(&mut option.filter).chain(&mut option.ensuring).for_each(&mut *f);
            }
        }
    }
}

impl Draft {
    /// A variable that keeps what players commit until all have chosen; created if there is none of its name.
    pub(super) fn committed_slot(&mut self, slot: Slot, span: Span) -> SlotId {
        if let Some(known) = self.model.slots.iter().position(|known| known.name == slot.name) {
            return SlotId(known as u32);
        }
        if let Content::Set(domain) = slot.content {
            self.afford_sets(self.model.domains[domain.index()].size, slot.initial.len(), span);
        }
        let life = self.turn_life;
        self.add_slot(Slot { life, role: Role::Variable, shown: DisplayForm::Plainly, span: None, ..slot })
    }

    /// A place of a player in a family, and the locals that go over the places.
    pub(super) fn any_place(
        &mut self,
        family: SlotId,
        player: CheckedExpr,
        span: Span,
    ) -> (Target, Vec<(LocalId, DomainId)>) {
        let (mut index, mut locals) = (vec![player], vec![]);
        let places = self.model.slots[family.index()].index[1..].to_vec();
        for place in places {
            let local = self.new_local("place", Type::Element(place), span);
            index.push(self.build(CheckedExprKind::Local(local), Type::Element(place), span));
            locals.push((local, place));
        }
        (Target { slot: family, index }, locals)
    }

    /// Statements for each place of a player in a family.
    pub(super) fn everywhere(
        &mut self,
        family: SlotId,
        player: CheckedExpr,
        span: Span,
        make: impl FnOnce(&mut Self, Target) -> Vec<CheckedStmtKind>,
    ) -> Vec<CheckedStmt> {
        let (target, locals) = self.any_place(family, player, span);
        let kinds = make(self, target);
        let mut stmts: Vec<CheckedStmt> = kinds.into_iter().map(|kind| CheckedStmt { kind, span }).collect();
        for (local, place) in locals.into_iter().rev() {
            let over = self.full_set(place, span);
            let body = CheckedBlock { stmts };
            stmts = vec![CheckedStmt { kind: CheckedStmtKind::For { local, over, from: None, body }, span }];
        }
        stmts
    }

    /// A loop with statements for each place of each player in a family.
    pub(super) fn for_all_players(
        &mut self,
        family: SlotId,
        span: Span,
        make: impl FnOnce(&mut Self, Target) -> Vec<CheckedStmtKind>,
    ) -> CheckedStmt {
        let local = self.new_local("player", Type::Element(PLAYER), span);
        let player = self.build(CheckedExprKind::Local(local), Type::Element(PLAYER), span);
        let stmts = self.everywhere(family, player, span, make);
        let over = self.full_set(PLAYER, span);
        let body = CheckedBlock { stmts };
        CheckedStmt { kind: CheckedStmtKind::For { local, over, from: None, body }, span }
    }
}
