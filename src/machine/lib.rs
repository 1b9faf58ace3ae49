//! Runs programs: an interpreter, compiled code that calls it, and what both work on.
//!
//! Depends on programs, boards and random streams; independent of games, states and the language.

#![cfg_attr(not(feature = "compile"), allow(dead_code, reason = "only compiled code needs some items"))]

pub mod candidates;
pub mod compile;
pub mod copies;
pub mod effects;
pub mod enclosure;
mod flood;
pub mod hooks;
pub mod interpreter;
pub mod line_lists;
pub mod native;
pub mod past;
pub mod processor;
pub mod program;
pub mod run;
pub mod run_state;
pub mod sets;
mod subsets;
pub mod trial;
