//! Numbers, truth values and elements: each takes one word, an element's none is -1.

use super::layout::never_none;
use super::lower::{Lower, TableOf};
use crate::lang::model::{
    Arithmetic, Content, DomainKind, Expr, ExprKind, LocalId, Role, SlotId, Target, Type, Value,
};
use crate::lang::syntax::Quantifier;
use crate::program::{Failure, Imm, In, Instruction as I, Numbers, Out, Rare};

impl Lower<'_> {
    /// Where the value of an expression is: its own place if it has one, else a temporary.
    pub(super) fn number(&mut self, e: &Expr) -> In {
        match &e.kind {
            ExprKind::Me => return In(self.me),
            ExprKind::Local(local) => return In(self.local(*local)),
            ExprKind::Read(Target { slot, index }) => {
                if let Some(position) = self.constant_position(*slot, index) {
                    return In(self.slot(*slot) + position as u16);
                }
            }
            ExprKind::ValueOf(a) if self.low(a.ty) == 0 && self.is_sure(a) => return self.number(a),
            ExprKind::ElementOf(a) if self.low(e.ty) == 0 && self.fits(a, e.ty) => return self.number(a),
            _ => {}
        }
        let d = self.number_temp();
        self.number_into(e, d);
        In(d)
    }

    /// The number of an expression of a range domain.
    fn low(&self, ty: Type) -> i64 {
        match ty {
            Type::Element(d) | Type::Set(d) => match self.model.domains[d.index()].kind {
                DomainKind::Range { low } => low,
                _ => 0,
            },
            _ => 0,
        }
    }

    /// Is an element known not to be none?
    pub(super) fn is_sure(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Local(local) => self.sure.contains(local),
            ExprKind::ElementOf(a) => self.fits(a, e.ty),
            _ => never_none(self.model, e),
        }
    }

    /// Is a number known to name an element of a range domain?
    fn fits(&self, e: &Expr, ty: Type) -> bool {
        let Type::Element(d) = ty else { return false };
        let domain = &self.model.domains[d.index()];
        let low = self.low(ty);
        self.bounds(e).is_some_and(|(l, h)| l >= low && h < low + i64::from(domain.size))
    }

    /// Least and greatest value of a number, as far as the declarations tell.
    pub(super) fn bounds(&self, e: &Expr) -> Option<(i64, i64)> {
        Some(match &e.kind {
            ExprKind::Constant(Value::Number(n)) => (*n, *n),
            ExprKind::Read(target) => match self.model.slots[target.slot.index()].content {
                Content::Number { low, high } => (low, high),
                _ => return None,
            },
            ExprKind::ValueOf(a) => {
                let Type::Element(d) = a.ty else { return None };
                let low = self.low(a.ty);
                (low, low + i64::from(self.model.domains[d.index()].size) - 1)
            }
            ExprKind::Count(a) => {
                let Type::Set(d) = a.ty else { return None };
                (0, self.model.domains[d.index()].size.into())
            }
            ExprKind::Arithmetic(op, a, b) => {
                let ((al, ah), (bl, bh)) = (self.bounds(a)?, self.bounds(b)?);
                match op {
                    Arithmetic::Add => (al.checked_add(bl)?, ah.checked_add(bh)?),
                    Arithmetic::Subtract => (al.checked_sub(bh)?, ah.checked_sub(bl)?),
                    Arithmetic::Min => (al.min(bl), ah.min(bh)),
                    Arithmetic::Max => (al.max(bl), ah.max(bh)),
                    Arithmetic::Modulo if bl == bh && bl > 0 => (0, bl - 1),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    /// Computes an expression into a word. The word may be one that the expression reads.
    pub(super) fn number_into(&mut self, e: &Expr, d: u16) {
        if self.is_full() {
            return;
        }
        let d = Out(d);
        if let Some((table, index)) = self.as_number_table(e) {
            self.emit(I::Look { d, table, index });
            return;
        }
        self.scoped(|this| this.compute(e, d));
    }

    fn compute(&mut self, e: &Expr, d: Out) {
        match &e.kind {
            ExprKind::Constant(value) => self.constant(
                match value {
                    Value::Number(n) => *n,
                    Value::Bool(b) => (*b).into(),
                    Value::Element(e) => e.map_or(-1, i64::from),
                    Value::Set(_) => 0,
                },
                d,
            ),
            ExprKind::Me | ExprKind::Local(_) => {
                let a = self.number(e);
                self.emit(I::Copy { d, a });
            }
            ExprKind::Read(Target { slot, index }) => match self.constant_position(*slot, index) {
                Some(position) => {
                    let a = In(self.slot(*slot) + position as u16);
                    self.emit(I::Copy { d, a });
                }
                None => {
                    let (from, index) = self.family_numbers(*slot, index);
                    self.emit(I::Load { d, from, index });
                }
            },
            ExprKind::As { player, value } => {
                let me = self.acting(player);
                let saved = std::mem::replace(&mut self.me, me);
                self.number_into(value, d.0);
                self.me = saved;
            }
            ExprKind::After { player, among } => self.after(player, among.as_deref(), d),
            ExprKind::ValueOf(a) => {
                let at = self.number(a);
                if !self.is_sure(a) {
                    self.emit(I::CheckSome { a: at, why: Failure::NoneValue });
                }
                self.add_constant(at, self.low(a.ty), d);
            }
            ExprKind::ElementOf(a) => {
                let at = self.number(a);
                let low = self.low(e.ty);
                if self.fits(a, e.ty) {
                    self.add_constant(at, -low, d);
                    return;
                }
                let Type::Element(domain) = e.ty else { return };
                let size = i32::from(self.size_of(domain));
                let t = self.number_temp();
                let (none, end) = (self.label(), self.label());
                self.add_constant(at, -low, Out(t));
                self.emit(I::IfLessK { a: In(t), k: Imm(0), to: none.block() });
                self.emit(I::IfGreaterEqualK { a: In(t), k: Imm(size), to: none.block() });
                self.emit(I::Copy { d, a: In(t) });
                self.jump(end);
                self.bind(none);
                self.emit(I::Const { d, k: Imm(-1) });
                self.bind(end);
            }
            ExprKind::Table(id, index) => {
                let table = &self.model.tables[id.index()];
                let sizes: Vec<u16> = table.index.iter().map(|d| self.size_of(*d)).collect();
                let values = || table.values.clone();
                let index = self.flat(index, &sizes);
                let table = self.number_table_of(TableOf::Rules(*id), values);
                self.emit(I::Look { d, table, index });
            }
            ExprKind::Negate(a) => {
                let zero = self.number_temp();
                self.emit(I::Const { d: Out(zero), k: Imm(0) });
                let b = self.number(a);
                self.emit(I::Subtract { d, a: In(zero), b });
            }
            ExprKind::Arithmetic(op, a, b) => self.arithmetic(*op, a, b, d),
            ExprKind::If(c, a, b) => {
                let (no, end) = (self.label(), self.label());
                let t = self.number_temp();
                self.branch(c, false, no);
                self.number_into(a, t);
                self.jump(end);
                self.bind(no);
                self.number_into(b, t);
                self.bind(end);
                self.emit(I::Copy { d, a: In(t) });
            }
            ExprKind::Count(a) => {
                let a = self.set(a);
                self.emit(I::Count { d, a });
            }
            ExprKind::First(a) => {
                if let ExprKind::Intersect(x, y) = &a.kind {
                    for (x, y) in [(x, y), (y, x)] {
                        if let Some((table, index)) = self.as_set_table(x) {
                            let a = self.set(y);
                            self.emit(I::LookFirst { d, table, index, a });
                            return;
                        }
                    }
                }
                let a = self.set(a);
                self.emit(I::First { d, a });
            }
            ExprKind::Last(a) => {
                let a = self.set(a);
                self.emit(I::Last { d, a });
            }
            ExprKind::Cell { board, column, row } => {
                let topology = self.topology(*board);
                let (width, height) = (topology.width() as i32, topology.height() as i32);
                let (none, end) = (self.label(), self.label());
                let (column, row) = (self.number(column), self.number(row));
                for (a, most) in [(column, width), (row, height)] {
                    self.emit(I::IfLessK { a, k: Imm(1), to: none.block() });
                    self.emit(I::IfGreaterEqualK { a, k: Imm(most + 1), to: none.block() });
                }
                let (w, t) = (self.number_temp(), self.number_temp());
                self.emit(I::Const { d: Out(w), k: Imm(width) });
                self.emit(I::Rarely { d: Out(t), op: Rare::Multiply, a: row, b: In(w) });
                self.emit(I::Add { d: Out(t), a: In(t), b: column });
                self.emit(I::AddK { d, a: In(t), k: Imm(-width - 1) });
                self.jump(end);
                self.bind(none);
                self.emit(I::Const { d, k: Imm(-1) });
                self.bind(end);
            }
            ExprKind::ColumnOf(board, a) | ExprKind::RowOf(board, a) => {
                let topology = self.topology(*board);
                let rows = matches!(e.kind, ExprKind::RowOf(..));
                let of = if rows { TableOf::RowOf(*board) } else { TableOf::ColumnOf(*board) };
                let value = |s| i64::from(if rows { topology.row_of(s) } else { topology.column_of(s) });
                let table = self.number_table_of(of, || (0..topology.size()).map(value).collect());
                let index = self.number(a);
                self.emit(I::Look { d, table, index });
            }
            ExprKind::Lines { board, along, of, points } => {
                let lines = self.line_score(*board, *along, Some(points));
                let a = self.set(of);
                self.emit(I::Score { d, a, lines });
            }
            ExprKind::Longest { board, along, of } => {
                let lines = self.line_score(*board, *along, None);
                let a = self.set(of);
                self.emit(I::Longest { d, a, lines });
            }
            ExprKind::Quantified { op, local, over, body } if e.ty != Type::Bool => {
                self.quantified(*op, *local, over, body, d);
            }
            // What is left is a truth value, or a set, which is never asked for as a number.
            _ => {
                let (no, end) = (self.label(), self.label());
                self.branch(e, false, no);
                self.emit(I::Const { d, k: Imm(1) });
                self.jump(end);
                self.bind(no);
                self.emit(I::Const { d, k: Imm(0) });
                self.bind(end);
            }
        }
    }

    pub(super) fn constant(&mut self, n: i64, d: Out) {
        match i32::try_from(n) {
            Ok(k) => self.emit(I::Const { d, k: Imm(k) }),
            Err(_) => {
                let k = self.wide(n);
                self.emit(I::ConstWide { d, k });
            }
        }
    }

    pub(super) fn add_constant(&mut self, a: In, n: i64, d: Out) {
        match i32::try_from(n) {
            Ok(0) => self.emit(I::Copy { d, a }),
            Ok(k) => self.emit(I::AddK { d, a, k: Imm(k) }),
            Err(_) => {
                let t = self.number_temp();
                self.constant(n, Out(t));
                self.emit(I::Add { d, a, b: In(t) });
            }
        }
    }

    fn arithmetic(&mut self, op: Arithmetic, a: &Expr, b: &Expr, d: Out) {
        let constant = |e: &Expr| match e.kind {
            ExprKind::Constant(Value::Number(n)) => i32::try_from(n).ok().filter(|n| *n != i32::MIN),
            _ => None,
        };
        match (op, constant(a), constant(b)) {
            (Arithmetic::Add, _, Some(k)) => {
                let a = self.number(a);
                self.emit(I::AddK { d, a, k: Imm(k) });
            }
            (Arithmetic::Add, Some(k), _) => {
                let a = self.number(b);
                self.emit(I::AddK { d, a, k: Imm(k) });
            }
            (Arithmetic::Subtract, _, Some(k)) => {
                let a = self.number(a);
                self.emit(I::AddK { d, a, k: Imm(-k) });
            }
            _ => {
                let (a, b) = (self.number(a), self.number(b));
                let rare = match op {
                    Arithmetic::Add => return self.emit(I::Add { d, a, b }),
                    Arithmetic::Subtract => return self.emit(I::Subtract { d, a, b }),
                    Arithmetic::Multiply => Rare::Multiply,
                    Arithmetic::Divide => Rare::Divide,
                    Arithmetic::Modulo => Rare::Modulo,
                    Arithmetic::Min => Rare::Min,
                    Arithmetic::Max => Rare::Max,
                };
                self.emit(I::Rarely { d, op: rare, a, b });
            }
        }
    }

    /// Where a player is who is known not to be none.
    pub(super) fn acting(&mut self, player: &Expr) -> u16 {
        let at = self.number(player);
        if !self.is_sure(player) {
            self.emit(I::CheckSome { a: at, why: Failure::NoneValue });
        }
        at.0
    }

    fn after(&mut self, player: &Expr, among: Option<&Expr>, d: Out) {
        let start = self.number(player);
        if !self.is_sure(player) {
            self.emit(I::CheckSome { a: start, why: Failure::NoneValue });
        }
        let t = self.number_temp();
        self.emit(I::AddK { d: Out(t), a: start, k: Imm(1) });
        match among {
            None => {
                let end = self.label();
                let players = self.program.players.into();
                self.emit(I::IfLessK { a: In(t), k: Imm(players), to: end.block() });
                self.emit(I::Const { d: Out(t), k: Imm(0) });
                self.bind(end);
                self.emit(I::Copy { d, a: In(t) });
            }
            Some(among) => {
                let rest = self.set_temp();
                self.set_into(among, rest);
                let (none, end) = (self.label(), self.label());
                let from = crate::program::SetMut(rest);
                self.emit(I::PopFrom { d, from, e: In(t), to: none.block() });
                self.jump(end);
                self.bind(none);
                self.emit(I::Const { d, k: Imm(-1) });
                self.bind(end);
            }
        }
    }

    /// The place of an index into a product of domains: the first index changes slowest.
    pub(super) fn flat(&mut self, index: &[Expr], sizes: &[u16]) -> In {
        let [first, rest @ ..] = index else { return In(crate::program::ZERO) };
        let mut at = self.number(first);
        if rest.is_empty() {
            return at;
        }
        if !self.is_sure(first) {
            self.emit(I::CheckSome { a: at, why: Failure::NoneIndex });
        }
        for (e, size) in rest.iter().zip(&sizes[1..]) {
            let (t, k) = (self.number_temp(), self.number_temp());
            self.emit(I::Const { d: Out(k), k: Imm((*size).into()) });
            self.emit(I::Rarely { d: Out(t), op: Rare::Multiply, a: at, b: In(k) });
            let next = self.number(e);
            if !self.is_sure(e) {
                self.emit(I::CheckSome { a: next, why: Failure::NoneIndex });
            }
            self.emit(I::Add { d: Out(t), a: In(t), b: next });
            at = In(t);
        }
        at
    }

    /// A slot's family of numbers, and where the index is.
    pub(super) fn family_numbers(&mut self, slot: SlotId, index: &[Expr]) -> (Numbers, In) {
        let sizes: Vec<u16> = self.model.slots[slot.index()].index.iter().map(|d| self.size_of(*d)).collect();
        let len = super::layout::family_size(self.model, slot).min(u16::MAX.into()) as u16;
        (Numbers { at: self.slot(slot), len }, self.flat(index, &sizes))
    }

    /// `sum`, `count`, `min`, `max` and `best`.
    fn quantified(&mut self, op: Quantifier, local: LocalId, over: &Expr, body: &Expr, d: Out) {
        let (result, seen) = (self.number_temp(), self.number_temp());
        let most = self.number_temp();
        let start = if op == Quantifier::Best { -1 } else { 0 };
        self.emit(I::Const { d: Out(result), k: Imm(start) });
        self.emit(I::Const { d: Out(seen), k: Imm(0) });
        self.for_each(local, over, |this| {
            let next = this.label();
            match op {
                Quantifier::Sum => {
                    let a = this.number(body);
                    this.emit(I::Add { d: Out(result), a: In(result), b: a });
                }
                Quantifier::Min | Quantifier::Max | Quantifier::Best => {
                    let a = this.number(body);
                    let take = this.label();
                    this.emit(I::IfEqualK { a: In(seen), k: Imm(0), to: take.block() });
                    if op == Quantifier::Min {
                        this.emit(I::IfLessEqual { a: In(most), b: a, to: next.block() });
                    } else {
                        this.emit(I::IfLessEqual { a, b: In(most), to: next.block() });
                    }
                    this.bind(take);
                    this.emit(I::Const { d: Out(seen), k: Imm(1) });
                    this.emit(I::Copy { d: Out(most), a });
                    let kept = if op == Quantifier::Best { In(this.local(local)) } else { a };
                    this.emit(I::Copy { d: Out(result), a: kept });
                }
                // `count` of a truth value; the others are not numbers.
                _ => {
                    this.branch(body, false, next);
                    this.emit(I::AddK { d: Out(result), a: In(result), k: Imm(1) });
                }
            }
            this.bind(next);
        });
        self.emit(I::Copy { d, a: In(result) });
    }

    /// Is a slot of dice or of a kind that has no place of its own?
    pub(super) fn role(&self, slot: SlotId) -> Role {
        self.model.slots[slot.index()].role
    }
}
