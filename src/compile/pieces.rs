//! Statements that move things: pieces on boards, and what lies in zones.

use super::layout::family_size;
use super::lower::Lower;
use super::walk;
use crate::board::BitSet;
use crate::lang::model::{BoardId, Expr, ExprKind, Role, Target};
use crate::program::{Imm, In, Instruction as I, Out, SetIn, SetMut, SetOut, Sets, Size, ZERO};

impl Lower<'_> {
    /// The board, if an expression is a site that is known to be empty on a board without index.
    pub(super) fn free_board(&self, e: &Expr) -> Option<BoardId> {
        match &e.kind {
            ExprKind::Local(local) => self.free.get(local).copied(),
            ExprKind::First(s) | ExprKind::Last(s) => self.free_sites(s),
            _ => None,
        }
    }

    /// The board, if a set holds empty sites only.
    pub(super) fn free_sites(&self, e: &Expr) -> Option<BoardId> {
        match &e.kind {
            ExprKind::Read(target) if target.index.is_empty() => match self.role(target.slot) {
                Role::Empty(board) => Some(board),
                _ => None,
            },
            ExprKind::Intersect(a, b) => self.free_sites(a).or_else(|| self.free_sites(b)),
            ExprKind::Minus(a, _) | ExprKind::Filter { over: a, .. } => self.free_sites(a),
            ExprKind::If(_, a, b) => self.free_sites(a).filter(|board| self.free_sites(b) == Some(*board)),
            _ => None,
        }
    }

    pub(super) fn put(&mut self, piece: &Target, at: &Expr) {
        let Role::Piece(board_id) = self.role(piece.slot) else { return };
        let board = &self.model.boards[board_id.index()];
        if let ExprKind::Elements(list) = &at.kind
            && let [e] = &list[..]
            && board.index.is_empty()
            && self.free_board(e) == Some(board_id)
        {
            let site = self.number(e);
            let (to, index) = self.family_sets(piece.slot, &piece.index);
            let empty = SetMut(self.slot(board.empty));
            let size = Size(self.size_of(board.domain));
            self.emit(I::Place { to, index, empty, e: site, size });
        } else {
            let at = self.before_it_changes(at);
            let on = &piece.index[..board.index.len()];
            // Whatever is cleared, the place is the one that was named before.
            let which = self.which_board(board_id, on);
            if !on.is_empty() && piece.index.len() == on.len() {
                self.clear_sites_of(board_id, which, at);
                let boards = family_size(self.model, board.empty).min(u16::MAX.into()) as u16;
                let family = |at| Sets { at, len: boards };
                self.emit(I::StoreOr { to: family(self.slot(piece.slot)), index: which, a: at });
                self.emit(I::StoreMinus { to: family(self.slot(board.empty)), index: which, a: at });
            } else {
                let (to, index) = self.family_sets(piece.slot, &piece.index);
                let (empty, own) = self.family_sets(board.empty, on);
                self.clear_sites_of(board_id, which, at);
                self.emit(I::StoreOr { to, index, a: at });
                self.emit(I::StoreMinus { to: empty, index: own, a: at });
            }
        }
        self.free.clear();
    }

    pub(super) fn clear(&mut self, board: BoardId, on: &[Expr], at: &Expr) {
        let at = self.before_it_changes(at);
        let which = self.which_board(board, on);
        let (to, index) = self.family_sets(self.model.boards[board.index()].empty, on);
        self.clear_sites_of(board, which, at);
        self.emit(I::StoreOr { to, index, a: at });
    }

    /// A set as it is now, for a statement that may change where it lies.
    fn before_it_changes(&mut self, e: &Expr) -> SetIn {
        let a = self.set(e);
        let changes = |slot| matches!(self.role(slot), Role::Piece(_) | Role::Zone);
        if a.0 >= self.layout.live || !matches!(&e.kind, ExprKind::Read(target) if changes(target.slot)) {
            return a;
        }
        let kept = self.set_temp();
        self.emit(I::SetCopy { d: SetOut(kept), a });
        SetIn(kept)
    }

    /// The number of a board in its family.
    fn which_board(&mut self, board: BoardId, on: &[Expr]) -> In {
        let sizes: Vec<u16> =
            self.model.boards[board.index()].index.iter().map(|d| self.size_of(*d)).collect();
        if on.is_empty() { In(ZERO) } else { self.flat(on, &sizes) }
    }

    /// Takes every piece off some sites of the board with a number; the empty sites are left to the caller.
    fn clear_sites_of(&mut self, board: BoardId, which: In, at: SetIn) {
        let board = &self.model.boards[board.index()];
        let boards = family_size(self.model, board.empty);
        // The pieces of one board lie together: its number times how many kinds there are.
        for piece in &board.pieces {
            let kinds = family_size(self.model, *piece) / boards.max(1);
            let base = self.slot(*piece);
            let width = self.layout.width;
            if board.index.is_empty() {
                for k in 0..kinds as u16 {
                    let d = base + k * width;
                    self.emit(I::Minus { d: SetOut(d), a: SetIn(d), b: at });
                }
                continue;
            }
            let first = self.scaled(which, kinds);
            for kind in 0..kinds as u16 {
                let to = Sets {
                    at: base + kind * width,
                    len: ((boards - 1) * kinds + 1).min(usize::from(u16::MAX)) as u16,
                };
                self.emit(I::StoreMinus { to, index: first, a: at });
            }
        }
    }

    /// A number times one that is known.
    pub(super) fn scaled(&mut self, a: In, by: usize) -> In {
        if by == 1 || a.0 == ZERO {
            return a;
        }
        let t = self.number_temp();
        self.emit(I::ScaleAdd { d: Out(t), a, k: Imm(by as i32), b: In(ZERO) });
        In(t)
    }

    pub(super) fn move_piece(&mut self, board_id: BoardId, on: &[Expr], from: &Expr, to: &Expr) {
        let board = &self.model.boards[board_id.index()];
        let size = Size(self.size_of(board.domain));
        let end = self.label();
        let (from, to) = (self.number(from), self.number(to));
        if let (true, [piece]) = (board.index.is_empty(), &board.pieces[..]) {
            let len = family_size(self.model, *piece).min(u16::MAX.into()) as u16;
            let on = Sets { at: self.slot(*piece), len };
            let empty = SetMut(self.slot(board.empty));
            self.emit(I::MovePiece { on, empty, from, to, size });
            self.free.clear();
            return;
        }
        self.emit(I::IfLessK { a: from, k: Imm(0), to: end.block() });
        self.emit(I::IfLessK { a: to, k: Imm(0), to: end.block() });
        let (empty, which) = self.family_sets(board.empty, on);
        let (t, at) = (self.set_temp(), self.set_temp());
        self.emit(I::LoadSet { d: SetOut(t), from: empty, index: which });
        self.emit(I::IfIn { a: SetIn(t), e: from, size, to: end.block() });
        let none = BitSet::empty(size.0.into());
        // Both sites as sets: where the piece leaves and where it comes to.
        self.constant_set(&none, t);
        self.emit(I::Insert { d: SetMut(t), e: from, size });
        self.constant_set(&none, at);
        self.emit(I::Insert { d: SetMut(at), e: to, size });
        let boards = family_size(self.model, board.empty);
        let number = self.which_board(board_id, on);
        let (held, moved) = (self.set_temp(), self.number_temp());
        self.emit(I::Const { d: Out(moved), k: Imm(-1) });
        let mut kind_number = 0;
        let mut places = vec![];
        for piece in &board.pieces {
            let kinds = family_size(self.model, *piece) / boards.max(1);
            let first = self.scaled(number, kinds);
            for kind in 0..kinds as u16 {
                let family = Sets {
                    at: self.slot(*piece) + kind * self.layout.width,
                    len: ((boards - 1) * kinds + 1).min(usize::from(u16::MAX)) as u16,
                };
                let no = self.label();
                self.emit(I::LoadSet { d: SetOut(held), from: family, index: first });
                self.emit(I::IfNotIn { a: SetIn(held), e: from, size, to: no.block() });
                self.emit(I::Const { d: Out(moved), k: Imm(kind_number) });
                self.bind(no);
                places.push((kind_number, family, first));
                kind_number += 1;
            }
        }
        // First everything leaves both sites, then what moved comes to its new one.
        self.clear_sites_of(board_id, number, SetIn(t));
        self.emit(I::StoreOr { to: empty, index: which, a: SetIn(t) });
        self.clear_sites_of(board_id, number, SetIn(at));
        for (kind, family, first) in places {
            let no = self.label();
            self.emit(I::IfNotEqualK { a: In(moved), k: Imm(kind), to: no.block() });
            self.emit(I::StoreOr { to: family, index: first, a: SetIn(at) });
            self.bind(no);
        }
        self.emit(I::StoreMinus { to: empty, index: which, a: SetIn(at) });
        self.bind(end);
        self.free.clear();
    }

    pub(super) fn move_to(&mut self, what: &Expr, zone: &Target) {
        let what = self.before_it_changes(what);
        let (to, index) = self.family_sets(zone.slot, &zone.index);
        for slot in walk::zones(self.model, zone.slot) {
            let first = self.slot(slot);
            for place in 0..family_size(self.model, slot) as u16 {
                let d = first + place * self.layout.width;
                self.emit(I::Minus { d: SetOut(d), a: SetIn(d), b: what });
            }
        }
        self.emit(I::StoreOr { to, index, a: what });
    }
}
