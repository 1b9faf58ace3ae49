//! The agent that looks one step ahead.

use super::{Agent, AgentKind, one_of};
use crate::engine::{ActionId, Player, RuntimeError, State};
use crate::rng::Stream;

/// Takes the action after which its score is best, against the best of the others; a won game is
/// better than any score. It looks as far as the next decision or chance event and peeks at no dice;
/// where nothing differs it takes any, evenly.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Agent for Greedy {
    fn name(&self) -> &'static str {
        AgentKind::Greedy.name()
    }

    fn choose(&mut self, state: &mut State, stream: &mut Stream) -> Result<Option<ActionId>, RuntimeError> {
        let Some(me) = state.current_player() else { return Ok(None) };
        let mut best = Vec::new();
        let mut most = f64::NEG_INFINITY;
        for action in state.legal_actions() {
            let mut after = state.clone();
            after.set_explicit_chance(true);
            let worth = match after.apply(action) {
                Ok(()) => worth(&after, me)?,
                // A step that fails is the worst there is; if all fail, one of them says why.
                Err(_) => f64::MIN,
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

/// More than any score that a game gives.
const WON: f64 = 1e19;

fn worth(state: &State, me: Player) -> Result<f64, RuntimeError> {
    let players = state.game().players();
    let mine = state.score(me)? as f64;
    let others = (0..players).map(Player).filter(|player| *player != me);
    let others: Vec<i64> = others.map(|player| state.score(player)).collect::<Result<_, _>>()?;
    let best = others.into_iter().max().unwrap_or(0) as f64;
    let decided = match state.outcome() {
        Some(outcome) if players > 1 => {
            let won = outcome.winners.iter().filter(|won| **won).count();
            match outcome.winners.get(me.0 as usize) {
                Some(true) => WON / won.max(1) as f64,
                // Nobody wins: as good as a draw.
                _ if won == 0 => WON / f64::from(players),
                _ => -WON,
            }
        }
        // Before the end a game is worth what sharing it would be.
        None if players > 1 => WON / f64::from(players),
        _ => 0.0,
    };
    Ok(decided + mine - best)
}
