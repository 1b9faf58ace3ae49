//! `houserule diff`: shows the differences between two games.

use clap::Args;
use serde_json::{Value as Json, json};

use super::pair::Pair;
use crate::terminal::{CliError, Terminal};
use houserule_page::prose::diff::diff;
use houserule_playtest::VERSION;

#[derive(Debug, Args)]
#[command(after_help = "Titles and help texts alone make no difference.\n\
    Exit codes: 0 success, also if there are differences (then 1 with `--exit-code`), 1 error in the rules, \
    2 error in the command line.")]
pub(super) struct DiffArgs {
    #[command(flatten)]
    pair: Pair,
    /// Exit with code 1 if there are differences
    #[arg(long)]
    exit_code: bool,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &DiffArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let [(_, first), (_, second)] = args.pair.load("diff", terminal)?;
    let found = diff(&first.game, &second.game);
    if args.json {
        let all: Vec<Json> = found
            .iter()
            .map(|one| json!({"part": one.part, "old": one.old, "new": one.new, "text": one.text()}))
            .collect();
        terminal.json(&json!({
            "version": VERSION,
            "old": first.game.identity().name,
            "new": second.game.identity().name,
            "differences": all,
        }))?;
    } else if found.is_empty() {
        writeln!(terminal.out, "no difference")?;
    } else {
        for one in &found {
            writeln!(terminal.out, "{}", one.text())?;
        }
    }
    if args.exit_code && !found.is_empty() { Err(CliError::AlreadyReported) } else { Ok(()) }
}
