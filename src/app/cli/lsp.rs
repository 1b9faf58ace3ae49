//! `houserule lsp`: serves an editor over standard input and output.

use std::io::{self, BufReader};

use clap::Args;

use crate::lsp::serve;
use crate::terminal::{CliError, Terminal};

#[derive(Debug, Args)]
#[command(after_help = "Editors start it; `docs/editors.md` says how to tell them.")]
pub(super) struct LspArgs {
    /// Talk over standard input and output, which is the only way; some editors say so
    #[arg(long)]
    stdio: bool,
}

pub(super) fn run(args: &LspArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let LspArgs { stdio: _ } = args;
    if !terminal.process {
        return Err(CliError::Command(
            "`lsp` needs a process of its own: its standard input and output".to_owned(),
        ));
    }
    match serve(BufReader::new(io::stdin()), terminal.out)? {
        true => Ok(()),
        // As the protocol wants it.
        false => Err(CliError::AlreadyReported),
    }
}
