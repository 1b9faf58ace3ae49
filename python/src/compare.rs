//! Comparison of two games with the same random numbers.

use std::sync::atomic::Ordering;

use houserule::playtest::{ComparePlan, CompareProgress, compare_in_parts};
use houserule::report::comparison_text;
use houserule::study::{AnswerPlan, compare_by_best, compare_within};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::agents::SeatPlayerList;
use crate::arguments::{budget, seed_number};
use crate::game::PyGame;
use crate::parts::{PyParts, whole, with_parts};
use crate::simulate::simulate_error;
use crate::tables::wrong;
use crate::watched::Watched;

/// Plays two games with the same seeds. Returns the comparison as JSON, as text, and a note on how to read it.
/// Calls ``progress`` with the number of pairs played. ``None`` if ``parts`` doesn't want the whole. Without agents, the best
/// that the time allows play, those of a ``quick`` comparison with little time.
#[pyfunction]
#[pyo3(signature = (
    a, b, agents, *, games, seed, threads, match_play, quick=false, progress=None, parts=None, seconds=None, precision=vec![]
))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn compare(
    py: Python<'_>,
    a: &PyGame,
    b: &PyGame,
    agents: SeatPlayerList,
    games: Option<u64>,
    #[pyo3(from_py_with = seed_number)] seed: u64,
    threads: usize,
    match_play: bool,
    quick: bool,
    progress: Option<Py<PyAny>>,
    parts: Option<Py<PyParts>>,
    seconds: Option<f64>,
    precision: Vec<(String, f64)>,
) -> PyResult<Option<(String, String, String)>> {
    for game in [a, b] {
        agents.warn(py, &game.inner)?;
    }
    if agents.any_python() {
        return Err(wrong(
            "`compare` takes agents by name and players, not callables; `evaluate` takes callables too",
        ));
    }
    let plan = ComparePlan {
        games,
        first: 0,
        seeds: [seed; 2],
        threads: agents.threads(threads, games.unwrap_or(u64::MAX)),
        agents: agents.distinct(),
        match_play,
        keep_partial: false,
    };
    let budget = budget(seconds, precision)?;
    let watched = Watched::default();
    let found = watched.run(py, progress.as_ref(), || {
        let told = |done| {
            if let CompareProgress::Pairs(done, _) = done {
                watched.done.store(done, Ordering::Relaxed);
            }
            true
        };
        let (a, b) = (&a.inner, &b.inner);
        match &parts {
            None if plan.agents.is_empty() => {
                let plan = AnswerPlan { compare: plan, budget, quick };
                compare_by_best([a, b], &plan, &|_| {}, &watched.stop).map(|answer| Some(answer.found))
            }
            None => compare_within(a, b, &plan, &budget, &told, &watched.stop).map(|study| Some(study.found)),
            Some(wanted) => with_parts(Some(wanted), |parts| {
                whole(compare_in_parts(a, b, &plan, &told, &watched.stop, parts, ""), parts)
            }),
        }
    });
    let found = agents.checked(found)?;
    let Some(found) = found.map_err(|error| simulate_error(py, &error))? else { return Ok(None) };
    let json = serde_json::to_string(&found).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    Ok(Some((json, comparison_text(&found), found.note())))
}
