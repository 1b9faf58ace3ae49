//! The order of elements in ordered zones: a number for each element, which is its place from the top.
//!
//! The place of an element is 1 more than the number of elements that lie on it. Elements of one place are a
//! shuffled part: which of them lies on top is chance that is not drawn yet. So equal piles have equal numbers, and a
//! shuffled pile hides no permutation. An element in another zone has the number 0.

use super::{CheckedExpr, CheckedExprKind, Content, DomainId, Model, Role, Slot, SlotId};

/// The order of a domain that has ordered zones.
#[derive(Clone, Debug)]
pub struct Order {
    /// The domain.
    pub domain: DomainId,
    /// The slot with the place of each element: [`Role::Place`].
    pub places: SlotId,
    /// The slot with the places that each player sees: [`Role::SeenPlace`]. `None` if all players see all zones.
    pub seen: Option<SlotId>,
    /// The ordered zones.
    pub zones: Vec<SlotId>,
    /// The ordered zones of which all players see the top.
    pub open_tops: Vec<SlotId>,
}

impl Model {
    /// Returns the order of a domain, if it has ordered zones.
    pub fn order(&self, domain: DomainId) -> Option<&Order> {
        self.orders.iter().find(|order| order.domain == domain)
    }

    /// Returns the order of the elements of a zone, if the zone is ordered.
    pub fn order_in(&self, zone: SlotId) -> Option<&Order> {
        self.orders.iter().find(|order| order.zones.contains(&zone))
    }

    /// Returns the order of the elements that a zone holds, ordered or not.
    pub fn order_of(&self, zone: SlotId) -> Option<&Order> {
        match self.slots[zone.index()].content {
            Content::Set(domain) => self.order(domain),
            _ => None,
        }
    }

    /// Returns `true` for a slot of this model that is an ordered zone of which all players see the top.
    pub fn shows_top(&self, slot: &Slot) -> bool {
        let mut open = self.orders.iter().flat_map(|order| &order.open_tops);
        open.any(|zone| std::ptr::eq(&self.slots[zone.index()], slot))
    }

    /// Returns the ordered zone that an expression is.
    pub fn pile(&self, e: &CheckedExpr) -> Option<SlotId> {
        match &e.kind {
            CheckedExprKind::Read(target) if self.slots[target.slot.index()].role == Role::Zone => {
                Some(target.slot).filter(|zone| self.order_in(*zone).is_some())
            }
            _ => None,
        }
    }
}
