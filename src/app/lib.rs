//! The command: subcommands, terminal, servers.

// Each module uses only those above it. Blank lines keep the order.

pub mod terminal;

pub mod play;

pub mod lsp;

#[cfg(feature = "workbench")]
pub mod serve;

pub mod cli;
