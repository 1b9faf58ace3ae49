//! Training environments: steps, resets and rewards, single and in vectors, on several threads, saved and
//! resumed.

mod common;
mod dtypes;
mod endings;
mod matches;
mod measured;
mod mixtures;
mod modes;
mod opponents;
mod queue;
mod rewards;
mod rules;
mod samples;
mod saved;
mod starts;
