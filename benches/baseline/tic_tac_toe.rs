//! Tic-tac-toe in nine bits. A mark is tested against a table with an entry for each of the 512 sets of
//! squares. The first four marks can't win and are not tested.

use super::pick::Nth;
use super::rng::Rng;
use super::{Totals, builds};

const LINES: [u64; 8] = [
    0b111,
    0b111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

/// `true` for each set that contains a line.
pub(super) const WINS: [bool; 512] = {
    let mut wins = [false; 512];
    let mut set = 0;
    while set < 512 {
        let mut line = 0;
        while line < 8 {
            if set as u64 & LINES[line] == LINES[line] {
                wins[set] = true;
            }
            line += 1;
        }
        set += 1;
    }
    wins
};

/// Finds the n-th square of every set but the full one in a table.
pub(super) struct LookUp;

const NTH: [[u16; 8]; 512] = {
    let mut table = [[0; 8]; 512];
    let mut set = 0;
    while set < 512 {
        let mut square = 0;
        let mut n = 0;
        while square < 9 && n < 8 {
            if set >> square & 1 == 1 {
                table[set][n] = 1 << square;
                n += 1;
            }
            square += 1;
        }
        set += 1;
    }
    table
};

impl Nth for LookUp {
    #[inline(always)]
    fn nth(set: u64, n: u32) -> u64 {
        if set == 0b111_111_111 { 1 << n } else { u64::from(NTH[set as usize & 511][n as usize & 7]) }
    }
}

builds!(run, LookUp);

#[inline(always)]
fn run<N: Nth>(games: u64, seed: u64) -> Totals {
    let mut rng = Rng::new(seed);
    let mut totals = Totals { games, ..Totals::default() };
    for _ in 0..games {
        let (winner, plies) = playout::<N>(&mut rng);
        totals.decisions += plies;
        match winner {
            Some(seat) => totals.wins[seat] += 1,
            None => totals.draws += 1,
        }
    }
    totals
}

/// Returns the winner, and the number of marks.
#[inline(always)]
pub(super) fn playout<N: Nth>(rng: &mut Rng) -> (Option<usize>, u64) {
    let mut marks = [0u64; 2];
    let mut empty = 0b111_111_111u64;
    for ply in 0..9 {
        let mark = N::nth(empty, rng.below(9 - ply as u32));
        empty ^= mark;
        let own = &mut marks[ply % 2];
        *own |= mark;
        if ply >= 4 && WINS[*own as usize] {
            return (Some(ply % 2), ply as u64 + 1);
        }
    }
    (None, 9)
}
