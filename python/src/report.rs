//! Reports on what the rules do to a game.

use std::sync::atomic::Ordering;

use houserule::analysis::{AnalysisPlan, AnalysisProgress, Pace, analyse_in_parts};
use houserule::report::{page_html, page_markdown, page_text};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::agents::SeatPlayerList;
use crate::arguments::{budget, seed_number};
use crate::game::PyGame;
use crate::parts::{PyParts, whole, with_parts};
use crate::simulate::simulate_error;
use crate::tables::wrong;
use crate::watched::Watched;

/// What ``progress`` gets for all of the work.
const WHOLE: f64 = 1000.0;

/// Plays the games of a report. Returns it as JSON, text, Markdown and HTML. Calls ``progress`` with the done part of
/// 1,000; ``agents`` has the strong agent, or nobody. Returns ``None`` if ``parts`` doesn't want the whole. ``pace`` has the seconds of a decision, a roll and counting.
#[pyfunction]
#[pyo3(signature = (game, agents, *, games, seed, threads, quick, pace, progress=None, parts=None, seconds=None, precision=vec![]))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn report(
    py: Python<'_>,
    game: &PyGame,
    mut agents: SeatPlayerList,
    games: Option<u64>,
    #[pyo3(from_py_with = seed_number)] seed: u64,
    threads: usize,
    quick: bool,
    pace: (f64, f64, f64),
    progress: Option<Py<PyAny>>,
    parts: Option<Py<PyParts>>,
    seconds: Option<f64>,
    precision: Vec<(String, f64)>,
) -> PyResult<Option<(String, String, String, String)>> {
    agents.warn(py, &game.inner)?;
    if agents.any_python() {
        return Err(wrong("`report` takes an agent by name or a player, not a callable"));
    }
    let agent = agents.kinds.pop();
    let budget = budget(seconds, precision)?;
    let (decision, roll, counting) = pace;
    let mut plan = AnalysisPlan {
        seed,
        threads: agents.threads(threads, games.unwrap_or(u64::MAX)),
        games,
        budget,
        agent,
        quick,
        most_seconds: None,
        pages: 1,
        pace: Pace { decision, roll, counting },
    };
    // The parts of other processes have no common time.
    plan.most_seconds = if parts.is_none() { plan.usual_seconds() } else { None };
    let watched = Watched::default();
    let found = watched.run(py, progress.as_ref(), || {
        let told = |at: AnalysisProgress| watched.done.store((at.share * WHOLE) as u64, Ordering::Relaxed);
        with_parts(parts.as_ref(), |parts| {
            whole(analyse_in_parts(&game.inner, &plan, &told, &watched.stop, parts), parts)
        })
    });
    let found = agents.checked(found)?;
    let Some(page) = found.map_err(|error| simulate_error(py, &error))? else { return Ok(None) };
    let json = serde_json::to_string(&page).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    Ok(Some((json, page_text(&page), page_markdown(&page), page_html(&game.inner, &page))))
}
