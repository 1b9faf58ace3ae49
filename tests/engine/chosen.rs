//! What a condition or several keys choose: the zone to which something goes, and the best element.

use crate::agree::{Came, agree, same_in_both_modes};
use crate::rules::game;
use crate::states::{apply, number, position, set};
use houserule::game::State;

/// Elements and copies go to one of several zones.
const ZONES: &str = r#"game "Either" {
  players 2
  domain card = 1..8
  enum cube { red, blue }
  zone pack of card ordered seen by none
  zone hand[player] of card seen by owner
  zone high of card ordered
  zone low of card ordered
  zone bag of cube = [red: 4, blue: 3] seen by none
  zone box[player] of cube
  zone tray of cube
  var best_of: player? = none
  setup { deal 2 from pack to hand }
  turn {
    choose {
      lay c in hand[me] { move c to (if c > 4 then high else low) }
      tuck c in hand[me] { move c to bottom of (if c > 6 then high else if c < 3 then low else pack) }
      fetch where pack is some { draw c from pack to (if count(hand[me]) > 2 then low else hand[me]) }
      upper { draw c from (if count(high) > count(low) then high else low) to bottom of pack }
      spread { deal 2 from pack to (if count(low) < 2 then low else high) }
      name { best_of = me }
      pay k in cube where k in bag { move k from bag to (if best_of is some then box[best_of] else tray) }
      pull { draw k from bag to (if k_goes_home then box[me] else tray); if k is some { best_of = none } }
      empty_box { move box[me] to (if best_of is some then tray else bag) }
    }
  }
  define k_goes_home = count(tray) > 1
  end when turns[me] > 12
  score { high: sum c in high: c, low: 0 - count(low), box: count(box[me]) }
}"#;

#[test]
fn both_executors_choose_the_same_zone() {
    let game = game(ZONES);
    for index in 0..60 {
        assert_eq!(agree(&game, 3, index, u32::MAX), Came::Over);
    }
    same_in_both_modes(&game, 5, 40);
}

#[test]
fn a_zone_is_chosen_before_the_move() {
    let text = "pack = [7, 8]\nhand = {1, 2, 5} {3}\nhigh = [4]\nlow = [6]\ntray = 2 0\nbag = 2 3";
    let after = |actions: &[&str]| -> State {
        let mut state = position(&game(ZONES), &format!("{text}\nmover = player-1"));
        state.begin_here(1, 0, true).expect("it begins");
        actions.iter().for_each(|action| apply(&mut state, action));
        state
    };
    assert_eq!(set(&after(&["lay 5"]), "high", 0), [3, 4]);
    assert_eq!(set(&after(&["lay 1"]), "low", 0), [0, 5]);
    assert_eq!(set(&after(&["tuck 5"]), "pack", 0), [4, 6, 7]);
    assert_eq!(set(&after(&["fetch"]), "low", 0), [5, 6], "the hand is full");
    assert_eq!(set(&after(&["tuck 1", "fetch"]), "hand", 1), [2, 6], "the hand is not");
    assert_eq!(set(&after(&["upper"]), "pack", 0), [5, 6, 7], "of equal piles the other");
    assert_eq!(set(&after(&["lay 5", "upper"]), "pack", 0), [4, 6, 7], "the top");
    let paid = after(&["name", "pay red"]);
    assert_eq!(number(&paid, "box", 0), 1, "the player who was named");
    assert_eq!(number(&after(&["pay red"]), "tray", 0), 3);
}

/// Keys of known ranges, of unknown ranges, truth values and negative numbers.
const KEYS: &str = r#"game "Keys" {
  players 3
  enum suit { clubs, hearts, spades }
  domain card { rank: 1..4, suit: suit }
  zone pack of card seen by none
  zone hand[player] of card
  var led: suit = clubs
  var owed[player]: int
  var paid[player]: int
  var won[player]: 0..999 = 0
  table strength[suit]: 1..3 = [clubs: 2, hearts: 3, spades: 1]
  setup { deal 4 from pack to hand }
  turn {
    choose {
      lead s in suit, n in 1..3 { led = s; owed[me] = n - 2; paid[after(me)] = 0 - n }
      wait { }
    }
    let first = best c in hand by (c.suit == led, c.rank)
    if first is some { won[me] = first.rank * 10 + strength[first.suit] }
    let second = best c in hand[me] where c.rank < 4 by (-c.rank, strength[c.suit], c == first)
    if second is some { won[after(me)] = second.rank * 10 + strength[second.suit] }
    let third = best p in players by (owed[p], paid[p], -count(hand[p]), p == me)
    won[third] += 1
    let many = best p in players by (count(hand[p]), owed[p] * paid[p])
    won[many] += 2
  }
  end when turns[me] == 6 and me == player 3
  score { won: won[me] }
}"#;

#[test]
fn both_executors_find_the_same_best() {
    let game = game(KEYS);
    for index in 0..60 {
        assert_eq!(agree(&game, 3, index, u32::MAX), Came::Over);
    }
    same_in_both_modes(&game, 5, 40);
}

/// The first key decides; of equals the second, and so on; of all that are equal, the first element is best.
#[test]
fn keys_decide_in_their_order() {
    let text = "hand = {1-hearts, 3-clubs, 4-spades, 2-clubs} {2-hearts, 3-hearts, 4-hearts} {1-clubs}";
    let after = |action: &str| {
        let mut state = position(&game(KEYS), &format!("{text}\nmover = player-1"));
        state.begin_here(1, 0, true).expect("it begins");
        apply(&mut state, action);
        [0, 1, 2].map(|player| number(&state, "won", player))
    };
    // 3-clubs leads, and is worth 32; then 1-hearts, 13; owed is 1, which wins, and paid decides nothing.
    assert_eq!(after("lead clubs 3"), [32 + 1 + 2, 13, 0]);
    // 4-hearts is the highest heart. Nobody owes and paid of the second is less; of the others the third has fewer
    // cards.
    assert_eq!(after("lead hearts 2"), [43 + 2, 13, 1]);
    // The first owes less than the others, of which the second pays less.
    assert_eq!(after("lead spades 1"), [41 + 2, 13, 1]);
}

const ALL_BEST: &str = r#"game "All best" {
  players 4
  enum suit { clubs, hearts }
  domain card { rank: 1..6, suit: suit }
  zone pack of card seen by none
  zone hand[player] of card
  var owed[player]: int
  var shared[player]: 0..99
  var best_cards: set of card = {}
  setup { deal 3 from pack to hand }
  turn {
    choose { owe n in 1..5 { owed[me] = n - 3 } }
    for p in all best p in players by owed[p] { shared[p] += 1 }
    for p in all best p in players where p != me by (owed[p], -count(hand[p]), p == after(me)) { shared[p] += 1 }
    best_cards = all best c in hand by (c.suit == hearts, c.rank / 2)
    move all best c in hand[me] by c.rank to pack
    if (all best p in players & {} by owed[p]) is some { shared[me] = 99 }
  }
  end of round when round == 2: win all best p in players by shared[p]
}"#;

/// Both executors find the same sets, with keys of known and of unknown ranges.
#[test]
fn all_that_are_best_are_found() {
    let game = game(ALL_BEST);
    for index in 0..60 {
        assert_eq!(agree(&game, 3, index, u32::MAX), Came::Over);
    }
    same_in_both_modes(&game, 5, 40);
    let mut state = game.start(1, 0).expect("it begins");
    apply(&mut state, "owe 4");
    let shared = |state: &State| [0, 1, 2, 3].map(|player| number(state, "shared", player));
    // The first alone owes most; of the others, who owe nothing and hold three cards, the second is next.
    assert_eq!(shared(&state), [1, 1, 0, 0]);
    apply(&mut state, "owe 4");
    // Two owe most. Of those but the mover the first does.
    assert_eq!(shared(&state), [3, 2, 0, 0]);
}

#[test]
fn a_truth_value_alone_is_a_key() {
    let text = "game \"Next\" {
        players 3
        var won[player]: 0..9 = 0
        turn { choose { go { } } let who = best p in players by p == after(me) won[who] += 1 }
        end when turns[me] == 3
        score { won: won[me] }
    }";
    let game = game(text);
    let mut state = game.start(1, 0).expect("it begins");
    apply(&mut state, "go");
    assert_eq!([0, 1, 2].map(|player| number(&state, "won", player)), [0, 1, 0]);
    assert_eq!(agree(&game, 3, 0, u32::MAX), Came::Over);
}
