//! `lowest(x in S: e, n)` and `highest(x in S: e, n)`: the nth of several numbers.

#![allow(clippy::unwrap_used)]

use crate::agree::{Came, agree, same_in_both_modes};
use crate::extent;
use crate::rules::game;

/// Piles that grow by chance. Each pile's number counts, with where it stands among the others.
const PILES: &str = r#"game "Piles" {
  players 2
  domain pile = 1..5
  dice die: 2 of d5
  var height[player, pile]: -9..99 = [player 1: [1: 2, 2: 2, 3: -3, 4: 0, 5: 7], player 2: [1..5: 1]]
  var n: 0..9 = 0
  var failed: 0..1 = 1                       // a test that fails ends the game with an error
  define up(p, at) = lowest(k in pile: height[p, k], at)
  define down(p, at) = highest(k in pile where k != 3: height[p, k] * 2, at)
  turn {
    roll die
    height[me, die[1]] += die[2]
    n = turns[me] % 7
    if (sum m in 1..5: up(me, m)) != (sum k in pile: height[me, k]) { failed += 1 }
    if (sum m in 1..5: down(me, m)) != (sum k in pile where k != 3: 2 * height[me, k]) { failed += 1 }
    if any m in 1..4: up(me, m) > up(me, m + 1) { failed += 1 }
    if any m in 1..3: down(me, m) < down(me, m + 1) { failed += 1 }
    if up(me, 1) != (min k in pile: height[me, k]) or down(me, 5) != 0 { failed += 1 }
    if n in 1..5 and up(me, n) != lowest(k in pile: height[me, k], n) { failed += 1 }
    if (n == 0 or n == 6) and up(me, n) != 0 { failed += 1 }
    choose { go { } }
  }
  end when turns[me] == 9 and me == player 2
  score { failed: failed second: up(me, 2) changing: 100 * up(me, n) third: down(me, 3) }
  winner most(lowest(k in pile: height[me, k], 1..5))
}"#;

#[test]
fn both_executors_order_numbers_alike() {
    let game = game(PILES);
    for index in 0..extent::tries(15, 40) {
        assert_eq!(agree(&game, 3, index, 200), Came::Over);
    }
    same_in_both_modes(&game, 4, 40);
}
