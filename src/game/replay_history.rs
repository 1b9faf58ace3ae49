//! Replay of a state's history, to visit the states before it.

use super::{Event, Start, State};

impl State {
    /// Replays the history and calls `look` with every event and the state in which it occurred. Returns
    /// `false` if that does not lead to this state: the history of a state that was built or restored begins
    /// in the middle of a game.
    pub fn replay_history(&self, look: &mut dyn FnMut(&State, &Event)) -> bool {
        let start = Start { explicit_chance: true, ..self.started().clone() };
        let again = match &self.earlier {
            Some(earlier) => earlier.state.clone(),
            None => match self.game().start_at(&start) {
                Ok(state) => state,
                Err(_) => return false,
            },
        };
        self.replay_from(again, look)
    }

    /// Like [`State::replay_history`], from an earlier state of this game on.
    pub fn replay_from(&self, mut again: State, look: &mut dyn FnMut(&State, &Event)) -> bool {
        again.set_explicit_chance(true);
        let all = self.history();
        loop {
            // The executor applies a chance event with a single outcome by itself.
            let known = again.history().len();
            if all.get(..known) != Some(again.history()) {
                return false;
            }
            let Some(event) = all.get(known) else { break };
            look(&again, event);
            let done = match event {
                Event::Action { action, .. } => again.apply(*action).is_ok(),
                _ => outcome(&again, event).is_some_and(|outcome| again.apply_outcome(outcome).is_ok()),
            };
            // A run-time error here occurred in the game, too: it leaves its event in the history.
            if !done && again.history().len() != known + 1 {
                return false;
            }
        }
        again.persistent() == self.persistent()
    }
}

impl State {
    /// Returns a number for every event of the history: the id of an action, the outcome of a chance event.
    /// Returns `None` if the history does not begin at the start of the game.
    pub fn event_numbers(&self) -> Option<Vec<u64>> {
        let mut numbers = vec![];
        let led_here = self.replay_history(&mut |now, event| {
            numbers.push(match event {
                Event::Action { action, .. } => action.0.into(),
                event => outcome(now, event).unwrap_or_default(),
            });
        });
        led_here.then_some(numbers)
    }
}

/// Returns the outcome of the pending chance event that gives `event`, if any.
pub fn outcome(state: &State, event: &Event) -> Option<u64> {
    state.outcome_with(event)
}
