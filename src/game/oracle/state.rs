//! The values of all slots.

use houserule_model::board::{BitSet, Site};
use houserule_model::{
    Board, BoardId, Builtin, Content, DomainId, Life, Model, Order, Role, Seat, Slot, SlotId, Value,
};

/// The values of all slots: by slot, then by place in its family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotValues {
    slots: Vec<Vec<Value>>,
}

impl SlotValues {
    /// Returns the state before the setup of a game that `starter` starts.
    pub fn initial(model: &Model, starter: Seat) -> SlotValues {
        let slots = model.slots.iter().map(|s| s.initial.clone()).collect();
        SlotValues { slots }.next_game(model, starter)
    }

    /// Returns the state before the setup of the match's next game. Slots that live for the match keep their
    /// values.
    #[must_use]
    pub fn next_game(mut self, model: &Model, starter: Seat) -> SlotValues {
        self.reset(model, |s| s.life != Life::Match);
        self.set_player(Builtin::Starter, Some(starter));
        self.set_player(Builtin::Mover, Some(starter));
        self
    }

    /// Returns all values of a slot.
    pub fn family(&self, slot: SlotId) -> &[Value] {
        &self.slots[slot.index()]
    }

    /// Returns one value of a slot.
    pub fn value(&self, slot: SlotId, place: usize) -> &Value {
        &self.slots[slot.index()][place]
    }

    /// Sets one value of a slot, without checks. The empty sites are updated only when the game continues.
    pub fn set(&mut self, slot: SlotId, place: usize, value: Value) {
        self.slots[slot.index()][place] = value;
    }

    /// Returns the value of a built-in slot that holds a player.
    pub fn player(&self, slot: Builtin) -> Option<Seat> {
        match self.value(slot.slot(), 0) {
            Value::Element(player) => player.map(Seat),
            _ => None,
        }
    }

    /// Sets a built-in slot that holds a player.
    pub(crate) fn set_player(&mut self, slot: Builtin, player: Option<Seat>) {
        self.set(slot.slot(), 0, Value::Element(player.map(|seat| seat.0)));
    }

    /// Resets the slots for which `which` holds to their initial values.
    pub(crate) fn reset(&mut self, model: &Model, which: impl Fn(&Slot) -> bool) {
        for (values, slot) in self.slots.iter_mut().zip(&model.slots).filter(|(_, s)| which(s)) {
            values.clone_from(&slot.initial);
        }
        self.derive(model);
    }

    /// Computes the empty sites of every board.
    pub(crate) fn derive(&mut self, model: &Model) {
        for board in &model.boards {
            for place in 0..places(model, &board.index) {
                let taken = pieces(model, board, place);
                let empty =
                    taken.fold(board.sites_of(place), |e, (slot, at)| match &self.slots[slot.index()][at] {
                        Value::Set(sites) => e.minus(sites),
                        _ => e,
                    });
                self.slots[board.empty.index()][place] = Value::Set(empty);
            }
        }
    }

    /// Removes all pieces from some sites of a board.
    pub(crate) fn clear(&mut self, model: &Model, board: BoardId, place: usize, sites: &BitSet) {
        for (slot, at) in pieces(model, &model.boards[board.index()], place) {
            if let Value::Set(standing) = &mut self.slots[slot.index()][at] {
                *standing = standing.minus(sites);
            }
        }
        self.derive(model);
    }

    /// Puts a piece on some sites of a board, replacing others.
    pub(crate) fn put(&mut self, model: &Model, piece: SlotId, at: usize, sites: &BitSet) {
        if let Role::Piece(board) = model.slots[piece.index()].role {
            self.clear(model, board, board_of(model, board, piece, at), sites);
        }
        if let Value::Set(standing) = &mut self.slots[piece.index()][at] {
            *standing = standing.union(sites);
        }
        self.derive(model);
    }

    /// Moves elements from all zones of their domain to one.
    pub(crate) fn move_to(&mut self, model: &Model, zone: SlotId, place: usize, what: &BitSet, below: bool) {
        self.order_moved(model, (zone, place), what, below);
        let over = model.slots[zone.index()].content;
        let zones = model.slots.iter().zip(&mut self.slots).filter(|(slot, _)| slot.role == Role::Zone);
        for value in zones.filter(|(slot, _)| slot.content == over).flat_map(|(_, values)| values) {
            if let Value::Set(lying) = value {
                *lying = lying.minus(what);
            }
        }
        if let Value::Set(lying) = &mut self.slots[zone.index()][place] {
            *lying = lying.union(what);
        }
    }

    /// Updates the order of a domain before some of its elements move to a zone.
    fn order_moved(&mut self, model: &Model, to: (SlotId, usize), what: &BitSet, below: bool) {
        let Some(order) = model.order_of(to.0) else { return };
        let (mut moved, mut target) = (vec![], vec![]);
        for (at, slot) in model.slots.iter().enumerate() {
            if slot.role != Role::Zone || slot.content != Content::Set(order.domain) {
                continue;
            }
            let zone = SlotId(at as u32);
            for place in 0..slot.initial.len() {
                let parts = self.parts(order, zone, place);
                let some = |set: BitSet| Some(set).filter(|set| !set.is_empty());
                moved.extend(parts.iter().filter_map(|part| some(part.intersect(what))));
                let stay: Vec<BitSet> = parts.iter().filter_map(|part| some(part.minus(what))).collect();
                if order.zones.contains(&zone) {
                    self.pile_up(order, &stay);
                }
                if (zone, place) == to {
                    target = stay;
                }
            }
        }
        if !order.zones.contains(&to.0) {
            for element in what.iter() {
                self.set(order.places, element as usize, Value::Number(0));
            }
        } else if below {
            target.extend(moved);
            self.pile_up(order, &target);
        } else {
            moved.extend(target);
            self.pile_up(order, &moved);
        }
    }

    /// Returns the parts of a zone from the top: single elements and shuffled parts. All of a zone without an order is
    /// one part.
    fn parts(&self, order: &Order, zone: SlotId, place: usize) -> Vec<BitSet> {
        let Value::Set(lying) = self.value(zone, place) else { return vec![] };
        let mut parts = std::collections::BTreeMap::<i64, BitSet>::new();
        for element in lying.iter() {
            let Value::Number(number) = *self.value(order.places, element as usize) else { continue };
            let part = if order.zones.contains(&zone) { number } else { 0 };
            parts.entry(part).or_insert_with(|| BitSet::empty(lying.size())).insert(element);
        }
        parts.into_values().collect()
    }

    /// Numbers the elements of a zone by its parts from the top.
    fn pile_up(&mut self, order: &Order, parts: &[BitSet]) {
        let mut place = 1;
        for part in parts {
            for element in part.iter() {
                self.set(order.places, element as usize, Value::Number(place));
            }
            place += i64::from(part.len());
        }
    }

    /// Returns the piece that stands on a site of a board.
    pub(crate) fn standing(
        &self,
        model: &Model,
        board: BoardId,
        place: usize,
        site: Site,
    ) -> Option<(SlotId, usize)> {
        pieces(model, &model.boards[board.index()], place)
            .find(|(slot, at)| matches!(self.value(*slot, *at), Value::Set(s) if s.contains(site.0)))
    }
}

/// Returns the number of values of a family over some domains.
pub(crate) fn places(model: &Model, index: &[DomainId]) -> usize {
    index.iter().map(|d| model.domains[d.index()].size as usize).product()
}

/// Returns the index of a piece's board. A piece's index begins with its board's.
fn board_of(model: &Model, board: BoardId, piece: SlotId, at: usize) -> usize {
    let own = &model.slots[piece.index()].index[model.boards[board.index()].index.len()..];
    at / places(model, own).max(1)
}

/// Returns all pieces of one of the boards: slots with places in their families.
fn pieces<'m>(
    model: &'m Model,
    board: &'m Board,
    place: usize,
) -> impl Iterator<Item = (SlotId, usize)> + 'm {
    board.pieces.iter().flat_map(move |piece| {
        let own = places(model, &model.slots[piece.index()].index[board.index.len()..]);
        (place * own..(place + 1) * own).map(|at| (*piece, at))
    })
}
