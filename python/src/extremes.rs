//! The extremes of a game.

use std::sync::atomic::Ordering;

use houserule::extremes::{
    self, ChanceRole, ExtremeQuantity, ExtremesBudget, ExtremesError, ExtremesPlan, USUAL,
};
use houserule::playtest::RunMonitor;
use houserule::report::extremes_text;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::arguments::seed_number;
use crate::game::PyGame;
use crate::tables::wrong;
use crate::watched::Watched;

/// Finds the extremes of a game. Returns them as JSON and as text. Calls ``progress`` with the number of positions
/// examined.
#[pyfunction]
#[pyo3(name = "extremes", signature = (game, *, of, chance, seconds, seed, progress=None))]
pub(crate) fn find_extremes(
    py: Python<'_>,
    game: &PyGame,
    of: Vec<String>,
    chance: &str,
    seconds: Option<f64>,
    #[pyo3(from_py_with = seed_number)] seed: u64,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, String)> {
    let quantity = |name: &String| {
        ExtremeQuantity::named(name).ok_or_else(|| {
            let all = ExtremeQuantity::ALL.map(ExtremeQuantity::name).join(", ");
            wrong(format!("of={name:?}: choose from {all}"))
        })
    };
    let of = of.iter().map(quantity).collect::<PyResult<Vec<_>>>()?;
    let chance = ChanceRole::named(chance)
        .ok_or_else(|| wrong(format!("chance={chance:?}: choose from friend, enemy")))?;
    let budget = match seconds {
        None => ExtremesBudget::Positions(USUAL),
        Some(seconds) if seconds.is_finite() && seconds > 0.0 => ExtremesBudget::Seconds(seconds),
        Some(seconds) => return Err(wrong(format!("seconds={seconds} must be more than 0"))),
    };
    let plan = ExtremesPlan { of, chance, budget, seed };
    let watched = Watched::default();
    let found = watched.run(py, progress.as_ref(), || {
        let told = |done: u64| watched.done.store(done, Ordering::Relaxed);
        extremes::extremes(&game.inner, &plan, &RunMonitor { progress: &told, stop: &watched.stop })
    })?;
    let found = found.map_err(|error| match error {
        ExtremesError::Lacks(_) | ExtremesError::LacksChance | ExtremesError::Repeated => {
            wrong(error.to_string())
        }
        ExtremesError::Rules(_) => PyRuntimeError::new_err(error.to_string()),
    })?;
    let json = serde_json::to_string(&found).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    Ok((json, extremes_text(&found)))
}
