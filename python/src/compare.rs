//! Comparison of two games with the same random numbers.

use std::sync::atomic::Ordering;

use houserule::playtest::{ComparePlan, CompareProgress, compare_watched};
use houserule::report::comparison_text;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::agents::SeatPlayerList;
use crate::game::Game;
use crate::simulate::simulate_error;
use crate::tables::wrong;
use crate::watched::Watched;

/// Plays two games with the same seeds. Returns the comparison as JSON, as text, and a note on how to read it.
/// Calls ``progress`` with the number of pairs played.
#[pyfunction]
#[pyo3(signature = (a, b, agents, *, games, seed, threads, match_play, progress=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn compare(
    py: Python<'_>,
    a: &Game,
    b: &Game,
    agents: Vec<(String, Bound<'_, PyAny>)>,
    games: Option<u64>,
    seed: u64,
    threads: usize,
    match_play: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, String, String)> {
    let players = SeatPlayerList::new(agents)?;
    for game in [a, b] {
        players.warn(py, &game.inner)?;
    }
    if players.any_python() {
        return Err(wrong(
            "`compare` takes agents by name and players, not callables; `evaluate` takes callables too",
        ));
    }
    let mut kinds = Vec::new();
    for kind in players.kinds {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let plan = ComparePlan {
        games,
        first: 0,
        seeds: [seed; 2],
        threads,
        agents: kinds,
        match_play,
        what_was_found: false,
    };
    let watched = Watched::default();
    let found = watched.run(py, progress.as_ref(), || {
        let told = |done| {
            if let CompareProgress::Pairs(done, _) = done {
                watched.done.store(done, Ordering::Relaxed);
            }
            true
        };
        compare_watched(&a.inner, &b.inner, &plan, &told, &watched.stop)
    })?;
    let found = found.map_err(|error| simulate_error(py, &error))?;
    let json = serde_json::to_string(&found).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    Ok((json, comparison_text(&found), found.note()))
}
