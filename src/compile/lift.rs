//! Lifting of conditions on elements to set operations: `c in S where toward(c, north) in empty` becomes `S`
//! intersected with the sites south of the empty ones. A condition that can fail is not lifted, because it would
//! be evaluated for more elements than the rules require.

use super::lower::Lowering;
use crate::board::{BitSet, Topology};
use crate::model::{Expr, ExprKind, LocalId, Type, Value, walk};

impl Lowering<'_> {
    /// Rewrites `condition` on `local` as a set expression over its domain. Returns `None` if no such rewrite is
    /// known.
    pub(super) fn lifted(&self, local: LocalId, condition: &Expr, ty: Type) -> Option<Expr> {
        let set = |kind| Some(Expr { kind, ty, span: condition.span });
        if self.tested(local, condition).is_some() {
            let (over, condition) = (Box::new(self.all_of(ty, condition)?), Box::new(condition.clone()));
            return set(ExprKind::Filter { local, over, condition });
        }
        if !mentions(condition, local) {
            if !self.never_fails(condition) {
                return None;
            }
            let (all, none) = (self.all_of(ty, condition)?, self.none_of(ty, condition)?);
            return set(ExprKind::If(Box::new(condition.clone()), Box::new(all), Box::new(none)));
        }
        let both = |a: &Expr, b: &Expr| {
            Some((Box::new(self.lifted(local, a, ty)?), Box::new(self.lifted(local, b, ty)?)))
        };
        match &condition.kind {
            ExprKind::And(a, b) => both(a, b).and_then(|(a, b)| set(ExprKind::Intersect(a, b))),
            ExprKind::Or(a, b) => both(a, b).and_then(|(a, b)| set(ExprKind::Union(a, b))),
            ExprKind::Not(a) => {
                let (all, without) = (self.all_of(ty, condition)?, self.lifted(local, a, ty)?);
                set(ExprKind::Minus(Box::new(all), Box::new(without)))
            }
            ExprKind::Contains { set, element } => self.leading_to(local, element, set),
            ExprKind::IsSome(of) => match &of.kind {
                ExprKind::Elements(list) if list.len() == 1 => {
                    let Type::Element(domain) = list[0].ty else { return None };
                    let all = self.all_of(Type::Set(domain), condition)?;
                    self.leading_to(local, &list[0], &all)
                }
                // It is evaluated for all sites at once.
                ExprKind::Custodial { .. } if self.is_flanks(local, condition) => {
                    let (over, condition) =
                        (Box::new(self.all_of(ty, condition)?), Box::new(condition.clone()));
                    set(ExprKind::Filter { local, over, condition })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the values of a local for which `element` is in the set `among`.
    fn leading_to(&self, local: LocalId, element: &Expr, among: &Expr) -> Option<Expr> {
        if mentions(among, local) || !self.never_fails(among) {
            return None;
        }
        let set = |kind, ty| Some(Expr { kind, ty, span: element.span });
        match &element.kind {
            ExprKind::Local(it) if *it == local => Some(among.clone()),
            ExprKind::First(of) => {
                let ExprKind::Shift { board, direction, of } = &of.kind else { return None };
                let ExprKind::Elements(list) = &of.kind else { return None };
                let [from] = &list[..] else { return None };
                let direction = reverse(self.topology(*board), *direction)?;
                let of = Box::new(among.clone());
                let before = set(ExprKind::Shift { board: *board, direction, of }, among.ty)?;
                self.leading_to(local, from, &before)
            }
            ExprKind::If(condition, a, b) => {
                if mentions(condition, local) || !self.never_fails(condition) {
                    return None;
                }
                let a = Box::new(self.leading_to(local, a, among)?);
                let b = Box::new(self.leading_to(local, b, among)?);
                let ty = a.ty;
                set(ExprKind::If(condition.clone(), a, b), ty)
            }
            _ => None,
        }
    }

    fn all_of(&self, ty: Type, like: &Expr) -> Option<Expr> {
        let Type::Set(domain) = ty else { return None };
        let all = BitSet::full(self.model.domains[domain.index()].size);
        Some(Expr { kind: ExprKind::Constant(Value::Set(all)), ty, span: like.span })
    }

    fn none_of(&self, ty: Type, like: &Expr) -> Option<Expr> {
        let Type::Set(domain) = ty else { return None };
        let none = BitSet::empty(self.model.domains[domain.index()].size);
        Some(Expr { kind: ExprKind::Constant(Value::Set(none)), ty, span: like.span })
    }
}

/// Returns `true` if an expression names a local.
pub(super) fn mentions(e: &Expr, local: LocalId) -> bool {
    let mut found = false;
    walk::expr(e, &mut |e| found |= matches!(e.kind, ExprKind::Local(l) if l == local));
    found
}

/// Returns the exact inverse of a direction on all sites, if there is one.
fn reverse(topology: &Topology, direction: u32) -> Option<u32> {
    let d = topology.directions().get(direction as usize)?;
    let back = topology.direction_toward((-d.dx).into(), (-d.dy).into())?;
    let leads = |s: u32, one, other| topology.step(s, one).is_none_or(|t| topology.step(t, other) == Some(s));
    let both = |s: u32| leads(s, direction, back) && leads(s, back, direction);
    (0..topology.size()).all(both).then_some(back)
}
