//! The events of a game as data, as far as an audience may be told them.

use super::Table;
use super::journal::JournalWriter;
use houserule_game::values::event_text;
use houserule_game::{ActionId, Event, Seat, State};
use houserule_picture::draw;

/// An event as an audience may be told it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenEvent {
    /// Its index in the history of the game.
    pub index: usize,
    /// What happened, and who did it.
    pub kind: SeenKind,
    /// The visible text in the notation of journals, such as `play 3-5` or `roll pair 3 5`. A question mark stands
    /// for what is hidden of an action. `None` for hidden chance: an element was drawn face down.
    pub text: Option<String>,
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
    /// A chance event of a script.
    Draw,
}

impl SeenKind {
    fn from_event(event: &Event) -> SeenKind {
        match event {
            Event::Action { player, .. } => SeenKind::Action(*player),
            Event::Roll { .. } => SeenKind::Roll,
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

impl<J: JournalWriter> Table<J> {
    /// Returns the events from an index on, as a player may be told them.
    pub fn seen_by(&self, player: Seat, from: usize) -> Vec<SeenEvent> {
        self.seen_from(from, &Audience::One(player))
    }

    /// Returns the events from an index on, as the people at the screen may be told them: see [`Table::audience`].
    pub fn seen_at_screen(&self, from: usize) -> Vec<SeenEvent> {
        self.seen_from(from, &self.audience())
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

    /// Returns the events from an index on, as an audience may be told them.
    pub(super) fn seen_from(&self, from: usize, audience: &Audience) -> Vec<SeenEvent> {
        let state = self.state();
        let from = from.min(state.history().len());
        let last = &state.history()[from..];
        let texts = match audience {
            Audience::All => last.iter().map(|event| Some(event_text(state.game(), event))).collect(),
            Audience::One(player) => texts_seen(state, from, *player),
            Audience::Each(players) => {
                let all = players.iter().map(|player| texts_seen(state, from, *player));
                let both = |(event, (one, two)): (&Event, (Option<String>, Option<String>))| match event {
                    Event::Action { .. } => Some(shared(&one?, &two?)),
                    Event::Roll { .. } | Event::Pick { .. } | Event::Draw { .. } => {
                        one.filter(|one| Some(one) == two.as_ref())
                    }
                };
                all.reduce(|one, two| last.iter().zip(one.into_iter().zip(two)).map(both).collect())
                    .unwrap_or_else(|| vec![None; last.len()])
            }
        };
        let seen = last.iter().zip(texts).enumerate();
        seen.map(|(at, (event, text))| SeenEvent {
            index: from + at,
            kind: SeenKind::from_event(event),
            text,
        })
        .collect()
    }

    /// Returns an action and the chance events after it, as the people at the screen may be told them. `before` is
    /// the state in which it was taken.
    pub(super) fn action_seen(&self, before: &State, action: ActionId) -> Vec<SeenEvent> {
        let index = before.history().len();
        let mut seen = self.seen_at_screen(index + 1);
        if let Some(actor) = before.current_player() {
            let text = Some(self.action_text(before, action, actor));
            seen.insert(0, SeenEvent { index, kind: SeenKind::Action(actor), text });
        }
        seen
    }

    fn action_text(&self, before: &State, action: ActionId, actor: Seat) -> String {
        let seen_by = |viewer: Seat| before.action_seen(action, self.state(), viewer);
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

/// Returns the texts of the events from an index on as a player sees them, `None` for hidden ones.
pub(super) fn texts_seen(state: &State, from: usize, viewer: Seat) -> Vec<Option<String>> {
    let last = &state.history()[from..];
    // What is visible of a pick, a draw or another player's action depends on the state in which it happened.
    let depends = |event: &Event| match event {
        Event::Action { player, .. } => *player != viewer,
        Event::Roll { .. } | Event::Pick { .. } | Event::Draw { .. } => state.may_hide_outcome(event),
    };
    let mut seen = vec![];
    if last.iter().any(depends)
        && state.replay_history(&mut |before, event| seen.push(state.event_seen(before, event, viewer)))
    {
        return seen.split_off(from.min(seen.len()));
    }
    last.iter().map(|event| state.event_seen(state, event, viewer)).collect()
}
