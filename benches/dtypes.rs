//! Benchmark of the types of observations: vector environments in self-play with random legal actions, which write
//! float32, uint8 and bits in turns. Prints medians of millions of steps per second of CPU time on one thread, and the
//! median, the least and the greatest ratio of a round to float32.
//!
//! `cargo bench --bench dtypes [-- GAME …]`

#![allow(clippy::print_stdout, reason = "a table for people to read")]

use cpu_time::ThreadTime;
use houserule::envs::{Autoreset, EnvBuffers, EnvOptions, ObservationForm, Opponents, Outputs, VectorEnv};
use houserule::game::Game;
use houserule::loader::{Request, load};
use houserule::observe::{Cells, Dtype};

/// Games, with the number of steps of all environments in a round.
const GAMES: [(&str, usize); 4] = [("tic-tac-toe", 800), ("connect-four", 800), ("dilido", 800), ("go", 20)];
const DTYPES: [Dtype; 3] = [Dtype::Float32, Dtype::Uint8, Dtype::Bits];
const ENVS: usize = 1024;
const ROUNDS: usize = 9;

struct Run {
    envs: VectorEnv,
    actions: Vec<i64>,
    floats: Vec<f32>,
    bytes: Vec<u8>,
    masks: Vec<i8>,
    rewards: Vec<f64>,
    ended: Vec<bool>,
    truncated: Vec<bool>,
}

impl Run {
    fn new(game: &Game, kind: ObservationForm, dtype: Dtype) -> Option<Run> {
        let opponents =
            if game.players() > 1 { Opponents::SelfPlay } else { EnvOptions::default().opponents };
        let options = EnvOptions {
            opponents,
            observation: kind,
            dtype,
            autoreset: Autoreset::SameStep,
            ..EnvOptions::default()
        };
        let envs = VectorEnv::new(game, &options, ENVS, 1).ok()?;
        let cells = ENVS * envs.observation_len();
        let floats = dtype == Dtype::Float32;
        let mut run = Run {
            actions: vec![0; ENVS],
            floats: vec![0.0; if floats { cells } else { 0 }],
            bytes: vec![0; if floats { 0 } else { cells }],
            masks: vec![0; ENVS * envs.actions()],
            rewards: vec![0.0; ENVS],
            ended: vec![false; ENVS],
            truncated: vec![false; ENVS],
            envs,
        };
        run.envs.reset(&[], None, EnvBuffers::default()).expect("the slices fit");
        Some(run)
    }

    fn steps(&mut self, steps: usize) {
        for _ in 0..steps {
            self.envs.sample_actions(&mut self.actions).expect("the slice fits");
            let observations: Cells<'_> = match self.floats.is_empty() {
                true => (&mut self.bytes).into(),
                false => (&mut self.floats).into(),
            };
            let out = Outputs {
                view: EnvBuffers { observations, masks: &mut self.masks, current_players: &mut [] },
                rewards: &mut self.rewards,
                terminated: &mut self.ended,
                truncated: &mut self.truncated,
                seat_rewards: &mut [],
                final_observations: Cells::default(),
            };
            self.envs.step(&self.actions, out).expect("the slices fit");
        }
    }

    /// Returns millions of steps a second of CPU time.
    fn rate(&mut self, steps: usize) -> f64 {
        let start = ThreadTime::now();
        self.steps(steps);
        (ENVS * steps) as f64 / 1e6 / start.elapsed().as_secs_f64()
    }
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    println!(
        "millions of steps per second of CPU time, {ENVS} environments, median of {ROUNDS} rounds in turns"
    );
    println!("{:14} {:8} {:>7} {:>9} {:>9}   to float32", "game", "kind", "cells", "type", "steps");
    for (name, steps) in GAMES {
        if !wanted.is_empty() && !wanted.iter().any(|w| w == name) {
            continue;
        }
        let game =
            load(&Request { name, ..Request::default() }).unwrap_or_else(|e| panic!("{name}: {e}")).game;
        for (word, kind) in [("flat", ObservationForm::Flat), ("planes", ObservationForm::Planes)] {
            let runs = DTYPES.map(|dtype| (dtype, Run::new(&game, kind, dtype)));
            let mut runs: Vec<_> =
                runs.into_iter().filter_map(|(dtype, run)| Some((dtype, run?, vec![]))).collect();
            for (_, run, _) in &mut runs {
                run.steps(steps);
            }
            for _ in 0..ROUNDS {
                for (_, run, rates) in &mut runs {
                    rates.push(run.rate(steps));
                }
            }
            let floats = runs[0].2.clone();
            for (dtype, run, rates) in runs {
                let ratios = spread(rates.iter().zip(&floats).map(|(rate, floats)| rate / floats).collect());
                println!(
                    "{name:14} {word:8} {:>7} {:>9} {:>9.2}   {:.2} ({:.2} to {:.2})",
                    run.envs.observation_len(),
                    format!("{dtype:?}").to_lowercase(),
                    spread(rates)[1],
                    ratios[1],
                    ratios[0],
                    ratios[2]
                );
            }
        }
    }
}

/// Returns the least, the median and the greatest.
fn spread(mut all: Vec<f64>) -> [f64; 3] {
    all.sort_by(f64::total_cmp);
    [all[0], all[all.len() / 2], all[all.len() - 1]]
}
