//! The options of environments, and their errors as exceptions.

use std::num::NonZeroU32;

use houserule::agents::AgentKind;
use houserule::envs::{
    self, Autoreset, EnvError, EnvOptions, Illegal, LineUp, LoadMeasured, ObservationForm, Opponents,
    Potential, Reward, SeatChoice,
};
use houserule::game::Seat;
use houserule::loader::load_origin;
use houserule::observe::Dtype;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::{count, dtype_of, one_of};
use crate::errors::agent_error;
use crate::learn::kind_of;
use crate::rules::rule_options;
use crate::search::PySearch;
use crate::watched::Raised;

/// Returns the name of a dtype of observations, which may be given as a dtype of numpy.
#[pyfunction]
pub(crate) fn dtype_name(#[pyo3(from_py_with = dtype_of)] dtype: Dtype) -> &'static str {
    dtype.name()
}

/// Converts an environment error to an exception.
pub(crate) fn wrong(error: &EnvError) -> PyErr {
    match error {
        EnvError::Over { .. } | EnvError::NotBegun { .. } => PyRuntimeError::new_err(error.to_string()),
        EnvError::Agent(error) => Python::attach(|py| agent_error(py, error)),
        EnvError::Cells { .. } => PyTypeError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// The parsed options of an environment.
#[derive(Default)]
pub(crate) struct ParsedOptions {
    pub(crate) options: EnvOptions,
    /// The callable of each seat; empty if there are none.
    pub(crate) callables: Vec<Option<Py<PyAny>>>,
    /// Exceptions of the callables.
    pub(crate) raised: Raised,
    /// Several rule sets.
    pub(crate) rules: Option<envs::RuleOptions>,
}

impl ParsedOptions {
    pub(crate) fn self_play(&self) -> bool {
        self.options.opponents == Opponents::SelfPlay
    }

    /// Sets the opponents from names and callables. A single one is used for all seats.
    fn seat(&mut self, opponents: Vec<Bound<'_, PyAny>>, players: u32) -> PyResult<()> {
        let (kinds, callables) = line_up(opponents, players)?;
        self.callables = callables;
        self.options.opponents = Opponents::Agents(kinds);
        Ok(())
    }

    /// Sets a mixture of opponents: a name, a weight and the agents of each line-up.
    fn mix(&mut self, mixture: Vec<(String, f64, Vec<Bound<'_, PyAny>>)>, players: u32) -> PyResult<()> {
        let (mut line_ups, mut callables) = (vec![], vec![]);
        for (name, weight, opponents) in mixture {
            let (agents, mut called) = line_up(opponents, players)?;
            called.resize_with(players as usize, || None);
            callables.extend(called);
            line_ups.push(LineUp { name, weight, agents });
        }
        if callables.iter().any(Option::is_some) && players > 1 {
            self.callables = callables;
        }
        self.options.opponents = Opponents::Mixture(line_ups);
        Ok(())
    }
}

/// Agents by name, and the callable of each seat; no callables if there are none.
type AgentsAndCallables = (Vec<AgentKind>, Vec<Option<Py<PyAny>>>);

/// Returns the agents of a line-up. A single one is used for all seats.
fn line_up(opponents: Vec<Bound<'_, PyAny>>, players: u32) -> PyResult<AgentsAndCallables> {
    let (mut kinds, mut callables) = (vec![], vec![]);
    for opponent in opponents {
        // The exceptions of a search go the way of those of callables.
        let kind = if opponent.cast::<PySearch>().is_ok() { None } else { kind_of(&opponent) };
        match kind {
            Some(kind) => {
                kinds.push(kind?);
                callables.push(None);
            }
            None => {
                kinds.push(AgentKind::Random);
                callables.push(Some(opponent.unbind()));
            }
        }
    }
    if callables.iter().all(Option::is_none) {
        return Ok((kinds, vec![]));
    }
    if let ([kind], [callable]) = (kinds.as_slice(), callables.as_slice()) {
        let of_all = |_| callable.as_ref().map(|callable| Python::attach(|py| callable.clone_ref(py)));
        (kinds, callables) = (vec![kind.clone(); players as usize], (0..players).map(of_all).collect());
    }
    Ok((kinds, callables))
}

/// Parses options from a dict with `observation`, `dtype`, `reward`, `potential` (an expression and its discount),
/// `opponents` (names and callables; `None` means self-play) or `mixture` (a name, a weight and such a list for each
/// line-up), `seat` (`None` means random), `illegal_action`, `skip_forced`, `match` and `autoreset`.
pub(crate) fn parse_options(given: &Bound<'_, PyDict>, players: u32) -> PyResult<ParsedOptions> {
    let mut asked = ParsedOptions::default();
    let (mut opponents, mut mixture) = (None, None);
    let options = &mut asked.options;
    options.load_measured = Some(LoadMeasured(|origin| {
        load_origin(origin).map(|loaded| loaded.game).map_err(|error| error.to_string())
    }));
    for (name, value) in given {
        let name: String = name.extract()?;
        let word = || value.extract::<String>();
        match name.as_str() {
            "observation" => {
                let words = [
                    ("flat", ObservationForm::Flat),
                    ("planes", ObservationForm::Planes),
                    ("dict", ObservationForm::Flat),
                ];
                options.observation = one_of(&name, &word()?, &words)?;
            }
            "dtype" => options.dtype = dtype_of(&value)?,
            "reward" => {
                options.reward = match word()? {
                    word if word == "auto" => Reward::Auto,
                    word if word == "score" => Reward::Score,
                    word if word == "outcome" => Reward::Outcome,
                    word if word == "payoff" => Reward::Payoff,
                    word if word == "margin" => Reward::Margin,
                    expression => Reward::Expression(expression),
                };
            }
            "potential" => {
                let potential = value.extract::<Option<(String, f64)>>()?;
                options.potential = potential.map(|(expression, gamma)| Potential { expression, gamma });
            }
            "opponents" => {
                opponents = value.extract::<Option<Vec<Bound<'_, PyAny>>>>()?;
                if opponents.is_none() {
                    options.opponents = Opponents::SelfPlay;
                }
            }
            "mixture" => mixture = Some(value.extract::<Vec<(String, f64, Vec<Bound<'_, PyAny>>)>>()?),
            "seat" => {
                let seat = value.extract::<Option<u32>>()?;
                options.seat = seat.map_or(SeatChoice::Random, |seat| SeatChoice::Fixed(Seat(seat)));
            }
            "illegal_action" => {
                let words =
                    [("penalize", Illegal::Penalize), ("raise", Illegal::Raise), ("ignore", Illegal::Ignore)];
                options.illegal = one_of(&name, &word()?, &words)?;
            }
            "rules" => asked.rules = Some(rule_options(&value, &asked.raised)?),
            "skip_forced" => options.skip_forced = value.extract()?,
            "match" => options.match_play = value.extract()?,
            "max_episode_steps" if value.is_none() => {}
            "max_episode_steps" => {
                options.max_steps = NonZeroU32::new(count(&value, &name, u32::MAX.into())? as u32);
            }
            "autoreset" => {
                let words = [
                    ("NextStep", Autoreset::NextStep),
                    ("SameStep", Autoreset::SameStep),
                    ("Disabled", Autoreset::Disabled),
                ];
                options.autoreset = one_of(&name, &word()?, &words)?;
            }
            _ => return Err(PyValueError::new_err(format!("there is no option `{name}`"))),
        }
    }
    if let Some(opponents) = opponents {
        asked.seat(opponents, players)?;
    }
    if let Some(mixture) = mixture {
        asked.mix(mixture, players)?;
    }
    Ok(asked)
}
