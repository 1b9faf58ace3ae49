//! Sets that have one element at most: where sets have several words, they are computed as the element, `none` being -1,
//! and what asks for them tests a bit.

use super::lower::{CodeLabel, Lowering, TableOf};
use crate::program::{Imm, In, Instruction as I, Out, SetMut, SetOut, Size, Truth};
use houserule_model::board::Site;
use houserule_model::{CheckedExpr, CheckedExprKind as E, Type, Value};

impl Lowering<'_> {
    /// Returns `true` if a set has one element at most, whatever the state, and is best computed as that.
    pub(super) fn is_single(&self, e: &CheckedExpr) -> bool {
        if !self.options.singles || self.layout.width == 1 || !matches!(e.ty, Type::Set(_)) {
            return false;
        }
        let is_empty = |e: &CheckedExpr| matches!(&e.kind, E::Constant(Value::Set(set)) if set.is_empty());
        match &e.kind {
            E::Elements(list) => list.len() == 1,
            E::Shift { of, .. } => self.is_single(of),
            E::If(_, a, b) => {
                (self.is_single(a) || is_empty(a))
                    && (self.is_single(b) || is_empty(b))
                    && !(is_empty(a) && is_empty(b))
            }
            E::Intersect(a, b) => {
                self.is_single(a) && self.never_fails(b) || self.is_single(b) && self.never_fails(a)
            }
            E::Minus(a, b) => self.is_single(a) && self.never_fails(b),
            _ => false,
        }
    }

    /// Computes the element of a set that has one at most: -1 if it has none.
    pub(super) fn single(&mut self, e: &CheckedExpr) -> In {
        if let Some(at) = self.held_element(e) {
            return In(at);
        }
        if let E::Elements(list) = &e.kind
            && let [only] = &list[..]
        {
            return self.number(only);
        }
        let d = self.number_temp();
        self.scoped(|this| this.single_into(e, Out(d)));
        In(d)
    }

    /// Like [`Lowering::single`], into a word that the expression doesn't read.
    pub(super) fn single_into(&mut self, e: &CheckedExpr, d: Out) {
        if let Some((table, index)) = self.as_single_table(e) {
            return self.emit(I::Look { d, table, index });
        }
        let outer = self.enter(e.span);
        match &e.kind {
            E::Shift { board, direction, of } => {
                let index = self.single(of);
                let topology = self.topology(*board);
                let step = |site| topology.step(Site(site), *direction).map_or(-1, |site| i64::from(site.0));
                let values = || std::iter::once(-1).chain((0..topology.size()).map(step)).collect();
                let table = self.number_table_of(TableOf::Step(*board, *direction), -1, values);
                self.emit(I::Look { d, table, index });
            }
            E::If(condition, a, b) => {
                let (no, end) = (self.label(), self.label());
                self.branch(condition, false, no);
                self.single_or_none(a, d);
                self.jump(end);
                self.bind(no);
                self.single_or_none(b, d);
                self.bind(end);
            }
            E::Intersect(a, b) => {
                let (one, other) = if self.is_single(a) { (a, b) } else { (b, a) };
                self.single_if(one, other, true, d);
            }
            E::Minus(a, b) => self.single_if(a, b, false, d),
            _ => {
                let a = self.single(e);
                self.emit(I::Copy { d, a });
            }
        }
        self.leave(outer);
    }

    fn single_or_none(&mut self, e: &CheckedExpr, d: Out) {
        match &e.kind {
            E::Constant(_) => self.emit(I::Const { d, k: Imm(-1) }),
            _ => self.scoped(|this| {
                let a = this.single(e);
                this.emit(I::Copy { d, a });
            }),
        }
    }

    /// Computes the element of a set if another set has it, or if it doesn't.
    fn single_if(&mut self, one: &CheckedExpr, other: &CheckedExpr, wanted: bool, d: Out) {
        let end = self.label();
        let a = self.single(one);
        self.emit(I::Copy { d, a });
        self.emit(I::IfLessK { a, k: Imm(0), is: Truth(true), to: end.block() });
        self.branch_on_element(other, a, wanted, end);
        self.emit(I::Const { d, k: Imm(-1) });
        self.bind(end);
    }

    /// Computes a set of one element at most.
    pub(super) fn single_set(&mut self, e: &CheckedExpr, d: SetOut) {
        let Type::Set(domain) = e.ty else { return };
        if let E::Shift { board, direction, of } = &e.kind {
            let index = self.single(of);
            let table = self.shift_table(*board, *direction);
            return self.emit(I::LookSet { d, table, index });
        }
        let (element, size) = (self.single(e), self.size_of(domain));
        let empty = houserule_model::board::BitSet::empty(self.model.domains[domain.index()].size);
        self.constant_set(&empty, d.0);
        self.emit(I::Insert { d: SetMut(d.0), e: element, size: Size(size) });
    }

    /// Jumps if a set has an element, or if it doesn't.
    pub(super) fn branch_on_element(&mut self, set: &CheckedExpr, e: In, wanted: bool, to: CodeLabel) {
        let is_wide = self.layout.width > 1 && self.held_at(set).is_none() && !self.has_cell(set);
        match &set.kind {
            E::Union(a, b) if is_wide && self.never_fails(b) => {
                let yes = self.label();
                let there = if wanted { to } else { yes };
                self.branch_on_element(a, e, true, there);
                self.branch_on_element(b, e, wanted, to);
                return self.bind(yes);
            }
            E::Intersect(a, b) | E::Minus(a, b) if is_wide && self.never_fails(b) => {
                let no = self.label();
                let there = if wanted { no } else { to };
                let has = matches!(set.kind, E::Intersect(..));
                self.branch_on_element(a, e, false, there);
                self.branch_on_element(b, e, has == wanted, to);
                return self.bind(no);
            }
            _ => {}
        }
        let size = match set.ty {
            Type::Set(domain) => Size(self.size_of(domain)),
            _ => Size(0),
        };
        let (is, block) = (Truth(wanted), to.block());
        // Don't copy a large set of a family to test one bit.
        if let E::Read(target) = &set.kind
            && self.layout.width > 4
            && self.constant_position(target.slot, &target.index).is_none()
        {
            return self.scoped(|this| {
                let (from, index) = this.family_sets(target.slot, &target.index);
                this.emit(I::IfLoadIn { from, index, e, size, is, to: block });
            });
        }
        self.scoped(|this| {
            let a = this.set(set);
            this.emit(I::IfIn { a, e, size, is, to: block });
        });
    }
}
