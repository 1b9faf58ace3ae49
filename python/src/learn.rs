//! Training of players, and trained players read from files.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use houserule::agents::{AgentError, AgentKind, PlayerFile};
use houserule::learned::{Course, TrainingBudget};
use houserule::playtest::RunMonitor;
use houserule::study::{self, TrainingError};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::agent_files::PyAgentFile;
use crate::arguments::seed_number;
use crate::errors::agent_error;
use crate::game::PyGame;
use crate::search::PySearch;
use crate::tables::wrong;
use crate::watched::Watched;

/// The pickled form: the class, the contents of its file and its name.
type PlayerPickle<'py> = (Bound<'py, PyAny>, (Bound<'py, PyBytes>, String));

/// A trained player of a game. It can be used wherever an agent is expected.
#[pyclass(module = "houserule", frozen, name = "Player")]
pub(crate) struct PyPlayer {
    pub(crate) file: Arc<PlayerFile>,
    bytes: Vec<u8>,
}

#[pymethods]
impl PyPlayer {
    /// Creates a player from the contents of its file. `name` is its name in tables.
    #[new]
    #[pyo3(signature = (bytes, name="learned"))]
    fn new(py: Python<'_>, bytes: &[u8], name: &str) -> PyResult<PyPlayer> {
        let file = PlayerFile::from_bytes(name, bytes);
        let file = file.map_err(|error| agent_error(py, &AgentError::Player(error)))?;
        Ok(PyPlayer { file: Arc::new(file), bytes: bytes.to_vec() })
    }

    #[getter]
    fn name(&self) -> &str {
        self.file.name()
    }

    /// Returns the contents of the player's file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.bytes)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<PlayerPickle<'py>> {
        let player = slf.get();
        let of = slf.get_type().into_any();
        Ok((of, (player.to_bytes(slf.py()), player.name().to_owned())))
    }

    fn __repr__(&self) -> String {
        let about = self.file.about();
        format!("<Player {}: {}, {} games of training>", self.name(), about.game, about.games)
    }
}

/// Trains a player. Returns the result of the training as JSON, and the contents of the player's file. Calls
/// ``progress`` with the number of games played.
#[pyfunction]
#[pyo3(signature = (game, *, games, seconds, seed, threads, progress=None))]
pub(crate) fn learn<'py>(
    py: Python<'py>,
    game: &PyGame,
    games: Option<u64>,
    seconds: Option<f64>,
    #[pyo3(from_py_with = seed_number)] seed: u64,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, Bound<'py, PyBytes>)> {
    let budget = match (games, seconds) {
        (Some(games), None) => TrainingBudget::Games(games),
        (None, Some(seconds)) if seconds.is_finite() && seconds > 0.0 => TrainingBudget::Seconds(seconds),
        (None, Some(seconds)) => return Err(wrong(format!("seconds={seconds} must be more than 0"))),
        (None, None) => TrainingBudget::Usual,
        (Some(_), Some(_)) => return Err(wrong("give `games` or `seconds`, not both")),
    };
    let course = Course { budget, seed, threads };
    let watched = Watched::default();
    let trained = watched.run(py, progress.as_ref(), || {
        let told = |done: u64| watched.done.store(done, Ordering::Relaxed);
        let watch = RunMonitor { progress: &told, stop: &watched.stop };
        study::learn(&game.inner, &course, &watch, &mut |_| ())
    })?;
    let training = trained.map_err(|error| match error {
        TrainingError::Agent(error) => agent_error(py, &error),
        TrainingError::Rules(error) => PyRuntimeError::new_err(error.kind.to_string()),
    })?;
    let json =
        serde_json::to_string(&training).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    Ok((json, PyBytes::new(py, &training.player.to_bytes())))
}

/// Returns the agent that a Python object is, or `None` if it is neither a name nor a player nor a search nor
/// a file.
pub(crate) fn kind_of(agent: &Bound<'_, PyAny>) -> Option<PyResult<AgentKind>> {
    if let Ok(player) = agent.cast::<PyPlayer>() {
        return Some(Ok(AgentKind::Player(Arc::clone(&player.get().file))));
    }
    if let Ok(search) = agent.cast::<PySearch>() {
        return Some(Ok(search.get().kind()));
    }
    if let Ok(file) = agent.cast::<PyAgentFile>() {
        return Some(Ok(file.get().kind.clone()));
    }
    let name: String = agent.extract().ok()?;
    Some(AgentKind::parse(&name).map_err(|error| agent_error(agent.py(), &error)))
}
