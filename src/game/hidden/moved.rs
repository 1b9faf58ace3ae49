//! What a viewer saw go from zone to zone, statement by statement of the rules, apart from what actions and draws tell: what
//! the viewer can identify by its name, the rest by its number.

use super::course::{CourseItem, CourseKind, Told};
use super::hidden_copies::{Copies, kinds};
use super::knowledge::{owner, sees, slots};
use super::moved_unseen::{FaceDownTold, UnseenCount};
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
    /// Whether it went there since the earlier state.
    here: bool,
    /// Whether it lies where it lay. Where it goes later is no longer the draw.
    stays: bool,
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
    /// Whether it isn't clear from the numbers at the places what went where, as when two zones are swapped.
    pub(super) is_unclear: bool,
    /// Whether the action names only the last of what its player chose in steps.
    pub(super) in_steps: bool,
    /// What was told of hidden elements.
    pub(super) face_down: FaceDownTold,
}

impl ToldMoves {
    /// Adds what a viewer was told by a part of a course; with `None`, everything. `here`: it is after the earlier state.
    pub(super) fn add(&mut self, item: &CourseItem, viewer: Option<usize>, here: bool) {
        let Told { text: Some(text), zone } = item.seen(viewer) else { return };
        if let Some(name) = item.drawn(viewer) {
            let (name, zone) = (name.to_owned(), zone.clone());
            self.drawn.push(DrawnTold { name, zone, here, stays: item.stays() });
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

impl NamedPlace {
    /// Returns `true` for this place of a slot.
    pub(super) fn is_at(&self, at: (SlotId, usize)) -> bool {
        (self.slot, self.place) == at
    }
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

/// What went from one place to another.
#[derive(Clone, Debug)]
enum LegContent {
    Element { domain: DomainId, element: u32, name: String },
    Copies { name: String, number: u64 },
    FaceDown { number: i64 },
}

/// What a viewer saw go from one place to another.
#[derive(Clone, Debug)]
struct SeenLeg {
    from: Option<String>,
    to: String,
    what: LegContent,
}

impl SeenLeg {
    /// Returns `true` if it goes from one place to another.
    fn goes(&self, from: Option<&String>, to: &str) -> bool {
        self.from.as_ref() == from && self.to == to
    }

    fn is_face_down(&self) -> bool {
        matches!(self.what, LegContent::FaceDown { .. })
    }
}

/// What a viewer saw go from place to place, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct SeenLegs(Vec<SeenLeg>);

impl SeenLegs {
    fn add_element(&mut self, from: Option<String>, to: &str, domain: DomainId, element: u32, name: &str) {
        let is_it = |leg: &SeenLeg| matches!(leg.what, LegContent::Element { domain: of, element: one, .. } if of == domain && one == element);
        let last = self.0.iter().rposition(is_it);
        match last.filter(|at| from.as_ref() == Some(&self.0[*at].to)) {
            // It went on, or back.
            Some(at) if self.0[at].from.as_deref() == Some(to) => {
                self.0.remove(at);
            }
            Some(at) => to.clone_into(&mut self.0[at].to),
            None => {
                let what = LegContent::Element { domain, element, name: name.to_owned() };
                self.0.push(SeenLeg { from, to: to.to_owned(), what });
            }
        }
    }

    fn add_copies(&mut self, from: Option<String>, to: &str, name: &str, number: u64) {
        for leg in self.0.iter_mut().filter(|leg| leg.goes(from.as_ref(), to)) {
            if let LegContent::Copies { name: of, number: all } = &mut leg.what
                && of.as_str() == name
            {
                *all += number;
                return;
            }
        }
        let what = LegContent::Copies { name: name.to_owned(), number };
        self.0.push(SeenLeg { from, to: to.to_owned(), what });
    }

    fn add_face_down(&mut self, from: Option<String>, to: &str, number: i64) {
        for leg in self.0.iter_mut().filter(|leg| leg.goes(from.as_ref(), to)) {
            if let LegContent::FaceDown { number: all } = &mut leg.what {
                *all += number;
                return;
            }
        }
        self.0.push(SeenLeg { from, to: to.to_owned(), what: LegContent::FaceDown { number } });
    }

    /// Returns a phrase for each way, with the names that the board shows: `♣K, ♣7 from table to won[X]`. Forgets the legs.
    /// What goes face down between two places both ways is left out: it isn't known which of it stayed.
    pub(super) fn take_phrases(&mut self) -> Vec<String> {
        let all = std::mem::take(&mut self.0);
        let is_back = |leg: &SeenLeg, other: &SeenLeg| {
            other.is_face_down()
                && leg.from.as_ref() == Some(&other.to)
                && other.from.as_ref() == Some(&leg.to)
        };
        let mut ways: Vec<SameWay<'_>> = vec![];
        for leg in &all {
            if !(leg.is_face_down() && all.iter().any(|other| is_back(leg, other))) {
                SameWay::add(&mut ways, leg);
            }
        }
        ways.iter().map(SameWay::phrase).collect()
    }
}

/// Elements that went the same way.
struct SameWay<'l> {
    from: Option<&'l String>,
    to: &'l str,
    face_down: bool,
    what: Vec<String>,
}

impl<'l> SameWay<'l> {
    fn add(ways: &mut Vec<SameWay<'l>>, leg: &'l SeenLeg) {
        let what = match &leg.what {
            LegContent::Element { name, .. } | LegContent::Copies { name, number: 1 } => name.clone(),
            LegContent::Copies { name, number } => format!("{number} {name}"),
            LegContent::FaceDown { number } => format!("{number} face down"),
        };
        let face_down = leg.is_face_down();
        match ways.iter_mut().find(|way| leg.goes(way.from, way.to) && way.face_down == face_down) {
            Some(way) => way.what.push(what),
            None => {
                ways.push(SameWay { from: leg.from.as_ref(), to: &leg.to, face_down, what: vec![what] });
            }
        }
    }

    fn phrase(&self) -> String {
        let named = &self.what[..self.what.len().min(MOST_NAMED)];
        let more = match self.what.len() - named.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let from = self.from.map_or_else(String::new, |from| format!(" from {from}"));
        format!("{}{more}{from} to {}", named.join(", "), self.to)
    }
}

/// The way of an element, or of copies of a kind, in a statement.
#[derive(Clone, Debug)]
struct StatementWay<'p> {
    /// The element or the kind.
    what: u32,
    number: u64,
    from: Option<String>,
    to: &'p str,
    /// Whether the action tells it.
    named: bool,
}

impl StatementWay<'_> {
    /// Returns `true` if it is told, of all ways in the statement. What the action names is told again only among others that
    /// went the same way with it.
    fn is_told(&self, all: &[StatementWay<'_>]) -> bool {
        let goes_along =
            |other: &StatementWay<'_>| !other.named && other.from == self.from && other.to == self.to;
        !self.named || all.iter().any(goes_along)
    }
}

/// What a viewer sees of two states, and was told between them.
struct MoveWatch<'m> {
    now: &'m State,
    earlier: &'m State,
    viewer: Option<Seat>,
    told: &'m ToldMoves,
    names: BoardNames<'m>,
    legs: &'m mut SeenLegs,
}

impl State {
    /// Adds what a viewer saw go from zone to zone since an earlier state, apart from what was told; with `None`, all
    /// that went.
    pub(super) fn add_legs_since(
        &self,
        earlier: &State,
        viewer: Option<Seat>,
        told: &ToldMoves,
        places: &MovePlaces,
        legs: &mut SeenLegs,
    ) {
        let names = BoardNames::new(self.game());
        let mut watch = MoveWatch { now: self, earlier, viewer, told, names, legs };
        for of in &places.0 {
            watch.add_elements(of.domain, &of.elements);
            watch.add_copies(of.domain, &of.copies);
        }
    }
}

impl MoveWatch<'_> {
    /// Returns the viewer, if what the viewer can count is told. While players choose together, they don't see what the others
    /// do.
    fn counting(&self) -> Option<Seat> {
        let together = self.earlier.block_together().is_some() || self.now.block_together().is_some();
        self.viewer.filter(|_| !self.told.in_setup && !together)
    }

    /// Adds what went face down between some places. `players`: they told what they laid.
    fn add_face_down(
        &mut self,
        domain: DomainId,
        places: &[NamedPlace],
        count: &UnseenCount,
        players: &[Seat],
    ) {
        let is_told = self.told.face_down.is_told_by_action(domain, count);
        if self.told.is_unclear || is_told || count.left_from(self.now, places, players) {
            return;
        }
        let from = count.source().map(|at| &places[at].name);
        for (to, number) in places.iter().zip(&count.net).filter(|(_, number)| **number > 0) {
            self.legs.add_face_down(from.cloned(), &to.name, *number);
        }
    }

    /// Adds the ways of elements between some zones.
    fn add_elements(&mut self, domain: DomainId, places: &[NamedPlace]) {
        let MoveWatch { now, earlier, viewer, told, .. } = *self;
        let was = lying_at(earlier, domain, places, viewer);
        let is = lying_at(now, domain, places, viewer);
        let count = self.counting().map(|viewer| {
            let (states, known) = ([earlier, now], [was.as_slice(), is.as_slice()]);
            UnseenCount::of_elements(states, places, viewer, known, domain, &told.face_down)
        });
        let source = count.as_ref().and_then(UnseenCount::source).map(|at| places[at].name.clone());
        let lost = told.face_down.lost(domain, &is);
        let mut ways: Vec<StatementWay<'_>> = vec![];
        for (element, (was, is)) in (0u32..).zip(was.into_iter().zip(is)) {
            let Some(to) = is.filter(|_| was != is).map(|at| &places[at]) else { continue };
            let name = now.game().element_name(domain, element);
            if was.is_some() && told.is_undealt(&name) {
                continue;
            }
            let known = was.map(|at| places[at].name.clone());
            let mut named = false;
            let drawn = told.drawn.iter().rev().find(|drawn| drawn.name == name && !drawn.stays);
            let from = match drawn {
                Some(drawn) if drawn.zone.as_ref().is_none_or(|zone| *zone == to.name) => continue,
                Some(drawn) if drawn.here && told.in_setup || known.is_none() => drawn.zone.clone(),
                Some(_) => known,
                // The action tells where it went first, but not where it went then.
                None if told.named.iter().any(|(_, named)| *named == name) => {
                    let of = |first: &&FirstPlace| first.domain == domain && first.element == element;
                    let was_open = was.is_some_and(|at| is_open(earlier, &places[at], viewer));
                    match told.first.iter().find(of) {
                        Some(first) if to.is_at((first.slot, first.place)) => {
                            named = true;
                            known.or_else(|| source.clone())
                        }
                        None if !was_open => continue,
                        // It was shown where it lies. Where it goes first is still to come, or nobody saw it go.
                        Some(_) if was.is_none() && !is_open(now, to, viewer) => continue,
                        _ => known.or_else(|| source.clone()),
                    }
                }
                // A viewer who learns that it lies in a hidden place need not have seen it go there.
                None if was.is_none() && !is_open(now, to, viewer) => continue,
                None => known.or_else(|| source.clone()),
            };
            ways.push(StatementWay { what: element, number: 1, from, to: &to.name, named });
        }
        let goes_along = |way: &StatementWay<'_>| {
            let count = count.as_ref().filter(|_| source.is_some() && source == way.from);
            count.is_some_and(|count| {
                places.iter().zip(&count.net).any(|(at, number)| *number > 0 && at.name == way.to)
            })
        };
        for way in ways.iter().filter(|way| way.is_told(&ways) || goes_along(way)) {
            let name = self.names.element(domain, way.what);
            self.legs.add_element(way.from.clone(), way.to, domain, way.what, name);
        }
        if let Some(count) = count {
            self.add_face_down(domain, places, &count, &lost);
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
            let was = earlier.copies_seen(at.slot, at.place, viewer.into());
            let is = now.copies_seen(at.slot, at.place, viewer.into());
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
        let mut ways: Vec<StatementWay<'_>> = vec![];
        let total =
            |state: &State, at: &NamedPlace| state.copies_lying(at.slot, at.place).iter().sum::<u64>();
        for (at, came) in
            places.iter().zip(&came).zip(&mixed).filter(|(_, mixed)| !**mixed).map(|(one, _)| one)
        {
            let owner = owner(model, &model.slots[at.slot.index()], at.place * kinds as usize);
            for (kind, (n, name)) in came.iter().zip(&names).enumerate().filter(|(_, (n, _))| **n > 0) {
                // An action tells what its player lays, but not what the player gets.
                let laid = told.named.iter().filter(|(actor, named)| named == name && owner != Some(*actor));
                let named = match laid.count() as u64 {
                    0 => false,
                    // The steps before it told the rest.
                    last => !(told.in_steps && *n > last),
                };
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
                ways.push(StatementWay { what: kind as u32, number: *n, from, to: &at.name, named });
            }
        }
        for way in ways.iter().filter(|way| way.is_told(&ways)) {
            let name = self.names.element(domain, way.what);
            self.legs.add_copies(way.from.clone(), way.to, name, way.number);
        }
        let count = self.counting().and_then(|viewer| {
            UnseenCount::of_copies([earlier, now], places, viewer, domain, &told.face_down)
        });
        if let Some(count) = count {
            self.add_face_down(domain, places, &count, &told.face_down.actors(domain));
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
