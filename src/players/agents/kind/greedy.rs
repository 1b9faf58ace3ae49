//! The greedy agent: it maximizes its value one action ahead.

use crate::agent::{Agent, Barred, no_world, one_of, or_random, worlds};
use crate::agents::AgentKind;
use crate::agents::script::{Scripted, leads};
use houserule_base::interrupt;
use houserule_base::rng::Stream;
use houserule_game::hidden::View;
use houserule_game::{ActionId, RuntimeError, Seat, State};

/// Takes the action that leaves the best lead in score over the best of the others. A won game beats any score,
/// any score beats a lost game. Looks as far as the next decision or chance event, never at dice to come or
/// hidden cards. Breaks ties uniformly at random, and takes a deliberate option only if it is better than all others. A script may evaluate states instead of the score.
#[derive(Clone, Debug, Default)]
pub struct Greedy {
    pub(in crate::agents) judge: Option<Scripted>,
    /// Actions that it must not take.
    pub(in crate::agents) barred: Barred,
}

/// Worse than any state.
const WORST: (f64, f64) = (f64::NEG_INFINITY, f64::NEG_INFINITY);

impl Agent for Greedy {
    fn name(&self) -> String {
        match &self.judge {
            Some(judge) => format!("{}:{}", AgentKind::Greedy, judge.name()),
            None => AgentKind::Greedy.to_string(),
        }
    }

    fn choose(&mut self, view: &mut View<'_>, stream: &mut Stream) -> Result<Option<ActionId>, RuntimeError> {
        let chosen = self.choose_best(view, stream);
        or_random(chosen, view, &self.barred, stream)
    }

    fn copy(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }

    fn restricted(&self, barred: &Barred) -> Option<Box<dyn Agent>> {
        Some(Box::new(Greedy { barred: barred.clone(), ..self.clone() }))
    }
}

impl Greedy {
    /// Chooses the best action; fails if there is no world to try actions in.
    fn choose_best(
        &self,
        view: &mut View<'_>,
        stream: &mut Stream,
    ) -> Result<Option<ActionId>, RuntimeError> {
        let mut actions = view.legal_actions();
        self.barred.leave_out(&mut actions, |action| action.0);
        // Scores may depend on hidden information. Any state that looks the same to this seat will do; one that
        // also agrees with all earlier observations would cost more than everything else.
        let looks_same = if view.game().hides() { view.redrawn(stream) } else { None };
        let state = match looks_same {
            Some(state) => state,
            None => worlds(view)?.next(stream).map_err(|none| no_world(view, none))?.clone(),
        };
        let mut best = Vec::new();
        let mut most = WORST;
        for action in actions {
            interrupt::check();
            let mut after = state.clone();
            let worth = match after.apply(action) {
                Ok(()) => self.worth(&after, view.seat())?,
                // A failing action is the worst. If all fail, playing one of them reports its error.
                Err(_) => WORST,
            };
            if worth > most {
                most = worth;
                best.clear();
            }
            if worth == most {
                best.push(action);
            }
        }
        state.leave_out_deliberate(&mut best);
        Ok(one_of(&best, stream))
    }

    /// The value of a state for a player: first the returns of the game, 0 before its end, then the lead in score
    /// or in the script's value.
    fn worth(&self, state: &State, me: Seat) -> Result<(f64, f64), RuntimeError> {
        let players = state.game().players();
        let returns = players > 1 || state.game().pays();
        let returned = if returns { state.returns()[me.index()] } else { 0.0 };
        let scores = |wanted: bool| if wanted { state.score_of_each() } else { Ok(vec![]) };
        let values: Vec<f64> = match &self.judge {
            Some(judge) => judge.values(state.game(), state.live_words(), &scores(judge.asks_scores())?)?,
            None => {
                let direction = state.game().model().score_direction;
                scores(true)?.into_iter().map(|score| direction.worth(score as f64)).collect()
            }
        };
        Ok((returned, leads(&values)[me.0 as usize]))
    }
}
