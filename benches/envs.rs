//! Benchmark of vector environments: self-play, with uniformly random legal actions drawn by the
//! environments, and flat observations, masks and rewards written. Prints median steps per second of CPU time
//! on one thread and of wall-clock time on one and two threads, and the memory of an environment. Then it
//! prints the parts of a step's time, in nanoseconds: each is the difference between steps with and without
//! that part.
//!
//! `cargo bench --bench envs [-- GAME …]`

#![allow(clippy::print_stdout, reason = "a table for people to read")]

use std::time::Instant;

use cpu_time::ThreadTime;
use houserule::envs::{Autoreset, Env, EnvBuffers, EnvOptions, Opponents, Outputs, VectorEnv};
use houserule::game::Game;
use houserule::loader::{Request, load};
use houserule::observe::Cells;

/// Games, with the wanted speed in millions of steps per second.
const GAMES: [(&str, f64); 8] = [
    ("tic-tac-toe", 40.0),
    ("connect-four", 35.0),
    ("dilido", 25.0),
    ("go", 1.0),
    ("dicrono", 0.0),
    ("pig", 0.0),
    ("gomoku", 0.0),
    ("breakthrough", 0.0),
];

const ENVS: usize = 1024;
const ROUNDS: usize = 9;
/// Number of steps of all environments in a round.
const STEPS: usize = 1000;
/// Like `STEPS`, for games whose steps take long.
const FEW_STEPS: usize = 20;

struct Buffers {
    actions: Vec<i64>,
    observations: Vec<f32>,
    masks: Vec<i8>,
    players: Vec<i32>,
    rewards: Vec<f64>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
    seats: Vec<f64>,
}

impl Buffers {
    fn of(envs: &VectorEnv) -> Buffers {
        let n = envs.count();
        // Observations for a single player don't contain the player to move.
        let several = envs.players() > 1;
        Buffers {
            actions: vec![0; n],
            observations: vec![0.0; n * envs.observation_len()],
            masks: vec![0; n * envs.actions()],
            players: vec![0; if several { n } else { 0 }],
            rewards: vec![0.0; n],
            terminated: vec![false; n],
            truncated: vec![false; n],
            seats: vec![0.0; if several { n * envs.players() } else { 0 }],
        }
    }

    fn view(&mut self) -> EnvBuffers<'_> {
        EnvBuffers {
            observations: (&mut self.observations).into(),
            masks: &mut self.masks,
            current_players: &mut self.players,
        }
    }

    fn step(&mut self, envs: &mut VectorEnv) {
        self.step_showing(envs, true, true);
    }

    /// Steps all environments, with or without observations and masks.
    fn step_showing(&mut self, envs: &mut VectorEnv, observations: bool, masks: bool) {
        envs.sample_actions(&mut self.actions).expect("the slice fits");
        let out = Outputs {
            view: EnvBuffers {
                observations: if observations { (&mut self.observations).into() } else { Cells::default() },
                masks: if masks { &mut self.masks } else { &mut [] },
                current_players: &mut self.players,
            },
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            seat_rewards: &mut self.seats,
            final_observations: Cells::default(),
        };
        envs.step(&self.actions, out).expect("the slices fit");
    }
}

/// In self-play every decision is a step. A game for one player has no other seats.
fn options(game: &Game) -> EnvOptions {
    match game.players() {
        1 => EnvOptions::default(),
        _ => EnvOptions { opponents: Opponents::SelfPlay, ..EnvOptions::default() },
    }
}

fn vector(game: &Game, threads: usize) -> (VectorEnv, Buffers) {
    let options = EnvOptions { autoreset: Autoreset::SameStep, ..options(game) };
    let mut envs = VectorEnv::new(game, &options, ENVS, threads).expect("the options fit the game");
    let mut buffers = Buffers::of(&envs);
    envs.reset(&[], None, buffers.view()).expect("the slices fit");
    (envs, buffers)
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    println!(
        "millions of steps per second, {ENVS} environments, self-play but where one plays alone, median of {ROUNDS} rounds"
    );
    println!(
        "{:14} {:>8} {:>8} {:>8} {:>9} {:>9} {:>7} {:>9} {:>7} {:>7} {:>7} {:>7}",
        "game",
        "cpu",
        "wanted",
        "1 thread",
        "2 threads",
        "2 to 1",
        "bytes",
        "single",
        "step",
        "observe",
        "mask",
        "sample"
    );
    for (name, goal) in GAMES {
        if !wanted.is_empty() && !wanted.iter().any(|w| w == name) {
            continue;
        }
        let game =
            load(&Request { name, ..Request::default() }).unwrap_or_else(|e| panic!("{name}: {e}")).game;
        let (mut one, mut buffers) = vector(&game, 1);
        let (mut two, mut other) = vector(&game, 2);
        let (mut cpu, mut wall, mut both, mut single) = (vec![], vec![], vec![], vec![]);
        let mut parts: [Vec<f64>; 4] = Default::default();
        let steps = if name == "go" { FEW_STEPS } else { STEPS };
        let million = (ENVS * steps) as f64 / 1e6;
        for _ in 0..ROUNDS {
            let (start, clock) = (ThreadTime::now(), Instant::now());
            (0..steps).for_each(|_| buffers.step(&mut one));
            cpu.push(million / start.elapsed().as_secs_f64());
            wall.push(million / clock.elapsed().as_secs_f64());
            let clock = Instant::now();
            (0..steps).for_each(|_| other.step(&mut two));
            both.push(million / clock.elapsed().as_secs_f64());
            single.push(singly(&game, 100 * steps));
            for (part, time) in parts.iter_mut().zip(times(&mut one, &mut buffers, steps)) {
                part.push(time);
            }
        }
        let (wall, both) = (median(wall), median(both));
        let [step, observation, mask, sample] = parts.map(median);
        println!(
            "{name:14} {:>8.2} {:>8} {wall:>8.2} {both:>9.2} {:>9.2} {:>7} {:>9.2} {step:>7.1} {observation:>7.1} {mask:>7.1} {sample:>7.1}",
            median(cpu),
            if goal > 0.0 { format!("{goal:.0}") } else { "-".to_owned() },
            both / wall,
            one.bytes_per_env(),
            median(single),
        );
        std::hint::black_box(&buffers.observations);
    }
}

/// Returns the CPU time of the parts of a step, in nanoseconds: the game with its rewards, the observation,
/// the mask, and the draw of an action.
fn times(envs: &mut VectorEnv, buffers: &mut Buffers, steps: usize) -> [f64; 4] {
    let mut time = |work: &mut dyn FnMut(&mut VectorEnv, &mut Buffers)| {
        let start = ThreadTime::now();
        (0..steps).for_each(|_| work(envs, buffers));
        start.elapsed().as_secs_f64() * 1e9 / (ENVS * steps) as f64
    };
    let sample =
        time(&mut |envs, buffers| envs.sample_actions(&mut buffers.actions).expect("the slice fits"));
    let step = time(&mut |envs, buffers| buffers.step_showing(envs, false, false));
    let observation = time(&mut |envs, buffers| buffers.step_showing(envs, true, false));
    let all = time(&mut |envs, buffers| buffers.step_showing(envs, true, true));
    [step - sample, observation - step, all - observation, sample]
}

/// Returns millions of steps per second of one environment.
fn singly(game: &Game, steps: usize) -> f64 {
    let options = options(game);
    let mut env = Env::new(game, &options).expect("the options fit the game");
    let mut observation = vec![0.0; env.observation_len()];
    let mut mask = vec![0; env.actions()];
    let start = ThreadTime::now();
    env.reset(Some(0));
    for _ in 0..steps {
        let action = env.sample_action();
        let step = env.step(action, &mut []).expect("it is legal");
        if step.terminated || step.truncated {
            env.reset(None);
        }
        env.observe(&mut observation).expect("it fits");
        env.write_mask(&mut mask).expect("it fits");
    }
    std::hint::black_box(&observation);
    steps as f64 / 1e6 / start.elapsed().as_secs_f64()
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}
