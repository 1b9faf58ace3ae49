//! Simulations, comparisons and other questions about games, answered by figures.

pub mod analysis;
pub mod coverage;
pub mod data_file;
pub mod extremes;
pub mod ladder;
pub mod playtest;
pub mod study;
