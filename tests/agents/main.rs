//! Who plays: agents that look ahead, and environments for those that learn.

#[path = "../support/fences.rs"]
mod fences;

mod envs;
mod scripts;
mod search;
