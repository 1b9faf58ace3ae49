//! Parts of long work that other processes do, and the trained players that they need.

use std::collections::HashMap;
use std::sync::Arc;

use houserule::agents::{AgentError, AgentKind, Learned};
use houserule::parts::{Parts, WorkPart};
use houserule::playtest::SimulateError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::agents::SeatPlayerList;
use crate::errors::agent_error;
use crate::game::PyGame;
use crate::watched::Watched;

/// The parts of a work that this process does, see :class:`houserule.parts.Parts` of the engine.
///
/// ``Parts()`` lists them, ``Parts(name, given)`` does one with the results that it needs, and ``Parts(given=results)``
/// makes the whole. ``Parts(given=results, whole=False)`` lists those that follow from the results.
#[pyclass(frozen, module = "houserule._native", name = "Parts")]
pub(crate) struct PyParts {
    inner: Parts,
}

#[pymethods]
impl PyParts {
    #[new]
    #[pyo3(signature = (name=None, given=None, whole=true))]
    fn new(name: Option<String>, given: Option<HashMap<String, Vec<u8>>>, whole: bool) -> PyParts {
        let inner = match (name, given) {
            (Some(name), given) => Parts::one(name, given.unwrap_or_default()),
            (None, Some(given)) if whole => Parts::all(given),
            (None, Some(given)) => Parts::list_after(given),
            (None, None) => Parts::list(),
        };
        PyParts { inner }
    }

    /// Returns the names of the parts, each with the names of those that it needs.
    fn listed(&self) -> Vec<(String, Vec<String>)> {
        self.inner.listed().into_iter().map(|WorkPart { name, needs }| (name, needs)).collect()
    }

    /// Returns whether the results of the listed parts decide which parts follow.
    fn is_open(&self) -> bool {
        self.inner.is_open()
    }

    /// Returns the result of the one part, or ``None`` if it has none.
    fn result<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.inner.result().map(|result| PyBytes::new(py, &result))
    }
}

/// Runs work with the parts of the caller, or undivided.
pub(crate) fn with_parts<T>(parts: Option<&Py<PyParts>>, work: impl FnOnce(&Parts) -> T) -> T {
    match parts {
        Some(parts) => work(&parts.get().inner),
        None => work(&Parts::here()),
    }
}

/// Returns the result of work, or `None` if only some of its parts were wanted.
pub(crate) fn whole<T>(found: Result<T, SimulateError>, parts: &Parts) -> Result<Option<T>, SimulateError> {
    match found {
        Err(SimulateError::Stopped) if !parts.is_whole() => Ok(None),
        found => found.map(Some),
    }
}

/// Players in memory: while they are held, agents such as ``learned`` aren't trained again.
#[pyclass(frozen, module = "houserule._native")]
pub(crate) struct HeldPlayers {
    _players: Vec<Arc<Learned>>,
}

/// Trains the players that agents are or look ahead with, in parts.
#[pyfunction]
pub(crate) fn trained(
    py: Python<'_>,
    game: &PyGame,
    agents: SeatPlayerList,
    parts: Py<PyParts>,
) -> PyResult<HeldPlayers> {
    let watched = Watched::default();
    let found = watched.run(py, None, || {
        let train = |kind: &AgentKind| kind.train_in_parts(&game.inner, 1, &mut (), &parts.get().inner);
        agents.kinds.iter().map(train).collect::<Result<Vec<_>, AgentError>>()
    })?;
    let players = found.map_err(|error| agent_error(py, &error))?;
    Ok(HeldPlayers { _players: players.into_iter().flatten().filter_map(|(_, player)| player).collect() })
}
