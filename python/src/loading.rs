//! Loads games from names, paths and texts.

use houserule::loader;
use houserule::variants::{Origin, StackPart};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use crate::arguments::{players as some_players, settings as all_settings};
use crate::data;
use crate::game::{PyGame, make};

/// Loads a bundled game by name, or a rule file by path.
///
/// Parameters
/// ----------
/// name : str or path
///     ``"dilido"``, ``"dilido + torus"``, ``"mine.rules"``, ``"mine.rules#Title"``.
/// players : int, optional
///     The number of players; by default the smallest that the rules allow.
/// params : dict, optional
///     Params by name. Keywords do the same: ``load("dilido", penalty_limit=5)``.
///
/// Raises
/// ------
/// RulesError
///     If the rules have errors.
/// ValueError
///     If there is no such game, param or value, or not for this number of players.
#[pyfunction]
#[pyo3(signature = (name, *, players=None, params=None, **settings))]
pub(crate) fn load(
    py: Python<'_>,
    name: &Bound<'_, PyAny>,
    players: Option<&Bound<'_, PyAny>>,
    params: Option<&Bound<'_, PyDict>>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyGame> {
    let (name, path) = match name.cast::<PyString>() {
        Ok(name) => (name.to_string_lossy().into_owned(), false),
        Err(_) => (path(name)?, true),
    };
    let origin = match path {
        // In a path, `+` isn't a separator.
        true => Origin { parts: vec![StackPart::Named(name)], ..Origin::default() },
        false => Origin { parts: loader::parts(&name), ..Origin::default() },
    };
    make(py, &origin.with(&all_settings(params, settings)?, some_players(players)?))
}

/// Returns the file name of an object with `__fspath__`.
fn path(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let wrong = || {
        let kind = value.get_type().name().map_or_else(|_| String::new(), |name| name.to_string());
        PyTypeError::new_err(format!("a game must be given by a string or a path, not {kind}"))
    };
    let path = value.call_method0("__fspath__").map_err(|_| wrong())?;
    let path: String = path.extract().map_err(|_| wrong())?;
    // Elsewhere a name without a slash and extension is a bundled game.
    Ok(if path.contains('/') || path.ends_with(".rules") { path } else { format!("./{path}") })
}

/// Creates a game from rule text.
///
/// Parameters
/// ----------
/// text : str
///     The rules: a game, or a variant of a bundled game or of a file.
/// name : str
///     The name in messages and records.
/// players, params
///     As in `load`.
///
/// Raises
/// ------
/// RulesError
///     If the rules have errors.
/// ValueError
///     If there is no such param or value, or the game isn't for this number of players.
#[pyfunction]
#[pyo3(signature = (text, *, name="text", players=None, params=None, **settings))]
pub(crate) fn parse(
    py: Python<'_>,
    text: String,
    name: &str,
    players: Option<&Bound<'_, PyAny>>,
    params: Option<&Bound<'_, PyDict>>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyGame> {
    let origin = Origin { parts: vec![StackPart::Text { name: name.to_owned(), text }], ..Origin::default() };
    make(py, &origin.with(&all_settings(params, settings)?, some_players(players)?))
}

/// Applies variants to a game, in order.
///
/// ``stack("dilido", "torus")`` is the same as ``load("dilido + torus")``. A text that contains a line break or
/// a brace is taken as rules.
///
/// Parameters
/// ----------
/// game : str or Game
///     The game to change. A `Game` keeps its params and number of players.
/// variants : str
///     Names, paths or rule texts of variants.
/// players, params
///     As in `load`.
///
/// Raises
/// ------
/// RulesError
///     If the rules have errors, or a variant doesn't fit the game.
/// ValueError
///     If there is no such game, variant, param or value.
#[pyfunction]
#[pyo3(signature = (game, *variants, players=None, params=None, **settings))]
pub(crate) fn stack(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    variants: &Bound<'_, PyTuple>,
    players: Option<&Bound<'_, PyAny>>,
    params: Option<&Bound<'_, PyDict>>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyGame> {
    let mut origin = match game.cast::<PyGame>() {
        Ok(game) => game.get().inner.sheet().origin.clone(),
        Err(_) => Origin { parts: parts(game)?, ..Origin::default() },
    };
    for variant in variants {
        origin.parts.extend(parts(&variant)?);
    }
    make(py, &origin.with(&all_settings(params, settings)?, some_players(players)?))
}

/// Returns the parts of a stack that a name, a path or a rule text stands for.
pub(crate) fn parts(value: &Bound<'_, PyAny>) -> PyResult<Vec<StackPart>> {
    let Ok(text) = value.cast::<PyString>() else { return Ok(vec![StackPart::Named(path(value)?)]) };
    let text = text.to_string_lossy().into_owned();
    Ok(match text.contains(['\n', '{']) {
        true => vec![StackPart::Text { name: "text".to_owned(), text }],
        false => loader::parts(&text),
    })
}

/// Returns the bundled games and variants.
#[pyfunction]
pub(crate) fn games(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    data::games(py)
}

/// The games unpickled most recently, so that states of the same game share it.
static UNPICKLED: std::sync::Mutex<Vec<(Vec<u8>, PyGame)>> = std::sync::Mutex::new(Vec::new());

/// Maximum number of games kept in [`UNPICKLED`].
const MOST_UNPICKLED: usize = 8;

/// Creates a game from its pickled form.
#[pyfunction]
pub(crate) fn _game(py: Python<'_>, origin: &Bound<'_, PyBytes>) -> PyResult<PyGame> {
    let bytes = origin.as_bytes();
    if let Ok(known) = UNPICKLED.lock()
        && let Some((_, game)) = known.iter().find(|(known, _)| known == bytes)
    {
        return Ok(game.clone());
    }
    let origin: Origin = serde_json::from_slice(bytes)
        .map_err(|error| PyValueError::new_err(format!("this is not a pickled game: {error}")))?;
    let game = make(py, &origin)?;
    if let Ok(mut known) = UNPICKLED.lock() {
        known.truncate(MOST_UNPICKLED - 1);
        known.insert(0, (bytes.to_vec(), game.clone()));
    }
    Ok(game)
}
