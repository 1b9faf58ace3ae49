//! Zones of counted copies in the checked model: one count for each kind. The value of such a zone is
//! the set of kinds with a count above 0.

use super::{
    CheckedExpr, CheckedExprKind, ComparisonOperator, DomainId, Model, Role, Slot, SlotId, Target, Value,
};
use houserule_language::syntax::Quantifier;

impl Model {
    /// The slots of the zones that hold copies of `domain`.
    pub fn copies(&self, domain: DomainId) -> impl Iterator<Item = (SlotId, &Slot)> {
        let slots = (0..).map(SlotId).zip(&self.slots);
        slots.filter(move |(_, slot)| slot.role == Role::Copies && slot.index.last() == Some(&domain))
    }

    /// Returns `true` if zones hold copies of `domain`.
    pub fn has_copies(&self, domain: DomainId) -> bool {
        self.copies(domain).next().is_some()
    }

    /// The total number of copies of all kinds.
    pub fn copies_in_all(&self, domain: DomainId) -> i64 {
        let number = |value: &Value| if let Value::Number(n) = value { *n } else { 0 };
        self.copies(domain).flat_map(|(_, slot)| &slot.initial).map(number).sum()
    }

    /// If `e` is the kinds in a zone of copies, returns the zone without the kind's index.
    pub fn kinds_of(&self, e: &CheckedExpr) -> Option<Target> {
        let CheckedExprKind::Filter { local, over, condition } = &e.kind else { return None };
        let (
            CheckedExprKind::Constant(Value::Set(all)),
            CheckedExprKind::Compare(ComparisonOperator::Greater, number, zero),
        ) = (&over.kind, &condition.kind)
        else {
            return None;
        };
        let none = matches!(zero.kind, CheckedExprKind::Constant(Value::Number(0)));
        let zone = self.zone_at(number, |kind| matches!(kind, CheckedExprKind::Local(l) if l == local))?;
        (none && all.len() == all.size()).then_some(zone)
    }

    /// If `e` counts all copies in a zone, returns the zone.
    pub fn counts_all_of(&self, e: &CheckedExpr) -> Option<Target> {
        let CheckedExprKind::Quantified { op: Quantifier::Sum, local, over, body } = &e.kind else {
            return None;
        };
        let CheckedExprKind::Constant(Value::Set(all)) = &over.kind else { return None };
        let zone = self.zone_at(body, |kind| matches!(kind, CheckedExprKind::Local(l) if l == local))?;
        (all.len() == all.size()).then_some(zone)
    }

    fn zone_at(&self, e: &CheckedExpr, is_kind: impl Fn(&CheckedExprKind) -> bool) -> Option<Target> {
        let CheckedExprKind::Read(target) = &e.kind else { return None };
        let (kind, index) = target.index.split_last()?;
        let copies = self.slots[target.slot.index()].role == Role::Copies;
        (copies && is_kind(&kind.kind)).then(|| Target { slot: target.slot, index: index.to_vec() })
    }
}
