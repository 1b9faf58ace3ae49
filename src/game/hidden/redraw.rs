//! Determinization of a position without a history: draws what a player does not know, from what lies open,
//! the player's knowledge of zones, and the number of elements in each zone.

use std::sync::Arc;

use super::knowledge::{is_told, sees, slots};
use crate::state::Earlier;
use crate::{Seat, State};
use houserule_base::interrupt;
use houserule_base::rng::Stream;
use houserule_model::board::BitSet;
use houserule_model::{BoardId, Content, DomainId, Role, SlotId, Value};

/// Maximum number of draws of a hidden part; one that is much work counts as several. A draw is rejected if it leaves no
/// legal action or changes the viewer's legal actions.
const TRIES: u64 = 10_000;

/// Work of a draw up to which it counts as one: see [`State::work_since`]. Usual draws cost a tenth of it at most.
const DRAW_WORK: u64 = 2_000;

impl State {
    /// Returns a state that this one, a position without a history, could be for all that a player knows.
    /// What is hidden is drawn uniformly at random, a variable from its range. Returns `None` if every draw
    /// was rejected.
    pub(crate) fn redrawn(&self, player: Seat, stream: &mut Stream) -> Option<State> {
        let mut drawn = self.clone();
        if !self.redraw(player, stream, &mut drawn) {
            return None;
        }
        drawn.begin_history_here();
        drawn.earlier = None;
        drawn.earlier = Some(Arc::new(Earlier { player, of: self.clone(), state: drawn.clone() }));
        Some(drawn)
    }

    /// Draws what a player does not know into `drawn`, a clone of this state. Returns `false` if every draw
    /// was rejected.
    fn redraw(&self, player: Seat, stream: &mut Stream, drawn: &mut State) -> bool {
        let mut left = TRIES;
        while left > 0 {
            interrupt::check();
            drawn.words.copy_from_slice(&self.words);
            drawn.draw_hidden(player, stream);
            let before = drawn.persistent().to_vec();
            let mark = drawn.work_mark_derived();
            drawn.derive();
            // If nothing was legal, the rules have gone on. Players always see their own legal actions.
            if drawn.persistent() == before
                && (self.current_player() != Some(player) || drawn.region() == self.region())
            {
                return true;
            }
            left = left.saturating_sub((drawn.work_since(mark, true) / DRAW_WORK).max(1));
        }
        false
    }

    fn draw_hidden(&mut self, player: Seat, stream: &mut Stream) {
        let game = self.game().clone();
        let model = game.model();
        let mut shuffled: Vec<DomainId> = vec![];
        for (id, slot) in slots(model) {
            let follows = model.shown_values.iter().any(|(_, shown)| *shown == id);
            if !is_told(slot) || !self.keeps(id) || slot.role == Role::Known || follows {
                continue;
            }
            if let (Role::Copies, Some(domain)) = (slot.role, slot.index.last()) {
                if !shuffled.contains(domain) {
                    shuffled.push(*domain);
                    self.shuffle_copies(*domain, player, stream);
                }
                continue;
            }
            if let (Role::Zone, Content::Set(domain)) = (slot.role, slot.content) {
                if !shuffled.contains(&domain) {
                    shuffled.push(domain);
                    self.shuffle_zones(domain, player, stream);
                }
                continue;
            }
            let hides = |place: &usize| !self.sees(id, *place, player) && !self.was_shown(id, *place, player);
            let hidden = (0..slot.initial.len()).filter(hides);
            for place in hidden.collect::<Vec<_>>() {
                let value = self.drawn_value(id, place, stream);
                self.set_value(id, place, &value);
            }
        }
        self.show_again();
    }

    /// Returns `true` if a player was shown a value of a slot that has not changed since.
    fn was_shown(&self, id: SlotId, place: usize, player: Seat) -> bool {
        let model = self.game().model();
        let Some(shown) = model.shown_of(id).filter(|shown| self.keeps(*shown)) else { return false };
        let each = model.slots[id.index()].initial.len();
        is_some(&self.value(shown, player.0 as usize * each + place))
    }

    /// Makes what the players were shown agree with the values that were drawn.
    fn show_again(&mut self) {
        let game = self.game().clone();
        let model = game.model();
        for (of, shown) in &model.shown_values {
            if !self.keeps(*shown) {
                continue;
            }
            let each = model.slots[of.index()].initial.len();
            for at in 0..model.slots[shown.index()].initial.len() {
                if is_some(&self.value(*shown, at)) {
                    let value = match (self.value(*of, at % each), model.slots[shown.index()].content) {
                        (Value::Number(n), Content::Element { domain, .. }) => {
                            Value::Element(model.number_element(domain, n))
                        }
                        (Value::Bool(holds), _) => Value::Element(Some(holds.into())),
                        (value, _) => value,
                    };
                    self.set_value(*shown, at, &value);
                }
            }
        }
    }

    /// Redistributes the elements whose place a player does not know. The number of elements in each zone
    /// stays the same, and so do the places in ordered zones.
    fn shuffle_zones(&mut self, domain: DomainId, player: Seat, stream: &mut Stream) {
        let game = self.game().clone();
        let model = game.model();
        let known = self.known(domain, player);
        let order = model.order(domain);
        let mut hidden: Vec<(SlotId, usize, BitSet)> = vec![];
        for (id, slot) in
            slots(model).filter(|(_, s)| s.role == Role::Zone && s.content == Content::Set(domain))
        {
            for place in (0..slot.initial.len()).filter(|place| !sees(model, slot, *place, player)) {
                if let Value::Set(lying) = self.value(id, place) {
                    hidden.push((id, place, lying));
                }
            }
        }
        let mut pool: Vec<u32> =
            hidden.iter().flat_map(|(_, _, lying)| lying.minus(&known).iter().collect::<Vec<_>>()).collect();
        pool.sort_unstable();
        let elements = 0..model.domains[domain.index()].size as usize;
        let from_top = |element| order.map_or(Value::Number(0), |order| self.value(order.places, element));
        let before: Vec<Value> = elements.map(from_top).collect();
        for (id, place, lying) in hidden {
            let mut now = lying.intersect(&known);
            for from_top in lying.minus(&known).iter().map(|element| before[element as usize].clone()) {
                let drawn = pool.swap_remove(stream.below(pool.len() as u64) as usize);
                now.insert(drawn);
                if let Some(order) = order {
                    self.set_value(order.places, drawn as usize, &from_top);
                }
            }
            self.set_value(id, place, &Value::Set(now));
        }
        // What the others see of the order follows the elements.
        self.see_places(domain);
    }

    /// Draws a value that a hidden one might have.
    fn drawn_value(&self, id: SlotId, place: usize, stream: &mut Stream) -> Value {
        let model = self.game().model();
        let slot = &model.slots[id.index()];
        let now = self.value(id, place);
        let size = |domain: DomainId| model.domains[domain.index()].size;
        match (slot.content, &now) {
            // Everybody knows which dice have not been rolled: they show nothing.
            (_, Value::Number(0)) if matches!(slot.role, Role::Dice { .. }) => now,
            (Content::Number { high, .. }, _) if matches!(slot.role, Role::Dice { .. }) => {
                let Some(sides) = model.sides_of(id) else {
                    return Value::Number(1 + stream.below(high as u64) as i64);
                };
                let mut side = stream.below(sides.iter().map(|n| u64::from(*n)).sum());
                let face = sides.iter().position(|n| match side.checked_sub((*n).into()) {
                    Some(rest) => {
                        side = rest;
                        false
                    }
                    None => true,
                });
                face.map_or(now, |face| Value::Number(1 + face as i64))
            }
            (Content::Number { low, high }, _) => match u64::try_from(i128::from(high) - i128::from(low)) {
                Ok(span) if span < u64::MAX => Value::Number(low.wrapping_add(stream.below(span + 1) as i64)),
                _ => now,
            },
            (Content::Bool, _) => Value::Bool(stream.below(2) == 1),
            (_, Value::Element(None)) => now,
            (Content::Element { domain, .. }, _) => {
                Value::Element(Some(stream.below(size(domain).into()) as u32))
            }
            (Content::Set(domain), Value::Set(set)) => {
                let free = match slot.role {
                    Role::Piece(board) => self.free_sites(board, id, place, set),
                    _ => BitSet::full(size(domain)),
                };
                let mut pool: Vec<u32> = free.iter().collect();
                let mut drawn = BitSet::empty(size(domain));
                for _ in 0..set.len() {
                    drawn.insert(pool.swap_remove(stream.below(pool.len() as u64) as usize));
                }
                Value::Set(drawn)
            }
            _ => now,
        }
    }

    /// Returns the sites where a piece can stand: its own and the empty ones.
    fn free_sites(&self, board: BoardId, id: SlotId, place: usize, own: &BitSet) -> BitSet {
        let model = self.game().model();
        let which = place / model.values_on_each_board(board, id);
        let mut free = model.boards[board.index()].sites_of(which);
        for piece in &model.boards[board.index()].pieces {
            let kinds = model.values_on_each_board(board, *piece);
            for at in which * kinds..(which + 1) * kinds {
                if let Value::Set(standing) = self.value(*piece, at) {
                    free = free.minus(&standing);
                }
            }
        }
        free.union(own)
    }
}

fn is_some(value: &Value) -> bool {
    match value {
        Value::Element(element) => element.is_some(),
        Value::Set(set) => !set.is_empty(),
        Value::Number(_) | Value::Bool(_) => false,
    }
}
