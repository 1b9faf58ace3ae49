//! `chance { … } given C`: the possible outcomes, their probabilities, and the history.

use std::collections::BTreeMap;

use crate::agree::{Came, agree, same_in_both_modes};
use crate::extent;
use crate::rules::game;
use houserule::game::{Event, Game, Seat, Start, State};

/// Two dice that differ, a card above the first die, and a value that is restored.
const MIXED: &str = r#"game "Mixed" {
  players 2
  domain card = 1..9
  dice pair: 2 of d6
  zone stock of card seen by none
  zone hand[player] of card seen by owner
  var tries: 0..1000 = 0
  var marks: 0..100 = 0
  setup {
    let before = 1
    chance { deal 1 from stock to hand   marks += count(stock)   before += 1 }
      given all p in players: all c in hand[p]: c > 3
    marks += before
  }
  turn {
    roll pair
    chance { roll pair   if pair[1] > 3 { draw more from stock to hand[me] } } given pair[1] != pair[2]
    chance { roll pair among {2}   draw again_one from stock to hand[me]   tries += 1 } given any c in hand[me]: c > pair[2]
    choose { keep { marks += tries } more c in hand[me] { move c to stock } }
  }
  end when marks > 30 or stock is nothing
  score { cards: count(hand[me]) }
}"#;

/// A block with more outcomes than are enumerated.
const LARGE: &str = r#"game "Large" {
  players 3
  domain card = 1..40
  zone stock of card seen by none
  zone hand[player] of card seen by owner
  setup { chance { deal 3 from stock to hand } given 1 in hand[lowest(players)] }
  turn { choose { drop c in hand[me] { move c to stock } } }
  end when hand[me] is nothing
  score { cards: sum c in hand[me]: c }
}"#;

/// Rolls with more outcomes than are enumerated, a part of them under another condition.
const ROLLED: &str = r#"game "Rolled" {
  players 2
  dice many: 8 of d6
  dice cup: 20 of d1000
  var all_told: 0..999 = 0
  turn {
    chance { roll many   if many[1] == 6 { roll many among {2, 3} } } given many[2] < many[3]
    chance { roll cup } given cup[1] > 500 or cup[20] > 500
    choose { keep { all_told += sum(many) } }
  }
  end when turns[me] == 3
  score { sum: all_told }
}"#;

/// Rolls count draws that counted, however many were rejected, in every executor.
#[test]
fn rolls_that_are_drawn_again_count_once() {
    for text in [MIXED, ROLLED] {
        let game = game(text);
        for index in 0..extent::tries(20, 60) {
            assert_ne!(agree(&game, 4, index, 300), Came::Failed, "{text}");
        }
        same_in_both_modes(&game, 3, 200);
        for index in 0..20 {
            let mut state = game.start(3, index).expect("it starts");
            while let Some(action) = state.random_action() {
                state.apply(action).expect("it is legal");
            }
            // A roll of dice whose outcomes 64 bits can't number is an event for each die.
            let is_roll = |event: &&Event| match event {
                Event::Roll { dice, family: 0, slot, .. } => {
                    game.model().slots[slot.index()].name != "cup" || *dice == 1
                }
                _ => false,
            };
            assert_eq!(state.rolls(), state.history().iter().filter(is_roll).count() as u64, "{text}");
        }
    }
}

#[test]
fn both_executors_draw_alike() {
    for text in [MIXED, LARGE] {
        let game = game(text);
        for index in 0..extent::tries(20, 60) {
            assert_ne!(agree(&game, 4, index, 300), Came::Failed, "{text}");
        }
    }
}

/// Counts the ways to every end of the chance tree, out of `of`.
fn ends(state: &State, of: u128, found: &mut BTreeMap<String, Vec<u128>>) {
    if !state.is_chance() {
        let drawn: Vec<String> = state.history().iter().map(|event| format!("{event:?}")).collect();
        return found.entry(drawn.join(" ")).or_default().push(of);
    }
    let outcomes = state.chance_outcomes();
    for outcome in 0..outcomes {
        let mut next = state.clone();
        next.apply_outcome(outcome).expect("an outcome");
        ends(&next, of * u128::from(outcomes), found);
    }
}

fn explicit(game: &Game) -> State {
    game.start_at(&Start { explicit_chance: true, ..Start::default() }).expect("it starts")
}

#[test]
fn what_holds_comes_out_evenly_and_nothing_else() {
    let game = game(
        r#"game "Three" {
      players 1
      domain card = 1..5
      zone stock of card seen by none
      zone hand of card seen by all
      setup { chance { deal 3 from stock to hand } given 2 in hand and 5 not in hand }
      turn { choose { stop { end game } } }
      score { cards: sum c in hand: c }
    }"#,
    );
    let mut found = BTreeMap::new();
    ends(&explicit(&game), 1, &mut found);
    // 2 and two of the cards 1, 3 and 4, in any order.
    assert_eq!(found.len(), 18);
    for (way, parts) in &found {
        let sum: f64 = parts.iter().map(|of| 1.0 / *of as f64).sum();
        assert!((sum - 1.0 / 18.0).abs() < 1e-12, "{way}: {sum}");
    }
}

#[test]
fn samples_are_spread_like_the_tree() {
    let game = game(
        r#"game "Higher" {
      players 1
      dice pair: 2 of d6
      var kept: 0..99 = 0
      turn {
        chance { roll pair } given pair[1] > pair[2]
        choose { stop { kept = 10 * pair[1] + pair[2]   end game } }
      }
      score { kept: kept }
    }"#,
    );
    let mut times: BTreeMap<i64, u32> = BTreeMap::new();
    let games = 15_000;
    for index in 0..games {
        let mut state = game.start(8, index).expect("it starts");
        assert_eq!(state.history().len(), 1, "one roll is kept");
        state.apply(state.legal_actions()[0]).expect("it stops");
        *times.entry(state.score(Seat(0)).expect("a score")).or_default() += 1;
    }
    assert_eq!(times.len(), 15);
    let expected = games as f64 / 15.0;
    let chi: f64 = times.values().map(|n| (f64::from(*n) - expected).powi(2) / expected).sum();
    // With 14 degrees of freedom, 0.001 of all samples are above 36.1.
    assert!(chi < 36.2, "{chi}: {times:?}");
    assert_eq!(explicit(&game).chance_outcomes(), 15);
}

/// The history keeps only the accepted draws. It leads to the same state with and without explicit chance.
#[test]
fn histories_keep_what_counted() {
    for text in [MIXED, LARGE] {
        let game = game(text);
        for index in 0..40 {
            let mut state = game.start(6, index).expect("it starts");
            while let Some(action) = state.random_action() {
                state.apply(action).expect("it is legal");
            }
            let mut events: Vec<Event> = vec![];
            assert!(state.replay_history(&mut |_, event| events.push(*event)));
            assert_eq!(events, state.history());
            let dealt = events.iter().take_while(|event| matches!(event, Event::Pick { .. })).count();
            assert_eq!(dealt, if text == LARGE { 9 } else { 2 });
        }
    }
}

/// A state in the middle of a block counts rolls as the original does, if the block is drawn again.
#[test]
fn the_middle_of_a_block_knows_which_rolls_may_not_count() {
    let game = game(ROLLED);
    let mut taken_back = 0;
    for seed in 0..60 {
        let start = Start { seed, explicit_chance: true, ..Start::default() };
        let mut state = game.start_at(&start).expect("it starts");
        for _ in 0..4 {
            let outcome = state.random_outcome().expect("a roll is pending");
            let mut saved = game.restore(&state.snapshot()).expect("its own snapshot");
            let before = state.rolls();
            state.apply_outcome(outcome).expect("an outcome");
            saved.apply_outcome(outcome).expect("an outcome");
            taken_back += u32::from(state.rolls() < before);
            assert_eq!(saved.rolls(), state.rolls(), "seed {seed}");
        }
    }
    assert!(taken_back > 0, "a second roll of a block led to its rejection");
}

/// A state in the middle of a block can be restored from its words.
#[test]
fn the_middle_of_a_block_can_be_saved() {
    let game = game(MIXED);
    let mut state = explicit(&game);
    state.apply_outcome(3).expect("an outcome");
    assert!(state.is_chance());
    let saved = game.restore(&state.snapshot()).expect("its own snapshot");
    assert_eq!(saved.chance_outcomes(), state.chance_outcomes());
    let events = |state: &State| -> Vec<Option<Event>> {
        (0..state.chance_outcomes()).map(|outcome| state.chance_event(outcome)).collect()
    };
    assert_eq!(events(&saved), events(&state));
}

#[test]
fn a_condition_that_never_holds_ends_the_game_with_an_error() {
    let game = game(
        r#"game "Never" {
      players 1
      dice die: 1 of d6
      turn { chance { roll die } given die > 6   choose { stop { end game } } }
    }"#,
    );
    assert!(game.start(1, 0).expect_err("no roll will do").to_string().contains("loop"));
    assert!(game.start_at(&Start { explicit_chance: true, ..Start::default() }).is_err());
    assert_eq!(agree(&game, 1, 1, 10), Came::Failed);
}

/// `play` draws chance from the seed as a simulation does, rejected draws included. The journal keeps only
/// the accepted draws.
#[test]
fn games_at_a_table_are_those_of_the_seed() {
    use houserule::notation::journal::{DiceSource, GameInProgress};
    for text in [MIXED, LARGE] {
        let game = game(text);
        for seed in 0..20 {
            let drawn = game.start(seed, 0).expect("it starts");
            let start = Start { seed, ..Start::default() };
            let mut played = GameInProgress::begin(&game, &start, None, DiceSource::Seed).expect("it begins");
            let mut kept = vec![];
            while played.state().is_chance() {
                let outcome = played.draw().expect("the seed draws");
                kept.extend(played.settle(outcome).expect("an outcome"));
            }
            assert_eq!(played.state().history(), drawn.history(), "seed {seed}");
            assert_eq!(kept, played.events());
            let mut again = GameInProgress::begin(&game, &start, None, DiceSource::Seed).expect("it begins");
            again.follow(&kept, |_| {}).expect("it goes the same way");
            assert_eq!(again.state(), played.state());
        }
    }
}
