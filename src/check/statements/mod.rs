//! Statements: assignments, choices, chance, and everything that happens in a turn.

pub(in crate::check) mod assign;
pub(in crate::check) mod chance;
pub(in crate::check) mod choice;
mod committed;
mod committed_moves;
mod committed_variables;
mod laps;
mod moves;
mod no_action;
mod parts;
mod steps;
pub(in crate::check) mod stmt;
pub(in crate::check) mod subsets;
pub(in crate::check) mod swap;
pub(in crate::check) mod together;
pub(in crate::check) mod verbs;
