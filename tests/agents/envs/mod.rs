//! Training environments: steps, resets and rewards, single and in vectors, on several threads, saved and
//! resumed.

mod common;
mod dtypes;
mod endings;
mod matches;
mod modes;
mod opponents;
mod rewards;
mod rules;
mod samples;
mod saved;
