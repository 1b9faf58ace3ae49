//! A line of a game: its events, and the places to go to.

use std::sync::Arc;

use crate::table::KeptPlace;
use crate::workbench::{DiffersTold, LineTold};
use houserule_game::{Event, State};

/// A line of a game.
#[derive(Clone, Debug)]
pub(super) struct GameLine {
    pub(super) name: String,
    /// The line from which it branches, and the number of decisions before that.
    pub(super) from: Option<(usize, usize)>,
    /// The events. Under changed rules, those beyond the last place don't fit; they are kept, since the change may be
    /// taken back.
    pub(super) events: Vec<String>,
    /// What people were told of the events that don't fit, from the last place on; `None` for what is hidden.
    pub(super) told: Vec<Option<String>>,
    /// The places at which something had to be decided or drawn, in order. There is at least one.
    pub(super) places: Vec<Arc<KeptPlace>>,
    /// Where the rules of now first differ from those by which it was played.
    pub(super) differs: Option<DiffersTold>,
}

/// The number of decisions before a place.
pub(super) fn decisions(place: &KeptPlace) -> usize {
    place.state().decisions() as usize
}

impl GameLine {
    pub(super) fn new(name: &str, first: KeptPlace) -> GameLine {
        let events = first.events_from(0);
        let places = vec![Arc::new(first)];
        GameLine { name: name.to_owned(), from: None, events, told: vec![], places, differs: None }
    }

    /// The line up to a place.
    pub(super) fn up_to(&self, at: usize, name: String, from: usize) -> GameLine {
        let places = self.places[..=at].to_vec();
        let events = self.events[..places[at].state().history().len()].to_vec();
        GameLine {
            name,
            from: Some((from, decisions(&places[at]))),
            events,
            told: vec![],
            places,
            differs: None,
        }
    }

    pub(super) fn last(&self) -> usize {
        self.places.len() - 1
    }

    /// Adds a place that follows the last one. Dice that are rolled again may lead back.
    pub(super) fn push(&mut self, place: KeptPlace) {
        let length = |place: &KeptPlace| place.state().history().len();
        let now = length(&place);
        self.places.retain(|known| length(known) < now);
        self.events.truncate(self.places.last().map_or(0, |last| length(last)));
        self.events.extend(place.events_from(self.events.len()));
        self.told.clear();
        self.places.push(Arc::new(place));
    }

    /// The last place in an earlier turn than the last move at a place, from which the drawing replays that move.
    pub(super) fn before_last_move(&self, at: usize) -> Option<&State> {
        let states = || self.places[..=at].iter().map(|place| place.state());
        let history = self.places[at].state().history();
        let moved = |from: &State| {
            let later = history.get(from.history().len()..).unwrap_or_default();
            later.iter().any(|event| matches!(event, Event::Action { .. }))
        };
        let turns: Vec<(&State, &State)> = states().zip(states().skip(1)).collect();
        let begins = |(before, first): &&(&State, &State)| before.turns() != first.turns() && moved(first);
        turns.iter().rev().find(begins).map(|(before, _)| *before)
    }

    /// The last place with at most a number of decisions before it.
    pub(super) fn at_decision(&self, decision: usize) -> usize {
        self.places.iter().rposition(|place| decisions(place) <= decision).unwrap_or(0)
    }

    pub(super) fn summary(&self) -> LineTold {
        LineTold {
            name: self.name.clone(),
            from_line: self.from.map(|(line, _)| line),
            from_decision: self.from.map(|(_, decision)| decision),
            decisions: decisions(&self.places[self.last()]),
        }
    }
}
