//! Position files named on the command line.

use std::path::Path;

use crate::terminal::CliError;
use houserule_base::files::{FileKind, read_input, read_text};
use houserule_game::{Game, State};

/// Reads a position file; `-` is standard input.
fn read(path: &Path) -> Result<String, CliError> {
    let text =
        if path == Path::new("-") { read_input(FileKind::Sheet) } else { read_text(path, FileKind::Sheet) };
    Ok(text?)
}

/// Parses the position in a file.
pub(super) fn position(game: &Game, path: &Path) -> Result<State, CliError> {
    game.position(&read(path)?).map_err(|errors| {
        let lines = errors.iter().map(|error| format!("{}, {error}", path.display()));
        CliError::Rules(lines.collect::<Vec<_>>().join("\n"))
    })
}
