//! Ratings of players by their games.

use houserule::playtest::{self, Pairing};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

/// Rates players by their games: for each pairing who sat first, who second, and by game its number and 1, 0 or -1 for
/// the first. Returns for each player its rating, the standard error, games, points and draws; the points of each
/// against each; and what the first seat is worth.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub(crate) fn rate(
    players: usize,
    found: Vec<(usize, usize, PyReadonlyArray1<'_, u64>, PyReadonlyArray1<'_, i8>)>,
    alone: bool,
) -> (Vec<(f64, f64, u64, f64, f64)>, Vec<Vec<f64>>, Option<f64>) {
    let pairing = |(first, second, numbers, results): &(
        usize,
        usize,
        PyReadonlyArray1<'_, u64>,
        PyReadonlyArray1<'_, i8>,
    )| {
        let results = numbers.as_array().iter().copied().zip(results.as_array().iter().copied()).collect();
        Pairing { first: *first, second: *second, results }
    };
    let pairings: Vec<Pairing> = found.iter().map(pairing).collect();
    let rating = playtest::rate(players, &pairings, alone);
    let players = rating.players.iter().map(|of| (of.elo, of.se, of.games, of.points, of.draws)).collect();
    (players, rating.pairs, rating.first_seat)
}
