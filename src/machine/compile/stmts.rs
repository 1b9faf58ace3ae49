//! Lowering of statements: control flow and assignment. See `pieces` for moves and `chance` for chance events.

use super::layout::address;
use super::lower::{CodeLabel, Exits, Lowering};
use crate::program::{
    EndRef, Failure, Imm, In, Instruction as I, Numbers, Out, RESULT, Range, SetIn, SetMut, SetOut, StepRef,
};
use houserule_model::{
    Builtin, CheckedBlock, CheckedExpr, CheckedExprKind, CheckedStmt, CheckedStmtKind, Content, LocalId,
    Role, SlotId, Target, Type, Value, is_same_index, walk,
};

impl Lowering<'_> {
    pub(super) fn block(&mut self, block: &CheckedBlock, exits: Exits) {
        let ends = std::mem::take(&mut self.branch_ends);
        self.scoped(|this| {
            for (k, stmt) in block.stmts.iter().enumerate() {
                if k + 1 == block.stmts.len() {
                    // Leave the ends that the last statement's branches can test to these.
                    this.branch_ends = ends.iter().copied().filter(|n| this.passes_on(block, *n)).collect();
                }
                this.stmt(stmt, exits);
            }
        });
        self.branch_end(block, &ends);
        self.branch_ends = ends;
    }

    fn stmt(&mut self, stmt: &CheckedStmt, exits: Exits) {
        if self.is_full() || self.unread.stmts.contains(&address(stmt)) {
            return;
        }
        let saved = std::mem::replace(&mut self.span, stmt.span);
        let outer = self.enter(stmt.span);
        // Allocate the local outside the statement's own temporaries, which are freed with the statement.
        match &stmt.kind {
            CheckedStmtKind::Let { local, value } => {
                let at = self.local(*local);
                self.store_local(*local, at, value);
            }
            CheckedStmtKind::Pick { local, over, by } => self.pick(*local, over, by.as_ref()),
            _ => self.scoped(|this| this.simple(stmt, exits)),
        }
        self.leave(outer);
        self.span = saved;
    }

    fn simple(&mut self, stmt: &CheckedStmt, exits: Exits) {
        match &stmt.kind {
            CheckedStmtKind::Let { .. } | CheckedStmtKind::Pick { .. } => {}
            CheckedStmtKind::Step { step, body } => {
                self.emit(I::Mark { step: StepRef(step.0 as u16) });
                let skip = self.label();
                let ends = self.ends_in_branches(body);
                self.branch_ends.clone_from(&ends);
                self.block(body, Exits { skip: Some(skip), ..exits });
                self.branch_ends.clear();
                self.bind(skip);
                self.ends_at_once(body, &ends);
            }
            CheckedStmtKind::Choose(choice) => self.choose(*choice, exits),
            CheckedStmtKind::If { condition, then, otherwise } => {
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
                self.free.retain(|local, free| after_then.get(local).is_some_and(|then| then.is(free)));
            }
            CheckedStmtKind::For { local, over, from, body } => {
                self.for_loop(*local, over, from.as_ref(), body, exits)
            }
            CheckedStmtKind::While { condition, body } => {
                self.free.clear();
                let (head, end) = (self.here(), self.label());
                self.branch(condition, false, end);
                self.block(body, exits);
                self.emit(I::Loop { to: head.block() });
                self.bind(end);
                self.free.clear();
            }
            CheckedStmtKind::Repeat { body, until } => {
                self.free.clear();
                let (head, end) = (self.here(), self.label());
                self.block(body, exits);
                self.branch(until, true, end);
                self.emit(I::Loop { to: head.block() });
                self.bind(end);
                self.free.clear();
            }
            CheckedStmtKind::Chance { body, given } => self.chance(address(stmt), body, given, exits),
            CheckedStmtKind::As { player, body } => {
                let who = self.acting(player);
                // The acting player is fixed on entry, even if the body changes the value it was read from.
                let me = match self.layout.acting.get(&address(stmt)) {
                    Some(at) => *at,
                    None => self.number_temp(),
                };
                self.emit(I::Copy { d: Out(me), a: In(who) });
                let saved = std::mem::replace(&mut self.me, me);
                self.block(body, exits);
                self.me = saved;
                self.forget_named_boards();
            }
            CheckedStmtKind::Turns { from, body } => {
                self.turns_of_round(from, body);
                self.forget_named_boards();
            }
            CheckedStmtKind::SetLocal { local, value } => {
                let at = self.local(*local);
                self.free.remove(local);
                self.forget_named_boards();
                self.store_local(*local, at, value);
            }
            CheckedStmtKind::Assign { target, value } => {
                self.assign(target, value);
                self.forget_named_boards();
            }
            CheckedStmtKind::Put { piece, at, .. } => self.put(piece, at),
            CheckedStmtKind::Clear { board, index, at } => self.clear(*board, index, at),
            CheckedStmtKind::ClearPiece { piece } => {
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
            CheckedStmtKind::Move { board, index, from, to, .. } => self.move_piece(*board, index, from, to),
            CheckedStmtKind::MoveTo { what, zone, below } => self.move_to(what, zone, *below),
            CheckedStmtKind::Roll { dice, among } => {
                self.roll(address(stmt), dice, among.as_ref());
                self.forget_named_boards();
            }
            CheckedStmtKind::Next(player) => {
                let who = self.acting(player);
                let d = Out(self.slot(Builtin::NextMover.slot()));
                self.emit(I::Copy { d, a: In(who) });
                self.forget_named_boards();
            }
            CheckedStmtKind::Again => self.jump(exits.again),
            CheckedStmtKind::Done => self.jump(exits.done),
            CheckedStmtKind::Skip => self.jump(exits.skip.unwrap_or(exits.done)),
            CheckedStmtKind::Call { hook, args } => {
                let d = self.number_temp();
                self.call(*hook, args, d);
                // The script may have filled empty sites.
                self.free.clear();
            }
            CheckedStmtKind::EndGame { end, result } => {
                let (result, mut player) = self.end_result(result.as_ref());
                // A script that draws at the end stops the game, and this word is kept.
                if result.names_players() && !self.model.on_end.stmts.is_empty() {
                    self.emit(I::Copy { d: Out(RESULT), a: player });
                    player = In(RESULT);
                }
                self.on_end();
                let end = EndRef((self.model.ends.len() as u32 + end) as u16);
                let turns = self.turns_over();
                self.emit(I::Over { end, result, player, turns });
            }
        }
    }

    fn store_local(&mut self, local: LocalId, at: u16, value: &CheckedExpr) {
        match self.model.locals[local.index()].ty {
            Type::Set(_) => self.set_into(value, at),
            _ => {
                let free = self.free_board(value);
                let declared = &self.model.locals[local.index()];
                match declared.range {
                    Some((low, high)) if self.bounds(value).is_none_or(|(l, h)| l < low || h > high) => {
                        let name = declared.name.clone();
                        let range = self.range(Range { name, low, high, element: false });
                        let a = self.number(value);
                        self.emit(I::Check { a, range });
                        self.emit(I::Copy { d: Out(at), a });
                    }
                    _ => self.number_into(value, at),
                }
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
            Content::Number { high, .. } if matches!(declared.role, Role::Dice { .. }) => {
                self.range(Range { name, low: 1, high, element: false })
            }
            Content::Number { low, high } => self.range(Range { name, low, high, element: false }),
            Content::Element { domain, optional: false } => {
                let high = i64::from(self.model.domains[domain.index()].size) - 1;
                self.range(Range { name, low: 0, high, element: true })
            }
            _ => return None,
        })
    }

    fn assign(&mut self, target: &Target, value: &CheckedExpr) {
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
        let a = self.number(value);
        self.emit(I::Check { a, range });
        self.emit(I::Copy { d: Out(d), a });
    }

    /// Adds a number to one of several, with a range check.
    pub(super) fn add_to(&mut self, to: Numbers, index: In, a: In, range: crate::program::RangeRef) {
        let sum = self.number_temp();
        self.emit(I::Load { d: Out(sum), from: to, index });
        self.emit(I::Add { d: Out(sum), a: In(sum), b: a });
        self.emit(I::Check { a: In(sum), range });
        self.emit(I::Store { to, index, a: In(sum) });
    }

    fn assign_at_index(
        &mut self,
        target: &Target,
        value: &CheckedExpr,
        range: Option<crate::program::RangeRef>,
    ) {
        use houserule_model::Arithmetic::Add;
        if let (Some(range), CheckedExprKind::Arithmetic(op, a, b)) = (range, &value.kind)
            && (*op == Add || added(*op, b).is_some())
            && let CheckedExprKind::Read(read) = &a.kind
            && read.slot == target.slot
            && read.index.len() == target.index.len()
            && read.index.iter().zip(&target.index).all(|(a, b)| is_same_index(a, b))
        {
            // The value reads the target, so the error of an index that is none comes before an error of what
            // is added.
            let (to, index) = self.family_numbers(target.slot, &target.index);
            let a = match added(*op, b) {
                Some(k) => {
                    let d = self.number_temp();
                    self.emit(I::Const { d: Out(d), k });
                    In(d)
                }
                None => self.number(b),
            };
            return self.add_to(to, index, a, range);
        }
        let a = self.number(value);
        if let Some(range) = range {
            self.emit(I::Check { a, range });
        }
        let (to, index) = self.family_numbers(target.slot, &target.index);
        self.emit(I::Store { to, index, a });
    }

    /// Returns `true` if the declarations alone show that a value fits a slot.
    pub(super) fn always_fits(&self, slot: SlotId, value: &CheckedExpr) -> bool {
        let declared = &self.model.slots[slot.index()];
        match declared.content {
            Content::Number { high, .. } if matches!(declared.role, Role::Dice { .. }) => {
                self.bounds(value).is_some_and(|(l, h)| l >= 1 && h <= high)
            }
            Content::Number { low, high } => self.bounds(value).is_some_and(|(l, h)| l >= low && h <= high),
            Content::Element { optional: false, .. } => self.is_sure(value),
            _ => true,
        }
    }

    // ---- loops ----

    fn for_loop(
        &mut self,
        local: LocalId,
        over: &CheckedExpr,
        from: Option<&CheckedExpr>,
        body: &CheckedBlock,
        exits: Exits,
    ) {
        if let (CheckedExprKind::Constant(Value::Set(over)), None) = (&over.kind, from)
            && is_worth_writing_out(over.len() as usize, body)
        {
            let at = self.local(local);
            self.sure.insert(local);
            for element in over.iter() {
                self.free.clear();
                self.emit(I::Const { d: Out(at), k: Imm(element as i32) });
                self.block(body, exits);
            }
            return self.free.clear();
        }
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

    /// Returns the slots that the turn writes outside of any step.
    pub(super) fn writes_outside_steps(&self) -> std::collections::BTreeSet<SlotId> {
        fn outside(
            model: &houserule_model::Model,
            block: &CheckedBlock,
            found: &mut std::collections::BTreeSet<SlotId>,
        ) {
            for stmt in &block.stmts {
                if !matches!(stmt.kind, CheckedStmtKind::Step { .. }) {
                    walk::own_writes(model, stmt, found);
                    walk::blocks(model, stmt).into_iter().for_each(|b| outside(model, b, found));
                }
            }
        }
        let mut found = std::collections::BTreeSet::new();
        outside(self.model, &self.model.turn, &mut found);
        found
    }

    /// Returns the exits of statements outside of any step.
    pub(super) fn exits(&self, done: CodeLabel, again: CodeLabel) -> Exits {
        Exits { skip: None, done, again }
    }
}

/// Returns `true` if a loop over `elements` constants should be unrolled. Its body only assigns.
fn is_worth_writing_out(elements: usize, body: &CheckedBlock) -> bool {
    const MOST: usize = 16;
    let assigns = |stmt: &CheckedStmt| matches!(stmt.kind, CheckedStmtKind::Assign { .. });
    elements * body.stmts.len() <= MOST && body.stmts.iter().all(assigns)
}

/// Returns the added constant, if it is known and small.
fn added(op: houserule_model::Arithmetic, b: &CheckedExpr) -> Option<Imm> {
    use houserule_model::Arithmetic::{Add, Subtract};
    let CheckedExprKind::Constant(Value::Number(n)) = b.kind else { return None };
    let n = i32::try_from(n).ok()?;
    match op {
        Add => Some(Imm(n)),
        Subtract => n.checked_neg().map(Imm),
        _ => None,
    }
}
