//! Tuning: a planted optimum with few games, the variant that is printed, and errors.

#![allow(clippy::unwrap_used)]

use crate::command::run;
use houserule::agents::AgentKind;
use houserule::interrupt::Interrupt;
use houserule::loader::{Request, load_text};
use houserule::playtest::{SimulationPlan, simulate};
use houserule::study::setting::Choices;
use houserule::study::tune::{TuneError, TunePlan, TuningTarget, tune};
use houserule::variants::{Origin, Setting};
use serde_json::Value as Json;

/// Means are products and sums of four params, with the noise of dice.
const MADE: &str = r#"
game "Made" {
  players 1
  param a: 1..9 = 5 "a"
  param b: 1..9 = 5 "b"
  param c: 1..9 = 5 "c"
  param d: 1..9 = 5 "d"
  require a + d <= 17 "not both at most"
  dice die: 1 of d6 "a die"
  var one: 0..1000 = 0 "one"
  var two: 0..1000 = 0 "two"
  var three: 0..1000 = 0 "three"
  var four: 0..1000 = 0 "four"
  turn {
    step roll {
      roll die
      one = a * b + die[1]
      two = 2 * b + c + die[1]
      three = c * d + die[1]
      four = a + 3 * d + die[1]
      end game
    }
  }
  score { sum: one + two }
}
"#;

fn made() -> String {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tune");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("made.rules");
    if !path.exists() {
        std::fs::write(&path, MADE).unwrap();
    }
    path.to_str().unwrap().to_owned()
}

fn plan(game: &str, targets: &[String], vary: &[&str]) -> TunePlan {
    TunePlan {
        game: Origin::named(game),
        vary: vary.iter().map(|text| Choices::parse(text).unwrap()).collect(),
        targets: targets.iter().map(|text| TuningTarget::parse(text).unwrap()).collect(),
        agents: vec![AgentKind::Random],
        games: 300,
        seed: 1,
        threads: 1,
    }
}

#[test]
fn a_planted_optimum_is_found_with_a_hundredth_of_the_games_of_a_sweep() {
    let [a, b, c, d] = [3.0, 7.0, 2.0, 6.0];
    let targets = [
        format!("one = {} ± 1", a * b + 3.5),
        format!("two in {}..{} ± 1", 2.0 * b + c + 3.4, 2.0 * b + c + 3.6),
        format!("variable.three = {} ± 1", c * d + 3.5),
        format!("four = {} ± 1", a + 3.0 * d + 3.5),
    ];
    let found =
        tune(&plan(&made(), &targets, &["a=1..9", "b=1..9", "c=1..9", "d=1..9"]), &|_| {}, &Interrupt::new())
            .unwrap();
    let best = &found.best[0];
    let params: Vec<i64> = best.params.0.iter().map(|(_, value)| value.as_i64().unwrap()).collect();
    assert_eq!(params, [3, 7, 2, 6], "{:?}", found.best);
    let fresh: u64 = found.best.iter().map(|one| one.games + one.aborted).sum();
    let exhaustive = 9 * 9 * 9 * 9 * 300;
    assert!(100 * (found.games + fresh) < exhaustive, "{} and {fresh} games", found.games);
    assert_eq!((found.settings, fresh), (6_561, 4 * 300));
    assert!(best.probability > 0.95 && best.distance.unwrap() < 0.5, "{best:?}");
    assert!(found.best[1..].iter().all(|one| one.probability < best.probability));
    // The figures are of games that the search didn't use.
    assert!(found.variant.contains("param a = 3\n"), "{}", found.variant);
    let settings = best.params.0.iter().map(|(name, value)| Setting::new(name, value.to_string()));
    let settings: Vec<Setting> = settings.collect();
    let game =
        load_text("made.rules", MADE, &Request { settings: &settings, ..Request::default() }).unwrap().game;
    let agents = vec![AgentKind::Random];
    let plan = SimulationPlan { games: 300, first: 300, seed: 1, threads: 1, agents, match_play: false };
    let alone = simulate(&game, &plan, &|_| {}, None).unwrap();
    let one = &alone.variables.get("one").unwrap()[0];
    assert!((best.metrics[0].mean - one.mean).abs() < 1e-9);
    assert!((best.metrics[0].low.unwrap() - one.low.unwrap()).abs() < 1e-9);
}

#[test]
fn any_number_of_threads_finds_the_same() {
    let targets = ["turns = 15".to_owned()];
    let found = |threads: usize| {
        let plan = TunePlan {
            threads,
            games: 40,
            ..plan("dilido", &targets, &["penalty_limit=1..4", "jokers=0,1"])
        };
        let found = tune(&plan, &|_| {}, &Interrupt::new()).unwrap();
        serde_json::to_string(&found.best).unwrap()
    };
    assert_eq!(found(1), found(3));
}

#[test]
fn what_is_wrong_is_said_at_once_with_what_there_is() {
    let text = |plan: &TunePlan| match tune(plan, &|_| panic!("a game was played"), &Interrupt::new()) {
        Err(TuneError::Request(messages)) => messages.join("\n"),
        other => panic!("{other:?}"),
    };
    let targets = ["turn = 15".to_owned(), "score >= 3".to_owned()];
    let found = text(&plan("dilido", &targets, &["penalty_limit=1..2,99", "joker=1"]));
    for part in ["no metric `turn`; did you mean `turns`?", "`item.lines`", "99", "no param `joker`"] {
        assert!(found.contains(part), "{part}: {found}");
    }
    let none = text(&plan("dilido", &[], &[]));
    assert!(none.contains("no param is varied") && none.contains("there is no target"), "{none}");
    let learned = TunePlan {
        agents: vec![AgentKind::Learned(None)],
        games: 0,
        ..plan("dilido", &["turns = 3".to_owned()], &["jokers=0,1", "jokers=1"])
    };
    let found = text(&learned);
    for part in ["trained for every setting", "from 1 to 1,000,000", "`jokers` is set twice"] {
        assert!(found.contains(part), "{part}: {found}");
    }
}

#[test]
fn settings_that_contradict_each_other_are_left_out() {
    let targets = ["one = 84.5 ± 1".to_owned()];
    let found =
        tune(&plan(&made(), &targets, &["a=8,9", "d=8,9", "b=9"]), &|_| {}, &Interrupt::new()).unwrap();
    assert_eq!((found.settings, found.tried, found.unplayable), (4, 3, 1));
    assert_eq!(found.best[0].params.get("a").unwrap(), 9);
    let broken = plan(&made(), &targets, &["a=9"]);
    let game = Origin { settings: vec![Setting::new("d", "9")], ..broken.game.clone() };
    let broken = TunePlan { game, ..broken };
    // The rules with the fixed values must be playable by themselves with other values of the param.
    let error = tune(&broken, &|_| {}, &Interrupt::new()).unwrap_err().to_string();
    assert!(error.contains("none of the 1 settings tried can be played"), "{error}");
}

#[test]
fn a_stopped_search_says_what_it_has() {
    let stop = Interrupt::new();
    let progress = |done: u64| {
        if done >= 100 {
            stop.set();
        }
    };
    let plan = plan("dilido", &["turns = 15".to_owned()], &["penalty_limit=1..4", "jokers=0,1"]);
    let found = tune(&plan, &progress, &stop).unwrap();
    assert!(found.run.interrupted && !found.best.is_empty());
    assert!(
        found.best.iter().all(|one| one.distance.is_none() && one.games == 0 && one.metrics[0].se.is_some())
    );
}

#[test]
fn the_variant_that_is_printed_loads_and_sets_the_params() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tune");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("tuned.rules");
    let _ = std::fs::remove_file(&path);
    let path = path.to_str().unwrap();
    let line = [
        "tune",
        "dilido",
        "--target",
        "turns = 15",
        "--target",
        "score >= 30",
        "--vary",
        "penalty_limit=2..4",
        "--vary",
        "line_points.3=1..3",
        "--set",
        "jokers=0",
        "-n",
        "40",
        "-o",
        path,
    ];
    let (code, out, err) = run(&line);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(out.contains("Best: penalty_limit = ") && out.contains("Runners-up"), "{out}");
    let (code, json, _) = run(&[&line[..line.len() - 2], &["--json"]].concat());
    let json: Json = serde_json::from_str(&json).unwrap();
    assert_eq!(code, 0);
    let best = &json["best"][0]["params"];
    let (_, shown, err) = run(&["show", path, "--json"]);
    let shown: Json = serde_json::from_str(&shown).unwrap_or_else(|_| panic!("{err}"));
    let value = |name: &str| {
        let params = shown["params"].as_array().unwrap();
        params.iter().find(|param| param["name"] == name).unwrap()["value"].clone()
    };
    assert_eq!((value("penalty_limit"), value("jokers")), (best["penalty_limit"].clone(), 0.into()));
    assert_eq!(value("line_points")["3"], best["line_points.3"]);
    let text = std::fs::read_to_string(path).unwrap();
    assert_eq!(json["variant"], text.as_str());
    assert_eq!(run(&["fmt", "--check", path]).0, 0, "{text}");
    let (code, _, err) = run(&line);
    assert!(code == 2 && err.contains("exists"), "{err}");
}

/// Fresh games count like those of the search, so the setting that comes first is the one that is probably the nearest.
/// Here the games of the search alone have another first.
#[test]
fn the_best_setting_is_the_most_probable() {
    let rules = crate::written::file(
        "tune",
        "chance.rules",
        r#"variant "Second chance" of "dilido" {
             new var chances: 0..1 = 1
             extend place {
               otherwise {
                 if pair is double { anchor = first } else {
                   choose chance {
                     chance c in around(named) & empty where chances == 1 { put dot at c anchor = c chances -= 1 }
                     otherwise { penalties += 1 }
                   }
                 }
               }
             }
           }"#,
    );
    let rules = rules.display().to_string();
    let (code, out, err) = run(&[
        "tune",
        &rules,
        "--target",
        "turns = 20",
        "--vary",
        "penalty_limit=1..4",
        "-n",
        "400",
        "--json",
    ]);
    assert_eq!(code, 0, "{err}");
    let found: Json = serde_json::from_str(&out).unwrap();
    let all = found["best"].as_array().unwrap();
    let sure: Vec<f64> = all.iter().map(|one| one["probability"].as_f64().unwrap()).collect();
    assert!(sure.len() > 1 && sure.is_sorted_by(|a, b| a >= b), "{sure:?}");
}
