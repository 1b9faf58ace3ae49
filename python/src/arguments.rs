//! Converts and validates arguments: integers, seats, actions, outcomes, params. Error messages say what would
//! be valid.

use houserule::game::{ActionId, Seat};
use houserule::notation::record::find_outcome;
use houserule::observe::Dtype;
use houserule::playtest::{Precision, RunBudget};
use houserule::variants::Setting;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyString};

use crate::names::{legal_text, outcomes_text};

/// Maximum number of environments that are made together.
const MOST_ENVS: u64 = 1_000_000;

/// Maximum number of threads of a run or of environments.
const MOST_THREADS: u64 = 1024;

/// Returns a Python or numpy integer. A bool isn't one.
fn integer<'py>(value: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    if value.is_instance_of::<PyBool>() {
        return None;
    }
    if value.is_instance_of::<PyInt>() {
        return Some(value.clone());
    }
    value.call_method0("__index__").ok()
}

/// Formats a value for an error message.
fn shown(value: &Bound<'_, PyAny>) -> String {
    // Python refuses to format integers of thousands of digits.
    value.str().map_or_else(|_| "an integer of thousands of digits".to_owned(), |text| text.to_string())
}

fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "another type".to_owned(), |name| name.to_string())
}

/// Returns the budget of a run: its time, and half the widths of intervals by metric.
pub(crate) fn budget(seconds: Option<f64>, precision: Vec<(String, f64)>) -> PyResult<RunBudget> {
    if let Some(seconds) = seconds.filter(|seconds| !(seconds.is_finite() && *seconds > 0.0)) {
        return Err(PyValueError::new_err(format!("seconds={seconds} must be more than 0")));
    }
    let one = |(metric, half_width): (String, f64)| match half_width.is_finite() && half_width > 0.0 {
        true => Ok(Precision { metric, half_width }),
        false => Err(PyValueError::new_err(format!(
            "precision={{{metric:?}: {half_width}}}: half the width of an interval must be more than 0"
        ))),
    };
    let precision = precision.into_iter().map(one).collect::<PyResult<_>>()?;
    Ok(RunBudget { seconds, precision, ..RunBudget::default() })
}

/// Returns an integer in `0..=most`.
pub(crate) fn whole(value: &Bound<'_, PyAny>, what: &str, most: u64) -> PyResult<u64> {
    let Some(number) = integer(value) else {
        return Err(PyTypeError::new_err(format!("{what} must be an integer, not {}", type_name(value))));
    };
    match number.extract::<u64>() {
        Ok(number) if number <= most => Ok(number),
        _ => Err(PyValueError::new_err(format!(
            "{what} must be a number from 0 to {most}, not {}",
            shown(value)
        ))),
    }
}

/// Returns the argument `seed`. Functions take it so that their errors name it.
pub(crate) fn seed_number(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole(value, "seed", u64::MAX)
}

/// Returns the argument `first`, the index of a game.
pub(crate) fn first_index(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole(value, "first", u64::MAX)
}

/// Returns the seeds of environments, each of which may be missing; none at all if there is no list.
pub(crate) fn seed_numbers(value: &Bound<'_, PyAny>) -> PyResult<Vec<Option<u64>>> {
    if value.is_none() {
        return Ok(vec![]);
    }
    let one = |seed: PyResult<Bound<'_, PyAny>>| {
        let seed = seed?;
        if seed.is_none() { Ok(None) } else { seed_number(&seed).map(Some) }
    };
    value.try_iter()?.map(one).collect()
}

/// Returns an integer in `1..=most`.
pub(crate) fn count(value: &Bound<'_, PyAny>, what: &str, most: u64) -> PyResult<u64> {
    match whole(value, what, most) {
        Ok(0) => Err(PyValueError::new_err(format!("{what} must be a number from 1 to {most}, not 0"))),
        Err(error) if error.is_instance_of::<PyValueError>(value.py()) => Err(PyValueError::new_err(
            format!("{what} must be a number from 1 to {most}, not {}", shown(value)),
        )),
        found => found,
    }
}

/// Returns the argument `num_envs`, a number of environments.
pub(crate) fn env_count(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(count(value, "num_envs", MOST_ENVS)? as usize)
}

/// Returns the argument `threads`.
pub(crate) fn thread_count(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(count(value, "threads", MOST_THREADS)? as usize)
}

/// Returns the number of players, if given.
pub(crate) fn players(value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<u32>> {
    let number = |value: &Bound<'_, PyAny>| whole(value, "the number of players", u32::MAX.into());
    value.map(|value| Ok(number(value)? as u32)).transpose()
}

/// Returns the given seed, or a random one.
pub(crate) fn seed(value: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
    use std::hash::{BuildHasher, Hasher, RandomState};
    /// Exclusive maximum of random seeds: every JSON reader can represent them exactly.
    const SEEDS: u64 = 1 << 53;
    match value {
        Some(value) => whole(value, "the seed", u64::MAX),
        None => Ok(RandomState::new().build_hasher().finish() % SEEDS),
    }
}

/// Returns a seat, counted from 0.
pub(crate) fn seat(value: &Bound<'_, PyAny>, game: &houserule::game::Game) -> PyResult<Seat> {
    Ok(Seat(whole(value, "the player", u64::from(game.players()) - 1)? as u32))
}

/// Returns an action, given its number.
pub(crate) fn action_number(value: &Bound<'_, PyAny>, game: &houserule::game::Game) -> PyResult<ActionId> {
    let Some(most) = game.actions().checked_sub(1) else {
        return Err(PyValueError::new_err("the game has no actions"));
    };
    Ok(ActionId(whole(value, "an action", most.into())? as u32))
}

/// Returns an action, given its number or its name. Doesn't check whether it is legal in the state.
pub(crate) fn action(value: &Bound<'_, PyAny>, state: &houserule::game::State) -> PyResult<ActionId> {
    let game = state.game();
    if let Ok(name) = value.cast::<PyString>() {
        let name = name.to_string_lossy();
        return game.parse_action(&name).ok_or_else(|| {
            PyValueError::new_err(format!("no action is called `{name}`{}", legal_text(state, Some(&name))))
        });
    }
    if integer(value).is_none() {
        return Err(PyTypeError::new_err(format!(
            "an action must be a number or a name, not {}",
            type_name(value)
        )));
    }
    action_number(value, game).map_err(|error| match state.legal_count() {
        0 => error,
        _ => PyValueError::new_err(format!("{}{}", error.value(value.py()), legal_text(state, None))),
    })
}

/// Returns an outcome of the pending chance event, given its number, its text or, for a roll, the faces.
pub(crate) fn outcome(value: &Bound<'_, PyAny>, state: &houserule::game::State) -> PyResult<u64> {
    if let Ok(text) = value.cast::<PyString>() {
        let text = text.to_string_lossy();
        return find_outcome(state, &text).map_err(|_| {
            PyValueError::new_err(format!(
                "`{text}` is not a possible outcome here{}",
                outcomes_text(state, Some(&text))
            ))
        });
    }
    if let (Some((dice, faces)), Ok(shown)) = (state.pending_dice(), value.extract::<Vec<u64>>()) {
        return state.outcome_of_faces(&shown).ok_or_else(|| {
            PyValueError::new_err(format!(
                "{shown:?} is not a possible roll: {dice} dice with faces from 1 to {faces} are rolled"
            ))
        });
    }
    let outcomes = state.chance_outcomes();
    let Some(most) = outcomes.checked_sub(1) else {
        // `apply_outcome` raises the error.
        return Ok(0);
    };
    whole(value, "an outcome", most)
}

/// Returns params from a dict and from keywords. Keywords take precedence.
pub(crate) fn settings(
    params: Option<&Bound<'_, PyDict>>,
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<Setting>> {
    let mut all = vec![];
    for dict in [params, keywords].into_iter().flatten() {
        for (name, value) in dict {
            let name = name.extract::<String>().map_err(|_| {
                PyTypeError::new_err(format!(
                    "the name of a param must be a string, not {}",
                    type_name(&name)
                ))
            })?;
            add_settings(&mut all, name, &value, 0)?;
        }
    }
    Ok(all)
}

/// Adds a value as rule files write it, or each entry of a table.
fn add_settings(all: &mut Vec<Setting>, name: String, value: &Bound<'_, PyAny>, depth: u32) -> PyResult<()> {
    let text = if let Ok(table) = value.cast::<PyDict>()
        && depth == 0
    {
        for (key, value) in table {
            add_settings(all, format!("{name}.{}", key.str()?), &value, depth + 1)?;
        }
        return Ok(());
    } else if let Ok(truth) = value.extract::<bool>() {
        // Numpy's truth values too.
        truth.to_string()
    } else if value.is_instance_of::<PyString>() {
        value.extract::<String>()?
    } else if let Some(number) = integer(value) {
        shown(&number)
    } else {
        return Err(PyTypeError::new_err(format!(
            "param `{name}` must be an integer, a bool, a string or a dict of these, not {}",
            type_name(value)
        )));
    };
    all.push(Setting::new(name, text));
    Ok(())
}

/// Returns the value of a keyword, or raises an error that lists the keywords.
pub(crate) fn one_of<T: Copy>(what: &str, given: &str, words: &[(&str, T)]) -> PyResult<T> {
    let found = words.iter().find(|(word, _)| *word == given);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let words: Vec<String> = words.iter().map(|(word, _)| format!("\"{word}\"")).collect();
        PyValueError::new_err(format!("{what} must be one of {}, not \"{given}\"", words.join(", ")))
    })
}

/// Returns a dtype of observations, given its name, a numpy dtype or a scalar type such as ``numpy.uint8``.
pub(crate) fn dtype_of(given: &Bound<'_, PyAny>) -> PyResult<Dtype> {
    let words = Dtype::ALL.map(|dtype| (dtype.name(), dtype));
    if given.is_instance_of::<PyString>() {
        return one_of("dtype", &given.extract::<String>()?, &words);
    }
    let named = given
        .py()
        .import("numpy")?
        .call_method1("dtype", (given,))
        .and_then(|dtype| dtype.getattr("name")?.extract::<String>());
    match (given.is_none(), named) {
        (false, Ok(name)) => one_of("dtype", &name, &words),
        _ => Err(PyTypeError::new_err(format!(
            "dtype must be the name of a dtype, a numpy dtype or a scalar type such as numpy.uint8, not {}",
            type_name(given)
        ))),
    }
}
