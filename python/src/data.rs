//! Converts data of the engine to the classes of `houserule._data`.

use houserule::diagnostic::Diagnostic;
use houserule::draw;
use houserule::explain::ItemExplanation;
use houserule::game::values::{BoardNames, event_text};
use houserule::game::{Event, RuntimeError, Seat};
use houserule::hidden::{VisibleValue, variables_seen as variables_seen_by};
use houserule::model::{Param, ParamKind, ParamValue, PointsTable};
use houserule::observe::EntryKind;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyTuple, PyType};
use serde_json::Value as Json;

use crate::errors::diagnostic;

/// Creates an object of a class of `houserule._data`.
macro_rules! object {
    ($py:expr, $name:literal, $arguments:expr) => {{
        static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        CLASS.import($py, "houserule._data", $name)?.call1($arguments)
    }};
}

/// Converts JSON to Python values.
pub(crate) fn json<'py>(py: Python<'py>, value: &Json) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Json::Null => py.None().into_bound(py),
        Json::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Json::Number(number) => match number.as_i64() {
            Some(number) => number.into_pyobject(py)?.into_any(),
            None => number.as_f64().into_pyobject(py)?.into_any(),
        },
        Json::String(text) => text.into_pyobject(py)?.into_any(),
        Json::Array(values) => {
            let values: Vec<_> = values.iter().map(|value| json(py, value)).collect::<PyResult<_>>()?;
            PyList::new(py, values)?.into_any()
        }
        Json::Object(entries) => {
            let dict = PyDict::new(py);
            for (name, value) in entries {
                dict.set_item(name, json(py, value)?)?;
            }
            dict.into_any()
        }
    })
}

/// Returns the variables, pieces and zones of a state that a player sees.
pub(crate) fn variables_seen<'py>(
    py: Python<'py>,
    state: &houserule::game::State,
    seat: Seat,
) -> PyResult<Bound<'py, PyAny>> {
    let (seen, hidden) = (PyDict::new(py), PyList::empty(py));
    for (name, value) in variables_seen_by(state, seat) {
        match value {
            VisibleValue::All(value) => seen.set_item(name, json(py, &value)?)?,
            VisibleValue::Nothing => hidden.append(name)?,
            VisibleValue::BySeat(seats) => {
                let values = PyDict::new(py);
                let count = seats.len();
                for (of, value) in seats.iter().enumerate() {
                    if let Some(value) = value {
                        values.set_item(of, json(py, value)?)?;
                    }
                }
                seen.set_item(&name, object!(py, "BySeat", (&name, seat.0, values, count))?)?;
            }
        }
    }
    object!(py, "Variables", (seat.0, seen, hidden))
}

/// Returns the params of a game.
pub(crate) fn params<'py>(py: Python<'py>, game: &houserule::game::Game) -> PyResult<Bound<'py, PyAny>> {
    let all: Vec<_> =
        game.model().params.iter().map(|param| one_param(py, param)).collect::<PyResult<_>>()?;
    object!(py, "Params", (all,))
}

fn one_param<'py>(py: Python<'py>, param: &Param) -> PyResult<Bound<'py, PyAny>> {
    let (kind, range, words) = match &param.kind {
        ParamKind::Number { low, high } => ("number", Some((*low, *high)), None),
        ParamKind::Choice(words) => ("choice", None, Some(words.iter().map(|word| of_word(py, word)))),
        ParamKind::Bool => ("bool", None, None),
        ParamKind::Table => ("table", None, None),
    };
    let words = words.map(|words| PyTuple::new(py, words.collect::<PyResult<Vec<_>>>()?)).transpose()?;
    let value = param_value(py, &param.value)?;
    let default = param_value(py, &param.default)?;
    object!(py, "Param", (&param.name, value, default, kind, range, words, param.fixed, &param.help))
}

/// Converts a word of a param to a number if it is one, as in `8 | 4`.
fn of_word<'py>(py: Python<'py>, word: &str) -> PyResult<Bound<'py, PyAny>> {
    Ok(match word.parse::<i64>() {
        Ok(number) => number.into_pyobject(py)?.into_any(),
        Err(_) => word.into_pyobject(py)?.into_any(),
    })
}

fn param_value<'py>(py: Python<'py>, value: &ParamValue) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        ParamValue::Number(number) => number.into_pyobject(py)?.into_any(),
        ParamValue::Word(word) => of_word(py, word)?,
        ParamValue::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
        ParamValue::Table(PointsTable { entries, and_more }) => {
            let table = PyDict::new(py);
            for (key, value) in entries {
                table.set_item(key, value)?;
            }
            if let Some((key, value)) = and_more {
                table.set_item(format!("{key}+"), value)?;
            }
            table.into_any()
        }
    })
}

/// Returns the warnings about a game's rules.
pub(crate) fn warnings<'py>(
    py: Python<'py>,
    game: &houserule::game::Game,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let sheet = game.sheet();
    let told = |warning: &Diagnostic| diagnostic(py, warning, &sheet.sources);
    sheet.warnings.iter().map(told).collect()
}

/// Returns the entries of a game's observation.
pub(crate) fn observation_spec<'py>(
    py: Python<'py>,
    game: &houserule::game::Game,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let entry = |entry: houserule::observe::ObservationEntry| {
        let (kind, range) = match entry.kind {
            EntryKind::OneHot => ("one-hot", None),
            EntryKind::Bits => ("bits", None),
            EntryKind::Number { low, high } => ("number", Some((low, high))),
        };
        let shape = PyTuple::new(py, &entry.shape)?;
        object!(
            py,
            "ObservationEntry",
            (entry.name, entry.offset, entry.length, shape, kind, range, entry.help)
        )
    };
    game.observation_spec().into_iter().map(entry).collect()
}

/// Returns the differences between two games.
pub(crate) fn diff<'py>(
    py: Python<'py>,
    old: &houserule::game::Game,
    new: &houserule::game::Game,
) -> PyResult<Bound<'py, PyAny>> {
    let one = |difference: houserule::prose::diff::RuleDifference| {
        let text = difference.text();
        object!(py, "Difference", (difference.part, difference.old, difference.new, text))
    };
    let all: Vec<_> = houserule::prose::diff::diff(old, new).into_iter().map(one).collect::<PyResult<_>>()?;
    object!(py, "Diff", (all,))
}

/// Returns the bundled games.
pub(crate) fn games(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let one = |entry: houserule::loader::CatalogueEntry| {
        object!(py, "GameEntry", (entry.name, entry.title, entry.help, entry.of, entry.family))
    };
    let all: Vec<_> = houserule::loader::catalogue().into_iter().map(one).collect::<PyResult<_>>()?;
    object!(py, "Games", (all,))
}

/// Returns the history of a state.
pub(crate) fn history<'py>(
    py: Python<'py>,
    state: &houserule::game::State,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let one = |event: &Event| {
        let text = event_text(state.game(), event);
        let (player, action) = match event {
            Event::Action { player, action } => (Some(player.0), Some(action.0)),
            _ => (None, None),
        };
        object!(py, "Event", (text, player, action))
    };
    state.history().iter().map(one).collect()
}

/// Returns the outcome of a game, or `None` before it is over.
pub(crate) fn outcome<'py>(
    py: Python<'py>,
    state: &houserule::game::State,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(outcome) = state.outcome() else { return Ok(None) };
    let model = state.game().model();
    let end = model.end_name(outcome.end).to_owned();
    let won = outcome.winners.iter().enumerate().filter(|(_, won)| **won);
    let winners: Vec<usize> = won.map(|(seat, _)| seat).collect();
    let winners = PyTuple::new(py, winners)?;
    // A draw is between sides.
    let draw = model.sides().count_ones() > 1 && outcome.winners.iter().all(|won| *won);
    object!(py, "Outcome", (end, winners, draw)).map(Some)
}

/// Returns the explanation of some players' scores, as far as a viewer sees what they count. The inner error is a runtime error
/// of the rules.
pub(crate) fn explanation<'py>(
    py: Python<'py>,
    state: &houserule::game::State,
    players: &[Seat],
    viewer: Option<Seat>,
) -> PyResult<Result<Bound<'py, PyAny>, RuntimeError>> {
    let names = BoardNames::new(state.game());
    let part_name = |part: &houserule::explain::ScorePart| match part.element {
        Some((domain, element)) => names.element(domain, element).to_owned(),
        None => part.name.clone(),
    };
    let mut seats = vec![];
    for player in players {
        let items: Vec<_> = match state.explain_seen(*player, viewer.as_slice()) {
            Ok(items) => items.into_iter().flatten().collect(),
            Err(error) => return Ok(Err(error)),
        };
        let score = items.iter().map(|item| item.points).sum::<i64>();
        let text: String = items.iter().map(|item| draw::score::item_text_with(item, &part_name)).collect();
        let items: Vec<_> = items.iter().map(|item| score_item(py, item)).collect::<PyResult<_>>()?;
        let name = state.game().model().players.names.get(player.0 as usize).cloned();
        let items = PyTuple::new(py, items)?;
        seats.push(object!(py, "SeatScore", (player.0, name.unwrap_or_default(), score, items, text))?);
    }
    object!(py, "Explanation", (seats,)).map(Ok)
}

fn score_item<'py>(py: Python<'py>, item: &ItemExplanation) -> PyResult<Bound<'py, PyAny>> {
    let run = |run: &houserule::explain::CountedRun| {
        let sites = PyTuple::new(py, &run.sites)?;
        object!(py, "CountedRun", (&run.line, sites, &run.pieces, run.points))
    };
    let runs: Vec<_> = item.runs.iter().map(run).collect::<PyResult<_>>()?;
    let part = |part: &houserule::explain::ScorePart| object!(py, "ScorePart", (&part.name, part.points));
    let rest: Vec<_> = item.rest.iter().map(part).collect::<PyResult<_>>()?;
    object!(
        py,
        "ScoreItem",
        (&item.name, item.points, &item.help, PyTuple::new(py, runs)?, PyTuple::new(py, rest)?)
    )
}
