//! Families of grids that differ in size: what a smaller board lacks is on no board, for both executors, scripts, drawings
//! and positions.

use super::written;
use crate::agree::{Came, agree};
use crate::states::{legal, value};
use houserule::diagnostic::Code;
use houserule::drawing::{columns, instances, rows};
use houserule::game::State;
use houserule::loader::{LoadError, Request, load_text};
use houserule::model::Value;

/// A pyramid of four boards: a ball lies on level 1, or on four balls below.
const PYRAMID: &str = "game \"Pyramid\" {
  players white, black
  board level[n in 1..4] = grid(5 - n, 5 - n)
  piece ball[player] on level
  var left[player]: 0..15 = 15
  define below(c) = { d in level where column(d) - column(c) in 0..1 and row(d) - row(c) in 0..1 }
  define held(n, c) = n == 1 or count(below(c) & cells(level[n - 1]) - empty[n - 1]) == 4
  turn { choose {
    put n in 1..4, c in empty[n] where held(n, c) { put ball[n, me] at c  left[me] -= 1 }
  } }
  end top when empty[4] is nothing: win me
  score { balls: 15 - left[me] }
}";

fn scores(state: &State) -> Vec<i64> {
    state.score_of_each().unwrap()
}

fn both_agree(text: &str) {
    let game = written(text);
    for index in 0..25 {
        assert_eq!(agree(&game, 5, index, u32::MAX), Came::Over, "game {index}\n{text}");
    }
}

#[test]
fn a_pyramid_is_built_on_boards_of_four_sizes() {
    both_agree(PYRAMID);
    let game = written(PYRAMID);
    let mut state = game.start(1, 0).unwrap();
    assert_eq!(legal(&state).len(), 16, "{:?}", legal(&state));
    while !state.is_over() {
        let action = state.random_action().unwrap();
        state.apply(action).unwrap();
    }
    // The top is on 4 + 9 + 16 balls, of which each is on the four below.
    assert_eq!(scores(&state).iter().sum::<i64>(), 30, "{}", state.position());
}

#[test]
fn parts_of_a_board_are_those_of_its_size() {
    let scored = |item: &str| {
        let text = format!(
            "game \"Parts\" {{ players 1 board level[n in 1..4] = grid(5 - n, 5 - n) piece dot on level
               board pit[player, big in 0..1] = grid(2 + big, 1)
               var k: 1..4 = 2
               turn {{ choose {{ go {{ put dot[1] at cells(level[1]) }} }} }}
               end when turns[me] == 1 score {{ n: {item} }} }}"
        );
        let game = written(&text);
        assert_eq!(agree(&game, 1, 0, u32::MAX), Came::Over, "{item}");
        let mut state = game.start(1, 0).unwrap();
        let action = state.random_action().unwrap();
        state.apply(action).unwrap();
        scores(&state)[0]
    };
    for (item, value) in [
        ("count(cells(level[1]))", 16),
        ("count(cells(level[3]))", 4),
        ("count(cells(level[k]))", 9),
        ("count(cells(level))", 16),
        ("count(edge(level[2]))", 8),
        ("count(edge(level[k]) & edge(level[1]))", 5),
        ("count(corners(level[2]) & row(3))", 2),
        ("count(empty[1])", 0),
        ("count(empty[k + 1])", 4),
        ("count(empty(level[4]))", 1),
        ("count(cells(pit[me, 1])) * 10 + count(cells(pit[me, 0]))", 32),
    ] {
        assert_eq!(scored(item), value, "{item}");
    }
}

/// Puts, moves and clears name sites that a board lacks, from setup on.
#[test]
fn what_a_smaller_board_lacks_is_off_the_board() {
    let text = "game \"Off\" { players X, O
      board floor[n in 1..3] = grid(n, 4 - n)
      piece mark[player] on floor
      setup { put mark[1, X] at cells(floor) replacing  put mark[2, O] at @c3 }
      turn { choose {
        put n in 1..3, c in floor where c not in mark[n, me] { put mark[n, me] at c replacing }
        move n in 1..3, a in mark[n, me], b in floor - a { move a on floor[n] to b replacing }
        across n in 1..3, m in 1..3, a in mark[n, me], b in floor where n != m {
            move a on floor[n] to b on floor[m] replacing }
        clear n in 1..3 { clear empty[n] | row(3) | column(3) }
      } }
      end when turns[me] == 12
      score { marks: count(mark[1, me]) * 100 + count(mark[2, me]) * 10 + count(mark[3, me]) + 1000 * count(empty[3]) }
    }";
    both_agree(text);
    let game = written(text);
    let mut state = game.start(1, 0).unwrap();
    let count = |state: &State, name: &str, place: usize| match value(state, name, place) {
        Value::Set(set) => set.len(),
        other => panic!("{name}: {other:?}"),
    };
    // The floors have 1 × 3, 2 × 2 and 3 × 1 sites.
    assert_eq!([0, 1, 2].map(|floor| count(&state, "empty", floor)), [0, 4, 3]);
    assert_eq!((count(&state, "mark", 0), count(&state, "mark", 3)), (3, 0));
    let across = state.game().parse_action("across 1 2 a1 c3").unwrap();
    // A piece that would go off the board stays.
    state.apply(across).unwrap();
    assert_eq!((count(&state, "mark", 0), count(&state, "mark", 2)), (3, 0));
}

#[test]
fn each_board_is_drawn_and_read_in_its_size() {
    let game = written(PYRAMID);
    let mut state = game.start(3, 0).unwrap();
    for _ in 0..20 {
        let action = state.random_action().unwrap();
        state.apply(action).unwrap();
    }
    let boards = &game.model().boards;
    let sizes: Vec<usize> = instances(&game)
        .iter()
        .map(|one| rows(&boards[one.board.index()], one.number).iter().map(|row| row.sites.len()).sum())
        .collect();
    assert_eq!(sizes, [16, 9, 4, 1]);
    let named =
        instances(&game).into_iter().map(|one| columns(&boards[one.board.index()], one.number).concat());
    assert_eq!(named.collect::<Vec<_>>(), ["abcd", "abc", "ab", "a"]);
    let position = state.position();
    assert_eq!(game.position(&position).unwrap().position(), position);
    // A drawing with more rows than the small board has is refused.
    let row = "1 .\n";
    let at = position.rfind(row).unwrap();
    let taller = format!("{}2 .\n{}", &position[..at], &position[at..]);
    assert!(game.position(&taller).is_err(), "{taller}");
}

#[test]
fn scripts_put_nothing_on_what_is_missing() {
    let text = "game \"Script\" { players 1 board level[n in 1..2] = grid(3 - n, 3 - n) piece dot on level
      turn { choose { go { } } }
      end when turns[me] == 1 score { n: count(dot[1]) * 10 + count(dot[2]) + 100 * count(empty[2]) }
      script \"\"\"fn on_go(g) { g.put(\"dot\", 2, g.level); g.put(\"dot\", 1, g.level); }\"\"\" }";
    let game = written(text);
    let mut state = game.start(1, 0).unwrap();
    let action = state.random_action().unwrap();
    state.apply(action).unwrap();
    assert_eq!(scores(&state), [41]);
}

#[test]
fn only_grids_differ_in_size() {
    let codes = |decls: &str| {
        let text = format!(
            "game \"Wrong\" {{ players 1 {decls} turn {{ choose {{ go {{ }} }} }} end when turns[me] == 1 }}"
        );
        match load_text("wrong", &text, &Request::default()) {
            Err(LoadError::Rules { diagnostics, .. }) => {
                diagnostics.iter().map(|d| d.code).collect::<Vec<_>>()
            }
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(codes("board b[n in 1..2] = hex(n, n)"), [Code::WrongArgument]);
    assert_eq!(codes("board b[n in 1..2] = grid(n + 1, n, wrap: true)"), [Code::WrongArgument]);
    assert_eq!(codes("board b[n in 1..2] = grid(n + 1, n + 1) - @a1"), [Code::WrongArgument]);
    assert_eq!(codes("board b[n in 1..2] = grid(n + 1, n + 1) edges side of b"), [Code::EdgesOfNoGrid]);
    assert_eq!(codes("board b[n in 0..2] = grid(n, 3)"), [Code::LimitBoard]);
}

#[test]
fn a_position_that_names_a_missing_site_is_refused_with_the_size() {
    let game = written(&PYRAMID.replace("var left", "var mark: level? = none  var left"));
    let refused = |text: &str| {
        let errors = game.position(text).expect_err(text);
        errors.iter().map(|error| error.to_string()).collect::<Vec<_>>().join("\n")
    };
    let told = refused("mark = e5");
    assert!(told.contains("`e5` is no site of `level`, which has 4 columns and 4 rows"), "{told}");
    let told = refused("ball[2, white] = {a1, d1}");
    assert!(told.contains("`d1` is no site of `level[2]`, which has 3 columns and 3 rows"), "{told}");
    assert!(game.position("ball[2, white] = {a1, c1}").is_ok());
}
