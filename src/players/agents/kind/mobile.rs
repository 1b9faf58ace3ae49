//! The mobile agent: it leaves its side many actions and the others few.

use super::greedy::{WORST, choose_best, returned};
use crate::agent::{Agent, Barred, or_random};
use crate::agents::AgentKind;
use houserule_base::rng::Stream;
use houserule_game::hidden::View;
use houserule_game::{ActionId, RuntimeError, Seat, State};

/// Most chance events that are drawn before the next decision.
const MOST_DRAWN: usize = 100;

/// Takes the action after which its side has the most legal actions at the next decision, or another side the fewest. A won game
/// is better than any, a lost one worse. Draws the chance events before that decision, the same after each action, and hidden
/// cards once. Breaks ties uniformly at random, and takes a deliberate option only if it is better than all others.
#[derive(Clone, Debug, Default)]
pub struct Mobile {
    /// Actions that it must not take.
    barred: Barred,
}

impl Agent for Mobile {
    fn name(&self) -> String {
        AgentKind::Mobile.to_string()
    }

    fn choose(&mut self, view: &mut View<'_>, stream: &mut Stream) -> Result<Option<ActionId>, RuntimeError> {
        let chosen = choose_best(view, &self.barred, stream, &|after, me, dice| Ok(worth(after, me, dice)));
        or_random(chosen, view, &self.barred, stream)
    }

    fn copy(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }

    fn restricted(&self, barred: &Barred) -> Option<Box<dyn Agent>> {
        Some(Box::new(Mobile { barred: barred.clone() }))
    }
}

/// What a state is worth for a player: what the end of the game returns, then the number of actions at the next decision.
fn worth(state: &mut State, me: Seat, mut dice: Stream) -> (f64, f64) {
    for _ in 0..MOST_DRAWN {
        if !state.is_chance() {
            break;
        }
        let outcome = state.draw_outcome(&mut dice);
        if state.apply_outcome(outcome).is_err() {
            return WORST;
        }
    }
    let actions = state.legal_count() as f64;
    let own_side = state.game().model().team_of(me);
    let mine = state.current_player().is_some_and(|player| own_side.contains(player.0));
    (returned(state, me), if mine { actions } else { -actions })
}
