//! `houserule replay`: plays recorded games again and says where they differ from their records.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value as Json, json};

use super::table::grouped;
use super::{Fault, Terminal};
use crate::draw;
use crate::engine::Game;
use crate::engine::record::{Record, replay};
use crate::engine::values::{param_text_of_json, params_json};
use crate::lang::check::Setting;
use crate::loader::{Loaded, Request, load};

/// Failures that are told one by one.
const MOST_TOLD: usize = 20;

/// Most bytes of one record.
const LONGEST_RECORD: u64 = 64 << 20;

#[derive(Debug, Args)]
pub(super) struct ReplayArgs {
    /// Records, one JSON object a line
    #[arg(value_name = "FILE.jsonl")]
    file: PathBuf,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &ReplayArgs, terminal: &mut Terminal<'_>) -> Result<(), Fault> {
    let shown = args.file.display().to_string();
    let unreadable = |error: std::io::Error| Fault::Command(format!("`{shown}` can't be read: {error}"));
    let mut lines = BufReader::new(File::open(&args.file).map_err(unreadable)?);
    let mut games = Games::default();
    let (mut good, mut bad, mut number) = (0u64, 0usize, 0usize);
    let mut told = Vec::new();
    let mut only = None;
    while let Some(line) = next_line(&mut lines, &shown)? {
        number += 1;
        if line.trim().is_empty() {
            continue;
        }
        let result = one(&line, &mut games);
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
        if args.json {
            told.push(match result {
                Ok(done) => json!({"line": number, "same": true, "game": done.game, "events": done.events, "score": done.score}),
                Err(message) => json!({"line": number, "same": false, "error": message}),
            });
        }
    }
    if args.json {
        terminal.json(&told)?;
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
    use std::io::Read;
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
    drawing: String,
}

fn one(line: &str, games: &mut Games) -> Result<Done, String> {
    let record: Record =
        serde_json::from_str(line).map_err(|error| format!("no record of a game: {error}"))?;
    let game = games.of(&record)?;
    let state = replay(game, &record).map_err(|error| error.to_string())?;
    Ok(Done {
        game: record.game,
        events: record.events.len(),
        score: record.score,
        drawing: draw::text::state(&state, None),
    })
}

/// Games that have been loaded, by name, params and number of players.
#[derive(Default)]
struct Games {
    loaded: HashMap<String, Game>,
}

impl Games {
    fn of(&mut self, record: &Record) -> Result<&Game, String> {
        let params = serde_json::to_string(&record.params).unwrap_or_default();
        let key = format!("{}\n{}\n{params}", record.game, record.players);
        if !self.loaded.contains_key(&key) {
            let game = load_as_recorded(record)?;
            self.loaded.insert(key.clone(), game);
        }
        self.loaded.get(&key).ok_or_else(|| "the game can't be loaded".to_owned())
    }
}

/// Loads a record's game, and sets the params that its record has otherwise.
fn load_as_recorded(record: &Record) -> Result<Game, String> {
    let load = |settings: &[Setting], players| {
        let request = Request { name: &record.game, settings, players };
        load(&request).map(|Loaded { game, .. }| game).map_err(|error| error.to_string())
    };
    let plain = load(&[], Some(record.players)).or_else(|_| load(&[], None))?;
    let here = params_json(plain.model());
    let differs = |(name, value): &&(String, Json)| here.get(name) != Some(value);
    let settings: Vec<Setting> = record
        .params
        .0
        .iter()
        .filter(differs)
        .map(|(name, value)| Setting::new(name, param_text_of_json(value)))
        .collect();
    if settings.is_empty() && plain.players() == record.players {
        return Ok(plain);
    }
    load(&settings, Some(record.players))
}
