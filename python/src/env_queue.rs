//! Environments that send and receive: steps come out as soon as they are done.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use houserule::envs::{Env, EnvBuffers, EnvError, EnvQueue, StepFailure};
use houserule::observe::Cells;
use numpy::{PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArrayDyn};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::agents::guests;
use crate::arguments::{env_count, seed_numbers, thread_count};
use crate::env_arrays::{EnvSizes, Observations, cells, not_contiguous, optional, sizes};
use crate::env_options::{ParsedOptions, parse_options, wrong};
use crate::envs::broken_off;
use crate::game::PyGame;
use crate::state::PyState;
use crate::watched::{Raised, interruptible};

/// Interval between checks of the interpreter for signals.
const LOOK: Duration = Duration::from_millis(50);

/// Environments that threads step one by one.
#[pyclass(frozen, module = "houserule._native")]
pub(crate) struct QueueCore {
    /// `None` once it is closed.
    queue: Mutex<Option<Arc<EnvQueue>>>,
    /// The exceptions of the opponents, by environment.
    raised: Vec<Raised>,
    #[pyo3(get)]
    num_envs: usize,
    #[pyo3(get)]
    sizes: Py<EnvSizes>,
}

/// What is said of a received step besides its numbers: the environment, the end that decided, the opponents, the error
/// that cut the episode short, and whether an illegal action did.
type Said = (usize, Option<String>, Option<String>, Option<String>, bool);

impl QueueCore {
    /// Calls `work` with the queue, detached from the interpreter, until it returns a value. Ctrl-C ends it in between.
    fn until<T: Send>(
        &self,
        py: Python<'_>,
        mut work: impl FnMut(&EnvQueue) -> Result<Option<T>, EnvError> + Send,
    ) -> PyResult<T> {
        loop {
            // Dropped detached, because a closed queue waits for its threads.
            let done = py.detach(|| self.queue().map(|queue| work(&queue)));
            match done {
                None => return Err(PyRuntimeError::new_err("the environments are closed: make others")),
                Some(Err(error)) => return Err(wrong(&error)),
                Some(Ok(Some(value))) => return Ok(value),
                Some(Ok(None)) => py.check_signals()?,
            }
        }
    }

    /// Returns the queue, unless it is closed. Several threads may use it at once.
    fn queue(&self) -> Option<Arc<EnvQueue>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn take(&self) -> Option<Arc<EnvQueue>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Returns the exception of a step that failed.
    fn failed(&self, env: usize, failure: StepFailure) -> PyErr {
        match failure {
            StepFailure::Env(EnvError::Illegal { action, legal, .. }) => {
                wrong(&EnvError::Illegal { env, action, legal })
            }
            StepFailure::Env(EnvError::Over { .. }) => wrong(&EnvError::Over { env }),
            StepFailure::Env(error) => wrong(&error),
            StepFailure::Interrupted => {
                self.raised[env].take().unwrap_or_else(|| PyKeyboardInterrupt::new_err(()))
            }
            StepFailure::Panicked => PyRuntimeError::new_err(format!(
                "the step of environment {env} panicked: its state is unknown"
            )),
        }
    }
}

#[pymethods]
impl QueueCore {
    #[new]
    fn new(
        py: Python<'_>,
        game: &PyGame,
        #[pyo3(from_py_with = env_count)] num_envs: usize,
        #[pyo3(from_py_with = thread_count)] threads: usize,
        given: &Bound<'_, PyDict>,
        starts: Vec<String>,
    ) -> PyResult<Self> {
        let game = &game.inner;
        let ParsedOptions { options, callables, rules, .. } = parse_options(given, game.players())?;
        if rules.is_some() {
            return Err(PyValueError::new_err(
                "environments of several rule sets wait for each other: leave out `batch_size`",
            ));
        }
        let raised: Vec<Raised> = (0..num_envs).map(|_| Raised::default()).collect();
        let agents = |raised: &Raised| {
            let called = callables.iter().map(|one| one.as_ref().map(|one| one.clone_ref(py)));
            guests(py, game, called.collect(), raised)
        };
        let first = agents(&Raised::default())?;
        let others: PyResult<Vec<_>> =
            raised.iter().map(|raised| Ok((agents(raised)?, raised.stop.clone()))).collect();
        let others = others?;
        let autoreset = options.autoreset;
        let make = || -> Result<_, EnvError> {
            let mut env = Env::with_guests(game, &options, first)?;
            env.set_starts(&starts)?;
            let queue = env.queue(others, threads, autoreset)?;
            Ok((env, queue))
        };
        let (env, queue) = interruptible(py, make)?.map_err(|error| wrong(&error))?;
        Ok(QueueCore { raised, num_envs, sizes: sizes!(py, env)?, queue: Mutex::new(Some(Arc::new(queue))) })
    }

    /// Begins new episodes in all environments, with the given seeds. Steps that weren't received are lost.
    fn reset(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = seed_numbers)] seeds: Vec<Option<u64>>,
    ) -> PyResult<()> {
        self.until(py, |queue| Ok(queue.receive_all(LOOK).then_some(())))?;
        self.until(py, |queue| queue.reset(&seeds).map(Some))
    }

    /// Gives actions to environments.
    fn send(
        &self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i64>,
        envs: PyReadonlyArray1<'_, i64>,
    ) -> PyResult<()> {
        let actions = actions.as_slice().map_err(|_| not_contiguous("actions"))?;
        let envs = envs.as_slice().map_err(|_| not_contiguous("env_ids"))?;
        // A negative number is no environment either.
        let envs: Vec<usize> = envs.iter().map(|env| usize::try_from(*env).unwrap_or(usize::MAX)).collect();
        self.until(py, |queue| queue.send(actions, &envs).map(Some))
    }

    /// Waits for as many environments as the arrays have rows, and writes their steps. Returns what else is said of each.
    #[pyo3(signature = (rewards, terminated, truncated, began, seats, current_players, *, observations, masks,
        seat_rewards=None))]
    #[expect(clippy::too_many_arguments, reason = "each is an array that is written")]
    fn recv(
        &self,
        py: Python<'_>,
        mut rewards: PyReadwriteArray1<'_, f64>,
        mut terminated: PyReadwriteArray1<'_, bool>,
        mut truncated: PyReadwriteArray1<'_, bool>,
        mut began: PyReadwriteArray1<'_, bool>,
        mut seats: PyReadwriteArray1<'_, i64>,
        mut current_players: PyReadwriteArray1<'_, i64>,
        observations: Observations<'_>,
        masks: PyReadwriteArrayDyn<'_, i8>,
        mut seat_rewards: Option<PyReadwriteArrayDyn<'_, f64>>,
    ) -> PyResult<Vec<Said>> {
        let (mut observations, mut masks) = (Some(observations), Some(masks));
        let rewards = rewards.as_slice_mut().map_err(|_| not_contiguous("rewards"))?;
        let terminated = terminated.as_slice_mut().map_err(|_| not_contiguous("terminated"))?;
        let truncated = truncated.as_slice_mut().map_err(|_| not_contiguous("truncated"))?;
        let began = began.as_slice_mut().map_err(|_| not_contiguous("began"))?;
        let seats = seats.as_slice_mut().map_err(|_| not_contiguous("seats"))?;
        let current = current_players.as_slice_mut().map_err(|_| not_contiguous("current_players"))?;
        let mut numbers = cells(&mut observations, "observations")?;
        let masks = optional(&mut masks, "masks")?;
        let all_rewards = optional(&mut seat_rewards, "seat_rewards")?;
        let &EnvSizes { num_actions: actions, players, .. } = self.sizes.get();
        let count = rewards.len();
        let len = numbers.len() / count.max(1);
        let envs = self.until(py, |queue| queue.receive(count, LOOK))?;
        let mut said = vec![];
        let mut failure = None;
        let write = |queue: &EnvQueue| {
            for (row, env) in envs.iter().enumerate() {
                queue.with(*env, |inner, done| match done {
                    Err(failed) => failure = Some((*env, failed.clone())),
                    Ok(done) => {
                        rewards[row] = done.step.reward;
                        (terminated[row], truncated[row]) = (done.step.terminated, done.step.truncated);
                        began[row] = done.began;
                        seats[row] = inner.seat().0.into();
                        current[row] = inner.current_player().map_or(-1, |seat| seat.0.into());
                        if !all_rewards.is_empty() {
                            all_rewards[row * players..][..players].copy_from_slice(&done.seat_rewards);
                        }
                        let observations: Cells<'_> = numbers.cut(len);
                        let masks = &mut masks[row * actions..][..actions];
                        // The arrays have the shapes of the environments.
                        let _ = inner.show(EnvBuffers { observations, masks, current_players: &mut [] });
                        let end = inner.end().map(str::to_owned);
                        let opponents = inner.line_up().map(str::to_owned);
                        let (error, illegal) = match broken_off(inner.ended(), inner.error()) {
                            None => (None, false),
                            Some(None) => (None, true),
                            Some(error) => (error, false),
                        };
                        said.push((*env, end, opponents, error, illegal));
                    }
                });
            }
        };
        py.detach(|| self.queue().as_deref().map(write));
        match failure {
            Some((env, failure)) => Err(self.failed(env, failure)),
            None => Ok(said),
        }
    }

    /// Draws a legal action for environments that have been received, or 0 where the episode is over.
    fn sample_actions(
        &self,
        py: Python<'_>,
        envs: PyReadonlyArray1<'_, i64>,
        mut actions: PyReadwriteArray1<'_, i64>,
    ) -> PyResult<()> {
        let envs = envs.as_slice().map_err(|_| not_contiguous("env_ids"))?;
        let actions = actions.as_slice_mut().map_err(|_| not_contiguous("actions"))?;
        self.until(py, |queue| {
            for (env, action) in envs.iter().zip(actions.iter_mut()) {
                let place = usize::try_from(*env).unwrap_or(usize::MAX);
                if place >= queue.count() {
                    return Err(EnvError::NoEnv { env: place, count: queue.count() });
                }
                *action = queue.with(place, |env, _| env.sample_action());
            }
            Ok(Some(()))
        })
    }

    /// Returns the state of an environment's game, once its step is done.
    fn state(&self, py: Python<'_>, env: usize) -> PyResult<PyState> {
        self.until(py, |queue| match env < queue.count() {
            true => Ok(Some(queue.with(env, |env, _| env.state()))),
            false => Err(EnvError::NoEnv { env, count: queue.count() }),
        })
        .map(PyState::from_here)
    }

    /// Ends the threads.
    fn close(&self, py: Python<'_>) {
        // An opponent may need the interpreter before its thread can end.
        py.detach(|| drop(self.take()));
    }
}

impl Drop for QueueCore {
    fn drop(&mut self) {
        let queue = self.take();
        if queue.is_some() {
            Python::attach(|py| py.detach(|| drop(queue)));
        }
    }
}
