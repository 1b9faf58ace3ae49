//! The methods of `Game`.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use houserule::game::values::param_text;
use houserule::game::{Seat, Start};
use houserule::loader::load_base_game;
use houserule::notation::position::PositionError;
use houserule::playtest::ProfilePlan;
use houserule::print::{
    MOST_COPIES, MOST_SHEETS, Paper, PrintError, PrintForm, PrintOptions, PrintedBefore, printed,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::arguments::{self, action_number};
use crate::data;
use crate::game::{PyGame, make};
use crate::names::suggest;
use crate::profile::profile_of;
use crate::state::{PyState, game_error};

/// An entry of the rules in plain words: a name, a text and a depth.
type EntryRow = (String, String, usize);

#[pymethods]
impl PyGame {
    /// The name under which it was loaded: ``"dilido + torus"``.
    #[getter]
    fn name(&self) -> &str {
        &self.inner.identity().name
    }

    /// The title: that of the last variant, if there are any.
    #[getter]
    fn title(&self) -> &str {
        &self.inner.model().title
    }

    /// A description in a sentence or two; may be empty.
    #[getter]
    fn help(&self) -> &str {
        &self.inner.model().help
    }

    /// Which score is best: ``"most"`` or ``"least"``.
    #[getter]
    fn score_direction(&self) -> &'static str {
        self.inner.model().score_direction.name()
    }

    /// The number of players.
    #[getter]
    fn players(&self) -> u32 {
        self.inner.players()
    }

    /// The minimum and the maximum number of players that the rules allow.
    #[getter]
    fn player_range(&self) -> (u32, u32) {
        let players = &self.inner.model().players;
        (players.least, players.most)
    }

    /// The names of the seats, in order.
    #[getter]
    fn seat_names(&self) -> Vec<String> {
        self.inner.model().players.names.clone()
    }

    /// The number of each seat's side, counted from 0. A side is a team, or a player without one: its players win and lose
    /// together.
    #[getter]
    fn sides(&self) -> Vec<u32> {
        let model = self.inner.model();
        (0..model.players.count).map(|seat| model.side_of(Seat(seat))).collect()
    }

    /// The params: a mapping from names to `Param`.
    #[getter]
    fn params<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        data::params(py, &self.inner)
    }

    /// The number of actions, which are numbered from ``0`` to ``num_actions - 1``.
    #[getter]
    fn num_actions(&self) -> u32 {
        self.inner.actions()
    }

    /// The names of all actions, by number. Several actions may have the same name.
    #[getter]
    fn action_names(&self) -> Vec<String> {
        (0..self.inner.actions())
            .map(|action| self.inner.action_name(houserule::game::ActionId(action)))
            .collect()
    }

    /// The rule text. If there are several files, each is preceded by a line with its name.
    #[getter]
    fn source(&self) -> String {
        let files: Vec<_> = self.inner.sheet().sources.iter().map(|(_, source)| source).collect();
        match files.as_slice() {
            [file] => file.text.clone(),
            files => {
                let told = files.iter().map(|file| format!("// {}\n{}", file.name, file.text));
                told.collect::<Vec<_>>().join("\n")
            }
        }
    }

    /// The SHA-256 of the rule texts, in hexadecimal. Records contain it.
    #[getter]
    fn rules_sha256(&self) -> &str {
        &self.inner.identity().rules_sha256
    }

    /// The warnings about the rules, as a list of `Diagnostic`.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        data::warnings(py, &self.inner)
    }

    /// Returns the name of an action: ``"place c5"``.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If there is no action with this number.
    fn action_name(&self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        Ok(self.inner.action_name(action_number(action, &self.inner)?))
    }

    /// Returns the number of an action, given its name. Spaces and case are ignored.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If no action has this name.
    fn parse_action(&self, name: &str) -> PyResult<u32> {
        if let Some(action) = self.inner.parse_action(name) {
            return Ok(action.0);
        }
        let names = self.action_names();
        let meant = suggest(name, names.iter().map(String::as_str));
        let some: Vec<String> = names.iter().take(6).map(|name| format!("`{name}`")).collect();
        Err(PyValueError::new_err(format!(
            "no action is called `{name}`{meant}{} There are {} names, such as {}",
            if meant.is_empty() { "." } else { "" },
            names.len(),
            some.join(", ")
        )))
    }

    /// Returns the layout of an observation: a list of `ObservationEntry`, in order.
    fn observation_spec<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        data::observation_spec(py, &self.inner)
    }

    /// Returns a listing of the compiled rules.
    fn program(&self) -> String {
        self.inner.program().to_string()
    }

    /// Returns the rules in plain words.
    fn rules(&self) -> String {
        houserule::prose::rules(&self.inner, houserule::prose::COLUMNS)
    }

    /// Prints the game on paper: sheets to write on, boards, cards to cut out, and the rules. An existing file is
    /// replaced.
    ///
    /// Parameters
    /// ----------
    /// path : str or os.PathLike
    ///     The file; it ends in ``.pdf``, or in ``.svg`` or ``.png`` for the first page alone.
    /// paper : str
    ///     ``"a4"`` or ``"letter"``.
    /// per_page : int, optional
    ///     Sheets on a page; 1 by default.
    /// copies : int, optional
    ///     Copies of all sheets; by default as many as fill the first page.
    /// rules : bool
    ///     Whether to add the rules.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the sheets on a page are too small to write on, or an argument isn't allowed.
    /// OSError
    ///     If the file can't be written.
    #[pyo3(signature = (path, *, paper="a4", per_page=None, copies=None, rules=true))]
    fn print(
        &self,
        py: Python<'_>,
        path: PathBuf,
        paper: &str,
        per_page: Option<&Bound<'_, PyAny>>,
        copies: Option<&Bound<'_, PyAny>>,
        rules: bool,
    ) -> PyResult<()> {
        let known = Paper::NAMES.iter().find(|(name, _)| *name == paper);
        let Some((_, paper)) = known else {
            let names = Paper::NAMES.map(|(name, _)| format!("{name:?}")).join(" and ");
            return Err(PyValueError::new_err(format!("there is no paper {paper:?}; the sizes are {names}")));
        };
        let count = |count: Option<&Bound<'_, PyAny>>, what: &str, most: u32| match count {
            None => Ok(None),
            Some(count) => match arguments::whole(count, what, most.into())? {
                0 => Err(PyValueError::new_err(format!("{what} must be a number from 1 to {most}, not 0"))),
                count => Ok(Some(count as u32)),
            },
        };
        let per_page = count(per_page, "per_page", MOST_SHEETS)?;
        let copies = count(copies, "copies", MOST_COPIES)?;
        let options = PrintOptions { paper: *paper, per_page, copies, rules, ..PrintOptions::default() };
        let form = PrintForm::for_file(&path).map_err(PyValueError::new_err)?;
        let wrong = |error: PrintError| PyValueError::new_err(error.to_string());
        let file = py.detach(|| {
            let base = if rules { load_base_game(&self.inner) } else { None };
            printed(&self.inner, PrintedBefore { base: base.as_ref(), since: None }, form, &options)
        });
        let file = file.map_err(wrong)?;
        Ok(std::fs::write(path, file)?)
    }

    /// Returns the rules in plain words as data: titles with their entries, each a name, a text and a depth.
    fn _sections(&self) -> Vec<(String, Vec<EntryRow>)> {
        let entry = |entry: houserule::prose::RulesEntry| (entry.name, entry.text, entry.depth);
        let sections = houserule::prose::sections(&self.inner).into_iter();
        sections.map(|section| (section.title, section.entries.into_iter().map(entry).collect())).collect()
    }

    /// Returns the changes from this game to another: a sequence of `Difference` that prints as ``houserule
    /// diff`` does.
    fn diff<'py>(&self, py: Python<'py>, other: &PyGame) -> PyResult<Bound<'py, PyAny>> {
        data::diff(py, &self.inner, &other.inner)
    }

    /// Plays random games in the interpreter and measures where their time goes, as ``houserule profile`` does.
    ///
    /// Parameters
    /// ----------
    /// games : int, optional
    ///     The maximum number of games. The default is 1,000.
    /// seconds : float, optional
    ///     The maximum time. The default is 3 seconds. A game that isn't over by then is cut short.
    /// seed : int, optional
    ///     The seed of the games. The default is 1.
    ///
    /// Returns
    /// -------
    /// Profile
    ///     The costs of the parts, the lines and the expressions of the rules.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If `games` is less than 1, or `seconds` isn't more than 0.
    #[pyo3(signature = (*, games=None, seconds=None, seed=None))]
    fn profile<'py>(
        &self,
        py: Python<'py>,
        games: Option<&Bound<'_, PyAny>>,
        seconds: Option<f64>,
        seed: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let usual = ProfilePlan::default();
        let games = games.map_or(Ok(usual.games), |games| arguments::count(games, "games", u64::MAX))?;
        let seconds = seconds.unwrap_or(usual.seconds);
        if !(seconds.is_finite() && seconds > 0.0) {
            return Err(PyValueError::new_err(format!("seconds={seconds} must be more than 0")));
        }
        let seed = seed.map_or(Ok(usual.seed), arguments::seed_number)?;
        profile_of(py, &self.inner, &ProfilePlan { seed, games, seconds })
    }

    /// Returns the same rules with other params. Params that aren't named keep their values.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If there is no such param, or the value isn't allowed.
    #[pyo3(signature = (params=None, **settings))]
    fn with_params(
        &self,
        py: Python<'_>,
        params: Option<&Bound<'_, PyDict>>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyGame> {
        make(py, &self.inner.sheet().origin.with(&arguments::settings(params, settings)?, None))
    }

    /// Returns the same rules for another number of players.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the rules don't allow this number.
    fn with_players(&self, py: Python<'_>, players: &Bound<'_, PyAny>) -> PyResult<PyGame> {
        make(py, &self.inner.sheet().origin.with(&[], arguments::players(Some(players))?))
    }

    /// Starts a game and returns its state at the first decision.
    ///
    /// Parameters
    /// ----------
    /// seed : int, optional
    ///     Together with `index` it determines all chance of the game. ``houserule simulate`` and the
    ///     environments play the same game for the same numbers. By default the seed is random; `State.seed`
    ///     has its value.
    /// index : int
    ///     The index of the game for this seed.
    /// explicit_chance : bool
    ///     Whether chance events wait for `State.apply_outcome` instead of being drawn.
    ///
    /// Raises
    /// ------
    /// GameError
    ///     If an error in the rules occurs before the first decision.
    #[pyo3(signature = (seed=None, index=None, *, explicit_chance=false))]
    fn start(
        slf: &Bound<'_, Self>,
        seed: Option<&Bound<'_, PyAny>>,
        index: Option<&Bound<'_, PyAny>>,
        explicit_chance: bool,
    ) -> PyResult<PyState> {
        let (seed, index) = (arguments::seed(seed)?, index_of(index)?);
        let start = Start { seed, index, explicit_chance, ..Start::default() };
        match slf.get().inner.start_or_stop(&start, None) {
            (state, None) => Ok(PyState::new(state).with_game(slf)),
            (state, Some(error)) => Err(game_error(slf.py(), &error, PyState::new(state).with_game(slf))),
        }
    }

    /// Returns the state that a text describes: the boards as `State.position` writes them, and lines such as
    /// ``penalties = 2``. The player to move is at the start of the turn, or at the choice given by ``choice =
    /// NAME``.
    ///
    /// Parameters
    /// ----------
    /// text : str
    ///     The position.
    /// seed, index, explicit_chance
    ///     As in `start`, for the chance from here on.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the text is invalid; the message lists all errors.
    /// GameError
    ///     If an error in the rules occurs before the next decision.
    #[pyo3(signature = (text, seed=None, index=None, *, explicit_chance=false))]
    fn position(
        slf: &Bound<'_, Self>,
        text: &str,
        seed: Option<&Bound<'_, PyAny>>,
        index: Option<&Bound<'_, PyAny>>,
        explicit_chance: bool,
    ) -> PyResult<PyState> {
        let (seed, index) = (arguments::seed(seed)?, index_of(index)?);
        let wrong = |errors: Vec<PositionError>| {
            let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
            PyValueError::new_err(lines.join("\n"))
        };
        let mut state = slf.get().inner.position(text).map_err(wrong)?;
        match state.begin_here(seed, index, explicit_chance) {
            Ok(()) => Ok(PyState::from_here(state).with_game(slf)),
            Err(error) => Err(game_error(slf.py(), &error, PyState::from_here(state).with_game(slf))),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> Option<bool> {
        other.cast::<PyGame>().ok().map(|other| self.key() == other.get().key())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.key().hash(&mut hasher);
        hasher.finish()
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let origin = serde_json::to_vec(&self.inner.sheet().origin);
        let origin = origin.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let make = py.import("houserule._native")?.getattr("_game")?;
        Ok((make, (PyBytes::new(py, &origin),)))
    }

    fn __repr__(&self) -> String {
        let model = self.inner.model();
        let changed = model.params.iter().filter(|param| !param.fixed && param.value != param.default);
        let changed: String =
            changed.map(|param| format!(", {}={}", param.name, param_text(&param.value))).collect();
        let players = self.inner.players();
        format!("<Game {}{changed}, {players} player{}>", self.name(), if players == 1 { "" } else { "s" })
    }

    /// Returns the rules and params for notebooks.
    #[pyo3(signature = (**_wanted))]
    fn _repr_mimebundle_<'py>(
        slf: &Bound<'py, Self>,
        _wanted: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("houserule._display")?.call_method1("game_bundle", (slf,))
    }
}

fn index_of(index: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
    index.map_or(Ok(0), |index| arguments::whole(index, "the index", u64::MAX))
}
