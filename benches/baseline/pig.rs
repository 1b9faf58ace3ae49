//! Pig for two, to 100, with random players: each decision rolls or stops with equal probability. Once points
//! and pot reach the goal, the only option is to stop.

use super::Totals;
use super::rng::Rng;

const GOAL: u32 = 100;

/// Plays `games` games with random players. There is no set to pick from, so one build is enough.
pub fn playouts(games: u64, seed: u64) -> Totals {
    let mut rng = Rng::new(seed);
    let mut totals = Totals { games, ..Totals::default() };
    for _ in 0..games {
        let (mut own, mut theirs) = (0, 0);
        let mut seat = 0;
        loop {
            // One turn: the pot goes into `sum`, which starts at the mover's points.
            let mut sum = own;
            let kept = loop {
                totals.decisions += 1;
                let word = rng.word();
                if word >> 63 == 0 {
                    break sum;
                }
                totals.rolls += 1;
                // The decision was the top bit; the bits below it are the die.
                let face = ((u128::from(word << 1) * 6) >> 64) as u32 + 1;
                if face == 1 {
                    break own;
                }
                sum += face;
                if sum >= GOAL {
                    totals.decisions += 1;
                    break sum;
                }
            };
            own = kept;
            if own >= GOAL {
                totals.wins[seat] += 1;
                break;
            }
            std::mem::swap(&mut own, &mut theirs);
            seat ^= 1;
        }
    }
    totals
}
