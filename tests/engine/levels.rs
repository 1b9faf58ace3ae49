//! A define that uses itself says the same as one define for each level.

use crate::agree::{Came, agree, same_in_both_modes};
use crate::extent;
use crate::rules::game;
use houserule::game::Seat;

const STEPS: &str = r#"game "Steps" {
  players 2
  param deep: 0..3 = 2
  board cell = grid(4, 4)
  piece mark[player]
  define free(c) = beside(c) & empty
  define goes_on(c, depth) = depth == 0 or (any d in free(c): goes_on(d, depth - 1))
  define reached(c, depth) = if depth == 0 then {c} else union d in free(c): reached(d, depth - 1)
  define once(c)  = free(c) is some
  define twice(c) = any d in free(c): once(d)
  turn { choose { walk c in empty where goes_on(c, deep) { put mark[me] at c } otherwise { end game } } }
  end when empty is nothing
  score {
    steps: count c in empty: goes_on(c, 2),
    steps_slowly: count c in empty: twice(c),
    reach: sum c in cell: count(reached(c, 2)),
    reach_slowly: sum c in cell: count(union d in free(c): free(d)),
  }
}"#;

#[test]
fn a_define_on_several_levels_says_what_single_defines_say() {
    let game = game(STEPS);
    let mut some = 0;
    for index in 0..extent::tries(18, 40) {
        assert_eq!(agree(&game, 3, index, u32::MAX), Came::Over);
        let mut state = game.start(3, index).expect("it starts");
        let mut left = index % 9;
        while let Some(action) = state.random_action().filter(|_| left > 0) {
            state.apply(action).expect("it is legal");
            left -= 1;
        }
        let scores = state.scores(Seat(0)).expect("it has a score");
        assert_eq!((scores[0], scores[2]), (scores[1], scores[3]), "{scores:?}");
        some += u32::from(scores[0] > 0);
    }
    assert!(some > extent::tries(9, 20), "{some}");
    same_in_both_modes(&game, 3, 40);
}
