//! Who plays: agents that look ahead, and environments for those that learn.

#[path = "../support/fences.rs"]
mod fences;
#[path = "../support/states.rs"]
mod states;

mod envs;
mod interrupted;
mod memory;
mod scripts;
mod search;
