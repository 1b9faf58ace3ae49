//! What editors, a table and the workbench ask, without a server or a terminal.

pub mod service;
pub mod table;
#[cfg(target_family = "wasm")]
pub mod wasm;
pub mod workbench;
