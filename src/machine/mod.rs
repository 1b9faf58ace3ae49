//! Runs programs: an interpreter, compiled code that calls it, and what both work on.
//!
//! Depends on programs, boards and random streams; independent of games, states and the language.

pub(crate) mod copies;
pub(crate) mod effects;
pub(crate) mod enclosure;
mod flood;
pub(crate) mod hooks;
pub(crate) mod interpreter;
pub(crate) mod line_lists;
pub(crate) mod past;
pub(crate) mod processor;
pub(crate) mod run_state;
pub(crate) mod sets;
mod subsets;
pub(crate) mod trial;
