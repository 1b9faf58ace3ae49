//! `swap`: two zones exchange their contents, two variables their values, or two kinds of pieces their places. It becomes
//! other statements of the model, so the executors have no code for it.

use crate::checker::Checker;
use crate::draft::Draft;
use crate::draft::moves::Swapped;
use crate::values::Val;
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax;
use houserule_model::is_same_index;
use houserule_model::*;

/// One side of a `swap`.
enum SwapSide {
    /// A zone and its domain.
    Zone(Target, DomainId),
    /// A variable and its name.
    Variable(Target, String),
    /// A piece, its name and its board.
    Piece(Target, String, BoardId),
}

impl SwapSide {
    /// What messages call it.
    fn text(&self) -> &'static str {
        match self {
            SwapSide::Zone(..) => "a zone",
            SwapSide::Variable(..) => "a variable",
            SwapSide::Piece(..) => "a piece",
        }
    }
}

impl<'a> Checker<'a> {
    /// Checks `swap ZONE, ZONE`, `swap x, y` and `swap PIECE, PIECE among S`.
    pub(super) fn swap(
        &mut self,
        one: &'a syntax::Expr,
        other: &'a syntax::Expr,
        among: Option<&'a syntax::Expr>,
        span: Span,
        out: &mut Vec<CheckedStmt>,
    ) -> Option<()> {
        let (a, b) = (self.side(one), self.side(other));
        let (a, b) = match (a, b) {
            (Some(a), Some(b)) => (a, b),
            _ => {
                among.map(|among| self.expr(among, None));
                return None;
            }
        };
        if let (Some(among), false) = (among, matches!((&a, &b), (SwapSide::Piece(..), SwapSide::Piece(..))))
        {
            let d =
                Diagnostic::error(Code::Misplaced, among.span, "only pieces are swapped `among` some sites")
                    .help("leave `among` out, or name two pieces: `swap mark[X], mark[O] among S`");
            self.draft.messages.report(d);
            return None;
        }
        match (a, b) {
            (SwapSide::Piece(a, first, board), SwapSide::Piece(b, second, found)) => {
                let on = self.draft.model.boards[board.index()].index.len();
                let together =
                    board == found && a.index.iter().zip(&b.index).take(on).all(|(a, b)| is_same_index(a, b));
                let among = among.map(|among| self.site_set_on(among, board));
                if !together {
                    let message =
                        format!("`{first}` and `{second}` must be pieces on one board to be swapped");
                    let d = Diagnostic::error(Code::TypeMismatch, other.span, message)
                        .help("name two pieces of the same board");
                    self.draft.messages.report(d);
                    return None;
                }
                let among = match among {
                    Some(among) => Some(among?),
                    None => None,
                };
                let (a, b) = (self.draft.pin_index(a, out), self.draft.pin_index(b, out));
                self.swap_pieces(a, b, among, span, out);
            }
            (SwapSide::Zone(a, domain), SwapSide::Zone(b, found)) => {
                if domain != found {
                    self.draft.report_other_domain(other.span, domain, found);
                    return None;
                }
                let (a, b) = (self.draft.pin_index(a, out), self.draft.pin_index(b, out));
                if self.draft.model.has_copies(domain) {
                    self.swap_copies(a, b, domain, span, out);
                } else {
                    self.swap_zones(a, b, domain, span, out);
                }
            }
            (SwapSide::Variable(a, first), SwapSide::Variable(b, second)) => {
                let (one, two) = (self.draft.content_of(&a), self.draft.content_of(&b));
                let alike =
                    one == two || matches!((one, two), (Content::Number { .. }, Content::Number { .. }));
                if !alike {
                    let message = format!("`{first}` and `{second}` don't hold the same kind of value");
                    let d = Diagnostic::error(Code::TypeMismatch, other.span, message)
                        .help("declare both variables with the same type");
                    self.draft.messages.report(d);
                    return None;
                }
                let (a, b) = (self.draft.pin_index(a, out), self.draft.pin_index(b, out));
                self.swap_values(a, b, span, out);
            }
            (a, b) => {
                let message = format!("{} and {} can't be swapped", a.text(), b.text());
                let d = Diagnostic::error(Code::TypeMismatch, span, message).help(
                    "name two zones, two variables or two pieces; `move S to ZONE` moves elements to a zone",
                );
                self.draft.messages.report(d);
            }
        }
        Some(())
    }

    /// Checks one side of a `swap`.
    fn side(&mut self, e: &'a syntax::Expr) -> Option<SwapSide> {
        if self.zone_named(e).is_some() {
            return self.zone(e).map(|(zone, domain)| SwapSide::Zone(zone, domain));
        }
        let named = self.slot_named(e, |role| matches!(role, Role::Variable | Role::Piece(_)));
        let Some((slot, name, index)) = named else {
            let value = self.expr(e, None);
            if !matches!(value, Val::Poison) {
                let found = self.draft.describe(&value);
                let message = format!("expected a zone, a variable or a piece, found {found}");
                let d = Diagnostic::error(Code::NotAssignable, e.span, message)
                    .note("expected a name declared with `zone`, `var` or `piece`, with its whole index");
                self.draft.messages.report(d);
            }
            return None;
        };
        self.usage.changed_slots.insert(slot);
        let domains = self.draft.model.slots[slot.index()].index.clone();
        if index.len() != domains.len() {
            self.draft.report_index_count(name, &domains, index.len(), e.span);
            return None;
        }
        let index = self.check_index(index, &domains)?;
        let (target, name) = (Target { slot, index }, name.to_string());
        Some(match self.draft.model.slots[slot.index()].role {
            Role::Piece(board) => SwapSide::Piece(target, name, board),
            _ => SwapSide::Variable(target, name),
        })
    }

    /// A set of sites of a board.
    fn site_set_on(&mut self, e: &'a syntax::Expr, board: BoardId) -> Option<CheckedExpr> {
        let domain = self.draft.model.boards[board.index()].domain;
        let value = self.expr(e, Some(domain));
        self.set(value, Some(domain), e.span)
    }

    /// Puts each piece where the other stood, on some sites or everywhere.
    fn swap_pieces(
        &mut self,
        a: Target,
        b: Target,
        among: Option<CheckedExpr>,
        span: Span,
        out: &mut Vec<CheckedStmt>,
    ) -> Option<()> {
        let among = among.map(|among| self.draft.keep_value("among", among, out));
        let mut places = vec![];
        for piece in [&a, &b] {
            let index = piece.index.iter().map(|e| self.draft.copy(e)).collect();
            let Val::Expr(mut sites, _) = self.slot_value(piece.slot, index, "swapped", span) else {
                return None;
            };
            if let Some(among) = &among {
                let (ty, among) = (sites.ty, Box::new(self.draft.copy(among)));
                sites = self.draft.build(CheckedExprKind::Intersect(Box::new(sites), among), ty, span);
            }
            places.push(self.draft.keep_value("swapped", sites, out));
        }
        let meant = MoveIntent { replacing: true, may_fall: false };
        for (piece, at) in [b, a].into_iter().zip(places) {
            out.push(CheckedStmt { kind: CheckedStmtKind::Put { piece, at, meant }, span });
        }
        Some(())
    }

    /// The value of a zone or variable, in a local of its own.
    fn held_of(
        &mut self,
        target: &Target,
        name: &str,
        span: Span,
        out: &mut Vec<CheckedStmt>,
    ) -> Option<LocalId> {
        let index = target.index.iter().map(|e| self.draft.copy(e)).collect();
        let Val::Expr(value, _) = self.slot_value(target.slot, index, name, span) else { return None };
        let local = self.draft.new_local(name, value.ty, span);
        out.push(CheckedStmt { kind: CheckedStmtKind::Let { local, value }, span });
        Some(local)
    }

    fn swap_values(&mut self, a: Target, b: Target, span: Span, out: &mut Vec<CheckedStmt>) -> Option<()> {
        let (one, two) = (self.held_of(&a, "swapped", span, out)?, self.held_of(&b, "swapped", span, out)?);
        for (target, local) in [(a, two), (b, one)] {
            self.forget_slot(target.slot);
            let ty = self.draft.model.locals[local.index()].ty;
            let value = self.draft.build(CheckedExprKind::Local(local), ty, span);
            out.push(CheckedStmt { kind: CheckedStmtKind::Assign { target, value }, span });
        }
        Some(())
    }

    /// Moves the contents of each zone to the other. In ordered zones each keeps its order.
    fn swap_zones(
        &mut self,
        a: Target,
        b: Target,
        domain: DomainId,
        span: Span,
        out: &mut Vec<CheckedStmt>,
    ) -> Option<()> {
        let (one, two) = (self.held_of(&a, "swapped", span, out)?, self.held_of(&b, "swapped", span, out)?);
        let (back, there) = ((b.clone(), a.clone()), (a, b));
        for ((from, to), local, other, first) in [(back, two, one, true), (there, one, two, false)] {
            let zone = Target { slot: to.slot, index: to.index.iter().map(|e| self.draft.copy(e)).collect() };
            self.draft.moves.swapped.insert(local, Swapped { from, to, other: Some(other), first });
            let what = self.draft.build(CheckedExprKind::Local(local), Type::Set(domain), span);
            out.push(CheckedStmt { kind: CheckedStmtKind::MoveTo { what, zone, below: false }, span });
        }
        Some(())
    }

    /// Exchanges the counts of every kind. A marker local serves the update of knowledge.
    fn swap_copies(
        &mut self,
        a: Target,
        b: Target,
        domain: DomainId,
        span: Span,
        out: &mut Vec<CheckedStmt>,
    ) {
        for zone in [&a, &b] {
            self.usage.read_slots.insert(zone.slot);
        }
        let mark = self.draft.new_local("swapped", Type::Set(domain), span);
        let value = self.draft.full_set(domain, span);
        out.push(CheckedStmt { kind: CheckedStmtKind::Let { local: mark, value }, span });
        let local = self.draft.new_local("kind", Type::Element(domain), span);
        let kind = |c: &mut Self| c.draft.build(CheckedExprKind::Local(local), Type::Element(domain), span);
        let mut body = vec![];
        let [here, there] = [&a, &b].map(|zone| {
            let (number, at) = (self.draft.new_local("number", Type::Number, span), kind(self));
            let value = self.draft.copies_at(zone, at, span);
            body.push(CheckedStmt { kind: CheckedStmtKind::Let { local: number, value }, span });
            number
        });
        for (zone, number) in [(&a, there), (&b, here)] {
            let at = kind(self);
            let target = self.draft.at_kind(zone, at);
            let value = self.draft.build(CheckedExprKind::Local(number), Type::Number, span);
            body.push(CheckedStmt { kind: CheckedStmtKind::Assign { target, value }, span });
        }
        self.draft.moves.swapped.insert(mark, Swapped { from: a, to: b, other: None, first: true });
        let over = self.draft.build(CheckedExprKind::Local(mark), Type::Set(domain), span);
        let body = CheckedBlock { stmts: body };
        out.push(CheckedStmt { kind: CheckedStmtKind::For { local, over, from: None, body }, span });
    }
}

impl Draft {
    fn content_of(&self, target: &Target) -> Content {
        self.model.slots[target.slot.index()].content
    }
}
