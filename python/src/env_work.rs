//! How environments work apart from the interpreter, which their opponents may call.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use houserule::envs::{EnvError, Guests, Opponents};
use houserule::game::Game;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::agents::guests;
use crate::env_options::{ParsedOptions, parse_options, wrong};
use crate::watched::{Raised, interruptible};

/// The game of environments, what ends their work, and whether it can take long.
pub(crate) struct EnvWork {
    game: Game,
    raised: Raised,
    takes_long: AtomicBool,
}

impl EnvWork {
    pub(crate) fn new(game: &Game, raised: Raised, takes_long: bool) -> EnvWork {
        EnvWork { game: game.clone(), raised, takes_long: takes_long.into() }
    }

    /// Works on environments. If the work is interrupted, or an opponent raises an exception, they are unchanged.
    pub(crate) fn run<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce() -> Result<T, EnvError> + Send,
    ) -> PyResult<T> {
        let worked =
            if self.takes_long.load(Relaxed) { self.raised.during(py, work)? } else { py.detach(work) };
        worked.map_err(|error| self.raised.take().unwrap_or_else(|| wrong(&error)))
    }

    /// Changes opponents: `given` is a dict with `opponents` or `mixture`, and `change` returns whether steps can take
    /// long with them.
    pub(crate) fn change_opponents(
        &self,
        py: Python<'_>,
        given: &Bound<'_, PyDict>,
        change: impl FnOnce(Opponents, Guests) -> Result<bool, EnvError> + Send,
    ) -> PyResult<()> {
        let ParsedOptions { options, callables, .. } = parse_options(given, self.game.players())?;
        let guests = guests(py, &self.game, callables, &self.raised)?;
        let takes_long = interruptible(py, || change(options.opponents, guests))?;
        self.takes_long.store(takes_long.map_err(|error| wrong(&error))?, Relaxed);
        Ok(())
    }
}
