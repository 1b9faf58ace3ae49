//! The log of a seat: running hashes of all that it has observed of a game, which candidate traces are
//! compared with, and what the seat could tell of each event.

use super::observed::{Looks, Noted, Observed};
use crate::event::Commitment;
use crate::hidden::information::ShownElements;
use crate::{Event, Seat, Start, State};
use houserule_base::hash::mix;

/// What a seat can tell of an event.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Identified {
    /// All of it: no other event would have looked the same.
    All(Event),
    /// Part of another player's action, as text.
    Part(String),
    /// Nothing. The entry shows [`Log::hint`] that several events had the same stop point.
    Nothing,
}

/// A logged event, with what the seat could tell of it.
#[derive(Clone, Debug)]
pub(super) struct Hint {
    /// The seat's number of observations before the event.
    pub(super) at: u64,
    /// The stop point at the event.
    pub(super) stop: Option<usize>,
    pub(super) told: Identified,
}

/// All that a seat has observed.
#[derive(Clone, Debug)]
pub(super) struct Log {
    pub(super) seat: Seat,
    /// The start of the game, without its seed.
    pub(super) start: Start,
    /// `looks[n]` is the hash of the first `n` looks.
    looks: Vec<u64>,
    /// `acts[n]` is the hash of the first `n` acts.
    acts: Vec<u64>,
    /// Ascending by the number of observations before the event.
    hints: Vec<Hint>,
    /// The visible words at each decision and at the end, by number of observations.
    rows: Vec<(u64, Vec<u64>)>,
    /// For each decision of the seat in which it isn't to be told commitments later: the number of observations then,
    /// and a hash of all of them.
    decisions: Vec<(u64, u64)>,
}

impl Log {
    /// Returns the log and the state at the first stop of a game, or `None` if the rules fail before it.
    pub(super) fn begin(observed: &Observed, start: &Start, seat: Seat) -> Option<(Log, State)> {
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
        let is_known = matches!(event, Event::Action { player, .. } if *player == self.seat);
        let told = match is_known || !state.veils(&before, event) {
            true => self.identify(observed, &before, event, state).unwrap_or(Identified::Nothing),
            false => Identified::Nothing,
        };
        self.hints.push(Hint { at, stop: before.pending_stop(), told });
        if state.committed.is_none() {
            for Commitment { before: earlier, action } in before.commitments() {
                let Some(player) = earlier.current_player() else { continue };
                let event = Event::Action { player, action: *action };
                let told = self.identify(observed, earlier, &event, state);
                let (at, stop) = (observed.noted(earlier).progress(), earlier.pending_stop());
                let mut hints = self.hints.iter_mut().filter(|hint| (hint.at, hint.stop) == (at, stop));
                if let (Some(told), Some(hint), None) = (told, hints.next(), hints.next()) {
                    hint.told = told;
                }
            }
        }
        true
    }

    fn identify(
        &self,
        observed: &Observed,
        before: &State,
        event: &Event,
        after: &State,
    ) -> Option<Identified> {
        match event {
            Event::Action { player, .. } if *player == self.seat => Some(Identified::All(*event)),
            Event::Action { action, .. } => {
                let bound = before.bound_seen(*action, after, self.seat);
                Some(match bound.iter().all(|(_, element)| element.is_some()) {
                    true => Identified::All(*event),
                    false => {
                        let shown = ShownElements::default();
                        Identified::Part(before.action_told(*action, after, self.seat, &shown))
                    }
                })
            }
            // In another world the script may draw more often.
            Event::Draw { .. } => None,
            // A seat that sees dice sees the whole outcome.
            Event::Roll { .. } => after.event_seen(before, event, self.seat).map(|_| Identified::All(*event)),
            _ => {
                after.event_seen(before, event, self.seat)?;
                let so_far = observed.noted(after).progress();
                // Another outcome may lead to another stop. If that has more observations, the log can't tell
                // the two apart.
                let is_certain = !before.may_confuse_outcome(event, |next, outcome| {
                    let is_possible = observed.apply_outcome(next, outcome);
                    let noted = observed.noted(next);
                    is_possible.then(|| noted.progress() > so_far || self.agrees(noted))
                });
                is_certain.then_some(Identified::All(*event))
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
        // One event may add two acts: an action, and the next player's turn.
        if noted.acts as usize == self.acts.len() + 1 {
            self.acts.push(noted.did);
        }
        if noted.acts as usize == self.acts.len() {
            self.acts.push(noted.done);
        }
        if !state.is_chance() {
            self.rows.push((noted.progress(), observed.row(state)));
        }
        // While others' commitments are unknown, a search may go ways that their end rules out.
        if state.current_player() == Some(self.seat) && state.committed.is_none() {
            self.decisions.push((noted.progress(), mix(noted.seen, noted.done)));
        }
    }

    /// Returns `true` if the observations of a state are a prefix of the log.
    pub(super) fn agrees(&self, noted: Noted) -> bool {
        self.looks.get(noted.looks as usize) == Some(&noted.seen)
            && self.acts.get(noted.acts as usize) == Some(&noted.done)
    }

    /// Returns the number of observations in the log.
    pub(super) fn progress(&self) -> u64 {
        (self.looks.len() + self.acts.len() - 2) as u64
    }

    /// Returns, for each decision of the seat, the number of observations then and a hash of all of them. Decisions in a
    /// `together` block after others' commitments are left out.
    pub(super) fn decisions(&self) -> &[(u64, u64)] {
        &self.decisions
    }

    /// Returns the visible words at the first stop with at least `progress` observations, or nothing.
    pub(super) fn row_at(&self, progress: u64) -> &[u64] {
        let at = self.rows.partition_point(|(at, _)| *at < progress);
        self.rows.get(at).map_or(&[], |(_, row)| row)
    }

    /// Returns the hint for the event at stop point `stop` after `at` observations, or `None` if there is
    /// none or several.
    pub(super) fn hint(&self, at: u64, stop: Option<usize>) -> Option<&Hint> {
        let first = self.hints.partition_point(|hint| hint.at < at);
        let mut all = self.hints[first..].iter().take_while(|hint| hint.at == at).filter(|h| h.stop == stop);
        // With several, the one that applies is unknown.
        let found = all.next()?;
        all.next().is_none().then_some(found)
    }

    /// Returns the number of events of which the seat could tell something.
    pub(super) fn events(&self) -> usize {
        self.hints.iter().filter(|hint| hint.told != Identified::Nothing).count()
    }

    /// Returns the first event after at least `at` observations of which the seat could tell something.
    pub(super) fn hint_from(&self, at: u64) -> Option<&Hint> {
        let first = self.hints.partition_point(|hint| hint.at < at);
        self.hints[first..].iter().find(|hint| hint.told != Identified::Nothing)
    }
}
