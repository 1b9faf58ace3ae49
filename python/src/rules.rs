//! Rule sets: several games of one environment, and how they are chosen.

use std::sync::Arc;

use houserule::envs::{RuleChoice, RuleFunction, RuleOptions};
use houserule::loader;
use houserule::variants::Origin;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::arguments::{players as some_players, settings as all_settings};
use crate::errors::load_error_of;
use crate::game::PyGame;
use crate::loading::parts;
use crate::watched::{Raised, interruptible};

/// One rule set: a game, a variant on top of it, the number of players, and params by name.
type RuleRequest<'py> =
    (Bound<'py, PyAny>, Option<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>, Bound<'py, PyDict>);

/// Loads many games at once, over threads. An error names the rule set by its index and settings.
#[pyfunction]
pub(crate) fn load_all(
    py: Python<'_>,
    requests: Vec<RuleRequest<'_>>,
    threads: usize,
) -> PyResult<Vec<PyGame>> {
    houserule::native::choice().map_err(PyValueError::new_err)?;
    let origin = |(game, variant, players, settings): &RuleRequest<'_>| {
        let mut origin = match game.cast::<PyGame>() {
            Ok(game) => game.get().inner.sheet().origin.clone(),
            Err(_) => Origin { parts: parts(game)?, ..Origin::default() },
        };
        if let Some(variant) = variant {
            origin.parts.extend(parts(variant)?);
        }
        Ok(origin.with(&all_settings(None, Some(settings))?, some_players(players.as_ref())?))
    };
    let origins: Vec<Origin> = requests.iter().map(origin).collect::<PyResult<_>>()?;
    let games = interruptible(py, || loader::load_all(&origins, threads))?;
    let games = games.map_err(|wrong| {
        let origin = &origins[wrong.index];
        let names: Vec<&str> = origin.parts.iter().map(|part| part.name()).collect();
        let set = origin.settings.iter().map(|setting| format!(", {}={}", setting.name, setting.value));
        let text = format!("rule set {} ({}{})", wrong.index, names.join(" + "), set.collect::<String>());
        load_error_of(py, &wrong.error, &text)
    })?;
    Ok(games.into_iter().map(PyGame::from_game).collect())
}

/// Parses a dict with `games`, `choice` (weights, a callable, or `None` for slices) and `show`.
pub(crate) fn rule_options(given: &Bound<'_, PyAny>, raised: &Raised) -> PyResult<RuleOptions> {
    let games: Vec<PyRef<'_, PyGame>> = given.get_item("games")?.extract()?;
    let choice = given.get_item("choice")?;
    let choice = if choice.is_none() {
        RuleChoice::Slices
    } else if let Ok(weights) = choice.cast::<PyList>() {
        RuleChoice::Weights(weights.extract()?)
    } else {
        RuleChoice::Function(function(choice.unbind(), raised.clone()))
    };
    let games = games.iter().map(|game| game.inner.clone()).collect();
    Ok(RuleOptions { games, choice, show: given.get_item("show")?.extract()? })
}

/// Returns a function that calls a Python callable with the seed, the index of the episode and the environment.
fn function(callable: Py<PyAny>, raised: Raised) -> RuleFunction {
    Arc::new(move |seed, index, env| {
        let chosen = Python::attach(|py| {
            let chosen = callable.call1(py, (seed, index, env))?;
            let bound = chosen.bind(py);
            bound.extract::<i64>().map_err(|_| {
                let kind = bound.get_type().name().map_or_else(|_| String::new(), |name| name.to_string());
                PyTypeError::new_err(format!("rule_choice must return the index of a rule set, not {kind}"))
            })
        });
        match chosen {
            // No list is that long.
            Ok(set) => Ok(usize::try_from(set).unwrap_or(usize::MAX)),
            Err(error) => {
                let text = error.to_string();
                raised.keep_error(error);
                Err(text)
            }
        }
    })
}
