//! `houserule simulate`: plays many games and reports the results.

use std::path::{Path, PathBuf};

use clap::Args;

use super::aborted::{self, AbortedCount, Again};
use super::budget::{BudgetBar, BudgetFlags};
use super::cost::Planned;
use super::record_file::{Existing, RecordFile};
use super::run_flags::SeriesFlags;
use super::{GameFlags, agents_help, budget, cost, one_name};
use crate::terminal::{CliError, Forecast, Terminal, on_ctrl_c};
use houserule_game::notation::record::Record;
use houserule_lab::study::{BudgetedStudy, StudyEnd};
use houserule_page::report::simulation;
use houserule_players::agents::AgentKind;
use houserule_playtest::data_file::{DataFile, DataFormat, RowFile};
use houserule_playtest::{
    GameRows, GameSinks, Keep, RunMonitor, SimulationPlan, needed, play_again, simulate_within,
};

/// Number of games without an option that changes it.
const USUAL_GAMES: u64 = 10_000;

#[derive(Debug, Args)]
#[command(mut_arg("first", |first| first.help("Index of the first game (or match): `--first 17 -n 1` plays only game 17")))]
#[command(mut_arg("count", |games| games.help(
    "Number of games (with `--match`, of matches) [default: 10,000]"
)))]
#[command(group(clap::ArgGroup::new("written").args(["record", "rows"]).multiple(true)))]
#[command(after_help = "Examples:\n  \
    houserule simulate dilido + second-joker --set penalty_limit=5\n  \
    houserule simulate dilido --agents mcts:200 --for 2m\n  \
    houserule simulate connect-four --precision wins[1]=0.5% --precision turns=0.1\n  \
    houserule simulate dilido --games 10M --rows games.parquet")]
pub(super) struct SimulateArgs {
    /// The game: a bundled one or a rule file, with variants after `+` (`dilido + torus`)
    #[arg(required = true, value_name = "GAME")]
    game: Vec<String>,
    #[command(flatten)]
    flags: GameFlags,
    #[command(flatten)]
    budget: BudgetFlags,
    #[command(flatten)]
    series: SeriesFlags,
    #[arg(long, value_name = "A,B", default_value = "random", help = agents_help())]
    agents: String,
    /// Write a record of every game to a file, one JSON object a line
    #[arg(long, value_name = "FILE.jsonl")]
    record: Option<PathBuf>,
    /// Write a row for each game and seat to a file; the ending chooses its format: `.parquet` or `.csv`
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    rows: Option<PathBuf>,
    /// Overwrite existing files of records or rows; rules, scripts and journals of games in progress are never overwritten
    #[arg(long, requires = "written", conflicts_with = "resume")]
    force: bool,
    /// Continue a run that was cut short, after the last game in its file of records
    #[arg(long, requires = "record")]
    resume: bool,
    /// Start no more games once an error has ended a game
    #[arg(long)]
    stop_at_error: bool,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &SimulateArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let name = one_name(&args.game)?;
    let agents: Result<Vec<AgentKind>, _> = args.agents.split(',').map(AgentKind::parse).collect();
    let agents = agents?;
    let games = args.budget.games()?;
    let mut rows = args.rows.as_deref().map(|path| row_file(path, args.force)).transpose()?;
    let budget = args.budget.budget();
    let loaded = terminal.load(&name, &args.flags.settings()?, args.flags.players)?;
    let most = budget.most_games(games, USUAL_GAMES);
    let mut plan = SimulationPlan {
        games: most,
        first: args.series.first,
        seed: args.series.run.seed,
        threads: args.series.run.threads()?,
        agents,
        match_play: args.series.matches,
    };

    let names = seat_names(&plan.agents, loaded.game.players());
    let mut file = match &args.record {
        Some(path) => Some(RecordFile::open(path, args.existing(), &loaded.game, &mut plan, &names)?),
        None => None,
    };
    if plan.games < most {
        terminal.note(&resumed(&plan, args))?;
    }
    if plan.games == 0 {
        return Ok(());
    }
    let seats = loaded.game.players() as usize;
    let planned = Planned {
        game: &loaded.game,
        // The run itself rejects a wrong number of agents.
        agents: if let [one] = &plan.agents[..] { vec![one.clone(); seats] } else { plan.agents.clone() },
        games: (!budget.is_bounded()).then_some(plan.games),
        seed: plan.seed,
        threads: plan.threads,
        match_play: plan.match_play,
    };
    let is_announced = cost::announce(&planned, terminal)?;
    let bar = BudgetBar::new(terminal, args.series.unit(), budget.seconds, &budget);
    let of = if budget.is_bounded() { 0 } else { plan.games };
    bar.show(0, of);
    let is_open = !is_announced && !budget.is_bounded();
    let forecast = if is_open { Forecast::new(terminal, args.series.unit(), false) } else { None };
    let stop = on_ctrl_c(terminal);
    let mut rows = rows.take().map(|file| RowFile::new(file, &loaded.game, &plan, names.clone()));
    let result = {
        let progress = |done: u64| {
            bar.show(done, of);
            if let Some(forecast) = &forecast {
                forecast.hear(done, of);
            }
        };
        let mut sink = |mut record: Record| {
            record.agents.clone_from(&names);
            if let Some(file) = &mut file {
                file.write(&record);
            }
        };
        let mut row_sink = |some: GameRows| {
            if rows.as_mut().is_some_and(|rows| !rows.add(some)) {
                stop.set();
            }
        };
        let sinks = GameSinks {
            records: if args.record.is_some() { Some(&mut sink) } else { None },
            rows: if args.rows.is_some() { Some(&mut row_sink) } else { None },
        };
        let watch = RunMonitor { progress: &progress, stop: &stop };
        let keep = Keep { only_until_error: args.stop_at_error, keep_partial: true, ..Keep::default() };
        simulate_within(&loaded.game, &plan, None, &budget, &watch, keep, sinks)
    };
    bar.wipe();
    if let Some(file) = file {
        file.finish()?;
    }
    let (found, _, halves) = result?;
    if let Some(rows) = rows {
        rows.finish()?;
    }

    if args.json {
        terminal.json(&found)?;
    } else {
        let text = simulation::text(&loaded.game, &found, terminal.paint);
        write!(terminal.out, "{text}")?;
    }
    // After Ctrl-C, nobody wants to wait for a game to be replayed.
    if found.interrupted {
        if args.record.is_some() {
            terminal.note("The records so far are kept; `--resume` continues after them.")?;
        }
        return Err(CliError::Interrupted);
    }
    let wanted = budget.precision.iter().map(|one| one.half_width);
    let is_reached = needed(found.requested, halves.into_iter().zip(wanted)).is_none();
    let end = match is_reached && !budget.precision.is_empty() {
        true => StudyEnd::Reached,
        false => StudyEnd::UsedUp,
    };
    // Of a resumed run, all games.
    let games = found.first + found.requested - args.series.first;
    budget::report_end(&BudgetedStudy { found: (), games, end }, &budget, terminal)?;
    let Some(first) = &found.first_aborted else { return Ok(()) };
    let aborted = play_again(&loaded.game, &plan, first.index);
    let again = Again {
        name: &name,
        number: aborted.as_ref().map_or(first.index, |stopped| stopped.number),
        seed: args.series.run.seed,
        set: args.flags.set.iter().collect(),
        players: args.flags.players,
        agents: &args.agents,
        matches: args.series.matches,
    };
    let counted = AbortedCount { games: found.aborted, of: found.games + found.aborted, index: first.index };
    aborted::report(&first.error, aborted.as_ref(), &counted, &again, &loaded, terminal)?;
    Err(CliError::AlreadyReported)
}

impl SimulateArgs {
    fn existing(&self) -> Existing {
        match (self.resume, self.force) {
            (true, _) => Existing::Resume,
            (false, true) => Existing::Replace,
            (false, false) => Existing::Refuse,
        }
    }
}

/// Begins the file of `--rows`.
fn row_file(path: &Path, force: bool) -> Result<DataFile, CliError> {
    let Some(format) = DataFormat::from_path(path) else {
        return Err(CliError::Command(format!(
            "`{}`: the ending must be `.parquet` or `.csv`",
            path.display()
        )));
    };
    Ok(DataFile::create(path, format, force)?)
}

/// Returns the note at the start of a resumed run: its report covers only the remaining games.
fn resumed(plan: &SimulationPlan, args: &SimulateArgs) -> String {
    let (what, whats) = if args.series.matches { ("match", "matches") } else { ("game", "games") };
    match plan.games {
        0 => format!("All {whats} of this run are recorded already."),
        _ => format!(
            "The {whats} before {what} {0} are recorded already; the report covers {what} {0} and the later ones.",
            plan.first
        ),
    }
}

/// Returns the name of the agent of each seat.
fn seat_names(agents: &[AgentKind], players: u32) -> Vec<String> {
    match agents {
        [one] => vec![one.to_string(); players as usize],
        many => many.iter().map(AgentKind::to_string).collect(),
    }
}
