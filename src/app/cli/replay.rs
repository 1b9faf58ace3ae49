//! `houserule replay`: replays recorded games and reports where they differ from their records.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value as Json, json};

use crate::terminal::{CliError, Progress, Terminal};
use houserule_base::files::{self, RecordLines};
use houserule_game::State;
use houserule_game::notation::journal::Journal;
use houserule_game::notation::record::{Record, replay, replay_shown};
use houserule_loader::recorded::{GameCache, journal_records};
use houserule_page::report::columns::grouped;
use houserule_picture::draw;
use houserule_playtest::VERSION;

/// Maximum number of failures that are reported individually.
const MOST_TOLD: usize = 20;

#[derive(Debug, Args)]
pub(super) struct ReplayArgs {
    /// File of records (`simulate --record`) or journal of a game (`play`); `-` is standard input
    #[arg(value_name = "FILE.jsonl")]
    file: PathBuf,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    /// Print a line of JSON for each game: its events, with the legal actions of each decision and the number of
    /// outcomes of each chance event
    #[arg(long, conflicts_with = "json")]
    legal: bool,
}

pub(super) fn run(args: &ReplayArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let shown = args.file.display().to_string();
    let mut lines = match args.file == Path::new("-") {
        true => RecordLines::new(Box::new(std::io::stdin()) as Box<dyn Read>, Path::new("standard input")),
        false => RecordLines::new(Box::new(files::open(&args.file)?) as Box<dyn Read>, &args.file),
    };
    let mut games = GameCache::default();
    let (mut good, mut bad, mut old) = (0u64, 0usize, 0u64);
    let mut told = Vec::new();
    let mut only = None;
    let bar = Progress::new(terminal, "games");
    let mut all_games = match bar.is_shown() {
        true => games_in(&args.file),
        false => 0,
    };
    let mut waiting: VecDeque<(usize, Result<String, &'static str>)> = VecDeque::new();
    if let Some(first) = lines.next() {
        let (number, first) = first?;
        match first {
            Ok(first) if Journal::is_one(&first) => {
                let text = format!("{first}{}", lines.rest()?);
                let games = journal_records(&text)
                    .map_err(|message| CliError::Rules(format!("{shown}: {message}")))?;
                all_games = games.len() as u64;
                waiting.extend((1..).zip(games.into_iter().map(Ok)));
            }
            first => waiting.push_back((number, first)),
        }
    }
    loop {
        let line = match waiting.pop_front() {
            Some(line) => Some(line),
            None => lines.next().transpose()?,
        };
        let Some((number, line)) = line else { break };
        if line.as_ref().is_ok_and(|line| line.trim().is_empty()) {
            continue;
        }
        let mut steps = Vec::new();
        let record = line.map_err(str::to_owned).and_then(|line| Record::read(&line));
        old += u64::from(record.as_ref().is_ok_and(|record| record.outcome.is_none()));
        let result = record.and_then(|record| one(record, &mut games, args.legal.then_some(&mut steps)));
        match &result {
            Ok(done) => {
                good += 1;
                only = (good + bad as u64 == 1).then(|| done.drawing.clone());
            }
            Err(message) => {
                bad += 1;
                only = None;
                if !args.json && bad <= MOST_TOLD {
                    bar.without(|| terminal.fault(&format!("{shown}, line {number}: {message}")))?;
                }
            }
        }
        if let (Ok(done), true) = (&result, args.legal) {
            let game = json!({"line": number, "game": done.game, "events": steps, "score": done.score, "returns": done.returns});
            bar.without(|| writeln!(terminal.out, "{game}"))?;
        }
        bar.show(good + bad as u64, all_games);
        if args.json {
            told.push(match result {
                Ok(done) => json!({"line": number, "same": true, "game": done.game, "events": done.events, "score": done.score}),
                Err(message) => json!({"line": number, "same": false, "error": message}),
            });
        }
    }
    bar.wipe();
    if args.json {
        terminal.json(&json!({"version": VERSION, "games": told}))?;
    } else if bad == 0 && args.legal {
        // The games have already been written.
    } else {
        if let Some(drawing) = only {
            writeln!(terminal.out, "{drawing}")?;
        }
        write_verdict(good, bad, old, terminal)?;
    }
    if bad > 0 { Err(CliError::AlreadyReported) } else { Ok(()) }
}

/// Says how many games play again as recorded. `old` is the number of records that don't say how the game ended.
fn write_verdict(good: u64, bad: usize, old: u64, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let all = grouped(good + bad as u64);
    if bad > 0 {
        if bad > MOST_TOLD {
            terminal.fault(&format!("and {} more", bad - MOST_TOLD))?;
        }
        let verdict = match good + bad as u64 {
            1 => "the game differs from its record".to_owned(),
            _ if bad == 1 => format!("1 of {all} games differs from its record"),
            _ => format!("{} of {all} games differ from their records", grouped(bad as u64)),
        };
        return Ok(writeln!(terminal.out, "{}", terminal.paint.error(&verdict))?);
    }
    let games = if good == 1 { "1 game plays".to_owned() } else { format!("{all} games play") };
    writeln!(terminal.out, "{}", terminal.paint.good(&format!("{games} again exactly as recorded")))?;
    if old > 0 {
        let records =
            if old == 1 { "1 record does".to_owned() } else { format!("{} records do", grouped(old)) };
        let quiet =
            format!("{records} not say how the game ended (format version 1), so the end was not compared.");
        writeln!(terminal.out, "{}", terminal.paint.quiet(&quiet))?;
    }
    Ok(())
}

/// Counts the lines of a file for the progress bar. Returns 0 (unknown) for standard input and for unreadable
/// files; reading them later reports the error.
fn games_in(path: &Path) -> u64 {
    if path == Path::new("-") {
        return 0;
    }
    let Ok(file) = files::open(path) else { return 0 };
    BufReader::new(file).split(b'\n').map_while(Result::ok).filter(|line| !line.is_empty()).count() as u64
}

/// A replayed game.
struct ReplayResult {
    game: String,
    events: usize,
    score: Vec<i64>,
    returns: Vec<f64>,
    drawing: String,
}

/// Replays a record. `steps` collects what was possible at each event.
fn one(record: Record, games: &mut GameCache, steps: Option<&mut Vec<Json>>) -> Result<ReplayResult, String> {
    let game = games.game(&record)?;
    let state = match steps {
        Some(steps) => replay_shown(game, &record, &mut |state, event| steps.push(step(state, event))),
        None => replay(game, &record),
    };
    let state = state.map_err(|error| error.to_string())?;
    Ok(ReplayResult {
        game: record.game,
        events: record.events.len(),
        score: record.score,
        returns: record.returns,
        drawing: draw::text::screen(&state, &draw::text::TextOptions::open()),
    })
}

/// Describes what was possible at an event: the legal actions of a decision, or the number of outcomes of a
/// chance event.
fn step(state: &State, event: &str) -> Json {
    match state.current_player() {
        Some(player) => {
            let game = state.game();
            let legal: Vec<String> = state.legal_actions().into_iter().map(|a| game.action_name(a)).collect();
            json!({"event": event, "player": player.0, "legal": legal})
        }
        None => json!({"event": event, "outcomes": state.distinct_count()}),
    }
}
