//! `houserule fmt`: formats rule files in the standard layout.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::terminal::{CliError, Terminal};
use houserule_base::files::{FileKind, read_input, read_text, replace};
use houserule_language::diagnostic::SourceMap;
use houserule_language::format::format;

#[derive(Debug, Args)]
pub(super) struct FmtArgs {
    /// Rule files; `-` formats standard input and writes to standard output
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Change no file: print the names of files that are not formatted, and exit with code 1 if there are any
    #[arg(long, conflicts_with = "stdout")]
    check: bool,
    /// Write the formatted text to standard output instead of the files
    #[arg(long)]
    stdout: bool,
}

pub(super) fn run(args: &FmtArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let (mut broken, mut differ) = (false, false);
    let mut unreadable = vec![];
    for file in &args.files {
        let text = match read(file) {
            Ok(text) => text,
            Err(message) => {
                unreadable.push(message);
                continue;
            }
        };
        let shown = file.display().to_string();
        let name = if is_input(file) { "standard input" } else { shown.as_str() };
        let mut sources = SourceMap::default();
        let id = sources.add(name, &text);
        let formatted = match format(id, &text) {
            Ok(formatted) => formatted,
            Err(diagnostics) => {
                terminal.diagnostics(&diagnostics, &sources)?;
                broken = true;
                continue;
            }
        };
        if args.check {
            if formatted != text {
                differ = true;
                writeln!(terminal.out, "{name}")?;
            }
        } else if args.stdout || is_input(file) {
            write!(terminal.out, "{formatted}")?;
        } else if formatted != text {
            replace(file, formatted.as_bytes())?;
            writeln!(terminal.out, "{name}: {}", terminal.paint.good("formatted"))?;
        }
    }
    match (unreadable.is_empty(), broken || differ) {
        (false, _) => Err(CliError::Command(unreadable.join("\n"))),
        (true, true) => Err(CliError::AlreadyReported),
        (true, false) => Ok(()),
    }
}

fn is_input(file: &Path) -> bool {
    file == Path::new("-")
}

fn read(file: &Path) -> Result<String, String> {
    let text = if is_input(file) { read_input(FileKind::Rules) } else { read_text(file, FileKind::Rules) };
    text.map_err(|error| error.to_string())
}
