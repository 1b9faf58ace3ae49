//! `houserule tune`: finds the values of params with which the results most probably meet targets.

use std::path::PathBuf;

use clap::Args;

use super::budget::{BudgetBar, BudgetFlags};
use super::run_flags::RunFlags;
use super::{GameFlags, budget, one_name};
use crate::terminal::{CliError, Terminal, on_ctrl_c};
use houserule_base::files::write_new;
use houserule_base::names::{shell_game, shell_word};
use houserule_lab::study::setting::Choices;
use houserule_lab::study::tune::{GAMES_OF_A_SETTING, TuneError, TunePlan, TuningTarget};
use houserule_lab::study::{TUNE_SECONDS, tune_within};
use houserule_language::diagnostic::printable;
use houserule_language::variants::Origin;
use houserule_loader::{LoadError, parts};
use houserule_page::report::tune as report;
use houserule_players::agents::AgentKind;
use houserule_playtest::SimulateError;

#[derive(Debug, Args)]
#[command(mut_arg("count", |games| games.help(
    "Number of games of a setting that comes near to the targets; the others play fewer [default: 1,000, fewer if they \
     take more than 3 minutes]"
)))]
#[command(after_help = "Examples:\n  \
    houserule tune dilido --target 'turns = 20' --vary penalty_limit=1..9 --vary jokers=0..3\n  \
    houserule tune connect-four --target 'wins[1] in 0.48..0.52' --vary rows=4..8 --vary columns=4..8\n  \
    houserule tune dilido --target 'score >= 50 ± 5' --vary line_points.3=1..9 --agents greedy -o tuned.rules\n  \
    houserule tune pig --target 'p90(turns) <= 40' --target 'share(turns >= 10) > 80 %' --vary goal=20..100\n\
    Metrics are named as in docs/json.md: `turns`, `score`, `score[2]`, `wins[1]`, `draws`, `option.joker`, `end.full`, \
    and items of the score. An unknown name lists them all.")]
pub(super) struct TuneArgs {
    /// The game: a bundled one or a rule file, with variants after `+`
    #[arg(required = true, value_name = "GAME")]
    game: Vec<String>,
    #[command(flatten)]
    flags: GameFlags,
    /// What a metric is to be: its mean, `turns = 20`, `score >= 50`, `wins[1] in 48..52 %`, `draws < 5 %`; a quantile,
    /// `p90(turns) <= 30`, `median(score) > 40`; or a share of the games, `share(turns <= 20) >= 80 %`. `± 2` sets the
    /// tolerance [default: half of the range; 5 % of a number; 2 % of the games]; may be repeated
    #[arg(long = "target", value_name = "METRIC = N")]
    targets: Vec<String>,
    /// Values of a param to try: `--vary penalty_limit=1..9`, `--vary topology=plain,torus`; may be repeated
    #[arg(long = "vary", value_name = "NAME=VALUES")]
    vary: Vec<String>,
    /// Agents, one for all seats or one for each, named as for `simulate` [default: the best player that needs little
    /// time, trained for every setting if it learns]
    #[arg(long, value_name = "A,B")]
    agents: Option<String>,
    #[command(flatten)]
    budget: BudgetFlags,
    #[command(flatten)]
    run: RunFlags,
    /// Write the variant with the best setting to a new file
    #[arg(long, short = 'o', value_name = "FILE.rules")]
    output: Option<PathBuf>,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &TuneArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let name = one_name(&args.game)?;
    let agents = args.agents.iter().flat_map(|agents| agents.split(','));
    let agents: Result<Vec<AgentKind>, _> = agents.map(AgentKind::parse).collect();
    let mut wrong = vec![];
    let vary = parsed(&args.vary, Choices::parse, &mut wrong);
    let targets = parsed(&args.targets, TuningTarget::parse, &mut wrong);
    if let Some(path) = &args.output {
        if path.extension().is_none_or(|ending| ending != "rules") {
            wrong.push(format!("`{}`: the name of a rule file ends in `.rules`", path.display()));
        } else if path.exists() {
            wrong.push(format!("`{}` exists; choose another name", path.display()));
        }
    }
    if !wrong.is_empty() {
        return Err(CliError::Command(wrong.join("\n")));
    }
    let plan = TunePlan {
        game: Origin {
            settings: args.flags.settings()?,
            players: args.flags.players,
            parts: parts(&name),
            ..Origin::default()
        },
        vary,
        targets,
        agents: agents?,
        games: args.budget.games.unwrap_or(GAMES_OF_A_SETTING),
        seed: args.run.seed,
        threads: args.run.threads()?,
    };
    let budget = args.budget.budget();
    let is_usual = args.budget.games.is_none() && !budget.is_bounded();
    let bar = BudgetBar::new(terminal, "games", budget.seconds.or(is_usual.then_some(TUNE_SECONDS)), &budget);
    let stop = on_ctrl_c(terminal);
    let study = tune_within(&plan, args.budget.games, &budget, &|done| bar.show(done, 0), &stop);
    bar.wipe();
    let study = match study {
        Ok(study) => study,
        Err(TuneError::Request(messages)) => return Err(CliError::Command(messages.join("\n"))),
        Err(TuneError::Load(error)) => {
            if let LoadError::Rules { diagnostics, sources, .. } = &*error {
                terminal.diagnostics(diagnostics, sources)?;
                return Err(CliError::AlreadyReported);
            }
            return Err(CliError::Rules(error.to_string()));
        }
        Err(TuneError::Simulate(SimulateError::Stopped)) if budget.seconds.is_some() && !stop.is_set() => {
            return Err(SimulateError::NoTime.into());
        }
        Err(TuneError::Simulate(SimulateError::Stopped)) => return Err(CliError::Interrupted),
        Err(TuneError::Simulate(error)) => return Err(error.into()),
    };
    let found = &study.found;
    if let Some(path) = &args.output {
        write_new(path, found.variant.as_bytes())?;
    }
    if args.json {
        terminal.json(found)?;
    } else {
        write!(terminal.out, "{}", report::text(found, terminal.paint))?;
        match &args.output {
            Some(path) => writeln!(terminal.out, "{}", path.display())?,
            None => write!(terminal.out, "\n{}", printable(&found.variant))?,
        }
    }
    if let Some((combination, aborted)) = &found.first_aborted {
        let settings = &combination.settings;
        let set: String = settings.iter().map(|set| format!(" {}", set.flag())).collect();
        terminal.note(&format!(
            "An error ended a game: {}. To see it: houserule simulate {}{set} --agents {} --first {} -n 1 --seed {}",
            aborted.error.kind,
            shell_game(&name),
            shell_word(&found.run.agents.join(",")),
            aborted.index,
            args.run.seed
        ))?;
    }
    if is_usual && !stop.is_set() {
        if found.missing.is_some() {
            terminal.note("More time, such as `--for 10m`, completes it.")?;
        }
        return Ok(());
    }
    // The same games need the same player.
    let by = found.contest.as_ref().map_or_else(String::new, |contest| format!("--agents {} ", contest.kind));
    budget::report_end_with(&study, &budget, &by, terminal)?;
    if found.run.interrupted { Err(CliError::Interrupted) } else { Ok(()) }
}

/// Parses all texts and keeps all errors.
fn parsed<T>(texts: &[String], parse: fn(&str) -> Result<T, String>, wrong: &mut Vec<String>) -> Vec<T> {
    texts.iter().filter_map(|text| parse(text).map_err(|why| wrong.push(why)).ok()).collect()
}
