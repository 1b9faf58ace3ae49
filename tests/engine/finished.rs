//! Finished games stay finished when saved as positions, records or journals.
#![allow(clippy::unwrap_used)]

use houserule::game::values::params_json;
use houserule::game::{Game, Seat, State};
use houserule::notation::journal::{
    DiceSource, GameInProgress, Journal, JournalHeader, Over, VERSION, resume, written,
};
use houserule::notation::record::{GameEnd, Record, ReplayError, replay};

use crate::extent;
use crate::rules::{bundled, game};

fn play(game: &Game, index: u64) -> State {
    let mut state = game.start(11, index).unwrap();
    while let Some(action) = state.random_action() {
        state.apply(action).unwrap();
    }
    assert!(state.is_over());
    state
}

#[test]
fn every_bundled_game_is_over_as_it_was_when_its_last_position_is_read() {
    for name in extent::bundled("finished positions", 8) {
        let game = bundled(name, &[], None);
        for index in 0..extent::tries(2, 4) {
            let state = play(&game, index);
            let text = state.position();
            let read = game.position(&text).unwrap_or_else(|errors| panic!("{name}: {errors:?}\n{text}"));
            assert!(read.is_over(), "{name}\n{text}");
            assert_eq!(read.outcome(), state.outcome(), "{name}\n{text}");
            assert_eq!(read.returns(), state.returns(), "{name}\n{text}");
            assert_eq!(read.position(), text, "{name}");
            for player in (0..game.players()).map(Seat) {
                assert_eq!(read.scores(player), state.scores(player), "{name}\n{text}");
            }
        }
    }
}

/// A game with ends of every kind, decided by the player's choice.
fn kinds() -> Game {
    game(
        "game \"Kinds\" {\nplayers 3\nvar n: 0..9 = 0\nvar points[player]: 0..9 = 0\n\
         turn { choose { add k in 1..4 { n = k  points[me] = k } stop { n = 9  points[me] = 2  end game } } }\n\
         end first when n == 1: win me\nend second when n == 2: lose me\nend third when n == 3: draw\nend when n == 4\n\
         score { worth: points[me] }\nwinner most(score)\n}",
    )
}

#[test]
fn the_line_names_the_end_and_the_winners() {
    let game = kinds();
    let names = &game.model().players.names;
    let after = |action: &str| {
        let mut state = game.start(1, 0).unwrap();
        state.apply(game.parse_action(action).unwrap()).unwrap();
        state
    };
    let expected = [
        ("add 1", format!("end = first won by {}", names[0])),
        ("add 2", format!("end = second won by {}, {}", names[1], names[2])),
        ("add 3", format!("end = third won by {}", names.join(", "))),
        ("add 4", format!("end = end 4 won by {}", names[0])),
        ("stop", format!("end = stop won by {}", names[0])),
    ];
    for (action, line) in expected {
        let state = after(action);
        let text = state.position();
        assert_eq!(text.lines().last(), Some(line.as_str()), "{action}");
        assert_eq!(game.position(&text).unwrap(), state, "{action}");
    }
    let wrong = |line: &str| game.position(&format!("n = 1\n{line}")).unwrap_err()[0].to_string();
    assert_eq!(wrong("end = frist"), "line 2: no end is called `frist`; did you mean `first`?");
    assert!(
        wrong("end = first won by Zoe").starts_with("line 2: no player is called `Zoe`"),
        "{}",
        wrong("end = first won by Zoe")
    );
    let several = format!("end = first won by {}, {}", names[0], names[1]);
    assert!(wrong(&several).starts_with("by this end the game can't be won by these players"));
    assert!(wrong("end = first").starts_with("this end does not say who won: add `won by "));
    // If scores decide, the scores name the winner.
    let read = game.position("points = 1 5 5\nend = end 4").unwrap();
    assert_eq!(read.outcome().unwrap().winners, [false, true, true]);
    assert!(wrong(&format!("points = 1 5 5\nend = end 4 won by {}", names[0])).starts_with("by the scores"));
}

#[test]
fn records_say_how_a_game_ended_and_are_held_to_it() {
    let game = kinds();
    let mut state = game.start(1, 0).unwrap();
    let under_way = Record::from_state(&state).unwrap();
    assert_eq!(under_way.outcome, Some(None));
    state.apply(game.parse_action("add 2").unwrap()).unwrap();
    let record = Record::from_state(&state).unwrap();
    let ended = GameEnd { end: "second".to_owned(), winners: vec![Seat(1), Seat(2)] };
    assert_eq!(record.outcome, Some(Some(ended)));
    replay(&game, &record).unwrap();
    for outcome in [
        None,
        Some(GameEnd { end: "third".to_owned(), winners: vec![Seat(1), Seat(2)] }),
        Some(GameEnd { end: "second".to_owned(), winners: vec![Seat(1)] }),
    ] {
        let changed = Record { outcome: Some(outcome), ..record.clone() };
        let error = replay(&game, &changed).unwrap_err();
        assert!(matches!(&error, ReplayError::Result { what, .. } if what == "the outcome"), "{error}");
    }
    // A record of format version 1 has no outcome.
    let old = Record { houserule: 1, outcome: None, ..record };
    let old = Record::read(&serde_json::to_string(&old).unwrap()).unwrap();
    replay(&game, &old).unwrap();
}

#[test]
fn a_param_that_lets_the_game_go_on_is_noticed() {
    let limit = |last: &str| {
        let rules = format!(
            "game \"Limit\" {{\nparam last: 1..9 = {last}\nplayers 1\ndice die: 1 of d6\nvar n: 0..99 = 0\n\
             turn {{ roll die  choose {{ keep {{ n += die }} leave {{ }} }} }}\nend over when turns[me] == last\nscore {{ n: n }}\n}}"
        );
        game(&rules)
    };
    let (three, seven) = (limit("3"), limit("7"));
    let mut record = Record::from_state(&play(&three, 0)).unwrap();
    replay(&three, &record).unwrap();
    *record.params.entry("last") = serde_json::json!(7);
    record.rules_sha256.clone_from(&seven.identity().rules_sha256);
    let error = replay(&seven, &record).unwrap_err().to_string();
    assert_eq!(
        error,
        "the record says the outcome is `over`, winners [0], but its events give a game under way"
    );
}

#[test]
fn keys_that_are_unknown_missing_or_doubled_are_errors() {
    let record = Record::from_state(&play(&kinds(), 0)).unwrap();
    let text = serde_json::to_string(&record).unwrap();
    assert_eq!(Record::read(&text).unwrap(), record);
    let wrong = |from: &str, to: &str| {
        assert!(text.contains(from), "{text}");
        Record::read(&text.replacen(from, to, 1)).unwrap_err()
    };
    assert!(wrong("\"seed\"", "\"sead\"").contains("unknown field `sead`"));
    for key in ["seed", "index", "outcome", "events", "score", "returns", "variables", "params", "players"] {
        let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
        json.as_object_mut().unwrap().remove(key);
        let error = Record::read(&json.to_string()).unwrap_err();
        assert!(error.contains(&format!("missing field `{key}`")), "{key}: {error}");
    }
    assert!(wrong("\"seed\":11", "\"seed\":11,\"seed\":12").contains("duplicate field `seed`"));
    assert!(wrong("\"n\":", "\"n\":1,\"n\":").contains("`n` stands there twice"));
    assert!(wrong("\"winners\"", "\"winner\"").contains("unknown field `winner`"));
    assert!(wrong("\"houserule\":2", "\"houserule\":3").contains("format version 3"));
    let game = kinds();
    for (from, to) in
        [("\"variables\":{", "\"variables\":{\"m\":1,"), ("\"params\":{", "\"params\":{\"m\":1")]
    {
        let record = Record::read(&text.replacen(from, to, 1)).unwrap();
        assert!(replay(&game, &record).is_err(), "{to}");
    }
}

#[test]
fn journals_say_how_a_game_ended_and_are_held_to_it() {
    let game = kinds();
    let head = JournalHeader {
        houserule: houserule::notation::record::VERSION,
        journal: VERSION,
        game: "kinds".to_owned(),
        folder: None,
        rules_sha256: game.identity().rules_sha256.clone(),
        params: params_json(game.model()),
        players: 3,
        agents: vec!["you".to_owned(); 3],
        seed: 1,
        index: 0,
        dice: DiceSource::Seed,
        match_play: false,
    };
    let mut played = GameInProgress::begin(&game, &head.start(), None, DiceSource::Seed).unwrap();
    let events = played.act(game.parse_action("add 2").unwrap()).unwrap();
    let over = Over::from_state(played.state()).unwrap();
    let journal = |over: &str| {
        let text = format!("{}{}{{\"over\":{over}}}\n", written(&head), written(&events[0]));
        resume(&game, &Journal::read(&text).unwrap().0, |_| {}).map(|resumed| resumed.played.state().clone())
    };
    let text = serde_json::to_string(&over).unwrap();
    assert!(text.starts_with("{\"outcome\":{\"end\":\"second\",\"winners\":[1,2]},"), "{text}");
    assert_eq!(journal(&text).unwrap(), *played.state());
    let error = journal(&text.replace("second", "first")).unwrap_err().to_string();
    assert!(error.contains("the outcome is `first`, winners [1, 2]"), "{error}");
    // A journal of format version 1 has no outcome.
    let old = Over { outcome: None, ..over };
    journal(&serde_json::to_string(&old).unwrap()).unwrap();
}
