//! What a viewer saw go from zone to zone since an earlier state, apart from what actions and draws tell.

use super::course::{CourseItem, CourseKind, Told};
use super::hidden_copies::{Copies, kinds};
use super::knowledge::{owner, sees, slots};
use super::sites_in_zones::are_sites;
use crate::values::BoardNames;
use crate::{Event, Game, Seat, State, family_names};
use houserule_model::{Content, DomainId, Model, Role, SlotId, Value};

/// Most elements that a phrase names.
const MOST_NAMED: usize = 10;

/// A drawn element of which a viewer was told.
#[derive(Clone, Debug)]
pub(super) struct DrawnTold {
    pub(super) name: String,
    /// The zone to which it was said to go.
    zone: Option<String>,
    /// Whether it was drawn since the earlier state.
    here: bool,
}

/// Where an element that an action binds went first.
#[derive(Clone, Copy, Debug)]
pub(super) struct FirstPlace {
    pub(super) domain: DomainId,
    pub(super) element: u32,
    pub(super) slot: SlotId,
    pub(super) place: usize,
}

impl FirstPlace {
    /// Returns `true` if a viewer sees what lies there, once all have chosen.
    pub(super) fn is_open(&self, model: &Model, viewer: Option<Seat>) -> bool {
        let slot = &model.slots[self.slot.index()];
        let place = if slot.role == Role::Copies { self.place * kinds(model, slot) } else { self.place };
        viewer.is_none_or(|viewer| sees(model, slot, place, viewer))
    }
}

/// What a viewer was told of elements on their way.
#[derive(Clone, Debug, Default)]
pub(super) struct ToldMoves {
    /// Drawn elements.
    pub(super) drawn: Vec<DrawnTold>,
    /// The words of actions after their options, each with the player who acted.
    pub(super) named: Vec<(Seat, String)>,
    /// Where elements that actions bind went first.
    pub(super) first: Vec<FirstPlace>,
    /// Whether it is a setup. That what the viewer saw lying ready is laid elsewhere is no news there.
    pub(super) in_setup: bool,
}

impl ToldMoves {
    /// Adds what a viewer was told by a part of a course; with `None`, everything. `here`: it is after the earlier state.
    pub(super) fn add(&mut self, item: &CourseItem, viewer: Option<usize>, here: bool) {
        let Told { text: Some(text), zone } = item.seen(viewer) else { return };
        if let Some(name) = item.drawn(viewer) {
            self.drawn.push(DrawnTold { name: name.to_owned(), zone: zone.clone(), here });
        } else if let CourseKind::Event(Event::Action { player, .. }) = item.kind {
            self.named.extend(text.split(' ').skip(1).map(|word| (player, word.to_owned())));
        }
    }

    /// Returns `true` in a setup for what the viewer didn't see dealt.
    fn is_undealt(&self, name: &str) -> bool {
        self.in_setup && !self.drawn.iter().any(|drawn| drawn.name == name)
    }
}

/// A place of a zone that is on no board.
#[derive(Clone, Debug)]
pub(super) struct NamedPlace {
    pub(super) slot: SlotId,
    pub(super) place: usize,
    pub(super) name: String,
}

/// The places of the zones of a domain that are on no board.
#[derive(Clone, Debug)]
pub(super) struct DomainPlaces {
    pub(super) domain: DomainId,
    pub(super) elements: Vec<NamedPlace>,
    pub(super) copies: Vec<NamedPlace>,
}

/// The places between which a game moves what lies in zones.
#[derive(Clone, Debug)]
pub(super) struct MovePlaces(pub(super) Vec<DomainPlaces>);

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
    names: BoardNames<'m>,
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
    /// that went. There is a phrase for each way, with the names that the board shows: `♣K, ♣7 from table to won[X]`.
    pub(super) fn moved_since(
        &self,
        earlier: &State,
        viewer: Option<Seat>,
        told: &ToldMoves,
        places: &MovePlaces,
    ) -> Vec<String> {
        let names = BoardNames::new(self.game());
        let mut watch = MoveWatch { now: self, earlier, viewer, told, names, ways: vec![] };
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
        let model = now.game().model();
        let was = lying_at(earlier, domain, places, viewer);
        let is = lying_at(now, domain, places, viewer);
        for (element, (was, is)) in (0u32..).zip(was.into_iter().zip(is)) {
            let Some(to) = is.filter(|_| was != is).map(|at| &places[at]) else { continue };
            let name = now.game().element_name(domain, element);
            if was.is_some() && told.is_undealt(&name) {
                continue;
            }
            let known = was.map(|at| places[at].name.clone());
            let from = match told.drawn.iter().rev().find(|drawn| drawn.name == name) {
                Some(drawn) if drawn.zone.as_ref().is_none_or(|zone| *zone == to.name) => continue,
                Some(drawn) if drawn.here || known.is_none() => drawn.zone.clone(),
                Some(_) => known,
                // The action tells where it went first, but not where it went then.
                None if told.named.iter().any(|(_, named)| *named == name) => {
                    let of = |first: &&FirstPlace| first.domain == domain && first.element == element;
                    let first = told.first.iter().find(of).filter(|first| first.is_open(model, viewer));
                    let at = |first: &FirstPlace| {
                        places.iter().find(|at| at.slot == first.slot && at.place == first.place)
                    };
                    match first.and_then(at).filter(|first| first.name != to.name) {
                        Some(first) => Some(first.name.clone()),
                        None => continue,
                    }
                }
                // A viewer who learns that it lies in a hidden place need not have seen it go there.
                None if was.is_none() && !is_open(now, to, viewer) => continue,
                None => known,
            };
            let name = self.names.element(domain, element).to_owned();
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
                let here = |drawn: &&DrawnTold| {
                    drawn.here
                        && drawn.name == *name
                        && drawn.zone.as_ref().is_some_and(|zone| *zone == at.name)
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
        let is_mixed = |at: usize| is_open(&places[at]) && some(&came[at]) && some(&left[at]);
        let mixed: Vec<bool> = (0..places.len()).map(is_mixed).collect();
        let any_mixed = mixed.contains(&true);
        let total =
            |state: &State, at: &NamedPlace| state.copies_lying(at.slot, at.place).iter().sum::<u64>();
        for (at, came) in
            places.iter().zip(&came).zip(&mixed).filter(|(_, mixed)| !**mixed).map(|(one, _)| one)
        {
            let owner = owner(model, &model.slots[at.slot.index()], at.place * kinds as usize);
            for (kind, (n, name)) in came.iter().zip(&names).enumerate().filter(|(_, (n, _))| **n > 0) {
                // An action tells what its player lays, but not what the player gets.
                if told.named.iter().any(|(actor, named)| named == name && owner != Some(*actor)) {
                    continue;
                }
                let seen = places.iter().zip(&left).filter(|(_, left)| left[kind] > 0);
                let seen: Vec<&NamedPlace> = seen.map(|(from, _)| from).collect();
                if seen.is_empty() && !is_open(at) || !seen.is_empty() && told.is_undealt(name) {
                    continue;
                }
                let hidden = |from: &&NamedPlace| !is_open(from) && total(earlier, from) > total(now, from);
                let from: Vec<&NamedPlace> =
                    if seen.is_empty() { places.iter().filter(hidden).collect() } else { seen };
                let from = match from.as_slice() {
                    [one] if !any_mixed => Some(one.name.clone()),
                    _ => None,
                };
                let name = self.names.element(domain, kind as u32);
                let what = if *n == 1 { name.to_owned() } else { format!("{n} {name}") };
                SameWay::add(&mut self.ways, from, &at.name, what);
            }
        }
    }
}

/// Returns `true` if a viewer sees what lies at a place.
pub(super) fn is_open(state: &State, at: &NamedPlace, viewer: Option<Seat>) -> bool {
    viewer.is_none_or(|viewer| state.sees(at.slot, at.place, viewer))
}

/// Returns where a viewer knows each element of a domain to lie, by the index of the place.
pub(super) fn lying_at(
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
