//! What editors, a table and the workbench ask, without a server or a terminal.

// A room uses only rooms in the paragraphs above its own.
pub mod service;

pub mod table;

pub mod workbench;

#[cfg(target_family = "wasm")]
pub mod wasm;
