//! Zones: every element is in exactly one zone, whatever the rules do. Also tests drawing, dealing and
//! moving.

use crate::agree::{Came, agree, same_in_both_modes};
use crate::extent;
use crate::states::{set, slot};
use houserule::game::{Game, State};
use houserule::loader::{Request, load_text};
use houserule::model::{Content, Role, SlotId, Value};

/// A pack of cards: a stock, hands, a pile for each suit, and a face-down discard.
const CARDS: &str = r#"
game "Cards" {
  players 2..3
  enum suit { clubs, hearts, spades }
  domain card { suit: suit, rank: 1..5, copy: 1..2 }
  domain tile { low: 0..2, high: low..2 }
  zone bag of tile seen by none
  zone rack[player, 1..2] of tile seen by owner
  zone stock of card seen by none
  zone hand[player] of card seen by owner
  zone pile[suit] of card seen by all
  zone aside of card seen by none
  domain coin = 1..3
  zone bank of coin
  zone pot of coin
  var points[player]: 0..200 = 0

  setup {
    shuffle stock
    deal 4 from stock to hand
    deal 1 from bag to rack[lowest(players), 2]
    move lowest(bag) to rack[highest(players), 1]
  }
  turn {
    draw top from stock | aside to hand[me]
    choose card {
      play c in hand[me], p in 1..2 where c.rank > p or pile[c.suit] is nothing {
        move c to pile[c.suit]
        if owner(lowest(tile)) == me { points[me] += p }
        draw t from bag to rack[me, p]
        if t is some and t.low == 0 { move rack[me, p] to bag }
      }
      discard c in hand[me] { move pot to bank; move c to aside; move pile[clubs] to aside }
      clear s in suit where count(pile[s]) > 2 { move pile[s] to stock; move aside to stock; move bank to pot }
    }
  }
  end when hand[me] is nothing or points[me] > 20
  end long when turns[me] > 40
  score { points: points[me], cards: count(hand[me]) }
}"#;

fn cards(players: u32) -> Game {
    let request = Request { players: Some(players), ..Request::default() };
    load_text("cards", CARDS, &request).unwrap_or_else(|error| panic!("{error}")).game
}

#[test]
fn every_player_is_dealt_the_same_number() {
    const RULES: &str = r#"
game "Deal" {
  players 4
  domain card = 1..24
  zone pack of card seen by none
  zone hand[player] of card seen by owner
  setup { deal count(pack) / count(players) from pack to hand }
  turn { choose { play c in hand[me] { move c to pack } } }
  end late when turns[me] > 2
  score { cards: count(hand[me]) }
}"#;
    let game = load_text("deal", RULES, &Request::default()).unwrap_or_else(|error| panic!("{error}")).game;
    let state = game.start(1, 0).expect("it starts");
    assert_eq!([0, 1, 2, 3].map(|player| set(&state, "hand", player).len()), [6; 4]);
}

/// Asserts that every element of every domain with zones is in exactly one zone.
fn whole(state: &State) {
    let model = state.game().model();
    for first in model.slots.iter().filter(|slot| slot.role == Role::Zone) {
        let Content::Set(domain) = first.content else { panic!("a zone is a set") };
        let mut count = 0;
        let mut all = houserule::board::BitSet::empty(model.domains[domain.index()].size);
        let same = |slot: &houserule::model::Slot| slot.role == Role::Zone && slot.content == first.content;
        for (at, slot) in model.slots.iter().enumerate().filter(|(_, slot)| same(slot)) {
            for place in 0..slot.initial.len() {
                let Value::Set(lying) = state.value(SlotId(at as u32), place) else { panic!("a set") };
                count += lying.len();
                all = all.union(&lying);
            }
        }
        assert_eq!((count, all.len()), (all.size(), all.size()), "{}", state.position());
    }
}

#[test]
fn both_executors_move_and_draw_alike() {
    for players in [2, 3] {
        let game = cards(players);
        for index in 0..extent::tries(20, 60) {
            assert_ne!(agree(&game, 3, index, 400), Came::Failed);
        }
    }
}

#[test]
fn every_element_lies_in_one_zone() {
    let game = cards(3);
    for index in 0..100 {
        let mut state = game.start(5, index).expect("it starts");
        for _ in 0..200 {
            whole(&state);
            let Some(action) = state.random_action() else { break };
            state.apply(action).expect("it is legal");
        }
    }
}

#[test]
fn games_are_the_same_in_both_modes() {
    same_in_both_modes(&cards(2), 9, 40);
}

#[test]
fn what_is_dealt_is_drawn_evenly() {
    let game = cards(2);
    let hand = slot(&game, "hand");
    let mut times = [0u32; 30];
    let games = 6000;
    for index in 0..games {
        let state = game.start(1, index).expect("it starts");
        let Value::Set(held) = state.value(hand, 1) else { panic!("a set") };
        held.iter().for_each(|card| times[card as usize] += 1);
    }
    // Each player gets 4 of 30 cards, and the first player draws a third card before the choice.
    let expected = games as f64 * 4.0 / 30.0;
    let chi: f64 = times.iter().map(|n| (f64::from(*n) - expected).powi(2) / expected).sum();
    // With 29 degrees of freedom, 0.001 of all samples are above 58.
    assert!(chi < 58.3, "{chi}: {times:?}");
}

#[test]
fn a_position_says_where_everything_lies() {
    let game = cards(2);
    let mut state = game.start(2, 0).expect("it starts");
    for _ in 0..7 {
        let action = state.random_action().expect("an action");
        state.apply(action).expect("it is legal");
    }
    let there = game.position(&state.position()).expect("its own position");
    for name in ["stock", "hand", "pile", "aside", "bag", "rack"] {
        let at = slot(&game, name);
        if name == "stock" || name == "hand" {
            // The turn begins again, and draws a card.
            continue;
        }
        for place in 0..game.model().slots[at.index()].initial.len() {
            assert_eq!(there.value(at, place), state.value(at, place), "{name}[{place}]");
        }
    }
    whole(&there);
    // Elements that the position doesn't name are in the first zone.
    let state = game.position("pile[clubs] = {clubs-1-1, hearts-5-2}").expect("a position");
    whole(&state);
    let twice = game.position("pile[clubs] = {clubs-1-1}\nhand = {clubs-1-1} {}").expect_err("it lies twice");
    assert_eq!(twice[0].to_string(), "`clubs-1-1` lies in two zones");
    let nowhere = game.position("bag = {0-0}").expect_err("most tiles lie nowhere");
    assert_eq!(nowhere[0].to_string(), "`0-1` lies in no zone");
}
