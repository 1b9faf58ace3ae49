//! `houserule extremes`: the most and the least that a game can come to.

use std::path::{Path, PathBuf};

use clap::Args;

use super::{GameFlags, one_name};
use crate::terminal::{CliError, Progress, Terminal, on_ctrl_c};
use houserule_base::files::{replace, write_new};
use houserule_base::numbers::{parse_count, parse_seconds};
use houserule_page::report::extremes::{file_name, text};
use houserule_playtest::RunMonitor;
use houserule_playtest::extremes::{
    ChanceRole, ExtremeFound, ExtremeQuantity, ExtremesBudget, ExtremesError, ExtremesPlan, USUAL, extremes,
};

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    houserule extremes dilido -o longest-and-shortest\n  \
    houserule extremes yacht --of score --for 60s\n  \
    houserule extremes pig --set goal=20 --chance enemy\n  \
    houserule extremes pig --set goal=20 --json")]
pub(super) struct ExtremesArgs {
    /// The game: a bundled one or a rule file, with variants after `+` (`dilido + torus`)
    #[arg(required = true, value_name = "GAME")]
    game: Vec<String>,
    #[command(flatten)]
    flags: GameFlags,
    /// What to find, of `score`, `turns`, `rolls` and `decisions` [default: all that the game has]
    #[arg(long, value_name = "A,B")]
    of: Option<String>,
    /// Chance helps (`friend`) or hinders (`enemy`: what players can force)
    #[arg(long, value_name = "ROLE", default_value = "friend")]
    chance: String,
    /// Time of the search: `60s`, `5m` or `1h` [default: a number of positions that takes up to a minute]
    #[arg(long = "for", id = "time", value_name = "TIME", value_parser = parse_seconds)]
    time: Option<f64>,
    /// Random seed of the search; without `--for`, the same seed gives the same result
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = parse_count)]
    seed: u64,
    /// Write the games to files in this folder, for `houserule replay` and `houserule draw --record`
    #[arg(long, short = 'o', value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Overwrite existing files
    #[arg(long, requires = "output")]
    force: bool,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &ExtremesArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let name = one_name(&args.game)?;
    let of = args.of.as_deref().map(quantities).transpose()?.unwrap_or_default();
    let chance = ChanceRole::named(&args.chance).ok_or_else(|| {
        CliError::Command(format!("`--chance {}`: choose from `friend`, `enemy`", args.chance))
    })?;
    let loaded = terminal.load(&name, &args.flags.settings()?, args.flags.players)?;
    let budget = args.time.map_or(ExtremesBudget::Positions(USUAL), ExtremesBudget::Seconds);
    let plan = ExtremesPlan { of, chance, budget, seed: args.seed };
    let bar = Progress::new(terminal, "positions");
    let stop = on_ctrl_c(terminal);
    let watch = RunMonitor { progress: &|done| bar.show(done, 0), stop: &stop };
    let found = extremes(&loaded.game, &plan, &watch);
    bar.wipe();
    let found = found.map_err(|error| match error {
        ExtremesError::Lacks(_) => CliError::Command(format!("`--of`: {error}")),
        ExtremesError::LacksChance | ExtremesError::Repeated => {
            CliError::Command(format!("`--chance enemy`: {error}"))
        }
        ExtremesError::Rules(_) => CliError::Rules(error.to_string()),
    })?;
    if let Some(folder) = &args.output {
        for one in &found.extremes {
            write(folder, one, args.force)?;
        }
    }
    if args.json {
        terminal.json(&found)?;
    } else {
        write!(terminal.out, "{}", text(&found, args.output.as_deref(), terminal.paint))?;
    }
    if found.interrupted { Err(CliError::Interrupted) } else { Ok(()) }
}

/// Parses the names after `--of`.
fn quantities(text: &str) -> Result<Vec<ExtremeQuantity>, CliError> {
    let names: Vec<&str> = text.split(',').map(str::trim).collect();
    names
        .into_iter()
        .map(|name| {
            ExtremeQuantity::named(name).ok_or_else(|| {
                let all = ExtremeQuantity::ALL.map(|quantity| format!("`{}`", quantity.name())).join(", ");
                CliError::Command(format!("`--of {name}`: there is no `{name}`; choose from {all}"))
            })
        })
        .collect()
}

/// Writes the record of a game to its file.
fn write(folder: &Path, one: &ExtremeFound, force: bool) -> Result<(), CliError> {
    let Some(record) = &one.record else { return Ok(()) };
    std::fs::create_dir_all(folder).map_err(|error| CliError::writing(folder.display(), &error))?;
    let path = folder.join(file_name(one));
    let mut line = serde_json::to_vec(record).map_err(|error| CliError::Rules(error.to_string()))?;
    line.push(b'\n');
    if force {
        replace(&path, &line)?
    } else {
        write_new(&path, &line)?
    }
    Ok(())
}
