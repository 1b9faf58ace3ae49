//! Optimal play, by the exact values of a solved game.

use std::sync::Arc;

use super::AgentKind;
use crate::agent::{Agent, no_world, one_of, worlds};
use houserule_base::rng::Stream;
use houserule_game::hidden::{View, WorldOptions};
use houserule_game::solve::Solution;
use houserule_game::{ActionId, RuntimeError};

/// Plays optimally; among equally good actions, one uniformly at random.
#[derive(Clone)]
pub struct Exact {
    solution: Arc<Solution>,
}

impl Exact {
    /// Plays by a solution.
    pub fn new(solution: Arc<Solution>) -> Self {
        Exact { solution }
    }
}

impl Agent for Exact {
    fn name(&self) -> String {
        AgentKind::Exact.to_string()
    }

    fn choose(&mut self, view: &mut View<'_>, stream: &mut Stream) -> Result<Option<ActionId>, RuntimeError> {
        let mut worlds = worlds(view, &WorldOptions::default())?;
        let state = worlds.next(stream).map_err(|none| no_world(view, none))?;
        let best = self.solution.best_actions(state);
        // Only matches reach a state outside the graph, because their games can begin differently.
        Ok(one_of(&best, stream).or_else(|| view.random_action()))
    }

    fn copy(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}
