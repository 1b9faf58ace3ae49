//! What statements may change, and what is no longer known after them or in a loop over them.

use crate::checker::Checker;
use crate::checker::context::StatementContext;
use crate::names::facts::Changes;
use crate::names::name_table::{Entity, ResolutionState};
use crate::names::scopes::Binding;
use houserule_language::syntax::{self, Block, DeclKind, ExprKind as S, Name, StmtKind as T};
use houserule_model::{Builtin, Life, LocalId, SlotId};
use std::collections::BTreeSet;

/// The procedures that have been looked into, and whether the statements at hand are of one of them.
#[derive(Default)]
struct Called {
    procedures: BTreeSet<usize>,
    inside: bool,
}

impl<'a> Checker<'a> {
    /// Drops what a loop's body may change, before the body is checked.
    pub(super) fn forget_assigned(&mut self, body: &'a Block) {
        self.forget(&self.changes_in(body));
    }

    /// Returns what a block, and the procedures that it calls, may change.
    pub(super) fn changes_in(&self, body: &Block) -> Changes {
        let mut changes = Changes::default();
        self.add_changes(&body.stmts, &mut Called::default(), &mut changes);
        changes
    }

    /// Drops the facts that may no longer hold after some changes.
    pub(super) fn forget(&mut self, changes: &Changes) {
        self.scopes.facts.forget(&self.draft.model, changes);
    }

    /// Drops what is known of a local that gets another value. `some`: this isn't none.
    pub(super) fn forget_local(&mut self, local: LocalId, some: bool) {
        let given = some.then_some(local);
        self.forget(&Changes { locals: [local].into(), given, ..Changes::default() });
    }

    /// Drops what is known of a slot of which some place gets another value.
    pub(super) fn forget_slot(&mut self, slot: SlotId) {
        self.forget(&Changes { slots: [slot].into(), ..Changes::default() });
    }

    /// Drops facts about state that a script's function with this name may change, if there is one.
    pub(super) fn forget_hooked(&mut self, name: &str) {
        if self.hooks.is_defined(name) {
            self.forget(&Changes { everything: true, ..Changes::default() });
        }
    }

    /// Drops what a statement itself changes, apart from its blocks. Assignments see to that themselves.
    pub(super) fn forget_after(&mut self, stmt: &'a syntax::Stmt) {
        if !matches!(stmt.kind, T::Assign { .. } | T::Call { .. }) {
            let mut changes = Changes::default();
            self.add_own_changes(stmt, &mut Called::default(), &mut changes);
            self.forget(&changes);
        }
    }

    /// Adds what statements may change, with the procedures that they call.
    fn add_changes(&self, stmts: &[syntax::Stmt], called: &mut Called, changes: &mut Changes) {
        for stmt in stmts {
            self.add_own_changes(stmt, called, changes);
            stmt.blocks().into_iter().for_each(|inner| self.add_changes(&inner.stmts, called, changes));
        }
    }

    fn add_own_changes(&self, stmt: &syntax::Stmt, called: &mut Called, changes: &mut Changes) {
        stmt.assigned().into_iter().for_each(|target| self.add_assigned(target, called, changes));
        match &stmt.kind {
            T::Put { .. }
            | T::Clear(_)
            | T::Move { .. }
            | T::Roll { .. }
            | T::Draw { .. }
            | T::Deal { .. }
            | T::Shuffle(_)
            | T::Reveal { .. }
            | T::Swap(..) => changes.equipment = true,
            T::Next(_) => changes.turns = true,
            T::EachPlayer { of: None, until: None, .. } if self.context.place == StatementContext::Round => {
                self.add_new_turn(changes);
            }
            T::Step { name, .. } => {
                changes.everything |= ["before", "after"]
                    .iter()
                    .any(|word| self.hooks.is_defined(&format!("{word}_{}", name.text)));
            }
            T::Choose(choose) => {
                let names = choose.options.iter().flatten().map(|option| option.name.text.as_str());
                let hooked = |name: &str| self.hooks.is_defined(&format!("on_{name}"));
                changes.everything |= names.into_iter().any(hooked);
            }
            T::Call { name, .. } => self.add_procedure(name, called, changes),
            T::Hole => changes.everything = true,
            T::EachPlayer { .. }
            | T::If { .. }
            | T::For { .. }
            | T::While { .. }
            | T::Repeat { .. }
            | T::Chance { .. }
            | T::Together(_)
            | T::As { .. }
            | T::Let { .. }
            | T::Assign { .. }
            | T::Pick { .. }
            | T::Again
            | T::Done
            | T::Skip
            | T::EndGame { .. } => {}
        }
    }

    /// Adds what changes with a new turn: what lasts for a turn begins again.
    fn add_new_turn(&self, changes: &mut Changes) {
        changes.turns = true;
        let slots = (0..).map(SlotId).zip(&self.draft.model.slots);
        changes.slots.extend(slots.filter(|(_, slot)| slot.life == Life::Turn).map(|(id, _)| id));
    }

    /// Drops what may change with a new turn.
    pub(super) fn forget_turn(&mut self) {
        let mut changes = Changes::default();
        self.add_new_turn(&mut changes);
        self.forget(&changes);
    }

    fn add_procedure(&self, name: &Name, called: &mut Called, changes: &mut Changes) {
        // It may not be resolved yet.
        let declared = self.names.declared.get(name.text.as_str());
        let Some(place) = declared.and_then(|declared| declared.decl) else { return };
        if let DeclKind::Procedure { body, .. } = &self.input.game.decls[place].kind
            && called.procedures.insert(place)
        {
            let inside = std::mem::replace(&mut called.inside, true);
            self.add_changes(&body.stmts, called, changes);
            called.inside = inside;
        }
    }

    /// Adds what an assignment to a name, or to a name with an index, changes.
    fn add_assigned(&self, target: &syntax::Expr, called: &Called, changes: &mut Changes) {
        let name = match &target.kind {
            S::Name(name) => name,
            S::Index(base, _) => match &base.kind {
                S::Name(name) => name,
                _ => return,
            },
            _ => return,
        };
        // The locals of a procedure are its own.
        let local = if called.inside { None } else { self.scopes.local(&name.text) };
        match (local, self.names.declared.get(name.text.as_str()).map(|declared| &declared.state)) {
            (Some(Binding::Local(local, _)), _) => {
                changes.locals.insert(*local);
            }
            (Some(Binding::Argument(_)), _) => {}
            (None, Some(ResolutionState::Done(Entity::Slot(slot)))) => {
                changes.slots.insert(*slot);
            }
            (None, Some(_)) => {}
            // A name of the language: `starter` or `playing`.
            (None, None) => {
                changes.slots.insert(Builtin::Starter.slot());
                changes.slots.extend(self.draft.model.playing.iter().map(|playing| playing.slot));
            }
        }
    }
}

/// Do statements give a name another value?
pub(super) fn is_assigned(name: &str, stmts: &[syntax::Stmt]) -> bool {
    stmts.iter().any(|stmt| {
        let is_it = |target: &&syntax::Expr| matches!(&target.kind, S::Name(own) if own.text == name);
        stmt.assigned().iter().any(is_it)
            || stmt.blocks().into_iter().any(|inner| is_assigned(name, &inner.stmts))
    })
}
