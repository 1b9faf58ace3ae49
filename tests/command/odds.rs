//! `odds`: the exact values of ten questions, messages, and the manners of the command.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use serde_json::Value as Json;

use crate::command::run;

/// Runs the command, which must succeed, and returns its JSON.
fn odds(args: &[&str]) -> Json {
    let (code, out, err) = run(&[&["odds", "--json"], args].concat());
    assert_eq!((code, err.as_str()), (0, ""), "{args:?}");
    serde_json::from_str(&out).unwrap()
}

/// Runs the command, which must fail, and returns its code and messages.
fn refused(args: &[&str]) -> (u8, String) {
    let (code, out, err) = run(&[&["odds"], args].concat());
    assert_eq!(out, "", "{args:?}");
    (code, err)
}

fn mean(found: &Json) -> &str {
    found["distributions"][0]["mean"]["fraction"].as_str().unwrap()
}

fn decimal_mean(found: &Json) -> f64 {
    found["distributions"][0]["mean"]["decimal"].as_f64().unwrap()
}

/// The fraction of the probability of a value.
fn equal(found: &Json, value: i64) -> &str {
    let values = found["distributions"][0]["values"].as_array().unwrap();
    let one = values.iter().find(|one| one["value"] == value).unwrap();
    one["probability"]["fraction"].as_str().unwrap()
}

/// The answer to what was asked besides, as a fraction.
fn answer(found: &Json) -> &str {
    found["distributions"][0]["asked"][0]["answer"]["fraction"].as_str().unwrap()
}

fn is_near(found: f64, wanted: f64, error: f64) {
    assert!((found - wanted).abs() < error, "{found} is not {wanted}");
}

fn data(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/odds").join(name);
    path.to_str().unwrap().to_owned()
}

/// Writes a file for this test.
fn file(name: &str, text: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("odds");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn four_dice_without_the_lowest() {
    for text in [
        "sum of the 3 highest of 4d6",
        "3 highest of 4 d6",
        "sum n in 1..3: highest(4 of d6, n)",
        "dice cup: 4d6; sum(cup) - min(cup)",
    ] {
        let found = odds(&[text, "--at-least", "15"]);
        assert_eq!(
            (mean(&found), answer(&found), equal(&found, 18)),
            ("15869/1296", "25/108", "7/432"),
            "{text}"
        );
        assert_eq!((&found["exact"], &found["bound"]), (&Json::from(true), &Json::from(0.0)), "{text}");
    }
    let best = odds(&["max of 6 rolls: sum of the 3 highest of 4d6", "--at-least", "18"]);
    // 1 − (1 − 7/432)⁶
    assert_eq!(answer(&best), "606876045137999/6499837226778624");
    let any = odds(&["any of 6 rolls: (sum of the 3 highest of 4d6) == 18"]);
    assert_eq!(mean(&any), answer(&best));
    let (none, all) = ("all of 6 rolls: (3 highest of 4d6) < 18", "min of 6 rolls: 3 highest of 4d6");
    assert_eq!(mean(&odds(&[none])), "5892961181640625/6499837226778624");
    // (1295/1296)⁶
    assert_eq!(answer(&odds(&[all, "--at-least", "4"])), "4716486660819390625/4738381338321616896");
}

#[test]
fn attackers_and_defenders() {
    let found = odds(&["count n in 1..2: highest(3d6, n) <= highest(2d6, n)"]);
    let of = |lost| equal(&found, lost).to_owned();
    assert_eq!([of(0), of(1), of(2)], ["1445/3888", "2611/7776", "2275/7776"]);
    assert_eq!(mean(&found), "2387/2592");
    let battle = odds(&[&data("battle.rules")]);
    is_near(decimal_mean(&battle), 0.76937, 1e-5);
    assert_eq!(battle["exact"], true);
}

#[test]
fn dice_that_are_rolled_again() {
    let again = "dice cup: 5d6; for n in 1..2 { roll cup among { d in 1..5 where cup[d] < 5 } }; faces(cup, 5) + faces(cup, 6)";
    assert_eq!(answer(&odds(&[again, "--at-least", "3"])), "4026233/4782969");
    let kind = "dice cup: 5d6; for n in 1..2 { let kept = best f in 1..6 by faces(cup, f)  \
                roll cup among { d in 1..5 where cup[d] != kept } }; cup is double";
    let kind = odds(&[kind]);
    assert_eq!(mean(&kind), "347897/7558272");
    // Which dice are rolled again depends on their faces, also while these are about to change.
    let high = odds(&["dice cup: 3d6; roll cup among { d in 1..3 where cup[d] > 2 }; sum(cup)"]);
    assert_eq!(mean(&high), "17/2");
    // Without the dice as equals, there are more than 7,776 states.
    assert!(kind["states"].as_u64().unwrap() < 1_000, "{}", kind["states"]);
}

#[test]
fn successes() {
    let seven = odds(&["dice cup: 7d6; faces(cup, 5) + faces(cup, 6)", "--at-least", "3"]);
    assert_eq!(answer(&seven), "313/729");
    // One state for each choice of equal dice, one before the roll.
    assert_eq!(seven["states"], 792 + 1);
    let again = "dice die: d6; var left: 0..6 = 6; var hits: 0..2; while left > 0 and hits < 2 { roll die  \
                 if die >= 5 { hits += 1 }  if die < 6 { left -= 1 } }; hits";
    assert_eq!(answer(&odds(&[again, "--at-least", "2"])), "505/729");
    assert_eq!(mean(&odds(&["any n in 1..3: all f in n..n+3: faces(5d6, f) > 0"])), "25/162");
}

#[test]
fn cards() {
    let energy = |others: &str| {
        let setting = format!("others={others}");
        let found = odds(&[&data("energy.rules"), "--of", "turns", "--at-least", "15", "--set", &setting]);
        (
            mean(&found).to_owned(),
            found["distributions"][0]["asked"][0]["answer"]["decimal"].as_f64().unwrap(),
        )
    };
    is_near(energy("15").1, 0.870_872, 1e-6);
    let (mean_of_16, share) = energy("16");
    is_near(share, 0.901_617, 1e-6);
    assert_eq!(mean_of_16, "55/3");
    let lands = "var lands: 0..24 = 24; var cards: 0..60 = 60; for n in 1..7 { pick c in 1..cards  \
                 if c is some and c <= lands { lands -= 1 }  cards -= 1 }; 24 - lands in 2..4";
    is_near(decimal_mean(&odds(&[lands])), 0.77457, 5e-6);
}

#[test]
fn turns_of_pig_and_settlements() {
    let pig = "dice die: d6; var points: 0..25; var bust: bool; while points < 20 and not bust { roll die  \
               if die == 1 { bust = true } else { points += die } }; if bust then 0 else points";
    let pig = odds(&[pig]);
    is_near(decimal_mean(&pig), 8.1418, 5e-5);
    assert_eq!(equal(&pig, 0), "9440899/15116544");
    assert_eq!(mean(&odds(&["sum(2d6) in {5, 6, 8}"])), "7/18");
    assert_eq!(equal(&odds(&["count of 5 rolls: sum(2d6) in {5, 6, 8}"]), 0), "161051/1889568");
    let both = "dice pair: 2d6; var six: bool; var eight: bool; while not (six and eight) { roll pair  \
                if sum(pair) == 6 { six = true }  if sum(pair) == 8 { eight = true } }; 0";
    let both = odds(&[both, "--of", "rolls"]);
    is_near(decimal_mean(&both), 54.0 / 5.0, 1e-11);
    assert_eq!((&both["exact"], &both["bound"]), (&Json::from(false), &Json::from(1e-12)));
    assert!(both["distributions"][0]["mean"]["fraction"].is_null());
}

#[test]
fn an_expression_without_me_is_of_no_seat() {
    let seats = |of: &str| -> Vec<Json> {
        let found = odds(&["tic-tac-toe", "--agents", "random", "--of", of]);
        let all = found["distributions"].as_array().unwrap();
        all.iter().map(|one| one["seat"].clone()).collect()
    };
    assert_eq!(seats("turns[me]"), [Json::from(0), Json::from(1)]);
    assert_eq!(seats("turns[X]"), [Json::Null]);
    let text = run(&["odds", "tic-tac-toe", "--agents", "random", "--of", "turns[X]"]).1;
    assert_eq!(text.matches("mean").count(), 1, "{text}");
}

#[test]
fn ways_and_ruin() {
    let two = "dice pair: 2d6; var place: 0..60; while place < 40 { roll pair  place += sum(pair) }; 0";
    is_near(decimal_mean(&odds(&[two, "--of", "rolls"])), 6.2024, 5e-5);
    let one = "dice die: d6; var place: 0..110; while place < 100 { roll die  place += die }; 0";
    is_near(decimal_mean(&odds(&[one, "--of", "rolls"])), 29.0476, 5e-5);
    let seen =
        "dice die: d6; var seen: set of 1..6; while count(seen) < 6 { roll die; seen = seen | {die} }; 0";
    is_near(decimal_mean(&odds(&[seen, "--of", "rolls"])), 14.7, 1e-10);
    // 1/(1 + (52/48)⁵)
    is_near(decimal_mean(&odds(&[&data("ruin.rules")])), 0.401_261_036_081_435_26, 1e-12);
}

#[test]
fn players_decide() {
    let random = odds(&["tic-tac-toe", "--agents", "random"]);
    let values = random["distributions"][0]["values"].as_array().unwrap();
    let named: Vec<(&str, &str)> = values
        .iter()
        .map(|one| (one["name"].as_str().unwrap(), one["probability"]["fraction"].as_str().unwrap()))
        .collect();
    // Of the 255,168 games, each as likely as its choices.
    assert_eq!(named, [("X", "737/1260"), ("O", "121/420"), ("draw", "8/63")]);
    assert!(random["distributions"][0]["mean"].is_null());
    let best = odds(&["tic-tac-toe", "--agents", "exact"]);
    assert_eq!(best["distributions"][0]["values"][0]["name"], "draw");
    assert_eq!(best["distributions"][0]["values"][0]["probability"]["fraction"], "1");
    let five = file(
        "five.rules",
        "game \"Five\" { players 1 dice hand: 5 of d6 each game turn { roll hand step keep { for n in 1..2 { choose { \
         again k subset of hand where k is some { roll k } enough { skip } } } } } \
         end over when turns[me] == 1 score { five: 1 when hand is double } }",
    );
    assert_eq!(mean(&odds(&[&five, "--agents", "exact"])), "347897/7558272");
    let mixed = odds(&["tic-tac-toe", "--agents", "exact,random", "--of", "decisions"]);
    assert_eq!(mixed["distributions"][0]["values"][0]["value"], 5);
    let measured = odds(&["tic-tac-toe", "--agents", "random", "--of", "count(empty)"]);
    // It is the same for all seats.
    assert_eq!(measured["distributions"].as_array().unwrap().len(), 1, "{measured}");
    assert!(measured["distributions"][0]["seat"].is_null(), "{measured}");
    let decisions = odds(&["tic-tac-toe", "--agents", "random", "--of", "decisions"]);
    is_near(decimal_mean(&decisions), 9.0 - decimal_mean(&measured), 1e-12);
}

#[test]
fn messages_say_how_to_go_on() {
    let (code, told) = refused(&["pig"]);
    assert!(
        code == 2 && told.contains("step `play`: `roll` or `stop`") && told.contains("--agents random"),
        "{told}"
    );
    let unnamed = file(
        "unnamed.rules",
        "game \"Unnamed\" { players 1 var n: 0..9 = 0 turn { choose { add { n += 1 } wait { } } } end over when turns[me] == 2 score { s: n } }",
    );
    let (code, told) = refused(&[&unnamed]);
    assert!(code == 2 && told.contains("the first in a `choose`: `add` or `wait`"), "{told}");
    let (code, told) = refused(&["pig", "--agents", "greedy"]);
    assert!(code == 2 && told.contains("`greedy`") && told.contains("houserule simulate"), "{told}");
    let (code, told) = refused(&["tic-tac-toe", "--agents", "random,random,exact"]);
    assert!(code == 2 && told.contains("3 agents for 2 seats"), "{told}");
    let (code, told) = refused(&["tic-tac-toe", "--agents", "random", "--of", "score"]);
    assert!(code == 2 && told.contains("no score"), "{told}");
    let (code, told) = refused(&["tic-tac-toe", "--agents", "random", "--at-least", "1"]);
    assert!(code == 2 && told.contains("no number"), "{told}");
    let (code, told) = refused(&["chess", "--agents", "random"]);
    assert!(code == 2 && told.contains("`repeated`"), "{told}");
    let (code, told) = refused(&["piggy"]);
    assert!(code == 2 && told.contains("pig"), "{told}");
    let (code, told) = refused(&["4d6 + 1", "--set", "goal=3"]);
    assert!(code == 2 && told.contains("is an expression"), "{told}");
    let many = file(
        "many.rules",
        "game \"Many\" { players 1 dice d: 3 of d1000 ordered each game turn { roll d } end over when turns[me] == 1 score { s: d[1] } }",
    );
    let (code, told) = refused(&[&many]);
    assert!(
        code == 1 && told.contains("1,000,000,000 outcomes") && told.contains("houserule simulate"),
        "{told}"
    );
    let endless = file(
        "endless.rules",
        "game \"Endless\" { players 1 dice d: 1 of d2 var n: 0..2 = 0 turn { roll d if n == 0 { n = d } } end over when n == 2 score { s: n } }",
    );
    let (code, told) = refused(&[&endless]);
    assert!(code == 1 && told.contains("never end"), "{told}");
}

#[test]
fn messages_point_into_the_expression() {
    let (code, told) = refused(&["4d6 + blub(3d6)"]);
    assert_eq!(code, 1);
    assert!(told.contains("expression:1:1") && told.contains("^^^ this is several dice"), "{told}");
    assert!(told.contains("`sum(4d6)` is their sum"), "{told}");
    assert!(told.contains("expression:1:7") && told.contains("`blub`"), "{told}");
    for (text, place) in [
        ("max(3d6, 2", "expression:1:4"),
        ("1 + 25d6[1]", "expression:1:5"),
        ("max of 3 rolls: sum(2d6) + x", "expression:1:28"),
        ("dice cup: 2d6; sum(cap)", "expression:1:20"),
        ("2 highest of 4d6 +", "expression:1:"),
    ] {
        let (code, told) = refused(&[text]);
        assert!(code == 1 && told.contains(place), "{text}: {told}");
        assert!(!told.contains("dice_1") && !told.contains("game \""), "{text}: {told}");
    }
    let (code, told) = refused(&["tic-tac-toe", "--agents", "random", "--of", "count(emty)"]);
    assert!(code == 1 && told.contains("--of:1:7"), "{told}");
}

#[test]
fn text_and_charts() {
    let (code, out, _) = run(&["odds", "sum", "of", "2d6", "--at-most", "3", "--quantile", "90%"]);
    assert_eq!(code, 0);
    for part in ["exact · 22 states", "P(≤ 3)", "1/12", "quantile 90 %", "█"] {
        assert!(out.contains(part), "{part}: {out}");
    }
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    let chart = file("chart.svg", "");
    std::fs::remove_file(&chart).unwrap();
    let (code, _, err) = run(&["odds", "sum(2d6)", "--chart", &chart]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(std::fs::read_to_string(&chart).unwrap().starts_with("<svg"));
    let (code, _, err) = run(&["odds", "sum(2d6)", "--chart", &chart]);
    assert!(code == 2 && err.contains("--force"), "{err}");
}

/// The odds agree with simulated games.
#[test]
fn simulated_games_have_these_odds() {
    let pig = crate::extent::tries("pig --set goal=5", "pig --set goal=8");
    for (args, of) in [("yacht --set rounds=1", "score"), (pig, "turns")] {
        let words: Vec<&str> = args.split(' ').collect();
        let (code, out, err) =
            run(&[&["odds", "--json", "--agents", "random", "--of", of], &words[..]].concat());
        if code != 0 {
            // A bundled game without such a param is no mistake of the odds.
            assert!(err.contains("param") || err.contains("too large"), "{err}");
            continue;
        }
        let found: Json = serde_json::from_str(&out).unwrap();
        let (_, out, _) = run(&[&["simulate", "--json", "-n", "4000"], &words[..]].concat());
        let played: Json = serde_json::from_str(&out).unwrap();
        let statistics = if of == "score" { &played["score"][0] } else { &played["counts"][of] };
        let (mean, se) = (statistics["mean"].as_f64().unwrap(), statistics["se"].as_f64().unwrap());
        is_near(decimal_mean(&found), mean, 5.0 * se);
    }
}
