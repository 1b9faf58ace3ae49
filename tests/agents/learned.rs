//! Learned players: the same for a seed on any number of threads, safe as files, and better than built-in
//! agents.

#![allow(clippy::unwrap_used)]

use std::sync::{Arc, Mutex};

use crate::extent;
use houserule::agents::{AgentError, AgentKind, Learned};
use houserule::game::Game;
use houserule::interrupt::Interrupt;
use houserule::learned::{
    Course, LearnError, MOST_BYTES, PlayerError, PlayerFile, TrainingBudget, TrainingObserver, can_learn,
    train,
};
use houserule::loader::{Request, load, load_text};
use houserule::playtest::{
    ComparePlan, CompareProgress, Meeting, SimulationPlan, compare_watched, meet, simulate,
};
use houserule::variants::Setting;

fn game(name: &str, settings: &[(&str, &str)], players: Option<u32>) -> Game {
    let settings: Vec<Setting> = settings.iter().map(|(name, value)| Setting::new(*name, *value)).collect();
    load(&Request { name, settings: &settings, players }).unwrap_or_else(|error| panic!("{error}")).game
}

fn learn(game: &Game, games: u64, seed: u64, threads: usize) -> Learned {
    let course = Course { budget: TrainingBudget::Games(games), seed, threads };
    train(game, &course, &mut ()).unwrap_or_else(|error| panic!("{error}"))
}

/// Plays a learned player against a named agent, or alone, and returns the result.
fn meeting(game: &Game, player: Learned, other: &str, games: u64) -> Meeting {
    let kinds = vec![AgentKind::parse(other).unwrap(); game.players() as usize];
    let mut others = AgentKind::seat_all(&kinds, game).unwrap();
    let mut player = Arc::new(player).agent(game, "learned");
    meet(game, &mut player, &mut *others[0], 7, games, &mut || false).unwrap()
}

#[test]
fn a_seed_gives_the_same_player_on_any_number_of_threads() {
    let courses = [("pig", 2, 300), ("dominoes", 3, 100), ("dilido", 1, 60), ("dicrono", 2, 200)];
    for (name, players, games) in extent::some_of("a seed", 2, courses) {
        let (game, games) = (game(name, &[], Some(players)), games / extent::tries(3, 1));
        // Seconds are wall-clock time and differ.
        let weights = |seed, threads| {
            PlayerFile::from_bytes("", &learn(&game, games, seed, threads).to_bytes())
                .unwrap()
                .weights()
                .to_vec()
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
    let file = PlayerFile::from_bytes("four.player", &bytes).unwrap();
    let read = file.fit(&game).unwrap();
    assert_eq!(read.about(), player.about());
    // Reading and saving again changes nothing: the file keeps everything that the player uses.
    let again = PlayerFile::from_bytes("again.player", &read.to_bytes()).unwrap();
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
    let file = PlayerFile::from_bytes("d.player", &learn(&dilido, 40, 1, 1).to_bytes()).unwrap();
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
    assert!(PlayerFile::from_bytes("", &bytes).is_ok());
    let every = extent::tries(17, 1);
    for end in (0..bytes.len()).step_by(every) {
        assert!(PlayerFile::from_bytes("", &bytes[..end]).is_err(), "cut at {end}");
    }
    let body = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    for at in (body..bytes.len()).step_by(every) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        // Bits after the last weight have no meaning.
        let read = PlayerFile::from_bytes("", &flipped);
        assert!(read.is_err() || read == PlayerFile::from_bytes("", &bytes), "flipped at {at}");
    }
    let text = |from: &str, to: &str| {
        let end = bytes.iter().position(|byte| *byte == b'\n').unwrap();
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        assert!(head.contains(from), "{head}");
        [head.replacen(from, to, 1).into_bytes(), bytes[end..].to_vec()].concat()
    };
    let later = PlayerFile::from_bytes("", &text("\"houserule_player\":1", "\"houserule_player\":2"));
    assert!(matches!(later, Err(PlayerError::Version(_, 2))));
    for (from, to) in
        [("\"kept\":", "\"kept\":9999999999"), ("\"aim\":\"", "\"aim\":\"x"), ("\"seed\"", "\"sead\"")]
    {
        assert!(matches!(PlayerFile::from_bytes("", &text(from, to)), Err(PlayerError::Damaged(..))), "{to}");
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
fn searches_are_led_by_what_was_learned() {
    for (name, shown) in [
        ("mcts:50:learned:2k", "mcts:50:learned:2000"),
        ("flat:learned", "flat:100:learned"),
        ("ismcts:learned:9", "ismcts:100:learned:9"),
    ] {
        assert_eq!(AgentKind::parse(name).unwrap().to_string(), shown);
    }
    let error = |name: &str| AgentKind::parse(name).unwrap_err();
    assert!(matches!(error("greedy:learned"), AgentError::NoLookahead(_)));
    assert!(matches!(error("random:learned"), AgentError::NoJudge(_)));
    assert!(matches!(error("mcts:50:learned:x"), AgentError::Games(_)));
    // A search with the learned player beats the player alone. It works with hidden information and
    // with three players.
    let four = game("connect-four", &[], None);
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("four.player");
    std::fs::write(&file, learn(&four, 1_000, 1, 2).to_bytes()).unwrap();
    let deep = AgentKind::parse(&format!("mcts:60:{}", file.display())).unwrap();
    let mut deep = AgentKind::seat_all(&[deep.clone(), deep], &four).unwrap().remove(0);
    let other = AgentKind::parse(&file.display().to_string()).unwrap();
    let mut other = AgentKind::seat_all(&[other.clone(), other], &four).unwrap().remove(0);
    let against = meet(&four, &mut *deep, &mut *other, 7, 60, &mut || false).unwrap();
    assert!(against.better.is_surely_positive(), "{against:?}");
    for (name, players, agent) in [
        ("dominoes", 3, "ismcts:20:learned:50"),
        ("dominoes", 2, "mcts:60:learned:50"),
        ("dilido", 1, "flat:20:learned:50"),
        ("pig", 3, "mcts:20:learned:50"),
    ] {
        let game = game(name, &[], Some(players));
        let plan = SimulationPlan {
            games: 2,
            first: 0,
            seed: 1,
            threads: 2,
            agents: vec![AgentKind::parse(agent).unwrap()],
            match_play: false,
        };
        let report = simulate(&game, &plan, &|_| {}, None).unwrap();
        assert_eq!((report.games, report.aborted), (2, 0), "{name}: {agent}");
    }
}

#[test]
fn a_rule_is_judged_by_players_trained_for_each_game() {
    let (one, none) = (game("dilido", &[], None), game("dilido", &[("jokers", "0")], None));
    let plan = ComparePlan {
        games: Some(400),
        first: 0,
        seeds: [1; 2],
        threads: 2,
        agents: vec![AgentKind::Greedy, AgentKind::Learned(Some(600))],
        match_play: false,
        keep_partial: false,
    };
    let told = Mutex::new(vec![]);
    let progress = |done| {
        told.lock().unwrap().push(done);
        true
    };
    let found = compare_watched(&one, &none, &plan, &progress, &Interrupt::new()).unwrap();
    // Training reports its progress: two players for each game.
    let told = told.into_inner().unwrap();
    let shares: Vec<f64> = told
        .iter()
        .filter_map(|done| if let CompareProgress::Training(share) = done { Some(*share) } else { None })
        .collect();
    assert!(shares.is_sorted() && *shares.last().unwrap() == 1.0, "{shares:?}");
    // How often depends on the machine.
    assert!(shares.iter().any(|share| (0.05..0.95).contains(share)), "{shares:?}");
    assert_eq!(told.last(), Some(&CompareProgress::Pairs(800, 800)));
    assert_eq!(found.agents.iter().map(|agent| agent.trainings).collect::<Vec<_>>(), [None, Some(2)]);
    let score = |at: usize| &found.agents[at].quantities[0];
    // A good player values a joker highly. `greedy` spends it at once.
    assert!(score(1).high.unwrap() < -8.0 && score(0).low.unwrap() > -8.0, "{:?} {:?}", score(0), score(1));
    assert!(
        found.depends.iter().any(|of| of.label == "score" && of.other == "greedy"),
        "{:?}",
        found.depends
    );
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

/// The sites in open zones are turned with the board.
#[test]
fn sites_in_zones_have_symmetries() {
    let rules = |ordered: &str| {
        format!(
            "game \"Crosses\" {{
                players X, O
                board cell = grid(3, 3)
                piece mark[player]
                zone free of cell
                zone taken of cell{ordered}
                turn {{ choose {{ place c in free {{ put mark[me] at c; move c to taken }} }} }}
                end line when longest(mark[me]) >= 3: win me
                end full when free is nothing: draw
            }}"
        )
    };
    assert_eq!(learn(&written(&rules("")), 8, 1, 1).symmetries(), 8);
    // The order in a zone has no image.
    assert_eq!(learn(&written(&rules(" ordered")), 8, 1, 1).symmetries(), 1);
}

#[test]
fn a_short_course_beats_what_is_built_in() {
    if extent::everything() {
        let pig = game("pig", &[], None);
        let against = meeting(&pig, learn(&pig, 8_000, 1, 2), "greedy", 200);
        assert!(against.own.mean - against.own.half.unwrap() > 0.8, "{against:?}");
    }
    let four = game("connect-four", &[], None);
    let against = meeting(&four, learn(&four, extent::tries(1_000, 4_000), 1, 2), "greedy", 100);
    assert!(against.own.mean - against.own.half.unwrap() > 0.8, "{against:?}");
    // A single player learns to save its joker.
    let dilido = game("dilido", &[], None);
    let alone = meeting(&dilido, learn(&dilido, extent::tries(1_000, 6_000), 1, 2), "random", 300);
    assert!(alone.own.mean - alone.own.half.unwrap() > 52.0, "{alone:?}");
}

#[test]
fn a_short_course_begins_with_games_of_random_players() {
    // Without these games 500 of its own win 0.69.
    let game = game("kalah", &[], None);
    let met = meeting(&game, learn(&game, extent::tries(200, 500), 1, 2), "random", 200);
    assert!(met.own.mean > 0.9, "{met:?}");
}

/// Ends a training at once.
struct Impatient;

impl TrainingObserver for Impatient {
    fn is_enough(&mut self) -> bool {
        true
    }
}

#[test]
fn games_of_random_players_end_with_the_training() {
    let game = game("kalah", &[], None);
    let course = Course { budget: TrainingBudget::Games(1_000), seed: 1, threads: 2 };
    let player = train(&game, &course, &mut Impatient).unwrap();
    let file = PlayerFile::from_bytes("", &player.to_bytes()).unwrap();
    assert!(file.weights().iter().all(|weight| weight.1 == 0), "it has learned nothing");
}

#[test]
fn who_would_wait_for_ever_comes_to_an_end() {
    let game = written(
        "game \"Standoff\" { players 2 var gone: bool turn { choose { wait { } go { gone = true } } } end over when gone: lose me }",
    );
    let agents = vec![AgentKind::parse("learned:100").unwrap(); 2];
    let plan = SimulationPlan { games: 20, first: 0, seed: 1, threads: 2, agents, match_play: false };
    let report = simulate(&game, &plan, &|_| {}, None).unwrap();
    assert_eq!((report.games, report.aborted), (20, 0));
    assert!(report.counts.get("decisions").unwrap().mean > 1_000.0, "{:?}", report.counts);
}

#[test]
fn least_wins_where_the_rules_say_so() {
    let misere = game("dots-and-boxes-misere", &[("width", "3"), ("height", "3")], None);
    let against = meeting(&misere, learn(&misere, extent::tries(400, 1_500), 1, 2), "greedy", 100);
    assert!(against.own.mean - against.own.half.unwrap() > 0.5, "{against:?}");
}

fn written(text: &str) -> Game {
    let loaded = load_text("mine.rules", text, &Request::default());
    loaded.unwrap_or_else(|error| panic!("{error}")).game
}

/// A player without decisions has nothing to learn. Training would never reach its number of samples.
#[test]
fn what_nobody_decides_is_not_learned() {
    let race = written(
        "game \"Race\" { players 1 dice d: 1 of d6 var n: 0..99 = 0 turn { roll d; n += d[1] } \
         end home when n >= 20 score { way: n } }",
    );
    assert_eq!(can_learn(&race), Err(LearnError::NoDecisions));
    assert_eq!(can_learn(&game("pig", &[], None)), Ok(()));
}

/// An interrupt stops training on every thread, and no thread waits for another forever.
#[test]
fn training_is_interrupted_on_any_number_of_threads() {
    let game = game(extent::tries("connect-four", "points-small"), &[], None);
    for threads in [1, 3] {
        let stop = Interrupt::new();
        let flag = stop.clone();
        std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(100));
            flag.set();
        });
        let course = Course { budget: TrainingBudget::Games(1_000_000), seed: 1, threads };
        assert!(stop.scope(|| train(&game, &course, &mut ()).is_ok()).is_err(), "{threads}");
    }
}

/// Games with chance and without are learned differently. Both come close to best play.
#[test]
fn small_games_are_learned_to_the_end() {
    let pig = game("pig", &[("goal", "20")], None);
    let against = meeting(&pig, learn(&pig, extent::tries(6_000, 20_000), 1, 2), "exact", 2_000);
    assert!(against.own.mean + against.own.half.unwrap() >= 0.5, "{against:?}");
    let ttt = game("tic-tac-toe", &[], None);
    let against = meeting(&ttt, learn(&ttt, extent::tries(6_000, 20_000), 1, 2), "exact", 50);
    assert!(against.own.mean > 0.49, "{against:?}");
}
