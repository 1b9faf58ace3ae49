//! Worlds: whole states that agree with everything a seat has observed.
//!
//! A [`log::Log`] holds what the seat has observed. Where few states agree with it, a forward filter has all of them
//! with their exact probabilities ([`filter`]); else a Markov chain over the hidden events draws some ([`chain`]).
//! Both replay candidates from the start of the game and compare everything that the seat could observe, so no
//! world ever contradicts what the seat has seen.

mod chain;
mod filter;
mod log;
mod memory;
mod observed;
mod repair;
mod summary;
mod ways;
mod weave;
mod worlds;

pub(super) use memory::Memory;
pub(super) use observed::Observed;
pub use summary::Beliefs;
pub use ways::{Likelihood, Opponents};
pub use worlds::{NoWorld, WorldOptions, Worlds};
