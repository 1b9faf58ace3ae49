//! Mixtures of opponents, of which every episode draws one.

use std::collections::BTreeSet;

use houserule::agents::AgentKind;
use houserule::envs::{Env, EnvError, EnvOptions, LineUp, Opponents, SeatChoice};
use houserule::game::Seat;

use super::common::{Vector, game, seeds};

fn line_up(name: &str, weight: f64, agent: AgentKind) -> LineUp {
    LineUp { name: name.to_owned(), weight, agents: vec![agent] }
}

fn mixture(weights: [f64; 2]) -> Opponents {
    let [random, greedy] = weights;
    Opponents::Mixture(vec![
        line_up("random", random, AgentKind::Random),
        line_up("greedy", greedy, AgentKind::Greedy),
    ])
}

fn options(opponents: Opponents) -> EnvOptions {
    EnvOptions { opponents, seat: SeatChoice::Fixed(Seat(1)), ..EnvOptions::default() }
}

#[test]
fn every_episode_plays_against_the_opponent_that_its_seed_draws() {
    let game = game("connect-four");
    let mixed = options(mixture([1.0, 3.0]));
    let pure = [AgentKind::Random, AgentKind::Greedy].map(|agent| options(Opponents::Agents(vec![agent])));
    let mut env = Env::new(&game, &mixed).unwrap();
    let mut pure = pure.map(|options| Env::new(&game, &options).unwrap());
    let mut drawn = [0; 2];
    for seed in 0..200 {
        env.reset(Some(seed));
        let which = usize::from(env.line_up() == Some("greedy"));
        drawn[which] += 1;
        pure[which].reset(Some(seed));
        while env.current_player().is_some() {
            assert_eq!(env.state().position(), pure[which].state().position(), "seed {seed}");
            let action = env.sample_action();
            assert_eq!(env.step(action, &mut []), pure[which].step(action, &mut []));
        }
        let first = env.line_up().map(str::to_owned);
        env.reset(Some(seed));
        assert_eq!(env.line_up(), first.as_deref(), "the seed draws the same again");
    }
    // 150 ± 4.5 standard deviations of 6.1.
    assert!((122..=178).contains(&drawn[1]), "three of four are greedy: {drawn:?}");
}

#[test]
fn a_mixture_draws_the_same_in_a_vector_for_any_threads_and_when_saved() {
    let game = game("connect-four");
    let options = options(mixture([1.0, 1.0]));
    let (mut one, mut many) = (Vector::new(&game, &options, 70, 1), Vector::new(&game, &options, 70, 2));
    one.reset(&seeds(0, 70), None);
    many.reset(&seeds(0, 70), None);
    for step in 0..60 {
        let actions = one.sample();
        one.step(&actions);
        if step == 30 {
            let mut fresh = Vector::new(&game, &options, 70, 1);
            fresh.envs.go_on_from(&many.envs.save()).unwrap();
            many = fresh;
        }
        many.step(&actions);
        assert_eq!(one.told, many.told, "step {step}");
        for env in 0..70 {
            assert_eq!(one.envs.line_up(env), many.envs.line_up(env), "step {step}");
        }
    }
    let seen: BTreeSet<_> = (0..70).map(|env| one.envs.line_up(env)).collect();
    assert_eq!(seen, BTreeSet::from([Some(0), Some(1)]));
}

#[test]
fn episodes_in_progress_go_on_against_their_opponents_when_others_are_set() {
    let game = game("connect-four");
    let start = options(mixture([1.0, 1.0]));
    let (mut changed, mut same) = (Vector::new(&game, &start, 40, 2), Vector::new(&game, &start, 40, 1));
    changed.reset(&seeds(0, 40), None);
    same.reset(&seeds(0, 40), None);
    let name = |vector: &Vector, env: usize| {
        vector.envs.line_up(env).map(|line_up| vector.envs.line_up_names()[line_up].clone()).unwrap()
    };
    let first: Vec<String> = (0..40).map(|env| name(&changed, env)).collect();
    let best = line_up("best", 1.0, AgentKind::Greedy);
    changed.envs.set_opponents(Opponents::Mixture(vec![best]), vec![]).unwrap();
    let mut over = [false; 40];
    let mut fresh = 0;
    for _ in 0..60 {
        let actions = same.sample();
        same.step(&actions);
        changed.step(&actions);
        for env in 0..40 {
            if over[env] {
                continue;
            }
            assert_eq!(name(&changed, env), first[env]);
            assert_eq!(changed.told.rewards[env], same.told.rewards[env]);
            assert_eq!(changed.mask(env), same.mask(env));
            over[env] = same.told.terminated[env];
        }
        for env in (0..40).filter(|env| over[*env] && !changed.told.terminated[*env]) {
            fresh += u32::from(name(&changed, env) == "best");
        }
    }
    assert!(over.iter().all(|over| *over) && fresh > 40, "{fresh}");
    // A second change forgets the opponents that nobody plays against any more.
    changed.envs.set_opponents(mixture([0.0, 1.0]), vec![]).unwrap();
    assert_eq!(changed.envs.line_up_names(), ["best", "random", "greedy"]);
    changed.reset(&[], None);
    assert!((0..40).all(|env| name(&changed, env) == "greedy"), "an opponent of weight 0 is never drawn");
}

#[test]
fn what_is_no_mixture_is_refused() {
    let game = game("connect-four");
    for weights in [[0.0, 0.0], [-1.0, 2.0], [f64::NAN, 1.0], [f64::INFINITY, 1.0]] {
        assert_eq!(Env::new(&game, &options(mixture(weights))).err(), Some(EnvError::Weights), "{weights:?}");
    }
    assert_eq!(Env::new(&game, &options(Opponents::Mixture(vec![]))).err(), Some(EnvError::Weights));
    let mut alone = Env::new(&game, &options(Opponents::SelfPlay)).unwrap();
    assert_eq!(alone.set_opponents(mixture([1.0, 1.0]), vec![]), Err(EnvError::SelfPlay));
}
