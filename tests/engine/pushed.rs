//! `move S to DIRECTION` and `swap PIECE, PIECE among S`: many pieces that move or turn over at once.

#![allow(clippy::unwrap_used)]

use crate::agree::{Came, agree, same_in_both_modes};
use crate::extent;
use crate::rules::game;

/// Marks and stones that are pushed and turned over. What should come of it is written without these statements; if it
/// differs, a number leaves its range, which ends the game with an error.
const PUSHED: &str = r#"game "Pushed" {
  players X, O
  board cell = BOARD
  piece mark[player]
  piece stone
  var wind: direction = WIND
  var failed: 0..1 = 1
  setup {
        for n in 1..4 { pick a in empty; put mark[X] at a; pick b in empty; put mark[O] at b; pick c in empty; put stone at c }
  }
  define pushed(K, S, d) = (K - S - shift(S - empty, d)) | shift(K & S, d)
  define turned(K, L, S) = (K - S) | L & S
  procedure check(x, o, s) { if mark[X] != x or mark[O] != o or stone != s { failed += 1 } }
  turn {
    choose {
      push c in cell, d in directions(cell) {
        let S = ray(c, d)
        let x = pushed(mark[X], S, reverse(d)); let o = pushed(mark[O], S, reverse(d)); let s = pushed(stone, S, reverse(d))
        move ray(c, d) to reverse(d) replacing
        check(x, o, s)
      }
      wind d in directions(cell) {
        wind = d
        let x = pushed(mark[X], mark, d); let o = pushed(mark[O], mark, d); let s = pushed(stone, mark, d)
        move mark to wind replacing
        check(x, o, s)
      }
      ahead c in cell {
        let S = {c}
        let x = pushed(mark[X], S, WIND); let o = pushed(mark[O], S, WIND); let s = pushed(stone, S, WIND)
        move c to WIND replacing
        check(x, o, s)
      }
      turn_over c in cell {
        let S = around(c)
        let x = turned(mark[X], mark[O], S); let o = turned(mark[O], mark[X], S); let s = stone
        swap mark[X], mark[O] among S
        check(x, o, s)
      }
      all { let x = mark[X]; let o = mark[O]; let s = stone; swap mark[me], stone; check(if me == X then s else x, if me == O then s else o, if me == X then x else o) }
      add c in empty { put mark[me] at c }
    }
  }
  end late when turns[me] > 12 and me == O
  score { marks: count(mark[me]) }
}"#;

#[test]
fn both_executors_push_and_turn_over_as_it_is_defined() {
    let boards = [
        ("grid(4, 5)", "north"),
        ("grid(4, 3, wrap: true)", "southwest"),
        ("hexagon(3)", "east"),
        ("track(9, wrap: true)", "back"),
    ];
    for (board, wind) in boards {
        let game = game(&PUSHED.replace("BOARD", board).replace("WIND", wind));
        for index in 0..extent::tries(10, 25) {
            assert_eq!(agree(&game, 6, index, 200), Came::Over, "{board}");
        }
        same_in_both_modes(&game, 7, 25);
    }
}

#[test]
fn on_a_family_of_boards_the_pieces_of_one_board_are_pushed() {
    let rules = r#"game "Sheets" {
      players X, O
      board sheet[1..2] = grid(3, 3)
      piece mark[player]
      var failed: 0..1 = 1
      setup { for s in 1..2 { put mark[s, X] at @a1; put mark[s, O] at @b1 } }
      turn {
        choose {
          named s in 1..2 { move mark[s] to east; if count(mark[3 - s]) != 2 or mark[s] & column(1) is some { failed += 1 } done }
          written s in 1..2 {
            let before = mark[3 - s]
            let x = mark[s, X]
            move column(1) on sheet[s] to north
            swap mark[s, X], mark[s, O] among row(2)
            if mark[3 - s] != before or mark[s, O] & row(2) != shift(x & column(1), north) & row(2) { failed += 1 }
          }
        }
        done
      }
      end early when turns[me] == 1 and me == O
    }"#;
    let game = game(rules);
    for index in 0..20 {
        assert_eq!(agree(&game, 6, index, 50), Came::Over);
    }
    same_in_both_modes(&game, 7, 10);
}
