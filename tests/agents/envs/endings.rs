//! Illegal actions, limits and errors of the rules.

use houserule::envs::{Autoreset, Env, EnvError, EnvOptions, EpisodeEnd, Illegal, Opponents};

use houserule::rng::Stream;

use super::common::{Vector, any_action, game, seeds, text};

fn self_play() -> EnvOptions {
    EnvOptions { opponents: Opponents::SelfPlay, ..EnvOptions::default() }
}

#[test]
fn an_illegal_action_is_penalized() {
    let game = game("tic-tac-toe");
    for action in [4, -1, 9, i64::MAX, i64::MIN] {
        let mut env = Env::new(&game, &self_play()).expect("the options fit");
        env.reset(Some(0));
        env.step(4, &mut []).expect("it is legal");
        let mut seats = [5.0; 2];
        let step = env.step(action, &mut seats).expect("it is penalized");
        assert_eq!((step.reward, step.terminated, step.truncated), (-1.0, true, false));
        assert_eq!(seats, [0.0, -1.0], "it was the turn of the second player");
        assert_eq!(env.ended(), EpisodeEnd::IllegalAction);
        assert!(env.legal_actions().is_empty());
    }
}

#[test]
fn or_ignored() {
    let game = game("dilido");
    let options = EnvOptions { illegal: Illegal::Ignore, ..EnvOptions::default() };
    let mut vector = Vector::new(&game, &options, 4, 1);
    vector.reset(&seeds(0, 4), None);
    let before = vector.told.clone();
    vector.step(&[-1, 1000, 72, 71]);
    assert_eq!(vector.told, before);
    assert_eq!(vector.envs.ended(0), EpisodeEnd::No);
}

#[test]
fn or_refused_before_anything_has_changed() {
    let game = game("tic-tac-toe");
    let options = EnvOptions { illegal: Illegal::Raise, ..self_play() };
    let mut vector = Vector::new(&game, &options, 3, 1);
    vector.reset(&seeds(0, 3), None);
    vector.step(&[0, 1, 2]);
    let before = vector.told.clone();
    let error = vector.try_step(&[1, 2, 2]).expect_err("it is refused");
    assert_eq!(vector.told, before);
    assert!(matches!(error, EnvError::Illegal { env: 2, action: 2, .. }));
    let said = error.to_string();
    assert!(
        said.starts_with("action 2 is not legal in environment 2; legal are place a1, place b1, "),
        "{said}"
    );
    vector.step(&[1, 2, 1]);
    // An environment waiting for a reset accepts any action.
    let over = EnvOptions { illegal: Illegal::Raise, ..self_play() };
    let mut vector = Vector::new(&game, &over, 1, 1);
    vector.reset(&seeds(0, 1), None);
    for action in [0, 3, 1, 4, 2, 77, 8] {
        vector.step(&[action]);
    }
}

const ENDLESS: &str = "game \"Endless\" {
  players 2
  var n: 0..9 = 0
  limit 7
  turn { choose { a { n = 1 } b { n = 2 } } }
  end never when n == 9
  score { n: n }
}";

#[test]
fn the_limit_truncates() {
    let game = text(ENDLESS);
    let mut env = Env::new(&game, &self_play()).expect("the options fit");
    env.reset(Some(0));
    for decision in 1..=8 {
        let step = env.step(0, &mut []).expect("it is legal");
        assert_eq!((step.terminated, step.truncated), (false, decision == 8), "decision {decision}");
        assert_eq!(step.reward, 0.0);
    }
    assert_eq!(env.ended(), EpisodeEnd::Limit);
    assert!(env.error().expect("it is told").to_string().contains("7 decisions"));
    env.reset(None);
    assert!(env.error().is_none() && env.ended() == EpisodeEnd::No);
}

const WRONG: &str = "game \"Wrong\" {
  players 1
  var n: 0..3 = 0
  turn { choose { up { n += 1 } same { n += 0 } } }
  end never when n > 3
  score { n: n }
}";

#[test]
fn an_error_of_the_rules_truncates_and_says_why() {
    let game = text(WRONG);
    for autoreset in [Autoreset::NextStep, Autoreset::SameStep, Autoreset::Disabled] {
        let mut vector = Vector::new(&game, &EnvOptions { autoreset, ..EnvOptions::default() }, 2, 1);
        vector.reset(&seeds(0, 2), None);
        for step in 0..4 {
            vector.step(&[0, 1]);
            assert_eq!(vector.told.truncated, [step == 3, false]);
            assert_eq!(vector.told.terminated, [false, false]);
            assert_eq!(vector.told.rewards[0], if step == 3 { 0.0 } else { 1.0 });
        }
        assert_eq!(vector.envs.ended(0), EpisodeEnd::Aborted, "{autoreset:?}");
        let error = vector.envs.error(0).expect("it is told").to_string();
        assert!(error.contains("`n` would become 4"), "{error}");
        if autoreset == Autoreset::SameStep {
            vector.step(&[0, 1]);
            assert_eq!(vector.envs.ended(0), EpisodeEnd::No, "it was told with the last step");
            assert!(vector.envs.error(0).is_none());
        }
    }
}

const WRONG_AT_ONCE: &str = "game \"Wrong at once\" {
  players 1
  dice die: 1 of d6
  var n: 0..5 = 0
  setup { roll die  n = die[1] }
  turn { choose { a { n = 0 } } }
  end over when n == 0
}";

#[test]
fn an_error_in_the_setup_is_told_at_the_first_step() {
    let game = text(WRONG_AT_ONCE);
    let mut vector = Vector::new(&game, &EnvOptions::default(), 60, 2);
    vector.reset(&seeds(0, 60), None);
    let dead: Vec<bool> = (0..60).map(|env| vector.told.players[env] == -1).collect();
    assert!(dead.contains(&true) && dead.contains(&false));
    vector.step(&[0; 60]);
    for (env, dead) in dead.into_iter().enumerate() {
        assert_eq!((vector.told.truncated[env], vector.told.terminated[env]), (dead, !dead));
        assert_eq!(vector.envs.ended(env), if dead { EpisodeEnd::Aborted } else { EpisodeEnd::Over });
    }
}

#[test]
fn an_end_is_not_that_of_the_next_episode() {
    let game = text(WRONG_AT_ONCE);
    let options = EnvOptions { autoreset: Autoreset::SameStep, ..EnvOptions::default() };
    let mut vector = Vector::new(&game, &options, 60, 1);
    vector.reset(&seeds(0, 60), None);
    let mut dead_next = 0;
    for _ in 0..3 {
        let dead: Vec<bool> = (0..60).map(|env| vector.told.players[env] == -1).collect();
        vector.step(&[0; 60]);
        for (env, dead) in dead.into_iter().enumerate() {
            assert_eq!(vector.envs.ended(env), if dead { EpisodeEnd::Aborted } else { EpisodeEnd::Over });
            assert_eq!(vector.envs.error(env).is_some(), dead);
            assert_eq!(vector.envs.end(env), (!dead).then_some(0));
            dead_next += usize::from(!dead && vector.told.players[env] == -1);
        }
    }
    assert!(dead_next > 0);
}

#[test]
fn the_end_that_decided_is_told_by_its_name() {
    for name in ["tic-tac-toe", "dilido", "connect-four"] {
        let game = game(name);
        let mut ends = std::collections::BTreeSet::new();
        for autoreset in [Autoreset::NextStep, Autoreset::SameStep, Autoreset::Disabled] {
            let options = EnvOptions { autoreset, ..self_play() };
            let mut vector = Vector::new(&game, &options, 3, 1);
            let mut alone: Vec<Env> = (0..3).map(|_| Env::new(&game, &options).expect("they fit")).collect();
            vector.reset(&seeds(0, 3), None);
            alone.iter_mut().zip(0..).for_each(|(env, seed)| env.reset(Some(seed)));
            let mut stream = Stream::new(8, 0, 0);
            for _ in 0..300 {
                let over = [0, 1, 2].map(|env| vector.envs.is_over(env));
                if autoreset == Autoreset::Disabled && over.contains(&true) {
                    vector.reset(&[], Some(&over));
                    (0..3).filter(|env| over[*env]).for_each(|env| alone[env].reset(None));
                }
                let actions = [0, 1, 2].map(|env| any_action(vector.mask(env), &mut stream));
                vector.step(&actions);
                for (e, env) in alone.iter_mut().enumerate() {
                    if autoreset == Autoreset::NextStep && over[e] {
                        env.reset(None);
                        continue;
                    }
                    env.step(actions[e], &mut []).expect("it is taken");
                    let outcome =
                        (env.ended() == EpisodeEnd::Over).then(|| env.state().outcome().expect("over"));
                    let end = outcome.map(|outcome| game.model().end_name(outcome.end).to_owned());
                    assert_eq!(env.end().map(str::to_owned), end, "{name} {autoreset:?}");
                    let of_vector = vector.envs.end(e).map(|end| game.model().end_name(end).to_owned());
                    assert_eq!(of_vector, end, "{name} {autoreset:?}");
                    // An environment saved after an episode still has its end.
                    if let Some(end) = &end {
                        let mut other = Env::new(&game, &options).expect("they fit");
                        other.go_on_from(&env.save()).expect("it was saved");
                        assert_eq!(other.end(), Some(end.as_str()));
                    }
                    let over = env.ended() != EpisodeEnd::No;
                    ends.insert(end);
                    if over && autoreset == Autoreset::SameStep {
                        env.reset(None);
                    }
                }
            }
        }
        assert!(ends.len() > if name == "tic-tac-toe" { 2 } else { 1 }, "{name} {ends:?}");
    }
}
