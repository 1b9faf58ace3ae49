//! `houserule odds`: exact distributions of expressions with dice, and of games in which nobody, or fixed players, decide.

use std::path::PathBuf;

use clap::Args;

use super::{GameFlags, one_name};
use crate::terminal::{CliError, Progress, Terminal, on_ctrl_c};
use houserule_base::files;
use houserule_base::numbers::parse_decimal;
use houserule_loader::{LoadError, Loaded};
use houserule_page::report::odds::{chart, text};
use houserule_players::agents::AgentKind;
use houserule_playtest::RunMonitor;
use houserule_playtest::odds::{
    OddsError, OddsPlan, OddsQuantity, OddsQuestion, is_game_name, load_expression, odds,
};

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    houserule odds 'sum of the 3 highest of 4d6' --at-least 15\n  \
    houserule odds 'max of 6 rolls: sum of the 3 highest of 4d6' --at-least 18\n  \
    houserule odds 'dice cup: 7d6; faces(cup, 5) + faces(cup, 6)' --at-least 3\n  \
    houserule odds pig --set goal=20 --agents random --of turns\n  \
    houserule odds battle.rules --of winner --json")]
pub(super) struct OddsArgs {
    /// An expression of the rule language in which dice are written in place (`4d6`), or a game: a bundled one or a rule
    /// file, with variants after `+`
    #[arg(required = true, value_name = "EXPRESSION|GAME")]
    words: Vec<String>,
    #[command(flatten)]
    flags: GameFlags,
    /// What is asked of a game: `score`, `winner`, `turns`, `rolls`, `decisions` or an expression at its end [default: the
    /// score, else the winner, else the turns]
    #[arg(long, value_name = "WHAT")]
    of: Option<String>,
    /// Who decides, one for all seats or one for each: `random` or `exact` [default: nobody, for games without decisions]
    #[arg(long, value_name = "A,B")]
    agents: Option<String>,
    /// Also print the probability of K or more; may be repeated
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    at_least: Vec<i64>,
    /// Also print the probability of K or less; may be repeated
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    at_most: Vec<i64>,
    /// Also print the lowest value that this share of the games doesn't exceed, such as `0.9` or `90%`; may be repeated
    #[arg(long, value_name = "P", value_parser = share)]
    quantile: Vec<f64>,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    /// Also draw the distribution
    #[arg(long, value_name = "FILE.svg")]
    chart: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, requires = "chart")]
    force: bool,
}

/// Reads a share of the games.
fn share(text: &str) -> Result<f64, String> {
    parse_decimal(text)
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "a number from 0 to 1, or a percentage, is wanted".to_owned())
}

pub(super) fn run(args: &OddsArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let agents = args.agents.iter().flat_map(|agents| agents.split(','));
    let agents: Vec<AgentKind> = agents.map(AgentKind::parse).collect::<Result<_, _>>()?;
    let (loaded, expression) = load(args, terminal)?;
    let of = match &args.of {
        Some(text) => OddsQuantity::named(text),
        None => OddsQuantity::usual(loaded.game.model()),
    };
    let questions = args.at_least.iter().map(|k| OddsQuestion::AtLeast(*k));
    let questions = questions.chain(args.at_most.iter().map(|k| OddsQuestion::AtMost(*k)));
    let questions = questions.chain(args.quantile.iter().map(|p| OddsQuestion::Quantile(*p))).collect();
    if of == OddsQuantity::Winner
        && !args.at_least.is_empty() | !args.at_most.is_empty() | !args.quantile.is_empty()
    {
        return Err(CliError::Command(
            "the winner is no number: `--at-least`, `--at-most` and `--quantile` are for others".to_owned(),
        ));
    }
    let plan = OddsPlan { of, agents, questions };
    let bar = Progress::new(terminal, "states");
    let stop = on_ctrl_c(terminal);
    let watch = RunMonitor { progress: &|done| bar.show(done, 0), stop: &stop };
    let found = odds(&loaded.game, &plan, &watch);
    bar.wipe();
    let mut found = match found {
        Ok(found) => found,
        Err(OddsError::Load(error)) => return Err(report_error(*error, terminal)),
        Err(OddsError::Interrupted) => return Err(CliError::Interrupted),
        Err(error) => {
            let is_rules = matches!(
                error,
                OddsError::Rules(_) | OddsError::TooLarge(..) | OddsError::Late { .. } | OddsError::Endless
            );
            return Err(if is_rules {
                CliError::Rules(error.to_string())
            } else {
                CliError::Command(error.to_string())
            });
        }
    };
    if let Some(text) = expression {
        found.name_expression(&text);
    }
    if let Some(path) = &args.chart {
        files::write(path, chart(&found).svg(true).as_bytes(), args.force)?;
    }
    if args.json {
        terminal.json(&found)
    } else {
        Ok(write!(terminal.out, "{}", text(&found, terminal.paint))?)
    }
}

/// Loads the game, or makes one of the expression. Returns the expression too.
fn load(args: &OddsArgs, terminal: &mut Terminal<'_>) -> Result<(Loaded, Option<String>), CliError> {
    let text = args.words.join(" ");
    if is_game_name(&text) {
        let name = one_name(&args.words)?;
        return Ok((terminal.load(&name, &args.flags.settings()?, args.flags.players)?, None));
    }
    if !args.flags.set.is_empty() || args.flags.players.is_some() {
        return Err(CliError::Command(format!(
            "`{text}` is an expression; `--set` and `--players` are for games, which `houserule list` and files name"
        )));
    }
    match load_expression(&text) {
        Ok(loaded) => Ok((loaded, Some(text))),
        Err(error) => Err(report_error(error, terminal)),
    }
}

/// Reports the errors of an expression.
fn report_error(error: LoadError, terminal: &mut Terminal<'_>) -> CliError {
    match error {
        LoadError::Rules { diagnostics, sources, .. } => match terminal.diagnostics(&diagnostics, &sources) {
            Ok(_) => CliError::AlreadyReported,
            Err(error) => error,
        },
        LoadError::Compile(message) => CliError::Rules(message),
        LoadError::Request(messages) => CliError::Command(messages.join("\n")),
    }
}
