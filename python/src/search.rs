//! The search with an evaluator in Python.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use houserule::agents::{AgentKind, OwnAgent};
use houserule::evaluated::{
    EvaluatedSearch, EvaluatorStopped, LeafAnswers, LeafBatch, LeafCells, LeafEvaluator, SearchError,
    SearchSettings, TreeKind, search_states,
};
use houserule::observe::Dtype;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::arguments::{dtype_of, one_of, seed_number, thread_count};
use crate::state::{PyState, game_error};
use crate::watched::{Raised, interruptible};

/// A search with an evaluator, such as a neural network, that is called for many positions at once.
///
/// The evaluator is called as ``evaluator(observations, masks)`` with N positions of one game with A actions.
/// ``observations`` is an array of shape (N, …), as environments have them: each is what the player to move sees.
/// ``masks`` is an int8 array of shape (N, A), 1 for the legal actions. It returns ``(priors, values)``:
///
/// - ``priors``, of shape (N, A): a number from 0 for each action. Those of illegal actions are ignored; the others are
///   scaled to a sum of 1.
/// - ``values``, of shape (N,): the expected return of the player to move, from -1 to 1. In a one-player game it is the
///   expected final score. With more than two players the shape is (N, players): first the player to move, then the
///   others in turn order.
///
/// A search is an agent: `simulate`, `evaluate`, `ladder`, `compare`, `report`, environments and all that take agents
/// accept it. They play many games side by side, and call the evaluator for the leaves of all of them; environments
/// call it for the leaves of one decision. `run` searches many states at once.
///
/// Parameters
/// ----------
/// evaluator
///     The function. It is called from one thread at a time, not always the same.
/// simulations
///     The number of simulations per decision.
/// method
///     ``"mcts"`` or ``"ismcts"``, as the agents of these names. They differ if something is hidden.
/// observation
///     The layout of observations: ``"flat"`` or ``"planes"``.
/// dtype
///     The dtype of observations: ``"float32"``, ``"uint8"`` or ``"bits"``.
/// leaves
///     The greatest number of leaves of one search in a call. More make larger batches, and a search that is a little
///     weaker, because a leaf is chosen before those before it are evaluated.
/// batch
///     The greatest number of leaves in a call. ``batch // leaves`` decisions are searched, and games played, side by
///     side.
/// c_puct
///     The exploration constant of PUCT, for values from -1 to 1.
/// name
///     The name in tables.
/// root_noise
///     The concentration of the Dirichlet noise that is a quarter of the root's priors, for self-play. None for no noise.
/// temperature
///     Actions are drawn with the weights visits^(1/temperature). With 0, the most visited action is taken.
/// seed
///     The seed of `run`. Games have their own.
///
/// Raises
/// ------
/// ValueError
///     If an option isn't possible.
/// TypeError
///     If the evaluator isn't callable.
#[pyclass(module = "houserule", frozen, name = "Search")]
pub(crate) struct PySearch {
    pub(crate) inner: Arc<EvaluatedSearch>,
    /// The exception of the evaluator.
    pub(crate) raised: Raised,
    /// The arguments, for pickles.
    evaluator: Py<PyAny>,
    options: Py<PyDict>,
    seed: u64,
    /// The number of calls of `run`.
    rounds: AtomicU64,
}

/// The policies, the values and the actions of states.
type SearchArrays<'py> = (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<i64>>);

#[pymethods]
impl PySearch {
    #[new]
    #[pyo3(
        signature = (
            evaluator, simulations=200, *, method="mcts", observation="flat", dtype=Dtype::Float32, leaves=8,
            batch=2048, c_puct=1.25, name="net", root_noise=None, temperature=0.0, seed=1
        ),
        text_signature = "(evaluator, simulations=200, *, method=\"mcts\", observation=\"flat\", dtype=\"float32\", \
            leaves=8, batch=2048, c_puct=1.25, name=\"net\", root_noise=None, temperature=0.0, seed=1)"
    )]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        evaluator: Py<PyAny>,
        simulations: u32,
        method: &str,
        observation: &str,
        #[pyo3(from_py_with = dtype_of)] dtype: Dtype,
        leaves: u32,
        batch: u32,
        c_puct: f64,
        name: &str,
        root_noise: Option<f64>,
        temperature: f64,
        #[pyo3(from_py_with = seed_number)] seed: u64,
    ) -> PyResult<PySearch> {
        if !evaluator.bind(py).is_callable() {
            return Err(PyTypeError::new_err(format!(
                "the evaluator must be a callable that takes observations and masks, not {}",
                evaluator.bind(py).repr()?
            )));
        }
        let tree = one_of("method", method, &[("mcts", TreeKind::Mcts), ("ismcts", TreeKind::Ismcts)])?;
        let planes = one_of("observation", observation, &[("flat", false), ("planes", true)])?;
        let settings = SearchSettings {
            tree,
            simulations,
            leaves,
            batch,
            exploration: c_puct,
            noise: root_noise,
            temperature,
        };
        let options = PyDict::new(py);
        options.set_item("simulations", simulations)?;
        options.set_item("method", method)?;
        options.set_item("observation", observation)?;
        options.set_item("dtype", dtype.name())?;
        options.set_item("leaves", leaves)?;
        options.set_item("batch", batch)?;
        options.set_item("c_puct", c_puct)?;
        options.set_item("name", name)?;
        options.set_item("root_noise", root_noise)?;
        options.set_item("temperature", temperature)?;
        options.set_item("seed", seed)?;
        let raised = Raised::default();
        let called = Box::new(PyEvaluator { evaluator: evaluator.clone_ref(py), raised: raised.clone() });
        let inner = EvaluatedSearch::new(name.to_owned(), settings, planes, dtype, called);
        let inner = Arc::new(inner.map_err(PyValueError::new_err)?);
        Ok(PySearch { inner, raised, evaluator, options: options.unbind(), seed, rounds: AtomicU64::new(0) })
    }

    /// The name in tables.
    #[getter]
    fn name(&self) -> String {
        AgentKind::Own(OwnAgent(self.inner.clone())).to_string()
    }

    /// The number of simulations per decision.
    #[getter]
    fn simulations(&self) -> u32 {
        self.inner.settings().simulations
    }

    /// Searches states of one game, in each of which a player has to decide. Their leaves are evaluated together.
    ///
    /// Parameters
    /// ----------
    /// states
    ///     N states of one game.
    /// threads
    ///     The number of threads, which changes no result; by default 1.
    ///
    /// Returns
    /// -------
    /// policies
    ///     float32 of shape (N, A): the share of the simulations of each action.
    /// values
    ///     float64 of shape (N,): the mean value of the simulations for the player to move. In a one-player game it is
    ///     the expected final score.
    /// actions
    ///     int64 of shape (N,): the action that the search chooses.
    ///
    /// Notes
    /// -----
    /// The random numbers come from the search's seed, the number of its calls of `run` and the index of the state.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If nobody has to decide in a state, the states are of several games, or the evaluator returns no such arrays.
    #[pyo3(signature = (states, threads=1))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        states: Vec<Bound<'py, PyState>>,
        #[pyo3(from_py_with = thread_count)] threads: usize,
    ) -> PyResult<SearchArrays<'py>> {
        let mut inner: Vec<houserule::game::State> = Vec::with_capacity(states.len());
        for (at, state) in states.iter().enumerate() {
            let state = state.borrow().decided(&format!("state {at}"))?;
            if inner.first().is_some_and(|first| !std::ptr::eq(state.game().model(), first.game().model())) {
                return Err(PyValueError::new_err(format!(
                    "state {at} is of another game than state 0: search the states of one game at a time"
                )));
            }
            inner.push(state);
        }
        let actions = inner.first().map_or(0, |state| state.game().actions() as usize);
        let round = self.rounds.fetch_add(1, Ordering::Relaxed);
        let found = interruptible(py, || {
            let found = search_states(&self.inner, &mut inner, self.seed, round, threads);
            (found, inner)
        });
        if let Some(error) = self.raised.take() {
            return Err(error);
        }
        let (found, inner) = found?;
        let found = found.map_err(|error| match error {
            SearchError::State(at, error) => game_error(py, &error, PyState::new(inner[at].clone())),
            SearchError::Stopped => PyRuntimeError::new_err(error.to_string()),
            SearchError::Form(reason) => PyValueError::new_err(reason),
        })?;
        let mut policies = vec![0.0; found.len() * actions];
        for (row, result) in found.iter().enumerate() {
            for (action, share) in &result.policy {
                policies[row * actions + action.0 as usize] = *share;
            }
        }
        let policies = policies.into_pyarray(py).reshape([found.len(), actions])?;
        let values: Vec<f64> = found.iter().map(|result| result.value).collect();
        let chosen: Vec<i64> = found.iter().map(|result| result.action.0.into()).collect();
        Ok((policies, values.into_pyarray(py), chosen.into_pyarray(py)))
    }

    /// Searches one state, and returns the number of the action.
    fn __call__<'py>(&self, py: Python<'py>, state: Bound<'py, PyState>) -> PyResult<i64> {
        let (_, _, actions) = self.run(py, vec![state], 1)?;
        Ok(actions.readonly().as_slice()?[0])
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, search) = (slf.py(), slf.get());
        let partial = py.import("functools")?.getattr("partial")?;
        let made = partial.call((slf.get_type(),), Some(search.options.bind(py)))?;
        Ok((made, PyTuple::new(py, [search.evaluator.bind(py)])?))
    }

    fn __repr__(&self) -> String {
        format!("<Search {}: {} simulations>", self.name(), self.simulations())
    }
}

impl PySearch {
    /// Returns the search as an agent.
    pub(crate) fn kind(&self) -> AgentKind {
        AgentKind::Own(OwnAgent(self.inner.clone()))
    }
}

/// An evaluator that is a Python callable.
struct PyEvaluator {
    evaluator: Py<PyAny>,
    raised: Raised,
}

impl LeafEvaluator for PyEvaluator {
    fn evaluate(&self, batch: LeafBatch) -> Result<LeafAnswers, EvaluatorStopped> {
        Python::attach(|py| self.ask(py, batch)).map_err(|error| {
            self.raised.keep(error);
            EvaluatorStopped
        })
    }
}

impl PyEvaluator {
    fn ask(&self, py: Python<'_>, batch: LeafBatch) -> PyResult<LeafAnswers> {
        let LeafBatch { form, count, cells, masks } = batch;
        let (actions, players) = (form.actions(), form.players());
        let shape: Vec<usize> = std::iter::once(count).chain(form.shape()).collect();
        let observations = match cells {
            LeafCells::Floats(floats) => floats.into_pyarray(py).reshape(shape)?.into_any(),
            LeafCells::Bytes(bytes) => bytes.into_pyarray(py).reshape(shape)?.into_any(),
        };
        let masks = masks.into_pyarray(py).reshape([count, actions])?;
        let evaluator = self.evaluator.bind(py);
        let answer = evaluator.call1((observations, masks))?;
        let (priors, values): (Bound<'_, PyAny>, Bound<'_, PyAny>) = answer.extract().map_err(|_| {
            let given =
                answer.get_type().name().map_or_else(|_| "another type".into(), |name| name.to_string());
            PyTypeError::new_err(format!("the evaluator must return a tuple (priors, values), not {given}"))
        })?;
        let priors = floats(&priors, "priors")?;
        let values = floats(&values, "values")?;
        if priors.shape() != [count, actions] {
            return Err(PyValueError::new_err(format!(
                "the evaluator returned priors of shape {}: expected ({count}, {actions}), a prior for each position \
                 and action",
                shown(priors.shape())
            )));
        }
        let values_each = match values.shape() {
            [n] if *n == count && players <= 2 => 1,
            [n, 1] if *n == count && players <= 2 => 1,
            [n, p] if *n == count && *p == players => players,
            shape => {
                let expected = match players {
                    1 | 2 => format!("({count},), the value of each position for the player to move"),
                    _ => format!(
                        "({count}, {players}), the values of each position for the player to move and those after it"
                    ),
                };
                return Err(PyValueError::new_err(format!(
                    "the evaluator returned values of shape {}: expected {expected}",
                    shown(shape)
                )));
            }
        };
        let copied = |array: &PyReadonlyArrayDyn<'_, f32>| array.as_slice().map(<[f32]>::to_vec);
        let answers = LeafAnswers { priors: copied(&priors)?, values: copied(&values)?, values_each };
        answers.check(count, actions, players).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(answers)
    }
}

/// Converts what an evaluator returned to a contiguous array of float32.
fn floats<'py>(given: &Bound<'py, PyAny>, what: &str) -> PyResult<PyReadonlyArrayDyn<'py, f32>> {
    let numpy = given.py().import("numpy")?;
    let array = numpy.call_method1("ascontiguousarray", (given, "float32")).inspect_err(|error| {
        let note = format!("in the conversion of the evaluator's {what} to an array of float32");
        let _ = error.value(given.py()).call_method1("add_note", (note,));
    })?;
    array.extract()
}

/// Formats a shape as numpy does.
fn shown(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        many => format!("({})", many.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
    }
}
