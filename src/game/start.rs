//! How games start: from a seed, after the previous game of a match, or only until an error stops them.

use crate::game_words::write_value;
use crate::given::GivenBlock;
use crate::{Attached, Game, HistoryOrigin, RuntimeError, Start, State};
use houserule_base::rng::Streams;
use houserule_machine::candidates::Candidates;
use houserule_machine::program::{CodeAddress, Program};
use houserule_machine::run::{ExecutedInstruction, Watch};
use houserule_machine::run_state::RunState;
use houserule_model::{Builtin, Life, Role, Value, value_len};

/// Stops where the first turn begins.
struct FirstTurn {
    at: CodeAddress,
}

impl Watch for FirstTurn {
    fn begin(&mut self, at: usize, _: &[u64]) -> bool {
        at != usize::from(self.at.0)
    }

    fn done(&mut self, _: &ExecutedInstruction<'_>) {}
}

impl Game {
    /// Starts game `index` of a run and runs to its first decision.
    pub fn start(&self, seed: u64, index: u64) -> Result<State, RuntimeError> {
        self.start_at(&Start { seed, index, ..Start::default() })
    }

    /// Starts a game and runs to its first decision (or chance event, if those are explicit).
    pub fn start_at(&self, start: &Start) -> Result<State, RuntimeError> {
        self.begin(start, None)
    }

    /// Starts a game and runs to its first decision, or until an error stops it: to show the state of a game
    /// that is known to fail.
    pub fn start_or_stop(&self, start: &Start, previous: Option<&State>) -> (State, Option<RuntimeError>) {
        let mut state = self.prepared(start, previous);
        let error = state.run_from(self.program().start).err();
        (state, error)
    }

    /// Starts a game and stops before its first turn, or before a decision in its setup: to show how it begins, even if
    /// nobody ever decides.
    pub fn start_before_turns(&self, start: &Start) -> Result<State, RuntimeError> {
        let mut state = self.start_watched(start, None, &mut FirstTurn { at: self.program().turn })?;
        state.settle_values();
        Ok(state)
    }

    /// Starts the next game of a match, with the match-long values of the last one.
    pub fn start_after(&self, previous: &State, start: &Start) -> Result<State, RuntimeError> {
        self.begin(start, Some(previous))
    }

    /// Returns a game that hasn't begun, with the match-long values of the previous one if there is one.
    pub(crate) fn prepared(&self, start: &Start, previous: Option<&State>) -> State {
        let mut state = self.unstarted(start);
        if let Some(previous) = previous {
            take_over(self, &mut state.words, &previous.words);
        }
        state
    }

    fn begin(&self, start: &Start, previous: Option<&State>) -> Result<State, RuntimeError> {
        match self.start_or_stop(start, previous) {
            (state, None) => Ok(state),
            (_, Some(error)) => Err(error),
        }
    }

    pub(crate) fn unstarted(&self, start: &Start) -> State {
        State {
            game: self.clone(),
            words: self.first_frame_at(self.program(), start),
            streams: Streams::new(start.seed, start.index, self.players() as usize),
            run_state: RunState::new(self.program()),
            start: start.clone(),
            history: vec![],
            origin: HistoryOrigin::Seed,
            candidates: Candidates::new(self.program()),
            given: GivenBlock::default(),
            earlier: None,
            committed: None,
            beliefs: Attached::default(),
            veiled: None,
        }
    }

    /// Returns the frame of a program before the setup of a game that starts so.
    pub(crate) fn first_frame_at(&self, program: &Program, start: &Start) -> Vec<u64> {
        let mut words = self.first_frame_of(program);
        let mut write =
            |slot: Builtin, place, value| write_value(self, &mut words, slot.slot(), place, &value);
        let starter = Value::Element(Some(start.starter.0.min(self.players() - 1)));
        write(Builtin::Mover, 0, starter.clone());
        write(Builtin::Starter, 0, starter);
        write(Builtin::GameNumber, 0, Value::Number(start.game_number.max(1)));
        for (player, total) in start.totals.iter().enumerate().take(self.players() as usize) {
            write(Builtin::Total, player, Value::Number(*total));
        }
        words
    }
}

/// Takes over the match-long values of the previous game.
pub(crate) fn take_over(game: &Game, words: &mut [u64], previous: &[u64]) {
    for (slot, first) in game.model().slots.iter().zip(game.slots()) {
        let Some(first) = first.map(usize::from) else { continue };
        if slot.life == Life::Match && !matches!(slot.role, Role::Builtin(_)) {
            let width = usize::from(value_len(game.program().width, slot.content));
            let last = first + slot.initial.len() * width;
            words[first..last].copy_from_slice(&previous[first..last]);
        }
    }
}
