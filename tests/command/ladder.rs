//! `ladder`: ratings of agents from games, the same on any number of threads. And what `learn` measures of partners.

#![allow(clippy::unwrap_used)]

use serde_json::Value as Json;

use crate::command::run;

fn houserule(args: &str) -> (u8, String, String) {
    run(&args.split(' ').collect::<Vec<_>>())
}

fn json(args: &str) -> Json {
    let (code, out, err) = houserule(&format!("ladder {args} --json"));
    assert_eq!(code, 0, "{args}\n{err}");
    let mut found: Json = serde_json::from_str(&out).unwrap();
    // Times differ from run to run.
    for agent in found["agents"].as_array_mut().unwrap() {
        assert!(agent["seconds"].take().as_f64().unwrap() >= 0.0);
    }
    found
}

#[test]
fn who_plays_better_stands_above() {
    let found = json("tic-tac-toe --agents random,exact,greedy -n 80 --threads 1");
    assert_eq!(found, json("tic-tac-toe --agents random,exact,greedy -n 80 --threads 3"));
    let agents = found["agents"].as_array().unwrap();
    let names: Vec<&str> = agents.iter().map(|agent| agent["agent"].as_str().unwrap()).collect();
    assert_eq!(names, ["exact", "greedy", "random"]);
    let number = |at: usize, key: &str| agents[at][key].as_f64().unwrap();
    assert!((0..3).map(|at| number(at, "elo")).sum::<f64>().abs() < 1e-6);
    assert!(number(0, "elo") - number(0, "half") > number(2, "elo") + number(2, "half"));
    assert!((0..3).all(|at| number(at, "games") == 160.0));
    let (seat, half) = (found["first_seat"].as_f64().unwrap(), found["first_seat_half"].as_f64().unwrap());
    assert!(seat > half && half > 0.0, "who begins is better off: {seat} ± {half}");
    assert!(agents[0]["against"][0].is_null() && agents[0]["against"][2].as_f64().unwrap() > 0.8);
}

#[test]
fn the_worth_of_the_first_seat_is_told_if_it_is_known() {
    let words = |args: &str| {
        let (code, out, err) = houserule(args);
        assert_eq!(code, 0, "{err}");
        out.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let known = words("ladder tic-tac-toe --agents random,exact,greedy -n 200");
    let told = known.split("The first seat is worth ").nth(1).unwrap_or_else(|| panic!("{known}"));
    assert!(told.contains(" ± ") && told.contains(" Elo."), "{known}");
    // A coin says who wins.
    let coin = "game \"Coin\" {
  players X, O
  dice coin: 1 of d2
  turn { choose { heads { roll coin } tails { roll coin } } }
  end one when turns[O] == 1 and coin == 1: win X
  end two when turns[O] == 1 and coin == 2: win O
}";
    let path = crate::written::file("ladder", "coin.rules", coin).display().to_string();
    let unknown = words(&format!("ladder {path} --agents random,greedy"));
    assert!(unknown.contains("What the first seat is worth is not known: "), "{unknown}");
}

#[test]
fn lone_players_are_held_to_the_same_games() {
    let (code, out, _) = houserule("ladder dilido --agents random,greedy -n 150");
    assert_eq!(code, 0);
    let place = |name: &str| out.lines().position(|line| line.trim_start().starts_with(name)).unwrap();
    assert!(place("greedy") < place("random"), "{out}");
    assert!(
        out.contains("150 games of each player") && out.contains("All agents play the same games alone"),
        "{out}"
    );
    let matches = json("dilido --agents random,greedy -n 6 --match");
    assert_eq!((&matches["match"], &matches["agents"][0]["games"]), (&Json::Bool(true), &Json::from(6)));
    let least = json("dots-and-boxes-misere --agents random,greedy -n 20 --set width=3 --set height=2");
    assert_eq!(least["agents"][0]["agent"], "greedy");
}

#[test]
fn it_says_what_it_wants() {
    let rules =
        "game \"Three\" { players 3 turn { choose { a { } b { } } } end done when turns[me] == 2: win me }";
    let three = crate::written::file("ladder", "three.rules", rules).display().to_string();
    let three = format!("ladder {three} --agents random,greedy");
    for (args, code, word) in [
        ("ladder dominoes --players 3", 2, "not for 3: add `--players 2`"),
        (three.as_str(), 2, "not for 3, and these rules allow no two players"),
        ("ladder pig --agents greedy", 2, "two agents or more"),
        ("ladder pig --agents greedy,random -n 0", 2, "at least 1"),
        ("ladder connect-four --agents greedy,random --match", 1, "matches"),
        ("ladder pig --agents gredy,random", 2, "did you mean `greedy`?"),
    ] {
        let (found, _, err) = houserule(args);
        assert!(found == code && err.contains(word), "{args}: {found}\n{err}");
    }
}

/// Two against two: the side with more points wins.
const PAIRS: &str = r#"game "Pairs" {
  players A, B, C, D
  team odd = {A, C}
  team even = {B, D}
  var points[player]: 0..9 = 0
  turn { choose { take n in 0..2 { points[me] += n } } }
  end when turns[D] == 2 and me == D
  score { points: points[me] }
  winner most(score)
}"#;

#[test]
fn an_agent_plays_a_whole_side() {
    let rules = crate::written::file("ladder", "pairs.rules", PAIRS).display().to_string();
    let found = json(&format!("{rules} --agents random,greedy -n 40"));
    let best = &found["agents"][0];
    assert_eq!((&best["agent"], &best["games"]), (&Json::from("greedy"), &Json::from(40)));
    // Both players of its side take all that there is.
    assert!(best["points"].as_f64().unwrap() > 0.9, "{found}");
    let (code, out, _) = houserule(&format!("ladder {rules} --agents random,greedy -n 10"));
    let out = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(code == 0 && out.contains("What the side of the first seat is worth is not known: 0 ±"), "{out}");
}

#[test]
fn players_who_win_together_have_no_ladder() {
    let crew = r#"game "Crew" {
      players 2
      team crew = players
      turn { choose { save { end game as saved: win me } burn { end game as burnt: lose me } } }
    }"#;
    let rules = crate::written::file("ladder", "crew.rules", crew).display().to_string();
    let (code, out, err) = houserule(&format!("ladder {rules} --agents random,greedy -n 10"));
    let err = err.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(code == 2 && out.is_empty(), "{code}\n{out}");
    assert!(err.contains("all players win or lose together: `simulate --agents NAME`"), "{err}");
}

#[test]
fn a_player_who_learns_is_held_to_what_the_others_win_alone() {
    let crew = r#"game "Both" {
      players 2
      team crew = players
      var points: 0..2 = 0
      turn { choose { pass { } make { points += 1 } } }
      end won when points == 2: win me
      end lost of round when round == 1: lose me
    }"#;
    let rules = crate::written::file("ladder", "both.rules", crew).display().to_string();
    let (code, out, err) = houserule(&format!("learn {rules} -n 300"));
    let told = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(code == 0 && told.contains("among greedy"), "{out}\n{err}");
    assert!(told.contains("of the games with it among these,") && told.contains("without it ("), "{out}");
    assert!(!told.contains("against 0.5"), "{out}");
}
