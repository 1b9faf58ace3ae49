//! The worlds of a state for a seat: complete states that agree with all that the seat has observed.

use houserule::game::NoWorld;
use houserule::hidden::{OpponentModel, WorldOptions, Worlds};
use houserule::rng::Stream;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::PyState;
use crate::arguments;
use crate::errors::no_world_error;
use crate::watched::interruptible;

impl PyState {
    /// Prepares the worlds of a player. Also returns the random stream for drawing them.
    fn prepare_worlds(
        &self,
        py: Python<'_>,
        player: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        opponents: Option<&str>,
    ) -> PyResult<(Worlds, Stream)> {
        let player = self.eyes(py, player)?;
        let opponents = match opponents.unwrap_or("uniform") {
            "uniform" => OpponentModel::Uniform,
            "unknown" => OpponentModel::Unknown,
            other => {
                let message = format!("opponents must be \"uniform\" or \"unknown\", not \"{other}\"");
                return Err(PyValueError::new_err(message));
            }
        };
        let stream = Stream::new(arguments::seed(seed)?, 0, 0);
        let options = WorldOptions { opponents, ..WorldOptions::default() };
        let worlds = interruptible(py, || self.inner.worlds(player, &options))?;
        let worlds = worlds.map_err(|none| no_world_error(py, &none))?;
        Ok((worlds, stream))
    }

    /// Draws a world of a player as a state to play on.
    pub(super) fn draw_world(
        &self,
        py: Python<'_>,
        player: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyState> {
        let player = self.eyes(py, player)?;
        let mut stream = Stream::new(arguments::seed(seed)?, 0, 0);
        let drawn = interruptible(py, || self.inner.determinize(player, &mut stream))?;
        let drawn = drawn.map_err(|none| no_world_error(py, &none))?;
        Ok(PyState::from_here(drawn))
    }

    /// Draws `count` worlds of a player as states to play on.
    pub(super) fn draw_worlds(
        &self,
        py: Python<'_>,
        count: u64,
        player: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        opponents: Option<&str>,
    ) -> PyResult<Vec<PyState>> {
        let (mut worlds, mut stream) = self.prepare_worlds(py, player, seed, opponents)?;
        let mut draw = || (0..count).map(|_| worlds.next_played(&self.inner, &mut stream)).collect();
        let drawn: Result<Vec<houserule::game::State>, NoWorld> = interruptible(py, &mut draw)?;
        let drawn = drawn.map_err(|none| no_world_error(py, &none))?;
        Ok(drawn.into_iter().map(PyState::from_here).collect())
    }

    /// Returns what a player believes of all that is hidden, as a dict.
    pub(super) fn find_beliefs<'py>(
        &self,
        py: Python<'py>,
        player: Option<&Bound<'_, PyAny>>,
        samples: usize,
        seed: Option<&Bound<'_, PyAny>>,
        opponents: Option<&str>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (mut worlds, mut stream) = self.prepare_worlds(py, player, seed, opponents)?;
        let beliefs = interruptible(py, || worlds.beliefs(&self.inner, samples.max(1), &mut stream))?;
        let beliefs = beliefs.map_err(|none| no_world_error(py, &none))?;
        let (found, values) = (PyDict::new(py), PyDict::new(py));
        for (name, chances) in beliefs.values {
            let of = PyDict::new(py);
            chances.into_iter().try_for_each(|(value, p)| of.set_item(value, p))?;
            values.set_item(name, of)?;
        }
        found.set_item("exact", beliefs.exact)?;
        found.set_item("worlds", beliefs.worlds)?;
        found.set_item("values", values)?;
        Ok(found)
    }
}
