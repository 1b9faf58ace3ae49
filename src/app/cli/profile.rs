//! `houserule profile`: where a rule file's time goes.

use clap::Args;

use super::{GameFlags, one_name};
use crate::terminal::{CliError, Terminal};
use houserule_base::numbers::{parse_count, parse_seconds};
use houserule_page::report::profile::{LISTED, text};
use houserule_playtest::{ProfilePlan, profile};

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    houserule profile mine.rules\n  \
    houserule profile mine.rules --for 30s --top 40\n  \
    houserule profile mine.rules --json")]
pub(super) struct ProfileArgs {
    /// The game: a bundled one or a rule file, with variants after `+` (`dilido + torus`)
    #[arg(required = true, value_name = "GAME")]
    game: Vec<String>,
    #[command(flatten)]
    flags: GameFlags,
    /// Maximum number of games
    #[arg(long, short = 'n', value_name = "N", default_value_t = ProfilePlan::default().games, value_parser = parse_count)]
    games: u64,
    /// Maximum time: `3s`, `5m` or `1h` [default: 3s]
    #[arg(long = "for", id = "time", value_name = "TIME", value_parser = parse_seconds)]
    time: Option<f64>,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = parse_count)]
    seed: u64,
    /// Maximum number of parts and of lines in the text
    #[arg(long, value_name = "N", default_value_t = LISTED as u64, value_parser = parse_count)]
    top: u64,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &ProfileArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let name = one_name(&args.game)?;
    let loaded = terminal.load(&name, &args.flags.settings()?, args.flags.players)?;
    if args.games == 0 {
        return Err(CliError::Command("`--games 0`: at least one game is needed".to_owned()));
    }
    let seconds = args.time.unwrap_or(ProfilePlan::default().seconds);
    let found = profile(&loaded, &ProfilePlan { seed: args.seed, games: args.games, seconds });
    if args.json {
        return terminal.json(&found);
    }
    Ok(write!(terminal.out, "{}", text(&found, args.top as usize, terminal.paint))?)
}
