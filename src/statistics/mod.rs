//! Statistics of integers and of results: exact sums, histograms, intervals, paired samples, Elo ratings.
//! Independent of games.

mod elo;
mod histogram;
pub(crate) mod interval;
pub(crate) mod paired;
pub(crate) mod wide;

pub use elo::{Pairing, Rated, Rating, rate};
pub use histogram::Histogram;
pub use interval::{share_interval, student};
