//! `houserule learn`: training a player, and what became of it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;

use super::simulate::threads;
use super::{Fault, GameFlags, Terminal, one_name};
use crate::agents::learned::{Budget, Checkpoint, Course, ENDING, Learned, train, usual_games};
use crate::agents::{AgentError, AgentKind};
use crate::engine::Game;
use crate::files::{replace, write_new};
use crate::numbers::{decimal, grouped, parse_count, with_half_width};
use crate::playtest::{Meeting, meet};

/// Who a player is judged against.
const OPPONENTS: [&str; 2] = ["greedy", "mcts:100"];

/// Games of a judgement, at a checkpoint and at the end; of several players each is played in all seats.
const AT_CHECKPOINTS: u64 = 100;
const AT_THE_END: u64 = 1000;

#[derive(Debug, Args)]
pub(super) struct LearnArgs {
    /// The game, with variants on top of it
    #[arg(required = true, value_name = "GAME")]
    game: Vec<String>,
    #[command(flatten)]
    flags: GameFlags,
    /// Number of training games [default: as many as take some 15 seconds]
    #[arg(long, short = 'n', value_name = "N", value_parser = parse_count, conflicts_with = "time")]
    games: Option<u64>,
    /// Processor time of training on each thread: `60s`, `5m`
    #[arg(long = "for", id = "time", value_name = "TIME", value_parser = seconds)]
    time: Option<f64>,
    /// Seed: the same seed and number of games give the same player, on any number of threads
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = parse_count)]
    seed: u64,
    /// Number of threads [default: one for each processor]
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
    /// Write the player to FILE.player, which is an agent: `--agents FILE.player`
    #[arg(long, short = 'o', value_name = "FILE.player")]
    output: Option<PathBuf>,
    /// Write over a file that exists
    #[arg(long, requires = "output")]
    force: bool,
}

/// `60s`, `5m`, `1.5h`, or seconds.
fn seconds(text: &str) -> Result<f64, String> {
    let (number, unit) = match text.trim().strip_suffix(['s', 'm', 'h']) {
        Some(number) => (number, text.trim().chars().last()),
        None => (text.trim(), None),
    };
    let each = match unit {
        Some('m') => 60.0,
        Some('h') => 3600.0,
        _ => 1.0,
    };
    match number.parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 => Ok(number * each),
        _ => Err("a time such as `60s`, `5m` or `1h`".to_owned()),
    }
}

pub(super) fn run(args: &LearnArgs, terminal: &mut Terminal<'_>) -> Result<(), Fault> {
    let name = one_name(&args.game)?;
    if let Some(path) = args.output.as_ref().filter(|path| !path.to_string_lossy().ends_with(ENDING)) {
        return Err(Fault::Command(format!("`{}`: the file of a player ends in `{ENDING}`", path.display())));
    }
    let loaded = terminal.load(&name, &args.flags.settings()?, args.flags.players)?;
    let game = &loaded.game;
    let learn = |error| Fault::Rules(AgentError::Learn(error).to_string());
    let budget = match (args.games, args.time) {
        (Some(0), _) => return Err(Fault::Command("`--games 0`: at least 1".to_owned())),
        (Some(games), _) => Budget::Games(games),
        (_, Some(seconds)) => Budget::Seconds(seconds),
        _ => Budget::Games(usual_games(game).map_err(learn)?),
    };
    let course = Course { budget, seed: args.seed, threads: threads(args.threads)? };
    writeln!(terminal.out, "{}", header(game))?;
    let mut failed = None;
    let mut gain = None;
    let trained = train(game, &course, &mut |at: Checkpoint| {
        gain = at.gain;
        let line = line(game, &at, AT_CHECKPOINTS);
        if let Err(error) = line.and_then(|line| Ok(writeln!(terminal.out, "{line}")?)) {
            failed.get_or_insert(error);
        }
        let _ = terminal.out.flush();
    });
    let player = Arc::new(trained.map_err(learn)?.as_saved());
    if let Some(error) = failed {
        return Err(error);
    }
    writeln!(terminal.out, "\n{}", verdict(game, &player, gain)?)?;
    if let Some(path) = &args.output {
        let bytes = player.to_bytes();
        if args.force {
            replace(path, &bytes)?
        } else {
            write_new(path, &bytes)?
        }
        writeln!(terminal.out, "{} · {} bytes", path.display(), grouped(bytes.len()))?;
    }
    Ok(())
}

fn header(game: &Game) -> String {
    match game.players() {
        1 => format!("{:>12} {:>8}   {:<20}", "games", "seconds", "mean score"),
        _ => {
            let against: Vec<String> =
                OPPONENTS.iter().map(|name| format!("{:<20}", format!("against {name}"))).collect();
            format!("{:>12} {:>8}   {}", "games", "seconds", against.join(" "))
        }
    }
}

fn line(game: &Game, at: &Checkpoint, games: u64) -> Result<String, Fault> {
    let player = Arc::new(at.player.clone());
    let about = player.about();
    let limit = Duration::from_secs_f64((about.seconds / 4.0).max(0.5));
    let mut told = vec![];
    match game.players() {
        1 => told.push(with(&meeting(game, &player, "random", 5 * games, limit)?)),
        _ => {
            for name in OPPONENTS {
                told.push(with(&meeting(game, &player, name, games, limit)?));
            }
        }
    }
    let kept = if at.best { "" } else { "  (not kept)" };
    Ok(format!("{:>12} {:>8}   {}{kept}", grouped(about.games), decimal(about.seconds, 1), told.join(" ")))
}

fn with(meeting: &Meeting) -> String {
    format!("{:<20}", with_half_width(meeting.mean, meeting.half))
}

fn meeting(
    game: &Game,
    player: &Arc<Learned>,
    against: &str,
    games: u64,
    limit: Duration,
) -> Result<Meeting, Fault> {
    let kinds = vec![AgentKind::parse(against)?; game.players() as usize];
    let mut others = AgentKind::seat_all(&kinds, game)?;
    let begun = Instant::now();
    let mut agent = player.agent(game, "learned");
    let enough = &mut || begun.elapsed() > limit;
    meet(game, &mut agent, &mut *others[0], 1, games, enough)
        .map_err(|error| Fault::Rules(error.kind.to_string()))
}

/// How strong it is, and whether more training would help.
fn verdict(game: &Game, player: &Arc<Learned>, gain: Option<(f64, f64)>) -> Result<String, Fault> {
    let mut text = String::new();
    let limit = Duration::from_secs_f64((player.about().seconds).max(2.0));
    for name in OPPONENTS {
        let (own, other) = match game.players() {
            1 => (meeting(game, player, "random", AT_THE_END, limit)?, alone(game, name, limit)?),
            _ => {
                let own = meeting(game, player, name, AT_THE_END, limit)?;
                let even = 1.0 / f64::from(game.players());
                (own.clone(), Meeting { mean: even, half: Some(0.0), ..own })
            }
        };
        let better = own.mean - own.half.unwrap_or(0.0) > other.mean + other.half.unwrap_or(0.0);
        text.push_str(&format!(
            "{} {name}: {} against {} ({} games, {} ms and {} ms a decision)\n",
            if better { "Better than" } else { "Not surely better than" },
            with_half_width(own.mean, own.half),
            with_half_width(other.mean, other.half),
            grouped(own.games),
            decimal(own.seconds.0 * 1e3, 3),
            decimal(if game.players() == 1 { other.seconds.0 } else { own.seconds.1 } * 1e3, 3),
        ));
    }
    if let Some((gain, error)) = gain {
        let rising = gain > 2.0 * error;
        let what = if rising { "Still rising" } else { "Flat" };
        text.push_str(&format!(
            "{what}: {} since the checkpoint before\n",
            with_half_width(gain, Some(1.96 * error))
        ));
    }
    text.push_str(&format!(
        "aim: {} · {} weights · {} symmetries",
        player.aim().name(),
        grouped(player.weights()),
        player.symmetries()
    ));
    Ok(text)
}

/// How a lone player of a name does.
fn alone(game: &Game, name: &str, limit: Duration) -> Result<Meeting, Fault> {
    let kind = AgentKind::parse(name)?;
    let mut agents = AgentKind::seat_all(std::slice::from_ref(&kind), game)?;
    let mut nobody = AgentKind::seat_all(&[AgentKind::Random], game)?;
    let begun = Instant::now();
    let enough = &mut || begun.elapsed() > limit;
    meet(game, &mut *agents[0], &mut *nobody[0], 1, AT_THE_END, enough)
        .map_err(|error| Fault::Rules(error.kind.to_string()))
}
