//! Reversi in two words. Legal moves and turned discs are found by filling from the discs of one colour over
//! those of the other, in each of the eight directions.

use super::pick::{Nth, Stripping};
use super::rng::Rng;
use super::{Totals, builds};

builds!(run, Stripping);

/// Masks without the first column, and without the last.
const EAST: u64 = 0xfefe_fefe_fefe_fefe;
const WEST: u64 = 0x7f7f_7f7f_7f7f_7f7f;
/// For each orientation: the shift of a step, and the masks for a step up and a step down.
const STEPS: [(u32, u64, u64); 4] = [(1, EAST, WEST), (7, WEST, EAST), (8, !0, !0), (9, EAST, WEST)];

#[inline(always)]
fn run<N: Nth>(games: u64, seed: u64) -> Totals {
    let mut rng = Rng::new(seed);
    let mut totals = Totals { games, ..Totals::default() };
    for _ in 0..games {
        // Black, who begins, is on e4 and d5.
        let (mut own, mut theirs) = (1u64 << 28 | 1 << 35, 1u64 << 27 | 1 << 36);
        let mut seat = 0;
        let mut passed = false;
        loop {
            let open = moves(own, theirs);
            if open == 0 {
                if passed {
                    break;
                }
                passed = true;
            } else {
                passed = false;
                let disc = N::nth(open, rng.below(open.count_ones()));
                let turned = turned(disc, own, theirs);
                own |= disc | turned;
                theirs &= !turned;
                totals.decisions += 1;
            }
            std::mem::swap(&mut own, &mut theirs);
            seat ^= 1;
        }
        let (own, theirs) = (own.count_ones(), theirs.count_ones());
        match own.cmp(&theirs) {
            std::cmp::Ordering::Equal => totals.draws += 1,
            std::cmp::Ordering::Greater => totals.wins[seat] += 1,
            std::cmp::Ordering::Less => totals.wins[1 - seat] += 1,
        }
    }
    totals
}

#[inline(always)]
fn up(set: u64, step: u32, may: u64) -> u64 {
    set << step & may
}

#[inline(always)]
fn down(set: u64, step: u32, may: u64) -> u64 {
    set >> step & may
}

/// Fills `over` from `from` in one direction. At most six discs are between two others.
#[inline(always)]
fn fill(from: u64, over: u64, step: impl Fn(u64) -> u64) -> u64 {
    let mut filled = step(from) & over;
    for _ in 0..5 {
        filled |= step(filled) & over;
    }
    filled
}

#[inline(always)]
fn moves(own: u64, theirs: u64) -> u64 {
    let mut found = 0;
    for (step, may_up, may_down) in STEPS {
        found |= up(fill(own, theirs, |s| up(s, step, may_up)), step, may_up);
        found |= down(fill(own, theirs, |s| down(s, step, may_down)), step, may_down);
    }
    found & !(own | theirs)
}

#[inline(always)]
fn turned(disc: u64, own: u64, theirs: u64) -> u64 {
    let mut found = 0;
    for (step, may_up, may_down) in STEPS {
        let (rise, fall) = (|s| up(s, step, may_up), |s| down(s, step, may_down));
        found |= fill(disc, theirs, rise) & fill(own, theirs, fall);
        found |= fill(disc, theirs, fall) & fill(own, theirs, rise);
    }
    found
}
