//! Games for the tests of environments, and a vector environment with its buffers.

use houserule::envs::{EnvBuffers, EnvError, EnvOptions, LoadMeasured, Outputs, VectorEnv};
use houserule::game::Game;
use houserule::loader::{Request, load, load_origin, load_text};
use houserule::rng::Stream;
use houserule::variants::Setting;
use rand::prelude::*;

/// Loads games with expressions as rewards.
pub(crate) const LOAD_MEASURED: Option<LoadMeasured> = Some(LoadMeasured(|origin| {
    load_origin(origin).map(|loaded| loaded.game).map_err(|error| error.to_string())
}));

pub(crate) fn game(name: &str) -> Game {
    game_of(name, None, &[])
}

pub(crate) fn game_of(name: &str, players: Option<u32>, settings: &[(&str, &str)]) -> Game {
    let settings: Vec<Setting> = settings.iter().map(|(name, value)| Setting::new(*name, *value)).collect();
    let request = Request { name, settings: &settings, players };
    load(&request).unwrap_or_else(|error| panic!("{name}: {error}")).game
}

pub(crate) fn text(rules: &str) -> Game {
    load_text("test", rules, &Request { name: "test", ..Request::default() })
        .unwrap_or_else(|error| panic!("{error}"))
        .game
}

/// Games for one, two and three players, and others with different requirements.
pub(crate) fn games() -> Vec<(&'static str, Game)> {
    vec![
        ("dilido", game("dilido")),
        ("connect-four", game("connect-four")),
        ("pig of three", game_of("pig", Some(3), &[("goal", "30")])),
        ("yacht of two", game_of("yacht", Some(2), &[])),
        ("dicrono", game("dicrono")),
        ("kalah", game_of("kalah", None, &[("pits", "3")])),
        ("go", game_of("go", None, &[("size", "3")])),
    ]
}

/// The results of a step of a vector environment.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Told {
    pub(crate) observations: Vec<f32>,
    pub(crate) masks: Vec<i8>,
    pub(crate) players: Vec<i32>,
    pub(crate) rewards: Vec<f64>,
    pub(crate) terminated: Vec<bool>,
    pub(crate) truncated: Vec<bool>,
    pub(crate) seats: Vec<f64>,
    pub(crate) finals: Vec<f32>,
}

pub(crate) struct Vector {
    pub(crate) envs: VectorEnv,
    pub(crate) told: Told,
}

impl Vector {
    pub(crate) fn new(game: &Game, options: &EnvOptions, count: usize, threads: usize) -> Vector {
        let envs = VectorEnv::new(game, options, count, threads).unwrap_or_else(|error| panic!("{error}"));
        let told = Told {
            observations: vec![0.0; count * envs.observation_len()],
            masks: vec![0; count * envs.actions()],
            players: vec![0; count],
            rewards: vec![0.0; count],
            terminated: vec![false; count],
            truncated: vec![false; count],
            seats: vec![0.0; count * envs.players()],
            finals: vec![0.0; count * envs.observation_len()],
        };
        Vector { envs, told }
    }

    pub(crate) fn reset(&mut self, seeds: &[Option<u64>], mask: Option<&[bool]>) {
        let view = EnvBuffers {
            observations: (&mut self.told.observations).into(),
            masks: &mut self.told.masks,
            current_players: &mut self.told.players,
        };
        self.envs.reset(seeds, mask, view).unwrap_or_else(|error| panic!("{error}"));
    }

    pub(crate) fn try_step(&mut self, actions: &[i64]) -> Result<(), EnvError> {
        let told = &mut self.told;
        let out = Outputs {
            view: EnvBuffers {
                observations: (&mut told.observations).into(),
                masks: &mut told.masks,
                current_players: &mut told.players,
            },
            rewards: &mut told.rewards,
            terminated: &mut told.terminated,
            truncated: &mut told.truncated,
            seat_rewards: &mut told.seats,
            final_observations: (&mut told.finals).into(),
        };
        self.envs.step(actions, out)
    }

    pub(crate) fn step(&mut self, actions: &[i64]) {
        self.try_step(actions).unwrap_or_else(|error| panic!("{error}"));
    }

    pub(crate) fn sample(&mut self) -> Vec<i64> {
        let mut actions = vec![0; self.envs.count()];
        self.envs.sample_actions(&mut actions).unwrap_or_else(|error| panic!("{error}"));
        actions
    }

    pub(crate) fn mask(&self, env: usize) -> &[i8] {
        let actions = self.envs.actions();
        &self.told.masks[env * actions..][..actions]
    }
}

/// Returns `count` seeds, starting with `first`.
pub(crate) fn seeds(first: u64, count: usize) -> Vec<Option<u64>> {
    (first..first + count as u64).map(Some).collect()
}

/// Returns a legal action of a mask. With probability 1/12 the action may be illegal.
pub(crate) fn any_action(mask: &[i8], stream: &mut Stream) -> i64 {
    if stream.random_ratio(1, 12) {
        return stream.random_range(-1..=mask.len() as i64);
    }
    legal_action(mask, stream)
}

/// Returns a legal action of a mask, or 0 if there is none.
pub(crate) fn legal_action(mask: &[i8], stream: &mut Stream) -> i64 {
    let legal: Vec<usize> = (0..mask.len()).filter(|action| mask[*action] == 1).collect();
    legal.choose(stream).map_or(0, |action| *action as i64)
}
