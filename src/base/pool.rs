//! A thread pool for tasks of microseconds.
//!
//! Waking a thread takes as long as stepping a thousand games. The caller therefore works too, and threads claim
//! tasks one at a time. The caller never waits for a thread that hasn't started. After work a thread spins for a
//! while before it sleeps. A general pool (rayon) puts its caller to sleep, or its workers after a few
//! microseconds. Its threads are gone in a forked process, where this pool starts new ones.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::clock::Instant;
use crate::interrupt;

/// How long a thread spins before it sleeps.
const AWAKE: Duration = Duration::from_micros(100);

/// How often a caller that waits for other threads checks for an interruption.
const LOOK: Duration = Duration::from_millis(20);

/// A pool of threads that share tasks with the caller.
pub struct Pool {
    threads: usize,
    process: u32,
    shared: Option<Arc<SharedPool>>,
}

struct SharedPool {
    state: Mutex<PoolState>,
    /// The index of the last job. Both counters change under the lock; awake threads read them without it.
    newest: AtomicUsize,
    /// The number of threads that work on the job.
    working: AtomicUsize,
    wake: Condvar,
    done: Condvar,
}

#[derive(Default)]
struct PoolState {
    job: Option<Job>,
    /// The number of threads that must be woken.
    sleeping: usize,
    /// Whether a task has panicked.
    panicked: bool,
    closed: bool,
}

/// A job: tasks numbered from 0.
#[derive(Clone, Copy)]
struct Job {
    work: &'static (dyn Fn(usize) + Sync),
    next: &'static AtomicUsize,
    tasks: usize,
}

impl Job {
    /// Claims and runs tasks until none is left.
    fn run(&self) {
        loop {
            let task = self.next.fetch_add(1, Ordering::Relaxed);
            if task >= self.tasks {
                return;
            }
            (self.work)(task);
        }
    }
}

fn lock(state: &Mutex<PoolState>) -> MutexGuard<'_, PoolState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SharedPool {
    /// Changes the state and notifies the threads.
    fn announce(&self, change: impl FnOnce(&mut PoolState)) {
        let mut state = lock(&self.state);
        change(&mut state);
        self.newest.fetch_add(1, Ordering::Release);
        if state.sleeping > 0 {
            self.wake.notify_all();
        }
    }
}

impl Pool {
    /// Makes a pool of `threads` threads, including the caller. They start when first needed.
    pub fn new(threads: usize) -> Pool {
        Pool { threads: threads.max(1), process: 0, shared: None }
    }

    /// The number of threads, including the caller.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Runs every task of `0..tasks` once, and returns when all are done. If interrupted, it unwinds once no
    /// thread works on a task.
    ///
    /// # Panics
    /// If a task panics.
    pub fn run(&mut self, tasks: usize, work: &(dyn Fn(usize) + Sync)) {
        if self.threads == 1 || tasks < 2 {
            return (0..tasks).for_each(work);
        }
        if !interrupt::is_possible() {
            return self.run_shared(tasks, work);
        }
        let (here, ended) = (interrupt::current(), AtomicBool::new(false));
        self.run_shared(tasks, &|task| {
            let done = here.scope(|| {
                interrupt::check();
                work(task);
            });
            if done.is_err() {
                ended.store(true, Ordering::Relaxed);
            }
        });
        if ended.into_inner() {
            interrupt::unwind();
        }
    }

    fn run_shared(&mut self, tasks: usize, work: &(dyn Fn(usize) + Sync)) {
        let shared = self.started();
        let next = AtomicUsize::new(0);
        // SAFETY: before this function returns or unwinds, the job is withdrawn and every thread that took it up
        // has left it (`Withdraw` sees to both). So neither reference outlives its referent.
        let job = unsafe {
            Job {
                work: std::mem::transmute::<&(dyn Fn(usize) + Sync), &'static (dyn Fn(usize) + Sync)>(work),
                next: std::mem::transmute::<&AtomicUsize, &'static AtomicUsize>(&next),
                tasks,
            }
        };
        shared.announce(|state| state.job = Some(job));
        let withdraw = Withdraw(&shared);
        job.run();
        drop(withdraw);
        if std::mem::take(&mut lock(&shared.state).panicked) {
            panic!("a task of the pool panicked");
        }
    }

    /// Returns the running threads. Starts them if necessary, also in a forked process, which has none.
    fn started(&mut self) -> Arc<SharedPool> {
        let process = std::process::id();
        if let Some(shared) = &self.shared {
            if self.process == process {
                return Arc::clone(shared);
            }
            // The lock may be held by a thread that doesn't exist in this process.
            std::mem::forget(self.shared.take());
        }
        let shared = Arc::new(SharedPool {
            state: Mutex::default(),
            newest: AtomicUsize::new(0),
            working: AtomicUsize::new(0),
            wake: Condvar::new(),
            done: Condvar::new(),
        });
        for _ in 1..self.threads {
            let of_thread = Arc::clone(&shared);
            // If the thread can't be started, the others do its work.
            drop(
                thread::Builder::new().name("houserule".to_owned()).spawn(move || wait_for_work(&of_thread)),
            );
        }
        self.process = process;
        self.shared = Some(Arc::clone(&shared));
        shared
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        if let Some(shared) = self.shared.take() {
            if self.process != std::process::id() {
                return std::mem::forget(shared);
            }
            shared.announce(|state| state.closed = true);
        }
    }
}

/// Withdraws a job when dropped: no thread takes it up any more, and those working on it have finished.
struct Withdraw<'a>(&'a SharedPool);

impl Drop for Withdraw<'_> {
    fn drop(&mut self) {
        let working = || self.0.working.load(Ordering::Acquire);
        lock(&self.0.state).job = None;
        let since = Instant::now();
        while working() > 0 && since.elapsed() < AWAKE {
            std::hint::spin_loop();
        }
        let mut state = lock(&self.0.state);
        while working() > 0 {
            let waited = self.0.done.wait_timeout(state, LOOK);
            // Checks whether to interrupt the other threads: only this thread may call the `ask` function.
            interrupt::is_set();
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// The loop of a pool thread.
fn wait_for_work(shared: &SharedPool) {
    let mut seen = 0;
    loop {
        // Spin for a while, without the lock.
        let since = Instant::now();
        while shared.newest.load(Ordering::Acquire) == seen && since.elapsed() < AWAKE {
            std::hint::spin_loop();
        }
        let mut state = lock(&shared.state);
        while shared.newest.load(Ordering::Acquire) == seen {
            state.sleeping += 1;
            state = shared.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.sleeping -= 1;
        }
        seen = shared.newest.load(Ordering::Acquire);
        if state.closed {
            return;
        }
        let Some(job) = state.job else { continue };
        shared.working.fetch_add(1, Ordering::Relaxed);
        drop(state);
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| job.run()));
        let mut state = lock(&shared.state);
        state.panicked |= result.is_err();
        if shared.working.fetch_sub(1, Ordering::Release) == 1 {
            shared.done.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_is_done_once_whoever_comes() {
        for threads in [1, 2, 5] {
            let mut pool = Pool::new(threads);
            for round in 0..300 {
                let tasks = round % 17;
                let done: Vec<AtomicUsize> = (0..tasks).map(|_| AtomicUsize::new(0)).collect();
                pool.run(tasks, &|task| {
                    done[task].fetch_add(1, Ordering::Relaxed);
                });
                assert!(done.iter().all(|times| times.load(Ordering::Relaxed) == 1));
                if round % 100 == 0 {
                    // Long enough for all to fall asleep.
                    thread::sleep(Duration::from_millis(2));
                }
            }
        }
    }

    #[test]
    fn a_task_that_panics_is_heard_of_and_the_pool_goes_on() {
        let mut pool = Pool::new(3);
        let fails = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            pool.run(8, &|task| assert!(task != 5, "meant to fail"));
        }));
        assert!(fails.is_err());
        let sum = AtomicUsize::new(0);
        pool.run(8, &|task| {
            sum.fetch_add(task, Ordering::Relaxed);
        });
        assert_eq!(sum.into_inner(), 28);
    }
}
