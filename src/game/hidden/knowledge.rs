//! Visibility: the slots and words of a state that a player sees, and states without what is hidden from a
//! player.

use std::borrow::Cow;
use std::ops::Range;

use super::hidden_copies::kinds;
use crate::Onlookers;
use crate::{Event, Game, Seat, State};
use houserule_base::hash::{START, mix};
use houserule_model::{Board, Builtin, Model, PLAYER, Role, Slot, SlotId, Value, Visibility, value_len};

/// Returns the owner of a place of a family: the player of its first index.
pub(crate) fn owner(model: &Model, slot: &Slot, place: usize) -> Option<Seat> {
    if slot.index.first() != Some(&PLAYER) {
        return None;
    }
    let each: usize = slot.index[1..].iter().map(|d| model.domains[d.index()].size as usize).product();
    Some(Seat((place / each.max(1)) as u32))
}

/// Returns `true` if a player sees a value.
pub(crate) fn sees(model: &Model, slot: &Slot, place: usize, player: Seat) -> bool {
    slot.visibility.shows(player, owner(model, slot, place) == Some(player))
}

/// Returns `true` if a player sees a value, or if it is the player's own knowledge of a zone.
pub(crate) fn is_open_to(model: &Model, slot: &Slot, place: usize, player: Seat) -> bool {
    match slot.role {
        Role::Known | Role::KnownCopies(_) => owner(model, slot, place) == Some(player),
        _ => sees(model, slot, place, player),
    }
}

/// Returns `true` for a hidden zone: everybody can count its elements.
pub(crate) fn is_counted(slot: &Slot) -> bool {
    matches!(slot.role, Role::Zone | Role::Copies) && slot.visibility != Visibility::All
}

impl Game {
    /// Returns `true` if players may see different things, as in `together` blocks.
    pub fn hides(&self) -> bool {
        let model = self.model();
        !model.together.is_empty() || model.slots.iter().any(|slot| slot.visibility != Visibility::All)
    }

    /// Returns the words of a state that a player sees, and the words of hidden zones, whose elements
    /// everybody can count.
    pub(crate) fn words_seen(&self, player: Seat) -> SeenWords {
        let (model, program) = (self.model(), self.program());
        let mut hidden = vec![false; program.persistent as usize];
        let mut seen = SeenWords::default();
        for (id, slot) in slots(model) {
            let Some(first) = self.slots()[id.index()] else { continue };
            let width = usize::from(value_len(program.width, slot.content));
            for place in 0..slot.initial.len() {
                let open = is_open_to(model, slot, place, player);
                let words = usize::from(first) + place * width..usize::from(first) + (place + 1) * width;
                if open || words.end > hidden.len() {
                    continue;
                }
                hidden[words.clone()].fill(true);
                match slot.role {
                    Role::Copies if place % kinds(model, slot) == 0 => {
                        seen.added.push(words.start..words.start + kinds(model, slot));
                    }
                    Role::Zone => seen.counted.extend(words),
                    Role::Variable
                    | Role::Dice { .. }
                    | Role::Piece(_)
                    | Role::Empty(_)
                    | Role::Copies
                    | Role::Known
                    | Role::KnownCopies(_)
                    | Role::Place
                    | Role::SeenPlace
                    | Role::Builtin(_) => {}
                }
            }
        }
        seen.open = (0..hidden.len()).filter(|word| !hidden[*word]).collect();
        seen
    }
}

/// The words of a state about which a player knows something.
#[derive(Clone, Debug, Default)]
pub(crate) struct SeenWords {
    /// Visible words.
    open: Vec<usize>,
    /// Words with a visible number of set bits.
    counted: Vec<usize>,
    /// Ranges of words with a visible sum.
    added: Vec<Range<usize>>,
}

impl SeenWords {
    /// Returns a hash of what the player sees, almost certainly different for frames that look different.
    pub(crate) fn hash(&self, frame: &[u64]) -> u64 {
        let open = self.open.iter().fold(START, |sum, word| mix(sum, frame[*word]));
        let counted = self.counted.iter().fold(open, |sum, word| mix(sum, frame[*word].count_ones().into()));
        self.added.iter().fold(counted, |sum, words| mix(sum, frame[words.clone()].iter().sum()))
    }
}

/// Returns the slots of a model with their ids.
pub(crate) fn slots(model: &Model) -> impl Iterator<Item = (SlotId, &Slot)> {
    (0..).map(SlotId).zip(&model.slots)
}

/// Returns `true` for the contents of zones, their order, and the knowledge about them.
fn is_of_zones(slot: &Slot) -> bool {
    match slot.role {
        Role::Zone | Role::Copies | Role::Known | Role::KnownCopies(_) | Role::Place | Role::SeenPlace => {
            true
        }
        Role::Builtin(_) | Role::Variable | Role::Dice { .. } | Role::Piece(_) | Role::Empty(_) => false,
    }
}

/// Returns `true` if a slot is shown to players at all.
pub(crate) fn is_told(slot: &Slot) -> bool {
    match slot.role {
        // What is known of an order is shown with its zones.
        Role::Empty(_) | Role::KnownCopies(_) | Role::Place | Role::SeenPlace => false,
        Role::Builtin(builtin) => {
            matches!(builtin, Builtin::Mover | Builtin::Starter | Builtin::Total | Builtin::Payoff)
        }
        Role::Variable | Role::Dice { .. } | Role::Piece(_) | Role::Zone | Role::Copies | Role::Known => true,
    }
}

impl State {
    /// Returns `true` if a player sees a value in this state. During a `together` block, players don't see
    /// what the others commit.
    pub fn sees(&self, id: SlotId, place: usize, player: Seat) -> bool {
        let model = self.game().model();
        let slot = &model.slots[id.index()];
        let apart = self.block_together().is_some_and(|block| model.together[block].slots.contains(&id));
        sees(model, slot, place, player) && (!apart || owner(model, slot, place) == Some(player))
    }

    /// Returns the index of the `together` block of the pending choice.
    pub fn block_together(&self) -> Option<usize> {
        let choice = self.pending_choice()?;
        self.game().model().together.iter().position(|block| block.choices.contains(&choice))
    }

    /// Returns `true` if a choice made in `before` is a commitment that the others don't see yet: some seats of its
    /// `together` block have still to choose. The mover chooses first there, maybe several times. So if others have
    /// chosen since, the block has begun again.
    pub(crate) fn veils_commitment(&self, before: &State) -> bool {
        let same = |builtin: Builtin| self.value(builtin.slot(), 0) == before.value(builtin.slot(), 0);
        let mover = self.value(Builtin::Mover.slot(), 0);
        let chooser = before.current_player();
        let of_other =
            |event: &Event| matches!(event, Event::Action { player, .. } if Some(*player) != chooser);
        let since = || self.history().get(before.history().len()..).unwrap_or_default();
        let goes_on = |player: Seat| {
            mover != Value::Element(Some(player.0))
                || chooser == Some(player) && !since().iter().any(of_other)
        };
        self.block_together().is_some()
            && self.block_together() == before.block_together()
            && self.current_player().is_some_and(goes_on)
            && same(Builtin::Round)
            && same(Builtin::Mover)
    }

    /// Returns `true` if an event that led from `before` to this state is a commitment that the others don't see yet.
    pub fn veils(&self, before: &State, event: &Event) -> bool {
        matches!(event, Event::Action { .. }) && self.veils_commitment(before)
    }

    /// Returns the words of the slots, and for each whether it is hidden from a player; no flags if all can
    /// be seen. Hidden words are 0, except in zones, whose elements can be counted.
    pub(crate) fn words_for(&self, player: Seat) -> (Cow<'_, [u64]>, Vec<bool>) {
        let (game, places) = (self.game(), &self.game().program().places);
        let words = self.live_words();
        if !game.hides() {
            return (Cow::Borrowed(words), vec![]);
        }
        let (mut words, mut hidden) = (words.to_vec(), vec![false; words.len()]);
        let model = game.model();
        let all_seen =
            |id: SlotId| (0..model.slots[id.index()].initial.len()).all(|place| self.sees(id, place, player));
        for (id, slot) in slots(model) {
            let Some(first) = places.slots[id.index()].map(usize::from) else { continue };
            let width = usize::from(value_len(places.width, slot.content));
            // The empty sites reveal where pieces stand.
            let tells = match slot.role {
                Role::Empty(board) => model.boards[board.index()].pieces.iter().all(|piece| all_seen(*piece)),
                _ => true,
            };
            for place in 0..slot.initial.len() {
                let at = first + place * width..first + (place + 1) * width;
                if at.end > words.len() || tells && self.sees(id, place, player) {
                    continue;
                }
                hidden[at.clone()].fill(true);
                if !is_counted(slot) {
                    words[at].fill(0);
                }
            }
        }
        (Cow::Owned(words), hidden)
    }

    /// Returns the words of the slots.
    pub fn live_words(&self) -> &[u64] {
        &self.words[..usize::from(self.game().program().places.end)]
    }

    /// Returns the state with initial values for what those who look don't see. Zones keep their elements, which
    /// can be counted. Returns `None` if nothing else is hidden. For display: no game reaches such a state.
    pub fn veiled(&self, sight: Onlookers) -> Option<State> {
        let model = self.game().model();
        let mut veiled = None;
        for (id, slot) in slots(model).filter(|(_, slot)| !is_of_zones(slot)) {
            let hidden = |place: &usize| !sight.sees(|seat| self.sees(id, *place, seat));
            for place in (0..slot.initial.len()).filter(hidden) {
                let state = veiled.get_or_insert_with(|| State { veiled: Some(sight), ..self.clone() });
                state.set_value(id, place, &slot.initial[place]);
            }
        }
        veiled
    }

    /// Returns `true` if a board of a family lies face down for those to whom the state is shown.
    pub fn is_face_down(&self, board: &Board, number: usize) -> bool {
        let each: usize = board
            .index
            .iter()
            .skip(1)
            .map(|d| self.game().model().domains[d.index()].size as usize)
            .product();
        let own = |viewer: Seat| number / each.max(1) == viewer.0 as usize;
        self.veiled.is_some_and(|sight| !sight.sees(|seat| board.visibility.shows(seat, own(seat))))
    }
}
