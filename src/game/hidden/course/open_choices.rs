//! Choices that everybody sees the rules come to: nothing hidden decides whether they are reached. Of these everybody may
//! be told that no option was legal.
//!
//! Reads the model alone.

use houserule_model::{
    CheckedBlock, CheckedExpr, CheckedExprKind, CheckedStmtKind, Control, LocalId, Model, Role, Target,
    Visibility, walk,
};

/// Returns for each choice whether everybody sees that the rules come to it.
pub(super) fn open_choices(model: &Model) -> Vec<bool> {
    let mut search =
        OpenSearch { model, open: vec![true; model.choices.len()], locals: vec![], left_out_of_sight: false };
    for block in [&model.setup, &model.turn] {
        search.block(block, true);
    }
    // A part that was left for a hidden reason may not come to what follows in it, or to what a loop does again.
    match search.left_out_of_sight {
        true => vec![false; model.choices.len()],
        false => search.open,
    }
}

struct OpenSearch<'m> {
    model: &'m Model,
    /// For each choice, whether nothing hidden decides so far whether it is reached.
    open: Vec<bool>,
    /// Locals in loops whose values everybody sees.
    locals: Vec<LocalId>,
    /// Whether something hidden decides whether a step, a turn or the game is left.
    left_out_of_sight: bool,
}

impl<'m> OpenSearch<'m> {
    /// Looks at a block. `open`: everybody sees whether it is run.
    fn block(&mut self, block: &'m CheckedBlock, open: bool) {
        for stmt in &block.stmts {
            let open_inside = open
                && match &stmt.kind {
                    CheckedStmtKind::If { condition: one, .. }
                    | CheckedStmtKind::While { condition: one, .. }
                    | CheckedStmtKind::Repeat { until: one, .. }
                    | CheckedStmtKind::As { player: one, .. }
                    | CheckedStmtKind::Turns { from: one, .. } => self.is_open(one),
                    CheckedStmtKind::For { local, over, from, .. } => {
                        let is_open = self.is_open(over) && from.iter().all(|from| self.is_open(from));
                        if is_open {
                            self.locals.push(*local);
                        }
                        is_open
                    }
                    _ => true,
                };
            match stmt.kind.control() {
                Control::Choice(choice) => {
                    self.open[choice.index()] &= open;
                    // Everybody is told which option was taken.
                    for inner in self.model.choices[choice.index()].blocks() {
                        self.block(inner, open);
                    }
                }
                Control::Step(inner)
                | Control::Turns(inner)
                | Control::Chance(inner)
                | Control::Loop(inner)
                | Control::As(inner) => self.block(inner, open_inside),
                Control::Branch(one, two) => {
                    self.block(one, open_inside);
                    self.block(two, open_inside);
                }
                Control::Exit(_) => self.left_out_of_sight |= !open,
                Control::Event(_) | Control::Call(_) | Control::Plain => {}
            }
        }
    }

    /// Returns `true` if everybody sees all that decides the value of an expression.
    fn is_open(&mut self, e: &'m CheckedExpr) -> bool {
        match &e.kind {
            // Everybody sees how many elements lie in a zone.
            CheckedExprKind::IsSome(set) | CheckedExprKind::Count(set)
                if let Some(index) = self.zone_index(set) =>
            {
                self.are_open(index)
            }
            CheckedExprKind::Read(target) => self.reads(target),
            CheckedExprKind::Local(local) => self.locals.contains(local),
            CheckedExprKind::Repeated { .. }
            | CheckedExprKind::Call { .. }
            | CheckedExprKind::Tried { .. }
            | CheckedExprKind::Chain(_)
            | CheckedExprKind::RestOfChain => false,
            kind => {
                if let CheckedExprKind::Filter { local, .. } | CheckedExprKind::Quantified { local, .. } =
                    kind
                {
                    self.locals.push(*local);
                }
                let mut all = true;
                walk::children(e, &mut |child| all = all && self.is_open(child));
                all
            }
        }
    }

    /// Returns the index of a zone that an expression reads.
    fn zone_index(&self, e: &'m CheckedExpr) -> Option<&'m [CheckedExpr]> {
        let CheckedExprKind::Read(target) = &e.kind else { return None };
        let is_zone = self.model.slots[target.slot.index()].role == Role::Zone;
        is_zone.then_some(target.index.as_slice())
    }

    fn are_open(&mut self, all: &'m [CheckedExpr]) -> bool {
        all.iter().all(|one| self.is_open(one))
    }

    fn reads(&mut self, target: &'m Target) -> bool {
        let slot = &self.model.slots[target.slot.index()];
        let hidden = match slot.role {
            Role::Known | Role::KnownCopies(_) | Role::Place | Role::SeenPlace | Role::Empty(_) => true,
            _ => slot.visibility != Visibility::All,
        };
        // Until all have chosen together, nobody sees what it changes.
        let apart = self.model.together.iter().any(|block| block.slots.contains(&target.slot));
        !hidden && !apart && self.are_open(&target.index)
    }
}
