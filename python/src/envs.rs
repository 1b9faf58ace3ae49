//! Environments for learners: one or many, written straight into numpy arrays.

use std::sync::{Mutex, MutexGuard, PoisonError};

use houserule::agents::AgentKind;
use houserule::engine::Player;
use houserule::engine::observation::{Cells, Dtype, Planes};
use houserule::envs::{
    self, Autoreset, Ended, EnvError, Illegal, ObservationForm, Opponents, Options, Outputs, Reward,
    SeatChoice,
};
use numpy::{
    Element, IntoPyArray, PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1,
    PyReadwriteArrayDyn,
};
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::agents::{Raised, guests};
use crate::errors::agent_error;
use crate::game::Game;
use crate::learn::kind_of;
use crate::state::State;
use crate::watched::interruptible;

/// What can't be had.
fn wrong(error: &EnvError) -> PyErr {
    match error {
        EnvError::Over { .. } => PyRuntimeError::new_err(error.to_string()),
        EnvError::Agent(error) => Python::attach(|py| agent_error(py, error)),
        EnvError::Cells { .. } => PyTypeError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// One of a few words.
fn one_of<T: Copy>(what: &str, given: &str, words: &[(&str, T)]) -> PyResult<T> {
    let found = words.iter().find(|(word, _)| *word == given);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let words: Vec<String> = words.iter().map(|(word, _)| format!("\"{word}\"")).collect();
        PyValueError::new_err(format!("{what} is \"{given}\": it is one of {}", words.join(", ")))
    })
}

/// What an environment is made with.
#[derive(Default)]
struct Asked {
    options: Options,
    /// By seat, if there are any.
    callables: Vec<Option<Py<PyAny>>>,
    /// What they raise.
    raised: Raised,
}

impl Asked {
    fn self_play(&self) -> bool {
        self.options.opponents == Opponents::SelfPlay
    }

    /// A list of names and callables; one is for all seats.
    fn seat(&mut self, opponents: Vec<Bound<'_, PyAny>>, players: u32) -> PyResult<()> {
        let (mut kinds, mut callables) = (vec![], vec![]);
        for opponent in opponents {
            match kind_of(&opponent) {
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
        if callables.iter().any(Option::is_some) {
            if let ([kind], [callable]) = (kinds.as_slice(), callables.as_slice()) {
                let of_all =
                    |_| callable.as_ref().map(|callable| Python::attach(|py| callable.clone_ref(py)));
                (kinds, callables) =
                    (vec![kind.clone(); players as usize], (0..players).map(of_all).collect());
            }
            self.callables = callables;
        }
        self.options.opponents = Opponents::Agents(kinds);
        Ok(())
    }
}

/// A dtype of observations by its name.
pub(crate) fn dtype_of(given: &str) -> PyResult<Dtype> {
    one_of("dtype", given, &Dtype::ALL.map(|dtype| (dtype.name(), dtype)))
}

/// Options as Python gives them: a dict of `observation`, `dtype`, `reward`, `opponents` (names and callables; none is
/// self-play), `seat` (none is random), `illegal_action`, `skip_forced`, `match`, `autoreset`.
fn asked(given: &Bound<'_, PyDict>, players: u32) -> PyResult<Asked> {
    let mut asked = Asked::default();
    let mut opponents = None;
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
                let words = [("auto", Reward::Auto), ("score", Reward::Score), ("outcome", Reward::Outcome)];
                options.reward = one_of(&name, &word()?, &words)?;
            }
            "opponents" => {
                opponents = value.extract::<Option<Vec<Bound<'_, PyAny>>>>()?;
                if opponents.is_none() {
                    options.opponents = Opponents::SelfPlay;
                }
            }
            "seat" => {
                let seat = value.extract::<Option<u32>>()?;
                options.seat = seat.map_or(SeatChoice::Random, |seat| SeatChoice::Fixed(Player(seat)));
            }
            "illegal_action" => {
                let words =
                    [("penalize", Illegal::Penalize), ("raise", Illegal::Raise), ("ignore", Illegal::Ignore)];
                options.illegal = one_of(&name, &word()?, &words)?;
            }
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
    Ok(asked)
}

/// The shape of one observation. Bits stand in a row of bytes, also those of planes.
fn shape(planes: Option<&Planes>, len: usize, dtype: Dtype) -> Vec<usize> {
    planes.filter(|_| dtype != Dtype::Bits).map_or(vec![len], |planes| planes.shape().to_vec())
}

/// An array of observations: of float32, or of uint8 where they are bytes or bits.
#[derive(FromPyObject)]
enum Observations<'py> {
    #[pyo3(transparent, annotation = "float32")]
    Floats(PyReadwriteArrayDyn<'py, f32>),
    #[pyo3(transparent, annotation = "uint8")]
    Bytes(PyReadwriteArrayDyn<'py, u8>),
}

/// The cells of an array of observations that has to lie in one piece; nothing of nothing.
fn cells<'a>(array: &'a mut Option<Observations<'_>>, what: &str) -> PyResult<Cells<'a>> {
    match array {
        None => Ok(Cells::default()),
        Some(Observations::Floats(array)) => {
            Ok(Cells::Floats(array.as_slice_mut().map_err(|_| not_contiguous(what))?))
        }
        Some(Observations::Bytes(array)) => {
            Ok(Cells::Bytes(array.as_slice_mut().map_err(|_| not_contiguous(what))?))
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The numbers of an array that has to lie in one piece.
macro_rules! slice {
    ($array:expr, $what:literal) => {
        $array.as_slice_mut().map_err(|_| not_contiguous($what))?
    };
}

fn not_contiguous(what: &str) -> PyErr {
    PyValueError::new_err(format!("{what} must be a C-contiguous array: np.ascontiguousarray makes one"))
}

/// The same, nothing of nothing.
fn optional<'a, T: Element>(
    array: &'a mut Option<PyReadwriteArrayDyn<'_, T>>,
    what: &str,
) -> PyResult<&'a mut [T]> {
    match array {
        None => Ok(&mut []),
        Some(array) => array.as_slice_mut().map_err(|_| not_contiguous(what)),
    }
}

/// Many environments of one game, stepped together.
#[pyclass(frozen, module = "houserule._native")]
pub(crate) struct VectorCore {
    inner: Mutex<envs::VectorEnv>,
    raised: Raised,
    takes_long: bool,
    #[pyo3(get)]
    num_envs: usize,
    #[pyo3(get)]
    threads: usize,
    #[pyo3(get)]
    num_actions: usize,
    #[pyo3(get)]
    players: usize,
    /// Shape of one observation.
    #[pyo3(get)]
    shape: Vec<usize>,
    /// Is the score rewarded, else the outcome?
    #[pyo3(get)]
    rewards_score: bool,
    /// The greatest value of each cell of an observation; nothing of floats.
    #[pyo3(get)]
    highest: Vec<u8>,
    /// Bytes that one environment takes.
    #[pyo3(get)]
    bytes_per_env: usize,
}

impl VectorCore {
    /// Lets something happen. If it is interrupted, or an opponent raises something, all is as it was.
    fn changes(
        &self,
        py: Python<'_>,
        happens: impl FnOnce(&mut envs::VectorEnv) -> Result<(), EnvError> + Send,
    ) -> PyResult<()> {
        let change = || happens(&mut lock(&self.inner));
        let changed = if self.takes_long { self.raised.during(py, change)? } else { py.detach(change) };
        changed.map_err(|error| wrong(&error))
    }
}

#[pymethods]
impl VectorCore {
    #[new]
    fn new(
        py: Python<'_>,
        game: &Game,
        num_envs: usize,
        threads: usize,
        given: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let game = &game.inner;
        let Asked { options, callables, raised } = asked(given, game.players())?;
        let guests = guests(callables, &raised);
        let make = || envs::VectorEnv::with_guests(game, &options, num_envs, threads, guests);
        let inner = interruptible(py, make)?.map_err(|error| wrong(&error))?;
        Ok(VectorCore {
            raised,
            takes_long: inner.takes_long(),
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

    /// Begins episodes: with these seeds, or where there is none (or no list) the next ones; with a mask only
    /// where it is true. All environments are shown.
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
        let view = envs::View {
            observations: cells(&mut observations, "observations")?,
            masks: optional(&mut masks, "masks")?,
            current_players: optional(&mut current_players, "current_players")?,
        };
        self.changes(py, |envs| envs.reset(&seeds, mask, view))
    }

    /// Shows all environments as they stand.
    #[pyo3(signature = (*, observations=None, masks=None, current_players=None))]
    fn show(
        &self,
        py: Python<'_>,
        mut observations: Option<Observations<'_>>,
        mut masks: Option<PyReadwriteArrayDyn<'_, i8>>,
        mut current_players: Option<PyReadwriteArrayDyn<'_, i32>>,
    ) -> PyResult<()> {
        let view = envs::View {
            observations: cells(&mut observations, "observations")?,
            masks: optional(&mut masks, "masks")?,
            current_players: optional(&mut current_players, "current_players")?,
        };
        let none = vec![false; self.num_envs];
        py.detach(|| lock(&self.inner).reset(&[], Some(&none), view)).map_err(|error| wrong(&error))
    }

    /// Where the episode is over and has been told so.
    fn over<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let over: Vec<bool> = py.detach(|| {
            let inner = lock(&self.inner);
            (0..inner.count()).map(|env| inner.is_over(env)).collect()
        });
        over.into_pyarray(py)
    }

    /// Takes a step in every environment.
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
            view: envs::View {
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

    /// Draws a legal action for every environment; 0 where the episode is over.
    fn sample_actions(&self, py: Python<'_>, mut actions: PyReadwriteArray1<'_, i64>) -> PyResult<()> {
        let actions = slice!(actions, "actions");
        py.detach(|| lock(&self.inner).sample_actions(actions)).map_err(|error| wrong(&error))
    }

    /// Makes what `sample_actions` draws follow from a seed.
    fn seed_samples(&self, py: Python<'_>, seed: u64) {
        py.detach(|| lock(&self.inner).seed_samples(seed));
    }

    /// The learner's seat in each environment.
    fn seats<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let seats: Vec<i64> = py.detach(|| {
            let inner = lock(&self.inner);
            (0..inner.count()).map(|env| inner.seat(env).into()).collect()
        });
        seats.into_pyarray(py)
    }

    /// Where an episode has not ended by the rules: the environment, and `None` for an illegal action, else what
    /// went wrong. Of the environments of a mask.
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

    /// Which end decided the episodes of a mask that are over by the rules, by environment: an index of `end_names`; -1
    /// elsewhere.
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
        py.detach(|| lock(&self.inner).game().model().end_names().map(str::to_owned).collect())
    }

    /// The game of an environment.
    fn state(&self, py: Python<'_>, env: usize) -> PyResult<State> {
        if env >= self.num_envs {
            let last = self.num_envs - 1;
            return Err(PyIndexError::new_err(format!(
                "there is no environment {env}: they are 0 to {last}"
            )));
        }
        Ok(State::new(py.detach(|| lock(&self.inner).state(env))))
    }

    /// All environments as they stand.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes = py.detach(|| lock(&self.inner).save());
        PyBytes::new(py, &bytes)
    }

    /// Goes on from what environments of the same game and options have saved.
    fn go_on_from(&self, py: Python<'_>, bytes: &[u8]) -> PyResult<()> {
        py.detach(|| lock(&self.inner).go_on_from(bytes)).map_err(|error| wrong(&error))
    }
}

/// How an episode ended, unless by the rules: nothing more to say of an illegal action.
fn broken_off(ended: Ended, error: Option<&houserule::engine::RuntimeError>) -> Option<Option<String>> {
    match ended {
        Ended::No | Ended::Over => None,
        Ended::IllegalAction => Some(None),
        Ended::Limit => {
            Some(Some(error.map_or("the limit of decisions was reached".into(), ToString::to_string)))
        }
        Ended::Aborted => Some(Some(error.map_or("the game was aborted".into(), ToString::to_string))),
    }
}

/// One environment.
#[pyclass(frozen, module = "houserule._native")]
pub(crate) struct EnvCore {
    inner: Mutex<envs::Env>,
    raised: Raised,
    takes_long: bool,
    self_play: bool,
    #[pyo3(get)]
    num_actions: usize,
    #[pyo3(get)]
    players: usize,
    /// Shape of an observation.
    #[pyo3(get)]
    shape: Vec<usize>,
    /// Is the score rewarded, else the outcome?
    #[pyo3(get)]
    rewards_score: bool,
    /// The greatest value of each cell of an observation; nothing of floats.
    #[pyo3(get)]
    highest: Vec<u8>,
}

/// Observation, reward, terminated, truncated, info.
type Told<'py> = (Bound<'py, PyAny>, f64, bool, bool, Bound<'py, PyDict>);

/// What is said of an environment as it stands.
struct Said {
    seat: u32,
    current_player: Option<u32>,
    /// The name of the end that decided.
    end: Option<String>,
    broken_off: Option<Option<String>>,
}

impl EnvCore {
    /// Lets something happen, and shows what there is to see then in fresh arrays. If it is interrupted, or an
    /// opponent raises something, all is as it was.
    fn show<'py, T: Send>(
        &self,
        py: Python<'py>,
        happens: impl FnOnce(&mut envs::Env) -> Result<T, EnvError> + Send,
    ) -> PyResult<(Bound<'py, PyAny>, T, Bound<'py, PyDict>)> {
        let shape = self.shape.as_slice();
        let (floats, bytes);
        let (observation, observations) = if self.highest.is_empty() {
            // SAFETY: `show` writes every number before anybody sees the arrays.
            floats = unsafe { PyArrayDyn::<f32>::new(py, shape, false) };
            // SAFETY: nobody else has the array yet.
            (floats.clone().into_any(), unsafe { floats.as_slice_mut() }.map(Cells::Floats))
        } else {
            // SAFETY: as above.
            bytes = unsafe { PyArrayDyn::<u8>::new(py, shape, false) };
            // SAFETY: as above.
            (bytes.clone().into_any(), unsafe { bytes.as_slice_mut() }.map(Cells::Bytes))
        };
        let observations = observations.map_err(|_| not_contiguous("observation"))?;
        // SAFETY: the same.
        let mask = unsafe { PyArray1::<i8>::new(py, [self.num_actions], false) };
        // SAFETY: the same.
        let masks = unsafe { mask.as_slice_mut() }.map_err(|_| not_contiguous("mask"))?;
        // The lock is never waited for, nor kept, with the interpreter in hand: an opponent may need that.
        let work = || {
            let mut inner = lock(&self.inner);
            let happened = happens(&mut inner)?;
            inner.show(envs::View { observations, masks, current_players: &mut [] })?;
            let said = Said {
                seat: inner.seat(),
                current_player: inner.current_player(),
                end: inner.end().map(str::to_owned),
                broken_off: broken_off(inner.ended(), inner.error()),
            };
            Ok((happened, said))
        };
        let worked = if self.takes_long { self.raised.during(py, work)? } else { py.detach(work) };
        let (happened, said) = worked.map_err(|error| wrong(&error))?;
        let info = PyDict::new(py);
        info.set_item(intern!(py, "action_mask"), mask)?;
        if self.self_play {
            info.set_item(intern!(py, "current_player"), said.current_player.map_or(-1, i64::from))?;
        } else if self.players > 1 {
            info.set_item(intern!(py, "seat"), said.seat)?;
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
    fn new(py: Python<'_>, game: &Game, given: &Bound<'_, PyDict>) -> PyResult<Self> {
        let game = &game.inner;
        let asked = asked(given, game.players())?;
        let self_play = asked.self_play();
        let Asked { options, callables, raised } = asked;
        let guests = guests(callables, &raised);
        let inner = interruptible(py, || envs::Env::with_guests(game, &options, guests))?
            .map_err(|error| wrong(&error))?;
        Ok(EnvCore {
            self_play,
            raised,
            takes_long: inner.takes_long(),
            num_actions: inner.actions(),
            players: inner.players(),
            shape: shape(inner.planes(), inner.observation_len(), options.dtype),
            rewards_score: inner.rewards_score(),
            highest: inner.highest(),
            inner: Mutex::new(inner),
        })
    }

    /// Begins the first episode of a seed, or the next one.
    #[pyo3(signature = (seed=None))]
    fn reset<'py>(
        &self,
        py: Python<'py>,
        seed: Option<u64>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyDict>)> {
        let (observation, (), info) = self.show(py, |env| {
            env.reset(seed);
            Ok(())
        })?;
        Ok((observation, info))
    }

    /// Takes a step.
    fn step<'py>(&self, py: Python<'py>, action: i64) -> PyResult<Told<'py>> {
        let mut seats = vec![0.0; if self.self_play { self.players } else { 0 }];
        let (observation, step, info) = self.show(py, |env| env.step(action, &mut seats))?;
        if self.self_play {
            info.set_item(intern!(py, "rewards"), PyArray1::from_vec(py, seats))?;
        }
        Ok((observation, step.reward, step.terminated, step.truncated, info))
    }

    /// Which actions are legal: bool.
    fn action_masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let mut mask = vec![0; self.num_actions];
        py.detach(|| lock(&self.inner).write_mask(&mut mask)).map_err(|error| wrong(&error))?;
        Ok(PyArray1::from_iter(py, mask.into_iter().map(|legal| legal == 1)))
    }

    /// A legal action; 0 once the episode is over.
    fn sample_action(&self, py: Python<'_>) -> i64 {
        py.detach(|| lock(&self.inner).sample_action())
    }

    /// Makes what `sample_action` draws follow from a seed.
    fn seed_samples(&self, py: Python<'_>, seed: u64) {
        py.detach(|| lock(&self.inner).seed_samples(seed));
    }

    /// The learner's seat; in self-play that of who took the last step.
    #[getter]
    fn seat(&self, py: Python<'_>) -> u32 {
        py.detach(|| lock(&self.inner).seat())
    }

    /// The seat that decides; none once the episode is over.
    #[getter]
    fn current_player(&self, py: Python<'_>) -> Option<u32> {
        py.detach(|| lock(&self.inner).current_player())
    }

    /// The game.
    fn state(&self, py: Python<'_>) -> State {
        State::new(py.detach(|| lock(&self.inner).state()))
    }

    /// The environment as it stands.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes = py.detach(|| lock(&self.inner).save());
        PyBytes::new(py, &bytes)
    }

    /// Goes on from what an environment of the same game and options has saved.
    fn go_on_from(&self, py: Python<'_>, bytes: &[u8]) -> PyResult<()> {
        py.detach(|| lock(&self.inner).go_on_from(bytes)).map_err(|error| wrong(&error))
    }
}
