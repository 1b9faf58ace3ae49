//! Connect Four in one word: seven bits per column, of which the topmost stays empty, so that no line runs
//! from one column into the next. A list holds the open columns with their next free square. A move therefore
//! needs no bit search, and one build does for every processor.

use super::Totals;
use super::rng::Rng;

const HEIGHT: u32 = 6;
const STRIDE: u32 = HEIGHT + 1;

/// Plays `games` games with random players.
pub fn playouts(games: u64, seed: u64) -> Totals {
    let mut rng = Rng::new(seed);
    let mut totals = Totals { games, ..Totals::default() };
    for _ in 0..games {
        // Eight entries, so that an index of three bits needs no check.
        let mut free: [u32; 8] = std::array::from_fn(|column| column as u32 * STRIDE);
        let mut open = 7;
        let (mut own, mut theirs) = (0u64, 0u64);
        let mut ply = 0u64;
        loop {
            if open == 0 {
                totals.draws += 1;
                break;
            }
            let choice = rng.below(open) as usize & 7;
            let square = free[choice];
            own |= 1 << square;
            ply += 1;
            if has_four(own) {
                totals.wins[(ply as usize + 1) % 2] += 1;
                break;
            }
            if square % STRIDE == HEIGHT - 1 {
                open -= 1;
                free[choice] = free[open as usize & 7];
            } else {
                free[choice] = square + 1;
            }
            std::mem::swap(&mut own, &mut theirs);
        }
        totals.decisions += ply;
    }
    totals
}

#[inline(always)]
fn has_four(discs: u64) -> bool {
    let mut found = 0;
    for step in [1, STRIDE, STRIDE - 1, STRIDE + 1] {
        let pairs = discs & (discs >> step);
        found |= pairs & (pairs >> (2 * step));
    }
    found != 0
}
