//! Boards whose columns the rules name by numbers that dice show: on paper, their columns have numbers like the rows.
//!
//! Depends on the checked model only.

use std::collections::BTreeSet;

use houserule_model::{
    BoardId, CheckedExpr, CheckedExprKind, CheckedStmtKind, LocalId, Model, Role, SlotId, walk,
};

/// The variables and local names that may have a number that dice show.
#[derive(Default)]
struct DiceNumbers {
    slots: BTreeSet<SlotId>,
    locals: BTreeSet<LocalId>,
}

/// Returns the boards whose columns are named by dice.
pub(super) fn boards(model: &Model) -> BTreeSet<BoardId> {
    let numbers = DiceNumbers::followed(model);
    let mut boards = BTreeSet::new();
    walk::all_exprs(model, &mut |e| match &e.kind {
        CheckedExprKind::Cell { board, column, .. } | CheckedExprKind::Column(board, column)
            if numbers.has(model, column) =>
        {
            boards.insert(*board);
        }
        _ => {}
    });
    boards
}

impl DiceNumbers {
    /// Follows the numbers of the dice from one variable to the next.
    fn followed(model: &Model) -> DiceNumbers {
        let mut numbers = DiceNumbers::default();
        loop {
            let known = (numbers.slots.len(), numbers.locals.len());
            for block in walk::all_blocks(model) {
                walk::stmts(model, block, &mut |stmt| match &stmt.kind {
                    CheckedStmtKind::Assign { target, value } if numbers.has(model, value) => {
                        numbers.slots.insert(target.slot);
                    }
                    CheckedStmtKind::Let { local, value } | CheckedStmtKind::SetLocal { local, value }
                        if numbers.has(model, value) =>
                    {
                        numbers.locals.insert(*local);
                    }
                    _ => {}
                });
            }
            if known == (numbers.slots.len(), numbers.locals.len()) {
                return numbers;
            }
        }
    }

    /// Returns `true` if a number may be one that dice show. A number that is counted from where a site lies isn't.
    fn has(&self, model: &Model, e: &CheckedExpr) -> bool {
        match &e.kind {
            CheckedExprKind::Read(target) => {
                self.slots.contains(&target.slot)
                    || matches!(model.slots[target.slot.index()].role, Role::Dice { .. })
            }
            CheckedExprKind::Local(local) => self.locals.contains(local),
            CheckedExprKind::ValueOf(of) | CheckedExprKind::ElementOf(of) => self.has(model, of),
            CheckedExprKind::If(_, one, other) => self.has(model, one) || self.has(model, other),
            CheckedExprKind::Arithmetic(_, a, b) => {
                (self.has(model, a) || self.has(model, b)) && !is_of_a_site(a) && !is_of_a_site(b)
            }
            _ => false,
        }
    }
}

/// Returns `true` if a number depends on the column or the row of a site.
fn is_of_a_site(e: &CheckedExpr) -> bool {
    let mut found = false;
    walk::expr(e, &mut |e| {
        found |= matches!(e.kind, CheckedExprKind::ColumnOf(..) | CheckedExprKind::RowOf(..));
    });
    found
}
