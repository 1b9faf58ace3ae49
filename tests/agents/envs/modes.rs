//! A vector environment against the same number of single ones, each stepped and reset as in Gymnasium's
//! `SyncVectorEnv`, in its three modes and for any number of threads.

use houserule::agents::AgentKind;
use houserule::envs::{
    Autoreset, Env, EnvError, EnvOptions, EpisodeEnd, Illegal, ObservationForm, Opponents, Reward,
};
use houserule::game::{Game, Seat};
use houserule::rng::Stream;

use super::common::{Told, Vector, any_action, game, games, legal_action, seeds, text};

const MODES: [Autoreset; 3] = [Autoreset::NextStep, Autoreset::SameStep, Autoreset::Disabled];

/// How an episode ended that the last step told: the end that decided it, and the error.
#[derive(Clone, Debug, Default, PartialEq)]
struct ToldEnd {
    ended: EpisodeEnd,
    end: Option<String>,
    error: Option<String>,
}

/// The endings, seats and episodes of all environments.
type EnvProgress = Vec<(ToldEnd, Seat, (u64, u64))>;

fn progress(vector: &Vector) -> EnvProgress {
    let (envs, names) = (&vector.envs, vector.envs.end_names());
    let ending = |e| ToldEnd {
        ended: envs.ended(e),
        // An episode may be over before its first step, which tells it.
        end: envs.end(e).filter(|_| vector.told.terminated[e]).map(|end| names[end as usize].clone()),
        error: envs.error(e).map(ToString::to_string),
    };
    (0..envs.count()).map(|e| (ending(e), envs.seat(e), envs.episode(e))).collect()
}

/// Single environments, stepped one after the other.
struct Synced {
    envs: Vec<Env>,
    mode: Autoreset,
    /// The environments whose last step ended their episode.
    over: Vec<bool>,
    endings: Vec<ToldEnd>,
    told: Told,
}

impl Synced {
    fn new(game: &Game, options: &EnvOptions, like: &Vector) -> Synced {
        let count = like.envs.count();
        let envs = (0..count).map(|_| Env::new(game, options).expect("the options fit")).collect();
        Synced {
            envs,
            mode: options.autoreset,
            over: vec![false; count],
            endings: vec![ToldEnd::default(); count],
            told: like.told.clone(),
        }
    }

    fn progress(&self) -> EnvProgress {
        let envs = self.envs.iter().zip(&self.endings);
        envs.map(|(env, ending)| (ending.clone(), env.seat(), env.episode())).collect()
    }

    fn show(&mut self, e: usize) {
        let env = &mut self.envs[e];
        let (numbers, actions) = (env.observation_len(), env.actions());
        env.observe(&mut self.told.observations[e * numbers..][..numbers]).expect("it fits");
        env.write_mask(&mut self.told.masks[e * actions..][..actions]).expect("it fits");
        self.told.players[e] = env.current_player().map_or(-1, |player| player.0 as i32);
    }

    fn reset(&mut self, seeds: &[Option<u64>], mask: Option<&[bool]>) {
        for e in 0..self.envs.len() {
            if mask.is_none_or(|mask| mask[e]) {
                self.envs[e].reset(seeds.get(e).copied().flatten());
                (self.over[e], self.endings[e]) = (false, ToldEnd::default());
            }
            self.show(e);
        }
    }

    fn step(&mut self, actions: &[i64]) {
        for (e, action) in actions.iter().enumerate() {
            let (players, numbers) = (self.envs[e].players(), self.envs[e].observation_len());
            let seats = &mut self.told.seats[e * players..][..players];
            seats.fill(0.0);
            if self.mode == Autoreset::NextStep && self.over[e] {
                self.envs[e].reset(None);
                (self.told.rewards[e], self.told.terminated[e], self.told.truncated[e]) = (0.0, false, false);
            } else {
                let step = self.envs[e].step(*action, seats).expect("the step is taken");
                self.told.rewards[e] = step.reward;
                (self.told.terminated[e], self.told.truncated[e]) = (step.terminated, step.truncated);
            }
            self.over[e] = self.told.terminated[e] || self.told.truncated[e];
            self.endings[e] = ToldEnd {
                ended: self.envs[e].ended(),
                end: self.envs[e].end().map(str::to_owned),
                error: self.envs[e].error().map(ToString::to_string),
            };
            if self.mode == Autoreset::SameStep && self.over[e] {
                self.envs[e].observe(&mut self.told.finals[e * numbers..][..numbers]).expect("it fits");
                self.envs[e].reset(None);
            }
            self.show(e);
        }
    }
}

fn compare(name: &str, game: &Game, options: &EnvOptions, count: usize, threads: usize, steps: usize) {
    compare_with(name, (game, game), options, count, threads, steps);
}

/// Like `compare`, with a separately loaded game for the single environments.
fn compare_with(
    name: &str,
    (game, single): (&Game, &Game),
    options: &EnvOptions,
    count: usize,
    threads: usize,
    steps: usize,
) {
    let mut vector = Vector::new(game, options, count, threads);
    let mut synced = Synced::new(single, options, &vector);
    let mut stream = Stream::new(5, count as u64, threads as u64);
    vector.reset(&seeds(100, count), None);
    synced.reset(&seeds(100, count), None);
    assert_eq!(vector.told, synced.told, "{name} {options:?} at reset");
    let mut ends = 0;
    for step in 0..steps {
        let actions: Vec<i64> = (0..count).map(|e| any_action(vector.mask(e), &mut stream)).collect();
        vector.step(&actions);
        synced.step(&actions);
        assert_eq!(vector.told, synced.told, "{name} {options:?} after step {step}");
        assert_eq!(progress(&vector), synced.progress(), "{name} {options:?} after step {step}");
        ends += synced.over.iter().filter(|over| **over).count();
        if options.autoreset == Autoreset::Disabled && synced.over.contains(&true) {
            let mask = synced.over.clone();
            vector.reset(&[], Some(&mask));
            synced.reset(&[], Some(&mask));
            assert_eq!(vector.told, synced.told, "{name} {options:?} reset after step {step}");
        }
    }
    assert!(ends > 0, "{name}: no episode ended in {steps} steps");
}

#[test]
fn a_vector_steps_as_single_environments_do_in_every_mode() {
    for (name, game) in games() {
        for autoreset in MODES {
            for opponents in [Opponents::SelfPlay, Opponents::Agents(vec![AgentKind::Random])] {
                let options = EnvOptions { autoreset, opponents, ..EnvOptions::default() };
                compare(name, &game, &options, 5, 1, 80);
            }
        }
    }
}

#[test]
fn so_it_does_with_other_rewards_planes_and_forced_steps() {
    for (name, game) in games() {
        for (autoreset, reward) in MODES.into_iter().zip([Reward::Score, Reward::Outcome, Reward::Score]) {
            let observation = match game.planes() {
                Ok(_) => ObservationForm::Planes,
                Err(_) => ObservationForm::Flat,
            };
            let mut options =
                EnvOptions { autoreset, reward, observation, skip_forced: true, ..EnvOptions::default() };
            compare(name, &game, &options, 3, 1, 60);
            options.opponents = Opponents::SelfPlay;
            compare(name, &game, &options, 3, 1, 60);
        }
    }
}

#[test]
fn and_in_several_passes_and_over_threads() {
    for (name, game) in games().into_iter().take(3) {
        for autoreset in MODES {
            let options = EnvOptions { autoreset, ..EnvOptions::default() };
            compare(name, &game, &options, 75, 1, 30);
            compare(name, &game, &options, 150, 3, 30);
        }
    }
}

/// The many steps of a chunk compile its game. A single environment has another game, and too few steps to
/// compile it.
#[test]
fn and_so_it_does_once_its_game_is_compiled() {
    for ((name, game), (_, single)) in games().into_iter().zip(games()) {
        for opponents in [Opponents::SelfPlay, Opponents::Agents(vec![AgentKind::Random])] {
            let options = EnvOptions { opponents, autoreset: Autoreset::SameStep, ..EnvOptions::default() };
            compare_with(name, (&game, &single), &options, 200, 1, 50);
        }
        let options =
            EnvOptions { opponents: Opponents::SelfPlay, reward: Reward::Outcome, ..EnvOptions::default() };
        compare_with(name, (&game, &single), &options, 200, 1, 40);
    }
}

/// Its episodes end by the rules, by an error, at the limit and by illegal actions.
const ENDS: &str = "game \"Ends\" {
  players 2
  dice die: 1 of d6
  var n: 0..7 = 0
  var points[player]: 0..99 = 0
  limit 9
  turn { choose { low { n = 0 } more { n += 1  points[me] += 1 } any { roll die  n = die[1] } } }
  end five when n == 5
  score { n: n, points: points[me] }
}";

/// In self-play, environments of a batch whose games wait for another decision are stepped together, by other code
/// than a single one.
#[test]
fn environments_that_go_on_are_stepped_as_single_ones_are() {
    for autoreset in MODES {
        for reward in [Reward::Score, Reward::Outcome] {
            for illegal in [Illegal::Penalize, Illegal::Ignore] {
                let opponents = Opponents::SelfPlay;
                let reward = reward.clone();
                let options = EnvOptions { autoreset, opponents, reward, illegal, ..EnvOptions::default() };
                // The game of so many steps is compiled, that of a single environment is not.
                compare_with("ends", (&text(ENDS), &text(ENDS)), &options, 70, 1, 120);
            }
        }
    }
}

#[test]
fn an_environment_plays_the_same_for_any_number_and_threads() {
    // Environment 0 of many is environment 0 alone, whatever the others do.
    for (name, game) in games() {
        let played = |count: usize, threads: usize| {
            let mut vector = Vector::new(&game, &EnvOptions::default(), count, threads);
            vector.reset(&seeds(9, count), None);
            let (numbers, actions) = (vector.envs.observation_len(), vector.envs.actions());
            let mut told = vec![];
            for _ in 0..60 {
                let actions_taken = vector.sample();
                vector.step(&actions_taken);
                let told_now = &vector.told;
                told.push((
                    actions_taken[0],
                    told_now.observations[..numbers].to_vec(),
                    told_now.masks[..actions].to_vec(),
                    told_now.players[0],
                    told_now.rewards[0],
                    told_now.terminated[0],
                ));
            }
            told
        };
        let alone = played(1, 1);
        for (count, threads) in [(2, 1), (70, 1), (70, 2), (200, 3)] {
            assert_eq!(played(count, threads), alone, "{name}: {count} with {threads} threads");
        }
    }
}

#[test]
fn in_next_step_mode_the_step_after_the_end_resets_and_ignores_its_action() {
    let game = game("tic-tac-toe");
    let options = EnvOptions { opponents: Opponents::SelfPlay, ..EnvOptions::default() };
    let mut vector = Vector::new(&game, &options, 1, 1);
    let mut stream = Stream::new(1, 2, 3);
    vector.reset(&seeds(0, 1), None);
    while !vector.told.terminated[0] {
        let action = legal_action(vector.mask(0), &mut stream);
        vector.step(&[action]);
    }
    assert!(vector.mask(0).iter().all(|legal| *legal == 1), "any action does once it is over");
    assert_eq!(vector.told.players[0], -1);
    let shown = vector.told.observations.clone();
    vector.step(&[-7]);
    assert_eq!(
        (vector.told.rewards[0], vector.told.terminated[0], vector.told.truncated[0]),
        (0.0, false, false)
    );
    assert_ne!(vector.told.observations, shown);
    assert!(vector.mask(0).iter().all(|legal| *legal == 1), "a new board");
    assert_eq!(vector.envs.episode(0), (0, 1));
}

#[test]
fn without_autoreset_a_step_after_the_end_is_refused_and_changes_nothing() {
    let game = game("tic-tac-toe");
    let opponents = Opponents::SelfPlay;
    let options = EnvOptions { autoreset: Autoreset::Disabled, opponents, ..EnvOptions::default() };
    let mut vector = Vector::new(&game, &options, 3, 1);
    vector.reset(&seeds(0, 3), None);
    vector.step(&[0, 0, -1]);
    assert_eq!(vector.told.terminated, [false, false, true]);
    let before = vector.told.clone();
    assert_eq!(vector.try_step(&[1, 1, 1]), Err(EnvError::Over { env: 2 }));
    assert_eq!(vector.told, before);
    vector.reset(&[], Some(&[false, false, true]));
    vector.step(&[1, 1, 1]);
    assert_eq!(vector.told.terminated, [false; 3]);
    // Two moves were made in the first two environments, one in the third.
    let free = |env: usize| vector.mask(env).iter().filter(|legal| **legal == 1).count();
    assert_eq!([free(0), free(1), free(2)], [7, 7, 8]);
}

#[test]
fn an_environment_that_was_never_reset_is_refused_or_begins() {
    let game = game("tic-tac-toe");
    let mut env = Env::new(&game, &EnvOptions::default()).expect("the options fit");
    assert_eq!(env.step(0, &mut []), Err(EnvError::NotBegun { env: 0 }));
    let mut vector = Vector::new(&game, &EnvOptions::default(), 2, 1);
    vector.step(&[0, 0]);
    assert!(vector.mask(0).contains(&1) && vector.mask(1).contains(&1));
}

#[test]
fn slices_of_other_lengths_are_refused_by_name() {
    let game = game("tic-tac-toe");
    let mut vector = Vector::new(&game, &EnvOptions::default(), 2, 1);
    vector.reset(&[], None);
    assert_eq!(
        vector.try_step(&[0]).expect_err("too short").to_string(),
        "actions must have 2 numbers, but have 1"
    );
    vector.told.masks.pop();
    assert_eq!(
        vector.try_step(&[0, 0]).expect_err("too short").to_string(),
        "masks must have 18 numbers, but have 17"
    );
    vector.told.masks.clear();
    vector.told.seats.clear();
    vector.step(&[0, 0]);
}
