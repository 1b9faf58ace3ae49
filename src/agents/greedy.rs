//! The agent that looks one step ahead.

use super::{Agent, AgentKind, one_of};
use crate::engine::{ActionId, Player, RuntimeError, State, View};
use crate::rng::Stream;

/// Takes the action after which its score is best, against the best of the others; a won game is
/// better than any score, a lost one worse. It looks as far as the next decision or chance event and
/// peeks at no dice and under no cards; where nothing differs it takes any, evenly.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

/// Worse than any state.
const WORST: (f64, f64) = (f64::NEG_INFINITY, f64::NEG_INFINITY);

impl Agent for Greedy {
    fn name(&self) -> String {
        AgentKind::Greedy.to_string()
    }

    fn choose(&mut self, view: &mut View<'_>, stream: &mut Stream) -> Result<Option<ActionId>, RuntimeError> {
        let actions = view.legal_actions();
        // Scores may depend on what this seat does not see.
        let Some(state) = view.possible(stream) else { return Ok(one_of(&actions, stream)) };
        let mut best = Vec::new();
        let mut most = WORST;
        for action in actions {
            let mut after = state.clone();
            let worth = match after.apply(action) {
                Ok(()) => worth(&after, view.seat())?,
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
        Box::new(*self)
    }
}

/// How good a state is for a player: first what the game returns if it is over (nothing before, as a
/// draw), then the score against the best of the others.
fn worth(state: &State, me: Player) -> Result<(f64, f64), RuntimeError> {
    let players = state.game().players();
    let returned = if players > 1 { state.returns()[me.0 as usize] } else { 0.0 };
    let mine = state.score(me)? as f64;
    let others = (0..players).map(Player).filter(|player| *player != me);
    let others: Vec<i64> = others.map(|player| state.score(player)).collect::<Result<_, _>>()?;
    let best = others.into_iter().max().unwrap_or(0) as f64;
    Ok((returned, mine - best))
}
