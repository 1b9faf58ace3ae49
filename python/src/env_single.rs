//! Single environments for reinforcement learning.

use std::sync::Mutex;

use houserule::envs::{self, EnvError, EnvRules};
use houserule::observe::{Cells, Dtype};
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::agents::guests;
use crate::arguments::seed_number;
use crate::env_arrays::{EnvSizes, SharedParts, not_contiguous, shared_parts, sizes};
use crate::env_options::{ParsedOptions, parse_options, wrong};
use crate::env_work::EnvWork;
use crate::envs::{broken_off, lock};
use crate::game::PyGame;
use crate::state::PyState;
use crate::watched::interruptible;

/// A single environment.
#[pyclass(frozen, module = "houserule._native")]
pub(crate) struct EnvCore {
    inner: Mutex<envs::Env>,
    work: EnvWork,
    self_play: bool,
    dtype: Dtype,
    /// Whether there are several rule sets.
    several: bool,
    #[pyo3(get)]
    sizes: Py<EnvSizes>,
    /// Whether the reward is the score. Otherwise it is the outcome.
    #[pyo3(get)]
    rewards_score: bool,
}

/// Observation, reward, terminated, truncated, info.
type StepTuple<'py> = (Bound<'py, PyAny>, f64, bool, bool, Bound<'py, PyDict>);

/// The current status of an environment.
struct EnvStatus {
    seat: u32,
    current_player: Option<u32>,
    /// The name of the opponents, if they are drawn from a mixture.
    opponent: Option<String>,
    /// The name of the end that decided the game.
    end: Option<String>,
    broken_off: Option<Option<String>>,
    /// The index of the rule set.
    rules: usize,
}

impl EnvCore {
    /// Applies a change, and returns the new observation and mask in new arrays. If the change is interrupted,
    /// or an opponent raises an exception, the environment is unchanged.
    fn show<'py, T: Send>(
        &self,
        py: Python<'py>,
        happens: impl FnOnce(&mut envs::Env) -> Result<T, EnvError> + Send,
    ) -> PyResult<(Bound<'py, PyAny>, T, Bound<'py, PyDict>)> {
        let sizes = self.sizes.get();
        let shape = sizes.shape.as_slice();
        let (floats, halves, bytes);
        let (observation, observations) = match self.dtype {
            Dtype::Float32 => {
                // SAFETY: `inner.show` writes every element before the arrays are returned.
                floats = unsafe { PyArrayDyn::<f32>::new(py, shape, false) };
                // SAFETY: no other code has a reference to the array yet.
                (floats.clone().into_any(), unsafe { floats.as_slice_mut() }.map(Cells::Floats))
            }
            Dtype::Float16 => {
                // SAFETY: `inner.show` writes every element before the arrays are returned.
                halves = unsafe { PyArrayDyn::<u16>::new(py, shape, false) };
                let observation = halves.call_method1(intern!(py, "view"), (intern!(py, "float16"),))?;
                // SAFETY: no other code uses the array or its view yet.
                (observation, unsafe { halves.as_slice_mut() }.map(Cells::Halves))
            }
            Dtype::Uint8 | Dtype::Bool | Dtype::Bits => {
                // SAFETY: `inner.show` writes every element before the arrays are returned.
                bytes = unsafe { PyArrayDyn::<u8>::new(py, shape, false) };
                let observation = match self.dtype {
                    Dtype::Bool => bytes.call_method1(intern!(py, "view"), (intern!(py, "bool"),))?,
                    _ => bytes.clone().into_any(),
                };
                // SAFETY: no other code uses the array or its view yet.
                (observation, unsafe { bytes.as_slice_mut() }.map(Cells::Bytes))
            }
        };
        let observations = observations.map_err(|_| not_contiguous("observation"))?;
        // SAFETY: `inner.show` writes every element before the arrays are returned.
        let mask = unsafe { PyArray1::<i8>::new(py, [sizes.num_actions], false) };
        // SAFETY: no other code has a reference to the array yet.
        let masks = unsafe { mask.as_slice_mut() }.map_err(|_| not_contiguous("mask"))?;
        // The lock is never awaited or held while attached to the interpreter: an opponent may need the
        // interpreter.
        let work = || {
            let mut inner = lock(&self.inner);
            let happened = happens(&mut inner)?;
            inner.show(envs::EnvBuffers { observations, masks, current_players: &mut [] })?;
            let said = EnvStatus {
                seat: inner.seat().0,
                current_player: inner.current_player().map(|seat| seat.0),
                opponent: inner.line_up().map(str::to_owned),
                end: inner.end().map(str::to_owned),
                broken_off: broken_off(inner.ended(), inner.error()),
                rules: inner.rules(),
            };
            Ok((happened, said))
        };
        let (happened, said) = self.work.run(py, work)?;
        let info = PyDict::new(py);
        info.set_item(intern!(py, "action_mask"), mask)?;
        if self.self_play {
            info.set_item(intern!(py, "current_player"), said.current_player.map_or(-1, i64::from))?;
        } else if sizes.players > 1 {
            info.set_item(intern!(py, "seat"), said.seat)?;
        }
        if let Some(opponent) = said.opponent {
            info.set_item(intern!(py, "opponent"), opponent)?;
        }
        if self.several {
            info.set_item(intern!(py, "rules"), said.rules)?;
        }
        if let Some(end) = said.end {
            info.set_item(intern!(py, "end"), end)?;
        }
        match said.broken_off {
            None => {}
            Some(None) => info.set_item(intern!(py, "illegal_action"), true)?,
            Some(Some(error)) => info.set_item(intern!(py, "error"), error)?,
        }
        Ok((observation, happened, info))
    }
}

#[pymethods]
impl EnvCore {
    #[new]
    fn new(py: Python<'_>, game: &PyGame, given: &Bound<'_, PyDict>) -> PyResult<Self> {
        let game = &game.inner;
        let asked = parse_options(given, game.players())?;
        let self_play = asked.self_play();
        let ParsedOptions { options, callables, raised, rules } = asked;
        let guests = guests(py, game, callables, &raised)?;
        let played = rules.as_ref().map_or(EnvRules::One(game), EnvRules::Several);
        let make = || envs::Env::with_guests(played, &options, guests);
        let inner = interruptible(py, make)?.map_err(|error| wrong(&error))?;
        Ok(EnvCore {
            several: rules.is_some(),
            self_play,
            dtype: options.dtype,
            work: EnvWork::new(game, raised, inner.takes_long()),
            sizes: sizes!(py, inner)?,
            rewards_score: inner.rewards_score(),
            inner: Mutex::new(inner),
        })
    }

    /// Starts the first episode of a seed, or the next episode without a seed.
    #[pyo3(signature = (seed=None))]
    fn reset<'py>(
        &self,
        py: Python<'py>,
        seed: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyDict>)> {
        let seed = seed.map(seed_number).transpose()?;
        let (observation, (), info) = self.show(py, |env| env.try_reset(seed))?;
        Ok((observation, info))
    }

    /// Changes the opponents of later episodes: a dict with `opponents` or `mixture`.
    fn set_opponents(&self, py: Python<'_>, given: &Bound<'_, PyDict>) -> PyResult<()> {
        self.work.change_opponents(py, given, |opponents, guests| {
            let mut inner = lock(&self.inner);
            inner.set_opponents(opponents, guests)?;
            Ok(inner.takes_long())
        })
    }

    /// Sets the positions in which later episodes start; none for the start of the game.
    fn set_starts(&self, py: Python<'_>, starts: Vec<String>) -> PyResult<()> {
        py.detach(|| lock(&self.inner).set_starts(&starts)).map_err(|error| wrong(&error))
    }

    /// Sets the position in which the next episode starts.
    fn start_next_in(&self, py: Python<'_>, start: String) -> PyResult<()> {
        py.detach(|| lock(&self.inner).start_next_in(&start)).map_err(|error| wrong(&error))
    }

    /// Takes a step.
    fn step<'py>(&self, py: Python<'py>, action: i64) -> PyResult<StepTuple<'py>> {
        let mut seats = vec![0.0; if self.self_play { self.sizes.get().players } else { 0 }];
        let (observation, step, info) = self.show(py, |env| env.step(action, &mut seats))?;
        if self.self_play {
            info.set_item(intern!(py, "rewards"), PyArray1::from_vec(py, seats))?;
        }
        Ok((observation, step.reward, step.terminated, step.truncated, info))
    }

    /// Returns for each action whether it is legal, as an array of bool.
    fn action_masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let mut mask = vec![0; self.sizes.get().num_actions];
        py.detach(|| lock(&self.inner).write_mask(&mut mask)).map_err(|error| wrong(&error))?;
        Ok(PyArray1::from_iter(py, mask.into_iter().map(|legal| legal == 1)))
    }

    /// Draws a legal action, or returns 0 if the episode is over.
    fn sample_action(&self, py: Python<'_>) -> i64 {
        py.detach(|| lock(&self.inner).sample_action())
    }

    /// Seeds the actions that ``sample_action`` draws.
    fn seed_samples(&self, py: Python<'_>, #[pyo3(from_py_with = seed_number)] seed: u64) {
        py.detach(|| lock(&self.inner).seed_samples(seed));
    }

    /// The learner's seat; in self-play, the seat that took the last step.
    #[getter]
    fn seat(&self, py: Python<'_>) -> u32 {
        py.detach(|| lock(&self.inner).seat().0)
    }

    /// The seat to decide, or ``None`` if the episode is over.
    #[getter]
    fn current_player(&self, py: Python<'_>) -> Option<u32> {
        py.detach(|| lock(&self.inner).current_player().map(|seat| seat.0))
    }

    /// The layout that several rule sets share.
    #[getter]
    fn layout(&self, py: Python<'_>) -> Option<SharedParts> {
        py.detach(|| lock(&self.inner).shared().map(shared_parts))
    }

    /// The index of the rule set that is played.
    #[getter]
    fn rules(&self, py: Python<'_>) -> usize {
        py.detach(|| lock(&self.inner).rules())
    }

    /// Returns the state of the game.
    fn state(&self, py: Python<'_>) -> PyState {
        PyState::from_here(py.detach(|| lock(&self.inner).state()))
    }

    /// Serialises the environment.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes = py.detach(|| lock(&self.inner).save());
        PyBytes::new(py, &bytes)
    }

    /// Restores what an environment of the same game and options has saved.
    fn go_on_from(&self, py: Python<'_>, bytes: &[u8]) -> PyResult<()> {
        py.detach(|| lock(&self.inner).go_on_from(bytes)).map_err(|error| wrong(&error))
    }
}
