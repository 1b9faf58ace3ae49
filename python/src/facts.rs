//! What adapters to other libraries have to know of a game before it is played.

use houserule::hook::MOST_OUTCOMES;
use houserule::lang::model::{DomainId, ParamValue};
use houserule::program::SiteKind;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::game::Game;

/// Facts of a game, as a dict:
///
/// - ``fewest``, ``most``: how many players the rules allow;
/// - ``limit``: after how many decisions a game is broken off;
/// - ``chance_outcomes``: the most that a chance event has, 0 if there is no chance;
/// - ``hidden``: do players see different things?
/// - ``params``: those that can be set, by name: numbers, truth values and words; of a table each entry, as
///   ``line_points.3``;
/// - ``fingerprint``: differs where states can't be exchanged.
#[pyfunction]
pub(crate) fn facts<'py>(py: Python<'py>, game: &Game) -> PyResult<Bound<'py, PyDict>> {
    let (model, program) = (game.inner.model(), game.inner.program());
    let outcomes = program.sites.iter().map(|site| match site.kind {
        SiteKind::Choice(_) => 0,
        // A roll of more outcomes can't be listed: OpenSpiel is given one die at a time.
        SiteKind::Roll { dice } | SiteKind::RollSome { dice, .. } | SiteKind::RollOne { dice, .. } => {
            match &program.dice[usize::from(dice)] {
                dice if (1..=MOST_OUTCOMES).contains(&dice.outcomes) => dice.outcomes as u32,
                dice => dice.faces,
            }
        }
        SiteKind::Draw { .. } => MOST_OUTCOMES as u32,
        SiteKind::Pick { domain, by: None, .. } => model.domains[domain as usize].size,
        SiteKind::Pick { domain, by: Some(_), .. } => model.copies_in_all(DomainId(domain)) as u32,
    });
    let outcomes = outcomes.max().unwrap_or(0);
    let params = PyDict::new(py);
    for param in model.params.iter().filter(|param| !param.fixed) {
        match &param.value {
            ParamValue::Number(number) => params.set_item(&param.name, number)?,
            ParamValue::Bool(value) => params.set_item(&param.name, value)?,
            // A word that is a number, as in `8 | 4`, is a number to whoever sets it.
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
    // A single outcome is none: such an event is not asked about.
    facts.set_item("chance_outcomes", if outcomes > 1 { outcomes } else { 0 })?;
    facts.set_item("hidden", game.inner.hides())?;
    facts.set_item("params", params)?;
    facts.set_item("fingerprint", game.inner.fingerprint())?;
    Ok(facts)
}
