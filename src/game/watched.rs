//! Games that run instruction by instruction, so that what happens between two events can be told.

use crate::{ApplyError, Event, Game, RuntimeError, Start, State};
use houserule_machine::program::CodeAddress;
use houserule_machine::run::{Watch, run_watched};

impl Game {
    /// Starts a game like [`Game::start_at`], with the match-long values of the previous one if there is one. Tells
    /// `watch` of each instruction.
    pub(crate) fn start_watched(
        &self,
        start: &Start,
        previous: Option<&State>,
        watch: &mut dyn Watch,
    ) -> Result<State, RuntimeError> {
        let mut state = self.prepared(start, previous);
        state.go_on_watched(self.program().start, watch)?;
        Ok(state)
    }
}

impl State {
    /// Applies an event of a game with explicit chance, as its history has it, and runs to the next stop. Tells
    /// `watch` of each instruction.
    pub(crate) fn apply_watched(&mut self, event: &Event, watch: &mut dyn Watch) -> Result<(), ApplyError> {
        if self.is_over() {
            return Err(ApplyError::Over);
        }
        match event {
            Event::Action { action, .. } => {
                let at = self.take(*action)?;
                self.run_state.spent = 0;
                Ok(self.go_on_watched(at, watch)?)
            }
            Event::Roll { .. } | Event::Draw { .. } | Event::Pick { .. } => {
                let outcome = self.outcome_with(event).ok_or(ApplyError::WrongKind)?;
                let next = self.settle_outcome(outcome)?;
                Ok(self.go_on_watched(next, watch)?)
            }
        }
    }

    /// Like [`State::go_on`], and tells `watch` of each instruction.
    fn go_on_watched(&mut self, at: CodeAddress, watch: &mut dyn Watch) -> Result<(), RuntimeError> {
        self.go_on_by(at, |game, words, streams, run_state, at| {
            run_watched(game.program(), words, streams, run_state, at, false, watch)
        })
    }
}
