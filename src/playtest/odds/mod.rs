//! Exact distributions: of an expression with dice, and of the score, the winner or a length of a game in which nobody
//! decides, or in which fixed players decide.
//!
//! All states of a game are found, and the probability of each follows from those before it, in fractions as long as this is
//! feasible. Depends on games, their states and the solution for `exact`; independent of simulations.

mod expression;
mod found;
mod fraction;
mod plan;
mod spread;
mod states;

pub use expression::{is_game_name, load_expression};
pub use found::{Distribution, Odds, OddsAnswer, OddsValue, QUANTILES, Quantile};
pub use fraction::Probability;
pub use plan::{OddsError, OddsPlan, OddsQuantity, OddsQuestion};

use houserule_base::clock::Instant;
use houserule_game::Game;
use houserule_loader::{LoadError, load_origin};

use crate::{RunMonitor, VERSION};
use spread::spread;
use states::{Asked, StateGraph};

/// Computes exact distributions of a game. `watch` may stop it.
pub fn odds(game: &Game, plan: &OddsPlan, watch: &RunMonitor<'_>) -> Result<Odds, OddsError> {
    let begun = Instant::now();
    let measured = match &plan.of {
        OddsQuantity::Measure(text) => Some(measuring(game, text)?),
        _ => None,
    };
    let game = measured.as_ref().unwrap_or(game);
    let asked = Asked::new(game, &plan.of)?;
    let work = || {
        let graph = StateGraph::from_game(game, plan, &asked, watch.progress)?;
        let spread = spread(&graph, asked.columns(), begun)?;
        Ok((graph, spread))
    };
    let (graph, spread) = watch.stop.scope(work).map_err(|_| OddsError::Interrupted)??;
    Ok(Odds {
        version: VERSION,
        game: game.identity().name.clone(),
        title: game.model().title.clone(),
        players: game.model().players.names.clone(),
        agents: plan.agents.iter().map(ToString::to_string).collect(),
        of: plan.of.name().to_owned(),
        states: graph.len(),
        exact: spread.is_exact,
        bound: spread.bound,
        seconds: begun.elapsed().as_secs_f64(),
        distributions: asked.distributions(spread, &plan.questions),
    })
}

/// Loads a game again with an expression besides its rules. A condition counts 1 or 0.
fn measuring(game: &Game, text: &str) -> Result<Game, OddsError> {
    let with = |text: String| {
        let measure = houserule_language::variants::MeasureText { name: "--of".to_owned(), text };
        load_origin(&game.sheet().origin.measuring(vec![measure]))
    };
    let plain = match with(text.to_owned()) {
        Ok(loaded) => return Ok(loaded.game),
        Err(error) => error,
    };
    match with(format!("0 + ({text})")) {
        Ok(loaded) => Ok(loaded.game),
        Err(LoadError::Rules { .. }) => Err(OddsError::Load(Box::new(plain))),
        Err(error) => Err(OddsError::Load(Box::new(error))),
    }
}
