//! Worlds: complete states that agree with everything a seat has observed.
//!
//! A [`log::Log`] holds the seat's observations. If few states agree with it, a forward filter has all of
//! them with exact probabilities ([`filter`]). Otherwise a Markov chain over the hidden events draws samples
//! ([`chain`]). Both replay candidates from the start of the game and compare all observations, so no world
//! contradicts what the seat has seen.

mod chain;
mod filter;
mod log;
mod memory;
pub mod observed;
mod repair;
mod summary;
mod ways;
mod weave;
mod worlds;

pub use summary::Beliefs;
pub use ways::{Likelihood, OpponentModel};
pub use worlds::{WorldOptions, Worlds};
