//! Lowering of numbers, booleans and elements: each takes one word; `none` is -1.

use super::keep::held::ToEvaluate;
use super::layout::never_none;
use super::lower::{Lowering, TableOf};
use super::sets::is_unrolled;
use crate::program::{Failure, Imm, In, Instruction as I, Numbers, Operator, Out, SetIn, SetOut, Truth};
use houserule_language::syntax::Quantifier;
use houserule_model::board::{BitSet, LineKinds, Shape};
use houserule_model::{
    Arithmetic, BoardId, CheckedExpr, CheckedExprKind, DomainKind, LocalId, PointsTable, Role, SlotId,
    Target, Type, Value, sets, sets_on_board, truths,
};

impl Lowering<'_> {
    /// Returns the address of a value: its own place if it has one, else a temporary.
    pub(super) fn number(&mut self, e: &CheckedExpr) -> In {
        match &e.kind {
            CheckedExprKind::Me => return In(self.me),
            CheckedExprKind::Local(local) => return In(self.local(*local)),
            CheckedExprKind::Read(Target { slot, index }) => {
                if let Some(position) = self.constant_position(*slot, index) {
                    return In(self.slot(*slot) + position as u16);
                }
            }
            CheckedExprKind::ValueOf(a) if self.low(a.ty) == 0 && self.is_sure(a) => return self.number(a),
            CheckedExprKind::ElementOf(a) if self.low(e.ty) == 0 && self.fits(a, e.ty) => {
                return self.number(a);
            }
            // The element whose number is the number of an element is that element.
            CheckedExprKind::ElementOf(a) if self.fits(a, e.ty) => {
                if let CheckedExprKind::ValueOf(b) = &a.kind
                    && self.low(b.ty) == self.low(e.ty)
                    && self.is_sure(b)
                {
                    return self.number(b);
                }
            }
            _ => {}
        }
        if let Some(at) = self.held_at(e) {
            return In(at);
        }
        let d = self.number_temp();
        self.number_into(e, d);
        In(d)
    }

    /// Returns the lowest number of a range domain; 0 for other types.
    pub(super) fn low(&self, ty: Type) -> i64 {
        match ty {
            Type::Element(d) | Type::Set(d) => match self.model.domains[d.index()].kind {
                DomainKind::Range { low } => low,
                _ => 0,
            },
            _ => 0,
        }
    }

    /// Returns `true` if an element is known not to be `none`.
    pub(super) fn is_sure(&self, e: &CheckedExpr) -> bool {
        match &e.kind {
            CheckedExprKind::Local(local) => self.sure.contains(local),
            CheckedExprKind::ElementOf(a) => self.fits(a, e.ty),
            CheckedExprKind::Table(table, _) => {
                self.model.tables[table.index()].values.iter().all(|v| *v >= 0)
            }
            _ => never_none(self.model, e),
        }
    }

    /// Computes an expression into a word, which the expression may read.
    pub(super) fn number_into(&mut self, e: &CheckedExpr, d: u16) {
        if self.is_full() {
            return;
        }
        let d = Out(d);
        let outer = self.enter(e.span);
        if let Some((table, index)) = self.as_number_table(e) {
            self.emit(I::Look { d, table, index });
        } else if let Some(at) = self.held_at(e) {
            self.emit(I::Copy { d, a: In(at) });
        } else {
            self.compute_or_look_up(e, d.0, |this, d, _| this.compute(e, Out(d)));
        }
        self.leave(outer);
    }

    fn compute(&mut self, e: &CheckedExpr, d: Out) {
        match &e.kind {
            CheckedExprKind::Constant(value) => self.constant(
                match value {
                    Value::Number(n) => *n,
                    Value::Bool(b) => (*b).into(),
                    Value::Element(e) => e.map_or(-1, i64::from),
                    Value::Set(_) => 0,
                },
                d,
            ),
            CheckedExprKind::Me | CheckedExprKind::Local(_) => {
                let a = self.number(e);
                self.emit(I::Copy { d, a });
            }
            CheckedExprKind::Read(Target { slot, index }) => match self.constant_position(*slot, index) {
                Some(position) => {
                    let a = In(self.slot(*slot) + position as u16);
                    self.emit(I::Copy { d, a });
                }
                None => {
                    let (from, index) = self.family_numbers(*slot, index);
                    self.emit(I::Load { d, from, index });
                }
            },
            CheckedExprKind::As { player, value } => {
                self.as_player(player, |this| this.number_into(value, d.0));
            }
            CheckedExprKind::Repeated { past, times } => {
                let n = self.number(times);
                if let Some(past) = self.pasts.get(past).copied() {
                    self.emit(I::Repeated { d, past, n });
                }
            }
            CheckedExprKind::Tried { body, value } => self.try_block(body, value, d),
            CheckedExprKind::Chain(value) => self.chain(value, d),
            CheckedExprKind::RestOfChain => self.rest_of_chain(d),
            CheckedExprKind::Call { hook, args } => self.call(*hook, args, d.0),
            CheckedExprKind::After { player, among, back: false } => self.after(player, among.as_deref(), d),
            CheckedExprKind::After { player, among, back: true } => self.before(player, among.as_deref(), d),
            CheckedExprKind::ValueOf(a) => {
                let at = self.number(a);
                if !self.is_sure(a) {
                    self.emit(I::CheckSome { a: at, why: Failure::NoneValue });
                }
                self.add_constant(at, self.low(a.ty), d);
            }
            CheckedExprKind::ElementOf(a) => self.element_of(a, e.ty, d),
            CheckedExprKind::Table(id, index) => {
                let table = &self.model.tables[id.index()];
                let sizes: Vec<u16> = table.index.iter().map(|d| self.size_of(*d)).collect();
                let values = || table.values.clone();
                let index = self.flat(index, &sizes);
                let table = self.number_table_of(TableOf::Rules(*id), 0, values);
                self.emit(I::Look { d, table, index });
            }
            CheckedExprKind::Field(id, element) => {
                // The first row is that of none.
                let values = &self.model.tables[id.index()].values;
                let rows = || std::iter::once(-1).chain(values.iter().copied()).collect();
                let table = self.number_table_of(TableOf::Field(*id), -1, rows);
                let index = self.number(element);
                self.emit(I::Look { d, table, index });
            }
            CheckedExprKind::Negate(a) => {
                let zero = self.number_temp();
                self.emit(I::Const { d: Out(zero), k: Imm(0) });
                let b = self.number(a);
                self.emit(I::Subtract { d, a: In(zero), b });
            }
            CheckedExprKind::Arithmetic(op, a, b) => match self.counted_equal(e) {
                Some((from, number)) => {
                    let a = self.number(number);
                    self.emit(I::CountEqual { d, from, a });
                }
                None => self.arithmetic(*op, a, b, d),
            },
            CheckedExprKind::If(c, a, b) => {
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
            CheckedExprKind::Count(a) => {
                let a = self.set(a);
                self.emit(I::Count { d, a });
            }
            CheckedExprKind::First(a) => {
                let a = self.set(a);
                self.emit(I::First { d, a });
            }
            CheckedExprKind::Last(a) => {
                let a = self.set(a);
                self.emit(I::Last { d, a });
            }
            CheckedExprKind::Cell { board, column, row } => self.cell(*board, column, row, d),
            CheckedExprKind::ColumnOf(board, a) => self.column_or_row_of(*board, a, false, d),
            CheckedExprKind::RowOf(board, a) => self.column_or_row_of(*board, a, true, d),
            CheckedExprKind::Lines { board, along, of, points } => {
                if !self.are_modest(*board, points) {
                    self.large_line_score(*board, *along, of, points, d);
                    return;
                }
                let lines = self.line_score(*board, *along, Some(points));
                let a = self.set(of);
                self.emit(I::Score { d, a, lines });
            }
            CheckedExprKind::Longest { board, along, of } => {
                let lines = self.line_score(*board, *along, None);
                let a = self.set(of);
                self.emit(I::Longest { d, a, lines });
            }
            CheckedExprKind::Quantified { op, local, over, body } if e.ty != Type::Bool => {
                let Some(nest) = self.arranged(e) else {
                    return self.quantified(*op, *local, over, body, d);
                };
                // Without these, nothing is added.
                let (none, end) = (self.label(), self.label());
                nest.first.iter().for_each(|condition| self.branch(condition, false, none));
                self.in_nest(&nest, |this| this.number_into(&nest.rest, d.0));
                self.jump(end);
                self.bind(none);
                self.emit(I::Const { d, k: Imm(0) });
                self.bind(end);
            }
            // Booleans; sets are never lowered as numbers.
            CheckedExprKind::Quantified { .. } | sets!() | truths!() | sets_on_board!() => {
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

    /// Adds up points that 64 bits may not hold: the halves of 32 bits apart, then both, which fails where the sum does.
    fn large_line_score(
        &mut self,
        board: BoardId,
        along: LineKinds,
        of: &CheckedExpr,
        points: &PointsTable,
        d: Out,
    ) {
        let half = 1i64 << 32;
        let high = self.line_score(board, along, Some(&points.mapped(|n| n.div_euclid(half))));
        let low = self.line_score(board, along, Some(&points.mapped(|n| n.rem_euclid(half))));
        let a = self.set(of);
        let [sum, low_sum, carry, factor] = [(); 4].map(|()| Out(self.number_temp()));
        self.emit(I::Score { d: sum, a, lines: high });
        self.emit(I::Score { d: low_sum, a, lines: low });
        self.constant(half, factor);
        let [sum_in, low_in, carry_in, factor_in] = [sum, low_sum, carry, factor].map(|out| In(out.0));
        self.emit(I::Arithmetic { d: carry, op: Operator::Divide, a: low_in, b: factor_in });
        self.emit(I::Add { d: sum, a: sum_in, b: carry_in });
        self.emit(I::Arithmetic { d: low_sum, op: Operator::Modulo, a: low_in, b: factor_in });
        self.emit(I::Arithmetic { d: sum, op: Operator::Multiply, a: sum_in, b: factor_in });
        self.emit(I::Add { d, a: sum_in, b: low_in });
    }

    /// Computes the element of the range domain `ty` with a number, or none. The number is compared before the lowest
    /// is taken off, which fits only then.
    fn element_of(&mut self, number: &CheckedExpr, ty: Type, d: Out) {
        let at = self.number(number);
        let low = self.low(ty);
        if self.fits(number, ty) {
            self.take_off(at, low, d);
            return;
        }
        let Type::Element(domain) = ty else { return };
        let high = low + i64::from(self.size_of(domain)) - 1;
        let (none, end) = (self.label(), self.label());
        match (i32::try_from(low), i32::try_from(high.saturating_add(1))) {
            (Ok(low), Ok(past)) => {
                self.emit(I::IfLessK { a: at, k: Imm(low), is: Truth(true), to: none.block() });
                self.emit(I::IfLessK { a: at, k: Imm(past), is: Truth(false), to: none.block() });
            }
            _ => {
                let (first, last) = (self.number_temp(), self.number_temp());
                self.constant(low, Out(first));
                self.constant(high, Out(last));
                self.emit(I::IfLess { a: at, b: In(first), is: Truth(true), to: none.block() });
                self.emit(I::IfLess { a: In(last), b: at, is: Truth(true), to: none.block() });
            }
        }
        self.take_off(at, low, d);
        self.jump(end);
        self.bind(none);
        self.emit(I::Const { d, k: Imm(-1) });
        self.bind(end);
    }

    /// Takes the lowest number of a domain off a number.
    fn take_off(&mut self, a: In, low: i64, d: Out) {
        match low.checked_neg() {
            Some(n) => self.add_constant(a, n, d),
            None => {
                let t = self.number_temp();
                self.constant(low, Out(t));
                self.emit(I::Subtract { d, a, b: In(t) });
            }
        }
    }

    /// Computes the site in a column and a row, or none.
    fn cell(&mut self, board: BoardId, column: &CheckedExpr, row: &CheckedExpr, d: Out) {
        let topology = self.topology(board);
        let (width, height) = (topology.width() as i32, topology.height() as i32);
        let (none, end) = (self.label(), self.label());
        let (column, row) = (self.number(column), self.number(row));
        for (a, most) in [(column, width), (row, height)] {
            self.emit(I::IfLessK { a, k: Imm(1), is: Truth(true), to: none.block() });
            self.emit(I::IfLessK { a, k: Imm(most + 1), is: Truth(false), to: none.block() });
        }
        let t = self.number_temp();
        self.emit(I::ScaleAdd { d: Out(t), a: row, k: Imm(width), b: column });
        if matches!(topology.shape(), Shape::Cut { .. }) {
            let at = |place: i64| {
                let (row, column) = (place / i64::from(width), place % i64::from(width));
                topology.site_at(column + 1, row + 1).map_or(-1, |site| i64::from(site.0))
            };
            let places = i64::from(width * height);
            let table = self.number_table_of(TableOf::Places(board), 0, || (0..places).map(at).collect());
            let place = self.number_temp();
            self.emit(I::AddK { d: Out(place), a: In(t), k: Imm(-width - 1) });
            self.emit(I::Look { d, table, index: In(place) });
        } else {
            self.emit(I::AddK { d, a: In(t), k: Imm(-width - 1) });
        }
        self.jump(end);
        self.bind(none);
        self.emit(I::Const { d, k: Imm(-1) });
        self.bind(end);
    }

    /// Computes the column of a site, or its row.
    fn column_or_row_of(&mut self, board: BoardId, site: &CheckedExpr, rows: bool, d: Out) {
        let topology = self.topology(board);
        let of = if rows { TableOf::RowOf(board) } else { TableOf::ColumnOf(board) };
        let value = |s| i64::from(if rows { topology.row_of(s) } else { topology.column_of(s) });
        let table = self.number_table_of(of, 0, || topology.sites().map(value).collect());
        let index = self.number(site);
        if !self.is_sure(site) {
            self.emit(I::CheckSome { a: index, why: Failure::NoneValue });
        }
        self.emit(I::Look { d, table, index });
    }

    fn arithmetic(&mut self, op: Arithmetic, a: &CheckedExpr, b: &CheckedExpr, d: Out) {
        let constant = |e: &CheckedExpr| match e.kind {
            CheckedExprKind::Constant(Value::Number(n)) => i32::try_from(n).ok().filter(|n| *n != i32::MIN),
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
                    Arithmetic::Multiply => Operator::Multiply,
                    Arithmetic::Divide => Operator::Divide,
                    Arithmetic::Modulo => Operator::Modulo,
                    Arithmetic::Min => Operator::Min,
                    Arithmetic::Max => Operator::Max,
                };
                self.emit(I::Arithmetic { d, op: rare, a, b });
            }
        }
    }

    /// Lowers code in which another player acts.
    pub(super) fn as_player(&mut self, player: &CheckedExpr, lower: impl FnOnce(&mut Self)) {
        let me = self.acting(player);
        let saved = std::mem::replace(&mut self.me, me);
        lower(self);
        self.me = saved;
    }

    /// Returns the address of a player, checked not to be `none`.
    pub(super) fn acting(&mut self, player: &CheckedExpr) -> u16 {
        let at = self.number(player);
        if !self.is_sure(player) {
            self.emit(I::CheckSome { a: at, why: Failure::NoneValue });
        }
        at.0
    }

    fn after(&mut self, player: &CheckedExpr, among: Option<&CheckedExpr>, d: Out) {
        let start = In(self.acting(player));
        let t = self.number_temp();
        self.emit(I::AddK { d: Out(t), a: start, k: Imm(1) });
        match among {
            None => {
                let end = self.label();
                let players = self.program.players.into();
                self.emit(I::IfLessK { a: In(t), k: Imm(players), is: Truth(true), to: end.block() });
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

    fn before(&mut self, player: &CheckedExpr, among: Option<&CheckedExpr>, d: Out) {
        let start = In(self.acting(player));
        let Some(among) = among else {
            let (t, end) = (self.number_temp(), self.label());
            self.emit(I::AddK { d: Out(t), a: start, k: Imm(-1) });
            self.emit(I::IfLessK { a: In(t), k: Imm(0), is: Truth(false), to: end.block() });
            self.emit(I::Const { d: Out(t), k: Imm(i32::from(self.program.players) - 1) });
            self.bind(end);
            return self.emit(I::Copy { d, a: In(t) });
        };
        // The last of the players with a lower seat, else the last of all.
        let t = self.number_temp();
        let (all, lower) = (self.set_temp(), self.set_temp());
        self.emit(I::Copy { d: Out(t), a: start });
        self.set_into(among, all);
        let count = u32::from(self.program.players);
        let rows: Vec<BitSet> = (0..count).map(|seat| BitSet::from_elements(count, 0..seat)).collect();
        let table = self.set_table(0, &rows);
        let found = self.label();
        self.emit(I::LookSet { d: SetOut(lower), table, index: In(t) });
        self.emit(I::And { d: SetOut(lower), a: SetIn(lower), b: SetIn(all) });
        self.emit(I::IfSome { a: SetIn(lower), is: Truth(true), to: found.block() });
        self.emit(I::SetCopy { d: SetOut(lower), a: SetIn(all) });
        self.bind(found);
        self.emit(I::Last { d, a: SetIn(lower) });
    }

    /// Computes the flat index into a product of domains: the first index changes slowest.
    pub(super) fn flat(&mut self, index: &[CheckedExpr], sizes: &[u16]) -> In {
        let [first, rest @ ..] = index else { return In(crate::program::ZERO) };
        let mut at = self.number(first);
        if rest.is_empty() {
            return at;
        }
        if !self.is_sure(first) {
            self.emit(I::CheckSome { a: at, why: Failure::NoneIndex });
        }
        for (e, size) in rest.iter().zip(&sizes[1..]) {
            let t = self.number_temp();
            let next = self.number(e);
            if !self.is_sure(e) {
                self.emit(I::CheckSome { a: next, why: Failure::NoneIndex });
            }
            self.emit(I::ScaleAdd { d: Out(t), a: at, k: Imm((*size).into()), b: next });
            at = In(t);
        }
        at
    }

    /// Returns the part of a family that its leading constant indices select: the first position, the number of
    /// values, and the number of these indices.
    pub(super) fn settled(&self, slot: SlotId, index: &[CheckedExpr]) -> (u32, u32, usize) {
        let sizes = self.model.slots[slot.index()].index.iter().map(|d| u32::from(self.size_of(*d)));
        let sizes: Vec<u32> = sizes.collect();
        let constant =
            |e: &&CheckedExpr| matches!(e.kind, CheckedExprKind::Constant(Value::Element(Some(_))));
        let settled = if index.len() == sizes.len() { index.iter().take_while(constant).count() } else { 0 };
        let rest = sizes[settled..].iter().product();
        let first = index[..settled].iter().zip(&sizes).fold(0, |first, (e, size)| match e.kind {
            CheckedExprKind::Constant(Value::Element(Some(e))) => first * size + e,
            _ => first,
        });
        (first * rest, rest, settled)
    }

    /// Returns a slot's family of numbers, and the address of the index.
    pub(super) fn family_numbers(&mut self, slot: SlotId, index: &[CheckedExpr]) -> (Numbers, In) {
        let sizes: Vec<u16> = self.model.slots[slot.index()].index.iter().map(|d| self.size_of(*d)).collect();
        let (first, len, settled) = self.settled(slot, index);
        let family = Numbers { at: self.slot(slot) + first as u16, len: len.min(u16::MAX.into()) as u16 };
        (family, self.flat(&index[settled..], &sizes[settled..]))
    }

    /// Lowers `sum`, `count`, `min`, `max` and `best`.
    fn quantified(&mut self, op: Quantifier, local: LocalId, over: &CheckedExpr, body: &CheckedExpr, d: Out) {
        let narrowed = match op {
            _ if is_unrolled(over) => None,
            Quantifier::Count => self.split_off(local, over, body),
            _ => self.without_others(op, local, over, body).map(|(over, body)| (over, Some(body))),
        };
        let (over, body) = match &narrowed {
            Some((narrowed, Some(left))) => (narrowed, left),
            Some((narrowed, None)) => {
                let a = self.set(narrowed);
                return self.emit(I::Count { d, a });
            }
            None => (over, body),
        };
        let (result, seen) = (self.number_temp(), self.number_temp());
        let most = self.number_temp();
        let start = if op == Quantifier::Best { -1 } else { 0 };
        self.emit(I::Const { d: Out(result), k: Imm(start) });
        self.emit(I::Const { d: Out(seen), k: Imm(0) });
        self.for_each(local, over, &ToEvaluate::now(body), |this| {
            let next = this.label();
            match op {
                Quantifier::Sum => {
                    let a = this.number(body);
                    this.emit(I::Add { d: Out(result), a: In(result), b: a });
                }
                Quantifier::Min | Quantifier::Max | Quantifier::Best => {
                    let a = this.number(body);
                    let take = this.label();
                    this.emit(I::IfEqualK { a: In(seen), k: Imm(0), is: Truth(true), to: take.block() });
                    if op == Quantifier::Min {
                        this.emit(I::IfLess { a, b: In(most), is: Truth(false), to: next.block() });
                    } else {
                        this.emit(I::IfLess { a: In(most), b: a, is: Truth(false), to: next.block() });
                    }
                    this.bind(take);
                    this.emit(I::Const { d: Out(seen), k: Imm(1) });
                    this.emit(I::Copy { d: Out(most), a });
                    let kept = if op == Quantifier::Best { In(this.local(local)) } else { a };
                    this.emit(I::Copy { d: Out(result), a: kept });
                }
                // `count` of a boolean; the other quantifiers are not numbers.
                _ => {
                    this.branch(body, false, next);
                    this.emit(I::AddK { d: Out(result), a: In(result), k: Imm(1) });
                }
            }
            this.bind(next);
        });
        self.emit(I::Copy { d, a: In(result) });
    }

    /// Returns the role of a slot.
    pub(super) fn role(&self, slot: SlotId) -> Role {
        self.model.slots[slot.index()].role
    }
}
