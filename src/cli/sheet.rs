//! Sheets that the command line names.

use std::path::Path;

use super::Fault;
use crate::engine::{Game, State};
use crate::files::{Kind, read_input, read_text};

/// The text of a sheet; `-` is standard input.
fn read(path: &Path) -> Result<String, Fault> {
    let text = if path == Path::new("-") { read_input(Kind::Sheet) } else { read_text(path, Kind::Sheet) };
    Ok(text?)
}

/// The position that a sheet shows.
pub(super) fn position(game: &Game, path: &Path) -> Result<State, Fault> {
    game.position(&read(path)?).map_err(|errors| {
        let lines = errors.iter().map(|error| format!("{}, {error}", path.display()));
        Fault::Rules(lines.collect::<Vec<_>>().join("\n"))
    })
}
