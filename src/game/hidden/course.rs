//! The course of a game as its players may be told it: its events, and what happened between them. That is where drawn
//! elements went, and who saw them go; draws that could come out in one way only; turns in which nothing could be
//! decided; and what actions moved from zone to zone.
//!
//! Depends on visibility, and on runs that are watched instruction by instruction; independent of words and drawings.

use super::hidden_copies::kinds;
use super::information::ShownElements;
use super::knowledge::{sees, slots};
use super::moved::{MovePlaces, ToldMoves};
use super::sites_in_zones::{are_sites, has_zones};
use super::unfinished::UnfinishedAction;
use crate::values::event_text;
use crate::{Event, Game, Seat, Start, State, family_names};
use houserule_machine::program::{Instruction, Phase, StopKind};
use houserule_machine::run::{ExecutedInstruction, Watch};
use houserule_model::{Builtin, Content, DomainId, Model, Role, SlotId, Value};

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CourseKind {
    /// An event of the history, which has it at the index of the item.
    Event(Event),
    /// A pick or draw that could come out in one way only, which is no event.
    Certain,
    /// A turn ended in which its player could decide nothing, or nothing more after chance.
    Pass,
    /// Elements or copies went the same way from zone to zone when an action was taken, as nothing else tells.
    Moved,
}

/// A part of the course of a game.
#[derive(Clone, Debug)]
pub struct CourseItem {
    /// The number of events before it.
    pub index: usize,
    /// What happened.
    pub kind: CourseKind,
    /// The player whose turn it was; `None` before the first turn, and between those of a round.
    pub turn: Option<Seat>,
    /// What happened in full.
    all: Told,
    /// What each viewer may be told, in the order of [`GameCourse::viewers`].
    told: Vec<Told>,
}

/// What a viewer may be told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// What is visible, in the notation of journals; of [`CourseKind::Moved`] a phrase such as
    /// `3-coins, 1-cups from table to won[X]`. `None` if nothing is.
    pub text: Option<String>,
    /// The zone to which a drawn element went.
    pub zone: Option<String>,
}

impl CourseItem {
    /// Returns what a viewer may be told, by the index in [`GameCourse::viewers`]. With `None`, everything.
    pub fn seen(&self, viewer: Option<usize>) -> &Told {
        viewer.map_or(&self.all, |viewer| &self.told[viewer])
    }
}

/// The course of a game for some viewers.
#[derive(Clone, Debug)]
pub struct GameCourse {
    viewers: Vec<Seat>,
    /// The game as far as it was followed. Chance is explicit.
    state: State,
    items: Vec<CourseItem>,
    watcher: Watcher,
    /// Commitments that the viewers weren't told yet: the item, and the state before it.
    veiled: Vec<(usize, State)>,
    /// Commitments that the viewers were told since the last action.
    unveiled: Vec<usize>,
    /// Actions whose options go on with the pending decision, first to last.
    unfinished: Vec<UnfinishedAction>,
    /// The last action, until it is told what it moved: the item, and the state before it.
    acted: Option<(usize, State)>,
    /// Where what lies in zones can move.
    places: MovePlaces,
}

impl GameCourse {
    /// Begins with the start of a game, which takes over match-long values of the previous game, if there is one. Returns
    /// `None` if the rules fail.
    pub fn begin(
        game: &Game,
        start: &Start,
        previous: Option<&State>,
        viewers: Vec<Seat>,
    ) -> Option<GameCourse> {
        let start = Start { explicit_chance: true, ..start.clone() };
        let mut watcher = Watcher::new(game);
        let state = game.start_watched(&start, previous, &mut watcher).ok()?;
        let mut course = GameCourse {
            viewers,
            state,
            items: vec![],
            watcher,
            veiled: vec![],
            unveiled: vec![],
            unfinished: vec![],
            acted: None,
            places: MovePlaces::new(game),
        };
        course.take_found();
        let first = course.state.history().to_vec();
        course.add_applied(0, &first);
        Some(course)
    }

    /// The players who may be told.
    pub fn viewers(&self) -> &[Seat] {
        &self.viewers
    }

    /// What happened, in order.
    pub fn items(&self) -> &[CourseItem] {
        &self.items
    }

    /// Follows the game on to a state. Returns `false` if that isn't a later state of this game; the course is of no
    /// use then.
    pub fn follow(&mut self, to: &State) -> bool {
        let all = to.history();
        loop {
            let known = self.state.history().len();
            if all.get(..known) != Some(self.state.history()) {
                return false;
            }
            let Some(event) = all.get(known) else { break };
            if !self.add(known, event) {
                return false;
            }
        }
        self.state.persistent() == to.persistent()
    }

    /// Adds an event. Returns `false` if it can't happen here.
    fn add(&mut self, index: usize, event: &Event) -> bool {
        let before = self.state.clone();
        let item = self.items.len();
        let turn = self.watcher.turn(before.words());
        self.items.push(CourseItem {
            index,
            kind: CourseKind::Event(*event),
            turn,
            all: full(self.state.game(), event),
            told: vec![],
        });
        self.watcher.begin(item, &before, event);
        self.follow_unfinished(&before, event);
        let done = self.state.apply_watched(event, &mut self.watcher).is_ok();
        // A run-time error here occurred in the game, too: it leaves its event in the history.
        if !done && self.state.history().len() != index + 1 {
            return false;
        }
        let shown = self.watcher.shown(item);
        // What could come out in one way only was applied with it.
        let more = self.state.history()[index + 1..].to_vec();
        let told = self.viewers.iter().map(|viewer| self.event_told(&before, event, &shown, *viewer));
        self.items[item].told = told.collect();
        self.tell_unfinished(item, &before, event, shown);
        self.take_found();
        self.add_applied(index + 1, &more);
        self.unveil();
        if matches!(event, Event::Action { .. }) {
            if self.state.veils_commitment(&before) {
                self.veiled.push((item, before.clone()));
            }
            self.acted = Some((item, before));
        }
        self.add_moved();
        true
    }

    /// Follows what actions bound whose options go on, as far as this event moves it.
    fn follow_unfinished(&mut self, before: &State, event: &Event) {
        let Event::Action { action, .. } = event else { return };
        for one in &self.unfinished {
            for (domain, element) in one.moved_by(before, *action) {
                self.watcher.sets_out(one.item, domain, element, before.words(), false);
            }
        }
    }

    /// Tells of actions whose options went on what this event showed.
    fn tell_unfinished(&mut self, item: usize, before: &State, event: &Event, shown: ShownElements) {
        if self.state.veils_commitment(before) {
            self.unfinished.clear();
            return;
        }
        for one in &mut self.unfinished {
            let shown = self.watcher.shown(one.item);
            if shown.0.is_empty() {
                continue;
            }
            one.show(shown);
            let others = self.items[one.item].told.iter_mut().zip(&self.viewers);
            for (told, viewer) in others.filter(|(_, viewer)| **viewer != one.player) {
                told.text = Some(one.text(*viewer));
            }
        }
        self.unfinished.retain(|one| one.goes_on(&self.state));
        if let Event::Action { action, .. } = event {
            self.unfinished.extend(UnfinishedAction::new(item, *action, before, &self.state, shown));
        }
    }

    /// Adds what the last action moved, for each viewer as seen at this moment. Draws under a condition come first, since
    /// they may be rejected.
    fn add_moved(&mut self) {
        if self.state.is_under_condition() {
            return;
        }
        let unveiled = std::mem::take(&mut self.unveiled);
        let Some((item, before)) = self.acted.take() else { return };
        let veiled = self.state.veils_commitment(&before);
        let seen = |viewer: Option<usize>| {
            let seat = viewer.map(|viewer| self.viewers[viewer]);
            if veiled && seat.is_some() && seat != before.current_player() {
                return vec![];
            }
            let items = unveiled.iter().map(|item| &self.items[*item]).chain(&self.items[item..]);
            let told = ToldMoves::from_course(items, viewer);
            self.state.moved_since(&before, seat, &told, &self.places)
        };
        let all = seen(None);
        let each: Vec<Vec<String>> = (0..self.viewers.len()).map(|viewer| seen(Some(viewer))).collect();
        let mut phrases: Vec<&String> = vec![];
        for phrase in all.iter().chain(each.iter().flatten()) {
            if !phrases.contains(&phrase) {
                phrases.push(phrase);
            }
        }
        let (index, turn) = (self.state.history().len(), self.items[item].turn);
        for phrase in phrases {
            let told =
                |seen: &Vec<String>| Told { text: seen.contains(phrase).then(|| phrase.clone()), zone: None };
            let (all, told) = (told(&all), each.iter().map(told).collect());
            self.items.push(CourseItem { index, kind: CourseKind::Moved, turn, all, told });
        }
        self.watcher.items = self.items.len();
    }

    /// Returns `true` if a viewer may be told which element was drawn: who saw where it went, or knows where it lies.
    fn is_told(
        &self,
        domain: DomainId,
        element: u32,
        went: bool,
        shown: &ShownElements,
        viewer: Seat,
    ) -> bool {
        // If it lies open now and went elsewhere first, nobody else can tell when it was drawn.
        shown.contains(domain, element, viewer)
            || self.state.known(domain, viewer).contains(element)
            || !went && self.state.locates(domain, element, viewer)
    }

    /// Returns what a viewer may be told of an event that led here.
    fn event_told(&self, before: &State, event: &Event, shown: &ShownElements, viewer: Seat) -> Told {
        let text = match event {
            Event::Action { player, action } if *player != viewer => {
                Some(before.action_shown(*action, &self.state, viewer, shown))
            }
            Event::Pick { domain, element } if lies_in_zones(self.state.game().model(), *domain) => {
                let went = self.watcher.on_the_way.iter().any(|one| one.drawn && one.went.is_some());
                let told = self.is_told(*domain, *element, went, shown, viewer);
                told.then(|| event_text(self.state.game(), event))
            }
            Event::Pick { domain, element } if shown.contains(*domain, *element, viewer) => {
                Some(event_text(self.state.game(), event))
            }
            event => self.state.event_seen(before, event, viewer),
        };
        Told { text, zone: None }
    }

    /// Adds events that the game has applied by itself.
    fn add_applied(&mut self, from: usize, events: &[Event]) {
        let turn = self.watcher.turn(self.state.words());
        for (index, event) in (from..).zip(events) {
            let told =
                |viewer: &Seat| Told { text: self.state.event_seen(&self.state, event, *viewer), zone: None };
            let told = self.viewers.iter().map(told).collect();
            let all = full(self.state.game(), event);
            self.items.push(CourseItem { index, kind: CourseKind::Event(*event), turn, all, told });
        }
        self.watcher.items = self.items.len();
    }

    /// Adds what the watcher found since the last event, and where elements went.
    fn take_found(&mut self) {
        let game = self.state.game().clone();
        let index = self.state.history().len();
        let settled = !self.state.is_chance();
        let found = std::mem::take(&mut self.watcher.found);
        for found in found {
            let (kind, turn) = match found {
                Found::Certain { turn } => (CourseKind::Certain, turn),
                Found::Pass { seat } => (CourseKind::Pass, Some(seat)),
            };
            let told = vec![Told::default(); self.viewers.len()];
            self.items.push(CourseItem { index, kind, turn, all: Told::default(), told });
        }
        self.watcher.items = self.items.len();
        for drawn in self.watcher.take_drawn(settled) {
            let Drawn { item, domain, element, went, direct, shown } = drawn;
            let shown = ShownElements(vec![(domain, element, shown)]);
            let event = Event::Pick { domain, element };
            let names = went.and_then(|(slot, place)| zone_name(&game, slot, place));
            // Everybody can count what lies there when the game stops.
            let stays = direct && went.is_some_and(|(slot, place)| lies(&self.state, slot, place, element));
            let is_told = |viewer: &Seat| self.is_told(domain, element, went.is_some(), &shown, *viewer);
            let open: Vec<bool> = self.viewers.iter().map(is_told).collect();
            let told = &mut self.items[item];
            told.all = Told { text: Some(event_text(&game, &event)), zone: names.clone() };
            for (open, told) in open.into_iter().zip(&mut told.told) {
                if told.text.is_none() && open {
                    told.text = Some(event_text(&game, &event));
                }
                if told.zone.is_none() && (stays || open) {
                    told.zone.clone_from(&names);
                }
            }
        }
    }

    /// Tells commitments that nobody needs to keep any longer.
    fn unveil(&mut self) {
        let (veiled, open): (Vec<_>, Vec<_>) = std::mem::take(&mut self.veiled)
            .into_iter()
            .partition(|(_, before)| self.state.veils_commitment(before));
        self.veiled = veiled;
        for (item, before) in open {
            let CourseKind::Event(event) = self.items[item].kind else { continue };
            let told = |viewer: &Seat| self.event_told(&before, &event, &ShownElements::default(), *viewer);
            self.items[item].told = self.viewers.iter().map(told).collect();
            self.unveiled.push(item);
        }
    }
}

fn full(game: &Game, event: &Event) -> Told {
    Told { text: Some(event_text(game, event)), zone: None }
}

/// Returns `true` if the elements of a domain lie in zones and are nowhere else.
fn lies_in_zones(model: &Model, domain: DomainId) -> bool {
    has_zones(model, domain) && !are_sites(model, domain)
}

/// Returns the name of a place of a zone, as the board shows it.
fn zone_name(game: &Game, slot: SlotId, place: usize) -> Option<String> {
    let declared = &game.model().slots[slot.index()];
    let index = match declared.role {
        Role::Copies => declared.index.split_last()?.1,
        _ => &declared.index,
    };
    family_names(game, &declared.name, index).into_iter().nth(place).filter(|_| declared.can_be_named())
}

fn lies(state: &State, slot: SlotId, place: usize, element: u32) -> bool {
    match state.game().model().slots[slot.index()].role {
        Role::Copies => state.copies_lying(slot, place).get(element as usize).is_some_and(|n| *n > 0),
        _ => matches!(state.value(slot, place), Value::Set(lying) if lying.contains(element)),
    }
}

/// A place of a zone, and the word of the frame at which it begins.
#[derive(Clone, Copy, Debug)]
struct ZonePlace {
    slot: SlotId,
    place: usize,
    at: usize,
    copies: bool,
}

impl ZonePlace {
    /// The number of copies of an element that lie here.
    fn lying(&self, words: &[u64], element: u32) -> u64 {
        let element = element as usize;
        match self.copies {
            true => words[self.at + element],
            false => words[self.at + element / 64] >> (element % 64) & 1,
        }
    }
}

/// An element that was drawn or chosen, on its way.
#[derive(Clone, Debug)]
struct OnTheWay {
    item: usize,
    domain: DomainId,
    element: u32,
    /// How many lay at each place of the domain.
    lay: Vec<u64>,
    /// Where it went first.
    went: Option<(SlotId, usize)>,
    /// For each seat, whether it saw it lie open.
    shown: Vec<bool>,
    /// Whether it was drawn, and not chosen.
    drawn: bool,
    /// Whether the game stopped before it went anywhere.
    waited: bool,
}

/// Where a drawn element went.
struct Drawn {
    item: usize,
    domain: DomainId,
    element: u32,
    went: Option<(SlotId, usize)>,
    /// Whether it went there before the next stop.
    direct: bool,
    shown: Vec<bool>,
}

/// What happened between two events.
#[derive(Clone, Copy, Debug)]
enum Found {
    Certain { turn: Option<Seat> },
    Pass { seat: Seat },
}

/// Watches runs of a game.
#[derive(Clone, Debug)]
struct Watcher {
    game: Game,
    /// Where turns begin in the program, and whether these are rounds.
    turn_at: usize,
    rounds: bool,
    /// Where the frame has the seats still to come in a round.
    to_come: Option<usize>,
    /// The domain of each stop that is a pick.
    pick_domains: Vec<Option<DomainId>>,
    /// The places of the zones of each domain.
    places: Vec<Vec<ZonePlace>>,
    /// For each domain, the seats that see all zones that the program doesn't keep; empty if it keeps all.
    unkept: Vec<Vec<bool>>,
    mover_at: Option<usize>,
    on_the_way: Vec<OnTheWay>,
    found: Vec<Found>,
    /// The number of items of the course.
    items: usize,
    /// The number of items found when `chance … given` began.
    given: usize,
    /// The mover before the current instruction.
    mover: u64,
    /// The mover when the turn began.
    turn_of: u64,
    in_turn: bool,
    turns: u64,
    /// Whether somebody decided in this turn.
    decided: bool,
    /// Whether something else that is told happened since this turn's last decision.
    happened: bool,
    /// Whether the rules came to a choice since this turn's last decision.
    asked: bool,
    /// Whether the last of these choices was that of the player whose turn it was.
    asked_mover: bool,
}

impl Watcher {
    fn new(game: &Game) -> Watcher {
        let model = game.model();
        let width = usize::from(game.program().width);
        let players = model.players.count as usize;
        let mut places = vec![vec![]; model.domains.len()];
        let mut unkept: Vec<Vec<bool>> = vec![vec![]; model.domains.len()];
        for (id, slot) in slots(model) {
            let (domain, each, copies) = match (slot.role, slot.content, slot.index.last()) {
                (Role::Zone, Content::Set(domain), _) => (domain, 1, false),
                (Role::Copies, _, Some(domain)) => (*domain, kinds(model, slot), true),
                _ => continue,
            };
            let Some(first) = game.slots()[id.index()] else {
                let sees_all =
                    |seat| (0..slot.initial.len()).all(|place| sees(model, slot, place, Seat(seat)));
                let seers = (0..players as u32).map(sees_all);
                let known = &mut unkept[domain.index()];
                known.resize(players, true);
                known.iter_mut().zip(seers).for_each(|(known, sees)| *known &= sees);
                continue;
            };
            let words = if copies { each } else { width };
            places[domain.index()].extend((0..slot.initial.len() / each).map(|place| ZonePlace {
                slot: id,
                place,
                at: usize::from(first) + place * words,
                copies,
            }));
        }
        let program = game.program();
        let word = |builtin: Builtin| game.slots()[builtin.slot().index()].map(usize::from);
        let domain = |kind: &StopKind| match kind {
            StopKind::Pick { domain, .. } => Some(DomainId(*domain)),
            _ => None,
        };
        Watcher {
            turn_at: program.turn.0.into(),
            rounds: model.rounds,
            to_come: word(Builtin::ToCome).filter(|_| model.rounds),
            pick_domains: program.stops.iter().map(|stop| domain(&stop.kind)).collect(),
            places,
            unkept,
            mover_at: word(Builtin::Mover),
            on_the_way: vec![],
            found: vec![],
            items: 0,
            given: 0,
            mover: 0,
            turn_of: 0,
            in_turn: false,
            turns: 0,
            decided: false,
            happened: false,
            asked: false,
            asked_mover: false,
            game: game.clone(),
        }
    }

    fn mover(&self, words: &[u64]) -> u64 {
        self.mover_at.map_or(0, |at| words[at])
    }

    /// The player whose turn it is.
    fn turn(&self, words: &[u64]) -> Option<Seat> {
        self.in_turn.then(|| Seat(self.mover(words) as u32))
    }

    /// Prepares for the run after an event.
    fn begin(&mut self, item: usize, before: &State, event: &Event) {
        self.items = item + 1;
        match event {
            Event::Action { action, .. } => {
                (self.decided, self.happened, self.asked) = (true, false, false);
                for bound in before.game().action_bindings(*action) {
                    let (domain, elements) = bound.elements();
                    for element in elements {
                        self.sets_out(item, domain, element, before.words(), false);
                    }
                }
            }
            Event::Pick { domain, element } => {
                self.happened = true;
                self.sets_out(item, *domain, *element, before.words(), true);
            }
            Event::Roll { .. } | Event::Draw { .. } => self.happened = true,
        }
    }

    fn sets_out(&mut self, item: usize, domain: DomainId, element: u32, words: &[u64], drawn: bool) {
        let lay =
            self.places[domain.index()].iter().map(|place| place.lying(words, element)).collect::<Vec<_>>();
        if lay.is_empty() && self.unkept[domain.index()].is_empty() {
            return;
        }
        let shown = vec![false; self.game.players() as usize];
        self.on_the_way.push(OnTheWay {
            item,
            domain,
            element,
            lay,
            went: None,
            shown,
            drawn,
            waited: false,
        });
    }

    fn ends_turn(&mut self) {
        // A player who came to a choice without a legal action had no move, also after decisions if chance came between.
        let leaves_line = match self.asked {
            true => self.decided && !(self.happened && self.asked_mover),
            false => self.decided || self.happened,
        };
        if self.in_turn && !leaves_line {
            self.found.push(Found::Pass { seat: Seat(self.turn_of as u32) });
        }
        (self.in_turn, self.decided, self.happened, self.asked) = (false, false, false, false);
    }

    /// Notes where elements on their way have gone.
    fn move_on(&mut self, words: &[u64]) {
        let model = self.game.model();
        for one in &mut self.on_the_way {
            for (place, lay) in self.places[one.domain.index()].iter().zip(&mut one.lay) {
                let lies = place.lying(words, one.element);
                // Where it goes from there is no longer the draw.
                if lies > *lay && one.went.is_none() {
                    one.went = Some((place.slot, place.place));
                    see(model, place, &mut one.shown);
                }
                *lay = lies;
            }
        }
    }

    /// Returns who was shown the elements of an item.
    fn shown(&self, item: usize) -> ShownElements {
        let of_item = self.on_the_way.iter().filter(|one| one.item == item);
        ShownElements(of_item.map(|one| (one.domain, one.element, one.shown.clone())).collect())
    }

    /// Returns the drawn elements that have gone somewhere, and those that go nowhere if the game has settled.
    fn take_drawn(&mut self, settled: bool) -> Vec<Drawn> {
        let unkept = &self.unkept;
        let mut gone = vec![];
        self.on_the_way.retain_mut(|one| {
            let nowhere = one.lay.iter().all(|n| *n == 0) && !unkept[one.domain.index()].is_empty();
            if nowhere && one.went.is_none() {
                one.shown
                    .iter_mut()
                    .zip(&unkept[one.domain.index()])
                    .for_each(|(shown, sees)| *shown |= *sees);
            }
            let direct = !one.waited;
            one.waited = true;
            if !one.drawn || settled || one.went.is_some() || nowhere {
                if one.drawn {
                    gone.push(Drawn {
                        item: one.item,
                        domain: one.domain,
                        element: one.element,
                        went: one.went,
                        direct,
                        shown: std::mem::take(&mut one.shown),
                    });
                }
                return false;
            }
            true
        });
        gone
    }
}

impl Watch for Watcher {
    fn done(&mut self, done: &ExecutedInstruction<'_>) {
        use Instruction as I;
        if done.at == self.turn_at && !self.rounds {
            (self.in_turn, self.turn_of) = (true, self.mover);
        }
        match done.instruction {
            I::Pick { stop, d, .. } | I::PickBy { stop, d, .. } if !done.suspends => {
                let drawn = u32::try_from(done.words[usize::from(d.0)] as i64).ok();
                let domain = self.pick_domains[usize::from(stop.0)];
                // Of other elements than those of zones it isn't known what may be told.
                if let (Some(element), Some(domain)) = (drawn, domain)
                    && !self.places[domain.index()].is_empty()
                {
                    let (turn, item) = (self.turn(done.words), self.items + self.found.len());
                    self.found.push(Found::Certain { turn });
                    self.happened = true;
                    self.sets_out(item, domain, element, done.words, true);
                }
            }
            I::ChooseOne { stop, .. } | I::Choose { stop, .. } | I::ChooseTried { stop, .. } => {
                self.asked = true;
                self.asked_mover = match &self.game.program().stops[usize::from(stop.0)].kind {
                    StopKind::Choice(choice) => done.words[usize::from(choice.me)] == self.turn_of,
                    _ => false,
                };
            }
            I::Given { phase: Phase::Begins } => self.given = self.found.len(),
            I::Given { phase: Phase::Fails } => {
                let kept = self.items + self.given;
                self.found.truncate(self.given);
                self.on_the_way.retain(|one| one.item < kept);
            }
            I::PopFrom { from, .. } if Some(usize::from(from.0)) == self.to_come => {
                (self.in_turn, self.turn_of) = (true, self.mover(done.words));
            }
            _ => {}
        }
        if done.counters.turns > self.turns {
            self.turns = done.counters.turns;
            self.ends_turn();
        }
        self.mover = self.mover(done.words);
        self.move_on(done.words);
    }
}

/// Notes who sees a place.
fn see(model: &Model, place: &ZonePlace, shown: &mut [bool]) {
    let slot = &model.slots[place.slot.index()];
    let first = if place.copies { place.place * kinds(model, slot) } else { place.place };
    for (seat, shown) in (0u32..).zip(shown) {
        *shown |= sees(model, slot, first, Seat(seat));
    }
}
