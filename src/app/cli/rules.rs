//! `houserule rules`: prints the rules of a game in plain words.

use clap::Args;
use serde_json::json;

use super::{GameFlags, one_name};
use crate::terminal::{CliError, Terminal};
use houserule_page::prose::{COLUMNS, full_rules, full_sections, rules, sections};
use houserule_playtest::VERSION;

#[derive(Debug, Args)]
pub(super) struct RulesArgs {
    /// The game: a bundled one or a rule file, with variants after `+` (`dilido + torus`)
    #[arg(required = true, value_name = "GAME")]
    game: Vec<String>,
    #[command(flatten)]
    flags: GameFlags,
    /// Also describe the statements and formulas that a help text stands for
    #[arg(long)]
    full: bool,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &RulesArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let name = one_name(&args.game)?;
    let loaded = terminal.load(&name, &args.flags.settings()?, args.flags.players)?;
    let game = &loaded.game;
    if args.json {
        return terminal.json(&json!({
            "version": VERSION,
            "game": game.identity().name,
            "title": game.model().title,
            "help": game.model().help,
            "sections": if args.full { full_sections(game) } else { sections(game) },
        }));
    }
    let columns = terminal.paint.columns().min(COLUMNS);
    let text = if args.full { full_rules(game, columns) } else { rules(game, columns) };
    for line in text.lines() {
        let heading = line.starts_with(|c: char| !c.is_whitespace());
        let underline = heading && line.chars().all(|c| c == '=');
        match terminal.paint.is_on() && heading {
            true if underline => {}
            true => writeln!(terminal.out, "{}", terminal.paint.head(line))?,
            false => writeln!(terminal.out, "{line}")?,
        }
    }
    Ok(())
}
