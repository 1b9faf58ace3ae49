//! `each player of S from p until C`: players act in turn, and who has left the set is skipped.

use crate::agree::{Came, agree, same_in_both_modes};
use crate::rules::game;
use crate::states::{apply, legal, number, set};
use houserule::game::Seat;

/// Sales in a round, with players who are out of the game, a setup and a lap inside another.
const SALES: &str = r#"game "Sales" {
  players 4
  var coins[player]: 0..9 = 6
  var price: 0..9 = 0
  var bidders: set of player = {}
  var acted[player]: 0..99 = 0
  var wins[player]: 0..30 = 0
  var passes: 0..4 = 0
  define alone = count(bidders) <= 1
  setup { each player of players - player 1 from player 3 as me { choose gift { take n in 1..2 { coins[me] += n } } } }
  round {
    step bid {
      bidders = { p in playing where coins[p] > 0 }
      price = 0
      each player of bidders from starter until alone as me {
        acted[me] += 1
        choose {
          bid n in 1..9 where n > price and n <= coins[me] { price = n }
          drop { bidders -= me }
          drop_both p in bidders - me { bidders -= me; bidders -= p }
          ask where price > 2 { each player of playing from after(me) as me { choose reply { yes { coins[me] = max(coins[me] - 1, 0) } no { } } } bidders -= me }
        }
      }
    }
    step sell { for p in bidders { coins[p] -= min(price, coins[p]); wins[p] += 1; starter = p } }
    step leave {
      passes = 0
      each player of playing until passes == count(playing) as me {
        choose last { out where count(playing) > 1 { playing -= me; passes = 0 } stay { passes += 1 } }
      }
    }
  }
  end late of round when round > 5
  end alone_now of round when count(playing) == 1
  score { wins: wins[me], coins: coins[me], acted: acted[me] }
}"#;

/// A bidding in a turn that a step leaves.
const TURNS: &str = r#"game "Turns" {
  players 3
  var stake[player]: 0..5 = 0 each turn
  var due: set of player = {}
  var live: set of player = {}
  var pots[player]: 0..99 = 0
  define top_stake = max p in players: stake[p]
  turn {
    live = players
    due = players
    step bet {
      each player of due from after(me) until due is nothing or count(live) == 1 as me {
        choose {
          call { stake[me] = top_stake; due -= me }
          raise where top_stake < 5 { stake[me] = top_stake + 1; due = live - me }
          fold { live -= me; due -= me }
          stop where top_stake > 3 { skip }
        }
      }
    }
    pots[lowest_of(live)] += sum p in players: stake[p]
  }
  define lowest_of(s) = if s is some then first(lowest(s)) else me
  define first(p) = if p is some then p else me
  end of round when round > 4
  score { pots: pots[me] }
}"#;

#[test]
fn both_executors_go_around_alike() {
    for rules in [SALES, TURNS] {
        let game = game(rules);
        for index in 0..60 {
            assert_eq!(agree(&game, 7, index, u32::MAX), Came::Over);
        }
        same_in_both_modes(&game, 7, 40);
    }
}

#[test]
fn who_has_left_is_skipped_until_the_condition_holds() {
    let game = game(SALES);
    let mut state = game.start(1, 0).expect("it starts");
    // The setup begins with player 3, and leaves player 1 out.
    for (player, coins) in [(2, 2), (3, 1), (1, 1)] {
        assert_eq!(state.current_player(), Some(Seat(player)));
        apply(&mut state, &format!("take {coins}"));
    }
    assert_eq!([0, 1, 2, 3].map(|p| number(&state, "coins", p)), [6, 7, 8, 7]);
    let mut acted = |action: &str, player: u32| {
        assert_eq!(state.current_player(), Some(Seat(player)), "before {action}: {:?}", legal(&state));
        apply(&mut state, action);
    };
    acted("bid 2", 0);
    acted("drop", 1);
    acted("bid 4", 2);
    acted("bid 5", 3);
    // Player 2 is skipped.
    acted("drop", 0);
    acted("bid 6", 2);
    acted("drop", 3);
    // One is left, who is asked no more. Then all are asked until all stay.
    for player in [0, 1] {
        acted("stay", player);
    }
    acted("out", 2);
    acted("stay", 3);
    acted("stay", 0);
    acted("stay", 1);
    assert_eq!([0, 1, 2, 3].map(|p| number(&state, "wins", p)), [0, 0, 1, 0]);
    assert_eq!(number(&state, "coins", 2), 2);
    assert_eq!(set(&state, "playing", 0), [0, 1, 3]);
    // The starter, player 3, has left, so the next player begins.
    assert_eq!(state.current_player(), Some(Seat(3)));
}
