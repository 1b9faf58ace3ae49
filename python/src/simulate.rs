//! Simulation of many games: the statistics and the tables.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use houserule::notation::record::Record;
use houserule::playtest::{
    Frames, GameRows, Keep, Reopen, Report, RunMonitor, SimulateError, SimulationPlan, reopen, simulate_kept,
};
use pyo3::exceptions::{PyIndexError, PyRuntimeError};
use pyo3::prelude::*;

use crate::agents::{Raised, SeatPlayerList};
use crate::errors::agent_error;
use crate::figures::Figures;
use crate::game::Game;
use crate::state::{State, game_error};
use crate::tables::{ArrowTable, wrong};
use crate::watched::{Watched, interruptible};

/// Maximum number of games whose rows are kept if they are slow to replay. Others are replayed when needed.
const KEPT: u64 = 1 << 20;

/// A finished run of games.
#[pyclass(frozen, module = "houserule._native", name = "Run")]
pub(crate) struct SimulationRun {
    game: houserule::game::Game,
    plan: SimulationPlan,
    players: SeatPlayerList,
    report: Report,
    rows: Mutex<Option<Arc<GameRows>>>,
    record: bool,
}

/// Plays many games.
#[pyfunction]
#[pyo3(signature = (game, agents, *, games, first, seed, threads, match_play, record, progress=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn simulate(
    py: Python<'_>,
    game: &Game,
    agents: Vec<(String, Bound<'_, PyAny>)>,
    games: u64,
    first: u64,
    seed: u64,
    threads: usize,
    match_play: bool,
    record: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<SimulationRun> {
    let game = game.inner.clone();
    let players = SeatPlayerList::new(agents)?;
    players.warn(py, &game)?;
    let threads = if players.any_python() { 1 } else { threads };
    let plan = SimulationPlan { games, first, seed, threads, agents: players.kinds.clone(), match_play };
    let slow = match_play || players.kinds.iter().any(|kind| *kind != houserule::agents::AgentKind::Random);
    let python = players.any_python();
    let keep = Keep {
        rows: python || record || (slow && games <= KEPT),
        decisions: python || record,
        ..Keep::default()
    };
    let (report, rows) = play(py, &game, &plan, &players, keep, progress)?;
    let rows = Mutex::new(keep.rows.then(|| Arc::new(rows)));
    Ok(SimulationRun { game, plan, players, report, rows, record })
}

/// Plays a plan: with callables on this thread, otherwise detached from the interpreter.
fn play(
    py: Python<'_>,
    game: &houserule::game::Game,
    plan: &SimulationPlan,
    players: &SeatPlayerList,
    keep: Keep,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Report, GameRows)> {
    let watched = Watched::default();
    let done = |done: u64| watched.done.store(done, Ordering::Relaxed);
    let found = if players.any_python() {
        let raised = Raised::default();
        let seats = players.seats(py, game, &raised)?;
        let told = |now: u64| {
            done(now);
            Python::attach(|py| {
                if let Err(error) = watched.look(py, progress.as_ref()) {
                    raised.keep(error);
                }
            });
        };
        let watch = RunMonitor { progress: &told, stop: &raised.stop };
        raised.during(py, || simulate_kept(game, plan, Some(seats), &watch, keep, None))?
    } else {
        watched.run(py, progress.as_ref(), || {
            let watch = RunMonitor { progress: &done, stop: &watched.stop };
            simulate_kept(game, plan, None, &watch, keep, None)
        })?
    };
    found.map_err(|error| simulate_error(py, &error))
}

/// Converts the error of a simulation.
pub(crate) fn simulate_error(py: Python<'_>, error: &SimulateError) -> PyErr {
    match error {
        SimulateError::Agent(error) => agent_error(py, error),
        error => wrong(error.to_string()),
    }
}

#[pymethods]
impl SimulationRun {
    /// The statistics of the run.
    #[getter]
    fn figures(&self) -> Figures {
        Figures::new(self.game.clone(), self.report.clone())
    }

    /// Returns the tables of the games and of their seats. Games of which no rows were kept are played again.
    #[pyo3(signature = (progress=None))]
    fn tables(&self, py: Python<'_>, progress: Option<Py<PyAny>>) -> PyResult<(ArrowTable, ArrowTable)> {
        let kept = self.rows.lock().unwrap_or_else(|e| e.into_inner()).clone();
        let rows = match kept {
            Some(rows) => rows,
            None => {
                let keep = Keep { rows: true, ..Keep::default() };
                Arc::new(play(py, &self.game, &self.plan, &self.players, keep, progress)?.1)
            }
        };
        let Frames { games, seats } = Watched::default()
            .run(py, None, || rows.frames(&self.game, &self.plan, &self.players_by_seat()))?;
        Ok((ArrowTable::new(games)?, ArrowTable::new(seats)?))
    }

    /// Returns the table of the decisions, or ``None`` if they weren't recorded.
    fn decisions(&self, py: Python<'_>) -> PyResult<Option<ArrowTable>> {
        let kept = self.rows.lock().unwrap_or_else(|e| e.into_inner()).clone();
        let Some(rows) = kept.filter(|_| self.record) else { return Ok(None) };
        Watched::default()
            .run(py, None, || rows.decision_frame(&self.game, &self.plan))
            .and_then(ArrowTable::new)
            .map(Some)
    }

    /// Returns the final state of a game of the run, with its history.
    fn reopen(&self, py: Python<'_>, index: u64) -> PyResult<State> {
        let kept = self.rows.lock().unwrap_or_else(|e| e.into_inner()).clone();
        let first = self.plan.first;
        let number = match self.plan.match_play {
            true => houserule::matches::Match::number_of(&self.game, index),
            false => Some(index),
        };
        let of_run = first..first.saturating_add(self.plan.games);
        let missing = || {
            PyIndexError::new_err(format!(
                "the run has no game {index}; the table `.games` lists the indices of the finished ones"
            ))
        };
        if !number.is_some_and(|number| of_run.contains(&number)) {
            return Err(missing());
        }
        let taken = kept.filter(|rows| !rows.decisions.is_empty());
        let found = match taken {
            Some(rows) => interruptible(py, || {
                let taken = |index: u64| {
                    let from = rows.decisions.partition_point(|one| one.index < index);
                    let of_game = rows.decisions[from..].iter().take_while(|one| one.index == index);
                    of_game.map(|one| one.action).collect()
                };
                reopen(&self.game, &self.plan, index, Reopen::Taken(&taken))
            })?,
            None if self.players.any_python() => None,
            None => {
                let mut seats = self.players.seats(py, &self.game, &Raised::default())?;
                interruptible(py, || {
                    reopen(&self.game, &self.plan, index, Reopen::Agents(&mut seats.agents))
                })?
            }
        };
        found.map(|(state, _)| State::new(state)).ok_or_else(missing)
    }

    /// Returns the record of a game of the run, as JSON.
    fn record(&self, py: Python<'_>, index: u64) -> PyResult<String> {
        let state = self.reopen(py, index)?.inner;
        let mut record =
            Record::of(&state).map_err(|error| game_error(py, &error, State::new(state.clone())))?;
        record.agents = self.players_by_seat();
        serde_json::to_string(&record).map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }
}

impl SimulationRun {
    fn players_by_seat(&self) -> Vec<String> {
        match self.players.names.as_slice() {
            [one] => vec![one.clone(); self.game.players() as usize],
            many => many.to_vec(),
        }
    }
}

/// Parses a number of games: ``"100_000"``, ``"1e5"``, ``"100k"``.
#[pyfunction]
pub(crate) fn parse_count(text: &str) -> PyResult<u64> {
    houserule::numbers::parse_count(text).map_err(|error| wrong(format!("games={text:?}: {error}")))
}

/// Returns half the width of the 95 % interval of a mean of ``n`` numbers, in standard errors.
#[pyfunction]
pub(crate) fn student(n: u64) -> Option<f64> {
    houserule::statistics::student(n)
}

/// Returns the 95 % confidence interval of a proportion of ``n`` games.
#[pyfunction]
pub(crate) fn share_interval(share: f64, n: u64) -> Option<(f64, f64)> {
    houserule::statistics::share_interval(share, n)
}
