//! Statements that put and clear pieces. Their operands are evaluated on the board before the statement, and
//! both executors leave the same board.

use crate::agree::{Came, agree};
use crate::rules::game;
use crate::states::{apply, number};

/// Pieces that replace others, with sets and indices that depend on the board.
const ONE_BOARD: &str = r#"game "Swaps" {
  players X, O
  board cell = grid(3, 3)
  piece mark[player]
  piece stone
  define theirs = mark[other]
  setup { put mark[X] at @a1; put mark[O] at {@b2, @c3}; put stone at {@a3, @b1} }
  turn {
    choose {
      take { put mark[me] at mark[other] }
      flip c in cell { put mark[if c in mark[X] then O else X] at c }
      petrify { put stone at mark[X] }
      soften { put mark[O] at stone }
      stay { put mark[me] at mark[me] }
      go c in mark[me], d in cell { move c to d }
      wipe { clear theirs }
      place c in empty { put mark[me] at c }
      fill { put mark[me] at empty }
    }
  }
  end when turns[me] == 8
  score { marks: count(mark[me]), free: count(empty), stones: count(stone) }
}"#;

/// The same on a family of boards, with an index that depends on the board.
const SHEETS: &str = r#"game "Sheets" {
  players X, O
  enum colour { red, blue }
  board sheet[colour] = grid(2, 2)
  piece tick on sheet
  piece cross[player] on sheet
  setup { put tick[red] at @a1; put cross[blue, X] at {@a2, @b1} }
  turn {
    choose {
      tick c in cells(sheet) { put tick[if c in tick[red] then blue else red] at c }
      cross c in cells(sheet) { put cross[if c in empty[red] then red else blue, if c in tick[red] then O else me] at c }
      take { put cross[blue, me] at cross[blue, other] }
      cover { put tick[blue] at cross[blue, X] }
      wipe { clear cross[red, me] | tick[red] }
    }
  }
  end when turns[me] == 8
  score { free: count(empty[red]) + count(empty[blue]), own: count(cross[red, me]) }
}"#;

#[test]
fn what_a_statement_names_is_what_stood_there_before_it() {
    for text in [ONE_BOARD, SHEETS] {
        let game = game(text);
        for index in 0..60 {
            assert_eq!(agree(&game, 4, index, u32::MAX), Came::Over);
        }
    }
}

/// Men and kings of two players and stones of nobody; what it costs to stand beside them is paid to their owners.
const OWNERS: &str = r#"game "Owners" {
  players 2..3
  board cell = grid(3, 3)
  enum rank { low, high }
  piece man[player] on cell
  piece king[player, rank] on cell
  piece stone on cell
  var paid[player]: 0..99 = 0
  turn {
    choose {
      man c in empty { put man[me] at c }
      king c in empty, r in rank { put king[me, r] at c }
      stone c in empty { put stone at c }
      hit c in man | king | stone where owner(c) != me and paid[me] < 90 {
        let whose = owner(c)
        clear c
        if whose is some { paid[whose] += 3 }
        for d in around(c) & (man | king) { paid[owner(d)] += 1 }
      }
    }
  }
  end when turns[me] == 9
  score { paid: paid[me], owned: count({ c in cell where owner(c) == me }) }
}"#;

#[test]
fn a_site_belongs_to_the_player_whose_piece_stands_on_it() {
    let game = game(OWNERS);
    for index in 0..40 {
        assert_eq!(agree(&game, 4, index, u32::MAX), Came::Over);
    }
    let mut state = game.start(1, 0).expect("it starts");
    for action in ["man a1", "king a2 high", "stone b1", "hit a1", "hit b1"] {
        apply(&mut state, action);
    }
    // The first player is paid for the man; the second one's king stood beside both.
    assert_eq!([number(&state, "paid", 0), number(&state, "paid", 1)], [3, 2]);
}
