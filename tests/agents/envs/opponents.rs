//! Agents in the other seats, and the learner's seat.

use houserule::agents::{Agent, AgentKind, Greedy, agent_stream};
use houserule::envs::{
    Env, EnvBuffers, EnvError, EnvOptions, EpisodeEnd, Opponents, Outputs, SeatChoice, VectorEnv,
};
use houserule::game::{ActionId, RuntimeError, Seat, State};
use houserule::hidden::View;
use houserule::interrupt::Interrupt;
use houserule::playtest::{CustomAgents, GameSinks, Keep, RunMonitor, SimulationPlan, simulate_kept};
use houserule::rng::Stream;
use rand::seq::IndexedRandom;

use super::common::{Vector, game, game_of, legal_action, seeds};

#[test]
fn greedy_opponents_play_as_greedy_does_elsewhere() {
    for (name, learner, kinds) in [
        ("dicrono", 0u32, vec![AgentKind::Greedy]),
        ("kalah", 1, vec![AgentKind::Greedy]),
        ("pig", 1, vec![AgentKind::Greedy, AgentKind::Random, AgentKind::Random]),
        ("go", 0, vec![AgentKind::Greedy]),
    ] {
        let settings: &[(&str, &str)] = match name {
            "go" => &[("size", "3")],
            "pig" => &[("goal", "20")],
            _ => &[],
        };
        let game = game_of(name, (name == "pig").then_some(3), settings);
        let seat = SeatChoice::Fixed(Seat(learner));
        let options =
            EnvOptions { opponents: Opponents::Agents(kinds.clone()), seat, ..EnvOptions::default() };
        let mut env = Env::new(&game, &options).expect("the options fit");
        let mut stream = Stream::new(6, 6, 6);
        for index in 0..2 {
            env.reset((index == 0).then_some(3));
            let mut state = game.start(3, index).expect("it starts");
            let mut own: Vec<Stream> = (0..game.players()).map(|p| agent_stream(3, index, Seat(p))).collect();
            let mut others = |state: &mut State| {
                while let Some(player) = state.current_player().filter(|player| player.0 != learner) {
                    let p = player.0 as usize;
                    let action = match kinds.get(p).unwrap_or(&kinds[0]) {
                        AgentKind::Greedy => Greedy::default()
                            .choose(&mut state.seen_by(player), &mut own[p])
                            .expect("it chooses"),
                        _ => state.random_action(),
                    };
                    state.apply(action.expect("one is legal")).expect("it is legal");
                }
            };
            others(&mut state);
            loop {
                assert_eq!(env.legal_actions(), state.legal_actions(), "{name}");
                if state.is_over() {
                    break;
                }
                let mut mask = vec![0; env.actions()];
                env.write_mask(&mut mask).expect("it fits");
                let action = legal_action(&mask, &mut stream);
                env.step(action, &mut []).expect("it is legal");
                state.apply(ActionId(action as u32)).expect("it is legal");
                others(&mut state);
                let mut observation = vec![0.0; env.observation_len()];
                env.observe(&mut observation).expect("it fits");
                assert_eq!(observation, state.observation(Seat(learner)), "{name}");
            }
        }
    }
}

#[test]
fn every_step_is_a_decision_of_the_learner() {
    let game = game_of("pig", Some(4), &[]);
    let mut vector = Vector::new(&game, &EnvOptions::default(), 40, 2);
    vector.reset(&seeds(0, 40), None);
    for _ in 0..50 {
        for env in 0..40 {
            let player = vector.told.players[env];
            assert!(player == -1 || player == vector.envs.seat(env).0 as i32);
        }
        let actions = vector.sample();
        vector.step(&actions);
    }
}

#[test]
fn random_seats_are_even_and_follow_from_the_seed() {
    let game = game_of("pig", Some(3), &[]);
    let seats = |options: &EnvOptions, first: u64| -> Vec<u32> {
        let mut vector = Vector::new(&game, options, 3000, 1);
        vector.reset(&seeds(first, 3000), None);
        (0..3000).map(|env| vector.envs.seat(env).0).collect()
    };
    let random = seats(&EnvOptions::default(), 0);
    assert_eq!(random, seats(&EnvOptions::default(), 0));
    assert_ne!(random, seats(&EnvOptions::default(), 1));
    // chi² with 2 degrees of freedom: 13.8 is the 0.1 % point.
    let count = |seat: u32| random.iter().filter(|s| **s == seat).count() as f64;
    let chi: f64 = (0..3).map(|seat| (count(seat) - 1000.0).powi(2) / 1000.0).sum();
    assert!(chi < 13.8, "{chi}");
    let fixed = EnvOptions { seat: SeatChoice::Fixed(Seat(2)), ..EnvOptions::default() };
    assert!(seats(&fixed, 0).iter().all(|seat| *seat == 2));
}

#[test]
fn what_cannot_be_is_said() {
    let said = |name: &str, options: EnvOptions| {
        VectorEnv::new(&game(name), &options, 2, 1).map(|_| ()).expect_err("it can't be").to_string()
    };
    let of = |opponents| EnvOptions { opponents, ..EnvOptions::default() };
    assert_eq!(
        said("tic-tac-toe", EnvOptions { seat: SeatChoice::Fixed(Seat(2)), ..EnvOptions::default() }),
        "there is no seat 2; this game has 2, 0 to 1"
    );
    assert_eq!(
        said("tic-tac-toe", of(Opponents::Agents(vec![AgentKind::Random; 3]))),
        "3 opponents for 2 seats: name one for all, or one for each seat"
    );
    assert!(said("tic-tac-toe", EnvOptions { match_play: true, ..EnvOptions::default() }).contains("match"));
    let error = VectorEnv::new(&game("pig"), &EnvOptions::default(), 0, 1).map(|_| ());
    assert_eq!(error, Err(EnvError::Count(0)));
    let planes =
        EnvOptions { observation: houserule::envs::ObservationForm::Planes, ..EnvOptions::default() };
    assert!(said("pig", planes).contains("board of rows and columns"));
}

#[test]
fn forced_decisions_are_taken_without_asking() {
    // In Di-Li-Do a dot often has only one square, and joker decisions outnumber the jokers used.
    let game = game("dilido");
    let options = EnvOptions { skip_forced: true, ..EnvOptions::default() };
    let mut env = Env::new(&game, &options).expect("the options fit");
    let mut stream = Stream::new(4, 4, 4);
    let mut forced = 0;
    for index in 0..30 {
        env.reset((index == 0).then_some(2));
        let mut state = game.start(2, index).expect("it starts");
        let mut sum = 0.0;
        loop {
            while state.legal_count() == 1 {
                forced += 1;
                state.apply(state.legal_actions()[0]).expect("it is legal");
            }
            assert_eq!(env.legal_actions(), state.legal_actions());
            if state.is_over() {
                break;
            }
            assert!(state.legal_count() > 1);
            let legal = state.legal_actions();
            let action = *legal.choose(&mut stream).unwrap();
            sum += env.step(action.0.into(), &mut []).expect("it is legal").reward;
            state.apply(action).expect("it is legal");
        }
        assert_eq!(sum, state.score(Seat(0)).expect("a score") as f64);
    }
    assert!(forced > 50);
}

const NOTHING_TO_DECIDE: &str = "game \"Fate\" {
  players 1
  dice die: 1 of d6
  var points: 0..40 = 0
  turn { step roll { roll die  points += die[1] } step go { choose { on where points > 100 { points += 0 } } } }
  end over when points > 30
  score { points: points }
}";

#[test]
fn a_game_without_a_decision_is_over_at_the_first_step() {
    let game = super::common::text(NOTHING_TO_DECIDE);
    let mut env = Env::new(&game, &EnvOptions::default()).expect("the options fit");
    env.reset(Some(1));
    assert_eq!(env.current_player(), None);
    let step = env.step(0, &mut []).expect("it is taken");
    assert!(step.terminated && step.reward > 30.0, "{step:?}");
    assert_eq!(env.step(0, &mut []), Err(EnvError::Over { env: 0 }));
}

/// Chooses the same whatever is legal.
#[derive(Clone)]
struct Stubborn(Option<ActionId>);

impl Agent for Stubborn {
    fn name(&self) -> String {
        "stubborn".to_owned()
    }

    fn choose(&mut self, _: &mut View<'_>, _: &mut Stream) -> Result<Option<ActionId>, RuntimeError> {
        Ok(self.0)
    }

    fn copy(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

#[test]
fn an_agent_that_chooses_no_legal_action_is_an_error() {
    let game = game("tic-tac-toe");
    let options = EnvOptions { seat: SeatChoice::Fixed(Seat(0)), ..EnvOptions::default() };
    for (chosen, said) in [
        (None, "the agent `stubborn` in seat 1 chose no action, but it must decide"),
        (Some(0), "the agent `stubborn` in seat 1 chose `place a1`, which isn't legal"),
        (Some(99), "the agent `stubborn` in seat 1 chose `action 99`, which isn't legal"),
    ] {
        let stubborn = || Box::new(Stubborn(chosen.map(ActionId))) as Box<dyn Agent>;
        let mut env = Env::with_guests(&game, &options, vec![None, Some(stubborn())]).expect("they fit");
        env.reset(Some(1));
        let step = env.step(0, &mut []).expect("it is legal");
        assert!(step.truncated && !step.terminated, "{chosen:?}");
        assert_eq!(env.ended(), EpisodeEnd::Aborted);
        assert_eq!(env.error().map(ToString::to_string).as_deref(), Some(said));

        let mut envs =
            VectorEnv::with_guests(&game, &options, 2, 1, vec![None, Some(stubborn())]).expect("they fit");
        envs.reset(&seeds(1, 2), None, EnvBuffers::default()).expect("it resets");
        let (rewards, terminated, truncated) = (&mut [0.0; 2], &mut [false; 2], &mut [false; 2]);
        envs.step(&[0, 0], Outputs { rewards, terminated, truncated, ..Outputs::default() })
            .expect("it steps");
        assert_eq!(envs.error(1).map(ToString::to_string).as_deref(), Some(said));

        let greedy = Box::new(Stubborn(Some(ActionId(0)))) as Box<dyn Agent>;
        let seats =
            CustomAgents { names: vec!["a".to_owned(), "b".to_owned()], agents: vec![greedy, stubborn()] };
        let plan =
            SimulationPlan { games: 3, first: 0, seed: 1, threads: 1, agents: vec![], match_play: false };
        let watch = RunMonitor { progress: &|_| {}, stop: &Interrupt::new() };
        let (report, _) =
            simulate_kept(&game, &plan, Some(seats), &watch, Keep::default(), GameSinks::default())
                .expect("it runs");
        assert_eq!((report.games, report.aborted), (0, 3));
        assert_eq!(report.first_aborted.expect("an error").error.to_string(), said);
    }
}
