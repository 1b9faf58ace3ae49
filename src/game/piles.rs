//! The order in zones: read from a state, set, and as text and JSON.

use serde_json::Value as Json;

use super::State;
use houserule_model::board::BitSet;
use houserule_model::{DomainId, Order, PLAYER, Role, Seat, SlotId, Value};

impl State {
    /// Returns the parts of an ordered zone from the top: single elements and shuffled parts. `None` for another
    /// zone.
    pub(crate) fn parts(&self, zone: SlotId, place: usize) -> Option<Vec<BitSet>> {
        let order = self.game().model().order_in(zone)?;
        let Value::Set(lying) = self.value(zone, place) else { return None };
        let mut parts = std::collections::BTreeMap::<i64, BitSet>::new();
        for element in lying.iter() {
            let part = parts.entry(self.place_from_top(order, element));
            part.or_insert_with(|| BitSet::empty(lying.size())).insert(element);
        }
        Some(parts.into_values().collect())
    }

    /// Returns the place of an element from the top of its zone; 0 in a zone without an order.
    pub fn place_from_top(&self, order: &Order, element: u32) -> i64 {
        match self.value(order.places, element as usize) {
            Value::Number(place) => place,
            _ => 0,
        }
    }

    /// Numbers the elements of a zone by its parts from the top.
    fn set_parts(&mut self, order: &Order, parts: &[BitSet]) {
        let mut place = 1;
        for part in parts {
            for element in part.iter() {
                self.set_value(order.places, element as usize, &Value::Number(place));
            }
            place += i64::from(part.len());
        }
    }

    /// Orders all zones of a domain: those in `piles` by their parts from the top, the others as one shuffled part.
    pub(crate) fn set_order(&mut self, order: &Order, piles: &[(SlotId, usize, Vec<BitSet>)]) {
        let game = self.game().clone();
        for element in 0..game.model().domains[order.domain.index()].size as usize {
            self.set_value(order.places, element, &Value::Number(0));
        }
        for zone in &order.zones {
            for place in 0..game.model().slots[zone.index()].initial.len() {
                let Value::Set(lying) = self.value(*zone, place) else { continue };
                let named = piles.iter().rev().find(|(id, at, _)| (id, *at) == (zone, place));
                let parts = named.map_or_else(|| vec![lying], |(_, _, parts)| parts.clone());
                self.set_parts(order, &parts);
            }
        }
        self.show_tops(order);
        self.see_places(order.domain);
    }

    /// Adds the top of each zone whose top lies open to what every player knows.
    fn show_tops(&mut self, order: &Order) {
        let game = self.game().clone();
        let slots = &game.model().slots;
        let known = |slot: &houserule_model::Slot| {
            slot.role == Role::Known && slot.content == houserule_model::Content::Set(order.domain)
        };
        let Some(known) = slots.iter().position(known).map(|at| SlotId(at as u32)) else { return };
        for zone in &order.open_tops {
            for place in 0..slots[zone.index()].initial.len() {
                let Some(top) = self.parts(*zone, place).and_then(|parts| parts.into_iter().next()) else {
                    continue;
                };
                // Chance decides which element of a shuffled part is the top.
                if top.len() != 1 {
                    continue;
                }
                for player in 0..game.players() as usize {
                    if let Value::Set(now) = self.value(known, player) {
                        self.set_value(known, player, &Value::Set(now.union(&top)));
                    }
                }
            }
        }
    }

    /// Sets what players see of the order in the zones of a domain.
    pub(crate) fn see_places(&mut self, domain: DomainId) {
        let game = self.game().clone();
        let model = game.model();
        let Some(Order { places, seen: Some(seen), .. }) = model.order(domain).cloned() else { return };
        let size = model.domains[domain.index()].size;
        for player in 0..game.players() {
            let mut open = BitSet::empty(size);
            for (id, slot) in (0..).map(SlotId).zip(&model.slots) {
                if slot.content != houserule_model::Content::Set(domain) {
                    continue;
                }
                let each = slot.initial.len() / game.players() as usize;
                for place in 0..slot.initial.len() {
                    let own = slot.index.first() == Some(&PLAYER) && place / each.max(1) == player as usize;
                    let sees = match slot.role {
                        Role::Zone => slot.visibility.shows(Seat(player), own),
                        Role::Known => own,
                        _ => false,
                    };
                    if let (true, Value::Set(lying)) = (sees, self.value(id, place)) {
                        open = open.union(&lying);
                    }
                }
            }
            for element in 0..size {
                let at = (player * size + element) as usize;
                let place = match open.contains(element) {
                    true => self.value(places, element as usize),
                    false => Value::Number(0),
                };
                self.set_value(seen, at, &place);
            }
        }
    }

    /// Returns an ordered zone from the top as text: `[c, {a, b}, d]`, or `{a, b, c}` if all of it is shuffled.
    /// `None` for another zone.
    pub(crate) fn pile_text(&self, zone: SlotId, place: usize) -> Option<String> {
        let domain = self.game().model().order_in(zone)?.domain;
        let parts = self.parts(zone, place)?;
        let names = |part: &BitSet| {
            let names: Vec<String> = part.iter().map(|e| self.game().element_name(domain, e)).collect();
            names.join(", ")
        };
        let one = |part: &BitSet| if part.len() == 1 { names(part) } else { format!("{{{}}}", names(part)) };
        Some(match &parts[..] {
            [] => "{}".to_owned(),
            [only] if only.len() > 1 => one(only),
            parts => format!("[{}]", parts.iter().map(one).collect::<Vec<_>>().join(", ")),
        })
    }

    /// Returns an ordered zone as JSON: a list from the top, in which a shuffled part is a list. `None` for another
    /// zone.
    pub(crate) fn pile_json(&self, zone: SlotId, place: usize, name: impl Fn(u32) -> Json) -> Option<Json> {
        let all = |part: &BitSet| part.iter().map(&name).collect::<Vec<Json>>();
        let one = |part: &BitSet| if part.len() == 1 { all(part).remove(0) } else { Json::Array(all(part)) };
        Some(self.parts(zone, place)?.iter().map(one).collect())
    }
}
