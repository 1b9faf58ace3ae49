//! Environments that send and receive.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use houserule::agents::{Agent, AgentKind};
use houserule::envs::{
    Autoreset, Env, EnvBuffers, EnvError, EnvOptions, EnvQueue, Guests, Illegal, Opponents, StepFailure,
};
use houserule::game::{ActionId, Game, RuntimeError};
use houserule::hidden::View;
use houserule::interrupt::{self, Interrupt};
use houserule::rng::Stream;

use super::common::{Vector, game, seeds};

/// Longer than any test takes; a test that waits so long fails.
const LONG: Duration = Duration::from_secs(60);

fn queue(game: &Game, options: &EnvOptions, count: usize, threads: usize) -> EnvQueue {
    let env = Env::new(game, options).expect("it can be made");
    let agents = (0..count).map(|_| (vec![], Interrupt::new())).collect();
    env.queue(agents, threads, Autoreset::NextStep).expect("they fit")
}

fn received(queue: &EnvQueue, count: usize) -> Vec<usize> {
    queue.receive(count, LONG).expect("nothing fails").expect("the steps come")
}

#[test]
fn every_environment_steps_as_it_does_in_a_vector() {
    for opponents in [Opponents::Agents(vec![AgentKind::Random]), Opponents::SelfPlay] {
        let game = game("connect-four");
        let options = EnvOptions { opponents, ..EnvOptions::default() };
        let mut vector = Vector::new(&game, &options, 9, 1);
        let queue = queue(&game, &options, 9, 3);
        vector.reset(&seeds(5, 9), None);
        queue.reset(&seeds(5, 9)).unwrap();
        for step in 0..60 {
            let mut envs = vec![];
            while envs.len() < 9 {
                envs.extend(received(&queue, 3));
            }
            envs.sort_unstable();
            assert_eq!(envs, (0..9).collect::<Vec<_>>(), "each comes once");
            for env in envs {
                let len = vector.envs.observation_len();
                let mut seen = vec![9.0; len];
                let mut mask = vec![9; vector.envs.actions()];
                queue.with(env, |inner, done| {
                    let view = EnvBuffers {
                        observations: (&mut seen).into(),
                        masks: &mut mask,
                        current_players: &mut [],
                    };
                    inner.show(view).unwrap();
                    let done = done.as_ref().unwrap();
                    let told = &vector.told;
                    if step > 0 {
                        let same = (told.rewards[env], told.terminated[env], told.truncated[env]);
                        assert_eq!((done.step.reward, done.step.terminated, done.step.truncated), same);
                    }
                });
                assert_eq!(seen, vector.told.observations[env * len..][..len], "step {step}, env {env}");
                assert_eq!(mask, vector.mask(env), "step {step}, env {env}");
            }
            let actions = vector.sample();
            vector.step(&actions);
            queue.send(&actions, &(0..9).collect::<Vec<_>>()).unwrap();
        }
    }
}

/// A gate that an opponent waits at.
#[derive(Default)]
struct Gate {
    open: Mutex<bool>,
    opened: Condvar,
    /// How many wait, or have waited, at the gate.
    waiting: Mutex<u32>,
    came: Condvar,
}

impl Gate {
    fn pass(&self) {
        *self.waiting.lock().expect("no thread panicked") += 1;
        self.came.notify_all();
        let open = self.open.lock().expect("no thread panicked");
        drop(self.opened.wait_while(open, |open| !*open).expect("no thread panicked"));
    }

    fn open(&self) {
        *self.open.lock().expect("no thread panicked") = true;
        self.opened.notify_all();
    }
}

/// An opponent that waits at a gate, if it has one, and then takes the first legal action or raises.
struct Slow {
    gate: Option<Arc<Gate>>,
    raises: Option<Interrupt>,
}

impl Agent for Slow {
    fn name(&self) -> String {
        "slow".to_owned()
    }

    fn choose(&mut self, view: &mut View<'_>, _: &mut Stream) -> Result<Option<ActionId>, RuntimeError> {
        if let Some(gate) = &self.gate {
            gate.pass();
        }
        if let Some(flag) = self.raises.take() {
            flag.set();
            interrupt::check();
        }
        Ok(view.legal_actions().first().copied())
    }

    fn copy(&self) -> Box<dyn Agent> {
        Box::new(Slow { gate: self.gate.clone(), raises: self.raises.clone() })
    }
}

/// Self-made opponents in both seats: those of environment 0 wait at the gate or raise.
fn with_opponents(gate: Option<&Arc<Gate>>, raises: bool, count: usize, threads: usize) -> EnvQueue {
    let game = game("tic-tac-toe");
    let seat = houserule::envs::SeatChoice::Fixed(houserule::game::Seat(0));
    let guests = |env: usize, flag: &Interrupt| -> Guests {
        let first = env == 0;
        let slow = || Slow {
            gate: gate.filter(|_| first).cloned(),
            raises: (first && raises).then(|| flag.clone()),
        };
        (0..2).map(|_| Some(Box::new(slow()) as Box<dyn Agent>)).collect()
    };
    let flags: Vec<Interrupt> = (0..count).map(|_| Interrupt::new()).collect();
    let options = EnvOptions { seat, ..EnvOptions::default() };
    let env = Env::with_guests(&game, &options, guests(1, &Interrupt::new())).expect("it can be made");
    let agents = flags.iter().enumerate().map(|(env, flag)| (guests(env, flag), flag.clone())).collect();
    env.queue(agents, threads, Autoreset::NextStep).expect("they fit")
}

#[test]
fn steps_come_before_the_slowest_is_done() {
    let gate = Arc::new(Gate::default());
    let queue = with_opponents(Some(&gate), false, 4, 2);
    queue.reset(&seeds(0, 4)).unwrap();
    let mut first = received(&queue, 4);
    first.sort_unstable();
    queue.send(&[4; 4], &first).unwrap();
    // Environment 0 stands at the gate and holds a thread; the others go on and on.
    drop(
        gate.came
            .wait_while(gate.waiting.lock().expect("no thread panicked"), |waiting| *waiting == 0)
            .unwrap(),
    );
    for _ in 0..5 {
        let envs = received(&queue, 3);
        assert!(!envs.contains(&0), "it isn't done: {envs:?}");
        let actions: Vec<i64> =
            envs.iter().map(|env| queue.with(*env, |env, _| env.sample_action())).collect();
        queue.send(&actions, &envs).unwrap();
    }
    let envs = received(&queue, 3);
    assert_eq!(queue.receive(1, Duration::ZERO), Ok(None), "nothing else can come while the gate is shut");
    gate.open();
    assert_eq!(received(&queue, 1), [0]);
    assert_eq!(queue.receive(1, LONG), Err(EnvError::TooFew { count: 1, under_way: 0 }));
    drop(envs);
}

#[test]
fn an_opponent_that_raises_leaves_its_environment_as_it_was() {
    let queue = with_opponents(None, true, 3, 2);
    queue.reset(&seeds(0, 3)).unwrap();
    received(&queue, 3);
    let before = queue.with(0, |env, _| env.state().position());
    queue.send(&[4; 3], &[0, 1, 2]).unwrap();
    let mut done = vec![];
    let mut failed = 0;
    while done.len() < 2 || failed == 0 {
        let envs = received(&queue, 1);
        match queue.with(envs[0], |_, done| done.clone()) {
            Err(failure) => {
                assert_eq!((envs.as_slice(), failure), (&[0][..], StepFailure::Interrupted));
                failed += 1;
            }
            Ok(_) => done.extend(envs),
        }
    }
    assert_eq!(queue.with(0, |env, _| env.state().position()), before);
    queue.send(&[4], &[0]).unwrap();
    assert_eq!(received(&queue, 1), [0], "it steps again");
    assert!(queue.with(0, |env, done| done.is_ok() && env.state().decisions() == 2));
}

#[test]
fn a_failed_step_is_received_alone_and_the_others_after_it() {
    let game = game("tic-tac-toe");
    let options =
        EnvOptions { illegal: Illegal::Raise, opponents: Opponents::SelfPlay, ..EnvOptions::default() };
    let queue = queue(&game, &options, 3, 1);
    queue.reset(&seeds(0, 3)).unwrap();
    assert_eq!(received(&queue, 3).len(), 3);
    queue.send(&[0, 99, 0], &[0, 1, 2]).unwrap();
    assert_eq!(received(&queue, 3), [1]);
    queue.with(1, |_, done| {
        assert!(matches!(done, Err(StepFailure::Env(EnvError::Illegal { action: 99, .. }))));
    });
    assert_eq!(received(&queue, 2), [0, 2]);
}

#[test]
fn what_cannot_be_sent_or_received_is_refused_and_changes_nothing() {
    let game = game("tic-tac-toe");
    let queue = queue(&game, &EnvOptions::default(), 2, 1);
    let told = |result: Result<(), EnvError>| result.unwrap_err().to_string();
    assert_eq!(told(queue.send(&[0], &[2])), "there is no environment 2; the environments are 0 to 1");
    assert_eq!(queue.send(&[0, 0], &[1, 1]), Err(EnvError::Busy { env: 1 }));
    assert!(told(queue.send(&[0], &[])).contains("actions must have 0 numbers"));
    queue.reset(&seeds(0, 2)).unwrap();
    assert_eq!(queue.receive(3, LONG), Err(EnvError::TooFew { count: 3, under_way: 2 }));
    assert_eq!(queue.send(&[0, 0], &[0, 1]), Err(EnvError::Busy { env: 0 }));
    assert_eq!(received(&queue, 2).len(), 2);
    queue.send(&[0, 0], &[0, 1]).unwrap();
    assert!(queue.receive_all(LONG));
    queue.reset(&seeds(0, 2)).unwrap();
    let env = Env::new(&game, &EnvOptions::default()).unwrap();
    let agents = vec![(vec![], Interrupt::new())];
    assert_eq!(env.queue(agents, 1, Autoreset::SameStep).err(), Some(EnvError::QueueReset));
}
