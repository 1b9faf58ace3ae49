//! Code hoisting in options with binders: their rows of the action mask, each condition tested as early as
//! possible.
//!
//! `a in A, b in B where P(a) and Q(b) and R(a, b)` tests P once per `a` and Q once per `b`, and loops only over
//! pairs that passed. The errors stay those of the rules: a condition is moved only if it can't fail, and neither
//! can any condition before it, nor the sets of the binders that it moves past.

use super::lift::{and, both, conjuncts, mentions};
use crate::compile::keep::held::ToEvaluate;
use crate::compile::lower::Lowering;
use crate::compile::places::OptionPlace;
use crate::program::{Imm, In, Instruction as I, Out, SetIn, SetOut, SetTable, Size, Span16, ZERO};
use houserule_model::board::BitSet;
use houserule_model::{CheckedBinder, CheckedExpr, CheckedExprKind, CheckedOption, LocalId, Type, Value};

/// The share of candidates that are thought to pass a condition.
const PASSES: f64 = 0.5;

/// A condition of an option.
#[derive(Clone, Debug)]
struct Condition {
    e: CheckedExpr,
    /// `true` if neither it nor any condition before it can fail.
    total: bool,
}

/// A binder with the conditions tested once it is bound.
struct HoistedBinder<'o> {
    binder: &'o CheckedBinder,
    /// Its set.
    over: CheckedExpr,
    conditions: Vec<Condition>,
}

/// The loop nest of an option.
struct Nest<'o> {
    /// Conditions tested before anything is bound.
    before: Vec<Condition>,
    bound: Vec<HoistedBinder<'o>>,
}

impl Lowering<'_> {
    /// Computes the part of the action mask for an option with binders, from the word `at` on.
    pub(in crate::compile) fn bound_options(&mut self, option: &CheckedOption, place: &OptionPlace, at: u16) {
        let Some((last, rest)) = place.sizes.split_last() else { return };
        let words = Span16 { at, len: (rest.iter().product::<u32>() * last.div_ceil(64)) as u16 };
        let mut nest = self.nest(option);
        self.scoped(|this| {
            let end = this.label();
            if let [only] = &nest.bound[..]
                && let Some((table, index)) = this.looked_up(only, &nest.before)
            {
                let a = this.set_temp();
                this.emit(I::LookSet { d: SetOut(a), table, index });
                return this.emit(I::RegionSet { words, a: SetIn(a) });
            }
            if !rest.is_empty() || !nest.before.is_empty() {
                this.emit(I::RegionClear { words });
            }
            for condition in std::mem::take(&mut nest.before) {
                this.branch(&condition.e, false, end);
            }
            match &nest.bound[..] {
                [only] if only.binder.subset => {
                    this.subsets(only.binder, conjunction(&only.conditions).as_ref(), words, In(ZERO));
                }
                [only] => {
                    let over = this.narrowed(only.binder, only.over.clone(), &only.conditions);
                    let a = this.set_of(only.binder, &over);
                    this.emit(I::RegionSet { words, a });
                }
                _ => {
                    this.compute_once(&mut nest);
                    this.rows(&nest, place, 0, words);
                }
            }
            this.bind(end);
        });
    }

    /// Returns the legal elements of a single binder as a table, if they depend on one small input.
    fn looked_up(&mut self, only: &HoistedBinder<'_>, before: &[Condition]) -> Option<(SetTable, In)> {
        let condition = conjunction(before).filter(|e| !only.binder.subset && self.never_fails(e))?;
        let over = self.narrowed(only.binder, only.over.clone(), &only.conditions);
        if !self.never_fails(&over) {
            return None;
        }
        let (ty, span) = (over.ty, over.span);
        let domain = self.model.domains[only.binder.domain.index()].size;
        let none =
            CheckedExpr { kind: CheckedExprKind::Constant(Value::Set(BitSet::empty(domain))), ty, span };
        let kind = CheckedExprKind::If(Box::new(condition), Box::new(over), Box::new(none));
        self.set_table_by_input(&CheckedExpr { kind, ty, span })
    }

    /// Assigns each condition to the binder after which it is tested.
    fn nest<'o>(&self, option: &'o CheckedOption) -> Nest<'o> {
        let bound = |binder: &'o CheckedBinder| HoistedBinder {
            binder,
            over: binder.over.clone(),
            conditions: vec![],
        };
        let mut nest = Nest { before: vec![], bound: option.binders.iter().map(bound).collect() };
        let first = option.binders.iter().rposition(|b| !self.never_fails(&b.over)).map_or(0, |k| k + 1);
        let locals: Vec<LocalId> = option.binders.iter().map(|b| b.local).collect();
        let mut total = true;
        for part in option.filter.iter().flat_map(conjuncts) {
            let part = self.counted(part);
            total = total && self.never_fails(&part);
            let divided = if total { self.divided(&part, &locals) } else { None };
            for e in divided.unwrap_or_else(|| vec![part]) {
                let needs = locals.iter().rposition(|local| mentions(&e, *local)).map_or(0, |k| k + 1);
                let level = if total { needs.max(first) } else { locals.len() };
                let there = match level.checked_sub(1) {
                    None => &mut nest.before,
                    Some(k) => &mut nest.bound[k].conditions,
                };
                there.push(Condition { e, total });
            }
        }
        nest
    }

    /// Hoists loop-invariant sets out of the loops.
    fn compute_once(&mut self, nest: &mut Nest<'_>) {
        let locals: Vec<LocalId> = nest.bound.iter().map(|b| b.binder.local).collect();
        let free = |e: &CheckedExpr| !locals.iter().any(|local| mentions(e, *local));
        for (k, bound) in nest.bound.iter_mut().enumerate() {
            if k > 0 && free(&bound.over) && self.never_fails(&bound.over) {
                let own = |c: &Condition| {
                    c.total && locals.iter().all(|l| *l == bound.binder.local || !mentions(&c.e, *l))
                };
                let is_own = |c: &Condition| !bound.binder.subset && own(c);
                let (own, others) = std::mem::take(&mut bound.conditions).into_iter().partition(is_own);
                bound.conditions = others;
                let over = self.narrowed(bound.binder, bound.over.clone(), &own);
                bound.over = self.kept_set(bound.binder, &over);
            }
            if k > 0 && !bound.binder.subset {
                // Conditions lifted to sets need no iteration over elements.
                let whole = conjunction(&bound.conditions);
                let ty = Type::Set(bound.binder.domain);
                if let Some(set) = whole.and_then(|e| self.lifted(bound.binder.local, &e, ty)) {
                    let set = self.parts_kept(bound.binder, set, &free);
                    bound.over = both(bound.over.clone(), set);
                    bound.conditions.clear();
                }
            }
        }
    }

    /// Hoists the parts of a set that name no binder.
    fn parts_kept(
        &mut self,
        binder: &CheckedBinder,
        e: CheckedExpr,
        free: &dyn Fn(&CheckedExpr) -> bool,
    ) -> CheckedExpr {
        if free(&e) {
            let there = matches!(
                e.kind,
                CheckedExprKind::Constant(_) | CheckedExprKind::Read(_) | CheckedExprKind::Local(_)
            );
            return if there { e } else { self.kept_set(binder, &e) };
        }
        let mut part = |e: Box<CheckedExpr>| Box::new(self.parts_kept(binder, *e, free));
        let kind = match e.kind {
            CheckedExprKind::Union(a, b) => CheckedExprKind::Union(part(a), part(b)),
            CheckedExprKind::Intersect(a, b) => CheckedExprKind::Intersect(part(a), part(b)),
            CheckedExprKind::Minus(a, b) => CheckedExprKind::Minus(part(a), part(b)),
            other => other,
        };
        CheckedExpr { kind, ..e }
    }

    /// Computes a set and returns an expression for its address.
    fn kept_set(&mut self, binder: &CheckedBinder, e: &CheckedExpr) -> CheckedExpr {
        let at = self.set_of(binder, e);
        let local = LocalId(self.locals.len() as u32);
        self.locals.push(Some(at.0));
        CheckedExpr { kind: CheckedExprKind::Local(local), ..e.clone() }
    }

    /// Returns the elements of a set for which conditions hold, as set operations where possible.
    fn narrowed(&self, binder: &CheckedBinder, over: CheckedExpr, conditions: &[Condition]) -> CheckedExpr {
        let ty = Type::Set(binder.domain);
        let Some(whole) = conjunction(conditions) else { return over };
        let (mut over, mut left) = (over, vec![]);
        if conditions.len() == 1 || self.lifted(binder.local, &whole, ty).is_some() {
            left = conditions.to_vec();
        } else {
            for condition in conditions {
                let lifted = self.lifted(binder.local, &condition.e, ty).filter(|_| condition.total);
                match lifted {
                    Some(set) => over = both(over, set),
                    None => left.push(condition.clone()),
                }
            }
        }
        let Some(condition) = conjunction(&left).map(Box::new) else { return over };
        let span = over.span;
        CheckedExpr {
            kind: CheckedExprKind::Filter { local: binder.local, over: Box::new(over), condition },
            ty,
            span,
        }
    }

    /// Computes a set whose filter may loop over a binder, and keeps the binder's address.
    fn set_of(&mut self, binder: &CheckedBinder, e: &CheckedExpr) -> SetIn {
        let lasting = self.locals[binder.local.index()];
        let at = self.set(e);
        self.locals[binder.local.index()] = lasting;
        at
    }

    /// Returns what is evaluated for each element of a binder: its conditions, and the sets and conditions of those after it.
    fn to_evaluate<'e>(
        &self,
        conditions: &'e [Condition],
        deeper: &'e [HoistedBinder<'_>],
    ) -> Vec<ToEvaluate<'e>> {
        let (mut all, mut times, mut unbound) = (vec![], 1.0, vec![]);
        let mut add = |e, passes: f64, unbound: &Vec<LocalId>| {
            all.push(ToEvaluate { e, times, unbound: unbound.clone() });
            times *= passes;
        };
        conditions.iter().for_each(|condition| add(&condition.e, PASSES, &unbound));
        for HoistedBinder { binder, over, conditions } in deeper {
            add(over, self.canons.elements(over), &unbound);
            unbound.push(binder.local);
            conditions.iter().for_each(|condition| add(&condition.e, PASSES, &unbound));
        }
        all
    }

    /// Computes a row for each combination of the binders from `k` on except the last.
    fn rows(&mut self, nest: &Nest<'_>, place: &OptionPlace, k: usize, words: Span16) {
        let HoistedBinder { binder, over, conditions } = &nest.bound[k];
        let last = nest.bound.len() - 1;
        if k == last {
            self.scoped(|this| {
                let mut row = this.local(nest.bound[0].binder.local);
                for (outer, size) in nest.bound[1..last].iter().zip(&place.sizes[1..last]) {
                    let (t, b) = (this.number_temp(), In(this.local(outer.binder.local)));
                    this.emit(I::ScaleAdd { d: Out(t), a: In(row), k: Imm(*size as i32), b });
                    row = t;
                }
                if binder.subset {
                    let binder = CheckedBinder { over: over.clone(), ..(*binder).clone() };
                    this.subsets(&binder, conjunction(conditions).as_ref(), words, In(row));
                    return;
                }
                let over = this.narrowed(binder, over.clone(), conditions);
                let a = this.set_of(binder, &over);
                let size = Size(place.sizes[last].min(u16::MAX.into()) as u16);
                this.emit(I::RegionRow { words, size, row: In(row), a });
            });
            return;
        }
        let ty = Type::Set(binder.domain);
        let as_set = |c: &Condition| self.lifted(binder.local, &c.e, ty).is_some();
        let (sets, tests): (Vec<_>, Vec<_>) = conditions.iter().cloned().partition(as_set);
        let over = self.narrowed(binder, over.clone(), &sets);
        let lasting = self.locals[binder.local.index()];
        let asks = self.to_evaluate(&tests, &nest.bound[k + 1..]);
        self.for_each(binder.local, &over, &asks, |this| {
            let next = this.label();
            for test in &tests {
                this.branch(&test.e, false, next);
            }
            this.rows(nest, place, k + 1, words);
            this.bind(next);
        });
        self.locals[binder.local.index()] = lasting;
    }
}

/// Returns the conjunction of some conditions in their order, or `None` without conditions.
fn conjunction(conditions: &[Condition]) -> Option<CheckedExpr> {
    conditions.iter().map(|condition| condition.e.clone()).reduce(and)
}
