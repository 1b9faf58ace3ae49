//! `houserule worth`: removes each rule of a game in turn and reports what it is worth.

use std::path::PathBuf;

use clap::Args;

use super::budget::{BudgetBar, BudgetFlags};
use super::run_flags::{AgentFlags, RunFlags};
use super::{GameFlags, budget, one_name};
use crate::terminal::{CliError, Terminal, on_ctrl_c};
use houserule_base::files::{replace, write_new};
use houserule_base::numbers::duration;
use houserule_lab::study::{
    BudgetedStudy, StudyEnd, WorthError, WorthPlan, WorthProgress, worth_in_time, worth_within,
};
use houserule_page::report::worth::report;
use houserule_players::agents::AgentKind;
use houserule_players::learned::can_learn;
use houserule_playtest::answer_seconds;

#[derive(Debug, Args)]
#[command(mut_arg("count", |games| games.help(
    "Number of games with each rule and without it [default: up to 10,000, fewer if they take long]"
)))]
#[command(after_help = "Examples:\n  \
    houserule worth dilido\n  \
    houserule worth dilido + second-joker --only joker --precision score=0.5\n  \
    houserule worth pig --players 3 --quick -o worth.json")]
pub(super) struct WorthArgs {
    /// The game: a bundled one or a rule file, with variants after `+` (`dilido + torus`)
    #[arg(required = true, value_name = "GAME")]
    game: Vec<String>,
    #[command(flatten)]
    flags: GameFlags,
    /// A rule to remove, such as `joker` or `end full`; may be repeated [default: every rule that can be removed]
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    #[command(flatten)]
    agents: AgentFlags,
    #[command(flatten)]
    budget: BudgetFlags,
    #[command(flatten)]
    run: RunFlags,
    /// Also print the house rule that removes each rule
    #[arg(long, conflicts_with = "json")]
    show: bool,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    /// Also write the JSON to a file
    #[arg(long, short = 'o', value_name = "FILE.json")]
    output: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, requires = "output")]
    force: bool,
}

/// Time of the two trainings for a rule, in seconds on one thread.
const TRAINING: f64 = 30.0;

pub(super) fn run(args: &WorthArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let name = one_name(&args.game)?;
    let games = args.budget.games()?;
    if let Some(path) = args.output.as_ref().filter(|path| !args.force && path.exists()) {
        let message = format!("`{}` exists already; overwrite it with `--force`", path.display());
        return Err(CliError::Command(message));
    }
    let mut kinds = args.agents.before_training()?;
    let loaded = terminal.load(&name, &args.flags.settings()?, args.flags.players)?;
    let threads = args.run.threads()?;
    if args.agents.trains() {
        match can_learn(&loaded.game) {
            Ok(()) => kinds.push(AgentKind::Learned(None)),
            Err(error) => terminal.note(&format!("No player is trained: {error}."))?,
        }
    }
    if kinds.contains(&AgentKind::Learned(None)) && !terminal.quiet {
        terminal.note(&format!(
            "Two players are trained for the game and two for it without each rule, which takes about {} each time, \
             unless it was done before. Ctrl-C reports on the rules that are finished; `--quick` skips the training.",
            duration(TRAINING / threads.min(2) as f64)
        ))?;
    }
    let plan = WorthPlan { games, seed: args.run.seed, threads, agents: kinds, only: args.only.clone() };
    let budget = args.budget.budget();
    // Who says how many games, or how long, gets them.
    let is_soon = args.agents.is_quick() && games.is_none() && !budget.is_bounded();
    let seconds = is_soon.then(|| answer_seconds(true));
    let bar = BudgetBar::new(terminal, "", budget.seconds.or(seconds), &budget);
    let stop = on_ctrl_c(terminal);
    let progress = |now| {
        if let WorthProgress::Share(share) = now {
            bar.show_share(share);
        }
        true
    };
    let study = match seconds {
        Some(seconds) => worth_in_time(&loaded.game, &plan, seconds, &progress, &stop)
            .map(|found| BudgetedStudy { found, games: 0, end: StudyEnd::Reached }),
        None => worth_within(&loaded.game, &plan, &budget, &progress, &stop),
    };
    bar.wipe();
    let study = study.map_err(|error| match error {
        WorthError::Rules(message) => CliError::Command(message),
        WorthError::Simulate(error) => error.into(),
    })?;
    let found = &study.found;
    // The file first, because the study is expensive.
    if let Some(path) = &args.output {
        let mut text =
            serde_json::to_string_pretty(found).map_err(|error| CliError::Rules(error.to_string()))?;
        text.push('\n');
        if args.force { replace(path, text.as_bytes())? } else { write_new(path, text.as_bytes())? }
    }
    if args.json {
        terminal.json(found)?;
    } else {
        write!(terminal.out, "{}", report(found, args.show, terminal.paint))?;
    }
    budget::require_figures(&study, found.has_figures())?;
    budget::report_end(&study, &budget, terminal)?;
    if found.run.interrupted { Err(CliError::Interrupted) } else { Ok(()) }
}
