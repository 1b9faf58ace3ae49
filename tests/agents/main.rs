//! Who plays: agents that look ahead, and environments for those that learn.

#[path = "../support/fences.rs"]
mod fences;
#[path = "../support/states.rs"]
mod states;

mod envs;
mod interrupted;
mod learned;
mod memory;
mod scripts;
mod search;
