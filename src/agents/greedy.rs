//! The agent that looks one step ahead.

use super::script::{Scripted, leads};
use super::{Agent, AgentKind, no_world, one_of, worlds};
use crate::engine::{ActionId, Player, RuntimeError, State, View};
use crate::interrupt;
use crate::rng::Stream;

/// Takes the action after which its score is best, against the best of the others; a won game is
/// better than any score, a lost one worse. It looks as far as the next decision or chance event and
/// peeks at no dice and under no cards; where nothing differs it takes any, evenly. A script may judge
/// instead of the score.
#[derive(Clone, Debug, Default)]
pub struct Greedy {
    pub(super) judge: Option<Scripted>,
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
        let actions = view.legal_actions();
        // Scores may depend on what this seat does not see. Any state will do that looks the same to it: one that
        // agrees with all that was seen before would cost more than everything else.
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
                // A step that fails is the worst there is; if all fail, one of them says why.
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
        Ok(one_of(&best, stream))
    }

    fn copy(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

impl Greedy {
    /// How good a state is for a player: first what the game returns if it is over (nothing before, as a
    /// draw), then the score, or what it is judged to be worth, against the best of the others.
    fn worth(&self, state: &State, me: Player) -> Result<(f64, f64), RuntimeError> {
        let players = state.game().players();
        let returned = if players > 1 { state.returns()[me.0 as usize] } else { 0.0 };
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
