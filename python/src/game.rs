//! `Game`, the class: rules that can be played. Its methods are in `game_methods`.

use houserule::game::values::param_text;
use houserule::loader::{self, LoadError, Loaded};
use houserule::variants::Origin;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::{load_error, missing_file};
use crate::watched::interruptible;

/// A game: its rules with all params set, for a number of players.
///
/// A game is immutable, and any number of threads and states share it. Two games are equal if their rule texts,
/// params and numbers of players are. A pickled game contains the rule texts, so another process needs no
/// files.
#[pyclass(frozen, module = "houserule", name = "Game")]
#[derive(Clone)]
pub(crate) struct PyGame {
    pub(crate) inner: houserule::game::Game,
}

impl PyGame {
    pub(crate) fn new(loaded: Loaded) -> Self {
        PyGame { inner: loaded.game }
    }

    /// Wraps a game of the engine.
    pub(crate) fn from_game(inner: houserule::game::Game) -> Self {
        PyGame { inner }
    }

    /// Returns what equality compares.
    pub(crate) fn key(&self) -> (&str, u32, Vec<String>) {
        let params = self.inner.model().params.iter().map(|param| param_text(&param.value));
        (&self.inner.identity().rules_sha256, self.inner.players(), params.collect())
    }
}

/// Creates the game of an origin.
pub(crate) fn make(py: Python<'_>, origin: &Origin) -> PyResult<PyGame> {
    houserule::native::choice().map_err(PyValueError::new_err)?;
    let loaded = interruptible(py, || loader::load_origin(origin))?;
    let loaded = loaded.map_err(|error| match (&error, loader::missing_file(origin)) {
        (LoadError::Request(_), Some(path)) => missing_file(&path),
        _ => load_error(py, &error),
    });
    Ok(PyGame::new(loaded?))
}
