//! What knows no rules and no games: interrupts, clocks, files, random streams, statistics.

// A room uses only rooms in the paragraphs above its own.
pub mod addresses;
pub mod clock;
pub mod done;
pub mod hash;
pub mod limits;
pub mod names;
pub mod numbers;
pub mod parts;
pub mod rng;

pub mod files;
pub mod interrupt;

pub mod statistics;

pub mod file_watch;
pub mod pool;
