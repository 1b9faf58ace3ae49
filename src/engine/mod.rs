//! Games being played: states, chance, results.

mod effects;
mod run;
