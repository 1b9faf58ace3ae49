//! `houserule replay`: plays recorded games again and says where they differ from their records.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value as Json, json};

use super::table::grouped;
use super::{Fault, Terminal};
use crate::draw;
use crate::engine::State;
use crate::engine::journal::Journal;
use crate::engine::record::{replay, replay_shown};
use crate::recorded::{self, Games, journal_records};

/// Failures that are told one by one.
const MOST_TOLD: usize = 20;

/// Most bytes of one record.
const LONGEST_RECORD: u64 = 64 << 20;

#[derive(Debug, Args)]
pub(super) struct ReplayArgs {
    /// Records, one JSON object a line; or the journal of a game that was played
    #[arg(value_name = "FILE.jsonl")]
    file: PathBuf,
    /// Write JSON
    #[arg(long)]
    json: bool,
    /// Write for every game, as one JSON object a line, what was possible at each of its events
    #[arg(long, conflicts_with = "json")]
    legal: bool,
}

pub(super) fn run(args: &ReplayArgs, terminal: &mut Terminal<'_>) -> Result<(), Fault> {
    let shown = args.file.display().to_string();
    let unreadable = |error: std::io::Error| Fault::Command(format!("`{shown}` can't be read: {error}"));
    let mut lines = BufReader::new(File::open(&args.file).map_err(unreadable)?);
    let mut games = Games::default();
    let (mut good, mut bad, mut number) = (0u64, 0usize, 0usize);
    let mut told = Vec::new();
    let mut only = None;
    let mut waiting: VecDeque<String> = next_line(&mut lines, &shown)?.into_iter().collect();
    if let Some(text) = waiting.front_mut().filter(|first| Journal::is_one(first)) {
        lines.by_ref().take(LONGEST_RECORD).read_to_string(text).map_err(unreadable)?;
        waiting =
            journal_records(text).map_err(|message| Fault::Rules(format!("{shown}: {message}")))?.into();
    }
    loop {
        let line = match waiting.pop_front() {
            Some(line) => Some(line),
            None => next_line(&mut lines, &shown)?,
        };
        let Some(line) = line else { break };
        number += 1;
        if line.trim().is_empty() {
            continue;
        }
        let mut steps = Vec::new();
        let result = one(&line, &mut games, args.legal.then_some(&mut steps));
        match &result {
            Ok(done) => {
                good += 1;
                only = (good + bad as u64 == 1).then(|| done.drawing.clone());
            }
            Err(message) => {
                bad += 1;
                only = None;
                if !args.json && bad <= MOST_TOLD {
                    terminal.fault(&format!("{shown}, line {number}: {message}"))?;
                }
            }
        }
        if let (Ok(done), true) = (&result, args.legal) {
            let game = json!({"line": number, "game": done.game, "events": steps, "score": done.score, "returns": done.returns});
            writeln!(terminal.out, "{game}")?;
        }
        if args.json {
            told.push(match result {
                Ok(done) => json!({"line": number, "same": true, "game": done.game, "events": done.events, "score": done.score}),
                Err(message) => json!({"line": number, "same": false, "error": message}),
            });
        }
    }
    if args.json {
        terminal.json(&told)?;
    } else if bad == 0 && args.legal {
        // The games are told already.
    } else {
        if let Some(drawing) = only {
            writeln!(terminal.out, "{drawing}")?;
        }
        let all = grouped(good + bad as u64);
        if bad == 0 {
            let games = if good == 1 { "1 game plays".to_owned() } else { format!("{all} games play") };
            writeln!(terminal.out, "{}", terminal.paint.good(&format!("{games} again exactly as recorded")))?;
        } else {
            if bad > MOST_TOLD {
                terminal.fault(&format!("and {} more", bad - MOST_TOLD))?;
            }
            let verdict = format!("{} of {all} games differ from their records", grouped(bad as u64));
            writeln!(terminal.out, "{}", terminal.paint.error(&verdict))?;
        }
    }
    if bad > 0 { Err(Fault::Told) } else { Ok(()) }
}

/// The next line of a file, of bounded length.
fn next_line(lines: &mut impl BufRead, shown: &str) -> Result<Option<String>, Fault> {
    let mut line = Vec::new();
    let read = lines.by_ref().take(LONGEST_RECORD).read_until(b'\n', &mut line);
    match read {
        Ok(0) => Ok(None),
        Ok(n) if n as u64 == LONGEST_RECORD => {
            Err(Fault::Command(format!("`{shown}` has a line of more than {LONGEST_RECORD} bytes")))
        }
        Ok(_) => Ok(Some(String::from_utf8_lossy(&line).into_owned())),
        Err(error) => Err(Fault::Command(format!("`{shown}` can't be read: {error}"))),
    }
}

/// A game played again.
struct Done {
    game: String,
    events: usize,
    score: Vec<i64>,
    returns: Vec<f64>,
    drawing: String,
}

/// Plays a record again; `steps` gets what was possible at each event.
fn one(line: &str, games: &mut Games, steps: Option<&mut Vec<Json>>) -> Result<Done, String> {
    let record = recorded::parse(line)?;
    let game = games.of(&record)?;
    let state = match steps {
        Some(steps) => replay_shown(game, &record, &mut |state, event| steps.push(step(state, event))),
        None => replay(game, &record),
    };
    let state = state.map_err(|error| error.to_string())?;
    Ok(Done {
        game: record.game,
        events: record.events.len(),
        score: record.score,
        returns: record.returns,
        drawing: draw::text::state(&state, None),
    })
}

/// What was possible at an event: the legal actions of a decision, the number of outcomes of chance.
fn step(state: &State, event: &str) -> Json {
    match state.current_player() {
        Some(player) => {
            let game = state.game();
            let legal: Vec<String> = state.legal_actions().into_iter().map(|a| game.action_name(a)).collect();
            json!({"event": event, "player": player.0, "legal": legal})
        }
        None => json!({"event": event, "outcomes": state.distinct_outcomes().len()}),
    }
}
