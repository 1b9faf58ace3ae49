//! The report of a run: its statistics, how they are shown, and how two reports are merged.

use houserule::playtest::{Report, summary};
use houserule::report::report_text;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::game::PyGame;
use crate::tables::{ArrowTable, wrong};

/// The pickled form: the game, the sums, and the first aborted game.
type FiguresPickle = (PyGame, String, Option<(u64, String)>);

/// The statistics of a run, without the games.
#[pyclass(frozen, module = "houserule._native")]
pub(crate) struct Figures {
    game: houserule::game::Game,
    report: Report,
    /// The index and the error of the first aborted game. A pickle contains no more of the error than this
    /// text.
    first_aborted: Option<(u64, String)>,
}

impl Figures {
    pub(crate) fn new(game: houserule::game::Game, report: Report) -> Figures {
        let first = report.first_aborted.as_ref();
        let first_aborted = first.map(|first| (first.index, first.error.to_string()));
        Figures { game, report, first_aborted }
    }
}

#[pymethods]
impl Figures {
    /// Pickles the statistics, see ``restored``.
    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, FiguresPickle)> {
        let saved = self.report.saved().map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let restored = py.get_type::<Figures>().getattr("restored")?.unbind();
        Ok((restored, (PyGame::from_game(self.game.clone()), saved, self.first_aborted.clone())))
    }

    /// Returns the statistics that were saved.
    #[staticmethod]
    fn restored(game: &PyGame, saved: &str, first_aborted: Option<(u64, String)>) -> PyResult<Figures> {
        let game = game.inner.clone();
        let report = Report::restored(&game, saved).ok_or_else(|| {
            PyValueError::new_err(
                "these results were pickled by another version of houserule: play the games again",
            )
        })?;
        Ok(Figures { game, report, first_aborted })
    }

    /// Returns the statistics of both runs together.
    fn merged(&self, other: &Figures) -> PyResult<Figures> {
        let report =
            self.report.merged(&other.report, &self.game).map_err(|error| wrong(error.to_string()))?;
        let both = self.first_aborted.iter().chain(&other.first_aborted);
        let first_aborted = both.min_by_key(|(index, _)| *index).cloned();
        Ok(Figures { game: self.game.clone(), report, first_aborted })
    }

    /// Returns the report as JSON, like that of ``houserule simulate --json``.
    fn report(&self) -> PyResult<String> {
        serde_json::to_string(&self.report).map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }

    /// Returns the report as the command prints it.
    fn text(&self) -> String {
        report_text(&self.game, &self.report)
    }

    /// Returns the names of the players, by seat.
    fn game_seats(&self) -> Vec<String> {
        self.game.model().players.names.clone()
    }

    /// Returns the name of each player's team, by seat; None for a player without one.
    fn seat_teams(&self) -> Vec<Option<String>> {
        let model = self.game.model();
        let team_of = |seat: u32| {
            model.teams.iter().find(|team| team.players.contains(seat)).map(|team| team.name.clone())
        };
        (0..self.game.players()).map(team_of).collect()
    }

    /// Returns the distribution of a count such as ``decisions``, as ``(number, games)``.
    fn lengths(&self, count: &str) -> Vec<(i64, u64)> {
        self.report.lengths(count)
    }

    /// The index and the error of the first aborted game.
    #[getter]
    fn first_aborted(&self) -> Option<(u64, String)> {
        self.first_aborted.clone()
    }

    /// Seconds in which games were played.
    #[getter]
    fn seconds(&self) -> f64 {
        self.report.seconds
    }

    /// Returns the means and proportions with their confidence intervals.
    fn summary(&self) -> PyResult<ArrowTable> {
        ArrowTable::new(summary(&self.game, &self.report))
    }
}
