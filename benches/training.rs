//! Benchmark of training on two threads: the same number of games on one thread and on two in turns, by wall clock,
//! with everything from the first game to the last checkpoint; the features are laid out before. Prints the median time of one thread, and the
//! median, least and greatest of the ratios.
//!
//! `cargo bench --bench training [-- GAME …]`

#![allow(clippy::print_stdout, reason = "a table for people to read")]

use std::time::Instant;

use houserule::learned::{Course, TrainingBudget, can_learn, train};
use houserule::loader::{Request, load};

const ROUNDS: usize = 5;

/// Games and the number of training games, for about ten seconds on one thread.
const GAMES: [(&str, u64); 8] = [
    ("connect-four", 80_000),
    ("dilido", 50_000),
    ("dice-wide-shut", 2_000),
    ("dominoes", 100_000),
    ("dots-and-boxes", 1_500),
    ("pig", 80_000),
    ("reversi", 5_000),
    ("yacht", 5_000),
];

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    println!("| game | training games | one thread | two threads |\n| --- | --- | --- | --- |");
    for (name, games) in GAMES {
        if !wanted.is_empty() && !wanted.iter().any(|wanted| wanted == name) {
            continue;
        }
        let game = load(&Request { name, ..Request::default() }).expect("it is bundled").game;
        can_learn(&game).expect("it can be learned");
        let seconds = |threads| {
            let course = Course { budget: TrainingBudget::Games(games), seed: 1, threads };
            let begun = Instant::now();
            train(&game, &course, &mut ()).expect("it can be learned");
            begun.elapsed().as_secs_f64()
        };
        let rounds: Vec<(f64, f64)> = (0..ROUNDS).map(|_| (seconds(1), seconds(2))).collect();
        let mut alone: Vec<f64> = rounds.iter().map(|(one, _)| *one).collect();
        let mut ratios: Vec<f64> = rounds.iter().map(|(one, two)| one / two).collect();
        let ratio = median(&mut ratios);
        println!(
            "| {name} | {games} | {:.1} s | {ratio:.2} times as fast ({:.2} to {:.2}) |",
            median(&mut alone),
            ratios[0],
            ratios[ROUNDS - 1]
        );
    }
}
