//! Tests whether actions can reveal hidden information, by trying them in states that a seat can't tell apart.

use super::{FeaturePlan, Scratch};
use crate::agent::agent_stream;
use houserule_game::many::Trials;
use houserule_game::{Game, Seat, State};

/// Number of games, of decisions in each, and of other states tried for each action.
const GAMES: u64 = 4;
const DECISIONS: usize = 30;
const OTHERS: usize = 3;

/// The seed of the games.
const SEED: u64 = 0x0f_5401;

/// Returns `true` if the same action shows a seat different features in states that the seat can't tell apart.
pub(super) fn shows(plan: &FeaturePlan, game: &Game) -> bool {
    let mut trials = Trials::new(game, 1);
    let mut stream = agent_stream(SEED, 0, Seat(0));
    for index in 0..GAMES {
        let Ok(mut state) = game.start(SEED, index) else { continue };
        for _ in 0..DECISIONS {
            let Some(seat) = state.current_player() else { break };
            let actions = state.legal_actions();
            let some = [actions.first(), actions.last()];
            for action in some.into_iter().flatten() {
                let seen = after(plan, &mut trials, &state, action.0, seat.0 as usize);
                for _ in 0..OTHERS {
                    // Without another state nothing is known; then agents use worlds.
                    let Some(other) = state.seen_by(seat).redrawn(&mut stream) else { return true };
                    if after(plan, &mut trials, &other, action.0, seat.0 as usize) != seen {
                        return true;
                    }
                }
            }
            let Some(action) = state.random_action() else { break };
            if state.apply(action).is_err() {
                break;
            }
        }
    }
    false
}

/// Returns a seat's features after an action, or `None` if the game is over or has failed.
fn after(
    plan: &FeaturePlan,
    trials: &mut Trials,
    state: &State,
    action: u32,
    seat: usize,
) -> Option<Vec<u32>> {
    trials.load(0, state);
    trials.try_out(0, action).ok()?;
    if trials.is_over(0) {
        return None;
    }
    let (mut scratch, mut seen) = (Scratch::new(plan.players), vec![]);
    if plan.sees_scores {
        trials.worths(0, &mut scratch.worths).ok()?;
    }
    plan.features(trials, 0, seat, &mut scratch, &mut seen);
    Some(seen)
}
