//! `houserule sweep`: plays every combination of settings on the same dice and reports all metrics.

use std::path::{Path, PathBuf};

use clap::Args;

use super::aborted::{self, AbortedCount, Again};
use super::budget::{BudgetBar, BudgetFlags};
use super::run_flags::{SeriesFlags, agents};
use super::{budget, one_name};
use crate::terminal::{CliError, Terminal, on_ctrl_c};
use houserule_base::files;
use houserule_base::numbers::counted;
use houserule_lab::study::setting::{Choices, Combination, SettingGrid, values_of};
use houserule_lab::study::sweep::{Sweep, SweepError, SweepGame, SweepPlan};
use houserule_lab::study::sweep_within;
use houserule_loader::{LoadError, Loaded};
use houserule_page::report::sweep as report;
use houserule_players::agents::AgentKind;
use houserule_playtest::data_file::{DataFile, DataFormat};
use houserule_playtest::{RunMonitor, SimulationPlan, play_again};

/// Number of games of a combination without an option that changes it.
const USUAL_GAMES: u64 = 1_000;

/// Maximum number of errors that are shown.
const MOST_ERRORS: usize = 20;

#[derive(Debug, Args)]
#[command(mut_arg("count", |games| games.help(
    "Number of games of each combination (with `--match`, of matches) [default: 1,000]"
)))]
#[command(after_help = "Examples:\n  \
    houserule sweep dilido --set penalty_limit=1..7 --set jokers=0,1,2 -o limits.html\n  \
    houserule sweep dilido --variants torus,falling,torus+falling --agents random,greedy\n  \
    houserule sweep pig --players 2..5 --set goal=50,100 --base players=2,goal=100 -o pig.csv\n  \
    houserule sweep dilido --set penalty_limit=1..7 --for 5m -o limits.parquet\n  \
    houserule sweep dilido --set jokers=0,1,2 --precision score=0.2")]
pub(super) struct SweepArgs {
    /// The game: a bundled one or a rule file, with variants after `+`
    #[arg(required = true, value_name = "GAME")]
    game: Vec<String>,
    /// Values of a param: `--set penalty_limit=1..7`, `--set jokers=0,2`, or one value for all; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUES")]
    set: Vec<String>,
    /// Numbers of players: `2..5` or `2,4` [default: the fewest the rules allow]
    #[arg(long, value_name = "N..M")]
    players: Option<String>,
    /// Variants, each beside the game without any: `torus,falling,torus+falling`
    #[arg(long, value_name = "A,B,A+B")]
    variants: Option<String>,
    /// Agents, named as for `simulate`; each plays all seats
    #[arg(long, value_name = "A,B", default_value = "random")]
    agents: String,
    #[command(flatten)]
    budget: BudgetFlags,
    #[command(flatten)]
    series: SeriesFlags,
    /// The combination that the others are compared with: `--base penalty_limit=3,variant=torus` [default: the first;
    /// a name that is left out has its first value]
    #[arg(long, value_name = "NAME=VALUE,…", default_value = "", hide_default_value = true)]
    base: String,
    /// Metrics to show in text and pictures: `--metrics score,wins[1]` [default: those of whole games that vary; files of
    /// data have all]
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    metrics: Vec<String>,
    /// Write a file; the ending chooses its format: `.csv`, `.parquet`, `.json`, `.html` or `.svg`; may be repeated
    #[arg(long, short = 'o', value_name = "FILE")]
    output: Vec<PathBuf>,
    /// Overwrite existing files
    #[arg(long, requires = "output")]
    force: bool,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

/// A format of output files.
#[derive(Clone, Copy)]
enum SweepFormat {
    Csv,
    Parquet,
    Json,
    Html,
    Svg,
}

impl SweepFormat {
    fn for_file(path: &Path) -> Result<SweepFormat, String> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("csv") => Ok(SweepFormat::Csv),
            Some("json") => Ok(SweepFormat::Json),
            Some("html" | "htm") => Ok(SweepFormat::Html),
            Some("svg") => Ok(SweepFormat::Svg),
            Some("parquet") => Ok(SweepFormat::Parquet),
            _ => Err(format!(
                "`{}`: the ending must be `.csv`, `.parquet`, `.json`, `.html` or `.svg`",
                path.display()
            )),
        }
    }
}

pub(super) fn run(args: &SweepArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let name = one_name(&args.game)?;
    let kinds = agents(&args.agents)?;
    let threads = args.series.run.threads()?;
    let (grid, formats, base) = args.checked(&name).map_err(|wrong| CliError::Command(wrong.join("\n")))?;
    let combinations = grid.combinations().map_err(CliError::Command)?;
    let loaded = load_all(&name, &combinations, terminal)?;
    if kinds.iter().any(AgentKind::trains) {
        let trained = counted(combinations.len(), "combination");
        terminal.note(&format!(
            "Two players are trained for each of the {trained}, unless it was done before; `houserule learn` shows how \
             long that takes."
        ))?;
    }
    let games: Vec<SweepGame> = combinations
        .iter()
        .zip(&loaded)
        .map(|(combination, loaded)| SweepGame {
            combination: combination.clone(),
            game: loaded.game.clone(),
        })
        .collect();
    let each = SimulationPlan {
        games: args.budget.games.unwrap_or(USUAL_GAMES),
        first: args.series.first,
        seed: args.series.run.seed,
        threads,
        agents: kinds,
        match_play: args.series.matches,
    };
    let budget = args.budget.budget();
    let of = match budget.is_bounded() {
        true => 0,
        false => each.games.saturating_mul(games.len() as u64).saturating_mul(each.agents.len() as u64),
    };
    let bar = BudgetBar::new(terminal, args.series.unit(), budget.seconds, &budget);
    bar.show(0, of);
    let stop = on_ctrl_c(terminal);
    let watch = RunMonitor { progress: &|done| bar.show(done, of), stop: &stop };
    let study = sweep_within(&games, &SweepPlan { each, base }, args.budget.games, &budget, &watch);
    bar.wipe();
    let study = study.map_err(|error| match error {
        SweepError::Simulate(error) => error.into(),
        error => CliError::Command(error.to_string()),
    })?;
    let found = &study.found;
    for (path, format) in args.output.iter().zip(formats) {
        write_file(path, found, args, format)?;
    }
    if args.json {
        terminal.json(found)?;
    } else {
        let text = report::text(found, &args.metrics, terminal.paint).map_err(CliError::Command)?;
        write!(terminal.out, "{text}")?;
        for path in &args.output {
            writeln!(terminal.out, "{}", path.display())?;
        }
    }
    budget::require_figures(&study, !found.rows.is_empty())?;
    budget::report_end(&study, &budget, terminal)?;
    if found.interrupted {
        return Err(CliError::Interrupted);
    }
    aborted(args, &name, found, &combinations, &loaded, terminal)
}

impl SweepArgs {
    /// Checks the command line and returns what is tried, the formats of the files, and the index of the base; or all
    /// errors.
    fn checked(&self, name: &str) -> Result<(SettingGrid, Vec<SweepFormat>, usize), Vec<String>> {
        let mut wrong = vec![];
        let mut keep = |error: String| wrong.push(error);
        let params =
            self.set.iter().filter_map(|text| Choices::parse(text).map_err(&mut keep).ok()).collect();
        let players = self.players.as_deref().map_or(Ok(vec![]), values_of).and_then(|values| {
            let number =
                |value: &String| value.parse().map_err(|_| format!("`{value}` is no number of players"));
            values.iter().map(number).collect::<Result<Vec<u32>, String>>()
        });
        let players = players.map_err(|why| keep(format!("`--players`: {why}"))).unwrap_or_default();
        let mut variants = vec![String::new()];
        for variant in self.variants.iter().flat_map(|variants| variants.split(',')) {
            let parts: Vec<&str> = variant.split('+').map(str::trim).collect();
            match parts.iter().any(|part| part.is_empty()) {
                true => keep(format!("`--variants`: `{variant}` names no variant")),
                false => variants.push(parts.join(" + ")),
            }
        }
        variants.dedup();
        let formats = self
            .output
            .iter()
            .filter_map(|path| SweepFormat::for_file(path).map_err(&mut keep).ok())
            .collect();
        if let Err(CliError::Command(why)) = self.budget.games() {
            keep(why);
        }
        let grid = SettingGrid { game: name.to_owned(), params, variants, players };
        let base = match grid.combinations() {
            Ok(_) => grid.index_of(&self.base).map_err(|why| keep(format!("`--base`: {why}"))).unwrap_or(0),
            Err(why) => {
                keep(why);
                0
            }
        };
        for path in self.output.iter().filter(|path| path.exists() && !self.force) {
            keep(format!("`{}` exists; choose another name, or overwrite it with `--force`", path.display()));
        }
        if wrong.is_empty() { Ok((grid, formats, base)) } else { Err(wrong) }
    }
}

/// Loads all combinations and reports all errors, each once.
fn load_all(
    name: &str,
    combinations: &[Combination],
    terminal: &mut Terminal<'_>,
) -> Result<Vec<Loaded>, CliError> {
    let (mut loaded, mut wrong, mut broken) = (vec![], vec![], 0);
    for combination in combinations {
        match combination.load(name) {
            Ok(one) => {
                // The warnings of the other combinations are mostly the same.
                if loaded.is_empty() && !terminal.quiet {
                    terminal.diagnostics(&one.warnings, &one.sources)?;
                }
                loaded.push(one);
            }
            Err(LoadError::Request(messages)) => {
                for message in messages.into_iter().filter(|message| !message.is_empty()) {
                    if !wrong.contains(&message) {
                        wrong.push(message);
                    }
                }
            }
            Err(LoadError::Compile(message)) => {
                wrong.push(format!("with {}: {message}", combination.label()))
            }
            Err(LoadError::Rules { diagnostics, sources, .. }) => {
                broken += 1;
                if broken <= 3 {
                    terminal.diagnostics(&diagnostics, &sources)?;
                }
                wrong.push(format!("the rules have errors with {}", combination.label()));
            }
        }
    }
    if wrong.is_empty() {
        return Ok(loaded);
    }
    let more = wrong.len().saturating_sub(MOST_ERRORS);
    wrong.truncate(MOST_ERRORS);
    if more > 0 {
        wrong.push(format!("and {}", counted(more, "more error")));
    }
    let message = wrong.join("\n");
    Err(if broken > 0 { CliError::Rules(message) } else { CliError::Command(message) })
}

/// Writes a file.
fn write_file(path: &Path, found: &Sweep, args: &SweepArgs, format: SweepFormat) -> Result<(), CliError> {
    let bytes = match format {
        SweepFormat::Parquet => {
            let mut file = DataFile::create(path, DataFormat::Parquet, args.force)?;
            file.write(&report::frame(found))?;
            return Ok(file.finish()?);
        }
        SweepFormat::Csv => report::csv(found).map_err(|error| CliError::Output(error.to_string()))?,
        SweepFormat::Json => {
            let text =
                serde_json::to_string_pretty(found).map_err(|error| CliError::Output(error.to_string()))?;
            format!("{text}\n").into_bytes()
        }
        SweepFormat::Html => report::page(found, &args.metrics).map_err(CliError::Command)?.into_bytes(),
        SweepFormat::Svg => {
            report::chart(found, &args.metrics).map_err(CliError::Command)?.svg(true).into_bytes()
        }
    };
    Ok(files::write(path, &bytes, args.force)?)
}

/// Reports the first game that an error ended.
fn aborted(
    args: &SweepArgs,
    name: &str,
    found: &Sweep,
    combinations: &[Combination],
    loaded: &[Loaded],
    terminal: &mut Terminal<'_>,
) -> Result<(), CliError> {
    let Some((row, first)) = found.rows.iter().find_map(|row| Some((row, row.first_aborted.as_ref()?)))
    else {
        return Ok(());
    };
    let (loaded, combination) = (&loaded[row.combination], &combinations[row.combination]);
    let plan = args.series.alone(first.index, AgentKind::parse(&row.agent)?);
    let stopped = play_again(&loaded.game, &plan, first.index);
    let set: Vec<String> =
        combination.settings.iter().map(|setting| format!("{}={}", setting.name, setting.value)).collect();
    let name = match combination.variant.as_str() {
        "" => name.to_owned(),
        variant => format!("{name} + {variant}"),
    };
    let again = Again {
        name: &name,
        number: stopped.as_ref().map_or(first.index, |stopped| stopped.number),
        seed: args.series.run.seed,
        set: set.iter().collect(),
        players: Some(row.players),
        agents: &row.agent,
        matches: args.series.matches,
    };
    let counted = AbortedCount { games: row.aborted, of: row.games + row.aborted, index: first.index };
    aborted::report(&first.error, stopped.as_ref(), &counted, &again, loaded, terminal)?;
    Err(CliError::AlreadyReported)
}
