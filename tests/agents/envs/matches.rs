//! Episodes that are whole matches.

use houserule::envs::{Env, EnvOptions, Opponents, Reward};
use houserule::game::{ActionId, Outcome};
use houserule::matches::Match;
use houserule::rng::Stream;

use super::common::{game_of, legal_action};

#[test]
fn a_match_is_the_match_of_its_seed_and_the_rewards_add_up_to_its_total() {
    for (name, settings) in [("dilido", ("games", "5")), ("dicrono", ("match_games", "4"))] {
        let more: &[(&str, &str)] = match name {
            "dilido" => &[settings, ("best", "3")],
            _ => &[settings],
        };
        let game = game_of(name, None, more);
        for reward in [Reward::Score, Reward::Outcome] {
            let opponents = Opponents::SelfPlay;
            let options =
                EnvOptions { match_play: true, opponents, reward: reward.clone(), ..EnvOptions::default() };
            let mut env = Env::new(&game, &options).expect("the options fit");
            let mut stream = Stream::new(3, 3, 3);
            for number in 0..3 {
                env.reset((number == 0).then_some(11));
                let mut play = Match::new(&game, 11, number).expect("the rules have matches");
                let mut sums = vec![0.0; env.players()];
                let mut state = play.start().expect("it starts");
                let mut games = 0;
                loop {
                    assert_eq!(env.legal_actions(), state.legal_actions(), "{name} game {games}");
                    let mut mask = vec![0; env.actions()];
                    env.write_mask(&mut mask).expect("it fits");
                    let action = legal_action(&mask, &mut stream);
                    let mut seats = vec![0.0; env.players()];
                    let step = env.step(action, &mut seats).expect("it is legal");
                    sums.iter_mut().zip(&seats).for_each(|(sum, reward)| *sum += reward);
                    state.apply(ActionId(action as u32)).expect("it is legal");
                    if state.is_over() {
                        play.enter(&state).expect("it has scores");
                        games += 1;
                        if !play.is_over() {
                            state = play.start().expect("it starts");
                        }
                    }
                    assert_eq!(step.terminated, play.is_over());
                    if step.terminated {
                        break;
                    }
                }
                assert_eq!(games, if name == "dilido" { 5 } else { 4 });
                let expected: Vec<f64> = match reward {
                    Reward::Score => play.standings().iter().map(|standing| standing.total as f64).collect(),
                    _ => Outcome { end: 0, winners: play.leaders(), payoffs: None }.returns(),
                };
                assert_eq!(sums, expected, "{name} match {number} by {reward:?}");
            }
        }
    }
}

#[test]
fn a_learner_plays_a_match_against_opponents_to_its_end() {
    let game = game_of("dicrono", None, &[("match_games", "3")]);
    let options = EnvOptions { match_play: true, ..EnvOptions::default() };
    let mut env = Env::new(&game, &options).expect("the options fit");
    for episode in 0..20 {
        env.reset((episode == 0).then_some(1));
        let mut steps = 0;
        let reward = loop {
            let action = env.sample_action();
            let step = env.step(action, &mut []).expect("it is legal");
            steps += 1;
            if step.terminated {
                break step.reward;
            }
            assert_eq!(step.reward, 0.0);
        };
        assert!([-1.0, 0.0, 1.0].contains(&reward));
        assert!(steps > 6, "three games");
    }
}
