//! Rewards, compared with games that are played beside the environment.

use houserule::agents::AgentKind;
use houserule::envs::{Env, EnvOptions, Opponents, Reward, SeatChoice};
use houserule::game::{ActionId, Seat, State};
use houserule::rng::Stream;

use super::common::{game, game_of, games, legal_action};

fn action_of(env: &mut Env, stream: &mut Stream) -> i64 {
    let mut mask = vec![0; env.actions()];
    env.write_mask(&mut mask).expect("it fits");
    legal_action(&mask, stream)
}

/// Returns `true` if the legal actions of an environment are those of a state.
fn same_decision(env: &mut Env, state: &State) {
    assert_eq!(env.legal_actions(), state.legal_actions());
    assert_eq!(env.current_player(), state.current_player());
    let (mut mask, mut other) = (vec![9; env.actions()], vec![9; env.actions()]);
    env.write_mask(&mut mask).expect("it fits");
    if state.current_player().is_none() {
        assert!(mask.iter().all(|legal| *legal == 1), "any action does where nobody decides");
        return;
    }
    state.write_mask(&mut other);
    assert_eq!(mask, other);
    let mut bools = vec![false; env.actions()];
    state.write_mask_bool(&mut bools);
    assert!(mask.iter().zip(&bools).all(|(mask, legal)| (*mask == 1) == *legal));
    assert_eq!(mask.iter().map(|legal| *legal as usize).sum::<usize>(), state.legal_count());
}

#[test]
fn in_self_play_it_is_the_game_of_its_seed_and_the_rewards_of_all_seats_add_up() {
    for (name, game) in games() {
        for reward in [Reward::Score, Reward::Outcome] {
            let options = EnvOptions {
                opponents: Opponents::SelfPlay,
                reward: reward.clone(),
                ..EnvOptions::default()
            };
            let mut env = Env::new(&game, &options).expect("the options fit");
            let mut stream = Stream::new(3, 1, 4);
            for episode in 0..4 {
                env.reset((episode == 0).then_some(17));
                assert_eq!(env.episode(), (17, episode));
                let mut state = game.start(17, episode).expect("it starts");
                let mut sums = vec![0.0; env.players()];
                loop {
                    same_decision(&mut env, &state);
                    let mut observation = vec![0.0; env.observation_len()];
                    env.observe(&mut observation).expect("it fits");
                    let actor = state.current_player().expect("it is not over");
                    assert_eq!(observation, state.observation(actor), "{name}");
                    let action = action_of(&mut env, &mut stream);
                    let mut seats = vec![0.0; env.players()];
                    let step = env.step(action, &mut seats).expect("it is legal");
                    state.apply(ActionId(action as u32)).expect("it is legal");
                    assert_eq!(step.reward, seats[actor.0 as usize]);
                    assert_eq!(env.seat(), actor);
                    sums.iter_mut().zip(&seats).for_each(|(sum, reward)| *sum += reward);
                    assert_eq!(step.terminated, state.is_over(), "{name}");
                    assert!(!step.truncated);
                    if step.terminated {
                        break;
                    }
                }
                same_decision(&mut env, &state);
                let expected: Vec<f64> = match reward {
                    Reward::Outcome => state.returns(),
                    _ => (0..game.players()).map(|p| state.score(Seat(p)).expect("a score") as f64).collect(),
                };
                assert_eq!(sums, expected, "{name} by {reward:?}");
            }
        }
    }
}

#[test]
fn the_learners_rewards_add_up_to_the_score_or_the_outcome() {
    for (name, game) in games() {
        for reward in [Reward::Auto, Reward::Score, Reward::Outcome] {
            for seat in 0..game.players() {
                let options = EnvOptions {
                    reward: reward.clone(),
                    seat: SeatChoice::Fixed(Seat(seat)),
                    ..EnvOptions::default()
                };
                let mut env = Env::new(&game, &options).expect("the options fit");
                let mut stream = Stream::new(2, 2, seat.into());
                env.reset(Some(5));
                // The same game, with random players in the other seats. Their draws are the same as
                // everywhere.
                let mut state = game.start(5, 0).expect("it starts");
                let others = |state: &mut State| {
                    while state.current_player().is_some_and(|player| player != Seat(seat)) {
                        let action = state.random_action().expect("one is legal");
                        state.apply(action).expect("it is legal");
                    }
                };
                others(&mut state);
                let mut sum = 0.0;
                loop {
                    same_decision(&mut env, &state);
                    let action = action_of(&mut env, &mut stream);
                    let step = env.step(action, &mut []).expect("it is legal");
                    state.apply(ActionId(action as u32)).expect("it is legal");
                    others(&mut state);
                    sum += step.reward;
                    let mut observation = vec![0.0; env.observation_len()];
                    env.observe(&mut observation).expect("it fits");
                    assert_eq!(observation, state.observation(Seat(seat)), "{name}");
                    if step.terminated {
                        break;
                    }
                }
                assert!(state.is_over());
                let score = reward == Reward::Score || reward == Reward::Auto && game.players() == 1;
                let expected = match score {
                    true => state.score(Seat(seat)).expect("a score") as f64,
                    false => state.returns()[seat as usize],
                };
                assert_eq!(sum, expected, "{name} by {reward:?} in seat {seat}");
            }
        }
    }
}

#[test]
fn a_reward_by_score_is_told_at_every_step() {
    let game = game("dilido");
    let mut env = Env::new(&game, &EnvOptions::default()).expect("the options fit");
    assert!(env.rewards_score());
    let mut stream = Stream::new(8, 8, 8);
    let mut steps_with_reward = 0;
    for episode in 0..20 {
        env.reset((episode == 0).then_some(1));
        let mut state = game.start(1, episode).expect("it starts");
        let mut before = 0;
        loop {
            let action = action_of(&mut env, &mut stream);
            let step = env.step(action, &mut []).expect("it is legal");
            state.apply(ActionId(action as u32)).expect("it is legal");
            let score = state.score(Seat(0)).expect("a score");
            assert_eq!(step.reward, (score - before) as f64);
            steps_with_reward += u32::from(step.reward != 0.0);
            before = score;
            if step.terminated {
                break;
            }
        }
    }
    assert!(steps_with_reward > 20);
}

#[test]
fn a_shared_win_is_worth_its_share() {
    let game = game_of("pig", Some(3), &[("goal", "10")]);
    let options = EnvOptions { opponents: Opponents::SelfPlay, ..EnvOptions::default() };
    let mut env = Env::new(&game, &options).expect("the options fit");
    let mut stream = Stream::new(1, 1, 1);
    env.reset(Some(0));
    loop {
        let mut seats = [0.0; 3];
        let action = action_of(&mut env, &mut stream);
        if env.step(action, &mut seats).expect("it is legal").terminated {
            seats.sort_by(f64::total_cmp);
            assert_eq!(seats, [-0.5, -0.5, 1.0]);
            break;
        }
    }
    assert_eq!(EnvOptions::default().opponents, Opponents::Agents(vec![AgentKind::Random]));
}
