//! Lifting of conditions on elements to set operations: `c in S where toward(c, north) in empty` becomes `S`
//! intersected with the sites south of the empty ones. A condition that can fail is not lifted, because it would
//! be evaluated for more elements than the rules require.

use crate::compile::lower::{Lowering, TABLE_STEPS};
use houserule_model::board::{BitSet, Site, Topology};
use houserule_model::constant::{Input, inputs, value_at, values};
use houserule_model::{CheckedExpr, CheckedExprKind, LocalId, Type, Value, walk};

/// Maximum size of a condition that becomes a table of masks, in expressions.
const MASK_NODES: i64 = 100;

/// Maximum number of evaluation steps for a table of masks.
const MASK_STEPS: i64 = 200_000;

impl Lowering<'_> {
    /// Rewrites `condition` on `local` as a set expression over its domain. Returns `None` if no such rewrite is
    /// known.
    pub(in crate::compile) fn lifted(
        &self,
        local: LocalId,
        condition: &CheckedExpr,
        ty: Type,
    ) -> Option<CheckedExpr> {
        let set = |kind| Some(CheckedExpr { kind, ty, span: condition.span });
        if self.tested(local, condition).is_some() {
            let (over, condition) = (Box::new(self.all_of(ty, condition)?), Box::new(condition.clone()));
            return set(CheckedExprKind::Filter { local, over, condition });
        }
        if !mentions(condition, local) {
            if !self.never_fails(condition) {
                return None;
            }
            let (all, none) = (self.all_of(ty, condition)?, self.none_of(ty, condition)?);
            return set(CheckedExprKind::If(Box::new(condition.clone()), Box::new(all), Box::new(none)));
        }
        if let Some(mask) = self.mask(local, condition, ty).filter(|_| self.options.masks) {
            return Some(mask);
        }
        let both = |a: &CheckedExpr, b: &CheckedExpr| {
            Some((Box::new(self.lifted(local, a, ty)?), Box::new(self.lifted(local, b, ty)?)))
        };
        match &condition.kind {
            CheckedExprKind::And(a, b) => both(a, b).and_then(|(a, b)| set(CheckedExprKind::Intersect(a, b))),
            CheckedExprKind::Or(a, b) => both(a, b).and_then(|(a, b)| set(CheckedExprKind::Union(a, b))),
            CheckedExprKind::Not(a) => {
                let (all, without) = (self.all_of(ty, condition)?, self.lifted(local, a, ty)?);
                set(CheckedExprKind::Minus(Box::new(all), Box::new(without)))
            }
            CheckedExprKind::Contains { set, element } => self.leading_to(local, element, set),
            CheckedExprKind::IsSome(of) => match &of.kind {
                CheckedExprKind::Elements(list) if list.len() == 1 => {
                    let Type::Element(domain) = list[0].ty else { return None };
                    let all = self.all_of(Type::Set(domain), condition)?;
                    self.leading_to(local, &list[0], &all)
                }
                // The condition is evaluated for all sites at once.
                CheckedExprKind::Custodial { .. } if self.is_flanks(local, condition) => {
                    let (over, condition) =
                        (Box::new(self.all_of(ty, condition)?), Box::new(condition.clone()));
                    set(CheckedExprKind::Filter { local, over, condition })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the elements of the whole domain for which a condition holds, if they are a constant or a row of a table:
    /// `c.rank == r`. Besides the local, the condition has at most one small input.
    fn mask(&self, local: LocalId, condition: &CheckedExpr, ty: Type) -> Option<CheckedExpr> {
        let all = self.all_of(ty, condition)?;
        let Type::Set(domain) = ty else { return None };
        let mut found = inputs(self.model, condition)?;
        found.remove(&Input::Local(local));
        let mut nodes = 0;
        walk::expr(condition, &mut |_| nodes += 1);
        let size = i64::from(self.model.domains[domain.index()].size);
        let kind =
            CheckedExprKind::Filter { local, over: Box::new(all), condition: Box::new(condition.clone()) };
        let whole = CheckedExpr { kind, ty, span: condition.span };
        let rows = match found.pop_first() {
            None => 1,
            Some(_) if !found.is_empty() || nodes > MASK_NODES => return None,
            Some(input) => {
                let known = match input {
                    Input::Local(other) => self.locals[other.index()].is_some(),
                    _ => true,
                };
                let values = values(self.model, input).filter(|_| known)?;
                values.end().checked_sub(*values.start())?.checked_add(1)?
            }
        };
        let steps = rows.checked_mul(size)?.checked_mul(nodes)?;
        if steps > MASK_STEPS || steps > i64::from(self.table_steps) / 4 || !self.never_fails(condition) {
            return None;
        }
        if rows > 1 {
            return Some(whole);
        }
        // No input is left, so that any value will do.
        let value = value_at(self.model, &whole, Input::Me, 0, &mut TABLE_STEPS.0.clone())?;
        Some(CheckedExpr { kind: CheckedExprKind::Constant(value), ..whole })
    }

    /// Splits a set at the conditions on its elements: returns the set without the elements that the liftable conditions
    /// exclude, and the conditions that are left. A condition that can fail is evaluated for the same elements as before.
    pub(in crate::compile) fn split_off(
        &self,
        local: LocalId,
        over: &CheckedExpr,
        condition: &CheckedExpr,
    ) -> Option<(CheckedExpr, Option<CheckedExpr>)> {
        let (mut narrowed, mut left): (Option<CheckedExpr>, Option<CheckedExpr>) = (None, None);
        let mut may_fail = false;
        for condition in conjuncts(condition) {
            let lifted = if may_fail { None } else { self.lifted(local, condition, over.ty) };
            if let Some(set) = lifted {
                narrowed = Some(both(narrowed.unwrap_or_else(|| over.clone()), set));
                continue;
            }
            may_fail |= !self.never_fails(condition);
            let condition = condition.clone();
            left = Some(match left {
                None => condition,
                Some(before) => and(before, condition),
            });
        }
        Some((narrowed?, left))
    }

    /// Returns the values of a local for which `element` is in the set `among`.
    fn leading_to(&self, local: LocalId, element: &CheckedExpr, among: &CheckedExpr) -> Option<CheckedExpr> {
        if mentions(among, local) || !self.never_fails(among) {
            return None;
        }
        let set = |kind, ty| Some(CheckedExpr { kind, ty, span: element.span });
        match &element.kind {
            CheckedExprKind::Local(it) if *it == local => Some(among.clone()),
            CheckedExprKind::First(of) => {
                let CheckedExprKind::Shift { board, direction, of } = &of.kind else { return None };
                let CheckedExprKind::Elements(list) = &of.kind else { return None };
                let [from] = &list[..] else { return None };
                let direction = reverse(self.topology(*board), *direction)?;
                let of = Box::new(among.clone());
                let before = set(CheckedExprKind::Shift { board: *board, direction, of }, among.ty)?;
                self.leading_to(local, from, &before)
            }
            CheckedExprKind::If(condition, a, b) => {
                if mentions(condition, local) || !self.never_fails(condition) {
                    return None;
                }
                let a = Box::new(self.leading_to(local, a, among)?);
                let b = Box::new(self.leading_to(local, b, among)?);
                let ty = a.ty;
                set(CheckedExprKind::If(condition.clone(), a, b), ty)
            }
            _ => None,
        }
    }

    fn all_of(&self, ty: Type, like: &CheckedExpr) -> Option<CheckedExpr> {
        let Type::Set(domain) = ty else { return None };
        let all = BitSet::full(self.model.domains[domain.index()].size);
        Some(CheckedExpr { kind: CheckedExprKind::Constant(Value::Set(all)), ty, span: like.span })
    }

    fn none_of(&self, ty: Type, like: &CheckedExpr) -> Option<CheckedExpr> {
        let Type::Set(domain) = ty else { return None };
        let none = BitSet::empty(self.model.domains[domain.index()].size);
        Some(CheckedExpr { kind: CheckedExprKind::Constant(Value::Set(none)), ty, span: like.span })
    }
}

/// Splits a condition into conjuncts, in the order of their evaluation.
pub(in crate::compile) fn conjuncts(e: &CheckedExpr) -> Vec<&CheckedExpr> {
    match &e.kind {
        CheckedExprKind::And(a, b) => [conjuncts(a), conjuncts(b)].concat(),
        CheckedExprKind::Constant(Value::Bool(true)) => vec![],
        _ => vec![e],
    }
}

/// Returns the condition that both hold.
pub(in crate::compile) fn and(a: CheckedExpr, b: CheckedExpr) -> CheckedExpr {
    let (ty, span) = (a.ty, a.span);
    CheckedExpr { kind: CheckedExprKind::And(Box::new(a), Box::new(b)), ty, span }
}

/// Returns the elements that are in both sets.
pub(super) fn both(a: CheckedExpr, b: CheckedExpr) -> CheckedExpr {
    let (ty, span) = (a.ty, a.span);
    CheckedExpr { kind: CheckedExprKind::Intersect(Box::new(a), Box::new(b)), ty, span }
}

/// Returns `true` if an expression names a local.
pub(in crate::compile) fn mentions(e: &CheckedExpr, local: LocalId) -> bool {
    let mut found = false;
    walk::expr(e, &mut |e| found |= matches!(e.kind, CheckedExprKind::Local(l) if l == local));
    found
}

/// Returns the exact inverse of a direction on all sites, if there is one.
fn reverse(topology: &Topology, direction: u32) -> Option<u32> {
    let d = topology.directions().get(direction as usize)?;
    let back = topology.direction_toward((-d.dx).into(), (-d.dy).into())?;
    let leads =
        |s: Site, one, other| topology.step(s, one).is_none_or(|t| topology.step(t, other) == Some(s));
    let both = |s: Site| leads(s, direction, back) && leads(s, back, direction);
    topology.sites().all(both).then_some(back)
}
