//! Writes wrapped text to the terminal.

use crate::terminal::{CliError, Terminal};
use houserule_page::report::columns::wrap;

/// Writes a message or an answer.
pub(super) fn put(text: &str, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    for line in wrap(text, terminal.paint.columns()) {
        writeln!(terminal.out, "{line}")?;
    }
    Ok(())
}

/// Writes secondary text, such as a hint.
pub(super) fn put_quietly(text: &str, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    for line in wrap(text, terminal.paint.columns()) {
        writeln!(terminal.out, "{}", terminal.paint.quiet(&line))?;
    }
    Ok(())
}

/// Writes a list of moves. Long lines continue with an indent.
pub(super) fn put_list(lines: &[String], terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let columns = terminal.paint.columns();
    for line in lines {
        let mut before = "  ";
        let fits = line.chars().count() + before.len() <= columns;
        let parts = if fits { vec![line.clone()] } else { wrap(line, columns - 4) };
        for part in parts {
            writeln!(terminal.out, "{before}{part}")?;
            before = "    ";
        }
    }
    Ok(())
}

/// Returns text and a path or command to be copied, in one line, or in two if the terminal would break the
/// line.
pub(super) fn with_path(words: &str, path: &str, terminal: &Terminal<'_>) -> Vec<String> {
    let length = words.chars().count() + 1 + path.chars().count();
    match terminal.screen.messages() {
        Some(columns) if length > columns => {
            let mut lines = wrap(words, columns);
            lines.push(path.to_owned());
            lines
        }
        _ => vec![format!("{words} {path}")],
    }
}
