//! `houserule learn`: trains a player and reports its strength.

use std::path::{Path, PathBuf};

use clap::Args;

use super::budget::at_least_one;
use super::run_flags::RunFlags;
use super::{GameFlags, one_name};
use crate::terminal::{CliError, Progress, Terminal, on_ctrl_c};
use houserule_base::files::{PLAYER_ENDING, replace, write_new};
use houserule_base::numbers::{counted, decimal, grouped, parse_count, parse_seconds, with_half_width};
use houserule_game::Game;
use houserule_lab::study::{Against, OPPONENTS, Stage, Training, TrainingError, learn};
use houserule_players::learned::{Course, TrainingBudget};
use houserule_playtest::{Estimate, RunMonitor};

#[derive(Debug, Args)]
#[command(mut_arg("seed", |seed| seed.help("Random seed; the same seed and number of games give the same player, on any number of threads")))]
pub(super) struct LearnArgs {
    /// The game: a bundled one or a rule file, with variants after `+` (`dilido + torus`)
    #[arg(required = true, value_name = "GAME")]
    game: Vec<String>,
    #[command(flatten)]
    flags: GameFlags,
    /// Number of training games [default: as many as take about 15 seconds]
    #[arg(long, short = 'n', value_name = "N", value_parser = parse_count, conflicts_with = "time")]
    games: Option<u64>,
    /// CPU time of the training on each thread: `60s`, `5m` or `1h`
    #[arg(long = "for", id = "time", value_name = "TIME", value_parser = parse_seconds)]
    time: Option<f64>,
    #[command(flatten)]
    run: RunFlags,
    /// Write the player to a file, which other commands take as an agent: `--agents FILE.player`
    #[arg(long, short = 'o', value_name = "FILE.player")]
    output: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, requires = "output")]
    force: bool,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &LearnArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let name = one_name(&args.game)?;
    if let Some(path) = &args.output {
        writable(path, args.force)?;
    }
    let loaded = terminal.load(&name, &args.flags.settings()?, args.flags.players)?;
    let game = &loaded.game;
    let budget = match (args.games, args.time) {
        (Some(games), _) => TrainingBudget::Games(at_least_one(games)?),
        (_, Some(seconds)) => TrainingBudget::Seconds(seconds),
        _ => TrainingBudget::Usual,
    };
    let course = Course { budget, seed: args.run.seed, threads: args.run.threads()? };
    let of = if let TrainingBudget::Games(games) = budget { games } else { 0 };
    if !args.json {
        writeln!(terminal.out, "{}", header(game))?;
        terminal.out.flush()?;
    }
    let bar = Progress::new(terminal, "games");
    let stop = on_ctrl_c(terminal);
    let mut written = Ok(());
    let trained = {
        let watch = RunMonitor { progress: &|done| bar.show(done, of), stop: &stop };
        let mut tell = |stage: &Stage| {
            if !args.json && written.is_ok() {
                let out = &mut terminal.out;
                written = bar.without(|| writeln!(out, "{}", line(stage)).and_then(|()| out.flush()));
            }
        };
        learn(game, &course, &watch, &mut tell)
    };
    bar.wipe();
    let training = trained.map_err(fault)?;
    // The file first, because training is expensive.
    let bytes = training.player.to_bytes();
    if let Some(path) = &args.output {
        if args.force { replace(path, &bytes)? } else { write_new(path, &bytes)? }
    }
    written?;
    if args.json {
        terminal.json(&training)?;
    } else {
        writeln!(terminal.out, "\n{}", verdict(&training, game.model().is_cooperative()))?;
    }
    if let Some(path) = args.output.as_ref().filter(|_| !args.json) {
        writeln!(terminal.out, "{} · {} bytes", path.display(), grouped(bytes.len()))?;
    }
    if training.interrupted { Err(CliError::Interrupted) } else { Ok(()) }
}

fn fault(error: TrainingError) -> CliError {
    match error {
        TrainingError::Agent(error) => CliError::Rules(error.to_string()),
        TrainingError::Rules(error) => CliError::Rules(error.kind.to_string()),
    }
}

/// Checks the output file before training, not after it.
fn writable(path: &Path, force: bool) -> Result<(), CliError> {
    if !path.to_string_lossy().ends_with(PLAYER_ENDING) {
        return Err(CliError::Command(format!(
            "`{}`: the name of a player's file must end in `{PLAYER_ENDING}`",
            path.display()
        )));
    }
    if !force && path.exists() {
        return Err(CliError::Command(format!(
            "`{}` exists already; overwrite it with `--force`",
            path.display()
        )));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| !folder.is_dir()) {
        Some(folder) => Err(CliError::Command(format!("there is no folder `{}`", folder.display()))),
        None => Ok(()),
    }
}

fn header(game: &Game) -> String {
    let columns = match game.players() {
        1 => "mean score".to_owned(),
        _ => {
            let beside = if game.model().is_cooperative() { "among" } else { "against" };
            OPPONENTS.map(|name| format!("{:<20}", format!("{beside} {name}"))).join(" ")
        }
    };
    format!("{:>12} {:>8}   {}", "games", "seconds", columns.trim_end())
}

fn line(stage: &Stage) -> String {
    let told: Vec<String> =
        stage.strength.iter().map(|against| format!("{:<20}", estimate(against.meeting.own))).collect();
    let dropped = if stage.dropped { "  (not kept)" } else { "" };
    let line = format!(
        "{:>12} {:>8}   {}{dropped}",
        grouped(stage.games),
        decimal(stage.seconds, 1),
        told.join(" ")
    );
    line.trim_end().to_owned()
}

fn estimate(of: Estimate) -> String {
    with_half_width(of.mean, of.half)
}

/// Describes how strong the player is, and whether more training would help. `together` if all players win or lose together.
fn verdict(training: &Training, together: bool) -> String {
    let mut lines: Vec<String> =
        training.strength.iter().map(|against| strength(against, together)).collect();
    if training.interrupted {
        lines.push(format!(
            "Stopped after {}. The player is the best one so far; it was not tested against other agents.",
            counted(training.games, "game")
        ));
    } else if let Some(gain) = training.gain {
        let what = if training.is_rising() { "Still improving" } else { "No clear improvement" };
        lines.push(format!("{what}: {} since the previous checkpoint", estimate(gain)));
    }
    lines.push(format!(
        "aim: {} · {} weights · {} {}",
        training.aim,
        grouped(training.weights),
        training.symmetries,
        if training.symmetries == 1 { "symmetry" } else { "symmetries" }
    ));
    lines.join("\n")
}

fn strength(against: &Against, together: bool) -> String {
    let Against { opponent, meeting } = against;
    let better =
        if meeting.better.is_surely_positive() { "Better than" } else { "Not significantly better than" };
    let (own, other) = (estimate(meeting.own), estimate(meeting.other));
    let found = match together {
        true => format!("all win {own} of the games with it among these, {other} without it"),
        false => format!("{own} against {other}"),
    };
    format!(
        "{better} {opponent}: {found} ({} games, {} ms and {} ms a decision)",
        grouped(meeting.games),
        decimal(meeting.own_seconds * 1e3, 3),
        decimal(meeting.other_seconds * 1e3, 3),
    )
}
