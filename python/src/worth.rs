//! What each rule of a game is worth.

use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use houserule::agents::AgentKind;
use houserule::game::Game;
use houserule::interrupt::Interrupt;
use houserule::learned::can_learn;
use houserule::playtest::{SimulateError, answer_seconds};
use houserule::report::worth_text;
use houserule::study::{
    Removal, StudyEnd, WorthError, WorthPlan, WorthProgress, remove_rules, worth_in_parts, worth_in_time,
    worth_within,
};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::agents::SeatPlayerList;
use crate::arguments::{budget, seed_number};
use crate::game::PyGame;
use crate::parts::{PyParts, with_parts};
use crate::simulate::simulate_error;
use crate::tables::wrong;
use crate::watched::Watched;

/// Number of steps of the progress.
const STEPS: f64 = 1000.0;

/// Removes each rule of a game in turn. Returns the result as JSON, as text, and a note on how to read it. Without
/// agents, random and greedy play, and with `learns` a player that learns the game; without `learns`, games, a time, a
/// precision and parts, in a few seconds. Calls ``progress`` with the number
/// of steps done, of 1000. Returns ``None`` if ``parts`` doesn't want the whole.
#[pyfunction]
#[pyo3(signature = (game, agents, *, games, seed, threads, learns, only, progress=None, parts=None, seconds=None, precision=vec![]))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn worth(
    py: Python<'_>,
    game: &PyGame,
    agents: SeatPlayerList,
    games: Option<u64>,
    #[pyo3(from_py_with = seed_number)] seed: u64,
    threads: usize,
    learns: bool,
    only: Vec<String>,
    progress: Option<Py<PyAny>>,
    parts: Option<Py<PyParts>>,
    seconds: Option<f64>,
    precision: Vec<(String, f64)>,
) -> PyResult<Option<(String, String, String)>> {
    agents.warn(py, &game.inner)?;
    if agents.any_python() {
        return Err(wrong("`worth` takes agents by name and players, not callables"));
    }
    let mut kinds = agents.distinct();
    if kinds.is_empty() {
        kinds = vec![AgentKind::Random, AgentKind::Greedy];
        if learns && can_learn(&game.inner).is_ok() {
            kinds.push(AgentKind::Learned(None));
        }
    }
    let budget = budget(seconds, precision)?;
    let threads = agents.threads(threads, games.unwrap_or(u64::MAX));
    // Who says how many games, or how long, gets them.
    let is_soon = !learns && games.is_none() && !budget.is_bounded();
    let plan = WorthPlan { games, seed, threads, agents: kinds, only };
    let watched = Watched::default();
    let found = watched.run(py, progress.as_ref(), || {
        let told = |now| {
            if let WorthProgress::Share(share) = now {
                watched.done.store((share * STEPS) as u64, Ordering::Relaxed);
            }
            true
        };
        let Some(wanted) = &parts else {
            if is_soon {
                let seconds = answer_seconds(true);
                return worth_in_time(&game.inner, &plan, seconds, &told, &watched.stop).map(Some);
            }
            let found = worth_within(&game.inner, &plan, &budget, &told, &watched.stop)?;
            return match found.end {
                StudyEnd::TooShort => Err(WorthError::Simulate(SimulateError::NoTime)),
                _ => Ok(Some(found.found)),
            };
        };
        let removals = removals(&game.inner, &plan, &told, &watched.stop)?;
        with_parts(Some(wanted), |parts| {
            let found = worth_in_parts(&game.inner, &plan, removals, &told, &watched.stop, parts);
            match found {
                Err(WorthError::Simulate(SimulateError::Stopped)) if !parts.is_whole() => Ok(None),
                found => found.map(Some),
            }
        })
    });
    let found = agents.checked(found)?;
    let Some(found) = found.map_err(|error| match error {
        WorthError::Rules(message) => wrong(message),
        WorthError::Simulate(error) => simulate_error(py, &error),
    })?
    else {
        return Ok(None);
    };
    let json = serde_json::to_string(&found).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    Ok(Some((json, worth_text(&found), found.note())))
}

/// The rules removed last, with the game and the names of the rules: each part of a work needs them.
static REMOVED: Mutex<Option<(String, Vec<Removal>)>> = Mutex::new(None);

/// Returns the rules of a game, removed one by one.
fn removals(
    game: &Game,
    plan: &WorthPlan,
    told: &(dyn Fn(WorthProgress) -> bool + Sync),
    stop: &Interrupt,
) -> Result<Vec<Removal>, WorthError> {
    let key = format!("{:?} {:?}", game.sheet().origin, plan.only);
    let lock = || REMOVED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((known, removals)) = &*lock()
        && *known == key
    {
        return Ok(removals.clone());
    }
    let removals = remove_rules(game, plan, told, stop)?;
    *lock() = Some((key, removals.clone()));
    Ok(removals)
}
