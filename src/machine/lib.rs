//! Runs programs: an interpreter, compiled code that calls it, and what both work on.
//!
//! Depends on programs, boards and random streams; independent of games, states and the language.

#![cfg_attr(not(feature = "compile"), allow(dead_code, reason = "only compiled code needs some items"))]

// A room uses only rooms in the paragraphs above its own.
pub mod processor;
pub mod program;

pub mod compile;

pub mod copies;
pub mod effects;
pub mod enclosure;
mod flood;
pub mod hooks;
pub mod line_lists;
pub mod past;
pub mod run_state;
pub mod sets;
mod subsets;
pub mod trial;

pub mod interpreter;

pub mod candidates;
pub mod meter;
pub mod native;
pub mod run;
