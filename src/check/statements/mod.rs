//! Statements: assignments, choices, chance, and everything that happens in a turn.

mod ahead;
mod assign;
mod chain;
mod chance;
mod changes;
mod choice;
mod committed;
mod committed_moves;
mod committed_variables;
mod laps;
mod moves;
mod no_action;
mod parts;
mod steps;
mod stmt;
mod subsets;
mod swap;
mod together;
mod verbs;
