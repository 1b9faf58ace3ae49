//! Sheets and records that the command line names.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::Fault;
use crate::engine::{Game, State};

/// Most bytes of a file.
const LONGEST: u64 = 64 << 20;

/// The text of a file; `-` is standard input.
pub(super) fn read(path: &Path) -> Result<String, Fault> {
    let shown = path.display();
    let unreadable = |error: std::io::Error| Fault::Command(format!("`{shown}` can't be read: {error}"));
    let source: Box<dyn Read> = match path {
        path if path == Path::new("-") => Box::new(std::io::stdin()),
        path => Box::new(File::open(path).map_err(unreadable)?),
    };
    let mut text = String::new();
    let bytes = source.take(LONGEST + 1).read_to_string(&mut text).map_err(unreadable)?;
    if bytes as u64 > LONGEST {
        return Err(Fault::Command(format!("`{shown}` has more than {LONGEST} bytes")));
    }
    Ok(text)
}

/// The position that a sheet shows.
pub(super) fn position(game: &Game, path: &Path) -> Result<State, Fault> {
    game.position(&read(path)?).map_err(|errors| {
        let lines = errors.iter().map(|error| format!("{}, {error}", path.display()));
        Fault::Rules(lines.collect::<Vec<_>>().join("\n"))
    })
}
