//! What Python calls on a `State`.

use std::hash::{DefaultHasher, Hash, Hasher};

use houserule::draw;
use houserule::engine::record::Record;
use houserule::engine::trail::Trail;
use houserule::engine::values::{event_text, variables_json};
use houserule::engine::{self, NoWorld, Player};
use houserule::hook::MOST_OUTCOMES;
use houserule::rng::Stream;
use numpy::{PyArray1, PyArray3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use super::{State, observed};
use crate::arguments;
use crate::data;
use crate::envs::dtype_of;
use crate::errors::{no_world_error, snapshot_error};
use crate::game::{Game, theme};
use crate::picture;
use crate::watched::interruptible;

/// What a state is pickled as: a function, and what to call it with.
type Reduced<'py> = (Bound<'py, PyAny>, (Py<Game>, Bound<'py, PyBytes>));

#[pymethods]
impl State {
    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> PyResult<Py<Game>> {
        let make = || Py::new(py, Game { inner: self.inner.game().clone() });
        Ok(self.game.get_or_try_init(py, make)?.clone_ref(py))
    }

    /// Is the game over?
    #[getter]
    fn is_over(&self) -> bool {
        self.inner.is_over()
    }

    /// Does a chance event wait for `apply_outcome`? Only where chance is explicit.
    #[getter]
    fn is_chance(&self) -> bool {
        self.inner.is_chance()
    }

    /// Who has to decide, from 0; None at chance events and when the game is over.
    #[getter]
    fn current_player(&self) -> Option<u32> {
        self.inner.current_player().map(|player| player.0)
    }

    /// The numbers of the legal actions, ascending: a list of int. Empty at chance events and when the game
    /// is over.
    fn legal_actions(&self) -> Vec<u32> {
        self.inner.legal_actions().into_iter().map(|action| action.0).collect()
    }

    /// The names of the legal actions, in the order of `legal_actions`.
    fn legal_names(&self) -> Vec<String> {
        let game = self.inner.game();
        self.inner.legal_actions().into_iter().map(|action| game.action_name(action)).collect()
    }

    /// Which actions are legal: a new array of bool, of shape ``(num_actions,)``.
    fn legal_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let mut mask = vec![false; self.inner.game().actions() as usize];
        for action in self.inner.legal_actions() {
            mask[action.0 as usize] = true;
        }
        PyArray1::from_vec(py, mask)
    }

    /// Takes a legal action, by its number or its text, and goes on to the next decision.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     The action is not legal; the message names those that are.
    /// GameError
    ///     The rules go wrong; the state stays as it was.
    /// HiddenError
    ///     This is a seat's view: `determinize` gives a state that goes on.
    fn apply(&mut self, py: Python<'_>, action: &Bound<'_, PyAny>) -> PyResult<()> {
        self.whole(py, "how the game goes on")?;
        self.going()?;
        let action = arguments::action(action, &self.inner)?;
        let applied = self.change(py, |state| state.apply(action))?;
        self.done(py, applied)
    }

    /// A legal action drawn as random players draw it, from the stream of the seat's player: with it, a
    /// game of a seed is that of ``houserule simulate``. Options marked as deliberate come up only where
    /// nothing else is legal.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     Nobody has to decide.
    fn random_action(&mut self) -> PyResult<u32> {
        self.going()?;
        let State { inner, trail, .. } = self;
        let action = trail.random_action(inner);
        action.map(|action| action.0).ok_or_else(|| PyValueError::new_err("nobody has to decide here"))
    }

    /// Is an action legal, by its number? False for numbers that no action has.
    fn is_legal(&self, action: &Bound<'_, PyAny>) -> PyResult<bool> {
        let action = arguments::whole(action, "an action", u64::MAX)?;
        Ok(u32::try_from(action).is_ok_and(|action| self.inner.is_legal(engine::ActionId(action))))
    }

    /// The name of an action: `Game.action_name`.
    fn action_name(&self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        Ok(self.inner.game().action_name(arguments::action_number(action, self.inner.game())?))
    }

    /// The outcomes of the pending chance event, as a list of ``(outcome, probability)``; the
    /// probabilities sum to 1, and are equal but where counted copies are drawn. Empty if none is pending.
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

    /// How many outcomes the pending chance event has, all with the same chance; 0 if none is pending. Where
    /// counted copies are drawn, each copy is one.
    #[getter]
    fn num_chance_outcomes(&self) -> u64 {
        self.inner.chance_outcomes()
    }

    /// How many dice the pending roll has, and how many faces each of them; None if no roll is pending.
    #[getter]
    fn pending_dice(&self) -> Option<(u32, u32)> {
        self.inner.pending_dice()
    }

    /// Draws an outcome of the pending chance event with its chance, from the state's own stream of random
    /// numbers; None if none is pending. `apply_outcome` lets it come.
    fn random_outcome(&mut self, py: Python<'_>) -> PyResult<Option<u64>> {
        self.whole(py, "what comes out")?;
        Ok(self.inner.random_outcome())
    }

    /// An outcome of the pending chance event in words: ``"roll pair 3 5"``.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     There is no such outcome here.
    fn outcome_name(&self, outcome: &Bound<'_, PyAny>) -> PyResult<String> {
        let outcome = arguments::outcome(outcome, &self.inner)?;
        let event = self.inner.chance_event(outcome);
        let event = event.ok_or_else(|| PyValueError::new_err("no chance event is pending here"))?;
        Ok(event_text(self.inner.game(), &event))
    }

    /// Lets the pending chance event come out in one way, by its number, its text (``"roll pair 3 5"``) or, of
    /// a roll, the faces of the dice in their order (``[3, 5]``), and goes on.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     No chance event is pending, or it can't come out so.
    /// GameError
    ///     The rules go wrong; the state stays as it was.
    fn apply_outcome(&mut self, py: Python<'_>, outcome: &Bound<'_, PyAny>) -> PyResult<()> {
        self.whole(py, "how the game goes on")?;
        self.going()?;
        let outcome = if self.inner.is_chance() { arguments::outcome(outcome, &self.inner)? } else { 0 };
        let applied = self.change(py, |state| state.apply_outcome(outcome))?;
        self.done(py, applied)
    }

    /// The score of each seat so far, as a list of int; of a solo game ``score[0]`` is all there is. A view
    /// has it as long as nothing counts that its seat does not see.
    #[getter]
    fn score(&self, py: Python<'_>) -> PyResult<Vec<i64>> {
        let score = |player| {
            self.scored(py, Player(player))?;
            self.inner.score(Player(player)).map_err(|error| self.wrong(py, &error))
        };
        (0..self.inner.game().players()).map(score).collect()
    }

    /// The items of a player's score, by name. Without a player, those of who has to decide (of the first
    /// seat, where nobody does).
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

    /// What the scores counted, line by line: an `Explanation`, which prints as text. Of one player, or of
    /// all seats.
    #[pyo3(signature = (player=None))]
    fn explain<'py>(
        &self,
        py: Python<'py>,
        player: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let players = match player {
            Some(player) => vec![arguments::seat(player, self.inner.game())?],
            None => (0..self.inner.game().players()).map(Player).collect(),
        };
        players.iter().try_for_each(|player| self.scored(py, *player))?;
        let veiled = self.seat.and_then(|seat| self.inner.veiled(seat));
        let state = veiled.as_ref().unwrap_or(&self.inner);
        data::explanation(py, state, &players)?.map_err(|error| self.wrong(py, &error))
    }

    /// What each seat has from the game, as a list of float: 1 for who wins alone, with two players -1 for
    /// the other and 0 for a draw. 0 before the game is over, and in solo games.
    #[getter]
    fn returns(&self) -> Vec<f64> {
        self.inner.returns()
    }

    /// How the game ended, as an `Outcome`; None before.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        data::outcome(py, &self.inner)
    }

    /// The variables and pieces by name. What each player has is a list by seat, any other family a dict;
    /// sets are lists of names, elements are names, players are seats from 0, none is None. In a view what is
    /// hidden is left out, and raises `HiddenError` where it is asked for: ``variables["hand"][1]``.
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

    /// What a player sees, as numbers from 0 to 1.
    ///
    /// Parameters
    /// ----------
    /// player : int, optional
    ///     By default who has to decide (the first seat, where nobody does); of a view its seat, and no other.
    /// form : {"flat", "planes", "dict"}
    ///     What is returned: an array of shape ``(n,)``; one of ``(channels, rows, columns)``; a dict of
    ///     arrays, one for each entry of `Game.observation_spec` with its shape. All are new.
    /// dtype : {"float32", "uint8", "bits"}
    ///     Floats from 0 to 1; of the form "flat" also bytes (a number is its value minus the least of its range) or
    ///     bits, eight in a byte: ``numpy.unpackbits(…, bitorder="little")`` takes them apart.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     There is no such player, form or dtype, the game has no board for planes, or an entry does not fit the dtype.
    /// HiddenError
    ///     This is the view of another player.
    #[pyo3(signature = (player=None, form="flat", *, dtype="float32"))]
    fn observation<'py>(
        &self,
        py: Python<'py>,
        player: Option<&Bound<'py, PyAny>>,
        form: &str,
        dtype: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        observed::observation(py, &self.inner, self.eyes(py, player)?, form, dtype_of(dtype)?)
    }

    /// A state of its own that goes on from here, with the same dice to come.
    ///
    /// Raises
    /// ------
    /// HiddenError
    ///     This is a seat's view: `determinize` gives a state that goes on.
    fn clone(&self, py: Python<'_>) -> PyResult<State> {
        self.whole(py, "the whole state")?;
        Ok(self.copied(py))
    }

    /// Takes back the last `apply` (or `apply_outcome`), and the chance since: the same dice come again.
    /// Plays the game again up to there; to try things out, a `clone` costs less.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     There are not so many to take back.
    #[pyo3(signature = (count=None))]
    fn undo(&mut self, py: Python<'_>, count: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        self.whole(py, "what the state was before")?;
        let count = count.map_or(Ok(1), |count| arguments::whole(count, "the count", u32::MAX.into()))?;
        let Some(before) = interruptible(py, || self.trail.back(&self.inner, count as usize))? else {
            let there = self.trail.applied(&self.inner);
            return Err(PyValueError::new_err(match there {
                0 => "there is nothing to take back: the game begins here".to_owned(),
                n => format!("there is not so much to take back: `undo` goes back {n} at most"),
            }));
        };
        self.inner = before;
        self.stopped = false;
        Ok(())
    }

    /// All that happened, as a list of `Event`: decisions and chance alike.
    #[getter]
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.whole(py, "all that happened")?;
        data::history(py, &self.inner)
    }

    /// The numbers of all events, of actions and of chance outcomes; None if the history does not begin with the game.
    fn _event_numbers(&self, py: Python<'_>) -> PyResult<Option<Vec<u64>>> {
        self.whole(py, "all that happened")?;
        Ok(self.inner.event_numbers())
    }

    /// The game so far as a record: a dict that is JSON, as ``houserule replay`` and `replay` read it.
    fn record<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.whole(py, "all that happened")?;
        let record = Record::of(&self.inner).map_err(|error| self.wrong(py, &error))?;
        let text =
            serde_json::to_string(&record).map_err(|error| PyValueError::new_err(error.to_string()))?;
        py.import("json")?.call_method1("loads", (text,))
    }

    /// The state as a position, which `Game.position` reads: what lies on the table, as text.
    fn position(&self, py: Python<'_>) -> PyResult<String> {
        self.whole(py, "the whole state")?;
        Ok(self.inner.position())
    }

    /// The state with its history as bytes, for `from_bytes` with an equal game.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.whole(py, "the whole state")?;
        Ok(PyBytes::new(py, &self.trail.to_bytes(&self.inner)))
    }

    /// The state that `to_bytes` wrote. It goes on as that one does, dice included, and `undo` goes back
    /// as far.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     The bytes are none of a state, are damaged, or are of another game.
    #[staticmethod]
    fn from_bytes(game: &Bound<'_, Game>, data: &[u8]) -> PyResult<State> {
        let read = Trail::from_bytes(&game.get().inner, data);
        let (inner, trail) = read.map_err(|error| snapshot_error(&error))?;
        Ok(State::along(inner, trail).of(game))
    }

    /// The seed of its chance. A view has none: with it what is hidden could be dealt again.
    #[getter]
    fn seed(&self, py: Python<'_>) -> PyResult<u64> {
        self.whole(py, "the seed, from which everything could be dealt again,")?;
        Ok(self.inner.started().seed)
    }

    /// Which game of the seed it is.
    #[getter]
    fn index(&self, py: Python<'_>) -> PyResult<u64> {
        self.whole(py, "the seed, from which everything could be dealt again,")?;
        Ok(self.inner.started().index)
    }

    /// Decisions so far.
    #[getter]
    fn decisions(&self) -> u64 {
        self.inner.decisions()
    }

    /// Turns finished so far.
    #[getter]
    fn turns(&self) -> u64 {
        self.inner.turns()
    }

    /// Rolls so far.
    #[getter]
    fn rolls(&self) -> u64 {
        self.inner.rolls()
    }

    /// All that a player knows, as text: what there was to see at each moment, as far as it changed, and
    /// what was done. Equal for states that the player can't tell apart.
    ///
    /// Parameters
    /// ----------
    /// player : int, optional
    ///     From 0; by default who has to decide; of a view its seat, and no other.
    ///
    /// Raises
    /// ------
    /// HiddenError
    ///     This is the view of another player.
    #[pyo3(signature = (player=None))]
    fn information_state(&self, py: Python<'_>, player: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        Ok(self.inner.information_state(self.eyes(py, player)?))
    }

    /// A world: a state that agrees with everything that a player has observed since the start of the game. What is
    /// hidden is drawn, with the probability that it has if the others choose uniformly at random, and so is all
    /// chance to come. It is a new state, which begins there: nothing before can be undone. For a view, it is what
    /// can be played on.
    ///
    /// A state that was begun from a position has no history. Then the world agrees with what lies open there, with
    /// what the player knows of zones, and with how many elements lie where.
    ///
    /// Parameters
    /// ----------
    /// player : int, optional
    ///     From 0; by default the player who has to decide.
    /// seed : int, optional
    ///     The same seed draws the same world; without it each call draws another.
    ///
    /// Raises
    /// ------
    /// NoWorldError
    ///     No world was found within the budget.
    /// ValueError
    ///     There is no such player.
    #[pyo3(signature = (player=None, seed=None))]
    fn determinize(
        &self,
        py: Python<'_>,
        player: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let player = self.eyes(py, player)?;
        let mut stream = Stream::new(arguments::seed(seed)?, 0, 0);
        let drawn = interruptible(py, || self.inner.determinize(player, &mut stream))?;
        let drawn = drawn.map_err(|none| no_world_error(py, &none))?;
        Ok(State::from_here(drawn))
    }

    /// Several worlds for a player, as `determinize` draws them, for little more than the price of one.
    ///
    /// Parameters
    /// ----------
    /// n : int
    ///     How many.
    /// player : int, optional
    ///     From 0; by default the player who has to decide.
    /// seed : int, optional
    ///     The same seed draws the same worlds; without it each call draws others.
    /// opponents : {"uniform", "unknown"}
    ///     What the decisions of the others tell. ``"uniform"``: they choose among their legal actions uniformly at
    ///     random. ``"unknown"``: nothing, except that what they did was legal.
    ///
    /// Raises
    /// ------
    /// NoWorldError
    ///     No world was found within the budget.
    /// ValueError
    ///     There is no such player, or no such model of the opponents.
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
        let (mut worlds, mut stream) = self.drawn_worlds(py, player, seed, opponents)?;
        let mut draw = || (0..count).map(|_| worlds.next_played(&self.inner, &mut stream)).collect();
        let drawn: Result<Vec<engine::State>, NoWorld> = interruptible(py, &mut draw)?;
        let drawn = drawn.map_err(|none| no_world_error(py, &none))?;
        Ok(drawn.into_iter().map(State::from_here).collect())
    }

    /// What a player believes about everything that the player does not see.
    ///
    /// Parameters
    /// ----------
    /// player : int, optional
    ///     From 0; by default the player who has to decide.
    /// samples : int
    ///     How many worlds are drawn where they are too many to know all of them.
    /// seed : int, optional
    ///     For these worlds.
    /// opponents : {"uniform", "unknown"}
    ///     As for `worlds`.
    ///
    /// Returns
    /// -------
    /// dict
    ///     ``"exact"``: whether the probabilities are exact, else shares of sampled worlds; ``"worlds"``: how many
    ///     different worlds there are, or how many were sampled; ``"values"``: by the name of each hidden variable
    ///     the probability of each value, by the name of each hidden zone or piece the probability of each element
    ///     that it lies there.
    #[pyo3(signature = (player=None, *, samples=1000, seed=None, opponents=None))]
    fn beliefs<'py>(
        &self,
        py: Python<'py>,
        player: Option<&Bound<'_, PyAny>>,
        samples: usize,
        seed: Option<&Bound<'_, PyAny>>,
        opponents: Option<&str>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (mut worlds, mut stream) = self.drawn_worlds(py, player, seed, opponents)?;
        let beliefs = interruptible(py, || worlds.beliefs(&self.inner, samples.max(1), &mut stream))?;
        let beliefs = beliefs.map_err(|none| no_world_error(py, &none))?;
        let (found, values) = (PyDict::new(py), PyDict::new(py));
        for (name, chances) in beliefs.values {
            let of = PyDict::new(py);
            chances.into_iter().try_for_each(|(value, p)| of.set_item(value, p))?;
            values.set_item(name, of)?;
        }
        found.set_item("exact", beliefs.exact)?;
        found.set_item("worlds", beliefs.worlds)?;
        found.set_item("values", values)?;
        Ok(found)
    }

    /// The state as text. With a player, without what is hidden from that player.
    #[pyo3(signature = (player=None))]
    fn text(&self, py: Python<'_>, player: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        Ok(draw::text::state(&self.inner, self.viewer(py, player)?))
    }

    /// The state as a picture.
    ///
    /// Parameters
    /// ----------
    /// theme : {"auto", "light", "dark"}
    ///     ``"auto"``, the default, is as the page is that it stands on.
    /// width : int, optional
    ///     In pixels; by default as it is drawn.
    /// legal : bool
    ///     Mark what may be done.
    /// player : int, optional
    ///     Leave out what is hidden from this player.
    #[pyo3(signature = (*, theme=None, width=None, legal=false, player=None))]
    fn svg(
        &self,
        py: Python<'_>,
        theme: Option<&Bound<'_, PyString>>,
        width: Option<&Bound<'_, PyAny>>,
        legal: bool,
        player: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let width = width.map(|width| arguments::whole(width, "the width", 1 << 16)).transpose()?;
        let style = draw::svg::Style {
            theme: self::theme(theme)?,
            width: width.map(|width| width as u32),
            legal,
            viewer: self.viewer(py, player)?,
        };
        Ok(draw::svg::svg(&self.inner, &style))
    }

    /// A picture made of pixels: a new array of uint8, of shape ``(height, width, 3)``.
    ///
    /// Parameters
    /// ----------
    /// width, height : int, optional
    ///     With both the drawing is fitted in; by default it is as large as it is drawn.
    /// player : int, optional
    ///     Leave out what is hidden from this player.
    /// dark : bool
    ///     On black.
    /// legal : bool
    ///     Mark what may be done.
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
        let viewer = self.viewer(py, player)?;
        let theme = if dark { draw::svg::Theme::Dark } else { draw::svg::Theme::Light };
        let style = draw::svg::Style { theme, legal, viewer, ..draw::svg::Style::default() };
        let size = |size: Option<&Bound<'_, PyAny>>, what: &str| -> PyResult<Option<u32>> {
            size.map(|size| Ok(arguments::whole(size, what, 1 << 14)? as u32)).transpose()
        };
        let room = houserule::draw::raster::Room {
            width: size(width, "the width")?,
            height: size(height, "the height")?,
        };
        picture::rgb(py, &draw::svg::svg(&self.inner, &style), room, dark)
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Option<bool>> {
        let Ok(other) = other.cast::<State>() else { return Ok(None) };
        let other = other.try_borrow()?;
        self.whole(py, "the whole state")?;
        other.whole(py, "the whole state")?;
        let games = || self.game(py)?.bind(py).eq(other.game(py)?);
        Ok(Some(self.inner == other.inner && games()?))
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
        self.whole(py, "the whole state")?;
        let mut hasher = DefaultHasher::new();
        self.inner.hash(&mut hasher);
        Ok(hasher.finish())
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<State> {
        self.clone(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<State> {
        self.clone(py)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let py = slf.py();
        let state = slf.borrow();
        let read = py.get_type::<State>().getattr("from_bytes")?;
        Ok((read, (state.game(py)?, state.to_bytes(py)?)))
    }

    /// The rules have gone wrong here: no action is taken any more.
    fn _stop(&mut self) {
        self.stopped = true;
    }

    fn __str__(&self) -> String {
        draw::text::state(&self.inner, self.seat)
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

    /// For notebooks: the picture, and the text for terminals.
    #[pyo3(signature = (**_wanted))]
    fn _repr_mimebundle_<'py>(
        &self,
        py: Python<'py>,
        _wanted: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let bundle = PyDict::new(py);
        let style = draw::svg::Style { viewer: self.seat, ..draw::svg::Style::default() };
        bundle.set_item("text/plain", draw::text::state(&self.inner, self.seat))?;
        bundle.set_item("image/svg+xml", draw::svg::svg(&self.inner, &style))?;
        Ok(bundle)
    }
}
