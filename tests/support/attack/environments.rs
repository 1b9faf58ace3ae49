//! Environments against states: observations, masks, rewards and ends of the same games.

use super::{Both, Seen};
use houserule::envs::{Autoreset, EnvBuffers, EnvOptions, Opponents, Outputs, Reward, VectorEnv};
use houserule::game::{ActionId, Game, Seat, State};
use houserule::rng::Stream;

/// Number of environments, and of their steps.
const SIZE: (usize, u32) = (5, 12);

/// Steps environments in self-play beside states of the same seeds.
pub(super) fn attack(both: &Both, seed: u64, seen: &mut Seen) {
    let reward = [Reward::Score, Reward::Outcome, Reward::Payoff][(seed % 3) as usize].clone();
    let options = EnvOptions {
        opponents: Opponents::SelfPlay,
        reward: reward.clone(),
        autoreset: Autoreset::SameStep,
        ..EnvOptions::default()
    };
    // Rewards by score need a score.
    let Ok(envs) = VectorEnv::new(&both.compiled, &options, SIZE.0, 1) else { return };
    let mut run = Run::new(envs, &both.interpreted, reward);
    run.reset(seed);
    let mut choices = Stream::new(seed, 6, 0);
    for _ in 0..SIZE.1 {
        run.step(&mut choices);
    }
    seen.note("environments");
}

/// Environments with their buffers, and the state of each.
struct Run {
    envs: VectorEnv,
    game: Game,
    reward: Reward,
    states: Vec<Beside>,
    observations: Vec<f32>,
    masks: Vec<i8>,
    players: Vec<i32>,
}

/// The state of an environment.
enum Beside {
    /// The state, and the scores after the last step in which they could be computed.
    Playing(Box<State>, Vec<i64>),
    /// The episode ended before its first decision, or its start failed: the next step tells it.
    Begun,
}

impl Run {
    fn new(envs: VectorEnv, game: &Game, reward: Reward) -> Run {
        let count = envs.count();
        let (numbers, actions) = (envs.observation_len(), envs.actions());
        Run {
            envs,
            game: game.clone(),
            reward,
            states: vec![],
            observations: vec![0.0; count * numbers],
            masks: vec![0; count * actions],
            players: vec![0; count],
        }
    }

    fn reset(&mut self, seed: u64) {
        let seeds: Vec<Option<u64>> = (0..self.envs.count() as u64).map(|e| Some(seed + e)).collect();
        let view = EnvBuffers {
            observations: (&mut self.observations).into(),
            masks: &mut self.masks,
            current_players: &mut self.players,
        };
        self.envs.reset(&seeds, None, view).unwrap_or_else(|error| panic!("{error}"));
        self.states = (0..self.envs.count()).map(|e| self.begun(e)).collect();
        self.compare("after a reset");
    }

    /// Returns the state at the start of the episode of an environment.
    fn begun(&self, e: usize) -> Beside {
        let (seed, index) = self.envs.episode(e);
        match self.game.start(seed, index) {
            Ok(state) if !state.is_over() => Beside::Playing(Box::new(state), vec![0; self.envs.players()]),
            _ => Beside::Begun,
        }
    }

    fn compare(&self, when: &str) {
        let (numbers, actions) = (self.envs.observation_len(), self.envs.actions());
        for (e, beside) in self.states.iter().enumerate() {
            let Beside::Playing(state, _) = beside else { continue };
            let player = state.current_player().expect("a decision is pending");
            assert_eq!(self.players[e], player.0 as i32, "player of environment {e} {when}");
            let mask = &self.masks[e * actions..][..actions];
            let legal: Vec<ActionId> = (0..actions)
                .filter(|action| mask[*action] == 1)
                .map(|action| ActionId(action as u32))
                .collect();
            assert_eq!(legal, sorted(state.legal_actions()), "mask of environment {e} {when}");
            let shown = &self.observations[e * numbers..][..numbers];
            assert_eq!(shown, state.observation(player), "observation of environment {e} {when}");
        }
    }

    fn step(&mut self, choices: &mut Stream) {
        let count = self.envs.count();
        let actions: Vec<i64> = self
            .states
            .iter()
            .map(|beside| match beside {
                Beside::Playing(state, _) => {
                    let legal = state.legal_actions();
                    i64::from(legal[choices.below(legal.len() as u64) as usize].0)
                }
                Beside::Begun => 0,
            })
            .collect();
        let seats = self.envs.players();
        let (mut rewards, mut seat_rewards) = (vec![0.0; count], vec![0.0; count * seats]);
        let (mut terminated, mut truncated) = (vec![false; count], vec![false; count]);
        let mut finals = vec![0.0; self.observations.len()];
        let out = Outputs {
            view: EnvBuffers {
                observations: (&mut self.observations).into(),
                masks: &mut self.masks,
                current_players: &mut self.players,
            },
            rewards: &mut rewards,
            terminated: &mut terminated,
            truncated: &mut truncated,
            seat_rewards: &mut seat_rewards,
            final_observations: (&mut finals).into(),
        };
        self.envs.step(&actions, out).unwrap_or_else(|error| panic!("{error}"));
        for e in 0..count {
            let over = terminated[e] || truncated[e];
            let Beside::Playing(state, scores) = &mut self.states[e] else {
                assert!(over, "environment {e}: an episode that was over at its start ends");
                self.states[e] = self.begun(e);
                continue;
            };
            let actor = state.current_player().expect("a decision is pending");
            let went = state.apply(ActionId(actions[e] as u32));
            let failed = went.is_err();
            assert_eq!(terminated[e], !failed && state.is_over(), "environment {e} is terminated");
            assert_eq!(truncated[e], failed, "environment {e} is truncated");
            if !failed {
                rewarded(state, actor, scores, &self.reward, rewards[e], &seat_rewards[e * seats..][..seats]);
            }
            if over {
                self.states[e] = self.begun(e);
            }
        }
        self.compare("after a step");
    }
}

/// Asserts that a step has the rewards of its state. Where the scores fail, there are none.
fn rewarded(state: &State, actor: Seat, scores: &mut Vec<i64>, reward: &Reward, own: f64, seats: &[f64]) {
    let nothing = vec![0.0; seats.len()];
    let direction = state.game().model().score_direction;
    let change =
        |(before, after): (&i64, &i64)| direction.worth((i128::from(*after) - i128::from(*before)) as f64);
    let each = match (reward, state.score_of_each()) {
        (_, Err(_)) => nothing,
        (Reward::Score, Ok(after)) => {
            let before = std::mem::replace(scores, after);
            before.iter().zip(&*scores).map(change).collect()
        }
        (Reward::Outcome, Ok(_)) => state.outcome().map_or(nothing, |outcome| outcome.returns_of_winning()),
        _ if state.is_over() => state.returns(),
        _ => nothing,
    };
    assert_eq!(own, each[actor.index()], "reward of {actor:?}");
    assert_eq!(seats, each, "rewards of the seats");
}

fn sorted(mut actions: Vec<ActionId>) -> Vec<ActionId> {
    actions.sort();
    actions
}
