//! Agents, players that learn, and training environments.

pub mod agent;
pub mod agents;
pub mod envs;
pub mod evaluated;
pub mod learned;
