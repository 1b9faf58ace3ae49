//! Weaves calls of an observer into the rules, after every statement that changes something a player can see.
//! What is shown and hidden again before the next decision is therefore observed too.
//!
//! One statement of the rules may be several of the model's: moving a card also changes what players know.
//! They share a span, and the observer is called after the last of them.

use houserule_model::{
    Builtin, CheckedBlock, CheckedStmt, CheckedStmtKind, Content, Control, DisplayForm, Hook, HookId,
    HookKind, Life, Model, Role, Slot, SlotId, Value, Visibility, walk,
};

/// The slots of the observer, in this order after the slots of the rules.
pub(super) const WATCH: [&str; 9] =
    ["seat", "looks", "look", "seen", "acts", "done", "did", "committed", "turn"];

/// Returns the observed `model` and the hook of the observer. Without `calls`, adds only the slots of the
/// observer.
pub(super) fn weave(model: &Model, calls: bool) -> (Model, HookId) {
    let mut model = model.clone();
    let hook = HookId(model.hooks.len() as u32);
    for name in WATCH {
        model.slots.push(Slot {
            name: format!("observed {name}"),
            index: vec![],
            content: Content::Number { low: i64::MIN, high: i64::MAX },
            initial: vec![Value::Number(0)],
            life: Life::Game,
            role: Role::Variable,
            visibility: Visibility::Nobody,
            help: String::new(),
            shown: DisplayForm::Plainly,
            span: None,
        });
    }
    let spare = CheckedBlock::default();
    let at = model.setup.stmts.first().or(model.turn.stmts.first()).map(|stmt| stmt.span);
    let Some(span) = at.or(model.choices.first().map(|choice| choice.span)) else { return (model, hook) };
    model.hooks.push(Hook {
        name: "watch".to_owned(),
        script: u32::MAX,
        kind: HookKind::Watch,
        args: vec![],
        draws: false,
        span,
    });
    if !calls {
        return (model, hook);
    }
    let mut choices = std::mem::take(&mut model.choices);
    let mut setup = std::mem::replace(&mut model.setup, spare.clone());
    let mut turn = std::mem::replace(&mut model.turn, spare.clone());
    let mut end = std::mem::replace(&mut model.on_end, spare);
    let weaver = Weaver { model: &model, look: CheckedStmtKind::Call { hook, args: vec![] } };
    for block in [&mut setup, &mut turn, &mut end] {
        weaver.block(block);
    }
    for (at, choice) in choices.iter_mut().enumerate() {
        // Nobody sees a commitment before all have committed.
        if !model.together.iter().any(|block| block.choices.iter().any(|choice| choice.index() == at)) {
            choice.blocks_mut().for_each(|block| weaver.block(block));
        }
    }
    // The player to move changes between turns.
    turn.stmts.insert(0, CheckedStmt { kind: weaver.look.clone(), span });
    (model.choices, model.setup, model.turn, model.on_end) = (choices, setup, turn, end);
    (model, hook)
}

struct Weaver<'m> {
    model: &'m Model,
    look: CheckedStmtKind,
}

impl Weaver<'_> {
    fn block(&self, block: &mut CheckedBlock) {
        let mut woven: Vec<CheckedStmt> = vec![];
        let mut rest = std::mem::take(&mut block.stmts).into_iter().peekable();
        while let Some(mut stmt) = rest.next() {
            let span = stmt.span;
            if self.commits(&stmt) {
                woven.extend([stmt, CheckedStmt { kind: self.look.clone(), span }]);
                continue;
            }
            if !is_whole(self.model, &stmt) {
                let shows = self.shows(&stmt);
                let turns = matches!(stmt.kind, CheckedStmtKind::Turns { .. });
                for inner in stmt.blocks_mut() {
                    self.block(inner);
                    if turns {
                        inner.stmts.insert(0, CheckedStmt { kind: self.look.clone(), span });
                    }
                }
                woven.push(stmt);
                if shows {
                    woven.push(CheckedStmt { kind: self.look.clone(), span });
                }
                continue;
            }
            let mut shows = self.any_shows(&stmt);
            woven.push(stmt);
            while let Some(next) = rest.next_if(|next| next.span == span && is_whole(self.model, next)) {
                shows |= self.any_shows(&next);
                woven.push(next);
            }
            if shows {
                woven.push(CheckedStmt { kind: self.look.clone(), span });
            }
        }
        block.stmts = woven;
    }

    /// Returns `true` if a statement is a `together` block. Nobody sees what it changes before its end.
    fn commits(&self, stmt: &CheckedStmt) -> bool {
        let CheckedStmtKind::For { body, from: Some(_), .. } = &stmt.kind else { return false };
        let [CheckedStmt { kind: CheckedStmtKind::As { body, .. }, .. }] = body.stmts.as_slice() else {
            return false;
        };
        self.chooses_together(body)
    }

    fn chooses_together(&self, block: &CheckedBlock) -> bool {
        block.stmts.iter().any(|stmt| match &stmt.kind {
            CheckedStmtKind::Choose(choice) => {
                self.model.together.iter().any(|block| block.choices.contains(choice))
            }
            _ => stmt.blocks().into_iter().any(|inner| self.chooses_together(inner)),
        })
    }

    /// Returns `true` if a statement, or one inside it, changes something visible to a player.
    fn any_shows(&self, stmt: &CheckedStmt) -> bool {
        self.shows(stmt)
            || stmt.blocks().into_iter().any(|block| block.stmts.iter().any(|stmt| self.any_shows(stmt)))
    }

    /// Returns `true` if a statement itself changes something visible to a player.
    fn shows(&self, stmt: &CheckedStmt) -> bool {
        let mut slots = std::collections::BTreeSet::new();
        walk::own_writes(self.model, stmt, &mut slots);
        !matches!(stmt.kind, CheckedStmtKind::Turns { .. })
            && slots.iter().any(|slot| can_show(&self.model.slots[slot.index()], *slot))
    }
}

/// Returns `true` if a change of a slot may be visible to a player.
fn can_show(slot: &Slot, id: SlotId) -> bool {
    match slot.role {
        Role::Builtin(_) => [Builtin::Mover, Builtin::Starter].map(Builtin::slot).contains(&id),
        Role::Empty(_) => false,
        Role::Zone | Role::Copies => true,
        _ => slot.visibility != Visibility::Nobody,
    }
}

/// Returns `true` for (part of) one statement of the rules without a decision or a chance event.
fn is_whole(model: &Model, stmt: &CheckedStmt) -> bool {
    let stops = match stmt.kind.control() {
        Control::Choice(_)
        | Control::Event(_)
        | Control::Chance(_)
        | Control::Step(_)
        | Control::Turns(_)
        | Control::Exit(_) => true,
        Control::Call(hook) => model.hooks[hook.index()].draws,
        Control::Branch(..) | Control::Loop(_) | Control::As(_) | Control::Plain => false,
    };
    !stops
        && stmt
            .blocks()
            .into_iter()
            .all(|block| block.stmts.iter().all(|inner| inner.span == stmt.span && is_whole(model, inner)))
}
