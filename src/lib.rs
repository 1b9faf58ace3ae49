//! A tabletop game is a short rule file; a house rule is a few lines that change another one.
//!
//! Rule text becomes a checked model, the model a program, and the program a [`engine`] that plays,
//! simulates and replays. The modules stand in the order of their knowledge: each may use only those
//! above it.

pub mod diagnostic;

pub mod board;
mod hash;
pub mod hook;
pub mod interrupt;
pub mod numbers;
pub mod rng;

pub mod lang;

pub mod files;

pub mod script;

pub mod program;

pub mod compile;

pub mod machine;

pub mod engine;

pub mod bundled;
pub mod loader;
pub mod recorded;

pub mod agents;
pub mod envs;
pub mod playtest;

pub mod draw;

pub mod cli;

// So that what the tests share can name the crate the same way within it and outside.
#[cfg(test)]
extern crate self as houserule;
