//! The continuations of a game that agree with a log.

use std::fmt;
use std::sync::Arc;

use super::log::{Identified, Log};
use super::observed::Observed;
use crate::replay_history::outcome;
use crate::{ActionId, Event, Seat, State};
use houserule_base::interrupt;
use houserule_base::rng::Stream;

/// The probability that a player takes an action in a state. The state is complete: nothing is hidden in it.
pub type Likelihood = Arc<dyn Fn(&State, Seat, ActionId) -> f64 + Send + Sync>;

/// The opponent model: what decisions of other players say about hidden values.
#[derive(Clone, Default)]
pub enum OpponentModel {
    /// They choose among their legal actions uniformly at random.
    #[default]
    Uniform,
    /// Nothing, except that their actions were legal.
    Unknown,
    /// They choose with these probabilities. An action of probability 0 is never taken.
    Like(Likelihood),
}

impl fmt::Debug for OpponentModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OpponentModel::Uniform => "Uniform",
            OpponentModel::Unknown => "Unknown",
            OpponentModel::Like(_) => "Like(…)",
        })
    }
}

/// What candidates are compared with.
#[derive(Clone, Copy)]
pub(super) struct Rules<'r> {
    pub(super) observed: &'r Observed,
    pub(super) log: &'r Log,
    pub(super) opponents: &'r OpponentModel,
}

/// What following ways has cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WayCost {
    /// Number of outcomes that were tried to find the ways of `chance … given`.
    pub(super) tried: u64,
    /// The work of all events: see [`State::work_since`].
    pub(super) work: u64,
}

impl WayCost {
    /// Returns `true` if one of the costs is more than in `most`.
    pub(super) fn exceeds(self, most: WayCost) -> bool {
        self.tried > most.tried || self.work > most.work
    }
}

impl Rules<'_> {
    /// Returns the event that must come next, if the seat could identify it.
    pub(super) fn identified(&self, state: &State) -> Option<Event> {
        let hint = self.log.hint(self.progress(state), state.pending_stop())?;
        match &hint.told {
            Identified::All(event) => Some(*event),
            Identified::Part(_) | Identified::Nothing => None,
        }
    }

    /// Returns the number of observations in a state.
    pub(super) fn progress(&self, state: &State) -> u64 {
        self.observed.noted(state).progress()
    }

    /// Returns `true` if the observations of a state are a prefix of the log.
    pub(super) fn agrees(&self, state: &State) -> bool {
        self.log.agrees(self.observed.noted(state))
    }

    /// Returns the probability that the player to move takes an action under the opponent model.
    pub(super) fn likelihood(&self, state: &State, action: ActionId) -> f64 {
        let Some(actor) = state.current_player().filter(|actor| *actor != self.log.seat) else { return 1.0 };
        match self.opponents {
            OpponentModel::Uniform => 1.0 / state.legal_count().max(1) as f64,
            OpponentModel::Unknown => 1.0,
            OpponentModel::Like(chance) => chance(state, actor, action).max(0.0),
        }
    }

    /// Returns the distinct events that the pending chance event may become, each with an outcome and its
    /// probability.
    pub(super) fn outcomes(&self, state: &State) -> Vec<(Event, u64, f64)> {
        let all = state.chance_outcomes().max(1) as f64;
        let mut events: Vec<(Event, u64, f64)> = vec![];
        for (outcome, count) in state.distinct_outcomes() {
            let Some(event) = state.chance_event(outcome) else { continue };
            let part = count as f64 / all;
            match events.last_mut().filter(|last| last.0 == event) {
                Some(last) => last.2 += part,
                None => events.push((event, outcome, part)),
            }
        }
        events
    }

    /// Returns an outcome that gives `event`, and the event's probability.
    pub(super) fn odds(&self, state: &State, event: &Event) -> Option<(u64, f64)> {
        let found = outcome(state, event)?;
        let all = state.chance_outcomes().max(1) as f64;
        Some((found, state.outcomes_with(event) as f64 / all))
    }

    /// Draws a possible next event uniformly at random, among chance outcomes or legal actions. Returns it
    /// with its probability.
    pub(super) fn draw(&self, state: &State, stream: &mut Stream) -> Option<(Event, f64)> {
        if state.is_chance() {
            let event = state.chance_event(state.draw_outcome(stream))?;
            return Some((event, self.odds(state, &event)?.1));
        }
        let legal = state.legal_actions();
        let action = *legal.get(stream.below(legal.len().max(1) as u64) as usize)?;
        Some((Event::Action { player: state.current_player()?, action }, 1.0 / legal.len() as f64))
    }

    /// Returns the probabilities of an event under [`Rules::draw`], and under the rules and the opponents.
    pub(super) fn weigh(&self, state: &State, event: &Event) -> Option<(f64, f64)> {
        match event {
            Event::Action { action, .. } => {
                let drawn = 1.0 / state.legal_count().max(1) as f64;
                state.is_legal(*action).then(|| (drawn, self.likelihood(state, *action)))
            }
            event => self.odds(state, event).map(|(_, p)| (p, p)),
        }
    }

    /// Returns `true` if the seat could not identify the pending chance event, which has more than `most`
    /// outcomes.
    pub(super) fn is_wide(&self, state: &State, most: usize) -> bool {
        state.is_chance() && self.identified(state).is_none() && state.distinct_count() > most as u64
    }

    /// Calls `tell` with each next state that agrees with the log, and its probability. Adds what that costs to `cost`, and ends
    /// early once it exceeds `most`.
    pub(super) fn expand(
        &self,
        state: State,
        cost: &mut WayCost,
        most: WayCost,
        tell: &mut dyn FnMut(f64, State),
    ) {
        if state.is_over() {
            return;
        }
        let (before, mark) = (state.tried_ways(), state.work_mark());
        // Returns `true` if other states may follow.
        let mut come_to = |p: f64, next: State, is_possible: bool| {
            interrupt::check();
            cost.tried += next.tried_ways() - before;
            cost.work += next.work_since(mark, is_possible);
            if is_possible && self.agrees(&next) {
                tell(p, next);
            }
            !cost.exceeds(most)
        };
        if let Some(event) = self.identified(&state) {
            let Some((_, p)) = self.weigh(&state, &event).filter(|(_, p)| *p > 0.0) else { return };
            let mut next = state;
            let is_possible = self.observed.follow(&mut next, &event, None);
            come_to(p, next, is_possible);
            return;
        }
        if state.is_chance() {
            for (_, outcome, p) in self.outcomes(&state) {
                let mut next = state.clone();
                let is_possible = self.observed.apply_outcome(&mut next, outcome);
                if !come_to(p, next, is_possible) {
                    return;
                }
            }
            return;
        }
        // The log has the seat's own actions.
        if state.current_player() == Some(self.log.seat) {
            return;
        }
        for action in state.legal_actions() {
            let p = self.likelihood(&state, action);
            if p > 0.0 {
                let mut next = state.clone();
                let is_possible = self.observed.apply(&mut next, action, Some(&state));
                if !come_to(p, next, is_possible) {
                    return;
                }
            }
        }
    }
}
