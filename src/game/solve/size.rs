//! An estimate of the number of a game's positions.

use super::merge::Merging;
use crate::{Game, Start};
use houserule_base::hash::hash;

/// Positions of random games that are drawn.
const DRAWN: usize = 40_000;

/// Returns `true` if random games show that a game has more than `most` positions. Of `n` positions drawn from `most`, at least
/// n²/(2 `most`) pairs are expected to be equal, whatever their probabilities are (Cauchy and Schwarz). Far fewer equal pairs
/// mean more positions. So a large game costs no attempt to solve it.
pub fn is_surely_larger(game: &Game, most: u32) -> bool {
    /// Maximum number of games, and of their events.
    const GAMES: u64 = 4_000;
    const EVENTS: usize = 400_000;
    let merging = Merging::of_dead_values(game);
    let mut seen: Vec<u64> = vec![];
    let (mut here, mut events) = (vec![], 0);
    for index in 0..GAMES {
        houserule_base::interrupt::check();
        let start = Start { index, explicit_chance: true, ..Start::default() };
        let Ok(mut state) = game.start_at(&start) else { return false };
        here.clear();
        while !state.is_over() && events < EVENTS {
            // As in the graph, dice that no rule reads again make no difference.
            merging.merge(&mut state);
            here.push(hash(state.persistent()));
            events += 1;
            let done = match state.random_outcome() {
                Some(outcome) => state.apply_outcome(outcome).is_ok(),
                None => state.random_action().is_some_and(|action| state.apply(action).is_ok()),
            };
            if !done {
                break;
            }
        }
        // Equal positions of one game say nothing. Games begin alike, so only their second halves tell games apart.
        here.drain(..here.len() / 2);
        here.sort_unstable();
        here.dedup();
        seen.extend(&here);
        if seen.len() >= DRAWN || events >= EVENTS {
            break;
        }
    }
    let n = seen.len() as f64;
    let expected = n * n / (2.0 * f64::from(most));
    seen.sort_unstable();
    let pairs: f64 = seen
        .chunk_by(|a, b| a == b)
        .map(|same| same.len() as f64)
        .map(|same| same * (same - 1.0) / 2.0)
        .sum();
    expected >= 20.0 && pairs < expected / 4.0
}
