//! `move` of pieces: on a board, from one of several like boards to another, and all of a set in a direction.

use crate::checker::Checker;
use crate::draft::Draft;
use crate::names::name_table::Entity;
use crate::values::{May, Val};
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax;
use houserule_language::syntax::ExprKind as S;
use houserule_model::*;

/// A site of a move, and the index of its board in the family.
struct MoveEnd {
    site: CheckedExpr,
    index: Vec<CheckedExpr>,
}

impl<'a> Checker<'a> {
    /// Checks `move a to b`, `move a on BOARD to b on BOARD` and `move S to DIRECTION`.
    #[expect(clippy::too_many_arguments, reason = "the parts of one statement")]
    pub(super) fn move_statement(
        &mut self,
        from: &'a syntax::Expr,
        on: Option<&'a syntax::Expr>,
        to: &'a syntax::Expr,
        onto: Option<&'a syntax::Expr>,
        replacing: bool,
        span: Span,
        out: &mut Vec<CheckedStmt>,
    ) -> Option<CheckedStmtKind> {
        let value = self.expr(from, None);
        let domain = value.domain();
        let Some(board) = domain.and_then(|d| self.draft.board_of(d)) else {
            if !matches!(self.expr(to, None), Val::Poison) {
                self.draft.report_mismatch(from.span, "a site", &value);
            }
            return None;
        };
        let domain = domain?;
        let target = self.expr(to, Some(domain));
        if target.domain().is_some_and(|domain| self.names.is_direction(domain)) {
            if let Some(onto) = onto {
                let message = "a direction leads to other sites of the same board";
                let d = Diagnostic::error(Code::Misplaced, onto.span, message)
                    .help("leave out this `on`, and name the board before `to`: `move S on BOARD to north`");
                self.draft.messages.report(d);
                return None;
            }
            let (sites, direction) = self.sites_and_direction(board, value, from.span, target, to.span)?;
            let index = match on {
                Some(on) => self.which_board(on, board)?,
                None => self.draft.board_of_piece(board, &sites, from.span)?,
            };
            return self.draft.shift_pieces(board, index, sites, direction, replacing, span, out);
        }
        if let Some(Type::Set(_)) = value.ty() {
            if !matches!(target, Val::Poison) {
                let message = "the pieces of a set move only in a direction";
                let help = "write `move S to north` with a direction of the board, or move one piece: `lowest(…)` is \
                            one element of a set";
                self.draft
                    .messages
                    .report(Diagnostic::error(Code::TypeMismatch, from.span, message).help(help));
            }
            return None;
        }
        let a = self.element(value, domain, from.span);
        let b = self.element(target, domain, to.span);
        let ((a, _), (b, may)) = (a?, b?);
        let index = match on {
            Some(on) => self.which_board(on, board)?,
            None => self.draft.board_of_piece(board, &a, from.span)?,
        };
        let meant = MoveIntent { replacing, may_fall: may != May::Never };
        let Some(onto) = onto else {
            let b = self.draft.fitting_site(board, &index, b);
            return Some(CheckedStmtKind::Move { board, index, from: a, to: b, meant });
        };
        let other = self.which_board(onto, board)?;
        let b = self.draft.fitting_site(board, &other, b);
        let (from, to) = (MoveEnd { site: a, index }, MoveEnd { site: b, index: other });
        self.draft.move_across(board, from, to, replacing, span, out)
    }

    /// Checks the sites and the direction of `move S to DIRECTION`.
    fn sites_and_direction(
        &mut self,
        board: BoardId,
        sites: Val,
        sites_span: Span,
        direction: Val,
        direction_span: Span,
    ) -> Option<(CheckedExpr, CheckedExpr)> {
        let Board { domain, topology, .. } = &self.draft.model.boards[board.index()];
        if topology.directions().is_empty() {
            let message = format!("{} has no directions to move in", self.draft.kind_of(board));
            self.draft.messages.error(Code::NotOnThisBoard, direction_span, message);
            return None;
        }
        let (sites, directions) = (self.set(sites, Some(*domain), sites_span), direction.domain());
        let sites = sites?;
        Some((sites, self.some_element(direction, directions?, direction_span)?))
    }

    /// The index of the board that is named after `on`.
    fn which_board(&mut self, e: &'a syntax::Expr, board: BoardId) -> Option<Vec<CheckedExpr>> {
        let (name, index): (_, &'a [syntax::Expr]) = match &e.kind {
            S::Name(name) => (name, &[]),
            S::Index(base, index) => match &base.kind {
                S::Name(name) => (name, index),
                _ => return self.draft.report_other_board(e, board),
            },
            _ => return self.draft.report_other_board(e, board),
        };
        if self.scopes.local(&name.text).is_some() {
            return self.draft.report_other_board(e, board);
        }
        match self.entity(name) {
            Some(Entity::Board(named)) if named == board => {}
            Some(Entity::Poison) => return None,
            _ => return self.draft.report_other_board(e, board),
        }
        let domains = self.draft.model.boards[board.index()].index.clone();
        if index.len() != domains.len() {
            self.draft.report_index_count(&name.text, &domains, index.len(), e.span);
            return None;
        }
        self.check_index(index, &domains)
    }
}

impl Draft {
    /// Moves the pieces on some sites one step in a direction, all at once. Those that leave the board are removed.
    #[expect(clippy::too_many_arguments, reason = "the parts of one statement")]
    fn shift_pieces(
        &mut self,
        board: BoardId,
        index: Vec<CheckedExpr>,
        sites: CheckedExpr,
        direction: CheckedExpr,
        replacing: bool,
        span: Span,
        out: &mut Vec<CheckedStmt>,
    ) -> Option<CheckedStmtKind> {
        let domain = self.model.boards[board.index()].domain;
        let index: Vec<CheckedExpr> = index.into_iter().map(|e| self.keep_if_changing(e, out)).collect();
        let (sites, direction) = (self.keep_if_changing(sites, out), self.keep_if_changing(direction, out));
        let mut puts = vec![];
        for piece in self.model.boards[board.index()].pieces.clone() {
            let domains = self.model.slots[piece.index()].index.clone();
            for kind in self.every_index(vec![], &domains[index.len()..], span)? {
                let own = |c: &mut Self| {
                    let index = index.iter().chain(&kind).map(|e| c.copy(e)).collect();
                    Target { slot: piece, index }
                };
                let (piece, target) = (own(self), own(self));
                let all = Box::new(self.build(CheckedExprKind::Read(target), Type::Set(domain), span));
                let some = CheckedExprKind::Intersect(all, Box::new(self.copy(&sites)));
                let moved = self.build(some, Type::Set(domain), span);
                let moved = self.keep_value("moved", moved, out);
                let there = self.shifted(board, moved, &direction, span)?;
                let there = self.sites_there(board, &index, there);
                let meant = MoveIntent { replacing, may_fall: false };
                puts.push(CheckedStmt { kind: CheckedStmtKind::Put { piece, at: there, meant }, span });
            }
        }
        let index = index.iter().map(|e| self.copy(e)).collect();
        out.push(CheckedStmt { kind: CheckedStmtKind::Clear { board, index, at: sites }, span });
        let last = puts.pop();
        out.extend(puts);
        last.map(|stmt| stmt.kind)
    }

    /// Moves the piece on a site to a site of another board of the family, as a piece of the same kind.
    fn move_across(
        &mut self,
        board: BoardId,
        from: MoveEnd,
        to: MoveEnd,
        replacing: bool,
        span: Span,
        out: &mut Vec<CheckedStmt>,
    ) -> Option<CheckedStmtKind> {
        let domain = self.model.boards[board.index()].domain;
        let (site_from, site_to) =
            (self.keep_if_changing(from.site, out), self.keep_if_changing(to.site, out));
        let index: Vec<CheckedExpr> = from.index.into_iter().map(|e| self.keep_if_changing(e, out)).collect();
        let other: Vec<CheckedExpr> = to.index.into_iter().map(|e| self.keep_if_changing(e, out)).collect();
        let site = |c: &mut Self, site: &CheckedExpr| {
            let element = c.copy(site);
            c.elements(vec![element], domain, span)
        };
        let mut stmts = vec![];
        for piece in self.model.boards[board.index()].pieces.clone() {
            let domains = self.model.slots[piece.index()].index.clone();
            let kinds = self.every_index(vec![], &domains[index.len()..], span)?;
            for kind in kinds {
                let at = |c: &mut Self, board: &[CheckedExpr]| {
                    let index = board.iter().chain(&kind).map(|e| c.copy(e)).collect();
                    Target { slot: piece, index }
                };
                let own = at(self, &index);
                let set = Box::new(self.build(CheckedExprKind::Read(own), Type::Set(domain), span));
                let element = Box::new(self.copy(&site_from));
                let condition = self.build(CheckedExprKind::Contains { set, element }, Type::Bool, span);
                let clear = CheckedStmtKind::Clear {
                    board,
                    index: index.iter().map(|e| self.copy(e)).collect(),
                    at: site(self, &site_from),
                };
                let meant = MoveIntent { replacing, may_fall: false };
                let put = CheckedStmtKind::Put { piece: at(self, &other), at: site(self, &site_to), meant };
                let then = [clear, put].map(|kind| CheckedStmt { kind, span });
                let (then, otherwise) = (CheckedBlock { stmts: then.into() }, CheckedBlock::default());
                stmts.push(CheckedStmt { kind: CheckedStmtKind::If { condition, then, otherwise }, span });
            }
        }
        let target = site(self, &site_to);
        let condition = self.is_some(target, span);
        let (then, otherwise) = (CheckedBlock { stmts }, CheckedBlock::default());
        Some(CheckedStmtKind::If { condition, then, otherwise })
    }

    /// A value as it is now, whatever changes later.
    fn keep_if_changing(&mut self, e: CheckedExpr, out: &mut Vec<CheckedStmt>) -> CheckedExpr {
        let plain =
            matches!(e.kind, CheckedExprKind::Constant(_) | CheckedExprKind::Local(_) | CheckedExprKind::Me);
        if plain {
            return e;
        }
        self.keep_value("kept", e, out)
    }

    fn report_other_board<T>(&mut self, e: &syntax::Expr, board: BoardId) -> Option<T> {
        let Board { name, index, .. } = &self.model.boards[board.index()];
        let written = match &index[..] {
            [] => name.clone(),
            index => {
                let names: Vec<&str> = index.iter().map(|domain| self.domain_name(*domain)).collect();
                format!("{name}[{}]", names.join(", "))
            }
        };
        let message = format!("the site is on `{written}`, and after `on` comes that board");
        self.messages.error(Code::UnknownBoard, e.span, message);
        None
    }

    /// The index of the board that an expression for a site names with a piece or `empty`.
    fn board_of_piece(&mut self, board: BoardId, site: &CheckedExpr, span: Span) -> Option<Vec<CheckedExpr>> {
        let parts = self.model.boards[board.index()].index.len();
        if parts == 0 {
            return Some(vec![]);
        }
        match self.index_within(board, parts, &mut site.clone()) {
            Some(index) => Some(index.iter().map(|e| self.copy(e)).collect()),
            None => {
                let name = self.model.boards[board.index()].name.clone();
                let d = Diagnostic::error(
                    Code::AmbiguousName,
                    span,
                    format!("there are several boards `{name}`: which is meant?"),
                )
                .help(format!(
                    "say it after `on`: `move a on {name}[…] to b`, or `… to b on {name}[…]` for another of them"
                ));
                self.messages.report(d);
                None
            }
        }
    }
}
