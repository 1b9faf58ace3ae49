//! Agents, which choose among the legal actions of a state, and the list of them. Independent of rule text and programs.

mod error;
mod exact;
mod kind;
mod restricted;
mod script;
mod search;

pub use crate::agent::{Agent, Barred, agent_stream};
pub use crate::learned::{LearnError, Learned, LearnedAgent, PlayerError, PlayerFile};
pub use error::AgentError;
pub use exact::Exact;
pub use kind::greedy::Greedy;
pub use kind::mobile::Mobile;
pub use kind::{AgentKind, AgentSource, MOST_SIMULATIONS, OwnAgent};
pub use script::{AgentFile, ScriptFault};
pub use search::Search;

use houserule_base::rng::Stream;
use houserule_game::hidden::View;
use houserule_game::{ActionId, RuntimeError};

/// Plays a legal action, uniformly at random. Takes deliberate options only if nothing else is legal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl Agent for Random {
    fn name(&self) -> String {
        AgentKind::Random.to_string()
    }

    fn choose(&mut self, view: &mut View<'_>, _: &mut Stream) -> Result<Option<ActionId>, RuntimeError> {
        Ok(view.random_action())
    }

    fn copy(&self) -> Box<dyn Agent> {
        Box::new(*self)
    }

    fn restricted(&self, barred: &Barred) -> Option<Box<dyn Agent>> {
        Some(Box::new(restricted::RestrictedRandom(barred.clone())))
    }
}
