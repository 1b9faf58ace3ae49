//! Checks which numbers of defines are shown: `define tally = … shown as number at row`.

use crate::checker::Checker;
use crate::names::name_table::Entity;
use crate::resolution::defines::Use;
use houserule_language::diagnostic::{Code, Diagnostic};
use houserule_language::syntax;
use houserule_language::syntax::{DeclKind, ExprKind as S, Name};
use houserule_language::vocabulary::WordKind;
use houserule_model::walk::{self, Dependence, reads};
use houserule_model::*;

impl<'a> Checker<'a> {
    /// Checks `define … shown as number`, and the zone after `at`. `decl` is the define's place among the declarations.
    pub(super) fn shown_number(
        &mut self,
        decl: usize,
        word: &'a Name,
        params: &[Name],
        at: Option<&'a syntax::Expr>,
    ) {
        let DeclKind::Define { name, value, .. } = &self.input.game.decls[decl].kind else { return };
        self.recorder.refer_to_word(WordKind::Look, word);
        if !self.names.is_declared_at(name) {
            return;
        }
        // To show a number is to use it.
        self.usage.names.insert(name.text.as_str());
        if !params.is_empty() {
            let d =
                Diagnostic::error(Code::ShownAs, word.span, "this has parameters, so it is no single number")
                    .help("leave `shown as` out, or write it after a define without parameters");
            self.draft.messages.report(d);
            return;
        }
        let zone = match at {
            Some(at) => match self.zone_beside(at) {
                Some(zone) => Some(zone),
                None => return,
            },
            None => None,
        };
        let number = self.in_isolation(|c| {
            let value_of_define = c.expand(decl, Use::Name, value.span);
            c.number(value_of_define, value.span)
        });
        let Some(number) = number else { return };
        let mut is_opaque = false;
        walk::expr(&number, &mut |e| {
            is_opaque |=
                matches!(walk::dependence(e), Dependence::Past | Dependence::Script | Dependence::Trial);
        });
        if is_opaque {
            let message = "a script, a trial or an earlier position decides this, so it is no number for all";
            let d = Diagnostic::error(Code::ShownAs, word.span, message)
                .help("show a number that depends only on what all see");
            self.draft.messages.report(d);
            return;
        }
        let (slots, reads_me) = reads(&number);
        let model = &self.draft.model;
        let is_open = |slot: &SlotId| {
            let slot = &model.slots[slot.index()];
            let is_open = slot.visibility == Visibility::All;
            match slot.role {
                // What is empty depends on the pieces.
                Role::Empty(board) => {
                    let pieces = &model.boards[board.index()].pieces;
                    is_open
                        && pieces.iter().all(|piece| model.slots[piece.index()].visibility == Visibility::All)
                }
                _ => is_open,
            }
        };
        if let Some(hidden) = slots.iter().find(|slot| !is_open(slot)) {
            let hidden = model.slots[hidden.index()].name.clone();
            let message = format!("not all players see `{hidden}`, so this is no number for all");
            let d = Diagnostic::error(Code::ShownAs, word.span, message)
                .help("show a number that depends only on what all see");
            self.draft.messages.report(d);
            return;
        }
        if reads_me {
            let d = Diagnostic::error(Code::ShownAs, word.span, "this number is another one for each player")
                .help("name the player, or leave `shown as` out");
            self.draft.messages.report(d);
            return;
        }
        self.draft.model.counts.push(ShownCount { name: name.text.clone(), zone, value: number });
    }

    /// Returns the zone that an expression after `at` names.
    fn zone_beside(&mut self, at: &'a syntax::Expr) -> Option<SlotId> {
        let zone = match &at.kind {
            S::Name(name) => self.entity(name),
            _ => None,
        };
        let is_zone =
            |slot: SlotId| matches!(self.draft.model.slots[slot.index()].role, Role::Zone | Role::Copies);
        match zone {
            Some(Entity::Poison) => None,
            Some(Entity::Slot(slot)) if is_zone(slot) => Some(slot),
            _ => {
                let d = Diagnostic::error(Code::ShownAs, at.span, "a number stands beside a zone")
                    .help("name a zone: `define tally = … shown as number at row`");
                self.draft.messages.report(d);
                None
            }
        }
    }
}
