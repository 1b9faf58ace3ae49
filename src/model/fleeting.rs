//! Rolls that are one number, and liveness of dice: those whose faces no rule reads after the game has stopped again. A search may forget them
//! to find fewer states.

use std::collections::BTreeSet;

use super::{
    CheckedBlock, CheckedEndResult, CheckedExpr, CheckedExprKind, CheckedStmt, CheckedStmtKind, Control,
    Model, Role, SlotId, walk,
};

/// Maximum number of outcomes of a roll that is drawn as one number and has tables. The dice of a larger roll are
/// drawn one by one, still in one event.
pub const JOINT_OUTCOMES: u64 = 10_000;

impl Model {
    /// Returns the number of sides of each face of some dice, or `None` if each face has one side.
    pub fn sides_of(&self, id: SlotId) -> Option<&[u32]> {
        self.sides.iter().find(|(dice, _)| *dice == id).map(|(_, sides)| sides.as_slice())
    }

    /// Returns the number of ways in which a roll can show its faces, if 64 bits can number the sides: the roll is
    /// one event then.
    pub fn roll_outcomes(&self, id: SlotId) -> Option<u64> {
        let Role::Dice { count, faces, .. } = self.slots[id.index()].role else { return None };
        if let Some(sides) = self.sides_of(id) {
            sides.iter().map(|n| u64::from(*n)).sum::<u64>().checked_pow(count)?;
        }
        u64::from(faces).checked_pow(count)
    }

    /// Returns the number of outcomes of a roll, if it is drawn as one number.
    pub fn joint_outcomes(&self, id: SlotId) -> Option<u64> {
        self.roll_outcomes(id).filter(|n| *n <= JOINT_OUTCOMES)
    }
}

/// Returns the slots of dice that are only read directly after their own roll, with no decision and no other
/// chance event in between. Uncertain cases are left out.
pub fn fleeting_dice(model: &Model) -> Vec<SlotId> {
    // A script may read any dice at any time.
    if !model.hooks.is_empty() {
        return vec![];
    }
    let mut walker = Walker { model, lasting: BTreeSet::new() };
    for block in [&model.setup, &model.turn] {
        walker.block(block, &mut BTreeSet::new());
    }
    for end in &model.ends {
        walker.reads(&end.when, &BTreeSet::new());
        if let Some(CheckedEndResult::Win(player) | CheckedEndResult::Lose(player)) = &end.result {
            walker.reads(player, &BTreeSet::new());
        }
    }
    let scored =
        model.score.iter().map(|item| &item.value).chain(model.winner.iter().map(|rank| &rank.value));
    let payoff = model.payoff.iter().map(|payoff| &payoff.value);
    let read = scored.chain(payoff).chain(&model.measures);
    read.for_each(|value| walker.reads(value, &BTreeSet::new()));
    let slots = (0..model.slots.len() as u32).map(SlotId);
    slots
        .filter(|id| {
            let slot = &model.slots[id.index()];
            let one_event = slot.index.len() == 1 && model.roll_outcomes(*id).is_some();
            matches!(slot.role, Role::Dice { .. }) && one_event && !walker.lasting.contains(id)
        })
        .collect()
}

/// Dice rolled since the game last stopped for anything else.
type Fresh = BTreeSet<SlotId>;

struct Walker<'m> {
    model: &'m Model,
    lasting: BTreeSet<SlotId>,
}

impl<'m> Walker<'m> {
    fn reads(&mut self, value: &'m CheckedExpr, fresh: &Fresh) {
        let lasting = &mut self.lasting;
        walk::expr(value, &mut |e| {
            if let CheckedExprKind::Read(target) = &e.kind
                && !fresh.contains(&target.slot)
            {
                lasting.insert(target.slot);
            }
        });
    }

    fn block(&mut self, block: &'m CheckedBlock, fresh: &mut Fresh) {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt, fresh));
    }

    fn stmt(&mut self, stmt: &'m CheckedStmt, fresh: &mut Fresh) {
        // After a stop, or where control may return, nothing is fresh.
        let control = stmt.kind.control();
        let stops = !matches!(control, Control::Branch(..) | Control::As(_) | Control::Plain);
        if stops {
            fresh.clear();
        }
        for value in walk::own_exprs(self.model, stmt) {
            self.reads(value, fresh);
        }
        match &stmt.kind {
            CheckedStmtKind::Roll { dice, among: None } => {
                fresh.insert(dice.slot);
            }
            // The dice that are not rolled keep their faces.
            CheckedStmtKind::Roll { dice, .. } => {
                self.lasting.insert(dice.slot);
            }
            CheckedStmtKind::As { body, .. } => self.block(body, fresh),
            CheckedStmtKind::If { then, otherwise, .. } => {
                let mut other = fresh.clone();
                self.block(then, fresh);
                self.block(otherwise, &mut other);
                *fresh = fresh.intersection(&other).copied().collect();
            }
            CheckedStmtKind::Assign { target, .. } => {
                // Dice that are assigned are not forgotten.
                self.lasting.insert(target.slot);
            }
            _ => {
                for inner in walk::blocks(self.model, stmt) {
                    self.block(inner, &mut Fresh::new());
                }
                // Loops, steps and choices may be left from anywhere inside.
                if stops {
                    fresh.clear();
                }
            }
        }
    }
}
