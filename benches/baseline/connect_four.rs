//! Connect Four on a word: seven bits a column, of which the topmost stays empty, so that no line
//! runs from one column into the next.

use super::rng::{Nth, Rng};
use super::{Totals, builds};

const HEIGHT: u32 = 6;
const STRIDE: u32 = HEIGHT + 1;
/// The lowest square of every column.
const BOTTOM: u64 = 0x0000_0408_1020_4081;
/// Every square.
const BOARD: u64 = BOTTOM * ((1 << HEIGHT) - 1);

builds!(run);

#[inline(always)]
fn run<N: Nth>(games: u64, seed: u64) -> Totals {
    let mut rng = Rng::new(seed);
    let mut totals = Totals { games, ..Totals::default() };
    for _ in 0..games {
        let (mut own, mut theirs) = (0u64, 0u64);
        let mut ply = 0u64;
        loop {
            let free = ((own | theirs) + BOTTOM) & BOARD;
            if free == 0 {
                totals.draws += 1;
                break;
            }
            own |= N::nth(free, rng.below(free.count_ones()));
            ply += 1;
            if has_four(own) {
                totals.wins[(ply as usize + 1) % 2] += 1;
                break;
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
