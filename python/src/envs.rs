//! Environments for reinforcement learning, single or vectorised, that write directly to numpy arrays.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use houserule::agents::AgentKind;
use houserule::envs::{
    self, Autoreset, EnvError, EnvOptions, EpisodeEnd, Illegal, LineUp, ObservationForm, Opponents, Outputs,
    Potential, Reward, SeatChoice,
};
use houserule::game::Seat;
use houserule::observe::{Cells, Dtype, ObservationEntry, SharedLayout};
use numpy::{
    Element, IntoPyArray, PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1,
    PyReadwriteArrayDyn,
};
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::agents::guests;
use crate::arguments::{dtype_of, one_of};
use crate::errors::agent_error;
use crate::game::PyGame;
use crate::learn::kind_of;
use crate::rules::rule_options;
use crate::search::PySearch;
use crate::state::PyState;
use crate::watched::{Raised, interruptible};

/// Converts an environment error to an exception.
pub(crate) fn wrong(error: &EnvError) -> PyErr {
    match error {
        EnvError::Over { .. } => PyRuntimeError::new_err(error.to_string()),
        EnvError::Agent(error) => Python::attach(|py| agent_error(py, error)),
        EnvError::Cells { .. } => PyTypeError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// The parsed options of an environment.
#[derive(Default)]
pub(crate) struct ParsedOptions {
    pub(crate) options: EnvOptions,
    /// The callable of each seat; empty if there are none.
    pub(crate) callables: Vec<Option<Py<PyAny>>>,
    /// Exceptions of the callables.
    raised: Raised,
    /// Several rule sets.
    pub(crate) rules: Option<envs::RuleOptions>,
}

impl ParsedOptions {
    fn self_play(&self) -> bool {
        self.options.opponents == Opponents::SelfPlay
    }

    /// Sets the opponents from names and callables. A single one is used for all seats.
    fn seat(&mut self, opponents: Vec<Bound<'_, PyAny>>, players: u32) -> PyResult<()> {
        let (kinds, callables) = line_up(opponents, players)?;
        self.callables = callables;
        self.options.opponents = Opponents::Agents(kinds);
        Ok(())
    }

    /// Sets a mixture of opponents: a name, a weight and the agents of each line-up.
    fn mix(&mut self, mixture: Vec<(String, f64, Vec<Bound<'_, PyAny>>)>, players: u32) -> PyResult<()> {
        let (mut line_ups, mut callables) = (vec![], vec![]);
        for (name, weight, opponents) in mixture {
            let (agents, mut called) = line_up(opponents, players)?;
            called.resize_with(players as usize, || None);
            callables.extend(called);
            line_ups.push(LineUp { name, weight, agents });
        }
        if callables.iter().any(Option::is_some) && players > 1 {
            self.callables = callables;
        }
        self.options.opponents = Opponents::Mixture(line_ups);
        Ok(())
    }
}

/// Agents by name, and the callable of each seat; no callables if there are none.
type AgentsAndCallables = (Vec<AgentKind>, Vec<Option<Py<PyAny>>>);

/// Returns the agents of a line-up. A single one is used for all seats.
fn line_up(opponents: Vec<Bound<'_, PyAny>>, players: u32) -> PyResult<AgentsAndCallables> {
    let (mut kinds, mut callables) = (vec![], vec![]);
    for opponent in opponents {
        // The exceptions of a search go the way of those of callables.
        let kind = if opponent.cast::<PySearch>().is_ok() { None } else { kind_of(&opponent) };
        match kind {
            Some(kind) => {
                kinds.push(kind?);
                callables.push(None);
            }
            None => {
                kinds.push(AgentKind::Random);
                callables.push(Some(opponent.unbind()));
            }
        }
    }
    if callables.iter().all(Option::is_none) {
        return Ok((kinds, vec![]));
    }
    if let ([kind], [callable]) = (kinds.as_slice(), callables.as_slice()) {
        let of_all = |_| callable.as_ref().map(|callable| Python::attach(|py| callable.clone_ref(py)));
        (kinds, callables) = (vec![kind.clone(); players as usize], (0..players).map(of_all).collect());
    }
    Ok((kinds, callables))
}

/// Parses options from a dict with `observation`, `dtype`, `reward`, `potential` (an expression and its discount),
/// `opponents` (names and callables; `None` means self-play) or `mixture` (a name, a weight and such a list for each
/// line-up), `seat` (`None` means random), `illegal_action`, `skip_forced`, `match` and `autoreset`.
pub(crate) fn asked(given: &Bound<'_, PyDict>, players: u32) -> PyResult<ParsedOptions> {
    let mut asked = ParsedOptions::default();
    let (mut opponents, mut mixture) = (None, None);
    let options = &mut asked.options;
    for (name, value) in given {
        let name: String = name.extract()?;
        let word = || value.extract::<String>();
        match name.as_str() {
            "observation" => {
                let words = [
                    ("flat", ObservationForm::Flat),
                    ("planes", ObservationForm::Planes),
                    ("dict", ObservationForm::Flat),
                ];
                options.observation = one_of(&name, &word()?, &words)?;
            }
            "dtype" => options.dtype = dtype_of(&word()?)?,
            "reward" => {
                options.reward = match word()? {
                    word if word == "auto" => Reward::Auto,
                    word if word == "score" => Reward::Score,
                    word if word == "outcome" => Reward::Outcome,
                    word if word == "margin" => Reward::Margin,
                    expression => Reward::Expression(expression),
                };
            }
            "potential" => {
                let potential = value.extract::<Option<(String, f64)>>()?;
                options.potential = potential.map(|(expression, gamma)| Potential { expression, gamma });
            }
            "opponents" => {
                opponents = value.extract::<Option<Vec<Bound<'_, PyAny>>>>()?;
                if opponents.is_none() {
                    options.opponents = Opponents::SelfPlay;
                }
            }
            "mixture" => mixture = Some(value.extract::<Vec<(String, f64, Vec<Bound<'_, PyAny>>)>>()?),
            "seat" => {
                let seat = value.extract::<Option<u32>>()?;
                options.seat = seat.map_or(SeatChoice::Random, |seat| SeatChoice::Fixed(Seat(seat)));
            }
            "illegal_action" => {
                let words =
                    [("penalize", Illegal::Penalize), ("raise", Illegal::Raise), ("ignore", Illegal::Ignore)];
                options.illegal = one_of(&name, &word()?, &words)?;
            }
            "rules" => asked.rules = Some(rule_options(&value, &asked.raised)?),
            "skip_forced" => options.skip_forced = value.extract()?,
            "match" => options.match_play = value.extract()?,
            "autoreset" => {
                let words = [
                    ("NextStep", Autoreset::NextStep),
                    ("SameStep", Autoreset::SameStep),
                    ("Disabled", Autoreset::Disabled),
                ];
                options.autoreset = one_of(&name, &word()?, &words)?;
            }
            _ => return Err(PyValueError::new_err(format!("there is no option `{name}`"))),
        }
    }
    if let Some(opponents) = opponents {
        asked.seat(opponents, players)?;
    }
    if let Some(mixture) = mixture {
        asked.mix(mixture, players)?;
    }
    Ok(asked)
}

/// Returns the shape of an observation. Bits are a row of bytes, for planes too.
pub(crate) fn shape(planes: Option<[usize; 3]>, len: usize, dtype: Dtype) -> Vec<usize> {
    planes.filter(|_| dtype != Dtype::Bits).map_or(vec![len], |shape| shape.to_vec())
}

/// An array of observations: float32, uint16 for the bits of float16, or uint8 for bytes, truth values and bits.
#[derive(FromPyObject)]
pub(crate) enum Observations<'py> {
    #[pyo3(transparent, annotation = "float32")]
    Floats(PyReadwriteArrayDyn<'py, f32>),
    #[pyo3(transparent, annotation = "uint16")]
    Halves(PyReadwriteArrayDyn<'py, u16>),
    #[pyo3(transparent, annotation = "uint8")]
    Bytes(PyReadwriteArrayDyn<'py, u8>),
}

/// Returns the cells of a contiguous array of observations, or no cells if there is no array.
pub(crate) fn cells<'a>(array: &'a mut Option<Observations<'_>>, what: &str) -> PyResult<Cells<'a>> {
    match array {
        None => Ok(Cells::default()),
        Some(Observations::Floats(array)) => {
            Ok(Cells::Floats(array.as_slice_mut().map_err(|_| not_contiguous(what))?))
        }
        Some(Observations::Halves(array)) => {
            Ok(Cells::Halves(array.as_slice_mut().map_err(|_| not_contiguous(what))?))
        }
        Some(Observations::Bytes(array)) => {
            Ok(Cells::Bytes(array.as_slice_mut().map_err(|_| not_contiguous(what))?))
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the elements of a contiguous array.
macro_rules! slice {
    ($array:expr, $what:literal) => {
        $array.as_slice_mut().map_err(|_| not_contiguous($what))?
    };
}

pub(crate) fn not_contiguous(what: &str) -> PyErr {
    PyValueError::new_err(format!("{what} must be a C-contiguous array: np.ascontiguousarray makes one"))
}

/// Returns the elements of a contiguous array, or an empty slice if there is no array.
pub(crate) fn optional<'a, T: Element>(
    array: &'a mut Option<PyReadwriteArrayDyn<'_, T>>,
    what: &str,
) -> PyResult<&'a mut [T]> {
    match array {
        None => Ok(&mut []),
        Some(array) => array.as_slice_mut().map_err(|_| not_contiguous(what)),
    }
}

/// A vector of environments of one game that are stepped together.
#[pyclass(frozen, module = "houserule._native")]
pub(crate) struct VectorCore {
    inner: Mutex<envs::VectorEnv>,
    raised: Raised,
    takes_long: AtomicBool,
    #[pyo3(get)]
    num_envs: usize,
    #[pyo3(get)]
    threads: usize,
    #[pyo3(get)]
    num_actions: usize,
    #[pyo3(get)]
    players: usize,
    /// The shape of one observation.
    #[pyo3(get)]
    shape: Vec<usize>,
    /// Whether the reward is the score. Otherwise it is the outcome.
    #[pyo3(get)]
    rewards_score: bool,
    /// The maximum of each cell of an observation; empty for float observations.
    #[pyo3(get)]
    highest: Vec<u8>,
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
        let change = || happens(&mut lock(&self.inner));
        let changed =
            if self.takes_long.load(Relaxed) { self.raised.during(py, change)? } else { py.detach(change) };
        changed.map_err(|error| self.raised.take().unwrap_or_else(|| wrong(&error)))
    }
}

#[pymethods]
impl VectorCore {
    #[new]
    fn new(
        py: Python<'_>,
        game: &PyGame,
        num_envs: usize,
        threads: usize,
        given: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let game = &game.inner;
        let ParsedOptions { options, callables, raised, rules } = asked(given, game.players())?;
        let guests = guests(py, game, callables, &raised)?;
        let make = || match &rules {
            Some(rules) => envs::VectorEnv::with_rules(rules, &options, num_envs, threads, guests),
            None => envs::VectorEnv::with_guests(game, &options, num_envs, threads, guests),
        };
        let inner = interruptible(py, make)?.map_err(|error| wrong(&error))?;
        Ok(VectorCore {
            raised,
            takes_long: inner.takes_long().into(),
            num_envs,
            threads: inner.threads(),
            num_actions: inner.actions(),
            players: inner.players(),
            shape: shape(inner.planes(), inner.observation_len(), options.dtype),
            rewards_score: inner.rewards_score(),
            highest: inner.highest(),
            bytes_per_env: inner.bytes_per_env(),
            inner: Mutex::new(inner),
        })
    }

    /// Starts new episodes with the given seeds, or with the next one where the seed is ``None`` or there is no
    /// list. With a mask, only where it is true. Writes the observations of all environments.
    #[pyo3(signature = (seeds=None, mask=None, *, observations=None, masks=None, current_players=None))]
    fn reset(
        &self,
        py: Python<'_>,
        seeds: Option<Vec<Option<u64>>>,
        mask: Option<PyReadonlyArray1<'_, bool>>,
        mut observations: Option<Observations<'_>>,
        mut masks: Option<PyReadwriteArrayDyn<'_, i8>>,
        mut current_players: Option<PyReadwriteArrayDyn<'_, i32>>,
    ) -> PyResult<()> {
        let seeds = seeds.unwrap_or_default();
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
        let ParsedOptions { options, callables, .. } = asked(given, self.players as u32)?;
        let game = lock(&self.inner).game().clone();
        let guests = guests(py, &game, callables, &self.raised)?;
        let change = || -> Result<bool, EnvError> {
            let mut inner = lock(&self.inner);
            inner.set_opponents(options.opponents, guests)?;
            Ok(inner.takes_long())
        };
        let takes_long = interruptible(py, change)?.map_err(|error| wrong(&error))?;
        self.takes_long.store(takes_long, Relaxed);
        Ok(())
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
        actions: PyReadonlyArray1<'_, i64>,
        mut rewards: PyReadwriteArray1<'_, f64>,
        mut terminated: PyReadwriteArray1<'_, bool>,
        mut truncated: PyReadwriteArray1<'_, bool>,
        mut observations: Option<Observations<'_>>,
        mut masks: Option<PyReadwriteArrayDyn<'_, i8>>,
        mut current_players: Option<PyReadwriteArrayDyn<'_, i32>>,
        mut seat_rewards: Option<PyReadwriteArrayDyn<'_, f64>>,
        mut final_observations: Option<Observations<'_>>,
    ) -> PyResult<()> {
        let actions = actions.as_slice().map_err(|_| not_contiguous("actions"))?;
        let out = Outputs {
            view: envs::EnvBuffers {
                observations: cells(&mut observations, "observations")?,
                masks: optional(&mut masks, "masks")?,
                current_players: optional(&mut current_players, "current_players")?,
            },
            rewards: slice!(rewards, "rewards"),
            terminated: slice!(terminated, "terminated"),
            truncated: slice!(truncated, "truncated"),
            seat_rewards: optional(&mut seat_rewards, "seat_rewards")?,
            final_observations: cells(&mut final_observations, "final_observations")?,
        };
        self.changes(py, |envs| envs.step(actions, out))
    }

    /// Draws a legal action for every environment, or 0 where the episode is over.
    fn sample_actions(&self, py: Python<'_>, mut actions: PyReadwriteArray1<'_, i64>) -> PyResult<()> {
        let actions = slice!(actions, "actions");
        py.detach(|| lock(&self.inner).sample_actions(actions)).map_err(|error| wrong(&error))
    }

    /// Seeds the actions that ``sample_actions`` draws.
    fn seed_samples(&self, py: Python<'_>, seed: u64) {
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
        Ok(PyState::new(py.detach(|| lock(&self.inner).state(env))))
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

/// A layout that rule sets share: the name, offset, length and shape of each entry of an observation, the names of the
/// actions, and those of the features of the rules.
type SharedParts = (Vec<(String, usize, usize, Vec<usize>)>, Vec<String>, Vec<String>);

fn shared_parts(shared: &SharedLayout) -> SharedParts {
    let entry =
        |entry: &ObservationEntry| (entry.name.clone(), entry.offset, entry.length, entry.shape.clone());
    (shared.entries().iter().map(entry).collect(), shared.actions().to_vec(), shared.features().to_vec())
}

/// Returns how an episode was cut short: the error message, or an inner `None` for an illegal action. Returns
/// `None` if it wasn't.
pub(crate) fn broken_off(
    ended: EpisodeEnd,
    error: Option<&houserule::game::RuntimeError>,
) -> Option<Option<String>> {
    match ended {
        EpisodeEnd::No | EpisodeEnd::Over => None,
        EpisodeEnd::IllegalAction => Some(None),
        EpisodeEnd::Limit => {
            Some(Some(error.map_or("the limit of decisions was reached".into(), ToString::to_string)))
        }
        EpisodeEnd::Aborted => Some(Some(error.map_or("the game was aborted".into(), ToString::to_string))),
    }
}

/// A single environment.
#[pyclass(frozen, module = "houserule._native")]
pub(crate) struct EnvCore {
    inner: Mutex<envs::Env>,
    raised: Raised,
    takes_long: AtomicBool,
    self_play: bool,
    dtype: Dtype,
    /// Whether there are several rule sets.
    several: bool,
    #[pyo3(get)]
    num_actions: usize,
    #[pyo3(get)]
    players: usize,
    /// The shape of an observation.
    #[pyo3(get)]
    shape: Vec<usize>,
    /// Whether the reward is the score. Otherwise it is the outcome.
    #[pyo3(get)]
    rewards_score: bool,
    /// The maximum of each cell of an observation; empty for float observations.
    #[pyo3(get)]
    highest: Vec<u8>,
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
        let shape = self.shape.as_slice();
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
        let mask = unsafe { PyArray1::<i8>::new(py, [self.num_actions], false) };
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
        let worked =
            if self.takes_long.load(Relaxed) { self.raised.during(py, work)? } else { py.detach(work) };
        let (happened, said) = worked.map_err(|error| self.raised.take().unwrap_or_else(|| wrong(&error)))?;
        let info = PyDict::new(py);
        info.set_item(intern!(py, "action_mask"), mask)?;
        if self.self_play {
            info.set_item(intern!(py, "current_player"), said.current_player.map_or(-1, i64::from))?;
        } else if self.players > 1 {
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
        let asked = asked(given, game.players())?;
        let self_play = asked.self_play();
        let ParsedOptions { options, callables, raised, rules } = asked;
        let guests = guests(py, game, callables, &raised)?;
        let make = || match &rules {
            Some(rules) => envs::Env::with_rules(rules, &options, guests),
            None => envs::Env::with_guests(game, &options, guests),
        };
        let inner = interruptible(py, make)?.map_err(|error| wrong(&error))?;
        Ok(EnvCore {
            several: rules.is_some(),
            self_play,
            dtype: options.dtype,
            raised,
            takes_long: inner.takes_long().into(),
            num_actions: inner.actions(),
            players: inner.players(),
            shape: shape(inner.planes(), inner.observation_len(), options.dtype),
            rewards_score: inner.rewards_score(),
            highest: inner.highest(),
            inner: Mutex::new(inner),
        })
    }

    /// Starts the first episode of a seed, or the next episode without a seed.
    #[pyo3(signature = (seed=None))]
    fn reset<'py>(
        &self,
        py: Python<'py>,
        seed: Option<u64>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyDict>)> {
        let (observation, (), info) = self.show(py, |env| env.try_reset(seed))?;
        Ok((observation, info))
    }

    /// Changes the opponents of later episodes: a dict with `opponents` or `mixture`.
    fn set_opponents(&self, py: Python<'_>, given: &Bound<'_, PyDict>) -> PyResult<()> {
        let ParsedOptions { options, callables, .. } = asked(given, self.players as u32)?;
        let game = lock(&self.inner).game().clone();
        let guests = guests(py, &game, callables, &self.raised)?;
        let change = || -> Result<bool, EnvError> {
            let mut inner = lock(&self.inner);
            inner.set_opponents(options.opponents, guests)?;
            Ok(inner.takes_long())
        };
        let takes_long = interruptible(py, change)?.map_err(|error| wrong(&error))?;
        self.takes_long.store(takes_long, Relaxed);
        Ok(())
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
        let mut seats = vec![0.0; if self.self_play { self.players } else { 0 }];
        let (observation, step, info) = self.show(py, |env| env.step(action, &mut seats))?;
        if self.self_play {
            info.set_item(intern!(py, "rewards"), PyArray1::from_vec(py, seats))?;
        }
        Ok((observation, step.reward, step.terminated, step.truncated, info))
    }

    /// Returns for each action whether it is legal, as an array of bool.
    fn action_masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let mut mask = vec![0; self.num_actions];
        py.detach(|| lock(&self.inner).write_mask(&mut mask)).map_err(|error| wrong(&error))?;
        Ok(PyArray1::from_iter(py, mask.into_iter().map(|legal| legal == 1)))
    }

    /// Draws a legal action, or returns 0 if the episode is over.
    fn sample_action(&self, py: Python<'_>) -> i64 {
        py.detach(|| lock(&self.inner).sample_action())
    }

    /// Seeds the actions that ``sample_action`` draws.
    fn seed_samples(&self, py: Python<'_>, seed: u64) {
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
        PyState::new(py.detach(|| lock(&self.inner).state()))
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
