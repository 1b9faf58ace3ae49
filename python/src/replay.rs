//! Replays records.

use std::path::{Path, PathBuf};

use houserule::files::{self, FileError, RecordLines};
use houserule::notation::journal::Journal;
use houserule::notation::record;
use houserule::notation::record::Record;
use houserule::recorded::{GameCache, journal_records};
use pyo3::exceptions::{PyFileExistsError, PyFileNotFoundError, PyOSError, PyValueError};
use pyo3::prelude::*;

use crate::game::PyGame;
use crate::state::PyState;
use crate::watched::interruptible;

/// A line with its number, or why it isn't text.
type NumberedLine = (usize, Result<String, &'static str>);

/// A replayed line: its number from 1, the record as JSON, the final state, or the error.
type ReplayLine = (usize, String, Option<PyState>, Option<String>);

/// Replays records from a list of lines or from a file, or the games of a journal. `game` replaces the games
/// that the records name.
#[pyfunction]
#[pyo3(signature = (records, game=None))]
pub(crate) fn replay(py: Python<'_>, records: Records, game: Option<&PyGame>) -> PyResult<Vec<ReplayLine>> {
    let given = game.map(|game| game.inner.clone());
    let file = matches!(records, Records::File(_));
    let lines = match records {
        Records::Lines(lines) => (1..).zip(lines).map(|(number, line)| (number, Ok(line))).collect(),
        Records::File(path) => py.detach(|| lines_of(&path)).map_err(|error| file_error(&error))?,
    };
    let lines = match lines.first() {
        Some((_, Ok(first))) if Journal::is_one(first) => {
            let mut text = String::new();
            let last = lines.len();
            for (number, line) in lines {
                // An incomplete last line is ignored.
                if number == last
                    && (line.is_err() || line.as_ref().is_ok_and(|line| file && !line.ends_with('\n')))
                {
                    continue;
                }
                let line = line.map_err(|why| PyValueError::new_err(format!("line {number}: {why}")))?;
                text.push_str(line.trim_end_matches('\n'));
                text.push('\n');
            }
            let games = interruptible(py, || journal_records(&text))?.map_err(crate::tables::wrong)?;
            (1..).zip(games).map(|(number, line)| (number, Ok(line))).collect()
        }
        _ => lines,
    };
    let mut games = GameCache::default();
    let mut all = Vec::new();
    for (number, line) in lines {
        if line.as_ref().is_ok_and(|line| line.trim().is_empty()) {
            continue;
        }
        let played = interruptible(py, || {
            let record = Record::read(line.as_ref().map_err(|why| (*why).to_owned())?)?;
            let game = match &given {
                Some(game) => game,
                None => games.game(&record)?,
            };
            record::replay(game, &record).map_err(|error| error.to_string())
        })?;
        let (state, problem) = match played {
            Ok(state) => (Some(PyState::new(state)), None),
            Err(problem) => (None, Some(problem)),
        };
        all.push((number, line.unwrap_or_default(), state, problem));
    }
    Ok(all)
}

/// The records to replay.
#[derive(FromPyObject)]
pub(crate) enum Records {
    Lines(Vec<String>),
    File(PathBuf),
}

/// Returns the lines of a file with their numbers. A line that isn't text has its error instead.
fn lines_of(path: &Path) -> Result<Vec<NumberedLine>, FileError> {
    let mut lines = RecordLines::new(files::open(path)?, path);
    lines.by_ref().collect()
}

/// Converts the error of a file.
pub(crate) fn file_error(error: &FileError) -> PyErr {
    match error {
        FileError::Missing(_) => PyFileNotFoundError::new_err(error.to_string()),
        FileError::Exists(_) => PyFileExistsError::new_err(format!(
            "{error}; choose another name, or overwrite it with `overwrite=True`"
        )),
        _ => PyOSError::new_err(error.to_string()),
    }
}
