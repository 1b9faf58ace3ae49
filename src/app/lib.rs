//! The command: subcommands, terminal, servers.

// Each module uses only those above it. Blank lines keep the order.

#[cfg(feature = "workbench")]
pub mod serve;

pub mod lsp;

pub mod terminal;

pub mod play;

pub mod cli;
