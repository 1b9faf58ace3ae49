//! Records played again.

use houserule::engine::journal::Journal;
use houserule::engine::record;
use houserule::recorded::{self, Games, journal_records};
use pyo3::prelude::*;

use crate::game::Game;
use crate::state::State;

/// A line that was played again: its number from 1, the record as JSON, the state it ends in, or what
/// is wrong with it.
type Line = (usize, String, Option<State>, Option<String>);

/// Plays the records of some lines again, or the games of the journal that they are. `game` is what
/// they are of, instead of what they name.
#[pyfunction]
#[pyo3(signature = (lines, game=None))]
pub(crate) fn replay(py: Python<'_>, lines: Vec<String>, game: Option<&Game>) -> PyResult<Vec<Line>> {
    let given = game.map(|game| game.inner.clone());
    let lines = match lines.first() {
        Some(first) if Journal::is_one(first) => {
            let text: String =
                lines.iter().map(|line| format!("{}\n", line.trim_end_matches('\n'))).collect();
            py.detach(|| journal_records(&text)).map_err(crate::tables::wrong)?
        }
        _ => lines,
    };
    let mut games = Games::default();
    let mut all = Vec::new();
    for (number, line) in (1..).zip(lines) {
        if line.trim().is_empty() {
            continue;
        }
        py.check_signals()?;
        let played = py.detach(|| {
            let record = recorded::parse(&line)?;
            let game = match &given {
                Some(game) => game,
                None => games.of(&record)?,
            };
            record::replay(game, &record).map_err(|error| error.to_string())
        });
        let (state, problem) = match played {
            Ok(state) => (Some(State::new(state)), None),
            Err(problem) => (None, Some(problem)),
        };
        all.push((number, line, state, problem));
    }
    Ok(all)
}
