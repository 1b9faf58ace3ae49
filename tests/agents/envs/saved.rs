//! Environments saved in the middle of an episode and resumed.

use houserule::agents::AgentKind;
use houserule::envs::{Env, EnvError, EnvOptions, Opponents, Reward};
use houserule::game::snapshot::SnapshotError;

use super::common::{Vector, game, game_of, games, seeds};

fn step(vector: &mut Vector) -> (Vec<i64>, super::common::Told) {
    let actions = vector.sample();
    vector.step(&actions);
    (actions, vector.told.clone())
}

#[test]
fn a_vector_goes_on_where_it_was_saved_with_any_number_of_threads() {
    for (name, game) in games() {
        for (opponents, reward) in [
            (Opponents::SelfPlay, Reward::Score),
            (Opponents::SelfPlay, Reward::Outcome),
            (Opponents::Agents(vec![AgentKind::Random]), Reward::Score),
            (Opponents::Agents(vec![AgentKind::Greedy]), Reward::Auto),
        ] {
            let options = EnvOptions { opponents, reward, ..EnvOptions::default() };
            let count = 40;
            let mut one = Vector::new(&game, &options, count, 1);
            one.reset(&seeds(0, count), None);
            (0..13).for_each(|_| drop(step(&mut one)));
            let bytes = one.envs.save();
            let mut other = Vector::new(&game, &options, count, 2);
            other.envs.go_on_from(&bytes).expect("it is read");
            assert_eq!(other.envs.save(), bytes, "{name}");
            other.told = one.told.clone();
            for _ in 0..25 {
                assert_eq!(step(&mut other), step(&mut one), "{name} {options:?}");
            }
            assert_eq!(other.envs.save(), one.envs.save(), "{name}");
        }
    }
}

/// Superko forbids moves that the board alone would allow.
#[test]
fn what_was_there_before_bars_the_same_moves() {
    let game = game_of("go", None, &[("size", "3")]);
    let (options, count) = (EnvOptions { opponents: Opponents::SelfPlay, ..EnvOptions::default() }, 60);
    let mut one = Vector::new(&game, &options, count, 1);
    one.reset(&seeds(0, count), None);
    for _ in 0..40 {
        let mut other = Vector::new(&game, &options, count, 1);
        other.envs.go_on_from(&one.envs.save()).expect("it is read");
        assert_eq!(other.sample(), step(&mut one).0);
    }
}

#[test]
fn a_single_environment_goes_on_and_so_does_a_match() {
    let game = game_of("dicrono", None, &[("match_games", "4")]);
    for match_play in [false, true] {
        let options = EnvOptions { match_play, reward: Reward::Score, ..EnvOptions::default() };
        let mut env = Env::new(&game, &options).expect("the options fit");
        env.reset(Some(6));
        for at in 0..60 {
            let bytes = env.save();
            let mut other = Env::new(&game, &options).expect("the options fit");
            other.go_on_from(&bytes).expect("it is read");
            assert_eq!(other.save(), bytes);
            assert_eq!(other.seat(), env.seat());
            for _ in 0..10 {
                assert_eq!(other.legal_actions(), env.legal_actions());
                let action = env.sample_action();
                assert_eq!(other.sample_action(), action);
                let (mine, its) = (env.step(action, &mut []), other.step(action, &mut []));
                assert_eq!(mine, its, "from step {at}");
                if mine.is_ok_and(|step| step.terminated || step.truncated) {
                    env.reset(None);
                    other.reset(None);
                }
            }
        }
    }
}

#[test]
fn what_does_not_fit_is_refused_and_changes_nothing() {
    let (dilido, tic) = (game("dilido"), game("tic-tac-toe"));
    let mut vector = Vector::new(&dilido, &EnvOptions::default(), 3, 1);
    vector.reset(&seeds(0, 3), None);
    let bytes = vector.envs.save();
    let refused = |game, options: &EnvOptions, count, bytes: &[u8]| {
        let mut other = Vector::new(game, options, count, 1);
        other.reset(&seeds(5, count), None);
        let before = other.envs.save();
        let error = other.envs.go_on_from(bytes).expect_err("it does not fit");
        assert_eq!(other.envs.save(), before);
        error
    };
    let options = EnvOptions::default();
    assert_eq!(refused(&tic, &options, 3, &bytes), EnvError::Saved(SnapshotError::OtherGame));
    assert_eq!(refused(&dilido, &options, 4, &bytes), EnvError::SavedOptions);
    let outcome = EnvOptions { reward: Reward::Outcome, ..EnvOptions::default() };
    assert_eq!(refused(&dilido, &outcome, 3, &bytes), EnvError::SavedOptions);
    assert_eq!(refused(&dilido, &options, 3, b"something"), EnvError::Saved(SnapshotError::NotASnapshot));
    for at in (8..bytes.len()).step_by(7) {
        let mut wrong = bytes.clone();
        wrong[at] ^= 1;
        assert_eq!(refused(&dilido, &options, 3, &wrong), EnvError::Saved(SnapshotError::Damaged));
        assert!(Vector::new(&dilido, &options, 3, 1).envs.go_on_from(&bytes[..at]).is_err());
    }
}

#[test]
fn an_environment_is_small() {
    for (name, most) in
        [("tic-tac-toe", 600), ("connect-four", 600), ("dilido", 600), ("gomoku", 2000), ("points", 65_536)]
    {
        let vector = Vector::new(&game(name), &EnvOptions::default(), 64, 1);
        let bytes = vector.envs.bytes_per_env();
        assert!((100..most).contains(&bytes), "{name} takes {bytes}");
    }
}
