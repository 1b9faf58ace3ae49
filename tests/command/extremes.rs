//! `extremes`: values against facts, records that replay, and the manners of the command.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use houserule::extremes::{
    ChanceRole, ExtremeFound, ExtremeQuantity, Extremes, ExtremesBudget, ExtremesPlan, Method, USUAL,
    extremes,
};
use houserule::game::Game;
use houserule::interrupt::Interrupt;
use houserule::loader::{Request, load, load_text};
use houserule::notation::record::replay;
use houserule::playtest::RunMonitor;
use houserule::variants::Setting;
use serde_json::Value as Json;

use crate::command::run;
use crate::extent;

fn houserule(args: &str) -> (u8, String, String) {
    run(&args.split(' ').collect::<Vec<_>>())
}

fn game(name: &str, params: &[(&str, &str)]) -> Game {
    let settings: Vec<Setting> = params.iter().map(|(name, value)| Setting::new(*name, *value)).collect();
    load(&Request { name, settings: &settings, players: None }).unwrap().game
}

fn found(game: &Game, of: &[ExtremeQuantity], positions: u64) -> Extremes {
    let plan = ExtremesPlan {
        of: of.to_vec(),
        budget: ExtremesBudget::Positions(positions),
        ..ExtremesPlan::default()
    };
    let stop = Interrupt::new();
    extremes(game, &plan, &RunMonitor { progress: &|_| (), stop: &stop }).unwrap()
}

fn one<'a>(found: &'a Extremes, of: ExtremeQuantity, extreme: &str) -> &'a ExtremeFound {
    found.extremes.iter().find(|one| one.of == of && one.extreme.name() == extreme).unwrap()
}

/// Replays the game of an extreme, and returns its value in it.
fn shown(game: &Game, one: &ExtremeFound) -> i64 {
    let state = replay(game, one.record.as_ref().unwrap()).unwrap();
    assert!(state.is_over());
    match one.of {
        ExtremeQuantity::Score => state.score_of_each().unwrap()[one.seat.unwrap() as usize],
        ExtremeQuantity::Turns => state.turns() as i64,
        ExtremeQuantity::Rolls => state.rolls() as i64,
        ExtremeQuantity::Decisions => state.decisions() as i64,
    }
}

/// Holds that a value is proved, and that its game has it. `None` is a value without a limit.
fn is_proved(game: &Game, found: &Extremes, of: ExtremeQuantity, extreme: &str, value: Option<i64>) {
    let one = one(found, of, extreme);
    assert_eq!((one.value, one.unlimited), (value, value.is_none()), "{one:?}");
    assert!(one.proved, "{one:?}");
    if let Some(value) = value {
        assert_eq!(shown(game, one), value, "{one:?}");
    }
}

/// Holds the facts of a game with params: each is proved, and its game replays. Returns what was found.
fn hold(name: &str, params: &[(&str, &str)], positions: u64) -> Extremes {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/facts/extremes/extremes.json");
    let facts: Json = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let own = |fact: &&Json| {
        let told = fact["params"].as_object().cloned().unwrap_or_default();
        fact["game"] == name
            && told.len() == params.len()
            && params.iter().all(|(name, value)| told.get(*name) == serde_json::from_str(value).ok().as_ref())
    };
    let facts: Vec<&Json> = facts["extremes"].as_array().unwrap().iter().filter(own).collect();
    assert!(!facts.is_empty(), "{name} {params:?}");
    let game = game(name, params);
    let of: Vec<ExtremeQuantity> =
        facts.iter().map(|fact| ExtremeQuantity::named(fact["of"].as_str().unwrap()).unwrap()).collect();
    let result = found(&game, &of, positions);
    for (fact, of) in facts.iter().zip(&of) {
        is_proved(&game, &result, *of, fact["extreme"].as_str().unwrap(), fact["value"].as_i64());
    }
    result
}

#[test]
fn small_games_are_known_completely() {
    hold("tic-tac-toe", &[], USUAL);
    hold("tic-tac-die", &[], USUAL);
    hold("pig", &[("goal", "20")], USUAL);
}

#[test]
fn the_shortest_and_the_best_game_of_dots() {
    let result = if extent::everything() {
        hold("dilido", &[], USUAL)
    } else {
        // A full board of 4 × 4 has ten lines of 4 and four of 3. The shortest game is that of any size.
        let game = game("dilido", &[("size", "4")]);
        let result = found(&game, &[ExtremeQuantity::Score, ExtremeQuantity::Rolls], USUAL);
        is_proved(&game, &result, ExtremeQuantity::Score, "most", Some(10 * 3 + 4));
        is_proved(&game, &result, ExtremeQuantity::Score, "least", Some(0));
        is_proved(&game, &result, ExtremeQuantity::Rolls, "least", Some(4));
        is_proved(&game, &result, ExtremeQuantity::Rolls, "most", None);
        result
    };
    assert_eq!(one(&result, ExtremeQuantity::Score, "most").method, Method::Bound);
    assert_eq!(one(&result, ExtremeQuantity::Rolls, "least").method, Method::Shortest);
    assert_eq!(one(&result, ExtremeQuantity::Rolls, "most").method, Method::Loop);
}

#[test]
fn without_a_joker_a_game_takes_a_roll_more() {
    if extent::everything() {
        hold("dilido", &[("jokers", "0")], USUAL);
    }
    // As on a larger board.
    let game = game("dilido", &[("size", "3"), ("jokers", "0")]);
    let result = found(&game, &[ExtremeQuantity::Rolls], USUAL);
    is_proved(&game, &result, ExtremeQuantity::Rolls, "least", Some(5));
}

#[test]
fn a_smaller_board_has_fewer_points() {
    hold("dilido", &[("size", "3")], USUAL);
}

#[test]
fn lines_of_a_player_bound_the_length_from_below() {
    hold("dicrono", &[("size", "3")], 1_000_000);
    hold("dicrono", &[], 1_000_000);
    hold("gomoku", &[], 400_000);
    hold("connect-four", &[], extent::tries(400_000, 4_000_000));
}

/// Finds the least number of decisions, with this seed.
fn shortest(game: &Game, seed: u64, positions: u64) -> Extremes {
    let plan = ExtremesPlan {
        of: vec![ExtremeQuantity::Decisions],
        budget: ExtremesBudget::Positions(positions),
        seed,
        ..ExtremesPlan::default()
    };
    extremes(game, &plan, &RunMonitor { progress: &|_| (), stop: &Interrupt::new() }).unwrap()
}

#[test]
fn the_shortest_game_of_chess_has_four_moves() {
    // A pawn shields no king: the second player mates with the second move. Its ways are few among 197,281.
    let game = game("chess", &[]);
    // The other goal takes most of the time, so this is tried with the whole extent only.
    for seed in 1..=extent::tries(0, 2) {
        let result = shortest(&game, seed, 900_000);
        let least = one(&result, ExtremeQuantity::Decisions, "least");
        assert_eq!((least.value, least.proved, least.method), (Some(4), true, Method::Shortest), "{least:?}");
        assert_eq!(shown(&game, least), 4);
    }
}

/// A die on a track of this length. Whoever waits often enough has the same position again.
fn track(length: u32, times: u32) -> Game {
    rules(&format!(
        "game \"Track\" {{ players 1 dice die: 1 of d6 var at: 0..99 = 0 turn {{ roll die choose {{ \
         go {{ at += die }} wait {{ }} }} }} end there when at >= {length} \
         end waited when repeated({times}, of: at) score {{ at: at }} }}"
    ))
}

#[test]
fn the_shortest_game_of_chance_and_repetition() {
    // Two sixes lead to 12, three to 18. A game of waiting ends when the first position was there so often.
    for (length, times, least) in [(12, 3, 2), (18, 2, 2), (18, 3, 3), (24, 3, 3)] {
        let game = track(length, times);
        let result = found(&game, &[ExtremeQuantity::Rolls, ExtremeQuantity::Decisions], 100_000);
        for of in [ExtremeQuantity::Rolls, ExtremeQuantity::Decisions] {
            let one = one(&result, of, "least");
            assert_eq!((one.value, one.method), (Some(least), Method::Shortest), "{length} {times} {one:?}");
            assert!(one.proved && shown(&game, one) == least);
        }
    }
}

#[test]
fn a_small_game_takes_any_time() {
    // All of it is soon examined, again and again.
    let plan = ExtremesPlan { budget: ExtremesBudget::Seconds(0.5), ..ExtremesPlan::default() };
    let watch = RunMonitor { progress: &|_| (), stop: &Interrupt::new() };
    let result = extremes(&track(12, 3), &plan, &watch).unwrap();
    assert_eq!(result.extremes.iter().filter(|one| one.record.is_some()).count(), result.extremes.len());
}

#[test]
fn what_is_too_deep_has_a_bound() {
    // Ten ways at each of twelve decisions are too many to be examined, but not those at the first few.
    let game = rules(
        "game \"Deep\" { players 1 var at: 0..49 = 0 var last: 0..10 = 0 \
         turn { choose { go n in 1..10 { at = (at + 1) % 50 last = n } } } \
         end there when at == 12 and not repeated(99, of: [at, last]) }",
    );
    let mut before = 0;
    for positions in [2_000, 20_000, 200_000] {
        let result = shortest(&game, 1, positions);
        let least = one(&result, ExtremeQuantity::Decisions, "least");
        let bound = least.bound.unwrap();
        assert!((before + 1..12).contains(&bound), "{positions} {least:?}");
        assert!(
            least.value == Some(12) && !least.proved && least.method == Method::ExtremeSearch,
            "{least:?}"
        );
        let said = houserule::report::extremes_text(&result);
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(&format!("no game can have fewer than {bound}")), "{said}");
        before = bound;
    }
}

#[test]
fn the_best_sheet_of_dice() {
    hold("yacht", &[("rolls", "1")], extent::tries(1_500_000, USUAL));
}

#[test]
fn a_loop_is_in_the_game_twice() {
    let game = game("pig", &[("goal", "20")]);
    let result = found(&game, &[ExtremeQuantity::Rolls], USUAL);
    let most = one(&result, ExtremeQuantity::Rolls, "most");
    let events = &most.record.as_ref().unwrap().events;
    let around = most.repeat.unwrap();
    let length = around.last + 1 - around.first;
    let part = |from: usize| &events[from - 1..from - 1 + length];
    assert_eq!(part(around.first), part(around.last + 1));
    // The game goes on as before if the events are there once more, or only once.
    for times in [1, 3] {
        let mut record = most.record.clone().unwrap();
        let mut repeated = events[..around.first - 1].to_vec();
        (0..times).for_each(|_| repeated.extend_from_slice(part(around.first)));
        repeated.extend_from_slice(&events[around.last + length..]);
        record.events = repeated;
        let state = replay(&game, &record).unwrap();
        assert!(state.is_over());
    }
}

#[test]
fn games_with_hidden_hands_have_extremes_too() {
    let game = game("dominoes", &[]);
    let result = found(&game, &[], 60_000);
    for one in &result.extremes {
        assert_eq!(Some(shown(&game, one)), one.value, "{:?} {:?}", one.of, one.extreme);
        let beyond = one.bound.is_none_or(|bound| match one.extreme.name() {
            "most" => one.value.unwrap() <= bound,
            _ => one.value.unwrap() >= bound,
        });
        assert!(beyond, "{:?} is beyond {:?}", one.value, one.bound);
    }
}

#[test]
fn the_same_seed_finds_the_same() {
    let game = game("dicrono", &[]);
    let [a, b] = [(); 2].map(|()| found(&game, &[], extent::tries(30_000, 100_000)));
    let json = |found: &Extremes| serde_json::to_value(&found.extremes).unwrap();
    assert_eq!(json(&a), json(&b));
    assert_eq!(a.positions, b.positions);
}

#[test]
fn bounds_hold_in_random_games() {
    for name in extent::bundled("bounds", 8).filter(|name| !name.contains("points")) {
        let game = game(name, &[]);
        let result = found(&game, &[], 0);
        for index in 0..extent::tries(8, 20) {
            let mut state = game.start(3, index).unwrap();
            while let Some(action) = state.random_action().filter(|_| state.decisions() < 3_000) {
                if state.apply(action).is_err() {
                    break;
                }
            }
            if !state.is_over() {
                continue;
            }
            let scores = state.score_of_each().unwrap();
            for one in &result.extremes {
                let value = match one.of {
                    ExtremeQuantity::Score => scores[one.seat.unwrap() as usize],
                    ExtremeQuantity::Turns => state.turns() as i64,
                    ExtremeQuantity::Rolls => state.rolls() as i64,
                    ExtremeQuantity::Decisions => state.decisions() as i64,
                };
                let holds = one.bound.is_none_or(|bound| match one.extreme.name() {
                    "most" => value <= bound,
                    _ => value >= bound,
                });
                assert!(holds, "{name}, game {index}: {value} is beyond {one:?}");
            }
        }
    }
}

#[test]
fn files_are_replayed_and_never_overwritten_by_chance() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("extremes");
    let _ = std::fs::remove_dir_all(&folder);
    let folder = folder.to_str().unwrap();
    let (code, out, err) = houserule(&format!("extremes tic-tac-toe -o {folder}"));
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("decisions") && out.contains("proved: all positions were examined"), "{out}");
    for (file, events) in
        [("decisions-least", 5), ("decisions-most", 9), ("turns-least", 5), ("turns-most", 9)]
    {
        let (code, out, _) = houserule(&format!("replay {folder}/{file}.jsonl --json"));
        let games: Json = serde_json::from_str(&out).unwrap();
        assert_eq!((code, &games["games"][0]["events"]), (0, &Json::from(events)), "{file}");
    }
    let (code, _, err) = houserule(&format!("extremes tic-tac-toe -o {folder}"));
    assert!(code == 2 && err.contains("--force"), "{err}");
    assert_eq!(houserule(&format!("extremes tic-tac-toe -o {folder} --force")).0, 0);
}

#[test]
fn it_says_what_there_is() {
    for (args, word) in [
        ("extremes pig --of foo", "choose from `score`, `turns`, `rolls`, `decisions`"),
        ("extremes tic-tac-toe --of rolls", "the rules have no rolls"),
        ("extremes tic-tac-toe --of score", "the rules have no score"),
        ("extremes pig --for never", "write a time"),
    ] {
        let (code, out, err) = houserule(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args}");
        assert!(err.contains(word), "{args}: {err}");
    }
}

#[test]
fn an_interrupted_search_keeps_what_it_has() {
    let stop = Interrupt::new();
    stop.set();
    let watch = RunMonitor { progress: &|_| (), stop: &stop };
    let result = extremes(&game("dicrono", &[]), &ExtremesPlan::default(), &watch).unwrap();
    assert!(result.interrupted && result.extremes.iter().all(|one| one.value.is_none() && !one.proved));
}

/// What players can force while chance works against them.
fn forced(game: &Game, of: &[ExtremeQuantity]) -> Extremes {
    forced_within(game, of, USUAL)
}

fn forced_within(game: &Game, of: &[ExtremeQuantity], positions: u64) -> Extremes {
    let plan = ExtremesPlan {
        of: of.to_vec(),
        chance: ChanceRole::Enemy,
        budget: ExtremesBudget::Positions(positions),
        ..ExtremesPlan::default()
    };
    extremes(game, &plan, &RunMonitor { progress: &|_| (), stop: &Interrupt::new() }).unwrap()
}

fn rules(text: &str) -> Game {
    load_text("test", text, &Request::default()).unwrap().game
}

/// Three times: keep the die, or take 2. Against the worst dice 2 each time is sure; at most 6 is possible.
const SURE: &str = "game \"Sure\" { players 1 dice die: 1 of d6 var points: 0..99 = 0 var left: 0..3 = 3 \
     turn { roll die choose { keep { points += die; left -= 1 } two { points += 2; left -= 1 } } } \
     end done when left == 0 score { points: points } }";

#[test]
fn what_can_be_forced_by_hand() {
    let game = rules(SURE);
    let result = forced(&game, &[]);
    let value = |of, extreme: &str| one(&result, of, extreme).value;
    assert_eq!(value(ExtremeQuantity::Score, "most"), Some(6));
    // Who wants few points takes at most 2, and chance rolls no less.
    assert_eq!(value(ExtremeQuantity::Score, "least"), Some(6));
    assert_eq!(value(ExtremeQuantity::Rolls, "most"), Some(3));
    for one in &result.extremes {
        assert!(one.proved && one.method == Method::Enemy && one.repeat.is_none(), "{one:?}");
        assert_eq!(Some(shown(&game, one)), one.value);
    }
}

#[test]
fn the_longest_that_the_dice_can_make_it() {
    // A step of 1 or 2 to the goal of 10, chosen by the die: 10 rolls at worst, 5 at best, for whoever decides nothing.
    let race = rules(
        "game \"Race\" { players 1 dice die: 1 of d2 var at: 0..11 = 0 turn { roll die at += die } \
         end there when at >= 10 score { at: at } }",
    );
    let result = forced(&race, &[ExtremeQuantity::Rolls]);
    // Whoever hurries can't prevent 10 rolls; whoever delays can't prevent that 5 are enough.
    assert_eq!(one(&result, ExtremeQuantity::Rolls, "least").value, Some(10));
    assert_eq!(one(&result, ExtremeQuantity::Rolls, "most").value, Some(5));
    // A six may never come.
    let six = rules(
        "game \"Six\" { players 1 dice die: 1 of d6 var n: 0..9 = 0 \
         turn { roll die if n < 9 { n += 1 } } end six when die == 6 score { n: n } }",
    );
    let result = forced(&six, &[]);
    let least = one(&result, ExtremeQuantity::Rolls, "least");
    assert!(least.unlimited && least.proved && least.value.is_none() && least.record.is_none());
    // Nor is any score sure.
    let most = one(&result, ExtremeQuantity::Score, "most");
    assert!(most.proved && most.value.is_none() && !most.unlimited);
    // At worst the six comes at once.
    assert_eq!(one(&result, ExtremeQuantity::Rolls, "most").value, Some(1));
}

#[test]
fn who_fears_the_dice_in_pig_gets_nothing() {
    // The dice can always show a 1.
    let result = forced(&game("pig", &[("goal", "20")]), &[]);
    let most = one(&result, ExtremeQuantity::Score, "most");
    assert!(most.proved && most.value.is_none(), "{most:?}");
    // To stop at once is always possible, so the players can go on for ever.
    assert!(one(&result, ExtremeQuantity::Turns, "most").unlimited);
    // The whole game is too large to be examined, and the answer is the same.
    let positions = extent::tries(300_000, USUAL);
    let result = forced_within(&game("pig", &[]), &[ExtremeQuantity::Turns], positions);
    assert!(one(&result, ExtremeQuantity::Turns, "most").unlimited);
    assert!(one(&result, ExtremeQuantity::Turns, "least").unlimited);
}

#[test]
fn an_enemy_is_never_kinder_than_a_friend() {
    let mut games = vec![game("tic-tac-die", &[]), rules(SURE)];
    if extent::everything() {
        games.push(game("dicrono", &[("size", "3")]));
    }
    for game in games {
        let name = &game.identity().name;
        let (friend, enemy) = (found(&game, &[], USUAL), forced(&game, &[]));
        for (friend, enemy) in friend.extremes.iter().zip(&enemy.extremes) {
            let (Some(possible), Some(sure)) = (friend.value, enemy.value) else { continue };
            match friend.extreme.name() {
                "most" => assert!(sure <= possible, "{name} {enemy:?}"),
                _ => assert!(sure >= possible, "{name} {enemy:?}"),
            }
            if enemy.record.is_some() {
                assert_eq!(shown(&game, enemy), sure);
            }
        }
    }
}

#[test]
fn an_enemy_needs_chance() {
    for (args, message) in [
        ("extremes tic-tac-toe --chance enemy", "no chance events"),
        ("extremes pig --chance foe", "choose from `friend`, `enemy`"),
    ] {
        let (code, out, err) = houserule(args);
        assert!(code == 2 && err.contains(message), "{args}\n{out}{err}");
    }
    let (code, out, err) = houserule("extremes pig --set goal=20 --chance enemy");
    assert_eq!(code, 0, "{err}");
    for part in
        ["chance against it", "no end", "chance can keep the game from its end", "whatever chance does"]
    {
        assert!(out.split_whitespace().collect::<Vec<_>>().join(" ").contains(part), "{part}\n{out}");
    }
}

#[test]
fn methods_have_the_names_of_the_documentation() {
    let (_, out, _) = houserule("extremes dicrono --of score --for 1s --json");
    let found: Json = serde_json::from_str(&out).unwrap();
    let methods: Vec<&str> =
        found["extremes"].as_array().unwrap().iter().map(|one| one["method"].as_str().unwrap()).collect();
    assert!(methods.contains(&"search"), "{methods:?}");
}
