//! Agents in Python: by name, and as callables.

use std::collections::BTreeSet;
use std::ffi::CString;
use std::sync::Arc;

use houserule::agents::{Agent, AgentKind};
use houserule::envs::Guests;
use houserule::game::NoWorld;
use houserule::game::{ActionId, Game, RuntimeError};
use houserule::hidden::View;
use houserule::interrupt;
use houserule::playtest::CustomAgents;
use houserule::rng::Stream;
use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::errors::{agent_error, no_world_error};
use crate::learn::kind_of;
use crate::search::PySearch;
use crate::state::PyState;
use crate::watched::{Raised, interruptible};

/// Maximum number of legal actions listed in a message.
const MOST_NAMED: usize = 12;

/// The agents of all seats.
pub(crate) struct SeatPlayerList {
    /// The agents; `Random` is a placeholder for a callable.
    pub(crate) kinds: Vec<AgentKind>,
    /// The display name of each agent.
    pub(crate) names: Vec<String>,
    callables: Vec<Option<Py<PyAny>>>,
    /// The agents that are searches with an evaluator.
    searches: Vec<Py<PySearch>>,
}

/// Takes a display name and an agent (a name or a callable) for each seat.
impl<'a, 'py> FromPyObject<'a, 'py> for SeatPlayerList {
    type Error = PyErr;

    fn extract(seats: Borrowed<'a, 'py, PyAny>) -> PyResult<SeatPlayerList> {
        let mut players =
            SeatPlayerList { kinds: vec![], names: vec![], callables: vec![], searches: vec![] };
        for (name, agent) in seats.extract::<Vec<(String, Bound<'py, PyAny>)>>()? {
            if let Ok(search) = agent.cast::<PySearch>() {
                players.searches.push(search.clone().unbind());
            }
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
}

impl SeatPlayerList {
    /// Issues the agents' warnings about a game.
    pub(crate) fn warn(&self, py: Python<'_>, game: &Game) -> PyResult<()> {
        let warnings: BTreeSet<String> = self.kinds.iter().filter_map(|kind| kind.warning(game)).collect();
        for warning in warnings {
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &CString::new(warning)?, 2)?;
        }
        Ok(())
    }

    /// Returns the agents without repetitions.
    pub(crate) fn distinct(&self) -> Vec<AgentKind> {
        let mut kinds = Vec::new();
        for kind in &self.kinds {
            if !kinds.contains(kind) {
                kinds.push(kind.clone());
            }
        }
        kinds
    }

    /// Returns `true` if any agent is a callable.
    pub(crate) fn any_python(&self) -> bool {
        self.callables.iter().any(Option::is_some)
    }

    /// Returns `true` if any agent is a search with an evaluator.
    pub(crate) fn any_search(&self) -> bool {
        !self.searches.is_empty()
    }

    /// Returns the number of threads for a run: with callables 1. Searches with an evaluator play many games side by
    /// side, each on a thread of its own, so that their leaves are evaluated together.
    pub(crate) fn threads(&self, threads: usize, games: u64) -> usize {
        if self.any_python() {
            return 1;
        }
        let side_by_side =
            self.searches.iter().map(|search| search.get().inner.settings().side_by_side()).max();
        side_by_side.map_or(threads, |games_of_all| {
            games_of_all.min(usize::try_from(games).unwrap_or(usize::MAX)).max(threads)
        })
    }

    /// Returns the result of a run, or the exception of an evaluator that ended it.
    pub(crate) fn checked<T>(&self, found: PyResult<T>) -> PyResult<T> {
        let errors: Vec<PyErr> =
            self.searches.iter().filter_map(|search| search.get().raised.take()).collect();
        errors.into_iter().next().map_or(found, Err)
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

/// Creates guest agents for the seats of an environment that have a callable or a search with an evaluator.
pub(crate) fn guests(
    py: Python<'_>,
    game: &Game,
    callables: Vec<Option<Py<PyAny>>>,
    raised: &Raised,
) -> PyResult<Guests> {
    let guest = |callable: Py<PyAny>| -> PyResult<Box<dyn Agent>> {
        if !callable.bind(py).is_instance_of::<PySearch>() {
            return Ok(Box::new(Callable { callable: Arc::new(callable), raised: raised.clone() }));
        }
        let search = callable.bind(py).cast::<PySearch>()?.get();
        let agent = search.inner.agent_alone(game).map_err(|error| agent_error(py, &error))?;
        Ok(Box::new(SearchGuest { agent, of_search: search.raised.clone(), raised: raised.clone() }))
    };
    callables.into_iter().map(|callable| callable.map(guest).transpose()).collect()
}

/// A search with an evaluator as an opponent of an environment.
struct SearchGuest {
    agent: Box<dyn Agent>,
    /// Where the search keeps the exception of its evaluator, and where the environment expects it.
    of_search: Raised,
    raised: Raised,
}

impl Agent for SearchGuest {
    fn name(&self) -> String {
        self.agent.name()
    }

    fn choose(&mut self, view: &mut View<'_>, stream: &mut Stream) -> Result<Option<ActionId>, RuntimeError> {
        interrupt::catch(|| self.agent.choose(view, stream)).unwrap_or_else(|interrupt::Interrupted| {
            if let Some(error) = self.of_search.take() {
                self.raised.keep(error);
            }
            interrupt::unwind()
        })
    }

    fn copy(&self) -> Box<dyn Agent> {
        let (of_search, raised) = (self.of_search.clone(), self.raised.clone());
        Box::new(SearchGuest { agent: self.agent.copy(), of_search, raised })
    }
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
