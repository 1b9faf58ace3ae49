//! Lowering of statements that move things: pieces on boards, and elements of zones.

use super::free::Free;
use super::layout::family_size;
use super::lower::Lowering;
use crate::program::{
    Imm, In, Instruction as I, Laid, NumberMut, Numbers, Out, SetIn, SetMut, SetOut, Sets, Size, Truth, ZERO,
};
use houserule_model::board::BitSet;
use houserule_model::{BoardId, CheckedExpr, CheckedExprKind, Role, SlotId, Target, walk};

impl Lowering<'_> {
    /// Returns the board on which the site of an expression is known to be empty.
    pub(super) fn free_board(&self, e: &CheckedExpr) -> Option<Free> {
        match &e.kind {
            CheckedExprKind::Local(local) => self.free.get(local).cloned(),
            CheckedExprKind::First(s) | CheckedExprKind::Last(s) => self.free_sites(s),
            _ => None,
        }
    }

    /// Returns the board on which all sites of a set are known to be empty.
    pub(super) fn free_sites(&self, e: &CheckedExpr) -> Option<Free> {
        match &e.kind {
            CheckedExprKind::Read(target) => match self.role(target.slot) {
                Role::Empty(board) => Some(Free { board, index: target.index.clone(), me: self.me }),
                _ => None,
            },
            CheckedExprKind::Intersect(a, b) => self.free_sites(a).or_else(|| self.free_sites(b)),
            CheckedExprKind::Minus(a, _) | CheckedExprKind::Filter { over: a, .. } => self.free_sites(a),
            CheckedExprKind::If(_, a, b) => {
                self.free_sites(a).filter(|one| self.free_sites(b).is_some_and(|other| one.is(&other)))
            }
            _ => None,
        }
    }

    /// Drops what is known about boards with value indices, because an assignment may change these.
    pub(super) fn forget_named_boards(&mut self) {
        self.free.retain(|_, free| free.is_lasting());
    }

    pub(super) fn put(&mut self, piece: &Target, at: &CheckedExpr) {
        let Role::Piece(board_id) = self.role(piece.slot) else { return };
        let board = &self.model.boards[board_id.index()];
        let on = &piece.index[..board.index.len()];
        if let CheckedExprKind::Elements(list) = &at.kind
            && let [e] = &list[..]
            && self.free_board(e).is_some_and(|free| free.is_on(board_id, on, self.me))
        {
            let e = self.number(e);
            let (to, index) = self.family_sets(piece.slot, &piece.index);
            let size = Size(self.size_of(board.domain));
            if on.is_empty() {
                let empty = SetMut(self.slot(board.empty));
                self.emit(I::Place { to, index, empty, e, size });
            } else {
                let (empty, on) = self.family_sets(board.empty, on);
                self.emit(I::PlaceOn { to, index, empty, on, e, size });
            }
        } else {
            let at = self.before_it_changes(at);
            // A piece with only one kind need not be cleared where it is put.
            let gets = (piece.index.len() == on.len()).then_some(piece.slot);
            // Compute the index before anything is cleared, which might change it.
            let which = self.which_board(board_id, on);
            if !on.is_empty() && piece.index.len() == on.len() {
                self.clear_sites_of(board_id, which, at, gets);
                let boards = family_size(self.model, board.empty).min(u16::MAX.into()) as u16;
                let family = |at| Sets { at, len: boards };
                self.emit(I::StoreOr { to: family(self.slot(piece.slot)), index: which, a: at });
                self.emit(I::StoreMinus { to: family(self.slot(board.empty)), index: which, a: at });
            } else {
                let (to, index) = self.family_sets(piece.slot, &piece.index);
                let (empty, own) = self.family_sets(board.empty, on);
                self.clear_sites_of(board_id, which, at, gets);
                self.emit(I::StoreOr { to, index, a: at });
                self.emit(I::StoreMinus { to: empty, index: own, a: at });
            }
        }
        self.free.clear();
    }

    pub(super) fn clear(&mut self, board: BoardId, on: &[CheckedExpr], at: &CheckedExpr) {
        let at = self.before_it_changes(at);
        let which = self.which_board(board, on);
        let (to, index) = self.family_sets(self.model.boards[board.index()].empty, on);
        self.clear_sites_of(board, which, at, None);
        self.emit(I::StoreOr { to, index, a: at });
    }

    /// Returns a set with its present value: a copy if the statement may change its words.
    fn before_it_changes(&mut self, e: &CheckedExpr) -> SetIn {
        let a = self.set(e);
        let changes = |slot| matches!(self.role(slot), Role::Piece(_) | Role::Zone);
        if a.0 >= self.layout.live
            || !matches!(&e.kind, CheckedExprKind::Read(target) if changes(target.slot))
        {
            return a;
        }
        let kept = self.set_temp();
        self.emit(I::SetCopy { d: SetOut(kept), a });
        SetIn(kept)
    }

    /// Returns the index of a board in its family.
    fn which_board(&mut self, board: BoardId, on: &[CheckedExpr]) -> In {
        let sizes: Vec<u16> =
            self.model.boards[board.index()].index.iter().map(|d| self.size_of(*d)).collect();
        if on.is_empty() { In(ZERO) } else { self.flat(on, &sizes) }
    }

    /// Removes every piece except those of one slot from some sites of a board. The caller must update the empty
    /// sites.
    fn clear_sites_of(&mut self, board: BoardId, which: In, at: SetIn, but: Option<SlotId>) {
        let board = &self.model.boards[board.index()];
        let boards = family_size(self.model, board.empty);
        // The kinds of one board are adjacent: its index times the number of kinds.
        for piece in board.pieces.iter().filter(|piece| Some(**piece) != but) {
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

    /// Multiplies a number by a constant.
    pub(super) fn scaled(&mut self, a: In, by: usize) -> In {
        if by == 1 || a.0 == ZERO {
            return a;
        }
        let t = self.number_temp();
        self.emit(I::ScaleAdd { d: Out(t), a, k: Imm(by as i32), b: In(ZERO) });
        In(t)
    }

    pub(super) fn move_piece(
        &mut self,
        board_id: BoardId,
        on: &[CheckedExpr],
        from: &CheckedExpr,
        to: &CheckedExpr,
    ) {
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
        self.emit(I::IfLessK { a: from, k: Imm(0), is: Truth(true), to: end.block() });
        self.emit(I::IfLessK { a: to, k: Imm(0), is: Truth(true), to: end.block() });
        let (empty, which) = self.family_sets(board.empty, on);
        let (t, at) = (self.set_temp(), self.set_temp());
        self.emit(I::LoadSet { d: SetOut(t), from: empty, index: which });
        self.emit(I::IfIn { a: SetIn(t), e: from, size, is: Truth(true), to: end.block() });
        let none = BitSet::empty(size.0.into());
        // Both sites as sets: source and destination.
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
                self.emit(I::IfIn { a: SetIn(held), e: from, size, is: Truth(false), to: no.block() });
                self.emit(I::Const { d: Out(moved), k: Imm(kind_number) });
                self.bind(no);
                places.push((kind_number, family, first));
                kind_number += 1;
            }
        }
        // First clear both sites, then place the piece that moved.
        self.clear_sites_of(board_id, number, SetIn(t), None);
        self.emit(I::StoreOr { to: empty, index: which, a: SetIn(t) });
        self.clear_sites_of(board_id, number, SetIn(at), None);
        for (kind, family, first) in places {
            let no = self.label();
            self.emit(I::IfEqualK { a: In(moved), k: Imm(kind), is: Truth(false), to: no.block() });
            self.emit(I::StoreOr { to: family, index: first, a: SetIn(at) });
            self.bind(no);
        }
        self.emit(I::StoreMinus { to: empty, index: which, a: SetIn(at) });
        self.bind(end);
        self.free.clear();
    }

    pub(super) fn move_to(&mut self, what: &CheckedExpr, zone: &Target, below: bool) {
        let what = self.before_it_changes(what);
        let (to, index) = self.family_sets(zone.slot, &zone.index);
        let lifted = self.lift_out(what, zone.slot);
        for slot in walk::zones(self.model, zone.slot) {
            let first = self.slot(slot);
            for place in 0..family_size(self.model, slot) as u16 {
                let d = first + place * self.layout.width;
                self.emit(I::Minus { d: SetOut(d), a: SetIn(d), b: what });
            }
        }
        if let Some((places, n)) = lifted {
            let laid = match self.model.order_in(zone.slot) {
                None => Laid::Loose,
                Some(_) if below => Laid::Below,
                Some(_) => Laid::OnTop,
            };
            self.emit(I::Lay { to, index, a: what, places, n, laid });
        }
        self.emit(I::StoreOr { to, index, a: what });
    }

    /// Closes the gaps that moved elements leave in ordered zones, and numbers these from the top. Returns the slot
    /// with the places, and how many elements move. Returns `None` if no zone of the domain is ordered.
    fn lift_out(&mut self, what: SetIn, zone: SlotId) -> Option<(Numbers, In)> {
        let order = self.model.order_of(zone)?;
        let len = family_size(self.model, order.places).min(u16::MAX.into()) as u16;
        let places = Numbers { at: self.slot(order.places), len };
        let n = self.number_temp();
        self.emit(I::Const { d: Out(n), k: Imm(0) });
        for slot in walk::zones(self.model, zone) {
            let len = family_size(self.model, slot).min(u16::MAX.into()) as u16;
            let from = Sets { at: self.slot(slot), len };
            let ordered = Truth(order.zones.contains(&slot));
            self.emit(I::Lift { from, a: what, places, n: NumberMut(n), ordered });
        }
        Some((places, In(n)))
    }
}
