//! A roll is one chance event, however many outcomes its dice have.

#![allow(clippy::unwrap_used)]

use crate::agree::{Came, agree, same_in_both_modes};
use crate::rules::game;
use houserule::game::{Event, Game, Start};
use houserule::loader::{Request, load_text};
use houserule::notation::record::{Record, find_outcome, replay};

/// Returns a game that rolls all of some dice, and then some of them. Six d6 have 46,656 outcomes; twenty
/// d1000 have more than 64 bits can number.
fn cup(dice: &str) -> Game {
    game(&format!(
        "game \"Cup\" {{
        players 1
        dice cup: {dice}
        turn {{
          roll cup
          choose {{ some {{ }} }}
          roll cup among {{2, 3, 5}}
          choose {{ go {{ }} }}
        }}
        end over when turns[me] == 2
        score {{ n: sum(cup) }}
        }}"
    ))
}

#[test]
fn rolls_are_counted_not_dice() {
    for dice in ["5 of d6", "6 of d6", "20 of d6", "20 of d1000"] {
        let game = cup(dice);
        let mut state = game.start(4, 0).unwrap();
        while let Some(action) = state.random_action() {
            state.apply(action).unwrap();
        }
        assert_eq!(state.rolls(), 4, "{dice}");
        assert_eq!(agree(&game, 3, 0, 10_000), Came::Over, "{dice}");
    }
}

#[test]
fn a_roll_of_many_outcomes_is_one_event() {
    let game = cup("13 of d6");
    let start = Start { seed: 4, explicit_chance: true, ..Start::default() };
    let mut state = game.start_at(&start).unwrap();
    assert_eq!(state.chance_outcomes(), 6u64.pow(13));
    assert_eq!(state.pending_dice(), Some((13, 6)));
    let shown = [1, 2, 3, 4, 5, 6, 6, 5, 4, 3, 2, 1, 6];
    let outcome = state.outcome_of_faces(&shown).unwrap();
    assert_eq!(find_outcome(&state, "roll cup 1 2 3 4 5 6 6 5 4 3 2 1 6"), Ok(outcome));
    assert_eq!(state.outcome_of_faces(&[7; 13]), None);
    assert_eq!(state.outcome_of_faces(&[1; 12]), None);
    state.apply_outcome(outcome).unwrap();
    assert!(matches!(state.history(), [Event::Roll { dice: 0x1fff, .. }]));
    assert_eq!(state.score_of_each().unwrap(), [shown.iter().sum::<u64>() as i64]);
    state.apply(state.legal_actions()[0]).unwrap();
    assert_eq!((state.chance_outcomes(), state.pending_dice()), (216, Some((3, 6))));
    let drawn = state.random_outcome().unwrap();
    assert!(drawn < 216);
}

#[test]
fn games_of_a_seed_are_what_they_were() {
    // These sums come from a version in which each die was an event of its own.
    let sums = |index| {
        let game = cup("6 of d6");
        let mut state = game.start(7, index).unwrap();
        while let Some(action) = state.random_action() {
            state.apply(action).unwrap();
        }
        state.score_of_each().unwrap()[0]
    };
    assert_eq!([0, 1, 2, 3].map(sums), SUMS);
}

const SUMS: [i64; 4] = [22, 32, 20, 17];

#[test]
fn records_have_a_line_a_roll() {
    let game = cup("6 of d6");
    let mut state = game.start(7, 0).unwrap();
    while let Some(action) = state.random_action() {
        state.apply(action).unwrap();
    }
    let record = Record::from_state(&state).unwrap();
    let rolls: Vec<&String> = record.events.iter().filter(|event| event.starts_with("roll")).collect();
    assert_eq!(rolls.len(), 4, "{:?}", record.events);
    assert_eq!(rolls[0].split_whitespace().count(), 2 + 6);
    assert!(replay(&game, &record).is_ok());
}

/// Dice that players turn, and numbers by their order.
const TURNED: &str = r#"game "Turned" {
  players 2
  dice red: 3 of d6
  dice white: 2 of d4 each game
  dice one: 1 of d6
  dice pool[player]: 2 of d4 each game
  var points[player]: -999..999 = 0
  setup { roll white  for p in players { roll pool[p] } }
  turn {
    roll red, one
    choose turned {
      turn_to d in 1..3, n in 1..6 where red[d] != n { red[d] = n }
      up d in 1..2 where white[d] < 4 { white[d] += 1 }
      flip { one = 7 - one }
      mine d in 1..2 where pool[me, d] > 1 { pool[me, d] -= 1 }
      again k subset of red where k is some { roll red among k }
    }
    for n in 1..3 { points[me] += n * highest(red, n) - lowest(red, n) }
    points[me] += highest(white, 2) + lowest(white, 1) + highest(pool[me], 1) * one
    if red is double or sum(white) > 6 { points[me] += faces(red, highest(red, 2)) }
  }
  end when turns[me] > 7
  score { points: points[me]  pool: highest(pool[me], 2) }
}"#;

#[test]
fn both_executors_turn_dice_alike() {
    let game = game(TURNED);
    for index in 0..60 {
        assert_ne!(agree(&game, 5, index, 200), Came::Failed);
    }
    same_in_both_modes(&game, 6, 60);
}

#[test]
fn no_die_is_turned_past_its_faces() {
    let rules = r#"game "Over" {
      players 2
      dice cup: 2 of d6 each game
      setup { roll cup }
      turn { choose { less d in 1..2 { cup[d] -= 1 } more d in 1..2 { cup[d] += 1 } } }
      end when turns[me] > 99
    }"#;
    let game = game(rules);
    for index in 0..20 {
        assert_eq!(agree(&game, 5, index, 300), Came::Failed);
    }
}

#[test]
fn a_face_is_the_number_of_its_name() {
    let game = game(
        r#"game "Claws" {
          players 1
          dice cup: 3 of {1, 2, claw, heart} each game
          dice fight[player]: 2 of {hit, miss, claw}
          var points: 0..999 = 0
          turn {
            roll cup, fight[me]
            choose {
              heal d in 1..3 where cup[d] == claw { cup[d] = heart }
              keep { points += 10 * faces(cup, claw) + faces(fight[me], hit) + cup[1] }
            }
            if claw in {cup[1], cup[2]} or fight[me, 1] != miss { points += 1 }
          }
          end over when turns[me] == 9
          score { points: points }
        }"#,
    );
    for index in 0..40 {
        assert_eq!(agree(&game, 2, index, 200), Came::Over);
    }
    let text = houserule::prose::rules(&game, 200);
    assert!(text.contains("3 dice with the faces 1, 2, claw and heart"), "{text}");
}

/// A name that is a face and a value of an enum is the face where a number belongs. An error would end the game.
#[test]
fn a_face_may_be_a_value_of_an_enum_too() {
    let game = game(
        r#"game "Ways" {
          players 1
          enum way { keep, left, right }
          dice cup: 2 of [left: 1, right: 1, keep: 4]
          table worth[1..3]: 0..9 = [left: 3, right: 4, keep: 0]
          var side: way = keep
          var first: 1..3 = left
          var last: 1..3? = none
          var fine: 0..1 = 0
          turn {
            roll cup
            first = if turns[me] > 3 then left else cup[1]
            last = keep
            choose {
              go f in {1, right} { if (f == left) != (f == 1) { fine += 2 } }
              turn_it { cup[1] = right   side = right   if cup[1] != 2 or side == left { fine += 2 } }
            }
            if (cup[1] == left) != (cup[1] == 1) { fine += 2 }
            if (cup[2] in {left, keep}) != (cup[2] != 2) { fine += 2 }
            if (side in {left, keep}) != (side != way.right) { fine += 2 }
            if faces(cup, left) != (count d in 1..2: cup[d] == 1) { fine += 2 }
            if last != keep or last == left or max(first, keep) != 3 { fine += 2 }
            if worth[left] != 3 or worth[cup[1]] + left < left { fine += 2 }
          }
          end over when turns[me] == 9
        }"#,
    );
    for index in 0..40 {
        assert_eq!(agree(&game, 2, index, 200), Came::Over);
    }
}

#[test]
fn a_let_that_keeps_its_value_has_its_range() {
    let rules = |more: &str| {
        format!(
            r#"game "Men" {{
              players 2
              dice cup: 3 of d6 each game
              var army[player]: 1..9 = 1
              turn {{
                let men = min(3, army[me])
                {more}
                roll cup among 1..men
                for n in 1..men {{ if highest(cup, n) > 4 and army[me] < 9 {{ army[me] += 1 }} }}
                choose {{ go {{ }} }}
              }}
              end over when turns[me] == 9
              score {{ army: army[me] }}
            }}"#
        )
    };
    let steady = game(&rules(""));
    for index in 0..30 {
        assert_eq!(agree(&steady, 2, index, 100), Came::Over);
    }
    let changed = rules("if round > 3 { men += 1 }");
    let refused = load_text("game", &changed, &Request::default());
    assert!(refused.is_err_and(|error| error.to_string().contains("how far this range goes isn't known")));
}

/// An action that names faces has their names, and is found by the numbers too.
#[test]
fn actions_have_the_names_of_faces() {
    let game = game(
        "game \"Taken\" {
        players 2
        dice cup: 4 of {ray, tank, human, cow, 5}
        define beings = {human, cow}
        var last: 1..5 = 1
        turn {
          roll cup
          choose {
            take f in beings where faces(cup, f) > 0 { last = f }
            turn_to d in 1..4, f in human..5 where cup[d] != f { cup[d] = f }
            other n in 1..5 { last = n }
            several k subset of {ray, tank} { last = 1 }
          }
        }
        end over when turns[me] == 2
        score { n: sum(cup) + last }
        }",
    );
    for (name, by_number) in [
        ("take human", "take 3"),
        ("take cow", "TAKE 4"),
        ("turn_to 2 human", "turn_to 2 3"),
        ("turn_to 4 cow", "turn_to 4 4"),
        ("turn_to 4 5", "turn_to 4 5"),
        ("other 3", "other 3"),
        ("several ray tank", "several 2 1"),
    ] {
        let action = game.parse_action(name).unwrap_or_else(|| panic!("{name}"));
        assert_eq!((game.action_name(action).as_str(), game.parse_action(by_number)), (name, Some(action)));
    }
    let mut state = game.start(3, 0).unwrap();
    while let Some(action) = state.random_action() {
        state.apply(action).unwrap();
    }
    let mut record = Record::from_state(&state).unwrap();
    assert!(replay(&game, &record).is_ok());
    // Records of before have the numbers.
    let named = |event: &String| event.split(' ').any(|word| ["ray", "tank", "human", "cow"].contains(&word));
    assert!(record.events.iter().any(named), "{:?}", record.events);
    for (number, name) in (1..).zip(["ray", "tank", "human", "cow"]) {
        for event in &mut record.events {
            *event = event.replace(name, &format!("{number}"));
        }
    }
    assert!(!record.events.iter().any(named));
    assert!(replay(&game, &record).is_ok());
}
