//! The values of all slots.

use crate::board::BitSet;
use crate::lang::model::{Board, BoardId, Builtin, DomainId, Life, Model, Role, Slot, SlotId, Value};

/// The values of all slots: by slot, then by place in its family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    slots: Vec<Vec<Value>>,
}

impl State {
    /// The state before the setup of a game that this player starts.
    pub fn initial(model: &Model, starter: u32) -> State {
        let slots = model.slots.iter().map(|s| s.initial.clone()).collect();
        State { slots }.next_game(model, starter)
    }

    /// The state before the setup of the match's next game: what lives as long as the match stays.
    #[must_use]
    pub fn next_game(mut self, model: &Model, starter: u32) -> State {
        self.reset(model, |s| s.life != Life::Match);
        self.set(Builtin::Starter.slot(), 0, Value::Element(Some(starter)));
        self.set(Builtin::Mover.slot(), 0, Value::Element(Some(starter)));
        self
    }

    /// All values of a slot.
    pub fn family(&self, slot: SlotId) -> &[Value] {
        &self.slots[slot.index()]
    }

    /// One value of a slot.
    pub fn value(&self, slot: SlotId, place: usize) -> &Value {
        &self.slots[slot.index()][place]
    }

    /// Gives one value of a slot another. Nothing is checked, and the empty sites are brought up to
    /// date only when the game goes on.
    pub fn set(&mut self, slot: SlotId, place: usize, value: Value) {
        self.slots[slot.index()][place] = value;
    }

    /// The value of a built-in slot that holds a player.
    pub fn player(&self, slot: Builtin) -> Option<u32> {
        match self.value(slot.slot(), 0) {
            Value::Element(player) => *player,
            _ => None,
        }
    }

    /// Gives the slots for which `which` holds their values at the start.
    pub(super) fn reset(&mut self, model: &Model, which: impl Fn(&Slot) -> bool) {
        for (values, slot) in self.slots.iter_mut().zip(&model.slots).filter(|(_, s)| which(s)) {
            values.clone_from(&slot.initial);
        }
        self.derive(model);
    }

    /// Computes the empty sites of every board.
    pub(super) fn derive(&mut self, model: &Model) {
        for board in &model.boards {
            for place in 0..places(model, &board.index) {
                let taken = pieces(model, board, place);
                let size = model.domains[board.domain.index()].size;
                let empty =
                    taken.fold(BitSet::full(size), |e, (slot, at)| match &self.slots[slot.index()][at] {
                        Value::Set(sites) => e.minus(sites),
                        _ => e,
                    });
                self.slots[board.empty.index()][place] = Value::Set(empty);
            }
        }
    }

    /// Takes whatever stands on some sites of a board.
    pub(super) fn clear(&mut self, model: &Model, board: BoardId, place: usize, sites: &BitSet) {
        for (slot, at) in pieces(model, &model.boards[board.index()], place) {
            if let Value::Set(standing) = &mut self.slots[slot.index()][at] {
                *standing = standing.minus(sites);
            }
        }
        self.derive(model);
    }

    /// Puts a piece on some sites of a board.
    pub(super) fn put(&mut self, model: &Model, piece: SlotId, at: usize, sites: &BitSet) {
        if let Role::Piece(board) = model.slots[piece.index()].role {
            self.clear(model, board, board_of(model, board, piece, at), sites);
        }
        if let Value::Set(standing) = &mut self.slots[piece.index()][at] {
            *standing = standing.union(sites);
        }
        self.derive(model);
    }

    /// Takes elements out of every zone of their domain, and puts them into one.
    pub(super) fn move_to(&mut self, model: &Model, zone: SlotId, place: usize, what: &BitSet) {
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

    /// The piece that stands on a site of a board.
    pub(super) fn standing(
        &self,
        model: &Model,
        board: BoardId,
        place: usize,
        site: u32,
    ) -> Option<(SlotId, usize)> {
        pieces(model, &model.boards[board.index()], place)
            .find(|(slot, at)| matches!(self.value(*slot, *at), Value::Set(s) if s.contains(site)))
    }
}

/// How many values a family over some domains has.
pub(super) fn places(model: &Model, index: &[DomainId]) -> usize {
    index.iter().map(|d| model.domains[d.index()].size as usize).product()
}

/// Which of the boards a piece stands on: its index begins with the board's.
fn board_of(model: &Model, board: BoardId, piece: SlotId, at: usize) -> usize {
    let own = &model.slots[piece.index()].index[model.boards[board.index()].index.len()..];
    at / places(model, own).max(1)
}

/// All pieces of one of the boards: slots with places in their families.
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
