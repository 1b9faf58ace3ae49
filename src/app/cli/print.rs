//! `houserule print`: a game on paper.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::{GameFlags, one_name};
use crate::terminal::{CliError, Terminal};
use houserule_base::files;
use houserule_game::Game;
use houserule_loader::load_base_game;
use houserule_page::print::{MOST_COPIES, MOST_SHEETS, Paper, PrintError, PrintForm, PrintOptions, printed};

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    houserule print dilido --per-page 4 -o sheets.pdf\n  \
    houserule print dice-wide-shut --players 3\n  \
    houserule print dilido + torus --set size=8 --paper letter\n  \
    houserule print mine.rules --no-rules -o preview.png\n\
    Print at 100 %, not \"fit to page\", so that the sizes are right.")]
pub(super) struct PrintArgs {
    /// The game: a bundled one or a rule file, with variants after `+` (`dilido + torus`)
    #[arg(required = true, value_name = "GAME")]
    game: Vec<String>,
    #[command(flatten)]
    flags: GameFlags,
    /// Size of the paper
    #[arg(long, value_enum, default_value_t = PaperName::A4)]
    paper: PaperName,
    /// Sheets on a page, with lines to cut along [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_SHEETS)))]
    per_page: Option<u32>,
    /// Copies of all sheets [default: as many as fill a page of `--per-page`]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_COPIES)))]
    copies: Option<u32>,
    /// Leave out the rules in words
    #[arg(long)]
    no_rules: bool,
    /// Output file, by its ending `.pdf`, or `.svg` or `.png` for the first page only [default: standard output, or on a
    /// terminal a file in this folder with the name of the game]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PaperName {
    A4,
    Letter,
}

impl From<PaperName> for Paper {
    fn from(name: PaperName) -> Paper {
        match name {
            PaperName::A4 => Paper::A4,
            PaperName::Letter => Paper::Letter,
        }
    }
}

pub(super) fn run(args: &PrintArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let form =
        args.output.as_deref().map_or(Ok(PrintForm::Pdf), PrintForm::for_file).map_err(CliError::Command)?;
    let name = one_name(&args.game)?;
    let loaded = terminal.load(&name, &args.flags.settings()?, args.flags.players)?;
    let game = &loaded.game;
    let options = PrintOptions {
        paper: args.paper.into(),
        per_page: args.per_page,
        copies: args.copies,
        rules: !args.no_rules,
    };
    let base = if options.rules { load_base_game(game) } else { None };
    let printed = match printed(game, base.as_ref(), form, &options) {
        Ok(printed) => printed,
        Err(PrintError::Game(error)) => {
            terminal.diagnostics(&[error.diagnostic_in(game, None)], &error.sources(&loaded.sources))?;
            return Err(CliError::AlreadyReported);
        }
        Err(error @ PrintError::TooSmall { .. }) => {
            return Err(CliError::Command(format!("`--per-page`: {error}")));
        }
        Err(error @ PrintError::Nothing) => return Err(CliError::Command(format!("`--no-rules`: {error}"))),
        Err(error @ PrintError::File(_)) => return Err(CliError::Rules(error.to_string())),
    };
    match &args.output {
        Some(path) => files::write(path, &printed, args.force)?,
        None if terminal.screen.terminal => {
            let path = PathBuf::from(file_name(game));
            files::write(&path, &printed, args.force)?;
            terminal.note(&format!("wrote {}", path.display()))?;
        }
        None => terminal.out.write_all(&printed)?,
    }
    Ok(())
}

/// Returns the name of the file for a game: that of its last file, with its variants.
fn file_name(game: &Game) -> String {
    let name = &game.identity().name;
    let part = |part: &str| {
        let file = Path::new(part.trim()).file_name().unwrap_or_default().to_string_lossy().into_owned();
        file.replace(".rules", "").replace(|c: char| !c.is_alphanumeric() && !"-_.".contains(c), "-")
    };
    let parts: Vec<String> = name.split('+').map(part).collect();
    format!("{}.pdf", parts.join("+"))
}
