//! The command: subcommands, terminal, servers.

// A room uses only rooms in the paragraphs above its own.
#[cfg(feature = "workbench")]
pub mod serve;

pub mod lsp;

pub mod terminal;

pub mod play;

pub mod cli;
