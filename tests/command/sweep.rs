//! Sweeps: rows are those of simulations, differences those of comparisons; order, errors, files.

#![allow(clippy::unwrap_used)]

use std::sync::atomic::{AtomicU64, Ordering};

use crate::command::run;
use houserule::agents::AgentKind;
use houserule::game::Game;
use houserule::interrupt::Interrupt;
use houserule::loader::{Request, load};
use houserule::playtest::{ComparePlan, RunMonitor, SimulationPlan, Statistics, compare, simulate};
use houserule::report::sweep_text;
use houserule::study::setting::{Choices, SettingGrid};
use houserule::study::sweep::{MOST_KEPT, MeasuredMetric, Sweep, SweepError, SweepGame, SweepPlan, sweep};
use houserule::variants::Setting;
use serde_json::Value as Json;

fn grid(game: &str, params: &[&str]) -> SettingGrid {
    let params = params.iter().map(|text| Choices::parse(text).unwrap()).collect();
    SettingGrid { game: game.to_owned(), params, ..SettingGrid::default() }
}

fn games(grid: &SettingGrid) -> Vec<SweepGame> {
    let one = |combination: houserule::study::setting::Combination| SweepGame {
        game: combination.load(&grid.game).unwrap().game,
        combination,
    };
    grid.combinations().unwrap().into_iter().map(one).collect()
}

fn plan(games: u64, agents: &[AgentKind]) -> SweepPlan {
    let agents = agents.to_vec();
    let each = SimulationPlan { games, first: 0, seed: 5, threads: 2, agents, match_play: false };
    SweepPlan { each, base: 0 }
}

fn played(games: &[SweepGame], plan: &SweepPlan) -> Sweep {
    sweep(games, plan, &RunMonitor { progress: &|_| {}, stop: &Interrupt::new() }).unwrap()
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

fn is_the_same(one: &MeasuredMetric, other: &Statistics) -> bool {
    let ends = [(one.se, other.se), (one.low, other.low), (one.high, other.high)];
    near(one.mean, other.mean) && ends.iter().all(|(a, b)| near(a.unwrap(), b.unwrap()))
}

#[test]
fn rows_are_those_of_simulations() {
    let grid = SettingGrid { players: vec![2, 3], ..grid("pig", &["goal=30,40"]) };
    let games = games(&grid);
    let agents = [AgentKind::Random, AgentKind::Greedy];
    let found = played(&games, &plan(60, &agents));
    let order: Vec<_> = found.rows.iter().map(|row| (row.combination, row.agent.as_str())).collect();
    let expected: Vec<_> = (0..4).flat_map(|at| ["random", "greedy"].map(|agent| (at, agent))).collect();
    assert_eq!(order, expected);
    let settings: Vec<_> =
        found.rows.iter().step_by(2).map(|row| (row.players, row.params.0[0].1.clone())).collect();
    assert_eq!(settings, [(2, 30.into()), (2, 40.into()), (3, 30.into()), (3, 40.into())]);
    for row in &found.rows {
        let game = &games[row.combination].game;
        let agents = vec![AgentKind::parse(&row.agent).unwrap()];
        let plan = SimulationPlan { games: 60, first: 0, seed: 5, threads: 1, agents, match_play: false };
        let alone = simulate(game, &plan, &|_| {}, None).unwrap();
        assert_eq!((row.games, row.aborted), (alone.games, alone.aborted));
        let metric = |key: &str| row.metrics.get(key).unwrap_or_else(|| panic!("{key}"));
        for (name, count) in &alone.counts.0 {
            assert!(is_the_same(metric(name), count), "{name}");
        }
        for seat in 0..row.players as usize {
            assert!(is_the_same(metric(&format!("score[{}]", seat + 1)), &alone.score[seat]));
            let (wins, share) = (metric(&format!("wins[{}]", seat + 1)), &alone.winners.win_shares[seat]);
            assert!(near(wins.mean, share.share));
            assert!(
                near(wins.low.unwrap(), share.low.unwrap()) && near(wins.high.unwrap(), share.high.unwrap())
            );
        }
        for (name, taken) in &alone.options.0 {
            assert!(near(metric(&format!("option.{name}")).mean, *taken as f64 / 60.0), "{name}");
        }
        for (name, ended) in &alone.ends.0 {
            assert!(near(metric(&format!("end.{name}")).mean, *ended as f64 / 60.0), "{name}");
        }
    }
}

fn game(name: &str, set: &[(&str, &str)]) -> Game {
    let settings: Vec<Setting> = set.iter().map(|(name, value)| Setting::new(*name, *value)).collect();
    load(&Request { name, settings: &settings, players: None }).unwrap().game
}

#[test]
fn differences_are_those_of_comparisons() {
    let mut grid = grid("dilido", &["penalty_limit=2,4"]);
    grid.variants = vec![String::new(), "second-joker".to_owned()];
    let games = games(&grid);
    let found = played(&games, &SweepPlan { base: 1, ..plan(80, &[AgentKind::Random]) });
    let mut tested = 0;
    for row in &found.rows {
        let name =
            if row.variant.is_empty() { "dilido".to_owned() } else { format!("dilido + {}", row.variant) };
        let other = game(&name, &[("penalty_limit", &row.params.0[0].1.to_string())]);
        let plan = ComparePlan {
            games: Some(80),
            first: 0,
            seeds: [5, 5],
            threads: 1,
            agents: vec![AgentKind::Random],
            match_play: false,
            keep_partial: false,
        };
        let alone = compare(&game("dilido", &[("penalty_limit", "4")]), &other, &plan, &|_, _| true).unwrap();
        if row.combination == 1 {
            assert!(row.metrics.0.iter().all(|(_, one)| one.difference.is_none()));
            continue;
        }
        assert!(alone.agents[0].quantities.len() > 5);
        for quantity in &alone.agents[0].quantities {
            let key = match (quantity.name.as_str(), quantity.seat) {
                ("", None) => quantity.kind.name.to_owned(),
                ("", Some(seat)) => format!("{}[{}]", quantity.kind.name, seat.0 + 1),
                (name, _) => format!("{}.{name}", quantity.kind.name),
            };
            let one = row.metrics.get(&key).unwrap_or_else(|| panic!("{key}")).difference.as_ref().unwrap();
            assert!(near(one.mean, quantity.difference) && near(one.se, quantity.se), "{key}");
            assert_eq!(one.low.map(f64::to_bits), quantity.low.map(f64::to_bits), "{key}");
            assert!(near(one.p, quantity.p) && one.differing == quantity.differing, "{key}");
        }
        let all = row.metrics.0.iter().filter_map(|(_, one)| one.difference.as_ref());
        tested += all.clone().filter(|one| one.differing > 0 && one.same_as.is_none()).count();
        // A corrected p-value is never smaller, and is what decides.
        assert!(all.clone().all(|one| one.p_corrected >= one.p && one.differs == (one.p_corrected < 0.05)));
    }
    assert_eq!(found.tested, tested);
    let differs = |row: usize, key: &str| {
        found.rows[row].metrics.get(key).unwrap().difference.as_ref().unwrap().differs
    };
    assert!(differs(0, "turns"), "two penalties end games earlier than four");
}

#[test]
fn any_number_of_threads_gives_the_same_rows() {
    let games = games(&grid("dilido", &["jokers=0,1"]));
    let rows = |threads: usize| {
        let mut plan = plan(50, &[AgentKind::Random]);
        plan.each.threads = threads;
        let found = played(&games, &plan);
        serde_json::to_string(&found.rows).unwrap()
    };
    assert_eq!(rows(1), rows(3));
}

#[test]
fn a_stopped_sweep_has_the_finished_combinations() {
    let games = games(&grid("pig", &["goal=20..25"]));
    let (stop, most) = (Interrupt::new(), AtomicU64::new(0));
    // The base is played first, then combinations 0 and 1.
    let progress = |done: u64| {
        most.fetch_max(done, Ordering::Relaxed);
        if done >= 3 * 40 {
            stop.set();
        }
    };
    let mut plan = SweepPlan { base: 4, ..plan(40, &[AgentKind::Random]) };
    plan.each.threads = 1;
    let found = sweep(&games, &plan, &RunMonitor { progress: &progress, stop: &stop }).unwrap();
    let rows: Vec<usize> = found.rows.iter().map(|row| row.combination).collect();
    assert!(found.interrupted && rows == [0, 1, 4], "{rows:?}");
    assert!(found.rows.iter().all(|row| row.games == 40));
    assert!(found.rows[0].metrics.get("turns").unwrap().difference.is_some());
    assert_eq!(most.into_inner(), 120);
}

#[test]
fn what_a_stopped_sweep_has_is_named() {
    let games = games(&grid("pig", &["goal=20..25"]));
    let shown = |stopped_at: u64, stop: &Interrupt| {
        let progress = |done: u64| {
            if done >= stopped_at {
                stop.set();
            }
        };
        let mut plan = SweepPlan { base: 4, ..plan(40, &[AgentKind::Random, AgentKind::Greedy]) };
        plan.each.threads = 1;
        let found = sweep(&games, &plan, &RunMonitor { progress: &progress, stop }).unwrap();
        assert!(found.interrupted);
        sweep_text(&found, &["turns".to_owned()]).unwrap()
    };
    // One row says what it is of.
    let text = shown(40, &Interrupt::new());
    let row = text.lines().find(|line| line.split_whitespace().take(2).eq(["24", "random"]));
    assert!(row.is_some() && text.contains("6 combinations of goal · random · 40 games of each"), "{text}");
    assert!(
        text.contains("Interrupted: 1 row of the finished combinations, of 6 combinations in all"),
        "{text}"
    );
    // None is told, too, whatever metrics are named.
    let text = shown(1, &Interrupt::new());
    let said = " before the first of 6 combinations was finished: there is no figure";
    assert!(text.contains(&format!("Interrupted{said}")), "{text}");
    assert!(text.contains("6 combinations · 40 games of each"), "{text}");
    let text = shown(u64::MAX, &Interrupt::new().within(0.0));
    assert!(text.contains(&format!("The time was over{said}")) && !text.contains("Interrupted"), "{text}");
}

#[test]
fn what_does_not_fit_into_memory_is_said_before_any_game() {
    let games = games(&grid("pig", &["goal=20"]));
    let found = sweep(
        &games,
        &plan(MOST_KEPT, &[AgentKind::Random]),
        &RunMonitor { progress: &|_| panic!("a game was played"), stop: &Interrupt::new() },
    );
    let error = found.unwrap_err();
    assert!(matches!(error, SweepError::Kept { .. }) && error.to_string().contains("at most"), "{error}");
}

/// Returns a path in an empty folder.
fn path(name: &str) -> String {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("sweep");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    let _ = std::fs::remove_file(&path);
    path.to_str().unwrap().to_owned()
}

fn command(line: &str) -> (u8, String, String) {
    run(&line.split_whitespace().collect::<Vec<_>>())
}

#[test]
fn files_have_what_the_json_has() {
    let [csv, json, html, svg] = ["all.csv", "all.json", "all.html", "all.svg"].map(path);
    let line = format!(
        "sweep dilido --set jokers=0,1 --set adjacency=8,4 --variants second-joker -n 30 --agents random,greedy \
         -o {csv} -o {json} -o {html} -o {svg}"
    );
    let (code, out, err) = command(&line);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(
        out.contains("8 combinations of jokers, adjacency, variant · random, greedy · 30 games of each"),
        "{out}"
    );
    let found: Json = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    let rows = found["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 16);
    let mut read = csv::Reader::from_path(&csv).unwrap();
    let names = read.headers().unwrap().clone();
    let column = |name: &str| names.iter().position(|one| one == name).unwrap_or_else(|| panic!("{name}"));
    let cells: Vec<csv::StringRecord> = read.records().map(Result::unwrap).collect();
    assert_eq!(cells.len(), rows.len());
    for (cells, row) in cells.iter().zip(rows) {
        assert_eq!(cells[column("jokers")], row["params"]["jokers"].to_string());
        assert_eq!(cells[column("variant")], *row["variant"].as_str().unwrap());
        assert_eq!(cells[column("agent")], *row["agent"].as_str().unwrap());
        for (key, one) in row["metrics"].as_object().unwrap() {
            let cell = |name: &str| cells[column(&format!("{key}.{name}"))].parse::<f64>().ok();
            // Every number comes back as it was.
            for name in ["mean", "se", "low", "high"] {
                assert_eq!(cell(name), one[name].as_f64(), "{key}.{name}");
            }
            assert_eq!(cell("difference"), one["difference"]["mean"].as_f64(), "{key}");
            assert_eq!(cell("p_corrected"), one["difference"]["p_corrected"].as_f64(), "{key}");
        }
    }
    let svg = std::fs::read_to_string(&svg).unwrap();
    let tree = roxmltree::Document::parse(&svg).unwrap();
    assert!(tree.root_element().children().any(|child| child.has_tag_name("desc")));
    let page = std::fs::read_to_string(&html).unwrap();
    assert!(
        page.contains("<svg")
            && page.contains("<td>second-joker</td>")
            && page.matches("<style>").count() == 1
    );
    assert!(!page.replace("http://www.w3.org/2000/svg", "").contains("http"), "no network");
    let (code, _, err) = command(&line);
    assert!(code == 2 && err.matches("--force").count() == 4, "{err}");
    assert_eq!(command(&format!("{line} --force")).0, 0);
}

#[test]
fn all_errors_are_said_at_once() {
    let (code, out, err) =
        command("sweep dilido --set penalty_limit --set jokers=3..1 --players x -n 0 -o a.pdf");
    assert_eq!((code, out.as_str()), (2, ""));
    for part in
        ["NAME=1..7", "an empty range", "`x` is no number of players", "`--games`", "`.svg`", "`.parquet`"]
    {
        assert!(err.contains(part), "{part}: {err}");
    }
    let (code, _, err) = command("sweep dilido --set penalty_limit=98..99 --set joker=1");
    assert_eq!(code, 2);
    for part in ["98", "99", "joker"] {
        assert!(err.contains(part), "{part}: {err}");
    }
    // A combination whose params contradict each other.
    let (code, _, err) = command("sweep dilido --set games=2,16 --set best=2,3 -n 1");
    assert!(code == 1 && err.contains("the rules have errors with games = 2, best = 3"), "{err}");
    let (code, _, err) = command("sweep dilido --set size=1..70 --set jokers=1..70");
    assert!(code == 2 && err.contains("4,900 combinations, and at most 4,096"), "{err}");
    let (code, _, err) = command("sweep dilido --set jokers=0,1 -n 1 --base jokers=7");
    assert!(code == 2 && err.contains("no combination has jokers = 7"), "{err}");
    let (code, _, err) = command("sweep dilido --set jokers=0,1 -n 5 --metrics scores");
    assert!(code == 2 && err.contains("no metric `scores`") && err.contains("`score`"), "{err}");
}

#[test]
fn a_dash_in_the_table_is_explained() {
    let told = |players: &str| {
        let (code, out, err) =
            command(&format!("sweep pig --players {players} -n 20 --metrics wins[2],wins[3]"));
        assert_eq!(code, 0, "{err}");
        let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
        (out.contains('–'), words.contains("– is no figure: the games of that row have no such quantity."))
    };
    assert_eq!(told("2,3"), (true, true));
    assert_eq!(told("3,4"), (false, false));
}
