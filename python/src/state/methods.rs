//! The Python methods of `State`.

use std::hash::{DefaultHasher, Hash, Hasher};

use houserule::game::trail::UndoHistory;
use houserule::game::values::{event_text, variables_json};
use houserule::game::{Onlookers, Seat};
use houserule::model::MOST_OUTCOMES;
use houserule::notation::record::Record;
use houserule::observe::Dtype;
use numpy::{PyArray1, PyArray3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use super::{PyState, observed};
use crate::arguments::dtype_of;
use crate::errors::snapshot_error;
use crate::game::PyGame;
use crate::watched::interruptible;
use crate::{arguments, data};

/// The pickled form: a function and its arguments.
type Reduced<'py> = (Bound<'py, PyAny>, (Py<PyGame>, Bound<'py, PyBytes>));

#[pymethods]
impl PyState {
    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> PyResult<Py<PyGame>> {
        let make = || Py::new(py, PyGame { inner: self.inner.game().clone() });
        Ok(self.game.get_or_try_init(py, make)?.clone_ref(py))
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.inner.is_over()
    }

    /// Whether a chance event waits for `apply_outcome`. Only if chance is explicit.
    #[getter]
    fn is_chance(&self) -> bool {
        self.inner.is_chance()
    }

    /// The player to decide, counted from 0; None at chance events and when the game is over.
    #[getter]
    fn current_player(&self) -> Option<u32> {
        self.inner.current_player().map(|player| player.0)
    }

    /// Returns the numbers of the legal actions, in ascending order: a list of int. Empty at chance events and
    /// when the game is over.
    fn legal_actions(&self) -> Vec<u32> {
        self.inner.legal_actions().into_iter().map(|action| action.0).collect()
    }

    /// Returns the names of the legal actions, in the order of `legal_actions`.
    fn legal_names(&self) -> Vec<String> {
        let game = self.inner.game();
        self.inner.legal_actions().into_iter().map(|action| game.action_name(action)).collect()
    }

    /// Returns which actions are legal: a new array of bool, of shape ``(num_actions,)``.
    fn legal_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let mut mask = vec![false; self.inner.game().actions() as usize];
        for action in self.inner.legal_actions() {
            mask[action.0 as usize] = true;
        }
        PyArray1::from_vec(py, mask)
    }

    /// Applies a legal action, given by its number or its name, and continues to the next decision.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the action isn't legal; the message lists those that are.
    /// GameError
    ///     If an error in the rules occurs; the state is unchanged.
    /// HiddenError
    ///     If this is a seat's view: `determinize` returns a state that can be played on.
    fn apply(&mut self, py: Python<'_>, action: &Bound<'_, PyAny>) -> PyResult<()> {
        self.whole(py, "the course of the game")?;
        self.going()?;
        let action = arguments::action(action, &self.inner)?;
        let applied = self.change(py, |state| state.apply(action))?;
        self.done(py, applied)
    }

    /// Draws a legal action the way random players do, from the stream of the player to decide: a game of a
    /// seed played this way is the same as in ``houserule simulate``. Options marked as deliberate are drawn
    /// only if nothing else is legal.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If no player has to decide.
    fn random_action(&mut self) -> PyResult<u32> {
        self.going()?;
        let PyState { inner, trail, .. } = self;
        let action = trail.random_action(inner);
        action.map(|action| action.0).ok_or_else(|| PyValueError::new_err("no player has to decide here"))
    }

    /// Returns whether an action, given by its number, is legal. False for numbers that no action has.
    fn is_legal(&self, action: &Bound<'_, PyAny>) -> PyResult<bool> {
        let action = arguments::whole(action, "an action", u64::MAX)?;
        Ok(u32::try_from(action).is_ok_and(|action| self.inner.is_legal(houserule::game::ActionId(action))))
    }

    /// Returns the name of an action, like `Game.action_name`.
    fn action_name(&self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        Ok(self.inner.game().action_name(arguments::action_number(action, self.inner.game())?))
    }

    /// Returns the outcomes of the pending chance event as a list of ``(outcome, probability)``. The
    /// probabilities sum to 1. They are equal unless counted copies are drawn or a face of a die is on several
    /// sides. The list is empty if no event is pending.
    fn chance_outcomes(&self) -> PyResult<Vec<(u64, f64)>> {
        let all = self.inner.chance_outcomes();
        if all > MOST_OUTCOMES {
            return Err(PyValueError::new_err(format!(
                "the roll has {all} outcomes, too many for a list: `random_outcome()` draws one, and \
                 `apply_outcome` takes the faces of the dice"
            )));
        }
        let outcomes = self.inner.distinct_outcomes();
        Ok(outcomes.map(|(outcome, times)| (outcome, times as f64 / all as f64)).collect())
    }

    /// The number of outcomes of the pending chance event, all equally likely; 0 if none is pending. If counted
    /// copies are drawn, each copy is an outcome of its own, and so is each side of a die.
    #[getter]
    fn num_chance_outcomes(&self) -> u64 {
        self.inner.chance_outcomes()
    }

    /// The number of dice of the pending roll, and the number of faces of each; None if no roll is pending.
    #[getter]
    fn pending_dice(&self) -> Option<(u32, u32)> {
        self.inner.pending_dice()
    }

    /// The number of sides with each face of the dice of the pending roll; None if each face has one side, or no
    /// roll is pending.
    #[getter]
    fn pending_sides(&self) -> Option<Vec<u32>> {
        self.inner.pending_sides().map(<[u32]>::to_vec)
    }

    /// Draws an outcome of the pending chance event according to its probability, from the state's own random
    /// stream; None if no event is pending. Pass it to `apply_outcome` to apply it.
    fn random_outcome(&mut self, py: Python<'_>) -> PyResult<Option<u64>> {
        self.whole(py, "the outcome")?;
        Ok(self.inner.random_outcome())
    }

    /// Returns an outcome of the pending chance event in words: ``"roll pair 3 5"``.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If there is no such outcome here.
    fn outcome_name(&self, outcome: &Bound<'_, PyAny>) -> PyResult<String> {
        let outcome = arguments::outcome(outcome, &self.inner)?;
        let event = self.inner.chance_event(outcome);
        let event = event.ok_or_else(|| PyValueError::new_err("no chance event is pending here"))?;
        Ok(event_text(self.inner.game(), &event))
    }

    /// Applies an outcome of the pending chance event, given by its number, its text (``"roll pair 3 5"``) or,
    /// for a roll, the faces of the dice in order (``[3, 5]``), and continues to the next decision or event.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If no chance event is pending, or it has no such outcome.
    /// GameError
    ///     If an error in the rules occurs; the state is unchanged.
    fn apply_outcome(&mut self, py: Python<'_>, outcome: &Bound<'_, PyAny>) -> PyResult<()> {
        self.whole(py, "the course of the game")?;
        self.going()?;
        let outcome = if self.inner.is_chance() { arguments::outcome(outcome, &self.inner)? } else { 0 };
        let applied = self.change(py, |state| state.apply_outcome(outcome))?;
        self.done(py, applied)
    }

    /// The current score of each seat, as a list of int; in a one-player game only ``score[0]``. A view has the
    /// scores unless they depend on something that its seat doesn't see.
    #[getter]
    fn score(&self, py: Python<'_>) -> PyResult<Vec<i64>> {
        let score = |player| {
            self.scored(py, Seat(player))?;
            self.inner.score(Seat(player)).map_err(|error| self.wrong(py, &error))
        };
        (0..self.inner.game().players()).map(score).collect()
    }

    /// Returns the items of a player's score, by name. By default they are those of the player to decide, or of
    /// the first seat if nobody has to decide.
    #[pyo3(signature = (player=None))]
    fn scores<'py>(
        &self,
        py: Python<'py>,
        player: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let player = self.whose(player)?;
        self.scored(py, player)?;
        let points = self.inner.scores(player).map_err(|error| self.wrong(py, &error))?;
        let items = PyDict::new(py);
        for (item, points) in self.inner.game().model().score.iter().zip(points) {
            items.set_item(&item.name, points)?;
        }
        Ok(items)
    }

    /// Explains what the scores count, line by line: an `Explanation`, which prints as text. For one player, or
    /// by default for all seats.
    #[pyo3(signature = (player=None))]
    fn explain<'py>(
        &self,
        py: Python<'py>,
        player: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let players = match player {
            Some(player) => vec![arguments::seat(player, self.inner.game())?],
            None => (0..self.inner.game().players()).map(Seat).collect(),
        };
        players.iter().try_for_each(|player| self.scored(py, *player))?;
        let veiled = self.seat.and_then(|seat| self.inner.veiled(Onlookers::from_seat(seat)));
        let state = veiled.as_ref().unwrap_or(&self.inner);
        data::explanation(py, state, &players, self.seat)?.map_err(|error| self.wrong(py, &error))
    }

    /// The return of each seat, as a list of float: the payoff if the rules declare one. Else 1 for a sole winner; with
    /// two players -1 for the loser and 0 for a draw; 0 in one-player games. 0 for all before the game is over.
    #[getter]
    fn returns(&self) -> Vec<f64> {
        self.inner.returns()
    }

    /// How the game ended, as an `Outcome`; None before the end.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        data::outcome(py, &self.inner)
    }

    /// The variables and pieces by name. A family with a value for each player is a list by seat, any other
    /// family a dict. Sets are lists of names, elements are names, players are seats from 0, and none is None.
    /// A view omits what is hidden; accessing it raises `HiddenError`: ``variables["hand"][1]``.
    #[getter]
    fn variables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(seat) = self.seat {
            return data::variables_seen(py, &self.inner, seat);
        }
        let dict = PyDict::new(py);
        for (name, value) in &variables_json(&self.inner).0 {
            dict.set_item(name, data::json(py, value)?)?;
        }
        Ok(dict.into_any())
    }

    /// Returns what a player sees, as numbers from 0 to 1.
    ///
    /// Parameters
    /// ----------
    /// player : int, optional
    ///     By default the player to decide, or the first seat if nobody has to decide. For a view only its own
    ///     seat is allowed, which is also the default.
    /// form : {"flat", "planes", "dict"}
    ///     The form of the result: an array of shape ``(n,)``; an array of shape ``(channels, rows, columns)``;
    ///     or a dict of arrays, one for each entry of `Game.observation_spec` with its shape. All arrays are
    ///     new.
    /// dtype : {"float32", "float16", "uint8", "bool", "bits"}
    ///     Floats from 0 to 1, floats of half the size, bytes (a number is stored as its value minus the minimum of its
    ///     range), truth values, or bits, packed eight to a byte: ``numpy.unpackbits(…, bitorder="little")`` unpacks
    ///     them. The form "dict" has no bits. A numpy dtype or scalar type is accepted, too. Environments take the same
    ///     forms and dtypes.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If there is no such player, form or dtype, the game has no board for planes, or an entry doesn't fit
    ///     the dtype.
    /// HiddenError
    ///     If this is the view of another player.
    #[pyo3(
        signature = (player=None, form="flat", *, dtype=Dtype::Float32),
        text_signature = "($self, player=None, form=\"flat\", *, dtype=\"float32\")"
    )]
    fn observation<'py>(
        &self,
        py: Python<'py>,
        player: Option<&Bound<'py, PyAny>>,
        form: &str,
        #[pyo3(from_py_with = dtype_of)] dtype: Dtype,
    ) -> PyResult<Bound<'py, PyAny>> {
        observed::observation(py, &self.inner, self.eyes(py, player)?, form, dtype)
    }

    /// Returns an independent copy of the state, with the same random numbers to come.
    ///
    /// Raises
    /// ------
    /// HiddenError
    ///     If this is a seat's view: `determinize` returns a state that can be played on.
    fn clone(&self, py: Python<'_>) -> PyResult<PyState> {
        self.whole(py, "the complete state")?;
        Ok(self.copied(py))
    }

    /// Undoes the last `apply` or `apply_outcome` (or the last `count` of them), and the chance since: the same
    /// random numbers come again. This replays the game up to there; for trying things out, a `clone` is
    /// cheaper.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If fewer than `count` can be undone.
    #[pyo3(signature = (count=None))]
    fn undo(&mut self, py: Python<'_>, count: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        self.whole(py, "the previous state")?;
        let count = count.map_or(Ok(1), |count| arguments::whole(count, "the count", u32::MAX.into()))?;
        let Some(before) = interruptible(py, || self.trail.back(&self.inner, count as usize))? else {
            let there = self.trail.applied(&self.inner);
            return Err(PyValueError::new_err(match there {
                0 => "there is nothing to undo: the game begins here".to_owned(),
                n => format!("there are not that many events: `undo` goes back at most {n}"),
            }));
        };
        self.inner = before;
        self.stopped = false;
        Ok(())
    }

    /// All events so far, as a list of `Event`: decisions and chance events. In a state that was begun from a position
    /// they begin there. The state of an environment has none, and raises ValueError.
    #[getter]
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.whole(py, "the history")?;
        self.counted("history")?;
        data::history(py, &self.inner)
    }

    /// Returns the numbers of all events, actions and chance outcomes; None if the history doesn't begin with
    /// the game.
    fn _event_numbers(&self, py: Python<'_>) -> PyResult<Option<Vec<u64>>> {
        self.whole(py, "the history")?;
        Ok(self.inner.event_numbers())
    }

    /// Returns the game so far as a record: a JSON-compatible dict that ``houserule replay`` and `replay` read. The record
    /// of a world has no seed: its chance is in the events alone.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the state doesn't know how its game began: it was begun from a position, or is the state of an environment.
    /// HiddenError
    ///     If this is a seat's view.
    fn record<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.whole(py, "the history")?;
        self.counted("history")?;
        if !self.inner.history_origin().is_start() {
            return Err(PyValueError::new_err(
                "a record has a game from its start, and this state was begun from a position: `position()` writes what is \
                 on the table, `to_bytes()` saves the state",
            ));
        }
        let record = Record::from_state(&self.inner).map_err(|error| self.wrong(py, &error))?;
        let text =
            serde_json::to_string(&record).map_err(|error| PyValueError::new_err(error.to_string()))?;
        py.import("json")?.call_method1("loads", (text,))
    }

    /// Returns the state as a text that `Game.position` reads: what is on the table.
    fn position(&self, py: Python<'_>) -> PyResult<String> {
        self.whole(py, "the complete state")?;
        Ok(self.inner.position())
    }

    /// Returns the state with its history as bytes, to be read by `from_bytes` with an equal game.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.whole(py, "the complete state")?;
        Ok(PyBytes::new(py, &self.trail.to_bytes(&self.inner)))
    }

    /// Returns the state that `to_bytes` wrote. It continues like the original, random numbers included, and
    /// `undo` goes back as far.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the bytes aren't those of a state, are damaged, or are of another game.
    #[staticmethod]
    fn from_bytes(game: &Bound<'_, PyGame>, data: &[u8]) -> PyResult<PyState> {
        let read = UndoHistory::from_bytes(&game.get().inner, data);
        let (inner, trail) = read.map_err(|error| snapshot_error(&error))?;
        Ok(PyState::along(inner, trail).with_game(game))
    }

    /// The seed of its chance. A view has none, because the seed would reveal what is hidden.
    #[getter]
    fn seed(&self, py: Python<'_>) -> PyResult<u64> {
        self.whole(py, "the seed, which determines everything hidden,")?;
        Ok(self.inner.started().seed)
    }

    /// The index of the game for its seed.
    #[getter]
    fn index(&self, py: Python<'_>) -> PyResult<u64> {
        self.whole(py, "the seed, which determines everything hidden,")?;
        Ok(self.inner.started().index)
    }

    /// The number of decisions so far.
    #[getter]
    fn decisions(&self) -> u64 {
        self.inner.decisions()
    }

    /// The number of finished turns so far. The state of an environment doesn't know it, and raises ValueError.
    #[getter]
    fn turns(&self) -> PyResult<u64> {
        self.counted("number of turns")?;
        Ok(self.inner.turns())
    }

    /// The number of rolls so far. The state of an environment doesn't know it, and raises ValueError.
    #[getter]
    fn rolls(&self) -> PyResult<u64> {
        self.counted("number of rolls")?;
        Ok(self.inner.rolls())
    }

    /// Returns everything that a player knows, as text: what the player could see at each moment, as far as it
    /// changed, and what the player did. The texts of two states are equal if the player can't tell the states
    /// apart.
    ///
    /// Parameters
    /// ----------
    /// player : int, optional
    ///     Counted from 0; by default the player to decide. For a view only its own seat is allowed, which is
    ///     also the default.
    ///
    /// Raises
    /// ------
    /// HiddenError
    ///     If this is the view of another player.
    #[pyo3(signature = (player=None))]
    fn information_state(&self, py: Python<'_>, player: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        Ok(self.inner.information_state(self.eyes(py, player)?))
    }

    /// Draws a world: a state that agrees with everything that a player has observed since the start of the
    /// game. What is hidden is drawn with its probability if the others choose uniformly at random; all chance
    /// to come is drawn, too. The result is a new state that begins there: nothing before can be undone. A view
    /// can be played on with it.
    ///
    /// A state that was begun from a position has no history. Its worlds agree with what is open there, with
    /// what the player knows about zones, and with the number of elements in each zone.
    ///
    /// Parameters
    /// ----------
    /// player : int, optional
    ///     Counted from 0; by default the player to decide.
    /// seed : int, optional
    ///     The same seed draws the same world. By default the seed is random.
    ///
    /// Raises
    /// ------
    /// NoWorldError
    ///     If no world was found within the budget.
    /// ValueError
    ///     If there is no such player.
    #[pyo3(signature = (player=None, seed=None))]
    fn determinize(
        &self,
        py: Python<'_>,
        player: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        self.draw_world(py, player, seed)
    }

    /// Draws several worlds for a player, like `determinize`, for little more than the cost of one.
    ///
    /// Parameters
    /// ----------
    /// n : int
    ///     The number of worlds.
    /// player : int, optional
    ///     Counted from 0; by default the player to decide.
    /// seed : int, optional
    ///     The same seed draws the same worlds. By default the seed is random.
    /// opponents : {"uniform", "unknown"}
    ///     The model of the other players' decisions. ``"uniform"``: they choose among their legal actions
    ///     uniformly at random. ``"unknown"``: nothing is assumed, except that their actions were legal.
    ///
    /// Raises
    /// ------
    /// NoWorldError
    ///     If no world was found within the budget.
    /// ValueError
    ///     If there is no such player, or no such model of the opponents.
    #[pyo3(signature = (n, player=None, *, seed=None, opponents=None))]
    fn worlds(
        &self,
        py: Python<'_>,
        n: &Bound<'_, PyAny>,
        player: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        opponents: Option<&str>,
    ) -> PyResult<Vec<Self>> {
        let count = arguments::whole(n, "the number of worlds", 1_000_000)?;
        self.draw_worlds(py, count, player, seed, opponents)
    }

    /// Returns a player's beliefs about everything that the player doesn't see.
    ///
    /// Parameters
    /// ----------
    /// player : int, optional
    ///     Counted from 0; by default the player to decide.
    /// samples : int
    ///     The number of worlds drawn if there are too many to enumerate.
    /// seed : int, optional
    ///     The seed for drawing these worlds.
    /// opponents : {"uniform", "unknown"}
    ///     As in `worlds`.
    ///
    /// Returns
    /// -------
    /// dict
    ///     ``"exact"``: whether the probabilities are exact; otherwise they are relative frequencies in sampled
    ///     worlds. ``"worlds"``: the number of different worlds, or of sampled ones. ``"values"``: by the name
    ///     of each hidden variable, the probability of each value; by the name of each hidden zone or piece,
    ///     the probability that each element is there.
    #[pyo3(signature = (player=None, *, samples=1000, seed=None, opponents=None))]
    fn beliefs<'py>(
        &self,
        py: Python<'py>,
        player: Option<&Bound<'_, PyAny>>,
        samples: usize,
        seed: Option<&Bound<'_, PyAny>>,
        opponents: Option<&str>,
    ) -> PyResult<Bound<'py, PyDict>> {
        self.find_beliefs(py, player, samples, seed, opponents)
    }

    /// Returns the state as text. With a player, without what is hidden from that player.
    #[pyo3(signature = (player=None))]
    fn text(&self, py: Python<'_>, player: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        Ok(self.draw_text(self.viewer(py, player)?))
    }

    /// Returns the state as an SVG picture.
    ///
    /// Parameters
    /// ----------
    /// theme : {"auto", "light", "dark"}
    ///     The default ``"auto"`` follows the page that shows the picture.
    /// width : int, optional
    ///     The display width in pixels; by default the width of the drawing.
    /// legal : bool
    ///     Whether to highlight the legal actions.
    /// player : int, optional
    ///     Leave out what is hidden from this player. Without one, only what lies open on the table is shown.
    /// open : bool
    ///     Whether to show everything, what lies face down too. With a player, or in a view, it changes nothing.
    #[pyo3(signature = (*, theme=None, width=None, legal=false, player=None, open=false))]
    fn svg(
        &self,
        py: Python<'_>,
        theme: Option<&Bound<'_, PyString>>,
        width: Option<&Bound<'_, PyAny>>,
        legal: bool,
        player: Option<&Bound<'_, PyAny>>,
        open: bool,
    ) -> PyResult<String> {
        self.draw_svg(py, theme, width, legal, player, open)
    }

    /// Renders the state as pixels: a new array of uint8, of shape ``(height, width, 3)``.
    ///
    /// Parameters
    /// ----------
    /// width, height : int, optional
    ///     The size in pixels; by default that of the drawing. If both are given, the drawing is scaled to fit.
    /// player : int, optional
    ///     Leave out what is hidden from this player. Without one, only what lies open on the table is shown.
    /// dark : bool
    ///     Whether to use the dark theme, on black.
    /// legal : bool
    ///     Whether to highlight the legal actions.
    #[pyo3(signature = (width=None, height=None, *, player=None, dark=false, legal=false))]
    fn rgb<'py>(
        &self,
        py: Python<'py>,
        width: Option<&Bound<'_, PyAny>>,
        height: Option<&Bound<'_, PyAny>>,
        player: Option<&Bound<'_, PyAny>>,
        dark: bool,
        legal: bool,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        self.draw_pixels(py, width, height, player, dark, legal)
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Option<bool>> {
        let Ok(other) = other.cast::<PyState>() else { return Ok(None) };
        let other = other.try_borrow()?;
        self.whole(py, "the complete state")?;
        other.whole(py, "the complete state")?;
        let games = || self.game(py)?.bind(py).eq(other.game(py)?);
        Ok(Some(self.inner == other.inner && games()?))
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
        self.whole(py, "the complete state")?;
        let mut hasher = DefaultHasher::new();
        self.inner.hash(&mut hasher);
        Ok(hasher.finish())
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<PyState> {
        self.clone(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<PyState> {
        self.clone(py)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let py = slf.py();
        let state = slf.borrow();
        let read = py.get_type::<PyState>().getattr("from_bytes")?;
        Ok((read, (state.game(py)?, state.to_bytes(py)?)))
    }

    /// Marks the state as stopped by an error in the rules: it accepts no more actions.
    fn _stop(&mut self) {
        self.stopped = true;
    }

    fn __str__(&self) -> String {
        self.draw_text(self.seat)
    }

    fn __repr__(&self) -> String {
        let inner = &self.inner;
        let names = &inner.game().model().players.names;
        let now = match inner.current_player() {
            Some(player) if names.len() > 1 => {
                format!("{} (player {}) decides", names.get(player.0 as usize).map_or("", |n| n), player.0)
            }
            Some(_) => "a decision is pending".to_owned(),
            None if inner.is_over() => "over".to_owned(),
            None => "a chance event is pending".to_owned(),
        };
        let decisions = inner.decisions();
        let plural = if decisions == 1 { "" } else { "s" };
        let view = self.seat.map(|seat| format!(" as player {} sees it", seat.0)).unwrap_or_default();
        format!("<State of {}{view}: {decisions} decision{plural}, {now}>", inner.game().identity().name)
    }

    /// Returns the picture for notebooks, and the text for terminals.
    #[pyo3(signature = (**_wanted))]
    fn _repr_mimebundle_<'py>(
        &self,
        py: Python<'py>,
        _wanted: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        self.draw_for_notebook(py)
    }
}
