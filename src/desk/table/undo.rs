//! Undo and redo of a person's last input, with everything that followed it.

use super::journal::JournalWriter;
use super::phrases::event_phrases_after;
use super::seen::{SeenEvent, SeenKind};
use super::{Table, TableError};
use houserule_game::Event;
use houserule_game::matches::Match;
use houserule_game::notation::journal::{GameInProgress, JournalLine};
use houserule_game::notation::record::ReplayError;

/// What was undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undone {
    /// The input in words, as the people at the screen may be told it: `place e3`, `pair rolled: 3 5`, `X: lay ?`. The player
    /// is named if people see different things.
    pub input: String,
    /// Number of undone events, with those that followed.
    pub events: usize,
}

impl<J: JournalWriter> Table<J> {
    /// Undoes a person's last input in this game, and everything that followed. Drawn dice and agents come to the
    /// same again; reported outcomes are offered again.
    pub fn undo(&mut self) -> Result<Undone, TableError> {
        let Some(mark) = self.asked.last().copied() else {
            let in_match = self.in_match.as_ref().is_some_and(|one| one.played() > 0);
            return Err(TableError::NothingToUndo { in_match });
        };
        let events = self.played.events();
        let (left, gone) = events.split_at(mark.min(events.len()));
        let again = self.replayed(left)?;
        let mut rolls = vec![];
        if self.chance_is_reported() {
            let history = self.state().history().iter().enumerate();
            let chance = history.filter(|(_, event)| !matches!(event, Event::Action { .. }));
            let undone = chance.enumerate().filter(|(_, (at, _))| *at >= left.len());
            rolls.extend(undone.map(|(number, (at, _))| (number, events[at].clone())));
        }
        let input = self.input_told(mark);
        self.write(&[JournalLine::Undo { undo: gone.len(), rolls: rolls.clone() }])?;
        self.rolls.extend(rolls);
        self.played = again;
        self.asked.pop();
        self.undone.push(gone.to_vec());
        self.before = None;
        self.noted.values_mut().for_each(|noted| *noted = (*noted).min(mark));
        // An undone setup may have decided who starts.
        self.starter_known = false;
        self.note_starter();
        Ok(Undone { input, events: gone.len() })
    }

    /// Plays again what the last undo took back, if there was no input since. Returns the events, as the people at
    /// the screen may be told them. A journal doesn't keep what was undone, so a resumed game has nothing to redo.
    pub fn redo(&mut self) -> Result<Vec<SeenEvent>, TableError> {
        let Some(gone) = self.undone.pop() else { return Err(TableError::NothingToRedo) };
        let mark = self.state().history().len();
        let all = [self.played.events(), gone.clone()].concat();
        let done = self.replayed(&all).and_then(|again| self.commit(again, gone.clone()));
        if let Err(error) = done {
            self.undone.push(gone);
            return Err(error);
        }
        self.asked.push(mark);
        self.before = None;
        Ok(self.seen_at_screen(mark))
    }

    /// Describes the input at an index of the history, as the people at the screen may be told it.
    fn input_told(&self, at: usize) -> String {
        let seen = self.seen_at_screen(at);
        let Some(input) = seen.iter().find(|event| event.index == at && event.is_recorded()) else {
            return String::new();
        };
        let player = match input.kind {
            SeenKind::Action(player) => Some(player),
            _ => input.turn,
        };
        let known = player.filter(|_| !self.is_secret());
        // What was reported has a name, even if nothing else is told of it.
        let kind = if input.kind == SeenKind::Unseen { SeenKind::Pick } else { input.kind };
        event_phrases_after(self.game(), known, &[SeenEvent { kind, ..input.clone() }]).join(", ")
    }

    /// Plays this game again, with other events.
    fn replayed(&self, events: &[String]) -> Result<GameInProgress, TableError> {
        let previous = self.in_match.as_ref().and_then(Match::previous);
        let started = self.state().started();
        let failed = |error| TableError::Undo(ReplayError::Runtime { number: 0, error });
        let mut again =
            GameInProgress::begin(self.game(), started, previous, self.head.dice).map_err(failed)?;
        again.follow(events, |_| {}).map_err(TableError::Undo)?;
        Ok(again)
    }
}
