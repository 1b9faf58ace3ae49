//! Benchmark of games per second of CPU time, one thread, random players: the engine, the command's
//! simulation and the hand-written game, alternating in one run. Prints the medians and ratios of
//! `docs/performance.md`.
//!
//! `cargo bench --bench speed [-- GAME …]`

#![allow(clippy::print_stdout, reason = "a table for people to read")]

use cpu_time::ThreadTime;
use houserule::agents::AgentKind;
use houserule::game::random_games::{UsageCounts, play_random};
use houserule::loader::{Request, load};
use houserule::playtest::{SimulationPlan, simulate};

pub mod baseline;

use baseline::{Totals, connect_four, dilido, gomoku, pig, reversi, tic_tac_die, tic_tac_toe};

type Playouts = fn(u64, u64) -> Totals;

/// Games, with the number of games in a round.
const GAMES: [(&str, u64, Option<Playouts>); 12] = [
    ("tic-tac-toe", 1_000_000, Some(tic_tac_toe::playouts)),
    ("connect-four", 300_000, Some(connect_four::playouts)),
    ("dilido", 200_000, Some(dilido::playouts)),
    ("tic-tac-die", 1_000_000, Some(tic_tac_die::playouts)),
    ("pig", 60_000, Some(pig::playouts)),
    ("dicrono", 200_000, None),
    ("yacht", 10_000, None),
    ("kalah", 20_000, None),
    ("gomoku", 30_000, Some(gomoku::playouts)),
    ("reversi", 20_000, Some(reversi::playouts)),
    ("breakthrough", 20_000, None),
    ("hex", 20_000, None),
];

/// Numbers of players that differ from the fewest, to equal those of the compared program.
const PLAYERS: [(&str, u32); 1] = [("yacht", 2)];

const ROUNDS: usize = 9;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    println!("millions of games per second of CPU time, one thread, median of {ROUNDS} rounds");
    println!(
        "{:14} {:>9} {:>9} {:>9} {:>8} {:>8}",
        "game", "by hand", "engine", "simulate", "engine", "simulate"
    );
    for (name, games, by_hand) in GAMES {
        if !wanted.is_empty() && !wanted.iter().any(|w| w == name) {
            continue;
        }
        let players = PLAYERS.iter().find(|(of, _)| *of == name).map(|(_, players)| *players);
        let Ok(loaded) = load(&Request { name, players, ..Request::default() }) else {
            panic!("{name} does not load")
        };
        let game = loaded.game;
        let (mut hand, mut engine, mut report) = (vec![], vec![], vec![]);
        for round in 0..ROUNDS as u64 {
            if let Some(by_hand) = by_hand {
                hand.push(rate(games, || {
                    std::hint::black_box(by_hand(games, round));
                }));
            }
            engine.push(rate(games, || {
                let mut wins = 0u64;
                let mut counts = UsageCounts::default();
                let finished =
                    &mut |f: houserule::game::random_games::Finished<'_>| wins += u64::from(f.winners & 1);
                play_random(&game, round, 0..games, &mut counts, finished, &mut |_, error| panic!("{error}"));
                std::hint::black_box((wins, counts));
            }));
            report.push(rate(games, || {
                let agents = vec![AgentKind::Random];
                let plan =
                    SimulationPlan { games, first: 0, seed: round, threads: 1, agents, match_play: false };
                std::hint::black_box(simulate(&game, &plan, &|_| {}, None).is_ok());
            }));
        }
        let (engine, report) = (median(engine), median(report));
        let hand = (!hand.is_empty()).then(|| median(hand));
        let millions = |rate: f64| format!("{:.2}", rate / 1e6);
        let ratio = |of: Option<f64>, to: f64| of.map_or("-".into(), |of| format!("{:.2}", to / of));
        println!(
            "{name:14} {:>9} {:>9} {:>9} {:>8} {:>8}",
            hand.map_or("-".into(), millions),
            millions(engine),
            millions(report),
            ratio(hand, engine),
            ratio(Some(engine), report),
        );
    }
}

fn rate(games: u64, play: impl FnOnce()) -> f64 {
    let start = ThreadTime::now();
    play();
    games as f64 / start.elapsed().as_secs_f64()
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}
