//! Describes events as far as the people at the screen see them.

use super::super::words;
use super::Session;
use crate::game::values::event_text;
use crate::game::{ActionId, Event, Player, State};
use crate::report::columns::wrap;

/// The people at the screen.
enum Onlookers {
    /// Someone from whom nothing is hidden.
    All,
    /// One player.
    One(Player),
    /// Several people, none of whom has taken the keyboard: only what all of them see is shown.
    Each(Vec<Player>),
}

impl Session {
    fn onlookers(&self) -> Onlookers {
        match self.viewer() {
            Some(viewer) => Onlookers::One(viewer),
            None if self.is_secret() => {
                let people = (0..self.game.players()).filter(|seat| self.seats.is_person(*seat));
                Onlookers::Each(people.map(Player).collect())
            }
            None => Onlookers::All,
        }
    }

    /// Describes the last `count` chance events, as far as the people at the screen see them.
    pub(super) fn told(&self, count: usize) -> Vec<String> {
        let state = self.played.state();
        let history = state.history();
        let from = history.len().saturating_sub(count);
        match self.onlookers() {
            Onlookers::All => {
                self.seen(history[from..].iter().map(|event| Some(event_text(&self.game, event))))
            }
            Onlookers::One(viewer) => self.seen(self.texts_seen(from, viewer).into_iter()),
            Onlookers::Each(people) => self.seen(self.texts_common(from, &people).into_iter()),
        }
    }

    /// Describes the events from an index on as a player sees them; `None` for those the player doesn't see.
    pub(super) fn texts_seen(&self, from: usize, viewer: Player) -> Vec<Option<String>> {
        let state = self.played.state();
        let last = &state.history()[from..];
        let mut seen = vec![];
        // Whether a pick or draw is visible depends on the state in which it happened.
        if last.iter().any(|event| state.may_hide_outcome(event))
            && state.replay_history(&mut |before, event| seen.push(state.event_seen(before, event, viewer)))
        {
            return seen.split_off(from.min(seen.len()));
        }
        last.iter().map(|event| state.event_seen(state, event, viewer)).collect()
    }

    /// Describes the events from an index on as far as all of some players see the same.
    fn texts_common(&self, from: usize, people: &[Player]) -> Vec<Option<String>> {
        let mut all = people.iter().map(|player| self.texts_seen(from, *player));
        let first = all.next().unwrap_or_default();
        all.fold(first, |known, other| {
            known
                .into_iter()
                .zip(other)
                .map(|(one, two)| one.filter(|one| Some(one) == two.as_ref()))
                .collect()
        })
    }

    /// Formats events; those that aren't seen are counted.
    fn seen(&self, events: impl Iterator<Item = Option<String>>) -> Vec<String> {
        let mut told: Vec<String> = vec![];
        let mut hidden = 0;
        for event in events.map(Some).chain([None]) {
            if let Some(None) = event {
                hidden += 1;
                continue;
            }
            if hidden > 0 {
                told.push(if hidden == 1 {
                    "drawn face down".into()
                } else {
                    format!("{hidden} drawn face down")
                });
                hidden = 0;
            }
            told.extend(event.flatten().map(|event| words::chance(&event)));
        }
        told
    }

    /// Describes a move for the people at the screen.
    pub(super) fn action_told(&self, before: &State, action: ActionId) -> String {
        let actor = before.current_player();
        let seen_by = |viewer: Player| before.action_seen(action, self.played.state(), viewer);
        let person = actor.is_some_and(|actor| self.seats.is_person(actor.0));
        match self.onlookers() {
            Onlookers::One(viewer) if Some(viewer) != actor && (!person || self.is_secret()) => {
                seen_by(viewer)
            }
            Onlookers::Each(people) => match people.into_iter().find(|player| Some(*player) != actor) {
                Some(other) => seen_by(other),
                None => self.game.action_name(action),
            },
            _ => self.game.action_name(action),
        }
    }

    /// Describes the events from an index on, with players' names before their actions.
    pub(super) fn events_told(&self, from: usize) -> Vec<String> {
        let state = self.played.state();
        let several = self.game.players() > 1;
        let texts = match self.onlookers() {
            Onlookers::One(viewer) => self.texts_played(from, viewer),
            Onlookers::Each(people) => self.texts_common(from, &people),
            Onlookers::All => {
                state.history()[from..].iter().map(|event| Some(event_text(&self.game, event))).collect()
            }
        };
        let mut last = None;
        let named = state.history()[from..].iter().zip(texts).map(|(event, text)| match event {
            Event::Action { player, .. } if several && last != Some(*player) => {
                last = Some(*player);
                text.map(|text| format!("{}: {text}", words::name(&self.game, player.0)))
            }
            _ => text,
        });
        self.seen(named)
    }

    /// Describes the events from an index on as a player sees them, each in the state in which it happened.
    fn texts_played(&self, from: usize, viewer: Player) -> Vec<Option<String>> {
        let state = self.played.state();
        let mut seen = vec![];
        match state.replay_history(&mut |before, event| seen.push(state.event_seen(before, event, viewer))) {
            true => seen.split_off(from.min(seen.len())),
            false => self.texts_seen(from, viewer),
        }
    }

    /// Describes everything that happened, wrapped to lines of at most `width` columns.
    pub(super) fn history(&self, width: usize) -> Vec<String> {
        let text = self.events_told(0).join(", ");
        if text.is_empty() { vec!["Nothing has happened yet.".to_owned()] } else { wrap(&text, width) }
    }
}
