//! Tables and fields that hold sets.

use crate::agree::{Came, agree, same_in_both_modes};
use crate::extent;
use crate::hidden::shows_nothing_hidden;
use crate::rules::game as made;
use houserule::model::DomainKind;

/// Tiles that cover shapes on a board, and cards that show several gems.
const SHAPES: &str = r#"game "Shapes" {
  players A, B
  board cell = grid(4, 4)
  enum tile { corner, bar, dot }
  enum gem { red, blue, green }
  piece mark[player] on cell
  table near[tile]: set of direction = [corner: {north, east}, bar: {north, south}, dot: {}]
  table home[player, 1..2]: set of cell = [A: [1: {@a1, @b1}, 2: {@a2}], B: [1: {@d4, @c4}]]
  domain card { cost: 1..3, shows: set of gem } = [
    mine: (1, {red, blue}) "a mine in the hills",
    bank: (2, green),
    road: (3, {}),
    mill: (1, {red, green}),
    pier: (2, blue),
    port: (3, {red, blue, green}),
  ] | { joker }
  zone stock of card seen by none
  zone hand[player] of card seen by owner
  zone built[player] of card
  zone tiles of tile
  var points[player]: 0..99 = 0
  setup { deal 2 from stock to hand }
  turn {
    choose {
      lay t in tiles, c in cell where c in empty and (any d in near[t]: shift(c, d) in empty) {
        put mark[me] at c
        points[me] += count(near[t])
      }
      settle n in 1..2, c in home[me, n] & empty { put mark[me] at c; points[me] += n }
      build c in hand[me] where red in c.shows or count(c.shows) == 1 {
        move c to built[me]
        points[me] += count(c.shows & (union b in built[me]: b.shows))
      }
      pass
    }
  }
  end late of round when round > 10
  score { points: points[me], first: count(home[A, 1]) + count(mine.shows) }
}"#;

#[test]
fn both_executors_read_sets_in_tables_alike() {
    let game = made(SHAPES);
    for index in 0..extent::tries(20, 60) {
        assert_ne!(agree(&game, 7, index, 200), Came::Failed);
    }
    same_in_both_modes(&game, 8, 40);
    shows_nothing_hidden(&game, 40, |_, _, _| {});
}

#[test]
fn an_element_without_the_field_has_an_empty_set() {
    let game = made(SHAPES);
    let card = game.model().domains.iter().find(|domain| domain.name == "card").expect("a domain");
    let DomainKind::Record { sets, .. } = &card.kind else { panic!("a record") };
    let sizes: Vec<u32> = sets[0].values.iter().map(|set| set.len()).collect();
    assert_eq!((sets[0].name.as_str(), sizes), ("shows", vec![2, 1, 0, 2, 1, 3, 0]));
}
