//! Di-Li-Do with its default params and random players. Dots and jokers are in one word, eight bits per row,
//! of which two stay empty, so that no line runs from one row into the next.

use super::pick::{Nth, Stripping};
use super::rng::Rng;
use super::{Totals, builds};

const SIZE: u32 = 6;
const STRIDE: u32 = 8;
/// Every square.
pub const BOARD: u64 = 0x0000_3f3f_3f3f_3f3f;
const PENALTY_LIMIT: u32 = 3;

/// The squares that each of the 36 rolls names, lowest first. A double names the same square twice.
const NAMED: [[u32; 2]; 36] = {
    let mut named = [[0; 2]; 36];
    let mut roll = 0;
    while roll < 36 {
        let (a, b) = (roll % SIZE, roll / SIZE);
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        named[roll as usize] = [high + STRIDE * low, low + STRIDE * high];
        roll += 1;
    }
    named
};

builds!(run, Stripping);

#[inline(always)]
fn run<N: Nth>(games: u64, seed: u64) -> Totals {
    let mut rng = Rng::new(seed);
    let mut totals = Totals { games, ..Totals::default() };
    for _ in 0..games {
        let mut taken = 0u64;
        let mut penalties = 0;
        let mut joker = true;
        loop {
            totals.rolls += 1;
            let [low, high] = NAMED[rng.below(36) as usize];
            let free = (1u64 << low | 1 << high) & !taken;
            let anchor = if free != 0 {
                // Two free squares are equally likely. The choice is a bit, not a branch.
                let lowest = free & free.wrapping_neg();
                let highest = free ^ lowest;
                let dot = if highest != 0 && rng.word() >> 63 != 0 { highest } else { lowest };
                taken |= dot;
                totals.dots += 1;
                totals.decisions += 1;
                dot
            } else if low == high {
                1 << low
            } else {
                penalties += 1;
                if penalties == PENALTY_LIMIT {
                    break;
                }
                continue;
            };
            if joker {
                let row = anchor | anchor << 1 | anchor >> 1;
                let beside = (row | row << STRIDE | row >> STRIDE) & BOARD & !taken;
                totals.decisions += 1;
                let options = beside.count_ones();
                let choice = rng.below(options + 1);
                if choice < options {
                    taken |= N::nth(beside, choice);
                    joker = false;
                }
            }
        }
        let score = score(taken);
        totals.score += score;
        totals.score_squared += score * score;
    }
    totals
}

/// Returns the points of a set of squares. With w(k) the number of full windows of k squares, the runs of
/// exactly k are w(k) - 2 w(k+1) + w(k+2). Their points 1, 3, 10 and 40 combine to one factor for each w.
#[inline(always)]
pub fn score(taken: u64) -> u64 {
    let mut score = 0;
    for step in [1, STRIDE, STRIDE - 1, STRIDE + 1] {
        let two = taken & (taken >> step);
        let three = two & (two >> step);
        let four = three & (three >> step);
        let five = four & (four >> step);
        let six = five & (five >> step);
        score += three.count_ones() + four.count_ones() + 5 * five.count_ones() + 23 * six.count_ones();
    }
    u64::from(score)
}
