//! Actions that environments draw.

use houserule::envs::{Autoreset, EnvOptions, Opponents};

use super::common::{Vector, game, games, seeds};

#[test]
fn every_legal_action_is_drawn_with_the_same_chance() {
    for (name, legal) in [("tic-tac-toe", 9), ("connect-four", 7), ("gomoku", 225), ("reversi", 4)] {
        let mut vector = Vector::new(&game(name), &EnvOptions::default(), 4000, 1);
        let opponents = Opponents::SelfPlay;
        let options = EnvOptions { opponents, ..EnvOptions::default() };
        let game = vector.envs.game().clone();
        vector = Vector::new(&game, &options, 4000, 1);
        vector.reset(&seeds(0, 4000), None);
        let mut counts = vec![0u32; vector.envs.actions()];
        for _ in 0..10 {
            vector.sample().into_iter().for_each(|action| counts[action as usize] += 1);
        }
        let drawn: Vec<f64> =
            counts.iter().filter(|count| **count > 0).map(|count| f64::from(*count)).collect();
        assert_eq!(drawn.len(), legal, "{name}");
        let expected = 40_000.0 / legal as f64;
        let chi: f64 = drawn.iter().map(|count| (count - expected).powi(2) / expected).sum();
        // Mean k and variance 2k: four standard deviations above.
        let k = (legal - 1) as f64;
        assert!(chi < k + 4.0 * (2.0 * k).sqrt(), "{name}: {chi} of {k}");
    }
}

#[test]
fn what_is_drawn_is_legal_and_nothing_else_is_masked() {
    for (name, game) in games() {
        for opponents in [Opponents::SelfPlay, EnvOptions::default().opponents] {
            let options = EnvOptions { opponents, autoreset: Autoreset::SameStep, ..EnvOptions::default() };
            let mut vector = Vector::new(&game, &options, 40, 2);
            vector.reset(&seeds(1, 40), None);
            for _ in 0..100 {
                let actions = vector.sample();
                for (env, action) in actions.iter().enumerate() {
                    assert_eq!(vector.mask(env)[*action as usize], 1, "{name}");
                }
                vector.step(&actions);
                assert!(vector.told.rewards.iter().all(|reward| reward.is_finite()));
                assert!(
                    (0..40).all(|env| vector.envs.ended(env) != houserule::envs::EpisodeEnd::IllegalAction)
                );
            }
        }
    }
}

#[test]
fn drawing_shifts_neither_dice_nor_opponents() {
    let game = game("dicrono");
    let played = |draw: bool| {
        let mut vector = Vector::new(&game, &EnvOptions::default(), 5, 1);
        vector.reset(&seeds(4, 5), None);
        let mut told = vec![];
        for _ in 0..30 {
            if draw {
                vector.sample();
            }
            let first =
                |env: usize| vector.mask(env).iter().position(|legal| *legal == 1).unwrap_or(0) as i64;
            let actions: Vec<i64> = (0..5).map(first).collect();
            vector.step(&actions);
            told.push(vector.told.clone());
        }
        told
    };
    assert_eq!(played(true), played(false));
}

#[test]
fn samples_have_a_seed_of_their_own() {
    let game = game("gomoku");
    let drawn = |seed: Option<u64>, threads: usize| {
        let mut vector = Vector::new(&game, &EnvOptions::default(), 100, threads);
        vector.reset(&seeds(0, 100), None);
        if let Some(seed) = seed {
            vector.envs.seed_samples(seed);
        }
        vector.sample()
    };
    assert_eq!(drawn(Some(1), 1), drawn(Some(1), 3));
    assert_ne!(drawn(Some(1), 1), drawn(Some(2), 1));
    assert_ne!(drawn(Some(1), 1), drawn(None, 1));
}
