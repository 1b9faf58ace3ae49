//! `swap`: zones and variables change places, and players go on knowing what they saw of hidden zones.

use crate::agree::{Came, agree, same_in_both_modes};
use crate::hidden::shows_nothing_hidden;
use crate::rules::game;
use crate::states::{apply, number, position, set, value};
use houserule::model::Value;

/// Hands, a hidden zone, an open zone, ordered zones and variables that are swapped.
const CARDS: &str = r#"game "Swapped cards" {
  players 3
  domain card = 1..12
  zone stock of card ordered seen by none
  zone hand[player] of card seen by owner
  zone pile[1..2] of card ordered seen by top
  zone aside of card seen by none
  zone open of card
  var n[1..3]: 0..9 = [1: 3, 2: 5, 3: 7]
  var best: 1..9? = none
  var worst: 1..9? = 4
  var marks[player]: set of card = {}
  setup { deal 2 from stock to hand; deal 2 from stock to pile[1]; deal 1 from stock to pile[2] }
  turn {
    choose {
      trade p in players { swap hand[me], hand[p] }
      lay { swap hand[me], open }
      bury { swap aside, hand[me] }
      turn_over { swap pile[1], pile[2] }
      take k in 1..2 { swap pile[k], hand[me] }
      pack k in 1..2 { swap stock, pile[k] }
      look p in players { reveal hand[p] to me }
      peek { if aside is some { reveal aside to me } }
      draw_one { draw c from stock to hand[me] }
      mark p in players { marks[me] += hand[me]; swap marks[me], marks[p]; swap best, worst }
      turn_numbers a in 1..3, b in 1..3 { swap n[a], n[b]; swap n[n[1] % 3 + 1], n[1] }
    }
  }
  end when turns[me] > 6
  score { held: count(hand[me]), first: n[1] }
}"#;

/// Zones of copies that are swapped.
const CUBES: &str = r#"game "Swapped cubes" {
  players 2
  enum colour { red, blue, green }
  zone bag of colour = [red: 4, blue: 3, green: 2] seen by none
  zone hand[player] of colour seen by owner
  zone market of colour = [green: 1]
  zone aside of colour seen by none
  setup { deal 3 from bag to hand }
  turn {
    choose {
      fetch where bag is some { draw c from bag to hand[me] }
      trade { swap hand[me], hand[other] }
      itself { swap hand[me], hand[me] }
      sell { swap hand[me], market }
      hide { swap hand[me], aside }
      pass { }
      lay k in hand[me] { move k from hand[me] to market }
      look where hand[other] is some { reveal hand[other] to me }
    }
  }
  end when turns[me] > 5 or bag is nothing
  score { cubes: count(hand[me]) }
}"#;

#[test]
fn both_executors_swap_alike() {
    for rules in [CARDS, CUBES] {
        let game = game(rules);
        for index in 0..40 {
            assert_eq!(agree(&game, 5, index, u32::MAX), Came::Over);
        }
        same_in_both_modes(&game, 5, 40);
    }
}

#[test]
fn swapped_zones_show_nothing_hidden() {
    for (rules, games) in [(CARDS, 20), (CUBES, 120)] {
        shows_nothing_hidden(&game(rules), games, |_, _, _| {});
    }
}

/// Each player knows the cards of the own hand where they go, and nobody else does.
#[test]
fn a_player_goes_on_knowing_the_cards_of_a_hand() {
    let game = game(CARDS);
    let mut state = game.start(1, 0).expect("it starts");
    let hands: Vec<Vec<u32>> = (0..3).map(|player| set(&state, "hand", player)).collect();
    apply(&mut state, "trade player-2");
    assert_eq!(set(&state, "hand", 0), hands[1]);
    assert_eq!(set(&state, "hand", 1), hands[0]);
    for (player, other) in [(0, 0), (1, 1)] {
        let known = set(&state, "known card", player);
        assert!(hands[other].iter().all(|card| known.contains(card)), "{known:?}");
    }
    let third = set(&state, "known card", 2);
    assert!(hands.concat().iter().all(|card| !third.contains(card) || hands[2].contains(card)), "{third:?}");
    // Player 2 puts the hand away, and nobody forgets where its cards are.
    apply(&mut state, "bury");
    assert_eq!(set(&state, "aside", 0), hands[0]);
    for player in 0..2 {
        let known = set(&state, "known card", player);
        assert!(hands[0].iter().all(|card| known.contains(card)), "{known:?}");
    }
    // What one player was shown goes along too.
    apply(&mut state, "look player-1");
    apply(&mut state, "trade player-3");
    assert_eq!(set(&state, "hand", 2), hands[1]);
    assert!(hands[1].iter().all(|card| set(&state, "known card", 2).contains(card)));
}

/// Ordered zones keep their order, each in its new place.
#[test]
fn piles_keep_their_order() {
    let game = game(CARDS);
    let state = game.start(1, 0).expect("it starts");
    let before = state.position();
    let line = |text: &str, name: &str| {
        text.lines().find(|line| line.starts_with(name)).map(str::to_owned).expect("the zone")
    };
    let mut state = position(&game, &before);
    let pile = |text: &str| line(text, "pile = ");
    let (first, second) = pile(&before)
        .trim_start_matches("pile = ")
        .split_once("] ")
        .map(|(one, other)| (format!("{one}]"), other.to_owned()))
        .expect("two piles");
    apply(&mut state, "turn_over");
    assert_eq!(pile(&state.position()), format!("pile = {second} {first}"));
}

#[test]
fn copies_change_places_by_their_numbers() {
    let game = game(CUBES);
    let mut state = position(&game, "bag = 3 2 0\nhand = 1 1 0 0 0 2\nmarket = 0 0 1");
    let hands = |state: &_| (0..6).map(|place| number(state, "hand", place)).collect::<Vec<i64>>();
    let before = hands(&state);
    apply(&mut state, "itself");
    assert_eq!(hands(&state), before);
    let mut traded = state.clone();
    apply(&mut traded, "trade");
    let after = hands(&traded);
    assert_eq!((&after[..3], &after[3..]), (&before[3..], &before[..3]));
    // What each had, each knows to be in the other hand: `known hand[player, player, colour]`.
    let known = |player: usize, owner: usize, kind: usize| {
        number(&traded, "known hand", player * 6 + owner * 3 + kind)
    };
    for kind in 0..3 {
        assert_eq!(known(0, 1, kind), before[kind], "player 1 knows what player 2 has now");
        assert_eq!(known(1, 0, kind), before[3 + kind], "player 2 knows what player 1 had then");
    }
}

#[test]
fn variables_change_their_values() {
    let game = game(CARDS);
    let mut state = game.start(1, 0).expect("it starts");
    // 3 5 7 becomes 5 3 7, and then cell 5 % 3 + 1 changes places with the first: 7 3 5.
    apply(&mut state, "turn_numbers 1 2");
    assert_eq!([0, 1, 2].map(|place| number(&state, "n", place)), [7, 3, 5]);
    let hand = set(&state, "hand", 1);
    apply(&mut state, "mark player-1");
    assert_eq!(set(&state, "marks", 0), hand);
    assert_eq!(value(&state, "best", 0), Value::Element(Some(3)));
    assert_eq!(value(&state, "worst", 0), Value::Element(None));
}
