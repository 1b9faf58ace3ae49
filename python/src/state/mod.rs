//! `State`: a game in progress, whole or as a seat sees it, and what is told if its rules go wrong.

mod methods;
mod observed;

use houserule::diagnostic::{Style, render};
use houserule::draw::stopped::stopped;
use houserule::engine::trail::Trail;
use houserule::engine::{
    self, ApplyError, NoWorld, Opponents, Player, RuntimeError, RuntimeErrorKind, View, WorldOptions, Worlds,
};
use houserule::rng::Stream;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use crate::arguments;
use crate::errors::{apply_error, class, diagnostic, hidden_error, no_world_error};
use crate::game::Game;
use crate::watched::interruptible;

/// A game in progress, or over.
///
/// `Game.start` and `Game.position` make states. Two states are equal if they are of equal games and the
/// same lies on the table: seed, dice to come and history do not count. A state that changes changes
/// its hash: keep a `clone` as a key.
///
/// Where something is hidden, an agent gets its seat's view: a state of which what the seat sees can be read,
/// and everything else raises `HiddenError`. `determinize` makes a whole state of it.
#[pyclass(module = "houserule")]
pub(crate) struct State {
    pub(crate) inner: engine::State,
    /// Whose view it is. Then `inner` is drawn for this player: nothing that is hidden is in it.
    seat: Option<Player>,
    /// The rules have gone wrong in it.
    stopped: bool,
    trail: Trail,
    /// The game that `State.game` has given, so that it is the same object each time.
    game: PyOnceLock<Py<Game>>,
}

impl State {
    /// Of a state with its history from the start of the game.
    pub(crate) fn new(inner: engine::State) -> Self {
        State::along(inner, Trail::default())
    }

    /// Of a state that a game begins with.
    pub(crate) fn from_here(inner: engine::State) -> Self {
        let trail = Trail::from_here(&inner);
        State::along(inner, trail)
    }

    fn along(inner: engine::State, trail: Trail) -> Self {
        State { inner, seat: None, stopped: false, trail, game: PyOnceLock::new() }
    }

    /// What an agent gets whose seat has to decide: where something is hidden, the seat's view.
    pub(crate) fn view(view: &View<'_>, stream: &mut Stream) -> Result<Self, NoWorld> {
        let drawn = view.determinize(stream)?;
        let seat = drawn.game().hides().then(|| view.seat());
        Ok(State { seat, ..State::from_here(drawn) })
    }

    /// With the object that its game is, so that `State.game` and pickles share it.
    pub(crate) fn of(self, game: &Bound<'_, Game>) -> Self {
        let _ = self.game.set(game.py(), game.clone().unbind());
        self
    }

    fn copied(&self, py: Python<'_>) -> Self {
        let game = PyOnceLock::new();
        if let Some(known) = self.game.get(py) {
            let _ = game.set(py, known.clone_ref(py));
        }
        let (inner, trail) = (self.inner.clone(), self.trail.clone());
        State { inner, seat: self.seat, stopped: self.stopped, trail, game }
    }

    /// A player, or who decides; where nobody does, the first.
    fn whose(&self, player: Option<&Bound<'_, PyAny>>) -> PyResult<Player> {
        match player {
            Some(player) => arguments::seat(player, self.inner.game()),
            None => Ok(self.inner.current_player().unwrap_or(Player(0))),
        }
    }

    /// The same of what only that player sees.
    fn eyes(&self, py: Python<'_>, player: Option<&Bound<'_, PyAny>>) -> PyResult<Player> {
        let player = match (self.seat, player) {
            (Some(seat), None) => seat,
            _ => self.whose(player)?,
        };
        match self.seat.is_none_or(|seat| seat == player) {
            true => Ok(player),
            false => Err(self.hidden(py, &format!("what player {} sees", player.0))),
        }
    }

    /// Worlds for a player, and where they are drawn from.
    fn drawn_worlds(
        &self,
        py: Python<'_>,
        player: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        opponents: Option<&str>,
    ) -> PyResult<(Worlds, Stream)> {
        let player = self.eyes(py, player)?;
        let opponents = match opponents.unwrap_or("uniform") {
            "uniform" => Opponents::Uniform,
            "unknown" => Opponents::Unknown,
            other => {
                let message = format!("opponents is \"uniform\" or \"unknown\", not \"{other}\"");
                return Err(PyValueError::new_err(message));
            }
        };
        let stream = Stream::new(arguments::seed(seed)?, 0, 0);
        let options = WorldOptions { opponents, ..WorldOptions::default() };
        let worlds = interruptible(py, || self.inner.worlds(player, &options))?;
        let worlds = worlds.map_err(|none| no_world_error(py, &none))?;
        Ok((worlds, stream))
    }

    /// For whom it is drawn: for one player, or for nobody, who sees all.
    fn viewer(&self, py: Python<'_>, player: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Player>> {
        match (self.seat, player) {
            (None, None) => Ok(None),
            _ => self.eyes(py, player).map(Some),
        }
    }

    /// Goes on only with a whole state.
    fn whole(&self, py: Python<'_>, what: &str) -> PyResult<()> {
        self.seat.map_or(Ok(()), |_| Err(self.hidden(py, what)))
    }

    /// What is read is hidden from the player whose view this is.
    fn hidden(&self, py: Python<'_>, what: &str) -> PyErr {
        hidden_error(py, what, self.seat.unwrap_or(Player(0)))
    }

    /// Goes on only if all that a score counts is seen.
    fn scored(&self, py: Python<'_>, player: Player) -> PyResult<()> {
        match self.seat {
            Some(seat) if !self.inner.sees_score(player, seat) => {
                Err(self.hidden(py, &format!("something that the score of player {} counts", player.0)))
            }
            _ => Ok(()),
        }
    }

    /// Changes the state. If that is interrupted it is as it was before; only scripts of the rules take so long.
    fn change<T: Send>(
        &mut self,
        py: Python<'_>,
        change: impl FnOnce(&mut engine::State) -> T + Send,
    ) -> PyResult<T> {
        if self.inner.game().program().hooks == 0 {
            return Ok(change(&mut self.inner));
        }
        let mut changed = self.inner.clone();
        let done = interruptible(py, || change(&mut changed))?;
        self.inner = changed;
        Ok(done)
    }

    /// Goes on only if the state can.
    fn going(&self) -> PyResult<()> {
        match self.stopped {
            true => Err(PyValueError::new_err(
                "the rules have gone wrong here: this state can be looked at and taken back (`undo`), \
                 and takes no action",
            )),
            false => Ok(()),
        }
    }

    /// After something was applied. If the rules went wrong, this state is as it was before.
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

    /// An error of the rules about this state as it is.
    fn wrong(&self, py: Python<'_>, error: &RuntimeError) -> PyErr {
        game_error(py, error, self.copied(py))
    }
}

/// A game that went wrong as it was played: the rule, and the state at that moment.
pub(crate) fn game_error(py: Python<'_>, error: &RuntimeError, state: State) -> PyErr {
    told_game_error(py, error, state).unwrap_or_else(|failed| failed)
}

fn told_game_error(py: Python<'_>, error: &RuntimeError, state: State) -> PyResult<PyErr> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let sources = &*error.sources(&state.inner.game().sheet().sources);
    let told = error.diagnostic_in(state.inner.game(), Some(&state.inner));
    // The decision that was one too many was not carried out.
    let decisions = match error.kind {
        RuntimeErrorKind::Limit { decisions } => decisions,
        _ => state.inner.decisions(),
    };
    let plural = if decisions == 1 { "" } else { "s" };
    let mut text = render(&told, sources, Style::default());
    // What is hidden in a view is not told.
    if state.seat.is_none() {
        let stopped = stopped(&state.inner, &format!("{decisions} decision{plural}"));
        text.push_str(&format!("\n\n{}", stopped.trim_end()));
    }
    let told = diagnostic(py, &told, sources)?;
    let error = class(py, &CLASS, "GameError")?.call1((text, told, state))?;
    Ok(PyErr::from_value(error))
}
