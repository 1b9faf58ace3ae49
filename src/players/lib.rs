//! Agents, players that learn, and training environments.

// A room uses only rooms in the paragraphs above its own.
pub mod agent;

pub mod learned;

pub mod agents;

pub mod envs;
pub mod evaluated;
