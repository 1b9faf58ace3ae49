//! Players who always do the same, in games without chance: their games are one game, and say little of the rules.

use serde_json::Value as Json;

use crate::command::run;

/// Who takes the last counter wins.
const COUNTERS: &str = "game \"Counters\" {
  players 2
  param heap: 5..9 = 7
  var left: 0..9 = heap
  turn { choose { one { left -= 1 } two { left -= if left > 1 then 2 else 1 } } }
  end last when left == 0: win me
}";

/// The same, with a die that matters.
const DICE: &str = "game \"Dice\" {
  players 2
  param heap: 5..9 = 7
  dice die: 1 of d6
  var left: 0..9 = heap
  turn { choose { one { left -= 1 } two { left -= if left > 1 then 2 else 1 } } roll die }
  end last when left == 0 or die == 6: win me
}";

fn file(name: &str, rules: &str) -> String {
    crate::written::file("alike", name, rules).display().to_string()
}

fn out(args: &[&str]) -> String {
    let (code, out, err) = run(args);
    assert_eq!(code, 0, "{args:?}\n{err}");
    out
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The page of a report of 40 games.
fn page(rules: &str, agent: &str) -> Json {
    page_of_games(rules, agent, "40")
}

fn page_of_games(rules: &str, agent: &str, games: &str) -> Json {
    let text = out(&["report", rules, "--quick", "--agent", agent, "-n", games, "--json"]);
    serde_json::from_str::<Json>(&text).expect("JSON")["pages"][0].take()
}

fn section<'p>(page: &'p Json, id: &str) -> &'p Json {
    page["sections"].as_array().expect("sections").iter().find(|one| one["id"] == id).expect("the section")
}

#[test]
fn a_report_says_first_that_one_game_was_played() {
    let rules = file("report.rules", COUNTERS);
    let told = page(&rules, "learned:200");
    let first = &told["first"][0];
    let sentence = first["sentence"].as_str().expect("a sentence");
    assert!(
        sentence.starts_with("Learned:200 players play one game again and again: all 40 are the same."),
        "{sentence}"
    );
    assert_eq!(first["metric"], "different_games");
    assert_eq!(told["first"].as_array().expect("flags").len(), 1, "{}", told["first"]);
    for id in ["glance", "fair", "decided", "decisions"] {
        let figures = section(&told, id)["figures"].as_array().expect("figures").iter();
        for figure in figures.filter(|one| one["agent"] == "learned:200") {
            // What all games have in common is known of them.
            let is_common = figure["low"] == figure["high"];
            assert!(is_common, "{id}: {figure}");
        }
    }
    let fair = section(&told, "fair")["answer"].as_str().expect("an answer");
    assert!(fair.contains("These games don't tell whether the rules are fair."), "{fair}");
    assert!(fair.contains("Under best play player 1 always wins."), "{fair}");
    let glance = section(&told, "glance")["answer"].as_str().expect("an answer");
    assert!(glance.contains("player 1 wins 100 % and player 2 wins 0 %."), "{glance}");
}

#[test]
fn few_equal_games_are_one_game() {
    let rules = file("few.rules", COUNTERS);
    for (games, how) in [
        ("2", "play one game twice: both are the same."),
        ("5", "play one game again and again: all 5 are the same."),
        ("10", "play one game again and again: all 10 are the same."),
    ] {
        let told = page_of_games(&rules, "learned:200", games);
        let sentence = told["first"][0]["sentence"].as_str().expect("a sentence");
        assert!(sentence.starts_with(&format!("Learned:200 players {how}")), "{games}: {sentence}");
        assert_eq!(told["first"].as_array().expect("flags").len(), 1, "{}", told["first"]);
        let figures = section(&told, "fair")["figures"].as_array().expect("figures").iter();
        let of_player = figures.filter(|one| one["agent"] == "learned:200");
        let wins: Vec<&Json> = of_player.filter(|one| one["metric"] == "wins").collect();
        assert_eq!(wins.len(), 2, "{games}");
        assert!(wins.iter().all(|one| one["low"].is_null() && one["high"].is_null()), "{games}: {wins:?}");
    }
    // One game is not said to be played again.
    let told = page_of_games(&rules, "learned:200", "1");
    let is_alike = |flag: &Json| flag["metric"] == "different_games";
    assert!(!told["first"].as_array().expect("flags").iter().any(is_alike), "{}", told["first"]);
}

#[test]
fn games_that_chance_or_players_vary_are_not_alike() {
    for (name, rules, agent) in [("dice", DICE, "learned:200"), ("random", COUNTERS, "random")] {
        let told = page(&file(&format!("{name}.rules"), rules), agent);
        let is_alike = |flag: &Json| flag["metric"] == "different_games";
        assert!(!told["first"].as_array().expect("flags").iter().any(is_alike), "{name}: {}", told["first"]);
        let wins = section(&told, "fair")["figures"].as_array().expect("figures").iter();
        let mut wins = wins.filter(|one| one["metric"] == "wins" && one["agent"] == agent);
        assert!(wins.all(|one| one["low"].is_f64()), "{name}");
    }
}

#[test]
fn a_tuning_says_that_one_game_was_played() {
    let rules = file("tuned.rules", COUNTERS);
    let args = [
        "tune",
        &rules,
        "--vary",
        "heap=5..7",
        "--target",
        "turns = 5",
        "--agents",
        "learned:200",
        "-n",
        "60",
    ];
    let text = words(&out(&args));
    let (told, best) =
        (text.find("These players play one game again and again: all 40 games"), text.find("Best: "));
    assert!(told.is_some() && told < best, "{text}");
    assert!(!text.contains("surely") && !text.contains("± is half"), "{text}");
    let found: Json = serde_json::from_str(&out(&[&args[..], &["--json"]].concat())).expect("JSON");
    assert_eq!(found["alike"], serde_json::json!({"games": 40, "different": 1}));
    let random =
        ["tune", &rules, "--vary", "heap=5..7", "--target", "turns = 5", "--agents", "random", "-n", "60"];
    let found: Json = serde_json::from_str(&out(&[&random[..], &["--json"]].concat())).expect("JSON");
    assert!(found["alike"].is_null(), "{}", found["alike"]);
}
