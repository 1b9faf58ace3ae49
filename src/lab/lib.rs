//! Questions about games, answered with many runs.

// A room uses only rooms in the paragraphs above its own.
pub mod coverage;
pub mod ladder;

pub mod analysis;
pub mod study;
