//! Simultaneous choices: in `together`, all seats choose before any of them sees the others' choices.
//! The seats act one after the other. Secrecy holds because each seat writes only its own variables and
//! doesn't read the other seats' values of them.

use std::collections::BTreeSet;

use super::committed::OwnBlock;
use crate::checker::Checker;
use crate::draft::Draft;
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax;
use houserule_model::walk::children_mut;
use houserule_model::*;

/// The accesses in a `together` block.
#[derive(Default)]
struct BlockAccesses {
    writes: BTreeSet<SlotId>,
    reads: Vec<CheckedExpr>,
    /// The zones among which the players move elements.
    zones: BTreeSet<SlotId>,
    wrong: Vec<Diagnostic>,
}

impl<'a> Checker<'a> {
    /// Checks `together as me { … }`.
    pub(super) fn together(
        &mut self,
        body: &'a syntax::Block,
        span: Span,
        out: &mut Vec<CheckedStmt>,
    ) -> Option<CheckedStmtKind> {
        self.usage.takes_turns = true;
        self.forget_assigned(body);
        let (choices, locals) = (self.draft.model.choices.len(), self.draft.model.locals.len());
        let from = self.draft.build(CheckedExprKind::Me, Type::Element(PLAYER), span);
        let mut statement = self.everybody(Some(from), body, span);
        let Some(CheckedStmtKind::For { body: acts, .. }) = &mut statement else { return statement };
        let mut own = OwnBlock { acts, choices: self.draft.model.choices.split_off(choices) };
        let variables = self.draft.commit_variables(&mut own, span);
        let moves = self.draft.commit_moves(&mut own, span);
        let OwnBlock { acts, choices: mut chosen } = own;
        let choices = choices..choices + chosen.len();
        self.draft.model.choices.append(&mut chosen);
        let mut found = BlockAccesses { zones: moves.zones, wrong: moves.wrong, ..BlockAccesses::default() };
        for stmt in &acts.stmts {
            if let CheckedStmtKind::As { body, .. } = &stmt.kind {
                self.draft.committed(body, locals as u32, &mut found);
            }
        }
        let BlockAccesses { writes, reads, zones, mut wrong } = found;
        let mut kept: BTreeSet<SlotId> = writes.union(&zones).copied().collect();
        kept.extend(variables.copies.keys());
        for mut e in reads {
            self.draft.read_of_others(&mut e, false, &kept, &mut wrong);
        }
        if choices.is_empty() && moves.after.is_empty() && wrong.is_empty() && !self.input.has_hole() {
            let d = Diagnostic::error(
                Code::Misplaced,
                span,
                "nobody chooses or moves anything in this `together`",
            )
            .help("`each player as me { … }` does something for everybody");
            wrong.push(d);
        }
        wrong.into_iter().for_each(|d| self.draft.messages.report(d));
        if !choices.is_empty() {
            self.draft.model.together.push(Together {
                choices: choices.map(|choice| ChoiceId(choice as u32)).collect(),
                slots: writes.into_iter().collect(),
                locals: (locals as u32..self.draft.model.locals.len() as u32).map(LocalId).collect(),
            });
        }
        if moves.after.is_empty() && variables.after.is_empty() {
            return statement;
        }
        out.extend(variables.before);
        out.extend(statement.map(|kind| CheckedStmt { kind, span }));
        out.extend(moves.after);
        out.extend(variables.after);
        None
    }
}

impl Draft {
    /// Collects the writes and reads of a block. `own` is the first local declared inside it.
    fn committed(&self, block: &CheckedBlock, own: u32, found: &mut BlockAccesses) {
        use CheckedStmtKind as S;
        let read = |found: &mut BlockAccesses, e: &CheckedExpr| found.reads.push(e.clone());
        for stmt in &block.stmts {
            let word = match &stmt.kind {
                S::Choose(choice) => {
                    let choice = &self.model.choices[choice.index()];
                    for option in &choice.options {
                        option.binders.iter().for_each(|binder| read(found, &binder.over));
                        option.filter.iter().chain(&option.ensuring).for_each(|e| read(found, e));
                        self.committed(&option.body, own, found);
                    }
                    if let Some(otherwise) = &choice.otherwise {
                        self.committed(otherwise, own, found);
                    }
                    continue;
                }
                S::If { condition, then, otherwise } => {
                    read(found, condition);
                    self.committed(then, own, found);
                    self.committed(otherwise, own, found);
                    continue;
                }
                S::For { over, from, body, .. } => {
                    read(found, over);
                    from.iter().for_each(|e| read(found, e));
                    self.committed(body, own, found);
                    continue;
                }
                S::While { condition: e, body } | S::Repeat { until: e, body } => {
                    read(found, e);
                    self.committed(body, own, found);
                    continue;
                }
                S::Let { value, .. } => {
                    read(found, value);
                    continue;
                }
                S::SetLocal { local, value } if local.0 >= own => {
                    read(found, value);
                    continue;
                }
                S::Assign { target, value } if self.is_own(target) => {
                    target.index.iter().skip(1).for_each(|e| read(found, e));
                    read(found, value);
                    found.writes.insert(target.slot);
                    continue;
                }
                S::Assign { target, .. } if self.model.slots[target.slot.index()].role == Role::Copies => {
                    let help = "note the kind in a variable of the player, and move it after the block";
                    found.wrong.push(not_together(stmt.span, "copies don't move in `together`", help));
                    continue;
                }
                S::SetLocal { .. } | S::Assign { .. } => {
                    let message = "in `together` everybody changes only variables of their own";
                    let d = Diagnostic::error(Code::NotTogether, stmt.span, message)
                        .note("the others must not see it before all have committed themselves")
                        .help("declare it for each player, and write `[me]`; do the rest after the block");
                    found.wrong.push(d);
                    continue;
                }
                S::Put { .. } => "put",
                S::Clear { .. } | S::ClearPiece { .. } => "clear",
                // The moves between zones have been replaced or reported.
                S::MoveTo { .. } => continue,
                S::Move { .. } => "move",
                S::Chance { .. } => "chance",
                S::Roll { .. } => "roll",
                S::Pick { .. } => "pick",
                S::Step { .. } => "step",
                S::As { .. } => "as",
                S::Turns { .. } => "each player",
                S::Call { hook, .. } => {
                    let hook = &self.model.hooks[hook.index()];
                    let message = format!("`{}` can't be called in `together`", hook.name);
                    let d = Diagnostic::error(Code::NotTogether, hook.span, message)
                        .also(stmt.span, "it would be called here")
                        .note("a script sees what the others have committed");
                    found.wrong.push(d);
                    continue;
                }
                S::Next(_) => "next",
                S::Again => "again",
                S::Done => "done",
                S::Skip => "skip",
                S::EndGame { .. } => "end game",
            };
            let message = format!("`{word}` isn't allowed in `together`");
            let help = format!("write `{word}` before or after the block");
            found.wrong.push(not_together(stmt.span, message, help));
        }
    }

    /// Is this the acting player's value of a variable: `bid[me]`?
    fn is_own(&self, target: &Target) -> bool {
        self.model.slots[target.slot.index()].role == Role::Variable && is_of_me(target)
    }

    /// Reports reads of variables that the block writes, except the acting player's own values.
    fn read_of_others(
        &self,
        e: &mut CheckedExpr,
        elsewhere: bool,
        writes: &BTreeSet<SlotId>,
        wrong: &mut Vec<Diagnostic>,
    ) {
        if let CheckedExprKind::Read(target) = &e.kind
            && writes.contains(&target.slot)
            && (elsewhere || !is_of_me(target))
        {
            let name = &self.model.slots[target.slot.index()].name;
            let message =
                format!("`{name}` is kept from the others here until all have committed themselves");
            let d = Diagnostic::error(Code::NotTogether, e.span, message)
                .help(format!("write `{name}[me]`, or test it after the `together`"));
            wrong.push(d);
        }
        // Inside `As`, `me` is another player.
        let elsewhere = elsewhere || matches!(e.kind, CheckedExprKind::As { .. });
        children_mut(&mut e.kind, &mut |part| self.read_of_others(part, elsewhere, writes, wrong));
    }
}

/// An error in a `together` block about what would show a player what the others choose.
pub(super) fn not_together(span: Span, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::NotTogether, span, message)
        .note("all players choose here without seeing what the others choose")
        .help(help)
}

/// Is the acting player the first index, as in `bid[me]` and `hand[me]`?
pub(super) fn is_of_me(target: &Target) -> bool {
    matches!(target.index.first().map(|e| &e.kind), Some(CheckedExprKind::Me))
}
