//! `houserule draw`: a game as a picture, at any of its events.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::sheet::{position, read};
use super::{Fault, GameFlags, Terminal, one_name};
use crate::agents::{AgentKind, agent_stream};
use crate::draw::svg::{Style, Theme, svg};
use crate::draw::text;
use crate::engine::journal::Journal;
use crate::engine::record::replay_shown;
use crate::engine::{ApplyError, Game, Player, Start, State};
use crate::recorded::{journal_records, load_with, parse};
use crate::rng::Stream;

#[derive(Debug, Args)]
pub(super) struct DrawArgs {
    /// The game, with variants on top of it; a record says itself which it is
    #[arg(required_unless_present = "record", conflicts_with = "record", value_name = "GAME")]
    game: Vec<String>,
    #[command(flatten)]
    flags: GameFlags,
    /// The seed of the dice and of the players
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,
    /// Which game of that seed
    #[arg(long, default_value_t = 0, value_name = "N")]
    index: u64,
    /// Who plays: `random`, `greedy`, `exact`, `flat:N`, `mcts:N`, `ismcts:N` or `FILE.rhai`, one for all seats or one for each
    #[arg(long, default_value = "random", value_delimiter = ',', value_name = "A,B")]
    agents: Vec<String>,
    /// Stop when so many decisions have been made and the next is due; without it, at the end
    #[arg(long, value_name = "N", conflicts_with = "events")]
    decisions: Option<u64>,
    /// Stop after so many events, decisions and chance alike
    #[arg(long, value_name = "N")]
    events: Option<usize>,
    /// Draw a recorded game, or one from the journal of a game that was played
    #[arg(long, value_name = "FILE.jsonl", conflicts_with_all = ["set", "players", "position", "seed", "index", "agents"])]
    record: Option<PathBuf>,
    /// Which game of that file, from 1
    #[arg(long = "game", default_value_t = 1, value_name = "N", requires = "record")]
    which: usize,
    /// Draw a position: a file with the drawn board and lines such as `penalties = 2`; `-` is standard input
    #[arg(long, value_name = "SHEET.txt")]
    position: Option<PathBuf>,
    /// How to draw it
    #[arg(long, value_enum, default_value_t = Format::Svg)]
    format: Format,
    /// In whose light: `auto` is as the screen of whoever looks at it is set
    #[arg(long, value_enum, default_value_t = ThemeName::Auto)]
    theme: ThemeName,
    /// How wide the picture is shown, in pixels
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(1..=20_000))]
    width: Option<u32>,
    /// Mark what may be done
    #[arg(long)]
    legal: bool,
    /// Show what this seat sees, from 1; without it, all
    #[arg(long, value_name = "SEAT")]
    viewer: Option<u32>,
    /// Write a file, and not to the screen
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Svg,
    Text,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ThemeName {
    Light,
    Dark,
    Auto,
}

impl From<ThemeName> for Theme {
    fn from(name: ThemeName) -> Theme {
        match name {
            ThemeName::Light => Theme::Light,
            ThemeName::Dark => Theme::Dark,
            ThemeName::Auto => Theme::Auto,
        }
    }
}

/// When a game is drawn.
#[derive(Clone, Copy, Debug)]
struct Until {
    decisions: Option<u64>,
    events: Option<usize>,
}

pub(super) fn run(args: &DrawArgs, terminal: &mut Terminal<'_>) -> Result<(), Fault> {
    let until = Until { decisions: args.decisions, events: args.events };
    let state = match &args.record {
        Some(path) => recorded(path, args.which, until)?,
        None => {
            let name = one_name(&args.game)?;
            let game = terminal.load(&name, &args.flags.settings()?, args.flags.players)?.game;
            match &args.position {
                Some(path) => position(&game, path)?,
                None => played(&game, args, until)?,
            }
        }
    };
    let players = state.game().players();
    let viewer = match args.viewer {
        Some(seat) if !(1..=players).contains(&seat) => {
            let most = if players == 1 { "only seat 1".to_owned() } else { format!("seats 1 to {players}") };
            return Err(Fault::Command(format!(
                "`--viewer {seat}`: there is no such seat; the game has {most}"
            )));
        }
        seat => seat.map(|seat| Player(seat - 1)),
    };
    let picture = match args.format {
        Format::Text => text::state(&state, viewer),
        Format::Svg => {
            let style = Style { theme: args.theme.into(), width: args.width, legal: args.legal, viewer };
            svg(&state, &style)
        }
    };
    match &args.output {
        None => write!(terminal.out, "{picture}")?,
        Some(path) => std::fs::write(path, picture)
            .map_err(|error| Fault::Command(format!("`{}` can't be written: {error}", path.display())))?,
    }
    Ok(())
}

/// Plays a game as far as asked for.
fn played(game: &Game, args: &DrawArgs, until: Until) -> Result<State, Fault> {
    let seats = game.players() as usize;
    let kinds = args.agents.iter().map(|name| AgentKind::parse(name));
    let mut kinds: Vec<AgentKind> = kinds.collect::<Result<_, _>>()?;
    if let [one] = &kinds[..] {
        kinds = vec![one.clone(); seats];
    }
    if kinds.len() != seats {
        return Err(Fault::Command(format!(
            "`--agents` names {} players, and {seats} play: name one for all, or one for each seat",
            kinds.len()
        )));
    }
    let mut agents = AgentKind::seat_all(&kinds, game)?;
    let mut streams: Vec<_> =
        (0..game.players()).map(|seat| agent_stream(args.seed, args.index, seat)).collect();
    let failed = |error: ApplyError| Fault::Rules(error.to_string());
    // Chance is drawn from its stream as in any game, but one event at a time, to stop before any of them.
    let start = Start { seed: args.seed, index: args.index, explicit_chance: true, ..Start::default() };
    let mut chance = Stream::new(args.seed, args.index, 0);
    let mut state = game.start_at(&start).map_err(|error| failed(error.into()))?;
    while !state.is_over() && !until.is(&state) {
        let Some(player) = state.current_player() else {
            let outcome = chance.below(state.chance_outcomes());
            state.apply_outcome(outcome).map_err(failed)?;
            continue;
        };
        let seat = player.0 as usize;
        let action = agents[seat].choose(&mut state.seen_by(player), &mut streams[seat]);
        let Some(action) = action.map_err(|error| failed(error.into()))? else { break };
        state.apply(action).map_err(failed)?;
    }
    Ok(state)
}

impl Until {
    /// Is this where the game is drawn?
    fn is(self, state: &State) -> bool {
        let enough = |most: u64| state.decisions() >= most && !state.is_chance();
        self.decisions.is_some_and(enough) || self.events.is_some_and(|most| state.history().len() >= most)
    }
}

/// A game of a file of records, or of a journal, as far as asked for.
fn recorded(path: &Path, which: usize, until: Until) -> Result<State, Fault> {
    let text = read(path)?;
    let at_fault = |message: String| Fault::Rules(format!("{}: {message}", path.display()));
    let lines: Vec<String> = match Journal::is_one(text.lines().next().unwrap_or_default()) {
        true => journal_records(&text).map_err(at_fault)?,
        false => text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect(),
    };
    let Some(line) = which.checked_sub(1).and_then(|at| lines.get(at)) else {
        let games = if lines.len() == 1 { "1 game".to_owned() } else { format!("{} games", lines.len()) };
        return Err(Fault::Command(format!(
            "`--game {which}`: `{}` has {games}, counted from 1",
            path.display()
        )));
    };
    let record = parse(line).map_err(at_fault)?;
    let game = load_with(&record.game, &record.params, record.players).map_err(at_fault)?.game;
    let mut found = None;
    let mut look = |state: &State, _: &str| {
        if found.is_none() && until.is(state) {
            found = Some(state.clone());
        }
    };
    let end = replay_shown(&game, &record, &mut look).map_err(|error| at_fault(error.to_string()))?;
    Ok(found.unwrap_or(end))
}
