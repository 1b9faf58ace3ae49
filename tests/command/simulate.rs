//! Simulations: the same games for any number of threads, and consistent totals.

#![allow(clippy::unwrap_used)]

use crate::extent;
use crate::rules::games_for;
use houserule::agents::AgentKind;
use houserule::game::Game;
use houserule::interrupt::Interrupt;
use houserule::loader::{Request, load, load_text};
use houserule::playtest::{
    GameSinks, Keep, Report, RunBudget, RunMonitor, SimulateError, SimulationPlan, simulate, simulate_within,
};
use houserule::solve::{GraphLimits, TooLarge, solve};
use houserule::variants::Setting;

fn game_with(name: &str, settings: &[(&str, &str)]) -> Game {
    let settings: Vec<Setting> = settings.iter().map(|(name, value)| Setting::new(*name, *value)).collect();
    load(&Request { name, settings: &settings, players: None }).unwrap().game
}

fn game(name: &str) -> Game {
    game_with(name, &[])
}

fn plan(games: u64, threads: usize, agents: &[AgentKind]) -> SimulationPlan {
    SimulationPlan { games, first: 0, seed: 9, threads, agents: agents.to_vec(), match_play: false }
}

fn run(game: &Game, plan: &SimulationPlan) -> Report {
    simulate(game, plan, &|_| {}, None).unwrap()
}

/// Returns a report without the values that differ from run to run.
fn figures(report: &Report) -> serde_json::Value {
    let mut json = serde_json::to_value(report).unwrap();
    let keys = ["seconds", "cpu_seconds", "games_per_second", "decisions_per_second", "threads"];
    keys.iter().for_each(|key| assert!(json.as_object_mut().unwrap().remove(*key).is_some(), "{key}"));
    json
}

#[test]
fn threads_do_not_matter() {
    for name in ["dilido", "dicrono", "tic-tac-toe", "pig"] {
        let game = game(name);
        let one = figures(&run(&game, &plan(5000, 1, &[AgentKind::Random])));
        for threads in [2, 3, 7] {
            assert_eq!(figures(&run(&game, &plan(5000, threads, &[AgentKind::Random]))), one, "{name}");
        }
    }
}

#[test]
fn games_one_by_one_are_those_of_a_batch() {
    for name in extent::bundled("batch", 24) {
        let game = game(name);
        let plan = plan(games_for(&game, extent::tries(1_500, 10_000), 300), 2, &[AgentKind::Random]);
        let batch = run(&game, &plan);
        // With records, the games are played through states.
        let states = simulate(&game, &plan, &|_| {}, Some(&mut |_| {})).unwrap();
        assert_eq!(figures(&states), figures(&batch), "{name}");
    }
}

#[test]
fn figures_add_up() {
    let game = game("dicrono");
    let report = run(&game, &plan(2000, 2, &[AgentKind::Random]));
    assert_eq!((report.games, report.aborted), (2000, 0));
    assert_eq!(report.winners.wins.iter().sum::<f64>(), 2000.0);
    assert_eq!(report.ends.0.iter().map(|(_, games)| games).sum::<u64>(), 2000);
    for (seat, score) in report.score.iter().enumerate() {
        assert_eq!(score.histogram.iter().map(|(_, games)| games).sum::<u64>(), 2000);
        let items: f64 = report.items.0.iter().map(|(_, seats)| seats[seat].mean).sum();
        assert!((items - score.mean).abs() < 1e-9);
        assert!(score.min.unwrap() >= -1 && score.quantiles.0.windows(2).all(|q| q[0].1 <= q[1].1));
    }
    let decisions: u64 = report.options.0.iter().map(|(_, n)| n).sum();
    let counted = report.counts.get("decisions").unwrap().mean * 2000.0;
    assert!((decisions as f64 - counted).abs() < 1e-6);
    let penalties = &report.variables.get("penalties").unwrap();
    assert_eq!(penalties.len(), 2);
    assert!(penalties.iter().all(|seat| seat.max == Some(3)));
}

#[test]
fn json_has_exactly_its_keys() {
    let report = run(&game("dilido"), &plan(10, 1, &[AgentKind::Random]));
    let json = serde_json::to_string(&report).unwrap();
    let keys = "version game rules_sha256 params players match games aborted requested interrupted seed first \
                threads agents seconds cpu_seconds games_per_second decisions_per_second score wins win_shares \
                alone draws draw_share success teams items counts options steps otherwise ends variables";
    let read: houserule::game::ordered::Ordered<serde_json::Value> = serde_json::from_str(&json).unwrap();
    let found: Vec<&str> = read.0.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(found, keys.split_whitespace().collect::<Vec<_>>());
    let of =
        |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    let (mean, range) = ("mean low high se", "min min_index max max_index");
    let score = format!("{mean} sd {range} quantiles histogram");
    assert_eq!(of(&read.get("score").unwrap()[0]), score);
    assert_eq!(of(&read.get("items").unwrap()["lines"][0]), mean);
    assert_eq!(of(&read.get("counts").unwrap()["turns"]), format!("{mean} {range}"));
    assert_eq!(of(&read.get("variables").unwrap()["penalties"][0]), format!("name {mean} {range}"));
    assert_eq!(of(&read.get("score").unwrap()[0]["quantiles"]), "5 25 50 75 95");
}

#[test]
fn a_set_of_games_is_the_sum_of_its_best() {
    let game = game("dilido");
    let plan = SimulationPlan { match_play: true, ..plan(40, 2, &[AgentKind::Random]) };
    let mut scores: Vec<Vec<i64>> = vec![Vec::new(); 40];
    let mut sink = |record: houserule::notation::record::Record| {
        scores[record.index.unwrap() as usize / 16].push(record.score[0]);
    };
    let report = simulate(&game, &plan, &|_| {}, Some(&mut sink)).unwrap();
    let matches = report.matches.unwrap();
    assert_eq!((report.games, matches.matches), (640, 40));
    let total = |games: &mut Vec<i64>| {
        games.sort_unstable_by(|a, b| b.cmp(a));
        games[..12].iter().sum::<i64>()
    };
    let totals: Vec<i64> = scores.iter_mut().map(total).collect();
    assert_eq!(matches.total[0].mean, totals.iter().sum::<i64>() as f64 / 40.0);
    assert_eq!(matches.record[0].max, scores.iter().map(|games| games[0]).max());
}

#[test]
fn plans_that_can_not_be_played() {
    let random = || AgentKind::Random;
    let error =
        simulate(&game("pig"), &plan(1, 1, &[random(), random(), random()]), &|_| {}, None).unwrap_err();
    assert!(matches!(error, SimulateError::Agents { players: 2, agents: 3 }));
    let matches = SimulationPlan { match_play: true, ..plan(1, 1, &[random()]) };
    assert!(matches!(simulate(&game("pig"), &matches, &|_| {}, None), Err(SimulateError::NoMatch)));
}

#[test]
fn an_error_of_the_rules_aborts_the_game_and_is_told_once() {
    let text = "game \"Overflow\" { players 1 dice d: 1 of d6 var n: 0..3 = 0 turn { roll d n += 1 \
                if d[1] == 6 { end game } } score { n: n } }";
    let loaded = houserule::loader::load_text("overflow", text, &Request::default()).unwrap();
    let report = run(&loaded.game, &plan(1000, 2, &[AgentKind::Random]));
    assert_eq!(report.games + report.aborted, 1000);
    // Three rolls without a six, and a fourth.
    assert!(report.aborted > 400 && report.games > 300, "{}", report.aborted);
    let first = report.first_aborted.clone().unwrap();
    assert!(loaded.game.start(9, first.index).is_err(), "seed and index bring it back");
    assert!((0..first.index).all(|index| loaded.game.start(9, index).is_ok()));
    assert_eq!(report.score[0].max, Some(3));
}

#[test]
fn greedy_beats_random() {
    let report = run(&game("dicrono"), &plan(400, 2, &[AgentKind::Greedy, AgentKind::Random]));
    assert!(report.winners.wins[0] > report.winners.wins[1] * 1.15, "{:?}", report.winners.wins);
    let dilido = |agent| run(&game("dilido"), &plan(300, 2, &[agent])).score[0].mean;
    assert!(dilido(AgentKind::Greedy) > dilido(AgentKind::Random) * 1.1);
}

#[test]
fn tic_tac_toe_is_a_draw_and_exact_never_loses() {
    let game = game("tic-tac-toe");
    let solution = solve(&game, &GraphLimits::default()).unwrap();
    assert_eq!(solution.start(), [0.0, 0.0]);
    // All reachable positions: 5,478.
    assert_eq!(solution.states(), 5478);
    let report = run(&game, &plan(300, 2, &[AgentKind::Random, AgentKind::Exact]));
    let lost = report.winners.wins[0] - report.winners.draws as f64 / 2.0;
    assert_eq!(lost, 0.0);
    assert!(report.winners.wins[1] > 200.0);
}

#[test]
fn pig_to_a_small_goal_by_hand() {
    // With goal 2, any roll but a 1 (5 of 6) wins at once. After a 1 the other player is in the same
    // situation. The first player's probability p satisfies p = 5/6 + 1/6 (1 - p), so p = 6/7.
    let solution = solve(&game_with("pig", &[("goal", "2")]), &GraphLimits::default()).unwrap();
    let first = (1.0 + solution.start()[0]) / 2.0;
    assert!((first - 6.0 / 7.0).abs() < 1e-9, "{first}");
}

#[test]
fn a_game_that_is_too_large_is_refused() {
    let few = GraphLimits { states: 1000, ..GraphLimits::default() };
    assert_eq!(solve(&game("tic-tac-toe"), &few).err(), Some(TooLarge::States(1000)));
    let few = GraphLimits { steps: 1000, ..GraphLimits::default() };
    assert_eq!(solve(&game("tic-tac-toe"), &few).err(), Some(TooLarge::Steps(1000)));
}

#[test]
fn bars_of_two_players_stand_for_the_same_numbers_of_points() {
    let rules = "game \"Double\" { players 2 dice die: 1 of d6 var points[player]: 0..400 = 0
        turn { roll die points[me] += die * (if me == player 1 then 1 else 4) }
        end of round when round == 10 score { points: points[me] } }";
    let game = load_text("double.rules", rules, &Request::default()).unwrap().game;
    let report = run(&game, &plan(300, 1, &[AgentKind::Random]));
    let told = houserule::report::report_text(&game, &report);
    let bars = told.lines().filter_map(|line| {
        let (from, rest) = line.trim_start().split_once(" to ")?;
        let to = rest.split_whitespace().next()?;
        Some(to.parse::<i64>().ok()? - from.parse::<i64>().ok()? + 1)
    });
    let widths: std::collections::BTreeSet<i64> = bars.collect();
    assert_eq!(widths.len(), 1, "{widths:?}\n{told}");
}

/// A run that ends with its time has no number of games that it could lack.
#[test]
fn an_interrupted_run_of_a_time_lacks_no_number_of_games() {
    let (game, stop) = (game("pig"), Interrupt::new());
    let plan = plan(1_000_000_000, 1, &[AgentKind::Random]);
    let budget = RunBudget { seconds: Some(1e6), ..RunBudget::default() };
    let watch = RunMonitor { progress: &|_| stop.set(), stop: &stop };
    let keep = Keep { keep_partial: true, ..Keep::default() };
    let found = simulate_within(&game, &plan, None, &budget, &watch, keep, GameSinks::default());
    let (report, ..) = found.unwrap();
    assert!(report.interrupted && report.games > 0);
    let told = houserule::report::report_text(&game, &report);
    let games = houserule::numbers::grouped(report.games);
    assert!(told.contains(&format!("Interrupted after {games} game")), "{told}");
    assert!(told.contains(": more would have been played"), "{told}");
    assert!(!told.contains("partial"), "{told}");
}
