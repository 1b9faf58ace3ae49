//! How games start: from a seed, after the previous game of a match, or only until an error stops them.

use crate::given::GivenBlock;
use crate::{Attached, Game, HistoryOrigin, RuntimeError, Start, State};
use houserule_base::rng::Streams;
use houserule_machine::candidates::Candidates;
use houserule_machine::run_state::RunState;
use houserule_model::{Builtin, Value};

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

    /// Starts the next game of a match, with the match-long values of the last one.
    pub fn start_after(&self, previous: &State, start: &Start) -> Result<State, RuntimeError> {
        self.begin(start, Some(previous))
    }

    /// Returns a game that hasn't begun, with the match-long values of the previous one if there is one.
    pub(crate) fn prepared(&self, start: &Start, previous: Option<&State>) -> State {
        let mut state = self.unstarted(start);
        if let Some(previous) = previous {
            state.take_over(previous);
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
        let mut state = State {
            game: self.clone(),
            words: self.first_frame(),
            streams: Streams::new(start.seed, start.index, self.players() as usize),
            run_state: RunState::new(self.model().actions.len(), self.program()),
            start: start.clone(),
            history: vec![],
            origin: HistoryOrigin::Seed,
            candidates: Candidates::new(self.program()),
            given: GivenBlock::default(),
            earlier: None,
            committed: None,
            beliefs: Attached::default(),
            veiled: None,
        };
        let starter = Value::Element(Some(start.starter.0.min(self.players() - 1)));
        state.write(Builtin::Mover.slot(), 0, &starter);
        state.write(Builtin::Starter.slot(), 0, &starter);
        state.write(Builtin::GameNumber.slot(), 0, &Value::Number(start.game_number.max(1)));
        for (player, total) in start.totals.iter().enumerate().take(self.players() as usize) {
            state.write(Builtin::Total.slot(), player, &Value::Number(*total));
        }
        state
    }
}
