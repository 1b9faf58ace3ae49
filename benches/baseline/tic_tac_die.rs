//! Tic-tac-die: tic-tac-toe in which a nine-sided die is rolled until it names a free square. Every free
//! square is equally likely, so one draw replaces all rolls, and there are no decisions.

use super::pick::Nth;
use super::rng::Rng;
use super::tic_tac_toe::{LookUp, playout};
use super::{Totals, builds};

builds!(run, LookUp);

#[inline(always)]
fn run<N: Nth>(games: u64, seed: u64) -> Totals {
    let mut rng = Rng::new(seed);
    let mut totals = Totals { games, ..Totals::default() };
    for _ in 0..games {
        let (winner, plies) = playout::<N>(&mut rng);
        totals.rolls += plies;
        match winner {
            Some(seat) => totals.wins[seat] += 1,
            None => totals.draws += 1,
        }
    }
    totals
}
