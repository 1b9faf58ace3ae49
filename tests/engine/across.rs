//! Pieces that move on one of several like boards, and from one of them to another.

use crate::agree::{Came, agree, same_in_both_modes};
use crate::rules::game;
use crate::states::{apply, position, set};

const LEVELS: &str = r#"game "Levels" {
  players X, O
  enum level { below, above }
  board floor[level] = grid(3, 2)
  piece man[player] on floor
  piece box on floor
  var on: level = below
  setup {
    put man[below, X] at @a1; put man[above, O] at @c2; put box[below] at {@b1, @b2}; put box[above] at @b1
  }
  turn {
    choose {
      climb l in level, a in man[l, me] { move a on floor[l] to a on floor[other_level(l)] replacing }
      walk l in level, a in man[l, me], b in floor where b not in man[l] { move a on floor[l] to b replacing }
      push a in box[on] { move a on floor[on] to toward(a, east) on floor[above] replacing; on = other_level(on) }
      swap a in cells(floor) { move a on floor[below] to toward(a, north) on floor[on] replacing }
      near { move lowest(box[on]) to lowest(empty[on]) }
      wait { }
    }
  }
  define other_level(l) = if l == below then above else below
  end when turns[me] == 9
  score { men: count(man[below, me]) - count(man[above, me]), boxes: count(box[below]) }
}"#;

#[test]
fn both_executors_move_alike() {
    let game = game(LEVELS);
    for index in 0..80 {
        assert_eq!(agree(&game, 5, index, u32::MAX), Came::Over);
    }
    same_in_both_modes(&game, 5, 60);
}

#[test]
fn a_piece_stays_what_it_is() {
    let game = game(LEVELS);
    let start = || {
        let mut state = position(&game, &game.start(1, 0).expect("it starts").position());
        state.begin_here(1, 0, true).expect("it begins");
        state
    };
    // Levels by players: below X, below O, above X, above O.
    let mut state = start();
    apply(&mut state, "climb below a1");
    assert_eq!((set(&state, "man", 0), set(&state, "man", 2)), (vec![], vec![0]));
    assert_eq!(set(&state, "empty", 0), [0, 2, 3, 5]);
    assert_eq!(set(&state, "empty", 1), [2, 3, 4]);
    // A box takes the place of another piece.
    let mut state = start();
    apply(&mut state, "push b2");
    assert_eq!(
        (set(&state, "box", 0), set(&state, "box", 1), set(&state, "man", 3)),
        (vec![1], vec![1, 5], vec![])
    );
    // Off the board, and from an empty site, nothing moves.
    let mut state = start();
    let before = state.persistent().to_vec();
    apply(&mut state, "wait");
    let waited = state.persistent().to_vec();
    for action in ["swap a2", "swap c1"] {
        let mut state = start();
        assert_eq!(state.persistent(), before);
        apply(&mut state, action);
        assert_eq!(state.persistent(), waited, "{action}");
    }
    // On the same board.
    let mut state = start();
    apply(&mut state, "swap a1");
    assert_eq!((set(&state, "man", 0), set(&state, "box", 0)), (vec![3], vec![1, 4]));
    let mut state = start();
    apply(&mut state, "near");
    assert_eq!(set(&state, "box", 0), [2, 4]);
}
