//! Games on paper: sheets to write on, boards, cards and tiles to cut out, and the rules in words, as pages.
//!
//! Everything follows from the rules: `sheets` finds what a game has to print, `fit` and `table` lay it out at a size
//! for pens, `cards` makes the cards and their files, and `rules` sets the words with the changes of a house rule marked. The pages are
//! drawings, which `draw` makes a file of.

mod cards;
mod dice_columns;
mod fit;
mod rules;
mod sheets;
mod table;
pub(crate) mod typeset;

use std::fmt;
use std::path::Path;

use houserule_base::names::{shell_game, shell_word};
use houserule_base::numbers::{counted, grouped};
use houserule_game::{Game, RuntimeError, Start, State};
use houserule_picture::draw::svg::canvas::{Anchor, Canvas, Font, Palette, Picture, ShapeOutline, Theme};
use houserule_picture::draw::svg::page::document;
use houserule_picture::draw::svg::palette::{FAINT, Ink, QUIET};
use houserule_picture::draw::svg::scene::KeptMarks;
use houserule_picture::lettering::{outlined, width};
use houserule_picture::render::pdf::{PageBoxes, PdfPage, pdf_pages};
use houserule_picture::render::raster;

pub use cards::{
    CardBacks, CardFile, CardLayout, CardMeasure, CardOptions, DeckFileForm, MOST_BLEED, card_files,
};

/// Pixels of a drawing per millimetre: an inch is 96 pixels.
pub(crate) const MM: f64 = 96.0 / 25.4;

/// Margin of a page, in millimetres. Most printers leave less than this blank.
const MARGIN: f64 = 10.0;

/// Height of the line at the foot of a page.
const FOOT: f64 = 4.0 * MM;

/// Number of starts of a game that are compared to find what stands on its boards in every game.
const STARTS: u64 = 12;

/// Least distance between the sites of a board that a pen needs, in millimetres.
pub const PEN: f64 = 9.0;

/// Maximum number of sheets on a page.
pub const MOST_SHEETS: u32 = 32;

/// Maximum number of copies.
pub const MOST_COPIES: u32 = 100;

/// A size of paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Paper {
    /// 210 by 297 millimetres.
    #[default]
    A4,
    /// 8.5 by 11 inches.
    Letter,
}

impl Paper {
    /// The names and their sizes.
    pub const NAMES: [(&'static str, Paper); 2] = [("a4", Paper::A4), ("letter", Paper::Letter)];

    /// Returns width and height in millimetres.
    pub fn size(self) -> (f64, f64) {
        match self {
            Paper::A4 => (210.0, 297.0),
            Paper::Letter => (215.9, 279.4),
        }
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        Paper::NAMES.iter().find(|(_, paper)| *paper == self).map_or("", |(name, _)| name)
    }
}

/// What to print, and on what.
#[derive(Clone, Copy, Debug)]
pub struct PrintOptions {
    /// The paper.
    pub paper: Paper,
    /// Sheets on a page, at most [`MOST_SHEETS`]; `None` for one.
    pub per_page: Option<u32>,
    /// Copies of all sheets; `None` for as many as fill the first page.
    pub copies: Option<u32>,
    /// Whether to add the rules.
    pub rules: bool,
    /// How cards are printed.
    pub cards: CardOptions,
}

impl Default for PrintOptions {
    fn default() -> Self {
        PrintOptions {
            paper: Paper::A4,
            per_page: None,
            copies: None,
            rules: true,
            cards: CardOptions::default(),
        }
    }
}

/// The form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrintForm {
    /// All pages.
    Pdf,
    /// The first page, with texts as outlines.
    Svg,
    /// The first page, with two pixels for each pixel of a screen.
    Png,
}

impl PrintForm {
    /// Returns the form that the ending of a file's name gives, or a message about the name.
    pub fn for_file(path: &Path) -> Result<PrintForm, String> {
        match path.extension().and_then(|ending| ending.to_str()).map(str::to_lowercase).as_deref() {
            Some("pdf") => Ok(PrintForm::Pdf),
            Some("svg") => Ok(PrintForm::Svg),
            Some("png") => Ok(PrintForm::Png),
            _ => Err(format!(
                "`{}`: the name must end in `.pdf`, or in `.svg` or `.png` for the first page alone",
                path.display()
            )),
        }
    }
}

/// Why a game can't be printed.
#[derive(Clone, Debug)]
pub enum PrintError {
    /// The sheets on a page are too small to write on.
    TooSmall {
        /// The number of sheets.
        requested: u32,
        /// The number that fits.
        fit: u32,
        /// The paper.
        paper: Paper,
    },
    /// A card doesn't fit on a page.
    CardTooLarge {
        /// Its size.
        measure: CardMeasure,
        /// The paper.
        paper: Paper,
    },
    /// Without its rules, the game has nothing to print.
    Nothing,
    /// The game has no cards.
    NoCards,
    /// Its only deck has more cards than are printed.
    LargeDeck {
        /// What its cards are.
        deck: String,
        /// Their number.
        cards: usize,
    },
    /// Nothing differs from the older game.
    Unchanged,
    /// The game can't start.
    Game(RuntimeError),
    /// A page can't be converted.
    File(String),
}

impl fmt::Display for PrintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PrintError::TooSmall { requested, fit, paper } => {
                let sheets = if *fit == 1 { "1 sheet fits".to_owned() } else { format!("{fit} sheets fit") };
                write!(
                    f,
                    "{} {} too many for a page of {}: the squares would be smaller than the {PEN} mm that a \
                     pen needs; at most {sheets}",
                    counted(*requested, "sheet"),
                    if *requested == 1 { "is" } else { "are" },
                    paper.name()
                )
            }
            PrintError::Nothing => f.write_str(
                "the game has no board, no score and no cards: without its rules, nothing is left to print",
            ),
            PrintError::CardTooLarge { measure, paper } => write!(
                f,
                "a card of {} x {} mm with its bleed and its back doesn't fit on a page of {}: use smaller cards, or \
                 `--cards-as pages`",
                measure.width,
                measure.height,
                paper.name()
            ),
            PrintError::NoCards => f.write_str("the game has no cards: no zone holds them"),
            PrintError::LargeDeck { deck, cards } => write!(
                f,
                "the deck of `{deck}` has {} cards, and at most {} are printed: let it have fewer of each",
                grouped(*cards as i64),
                grouped(cards::MOST as i64)
            ),
            PrintError::Unchanged => f.write_str(
                "no card and no sheet differs between the two games, so there is nothing to print again",
            ),
            PrintError::Game(error) => error.fmt(f),
            PrintError::File(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for PrintError {}

/// A page of paper.
#[derive(Clone, Debug)]
struct PrintPage {
    picture: Picture,
    /// Where it is cut, for print shops.
    boxes: Option<PageBoxes>,
    /// Whether the command stands at its foot.
    foot: bool,
}

impl PrintPage {
    /// A page that isn't cut.
    fn whole(picture: Picture) -> PrintPage {
        PrintPage { picture, boxes: None, foot: true }
    }
}

/// The games with which a printed one is compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct PrintedBefore<'g> {
    /// In the rules, what differs from this game is marked.
    pub base: Option<&'g Game>,
    /// Only the sheets and cards that differ from those of this game are printed.
    pub since: Option<&'g Game>,
}

/// Prints a game, compared with others.
///
/// ```
/// use houserule_loader::{Request, load};
/// use houserule_page::print::{PrintForm, PrintOptions, PrintedBefore, printed};
///
/// let game = load(&Request { name: "tic-tac-toe", ..Request::default() })?.game;
/// assert!(printed(&game, PrintedBefore::default(), PrintForm::Pdf, &PrintOptions::default())?.starts_with(b"%PDF-"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn printed(
    game: &Game,
    before: PrintedBefore<'_>,
    form: PrintForm,
    options: &PrintOptions,
) -> Result<Vec<u8>, PrintError> {
    let pages = pages(game, before, options)?;
    let first = pages.first().ok_or_else(|| match before.since {
        Some(_) => PrintError::Unchanged,
        None => cards::large_deck(game).unwrap_or(PrintError::Nothing),
    })?;
    match form {
        PrintForm::Pdf => pdf_pages(&game.model().title, &pages).map_err(PrintError::File),
        PrintForm::Svg => Ok(outlined(&first.svg).into_bytes()),
        PrintForm::Png => raster::png_of_page(&first.svg).map_err(PrintError::File),
    }
}

/// Returns the command that prints a game, for the foot of each page.
fn command(game: &Game, since: Option<&Game>, options: &PrintOptions) -> String {
    let origin = &game.sheet().origin;
    let mut words = vec!["houserule print".to_owned(), shell_game(&game.identity().name)];
    words.extend(origin.flags());
    words.extend((options.paper != Paper::default()).then(|| format!("--paper {}", options.paper.name())));
    words.extend(options.per_page.map(|count| format!("--per-page {count}")));
    words.extend(options.copies.map(|count| format!("--copies {count}")));
    words.extend((!options.rules).then(|| "--no-rules".to_owned()));
    words.extend(since.map(|since| format!("--changed-since {}", shell_word(&since.identity().name))));
    let (cards, usual) = (&options.cards, CardOptions::default());
    words.extend((cards.measure != usual.measure).then(|| format!("--cards {}", cards.measure)));
    words.extend(match cards.backs {
        CardBacks::None => None,
        CardBacks::LongEdge => Some("--backs long-edge".to_owned()),
        CardBacks::ShortEdge => Some("--backs short-edge".to_owned()),
        CardBacks::Fold => Some("--backs fold".to_owned()),
    });
    words.extend((cards.bleed > 0.0).then(|| format!("--bleed {}", cards.bleed)));
    words.extend((cards.layout == CardLayout::Pages).then(|| "--cards-as pages".to_owned()));
    words.extend(cards.colours.then(|| "--ink colour".to_owned()));
    words.join(" ")
}

/// Draws all pages as SVG: the sheets, the cards, and the rules.
fn pages(game: &Game, before: PrintedBefore<'_>, options: &PrintOptions) -> Result<Vec<PdfPage>, PrintError> {
    let palette = Palette::new(Theme::Print);
    let ink = Printer { palette: &palette };
    let started = StartedGame::new(game)?;
    let (mut pages, match_page) = sheet_pages(&started, before.since, options, ink)?;
    let coloured = Palette::new(if options.cards.colours { Theme::Light } else { Theme::Print });
    let games = (game, before.since);
    cards::add_pages(&mut pages, games, options.paper, &options.cards, Printer { palette: &coloured })?;
    let has_other_rules = |since: &Game| since.identity().rules_sha256 != game.identity().rules_sha256;
    let has_news = !pages.is_empty() || match_page.is_some() || before.since.is_none_or(has_other_rules);
    if options.rules && has_news {
        let (state, fixed) = (&started.state, &started.fixed);
        let rules = rules::pages(state, fixed, before.since.or(before.base), options.paper, ink);
        pages.extend(rules.into_iter().map(PrintPage::whole));
    }
    // It comes last, so that the rules stand on the back of a single sheet.
    pages.extend(match_page.map(PrintPage::whole));
    let (count, command) = (pages.len(), command(game, before.since, options));
    let finished = (1..).zip(pages).map(|(number, page)| {
        let canvas = ink.canvas();
        let place = if count > 1 { format!("{number} / {count}") } else { String::new() };
        let picture = if page.foot { footed(&page.picture, &command, &place, canvas) } else { page.picture };
        PdfPage { svg: document(&game.model().title, &picture, &palette), boxes: page.boxes }
    });
    Ok(finished.collect())
}

/// A game with its start, and what stands on its boards in every game.
struct StartedGame {
    state: State,
    fixed: KeptMarks,
}

impl StartedGame {
    fn new(game: &Game) -> Result<StartedGame, PrintError> {
        let start =
            |seed| game.start_before_turns(&Start { seed, ..Start::default() }).map_err(PrintError::Game);
        let state = start(1)?;
        // What chance decides is the same in few of several starts.
        let others = (2..=STARTS).map(start).collect::<Result<_, _>>()?;
        let fixed = KeptMarks {
            slots: sheets::fixed(game.model()),
            others,
            numbered: dice_columns::boards(game.model()),
        };
        Ok(StartedGame { state, fixed })
    }
}

/// Draws the pages with sheets, and the page for a match. Compared with an older game, only those that it doesn't have.
fn sheet_pages(
    started: &StartedGame,
    since: Option<&Game>,
    options: &PrintOptions,
    ink: Printer<'_>,
) -> Result<(Vec<PrintPage>, Option<Picture>), PrintError> {
    // The title of a house rule is no change of a sheet.
    let title = started.state.game().model().title.as_str();
    let match_page =
        |started: &StartedGame| fit::match_page(&started.state, &started.fixed, title, options.paper, ink);
    let mut pages = fit::pages(&started.state, &started.fixed, title, options, ink)?;
    let mut of_match = match_page(started);
    if let Some(older) = since {
        let older = StartedGame::new(older)?;
        of_match = of_match.filter(|page| !match_page(&older).is_some_and(|older| older.shows_same(page)));
        // Sheets that don't fit on a page of the older game are no reason to print nothing.
        let older = fit::pages(&older.state, &older.fixed, title, options, ink).unwrap_or_default();
        pages.retain(|page| !older.iter().any(|older| older.shows_same(page)));
    }
    Ok((pages.into_iter().map(PrintPage::whole).collect(), of_match))
}

/// Creates canvases for paper.
#[derive(Clone, Copy)]
struct Printer<'p> {
    palette: &'p Palette,
}

impl<'p> Printer<'p> {
    fn canvas(self) -> Canvas<'p> {
        Canvas::new(self.palette)
    }
}

/// The size of something on paper.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PageArea {
    width: f64,
    height: f64,
}

impl PageArea {
    /// Returns the size of a page.
    fn new(paper: Paper, landscape: bool) -> PageArea {
        let (width, height) = paper.size();
        let (width, height) = if landscape { (height, width) } else { (width, height) };
        PageArea { width: width * MM, height: height * MM }
    }

    /// Returns the part of a page that can be printed on, above the foot.
    fn inside(self) -> PageArea {
        PageArea { width: self.width - 2.0 * MARGIN * MM, height: self.height - 2.0 * MARGIN * MM - FOOT }
    }

    fn holds(self, picture: &Picture) -> bool {
        picture.width <= self.width + 0.01 && picture.height <= self.height + 0.01
    }
}

/// Adds the foot to a page.
fn footed(page: &Picture, command: &str, place: &str, mut canvas: Canvas<'_>) -> Picture {
    canvas.put(0.0, 0.0, page);
    let font = font(8.0, QUIET);
    let (left, right, base) = (MARGIN * MM, page.width - MARGIN * MM, page.height - MARGIN * MM);
    let room = right - left - width(place, font.size, false) - 4.0 * MM;
    canvas.part("foot", |canvas| {
        canvas.text((left, base), Anchor::Start, font, &typeset::cut(command, font, room));
        canvas.text((right, base), Anchor::End, font, place);
    });
    canvas.done(page.width, page.height)
}

pub(crate) fn font(size: f64, ink: Ink) -> Font {
    Font { size, bold: false, ink }
}

pub(crate) fn bold(size: f64, ink: Ink) -> Font {
    Font { size, bold: true, ink }
}

/// A line to cut along.
const CUT: ShapeOutline = ShapeOutline { ink: FAINT, width: 0.75 };
