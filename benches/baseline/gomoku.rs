//! Gomoku in bytes, one per point, with an empty column and empty rows around them, so that no line crosses
//! the edge. A list holds the free points, and only lines through the last stone are tested.

use super::Totals;
use super::rng::Rng;

const SIDE: usize = 15;
const STRIDE: usize = SIDE + 1;
const POINTS: usize = SIDE * SIDE;
const LINE: usize = 5;

/// Plays `games` games with random players.
pub fn playouts(games: u64, seed: u64) -> Totals {
    let mut rng = Rng::new(seed);
    let mut totals = Totals { games, ..Totals::default() };
    let mut free: [u16; POINTS] = std::array::from_fn(|n| ((n / SIDE + 1) * STRIDE + n % SIDE + 1) as u16);
    for _ in 0..games {
        let mut board = [0u8; STRIDE * (SIDE + 3)];
        let mut ply = 0;
        loop {
            if ply == POINTS {
                totals.draws += 1;
                break;
            }
            let (left, seat) = (POINTS - ply, ply % 2);
            // Taken points move after the free ones. The next game finds all of them, in another order.
            free.swap(rng.below(left as u32) as usize, left - 1);
            let point = usize::from(free[left - 1]);
            board[point] = seat as u8 + 1;
            ply += 1;
            if wins(&board, point) {
                totals.wins[seat] += 1;
                break;
            }
        }
        totals.decisions += ply as u64;
    }
    totals
}

#[inline(always)]
fn wins(board: &[u8; STRIDE * (SIDE + 3)], point: usize) -> bool {
    let stone = board[point];
    for step in [1, STRIDE - 1, STRIDE, STRIDE + 1] {
        let mut length = 1;
        let mut at = point + step;
        while board[at] == stone {
            length += 1;
            at += step;
        }
        at = point - step;
        while board[at] == stone {
            length += 1;
            at -= step;
        }
        if length >= LINE {
            return true;
        }
    }
    false
}
