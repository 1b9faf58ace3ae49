//! Tuning: a planted optimum with few games, the variant that is printed, and errors.

#![allow(clippy::unwrap_used)]

use std::sync::atomic::{AtomicU64, Ordering};

use crate::command::run;
use crate::extent;
use houserule::agents::AgentKind;
use houserule::interrupt::Interrupt;
use houserule::loader::{Request, load, load_text};
use houserule::playtest::{RunBudget, SamplePlan, SimulationPlan, keyed_columns, sample, simulate};
use houserule::study::setting::Choices;
use houserule::study::tune::{TuneError, TunePlan, Tuning, TuningTarget, tune};
use houserule::study::{BudgetedStudy, StudyEnd, tune_within};
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
    assert!(best.metrics.iter().all(|one| one.met >= best.probability), "{best:?}");
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
    for part in
        ["trained for every setting: name a short training", "from 1 to 1,000,000", "`jokers` is set twice"]
    {
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
        "--agents",
        "greedy",
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

/// The setting that comes first is the most probable to meet the targets, and the sentence and the table say so. In the first
/// case the games of the search alone have another first.
#[test]
fn the_best_setting_is_the_most_probable_and_the_sentence_says_so() {
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
    let limits = ["--vary", "penalty_limit=1..4"];
    let goals = ["--vary", extent::tries("goal=20..30", "goal=20..60")];
    let all = [
        (&*rules, &["turns = 20"][..], &limits),
        ("dilido", &["turns in 18..20"], &limits),
        ("dilido", &["p90(turns) <= 25", "share(turns < 10) < 10 %"], &limits),
        ("dilido", &["median(score) > 500"], &limits),
        ("pig", &["wins[1] = 50 % ± 3 %", "turns >= 20"], &goals),
    ];
    for (game, targets, vary) in extent::some_of("probable", 2, all) {
        let targets: Vec<&str> = targets.iter().flat_map(|target| ["--target", *target]).collect();
        let line = [&["tune", game, "-n", "150", "--agents", "greedy"], &targets[..], vary].concat();
        let (code, out, err) = run(&[&line[..], &["--json"]].concat());
        assert_eq!(code, 0, "{err}");
        let found: Json = serde_json::from_str(&out).unwrap();
        let all = found["best"].as_array().unwrap();
        let sure: Vec<f64> = all.iter().map(|one| one["probability"].as_f64().unwrap()).collect();
        assert!(sure.len() > 1 && sure.is_sorted_by(|a, b| a >= b), "{line:?}: {sure:?}");
        let distance = |one: &Json| one["distance"].as_f64().unwrap();
        for pair in all.windows(2).filter(|pair| pair[0]["probability"] == pair[1]["probability"]) {
            assert!(distance(&pair[0]) <= distance(&pair[1]), "{line:?}: {pair:?}");
        }
        // A setting meets all targets at most as probably as each.
        for one in all {
            let met = one["metrics"].as_array().unwrap().iter().map(|one| one["met"].as_f64().unwrap());
            assert!(met.fold(1.0, f64::min) >= one["probability"].as_f64().unwrap() - 1e-9, "{one}");
        }
        let (_, text, _) = run(&line);
        let told = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let told_first = match sure[0] {
            0.0 => "meets".to_owned(),
            1.0 => "It surely meets".to_owned(),
            some => format!("with a probability of {:.1} %", 100.0 * some),
        };
        assert!(told.contains(&told_first), "{line:?}: {text}");
        assert_eq!(told.contains("the most of the"), sure[0] > sure[1], "{line:?}: {text}");
        assert_eq!(told.contains("None of the"), sure[0] == 0.0, "{line:?}: {text}");
    }
}

/// The figures of quantiles and shares are those of the games, which `simulate` plays too.
#[test]
fn quantiles_and_shares_are_those_of_the_games() {
    let targets = ["p90(turns) >= 15", "share(turns <= 20) > 80 %", "median(score) in 10..30", "turns < 40"];
    let targets = targets.map(str::to_owned);
    let found = tune(&plan("dilido", &targets, &["penalty_limit=2"]), &|_| {}, &Interrupt::new()).unwrap();
    let settings = [Setting::new("penalty_limit", "2")];
    let request = Request { name: "dilido", settings: &settings, ..Request::default() };
    let game = load(&request).unwrap().game;
    let columns = keyed_columns(&game, false);
    let agents = AgentKind::seat_all(&[AgentKind::Random], &game).unwrap();
    let how = SamplePlan { seed: 1, threads: 1, match_play: false, stop: &Interrupt::new() };
    let games = sample(&game, &columns, &agents, 300..600, how, &|_| {}).unwrap();
    // The values of a metric in all games, the least first.
    let values = |key: &str| -> Vec<i64> {
        let at = columns.iter().position(|column| column.key() == key).unwrap();
        let mut all: Vec<i64> = games.rows().flatten().map(|row| row[at]).collect();
        all.sort_unstable();
        all
    };
    let (turns, score) = (values("turns"), values("score"));
    assert_eq!((turns.len(), score.len()), (300, 300));
    let [tenth, short, median, mean] = [0, 1, 2, 3].map(|at| found.best[0].metrics[at].mean);
    assert_eq!((tenth, median), (turns[269] as f64, score[149] as f64));
    let wanted = turns.iter().filter(|turns| **turns <= 20).count() as f64 / 300.0;
    assert!((short - wanted).abs() < 1e-12, "{short} {wanted}");
    assert!((mean - turns.iter().sum::<i64>() as f64 / 300.0).abs() < 1e-9);
    let names: Vec<&str> = found.targets.iter().map(|target| &*target.metric).collect();
    assert_eq!(names, ["p90(turns)", "share(turns <= 20)", "p50(score)", "turns"]);
    assert!(
        found.targets[1].excludes_low && found.targets[1].is_share && found.best[0].metrics[0].se.is_none()
    );
}

/// A player that learns is trained for every setting, in its games too; where nobody decides it needs no training.
#[test]
fn a_player_that_learns_is_trained_for_every_setting() {
    let base = plan("pig", &["turns < 100".to_owned()], &["goal=20,21"]);
    let learned = TunePlan { agents: vec![AgentKind::Learned(Some(200))], games: 60, ..base.clone() };
    let found = tune(&learned, &|_| {}, &Interrupt::new()).unwrap();
    assert_eq!(found.run.agents, ["learned:200"; 2]);
    let (code, out, err) = run(&[
        "simulate",
        "pig",
        "--set",
        "goal=20",
        "--agents",
        "learned:200",
        "-n",
        "60",
        "--first",
        "60",
        "--json",
    ]);
    assert_eq!(code, 0, "{err}");
    let alone: Json = serde_json::from_str(&out).unwrap();
    let turns = &alone["counts"]["turns"]["mean"];
    let one = found.best.iter().find(|one| *one.params.get("goal").unwrap() == 20).unwrap();
    assert!((one.metrics[0].mean - turns.as_f64().unwrap()).abs() < 1e-9, "{one:?} {turns}");
    let made = TunePlan { agents: learned.agents, ..plan(&made(), &["one = 20".to_owned()], &["a=1..3"]) };
    assert_eq!(tune(&made, &|_| {}, &Interrupt::new()).unwrap().tried, 3);
    // Within a time too, which is over before the trainings are.
    let long = TunePlan { agents: vec![AgentKind::Learned(Some(1_000_000))], ..base };
    let begun = std::time::Instant::now();
    let budget = RunBudget { seconds: Some(0.5), ..RunBudget::default() };
    let ended = tune_within(&long, None, &budget, &|_| {}, &Interrupt::new());
    assert!(ended.is_err() && begun.elapsed().as_secs_f64() < 5.0, "{:?}", begun.elapsed());
}

/// Without `--agents` a player is found that beats random ones; a game without decisions needs none.
#[test]
fn good_players_play_by_default() {
    let line = ["tune", "pig", "--target", "p90(turns) <= 60", "--vary", "goal=30,60", "-n", "60"];
    let (code, out, err) = run(&[&line[..], &["--json"]].concat());
    assert_eq!(code, 0, "{err}");
    let found: Json = serde_json::from_str(&out).unwrap();
    let name = found["agents"][0].as_str().unwrap();
    assert_eq!(found["contest"]["agent"], name);
    assert_ne!(name, "random");
    let all = found["contest"]["contenders"].as_array().unwrap();
    let chosen = all.iter().find(|one| one["agent"] == name).unwrap();
    assert!(chosen["better"]["mean"].as_f64().unwrap() > 0.0, "{chosen}");
    let (_, text, _) = run(&line);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("was chosen") && text.contains("against random players"), "{text}");
    assert!(!text.contains("No player was found"), "{text}");
    let (_, text, _) = run(&[&line[..], &["--agents", "random"]].concat());
    assert!(text.contains("random · ") && !text.contains("was chosen"), "{text}");
    let made = made();
    let (_, text, _) = run(&["tune", &made, "--target", "one = 20", "--vary", "a=1..3", "-n", "40"]);
    assert!(text.contains("Nobody has anything to decide"), "{text}");
}

fn within(plan: &TunePlan, seconds: Option<f64>, stop: &Interrupt) -> BudgetedStudy<Tuning> {
    let budget = RunBudget { seconds, ..RunBudget::default() };
    tune_within(plan, None, &budget, &|_| {}, stop).unwrap()
}

#[test]
fn a_time_is_a_deadline_with_an_answer() {
    let (simulations, seconds) = extent::tries((1_000, 2.0), (3_000, 6.0));
    let plan = TunePlan {
        agents: vec![AgentKind::Mcts(simulations)],
        ..plan("connect-four", &["draws < 5 %".to_owned()], &["width=4..7", "height=4..7"])
    };
    // The first search takes some three times as long; more beside other work.
    let begun = std::time::Instant::now();
    let game = format!(
        "simulate connect-four --set width=7 --set height=7 --agents mcts:{simulations} -n 2 --quiet"
    );
    assert_eq!(run(&game.split(' ').collect::<Vec<_>>()).0, 0);
    let of_a_game = begun.elapsed().as_secs_f64();
    let begun = std::time::Instant::now();
    let found = within(&plan, Some(seconds), &Interrupt::new());
    // Those that have begun may end.
    let late = begun.elapsed().as_secs_f64() - seconds;
    assert!(late < 20.0 * of_a_game, "{late} s late, and a game takes {of_a_game} s");
    let missing = found.found.missing.unwrap();
    assert!(missing.starts_with("The time was over before the search was: "), "{missing}");
    assert!(found.found.run.interrupted && !found.found.best.is_empty());
}

/// Ctrl-C in the midst of a longer search leaves what was whole before it.
#[test]
fn an_interruption_keeps_what_was_whole() {
    let stop = Interrupt::new();
    let calls = AtomicU64::new(0);
    // The first search has 20 games of a setting; a later one is interrupted in its midst.
    let progress = |done: u64| {
        if calls.fetch_max(done, Ordering::Relaxed) < 2_000 && done >= 2_000 {
            stop.set();
        }
    };
    let plan = plan("pig", &["turns = 30".to_owned()], &["goal=30,40,50"]);
    let budget = RunBudget { seconds: Some(60.0), ..RunBudget::default() };
    let found = tune_within(&plan, None, &budget, &progress, &stop).unwrap();
    assert_eq!(found.end, StudyEnd::Stopped);
    let Tuning { run, best, missing, requested, .. } = found.found;
    assert!(run.interrupted && requested == found.games && requested >= 20, "{requested}");
    assert!(best.iter().all(|one| one.distance.is_some() && one.games == requested), "{best:?}");
    assert!(missing.unwrap().starts_with("Ctrl-C came after"));
}

/// Without a time and a number of games it ends by itself, with as many games as usual, if they are fast.
#[test]
fn the_usual_tuning_has_the_usual_games() {
    let plan = plan("pig", &["turns = 30".to_owned()], &["goal=30,40"]);
    let found = within(&plan, None, &Interrupt::new());
    assert_eq!((found.games, found.found.requested), (300, 300));
    assert!(found.found.missing.is_none() && !found.found.run.interrupted);
}

#[test]
fn percent_signs_are_only_of_shares() {
    for (target, told) in [
        ("draws < 5", "for percent write `5 %`"),
        ("turns < 5 %", "leave the `%` out"),
        ("p90(wins[1]) > 0.5", "is a share of the games already"),
        ("p90(turn) > 5", "did you mean `turns`"),
        ("avg(turns) > 5", "there is no `avg(…)`"),
    ] {
        let (code, out, err) = run(&["tune", "pig", "--target", target, "--vary", "goal=20,30"]);
        assert!((code, out.as_str()) == (2, "") && err.contains(told), "{target}: {err}");
    }
}

#[test]
fn settings_that_come_equally_near_are_named() {
    let rules = "game \"Fixed\" {
  param idle: 1..4 = 1
  players X, O
  turn { choose { go { } wait { } } }
  end done when turns[O] == 2: draw
}";
    let path = crate::written::file("tune", "fixed.rules", rules).display().to_string();
    let args =
        ["tune", &path, "--target", "turns = 8", "--vary", "idle=1..4", "--agents", "random", "-n", "40"];
    let (code, out, err) = run(&args);
    assert_eq!(code, 0, "{err}");
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    let told = "This one and 3 of the runners-up (idle = 2; idle = 3; idle = 4) come equally near, off by 10.00 tolerances.";
    assert!(words.contains(told) && !words.contains("nearest"), "{out}");
}
