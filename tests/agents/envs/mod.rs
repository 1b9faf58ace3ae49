//! Environments for learners: what a step, a reset and a reward are, alone and in vectors, over threads,
//! saved and gone on with.

mod common;
mod dtypes;
mod endings;
mod matches;
mod modes;
mod opponents;
mod rewards;
mod samples;
mod saved;
