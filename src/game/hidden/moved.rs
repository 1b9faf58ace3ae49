//! What a viewer saw go from zone to zone since an earlier state, apart from what actions and draws tell.

use super::course::{CourseItem, CourseKind, Told};
use super::hidden_copies::Copies;
use super::knowledge::{owner, slots};
use super::sites_in_zones::are_sites;
use crate::{Event, Game, Seat, State, family_names};
use houserule_model::{Content, DomainId, Role, SlotId, Value};

/// Most elements that a phrase names.
const MOST_NAMED: usize = 10;

/// What a viewer was told of elements on their way.
#[derive(Clone, Debug, Default)]
pub(super) struct ToldMoves {
    /// The names of drawn elements, each with the zone to which it was said to go.
    pub(super) drawn: Vec<(String, Option<String>)>,
    /// The words of actions after their options, each with the player who acted.
    pub(super) named: Vec<(Seat, String)>,
}

impl ToldMoves {
    /// Returns what a viewer was told by parts of a course; with `None`, everything.
    pub(super) fn from_course<'c>(
        items: impl Iterator<Item = &'c CourseItem>,
        viewer: Option<usize>,
    ) -> ToldMoves {
        let mut told = ToldMoves::default();
        for item in items {
            let Told { text: Some(text), zone } = item.seen(viewer) else { continue };
            match item.kind {
                CourseKind::Event(Event::Action { player, .. }) => {
                    told.named.extend(text.split(' ').skip(1).map(|word| (player, word.to_owned())));
                }
                CourseKind::Event(Event::Pick { .. }) | CourseKind::Certain => {
                    let name = text.strip_prefix("pick ").unwrap_or(text);
                    told.drawn.push((name.to_owned(), zone.clone()));
                }
                CourseKind::Event(Event::Roll { .. } | Event::Draw { .. })
                | CourseKind::Pass
                | CourseKind::Moved => {}
            }
        }
        told
    }
}

/// A place of a zone that is on no board.
#[derive(Clone, Debug)]
struct NamedPlace {
    slot: SlotId,
    place: usize,
    name: String,
}

/// The places of the zones of a domain that are on no board.
#[derive(Clone, Debug)]
struct DomainPlaces {
    domain: DomainId,
    elements: Vec<NamedPlace>,
    copies: Vec<NamedPlace>,
}

/// The places between which a game moves what lies in zones.
#[derive(Clone, Debug)]
pub(super) struct MovePlaces(Vec<DomainPlaces>);

impl MovePlaces {
    /// Returns the places of a game.
    pub(super) fn new(game: &Game) -> MovePlaces {
        let model = game.model();
        let domains = (0u32..).map(DomainId).take(model.domains.len());
        let all = domains.filter(|domain| !are_sites(model, *domain)).map(|domain| DomainPlaces {
            domain,
            elements: places(game, domain, Role::Zone),
            copies: places(game, domain, Role::Copies),
        });
        MovePlaces(all.filter(|of| !of.elements.is_empty() || !of.copies.is_empty()).collect())
    }
}

/// What a viewer sees of two states, and was told between them.
struct MoveWatch<'m> {
    now: &'m State,
    earlier: &'m State,
    viewer: Option<Seat>,
    told: &'m ToldMoves,
    ways: Vec<SameWay>,
}

/// Elements that went the same way.
struct SameWay {
    from: Option<String>,
    to: String,
    what: Vec<String>,
}

impl SameWay {
    fn add(ways: &mut Vec<SameWay>, from: Option<String>, to: &str, what: String) {
        match ways.iter_mut().find(|way| way.from == from && way.to == to) {
            Some(way) => way.what.push(what),
            None => ways.push(SameWay { from, to: to.to_owned(), what: vec![what] }),
        }
    }

    fn phrase(&self) -> String {
        let named = &self.what[..self.what.len().min(MOST_NAMED)];
        let more = match self.what.len() - named.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let from = self.from.as_ref().map_or_else(String::new, |from| format!(" from {from}"));
        format!("{}{more}{from} to {}", named.join(", "), self.to)
    }
}

impl State {
    /// Returns what a viewer saw go from zone to zone since an earlier state, apart from what was told; with `None`, all
    /// that went. There is a phrase for each way: `3-coins, 1-cups from table to won[X]`.
    pub(super) fn moved_since(
        &self,
        earlier: &State,
        viewer: Option<Seat>,
        told: &ToldMoves,
        places: &MovePlaces,
    ) -> Vec<String> {
        let mut watch = MoveWatch { now: self, earlier, viewer, told, ways: vec![] };
        for of in &places.0 {
            watch.add_elements(of.domain, &of.elements);
            watch.add_copies(of.domain, &of.copies);
        }
        watch.ways.iter().map(SameWay::phrase).collect()
    }
}

impl MoveWatch<'_> {
    /// Adds the ways of elements between some zones.
    fn add_elements(&mut self, domain: DomainId, places: &[NamedPlace]) {
        let MoveWatch { now, earlier, viewer, told, .. } = *self;
        let was = lying_at(earlier, domain, places, viewer);
        let is = lying_at(now, domain, places, viewer);
        for (element, (was, is)) in (0u32..).zip(was.into_iter().zip(is)) {
            let Some(to) = is.filter(|_| was != is).map(|at| &places[at]) else { continue };
            let name = now.game().element_name(domain, element);
            if told.named.iter().any(|(_, named)| *named == name) {
                continue;
            }
            let from = match told.drawn.iter().rev().find(|(drawn, _)| *drawn == name) {
                Some((_, zone)) if zone.as_ref().is_none_or(|zone| *zone == to.name) => continue,
                Some((_, zone)) => zone.clone(),
                // A viewer who learns that it lies in a hidden place need not have seen it go there.
                None if was.is_none() && !is_open(now, to, viewer) => continue,
                None => was.map(|at| places[at].name.clone()),
            };
            SameWay::add(&mut self.ways, from, &to.name, name);
        }
    }

    /// Adds the ways of copies between some zones.
    fn add_copies(&mut self, domain: DomainId, places: &[NamedPlace]) {
        let MoveWatch { now, earlier, viewer, told, .. } = *self;
        let (game, model) = (now.game(), now.game().model());
        let kinds = model.domains[domain.index()].size;
        let names: Vec<String> = (0..kinds).map(|kind| game.element_name(domain, kind)).collect();
        // What came to each place and what left it, as far as that is seen.
        let (mut came, mut left): (Vec<Copies>, Vec<Copies>) = (vec![], vec![]);
        for at in places {
            let was = earlier.copies_seen(at.slot, at.place, viewer);
            let is = now.copies_seen(at.slot, at.place, viewer);
            let drawn = |name: &String| {
                let here = |drawn: &&(String, Option<String>)| {
                    drawn.0 == *name && drawn.1.as_ref().is_some_and(|zone| *zone == at.name)
                };
                told.drawn.iter().filter(here).count() as u64
            };
            let was: Copies = was.iter().zip(&names).map(|(was, name)| was + drawn(name)).collect();
            came.push(is.iter().zip(&was).map(|(is, was)| is.saturating_sub(*was)).collect());
            left.push(was.iter().zip(&is).map(|(was, is)| was.saturating_sub(*is)).collect());
        }
        let is_open =
            |at: &NamedPlace| viewer.is_none_or(|viewer| now.sees_copies(at.slot, at.place, viewer));
        let some = |copies: &Copies| copies.iter().any(|n| *n > 0);
        // Where some came and others left, as when hands are passed on, it isn't known how many of a kind stayed.
        let mut places_seen = places.iter().zip(came.iter().zip(&left)).filter(|(at, _)| is_open(at));
        if places_seen.any(|(_, (came, left))| some(came) && some(left)) {
            return;
        }
        let total =
            |state: &State, at: &NamedPlace| state.copies_lying(at.slot, at.place).iter().sum::<u64>();
        for (at, came) in places.iter().zip(&came) {
            let owner = owner(model, &model.slots[at.slot.index()], at.place * kinds as usize);
            for (kind, (n, name)) in came.iter().zip(&names).enumerate().filter(|(_, (n, _))| **n > 0) {
                // An action tells what its player lays, but not what the player gets.
                if told.named.iter().any(|(actor, named)| named == name && owner != Some(*actor)) {
                    continue;
                }
                let seen = places.iter().zip(&left).filter(|(_, left)| left[kind] > 0);
                let seen: Vec<&NamedPlace> = seen.map(|(from, _)| from).collect();
                if seen.is_empty() && !is_open(at) {
                    continue;
                }
                let hidden = |from: &&NamedPlace| !is_open(from) && total(earlier, from) > total(now, from);
                let from: Vec<&NamedPlace> =
                    if seen.is_empty() { places.iter().filter(hidden).collect() } else { seen };
                let from = if let [one] = from.as_slice() { Some(one.name.clone()) } else { None };
                let what = if *n == 1 { name.clone() } else { format!("{n} {name}") };
                SameWay::add(&mut self.ways, from, &at.name, what);
            }
        }
    }
}

/// Returns `true` if a viewer sees what lies at a place.
fn is_open(state: &State, at: &NamedPlace, viewer: Option<Seat>) -> bool {
    viewer.is_none_or(|viewer| state.sees(at.slot, at.place, viewer))
}

/// Returns where a viewer knows each element of a domain to lie, by the index of the place.
fn lying_at(
    state: &State,
    domain: DomainId,
    places: &[NamedPlace],
    viewer: Option<Seat>,
) -> Vec<Option<usize>> {
    let mut all = vec![None; state.game().model().domains[domain.index()].size as usize];
    let known = viewer.map(|viewer| state.known(domain, viewer));
    for (number, at) in places.iter().enumerate() {
        let Value::Set(lying) = state.value(at.slot, at.place) else { continue };
        let is_open = is_open(state, at, viewer);
        for element in lying.iter() {
            if is_open || known.as_ref().is_some_and(|known| known.contains(element)) {
                all[element as usize] = Some(number);
            }
        }
    }
    all
}

/// Returns the places of the zones of a domain, other than those on boards.
fn places(game: &Game, domain: DomainId, role: Role) -> Vec<NamedPlace> {
    let model = game.model();
    let mut all = vec![];
    for (id, slot) in slots(model).filter(|(id, slot)| slot.role == role && game.keeps(*id)) {
        let (of, family) = match (role, slot.content, slot.index.split_last()) {
            (Role::Copies, _, Some((of, family))) => (*of, family),
            (Role::Zone, Content::Set(of), _) => (of, slot.index.as_slice()),
            _ => continue,
        };
        if of != domain || !slot.can_be_named() || family.iter().any(|index| are_sites(model, *index)) {
            continue;
        }
        let names = family_names(game, &slot.name, family).into_iter().enumerate();
        all.extend(names.map(|(place, name)| NamedPlace { slot: id, place, name }));
    }
    all
}
