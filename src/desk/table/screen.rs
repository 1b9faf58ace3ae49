//! Several people at one screen: whose view it shows, when it must be passed on, and what the next viewer has not
//! seen yet.

use super::Table;
use super::journal::JournalWriter;
use super::seats::Seats;
use super::seen::{Audience, SeenEvent, SeenKind};
use houserule_game::{Event, Seat, State};
use houserule_model::{Role, Slot, SlotId, Visibility};

/// How people look at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screens {
    /// All share one screen. If they see different things, it is handed over.
    Shared,
    /// Each person has a screen, which the caller fills with [`Table::seen_by`] and [`Table::drawing`].
    Own,
}

/// The screen must be passed on before the next decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandOver {
    /// The person at the screen; `None` after [`Table::leave_screen`], and before anybody has taken it.
    pub from: Option<Seat>,
    /// The person to decide, who takes it with [`Table::take_screen`].
    pub to: Seat,
    /// `true` if chance or a `reveal` showed `from` something that others don't see, so that `from` should read it first.
    pub news: bool,
}

impl<J: JournalWriter> Table<J> {
    /// Sets how people look at the table. A new table has [`Screens::Shared`].
    pub fn set_screens(&mut self, screens: Screens) {
        self.screens = screens;
        self.at_screen = None;
    }

    /// Returns `true` if several people play who don't all see the same.
    pub fn is_secret(&self) -> bool {
        is_secret(&self.seats, self.state())
    }

    /// Returns `true` if the person who is to decide in a state of this game is asked, even with a single legal action.
    pub(super) fn asks_person(&self, state: &State) -> bool {
        self.seats.is_asked(state, false) || self.screens == Screens::Shared && is_secret(&self.seats, state)
    }

    /// Returns the player for whom the screen is shown: the only person, the person at the screen, or the person to
    /// move. Returns `None` if no person plays, or if several people see different things and none of them has
    /// taken the screen. A table that was moved back (`go_to`) asks this of the past decision.
    pub fn viewer(&self) -> Option<Seat> {
        if self.is_secret() {
            return self.at_screen;
        }
        let mover = || self.state().current_player().filter(|player| self.seats.is_person(*player));
        let people = !self.seats.people().is_empty();
        self.seats.only_person().or_else(mover).filter(|_| people)
    }

    /// Returns the people to whom the screen tells events.
    pub fn audience(&self) -> Audience {
        match self.viewer() {
            Some(viewer) => Audience::One(viewer),
            None if self.is_secret() => Audience::Each(self.seats.people()),
            None => Audience::All,
        }
    }

    /// Returns the pending hand-over to a person who is to decide, if there is one.
    pub(super) fn hand_over(&self, to: Seat) -> Option<HandOver> {
        let shared = self.screens == Screens::Shared && self.at_screen != Some(to);
        (shared && self.is_secret()).then(|| {
            let news = self.at_screen.is_some_and(|from| self.has_news(from)) || !self.shown().is_empty();
            HandOver { from: self.at_screen, to, news }
        })
    }

    /// The person at the screen leaves it. The caller clears it.
    pub fn leave_screen(&mut self) {
        if let Some(last) = self.at_screen.take() {
            self.noted.insert(last, self.state().history().len());
        }
    }

    /// A person takes the screen. Returns the events that this person has not seen.
    pub fn take_screen(&mut self, player: Seat) -> Vec<SeenEvent> {
        self.leave_screen();
        self.at_screen = Some(player);
        let from = self.noted.get(&player).copied().unwrap_or(0);
        let owed = self.owed.remove(&player).unwrap_or_default();
        let is_owed =
            |event: &SeenEvent| event.index >= from || event.is_recorded() && owed.contains(&event.index);
        let all = self.seen_by(player, 0).into_iter().filter(is_owed);
        let since = |event: &SeenEvent| from == 0 || event.is_recorded() || event.index > from;
        let unseen: Vec<SeenEvent> = all.filter(since).collect();
        let veiled = unseen.iter().filter(|event| event.is_veiled());
        self.owed.insert(player, veiled.map(|event| event.index).collect());
        unseen
    }

    /// Returns `true` if, since a player's last decision, chance revealed something that others don't see.
    fn has_news(&self, player: Seat) -> bool {
        let state = self.state();
        let own = |event: &Event| matches!(event, Event::Action { player: who, .. } if *who == player);
        let from = state.history().iter().rposition(own).map_or(0, |at| at + 1);
        let chance = |event: &Event| !matches!(event, Event::Action { .. });
        if !state.history()[from..].iter().any(chance) {
            return false;
        }
        let texts = |player: Seat| {
            let is_chance = |event: &SeenEvent| {
                !matches!(event.kind, SeenKind::Pass(_) | SeenKind::Moved | SeenKind::Shown)
            };
            let seen = self.seen_by(player, from).into_iter().filter(is_chance);
            seen.map(|event| event.text).collect::<Vec<_>>()
        };
        let mine = texts(player);
        let mut others = self.seats.people().into_iter().filter(|other| *other != player);
        others.any(|other| texts(other) != mine)
    }
}

/// Returns `true` if several people play who don't all see the same in a state.
pub(super) fn is_secret(seats: &Seats, state: &State) -> bool {
    seats.people().len() > 1 && see_different_things(state)
}

/// Returns `true` if two players may see different things: hands of their own, simultaneous choices, or
/// knowledge of hidden elements.
pub fn see_different_things(state: &State) -> bool {
    if !state.game().hides() {
        return false;
    }
    let model = state.game().model();
    let players = model.players.count as usize;
    let known = |role: Role| matches!(role, Role::Known | Role::KnownCopies(_) | Role::SeenPlace);
    let own = |(at, slot): (u32, &Slot)| match slot.visibility {
        Visibility::Owner if known(slot.role) => {
            let each = slot.initial.len() / players.max(1);
            let of = |seat: usize| (0..each).map(move |place| state.value(SlotId(at), seat * each + place));
            (1..players).any(|seat| !of(0).eq(of(seat)))
        }
        Visibility::Owner | Visibility::Others | Visibility::Player(_) => true,
        Visibility::All | Visibility::Nobody => false,
    };
    !model.together.is_empty() || (0u32..).zip(&model.slots).any(own)
}
