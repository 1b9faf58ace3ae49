//! What editors, a table and the workbench ask, without a server or a terminal.

// Each module uses only those above it. Blank lines keep the order.

pub mod service;

pub mod table;

pub mod workbench;

#[cfg(target_family = "wasm")]
pub mod wasm;
