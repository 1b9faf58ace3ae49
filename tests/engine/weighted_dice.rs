//! Dice of which some faces are on several sides: every way in which chance decides has the probabilities of the
//! sides.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use crate::agree::{Came, agree, same_in_both_modes};
use crate::rules::game;
use houserule::game::{Event, Game, Seat, Start, State};
use houserule::hidden::WorldOptions;
use houserule::model::SlotId;
use houserule::notation::record::{Record, find_outcome, replay};
use houserule::rng::Stream;

/// A game that rolls all of some dice, and then the first and the last of three.
fn cup(dice: &str) -> Game {
    game(&format!(
        "game \"Cup\" {{
        players 2
        dice cup: {dice}
        turn {{
          roll cup
          choose {{ some {{ }} }}
          roll cup among {{1, 3}}
          choose {{ go {{ }} }}
        }}
        end over when turns[me] == 2
        score {{ n: sum(cup) }}
        }}"
    ))
}

fn explicit(game: &Game) -> State {
    game.start_at(&Start { seed: 4, explicit_chance: true, ..Start::default() }).unwrap()
}

fn number(state: &State, name: &str, place: usize) -> i64 {
    let slots = &state.game().model().slots;
    let at = slots.iter().position(|slot| slot.name == name).unwrap();
    match state.value(SlotId(at as u32), place) {
        houserule::model::Value::Number(n) => n,
        other => panic!("{other:?}"),
    }
}

/// Returns the probability of each roll of three dice from the sides, face by face.
fn by_sides(sides: &[u64]) -> BTreeMap<Vec<i64>, f64> {
    let every = sides.iter().sum::<u64>() as f64;
    let mut all = BTreeMap::new();
    for a in 0..sides.len() {
        for b in 0..sides.len() {
            for c in 0..sides.len() {
                let p = (sides[a] * sides[b] * sides[c]) as f64 / every.powi(3);
                all.insert(vec![a as i64 + 1, b as i64 + 1, c as i64 + 1], p);
            }
        }
    }
    all
}

#[test]
fn both_executors_agree() {
    // 200 sides of 20 dice are more than 64 bits can number.
    for dice in [
        "3 of [ray: 2, tank: 1, cow: 4]",
        "3 of [1..5: 1, 6: 3]",
        "20 of [1..5: 10, 6: 150]",
        "3 of [only: 5]",
        "6 of [1: 500, 2..6: 3]",
    ] {
        let game = cup(dice);
        for index in 0..4 {
            assert_eq!(agree(&game, 3, index, 10_000), Came::Over, "{dice}");
        }
        same_in_both_modes(&game, 5, 20);
        let mut state = game.start(4, 0).unwrap();
        while let Some(action) = state.random_action() {
            state.apply(action).unwrap();
        }
        assert_eq!(state.rolls(), 6, "{dice}");
    }
}

#[test]
fn outcomes_have_the_probabilities_of_the_sides() {
    let game = cup("3 of [ray: 2, tank: 1, cow: 4]");
    let state = explicit(&game);
    assert_eq!((state.chance_outcomes(), state.distinct_count()), (343, 27));
    let expected = by_sides(&[2, 1, 4]);
    let mut found = BTreeMap::new();
    for (outcome, count) in state.distinct_outcomes() {
        let mut next = state.clone();
        next.apply_outcome(outcome).unwrap();
        let faces: Vec<i64> = (0..3).map(|die| number(&next, "cup", die)).collect();
        assert!(found.insert(faces, count as f64 / 343.0).is_none());
    }
    assert_eq!(found.len(), 27);
    assert!(found.iter().all(|(faces, p)| (p - expected[faces]).abs() < 1e-12), "{found:?}");
    // Each side is an outcome too.
    let mut sides = BTreeMap::new();
    for outcome in 0..343 {
        let mut next = state.clone();
        next.apply_outcome(outcome).unwrap();
        *sides.entry((0..3).map(|die| number(&next, "cup", die)).collect::<Vec<_>>()).or_insert(0.0) +=
            1.0 / 343.0;
    }
    assert!(sides.iter().all(|(faces, p)| (p - found[faces]).abs() < 1e-12), "{sides:?}");
    // Some of the dice.
    let mut next = state.clone();
    next.apply_outcome(0).unwrap();
    next.apply(next.legal_actions()[0]).unwrap();
    assert_eq!((next.chance_outcomes(), next.distinct_count()), (49, 9));
    assert_eq!(next.distinct_outcomes().map(|(_, n)| n).collect::<Vec<_>>(), [4, 2, 8, 2, 1, 4, 8, 4, 16]);
}

#[test]
fn random_play_has_the_probabilities_of_the_sides() {
    let game = cup("3 of [ray: 2, tank: 1, cow: 4]");
    let expected = by_sides(&[2, 1, 4]);
    let games = 20_000u32;
    let near = |counts: &BTreeMap<Vec<i64>, f64>, how: &str| {
        for (faces, p) in &expected {
            let found = counts.get(faces).copied().unwrap_or(0.0) / f64::from(games);
            let error = (p * (1.0 - p) / f64::from(games)).sqrt();
            assert!((found - p).abs() < 5.0 * error, "{how}: {faces:?} {found} instead of {p}");
        }
    };
    let (mut played, mut drawn) = (BTreeMap::new(), BTreeMap::new());
    let (pending, mut stream) = (explicit(&game), Stream::new(1, 0, 0));
    for index in 0..games {
        let state = game.start(9, index.into()).unwrap();
        *played.entry((0..3).map(|die| number(&state, "cup", die)).collect()).or_insert(0.0) += 1.0;
        let mut next = pending.clone();
        next.apply_outcome(pending.draw_outcome(&mut stream)).unwrap();
        *drawn.entry((0..3).map(|die| number(&next, "cup", die)).collect()).or_insert(0.0) += 1.0;
    }
    near(&played, "a game");
    near(&drawn, "an outcome that was drawn");
}

#[test]
fn records_have_the_faces() {
    let game = cup("3 of [ray: 2, tank: 1, cow: 4]");
    let state = explicit(&game);
    let outcome = state.outcome_of_faces(&[3, 1, 2]).unwrap();
    assert_eq!(find_outcome(&state, "roll cup 3 1 2"), Ok(outcome));
    let mut next = state.clone();
    next.apply_outcome(outcome).unwrap();
    // The digits of the faces, less 1, in base 3.
    assert!(matches!(next.history(), [Event::Roll { outcome: 19, .. }]), "{:?}", next.history());
    assert_eq!((0..3).map(|die| number(&next, "cup", die)).collect::<Vec<_>>(), [3, 1, 2]);
    let mut played = game.start(7, 0).unwrap();
    while let Some(action) = played.random_action() {
        played.apply(action).unwrap();
    }
    let record = Record::from_state(&played).unwrap();
    assert!(replay(&game, &record).is_ok());
}

#[test]
fn a_condition_keeps_the_proportions() {
    let game = game(
        "game \"Given\" {
        players 1
        dice pair: 2 of [low: 3, high: 1]
        turn {
          chance { roll pair } given any d in 1..2: pair[d] == high
          choose { go { } }
        }
        end over when turns[me] == 1
        score { n: sum(pair) }
        }",
    );
    assert_eq!(agree(&game, 1, 0, 100), Came::Over);
    let state = explicit(&game);
    // Of 16 pairs of sides, 9 are low and low.
    assert_eq!(state.chance_outcomes(), 7);
    let mut sums = BTreeMap::new();
    for (outcome, count) in state.distinct_outcomes() {
        let mut next = state.clone();
        next.apply_outcome(outcome).unwrap();
        *sums.entry(next.score_of_each().unwrap()[0]).or_insert(0) += count;
    }
    assert_eq!(sums, BTreeMap::from([(3, 6), (4, 1)]));
}

#[test]
fn worlds_have_the_probabilities_of_the_sides() {
    let game = game(
        "game \"Hidden\" {
        players 2
        dice cup[player]: 1 of [low: 3, high: 1] each game seen by owner
        setup { for p in players { roll cup[p] } }
        turn { choose { go { } } }
        end over when turns[me] == 2
        score { n: sum(cup[me]) }
        }",
    );
    let state = game.start(3, 0).unwrap();
    let worlds = state.worlds(Seat(0), &WorldOptions::default()).unwrap().weighted().unwrap();
    let is_high = |world: &State| number(world, "cup", 1) == 2;
    let high: f64 = worlds.iter().filter(|(world, _)| is_high(world)).map(|(_, p)| p).sum();
    assert!((high - 0.25).abs() < 1e-9, "{high}");
    // A position has no history: its hidden dice are drawn.
    let bare = game.position(&state.position()).unwrap();
    for state in [state, bare] {
        let mut stream = Stream::new(2, 0, 0);
        let drawn = (0..2000).filter(|_| is_high(&state.determinize(Seat(0), &mut stream).unwrap()));
        let share = drawn.count() as f64 / 2000.0;
        assert!((share - 0.25).abs() < 0.05, "{share}");
    }
}
