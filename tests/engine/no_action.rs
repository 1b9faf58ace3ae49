//! `no action for p`: does the first choice of a player's turn offer nothing?
#![allow(clippy::unwrap_used)]

use houserule::game::Game;

use crate::agree::{Came, agree};
use crate::rules::{game, played};

/// Who can't step to a neighbour loses; the square behind is gone.
const ISLES: &str = r#"game "Isles" {
  players X, O
  board cell = grid(4, 4)
  piece man[player]
  piece water
  setup { put man[X] at @a1; put man[O] at @d4 }
  turn { choose { step a in man[me], b in around(a) & empty { move a to b; put water at a } } }
  end stuck when no action for other: win me
}"#;

/// A mark must not make a run of three, and who can't set one loses. Tests trials.
const AVOID: &str = r#"game "Avoid" {
  players 2..3
  board cell = grid(3, 3)
  piece mark
  var last: cell? = none each turn
  turn {
    step place {
      choose {
        place c in empty where last is nothing or c in around(last) ensuring longest(mark) < 3 { last = c; put mark at c }
        otherwise { done }
      }
    }
    step more {
      choose { repeat_turn where count(mark) % 2 == 1 { again } pass }
    }
  }
  end stuck when no action for after(me): win me
}"#;

/// The options read what begins anew with a turn: `mover` and a variable `each turn`.
const CHAIN: &str = r#"game "Chain" {
  players X, O
  var piles[player]: 0..9 = 5
  var taken: 0..9 = 0 each turn
  turn {
    choose {
      take n in 1..3 where n <= piles[mover] and taken + n <= 3 { piles[mover] -= n; taken += n; again }
      stop where taken > 0 { done }
    }
  }
  end empty when no action for other: win me
}"#;

/// Plays random games with all executors. The next player always has an action, unless the game is over.
fn plays(rules: &str) -> Game {
    let game = game(rules);
    houserule::game::agree(&game, 3, 300).unwrap();
    for index in 0..60 {
        assert!(matches!(agree(&game, 3, index, 1000), Came::Over), "{index}");
    }
    game
}

#[test]
fn a_player_who_can_do_nothing_ends_the_game() {
    let game = plays(ISLES);
    let state = played(&game, &["step a1 a2", "step d4 d3"]);
    assert!(!state.is_over());
    for index in 0..30 {
        let mut state = game.start(9, index).unwrap();
        while let Some(action) = state.random_action() {
            assert!(state.legal_count() > 0);
            state.apply(action).unwrap();
        }
        let outcome = state.outcome().unwrap();
        assert_eq!(game.model().end_name(outcome.end), "stuck");
    }
}

#[test]
fn options_that_are_tried_first_count_only_if_their_condition_holds() {
    let game = plays(AVOID);
    // The marks leave free squares, but each of them makes a run of three.
    let mut marked = vec![];
    for index in 0..50 {
        let mut state = game.start(4, index).unwrap();
        while let Some(action) = state.random_action() {
            state.apply(action).unwrap();
        }
        let text = state.position();
        marked.push(text.matches('.').count());
    }
    assert!(marked.iter().any(|free| *free > 0), "{marked:?}");
}

#[test]
fn it_is_asked_as_if_the_turn_of_the_player_began() {
    let game = plays(CHAIN);
    // X has taken all that a turn allows, which doesn't bind O.
    let state = played(&game, &["take 3"]);
    assert!(!state.is_over(), "O has five");
    let state = played(&game, &["take 3", "stop", "take 3", "stop", "take 2"]);
    assert!(!state.is_over(), "O has two");
    let state = played(&game, &["take 3", "stop", "take 3", "stop", "take 2", "stop", "take 2"]);
    let outcome = state.outcome().unwrap();
    assert_eq!(outcome.winners, [false, true], "X has none left when O's turn ends");
}

#[test]
fn a_turn_may_ask_too() {
    let rules = ISLES.replace(
        "step a in man[me], b in around(a) & empty { move a to b; put water at a }",
        "step a in man[me], b in around(a) & empty { move a to b; put water at a; if no action for other { end game } }",
    );
    plays(&rules);
}
