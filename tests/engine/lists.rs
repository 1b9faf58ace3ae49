//! Comparisons of lists say the same as comparisons of their values one by one, in both executors.

use crate::agree::{Came, agree, same_in_both_modes};
use crate::extent;
use crate::rules::game;
use houserule::game::Seat;

/// Every score counts pairs of cards in hands, first with lists and then without.
const CARDS: &str = r#"game "Lists" {
  players 2
  enum suit { clubs, hearts, spades }
  domain card { suit: suit, rank: 1..4 } | { joker, fool }
  zone stock of card seen by none
  zone hand[player] of card
  zone pile of card ordered
  var led: suit = clubs
  var large: int = 1000000007

  define strength(c) = (c.suit == led, c.rank * large)
  define counts(c)   = if c.suit == led then 1 else 0
  define plain       = { c in hand where c.rank is some }

  setup { deal 4 from stock to hand; draw c from stock to pile }
  turn {
    choose {
      beat c in hand[me] where (c.suit == led, c.rank) > (top(pile).suit == led, top(pile).rank) { move c to pile }
      same c in hand[me] where (c.suit, c.rank) != (top(pile).suit, top(pile).rank) { led = if c.suit is some then c.suit else led; move c to pile }
      fetch where stock is some { draw c from stock to hand[me] }
    }
    if (count(hand[me]), count(hand[other])) <= (1, 2) { for c in top(pile) { move c to hand[me] } }
  }
  end when turns[me] > 6
  score {
    more: sum x in plain: count y in plain: (counts(x), x.rank) > (counts(y), y.rank),
    more_slowly: sum x in plain: count y in plain: counts(x) > counts(y) or counts(x) == counts(y) and x.rank > y.rank,
    less: sum x in plain: count y in plain: (x.rank, counts(x), 3) <= (y.rank, counts(y), 3),
    less_slowly: sum x in plain: count y in plain: x.rank < y.rank or x.rank == y.rank and counts(x) <= counts(y),
    same: sum x in hand: count y in hand: (x.suit, x.rank) == (y.suit, y.rank),
    same_slowly: sum x in hand: count y in hand: x.suit == y.suit and x.rank == y.rank,
    other: sum x in hand: count y in hand: (x, 2) != (y, 2),
    other_slowly: sum x in hand: count y in hand: x != y,
    best: sum x in hand where x.rank is some: if (all y in hand where y.rank is some: strength(x) >= strength(y)) then x.rank else 0,
    best_slowly: sum x in (all best y in hand where y.rank is some by strength(y)) where x.rank is some: x.rank,
  }
}"#;

#[test]
fn lists_compare_as_their_values_do() {
    let game = game(CARDS);
    let mut some = 0;
    for index in 0..extent::tries(12, 40) {
        assert_eq!(agree(&game, 3, index, u32::MAX), Came::Over);
        let mut state = game.start(3, index).expect("it starts");
        while let Some(action) = state.random_action() {
            state.apply(action).expect("it is legal");
        }
        let scores = state.scores(Seat(0)).expect("it has a score");
        for pair in scores.chunks(2) {
            assert_eq!(pair[0], pair[1], "{scores:?}");
            some += u32::from(pair[0] > 0);
        }
    }
    assert!(some > extent::tries(45, 150), "{some}");
    same_in_both_modes(&game, 3, 40);
}
