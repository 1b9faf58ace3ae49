//! `houserule print`: a game on paper.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::{GameFlags, one_name};
use crate::terminal::{CliError, Terminal};
use houserule_base::files;
use houserule_base::numbers::counted;
use houserule_game::Game;
use houserule_loader::load_base_game;
use houserule_page::print::{
    CardBacks, CardFile, CardLayout, CardMeasure, CardOptions, DeckFileForm, MOST_BLEED, MOST_COPIES,
    MOST_SHEETS, Paper, PrintError, PrintForm, PrintOptions, PrintedBefore, card_files, printed,
};

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    houserule print dilido --per-page 4 -o sheets.pdf\n  \
    houserule print dice-wide-shut --players 3\n  \
    houserule print dilido + torus --set size=8 --paper letter\n  \
    houserule print mine.rules --no-rules -o preview.png\n    \
    houserule print hearts --backs long-edge -o cards.pdf\n    \
    houserule print mine.rules --cards 70x70 --bleed 3 --cards-as pages --ink colour -o shop.pdf\n    \
    houserule print mine.rules --cards-as png -o cards/\n    \
    houserule print game.rules + mine.rules --changed-since game.rules -o changed.pdf\n\
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
    /// Size of the cards: `poker` (63x88), `bridge` (57x89), `mini` (44x63), `tarot` (70x120), or WIDTHxHEIGHT in
    /// millimetres [default: poker]
    #[arg(long, value_name = "SIZE", value_parser = CardMeasure::parse)]
    cards: Option<CardMeasure>,
    /// How the backs of cards are printed [default: none]
    #[arg(long, value_enum, value_name = "HOW")]
    backs: Option<BacksName>,
    /// How far the ground of cards goes on beyond the cut, in millimetres [default: 0]
    #[arg(long, value_name = "MM", value_parser = parse_bleed)]
    bleed: Option<f64>,
    /// Ink of the cards [default: black in a PDF, colour in pictures]
    #[arg(long, value_enum, value_name = "INK")]
    ink: Option<InkName>,
    /// What is made of the cards. All but `sheets` and `pages` write files into the folder of `-o` and nothing else
    #[arg(long, value_enum, value_name = "FORM", default_value_t = CardsAs::Sheets, hide_default_value = true)]
    cards_as: CardsAs,
    /// Only the sheets and cards that differ from those of this game
    #[arg(long, value_name = "GAME")]
    changed_since: Option<String>,
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

/// How the backs of cards are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BacksName {
    /// Not at all
    None,
    /// On the other side, for a printer that turns the paper along its long edge
    LongEdge,
    /// On the other side, for a printer that turns the paper along its short edge
    ShortEdge,
    /// Beside the faces: fold the page, and glue it
    Fold,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum InkName {
    /// White grounds, for any printer: signs tell colours
    Black,
    /// Grounds in colours, for a colour printer or a print shop
    #[value(alias = "color")]
    Colour,
}

/// What is made of the cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CardsAs {
    /// Several on a page, after the other sheets [default]
    Sheets,
    /// One on a page of its size, as print shops take them
    Pages,
    /// A picture of each card, 300 pixels to an inch
    Png,
    /// Pictures of up to 10 by 7 cards, which virtual tables import
    Sprites,
    /// A table for a spreadsheet, which `domain NAME from "FILE"` reads
    Csv,
}

impl CardsAs {
    /// Returns the form of the files, or `None` if the cards are printed.
    fn file_form(self) -> Option<DeckFileForm> {
        match self {
            CardsAs::Sheets | CardsAs::Pages => None,
            CardsAs::Png => Some(DeckFileForm::Png),
            CardsAs::Sprites => Some(DeckFileForm::Sprites),
            CardsAs::Csv => Some(DeckFileForm::Csv),
        }
    }
}

impl PrintArgs {
    /// Returns how cards are printed.
    fn card_options(&self) -> CardOptions {
        let backs = match self.backs {
            None | Some(BacksName::None) => CardBacks::None,
            Some(BacksName::LongEdge) => CardBacks::LongEdge,
            Some(BacksName::ShortEdge) => CardBacks::ShortEdge,
            Some(BacksName::Fold) => CardBacks::Fold,
        };
        CardOptions {
            measure: self.cards.unwrap_or_default(),
            backs,
            bleed: self.bleed.unwrap_or_default(),
            layout: if self.cards_as == CardsAs::Pages { CardLayout::Pages } else { CardLayout::Sheets },
            colours: self.ink.map_or(self.cards_as.file_form().is_some(), |ink| ink == InkName::Colour),
        }
    }
}

fn parse_bleed(text: &str) -> Result<f64, String> {
    let bleed = text.parse::<f64>().ok().filter(|bleed| (0.0..=MOST_BLEED).contains(bleed));
    bleed.ok_or_else(|| format!("the bleed is 0 to {MOST_BLEED} millimetres; print shops mostly ask for 3"))
}

pub(super) fn run(args: &PrintArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let files = args.cards_as.file_form();
    let form = match args.output.as_deref().filter(|_| files.is_none()) {
        Some(path) => PrintForm::for_file(path).map_err(CliError::Command)?,
        None => PrintForm::Pdf,
    };
    let name = one_name(&args.game)?;
    let loaded = terminal.load(&name, &args.flags.settings()?, args.flags.players)?;
    let game = &loaded.game;
    let options = PrintOptions {
        paper: args.paper.into(),
        per_page: args.per_page,
        copies: args.copies,
        rules: !args.no_rules,
        cards: args.card_options(),
    };
    let since = match &args.changed_since {
        Some(name) => Some(terminal.load(name, &[], args.flags.players)?.game),
        None => None,
    };
    if let Some(files) = files {
        let Some(folder) = &args.output else {
            return Err(CliError::Command("write where the files go: `-o FOLDER`".to_owned()));
        };
        let files =
            card_files(game, since.as_ref(), files, &options.cards).map_err(|error| refused(&error))?;
        return write_all(folder, &files, args.force, terminal);
    }
    let base = if options.rules { load_base_game(game) } else { None };
    let before = PrintedBefore { base: base.as_ref(), since: since.as_ref() };
    let printed = match printed(game, before, form, &options) {
        Ok(printed) => printed,
        Err(PrintError::Game(error)) => {
            terminal.diagnostics(&[error.diagnostic_in(game, None)], &error.sources(&loaded.sources))?;
            return Err(CliError::AlreadyReported);
        }
        Err(error) => return Err(refused(&error)),
    };
    match &args.output {
        Some(path) => files::write(path, &printed, args.force)?,
        None if terminal.screen.terminal => {
            let path = PathBuf::from(file_name(game, ".pdf"));
            files::write(&path, &printed, args.force)?;
            terminal.note(&format!("wrote {}", path.display()))?;
        }
        None => terminal.out.write_all(&printed)?,
    }
    Ok(())
}

/// Returns why nothing is printed, with the option that asks for it.
fn refused(error: &PrintError) -> CliError {
    let option = match error {
        PrintError::TooSmall { .. } => "`--per-page`: ",
        PrintError::CardTooLarge { .. } => "`--cards`: ",
        PrintError::Unchanged => "`--changed-since`: ",
        PrintError::Nothing => "`--no-rules`: ",
        PrintError::NoCards | PrintError::LargeDeck { .. } => "",
        PrintError::Game(_) | PrintError::File(_) => return CliError::Rules(error.to_string()),
    };
    CliError::Command(format!("{option}{error}"))
}

/// Writes files into a folder, and says which.
fn write_all(
    folder: &Path,
    written: &[CardFile],
    force: bool,
    terminal: &mut Terminal<'_>,
) -> Result<(), CliError> {
    std::fs::create_dir_all(folder).map_err(|error| CliError::writing(folder.display(), &error))?;
    // Either all are written or none.
    if !force {
        for file in written {
            files::unused(&folder.join(&file.name))?;
        }
    }
    for file in written {
        files::write(&folder.join(&file.name), &file.bytes, true)?;
        if !file.about.is_empty() {
            terminal.note(&format!("wrote {}: {}", folder.join(&file.name).display(), file.about))?;
        }
    }
    if written.iter().all(|file| file.about.is_empty()) {
        terminal.note(&format!("wrote {} into {}", counted(written.len(), "picture"), folder.display()))?;
    }
    Ok(())
}

/// Returns the name of the file for a game: those of its rule files without folders, and an ending.
pub(super) fn file_name(game: &Game, ending: &str) -> String {
    let name = &game.identity().name;
    let part = |part: &str| {
        let file = Path::new(part.trim()).file_name().unwrap_or_default().to_string_lossy().into_owned();
        file.replace(".rules", "").replace(|c: char| !c.is_alphanumeric() && !"-_.".contains(c), "-")
    };
    let parts: Vec<String> = name.split('+').map(part).collect();
    format!("{}{ending}", parts.join("+"))
}
