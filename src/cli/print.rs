//! `houserule print`: a game on paper.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::{CliError, GameFlags, Terminal, one_name};
use crate::files;
use crate::game::Game;
use crate::print::{self, MOST_SHEETS, Paper, PrintError, PrintOptions};

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
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_COPIES))]
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

/// Maximum number of copies.
const MOST_COPIES: i64 = 100;

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

/// The forms of a file.
#[derive(Clone, Copy)]
enum PrintForm {
    Pdf,
    Svg,
    Png,
}

impl PrintForm {
    fn of(path: &Path) -> Result<PrintForm, CliError> {
        match path.extension().and_then(|ending| ending.to_str()).map(str::to_lowercase).as_deref() {
            Some("pdf") => Ok(PrintForm::Pdf),
            Some("svg") => Ok(PrintForm::Svg),
            Some("png") => Ok(PrintForm::Png),
            _ => Err(CliError::Command(format!(
                "`{}`: the name must end in `.pdf`, or in `.svg` or `.png` for the first page",
                path.display()
            ))),
        }
    }
}

pub(super) fn run(args: &PrintArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let form = args.output.as_deref().map_or(Ok(PrintForm::Pdf), PrintForm::of)?;
    let name = one_name(&args.game)?;
    let game = terminal.load(&name, &args.flags.settings()?, args.flags.players)?.game;
    let options = PrintOptions {
        paper: args.paper.into(),
        per_page: args.per_page,
        copies: args.copies,
        rules: !args.no_rules,
        command: command(args, &name),
    };
    let printed = match form {
        PrintForm::Pdf => print::pdf(&game, &options),
        PrintForm::Svg => print::svg(&game, &options).map(String::into_bytes),
        PrintForm::Png => print::png(&game, &options),
    };
    let printed = printed.map_err(|error| match error {
        PrintError::TooSmall { .. } => CliError::Command(format!("`--per-page`: {error}")),
        error => CliError::Rules(error.to_string()),
    })?;
    match &args.output {
        Some(path) => files::write(path, &printed, args.force)?,
        None if terminal.screen.terminal => {
            let path = PathBuf::from(file_name(&game));
            files::write(&path, &printed, args.force)?;
            terminal.note(&format!("wrote {}", path.display()))?;
        }
        None => terminal.out.write_all(&printed)?,
    }
    Ok(())
}

/// Returns the command for the foot of the pages, without what doesn't change them.
fn command(args: &PrintArgs, name: &str) -> String {
    let mut words = vec!["houserule print".to_owned(), name.to_owned()];
    words.extend(args.flags.set.iter().map(|set| format!("--set {set}")));
    words.extend(args.flags.players.map(|players| format!("--players {players}")));
    if args.paper != PaperName::A4 {
        words.push(format!("--paper {}", Paper::from(args.paper).name()));
    }
    words.extend(args.per_page.map(|count| format!("--per-page {count}")));
    words.extend(args.copies.map(|count| format!("--copies {count}")));
    words.extend(args.no_rules.then(|| "--no-rules".to_owned()));
    words.join(" ")
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
