//! Sets: each takes the program's width in words.

use super::lower::{Lower, TableOf};
use crate::board::{BitSet, ray, shift};
use crate::lang::model::{BoardId, Expr, ExprKind, LocalId, SlotId, Target, Type, Value};
use crate::program::{
    Function, Grid, Imm, In, Instruction as I, Out, Rare, SetIn, SetMut, SetOut, SetTable, Sets, Size,
};

impl Lower<'_> {
    /// Where a set is: its own place if it has one, else a temporary. It is only to be read.
    pub(super) fn set(&mut self, e: &Expr) -> SetIn {
        match &e.kind {
            ExprKind::Local(local) if matches!(e.ty, Type::Set(_)) => return SetIn(self.local(*local)),
            ExprKind::Read(Target { slot, index }) => {
                if let Some(position) = self.constant_position(*slot, index) {
                    return SetIn(self.slot(*slot) + position as u16 * self.layout.width);
                }
            }
            _ => {}
        }
        let d = self.set_temp();
        self.set_into(e, d);
        SetIn(d)
    }

    fn empty_set(&self, ty: Type) -> BitSet {
        match ty {
            Type::Set(d) | Type::Element(d) => BitSet::empty(self.model.domains[d.index()].size),
            _ => BitSet::empty(0),
        }
    }

    fn domain_size(&self, ty: Type) -> crate::program::Size {
        match ty {
            Type::Set(d) | Type::Element(d) => crate::program::Size(self.size_of(d)),
            _ => crate::program::Size(0),
        }
    }

    pub(super) fn constant_set(&mut self, set: &BitSet, d: u16) {
        let k = self.set_ref(set);
        self.emit(I::SetConst { d: SetOut(d), k });
    }

    /// Computes a set into its words, which may be words that the expression reads.
    pub(super) fn set_into(&mut self, e: &Expr, d: u16) {
        if self.is_full() {
            return;
        }
        let out = SetOut(d);
        if let Some((table, index)) = self.as_set_table(e) {
            self.emit(I::LookSet { d: out, table, index });
            return;
        }
        self.scoped(|this| this.compute_set(e, out));
    }

    fn compute_set(&mut self, e: &Expr, d: SetOut) {
        match &e.kind {
            ExprKind::Constant(Value::Set(set)) => self.constant_set(set, d.0),
            ExprKind::Local(_) => {
                let a = self.set(e);
                self.emit(I::SetCopy { d, a });
            }
            ExprKind::Read(Target { slot, index }) => match self.constant_position(*slot, index) {
                Some(_) => {
                    let a = self.set(e);
                    self.emit(I::SetCopy { d, a });
                }
                None => {
                    let (from, index) = self.family_sets(*slot, index);
                    self.emit(I::LoadSet { d, from, index });
                }
            },
            ExprKind::As { player, value } => {
                let me = self.acting(player);
                let saved = std::mem::replace(&mut self.me, me);
                self.set_into(value, d.0);
                self.me = saved;
            }
            ExprKind::Elements(list) => {
                let elements: Vec<In> = list.iter().map(|e| self.number(e)).collect();
                let size = self.domain_size(e.ty);
                let t = self.set_temp();
                let empty = self.empty_set(e.ty);
                self.constant_set(&empty, t);
                for e in elements {
                    self.emit(I::Insert { d: SetMut(t), e, size });
                }
                self.emit(I::SetCopy { d, a: SetIn(t) });
            }
            ExprKind::Union(a, b) => {
                let (a, b) = (self.set(a), self.set(b));
                self.emit(I::Or { d, a, b });
            }
            ExprKind::Intersect(a, b) => self.intersect(a, b, d),
            ExprKind::Minus(a, b) => {
                let (a, b) = (self.set(a), self.set(b));
                self.emit(I::Minus { d, a, b });
            }
            ExprKind::If(c, a, b) => {
                let (no, end) = (self.label(), self.label());
                let t = self.set_temp();
                self.branch(c, false, no);
                self.set_into(a, t);
                self.jump(end);
                self.bind(no);
                self.set_into(b, t);
                self.bind(end);
                self.emit(I::SetCopy { d, a: SetIn(t) });
            }
            ExprKind::Filter { local, over, condition } => {
                let t = self.set_temp();
                let empty = self.empty_set(e.ty);
                let size = self.domain_size(e.ty);
                self.constant_set(&empty, t);
                self.for_each(*local, over, |this| {
                    let next = this.label();
                    this.branch(condition, false, next);
                    let e = In(this.local(*local));
                    this.emit(I::Insert { d: SetMut(t), e, size });
                    this.bind(next);
                });
                self.emit(I::SetCopy { d, a: SetIn(t) });
            }
            ExprKind::Quantified { local, over, body, .. } => {
                let t = self.set_temp();
                let empty = self.empty_set(e.ty);
                self.constant_set(&empty, t);
                self.for_each(*local, over, |this| {
                    let a = this.set(body);
                    this.emit(I::Or { d: SetOut(t), a, b: SetIn(t) });
                });
                self.emit(I::SetCopy { d, a: SetIn(t) });
            }
            ExprKind::Column(board, a) => self.numbered_sites(*board, a, false, d),
            ExprKind::Row(board, a) => self.numbered_sites(*board, a, true, d),
            ExprKind::Columns(board, a) | ExprKind::Rows(board, a) => {
                let topology = self.topology(*board);
                let grid = Grid { width: topology.width(), height: topology.height() };
                let a = self.set(a);
                if matches!(e.kind, ExprKind::Columns(..)) {
                    let (width, height) = (Size(grid.width as u16), Size(grid.height as u16));
                    self.emit(I::Columns { d, a, width, height });
                } else {
                    let f = self.function(Function::Rows { grid });
                    self.emit(I::Apply { d, f, a, b: a });
                }
            }
            ExprKind::Neighbours { board, orthogonal, of } => {
                let table = self.neighbour_table(*board, *orthogonal);
                self.union_of_rows(table, of, d);
            }
            ExprKind::Shift { board, direction, of } => {
                let t = self.topology(*board);
                let rows = |s: u32| shift(t, &BitSet::single(t.size(), s), *direction);
                let table = self.site_table(TableOf::Shift(*board, *direction), *board, rows);
                self.union_of_rows(table, of, d);
            }
            ExprKind::Ray { board, direction, of } => {
                let t = self.topology(*board);
                let rows = |s: u32| ray(t, &BitSet::single(t.size(), s), *direction);
                let table = self.site_table(TableOf::Ray(*board, *direction), *board, rows);
                self.union_of_rows(table, of, d);
            }
            ExprKind::Runs { board, along, of, length } => {
                let lines = self.run_lists(*board, *along);
                let f = self.function(Function::Runs { lines });
                let a = self.set(of);
                let n = self.number(length);
                self.emit(I::ApplyN { d, f, a, n });
            }
            ExprKind::Reach { board, orthogonal, seed, within } => {
                let table = self.neighbour_table(*board, *orthogonal);
                let f = self.function(Function::Reach { table: table.0 });
                let (a, b) = (self.set(seed), self.set(within));
                self.emit(I::Apply { d, f, a, b });
            }
            // No other expression is a set.
            _ => {
                let empty = self.empty_set(e.ty);
                self.constant_set(&empty, d.0);
            }
        }
    }

    fn intersect(&mut self, a: &Expr, b: &Expr, d: SetOut) {
        for (a, b) in [(a, b), (b, a)] {
            if let Some((table, index)) = self.as_set_table(a) {
                let a = self.set(b);
                self.emit(I::LookAnd { d, table, index, a });
                return;
            }
        }
        for (a, b) in [(a, b), (b, a)] {
            if let ExprKind::Constant(Value::Set(set)) = &b.kind {
                let a = self.set(a);
                let k = self.set_ref(set);
                self.emit(I::AndK { d, a, k });
                return;
            }
        }
        let (a, b) = (self.set(a), self.set(b));
        self.emit(I::And { d, a, b });
    }

    /// A column or row by number: nothing where there is none.
    fn numbered_sites(&mut self, board: BoardId, n: &Expr, rows: bool, d: SetOut) {
        let topology = self.topology(board);
        let count = i64::from(if rows { topology.height() } else { topology.width() });
        let table: Vec<BitSet> = (0..=count + 1)
            .map(|n| {
                let sites = if rows { topology.row(n) } else { topology.column(n) };
                sites.unwrap_or_else(|| BitSet::empty(topology.size()))
            })
            .collect();
        let table = self.set_table(0, &table);
        let mut index = self.number(n);
        if self.bounds(n).is_none_or(|(low, high)| low < 0 || high > count + 1) {
            let (t, k) = (self.number_temp(), self.number_temp());
            for (op, bound) in [(Rare::Max, 0), (Rare::Min, count as i32 + 1)] {
                self.emit(I::Const { d: Out(k), k: Imm(bound) });
                self.emit(I::Rarely { d: Out(t), op, a: index, b: In(k) });
                index = In(t);
            }
        }
        self.emit(I::LookSet { d, table, index });
    }

    fn site_table(&mut self, of: TableOf, board: BoardId, row: impl Fn(u32) -> BitSet) -> SetTable {
        let size = self.topology(board).size();
        // Row -1 is for none.
        let rows = || std::iter::once(BitSet::empty(size)).chain((0..size).map(row)).collect();
        self.set_table_of(of, -1, rows)
    }

    fn neighbour_table(&mut self, board: BoardId, orthogonal: bool) -> SetTable {
        let t = self.topology(board);
        let of = TableOf::Neighbours(board, orthogonal);
        self.site_table(of, board, |s| if orthogonal { t.beside(s) } else { t.around(s) })
    }

    /// The union of a table's rows over a set: one row for one element.
    fn union_of_rows(&mut self, table: SetTable, of: &Expr, d: SetOut) {
        if let ExprKind::Elements(list) = &of.kind
            && let [e] = &list[..]
        {
            let index = self.number(e);
            self.emit(I::LookSet { d, table, index });
            return;
        }
        let f = self.function(Function::UnionOfRows { table: table.0 });
        let a = self.set(of);
        self.emit(I::Apply { d, f, a, b: a });
    }

    /// A slot's family of sets, and where the index is.
    pub(super) fn family_sets(&mut self, slot: SlotId, index: &[Expr]) -> (Sets, In) {
        let sizes: Vec<u16> = self.model.slots[slot.index()].index.iter().map(|d| self.size_of(*d)).collect();
        let len = super::layout::family_size(self.model, slot).min(u16::MAX.into()) as u16;
        if let Some(position) = self.constant_position(slot, index) {
            let at = self.slot(slot) + position as u16 * self.layout.width;
            return (Sets { at, len: 1 }, In(crate::program::ZERO));
        }
        (Sets { at: self.slot(slot), len }, self.flat(index, &sizes))
    }

    /// Runs `f` with the local as each element of a set in turn. Nothing inside may suspend.
    pub(super) fn for_each(&mut self, local: LocalId, over: &Expr, f: impl FnOnce(&mut Self)) {
        self.scoped(|this| {
            let rest = this.set_temp();
            this.set_into(over, rest);
            let at = this.number_temp();
            this.locals[local.index()] = Some(at);
            this.sure.insert(local);
            let (head, end) = (this.here(), this.label());
            this.emit(I::Pop { d: Out(at), from: SetMut(rest), to: end.block() });
            this.scoped(f);
            this.emit(I::Loop { to: head.block() });
            this.bind(end);
        });
        self.locals[local.index()] = None;
    }
}
