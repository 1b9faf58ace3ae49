//! Exact odds of expressions and games.

use std::sync::atomic::Ordering;

use houserule::agents::AgentKind;
use houserule::playtest::RunMonitor;
use houserule::playtest::odds::{self, OddsError, OddsPlan, OddsQuantity, is_game_name, load_expression};
use houserule::report::odds_text;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::errors::load_error;
use crate::game::PyGame;
use crate::tables::wrong;
use crate::watched::Watched;

/// Returns whether a text is an expression rather than a name of a game.
#[pyfunction]
pub(crate) fn is_expression(text: &str) -> bool {
    !is_game_name(text)
}

/// Computes exact distributions of a game, or of an expression with dice. Returns them as JSON and as text. Calls
/// ``progress`` with the number of states found.
#[pyfunction]
#[pyo3(name = "odds", signature = (game, expression, *, of, agents, progress=None))]
pub(crate) fn exact_odds(
    py: Python<'_>,
    game: Option<&PyGame>,
    expression: Option<&str>,
    of: Option<&str>,
    agents: Vec<String>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, String)> {
    let game = match (game, expression) {
        (Some(game), _) => game.inner.clone(),
        (None, text) => {
            load_expression(text.unwrap_or_default()).map_err(|error| load_error(py, &error))?.game
        }
    };
    let kind = |name: &String| AgentKind::parse(name).map_err(|error| wrong(error.to_string()));
    let agents = agents.iter().map(kind).collect::<PyResult<Vec<_>>>()?;
    let of = of.map_or_else(|| OddsQuantity::usual(game.model()), OddsQuantity::named);
    let plan = OddsPlan { of, agents, questions: vec![] };
    let watched = Watched::default();
    let found = watched.run(py, progress.as_ref(), || {
        let told = |done: u64| watched.done.store(done, Ordering::Relaxed);
        odds::odds(&game, &plan, &RunMonitor { progress: &told, stop: &watched.stop })
    })?;
    let mut found = found.map_err(|error| match error {
        OddsError::Load(error) => load_error(py, &error),
        OddsError::Rules(_) => PyRuntimeError::new_err(error.to_string()),
        error => wrong(error.to_string()),
    })?;
    if let Some(text) = expression {
        found.name_expression(text);
    }
    let json = serde_json::to_string(&found).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    Ok((json, odds_text(&found)))
}
