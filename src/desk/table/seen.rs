//! The events of a game as data, as far as an audience may be told them.

use super::Table;
use super::journal::JournalWriter;
use houserule_game::hidden::{CourseItem, CourseKind, GameCourse, Told, find_picked_domains};
use houserule_game::matches::Match;
use houserule_game::values::{BoardNames, event_text};
use houserule_game::{ActionId, Event, Seat, State};
use houserule_model::{Builtin, Value};
use houserule_picture::draw;

/// An event as an audience may be told it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenEvent {
    /// Its index in the history of the game. Of what isn't recorded: the number of events before it.
    pub index: usize,
    /// What happened, and who did it.
    pub kind: SeenKind,
    /// The visible text in the notation of journals, such as `play clubs-king` or `roll pair 3 5`. A question mark stands
    /// for what is hidden of an action. Of what moved, a phrase: `3-coins, 1-cups from table to won[X]`; of what was
    /// shown, one such as `hand[2]: guard`; of a pass, `no move`, or a question mark until all have chosen together.
    /// `None` for hidden chance: an element was drawn face down, or picked out of sight.
    pub text: Option<String>,
    /// The same for people, with the names that the board shows: `play ♣K`.
    pub said: Option<String>,
    /// The zone to which an element was drawn, as the board names it.
    pub zone: Option<String>,
    /// The player whose turn it was; `None` before the first turn, and between those of a round. Of what an action moved,
    /// and of what happened in an `as` block, the player who acted.
    pub turn: Option<Seat>,
    /// The number of turns that had ended before it; 0 if the start of the game isn't known.
    pub turns: u64,
}

impl SeenEvent {
    /// Returns `true` for an event of the history, which journals and records have. What follows from the rules alone,
    /// such as a turn without a decision, is none.
    pub fn is_recorded(&self) -> bool {
        !matches!(self.kind, SeenKind::Certain | SeenKind::Pass(_) | SeenKind::Moved | SeenKind::Shown)
    }

    /// Returns the player of whom nobody can tell yet what was chosen, or whether anything could be.
    pub(crate) fn covered(&self) -> Option<Seat> {
        match self.kind {
            SeenKind::Action(player) | SeenKind::Pass(player) => {
                Some(player).filter(|_| self.text.as_deref() == Some("?"))
            }
            _ => None,
        }
    }

    /// Returns `true` if nothing of an action may be told yet.
    pub fn is_veiled(&self) -> bool {
        matches!(self.kind, SeenKind::Action(_)) && self.text.as_deref() == Some("?")
    }
}

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeenKind {
    /// A player's decision.
    Action(Seat),
    /// A roll of dice.
    Roll,
    /// A pick or draw of an element.
    Pick,
    /// A pick out of sight of something that lies in no zone, such as a player, or one that the audience can't tell apart
    /// from such a pick.
    Secret,
    /// A pick or draw that changed nothing that the audience sees, such as one from a hand back to it. Nothing is told of it.
    Unseen,
    /// A chance event of a script.
    Draw,
    /// A pick or draw that could come out in one way only. It isn't recorded.
    Certain,
    /// A choice had no legal option, or a turn ended in which the player could decide nothing, or nothing more after
    /// chance. It isn't recorded.
    Pass(Seat),
    /// Something went from zone to zone, as actions and draws don't tell. It isn't recorded.
    Moved,
    /// Someone was shown what lies in a hidden zone. It isn't recorded.
    Shown,
}

impl SeenKind {
    /// Returns the kind of an event. `is_told`: whether the audience is told what was picked, or where to. `picked`: see
    /// [`find_picked_domains`].
    fn from_event(event: &Event, is_told: bool, picked: &[bool]) -> SeenKind {
        match event {
            Event::Action { player, .. } => SeenKind::Action(*player),
            Event::Roll { .. } => SeenKind::Roll,
            Event::Pick { domain, .. } if !is_told && picked[domain.index()] => SeenKind::Secret,
            Event::Pick { .. } => SeenKind::Pick,
            Event::Draw { .. } => SeenKind::Draw,
        }
    }
}

/// The people to whom events are told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Someone from whom nothing is hidden.
    All,
    /// One player.
    One(Seat),
    /// Several people at once: they are told only what all of them see.
    Each(Vec<Seat>),
}

impl Audience {
    /// Returns the players who must see what is told; nobody if nothing is hidden from the audience.
    pub fn viewers(&self) -> &[Seat] {
        match self {
            Audience::All => &[],
            Audience::One(viewer) => std::slice::from_ref(viewer),
            Audience::Each(people) => people,
        }
    }
}

impl<J: JournalWriter> Table<J> {
    /// Returns the events from an index on, as a player may be told them.
    pub fn seen_by(&self, player: Seat, from: usize) -> Vec<SeenEvent> {
        self.seen_from(from, &Audience::One(player))
    }

    /// Returns the events from an index on, as the people at the screen may be told them: see [`Table::audience`].
    pub fn seen_at_screen(&self, from: usize) -> Vec<SeenEvent> {
        self.seen_from(from, &self.audience())
    }

    /// Returns the player who decides next, or whose turn it is while chance is pending; `None` after the end.
    pub fn next_player(&self) -> Option<Seat> {
        let state = self.state();
        let mover = || match state.value(Builtin::Mover.slot(), 0) {
            Value::Element(player) => player.map(Seat),
            _ => None,
        };
        if state.is_over() { None } else { state.current_player().or_else(mover) }
    }

    /// Returns what a player sees now, one line for each visible value.
    pub fn visible(&self, player: Seat) -> Vec<String> {
        self.state().view(player)
    }

    /// Draws the state as text, as a player sees it. For pictures, give [`Table::state`] and the viewer to
    /// [`draw::svg()`] or [`draw::text`].
    pub fn drawing(&self, player: Seat) -> String {
        draw::text::position(self.state(), Some(player))
    }

    /// Returns the events from an index on, as an audience may be told them. What isn't recorded and came before the
    /// first of them was told with the event before, except at the start of the game.
    pub(super) fn seen_from(&self, from: usize, audience: &Audience) -> Vec<SeenEvent> {
        self.seen_after(from, from == 0, audience)
    }

    /// Returns the names of the elements that a player saw drawn since an earlier state.
    pub(super) fn drawn_since(&self, earlier: &State, player: Seat) -> Vec<String> {
        let seen = self.seen_by(player, earlier.history().len()).into_iter();
        let drawn = seen.filter(|event| matches!(event.kind, SeenKind::Pick | SeenKind::Certain));
        let texts = drawn.filter_map(|event| event.text);
        texts.map(|text| text.strip_prefix("pick ").unwrap_or(&text).to_owned()).collect()
    }

    fn seen_after(&self, from: usize, leading: bool, audience: &Audience) -> Vec<SeenEvent> {
        let state = self.state();
        let from = from.min(state.history().len());
        let seen = match audience {
            Audience::All => self.in_course(from, &[]),
            Audience::One(player) => self.in_course(from, &[*player]),
            Audience::Each(players) => self.in_course(from, players),
        };
        let follows =
            |event: &SeenEvent| event.index > from || event.index == from && (leading || event.is_recorded());
        match seen {
            Some(seen) => seen.into_iter().filter(follows).collect(),
            None => recorded(state, from, audience),
        }
    }

    /// Returns the course of the game from an index on as all of some people may be told it; with nobody, everything. Returns
    /// `None` if the start of the game isn't known.
    fn in_course(&self, from: usize, people: &[Seat]) -> Option<Vec<SeenEvent>> {
        let state = self.state();
        let mut kept = self.course.borrow_mut();
        let is_of = |course: &GameCourse| people.iter().all(|player| course.viewers().contains(player));
        let mut course = kept.take().filter(is_of);
        if !course.as_mut().is_some_and(|course| course.follow(state)) {
            let previous = self.in_match.as_ref().and_then(Match::previous);
            let viewers = [self.seats.people(), people.to_vec()].concat();
            course = GameCourse::begin(state.game(), state.started(), previous, viewers);
            course = course.and_then(|mut course| course.follow(state).then_some(course));
        }
        let course = kept.insert(course?);
        let viewers: Vec<usize> = people
            .iter()
            .filter_map(|player| course.viewers().iter().position(|one| one == player))
            .collect();
        let names = BoardNames::new(state.game());
        let picked = course.picked_domains();
        let items = course.items().iter().filter(|item| item.index >= from);
        let seen = items.map(|item| seen_item(item, &viewers, picked, &names));
        // What can't be told at all is left out if it isn't recorded.
        let needs_words = |seen: &SeenEvent| !seen.is_recorded();
        Some(seen.filter(|seen| !needs_words(seen) || seen.text.is_some() || seen.zone.is_some()).collect())
    }

    /// Returns an action and what followed it, as the people at the screen may be told them. `before` is
    /// the state in which it was taken.
    pub(super) fn action_seen(&self, before: &State, action: ActionId) -> Vec<SeenEvent> {
        let index = before.history().len();
        let mut seen = self.seen_after(index + 1, true, &self.audience());
        if let Some(actor) = before.current_player() {
            let text = self.action_text(before, action, actor);
            let said = BoardNames::new(self.game()).event(&Event::Action { player: actor, action }, &text);
            let told = SeenEvent {
                index,
                kind: SeenKind::Action(actor),
                text: Some(text),
                said: Some(said),
                zone: None,
                turn: None,
                turns: before.turns(),
            };
            seen.insert(0, told);
        }
        seen
    }

    fn action_text(&self, before: &State, action: ActionId, actor: Seat) -> String {
        let index = before.history().len();
        let seen_by = |viewer: Seat| {
            let course = self.in_course(index, &[viewer]).unwrap_or_default();
            let told = course.into_iter().find(|event| event.index == index && event.is_recorded());
            told.and_then(|event| event.text)
                .unwrap_or_else(|| before.action_seen(action, self.state(), viewer))
        };
        let full = || self.game().action_name(action);
        match self.audience() {
            Audience::One(viewer)
                if viewer != actor && (!self.seats.is_person(actor) || self.is_secret()) =>
            {
                seen_by(viewer)
            }
            Audience::Each(people) => {
                let others = people.into_iter().filter(|player| *player != actor);
                others.map(seen_by).reduce(|one, two| shared(&one, &two)).unwrap_or_else(full)
            }
            Audience::All | Audience::One(_) => full(),
        }
    }
}

/// Returns the words of an action that two people see alike, with question marks for the others.
fn shared(one: &str, two: &str) -> String {
    let words = one.split(' ').zip(two.split(' '));
    words.map(|(one, two)| if one == two { one } else { "?" }).collect::<Vec<_>>().join(" ")
}

/// Returns a part of the course of a game as several viewers may be told it, or as it is without viewers. `picked`: see
/// [`find_picked_domains`].
fn seen_item(item: &CourseItem, viewers: &[usize], picked: &[bool], names: &BoardNames<'_>) -> SeenEvent {
    let told = viewers.iter().map(|viewer| item.seen(Some(*viewer)).clone()).reduce(|one, two| Told {
        text: match item.kind {
            CourseKind::Event(Event::Action { .. }) => {
                one.text.zip(two.text).map(|(one, two)| shared(&one, &two))
            }
            CourseKind::Pass
                if [&one.text, &two.text].into_iter().any(|text| text.as_deref() == Some("?")) =>
            {
                Some("?".to_owned())
            }
            _ => one.text.filter(|one| Some(one) == two.text.as_ref()),
        },
        zone: one.zone.filter(|one| Some(one) == two.zone.as_ref()),
    });
    let told = told.unwrap_or_else(|| item.seen(None).clone());
    let said = told.text.as_deref().map(|text| match &item.kind {
        CourseKind::Event(event) | CourseKind::Certain(Some(event)) => names.event(event, text),
        CourseKind::Certain(None) | CourseKind::Pass | CourseKind::Moved | CourseKind::Shown => {
            text.to_owned()
        }
    });
    let is_told = told.text.is_some() || told.zone.is_some();
    let kind = match item.kind {
        CourseKind::Event(event) => SeenKind::from_event(&event, is_told, picked),
        CourseKind::Certain(_) => SeenKind::Certain,
        CourseKind::Pass => SeenKind::Pass(item.turn.unwrap_or(Seat(0))),
        CourseKind::Moved => SeenKind::Moved,
        CourseKind::Shown => SeenKind::Shown,
    };
    let is_pick = matches!(kind, SeenKind::Pick | SeenKind::Secret);
    let kind = if is_pick && item.is_unseen(viewers) { SeenKind::Unseen } else { kind };
    let (index, turn, turns) = (item.index, item.turn, item.turns);
    SeenEvent { index, kind, text: told.text, said, zone: told.zone, turn, turns }
}

/// Returns the recorded events from an index on as an audience may be told them, where the start of the game isn't known.
fn recorded(state: &State, from: usize, audience: &Audience) -> Vec<SeenEvent> {
    let last = &state.history()[from..];
    let full = |event: &Event| event_text(state.game(), event);
    let text = |event: &Event| match (audience, event) {
        (Audience::All, event) => Some(full(event)),
        (Audience::One(viewer), event) => state.event_seen(state, event, *viewer),
        (Audience::Each(people), event) => people
            .iter()
            .map(|viewer| state.event_seen(state, event, *viewer))
            .reduce(|one, two| match event {
                Event::Action { .. } => one.zip(two).map(|(one, two)| shared(&one, &two)),
                Event::Roll { .. } | Event::Pick { .. } | Event::Draw { .. } => {
                    one.filter(|one| Some(one) == two.as_ref())
                }
            })
            .flatten(),
    };
    let names = BoardNames::new(state.game());
    let picked = find_picked_domains(state.game().model());
    let seen = (from..).zip(last).map(|(index, event)| {
        let text = text(event);
        let said = text.as_deref().map(|text| names.event(event, text));
        let kind = SeenKind::from_event(event, text.is_some(), &picked);
        SeenEvent { index, kind, text, said, zone: None, turn: None, turns: 0 }
    });
    seen.collect()
}
