//! What a seat has observed of a game so far, as running hashes to compare other ways that the game may have gone
//! with, and what of each event the seat could tell.

use super::observed::{Looks, Noted, Observed};
use crate::engine::values::event_text;
use crate::engine::{Event, Player, Start, State};
use crate::hash::mix;

/// What a seat can tell of an event.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Told {
    /// All of it: nothing else would have looked the same.
    All(Event),
    /// A part of what another player did, as text.
    Part(String),
    /// Nothing: it is kept only because others stood at the same place.
    Nothing,
}

/// An event of which a seat could tell something.
#[derive(Clone, Debug)]
pub(super) struct Hint {
    /// How much the seat had observed before.
    pub(super) at: u64,
    /// Where the rules had stopped for it.
    pub(super) site: Option<usize>,
    pub(super) told: Told,
}

/// All that a seat has observed.
#[derive(Clone, Debug)]
pub(super) struct Log {
    pub(super) seat: Player,
    /// How the game started, without its seed.
    pub(super) start: Start,
    /// The hash of the first looks, by their number.
    looks: Vec<u64>,
    /// The hash of the first acts, by their number.
    acts: Vec<u64>,
    /// By what had been observed before, ascending.
    hints: Vec<Hint>,
    /// What lay open at each decision, by how much had been observed then.
    rows: Vec<(u64, Vec<u64>)>,
    /// For each decision of the seat's own how much had been observed then, and a number for all of that.
    decisions: Vec<(u64, u64)>,
}

impl Log {
    /// The log at the first stop of a game, and that stop.
    pub(super) fn begin(observed: &Observed, start: &Start, seat: Player) -> Option<(Log, State)> {
        let start = Start { seed: 0, index: 0, explicit_chance: true, ..start.clone() };
        let (state, looks) = observed.begin_heard(&start, seat)?;
        let mut log = Log {
            seat,
            start,
            looks: vec![0],
            acts: vec![0],
            hints: vec![],
            rows: vec![],
            decisions: vec![],
        };
        log.note(observed, &state, looks);
        Some((log, state))
    }

    /// Adds an event. Returns `false` if it can't happen in the state.
    pub(super) fn add(&mut self, observed: &Observed, state: &mut State, event: &Event) -> bool {
        let before = state.clone();
        let Some(looks) = observed.follow_heard(state, event) else { return false };
        self.note(observed, state, looks);
        let at = observed.noted(&before).progress();
        let told = self.told(observed, &before, event, state).unwrap_or(Told::Nothing);
        self.hints.push(Hint { at, site: before.site(), told });
        true
    }

    fn told(&self, observed: &Observed, before: &State, event: &Event, after: &State) -> Option<Told> {
        match event {
            Event::Action { player, .. } if *player == self.seat => Some(Told::All(*event)),
            Event::Action { action, .. } => {
                if before.block_together().is_some() && before.block_together() == after.block_together() {
                    return None;
                }
                let bound = before.bound_seen(*action, after, self.seat);
                Some(match bound.iter().all(|(_, element)| element.is_some()) {
                    true => Told::All(*event),
                    false => Told::Part(before.action_seen(*action, after, self.seat)),
                })
            }
            // A script that draws once here may draw more often in another world.
            Event::Draw { .. } => None,
            // Who sees dice sees how they fall.
            Event::Roll { .. } => after.event_seen(before, event, self.seat).map(|_| Told::All(*event)),
            _ => {
                after.event_seen(before, event, self.seat)?;
                let so_far = observed.noted(after).progress();
                // Another outcome may lead to another stop. It looks different only if it does before that.
                let same = |(outcome, _): &(u64, u64)| {
                    let mut next = before.clone();
                    before.chance_event(*outcome) != Some(*event)
                        && observed.apply_outcome(&mut next, *outcome)
                        && (observed.noted(&next).progress() > so_far || self.agrees(observed.noted(&next)))
                };
                (!before.distinct_outcomes().any(|outcome| same(&outcome))).then_some(Told::All(*event))
            }
        }
    }

    fn note(&mut self, observed: &Observed, state: &State, looks: Looks) {
        let noted = observed.noted(state);
        for (number, seen) in looks {
            if number as usize == self.looks.len() {
                self.looks.push(seen);
            }
        }
        // What was done, and whose turn it is then.
        if noted.acts as usize == self.acts.len() + 1 {
            self.acts.push(noted.did);
        }
        if noted.acts as usize == self.acts.len() {
            self.acts.push(noted.done);
        }
        if !state.is_chance() {
            self.rows.push((noted.progress(), observed.row(state)));
        }
        if state.current_player() == Some(self.seat) {
            self.decisions.push((noted.progress(), mix(noted.seen, noted.done)));
        }
    }

    /// Does what a state has noted agree with the log as far as it goes?
    pub(super) fn agrees(&self, noted: Noted) -> bool {
        self.looks.get(noted.looks as usize) == Some(&noted.seen)
            && self.acts.get(noted.acts as usize) == Some(&noted.done)
    }

    /// How much was observed in all.
    pub(super) fn progress(&self) -> u64 {
        (self.looks.len() + self.acts.len() - 2) as u64
    }

    /// For each decision of the seat's own how much had been observed then, and a number for all of that.
    pub(super) fn decisions(&self) -> &[(u64, u64)] {
        &self.decisions
    }

    /// What lay open at the first decision at which at least so much had been observed.
    pub(super) fn row_at(&self, progress: u64) -> &[u64] {
        let at = self.rows.partition_point(|(at, _)| *at < progress);
        self.rows.get(at).map_or(&[], |(_, row)| row)
    }

    /// What the seat could tell of the event that comes next in a state, by where the rules have stopped.
    pub(super) fn hint(&self, at: u64, site: Option<usize>) -> Option<&Hint> {
        let first = self.hints.partition_point(|hint| hint.at < at);
        let mut all = self.hints[first..].iter().take_while(|hint| hint.at == at).filter(|h| h.site == site);
        // Of several it can't be told here which is meant.
        let found = all.next()?;
        all.next().is_none().then_some(found)
    }

    /// How many events the seat could tell something of.
    pub(super) fn events(&self) -> usize {
        self.hints.iter().filter(|hint| hint.told != Told::Nothing).count()
    }

    /// The first event of which the seat could tell something after it had observed so much.
    pub(super) fn hint_from(&self, at: u64) -> Option<&Hint> {
        let first = self.hints.partition_point(|hint| hint.at < at);
        self.hints[first..].iter().find(|hint| hint.told != Told::Nothing)
    }

    /// The event that comes after so much was observed: its number from 1 among those of which the seat could
    /// tell something, and what it was.
    pub(super) fn event_after(&self, observed: &Observed, at: u64) -> (usize, String) {
        let before = &self.hints[..self.hints.partition_point(|hint| hint.at < at)];
        let number = before.iter().filter(|hint| hint.told != Told::Nothing).count();
        let text = match self.hint_from(at).map(|hint| &hint.told) {
            Some(Told::All(event)) => event_text(observed.game(), event),
            Some(Told::Part(text)) => text.clone(),
            _ => "what lies open".to_owned(),
        };
        (number + 1, text)
    }
}
