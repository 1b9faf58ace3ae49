//! Statistics of integers and of results: exact sums, histograms, intervals, paired samples, Elo ratings, isotonic
//! regression, the bootstrap. Independent of games.

mod elo;
mod histogram;
pub mod interval;
pub mod isotonic;
pub mod paired;
pub mod sample;
pub(crate) mod wide;

pub use elo::{Pairing, Rated, Rating, rate};
pub use histogram::Histogram;
pub use interval::{share_interval, student};
