//! Runs of a given time or precision, and rows written while a run goes on.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use houserule::agents::AgentKind;
use houserule::data_file::{DataFile, DataFormat, GROUP_ROWS, RowFile};
use houserule::game::Game;
use houserule::interrupt::Interrupt;
use houserule::loader::{Request, load};
use houserule::playtest::{
    GameRows, GameSinks, Keep, Precision, RunBudget, RunMonitor, SimulateError, SimulationPlan, simulate,
    simulate_within,
};
use parquet::file::reader::{FileReader, SerializedFileReader};
use serde_json::Value as Json;

use crate::command::run;
use crate::extent;

fn game(name: &str) -> Game {
    load(&Request { name, ..Request::default() }).unwrap().game
}

/// Returns JSON without what differs from run to run.
fn figures(text: &str) -> Json {
    let mut json: Json = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let all = json.as_object_mut().unwrap();
    for key in ["seconds", "cpu_seconds", "games_per_second", "decisions_per_second"] {
        all.remove(key);
    }
    json
}

/// Runs a command with an option that ends it, and again with the number of games that it said; returns the number,
/// the figures and what was said.
fn repeated(args: &[&str], ends: &[&str]) -> (u64, Json, String) {
    repetition(args, ends, run(&[args, ends, &["--json"]].concat()))
}

/// Runs a command again with the number of games that it said.
fn repetition(args: &[&str], ends: &[&str], (code, out, err): (u8, String, String)) -> (u64, Json, String) {
    assert_eq!(code, 0, "{args:?} {ends:?}: {err}");
    let note =
        err.lines().find(|line| line.contains("repeats them")).unwrap_or_else(|| panic!("{args:?}: {err}"));
    let number = note.split("`-n ").nth(1).and_then(|rest| rest.split('`').next()).unwrap().to_owned();
    let (code, again, err) = run(&[args, &["-n", &number, "--json"]].concat());
    assert_eq!(code, 0, "{args:?}: {err}");
    assert_eq!(figures(&out), figures(&again), "{args:?} {ends:?}");
    (number.parse().unwrap(), figures(&out), note.to_owned())
}

/// Times, in seconds; a busy machine needs a longer one.
const TIMES: [f64; 7] = [0.1, 0.3, 1.0, 4.0, 16.0, 64.0, 256.0];

#[test]
fn a_run_of_a_time_is_that_of_its_number_of_games() {
    let all = [
        &["simulate", "dilido", "--threads", "3"][..],
        &["simulate", "pig", "--agents", "greedy,random", "--threads", "2"],
        &["simulate", "dilido", "--match", "--threads", "2"],
        &["simulate", "dilido", "--first", "7", "--threads", "1"],
        &["compare", "dilido", "dilido + torus", "--agents", "random,greedy"],
        &["sweep", "pig", "--set", "goal=20,30", "--agents", "random,greedy"],
        &["tune", "pig", "--target", "turns = 20", "--vary", "goal=20..60", "--agents", "random"],
        &["worth", "pig", "--quick"],
    ];
    for args in extent::some_of("time", 2, all) {
        let within = |seconds: f64| run(&[args, &["--for", &format!("{seconds}s"), "--json"]].concat());
        let enough = TIMES.into_iter().map(within).find(|(code, ..)| *code == 0).unwrap();
        let (games, found, note) = repetition(args, &["--for"], enough);
        assert!(games > 0 && note.contains("The time was enough for"), "{args:?}: {note}");
        assert_eq!(found["interrupted"], false, "{args:?}");
    }
}

#[test]
fn a_run_of_a_precision_ends_at_a_look() {
    let looks = [1000, 1414, 2000, 2828, 4000, 5657, 8000, 11314, 16000, 22627, 32000];
    let (of_worth, of_tune) = extent::tries(("score=1.8", "turns=0.6"), ("score=1.2", "turns=0.4"));
    let goals = extent::tries("goal=20..24", "goal=20..60");
    let all = [
        (&["simulate", "dilido"][..], &["--precision", "score=0.7"][..]),
        (&["simulate", "connect-four", "--agents", "greedy,random"], &["--precision", "wins[1]=3%"]),
        (&["simulate", "dilido"], &["--precision", "option.joker=0.02", "--precision", "turns=0.1"]),
        (&["simulate", "dicrono", "--match"], &["--precision", "total=1"]),
        (&["compare", "dilido", "dilido + torus", "--agents", "random"], &["--precision", "score=1.5"]),
        (
            &["sweep", "pig", "--set", "goal=30,40"],
            &["--precision", "wins[1]=0.03", "--precision", "turns=0.3"],
        ),
        (
            &["worth", "dilido", "--quick", "--only", "joker", "--only", "end penalties"],
            &["--precision", of_worth],
        ),
        (
            &["tune", "pig", "--target", "turns = 20", "--vary", goals, "--agents", "random"],
            &["--precision", of_tune],
        ),
        (
            &[
                "tune",
                "pig",
                "--target",
                "quantile(turns, 90 %) <= 40",
                "--target",
                "share(turns <= 20) >= 50 %",
                "--vary",
                goals,
                "--agents",
                "random",
            ],
            &["--precision", "p90(turns)=5", "--precision", "share(turns<=20)=4%"],
        ),
    ];
    for (args, ends) in extent::some_of("look", 2, all) {
        let (games, _, note) = repeated(args, ends);
        assert!(looks.contains(&games) && note.contains("The precision is reached"), "{args:?}: {note}");
    }
    // The interval at the end is at most as wide as asked for. At the first look it was wider, and said how many games
    // would be needed: the next look is the first that has as many.
    let (games, found, _) = repeated(&["simulate", "dilido"], &["--precision", "score=0.7"]);
    let half = |found: &Json| {
        let end = |key: &str| found["score"][0][key].as_f64().unwrap();
        (end("high") - end("low")) / 2.0
    };
    let first = half(&figures(&run(&["simulate", "dilido", "-n", "1000", "--json"]).1));
    assert!(half(&found) <= 0.7 && first > 0.7, "{} {first}", half(&found));
    let needed = 1000.0 * (first / 0.7).powi(2);
    assert_eq!(looks.into_iter().find(|look| *look as f64 >= needed), Some(games), "{needed}");
}

/// The half widths that end a simulation are those of a sweep, for every metric.
#[test]
fn the_precision_of_every_metric_is_that_of_a_sweep() {
    for (name, matches) in [("dilido", false), ("pig", false), ("dilido", true)] {
        let mut args = vec!["sweep", name, "-n", "300", "--json"];
        args.extend(matches.then_some("--match"));
        let sweep = figures(&run(&args).1);
        let metrics = sweep["rows"][0]["metrics"].as_object().unwrap();
        assert!(metrics.len() > 8);
        let precision: Vec<Precision> =
            metrics.keys().map(|key| Precision { metric: key.clone(), half_width: 1e-9 }).collect();
        let budget = RunBudget { precision, ..RunBudget::default() };
        let agents = vec![AgentKind::Random];
        let plan = SimulationPlan { games: 300, first: 0, seed: 1, threads: 2, agents, match_play: matches };
        let watch = RunMonitor { progress: &|_| {}, stop: &Interrupt::new() };
        let found =
            simulate_within(&game(name), &plan, None, &budget, &watch, Keep::default(), GameSinks::default());
        let halves = found.unwrap().2;
        for ((key, metric), half) in metrics.iter().zip(halves) {
            let wanted = (metric["high"].as_f64().unwrap() - metric["low"].as_f64().unwrap()) / 2.0;
            assert!(
                (half.unwrap() - wanted).abs() < 1e-9 * wanted.max(1.0),
                "{name} {key}: {half:?} {wanted}"
            );
        }
    }
}

#[test]
fn a_maximum_ends_a_run_before_its_precision() {
    let (code, out, err) = run(&["simulate", "dilido", "--precision", "score=0.001", "-n", "1500", "--json"]);
    assert_eq!((code, figures(&out)["requested"].as_u64()), (0, Some(1500)));
    assert!(err.contains("not reached after 1,500 games"), "{err}");
    let (_, out, _) = run(&["sweep", "pig", "--precision", "score=0.001", "-n", "1200", "--json"]);
    assert_eq!(figures(&out)["requested"], 1200);
}

#[test]
fn what_cannot_end_a_run_is_said() {
    for (args, told) in [
        (
            &["simulate", "dilido", "--for", "1m", "-n", "5"][..],
            &["'--for <TIME>'", "cannot be used with", "'--games <N>'"][..],
        ),
        (&["worth", "dilido", "--for", "1m", "-n", "5"], &["'--for <TIME>'", "cannot be used with"]),
        (&["simulate", "dilido", "--for", "soon"], &["write a time such as `60s`, `5m` or `1h`"]),
        (
            &["simulate", "dilido", "--precision", "scores=1"],
            &["no metric `scores`", "did you mean `score`?", "`turns`"],
        ),
        (&["compare", "dilido", "dilido+torus", "--precision", "x=1"], &["no metric `x`", "`option.joker`"]),
        (&["sweep", "pig", "--precision", "draw=1"], &["no metric `draw`", "did you mean `draws`?"]),
        (
            &["worth", "pig", "--quick", "--precision", "turn=1"],
            &["no metric `turn`", "did you mean `turns`?"],
        ),
        (
            &["tune", "pig", "--target", "turns = 20", "--vary", "goal=20..30", "--precision", "rolls=1"],
            &["no metric `rolls`; there are `turns`"],
        ),
        (
            &["simulate", "pig", "--precision", "p90(turns)=1"],
            &["`p90(turns)` isn't the name of a metric", "only `tune` takes a quantile", "`turns=0.5`"],
        ),
        (
            &["compare", "pig", "pig-two-dice", "--precision", "share(turns<=20)=1%"],
            &["`share(turns<=20)` isn't"],
        ),
        (&["sweep", "pig", "--precision", "turns > 30=1%"], &["`turns > 30` isn't the name of a metric"]),
        (
            &["report", "pig", "--precision", "median(turns)=1"],
            &["`median(turns)` isn't the name of a metric"],
        ),
        (
            &[
                "tune",
                "pig",
                "--target",
                "turns = 20",
                "--vary",
                "goal=20..30",
                "--precision",
                "p80(turns)=1",
            ],
            &["one that has a target"],
        ),
        (&["report", "pig", "--precision", "dramas=1"], &["no metric `dramas`", "did you mean `drama`?"]),
        (&["report", "pig", "--quick", "--precision", "wins=1%"], &["cannot be used with", "--quick"]),
        (
            &["simulate", "dilido", "--precision", "score"],
            &["write a metric and half the width", "`score=0.5`"],
        ),
        (&["simulate", "dilido", "--precision", "score=-1"], &["write a metric and half the width"]),
        (
            &["simulate", "dilido", "--rows", "games.txt"],
            &["`games.txt`: the ending must be `.parquet` or `.csv`"],
        ),
        (&["simulate", "dilido", "--rows", "no/such/folder.csv"], &["its folder does not exist"]),
        (
            &["simulate", "go", "--agents", "mcts:100000", "--for", "0.05s", "--quiet"],
            &["the time was over before the first game"],
        ),
    ] {
        let (code, out, err) = run(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
        let err = err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.iter().all(|part| err.contains(part)), "{args:?}: {err}");
    }
}

/// Returns a new folder.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("scale-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn rows_of(path: &Path) -> (usize, usize) {
    let reader = SerializedFileReader::new(std::fs::File::open(path).unwrap()).unwrap();
    let metadata = reader.metadata();
    (metadata.file_metadata().num_rows() as usize, metadata.num_row_groups())
}

#[test]
fn rows_are_written_for_every_game_and_seat() {
    let folder = folder("rows");
    let (csv, parquet) = (folder.join("games.csv"), folder.join("games.parquet"));
    for path in [&csv, &parquet] {
        let args = ["simulate", "pig", "-n", "20_000", "--threads", "3", "--rows", path.to_str().unwrap()];
        assert_eq!(run(&args).0, 0);
        // An existing file stays as it is.
        let before = std::fs::read(path).unwrap();
        let (code, _, err) = run(&[&args[..], &["--seed", "2"]].concat());
        assert!(code == 2 && err.contains("exists already") && err.contains("--force"), "{err}");
        assert_eq!(std::fs::read(path).unwrap(), before);
        assert_eq!(run(&[&args[..], &["--seed", "2", "--force"]].concat()).0, 0);
        assert_ne!(std::fs::read(path).unwrap(), before);
        assert_eq!(run(&[&args[..], &["--force"]].concat()).0, 0);
        assert_eq!(std::fs::read(path).unwrap(), before, "the file depends on the games alone");
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2, "nothing is left beside the files");
    assert_eq!(rows_of(&parquet), (40_000, 40_000usize.div_ceil(GROUP_ROWS)));
    let text = std::fs::read_to_string(&csv).unwrap();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column =
        |name: &str| names.iter().position(|one| *one == name).unwrap_or_else(|| panic!("{name}: {names:?}"));
    let places = ["index", "seat", "score", "turns"].map(column);
    let report = figures(&run(&["simulate", "pig", "-n", "20_000", "--json"]).1);
    let mut scores = [0i64; 2];
    for (at, line) in lines.clone().enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        let [index, seat, score, _] = places.map(|place| cells[place].parse::<i64>().unwrap());
        assert_eq!((index, seat), (at as i64 / 2, at as i64 % 2));
        scores[seat as usize] += score;
    }
    assert_eq!(lines.count(), 40_000);
    for (seat, sum) in scores.into_iter().enumerate() {
        assert!((report["score"][seat]["mean"].as_f64().unwrap() - sum as f64 / 20_000.0).abs() < 1e-9);
    }
}

#[test]
fn an_interrupted_run_leaves_a_complete_file_of_its_games() {
    let folder = folder("interrupted");
    let game = game("tic-tac-toe");
    for threads in [1, 3] {
        let path = folder.join(format!("{threads}.parquet"));
        let agents = vec![AgentKind::Random];
        let plan =
            SimulationPlan { games: 10_000_000, first: 0, seed: 3, threads, agents, match_play: false };
        let file = DataFile::create(&path, DataFormat::Parquet, false).unwrap();
        let mut file = RowFile::new(file, &game, &plan, vec!["random".to_owned(); 2]);
        let stop = Interrupt::new();
        let mut parts = 0;
        let mut sink = |rows: GameRows| {
            assert!(file.add(rows));
            parts += 1;
            if parts == 20 {
                stop.set();
            }
        };
        let watch = RunMonitor { progress: &|_| {}, stop: &stop };
        let keep = Keep { keep_partial: true, ..Keep::default() };
        let sinks = GameSinks { records: None, rows: Some(&mut sink) };
        let budget = RunBudget::default();
        let (report, _, _) = simulate_within(&game, &plan, None, &budget, &watch, keep, sinks).unwrap();
        assert!(!path.exists(), "the file has its name only when it is complete");
        file.finish().unwrap();
        assert!(report.interrupted && report.games > 50_000);
        assert_eq!(rows_of(&path).0, 2 * report.games as usize, "{threads} threads");
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
}

#[test]
fn a_failed_run_leaves_no_file() {
    let folder = folder("failed");
    let path = folder.join("games.csv");
    drop(DataFile::create(&path, DataFormat::Csv, false).unwrap());
    let (code, ..) = run(&["simulate", "dilido", "--precision", "no=1", "--rows", path.to_str().unwrap()]);
    assert_eq!((code, std::fs::read_dir(&folder).unwrap().count()), (2, 0));
}

/// Parts of a run that ends at any game add up to the run.
#[test]
fn a_prefix_is_the_same_on_any_number_of_threads() {
    for (name, agents, matches) in
        [("dilido", "random", false), ("tic-tac-toe", "greedy", false), ("dilido", "random", true)]
    {
        let game = game(name);
        for threads in [1, 4] {
            let agents = vec![AgentKind::parse(agents).unwrap()];
            let plan =
                SimulationPlan { games: 1 << 40, first: 3, seed: 5, threads, agents, match_play: matches };
            let watch = RunMonitor { progress: &|_| {}, stop: &Interrupt::new() };
            let within = |seconds: f64| {
                let budget = RunBudget { seconds: Some(seconds), ..RunBudget::default() };
                let (keep, sinks) = (Keep::default(), GameSinks::default());
                simulate_within(&game, &plan, None, &budget, &watch, keep, sinks).ok()
            };
            let report = TIMES.into_iter().find_map(within).unwrap().0;
            let whole = SimulationPlan { games: report.requested, ..plan.clone() };
            let whole = simulate(&game, &whole, &|_| {}, None).unwrap();
            let json = |report| figures(&serde_json::to_string(report).unwrap());
            assert_eq!(json(&report), json(&whole), "{name}, {threads} threads");
        }
    }
    let go = game("go");
    let agents = vec![AgentKind::parse("mcts:100000").unwrap()];
    let plan = SimulationPlan { games: 5, first: 0, seed: 5, threads: 2, agents, match_play: false };
    let watch = RunMonitor { progress: &|_| {}, stop: &Interrupt::new() };
    let budget = RunBudget { seconds: Some(0.05), ..RunBudget::default() };
    let found = simulate_within(&go, &plan, None, &budget, &watch, Keep::default(), GameSinks::default());
    assert!(matches!(found, Err(SimulateError::NoTime)));
}
