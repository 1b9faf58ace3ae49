//! Simulation of many games: the statistics and the tables.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use houserule::data_file::{DataFile, DataFormat, RowFile};
use houserule::notation::record::Record;
use houserule::playtest::{
    Frames, GameRows, GameSinks, Keep, Reopen, Report, RunBudget, RunMonitor, SimulateError, SimulationPlan,
    reopen, simulate_within,
};
use pyo3::exceptions::{PyIndexError, PyRuntimeError};
use pyo3::prelude::*;

use crate::agents::SeatPlayerList;
use crate::arguments::{budget, first_index, seed_number};
use crate::errors::agent_error;
use crate::figures::Figures;
use crate::game::PyGame;
use crate::replay::file_error;
use crate::state::{PyState, game_error};
use crate::tables::{ArrowTable, wrong};
use crate::watched::{Raised, Watched, interruptible};

/// Number of games without an argument that changes it.
const USUAL_GAMES: u64 = 10_000;

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
#[pyo3(signature = (
    game, agents, *, games, first, seed, threads, match_play, record, progress=None, seconds=None, precision=vec![],
    rows=None, overwrite=false
))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn simulate(
    py: Python<'_>,
    game: &PyGame,
    agents: SeatPlayerList,
    games: Option<u64>,
    #[pyo3(from_py_with = first_index)] first: u64,
    #[pyo3(from_py_with = seed_number)] seed: u64,
    threads: usize,
    match_play: bool,
    record: bool,
    progress: Option<Py<PyAny>>,
    seconds: Option<f64>,
    precision: Vec<(String, f64)>,
    rows: Option<PathBuf>,
    overwrite: bool,
) -> PyResult<SimulationRun> {
    let budget = budget(seconds, precision)?;
    let games = budget.most_games(games, USUAL_GAMES);
    let game = game.inner.clone();
    agents.warn(py, &game)?;
    let threads = agents.threads(threads, games);
    let mut plan = SimulationPlan { games, first, seed, threads, agents: agents.kinds.clone(), match_play };
    let slow = match_play || agents.kinds.iter().any(|kind| *kind != houserule::agents::AgentKind::Random);
    // What Python decided isn't played again to be looked at.
    let python = agents.any_python() || agents.any_search();
    let keep = Keep {
        rows: rows.is_none() && (python || record || slow && (budget.is_bounded() || games <= KEPT)),
        decisions: python || record,
        ..Keep::default()
    };
    let mut file = match &rows {
        Some(path) => Some(row_file(path, overwrite, &game, &plan, &agents)?),
        None => None,
    };
    let (report, rows) = play(py, &game, &plan, &agents, &budget, keep, file.as_mut(), progress)?;
    if let Some(file) = file {
        py.detach(|| file.finish()).map_err(|error| file_error(&error))?;
    }
    plan.games = report.requested;
    let is_kept = keep.rows && (python || record || plan.games <= KEPT);
    let rows = Mutex::new(is_kept.then(|| Arc::new(rows)));
    Ok(SimulationRun { game, plan, players: agents, report, rows, record })
}

/// Begins the file of the rows.
fn row_file<'g>(
    path: &Path,
    overwrite: bool,
    game: &'g houserule::game::Game,
    plan: &'g SimulationPlan,
    players: &SeatPlayerList,
) -> PyResult<RowFile<'g>> {
    let Some(format) = DataFormat::from_path(path) else {
        return Err(wrong(format!("rows={path:?}: the ending must be .parquet or .csv")));
    };
    let file = DataFile::create(path, format, overwrite).map_err(|error| file_error(&error))?;
    Ok(RowFile::new(file, game, plan, by_seat(players, game)))
}

/// Returns the name of the agent of each seat.
fn by_seat(players: &SeatPlayerList, game: &houserule::game::Game) -> Vec<String> {
    match players.names.as_slice() {
        [one] => vec![one.clone(); game.players() as usize],
        many => many.to_vec(),
    }
}

/// Plays a plan: with callables on this thread, otherwise detached from the interpreter. The rows of the games go to
/// the file, if there is one.
#[allow(clippy::too_many_arguments)]
fn play(
    py: Python<'_>,
    game: &houserule::game::Game,
    plan: &SimulationPlan,
    players: &SeatPlayerList,
    budget: &RunBudget,
    keep: Keep,
    file: Option<&mut RowFile<'_>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Report, GameRows)> {
    let watched = Watched::default();
    let is_written = file.is_some();
    let mut file = file;
    let mut sink = |rows: GameRows| {
        // Its error is raised when it is finished.
        let _ = file.as_mut().map(|file| file.add(rows));
    };
    let sinks = GameSinks { records: None, rows: if is_written { Some(&mut sink) } else { None } };
    let done = |done: u64| watched.done.store(done, Ordering::Relaxed);
    let found = if players.any_python() {
        let raised = Raised::default();
        let seats = players.seats(py, game, &raised)?;
        let told = |now: u64| {
            done(now);
            Python::attach(|py| {
                if let Err(error) = watched.report_progress(py, progress.as_ref()) {
                    raised.keep(error);
                }
            });
        };
        let watch = RunMonitor { progress: &told, stop: &raised.stop };
        players.checked(
            raised.during(py, || simulate_within(game, plan, Some(seats), budget, &watch, keep, sinks)),
        )?
    } else {
        players.checked(watched.run(py, progress.as_ref(), || {
            let watch = RunMonitor { progress: &done, stop: &watched.stop };
            simulate_within(game, plan, None, budget, &watch, keep, sinks)
        }))?
    };
    found.map(|(report, rows, _)| (report, rows)).map_err(|error| simulate_error(py, &error))
}

/// Converts the error of a simulation.
pub(crate) fn simulate_error(py: Python<'_>, error: &SimulateError) -> PyErr {
    match error {
        SimulateError::Agent(error) => agent_error(py, error),
        // A signal is raised before, so it was the time.
        SimulateError::Stopped => wrong(SimulateError::NoTime.to_string()),
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

    /// The number of games that were played, or matches.
    #[getter]
    fn games(&self) -> u64 {
        self.plan.games
    }

    /// Returns the tables of the games and of their seats. Games of which no rows were kept are played again.
    #[pyo3(signature = (progress=None))]
    fn tables(&self, py: Python<'_>, progress: Option<Py<PyAny>>) -> PyResult<(ArrowTable, ArrowTable)> {
        let kept = self.rows.lock().unwrap_or_else(|e| e.into_inner()).clone();
        let rows = match kept {
            Some(rows) => rows,
            None => {
                let keep = Keep { rows: true, ..Keep::default() };
                Arc::new(
                    play(
                        py,
                        &self.game,
                        &self.plan,
                        &self.players,
                        &RunBudget::default(),
                        keep,
                        None,
                        progress,
                    )?
                    .1,
                )
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
    fn reopen(&self, py: Python<'_>, index: u64) -> PyResult<PyState> {
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
        found.map(|(state, _)| PyState::new(state)).ok_or_else(missing)
    }

    /// Returns the record of a game of the run, as JSON.
    fn record(&self, py: Python<'_>, index: u64) -> PyResult<String> {
        let state = self.reopen(py, index)?.inner;
        let mut record = Record::from_state(&state)
            .map_err(|error| game_error(py, &error, PyState::new(state.clone())))?;
        record.agents = self.players_by_seat();
        serde_json::to_string(&record).map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }
}

impl SimulationRun {
    fn players_by_seat(&self) -> Vec<String> {
        by_seat(&self.players, &self.game)
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
