//! What went face down from zone to zone since an earlier state, as a viewer can count it. Nothing else is read than what the
//! viewer's board shows: how many lie at each place, and which of them the viewer knows.

use std::collections::BTreeSet;

use super::course::{CourseItem, CourseKind};
use super::hidden_copies::kinds;
use super::knowledge::owner;
use super::moved::{MovePlaces, NamedPlace, is_open, lying_at};
use crate::{Event, Game, Seat, State};
use houserule_model::{BinderValue, CheckedStmtKind, DomainId, Model, Role, SlotId, Value, walk};

/// What a viewer was told of hidden elements on their way.
#[derive(Clone, Debug, Default)]
pub(super) struct FaceDownTold {
    /// The domain of each draw.
    draws: Vec<DomainId>,
    /// The domain of each draw with a zone to which the element was said to go, and that zone.
    drawn: Vec<(DomainId, String)>,
    /// What actions named.
    named: Vec<NamedElement>,
    /// Domains of which an action bound a hidden element, or a hidden element went where it isn't told.
    unclear: Vec<DomainId>,
    /// Whether it isn't known of which domain something was drawn.
    all_unclear: bool,
}

/// An element or a kind of copies that a player's action named.
#[derive(Clone, Copy, Debug)]
struct NamedElement {
    player: Seat,
    domain: DomainId,
    element: u32,
}

impl FaceDownTold {
    /// Adds what a viewer, by the index, was told by a part of a course.
    pub(super) fn add(&mut self, game: &Game, item: &CourseItem, viewer: usize) {
        let told = item.seen(Some(viewer));
        match item.kind {
            CourseKind::Event(Event::Pick { domain, .. })
            | CourseKind::Certain(Some(Event::Pick { domain, .. })) => {
                self.draws.push(domain);
                match (&told.text, &told.zone) {
                    (_, Some(zone)) => self.drawn.push((domain, zone.clone())),
                    (None, None) => self.unclear.push(domain),
                    (Some(_), None) => {}
                }
            }
            CourseKind::Certain(_) => self.all_unclear = true,
            CourseKind::Event(Event::Action { player, action }) => {
                let hides = |text: &String| text.split(' ').any(|word| word == "?");
                let is_hidden = told.text.as_ref().is_none_or(hides);
                for (domain, elements) in game.action_bindings(action).into_iter().map(BinderValue::elements)
                {
                    if is_hidden {
                        self.unclear.push(domain);
                    } else {
                        let named = elements.into_iter();
                        self.named.extend(named.map(|element| NamedElement { player, domain, element }));
                    }
                }
            }
            CourseKind::Event(Event::Roll { .. } | Event::Draw { .. })
            | CourseKind::Pass
            | CourseKind::Moved
            | CourseKind::Shown => {}
        }
    }
}

/// The number of hidden elements or copies that came to a place, and of those that left it.
#[derive(Clone, Copy, Debug, Default)]
struct PlaceChange {
    came: u64,
    left: u64,
}

impl PlaceChange {
    fn new(was: u64, is: u64) -> PlaceChange {
        PlaceChange { came: is.saturating_sub(was), left: was.saturating_sub(is) }
    }
}

/// What a viewer can count between some places.
struct UnseenChange {
    /// For each place; nothing at those whose contents the viewer sees.
    places: Vec<PlaceChange>,
    /// How many were hidden, and lie where the viewer sees them.
    gained: u64,
}

impl State {
    /// Returns what went face down from zone to zone since an earlier state of the same game, apart from what was told, as a
    /// viewer can count it: `2 face down from hand[A] to hand[B]`. Where that leaves several ways open, it says less, or
    /// nothing. While players choose together, they don't see what the others do.
    pub(super) fn moved_unseen_since(
        &self,
        earlier: &State,
        viewer: Seat,
        told: &FaceDownTold,
        places: &MovePlaces,
    ) -> Vec<String> {
        let mut phrases = vec![];
        if told.all_unclear || earlier.block_together().is_some() || self.block_together().is_some() {
            return phrases;
        }
        for of in places.0.iter().filter(|of| !told.unclear.contains(&of.domain)) {
            let named = told.named.iter().filter(|named| named.domain == of.domain);
            let known = lying_at(self, of.domain, &of.elements, Some(viewer));
            let is_lost =
                |named: &&NamedElement| known.get(named.element as usize).is_none_or(Option::is_none);
            let lost: Vec<Seat> = named.clone().filter(is_lost).map(|named| named.player).collect();
            let elements = self.elements_changed(earlier, of.domain, &of.elements, viewer);
            if let Some(change) = elements.filter(|change| !self.left_from(&of.elements, change, &lost)) {
                phrases.extend(self.unseen_phrases(of.domain, &of.elements, &change, told));
            }
            let actors: Vec<Seat> = named.map(|named| named.player).collect();
            let copies = self.copies_changed(earlier, &of.copies, viewer);
            if let Some(change) = copies.filter(|change| !self.left_from(&of.copies, change, &actors)) {
                phrases.extend(self.unseen_phrases(of.domain, &of.copies, &change, told));
            }
        }
        phrases
    }

    /// Returns `true` if something hidden left a place of one of some players. If they named what they laid, that is told.
    fn left_from(&self, places: &[NamedPlace], change: &UnseenChange, players: &[Seat]) -> bool {
        let model = self.game().model();
        places.iter().zip(&change.places).filter(|(_, change)| change.left > 0).any(|(at, _)| {
            let slot = &model.slots[at.slot.index()];
            let first = if slot.role == Role::Copies { at.place * kinds(model, slot) } else { at.place };
            owner(model, slot, first).is_some_and(|owner| players.contains(&owner))
        })
    }

    /// Counts the changes of elements. Returns `None` if the viewer lost track of one, or learned or knew what moved.
    fn elements_changed(
        &self,
        earlier: &State,
        domain: DomainId,
        places: &[NamedPlace],
        viewer: Seat,
    ) -> Option<UnseenChange> {
        let open: Vec<bool> = places.iter().map(|at| is_open(self, at, Some(viewer))).collect();
        let mut gained = 0;
        let known = lying_at(earlier, domain, places, Some(viewer)).into_iter();
        for (was, is) in known.zip(lying_at(self, domain, places, Some(viewer))) {
            if was == is {
                continue;
            }
            let in_sight = [was, is].into_iter().flatten().all(|at| open[at]);
            if is.is_none() || !in_sight {
                return None;
            }
            gained += u64::from(was.is_none());
        }
        let count = |state: &State, at: &NamedPlace| match state.value(at.slot, at.place) {
            Value::Set(lying) => u64::from(lying.len()),
            _ => 0,
        };
        let change = |(at, open): (&NamedPlace, &bool)| match *open {
            true => PlaceChange::default(),
            false => PlaceChange::new(count(earlier, at), count(self, at)),
        };
        Some(UnseenChange { places: places.iter().zip(&open).map(change).collect(), gained })
    }

    /// Counts the changes of copies. Returns `None` if the viewer lost track of one, or learned or knew what moved.
    fn copies_changed(&self, earlier: &State, places: &[NamedPlace], viewer: Seat) -> Option<UnseenChange> {
        let mut changes = vec![];
        let (mut was_known, mut is_known): (Vec<u64>, Vec<u64>) = (vec![], vec![]);
        for at in places {
            let was = earlier.copies_seen(at.slot, at.place, Some(viewer));
            let is = self.copies_seen(at.slot, at.place, Some(viewer));
            let open = self.sees_copies(at.slot, at.place, viewer);
            if !open && was != is {
                return None;
            }
            was_known.resize(was.len(), 0);
            is_known.resize(is.len(), 0);
            was_known.iter_mut().zip(&was).for_each(|(all, n)| *all += n);
            is_known.iter_mut().zip(&is).for_each(|(all, n)| *all += n);
            let count = |state: &State| state.copies_lying(at.slot, at.place).iter().sum::<u64>();
            changes.push(match open {
                true => PlaceChange::default(),
                false => PlaceChange::new(count(earlier), count(self)),
            });
        }
        if was_known.iter().zip(&is_known).any(|(was, is)| was > is) {
            return None;
        }
        let gained = is_known.iter().sum::<u64>().saturating_sub(was_known.iter().sum());
        Some(UnseenChange { places: changes, gained })
    }

    /// Says how many came to each place, apart from draws that were told, and where they were if that is clear.
    fn unseen_phrases(
        &self,
        domain: DomainId,
        places: &[NamedPlace],
        change: &UnseenChange,
        told: &FaceDownTold,
    ) -> Vec<String> {
        let drawn_to = |name: &str| {
            let here = |drawn: &&(DomainId, String)| drawn.0 == domain && drawn.1 == name;
            told.drawn.iter().filter(here).count() as u64
        };
        let came: Vec<(&NamedPlace, u64)> = places
            .iter()
            .zip(&change.places)
            .map(|(at, change)| (at, change.came.saturating_sub(drawn_to(&at.name))))
            .filter(|(_, came)| *came > 0)
            .collect();
        if came.is_empty() {
            return vec![];
        }
        let from = self.unseen_source(domain, places, change, told);
        let from = from.map_or_else(String::new, |from| format!(" from {}", from.name));
        came.iter().map(|(to, n)| format!("{n} face down{from} to {}", to.name)).collect()
    }

    /// Returns the place that all hidden elements left, other than those that were drawn, if there is only one.
    fn unseen_source<'p>(
        &self,
        domain: DomainId,
        places: &'p [NamedPlace],
        change: &UnseenChange,
        told: &FaceDownTold,
    ) -> Option<&'p NamedPlace> {
        let came: u64 = change.places.iter().map(|change| change.came).sum();
        let left: u64 = change.places.iter().map(|change| change.left).sum();
        if left != came + change.gained {
            return None;
        }
        let all = places.iter().zip(&change.places).filter(|(_, change)| change.left > 0);
        let sources: Vec<(&NamedPlace, u64)> = all.map(|(at, change)| (at, change.left)).collect();
        if let [(only, _)] = sources.as_slice() {
            return Some(*only);
        }
        // What was drawn left the zones from which the rules draw.
        let draws = told.draws.iter().filter(|drawn| **drawn == domain).count() as u64;
        let zones = drawn_from(self.game().model());
        let (drawn, others): (Vec<_>, Vec<_>) =
            sources.into_iter().partition(|source| zones.contains(&source.0.slot));
        match others.as_slice() {
            [(only, _)] if drawn.iter().map(|source| source.1).sum::<u64>() == draws => Some(*only),
            _ => None,
        }
    }
}

/// Returns the zones from which the rules draw.
fn drawn_from(model: &Model) -> BTreeSet<SlotId> {
    let mut zones = BTreeSet::new();
    for block in walk::all_blocks(model) {
        walk::stmts(model, block, &mut |stmt| {
            if let CheckedStmtKind::Pick { over, by, .. } = &stmt.kind {
                zones.extend(walk::reads(over).0);
                zones.extend(by.iter().map(|by| by.slot));
            }
        });
    }
    zones.retain(|zone| matches!(model.slots[zone.index()].role, Role::Zone | Role::Copies));
    zones
}
