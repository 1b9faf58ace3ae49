//! Environments that don't wait for each other: actions go in, and steps come out as soon as they are done.
//!
//! Threads take the actions one at a time, each with its environment. The caller receives the steps in the order in
//! which they were done, whatever the slowest opponent does.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::options::{Autoreset, EnvError};
use super::{Env, EnvStep};
use houserule_base::interrupt::Interrupt;

/// Why a step didn't happen. The environment is as it was before.
#[derive(Clone, Debug, PartialEq)]
pub enum StepFailure {
    /// The action isn't possible.
    Env(EnvError),
    /// The flag of the environment was set: an agent raised an error outside of this crate.
    Interrupted,
    /// An agent or the engine panicked.
    Panicked,
}

/// What an environment shall do.
#[derive(Clone, Copy, Debug)]
enum Task {
    Reset(Option<u64>),
    Step(i64),
}

/// What became of an environment's last task.
#[derive(Clone, Debug, PartialEq)]
pub struct QueuedStep {
    /// The step; a reset gives a reward of 0.
    pub step: EnvStep,
    /// In self-play, the reward of every seat.
    pub seat_rewards: Vec<f64>,
    /// `true` if an episode began in place of a step.
    pub began: bool,
}

struct QueueSlot {
    env: Env,
    /// Set by agents that raise errors outside of this crate.
    flag: Interrupt,
    over: bool,
    done: Result<QueuedStep, StepFailure>,
}

/// The state of an environment for its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// Waits for an action.
    Idle,
    /// Its task isn't done.
    Busy,
    /// Its task is done, and not yet received.
    Ready,
}

struct Lists {
    tasks: VecDeque<(usize, Task)>,
    ready: VecDeque<usize>,
    status: Vec<Status>,
    closed: bool,
}

struct Shared {
    slots: Vec<Mutex<QueueSlot>>,
    flags: Vec<Interrupt>,
    lists: Mutex<Lists>,
    /// Wakes threads that wait for tasks.
    task: Condvar,
    /// Wakes a caller that waits for steps.
    done: Condvar,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Environments of one game that threads step one by one. They reset themselves at the step after the end of an episode,
/// as with [`Autoreset::NextStep`].
pub struct EnvQueue {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

impl EnvQueue {
    /// Starts threads for environments. Each comes with a flag that interrupts its steps.
    pub fn new(envs: Vec<(Env, Interrupt)>, threads: usize) -> EnvQueue {
        let failed = Err(StepFailure::Env(EnvError::Over { env: 0 }));
        let slot = |(env, flag)| Mutex::new(QueueSlot { env, flag, over: false, done: failed.clone() });
        let count = envs.len();
        let shared = Arc::new(Shared {
            flags: envs.iter().map(|(_, flag)| flag.clone()).collect(),
            slots: envs.into_iter().map(slot).collect(),
            lists: Mutex::new(Lists {
                tasks: VecDeque::new(),
                ready: VecDeque::new(),
                status: vec![Status::Idle; count],
                closed: false,
            }),
            task: Condvar::new(),
            done: Condvar::new(),
        });
        let start = |_| {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || shared.work())
        };
        let threads = (0..threads.max(1)).map(start).collect();
        EnvQueue { shared, threads }
    }

    /// The number of environments.
    pub fn count(&self) -> usize {
        self.shared.slots.len()
    }

    /// Begins the first episodes of seeds, and without a seed the next episode, in all environments. Every one of them must
    /// have been received.
    pub fn reset(&self, seeds: &[Option<u64>]) -> Result<(), EnvError> {
        if seeds.len() != self.count() {
            return Err(EnvError::Length { what: "seeds", expected: self.count(), given: seeds.len() });
        }
        let tasks = seeds.iter().enumerate().map(|(env, seed)| (env, Task::Reset(*seed)));
        self.give(tasks.collect())
    }

    /// Gives actions to environments, each of which must have been received. On an error none gets its action.
    pub fn send(&self, actions: &[i64], envs: &[usize]) -> Result<(), EnvError> {
        if actions.len() != envs.len() {
            return Err(EnvError::Length { what: "actions", expected: envs.len(), given: actions.len() });
        }
        self.give(envs.iter().zip(actions).map(|(env, action)| (*env, Task::Step(*action))).collect())
    }

    fn give(&self, tasks: Vec<(usize, Task)>) -> Result<(), EnvError> {
        let mut lists = lock(&self.shared.lists);
        let mut given: Vec<usize> = tasks.iter().map(|(env, _)| *env).collect();
        for env in &given {
            match lists.status.get(*env) {
                None => return Err(EnvError::NoEnv { env: *env, count: self.count() }),
                Some(Status::Busy | Status::Ready) => return Err(EnvError::Busy { env: *env }),
                Some(Status::Idle) => {}
            }
        }
        given.sort_unstable();
        if let Some(twice) = given.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(EnvError::Busy { env: twice[0] });
        }
        for (env, task) in tasks {
            lists.status[env] = Status::Busy;
            lists.tasks.push_back((env, task));
        }
        drop(lists);
        self.shared.task.notify_all();
        Ok(())
    }

    /// Waits for the first `count` environments whose tasks are done, but no longer than `time`. Returns `None` if it takes
    /// longer. The environments are then received: they wait for an action. If the task of one of them failed, only that one
    /// is received.
    pub fn receive(&self, count: usize, time: Duration) -> Result<Option<Vec<usize>>, EnvError> {
        let mut lists = lock(&self.shared.lists);
        let under_way = lists.status.iter().filter(|status| **status != Status::Idle).count();
        if under_way < count {
            return Err(EnvError::TooFew { count, under_way });
        }
        let few = |lists: &mut Lists| lists.ready.len() < count;
        (lists, _) =
            self.shared.done.wait_timeout_while(lists, time, few).unwrap_or_else(PoisonError::into_inner);
        if lists.ready.len() < count {
            return Ok(None);
        }
        let mut envs: Vec<usize> = lists.ready.drain(..count).collect();
        let failed = envs.iter().position(|env| lock(&self.shared.slots[*env]).done.is_err());
        if let Some(failed) = failed {
            let failed = envs.remove(failed);
            envs.into_iter().rev().for_each(|env| lists.ready.push_front(env));
            envs = vec![failed];
        }
        envs.iter().for_each(|env| lists.status[*env] = Status::Idle);
        Ok(Some(envs))
    }

    /// Waits until no task is left to do, but no longer than `time`, and receives all environments. Returns `false` if it
    /// takes longer.
    pub fn receive_all(&self, time: Duration) -> bool {
        let lists = lock(&self.shared.lists);
        let busy = |lists: &mut Lists| lists.status.contains(&Status::Busy);
        let (mut lists, _) =
            self.shared.done.wait_timeout_while(lists, time, busy).unwrap_or_else(PoisonError::into_inner);
        if lists.status.contains(&Status::Busy) {
            return false;
        }
        lists.ready.clear();
        lists.status.fill(Status::Idle);
        true
    }

    /// Calls `look` with an environment and what became of its last task.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn with<T>(
        &self,
        env: usize,
        look: impl FnOnce(&mut Env, &Result<QueuedStep, StepFailure>) -> T,
    ) -> T {
        let mut slot = lock(&self.shared.slots[env]);
        let QueueSlot { env, done, .. } = &mut *slot;
        look(env, done)
    }
}

impl Drop for EnvQueue {
    /// Interrupts the tasks and waits for the threads.
    fn drop(&mut self) {
        {
            let mut lists = lock(&self.shared.lists);
            lists.closed = true;
            lists.tasks.clear();
        }
        self.shared.flags.iter().for_each(Interrupt::set);
        self.shared.task.notify_all();
        for thread in self.threads.drain(..) {
            // A thread that panicked has nothing left to do.
            let _ = thread.join();
        }
    }
}

impl Shared {
    /// Does tasks until the queue is closed.
    fn work(&self) {
        loop {
            let (env, task) = {
                let mut lists = lock(&self.lists);
                loop {
                    if lists.closed {
                        return;
                    }
                    if let Some(task) = lists.tasks.pop_front() {
                        break task;
                    }
                    lists = self.task.wait(lists).unwrap_or_else(PoisonError::into_inner);
                }
            };
            lock(&self.slots[env]).work(task);
            let mut lists = lock(&self.lists);
            lists.status[env] = Status::Ready;
            lists.ready.push_back(env);
            drop(lists);
            self.done.notify_all();
        }
    }
}

impl QueueSlot {
    fn work(&mut self, task: Task) {
        let flag = self.flag.clone();
        let done = catch_unwind(AssertUnwindSafe(|| flag.scope(|| self.done_by(task))));
        self.done = match done {
            Ok(Ok(done)) => done.map_err(StepFailure::Env),
            Ok(Err(_)) => Err(StepFailure::Interrupted),
            Err(_) => Err(StepFailure::Panicked),
        };
        flag.clear();
    }

    fn done_by(&mut self, task: Task) -> Result<QueuedStep, EnvError> {
        let mut seat_rewards = vec![0.0; self.env.players()];
        let nothing = EnvStep { reward: 0.0, terminated: false, truncated: false };
        let (step, began) = match task {
            Task::Reset(seed) => {
                self.env.reset(seed);
                (nothing, true)
            }
            Task::Step(_) if self.over => {
                self.env.reset(None);
                (nothing, true)
            }
            Task::Step(action) => (self.env.step(action, &mut seat_rewards)?, false),
        };
        self.over = step.terminated || step.truncated;
        Ok(QueuedStep { step, seat_rewards, began })
    }
}

impl Env {
    /// Makes a queue of this environment and others with the same options. Each comes with a flag that interrupts its
    /// steps, and with unnamed agents of its own: an empty list, or an entry for each seat, of each line-up in a mixture.
    /// Fails if the options don't reset episodes at the next step.
    pub fn queue(
        &self,
        agents: Vec<(super::Guests, Interrupt)>,
        threads: usize,
        autoreset: Autoreset,
    ) -> Result<EnvQueue, EnvError> {
        if autoreset != Autoreset::NextStep {
            return Err(EnvError::QueueReset);
        }
        if agents.is_empty() {
            return Err(EnvError::Count(0));
        }
        let envs = agents.into_iter().enumerate().map(|(env, (guests, flag))| {
            let mut env = self.another(env as u64);
            env.seat_guests(guests);
            (env, flag)
        });
        Ok(EnvQueue::new(envs.collect(), threads))
    }
}
