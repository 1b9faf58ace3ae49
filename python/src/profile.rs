//! The profile of a game.

use houserule::game::Game;
use houserule::loader::load_origin;
use houserule::playtest::{ProfilePlan, profile};
use houserule::report::profile_text;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::errors::load_error;
use crate::watched::interruptible;

/// Plays the random games of a plan and returns where their time goes, as a `Profile`. The rules are loaded again: a game
/// doesn't keep where its names are declared.
pub(crate) fn profile_of<'py>(
    py: Python<'py>,
    game: &Game,
    plan: &ProfilePlan,
) -> PyResult<Bound<'py, PyAny>> {
    let found = interruptible(py, || load_origin(&game.sheet().origin).map(|loaded| profile(&loaded, plan)))?;
    let found = found.map_err(|error| load_error(py, &error))?;
    let json = serde_json::to_string(&found).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    py.import("houserule._profile")?.call_method1("Profile", (json, profile_text(&found)))
}
