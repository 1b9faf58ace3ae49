//! Games from outside, and bundled games, tested by hand: their published rules, printed examples, and known exact results.

#[path = "../support/agree.rs"]
mod agree;
#[path = "../support/extent.rs"]
mod extent;
#[path = "../support/rules.rs"]
mod rules;
#[path = "../support/states.rs"]
mod states;
#[path = "../support/text_snapshots.rs"]
mod text_snapshots;

mod dice_wide_shut;
mod dominoes;
mod kalah;
mod outside;
mod points;
mod scripted;
mod shelf;
mod tools;
mod variants;
mod yacht;
