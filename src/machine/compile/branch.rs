//! Lowering of conditions to jumps.

use super::keep::held::ToEvaluate;
use super::lower::{CodeLabel, Lowering};
use super::sets::is_unrolled;
use crate::program::{Imm, In, Instruction as I, Out, Truth};
use houserule_language::syntax::Quantifier;
use houserule_model::{
    CheckedExpr, CheckedExprKind as E, ComparisonOperator, LocalId, Type, Value, numbers, numbers_on_board,
    sets, sets_on_board,
};

impl Lowering<'_> {
    /// Jumps if the condition has the value `wanted`, else falls through.
    pub(super) fn branch(&mut self, e: &CheckedExpr, wanted: bool, to: CodeLabel) {
        if self.is_full() {
            return;
        }
        match &e.kind {
            E::Constant(Value::Bool(b)) => {
                if *b == wanted {
                    self.jump(to);
                }
                return;
            }
            E::Not(a) => return self.branch(a, !wanted, to),
            // A table lookup would cost more.
            E::IsSome(a) if matches!(&a.kind, E::Elements(list) if list.len() == 1) => {
                return self.scoped(|this| this.is_some(a, wanted, to));
            }
            _ => {}
        }
        let outer = self.enter(e.span);
        self.scoped(|this| {
            if let Some((table, index)) = this.as_number_table(e) {
                let d = this.number_temp();
                this.emit(I::Look { d: Out(d), table, index });
                this.if_true(In(d), wanted, to);
            } else if this.has_cell(e) {
                let a = this.number(e);
                this.if_true(a, wanted, to);
            } else {
                this.evaluating(e, |this| this.test(e, wanted, to));
            }
        });
        self.leave(outer);
    }

    fn if_true(&mut self, a: In, wanted: bool, to: CodeLabel) {
        self.emit(I::IfEqualK { a, k: Imm(0), is: Truth(!wanted), to: to.block() });
    }

    fn test(&mut self, e: &CheckedExpr, wanted: bool, to: CodeLabel) {
        match &e.kind {
            E::And(a, b) => {
                if wanted {
                    let no = self.label();
                    self.branch(a, false, no);
                    self.branch(b, true, to);
                    self.bind(no);
                } else {
                    self.branch(a, false, to);
                    self.branch(b, false, to);
                }
            }
            E::Or(a, b) => {
                if wanted {
                    self.branch(a, true, to);
                    self.branch(b, true, to);
                } else {
                    let yes = self.label();
                    self.branch(a, true, yes);
                    self.branch(b, false, to);
                    self.bind(yes);
                }
            }
            E::If(c, a, b) => {
                let (no, end) = (self.label(), self.label());
                self.branch(c, false, no);
                self.branch(a, wanted, to);
                self.jump(end);
                self.bind(no);
                self.branch(b, wanted, to);
                self.bind(end);
            }
            E::Compare(op, a, b) => {
                let op = if wanted { *op } else { op.negated() };
                self.compare(op, a, b, to);
            }
            E::Same(a, b) => self.same(a, b, wanted, to),
            E::Contains { set, element } => {
                let e = self.number(element);
                self.branch_on_element(set, e, wanted, to);
            }
            E::Subset(a, b) if self.is_single(a) && self.never_fails(b) => {
                let end = self.label();
                let e = self.single(a);
                let there = if wanted { to } else { end };
                self.emit(I::IfLessK { a: e, k: Imm(0), is: Truth(true), to: there.block() });
                self.branch_on_element(b, e, wanted, to);
                self.bind(end);
            }
            E::Subset(a, b) => {
                let (a, b) = (self.set(a), self.set(b));
                self.emit(I::IfSubset { a, b, is: Truth(wanted), to: to.block() });
            }
            E::IsSome(a) => self.is_some(a, wanted, to),
            E::Quantified { op: op @ (Quantifier::Any | Quantifier::All), local, over, body } => {
                let any = *op == Quantifier::Any;
                if let Some(nest) = self.arranged(e) {
                    // Without these, no element counts.
                    let (skip, is_wanted) = (self.label(), wanted != any);
                    let failed = if is_wanted { to } else { skip };
                    nest.first.iter().for_each(|condition| self.branch(condition, false, failed));
                    self.in_nest(&nest, |this| this.branch(&nest.rest, wanted, to));
                    return self.bind(skip);
                }
                if !is_unrolled(over) {
                    if !any {
                        if let Some(set) = self.lifted(*local, body, over.ty) {
                            let (a, b) = (self.set(over), self.set(&set));
                            return self.emit(I::IfSubset { a, b, is: Truth(wanted), to: to.block() });
                        }
                        if let Some((over, body)) = self.without_others(*op, *local, over, body) {
                            return self.search(false, *local, &over, &body, wanted, to);
                        }
                    } else if let Some((narrowed, left)) = self.split_off(*local, over, body) {
                        return match left {
                            None => self.is_some(&narrowed, wanted, to),
                            Some(left) => self.search(true, *local, &narrowed, &left, wanted, to),
                        };
                    }
                }
                self.search(any, *local, over, body, wanted, to);
            }
            E::As { player, value } => {
                self.as_player(player, |this| this.branch(value, wanted, to));
            }
            // These expressions are values of the frame, or not boolean.
            E::Constant(_)
            | E::Read(_)
            | E::Local(_)
            | E::Me
            | E::Not(_)
            | E::Quantified { .. }
            | E::Repeated { .. }
            | E::Tried { .. }
            | E::Chain(_)
            | E::RestOfChain
            | E::Call { .. }
            | sets!()
            | numbers!()
            | numbers_on_board!()
            | sets_on_board!() => {
                let a = self.number(e);
                self.if_true(a, wanted, to);
            }
        }
    }

    /// Goes over a set. `any` searches for an element for which the condition holds, `all` for one for which it does not.
    fn search(
        &mut self,
        any: bool,
        local: LocalId,
        over: &CheckedExpr,
        body: &CheckedExpr,
        wanted: bool,
        to: CodeLabel,
    ) {
        let (found, end) = (self.label(), self.label());
        self.for_each(local, over, &ToEvaluate::now(body), |this| this.branch(body, any, found));
        if wanted == any {
            self.jump(end);
            self.bind(found);
            self.jump(to);
            self.bind(end);
        } else {
            self.jump(to);
            self.bind(found);
            self.bind(end);
        }
    }

    fn is_some(&mut self, a: &CheckedExpr, wanted: bool, to: CodeLabel) {
        let to = to.block();
        let is_lone = matches!(&a.kind, E::Elements(list) if list.len() == 1);
        if is_lone || self.is_single(a) && self.held_at(a).is_none() && !self.has_cell(a) {
            let (a, k) = (self.single(a), Imm(0));
            return self.emit(I::IfLessK { a, k, is: Truth(!wanted), to });
        }
        let a = self.set(a);
        self.emit(I::IfSome { a, is: Truth(wanted), to });
    }

    fn same(&mut self, a: &CheckedExpr, b: &CheckedExpr, wanted: bool, to: CodeLabel) {
        let (is, block) = (Truth(wanted), to.block());
        if !matches!(a.ty, Type::Set(_)) {
            let constant = |e: &CheckedExpr| match &e.kind {
                E::Constant(Value::Element(e)) => Some(e.map_or(-1, |e| e as i32)),
                E::Constant(Value::Bool(b)) => Some((*b).into()),
                _ => None,
            };
            for (a, b) in [(a, b), (b, a)] {
                if let Some(k) = constant(b) {
                    let (a, k) = (self.number(a), Imm(k));
                    return self.emit(I::IfEqualK { a, k, is, to: block });
                }
            }
            let (a, b) = (self.number(a), self.number(b));
            return self.emit(I::IfEqual { a, b, is, to: block });
        }
        for (a, b) in [(a, b), (b, a)] {
            if matches!(&b.kind, E::Constant(Value::Set(s)) if s.is_empty()) {
                return self.is_some(a, !wanted, to);
            }
        }
        let (a, b) = (self.set(a), self.set(b));
        self.emit(I::IfSame { a, b, is, to: block });
    }

    fn compare(&mut self, op: ComparisonOperator, a: &CheckedExpr, b: &CheckedExpr, to: CodeLabel) {
        let constant = |e: &CheckedExpr| match e.kind {
            E::Constant(Value::Number(n)) => i32::try_from(n).ok().filter(|n| *n < i32::MAX),
            _ => None,
        };
        if let Some(k) = constant(b) {
            if let Some((want, length)) = line_length(op, k)
                && let E::Longest { board, along, of } = &a.kind
            {
                return self.has_line(*board, *along, of, want, length, to);
            }
            let (a, to) = (self.number(a), to.block());
            self.emit(match op {
                ComparisonOperator::Equal => I::IfEqualK { a, k: Imm(k), is: Truth(true), to },
                ComparisonOperator::NotEqual => I::IfEqualK { a, k: Imm(k), is: Truth(false), to },
                ComparisonOperator::Less => I::IfLessK { a, k: Imm(k), is: Truth(true), to },
                ComparisonOperator::LessEqual => I::IfLessK { a, k: Imm(k + 1), is: Truth(true), to },
                ComparisonOperator::Greater => I::IfLessK { a, k: Imm(k + 1), is: Truth(false), to },
                ComparisonOperator::GreaterEqual => I::IfLessK { a, k: Imm(k), is: Truth(false), to },
            });
            return;
        }
        if constant(a).is_some() {
            return self.compare(op.swapped(), b, a, to);
        }
        let (a, b, to) = (self.number(a), self.number(b), to.block());
        self.emit(match op {
            ComparisonOperator::Equal => I::IfEqual { a, b, is: Truth(true), to },
            ComparisonOperator::NotEqual => I::IfEqual { a, b, is: Truth(false), to },
            ComparisonOperator::Less => I::IfLess { a, b, is: Truth(true), to },
            ComparisonOperator::LessEqual => I::IfLess { a: b, b: a, is: Truth(false), to },
            ComparisonOperator::Greater => I::IfLess { a: b, b: a, is: Truth(true), to },
            ComparisonOperator::GreaterEqual => I::IfLess { a, b, is: Truth(false), to },
        });
    }

    /// Jumps if a set has a run of at least `length`, or, with `want` = `false`, if it has none.
    fn has_line(
        &mut self,
        board: houserule_model::BoardId,
        along: houserule_model::board::LineKinds,
        of: &CheckedExpr,
        want: bool,
        length: i32,
        to: CodeLabel,
    ) {
        if length <= 0 {
            if want {
                self.jump(to);
            }
            return;
        }
        if length == 1 {
            return self.is_some(of, want, to);
        }
        // On a torus a line can be as long as a cycle.
        let longest = self.topology(board).lines().iter().map(|l| l.sites.len()).max().unwrap_or(0);
        if length as usize > longest {
            if !want {
                self.jump(to);
            }
            return;
        }
        let lines = self.line_test(board, along, length as u32);
        let (from, index) = match &of.kind {
            E::Read(target) => self.family_sets(target.slot, &target.index),
            _ => {
                let a = self.set(of);
                (crate::program::Sets { at: a.0, len: 1 }, In(crate::program::ZERO))
            }
        };
        let lines = self.remembering(board, lines, from);
        self.emit(I::IfLine { from, index, lines, is: Truth(want), to: to.block() });
    }
}

/// Converts `longest(S) op k` to "has a run of at least n" (`true`) or its negation.
fn line_length(op: ComparisonOperator, k: i32) -> Option<(bool, i32)> {
    match op {
        ComparisonOperator::GreaterEqual => Some((true, k)),
        ComparisonOperator::Greater => Some((true, k + 1)),
        ComparisonOperator::Less => Some((false, k)),
        ComparisonOperator::LessEqual => Some((false, k + 1)),
        ComparisonOperator::Equal | ComparisonOperator::NotEqual => None,
    }
}
