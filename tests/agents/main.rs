//! Who plays: agents that look ahead, and environments for those that learn.

mod envs;
mod search;
