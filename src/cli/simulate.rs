//! `houserule simulate`: many games, and what was found.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use clap::Args;

use super::progress::Progress;
use super::stopped::{self, Aborted, Again};
use super::{Fault, GameFlags, Terminal, one_name, report};
use crate::agents::AgentKind;
use crate::engine::record::Record;
use crate::playtest::{Keep, Plan, RecordSink, Watch, play_again, simulate_kept};

/// Most threads that make sense.
const MOST_THREADS: usize = 1024;

#[derive(Debug, Args)]
pub(super) struct SimulateArgs {
    /// The game, with variants on top of it
    #[arg(required = true, value_name = "GAME")]
    game: Vec<String>,
    #[command(flatten)]
    flags: GameFlags,
    /// How many games; with `--match`, how many matches
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10_000, value_parser = whole, allow_negative_numbers = true)]
    games: u64,
    /// The seed: the same seed means the same games
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole, allow_negative_numbers = true)]
    seed: u64,
    /// The number of the first game (or match): `--first 17 -n 1` plays game 17 alone
    #[arg(long, value_name = "I", default_value_t = 0, value_parser = whole, allow_negative_numbers = true)]
    first: u64,
    /// Who plays: one agent for all seats, or one for each (`random,greedy`); `FILE.rhai` is a script of yours
    #[arg(long, value_name = "A,B", default_value = "random")]
    agents: String,
    /// How many threads; without it, one for each processor
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
    /// Play whole matches
    #[arg(long = "match")]
    matches: bool,
    /// Write a record of every game to a file, one JSON object a line
    #[arg(long, value_name = "FILE.jsonl")]
    record: Option<PathBuf>,
    /// Begin no more games once an error has ended one
    #[arg(long)]
    stop_at_error: bool,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &SimulateArgs, terminal: &mut Terminal<'_>) -> Result<(), Fault> {
    let name = one_name(&args.game)?;
    let agents: Result<Vec<AgentKind>, _> = args.agents.split(',').map(AgentKind::parse).collect();
    let agents = agents?;
    if args.games == 0 {
        return Err(Fault::Command("`--games 0`: at least 1".to_owned()));
    }
    let loaded = terminal.load(&name, &args.flags.settings()?, args.flags.players)?;
    let plan = Plan {
        games: args.games,
        first: args.first,
        seed: args.seed,
        threads: threads(args.threads)?,
        agents,
        match_play: args.matches,
    };

    let mut file = match &args.record {
        Some(path) => Some(RecordFile::create(path)?),
        None => None,
    };
    let bar = Progress::new(terminal);
    let result = {
        let progress = |done: u64| bar.show(done, args.games);
        let mut sink = |record: Record| {
            if let Some(file) = &mut file {
                file.write(&record);
            }
        };
        let records: Option<&mut RecordSink<'_>> = if args.record.is_some() { Some(&mut sink) } else { None };
        let watch = Watch { progress: &progress, stop: &AtomicBool::new(false) };
        let keep = Keep { only_until_error: args.stop_at_error, ..Keep::default() };
        simulate_kept(&loaded.game, &plan, None, &watch, keep, records).map(|(report, _)| report)
    };
    bar.wipe();
    if let Some(file) = file {
        file.finish()?;
    }
    let found = result?;

    if args.json {
        terminal.json(&found)?;
    } else {
        let text = report::text(&loaded.game, &found, terminal.paint);
        write!(terminal.out, "{text}")?;
    }
    let Some(first) = &found.first_aborted else { return Ok(()) };
    let aborted = play_again(&loaded.game, &plan, first.index);
    let again = Again {
        name: &name,
        number: aborted.as_ref().map_or(first.index, |stopped| stopped.number),
        seed: args.seed,
        set: args.flags.set.iter().collect(),
        players: args.flags.players,
        agents: &args.agents,
        matches: args.matches,
    };
    let counted = Aborted { games: found.aborted, of: found.games + found.aborted, index: first.index };
    stopped::tell(&first.error, aborted.as_ref(), &counted, &again, &loaded, terminal)?;
    Err(Fault::Told)
}

/// A number on the command line.
pub(super) fn whole(text: &str) -> Result<u64, String> {
    text.replace('_', "").parse().map_err(|_| "a whole number from 0 on is wanted".to_owned())
}

/// How many threads work.
pub(super) fn threads(asked: Option<usize>) -> Result<usize, Fault> {
    let threads = asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    if threads == 0 || threads > MOST_THREADS {
        return Err(Fault::Command(format!("`--threads {threads}`: from 1 to {MOST_THREADS}")));
    }
    Ok(threads)
}

/// A file of records. The first thing that goes wrong is kept for the end.
struct RecordFile {
    name: String,
    file: BufWriter<File>,
    wrong: Option<std::io::Error>,
}

impl RecordFile {
    fn create(path: &std::path::Path) -> Result<Self, Fault> {
        let name = path.display().to_string();
        let file = File::create(path)
            .map_err(|error| Fault::Command(format!("`{name}` can't be written: {error}")))?;
        Ok(RecordFile { name, file: BufWriter::new(file), wrong: None })
    }

    fn write(&mut self, record: &Record) {
        if self.wrong.is_some() {
            return;
        }
        let written = serde_json::to_writer(&mut self.file, record).map_err(std::io::Error::from);
        self.wrong = written.and_then(|()| self.file.write_all(b"\n")).err();
    }

    fn finish(mut self) -> Result<(), Fault> {
        let done = match self.wrong.take() {
            Some(error) => Err(error),
            None => self.file.flush(),
        };
        done.map_err(|error| Fault::Rules(format!("`{}` can't be written: {error}", self.name)))
    }
}
