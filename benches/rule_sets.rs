//! Benchmark of vector environments that play several rule sets: 24 of a game, each environment drawing its rules at
//! every episode or always playing those of its slice, against a single rule set. First it prints the time and the
//! memory of loading 1,000 rule sets on two threads. Then it prints millions of steps per second of CPU time on one
//! thread (with random legal actions, flat observations and masks), the share of the single rule set's, and what drawn
//! rules take more than slices for each episode: choosing and changing them.
//!
//! `cargo bench --bench rule_sets [-- WORD …]`, of runs whose names have all of these words

#![allow(clippy::print_stdout, reason = "a table for people to read")]

use std::time::Instant;

use cpu_time::ThreadTime;
use houserule::envs::{Autoreset, EnvBuffers, EnvOptions, Outputs, RuleChoice, RuleOptions, VectorEnv};
use houserule::game::Game;
use houserule::loader::{load_all, parts};
use houserule::observe::Cells;
use houserule::variants::{Origin, Setting};

const ENVS: usize = 4096;
const ROUNDS: usize = 9;
/// Rounds of each of the 24 rule sets alone.
const ROUNDS_ALONE: usize = 3;
/// Number of steps of all environments in a round.
const STEPS: usize = 200;
/// Steps before the first round, so that all programs are compiled.
const WARM: usize = 1500;

struct Run {
    envs: VectorEnv,
    actions: Vec<i64>,
    observations: Vec<f32>,
    masks: Vec<i8>,
    rewards: Vec<f64>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
    ended: usize,
}

impl Run {
    fn new(envs: VectorEnv) -> Run {
        let n = envs.count();
        let mut run = Run {
            actions: vec![0; n],
            observations: vec![0.0; n * envs.observation_len()],
            masks: vec![0; n * envs.actions()],
            rewards: vec![0.0; n],
            terminated: vec![false; n],
            truncated: vec![false; n],
            ended: 0,
            envs,
        };
        let view = EnvBuffers {
            observations: (&mut run.observations).into(),
            masks: &mut run.masks,
            current_players: &mut [],
        };
        run.envs.reset(&[], None, view).expect("the slices fit");
        run.steps(WARM);
        run
    }

    fn steps(&mut self, steps: usize) {
        for _ in 0..steps {
            self.envs.sample_actions(&mut self.actions).expect("the slice fits");
            let out = Outputs {
                view: EnvBuffers {
                    observations: (&mut self.observations).into(),
                    masks: &mut self.masks,
                    current_players: &mut [],
                },
                rewards: &mut self.rewards,
                terminated: &mut self.terminated,
                truncated: &mut self.truncated,
                seat_rewards: &mut [],
                final_observations: Cells::default(),
            };
            self.envs.step(&self.actions, out).expect("the slices fit");
            self.ended += self.terminated.iter().filter(|ended| **ended).count();
        }
    }

    /// Returns millions of steps a second of CPU time.
    fn rate(&mut self) -> f64 {
        let start = ThreadTime::now();
        self.steps(STEPS);
        (ENVS * STEPS) as f64 / 1e6 / start.elapsed().as_secs_f64()
    }
}

fn origin(name: &str, settings: &[(&str, String)]) -> Origin {
    let settings = settings.iter().map(|(name, value)| Setting::new(*name, value.clone())).collect();
    Origin { parts: parts(name), settings, ..Origin::default() }
}

/// The 24 rule sets: two variants, four limits and three numbers of jokers.
fn rule_sets(names: &[&str]) -> Vec<Game> {
    let mut origins = vec![];
    for name in names {
        for limit in 2..2 + 8 / names.len() {
            for jokers in 0..3 {
                origins.push(origin(
                    name,
                    &[("penalty_limit", limit.to_string()), ("jokers", jokers.to_string())],
                ));
            }
        }
    }
    load_all(&origins, 2).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the resident memory of this process, in megabytes.
fn memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().split(' ').next()?.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1024.0
}

fn main() {
    if wanted("loading") {
        loading();
    }
    for autoreset in [Autoreset::SameStep, Autoreset::NextStep] {
        let options = EnvOptions { autoreset, ..EnvOptions::default() };
        let games = rule_sets(&["dilido"]);
        let mixed = |names: &[&str], choice: Option<RuleChoice>| {
            let games = rule_sets(names);
            let choice = choice.unwrap_or_else(|| RuleChoice::Weights(vec![1.0; games.len()]));
            let rules = RuleOptions { games, choice, show: true };
            VectorEnv::new(&rules, &options, ENVS, 1).expect("the options fit")
        };
        let alone = |game: &Game| VectorEnv::new(game, &options, ENVS, 1).expect("the options fit");
        let both = ["dilido", "dilido+torus"];
        let made: [(&str, &dyn Fn() -> VectorEnv); 7] = [
            ("one rule set, the first", &|| alone(&games[0])),
            ("one rule set, the 14th", &|| alone(&games[13])),
            ("one rule set, of a variant", &|| alone(&rule_sets(&["dilido+torus"])[13])),
            ("24 by params, in slices", &|| mixed(&["dilido"], Some(RuleChoice::Slices))),
            ("24 by params, drawn", &|| mixed(&["dilido"], None)),
            ("24 with variants, in slices", &|| mixed(&both, Some(RuleChoice::Slices))),
            ("24 with variants, drawn", &|| mixed(&both, None)),
        ];
        let mut runs: Vec<_> = made
            .iter()
            .filter(|(name, _)| wanted(name))
            .map(|(name, made)| (*name, Run::new(made())))
            .collect();
        let mut rates = vec![vec![]; runs.len()];
        for _ in 0..ROUNDS {
            for ((_, run), rates) in runs.iter_mut().zip(&mut rates) {
                rates.push(run.rate());
            }
        }
        println!("{autoreset:?}: {ENVS} environments, median of {ROUNDS} rounds");
        println!("{:32} {:>12} {:>8} {:>10} {:>8}", "", "M steps/s", "share", "steps/ep.", "bytes");
        let each: Vec<f64> = rates.into_iter().map(median).collect();
        let mut in_slices = None;
        for ((name, run), rate) in runs.iter().zip(&each) {
            let length = (ENVS * (WARM + STEPS * ROUNDS)) as f64 / run.ended as f64;
            println!(
                "{name:32} {rate:>12.2} {:>8.2} {length:>10.1} {:>8}",
                rate / each[0],
                run.envs.bytes_per_env()
            );
            match (name.ends_with("in slices"), in_slices) {
                (true, _) => in_slices = Some(rate),
                (false, Some(slices)) => {
                    let more = 1000.0 * (1.0 / rate - 1.0 / slices) * length;
                    println!("{:32} {more:>12.0} ns an episode more than in slices", "");
                }
                (false, None) => {}
            }
        }
        if !wanted("each alone") {
            continue;
        }
        // As many steps of each: the mean of the times.
        for (name, names) in
            [("24 by params, each alone", &both[..1]), ("24 with variants, each alone", &both)]
        {
            let games = rule_sets(names);
            let times = games.iter().map(|game| {
                let mut run = Run::new(alone(game));
                1.0 / median((0..ROUNDS_ALONE).map(|_| run.rate()).collect())
            });
            let rate = games.len() as f64 / times.sum::<f64>();
            println!("{name:32} {rate:>12.2} {:>8.2}", rate / each[0]);
        }
    }
}

/// Returns `true` if the arguments are in the name of a run, or there are none.
fn wanted(name: &str) -> bool {
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    words.is_empty() || words.iter().all(|word| name.contains(word.as_str()))
}

fn loading() {
    let names = ["dilido", "dilido+torus", "dilido+second-joker", "dilido+ordered"];
    let mut origins = vec![];
    for name in names {
        for size in 4..=8 {
            for limit in 1..=10 {
                for jokers in 0..5 {
                    let settings = [("size", size), ("penalty_limit", limit), ("jokers", jokers)];
                    origins.push(origin(
                        name,
                        &settings.map(|(name, value): (_, i32)| (name, value.to_string())),
                    ));
                }
            }
        }
    }
    let before = memory();
    let clock = Instant::now();
    let games = load_all(&origins, 2).unwrap_or_else(|error| panic!("{error}"));
    let time = clock.elapsed().as_secs_f64();
    println!("loading {} rule sets on two threads: {time:.3} s, {:.0} MB", games.len(), memory() - before);
    let clock = Instant::now();
    let rules = RuleOptions::uniform(games);
    let envs = VectorEnv::new(&rules, &EnvOptions::default(), ENVS, 1).expect("they fit");
    let time = clock.elapsed().as_secs_f64();
    println!("{} environments of them: {time:.3} s, {:.0} MB", envs.count(), memory() - before);
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}
