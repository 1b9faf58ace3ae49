//! Facts about a game that adapters for other libraries need before it is played.

use houserule::extremes::payoff_range;
use houserule::model::MOST_OUTCOMES;
use houserule::model::{DomainId, ParamValue};
use houserule::program::{Dice, StopKind};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::game::PyGame;

/// Returns facts about a game as a dict:
///
/// - ``fewest``, ``most``: the range of player numbers that the rules allow;
/// - ``limit``: the number of decisions after which a game is aborted;
/// - ``chance_outcomes``: the maximum number of outcomes of a chance event, 0 if there is no chance;
/// - ``hidden``: whether players see different things;
/// - ``params``: the params that can be set, by name: integers, booleans and words; each entry of a table by
///   itself, as ``line_points.3``;
/// - ``payoff``: whether the payoffs add up to 0; None without payoffs;
/// - ``fingerprint``: an integer that differs for games that can't exchange states.
#[pyfunction]
pub(crate) fn facts<'py>(py: Python<'py>, game: &PyGame) -> PyResult<Bound<'py, PyDict>> {
    let (model, program) = (game.inner.model(), game.inner.program());
    let outcomes = program.stops.iter().map(|site| match site.kind {
        StopKind::Choice(_) => 0,
        // A roll with more outcomes can't be listed: OpenSpiel rolls one die at a time.
        StopKind::Roll { dice } | StopKind::RollSome { dice, .. } | StopKind::RollOne { dice, .. } => {
            match &program.dice[usize::from(dice)] {
                dice if dice.is_weighted() => weighted_outcomes(dice),
                dice if (1..=MOST_OUTCOMES).contains(&dice.outcomes) => dice.outcomes as u32,
                dice => dice.faces,
            }
        }
        StopKind::Draw { .. } => MOST_OUTCOMES as u32,
        StopKind::Pick { domain, by: None, .. } => model.domains[domain as usize].size,
        StopKind::Pick { domain, by: Some(_), .. } => model.copies_in_all(DomainId(domain)) as u32,
    });
    let outcomes = outcomes.max().unwrap_or(0);
    let params = PyDict::new(py);
    for param in model.params.iter().filter(|param| !param.fixed) {
        match &param.value {
            ParamValue::Number(number) => params.set_item(&param.name, number)?,
            ParamValue::Bool(value) => params.set_item(&param.name, value)?,
            // A word that is a number, as in `8 | 4`, is converted to a number.
            ParamValue::Word(word) => match word.parse::<i64>() {
                Ok(number) => params.set_item(&param.name, number)?,
                Err(_) => params.set_item(&param.name, word)?,
            },
            ParamValue::Table(table) => {
                for (key, points) in &table.entries {
                    params.set_item(format!("{}.{key}", param.name), points)?;
                }
                if let Some((key, points)) = &table.and_more {
                    params.set_item(format!("{}.{key}+", param.name), points)?;
                }
            }
        }
    }
    let facts = PyDict::new(py);
    facts.set_item("fewest", model.players.least)?;
    facts.set_item("most", model.players.most)?;
    facts.set_item("limit", program.limit)?;
    // An event with a single outcome isn't a chance event.
    facts.set_item("chance_outcomes", if outcomes > 1 { outcomes } else { 0 })?;
    facts.set_item("hidden", game.inner.hides())?;
    facts.set_item("params", params)?;
    // Whether payoffs add up to 0; None without payoffs.
    facts.set_item("payoff", model.payoff.as_ref().map(|payoff| payoff.zero_sum))?;
    facts.set_item("fingerprint", game.inner.fingerprint())?;
    Ok(facts)
}

/// Returns the least and the greatest payoff that the ranges of variables allow, or None if they have no bound. Takes
/// seconds in games with large conditions.
#[pyfunction]
pub(crate) fn payoff_bounds(game: &PyGame) -> Option<(i64, i64)> {
    payoff_range(game.inner.model())
}

/// Returns the maximum number of an outcome of dice of which some faces are on several sides, plus 1. A roll with too
/// many outcomes for a list is rolled face by face.
fn weighted_outcomes(dice: &Dice) -> u32 {
    match dice.side_count().checked_pow(dice.count.into()) {
        Some(outcomes) if outcomes <= MOST_OUTCOMES => outcomes as u32,
        // Fewer dice than all may have few enough outcomes.
        _ if dice.count > 1 => MOST_OUTCOMES as u32,
        _ => (dice.side_count().min(MOST_OUTCOMES) as u32).max(dice.faces),
    }
}
