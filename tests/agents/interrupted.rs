//! Interrupted searches, solvers, runs and environments stop at once, and leave no partial result.

#![allow(clippy::unwrap_used)]

use std::sync::atomic::{AtomicU64, Ordering};

use houserule::agents::{Agent, AgentKind};
use houserule::envs::{Autoreset, Env, EnvBuffers, EnvOptions, Outputs, SeatChoice, VectorEnv};
use houserule::game::{ActionId, Game, RuntimeError, Seat};
use houserule::hidden::View;
use houserule::interrupt::{self, Interrupt, Interrupted};
use houserule::loader::{Request, load};
use houserule::notation::record::Record;
use houserule::playtest::{
    ComparePlan, GameSinks, Keep, RunMonitor, SimulateError, SimulationPlan, compare_watched, simulate_kept,
};
use houserule::rng::Stream;
use houserule::solve::{GraphLimits, solve};

fn game(name: &str) -> Game {
    load(&Request { name, ..Request::default() }).unwrap().game
}

/// Runs `work` and interrupts it a few hundredths of a second later.
fn soon<T>(work: impl FnOnce() -> T) -> Result<T, Interrupted> {
    Interrupt::new().scope_asking(|| true, work)
}

/// Work that would take hours ends.
#[test]
fn searches_and_solving_end_when_they_are_interrupted() {
    let points = game("points-small");
    let mut state = points.start(1, 0).unwrap();
    for kind in ["mcts:10000000", "flat:10000000", "ismcts:10000000"] {
        let kind = AgentKind::parse(kind).unwrap();
        let mut agent = AgentKind::seat_all(&[kind], &points).unwrap().remove(0);
        let player = state.current_player().unwrap();
        let found = soon(|| agent.choose(&mut state.seen_by(player), &mut Stream::new(1, 0, 0)).map(|_| ()));
        assert_eq!(found, Err(Interrupted));
    }
    let limits = GraphLimits { states: u32::MAX, steps: u32::MAX, ..GraphLimits::default() };
    assert!(soon(|| solve(&points, &limits).is_ok()).is_err());
}

#[test]
fn random_games_end_when_they_are_interrupted_within_one() {
    let endless = houserule::loader::load_text(
        "endless.rules",
        "game \"Endless\" { players 1 var n: 0..2 = 0 limit 10000000 \
         turn { choose { go { n = 1 - n } stay { n = n } } } end when n == 2 }",
        &Request::default(),
    );
    let endless = endless.unwrap_or_else(|error| panic!("{error}")).game;
    let plan = SimulationPlan {
        games: 4,
        first: 0,
        seed: 1,
        threads: 2,
        agents: vec![AgentKind::Random],
        match_play: false,
    };
    let watch = RunMonitor { progress: &|_| {}, stop: &Interrupt::new() };
    assert_eq!(
        soon(|| simulate_kept(&endless, &plan, None, &watch, Keep::default(), GameSinks::default()).is_ok()),
        Err(Interrupted)
    );
}

/// A flag set on another thread ends a run too.
#[test]
fn runs_of_searches_end_on_all_their_threads() {
    let points = game("points-small");
    let agents = vec![AgentKind::Mcts(10_000_000)];
    let plan =
        SimulationPlan { games: 8, first: 0, seed: 1, threads: 3, agents: agents.clone(), match_play: false };
    let stop = Interrupt::new();
    let watch = RunMonitor { progress: &|_| {}, stop: &stop };
    std::thread::scope(|scope| {
        let run = scope
            .spawn(|| simulate_kept(&points, &plan, None, &watch, Keep::default(), GameSinks::default()));
        stop.set();
        assert!(matches!(run.join().unwrap(), Err(SimulateError::Stopped)));
    });
    let stop = Interrupt::new();
    let plan = ComparePlan {
        agents,
        games: Some(4),
        first: 0,
        seeds: [1, 1],
        threads: 2,
        match_play: false,
        keep_partial: false,
    };
    let other = game("points-area");
    std::thread::scope(|scope| {
        let run = scope.spawn(|| compare_watched(&points, &other, &plan, &|_| true, &stop));
        stop.set();
        assert!(matches!(run.join().unwrap(), Err(SimulateError::Stopped)));
    });
}

/// The records of a stopped run are those of the games in its report.
#[test]
fn a_stopped_run_reports_the_games_that_it_recorded() {
    let game = game("tic-tac-toe");
    for (threads, most) in [(1, 10), (3, 100), (4, 700)] {
        let agents = vec![AgentKind::Random];
        let plan = SimulationPlan { games: 1_000_000, first: 5, seed: 2, threads, agents, match_play: false };
        let stop = Interrupt::new();
        let mut recorded = vec![];
        let mut sink = |record: Record| {
            recorded.push(record.index);
            if recorded.len() == most {
                stop.set();
            }
        };
        let watch = RunMonitor { progress: &|_| {}, stop: &stop };
        let keep = Keep { keep_partial: true, ..Keep::default() };
        let (report, _) = simulate_kept(
            &game,
            &plan,
            None,
            &watch,
            keep,
            GameSinks { records: Some(&mut sink), rows: None },
        )
        .unwrap();
        assert_eq!((report.games, report.interrupted), (recorded.len() as u64, true), "{threads} threads");
        assert!(recorded.iter().copied().eq((5..).take(recorded.len()).map(Some)), "without a gap");
    }
}

/// An agent that plays the first legal action, but interrupts its run at one of its decisions.
struct Interrupts {
    flag: Interrupt,
    left: std::sync::Arc<AtomicU64>,
}

impl Agent for Interrupts {
    fn name(&self) -> String {
        "interrupts".to_owned()
    }

    fn choose(&mut self, view: &mut View<'_>, _: &mut Stream) -> Result<Option<ActionId>, RuntimeError> {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.flag.set();
        }
        interrupt::check();
        Ok(view.legal_actions().first().copied())
    }

    fn copy(&self) -> Box<dyn Agent> {
        Box::new(Interrupts { flag: self.flag.clone(), left: std::sync::Arc::clone(&self.left) })
    }
}

#[test]
fn an_interrupted_step_leaves_an_environment_as_it_was() {
    let game = game("tic-tac-toe");
    let (flag, left) = (Interrupt::new(), std::sync::Arc::new(AtomicU64::new(2)));
    let options = EnvOptions { seat: SeatChoice::Fixed(Seat(0)), ..EnvOptions::default() };
    let guest: Box<dyn Agent> = Box::new(Interrupts { flag: flag.clone(), left: left.clone() });
    let mut env = Env::with_guests(&game, &options, vec![None, Some(guest)]).unwrap();
    flag.scope(|| env.reset(Some(3))).unwrap();
    let step = |env: &mut Env| {
        let legal = env.legal_actions()[0];
        env.step(legal.0.into(), &mut [])
    };
    flag.scope(|| step(&mut env)).unwrap().unwrap();
    let before = env.save();
    assert_eq!(flag.scope(|| step(&mut env)).unwrap_err(), Interrupted);
    assert_eq!(env.save(), before);
    // The environment continues as if it hadn't been interrupted.
    step(&mut env).unwrap();
    assert_ne!(env.save(), before);
}

#[test]
fn an_interrupted_step_of_many_environments_leaves_all_as_they_were() {
    let game = game("tic-tac-toe");
    for threads in [1, 3] {
        let (flag, left) = (Interrupt::new(), std::sync::Arc::new(AtomicU64::new(200)));
        let options = EnvOptions { seat: SeatChoice::Fixed(Seat(0)), ..EnvOptions::default() };
        let guest: Box<dyn Agent> = Box::new(Interrupts { flag: flag.clone(), left: left.clone() });
        let mut envs =
            VectorEnv::with_guests(&game, &options, 150, threads, vec![None, Some(guest)]).unwrap();
        flag.scope(|| envs.reset(&[], None, EnvBuffers::default())).unwrap().unwrap();
        let step = |envs: &mut VectorEnv| {
            let mut actions = vec![0; 150];
            envs.sample_actions(&mut actions).unwrap();
            let (mut rewards, mut terminated, mut truncated) =
                (vec![0.0; 150], vec![false; 150], vec![false; 150]);
            let out = Outputs {
                rewards: &mut rewards,
                terminated: &mut terminated,
                truncated: &mut truncated,
                ..Outputs::default()
            };
            flag.scope(|| envs.step(&actions, out))
        };
        step(&mut envs).unwrap().unwrap();
        let before = envs.save();
        let after_sampling = |mut envs: VectorEnv| {
            envs.sample_actions(&mut [0; 150]).unwrap();
            envs.save()
        };
        let mut same = VectorEnv::new(&game, &options, 150, 1).unwrap();
        same.go_on_from(&before).unwrap();
        assert_eq!(step(&mut envs), Err(Interrupted), "{threads} threads");
        assert_eq!(envs.save(), after_sampling(same));
    }
}

/// With autoreset in the same step, an episode's end is known only from the last step.
#[test]
fn an_interrupted_step_leaves_the_ends_that_the_step_before_reported() {
    const ENVS: usize = 40;
    let game = game("tic-tac-toe");
    let (flag, left) = (Interrupt::new(), std::sync::Arc::new(AtomicU64::new(u64::MAX)));
    let autoreset = Autoreset::SameStep;
    let options = EnvOptions { seat: SeatChoice::Fixed(Seat(0)), autoreset, ..EnvOptions::default() };
    let guest: Box<dyn Agent> = Box::new(Interrupts { flag: flag.clone(), left: left.clone() });
    let mut envs = VectorEnv::with_guests(&game, &options, ENVS, 1, vec![None, Some(guest)]).unwrap();
    envs.reset(&[], None, EnvBuffers::default()).unwrap();
    let step = |envs: &mut VectorEnv| {
        let mut actions = vec![0; ENVS];
        envs.sample_actions(&mut actions).unwrap();
        let out = Outputs {
            rewards: &mut [0.0; ENVS],
            terminated: &mut [false; ENVS],
            truncated: &mut [false; ENVS],
            ..Outputs::default()
        };
        flag.scope(|| envs.step(&actions, out))
    };
    let ends = |envs: &VectorEnv| (0..ENVS).map(|e| (envs.ended(e), envs.end(e))).collect::<Vec<_>>();
    let mut several = false;
    for _ in 0..60 {
        step(&mut envs).unwrap().unwrap();
        let before = ends(&envs);
        several |= before.iter().any(|(_, end)| end.is_some_and(|end| end > 0));
        left.store(5, Ordering::Relaxed);
        assert_eq!(step(&mut envs), Err(Interrupted));
        assert_eq!(ends(&envs), before);
        flag.clear();
        left.store(u64::MAX, Ordering::Relaxed);
    }
    assert!(several, "some episodes ended by another end than the first");
}
