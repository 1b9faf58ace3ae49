//! Players that learn: the same for a seed on any number of threads, safe as files, and better than what is built in.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use houserule::agents::learned::{Budget, Course, MOST_BYTES, PlayerError, PlayerFile, train};
use houserule::agents::{AgentError, AgentKind, Learned};
use houserule::engine::Game;
use houserule::lang::check::Setting;
use houserule::loader::{Request, load};
use houserule::playtest::{Meeting, meet};

fn game(name: &str, settings: &[(&str, &str)], players: Option<u32>) -> Game {
    let settings: Vec<Setting> = settings.iter().map(|(name, value)| Setting::new(*name, *value)).collect();
    load(&Request { name, settings: &settings, players }).unwrap_or_else(|error| panic!("{error}")).game
}

fn learn(game: &Game, games: u64, seed: u64, threads: usize) -> Learned {
    let course = Course { budget: Budget::Games(games), seed, threads };
    train(game, &course, &mut ()).unwrap_or_else(|error| panic!("{error}"))
}

/// How a player does against an agent of a name, or alone.
fn meeting(game: &Game, player: Learned, other: &str, games: u64) -> Meeting {
    let kinds = vec![AgentKind::parse(other).unwrap(); game.players() as usize];
    let mut others = AgentKind::seat_all(&kinds, game).unwrap();
    let mut player = Arc::new(player).agent(game, "learned");
    meet(game, &mut player, &mut *others[0], 7, games, &mut || false).unwrap()
}

#[test]
fn a_seed_gives_the_same_player_on_any_number_of_threads() {
    for (name, players, games) in
        [("pig", 2, 300), ("dilido", 1, 60), ("dominoes", 3, 100), ("dicrono", 2, 200)]
    {
        let game = game(name, &[], Some(players));
        // Seconds are what a clock says.
        let weights = |seed, threads| {
            PlayerFile::of("", &learn(&game, games, seed, threads).to_bytes()).unwrap().weights().to_vec()
        };
        let one = weights(1, 1);
        assert_eq!(weights(1, 2), one, "{name}");
        assert_eq!(weights(1, 3), one, "{name}");
        assert_ne!(weights(2, 1), one, "{name}");
    }
}

#[test]
fn a_file_is_the_player_that_was_saved() {
    let game = game("connect-four", &[], None);
    let player = learn(&game, 400, 1, 2);
    let bytes = player.to_bytes();
    assert!(bytes.len() <= MOST_BYTES);
    let file = PlayerFile::of("four.player", &bytes).unwrap();
    let read = file.fit(&game).unwrap();
    assert_eq!(read.about(), player.about());
    // Read and saved once more it is the same: what a game is judged by is what is kept.
    let again = PlayerFile::of("again.player", &read.to_bytes()).unwrap();
    assert_eq!(again.weights(), file.weights());
    assert_eq!(read.to_bytes().len(), bytes.len());
    let (saved, again) =
        (meeting(&game, player.as_saved(), "random", 30), meeting(&game, read, "random", 30));
    assert_eq!((saved.games, saved.own), (again.games, again.own));
    assert!(file.warning(&game).is_none());
}

#[test]
fn a_file_fits_the_game_that_was_learned_and_warns_of_other_rules() {
    let dilido = game("dilido", &[], None);
    let file = PlayerFile::of("d.player", &learn(&dilido, 40, 1, 1).to_bytes()).unwrap();
    let other = game("connect-four", &[], None);
    let error = file.fit(&other).unwrap_err();
    assert!(error.to_string().contains("has learned with 1 player, and here 2 play"), "{error}");
    let larger = game("dilido", &[("size", "8")], None);
    assert!(matches!(file.fit(&larger), Err(PlayerError::Plan { .. })));
    let fewer = game("dilido", &[("adjacency", "4")], None);
    assert!(file.fit(&fewer).is_ok());
    assert!(file.warning(&fewer).unwrap().contains("other rules or params"));
}

#[test]
fn a_damaged_file_is_refused_wherever_the_damage_is() {
    let bytes = learn(&game("tic-tac-toe", &[], None), 60, 1, 1).to_bytes();
    assert!(PlayerFile::of("", &bytes).is_ok());
    for end in 0..bytes.len() {
        assert!(PlayerFile::of("", &bytes[..end]).is_err(), "cut at {end}");
    }
    let body = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    for at in body..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        // Bits behind the last weight say nothing.
        let read = PlayerFile::of("", &flipped);
        assert!(read.is_err() || read == PlayerFile::of("", &bytes), "flipped at {at}");
    }
    let text = |from: &str, to: &str| {
        let end = bytes.iter().position(|byte| *byte == b'\n').unwrap();
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        assert!(head.contains(from), "{head}");
        [head.replacen(from, to, 1).into_bytes(), bytes[end..].to_vec()].concat()
    };
    let later = PlayerFile::of("", &text("\"houserule_player\":1", "\"houserule_player\":2"));
    assert!(matches!(later, Err(PlayerError::Version(_, 2))));
    for (from, to) in
        [("\"kept\":", "\"kept\":9999999999"), ("\"aim\":\"", "\"aim\":\"x"), ("\"seed\"", "\"sead\"")]
    {
        assert!(matches!(PlayerFile::of("", &text(from, to)), Err(PlayerError::Damaged(..))), "{to}");
    }
}

#[test]
fn names_of_learners_are_read_and_refused() {
    assert_eq!(AgentKind::parse("learned").unwrap(), AgentKind::Learned(None));
    assert_eq!(AgentKind::parse("learned:50k").unwrap(), AgentKind::Learned(Some(50_000)));
    assert_eq!(AgentKind::parse("learned:50k").unwrap().to_string(), "learned:50000");
    assert!(matches!(AgentKind::parse("learned:0"), Err(AgentError::Games(_))));
    assert!(matches!(
        AgentKind::parse("nowhere.player"),
        Err(AgentError::Player(PlayerError::Unreadable { .. }))
    ));
}

#[test]
fn symmetries_are_found() {
    for (name, settings, symmetries) in [
        ("tic-tac-toe", vec![], 8),
        ("connect-four", vec![], 2),
        ("reversi", vec![("size", "6")], 8),
        ("dots-and-boxes", vec![], 8),
        ("breakthrough", vec![], 2),
        ("dilido", vec![], 4),
        ("pig", vec![], 1),
    ] {
        assert_eq!(learn(&game(name, &settings, None), 8, 1, 1).symmetries(), symmetries, "{name}");
    }
}

#[test]
fn a_short_course_beats_what_is_built_in() {
    let pig = game("pig", &[], None);
    let against = meeting(&pig, learn(&pig, 8_000, 1, 2), "greedy", 200);
    assert!(against.own.mean - against.own.half.unwrap() > 0.8, "{against:?}");
    let four = game("connect-four", &[], None);
    let against = meeting(&four, learn(&four, 4_000, 1, 2), "greedy", 100);
    assert!(against.own.mean - against.own.half.unwrap() > 0.8, "{against:?}");
    // A lone player learns to wait with its joker.
    let dilido = game("dilido", &[], None);
    let alone = meeting(&dilido, learn(&dilido, 6_000, 1, 2), "random", 300);
    assert!(alone.own.mean - alone.own.half.unwrap() > 52.0, "{alone:?}");
}

#[test]
fn least_wins_where_the_rules_say_so() {
    let misere = game("dots-and-boxes-misere", &[("width", "3"), ("height", "3")], None);
    let against = meeting(&misere, learn(&misere, 1_500, 1, 2), "greedy", 100);
    assert!(against.own.mean - against.own.half.unwrap() > 0.5, "{against:?}");
}
