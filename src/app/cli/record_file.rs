//! The file that `simulate --record` writes: complete lines in the order of the games, by one run at a time.
//!
//! If a run is killed, its file ends with a complete line, and `--resume` continues after it. A kill can cut a
//! write at the boundary between two memory pages. Lines of up to a page therefore never cross a page boundary:
//! the line before is padded with spaces at its end, which JSON allows. Only longer lines may be cut, and are
//! removed on resume.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::Value as Json;

use crate::terminal::CliError;
use houserule_base::files::{self, FileError, FileKind};
use houserule_game::Game;
use houserule_game::matches::Match;
use houserule_game::notation::record::{Record, VERSION};
use houserule_game::ordered::Ordered;
use houserule_game::values::params_json;
use houserule_playtest::SimulationPlan;

/// Smallest page size of common systems, in bytes.
const PAGE: usize = 4096;

/// Maximum time for which lines are buffered to fill a page.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// What to do if the file exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Existing {
    Refuse,
    Replace,
    /// Continue the run that wrote it.
    Resume,
}

/// A file of records that is being written. Its first error is kept until the end.
#[derive(Debug)]
pub(super) struct RecordFile {
    path: PathBuf,
    file: File,
    lines: Paged,
    written: Instant,
    wrong: Option<io::Error>,
}

impl RecordFile {
    /// Opens the file for a run. To resume, the plan is changed to begin after the games in the file.
    pub(super) fn open(
        path: &Path,
        existing: Existing,
        game: &Game,
        plan: &mut SimulationPlan,
        agents: &[String],
    ) -> Result<RecordFile, CliError> {
        let failed = |error| FileError::Written(path.to_owned(), error);
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            // Reports what it is, unless it is a device, which accepts everything.
            files::write_new(path, b"")?;
            let file = OpenOptions::new().write(true).open(path).map_err(failed)?;
            return Ok(RecordFile::new(path, file, 0));
        }
        if files::is_spared(path) {
            return Err(CliError::Command(format!(
                "`{}` is a rule file or a script, which records never overwrite: name another file",
                path.display()
            )));
        }
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = opened.map_err(failed)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(CliError::Command(format!("another process writes to `{}`", path.display())));
            }
            // Some file systems have no locks.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        // An empty file can be overwritten without loss.
        let there = file.metadata().map_err(failed)?.len() > 0;
        let mut kept = 0;
        match existing {
            Existing::Refuse if there => {
                return Err(CliError::Command(format!(
                    "`{}` exists already; choose another name, overwrite it with `--force`, or continue its run with \
                     `--resume`",
                    path.display()
                )));
            }
            Existing::Resume if there => {
                let whole = RunIdentity { game, plan, agents }.check(&file, path)?;
                let end = plan.first.saturating_add(plan.games);
                plan.games = end.saturating_sub(whole.next);
                plan.first = whole.next.min(end);
                kept = whole.bytes;
            }
            _ => {}
        }
        file.set_len(kept).and_then(|()| file.seek(SeekFrom::End(0))).map_err(failed)?;
        Ok(RecordFile::new(path, file, kept))
    }

    fn new(path: &Path, file: File, kept: u64) -> RecordFile {
        let lines = Paged { at: (kept % PAGE as u64) as usize, ..Paged::default() };
        RecordFile { path: path.to_owned(), file, lines, written: Instant::now(), wrong: None }
    }

    /// Adds the next record.
    pub(super) fn write(&mut self, record: &Record) {
        if self.wrong.is_some() {
            return;
        }
        match serde_json::to_vec(record) {
            Ok(mut line) => {
                line.push(b'\n');
                let full = self.lines.push(line);
                if full || self.written.elapsed() >= LONGEST_WAIT {
                    self.put();
                }
            }
            Err(error) => self.wrong = Some(error.into()),
        }
    }

    /// Writes the lines that are ready.
    fn put(&mut self) {
        if self.wrong.is_none() {
            self.wrong = self.file.write_all(&self.lines.ready).err();
        }
        self.lines.ready.clear();
        self.written = Instant::now();
    }

    /// Writes the remaining lines.
    pub(super) fn finish(mut self) -> Result<(), CliError> {
        self.put();
        self.lines.end();
        self.put();
        // Some targets can't be synced.
        let _ = self.file.sync_all();
        let failed = |error| CliError::from(FileError::Written(self.path.clone(), error));
        self.wrong.take().map_or(Ok(()), |error| Err(failed(error)))
    }
}

/// Buffers lines so that no line that fits a page crosses a page boundary.
#[derive(Debug, Default)]
struct Paged {
    /// The offset in its page where the last line begins.
    at: usize,
    /// The last line. Its padding depends on the next line.
    last: Option<Vec<u8>>,
    /// The lines before it that are ready to be written.
    ready: Vec<u8>,
}

impl Paged {
    /// Adds the next line. Returns `true` if the page before it is full.
    fn push(&mut self, line: Vec<u8>) -> bool {
        let length = line.len();
        let Some(mut last) = self.last.replace(line) else { return false };
        let end = self.at + last.len();
        let left = end.next_multiple_of(PAGE) - end;
        if length > left && length <= PAGE {
            last.pop();
            last.resize(last.len() + left, b' ');
            last.push(b'\n');
        }
        let crosses = self.at + last.len() >= PAGE;
        self.at = (self.at + last.len()) % PAGE;
        self.ready.append(&mut last);
        crosses
    }

    /// Marks the last line as ready.
    fn end(&mut self) {
        if let Some(mut last) = self.last.take() {
            self.at = (self.at + last.len()) % PAGE;
            self.ready.append(&mut last);
        }
    }
}

/// The run that records must belong to.
struct RunIdentity<'a> {
    game: &'a Game,
    plan: &'a SimulationPlan,
    agents: &'a [String],
}

/// The fields of a record that identify its run.
#[derive(Deserialize)]
#[serde(expecting = "struct Told")]
struct RecordIdentity {
    houserule: u32,
    rules_sha256: String,
    params: Ordered<Json>,
    players: u32,
    seed: Option<u64>,
    index: Option<u64>,
    #[serde(default)]
    agents: Vec<String>,
}

/// The part of a file that is kept on resume.
struct Whole {
    /// The length of its complete lines, in bytes.
    bytes: u64,
    /// The index of the next game or match to play.
    next: u64,
}

impl RunIdentity<'_> {
    /// Checks that every line belongs to the run that is resumed.
    fn check(&self, file: &File, path: &Path) -> Result<Whole, CliError> {
        let mut whole = Whole { bytes: 0, next: self.plan.first };
        // The games of a match are written together; the last match may be incomplete.
        let mut begun: Option<(u64, u64)> = None;
        let mut from = BufReader::new(file);
        let mut bytes = 0;
        for number in 1.. {
            let mut line = Vec::new();
            let read = from.read_until(b'\n', &mut line);
            let read = read.map_err(|error| FileError::Read(path.to_owned(), error))? as u64;
            if read > FileKind::Records.longest() {
                return Err(FileError::LongLine(path.to_owned(), number).into());
            }
            if line.last() != Some(&b'\n') {
                break;
            }
            let index = self.index(&line).map_err(|what| {
                let shown = path.display();
                CliError::Command(format!("`{shown}`, line {number}: {what}; nothing was changed"))
            })?;
            let other = begun.is_none_or(|(last, _)| last != index);
            if other && index < whole.next {
                let shown = path.display();
                let message =
                    format!("`{shown}`, line {number}: game {index} is out of order; nothing was changed");
                return Err(CliError::Command(message));
            }
            if other {
                begun = Some((index, bytes));
            }
            whole.next = index + 1;
            bytes += read;
        }
        whole.bytes = bytes;
        if let (Some((last, start)), true) = (begun, self.plan.match_play) {
            whole = Whole { bytes: start, next: last };
        }
        Ok(whole)
    }

    /// Returns the index of the game or match of a line, or an error message if it isn't of this run.
    fn index(&self, line: &[u8]) -> Result<u64, String> {
        let told: RecordIdentity =
            serde_json::from_slice(line).map_err(|error| format!("no record of a game: {error}"))?;
        let same = |what: &str, recorded: &str, here: &str| match recorded == here {
            true => Ok(()),
            false => Err(format!("its {what} is {recorded}, but that of this run is {here}")),
        };
        let json = |value: &Ordered<Json>| serde_json::to_string(value).unwrap_or_default();
        let seed = told.seed.map_or_else(|| "null".to_owned(), |seed| seed.to_string());
        same("format version", &told.houserule.to_string(), &VERSION.to_string())?;
        let identity = self.game.identity();
        if !identity.has_rules(&told.rules_sha256) {
            same("fingerprint of the rules", &told.rules_sha256, &identity.rules_sha256)?;
        }
        same("params", &json(&told.params), &json(&params_json(self.game.model())))?;
        same("number of players", &told.players.to_string(), &self.game.players().to_string())?;
        same("seed", &seed, &self.plan.seed.to_string())?;
        same("list of agents", &told.agents.join(","), &self.agents.join(","))?;
        let index = told.index.ok_or("it has no index")?;
        match self.plan.match_play {
            true => Match::number_of(self.game, index).ok_or_else(|| "it belongs to no match".to_owned()),
            false => Ok(index),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the writes for lines of these lengths, appended to a file of `kept` bytes.
    fn writes(kept: usize, lengths: &[usize]) -> Vec<Vec<u8>> {
        let mut paged = Paged { at: kept % PAGE, ..Paged::default() };
        let mut writes = vec![];
        for length in lengths {
            let mut line = vec![b'x'; length - 1];
            line.push(b'\n');
            if paged.push(line) {
                writes.push(std::mem::take(&mut paged.ready));
            }
        }
        writes.push(std::mem::take(&mut paged.ready));
        paged.end();
        writes.push(paged.ready);
        writes
    }

    #[test]
    fn no_write_of_short_lines_crosses_a_page() {
        let lengths: Vec<usize> =
            (1..400).map(|n| 1 + n * 379 % 2500).chain([PAGE, PAGE - 1, 1, 2, PAGE]).collect();
        let writes = writes(0, &lengths);
        let mut at = 0;
        for write in &writes {
            let last = write.last().copied().unwrap_or(b'\n');
            assert!(at % PAGE + write.len() <= PAGE && last == b'\n', "{at} {}", write.len());
            at += write.len();
        }
        let text = String::from_utf8(writes.concat()).unwrap();
        let back: Vec<usize> = text.lines().map(|line| line.trim_end_matches(' ').len() + 1).collect();
        assert_eq!(back, lengths);
    }

    #[test]
    fn what_goes_on_is_what_went_through() {
        let lengths: Vec<usize> = (1..100).map(|n| 1 + n * 379 % 6000).collect();
        let whole = writes(0, &lengths).concat();
        let ends: Vec<usize> = (0..whole.len()).filter(|at| whole[*at] == b'\n').map(|at| at + 1).collect();
        for (line, end) in ends.iter().enumerate().step_by(7) {
            // The last line before a kill was written when the next one was known.
            let kept = whole[..*end].to_vec();
            assert_eq!([kept, writes(*end, &lengths[line + 1..]).concat()].concat(), whole);
        }
    }
}
