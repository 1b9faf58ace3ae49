//! What knows no rules and no games: interrupts, clocks, files, random streams, statistics.

pub mod clock;
pub mod file_watch;
pub mod files;
pub mod hash;
pub mod interrupt;
pub mod limits;
pub mod numbers;
pub mod parts;
pub mod pool;
pub mod rng;
pub mod statistics;
