//! Tests of agents, and of training environments.

#[path = "../support/extent.rs"]
mod extent;
#[path = "../support/fences.rs"]
mod fences;
#[path = "../support/states.rs"]
mod states;

mod envs;
mod evaluated;
mod interrupted;
mod learned;
mod memory;
mod payoffs;
mod restricted;
mod scripts;
mod search;
