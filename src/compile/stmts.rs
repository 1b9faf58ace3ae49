//! Statements.

use super::layout::{Changed, address, changed, joint_outcomes};
use super::lower::{Exits, Label, Lower};
use super::walk;
use crate::lang::model::{
    Block, BoardId, Builtin, Content, Expr, ExprKind, LocalId, Role, SlotId, Stmt, StmtKind, Target, Type,
    Value,
};
use crate::program::{
    DiceRef, EndRef, Failure, Imm, In, Instruction as I, Out, Phase, Range, ResultKind, SetIn, SetMut,
    SetOut, SiteKind, Size, StepRef,
};

impl Lower<'_> {
    pub(super) fn block(&mut self, block: &Block, exits: Exits) {
        let ends = std::mem::take(&mut self.branch_ends);
        self.scoped(|this| {
            for (k, stmt) in block.stmts.iter().enumerate() {
                if k + 1 == block.stmts.len() {
                    // What the last statement's branches can test, they test.
                    this.branch_ends = ends.iter().copied().filter(|n| this.passes_on(block, *n)).collect();
                }
                this.stmt(stmt, exits);
            }
        });
        self.branch_end(block, &ends);
        self.branch_ends = ends;
    }

    fn stmt(&mut self, stmt: &Stmt, exits: Exits) {
        if self.is_full() {
            return;
        }
        let saved = std::mem::replace(&mut self.span, stmt.span);
        // A local gets its word outside the statement's own temporaries, which end with it.
        match &stmt.kind {
            StmtKind::Let { local, value } => {
                let at = self.local(*local);
                self.store_local(*local, at, value);
            }
            StmtKind::Pick { local, over } => self.pick(*local, over),
            _ => self.scoped(|this| this.simple(stmt, exits)),
        }
        self.span = saved;
    }

    fn simple(&mut self, stmt: &Stmt, exits: Exits) {
        match &stmt.kind {
            StmtKind::Let { .. } | StmtKind::Pick { .. } => {}
            StmtKind::Step { step, body } => {
                self.emit(I::Mark { step: StepRef(step.0 as u16) });
                let skip = self.label();
                let ends = self.ends_in_branches(body);
                self.branch_ends.clone_from(&ends);
                self.block(body, Exits { skip: Some(skip), ..exits });
                self.branch_ends.clear();
                self.bind(skip);
                self.ends_at_once(body, &ends);
            }
            StmtKind::Choose(choice) => self.choose(*choice, exits),
            StmtKind::If { condition, then, otherwise } => {
                let (no, end) = (self.label(), self.label());
                self.branch(condition, false, no);
                let before = self.free.clone();
                self.block(then, exits);
                let after_then = std::mem::replace(&mut self.free, before);
                if otherwise.stmts.is_empty() {
                    self.bind(no);
                } else {
                    self.jump(end);
                    self.bind(no);
                    self.block(otherwise, exits);
                    self.bind(end);
                }
                self.free.retain(|local, _| after_then.contains_key(local));
            }
            StmtKind::For { local, over, from, body } => {
                self.for_loop(*local, over, from.as_ref(), body, exits)
            }
            StmtKind::While { condition, body } => {
                self.free.clear();
                let (head, end) = (self.here(), self.label());
                self.branch(condition, false, end);
                self.block(body, exits);
                self.emit(I::Loop { to: head.block() });
                self.bind(end);
                self.free.clear();
            }
            StmtKind::Repeat { body, until } => {
                self.free.clear();
                let (head, end) = (self.here(), self.label());
                self.block(body, exits);
                self.branch(until, true, end);
                self.emit(I::Loop { to: head.block() });
                self.bind(end);
                self.free.clear();
            }
            StmtKind::Chance { body, given } => self.chance(address(stmt), body, given, exits),
            StmtKind::As { player, body } => {
                let who = self.acting(player);
                // Who acts is fixed on entry, whatever the body does to where it was read from.
                let me = match self.layout.acting.get(&address(stmt)) {
                    Some(at) => *at,
                    None => self.number_temp(),
                };
                self.emit(I::Copy { d: Out(me), a: In(who) });
                let saved = std::mem::replace(&mut self.me, me);
                self.block(body, exits);
                self.me = saved;
            }
            StmtKind::Turns { from, body } => self.turns_of_round(from, body),
            StmtKind::SetLocal { local, value } => {
                let at = self.local(*local);
                self.free.remove(local);
                self.store_local(*local, at, value);
            }
            StmtKind::Assign { target, value } => self.assign(target, value),
            StmtKind::Put { piece, at } => self.put(piece, at),
            StmtKind::Clear { board, index, at } => {
                let at = self.set(at);
                self.clear_sites(*board, index, at);
                let empty = self.model.boards[board.index()].empty;
                let (to, index) = self.family_sets(empty, index);
                self.emit(I::StoreOr { to, index, a: at });
            }
            StmtKind::ClearPiece { piece } => {
                let (family, index) = self.family_sets(piece.slot, &piece.index);
                let t = self.set_temp();
                self.emit(I::LoadSet { d: SetOut(t), from: family, index });
                if let Role::Piece(board) = self.role(piece.slot) {
                    let board = &self.model.boards[board.index()];
                    let (to, e) = self.family_sets(board.empty, &piece.index[..board.index.len()]);
                    self.emit(I::StoreOr { to, index: e, a: SetIn(t) });
                }
                self.emit(I::StoreMinus { to: family, index, a: SetIn(t) });
            }
            StmtKind::Move { board, index, from, to } => self.move_piece(*board, index, from, to),
            StmtKind::MoveTo { what, zone } => self.move_to(what, zone),
            StmtKind::Roll { dice, among } => self.roll(address(stmt), dice, among.as_ref()),
            StmtKind::Next(player) => {
                let who = self.acting(player);
                let d = Out(self.slot(Builtin::NextMover.slot()));
                self.emit(I::Copy { d, a: In(who) });
            }
            StmtKind::Again => self.jump(exits.again),
            StmtKind::Done => self.jump(exits.done),
            StmtKind::Skip => self.jump(exits.skip.unwrap_or(exits.done)),
            StmtKind::EndGame => {
                let (result, player, turns) = (ResultKind::Scores, In(self.me), self.turns_over());
                self.emit(I::Over { end: EndRef(0), result, player, turns });
            }
        }
    }

    fn store_local(&mut self, local: LocalId, at: u16, value: &Expr) {
        match self.model.locals[local.index()].ty {
            Type::Set(_) => self.set_into(value, at),
            _ => {
                let free = self.free_board(value);
                self.number_into(value, at);
                if let Some(board) = free {
                    self.free.insert(local, board);
                }
            }
        }
    }

    // ---- assignment ----

    fn range_of(&mut self, slot: SlotId) -> Option<crate::program::RangeRef> {
        let declared = &self.model.slots[slot.index()];
        let name = declared.name.clone();
        Some(match declared.content {
            Content::Number { low, high } => self.range(Range { name, low, high, element: false }),
            Content::Element { domain, optional: false } => {
                let high = i64::from(self.model.domains[domain.index()].size) - 1;
                self.range(Range { name, low: 0, high, element: true })
            }
            _ => return None,
        })
    }

    fn assign(&mut self, target: &Target, value: &Expr) {
        let slot = target.slot;
        if let Content::Set(_) = self.model.slots[slot.index()].content {
            match self.constant_position(slot, &target.index) {
                Some(position) => self.set_into(value, self.slot(slot) + position as u16 * self.layout.width),
                None => {
                    let a = self.set(value);
                    let (to, index) = self.family_sets(slot, &target.index);
                    self.emit(I::StoreSet { to, index, a });
                }
            }
            return;
        }
        let range = self.range_of(slot);
        let range = range.filter(|_| !self.always_fits(slot, value));
        let Some(position) = self.constant_position(slot, &target.index) else {
            return self.assign_at_index(target, value, range);
        };
        let d = self.slot(slot) + position as u16;
        let Some(range) = range else { return self.number_into(value, d) };
        // A sum is checked as it is made.
        if let ExprKind::Arithmetic(op, a, b) = &value.kind {
            use crate::lang::model::Arithmetic::{Add, Subtract};
            let k = match &b.kind {
                ExprKind::Constant(Value::Number(n)) => i32::try_from(*n).ok().filter(|n| *n != i32::MIN),
                _ => None,
            };
            match (op, k) {
                (Add | Subtract, Some(k)) => {
                    let k = Imm(if *op == Add { k } else { -k });
                    let a = self.number(a);
                    return self.emit(I::AddKIn { d: Out(d), a, k, range });
                }
                (Add, None) => {
                    let (a, b) = (self.number(a), self.number(b));
                    return self.emit(I::AddIn { d: Out(d), a, b, range });
                }
                _ => {}
            }
        }
        let a = self.number(value);
        self.emit(I::CopyIn { d: Out(d), a, range });
    }

    fn assign_at_index(&mut self, target: &Target, value: &Expr, range: Option<crate::program::RangeRef>) {
        use crate::lang::model::Arithmetic::Add;
        if let (Some(range), ExprKind::Arithmetic(Add, a, b)) = (range, &value.kind)
            && let ExprKind::Read(read) = &a.kind
            && read.slot == target.slot
            && same_exprs(&read.index, &target.index)
        {
            let a = self.number(b);
            let (to, index) = self.family_numbers(target.slot, &target.index);
            return self.emit(I::StoreAddIn { to, index, a, range });
        }
        let a = self.number(value);
        if let Some(range) = range {
            self.emit(I::Check { a, range });
        }
        let (to, index) = self.family_numbers(target.slot, &target.index);
        self.emit(I::Store { to, index, a });
    }

    /// Do the declarations alone show that a value fits a slot?
    fn always_fits(&self, slot: SlotId, value: &Expr) -> bool {
        match self.model.slots[slot.index()].content {
            Content::Number { low, high } => self.bounds(value).is_some_and(|(l, h)| l >= low && h <= high),
            Content::Element { optional: false, .. } => self.is_sure(value),
            _ => true,
        }
    }

    // ---- pieces ----

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
            ExprKind::As { value, .. } if matches!(value.kind, ExprKind::If(..)) => self.free_sites(value),
            _ => None,
        }
    }

    fn put(&mut self, piece: &Target, at: &Expr) {
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
            let at = self.set(at);
            let on = &piece.index[..board.index.len()];
            if !on.is_empty() && piece.index.len() == on.len() {
                // One piece of one of several boards: what is worked out of which serves for all.
                let which = self.which_board(board_id, on);
                self.clear_sites_of(board_id, which, at);
                let boards = super::layout::family_size(self.model, board.empty).min(u16::MAX.into()) as u16;
                let family = |at| crate::program::Sets { at, len: boards };
                self.emit(I::StoreOr { to: family(self.slot(piece.slot)), index: which, a: at });
                self.emit(I::StoreMinus { to: family(self.slot(board.empty)), index: which, a: at });
            } else {
                self.clear_sites(board_id, on, at);
                let (to, index) = self.family_sets(piece.slot, &piece.index);
                self.emit(I::StoreOr { to, index, a: at });
                let (to, index) = self.family_sets(board.empty, on);
                self.emit(I::StoreMinus { to, index, a: at });
            }
        }
        self.free.clear();
    }

    /// Takes every piece off some sites of one board; the empty sites are left to the caller.
    fn clear_sites(&mut self, board: BoardId, on: &[Expr], at: SetIn) {
        let which = self.which_board(board, on);
        self.clear_sites_of(board, which, at);
    }

    /// The number of a board in its family.
    fn which_board(&mut self, board: BoardId, on: &[Expr]) -> In {
        let sizes: Vec<u16> =
            self.model.boards[board.index()].index.iter().map(|d| self.size_of(*d)).collect();
        if on.is_empty() { In(crate::program::ZERO) } else { self.flat(on, &sizes) }
    }

    /// The same of the board with a number.
    fn clear_sites_of(&mut self, board: BoardId, which: In, at: SetIn) {
        let board = &self.model.boards[board.index()];
        let boards: usize = board.index.iter().map(|d| self.model.domains[d.index()].size as usize).product();
        // The pieces of one board lie together: its number times how many kinds there are.
        for piece in &board.pieces {
            let kinds = super::layout::family_size(self.model, *piece) / boards.max(1);
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
                let to = crate::program::Sets {
                    at: base + kind * width,
                    len: ((boards - 1) * kinds + 1).min(usize::from(u16::MAX)) as u16,
                };
                self.emit(I::StoreMinus { to, index: first, a: at });
            }
        }
    }

    /// A number times one that is known.
    fn scaled(&mut self, a: In, by: usize) -> In {
        if by == 1 {
            return a;
        }
        let t = self.number_temp();
        self.emit(I::ScaleAdd { d: Out(t), a, k: Imm(by as i32), b: In(crate::program::ZERO) });
        In(t)
    }

    fn move_piece(&mut self, board_id: BoardId, on: &[Expr], from: &Expr, to: &Expr) {
        let board = &self.model.boards[board_id.index()];
        let size = Size(self.size_of(board.domain));
        let end = self.label();
        let (from, to) = (self.number(from), self.number(to));
        if let (true, [piece]) = (board.index.is_empty(), &board.pieces[..]) {
            let len = super::layout::family_size(self.model, *piece).min(u16::MAX.into()) as u16;
            let on = crate::program::Sets { at: self.slot(*piece), len };
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
        let none = crate::board::BitSet::empty(size.0.into());
        // Both sites as sets: where the piece leaves and where it comes to.
        self.constant_set(&none, t);
        self.emit(I::Insert { d: SetMut(t), e: from, size });
        self.constant_set(&none, at);
        self.emit(I::Insert { d: SetMut(at), e: to, size });
        let boards: usize = board.index.iter().map(|d| self.model.domains[d.index()].size as usize).product();
        let sizes: Vec<u16> = board.index.iter().map(|d| self.size_of(*d)).collect();
        let number = self.flat(on, &sizes);
        let (held, moved) = (self.set_temp(), self.number_temp());
        self.emit(I::Const { d: Out(moved), k: Imm(-1) });
        let mut kind_number = 0;
        let mut places = vec![];
        for piece in &board.pieces {
            let kinds = super::layout::family_size(self.model, *piece) / boards.max(1);
            let (first, k) = (self.number_temp(), self.number_temp());
            self.emit(I::Const { d: Out(k), k: Imm(kinds as i32) });
            self.emit(I::Rarely { d: Out(first), op: crate::program::Rare::Multiply, a: number, b: In(k) });
            for kind in 0..kinds as u16 {
                let family = crate::program::Sets {
                    at: self.slot(*piece) + kind * self.layout.width,
                    len: ((boards - 1) * kinds + 1).min(usize::from(u16::MAX)) as u16,
                };
                let no = self.label();
                self.emit(I::LoadSet { d: SetOut(held), from: family, index: In(first) });
                self.emit(I::IfNotIn { a: SetIn(held), e: from, size, to: no.block() });
                self.emit(I::Const { d: Out(moved), k: Imm(kind_number) });
                self.bind(no);
                places.push((kind_number, family, first));
                kind_number += 1;
            }
        }
        // First everything leaves both sites, then what moved comes to its new one.
        self.clear_sites(board_id, on, SetIn(t));
        self.emit(I::StoreOr { to: empty, index: which, a: SetIn(t) });
        self.clear_sites(board_id, on, SetIn(at));
        for (kind, family, first) in places {
            let no = self.label();
            self.emit(I::IfNotEqualK { a: In(moved), k: Imm(kind), to: no.block() });
            self.emit(I::StoreOr { to: family, index: In(first), a: SetIn(at) });
            self.bind(no);
        }
        self.emit(I::StoreMinus { to: empty, index: which, a: SetIn(at) });
        self.bind(end);
        self.free.clear();
    }

    fn move_to(&mut self, what: &Expr, zone: &Target) {
        let mut what = self.set(what);
        if what.0 < self.layout.live {
            // What is moved may be a zone itself, which is empty before the other is filled.
            let moved = self.set_temp();
            self.emit(I::SetCopy { d: SetOut(moved), a: what });
            what = SetIn(moved);
        }
        let (to, index) = self.family_sets(zone.slot, &zone.index);
        for slot in walk::zones(self.model, zone.slot) {
            let first = self.slot(slot);
            for place in 0..super::layout::family_size(self.model, slot) as u16 {
                let d = first + place * self.layout.width;
                self.emit(I::Minus { d: SetOut(d), a: SetIn(d), b: what });
            }
        }
        self.emit(I::StoreOr { to, index, a: what });
    }

    // ---- chance ----

    fn chance(&mut self, stmt: usize, body: &Block, given: &Expr, exits: Exits) {
        let Some(words) = self.layout.given.get(&stmt).copied() else { return };
        let mut kept = vec![];
        let mut to = words.at + 1;
        for what in changed(self.model, body) {
            let from = match what {
                Changed::Slot(slot) => self.layout.slots[slot.index()],
                Changed::Local(local) => self.layout.locals[local.index()],
            };
            let len = what.words(self.model, self.layout.width) as u16;
            // What the program does not keep can't change.
            kept.extend(from.into_iter().flat_map(|from| (0..len).map(move |k| (from + k, to + k))));
            to += len;
        }
        self.free.clear();
        for (from, to) in &kept {
            self.emit(I::Copy { d: Out(*to), a: In(*from) });
        }
        let (head, end) = (self.here(), self.label());
        self.emit(I::Given { phase: Phase::Begins });
        let outer = self.given.replace(words.at);
        self.block(body, exits);
        self.given = outer;
        self.branch(given, true, end);
        self.emit(I::Given { phase: Phase::Fails });
        for (from, to) in kept {
            self.emit(I::Copy { d: Out(from), a: In(to) });
        }
        self.emit(I::Loop { to: head.block() });
        self.bind(end);
        self.emit(I::Given { phase: Phase::Holds });
        // Equal positions are equal states, however they came about.
        self.emit(I::Reset { words });
        self.free.clear();
    }

    fn roll(&mut self, stmt: usize, dice: &Target, among: Option<&Expr>) {
        let kept = self.layout.rolls.get(&stmt).copied();
        // Without a place of their own the dice are rolled as one event.
        let among = among.map(|among| (among, kept.unwrap_or(self.layout.region)));
        let Role::Dice { count, .. } = self.role(dice.slot) else { return };
        let families = super::layout::family_size(self.model, dice.slot) / count.max(1) as usize;
        let joint = joint_outcomes(self.model, dice.slot).is_some();
        let Some(family) = self.constant_position(dice.slot, &dice.index) else {
            // One of several families of dice, which a value chooses.
            let sizes: Vec<u16> =
                self.model.slots[dice.slot.index()].index.iter().map(|d| self.size_of(*d)).collect();
            let index = self.flat(&dice.index, &sizes[..dice.index.len()]);
            let end = self.label();
            for family in 0..families as u32 {
                if self.is_full() {
                    return;
                }
                let next = self.label();
                self.emit(I::IfNotEqualK { a: index, k: Imm(family as i32), to: next.block() });
                self.roll_family(dice.slot, family, count, joint, among);
                self.jump(end);
                self.bind(next);
            }
            self.emit(I::Fail { why: Failure::NoneIndex });
            self.bind(end);
            return;
        };
        self.roll_family(dice.slot, family, count, joint, among);
    }

    fn roll_family(
        &mut self,
        slot: SlotId,
        family: u32,
        count: u32,
        joint: bool,
        among: Option<(&Expr, u16)>,
    ) {
        let Some(number) = self.dice.get(&(slot, family)).copied() else { return };
        let dice = DiceRef(number);
        let entry = self.here();
        match among {
            None if joint => {
                let site = self.site(SiteKind::Roll { dice: number }, entry, self.program.code.len());
                self.emit(I::Roll { site, dice });
            }
            Some((among, at)) if joint => {
                let a = SetIn(at);
                self.set_into(among, a.0);
                let site =
                    self.site(SiteKind::RollSome { dice: number, from: a.0 }, entry, self.program.code.len());
                self.emit(I::RollSome { site, dice, a });
            }
            _ => {
                // Each die is an event of its own, but all of them are settled before the first.
                let chosen = among.map(|(among, at)| {
                    self.set_into(among, at);
                    SetIn(at)
                });
                for die in 0..count {
                    let entry = self.here();
                    let skip = self.label();
                    let t = self.number_temp();
                    self.emit(I::Const { d: Out(t), k: Imm(die as i32) });
                    if let Some(a) = chosen {
                        let size = Size(count as u16);
                        self.emit(I::IfNotIn { a, e: In(t), size, to: skip.block() });
                    }
                    let kind = SiteKind::RollOne { dice: number, die: die as u16 };
                    let site = self.site(kind, entry, self.program.code.len());
                    self.emit(I::RollOne { site, dice, die: In(t) });
                    self.bind(skip);
                }
            }
        }
    }

    fn pick(&mut self, local: LocalId, over: &Expr) {
        let at = self.local(local);
        let free = self.free_sites(over);
        self.scoped(|this| {
            let entry = this.here();
            let a = match &over.kind {
                ExprKind::Read(_) => this.set(over),
                _ => {
                    let region = this.layout.region;
                    this.set_into(over, region);
                    SetIn(region)
                }
            };
            let a = if u32::from(a.0) >= u32::from(this.layout.live) {
                // A set read through an index is a temporary; what is picked from must last.
                let region = this.layout.region;
                this.emit(I::SetCopy { d: SetOut(region), a });
                SetIn(region)
            } else {
                a
            };
            let domain = match over.ty {
                Type::Set(d) => d.0,
                _ => 0,
            };
            let kind = SiteKind::Pick { domain, from: a.0, to: at };
            let site = this.site(kind, entry, this.program.code.len());
            this.emit(I::Pick { site, d: Out(at), a });
        });
        if let Some(board) = free {
            self.free.insert(local, board);
        }
    }

    // ---- loops ----

    fn for_loop(&mut self, local: LocalId, over: &Expr, from: Option<&Expr>, body: &Block, exits: Exits) {
        let (rest, cursor) = match self.layout.loops.get(&local) {
            Some(at) => *at,
            None => (self.set_temp(), self.number_temp()),
        };
        let at = self.local(local);
        self.sure.insert(local);
        self.set_into(over, rest);
        if let Some(from) = from {
            self.number_into(from, cursor);
            self.emit(I::CheckSome { a: In(cursor), why: Failure::NoneValue });
        }
        self.free.clear();
        let (head, end) = (self.here(), self.label());
        let (d, set, to) = (Out(at), SetMut(rest), end.block());
        if from.is_some() {
            self.emit(I::PopFrom { d, from: set, e: In(cursor), to });
            self.emit(I::Copy { d: Out(cursor), a: In(at) });
        } else {
            self.emit(I::Pop { d, from: set, to });
        }
        self.block(body, exits);
        self.emit(I::Loop { to: head.block() });
        self.bind(end);
        self.free.clear();
    }

    /// The slots that the turn's steps write, and those that it writes outside of any step.
    pub(super) fn writes_outside_steps(&self) -> std::collections::BTreeSet<SlotId> {
        fn outside(
            model: &crate::lang::model::Model,
            block: &Block,
            found: &mut std::collections::BTreeSet<SlotId>,
        ) {
            for stmt in &block.stmts {
                if !matches!(stmt.kind, StmtKind::Step { .. }) {
                    walk::own_writes(model, stmt, found);
                    walk::blocks(model, stmt).into_iter().for_each(|b| outside(model, b, found));
                }
            }
        }
        let mut found = std::collections::BTreeSet::new();
        outside(self.model, &self.model.turn, &mut found);
        found
    }

    /// A label that is bound at once further down.
    pub(super) fn exits(&mut self, done: Label, again: Label) -> Exits {
        Exits { skip: None, done, again }
    }
}

/// Are two lists of expressions the same to the letter?
fn same_exprs(a: &[Expr], b: &[Expr]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_expr(a, b))
}

pub(super) fn same_expr(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Me, ExprKind::Me) => true,
        (ExprKind::Local(a), ExprKind::Local(b)) => a == b,
        (ExprKind::Constant(a), ExprKind::Constant(b)) => a == b,
        (ExprKind::ElementOf(x), ExprKind::ElementOf(y)) | (ExprKind::ValueOf(x), ExprKind::ValueOf(y)) => {
            a.ty == b.ty && same_expr(x, y)
        }
        _ => false,
    }
}
