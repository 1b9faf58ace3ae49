//! The history of a state, played again: what the table looked like before.

use super::{Event, Start, State};

impl State {
    /// Plays the history again from the start; `look` gets every state in which an event came up, with
    /// that event. False if this does not lead here: the history of a state that was built or restored
    /// begins in the middle.
    pub fn play_again(&self, look: &mut dyn FnMut(&State, &Event)) -> bool {
        let start = Start { explicit_chance: true, ..self.started().clone() };
        let mut again = match &self.earlier {
            Some(earlier) => earlier.state.clone(),
            None => match self.game().start_at(&start) {
                Ok(state) => state,
                Err(_) => return false,
            },
        };
        again.set_explicit_chance(true);
        let all = self.history();
        loop {
            // What can come out in one way only happens by itself.
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
            // What failed here has failed before, too: an error at run time leaves a state behind.
            if !done && again.history().len() != known + 1 {
                return false;
            }
        }
        again.persistent() == self.persistent()
    }
}

impl State {
    /// The number of every event of the history: of an action its own, of a chance event that of its outcome.
    /// Returns `None` if the history does not begin with the game.
    pub fn event_numbers(&self) -> Option<Vec<u64>> {
        let mut numbers = vec![];
        let led_here = self.play_again(&mut |now, event| {
            numbers.push(match event {
                Event::Action { action, .. } => action.0.into(),
                event => outcome(now, event).unwrap_or_default(),
            });
        });
        led_here.then_some(numbers)
    }
}

/// The outcome of the pending chance event that is this event.
pub(super) fn outcome(state: &State, event: &Event) -> Option<u64> {
    match event {
        Event::Action { .. } => None,
        Event::Roll { outcome, .. } => {
            state.outcome_of_roll(*outcome).filter(|outcome| state.chance_event(*outcome) == Some(*event))
        }
        Event::Draw { outcome, .. } => (state.chance_event(*outcome) == Some(*event)).then_some(*outcome),
        Event::Pick { .. } => {
            let mut all = state.distinct_outcomes().map(|(outcome, _)| outcome);
            all.find(|outcome| state.chance_event(*outcome) == Some(*event))
        }
    }
}
