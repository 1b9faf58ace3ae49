//! Zones of counted copies as the checker writes them down: a number for each kind, and the kinds of
//! which some lie there as the set of those whose number is above 0.

use super::{Comparison, DomainId, Expr, ExprKind, Model, Role, Slot, SlotId, Target, Value};
use crate::lang::syntax::Quantifier;

impl Model {
    /// The zones of copies of a domain, and all of their slots' places: one for each kind.
    pub fn copies(&self, domain: DomainId) -> impl Iterator<Item = (SlotId, &Slot)> {
        let slots = (0..).map(SlotId).zip(&self.slots);
        slots.filter(move |(_, slot)| slot.role == Role::Copies && slot.index.last() == Some(&domain))
    }

    /// Do copies of a domain's elements lie in zones?
    pub fn has_copies(&self, domain: DomainId) -> bool {
        self.copies(domain).next().is_some()
    }

    /// How many copies of all kinds there are.
    pub fn copies_in_all(&self, domain: DomainId) -> i64 {
        let number = |value: &Value| if let Value::Number(n) = value { *n } else { 0 };
        self.copies(domain).flat_map(|(_, slot)| &slot.initial).map(number).sum()
    }

    /// The zone whose kinds a set is: it is told without the kind's index.
    pub fn kinds_of(&self, e: &Expr) -> Option<Target> {
        let ExprKind::Filter { local, over, condition } = &e.kind else { return None };
        let (ExprKind::Constant(Value::Set(all)), ExprKind::Compare(Comparison::Greater, number, zero)) =
            (&over.kind, &condition.kind)
        else {
            return None;
        };
        let none = matches!(zero.kind, ExprKind::Constant(Value::Number(0)));
        let zone = self.zone_at(number, |kind| matches!(kind, ExprKind::Local(l) if l == local))?;
        (none && all.len() == all.size()).then_some(zone)
    }

    /// The zone all of whose copies an expression counts.
    pub fn counts_all_of(&self, e: &Expr) -> Option<Target> {
        let ExprKind::Quantified { op: Quantifier::Sum, local, over, body } = &e.kind else { return None };
        let ExprKind::Constant(Value::Set(all)) = &over.kind else { return None };
        let zone = self.zone_at(body, |kind| matches!(kind, ExprKind::Local(l) if l == local))?;
        (all.len() == all.size()).then_some(zone)
    }

    fn zone_at(&self, e: &Expr, is_kind: impl Fn(&ExprKind) -> bool) -> Option<Target> {
        let ExprKind::Read(target) = &e.kind else { return None };
        let (kind, index) = target.index.split_last()?;
        let copies = self.slots[target.slot.index()].role == Role::Copies;
        (copies && is_kind(&kind.kind)).then(|| Target { slot: target.slot, index: index.to_vec() })
    }
}
