//! The command: subcommands, terminal, servers.

pub mod cli;
pub mod lsp;
pub mod play;
#[cfg(feature = "workbench")]
pub mod serve;
pub mod terminal;
