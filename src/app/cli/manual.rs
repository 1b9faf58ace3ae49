//! `houserule completions` and `houserule man`, both generated from the definition of the command line.

use std::path::PathBuf;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Cli;
use crate::terminal::{CliError, Terminal};

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    houserule completions bash > ~/.local/share/bash-completion/completions/houserule\n  \
    houserule completions zsh > ~/.zfunc/_houserule\n  \
    houserule completions fish > ~/.config/fish/completions/houserule.fish")]
pub(super) struct CompletionsArgs {
    /// The shell to complete commands in
    shell: Shell,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    houserule man | man -l -\n  \
    houserule man simulate | man -l -\n  \
    houserule man -o ~/.local/share/man/man1")]
pub(super) struct ManArgs {
    /// The command to describe [default: the whole program]
    #[arg(value_name = "COMMAND", conflicts_with = "folder")]
    verb: Option<String>,
    /// Write the pages of all commands to a folder, as `houserule.1`, `houserule-simulate.1` and so on
    #[arg(short = 'o', long = "output", value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Writes a shell's completions to standard output.
pub(super) fn completions(args: &CompletionsArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    // The generator panics on write errors, so it writes to a buffer.
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "houserule", &mut text);
    Ok(terminal.out.write_all(&text)?)
}

/// Writes one man page to standard output, or all of them to a folder.
pub(super) fn man(args: &ManArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    if let Some(folder) = &args.folder {
        let written =
            std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder));
        return written.map_err(|error| CliError::writing(folder.display(), &error));
    }
    let page = match &args.verb {
        None => command,
        Some(verb) => {
            let verbs: Vec<String> =
                command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
            let found = command.find_subcommand(verb).cloned().ok_or_else(|| {
                CliError::Command(format!(
                    "no command is called `{verb}`; the commands are {}",
                    verbs.join(", ")
                ))
            })?;
            // The name under which `man houserule-simulate` finds it.
            let name = format!("houserule-{verb}");
            found.bin_name(name.clone()).display_name(name)
        }
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text)?;
    Ok(terminal.out.write_all(&text)?)
}
