//! Episodes that start in positions.

use std::collections::BTreeSet;

use houserule::agents::AgentKind;
use houserule::envs::{Env, EnvBuffers, EnvError, EnvOptions, Opponents, Reward, SeatChoice, VectorEnv};
use houserule::game::{Game, Seat};

use super::common::{LOAD_MEASURED, Vector, game, game_of, seeds};

/// The positions of a random game before each of its first decisions.
fn positions(game: &Game, seed: u64, count: usize) -> Vec<String> {
    let options = EnvOptions { opponents: Opponents::SelfPlay, ..EnvOptions::default() };
    let mut env = Env::new(game, &options).expect("it can be made");
    env.reset(Some(seed));
    let mut found = vec![];
    while found.len() < count && env.current_player().is_some() {
        found.push(env.state().position());
        let action = env.sample_action();
        env.step(action, &mut []).expect("it is legal");
    }
    found
}

fn self_play(reward: Reward) -> EnvOptions {
    let load_measured = LOAD_MEASURED;
    EnvOptions { reward, load_measured, opponents: Opponents::SelfPlay, ..EnvOptions::default() }
}

#[test]
fn every_episode_starts_in_one_of_the_positions_and_its_seed_says_which() {
    for name in ["connect-four", "dilido", "go"] {
        let game = game(name);
        let starts = positions(&game, 5, 12);
        let mut one = Vector::new(&game, &self_play(Reward::Auto), 60, 1);
        let mut many = Vector::new(&game, &self_play(Reward::Auto), 60, 3);
        let mut seen = BTreeSet::new();
        for vector in [&mut one, &mut many] {
            vector.envs.set_starts(&starts).unwrap();
            vector.reset(&seeds(3, 60), None);
        }
        assert_eq!(one.told, many.told, "{name}: the threads change nothing");
        for env in 0..60 {
            seen.insert(one.envs.state(env).position());
        }
        // Dice of later rolls may differ, so the positions of dice games are more.
        assert!(seen.len() >= 10, "{name}: {}", seen.len());
        if name != "dilido" {
            assert!(seen.iter().all(|start| starts.contains(start)), "{name}");
        }
        let mut single = Env::new(&game, &self_play(Reward::Auto)).unwrap();
        single.set_starts(&starts).unwrap();
        for env in 0..10 {
            single.reset(Some(3 + env as u64));
            assert_eq!(single.state().position(), one.envs.state(env).position(), "{name}");
            single.reset(None);
        }
    }
}

#[test]
fn the_next_episodes_are_drawn_anew_and_set_starts_changes_those_to_come() {
    let game = game("connect-four");
    let starts = positions(&game, 5, 12);
    let mut vector = Vector::new(&game, &self_play(Reward::Auto), 8, 1);
    vector.envs.set_starts(&starts[8..]).unwrap();
    vector.reset(&seeds(3, 8), None);
    let late = |vector: &mut Vector| (0..8).all(|env| vector.envs.state(env).decisions() == 0);
    assert!(late(&mut vector));
    for env in 0..8 {
        assert!(starts[8..].contains(&vector.envs.state(env).position()));
    }
    vector.envs.set_starts(&starts[..2]).unwrap();
    vector.reset(&[], None);
    for env in 0..8 {
        assert!(starts[..2].contains(&vector.envs.state(env).position()));
    }
    vector.envs.set_starts(&[] as &[&str]).unwrap();
    vector.reset(&[], None);
    for env in 0..8 {
        assert_eq!(vector.envs.state(env).position(), starts[0]);
    }
}

#[test]
fn a_start_for_the_next_episode_is_used_once() {
    let game = game("connect-four");
    let starts = positions(&game, 5, 9);
    let mut vector = Vector::new(&game, &self_play(Reward::Auto), 4, 2);
    let next = [None, Some(&starts[8]), None, Some(&starts[4])];
    vector.envs.start_next_in(&next).unwrap();
    vector.reset(&seeds(0, 4), None);
    for (env, start) in next.into_iter().enumerate() {
        assert_eq!(&vector.envs.state(env).position(), start.unwrap_or(&starts[0]));
    }
    vector.reset(&[], None);
    for env in 0..4 {
        assert_eq!(vector.envs.state(env).position(), starts[0]);
    }
}

#[test]
fn the_points_of_a_position_are_not_rewards() {
    let game = game_of("pig", Some(2), &[("goal", "40")]);
    let starts = positions(&game, 2, 40);
    for reward in [Reward::Score, Reward::Margin, Reward::Expression("score".to_owned())] {
        let mut env = Env::new(&game, &self_play(reward.clone())).unwrap();
        let mut told = 0;
        for start in &starts {
            env.start_next_in(start).unwrap();
            env.reset(Some(1));
            let before = env.state().score_of_each().unwrap();
            let mut sums = [0.0; 2];
            while env.current_player().is_some() {
                let mut seats = [0.0; 2];
                let action = env.sample_action();
                env.step(action, &mut seats).unwrap();
                sums.iter_mut().zip(seats).for_each(|(sum, reward)| *sum += reward);
            }
            let after = env.state().score_of_each().unwrap();
            let gained = |seat: usize| (after[seat] - before[seat]) as f64;
            let expected = match reward {
                Reward::Margin => [gained(0) - gained(1), gained(1) - gained(0)],
                _ => [gained(0), gained(1)],
            };
            assert_eq!(sums, expected, "{reward:?}");
            told += before[0] + before[1];
        }
        assert!(told > 0, "some positions have points");
    }
}

#[test]
fn opponents_play_on_from_a_start_to_the_learners_decision() {
    let game = game("connect-four");
    let starts = positions(&game, 5, 6);
    let options = EnvOptions {
        opponents: Opponents::Agents(vec![AgentKind::Random]),
        seat: SeatChoice::Fixed(Seat(0)),
        ..EnvOptions::default()
    };
    let mut env = Env::new(&game, &options).unwrap();
    for (number, start) in starts.iter().enumerate() {
        env.start_next_in(start).unwrap();
        env.reset(Some(4));
        assert_eq!(env.current_player(), Some(Seat(0)));
        // After an odd number of decisions the opponent moved first.
        assert_eq!(env.state().position() == *start, number % 2 == 0);
    }
}

#[test]
fn what_is_no_start_is_refused_and_changes_nothing() {
    let game = game("connect-four");
    let mut envs = VectorEnv::new(&game, &self_play(Reward::Auto), 2, 1).unwrap();
    let starts = positions(&game, 5, 50);
    let mut end = Env::new(&game, &self_play(Reward::Auto)).unwrap();
    end.reset(Some(5));
    while end.current_player().is_some() {
        let action = end.sample_action();
        end.step(action, &mut []).unwrap();
    }
    let error = envs.set_starts(&[starts[0].clone(), end.state().position()]).unwrap_err().to_string();
    assert!(error.starts_with("start 1: the game is over"), "{error}");
    let error = envs.set_starts(&["nonsense"]).unwrap_err().to_string();
    assert!(error.starts_with("start 0: line 1"), "{error}");
    let error = envs.start_next_in(&[Some("")]).unwrap_err();
    assert_eq!(error, EnvError::Length { what: "starts", expected: 2, given: 1 });
    envs.reset(&[Some(1), Some(2)], None, EnvBuffers::default()).unwrap();
    assert_eq!(envs.state(0).position(), starts[0]);
    let options = EnvOptions { match_play: true, ..EnvOptions::default() };
    let dilido = super::common::game("dilido");
    let mut matches = VectorEnv::new(&dilido, &options, 1, 1).unwrap();
    assert_eq!(matches.set_starts(&[positions(&dilido, 1, 1)[0].clone()]), Err(EnvError::MatchStart));
}
