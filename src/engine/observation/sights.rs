//! The values that seats see, and where each lies in the words of a state.
//!
//! A seat counts players from itself on: what belongs to the seat stands first. So a place among the values of
//! a slot is the same for every seat, and the word where it lies is not.

use std::sync::Arc;

use super::{Item, Source, items};
use crate::engine::game::Game;
use crate::engine::hidden_copies::kinds;
use crate::lang::model::{Content, DomainId, LocalId, PLAYER, Role, SlotId, value_len};
use crate::program::SiteKind;

/// Whether something is seen: by site, and last for when nothing is pending.
pub(crate) type During = Arc<[bool]>;

/// A value that seats see.
#[derive(Clone, Debug)]
pub(crate) struct Sight {
    /// The slot that holds it; none for a local.
    pub(crate) slot: Option<SlotId>,
    /// By what it is indexed: of what only its owner sees, without the owner.
    pub(crate) index: Vec<DomainId>,
    /// Which of the values it is: an element of each domain of the index, as the seat counts.
    pub(crate) place: Vec<u32>,
    /// What it is.
    pub(crate) kind: SightKind,
    /// The word where it begins, by seat.
    pub(crate) at: Vec<u32>,
    /// When it is seen; without, always.
    pub(crate) during: Option<During>,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SightKind {
    /// As a slot holds it.
    Value(Content),
    /// The face of a die, 0 before it is rolled.
    Die {
        /// How many faces it has.
        faces: u32,
    },
    /// How many lie in a zone, which is all that others see of it.
    Size {
        /// At the most.
        high: i64,
        /// The words that are added up.
        words: u32,
        /// Their bits are counted; else they are numbers.
        bits: bool,
    },
}

/// A site where a game may wait.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    /// The number of its choice.
    pub(super) choice: u32,
    /// Where its actor is; none where nobody decides.
    pub(super) me: Option<u16>,
}

/// The sites of a game; the last one is for when nothing is pending.
pub(super) fn pending(game: &Game) -> Vec<Pending> {
    let nobody = Pending { choice: u32::MAX, me: None };
    let sites = game.program().sites.iter().map(|site| match &site.kind {
        SiteKind::Choice(choice) => Pending { choice: choice.choice, me: Some(choice.me) },
        _ => nobody,
    });
    sites.chain([nobody]).collect()
}

/// All values that seats see, in the order of observations.
pub(crate) fn sights(game: &Game) -> Vec<Sight> {
    let pending = pending(game);
    items(game).iter().flat_map(|item| sights_of(game, &pending, item)).collect()
}

/// The values of an entry; none of an entry that is made of something else.
pub(super) fn sights_of(game: &Game, pending: &[Pending], item: &Item) -> Vec<Sight> {
    match item.source {
        Source::Choice | Source::Seat | Source::Actor => vec![],
        Source::Local(local) => of_local(game, pending, item, local).into_iter().collect(),
        Source::Slot(slot) | Source::Size(slot) => of_slot(game, pending, item, slot),
    }
}

fn of_local(game: &Game, pending: &[Pending], item: &Item, local: LocalId) -> Option<Sight> {
    let at = game.local_at(local)?;
    let choices = item.during.as_deref().unwrap_or_default();
    let shown = |site: &Pending| choices.iter().any(|choice| choice.0 == site.choice);
    Some(Sight {
        slot: None,
        index: vec![],
        place: vec![],
        kind: SightKind::Value(item.content),
        at: vec![at.into(); game.players() as usize],
        during: Some(pending.iter().map(shown).collect()),
    })
}

fn of_slot(game: &Game, pending: &[Pending], item: &Item, id: SlotId) -> Vec<Sight> {
    let model = game.model();
    let slot = &model.slots[id.index()];
    // Kept are all that are seen.
    let Some(first) = game.slots()[id.index()] else { return vec![] };
    // Of a zone of copies it is counted how many there are of all kinds, which stand together.
    let (width, bits) = match (item.source, slot.role) {
        (Source::Size(_), Role::Copies) => (kinds(model, slot) as u32, false),
        _ => (u32::from(value_len(game.program().width, slot.content)), true),
    };
    let kind = match (item.source, item.content, slot.role) {
        (Source::Size(_), Content::Number { high, .. }, _) => SightKind::Size { high, words: width, bits },
        (_, _, Role::Dice { faces, .. }) => SightKind::Die { faces },
        _ => SightKind::Value(slot.content),
    };
    let sizes: Vec<u32> = item.index.iter().map(|d| model.domains[d.index()].size).collect();
    let places: u32 = sizes.iter().product();
    // A player's own share stands first; the rest may be kept from them for a while.
    let own = places / sizes.first().map_or(1, |size| *size);
    let shown = |site: &Pending| item.apart.iter().all(|choice| choice.0 != site.choice);
    let apart: Option<During> = (!item.apart.is_empty()).then(|| pending.iter().map(shown).collect());
    let sight = |number: u32| {
        let mut place = vec![0; sizes.len()];
        let mut rest = number;
        for (element, size) in place.iter_mut().zip(&sizes).rev() {
            *element = rest % size;
            rest /= size;
        }
        // The place as a player counts is another one in the slot: players are turned round.
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
            during: apart.clone().filter(|_| number >= own),
            place,
        }
    };
    (0..places).map(sight).collect()
}
