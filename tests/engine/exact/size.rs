//! The estimate of a game's size, which saves attempts to solve games that are too large.

use houserule::solve::{GraphLimits, is_surely_larger, solve};

use crate::extent;
use crate::rules::bundled;

#[test]
fn the_size_of_a_game_is_estimated_from_below() {
    // Pig has less than the limit and more than the smaller ones.
    let limits = GraphLimits { states: 4_000_000, steps: 24_000_000, bytes: 1 << 30 };
    let small = bundled("pig", &[("goal", extent::tries("20", "50"))], None);
    let positions = solve(&small, &limits).unwrap().states();
    assert!(!is_surely_larger(&small, positions));
    assert!(is_surely_larger(&small, 500) || positions < 2_000, "{positions}");
    for large in ["dilido", "dice-wide-shut", "yacht", "reversi"] {
        assert!(is_surely_larger(&bundled(large, &[], None), limits.states), "{large}");
    }
    assert!(!is_surely_larger(&bundled("tic-tac-toe", &[], None), 5_478));
}
