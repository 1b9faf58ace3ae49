//! Vectors of environments for reinforcement learning, that write directly to numpy arrays.

use std::sync::{Mutex, MutexGuard, PoisonError};

use houserule::envs::{self, EnvError, EnvRules, EpisodeEnd, Outputs};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadwriteArrayDyn};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::agents::guests;
use crate::arguments::{env_count, seed_number, seed_numbers, thread_count};
use crate::env_arrays::{
    EnvSizes, Observations, SharedParts, cells, not_contiguous, optional, shared_parts, sizes, slice,
    written, written_observations, wrong_array,
};
use crate::env_options::{ParsedOptions, parse_options, wrong};
use crate::env_work::EnvWork;
use crate::game::PyGame;
use crate::state::PyState;
use crate::watched::interruptible;

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A vector of environments of one game that are stepped together.
#[pyclass(frozen, module = "houserule._native")]
pub(crate) struct VectorCore {
    inner: Mutex<envs::VectorEnv>,
    work: EnvWork,
    #[pyo3(get)]
    num_envs: usize,
    #[pyo3(get)]
    threads: usize,
    #[pyo3(get)]
    sizes: Py<EnvSizes>,
    /// Bytes of memory per environment.
    #[pyo3(get)]
    bytes_per_env: usize,
}

impl VectorCore {
    /// Applies a change. If it is interrupted, or an opponent raises an exception, the environments are
    /// unchanged.
    fn changes(
        &self,
        py: Python<'_>,
        happens: impl FnOnce(&mut envs::VectorEnv) -> Result<(), EnvError> + Send,
    ) -> PyResult<()> {
        self.work.run(py, || happens(&mut lock(&self.inner)))
    }
}

#[pymethods]
impl VectorCore {
    #[new]
    fn new(
        py: Python<'_>,
        game: &PyGame,
        #[pyo3(from_py_with = env_count)] num_envs: usize,
        #[pyo3(from_py_with = thread_count)] threads: usize,
        given: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let game = &game.inner;
        let ParsedOptions { options, callables, raised, rules } = parse_options(given, game.players())?;
        let guests = guests(py, game, callables, &raised)?;
        let played = rules.as_ref().map_or(EnvRules::One(game), EnvRules::Several);
        let make = || envs::VectorEnv::with_guests(played, &options, num_envs, threads, guests);
        let inner = interruptible(py, make)?.map_err(|error| wrong(&error))?;
        Ok(VectorCore {
            work: EnvWork::new(game, raised, inner.takes_long()),
            num_envs,
            threads: inner.threads(),
            sizes: sizes!(py, inner)?,
            bytes_per_env: inner.bytes_per_env(),
            inner: Mutex::new(inner),
        })
    }

    /// Starts new episodes with the given seeds, or with the next one where the seed is ``None`` or there is no
    /// list. With a mask, only where it is true. Writes the observations of all environments.
    #[pyo3(signature = (seeds=vec![], mask=None, *, observations=None, masks=None, current_players=None))]
    fn reset(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = seed_numbers)] seeds: Vec<Option<u64>>,
        mask: Option<PyReadonlyArray1<'_, bool>>,
        mut observations: Option<Observations<'_>>,
        mut masks: Option<PyReadwriteArrayDyn<'_, i8>>,
        mut current_players: Option<PyReadwriteArrayDyn<'_, i32>>,
    ) -> PyResult<()> {
        let mask = mask
            .as_ref()
            .map(|mask| mask.as_slice())
            .transpose()
            .map_err(|_| not_contiguous("reset_mask"))?;
        let view = envs::EnvBuffers {
            observations: cells(&mut observations, "observations")?,
            masks: optional(&mut masks, "masks")?,
            current_players: optional(&mut current_players, "current_players")?,
        };
        self.changes(py, |envs| envs.reset(&seeds, mask, view))
    }

    /// Changes the opponents of later episodes: a dict with `opponents` or `mixture`.
    fn set_opponents(&self, py: Python<'_>, given: &Bound<'_, PyDict>) -> PyResult<()> {
        self.work.change_opponents(py, given, |opponents, guests| {
            let mut inner = lock(&self.inner);
            inner.set_opponents(opponents, guests)?;
            Ok(inner.takes_long())
        })
    }

    /// Returns the index of the opponents of each environment in ``line_up_names``; empty without a mixture.
    fn line_ups<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let line_ups: Vec<i64> = py.detach(|| {
            let inner = lock(&self.inner);
            (0..inner.count()).filter_map(|env| Some(inner.line_up(env)? as i64)).collect()
        });
        line_ups.into_pyarray(py)
    }

    /// The names of the opponents of a mixture; empty without one.
    #[getter]
    fn line_up_names(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| lock(&self.inner).line_up_names().to_vec())
    }

    /// Sets the positions in which later episodes start; none for the start of the game.
    fn set_starts(&self, py: Python<'_>, starts: Vec<String>) -> PyResult<()> {
        py.detach(|| lock(&self.inner).set_starts(&starts)).map_err(|error| wrong(&error))
    }

    /// Sets the position in which the next episode of each environment starts; ``None`` changes nothing.
    fn start_next_in(&self, py: Python<'_>, starts: Vec<Option<String>>) -> PyResult<()> {
        py.detach(|| lock(&self.inner).start_next_in(&starts)).map_err(|error| wrong(&error))
    }

    /// Writes the current observations of all environments.
    #[pyo3(signature = (*, observations=None, masks=None, current_players=None))]
    fn show(
        &self,
        py: Python<'_>,
        mut observations: Option<Observations<'_>>,
        mut masks: Option<PyReadwriteArrayDyn<'_, i8>>,
        mut current_players: Option<PyReadwriteArrayDyn<'_, i32>>,
    ) -> PyResult<()> {
        let view = envs::EnvBuffers {
            observations: cells(&mut observations, "observations")?,
            masks: optional(&mut masks, "masks")?,
            current_players: optional(&mut current_players, "current_players")?,
        };
        let none = vec![false; self.num_envs];
        py.detach(|| lock(&self.inner).reset(&[], Some(&none), view)).map_err(|error| wrong(&error))
    }

    /// Returns for each environment whether its episode is over and a step has reported that.
    fn over<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let over: Vec<bool> = py.detach(|| {
            let inner = lock(&self.inner);
            (0..inner.count()).map(|env| inner.is_over(env)).collect()
        });
        over.into_pyarray(py)
    }

    /// Steps every environment.
    #[pyo3(signature = (actions, rewards, terminated, truncated, *, observations=None, masks=None,
        current_players=None, seat_rewards=None, final_observations=None))]
    #[expect(clippy::too_many_arguments, reason = "each is an array that is written")]
    fn step(
        &self,
        py: Python<'_>,
        actions: &Bound<'_, PyAny>,
        rewards: &Bound<'_, PyAny>,
        terminated: &Bound<'_, PyAny>,
        truncated: &Bound<'_, PyAny>,
        observations: Option<&Bound<'_, PyAny>>,
        masks: Option<&Bound<'_, PyAny>>,
        current_players: Option<&Bound<'_, PyAny>>,
        seat_rewards: Option<&Bound<'_, PyAny>>,
        final_observations: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let actions: PyReadonlyArray1<'_, i64> =
            actions.extract().map_err(|_| wrong_array(actions, "actions", "int64", false))?;
        let actions = actions.as_slice().map_err(|_| not_contiguous("actions"))?;
        let mut rewards = written::<f64>(rewards, "rewards")?;
        let mut terminated = written::<bool>(terminated, "terminations")?;
        let mut truncated = written::<bool>(truncated, "truncations")?;
        let mut observations = written_observations(observations, "observations")?;
        let mut masks = masks.map(|masks| written::<i8>(masks, "action_masks")).transpose()?;
        let mut current_players =
            current_players.map(|players| written::<i32>(players, "current_players")).transpose()?;
        let mut seat_rewards =
            seat_rewards.map(|rewards| written::<f64>(rewards, "seat_rewards")).transpose()?;
        let mut final_observations = written_observations(final_observations, "final_observations")?;
        let out = Outputs {
            view: envs::EnvBuffers {
                observations: cells(&mut observations, "observations")?,
                masks: optional(&mut masks, "action_masks")?,
                current_players: optional(&mut current_players, "current_players")?,
            },
            rewards: slice!(rewards, "rewards"),
            terminated: slice!(terminated, "terminations"),
            truncated: slice!(truncated, "truncations"),
            seat_rewards: optional(&mut seat_rewards, "seat_rewards")?,
            final_observations: cells(&mut final_observations, "final_observations")?,
        };
        self.changes(py, |envs| envs.step(actions, out))
    }

    /// Draws a legal action for every environment, or 0 where the episode is over.
    fn sample_actions(&self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut actions = written::<i64>(actions, "actions")?;
        let actions = slice!(actions, "actions");
        py.detach(|| lock(&self.inner).sample_actions(actions)).map_err(|error| wrong(&error))
    }

    /// Seeds the actions that ``sample_actions`` draws.
    fn seed_samples(&self, py: Python<'_>, #[pyo3(from_py_with = seed_number)] seed: u64) {
        py.detach(|| lock(&self.inner).seed_samples(seed));
    }

    /// Returns the learner's seat in each environment.
    fn seats<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let seats: Vec<i64> = py.detach(|| {
            let inner = lock(&self.inner);
            (0..inner.count()).map(|env| inner.seat(env).0.into()).collect()
        });
        seats.into_pyarray(py)
    }

    /// Returns the episodes of a mask that were cut short: the environment, and ``None`` for an illegal action
    /// or the error message.
    fn ends(
        &self,
        py: Python<'_>,
        mask: PyReadonlyArray1<'_, bool>,
    ) -> PyResult<Vec<(usize, Option<String>)>> {
        let mask = mask.as_slice().map_err(|_| not_contiguous("mask"))?;
        Ok(py.detach(|| {
            let inner = lock(&self.inner);
            let over = mask.iter().enumerate().take(inner.count()).filter(|(_, over)| **over);
            over.filter_map(|(env, _)| Some((env, broken_off(inner.ended(env), inner.error(env))?))).collect()
        }))
    }

    /// Returns the end that decided each episode of a mask, as an index of ``end_names``. It is -1 where the
    /// episode isn't over by the rules, or is outside the mask.
    fn decided<'py>(
        &self,
        py: Python<'py>,
        mask: PyReadonlyArray1<'_, bool>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let mask = mask.as_slice().map_err(|_| not_contiguous("mask"))?;
        let ends: Vec<i64> = py.detach(|| {
            let inner = lock(&self.inner);
            let end = |env| inner.end(env).map_or(-1, i64::from);
            (0..inner.count()).map(|env| if mask[env] { end(env) } else { -1 }).collect()
        });
        Ok(ends.into_pyarray(py))
    }

    /// The names of the ends that can decide an episode.
    #[getter]
    fn end_names(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| lock(&self.inner).end_names())
    }

    /// Returns the index of the rule set that each environment plays.
    fn rules<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let rules: Vec<i64> = py.detach(|| {
            let inner = lock(&self.inner);
            (0..inner.count()).map(|env| inner.rules(env) as i64).collect()
        });
        rules.into_pyarray(py)
    }

    /// Replaces the weights with which rule sets are drawn.
    fn set_rule_weights(&self, py: Python<'_>, weights: Vec<f64>) -> PyResult<()> {
        py.detach(|| lock(&self.inner).set_rule_weights(&weights)).map_err(|error| wrong(&error))
    }

    /// The layout that several rule sets share.
    #[getter]
    fn layout(&self, py: Python<'_>) -> Option<SharedParts> {
        py.detach(|| lock(&self.inner).shared().map(shared_parts))
    }

    /// Returns the state of an environment's game.
    fn state(&self, py: Python<'_>, env: usize) -> PyResult<PyState> {
        if env >= self.num_envs {
            let last = self.num_envs - 1;
            return Err(PyIndexError::new_err(format!(
                "there is no environment {env}; the environments are 0 to {last}"
            )));
        }
        Ok(PyState::from_here(py.detach(|| lock(&self.inner).state(env))))
    }

    /// Serialises all environments.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes = py.detach(|| lock(&self.inner).save());
        PyBytes::new(py, &bytes)
    }

    /// Restores what environments of the same game and options have saved.
    fn go_on_from(&self, py: Python<'_>, bytes: &[u8]) -> PyResult<()> {
        py.detach(|| lock(&self.inner).go_on_from(bytes)).map_err(|error| wrong(&error))
    }
}

/// Returns how an episode was cut short: the error message, or an inner `None` for an illegal action. Returns
/// `None` if it wasn't.
pub(crate) fn broken_off(
    ended: EpisodeEnd,
    error: Option<&houserule::game::RuntimeError>,
) -> Option<Option<String>> {
    match ended {
        EpisodeEnd::No | EpisodeEnd::Over | EpisodeEnd::Steps => None,
        EpisodeEnd::IllegalAction => Some(None),
        EpisodeEnd::Limit => {
            Some(Some(error.map_or("the limit of decisions was reached".into(), ToString::to_string)))
        }
        EpisodeEnd::Aborted => Some(Some(error.map_or("the game was aborted".into(), ToString::to_string))),
    }
}
