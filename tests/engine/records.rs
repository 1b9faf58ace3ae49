//! Records: a record is enough to replay the game, and a changed record is rejected at the changed place.

#![allow(clippy::unwrap_used)]

use crate::extent;
use crate::rules::games_for;
use houserule::agents::AgentKind;
use houserule::game::{Game, Seat, State};
use houserule::loader::{Request, load};
use houserule::notation::record::{Record, ReplayError, replay};
use houserule::playtest::{SimulationPlan, simulate};

fn game(name: &str) -> Game {
    load(&Request { name, ..Request::default() }).unwrap().game
}

fn play(game: &Game, seed: u64, index: u64) -> State {
    let mut state = game.start(seed, index).unwrap();
    while let Some(action) = state.random_action() {
        state.apply(action).unwrap();
    }
    assert!(state.is_over());
    state
}

#[test]
fn every_bundled_game_plays_again_from_its_record() {
    for name in extent::bundled("records", 8) {
        let game = game(name);
        for index in 0..games_for(&game, extent::tries(150, 1_000), 20) {
            let state = play(&game, 7, index);
            let record = Record::from_state(&state).unwrap();
            let text = serde_json::to_string(&record).unwrap();
            let read = Record::read(&text).unwrap();
            assert_eq!(read, record, "{name}");
            let again = replay(&game, &read).unwrap_or_else(|error| panic!("{name}, game {index}: {error}"));
            assert_eq!(again, state, "{name}, game {index}");
        }
    }
}

#[test]
fn a_record_has_exactly_its_keys() {
    let record = Record::from_state(&play(&game("dilido"), 1, 0)).unwrap();
    let json = serde_json::to_value(&record).unwrap();
    let mut keys: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    let expected =
        "events game houserule index outcome params players returns rules_sha256 score seed variables"
            .split(' ');
    assert_eq!(keys, expected.collect::<Vec<_>>());
    assert_eq!(json["params"]["line_points"], serde_json::json!({"3": 1, "4": 3, "5": 10, "6+": 40}));
    assert_eq!(json["variables"]["penalties"], 3);
    assert!(json["variables"]["dot"].as_array().unwrap().iter().all(|site| site.is_string()));
}

#[test]
fn an_unfinished_game_plays_again_too() {
    let game = game("dilido");
    let mut state = game.start(3, 4).unwrap();
    for _ in 0..5 {
        let action = state.random_action().unwrap();
        state.apply(action).unwrap();
    }
    let mut record = Record::from_state(&state).unwrap();
    assert_eq!(replay(&game, &record).unwrap(), state);
    // Remove one dot: it is in the record's variables but no longer in its events.
    while !record.events.pop().unwrap().starts_with("place") {}
    assert!(matches!(replay(&game, &record), Err(ReplayError::Result { .. })));
}

fn dilido_record() -> (Game, Record) {
    let game = game("dilido");
    let record = Record::from_state(&play(&game, 1, 0)).unwrap();
    (game, record)
}

#[test]
fn an_illegal_event_is_named_with_what_was_legal() {
    let (game, mut record) = dilido_record();
    assert!(record.events[1].starts_with("place "));
    let right = std::mem::replace(&mut record.events[1], "place z9".to_owned());
    let error = replay(&game, &record).unwrap_err();
    let ReplayError::Event { number: 2, ref event, ref possible, .. } = error else { panic!("{error}") };
    assert_eq!(event, "place z9");
    assert!(possible.contains(&right));
    assert!(error.to_string().starts_with("event 2, `place z9`, is not legal for player 1"), "{error}");
}

#[test]
fn dice_that_the_seed_does_not_give_are_found() {
    let (game, mut record) = dilido_record();
    // The last roll ended the game without a choice. The same roll as a double is another outcome.
    let last = record.events.len() - 1;
    assert!(record.events[last].starts_with("roll pair "));
    let recorded = record.events[last].clone();
    let mut faces: Vec<&str> = recorded.split(' ').collect();
    faces.swap(2, 3);
    record.events[last] = faces.join(" ");
    if record.events[last] != recorded {
        let error = replay(&game, &record).unwrap_err();
        let ReplayError::Seed { number, ref drawn, .. } = error else { panic!("{error}") };
        assert_eq!((number, drawn), (last + 1, &recorded));
        // Without a seed, the rolls count as rolled by hand and any are valid.
        record.seed = None;
        record.index = None;
        replay(&game, &record).unwrap();
    }
    record.events[last] = "roll pair 7 7".to_owned();
    assert!(matches!(replay(&game, &record), Err(ReplayError::Event { chooser: None, .. })));
}

#[test]
fn a_changed_result_is_found() {
    let (game, record) = dilido_record();
    let mut changed = record.clone();
    changed.score[0] += 1;
    assert!(matches!(replay(&game, &changed), Err(ReplayError::Result { .. })));
    let mut changed = record.clone();
    *changed.variables.entry("penalties") = serde_json::json!(2);
    let error = replay(&game, &changed).unwrap_err();
    assert_eq!(error.to_string(), "the record says `penalties` is 2, but its events give 3");
    let mut changed = record.clone();
    changed.events.push("place a1".to_owned());
    assert!(matches!(replay(&game, &changed), Err(ReplayError::AfterEnd { .. })));
    let mut changed = record.clone();
    *changed.params.entry("jokers") = serde_json::json!(2);
    assert!(matches!(replay(&game, &changed), Err(ReplayError::Other { .. })));
    let mut changed = record;
    changed.rules_sha256.replace_range(0..1, "x");
    assert!(matches!(replay(&game, &changed), Err(ReplayError::Other { .. })));
}

#[test]
fn games_of_a_match_say_where_they_stand() {
    let game = game("dicrono");
    let plan = SimulationPlan {
        games: 3,
        first: 0,
        seed: 5,
        threads: 2,
        agents: vec![AgentKind::Random],
        match_play: true,
    };
    let mut records = Vec::new();
    simulate(&game, &plan, &|_| {}, Some(&mut |record| records.push(record))).unwrap();
    assert_eq!(records.len(), 30);
    assert_eq!(
        records.iter().map(|record| record.index.unwrap()).collect::<Vec<_>>(),
        (0..30).collect::<Vec<_>>()
    );
    for record in &records {
        replay(&game, record).unwrap();
    }
    // The loser of a game starts the next. After a draw the same player starts again.
    for pair in records.windows(2).filter(|pair| pair[1].index.unwrap() % 10 != 0) {
        let starter = |record: &Record| record.in_match.as_ref().map_or(Seat(0), |m| m.starter);
        let expected = match pair[0].score[0].cmp(&pair[0].score[1]) {
            std::cmp::Ordering::Less => Seat(0),
            std::cmp::Ordering::Greater => Seat(1),
            std::cmp::Ordering::Equal => starter(&pair[0]),
        };
        assert_eq!(starter(&pair[1]), expected);
        assert_eq!(pair[1].in_match.as_ref().map(|m| m.game), Some(pair[1].index.unwrap() as i64 % 10 + 1));
    }
}
