//! The values that seats see, and the address of each in the words of a state.
//!
//! A seat counts players from itself on, so its own values come first. The place of a value in its entry is
//! therefore the same for every seat, but its address is not.

use std::sync::Arc;

use super::{EntryPlan, EntrySource, items};
use crate::Game;
use crate::hidden::hidden_copies::kinds;
use houserule_machine::program::StopKind;
use houserule_model::{Content, DomainId, LocalId, PLAYER, Role, Seat, SlotId, Visibility, value_len};

/// When something is seen, and by whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct During {
    /// Whether it is seen, by stop point, and last for nothing pending.
    stops: Arc<[bool]>,
    /// The only player who sees it, if it isn't seen by all.
    only: Option<Seat>,
}

impl During {
    /// Returns `true` if a player sees it at a stop point, or with nothing pending.
    #[inline(always)]
    pub fn shows(&self, stop: Option<usize>, viewer: u32) -> bool {
        self.stops[stop.unwrap_or(self.stops.len() - 1)] && self.only.is_none_or(|seat| seat.0 == viewer)
    }
}

/// A value that seats see.
#[derive(Clone, Debug)]
pub struct Sight {
    /// The slot that holds the value; `None` for a local.
    pub slot: Option<SlotId>,
    /// The domains of the slot's index. If only the owner sees the slot, without the owner. If only the others see it, no
    /// value has the seat itself as its first index.
    pub index: Vec<DomainId>,
    /// The index of the value: an element of each domain, relative to the seat.
    pub place: Vec<u32>,
    /// The kind of value.
    pub kind: SightKind,
    /// Address of the first word, by seat.
    pub at: Vec<u32>,
    /// When the value is seen; `None` if always.
    pub during: Option<During>,
}

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SightKind {
    /// As a slot holds it.
    Value(Content),
    /// The face of a die, 0 before it is rolled.
    Die {
        /// Number of faces.
        faces: u32,
    },
    /// The number of elements in a zone, which is all that others see of it.
    Size {
        /// Maximum.
        high: i64,
        /// Number of words that are added up.
        words: u32,
        /// Their set bits are counted; otherwise they are numbers.
        bits: bool,
    },
}

/// A stop point of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PendingStop {
    /// The index of its choice.
    pub(crate) choice: u32,
    /// Address of the player to move, at a choice.
    pub(crate) me: Option<u16>,
}

/// Returns the stop points of a game. The last one is for nothing pending.
pub(crate) fn pending(game: &Game) -> Vec<PendingStop> {
    let nobody = PendingStop { choice: u32::MAX, me: None };
    let sites = game.program().stops.iter().map(|site| match &site.kind {
        StopKind::Choice(choice) => PendingStop { choice: choice.choice, me: Some(choice.me) },
        _ => nobody,
    });
    sites.chain([nobody]).collect()
}

/// Returns all values that seats see, in the order of observations.
pub fn sights(game: &Game) -> Vec<Sight> {
    let pending = pending(game);
    items(game).iter().flat_map(|item| sights_of(game, &pending, item)).collect()
}

/// Returns the values of an entry, and none for `choice`, `seat` and `actor`.
pub(crate) fn sights_of(game: &Game, pending: &[PendingStop], item: &EntryPlan) -> Vec<Sight> {
    match item.source {
        EntrySource::Choice | EntrySource::Seat | EntrySource::Actor => vec![],
        EntrySource::Local(local) => of_local(game, pending, item, local).into_iter().collect(),
        EntrySource::Slot(slot) | EntrySource::Size(slot) => of_slot(game, pending, item, slot),
    }
}

fn of_local(game: &Game, pending: &[PendingStop], item: &EntryPlan, local: LocalId) -> Option<Sight> {
    let at = game.local_at(local)?;
    let choices = item.during.as_deref().unwrap_or_default();
    let shown = |site: &PendingStop| choices.iter().any(|choice| choice.0 == site.choice);
    Some(Sight {
        slot: None,
        index: vec![],
        place: vec![],
        kind: SightKind::Value(item.content),
        at: vec![at.into(); game.players() as usize],
        during: Some(During { stops: pending.iter().map(shown).collect(), only: None }),
    })
}

fn of_slot(game: &Game, pending: &[PendingStop], item: &EntryPlan, id: SlotId) -> Vec<Sight> {
    let model = game.model();
    let slot = &model.slots[id.index()];
    // Every slot that is seen has an address.
    let Some(first) = game.slots()[id.index()] else { return vec![] };
    // A zone of copies has a number for each kind, next to each other, which are added up.
    let (width, bits) = match (item.source, slot.role) {
        (EntrySource::Size(_), Role::Copies) => (kinds(model, slot) as u32, false),
        _ => (u32::from(value_len(game.program().width, slot.content)), true),
    };
    let kind = match (item.source, item.content, slot.role) {
        (EntrySource::Size(_), Content::Number { high, .. }, _) => {
            SightKind::Size { high, words: width, bits }
        }
        (_, _, Role::Dice { faces, .. }) => SightKind::Die { faces },
        _ => SightKind::Value(slot.content),
    };
    let sizes: Vec<u32> = item.index.iter().map(|d| model.domains[d.index()].size).collect();
    let places: u32 = sizes.iter().product();
    // A player's own part comes first. The rest may be hidden for a while. It is left out if only the others see it.
    let own = places / sizes.first().map_or(1, |size| *size);
    let from = if item.others { own } else { 0 };
    let shown = |site: &PendingStop| item.apart.iter().all(|choice| choice.0 != site.choice);
    let only = match (item.source, slot.visibility) {
        (EntrySource::Slot(_), Visibility::Player(seat)) => Some(seat),
        _ => None,
    };
    let apart = (!item.apart.is_empty() || only.is_some())
        .then(|| During { stops: pending.iter().map(shown).collect(), only });
    let sight = |number: u32| {
        let mut place = vec![0; sizes.len()];
        let mut rest = number;
        for (element, size) in place.iter_mut().zip(&sizes).rev() {
            *element = rest % size;
            rest /= size;
        }
        // Players are rotated: an index relative to the seat is another index in the slot.
        let address = |player: u32| {
            let real =
                place.iter().zip(&sizes).zip(&item.index).fold(0, |real, ((element, size), domain)| {
                    let turned = if *domain == PLAYER { (element + player) % size } else { *element };
                    real * size + turned
                });
            let owner = if item.owned { player * places } else { 0 };
            u32::from(first) + (owner + real) * width
        };
        Sight {
            slot: Some(id),
            index: item.index.clone(),
            at: (0..game.players()).map(address).collect(),
            kind,
            during: apart.clone().filter(|_| number >= own || only.is_some()),
            place,
        }
    };
    (from..places).map(sight).collect()
}
