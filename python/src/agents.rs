//! Agents in Python: by name, and as callables.

use std::collections::BTreeSet;
use std::ffi::CString;
use std::sync::{Arc, Mutex};

use houserule::agents::{Agent, AgentKind};
use houserule::envs::Guests;
use houserule::game::NoWorld;
use houserule::game::{ActionId, Game, RuntimeError};
use houserule::hidden::View;
use houserule::interrupt::{self, Interrupt};
use houserule::playtest::CustomAgents;
use houserule::rng::Stream;
use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::errors::{agent_error, no_world_error};
use crate::learn::kind_of;
use crate::state::PyState;
use crate::watched::{interruptible, interruptible_by};

/// Maximum number of legal actions listed in a message.
const MOST_NAMED: usize = 12;

/// The agents of all seats.
pub(crate) struct SeatPlayerList {
    /// The agents; `Random` is a placeholder for a callable.
    pub(crate) kinds: Vec<AgentKind>,
    /// The display name of each agent.
    pub(crate) names: Vec<String>,
    callables: Vec<Option<Py<PyAny>>>,
}

impl SeatPlayerList {
    /// Creates the agents from a display name and an agent (a name or a callable) for each seat.
    pub(crate) fn new(seats: Vec<(String, Bound<'_, PyAny>)>) -> PyResult<SeatPlayerList> {
        let mut players = SeatPlayerList { kinds: vec![], names: vec![], callables: vec![] };
        for (name, agent) in seats {
            let (kind, callable) = match kind_of(&agent) {
                Some(kind) => (kind?, None),
                None => (AgentKind::Random, Some(agent.unbind())),
            };
            players.kinds.push(kind);
            players.names.push(name);
            players.callables.push(callable);
        }
        Ok(players)
    }

    /// Issues the agents' warnings about a game.
    pub(crate) fn warn(&self, py: Python<'_>, game: &Game) -> PyResult<()> {
        let warnings: BTreeSet<String> = self.kinds.iter().filter_map(|kind| kind.warning(game)).collect();
        for warning in warnings {
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &CString::new(warning)?, 2)?;
        }
        Ok(())
    }

    /// Returns `true` if any agent is a callable.
    pub(crate) fn any_python(&self) -> bool {
        self.callables.iter().any(Option::is_some)
    }

    /// Creates the agents for a game. An exception of a callable is stored in `raised`, which also stops the
    /// run.
    pub(crate) fn seats(&self, py: Python<'_>, game: &Game, raised: &Raised) -> PyResult<CustomAgents> {
        let native = interruptible(py, || AgentKind::seat_all(&self.kinds, game))?;
        let native = native.map_err(|error| agent_error(py, &error))?;
        let seat = |(callable, native): (&Option<Py<PyAny>>, Box<dyn Agent>)| match callable {
            Some(callable) => {
                let callable = Arc::new(callable.clone_ref(py));
                Box::new(Callable { callable, raised: raised.clone() }) as Box<dyn Agent>
            }
            None => native,
        };
        let agents = self.callables.iter().zip(native).map(seat).collect();
        Ok(CustomAgents { names: self.names.clone(), agents })
    }
}

/// The first exception of a callable, and the flag that stops the run.
#[derive(Clone, Default)]
pub(crate) struct Raised {
    error: Arc<Mutex<Option<PyErr>>>,
    pub(crate) stop: Interrupt,
}

impl Raised {
    pub(crate) fn keep(&self, error: PyErr) {
        let mut kept = self.error.lock().unwrap_or_else(|e| e.into_inner());
        kept.get_or_insert(error);
        self.stop.set();
    }

    /// Keeps an exception of work that ends by itself.
    pub(crate) fn tell(&self, error: PyErr) {
        self.error.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(error);
    }

    pub(crate) fn take(&self) -> Option<PyErr> {
        self.error.lock().unwrap_or_else(|e| e.into_inner()).take()
    }

    /// Runs work that calls callables, on this thread. An exception in a callable ends it, as Ctrl-C does.
    pub(crate) fn during<T: Send>(&self, py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
        let done = interruptible_by(py, &self.stop, work);
        self.stop.clear();
        match self.take() {
            Some(error) => Err(error),
            None => done,
        }
    }
}

/// Creates guest agents for the seats of an environment that have a callable.
pub(crate) fn guests(callables: Vec<Option<Py<PyAny>>>, raised: &Raised) -> Guests {
    let guest = |callable| -> Box<dyn Agent> {
        Box::new(Callable { callable: Arc::new(callable), raised: raised.clone() })
    };
    callables.into_iter().map(|callable| callable.map(guest)).collect()
}

/// An agent that is a Python callable.
struct Callable {
    callable: Arc<Py<PyAny>>,
    raised: Raised,
}

impl Agent for Callable {
    fn name(&self) -> String {
        "python".to_owned()
    }

    fn choose(&mut self, view: &mut View<'_>, stream: &mut Stream) -> Result<Option<ActionId>, RuntimeError> {
        let shown = PyState::view(view, stream);
        let action = Python::attach(|py| self.ask(py, view, shown).map_err(|error| self.raised.keep(error)));
        interrupt::check();
        Ok(action.ok())
    }

    fn copy(&self) -> Box<dyn Agent> {
        Box::new(Callable { callable: Arc::clone(&self.callable), raised: self.raised.clone() })
    }
}

impl Callable {
    fn ask(&self, py: Python<'_>, view: &View<'_>, shown: Result<PyState, NoWorld>) -> PyResult<ActionId> {
        let place = || format!("game {}, seat {}", view.index(), view.seat().0);
        let shown = shown.map_err(|none| no_world_error(py, &none)).inspect_err(|error| {
            let _ = error.value(py).call_method1("add_note", (format!("in {}", place()),));
        })?;
        let answer = self.callable.bind(py).call1((shown,)).inspect_err(|error| {
            // Says where it happened. Python before 3.11 has no notes.
            let _ = error.value(py).call_method1("add_note", (format!("in {}", place()),));
        })?;
        let game = view.game();
        let legal = view.legal_actions();
        let action = if answer.is_instance_of::<PyBool>() {
            None
        } else if let Ok(text) = answer.extract::<String>() {
            game.parse_action(&text)
        } else {
            answer.extract::<u32>().ok().map(ActionId)
        };
        if let Some(action) = action.filter(|action| legal.contains(action)) {
            return Ok(action);
        }
        let named: Vec<String> = legal
            .iter()
            .take(MOST_NAMED)
            .map(|action| format!("{} `{}`", action.0, game.action_name(*action)))
            .collect();
        let more = match legal.len().saturating_sub(MOST_NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        Err(PyValueError::new_err(format!(
            "{}: the agent returned {}, which is not a legal action; legal: {}{more}",
            place(),
            answer.repr()?,
            named.join(", ")
        )))
    }
}
