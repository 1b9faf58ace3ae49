//! What goes face down from zone to zone in a statement of the rules, as a viewer can count it. Nothing else is read than
//! what the viewer's board shows before and after it: how many lie at each place, and which of them the viewer knows.

use super::course::{CourseItem, CourseKind};
use super::hidden_copies::kinds;
use super::knowledge::owner;
use super::moved::{MovePlaces, NamedPlace, is_open};
use crate::Onlookers;
use crate::{Event, Game, Seat, State};
use houserule_model::{BinderValue, DomainId, Role, SlotId, Value};

/// Where a drawn element went.
#[derive(Clone, Copy, Debug)]
pub(super) struct DrawnWay {
    /// The item of the course.
    pub(super) item: usize,
    pub(super) domain: DomainId,
    pub(super) element: u32,
    /// The place that it left, if that is known.
    pub(super) from: Option<(SlotId, usize)>,
    /// The place to which it came first.
    pub(super) to: (SlotId, usize),
    /// The number of moments of the run that were noted before.
    pub(super) moment: usize,
    /// Whether the statement that drew it laid it there, as all can count.
    pub(super) laid: bool,
}

/// What a viewer was told of hidden elements on their way.
#[derive(Clone, Debug, Default)]
pub(super) struct FaceDownTold {
    /// Draws in the statement that tell the viewer where the element went.
    pub(super) ways: Vec<DrawnWay>,
    /// What actions named.
    named: Vec<NamedElement>,
    /// What actions took without naming it.
    hidden: Vec<HiddenPick>,
    /// Whether the run began with a choice in a `together` block. Actions alone tell then what they took.
    pub(super) together: bool,
}

/// What an action took of a domain without naming it.
#[derive(Clone, Copy, Debug)]
struct HiddenPick {
    domain: DomainId,
    /// The number of words of the action that hide something from the viewer. It may be that of several domains.
    words: usize,
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
        let CourseKind::Event(Event::Action { player, action }) = item.kind else { return };
        // How many elements are hidden is counted in what the viewer reads: the action itself would tell more.
        let text = item.seen(Some(viewer)).text.as_deref();
        let words = text.map_or(1, |text| text.split(' ').filter(|word| *word == "?").count());
        for (domain, elements) in game.action_bindings(action).into_iter().map(BinderValue::elements) {
            if words > 0 {
                self.hidden.push(HiddenPick { domain, words });
            } else {
                let named = elements.into_iter();
                self.named.extend(named.map(|element| NamedElement { player, domain, element }));
            }
        }
    }

    /// Returns `true` if the action that is under way tells by itself what went face down in a statement: a single hidden
    /// element. Of several, as when they were chosen in steps, it doesn't tell where they went.
    pub(super) fn is_told_by_action(&self, domain: DomainId, count: &UnseenCount) -> bool {
        let is_single = |pick: &HiddenPick| pick.words == 1 && count.count_arrivals() <= 1;
        self.hidden.iter().any(|pick| pick.domain == domain && (self.together || is_single(pick)))
    }

    /// Returns the players who named elements of a domain of which the viewer doesn't know where they lie. `known`: where
    /// the viewer knows elements to lie.
    pub(super) fn lost(&self, domain: DomainId, known: &[Option<usize>]) -> Vec<Seat> {
        let named = self.named.iter().filter(|named| named.domain == domain);
        let is_lost = |named: &&NamedElement| known.get(named.element as usize).is_none_or(Option::is_none);
        named.filter(is_lost).map(|named| named.player).collect()
    }

    /// Returns the players who named elements of a domain.
    pub(super) fn actors(&self, domain: DomainId) -> Vec<Seat> {
        self.named.iter().filter(|named| named.domain == domain).map(|named| named.player).collect()
    }

    /// Returns `true` if an action named this element.
    fn names(&self, domain: DomainId, element: u32) -> bool {
        self.named.iter().any(|named| named.domain == domain && named.element == element)
    }

    /// Returns `true` if a draw that the viewer was told took this element.
    pub(super) fn drew(&self, domain: DomainId, element: u32) -> bool {
        self.ways.iter().any(|way| way.domain == domain && way.element == element)
    }
}

impl State {
    /// Describes the swap of two zones since an earlier state, without what lies in them: `hand[B] and hand[C] swapped`. Everybody
    /// has to see that the statement between the states swaps them. Returns `None` if other zones changed or none, while players
    /// choose together, or if the viewer sees what lies in one of the zones.
    pub(super) fn describe_exchange_since(
        &self,
        earlier: &State,
        viewer: Seat,
        places: &MovePlaces,
    ) -> Option<String> {
        if earlier.block_together().is_some() || self.block_together().is_some() {
            return None;
        }
        let lying = |state: &State, at: &NamedPlace| state.value(at.slot, at.place);
        let all = places.0.iter().flat_map(|of| &of.elements);
        let changed: Vec<&NamedPlace> = all.filter(|at| lying(self, at) != lying(earlier, at)).collect();
        let &[one, other] = changed.as_slice() else { return None };
        let goes = |from: &NamedPlace, to: &NamedPlace| lying(earlier, from) == lying(self, to);
        let is_hidden = |at: &NamedPlace| !is_open(self, at, Some(viewer));
        let is_told = goes(one, other) && goes(other, one) && is_hidden(one) && is_hidden(other);
        is_told.then(|| format!("{} and {} swapped", one.name, other.name))
    }
}

/// What a viewer can count of hidden elements or copies between some places.
#[derive(Clone, Debug)]
pub(super) struct UnseenCount {
    /// For each place, how many came to it beyond those of which the viewer saw the way. Less than 0 if more left it.
    pub(super) net: Vec<i64>,
    /// How many were hidden, and came where the viewer sees them.
    gained: i64,
    /// How many lay where the viewer sees them, and went where the viewer doesn't know.
    lost: i64,
}

impl UnseenCount {
    /// Counts elements. `was`, `is`: where the viewer knew each of them to lie before a statement and knows it after it.
    pub(super) fn of_elements(
        states: [&State; 2],
        places: &[NamedPlace],
        viewer: Seat,
        known: [&[Option<usize>]; 2],
        domain: DomainId,
        told: &FaceDownTold,
    ) -> UnseenCount {
        let [earlier, now] = states;
        let lying = |state: &State, at: &NamedPlace| match state.value(at.slot, at.place) {
            Value::Set(lying) => i64::from(lying.len()),
            _ => 0,
        };
        let net = places.iter().map(|at| lying(now, at) - lying(earlier, at)).collect();
        let mut count = UnseenCount { net, gained: 0, lost: 0 };
        let open: Vec<bool> = places.iter().map(|at| is_open(now, at, Some(viewer))).collect();
        let mut named = vec![];
        for (element, (was, is)) in (0u32..).zip(known[0].iter().zip(known[1])) {
            if told.drew(domain, element) {
                continue;
            }
            match (*was, *is) {
                (Some(from), Some(to)) if from != to => {
                    count.net[from] += 1;
                    count.net[to] -= 1;
                }
                (None, Some(to)) if open[to] => {
                    count.net[to] -= 1;
                    count.gained += 1;
                }
                (None, Some(to)) if told.names(domain, element) => named.push(to),
                (Some(from), None) if open[from] => {
                    count.net[from] += 1;
                    count.lost += 1;
                }
                _ => {}
            }
        }
        for way in told.ways.iter().filter(|way| way.domain == domain) {
            count.leave_out(way, places);
        }
        // What an action named went where the viewer knows it to lie, unless it was only shown there.
        for to in named {
            if count.net[to] > 0 {
                count.net[to] -= 1;
                count.gained += 1;
            }
        }
        count
    }

    /// Counts copies. Returns `None` if the viewer lost track of one, or learned or knew what moved.
    pub(super) fn of_copies(
        states: [&State; 2],
        places: &[NamedPlace],
        viewer: Seat,
        domain: DomainId,
        told: &FaceDownTold,
    ) -> Option<UnseenCount> {
        let [earlier, now] = states;
        let (mut net, mut open) = (vec![], vec![]);
        let (mut was_known, mut is_known): (Vec<u64>, Vec<u64>) = (vec![], vec![]);
        for at in places {
            let was = earlier.copies_seen(at.slot, at.place, Onlookers::from_seat(viewer));
            let is = now.copies_seen(at.slot, at.place, Onlookers::from_seat(viewer));
            let sees = now.sees_copies(at.slot, at.place, viewer);
            if !sees && was != is {
                return None;
            }
            was_known.resize(was.len(), 0);
            is_known.resize(is.len(), 0);
            was_known.iter_mut().zip(&was).for_each(|(all, n)| *all += n);
            is_known.iter_mut().zip(&is).for_each(|(all, n)| *all += n);
            let lying = |state: &State| state.copies_lying(at.slot, at.place).iter().sum::<u64>() as i64;
            net.push(if sees { 0 } else { lying(now) - lying(earlier) });
            open.push(sees);
        }
        if was_known.iter().zip(&is_known).any(|(was, is)| was > is) {
            return None;
        }
        let gained = is_known.iter().sum::<u64>().saturating_sub(was_known.iter().sum()) as i64;
        let mut count = UnseenCount { net, gained, lost: 0 };
        for way in told.ways.iter().filter(|way| way.domain == domain) {
            count.leave_out(way, places);
            let in_sight = |place| open.iter().zip(places).any(|(open, at)| *open && at.is_at(place));
            count.gained -= i64::from(in_sight(way.to) && !way.from.is_some_and(in_sight));
        }
        // What lies in sight was told by name.
        count.net.iter_mut().zip(&open).filter(|(_, open)| **open).for_each(|(net, _)| *net = 0);
        Some(count)
    }

    /// Leaves out a draw that was told.
    fn leave_out(&mut self, way: &DrawnWay, places: &[NamedPlace]) {
        for (net, at) in self.net.iter_mut().zip(places) {
            *net += i64::from(way.from.is_some_and(|from| at.is_at(from)));
            *net -= i64::from(at.is_at(way.to));
        }
    }

    /// Returns the number of those that came to places.
    fn count_arrivals(&self) -> i64 {
        self.net.iter().filter(|net| **net > 0).sum()
    }

    /// Returns the place that all that were hidden left, if there is only one.
    pub(super) fn source(&self) -> Option<usize> {
        let came = self.count_arrivals();
        let left: i64 = self.net.iter().filter(|net| **net < 0).sum();
        let mut sources = self.net.iter().enumerate().filter(|(_, net)| **net < 0);
        match (sources.next(), sources.next()) {
            (Some((only, _)), None) if self.lost == 0 && came + self.gained == -left => Some(only),
            _ => None,
        }
    }

    /// Returns `true` if something hidden left a place of one of some players. If they named what they laid, that is told.
    pub(super) fn left_from(&self, state: &State, places: &[NamedPlace], players: &[Seat]) -> bool {
        let model = state.game().model();
        places.iter().zip(&self.net).filter(|(_, net)| **net < 0).any(|(at, _)| {
            let slot = &model.slots[at.slot.index()];
            let first = if slot.role == Role::Copies { at.place * kinds(model, slot) } else { at.place };
            owner(model, slot, first).is_some_and(|owner| players.contains(&owner))
        })
    }
}
