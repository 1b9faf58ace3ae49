//! Simulations, comparisons and other questions about games, answered by figures.

// A room uses only rooms in the paragraphs above its own.
pub mod playtest;

pub mod coverage;
pub mod ladder;

pub mod analysis;
pub mod data_file;
pub mod extremes;
pub mod study;
