//! Rewards by margins, by expressions of the rule language, and shaped by potentials.

use houserule::agents::AgentKind;
use houserule::envs::{Env, EnvError, EnvOptions, Illegal, Opponents, Potential, Reward, VectorEnv};
use houserule::game::{Game, Seat, State};
use houserule::model::{SlotId, Value};

use super::common::{LOAD_MEASURED, Vector, game, game_of, games, seeds, text};

fn margin(state: &State, seat: usize) -> f64 {
    let direction = state.game().model().score_direction;
    let worth: Vec<f64> = state
        .score_of_each()
        .expect("it has scores")
        .into_iter()
        .map(|s| direction.worth(s as f64))
        .collect();
    let others = worth.iter().enumerate().filter(|(other, _)| *other != seat).map(|(_, worth)| *worth);
    match others.reduce(f64::max) {
        Some(best) => worth[seat] - best,
        None => worth[seat],
    }
}

fn self_play(reward: Reward) -> EnvOptions {
    EnvOptions { opponents: Opponents::SelfPlay, ..against_random(reward) }
}

fn against_random(reward: Reward) -> EnvOptions {
    EnvOptions { reward, load_measured: LOAD_MEASURED, ..EnvOptions::default() }
}

fn expression(text: &str) -> Reward {
    Reward::Expression(text.to_owned())
}

#[test]
fn rewards_by_margin_add_up_to_the_final_margin_of_every_seat() {
    for (name, game) in games() {
        let players = game.players() as usize;
        let mut env = Env::new(&game, &self_play(Reward::Margin)).unwrap();
        for seed in 0..5 {
            env.reset(Some(seed));
            let (mut sums, mut own) = (vec![0.0; players], vec![0.0; players]);
            while env.current_player().is_some() {
                let mut seats = vec![0.0; players];
                let action = env.sample_action();
                let step = env.step(action, &mut seats).unwrap();
                sums.iter_mut().zip(&seats).for_each(|(sum, reward)| *sum += reward);
                own[env.seat().index()] += step.reward;
                assert_eq!(step.reward, seats[env.seat().index()], "{name}");
            }
            let expected: Vec<f64> = (0..players).map(|seat| margin(&env.state(), seat)).collect();
            assert_eq!(sums, expected, "{name}");
        }
    }
}

#[test]
fn a_margin_follows_the_score_direction_and_is_the_score_of_a_lone_player() {
    let least = text(
        "game \"Least\" { players 2  var points[player]: 0..9 = 0
         turn { choose pick { take k in 1..3 { points[me] += k } } }
         end full when points[me] > 5  score { points: points[me] }  winner least(score) }",
    );
    let options = EnvOptions { reward: Reward::Margin, ..EnvOptions::default() };
    let mut env = Env::new(&least, &options).unwrap();
    let mut seen = 0;
    for seed in 0..20 {
        env.reset(Some(seed));
        let mut sum = 0.0;
        while env.current_player().is_some() {
            let action = env.sample_action();
            sum += env.step(action, &mut []).unwrap().reward;
        }
        assert_eq!(sum, margin(&env.state(), env.seat().index()));
        seen += u32::from(sum > 0.0);
    }
    assert!((1..20).contains(&seen), "some are won and some lost: {seen}");

    let dilido = game("dilido");
    let rewards = |reward| {
        let options = against_random(reward);
        let mut vector = Vector::new(&dilido, &options, 8, 1);
        vector.reset(&seeds(0, 8), None);
        let mut rewards = vec![];
        for _ in 0..60 {
            let actions = vector.sample();
            vector.step(&actions);
            rewards.extend_from_slice(&vector.told.rewards);
        }
        rewards
    };
    assert_eq!(rewards(Reward::Margin), rewards(Reward::Score));
}

#[test]
fn rewards_by_an_expression_add_up_to_its_last_value_minus_its_first() {
    let dilido = game_of("dilido", None, &[("jokers", "3")]);
    let slot = dilido.model().slots.iter().position(|slot| slot.name == "jokers_left").unwrap();
    let jokers = |state: &State| match state.value(SlotId(slot as u32), 0) {
        Value::Number(left) => left,
        value => panic!("{value:?} is no number"),
    };
    let options = against_random(expression("score + 15 * jokers_left"));
    let mut env = Env::new(&dilido, &options).unwrap();
    for seed in 0..5 {
        env.reset(Some(seed));
        let mut sum = 0.0;
        while env.current_player().is_some() {
            let before = env.state();
            let action = env.sample_action();
            let step = env.step(action, &mut []).unwrap();
            let after = env.state();
            let value = |state: &State| (state.score(Seat(0)).unwrap() + 15 * jokers(state)) as f64;
            assert_eq!(step.reward, value(&after) - value(&before));
            sum += step.reward;
        }
        let end = env.state();
        assert_eq!(sum, (end.score(Seat(0)).unwrap() + 15 * jokers(&end) - 45) as f64);
    }
}

#[test]
fn an_expression_is_seen_by_the_learners_seat_and_counts_from_its_first_decision() {
    let connect = game("connect-four");
    let options = EnvOptions {
        opponents: Opponents::Agents(vec![AgentKind::Greedy]),
        ..against_random(expression("count(disc[me]) - count(disc[other])"))
    };
    let mut env = Env::new(&connect, &options).unwrap();
    let mut begun = [0; 2];
    for seed in 0..8 {
        env.reset(Some(seed));
        let seat = env.seat().index();
        begun[seat] += 1;
        let mut sum = 0.0;
        while env.current_player().is_some() {
            let action = env.sample_action();
            sum += env.step(action, &mut []).unwrap().reward;
        }
        // An opponent that begins has one disc more at the learner's first decision.
        let ahead = [0.0, -1.0][seat];
        let odd = env.state().decisions() % 2 == 1;
        let end = if odd { [1.0, -1.0][seat] } else { 0.0 };
        assert_eq!(sum, end - ahead, "seed {seed}, seat {seat}");
    }
    assert!(begun[0] > 0 && begun[1] > 0, "both seats were the learner's: {begun:?}");
}

/// A game of three coins that each player may take, and what they hold.
const COINS: &str = "game \"Coins\" { players 2  var held[player]: 0..20 = 0
    turn { choose pick { take k in 1..3 { held[me] += k } } }
    end full when held[me] > 8  score { held: held[me] } }";

#[test]
fn a_potential_adds_its_discounted_difference_and_vanishes_at_the_end() {
    let coins = text(COINS);
    let gamma = 0.9;
    let potential = Some(Potential { expression: "2 * held[me] - held[other]".to_owned(), gamma });
    for base in [Reward::Outcome, Reward::Score, Reward::Margin, expression("held[me]")] {
        let mut plain = Env::new(&coins, &self_play(base.clone())).unwrap();
        let shaped = EnvOptions { potential: potential.clone(), ..self_play(base.clone()) };
        let mut shaped = Env::new(&coins, &shaped).unwrap();
        for seed in 0..4 {
            plain.reset(Some(seed));
            shaped.reset(Some(seed));
            while plain.current_player().is_some() {
                let value = |state: &State, seat: usize| {
                    let held = state.score_of_each().unwrap();
                    (2 * held[seat] - held[1 - seat]) as f64
                };
                let before = shaped.state();
                let (mut without, mut with) = ([0.0; 2], [0.0; 2]);
                let action = plain.sample_action();
                let ended = plain.step(action, &mut without).unwrap().terminated;
                assert_eq!(shaped.step(action, &mut with).unwrap().terminated, ended);
                let after = shaped.state();
                for seat in 0..2 {
                    let next = if ended { 0.0 } else { gamma * value(&after, seat) };
                    assert_eq!(with[seat], without[seat] + (next - value(&before, seat)), "{base:?}");
                }
            }
        }
    }
}

#[test]
fn a_penalized_action_keeps_its_penalty_and_ends_the_potential() {
    let coins = text(COINS);
    let potential = Some(Potential { expression: "10 * held[me]".to_owned(), gamma: 1.0 });
    let mut env = Env::new(&coins, &EnvOptions { potential, ..self_play(expression("held[me]")) }).unwrap();
    env.reset(Some(0));
    env.step(2, &mut []).unwrap();
    env.step(0, &mut []).unwrap();
    let mut seats = [0.0; 2];
    let step = env.step(99, &mut seats).unwrap();
    assert!(step.terminated);
    assert_eq!((step.reward, seats), (-31.0, [-31.0, -10.0]));
}

#[test]
fn an_ignored_action_changes_nothing_that_is_measured() {
    let coins = text(COINS);
    let options = EnvOptions { illegal: Illegal::Ignore, ..self_play(expression("held[me]")) };
    let mut env = Env::new(&coins, &options).unwrap();
    env.reset(Some(0));
    assert_eq!(env.step(1, &mut []).unwrap().reward, 2.0);
    assert_eq!(env.step(99, &mut []).unwrap().reward, 0.0);
    assert_eq!(env.step(0, &mut []).unwrap().reward, 1.0);
}

#[test]
fn an_expression_with_an_error_is_told_with_its_place() {
    let told = |game: &Game, options: EnvOptions| match VectorEnv::new(game, &options, 1, 1) {
        Ok(_) => panic!("it is refused"),
        Err(error) => error.to_string(),
    };
    let dilido = game("dilido");
    let reward = |text: &str| against_random(expression(text));
    let error = told(&dilido, reward("score + 15 * jokers_lef"));
    assert!(error.contains("unknown-name") && error.contains("jokers_left"), "{error}");
    assert!(error.contains("reward:1:14") && error.contains("^^^"), "{error}");
    assert!(error.contains("\"margin\""), "it lists the other rewards: {error}");
    for (text, code) in
        [("", "expected-value"), ("score +", "expected-value"), ("(score", "unclosed-bracket")]
    {
        let error = told(&dilido, reward(text));
        assert!(error.contains(code) && error.contains("reward:1:"), "{text:?}: {error}");
    }
    let error = told(&dilido, reward("jokers_left > 0"));
    assert!(error.contains("number"), "{error}");
    let potential = |gamma| Some(Potential { expression: "score".to_owned(), gamma });
    let error = told(&dilido, EnvOptions { potential: potential(1.5), ..EnvOptions::default() });
    assert_eq!(error, "gamma must be from 0 to 1, the discount of the training, not 1.5");
    let options = EnvOptions { match_play: true, ..reward("score") };
    assert_eq!(VectorEnv::new(&dilido, &options, 1, 1).err(), Some(EnvError::MeasuredMatch));
}

#[test]
fn an_expression_that_fails_in_play_truncates_the_episode_and_says_why() {
    let coins = text(COINS);
    let mut env = Env::new(&coins, &self_play(expression("60 / (3 - held[me])"))).unwrap();
    env.reset(Some(0));
    let step = env.step(2, &mut []).unwrap();
    assert!(step.truncated && !step.terminated && step.reward == 0.0);
    let error = env.error().expect("it says why").to_string();
    assert!(error.contains("zero"), "{error}");
}

#[test]
fn measured_environments_play_the_same_games_in_a_vector_and_when_saved() {
    let coins = text(COINS);
    let potential = Some(Potential { expression: "held[me]".to_owned(), gamma: 0.5 });
    let options = EnvOptions { potential, ..against_random(expression("3 * held[me]")) };
    let mut one = Vector::new(&coins, &options, 40, 1);
    let mut many = Vector::new(&coins, &options, 40, 3);
    let mut plain = Vector::new(&coins, &EnvOptions::default(), 40, 1);
    for vector in [&mut one, &mut many, &mut plain] {
        vector.reset(&seeds(9, 40), None);
    }
    for step in 0..80 {
        let actions = one.sample();
        one.step(&actions);
        plain.step(&actions);
        if step == 40 {
            let mut fresh = Vector::new(&coins, &options, 40, 2);
            fresh.envs.go_on_from(&many.envs.save()).unwrap();
            many = fresh;
            let other = EnvOptions { reward: expression("2 * held[me]"), ..options.clone() };
            let mut other = Vector::new(&coins, &other, 40, 2);
            assert_eq!(other.envs.go_on_from(&many.envs.save()), Err(EnvError::SavedOptions));
        }
        many.step(&actions);
        assert_eq!(one.told, many.told, "step {step}");
        assert_eq!(one.told.observations, plain.told.observations, "step {step}");
        assert_eq!(one.told.terminated, plain.told.terminated, "step {step}");
    }
}
