//! Ratings of players from their results.

use houserule::statistics::Pairing;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

/// The first and the second player of a pairing, and for each game its index and 1, 0 or -1 for the first.
type PairingGames<'py> = (usize, usize, PyReadonlyArray1<'py, u64>, PyReadonlyArray1<'py, i8>);

/// A rating, its standard error, and the numbers of games, points and draws.
type RatedTuple = (f64, f64, u64, f64, f64);

/// Rates players by their results. Returns the rating of each player, the points of each against each other,
/// and the advantage of the first seat.
#[pyfunction]
pub(crate) fn rate(
    players: usize,
    found: Vec<PairingGames<'_>>,
    alone: bool,
) -> (Vec<RatedTuple>, Vec<Vec<f64>>, Option<f64>) {
    let pairing = |(first, second, numbers, results): &PairingGames<'_>| {
        let results = numbers.as_array().iter().copied().zip(results.as_array().iter().copied()).collect();
        Pairing { first: *first, second: *second, results }
    };
    let pairings: Vec<Pairing> = found.iter().map(pairing).collect();
    let rating = houserule::statistics::rate(players, &pairings, alone);
    let players = rating.players.iter().map(|of| (of.elo, of.se, of.games, of.points, of.draws)).collect();
    (players, rating.pairs, rating.first_seat)
}
