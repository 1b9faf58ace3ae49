//! `houserule ladder`: rates agents by playing them against each other.

use clap::Args;

use super::budget::at_least_one;
use super::run_flags::{SeriesFlags, agents};
use super::{GameFlags, one_name};
use crate::terminal::{CliError, Progress, Terminal, on_ctrl_c};
use houserule_base::numbers::{decimal, parse_count};
use houserule_lab::ladder::{Ladder, LadderPlan, Rung, check_sides, ladder};
use houserule_page::report::columns::{TextTable, counted, wrap};
use houserule_picture::paint::Paint;
use houserule_players::agents::AgentKind;
use houserule_playtest::{RunMonitor, SimulateError};

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    houserule ladder connect-four\n  \
    houserule ladder dilido --agents greedy,learned,flat:200 --match\n  \
    houserule ladder dominoes --agents ismcts:200,mine.rhai,strong.player -n 1000")]
pub(super) struct LadderArgs {
    /// A game for one player or for two sides, players or teams: a bundled one or a rule file, with variants after `+`
    #[arg(required = true, value_name = "GAME")]
    game: Vec<String>,
    #[command(flatten)]
    flags: GameFlags,
    /// Agents to rate, at least two, named as for `simulate` [default: random, greedy, a search, learned, a search
    /// guided by learned, and exact if the game is small]
    #[arg(long, value_name = "A,B")]
    agents: Option<String>,
    /// Number of games (with `--match`, of matches) of each pair of agents, half of them with the sides exchanged; in
    /// a one-player game, of each agent
    #[arg(long, short = 'n', value_name = "N", default_value_t = 200, value_parser = parse_count, allow_negative_numbers = true)]
    games: u64,
    #[command(flatten)]
    series: SeriesFlags,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &LadderArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let name = one_name(&args.game)?;
    let games = at_least_one(args.games)?;
    let named = args.agents.as_deref().map(agents).transpose()?;
    if named.as_ref().is_some_and(|agents| agents.len() < 2) {
        return Err(CliError::Command(
            "a ladder needs two agents or more: `--agents greedy,mcts:100`".to_owned(),
        ));
    }
    let loaded = terminal.load(&name, &args.flags.settings()?, args.flags.players)?;
    let game = &loaded.game;
    check_sides(game).map_err(|error| CliError::Command(error.to_string()))?;
    let agents = named.unwrap_or_else(|| AgentKind::usual(game));
    if agents.iter().any(AgentKind::trains) {
        terminal.note("`learned` is trained first, unless it was trained before.")?;
    }
    let plan = LadderPlan {
        agents,
        games,
        first: args.series.first,
        seed: args.series.run.seed,
        threads: args.series.run.threads()?,
        match_play: args.series.matches,
    };
    let players = plan.agents.len() as u64;
    let of = match game.players() {
        1 => players * plan.games,
        _ => players * (players - 1) * plan.games.div_ceil(2),
    };
    let bar = Progress::new(terminal, args.series.unit());
    let stop = on_ctrl_c(terminal);
    let found = ladder(game, &plan, &RunMonitor { progress: &|done| bar.show(done, of), stop: &stop });
    bar.wipe();
    let found = match found {
        // Stopped before the first game, while a player was trained.
        Err(SimulateError::Stopped) => return Err(CliError::Interrupted),
        found => found?,
    };
    if args.json {
        terminal.json(&found)?;
    } else {
        write!(terminal.out, "{}", text(&found, terminal.paint))?;
    }
    if found.interrupted { Err(CliError::Interrupted) } else { Ok(()) }
}

fn text(found: &Ladder, paint: Paint) -> String {
    let Ladder { title, game, seed, first, .. } = found;
    let (played, unit) = match found.match_play {
        true => ("matches", "match"),
        false => ("games", "game"),
    };
    let mut text = format!("{}\n", paint.head(&format!("{title} ({game})")));
    let each = if found.players == 1 { "each player" } else { "each pair" };
    let wanted = format!("{} of {each}", counted(found.requested, unit));
    let finished = counted(count_finished(found), unit);
    let games = if found.interrupted { format!("{finished} in all") } else { wanted.clone() };
    let facts = format!("{games} · seed {seed} · first {unit} {first}");
    text.push_str(&format!("{}\n", paint.quiet(&facts)));
    if found.interrupted {
        let line = format!("Interrupted after {finished}, instead of {wanted}: all figures are partial");
        text.push_str(&format!("\n{}\n", paint.error(&wrap(&line, paint.columns()).join("\n"))));
    }
    if found.aborted > 0 {
        let line = format!("{} aborted by errors, not counted in any figure", counted(found.aborted, unit));
        text.push_str(&format!("\n{}\n", paint.error(&line)));
    }
    let mut table = TextTable::default().head(&["", "Elo", "±", "points", "drawn", "ms a decision"]);
    for Rung { agent, elo, half, points, draws, seconds, .. } in &found.agents {
        let percent = |share: f64| format!("{} %", decimal(100.0 * share, 1));
        table.row([
            agent.clone(),
            decimal(*elo, 0),
            decimal(*half, 0),
            percent(*points),
            percent(*draws),
            decimal(seconds * 1e3, 3),
        ]);
    }
    text.push_str(&format!("\n{}", table.text(paint)));
    let mut notes = vec![
        "± is half a 95 % confidence interval of the difference from the mean rating, which is 0. A difference of 400 \
         means odds of 10 to 1."
            .to_owned(),
    ];
    match found.first_seat.zip(found.first_seat_half) {
        Some((seat, half)) => {
            let first = if found.players > 2 { "side of the first seat" } else { "first seat" };
            let worth = format!("{} ± {} Elo", decimal(seat, 0), decimal(half, 0));
            notes.push(match seat.abs() > half {
                true => format!("The {first} is worth {worth}."),
                false => format!("What the {first} is worth is not known: {worth}."),
            });
            if found.players > 2 {
                notes.push("Each agent plays a whole side.".to_owned());
            }
        }
        None => notes.push(format!("All agents play the same {played} alone, and the better score wins.")),
    }
    text.push('\n');
    for line in wrap(&notes.join(" "), paint.columns()) {
        text.push_str(&format!("{}\n", paint.quiet(&line)));
    }
    text
}

/// Returns the number of games, or matches, that were played to their end or aborted.
fn count_finished(found: &Ladder) -> u64 {
    let games: u64 = found.agents.iter().map(|rung| rung.games).sum();
    // A game of two sides counts for the agents of both.
    let games = if found.players == 1 { games } else { games / 2 };
    games + found.aborted
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_base::interrupt::Interrupt;
    use houserule_loader::{Request, load};

    /// Stops ladders after some games.
    #[test]
    fn a_stopped_ladder_says_how_many_games_were_played() {
        for (name, each) in [("pig", "each pair"), ("dilido", "each player")] {
            let game = load(&Request { name, ..Request::default() }).unwrap().game;
            let agents = vec![AgentKind::Random, AgentKind::Greedy];
            let (first, seed, threads, match_play) = (0, 1, 1, false);
            let plan = LadderPlan { agents, games: 4_000, first, seed, threads, match_play };
            let stop = Interrupt::new();
            let progress = |done: u64| {
                if done == 7 {
                    stop.set();
                }
            };
            let found = ladder(&game, &plan, &RunMonitor { progress: &progress, stop: &stop }).unwrap();
            let shown = text(&found, Paint::new(false));
            assert!(shown.contains("\n7 games in all · seed 1"), "{shown}");
            let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
            let line =
                format!("Interrupted after 7 games, instead of 4,000 games of {each}: all figures are");
            assert!(words.contains(&line), "{shown}");
        }
    }
}
