//! `houserule draw`: draws a game as a picture, at any of its events.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::sheet::position;
use super::{GameFlags, agents_help, one_name};
use crate::terminal::{CliError, Progress, Terminal};
use houserule_base::files::{self, RecordLines};
use houserule_base::names::plain;
use houserule_base::numbers::counted;
use houserule_base::rng::Stream;
use houserule_game::notation::journal::Journal;
use houserule_game::notation::record::{Record, replay_shown};
use houserule_game::{ApplyError, Game, Seat, Start, State};
use houserule_loader::recorded::{journal_records, load_with};
use houserule_picture::draw::svg::{PictureStyle, Theme, svg};
use houserule_picture::draw::text::{self, TextOptions};
use houserule_picture::render::pdf::pdf;
use houserule_picture::render::raster;
use houserule_players::agent::{Agent, agent_stream, apply_choice};
use houserule_players::agents::AgentKind;

#[derive(Debug, Args)]
pub(super) struct DrawArgs {
    /// The game: a bundled one or a rule file, with variants after `+`; left out with `--record`
    #[arg(required_unless_present = "record", conflicts_with = "record", value_name = "GAME")]
    game: Vec<String>,
    #[command(flatten)]
    flags: GameFlags,
    /// Random seed of the dice and of the agents' choices
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Index of the game, among the games of the seed
    #[arg(long, default_value_t = 0, value_name = "N")]
    index: u64,
    #[arg(long, default_value = "random", value_delimiter = ',', value_name = "A,B", help = agents_help())]
    agents: Vec<String>,
    /// Draw the game after N decisions, when the next one is due [default: at its end]
    #[arg(long, value_name = "N", conflicts_with = "events")]
    decisions: Option<u64>,
    /// Draw the game after N events, that is decisions and chance events
    #[arg(long, value_name = "N")]
    events: Option<usize>,
    /// Draw a game from a file of records (`simulate --record`) or from a journal (`play`)
    #[arg(long, value_name = "FILE.jsonl", conflicts_with_all = ["set", "players", "position", "seed", "index", "agents"])]
    record: Option<PathBuf>,
    /// Which game of the file to draw, counted from 1
    #[arg(long = "game", default_value_t = 1, value_name = "N", requires = "record")]
    which: usize,
    /// Draw the position in a text file, which has the drawn board and lines such as `penalties = 2`; `-` is standard
    /// input
    #[arg(long, value_name = "SHEET.txt")]
    position: Option<PathBuf>,
    /// Format of the picture [default: given by the suffix of the output file; svg on standard output]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Colour theme; `auto` follows the viewer's system setting, and means `light` in PNG and PDF
    #[arg(long, value_enum, default_value_t = ThemeName::Auto)]
    theme: ThemeName,
    /// Width of the picture in pixels [default: that of the drawing; for PNG twice that, to be sharp on most screens]
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(1..=20_000))]
    width: Option<u32>,
    /// Mark what legal actions name, unless all of a kind may be chosen
    #[arg(long)]
    legal: bool,
    /// Show what SEAT sees: its number, counted from 1, or its name [default: what lies open on the table]
    #[arg(long, value_name = "SEAT")]
    viewer: Option<String>,
    /// Show everything, what lies face down too
    #[arg(long, conflicts_with = "viewer")]
    open: bool,
    /// Write to FILE instead of standard output; its suffix sets the format: `.svg`, `.png`, `.pdf` or `.txt`
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite an existing file; rules, scripts and journals of games in progress are never overwritten
    #[arg(long, requires = "output")]
    force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Svg,
    Png,
    Pdf,
    Text,
}

impl Format {
    /// The suffixes of files and their formats.
    const SUFFIXES: [(&'static str, Format); 4] =
        [("svg", Format::Svg), ("png", Format::Png), ("pdf", Format::Pdf), ("txt", Format::Text)];

    /// Returns the format given by name, by the suffix of the file, or by both.
    fn chosen(named: Option<Format>, file: Option<&Path>) -> Result<Format, CliError> {
        let Some(file) = file else { return Ok(named.unwrap_or(Format::Svg)) };
        let suffix = file.extension().map(|suffix| suffix.to_string_lossy().to_lowercase());
        let known = |(known, _): &&(&str, Format)| suffix.as_deref() == Some(*known);
        let by_suffix = Format::SUFFIXES.iter().find(known).map(|(_, format)| *format);
        let shown = file.display();
        match (named, by_suffix) {
            (Some(named), Some(other)) if named != other => Err(CliError::Command(format!(
                "the suffix of `{shown}` and `--format` name different formats: leave out `--format`, or change the suffix"
            ))),
            (_, Some(format)) => Ok(format),
            (Some(named), None) if suffix.is_none() => Ok(named),
            (_, None) => {
                let all: Vec<String> =
                    Format::SUFFIXES.iter().map(|(suffix, _)| format!("`.{suffix}`")).collect();
                let all = all.join(", ");
                Err(CliError::Command(match suffix {
                    Some(suffix) => {
                        format!("`{shown}`: no format has the suffix `.{suffix}`; the suffixes are {all}")
                    }
                    None => format!(
                        "`{shown}` has no suffix, which would set the format: add one of {all}, or use `--format`"
                    ),
                }))
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ThemeName {
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

/// When to stop a game and draw it.
#[derive(Clone, Copy, Debug)]
struct Until {
    decisions: Option<u64>,
    events: Option<usize>,
}

/// Returns the seat that has a number, counted from 1, or a name.
fn find_seat(game: &Game, text: &str) -> Result<Seat, CliError> {
    let names = &game.model().players.names;
    let is_named = |name: &&String| name.eq_ignore_ascii_case(text) || plain(name).eq_ignore_ascii_case(text);
    let by_number = text.parse::<u32>().ok().filter(|seat| (1..=game.players()).contains(seat));
    let by_name = (0..).zip(names).find(|(_, name)| is_named(name)).map(|(seat, _)| Seat(seat));
    by_name.or(by_number.map(|seat| Seat(seat - 1))).ok_or_else(|| {
        let seats = match names.as_slice() {
            [_] => "only seat 1".to_owned(),
            names => format!("seats 1 to {}: {}", names.len(), names.join(", ")),
        };
        CliError::Command(format!("`--viewer {text}`: there is no such seat; the game has {seats}"))
    })
}

pub(super) fn run(args: &DrawArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let format = Format::chosen(args.format, args.output.as_deref())?;
    let binary = matches!(format, Format::Png | Format::Pdf);
    if binary && args.output.is_none() && std::io::stdout().is_terminal() {
        let message = "a PNG or a PDF can't be shown on a terminal: write it to a file with `-o FILE`";
        return Err(CliError::Command(message.to_owned()));
    }
    let until = Until { decisions: args.decisions, events: args.events };
    let state = match &args.record {
        Some(path) => recorded(path, args.which, until)?,
        None => {
            let name = one_name(&args.game)?;
            let loaded = terminal.load(&name, &args.flags.settings()?, args.flags.players)?;
            match &args.position {
                Some(path) => position(&loaded.game, path)?,
                None => match drawn(&loaded.game, args, until, terminal)? {
                    Ok(state) => state,
                    Err(ApplyError::Runtime(error)) => {
                        terminal.diagnostics(
                            &[error.diagnostic_in(&loaded.game, None)],
                            &error.sources(&loaded.sources),
                        )?;
                        return Err(CliError::AlreadyReported);
                    }
                    Err(error) => return Err(CliError::Rules(error.to_string())),
                },
            }
        }
    };
    if args.position.is_none() && until.is_missed(&state) && !terminal.quiet {
        terminal.note(&until.describe_end(&state))?;
    }
    let viewer = args.viewer.as_deref().map(|seat| find_seat(state.game(), seat)).transpose()?;
    let theme = match Theme::from(args.theme) {
        // PNG and PDF can't follow the viewer's theme.
        Theme::Auto if binary => Theme::Light,
        theme => theme,
    };
    let style = PictureStyle {
        theme,
        width: args.width,
        legal: args.legal,
        viewer,
        open: args.open,
        ..PictureStyle::default()
    };
    let picture: Vec<u8> = match format {
        Format::Text => {
            let view = TextOptions { open: args.open, ..TextOptions::plain(viewer) };
            text::picture(&state, &view).into_bytes()
        }
        Format::Svg => svg(&state, &style).into_bytes(),
        Format::Png => {
            if let Some(wide) = args.width.filter(|width| *width > raster::LARGEST) {
                let most = raster::LARGEST;
                return Err(CliError::Command(format!(
                    "a PNG can be at most {most} pixels wide, found {wide}"
                )));
            }
            raster::png(&svg(&state, &PictureStyle { width: None, ..style }), args.width)
                .map_err(CliError::Rules)?
        }
        Format::Pdf => pdf(&state.game().model().title, svg(&state, &style)).map_err(CliError::Rules)?,
    };
    match &args.output {
        None => terminal.out.write_all(&picture)?,
        Some(path) => files::write(path, &picture, args.force)?,
    }
    Ok(())
}

/// Plays the game to be drawn, with a progress bar.
fn drawn(
    game: &Game,
    args: &DrawArgs,
    until: Until,
    terminal: &Terminal<'_>,
) -> Result<Result<State, ApplyError>, CliError> {
    let bar = Progress::new(terminal, "decisions");
    let all = args.decisions.unwrap_or(0);
    // The first decision may take an agent long.
    bar.show(0, all);
    let state =
        agents(game, args).map(|agents| played(game, agents, args, until, &|done| bar.show(done, all)));
    bar.wipe();
    state
}

/// Plays a game until it is to be drawn. Calls `progress` with the number of decisions so far.
fn played(
    game: &Game,
    mut agents: Vec<Box<dyn Agent>>,
    args: &DrawArgs,
    until: Until,
    progress: &dyn Fn(u64),
) -> Result<State, ApplyError> {
    let mut streams: Vec<_> =
        (0..game.players()).map(|seat| agent_stream(args.seed, args.index, Seat(seat))).collect();
    // Chance uses the same stream as in any game, but one event at a time, so that the game can stop before any
    // of them.
    let start = Start { seed: args.seed, index: args.index, explicit_chance: true, ..Start::default() };
    let mut chance = Stream::new(args.seed, args.index, 0);
    let mut state = game.start_at(&start)?;
    while !state.is_over() && !until.is(&state) {
        let Some(player) = state.current_player() else {
            let outcome = state.draw_outcome(&mut chance);
            state.apply_outcome(outcome)?;
            continue;
        };
        let seat = player.0 as usize;
        let chosen = agents[seat].choose(&mut state.seen_by(player), &mut streams[seat])?;
        apply_choice(&mut state, &*agents[seat], chosen)?;
        progress(state.decisions());
    }
    Ok(state)
}

/// Creates the agents of all seats.
fn agents(game: &Game, args: &DrawArgs) -> Result<Vec<Box<dyn Agent>>, CliError> {
    let seats = game.players() as usize;
    let kinds = args.agents.iter().map(|name| AgentKind::parse(name));
    let mut kinds: Vec<AgentKind> = kinds.collect::<Result<_, _>>()?;
    if let [one] = &kinds[..] {
        kinds = vec![one.clone(); seats];
    }
    if kinds.len() != seats {
        return Err(CliError::Command(format!(
            "`--agents` names {} agents, but the number of seats is {seats}: name one for all seats, or one for each",
            kinds.len()
        )));
    }
    Ok(AgentKind::seat_all(&kinds, game)?)
}

impl Until {
    /// Returns `true` if the game is to be drawn in this state.
    fn is(self, state: &State) -> bool {
        let enough = |most: u64| state.decisions() >= most && !state.is_chance();
        self.decisions.is_some_and(enough) || self.events.is_some_and(|most| state.history().len() >= most)
    }

    /// Returns `true` if the game should have gone on for longer than until this state.
    fn is_missed(self, state: &State) -> bool {
        (self.decisions.is_some() || self.events.is_some()) && !self.is(state)
    }

    /// Says after how much there was no more.
    fn describe_end(self, state: &State) -> String {
        let after = match self.events {
            Some(_) => counted(state.history().len() as u64, "event"),
            None => counted(state.decisions(), "decision"),
        };
        match state.is_over() {
            true => format!("The game was over after {after}: its end is drawn."),
            false => format!("The record ends after {after}: what it ends with is drawn."),
        }
    }
}

/// Replays a game from a file of records or from a journal until it is to be drawn.
fn recorded(path: &Path, which: usize, until: Until) -> Result<State, CliError> {
    let at_fault = |message: String| CliError::Rules(format!("{}: {message}", path.display()));
    let few = |games: usize| {
        let games = if games == 1 { "1 game".to_owned() } else { format!("{games} games") };
        CliError::Command(format!("`--game {which}`: `{}` has {games}, counted from 1", path.display()))
    };
    let mut lines = RecordLines::new(files::open(path)?, path).peekable();
    let journal = matches!(lines.peek(), Some(Ok((_, Ok(first)))) if Journal::is_one(first));
    let (number, line) = match journal {
        true => {
            let mut games =
                journal_records(&RecordLines::new(files::open(path)?, path).rest()?).map_err(at_fault)?;
            if which == 0 || which > games.len() {
                return Err(few(games.len()));
            }
            (1, Ok(games.swap_remove(which - 1)))
        }
        // The lines of other games need not be valid.
        false => {
            let mut games = 0;
            let mut found = None;
            for line in lines {
                let (number, line) = line?;
                if line.as_ref().is_ok_and(|line| line.trim().is_empty()) {
                    continue;
                }
                games += 1;
                if games == which {
                    found = Some((number, line));
                    break;
                }
            }
            found.ok_or_else(|| few(games))?
        }
    };
    let at_fault = |message: String| CliError::Rules(format!("{}, line {number}: {message}", path.display()));
    let record = line.map_err(str::to_owned).and_then(|line| Record::read(&line)).map_err(at_fault)?;
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
