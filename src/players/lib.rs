//! Agents, and players that learn.

// A room uses only rooms in the paragraphs above its own.
pub mod agent;

pub mod learned;

pub mod agents;
