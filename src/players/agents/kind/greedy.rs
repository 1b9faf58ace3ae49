//! The greedy agent: it maximizes its value one action ahead.

use crate::agent::{Agent, Barred, no_world, one_of, or_random, worlds};
use crate::agents::AgentKind;
use crate::agents::script::{Scripted, leads};
use houserule_base::interrupt;
use houserule_base::rng::Stream;
use houserule_game::hidden::{View, WorldOptions};
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
pub(super) const WORST: (f64, f64) = (f64::NEG_INFINITY, f64::NEG_INFINITY);

impl Agent for Greedy {
    fn name(&self) -> String {
        match &self.judge {
            Some(judge) => format!("{}:{}", AgentKind::Greedy, judge.name()),
            None => AgentKind::Greedy.to_string(),
        }
    }

    fn choose(&mut self, view: &mut View<'_>, stream: &mut Stream) -> Result<Option<ActionId>, RuntimeError> {
        let chosen = choose_best(view, &self.barred, stream, &|after, me, _| self.worth(after, me));
        or_random(chosen, view, &self.barred, stream)
    }

    fn copy(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }

    fn restricted(&self, barred: &Barred) -> Option<Box<dyn Agent>> {
        Some(Box::new(Greedy { barred: barred.clone(), ..self.clone() }))
    }
}

/// The worth of the state after an action for a player, the greater the better: its parts count in their order. The stream
/// has dice, the same after each action.
type WorthAhead<'w> = dyn Fn(&mut State, Seat, Stream) -> Result<(f64, f64), RuntimeError> + 'w;

/// Chooses the action after which the state is worth most, one of several at random, a deliberate option only if it is better
/// than all others. Fails if there is no world to try actions in.
pub(super) fn choose_best(
    view: &mut View<'_>,
    barred: &Barred,
    stream: &mut Stream,
    worth_of: &WorthAhead<'_>,
) -> Result<Option<ActionId>, RuntimeError> {
    let mut actions = view.legal_actions();
    barred.leave_out(&mut actions, |action| action.0);
    // What an action is worth may depend on hidden information. Any state that looks the same to this seat will do; one that
    // also agrees with all earlier observations would cost more than everything else.
    let looks_same = if view.game().hides() { view.redrawn(stream) } else { None };
    let state = match looks_same {
        Some(state) => state,
        None => {
            worlds(view, &WorldOptions::default())?.next(stream).map_err(|none| no_world(view, none))?.clone()
        }
    };
    let mut best = Vec::new();
    let mut most = WORST;
    for action in actions {
        interrupt::check();
        let mut after = state.clone();
        let worth = match after.apply(action) {
            Ok(()) => worth_of(&mut after, view.seat(), *stream)?,
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

/// What the end of the game returns a player, 0 before it.
pub(super) fn returned(state: &State, me: Seat) -> f64 {
    let returns = state.game().players() > 1 || state.game().pays();
    if returns { state.returns()[me.index()] } else { 0.0 }
}

impl Greedy {
    /// The value of a state for a player: first the returns of the game, 0 before its end, then the lead in score
    /// or in the script's value.
    fn worth(&self, state: &State, me: Seat) -> Result<(f64, f64), RuntimeError> {
        let scores = |wanted: bool| if wanted { state.score_of_each() } else { Ok(vec![]) };
        let values: Vec<f64> = match &self.judge {
            Some(judge) => judge.values(state.game(), state.live_words(), &scores(judge.asks_scores())?)?,
            None => {
                let direction = state.game().model().score_direction;
                scores(true)?.into_iter().map(|score| direction.worth(score as f64)).collect()
            }
        };
        Ok((returned(state, me), leads(&values)[me.0 as usize]))
    }
}
