//! `owner(x)`: the player whose zone holds an element, or whose piece stands on a site.

use super::calls::Args;
use crate::checker::Checker;
use crate::draft::Draft;
use crate::values::{May, Val};
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_model::*;

impl<'a> Checker<'a> {
    pub(super) fn owner(&mut self, args: &Args<'a>) -> Option<Val> {
        args.check_count(&mut self.draft.messages)?;
        let e = args.plain[0];
        let span = args.span;
        let value = self.expr(e, None);
        let Some(domain) = value.domain() else {
            self.draft.report_mismatch(e.span, "an element in a zone, or a site", &value);
            return None;
        };
        let (element, _) = self.element(value, domain, e.span)?;
        let known = self.scopes.facts.knows_owner(&element);
        let slots = self.draft.slots_of_players(domain);
        if slots.is_empty() {
            self.draft.report_no_owner(domain, span);
            return None;
        }
        let local = self.draft.new_local("p", Type::Element(PLAYER), span);
        let mut held = vec![];
        for slot in slots {
            self.usage.read_slots.insert(slot);
            let player = self.draft.build(CheckedExprKind::Local(local), Type::Element(PLAYER), span);
            match self.slot_value(slot, vec![player], "", span) {
                Val::Expr(set, _) => held.push(set),
                _ => return None,
            }
        }
        let set = Box::new(self.draft.union_of(held, domain, span));
        let body =
            self.draft.build(CheckedExprKind::Contains { set, element: Box::new(element) }, Type::Bool, span);
        let all = Box::new(self.draft.full_set(PLAYER, span));
        let kind = CheckedExprKind::Filter { local, over: all, condition: Box::new(body) };
        let owners = self.draft.build(kind, Type::Set(PLAYER), span);
        let owner = self.draft.build(CheckedExprKind::First(Box::new(owners)), Type::Element(PLAYER), span);
        Some(Val::Expr(owner, if known { May::Never } else { May::Maybe(None) }))
    }
}

impl Draft {
    /// The zones of a domain that belong to a player, or the pieces on a board's sites that do.
    fn slots_of_players(&self, domain: DomainId) -> Vec<SlotId> {
        if self.model.has_copies(domain) {
            return vec![];
        }
        let mut slots = self.zones_of(domain);
        let board = self.board_of(domain).map(|board| &self.model.boards[board.index()]);
        slots.extend(board.into_iter().flat_map(|board| &board.pieces));
        slots.retain(|slot| self.belongs_to_a_player(*slot));
        slots
    }

    /// Returns `true` for a zone or a piece whose first index is a player. On a family of boards the first index of a
    /// piece tells the board.
    pub(crate) fn belongs_to_a_player(&self, slot: SlotId) -> bool {
        let slot = &self.model.slots[slot.index()];
        let owned = match slot.role {
            Role::Zone => true,
            Role::Piece(board) => self.model.boards[board.index()].index.is_empty(),
            _ => false,
        };
        owned && slot.index.first() == Some(&PLAYER)
    }

    fn report_no_owner(&mut self, domain: DomainId, span: Span) {
        let name = self.domain_name(domain);
        let (message, help) = if self.model.has_copies(domain) {
            (
                format!("copies of `{name}` have no one owner"),
                "`hand[p, k]` says how many a player has: `{ p in players where hand[p, k] > 0 }`",
            )
        } else if self.board_of(domain).is_some() {
            (
                format!("no piece on `{name}` belongs to a player"),
                "a piece belongs to the player of its first index: `piece man[player] on …`",
            )
        } else {
            (
                format!("no zone of `{name}` belongs to a player"),
                "a zone belongs to the player of its first index: `zone hand[player] of …`",
            )
        };
        self.messages.report(Diagnostic::error(Code::NoOwner, span, message).help(help));
    }
}
