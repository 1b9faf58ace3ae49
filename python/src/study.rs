//! Sweeps and tunings: several runs of a game with other settings.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use houserule::data_file::{DataFile, DataFormat};
use houserule::playtest::{RunMonitor, SimulateError, SimulationPlan};
use houserule::report::{sweep_chart, sweep_frame, sweep_text, tuning_text};
use houserule::study::setting::{Choices, Combination};
use houserule::study::sweep::{SweepError, SweepGame, SweepPlan};
use houserule::study::tune::{GAMES_OF_A_SETTING, TuneError, TunePlan, TuningTarget};
use houserule::study::{StudyEnd, sweep_within, tune_within};
use houserule::variants::Setting;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::agents::SeatPlayerList;
use crate::arguments::{budget, first_index, seed_number};
use crate::errors::load_error;
use crate::game::PyGame;
use crate::replay::file_error;
use crate::simulate::simulate_error;
use crate::tables::{ArrowTable, wrong};
use crate::watched::Watched;

/// Number of games of a combination without an argument that changes it.
const USUAL_GAMES: u64 = 10_000;

/// A combination: its variant, its params with their values as text, and its game.
type SweptGame = (String, Vec<(String, String)>, Py<PyGame>);

/// A sweep as JSON, as text, as SVG and as a table.
type SweepForms = (String, String, String, ArrowTable);

/// Plays games with other settings on the same seeds. Returns the sweep in several forms.
#[pyfunction]
#[pyo3(signature = (
    games, agents, *, count, first, seed, threads, match_play, base, metrics, progress=None, seconds=None,
    precision=vec![], output=None, overwrite=false
))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn sweep(
    py: Python<'_>,
    games: Vec<SweptGame>,
    agents: SeatPlayerList,
    count: Option<u64>,
    #[pyo3(from_py_with = first_index)] first: u64,
    #[pyo3(from_py_with = seed_number)] seed: u64,
    threads: usize,
    match_play: bool,
    base: usize,
    metrics: Vec<String>,
    progress: Option<Py<PyAny>>,
    seconds: Option<f64>,
    precision: Vec<(String, f64)>,
    output: Option<PathBuf>,
    overwrite: bool,
) -> PyResult<SweepForms> {
    if agents.any_python() {
        return Err(wrong(
            "differences, plots, `seconds` and `precision` of a sweep need agents by name and players, not callables",
        ));
    }
    let swept = |(variant, params, game): SweptGame| {
        let game = game.get().inner.clone();
        let settings = params.into_iter().map(|(name, value)| Setting::new(name, value)).collect();
        let players = Some(game.players());
        SweepGame { combination: Combination { variant, settings, players }, game }
    };
    let games: Vec<SweepGame> = games.into_iter().map(swept).collect();
    let budget = budget(seconds, precision)?;
    let games_of_each = count.unwrap_or(USUAL_GAMES);
    let each = SimulationPlan {
        games: games_of_each,
        first,
        seed,
        threads: agents.threads(threads, games_of_each),
        agents: agents.kinds.clone(),
        match_play,
    };
    let plan = SweepPlan { each, base };
    let watched = Watched::default();
    let found = watched.run(py, progress.as_ref(), || {
        let told = |done| watched.done.store(done, Ordering::Relaxed);
        sweep_within(&games, &plan, count, &budget, &RunMonitor { progress: &told, stop: &watched.stop })
    });
    let found = agents.checked(found)?;
    let found = found.map_err(|error| match error {
        SweepError::Simulate(error) => simulate_error(py, &error),
        error => wrong(error.to_string()),
    })?;
    if found.end == StudyEnd::TooShort {
        return Err(wrong(SimulateError::NoTime.to_string()));
    }
    let found = found.found;
    let text = sweep_text(&found, &metrics).map_err(wrong)?;
    if let Some(path) = output {
        let written = DataFormat::from_path(&path).map_or(Ok(()), |format| {
            let mut file = DataFile::create(&path, format, overwrite)?;
            file.write(&sweep_frame(&found))?;
            file.finish()
        });
        written.map_err(|error| file_error(&error))?;
    }
    let svg = sweep_chart(&found, &metrics).map_err(wrong)?.svg(true);
    Ok((json(&found)?, text, svg, ArrowTable::new(sweep_frame(&found))?))
}

/// Searches the values of params with which metrics most probably meet targets. No agents stand for the best player that is
/// found quickly. Returns the result as JSON and as text.
#[pyfunction]
#[pyo3(signature = (game, targets, vary, agents, *, games, seed, threads, progress=None, seconds=None, precision=vec![]))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn tune(
    py: Python<'_>,
    game: &PyGame,
    targets: Vec<String>,
    vary: Vec<(String, Vec<String>)>,
    agents: SeatPlayerList,
    games: Option<u64>,
    #[pyo3(from_py_with = seed_number)] seed: u64,
    threads: usize,
    progress: Option<Py<PyAny>>,
    seconds: Option<f64>,
    precision: Vec<(String, f64)>,
) -> PyResult<(String, String)> {
    let budget = budget(seconds, precision)?;
    if agents.any_python() {
        return Err(wrong("`tune` takes agents by name and players, not callables"));
    }
    let targets: Result<Vec<TuningTarget>, String> =
        targets.iter().map(|text| TuningTarget::parse(text)).collect();
    let usual = games.unwrap_or(GAMES_OF_A_SETTING);
    let plan = TunePlan {
        game: game.inner.sheet().origin.clone(),
        vary: vary.into_iter().map(|(name, values)| Choices { name, values }).collect(),
        targets: targets.map_err(wrong)?,
        agents: agents.kinds.clone(),
        games: usual,
        seed,
        threads: agents.threads(threads, usual),
    };
    let watched = Watched::default();
    let found = watched.run(py, progress.as_ref(), || {
        let told = |done| watched.done.store(done, Ordering::Relaxed);
        tune_within(&plan, games, &budget, &told, &watched.stop)
    });
    let found = agents.checked(found)?;
    let found = found.map_err(|error| match error {
        TuneError::Simulate(error) => simulate_error(py, &error),
        TuneError::Load(error) => load_error(py, &error),
        TuneError::Request(messages) => wrong(messages.join("\n")),
    })?;
    if found.end == StudyEnd::TooShort && seconds.is_some() {
        return Err(wrong(SimulateError::NoTime.to_string()));
    }
    Ok((json(&found.found)?, tuning_text(&found.found)))
}

fn json(found: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(found).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}
