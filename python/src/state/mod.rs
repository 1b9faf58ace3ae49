//! `State`: a game in progress, complete or as a seat sees it, and its runtime errors.

mod methods;
mod observed;
mod pictures;
mod worlds;

use houserule::diagnostic::{RenderOptions, render};
use houserule::draw::stopped::stopped;
use houserule::game::NoWorld;
use houserule::game::trail::UndoHistory;
use houserule::game::{ApplyError, HistoryOrigin, RuntimeError, RuntimeErrorKind, Seat};
use houserule::hidden::View;
use houserule::rng::Stream;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use crate::arguments;
use crate::errors::{apply_error, class, diagnostic, hidden_error};
use crate::game::PyGame;
use crate::watched::interruptible;

/// A game in progress, or over.
///
/// `Game.start` and `Game.position` create states. Two states are equal if their games are equal and the same
/// is on the table: seed, random numbers to come and history don't count. The hash of a state changes when the
/// state does: use a `clone` as a key.
///
/// If the game hides something, an agent gets its seat's view: a state in which everything that the seat sees
/// can be read, and everything else raises `HiddenError`. `determinize` draws a complete state from it.
#[pyclass(module = "houserule", name = "State")]
pub(crate) struct PyState {
    pub(crate) inner: houserule::game::State,
    /// The seat whose view it is. In this case `inner` is a determinization: it contains nothing hidden.
    seat: Option<Seat>,
    /// Whether an error in the rules has stopped the game.
    stopped: bool,
    trail: UndoHistory,
    /// The object returned by `State.game`, so that it is the same each time.
    game: PyOnceLock<Py<PyGame>>,
}

impl PyState {
    /// Wraps a state with its history from the start of the game.
    pub(crate) fn new(inner: houserule::game::State) -> Self {
        PyState::along(inner, UndoHistory::default())
    }

    /// Wraps a state that begins a game.
    pub(crate) fn from_here(inner: houserule::game::State) -> Self {
        let trail = UndoHistory::from_here(&inner);
        PyState::along(inner, trail)
    }

    fn along(inner: houserule::game::State, trail: UndoHistory) -> Self {
        PyState { inner, seat: None, stopped: false, trail, game: PyOnceLock::new() }
    }

    /// Returns the state for the agent to decide: the seat's view if the game hides something.
    pub(crate) fn view(view: &View<'_>, stream: &mut Stream) -> Result<Self, NoWorld> {
        let drawn = view.determinize(stream)?;
        let seat = drawn.game().hides().then(|| view.seat());
        Ok(PyState { seat, ..PyState::from_here(drawn) })
    }

    /// Returns a copy in which a player has to decide. In a view it is the seat's own decision. `what` names the state
    /// in messages.
    pub(crate) fn decided(&self, what: &str) -> PyResult<houserule::game::State> {
        match self.inner.current_player() {
            Some(player) if self.seat.is_none_or(|seat| seat == player) => Ok(self.inner.clone()),
            Some(player) => Err(PyValueError::new_err(format!(
                "{what}: player {} has to decide, and this is the view of player {}",
                player.0,
                self.seat.unwrap_or_default().0
            ))),
            None => Err(PyValueError::new_err(format!("{what}: nobody has to decide"))),
        }
    }

    /// Sets the game object, so that `State.game` and pickles share it.
    pub(crate) fn with_game(self, game: &Bound<'_, PyGame>) -> Self {
        let _ = self.game.set(game.py(), game.clone().unbind());
        self
    }

    fn copied(&self, py: Python<'_>) -> Self {
        let game = PyOnceLock::new();
        if let Some(known) = self.game.get(py) {
            let _ = game.set(py, known.clone_ref(py));
        }
        let (inner, trail) = (self.inner.clone(), self.trail.clone());
        PyState { inner, seat: self.seat, stopped: self.stopped, trail, game }
    }

    /// Returns the given player, or the player to decide, or the first seat if nobody has to decide.
    fn whose(&self, player: Option<&Bound<'_, PyAny>>) -> PyResult<Seat> {
        match player {
            Some(player) => arguments::seat(player, self.inner.game()),
            None => Ok(self.inner.current_player().unwrap_or(Seat(0))),
        }
    }

    /// Like [`State::whose`], for something that only this player sees. In a view, raises an error for other
    /// players.
    fn eyes(&self, py: Python<'_>, player: Option<&Bound<'_, PyAny>>) -> PyResult<Seat> {
        let player = match (self.seat, player) {
            (Some(seat), None) => seat,
            _ => self.whose(player)?,
        };
        match self.seat.is_none_or(|seat| seat == player) {
            true => Ok(player),
            false => Err(self.hidden(py, &format!("the view of player {}", player.0))),
        }
    }

    /// Returns the player for whom a state is shown, or `None` to show everything.
    fn viewer(&self, py: Python<'_>, player: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Seat>> {
        match (self.seat, player) {
            (None, None) => Ok(None),
            _ => self.eyes(py, player).map(Some),
        }
    }

    /// Raises an error if this is a view.
    fn whole(&self, py: Python<'_>, what: &str) -> PyResult<()> {
        self.seat.map_or(Ok(()), |_| Err(self.hidden(py, what)))
    }

    /// Raises an error if this state comes from an environment, which doesn't keep `what`.
    fn counted(&self, what: &str) -> PyResult<()> {
        match self.inner.history_origin() {
            HistoryOrigin::Environment => Err(PyValueError::new_err(format!(
                "environments don't keep the {what} of their games, so this state doesn't have it: it has the seed, the \
                 index and the number of decisions. A state of `Game.start` has all of it"
            ))),
            HistoryOrigin::Seed | HistoryOrigin::Drawn | HistoryOrigin::Position => Ok(()),
        }
    }

    /// Creates the error for something that is hidden in this view.
    fn hidden(&self, py: Python<'_>, what: &str) -> PyErr {
        hidden_error(py, what, self.seat.unwrap_or(Seat(0)))
    }

    /// Raises an error if this view hides something that a score depends on.
    fn scored(&self, py: Python<'_>, player: Seat) -> PyResult<()> {
        match self.seat {
            Some(seat) if !self.inner.sees_score(player, seat) => {
                Err(self.hidden(py, &format!("a part of the score of player {}", player.0)))
            }
            _ => Ok(()),
        }
    }

    /// Changes the state. If the change is interrupted, the state is unchanged. Only scripts in the rules take
    /// long enough for that.
    fn change<T: Send>(
        &mut self,
        py: Python<'_>,
        change: impl FnOnce(&mut houserule::game::State) -> T + Send,
    ) -> PyResult<T> {
        if self.inner.game().program().hooks == 0 {
            return Ok(change(&mut self.inner));
        }
        let mut changed = self.inner.clone();
        let done = interruptible(py, || change(&mut changed))?;
        self.inner = changed;
        Ok(done)
    }

    /// Raises an error if the game has been stopped by an error.
    fn going(&self) -> PyResult<()> {
        match self.stopped {
            true => Err(PyValueError::new_err(
                "an error of the rules has stopped this game: the state can be read and taken back (`undo`), \
                 but takes no action or outcome",
            )),
            false => Ok(()),
        }
    }

    /// Handles the result of a change. After a runtime error the state is as it was before.
    fn done(&mut self, py: Python<'_>, applied: Result<(), ApplyError>) -> PyResult<()> {
        match applied {
            Ok(()) => Ok(()),
            Err(ApplyError::Runtime(error)) => {
                let wrong = self.copied(py);
                if let Some(before) = self.trail.back(&self.inner, 1) {
                    self.inner = before;
                }
                Err(game_error(py, &error, wrong))
            }
            Err(error) => Err(apply_error(&error, &self.inner)),
        }
    }

    /// Creates the error for a runtime error in the current state.
    fn wrong(&self, py: Python<'_>, error: &RuntimeError) -> PyErr {
        game_error(py, error, self.copied(py))
    }
}

/// Creates the error for a runtime error in a game: the rule, and the state at that moment.
pub(crate) fn game_error(py: Python<'_>, error: &RuntimeError, state: PyState) -> PyErr {
    told_game_error(py, error, state).unwrap_or_else(|failed| failed)
}

fn told_game_error(py: Python<'_>, error: &RuntimeError, state: PyState) -> PyResult<PyErr> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let sources = &*error.sources(&state.inner.game().sheet().sources);
    let told = error.diagnostic_in(state.inner.game(), Some(&state.inner));
    // The decision beyond the limit was not carried out.
    let decisions = match error.kind {
        RuntimeErrorKind::Limit { decisions } => decisions,
        _ => state.inner.decisions(),
    };
    let plural = if decisions == 1 { "" } else { "s" };
    let mut text = render(&told, sources, RenderOptions::default());
    // A view must not reveal what is hidden.
    if state.seat.is_none() {
        let stopped = stopped(&state.inner, &format!("{decisions} decision{plural}"));
        text.push_str(&format!("\n\n{}", stopped.trim_end()));
    }
    let told = diagnostic(py, &told, sources)?;
    let error = class(py, &CLASS, "GameError")?.call1((text, told, state))?;
    Ok(PyErr::from_value(error))
}
