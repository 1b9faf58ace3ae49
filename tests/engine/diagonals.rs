//! Grids of which only some sites have diagonals, as on the boards of alquerque and asalto.

use crate::agree::{Came, agree, same_in_both_modes};
use crate::extent;
use crate::rules::game;
use crate::states::{legal, position};
use houserule::draw::svg;

/// Men step along the lines and jump over a man; `shape` is the board.
fn men(shape: &str, board: &str) -> String {
    format!(
        r#"game "Men" {{
  players X, O
  board {board} = {shape}
  piece man[player]
  var far: 0..99 = 0
  var row_of_men: 0..9 = 0
  setup {{ put man[X] at row(1) | row(2); put man[O] at row(4) | row(5) }}
  turn {{
    choose {{
      step a in man[me], b in around(a) & empty {{ move a to b }}
      jump a in man[me], d in direction where toward(a, d) in man[other] and toward(toward(a, d), d) in empty {{
        let over = toward(a, d)
        clear over
        move a to toward(over, d)
      }}
      run a in man[me], d in direction, b in slide(a, d, empty) & empty & edge where turns[me] > 5 {{ move a to b }}
      otherwise {{ end game }}
    }}
    far += count(reach(lowest(man[me]), empty | man[me])) % 3
    row_of_men = longest(man[me], along: diagonal)
    if far > 90 {{ far = 0 }}
  }}
  end out when man[other] is nothing: win me
  end late when turns[me] > 30
  score {{ men: count(man[me]), corners: count(man[me] & corners), best: row_of_men }}
}}"#
    )
}

const EVEN: &str = "grid(5, 5, diagonal: { c in spot where (column(c) + row(c)) % 2 == 0 })";

#[test]
fn both_executors_move_along_the_same_lines() {
    for shape in [EVEN.to_owned(), format!("{EVEN} - corners"), "grid(5, 5, diagonal: {})".to_owned()] {
        let game = game(&men(&shape, "spot"));
        for index in 0..extent::tries(12, 40) {
            assert_ne!(agree(&game, 5, index, 200), Came::Failed, "{shape}");
        }
        same_in_both_modes(&game, 6, 30);
    }
}

#[test]
fn a_man_steps_only_along_lines() {
    let game = game(&men(EVEN, "spot"));
    let steps = |at: &str| {
        let state = position(
            &game,
            &format!(
                "5 . . . . .\n4 . . . . .\n3 . . . . .\n2 . . . . .\n1 . . . . .\n  a b c d e\nmover = X\nman[X] = {{{at}}}\nman[O] = {{}}"
            ),
        );
        legal(&state).iter().filter(|action| action.starts_with("step")).count()
    };
    assert_eq!((steps("c3"), steps("b3"), steps("a1"), steps("b1")), (8, 4, 3, 3));
}

#[test]
fn pictures_show_the_lines() {
    let drawn = |shape: &str, board: &str| {
        let game = game(&men(shape, board));
        svg::svg(&game.start(1, 0).expect("it starts"), &svg::PictureStyle::default())
    };
    let (some, none) = (drawn(EVEN, "spot"), drawn("grid(5, 5, diagonal: {})", "spot"));
    assert!(some.len() > none.len(), "{some}");
    // A plain grid is drawn as squares, and has no lines.
    assert_ne!(none, drawn("grid(5, 5)", "spot"));
}
