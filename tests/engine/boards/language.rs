//! Language features on boards that aren't grids. Both executors agree.

use super::{legal, play, written};
use crate::agree::{Came, agree};
use crate::states::apply;
use houserule::game::State;

/// Plays games of both executors side by side.
fn both_agree(text: &str) {
    let game = written(text);
    for index in 0..40 {
        assert_eq!(agree(&game, 5, index, u32::MAX), Came::Over, "game {index}\n{text}");
    }
}

/// A game that marks sites at random and scores expressions.
fn scored(board: &str, at: &str, items: &[&str]) -> String {
    let items: Vec<String> = items.iter().zip(1..).map(|(item, n)| format!("item{n}: {item}")).collect();
    format!(
        "game \"Marks\" {{
          players X, O
          {board}
          turn {{ choose mark {{ mark c in empty({at}) {{ put mark[me] at c }} }} }}
          end when empty({at}) is nothing
          score {{ {} }}
        }}",
        items.join(", ")
    )
}

#[test]
fn on_hexagons() {
    both_agree(&scored(
        "board cell = hex(5, 4)\n piece mark[player]",
        "cell",
        &[
            "count(around(mark[me]))",
            "count c in cell: mark[me] & beside(c) is some",
            "longest(mark[me])",
            "longest(mark[me], along: down | diagonal)",
            "lines(mark[me], [1: 1, 2: 3, 3+: 7])",
            "count(runs(mark[me], 3, along: diagonal))",
            "count(reach(row(1), mark[me]))",
            "count(component(@c2, mark[me]))",
            "if connected(mark[me], column(1), column(5)) then 1 else 0",
            "count(shift(mark[me], northwest)) + count(ray(@c2, southeast) & mark[me])",
            "count(mark[me] & (edge | corners)) + count(mark[me] & center(2, 2))",
            "count(rows(mark[me])) + count(columns(mark[me]))",
            "sum c in mark[me]: row(c) * column(c)",
            "count(custodial(mark[me], mark[me], mark[other]))",
            "if cell(2, 3) in mark[me] and longest(mark[me]) >= 3 then 1 else 0",
        ],
    ));
}

#[test]
fn on_graphs() {
    both_agree(&scored(
        "board point = graph(\"a1-d1-g1 a4-b4-c4 a7-d7-g7 b2-d2\", \"a1-a4-a7 d1-d2 b2-b4 hub-d2 r1-r2-r3-r4-r1\")
         piece mark[player]",
        "point",
        &[
            "count(around(mark[me]))",
            "count c in point: mark[me] & beside(c) is some",
            "longest(mark[me])",
            "lines(mark[me], [1: 1, 2: 3, 3+: 7])",
            "count(runs(mark[me], 3))",
            "count(reach({@a1}, mark[me]))",
            "count(component(@d2, mark[me]))",
            "if connected(mark[me], {@a1}, {@hub}) then 1 else 0",
            "if longest(mark[me]) >= 4 then 1 else 0",
            "count(custodial(mark[me], mark[me], mark[other]))",
            "if lowest(mark[me]) in {@a1, @hub} then 1 else 0",
        ],
    ));
}

#[test]
fn on_tracks() {
    for board in ["track(7)", "track(7, wrap: true)"] {
        both_agree(&scored(
            &format!("board field = {board}\n piece mark[player]"),
            "field",
            &[
                "count(around(mark[me]))",
                "longest(mark[me])",
                "count(runs(mark[me], 2))",
                "count(ray(@3, forward) & mark[me]) + count(shift(mark[me], back))",
                "sum c in mark[me]: column(c)",
                "if field(9) is some or cell(4) in mark[me] then 1 else 0",
                "if toward(@7, forward) in mark[me] then 1 else 0",
                "count(component(@3, mark[me]))",
            ],
        ));
    }
}

#[test]
fn on_sides() {
    for from in ["", "from top"] {
        both_agree(&format!(
            "game \"Marks\" {{
              players X, O
              board cell = grid(4, 3) {from}
              edges side of cell
              piece mark[player] on side
              piece box[player] on cell
              var last: side? = none
              turn {{ choose mark {{ mark e in empty(side) {{
                put mark[me] at e
                put box[me] at {{ c in cells(e) where count(edges(c) & mark[me]) >= 3 }}
                last = e
              }} }} }}
              end when empty(side) is nothing
              score {{
                full: count(box[me]),
                touched: count(cells(mark[me])),
                around: count(edges(box[me])),
                shared: count c in empty: edges(c) & edges(@b2) & mark[me] is some,
                named: if @a1n in mark[me] or @b2w in mark[me] then 1 else 0,
                outside: count e in mark[me]: count(cells(e)) == 1,
                last: if last is some then sum c in cells(last): column(c) else 0
              }}
            }}"
        ));
    }
}

#[test]
fn a_family_of_boards_has_a_family_of_sides() {
    let text = "game \"Marks\" {
      players X, O
      board cell[player] = grid(2, 2)
      edges side of cell
      piece line on side
      turn { choose mark { mark e in side - line[me] { put line[me] at e } } }
      end when empty(side) is nothing
      score { closed: count c in cell: edges(c) in line[me] }
    }";
    both_agree(text);
    let game = written(text);
    let mut state = game.start(1, 0).unwrap();
    play(&mut state, &["mark a1-north", "mark a2-south", "mark b1s"]);
    let drawn = "cell[X]:\n  +   +   +\n2\n  +---+   +\n1\n  +   +---+\n    a   b\n";
    assert!(state.position().starts_with(drawn), "{}", state.position());
    assert_eq!(game.position(&state.position()).unwrap().position(), state.position());
}

/// Robots slide until a wall or a robot stops them, and build walls.
const ROBOTS: &str = r#"game "Robots" {
  players 2
  board cell = grid(4, 4)
  edges side of cell
  piece robot[player] on cell
  piece wall on side
  var steps[player]: 0..99 = 0
  setup { put robot[player 1] at @a1; put robot[player 2] at @d4; put wall at {@b1e, @c2n, @a3n} }
  turn {
    choose {
      go a in robot[me], d in directions(cell, four), b in slide(a, d, empty(cell), without: wall) & empty(cell) {
        move a to b
        steps[me] += count(ray(b, d, without: wall))
      }
      build c in empty(side) where count(wall) < 9 { put wall at c }
      otherwise { }
    }
  }
  end when turns[me] == 8
  score { steps: steps[me] }
}"#;

#[test]
fn what_slides_stops_at_links() {
    let game = written(ROBOTS);
    for index in 0..40 {
        assert_eq!(agree(&game, 4, index, u32::MAX), Came::Over);
    }
    let mut state = game.start(1, 0).expect("it starts");
    let goes = |state: &State| -> Vec<String> {
        legal(state).into_iter().filter(|action| action.starts_with("go")).collect()
    };
    // A wall stands at the right side of b1, and one above a3.
    assert_eq!(goes(&state), ["go a1 north a2", "go a1 north a3", "go a1 east b1"]);
    apply(&mut state, "go a1 east b1");
    assert_eq!(goes(&state).len(), 6);
}
