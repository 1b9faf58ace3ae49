//! Undo, and errors in the rules.

use super::super::super::{CliError, Terminal};
use super::super::words;
use super::{LoopControl, Session};
use crate::diagnostic::render;
use crate::game::{ApplyError, Event, RuntimeError};
use crate::matches::Match;
use crate::notation::journal::{GameInProgress, JournalLine};

impl Session {
    /// Undoes a person's last input.
    pub(super) fn undo(&mut self, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
        let Some(mark) = self.asked.pop() else {
            let what = if self.in_match.as_ref().is_some_and(|one| one.played() > 0) {
                "There is nothing to take back in this game of the match."
            } else {
                "There is nothing to take back."
            };
            return self.complain(what, terminal);
        };
        let events = self.played.events();
        let (left, gone) = events.split_at(mark.min(events.len()));
        let start = match &self.in_match {
            Some(_) => self.played.state().started().clone(),
            None => self.head.start(),
        };
        let previous = self.in_match.as_ref().and_then(Match::previous);
        let again = GameInProgress::begin(&self.game, &start, previous, self.head.dice);
        let again = again.map_err(|error| error.to_string()).and_then(|mut played| {
            played.follow(left, |_| {}).map_err(|error| error.to_string()).map(|()| played)
        });
        let again =
            again.map_err(|error| CliError::Rules(format!("the game can't be taken back: {error}")))?;
        let mut rolls = Vec::new();
        if self.hand() {
            let history = self.played.state().history();
            let chance = history.iter().enumerate().filter(|(_, e)| !matches!(e, Event::Action { .. }));
            for (number, (at, _)) in chance.enumerate().filter(|(_, (at, _))| *at >= left.len()) {
                rolls.push((number, events[at].clone()));
            }
        }
        self.rolls.extend(rolls.clone());
        self.file.append(&[JournalLine::Undo { undo: gone.len(), rolls }])?;
        let taken = gone.first().map(|event| words::chance(event)).unwrap_or_default();
        self.played = again;
        self.told_over = false;
        self.before = None;
        let known = self.played.state().history().len();
        self.noted.values_mut().for_each(|noted| *noted = (*noted).min(known));
        self.complain(&format!("Taken back: {taken}."), terminal)
    }

    pub(super) fn rules_fail(&self, error: &RuntimeError) -> CliError {
        CliError::Rules(format!("the rules of {} fail: {error}", self.head.game))
    }

    /// Reports an error in the rules. A move that fails isn't made; if only chance can continue, the game ends.
    pub(super) fn failed(
        &mut self,
        error: &ApplyError,
        terminal: &mut Terminal<'_>,
    ) -> Result<LoopControl, CliError> {
        let ApplyError::Runtime(error) = error else { return Err(CliError::Rules(error.to_string())) };
        terminal.out.flush()?;
        let style = terminal.style();
        let told = error.diagnostic_in(&self.game, None);
        writeln!(terminal.err, "{}", render(&told, &error.sources(&self.loaded.sources), style))?;
        let path = self.file.path.display();
        let mend = format!(
            "The rules fail here, and this was not played. Mend them, then: houserule play --journal '{path}' --changed-rules"
        );
        writeln!(terminal.err, "{mend}")?;
        let state = self.played.state();
        let person = state.current_player().is_some_and(|player| self.seats.is_person(player.0));
        if person && state.legal_count() > 1 { Ok(LoopControl::On) } else { Err(CliError::AlreadyReported) }
    }
}
