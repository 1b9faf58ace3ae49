//! The course of a game as its players may be told it: its events, and what happened between them, in that order. That is
//! where drawn elements went, and who saw them go; draws that could come out in one way only; choices without a legal
//! option, and turns in which nothing could be decided; what went from zone to zone; and what a player was shown.
//!
//! Depends on visibility, and on runs that are watched instruction by instruction; independent of words and drawings.

mod between;
mod open_choices;
mod statements;
mod watcher;

use self::open_choices::open_choices;
pub use self::statements::find_picked_domains;
use self::watcher::{Drawn, Found, Watcher};
use super::information::ShownElements;
use super::moved::{FirstPlace, MovePlaces};
use super::sites_in_zones::lie_in_zones_alone;
use super::unfinished::UnfinishedAction;
use crate::values::event_text;
use crate::{Event, Game, Seat, Start, State, family_names};
use houserule_model::{DomainId, Role, SlotId};

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CourseKind {
    /// An event of the history, which has it at the index of the item.
    Event(Event),
    /// A pick or draw that could come out in one way only, which is no event of the history: the pick, once it is known
    /// where it went.
    Certain(Option<Event>),
    /// A player could decide nothing: a choice had no legal option, or a turn ended without a decision.
    Pass,
    /// Elements or copies went the same way from zone to zone, as nothing else tells.
    Moved,
    /// A player was shown what lies in a hidden zone.
    Shown,
}

/// A part of the course of a game.
#[derive(Clone, Debug)]
pub struct CourseItem {
    /// The number of events before it.
    pub index: usize,
    /// What happened.
    pub kind: CourseKind,
    /// The player whose turn it was; `None` before the first turn, and between those of a round. Of a pass, the player who
    /// could decide nothing; of what an action moved, and of what happened in an `as` block, the player who acted.
    pub turn: Option<Seat>,
    /// The number of turns that had ended before it.
    pub turns: u64,
    /// Whether it is a pick or draw of an element that lies where it lay.
    stays: bool,
    /// What happened in full.
    all: Told,
    /// What each viewer may be told, in the order of [`GameCourse::viewers`].
    told: Vec<Told>,
}

/// What a viewer may be told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// What is visible, in the notation of journals; of [`CourseKind::Moved`] a phrase such as
    /// `3-coins, 1-cups from table to won[X]`, of [`CourseKind::Shown`] one such as `hand[2]: guard`, and of
    /// [`CourseKind::Pass`] `no move`, with the step if other steps have choices, too, or `?` until all have chosen
    /// together. `None` if nothing is.
    pub text: Option<String>,
    /// The zone to which a drawn element went.
    pub zone: Option<String>,
}

impl CourseItem {
    /// Returns what a viewer may be told, by the index in [`GameCourse::viewers`]. With `None`, everything.
    pub fn seen(&self, viewer: Option<usize>) -> &Told {
        viewer.map_or(&self.all, |viewer| &self.told[viewer])
    }

    /// Returns `true` for a pick or draw of which some viewers, by their indices, see nothing: not even that something went
    /// from place to place.
    pub fn is_unseen(&self, viewers: &[usize]) -> bool {
        self.stays && viewers.iter().any(|viewer| *self.seen(Some(*viewer)) == Told::default())
    }

    /// Returns `true` for a pick or draw of an element that lies where it lay.
    pub(super) fn stays(&self) -> bool {
        self.stays
    }

    /// Returns the name of a drawn element, as far as a viewer may be told it.
    pub(super) fn drawn(&self, viewer: Option<usize>) -> Option<&str> {
        let text = self.seen(viewer).text.as_deref()?;
        match self.kind {
            CourseKind::Event(Event::Pick { .. }) | CourseKind::Certain(_) => {
                Some(text.strip_prefix("pick ").unwrap_or(text))
            }
            CourseKind::Event(Event::Action { .. } | Event::Roll { .. } | Event::Draw { .. })
            | CourseKind::Pass
            | CourseKind::Moved
            | CourseKind::Shown => None,
        }
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
    /// What has happened since it was last told what moved.
    untold: Option<Untold>,
    /// Where what lies in zones can move.
    places: MovePlaces,
    /// For each choice, whether everybody sees that the rules come to it.
    open_choices: Vec<bool>,
    /// For each domain, whether an element that is picked out of sight is told as picked, and not as drawn face down.
    picked_domains: Vec<bool>,
    /// Choices without a legal option in `together` blocks, of which the others can't tell yet whether anything was chosen.
    held: Vec<HeldPass>,
}

/// What has happened since it was last told what moved.
#[derive(Clone, Debug)]
struct Untold {
    /// Its first item.
    item: usize,
    /// The state before it.
    before: State,
    /// Whether it began before the first turn.
    in_setup: bool,
    /// Earlier items of draws that went on since.
    late: Vec<usize>,
    /// Where chosen elements went first.
    first: Vec<FirstPlace>,
    /// Whether its action goes on with an option in which the player has chosen before.
    in_steps: bool,
}

impl Untold {
    fn new(item: usize, before: State, in_setup: bool) -> Untold {
        Untold { item, before, in_setup, late: vec![], first: vec![], in_steps: false }
    }
}

/// That a player had no legal option in a `together` block, until the others may be told.
#[derive(Clone, Debug)]
struct HeldPass {
    player: Seat,
    /// The item of the course. Until the others may be told, it tells them as little as a choice.
    item: usize,
    words: String,
    /// Whether everybody sees that the rules come to the choice.
    open: bool,
    /// The state at the decision after it.
    since: State,
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
        let before = game.prepared(&start, previous);
        let state = game.start_watched(&start, previous, &mut watcher).ok()?;
        let mut course = GameCourse {
            viewers,
            state,
            items: vec![],
            watcher,
            veiled: vec![],
            unveiled: vec![],
            unfinished: vec![],
            untold: Some(Untold::new(0, before, true)),
            places: MovePlaces::new(game),
            open_choices: open_choices(game.model()),
            picked_domains: find_picked_domains(game.model()),
            held: vec![],
        };
        course.take_found();
        let first = course.state.history().to_vec();
        course.add_applied(0, &first);
        course.add_moved();
        Some(course)
    }

    /// The players who may be told.
    pub fn viewers(&self) -> &[Seat] {
        &self.viewers
    }

    /// For each domain, whether an element that is picked out of sight is told as picked: see [`find_picked_domains`].
    pub fn picked_domains(&self) -> &[bool] {
        &self.picked_domains
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
        let turn = match event {
            Event::Action { .. } => self.watcher.turn(before.words()),
            Event::Roll { .. } | Event::Pick { .. } | Event::Draw { .. } => {
                self.watcher.actor_of_chance(before.words())
            }
        };
        self.items.push(CourseItem {
            index,
            kind: CourseKind::Event(*event),
            turn,
            turns: self.watcher.turns,
            stays: false,
            all: full(self.state.game(), event),
            told: vec![],
        });
        let in_setup = self.watcher.in_setup;
        if self.untold.is_none() {
            self.untold = Some(Untold::new(item, before.clone(), in_setup));
        }
        self.watcher.begin_event(item, &before, event);
        self.follow_unfinished(&before, event);
        self.follow_veiled(&before, event);
        let done = self.state.apply_watched(event, &mut self.watcher).is_ok();
        // A run-time error here occurred in the game, too: it leaves its event in the history.
        if !done && self.state.history().len() != index + 1 {
            return false;
        }
        let shown = self.watcher.shown(item);
        // What could come out in one way only was applied with it.
        let more = self.state.history()[index + 1..].to_vec();
        let after = self.after_draw(item);
        let told =
            self.viewers.iter().map(|viewer| self.event_told([&before, &after], event, &shown, *viewer));
        self.items[item].told = told.collect();
        self.tell_unfinished(item, &before, event, shown);
        self.take_found();
        self.add_applied(index + 1, &more);
        self.unveil();
        if matches!(event, Event::Action { .. }) && self.state.veils_commitment(&before) {
            self.veiled.push((item, before));
        }
        self.add_moved();
        self.add_held(item + 1);
        true
    }

    /// Follows what actions bound whose options go on, as far as this event moves it.
    fn follow_unfinished(&mut self, before: &State, event: &Event) {
        let Event::Action { action, .. } = event else { return };
        if let Some(untold) = &mut self.untold {
            untold.in_steps |= !self.unfinished.is_empty();
        }
        for one in &self.unfinished {
            for (domain, element) in one.moved_by(before, *action) {
                self.watcher.sets_out(one.item, domain, element, before.words());
            }
        }
    }

    /// Follows what players have committed in a `together` block, since it may move once the last of them has chosen.
    fn follow_veiled(&mut self, before: &State, event: &Event) {
        if !matches!(event, Event::Action { .. }) {
            return;
        }
        for (item, _) in &self.veiled {
            let CourseKind::Event(Event::Action { action, .. }) = self.items[*item].kind else { continue };
            for bound in before.game().action_bindings(action) {
                let (domain, elements) = bound.elements();
                for element in elements {
                    self.watcher.sets_out(*item, domain, element, before.words());
                }
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

    /// Returns the state after the statement that laid a drawn element, by the item of the draw. What is shown later doesn't
    /// tell which element was drawn.
    fn after_draw(&self, item: usize) -> State {
        match self.watcher.words_after_draw(item) {
            Some(words) => self.at_moment(words),
            None => self.state.clone(),
        }
    }

    /// Returns `true` if a viewer may be told which element was drawn: who saw where it went, or knows where it lies in the
    /// state after the draw.
    fn is_told(
        &self,
        after: &State,
        domain: DomainId,
        element: u32,
        went: bool,
        shown: &ShownElements,
        viewer: Seat,
    ) -> bool {
        // If it lies open now and went elsewhere first, nobody else can tell when it was drawn. That somebody knows where copies
        // of a kind lie doesn't tell which was drawn.
        let knows = || {
            after.known(domain, viewer).contains(element)
                || !went && self.state.locates(domain, element, viewer)
        };
        shown.contains(domain, element, viewer) || !self.watcher.are_copies(domain) && knows()
    }

    /// Returns what a viewer may be told of an event that led here. `around`: the states before it, and after a draw.
    fn event_told(&self, around: [&State; 2], event: &Event, shown: &ShownElements, viewer: Seat) -> Told {
        let [before, after] = around;
        let text = match event {
            Event::Action { player, action } if *player != viewer => {
                Some(before.action_shown(*action, &self.state, viewer, shown))
            }
            Event::Pick { domain, element } if lie_in_zones_alone(self.state.game().model(), *domain) => {
                let went = self.watcher.has_gone(*domain, *element);
                let told = self.is_told(after, *domain, *element, went, shown, viewer);
                told.then(|| event_text(self.state.game(), event))
            }
            // What another draw would have led to depends on what the viewer doesn't see.
            Event::Pick { domain, element } if self.watcher.has_gone(*domain, *element) => {
                let told = shown.contains(*domain, *element, viewer);
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
            let (all, turns) = (full(self.state.game(), event), self.watcher.turns);
            let kind = CourseKind::Event(*event);
            self.items.push(CourseItem { index, kind, turn, turns, stays: false, all, told });
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
            let item = match found {
                Found::Certain { turn, turns } => CourseItem {
                    index,
                    kind: CourseKind::Certain(None),
                    turn,
                    turns,
                    stays: false,
                    all: Told::default(),
                    told: vec![Told::default(); self.viewers.len()],
                },
                Found::NoOption { seat, choice, turns, round } => {
                    let item = self.without_option(seat, choice, (turns, round));
                    CourseItem { turns, ..item }
                }
                Found::Pass { seat, told, turns } => CourseItem { turns, ..self.turn_passed(seat, told) },
            };
            self.items.push(item);
        }
        self.watcher.items = self.items.len();
        if let Some(untold) = &mut self.untold {
            untold.first.extend(self.watcher.first_places());
        }
        for drawn in self.watcher.take_drawn(settled) {
            let Drawn { item, domain, element, went, laid, stays, shown } = drawn;
            if let Some(untold) = self.untold.as_mut().filter(|untold| item < untold.item) {
                untold.late.push(item);
            }
            let shown = ShownElements(vec![(domain, element, shown)]);
            let event = Event::Pick { domain, element };
            // What lies where it lay went nowhere.
            let names = went.filter(|_| !stays).and_then(|(slot, place)| zone_name(&game, slot, place));
            let after = self.after_draw(item);
            let is_told =
                |viewer: &Seat| self.is_told(&after, domain, element, went.is_some(), &shown, *viewer);
            let open: Vec<bool> = self.viewers.iter().map(is_told).collect();
            let told = &mut self.items[item];
            told.stays = stays;
            if let CourseKind::Certain(pick) = &mut told.kind {
                *pick = Some(event);
            }
            told.all = Told { text: Some(event_text(&game, &event)), zone: names.clone() };
            for (open, told) in open.into_iter().zip(&mut told.told) {
                if told.text.is_none() && open {
                    told.text = Some(event_text(&game, &event));
                }
                // Everybody can count what lies there after the draw, whatever becomes of it then.
                if told.zone.is_none() && (laid || open) {
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
            let none = ShownElements::default();
            let told = |viewer: &Seat| self.event_told([&before, &self.state], &event, &none, *viewer);
            self.items[item].told = self.viewers.iter().map(told).collect();
            self.unveiled.push(item);
        }
    }
}

fn full(game: &Game, event: &Event) -> Told {
    Told { text: Some(event_text(game, event)), zone: None }
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
