//! Sheets on pages: the largest squares for which boards and tables fit, in whole and half millimetres.

use super::sheets::{PaperSheet, WritingTable, match_sheet, sheets};
use super::typeset::measure;
use super::{
    CUT, FOOT, MARGIN, MM, MOST_SHEETS, PEN, PageArea, Paper, PrintError, PrintOptions, Printer, bold, font,
    table, typeset,
};
use houserule_game::State;
use houserule_picture::draw::svg::canvas::{Anchor, Picture, ShapeOutline};
use houserule_picture::draw::svg::page::{column, row, titled};
use houserule_picture::draw::svg::palette::{FAINT, TEXT};
use houserule_picture::draw::svg::panel::legend;
use houserule_picture::draw::svg::scene::KeptMarks;
use houserule_picture::draw::svg::token::{PieceLook, named};

/// Steps in which squares grow.
const STEP: f64 = 0.5 * MM;
/// Least distance between sites, for boards that fill a page.
const LEAST: f64 = 3.0 * MM;
/// Greatest distance between sites on a sheet of one player.
const OWN: f64 = 20.0 * MM;
/// Greatest distance between sites on a board for all.
const SHARED: f64 = 30.0 * MM;
/// Distance between the parts of a sheet.
const GAP: f64 = 5.0 * MM;
/// Distance of a sheet from the lines along which a page is cut.
const BLEED: f64 = 4.0 * MM;
/// Greatest width of the tables beside a board.
const ASIDE: f64 = 80.0 * MM;
/// How much larger squares must be for another arrangement than the usual.
const BETTER: f64 = 1.1;

/// Where the tables of a sheet stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TablePlace {
    Below,
    Beside,
}

/// How sheets are placed on a page.
#[derive(Clone, Copy, Debug)]
struct PaperLayout {
    landscape: bool,
    columns: u32,
    rows: u32,
}

/// The size of a sheet on a page.
#[derive(Clone, Copy, Debug)]
struct SheetFit {
    tables: TablePlace,
    pitch: f64,
    /// Whether the sheet fits at all.
    whole: bool,
}

/// Draws the pages with the sheets of a game, below a title.
pub(super) fn pages(
    state: &State,
    kept: &KeptMarks,
    title: &str,
    options: &PrintOptions,
    ink: Printer<'_>,
) -> Result<Vec<Picture>, PrintError> {
    let requested = options.per_page.unwrap_or(1).clamp(1, MOST_SHEETS);
    let fitter = Fitter { state, kept, title, ink };
    let sheets = sheets(state);
    let sheets: Vec<&PaperSheet> = sheets.iter().filter(|sheet| !sheet.is_blank()).collect();
    let Some(layout) = fitter.best(&sheets, requested, options) else {
        let fit =
            (1..requested).rev().find(|fewer| fitter.best(&sheets, *fewer, options).is_some()).unwrap_or(1);
        return Err(PrintError::TooSmall { requested, fit, paper: options.paper });
    };
    let copies = options.copies.unwrap_or((requested as usize / sheets.len().max(1)).max(1) as u32);
    let page = PageArea::new(options.paper, layout.landscape);
    let slot = layout.slot(page);
    let drawn: Vec<Picture> = sheets.iter().map(|sheet| fitter.drawn(sheet, slot)).collect();
    let all: Vec<&Picture> = (0..copies).flat_map(|_| &drawn).collect();
    Ok(all.chunks(requested as usize).map(|few| layout.page(page, few, ink)).collect())
}

/// Draws the page with the sheet of a match, if the rules have matches.
pub(super) fn match_page(
    state: &State,
    kept: &KeptMarks,
    title: &str,
    paper: Paper,
    ink: Printer<'_>,
) -> Option<Picture> {
    let sheet = match_sheet(state.game().model())?;
    let page = PageArea::new(paper, false);
    let mut canvas = ink.canvas();
    canvas.put(MARGIN * MM, MARGIN * MM, &Fitter { state, kept, title, ink }.drawn(&sheet, page.inside()));
    Some(canvas.done(page.width, page.height))
}

impl PaperSheet {
    /// Returns `true` if there is nothing to write on.
    fn is_blank(&self) -> bool {
        self.boards() == 0 && self.tables.iter().all(|table| table.rows.is_empty())
    }
}

impl PaperLayout {
    /// Returns all layouts of some sheets, upright first.
    fn all(count: u32) -> impl Iterator<Item = PaperLayout> {
        let grids = (1..=count).map(move |columns| (columns, count.div_ceil(columns)));
        let grids: Vec<(u32, u32)> = grids.filter(|(columns, rows)| columns * (rows - 1) < count).collect();
        let of = move |landscape| {
            grids.clone().into_iter().map(move |(columns, rows)| PaperLayout { landscape, columns, rows })
        };
        of(false).chain(of(true))
    }

    /// Returns the size of each sheet.
    fn slot(self, page: PageArea) -> PageArea {
        let PageArea { width, height } = page.inside();
        let share =
            |length: f64, count: u32| (length - 2.0 * BLEED * f64::from(count - 1)) / f64::from(count);
        PageArea { width: share(width, self.columns), height: share(height, self.rows) }
    }

    /// Places sheets on a page, with lines to cut along.
    fn page(self, page: PageArea, sheets: &[&Picture], ink: Printer<'_>) -> Picture {
        let mut canvas = ink.canvas();
        let slot = self.slot(page);
        let margin = MARGIN * MM;
        for (at, sheet) in (0u32..).zip(sheets) {
            let (column, row) = (f64::from(at % self.columns), f64::from(at / self.columns));
            let x =
                margin + column * (slot.width + 2.0 * BLEED) + ((slot.width - sheet.width) / 2.0).max(0.0);
            canvas.put(x, margin + row * (slot.height + 2.0 * BLEED), sheet);
        }
        let mut cuts = vec![];
        for column in 1..self.columns {
            let x = margin + f64::from(column) * (slot.width + 2.0 * BLEED) - BLEED;
            cuts.push(vec![(x, margin), (x, page.height - margin - FOOT)]);
        }
        for row in 1..self.rows {
            let y = margin + f64::from(row) * (slot.height + 2.0 * BLEED) - BLEED;
            cuts.push(vec![(margin, y), (page.width - margin, y)]);
        }
        canvas.part("cuts", |canvas| canvas.dashes(&cuts, CUT));
        canvas.done(page.width, page.height)
    }
}

/// Measures and draws sheets.
#[derive(Clone, Copy)]
struct Fitter<'s, 'p> {
    state: &'s State,
    kept: &'s KeptMarks,
    title: &'s str,
    ink: Printer<'p>,
}

impl Fitter<'_, '_> {
    /// Returns the layout with the largest squares for some sheets on a page. Returns `None` if several are smaller than
    /// a pen needs.
    fn best(self, sheets: &[&PaperSheet], count: u32, options: &PrintOptions) -> Option<PaperLayout> {
        // The sheets of all players are alike.
        let mut kinds: Vec<&PaperSheet> = vec![];
        for sheet in sheets {
            if kinds.iter().all(|known| known.seat.is_some() != sheet.seat.is_some()) {
                kinds.push(sheet);
            }
        }
        let mut best: Option<(f64, PaperLayout)> = None;
        for layout in PaperLayout::all(count) {
            let slot = layout.slot(PageArea::new(options.paper, layout.landscape));
            let fits: Vec<SheetFit> = kinds.iter().map(|sheet| self.fit(sheet, slot)).collect();
            let pitch = fits.iter().map(|fit| fit.pitch).fold(f64::INFINITY, f64::min);
            let whole = fits.iter().all(|fit| fit.whole);
            if count > 1 && (!whole || pitch < PEN * MM) {
                continue;
            }
            let worth = if whole { pitch } else { 0.0 };
            let needed = |(known, other): &(f64, PaperLayout)| match layout.landscape == other.landscape {
                true => *known,
                false => known * BETTER,
            };
            if best.as_ref().is_none_or(|best| worth > needed(best)) {
                best = Some((worth, layout));
            }
        }
        best.map(|(_, layout)| layout)
    }

    /// Returns the largest squares with which a sheet fits in an area.
    fn fit(self, sheet: &PaperSheet, area: PageArea) -> SheetFit {
        let most = if sheet.seat.is_some() || self.state.game().players() == 1 { OWN } else { SHARED };
        if sheet.boards() == 0 {
            let whole = area.holds(&self.composed(sheet, area, most, TablePlace::Below));
            return SheetFit { tables: TablePlace::Below, pitch: most, whole };
        }
        let largest = |tables: TablePlace| {
            let fits =
                |steps: u32| area.holds(&self.composed(sheet, area, LEAST + f64::from(steps) * STEP, tables));
            // Bisection: the first number of steps is known to fit, the second is too many.
            let (mut low, mut high) = (0, ((most - LEAST) / STEP).round() as u32 + 1);
            if !fits(low) {
                return SheetFit { tables, pitch: LEAST, whole: false };
            }
            while high - low > 1 {
                let middle = u32::midpoint(low, high);
                if fits(middle) { low = middle } else { high = middle }
            }
            SheetFit { tables, pitch: LEAST + f64::from(low) * STEP, whole: true }
        };
        let (below, beside) = (largest(TablePlace::Below), largest(TablePlace::Beside));
        let better = beside.whole && (!below.whole || beside.pitch > below.pitch * BETTER);
        if better { beside } else { below }
    }

    /// Draws a sheet as large as fits in an area. A sheet that is too large at any size is scaled.
    fn drawn(self, sheet: &PaperSheet, area: PageArea) -> Picture {
        let SheetFit { tables, pitch, whole } = self.fit(sheet, area);
        let picture = self.composed(sheet, area, pitch, tables);
        if whole {
            return picture;
        }
        let scale = (area.width / picture.width).min(area.height / picture.height);
        let mut canvas = self.ink.canvas();
        canvas.scaled((0.0, 0.0), scale, &picture);
        canvas.done(picture.width * scale, picture.height * scale)
    }

    /// Draws a sheet with squares of a given size.
    fn composed(self, sheet: &PaperSheet, area: PageArea, pitch: f64, tables: TablePlace) -> Picture {
        let head = self.head(sheet, area.width);
        let aside = match tables {
            TablePlace::Below => 0.0,
            TablePlace::Beside => {
                let least = sheet.tables.iter().map(table::least).fold(0.0, f64::max);
                (area.width * 0.36).min(ASIDE).max(least)
            }
        };
        let room = area.width - if aside > 0.0 { aside + GAP } else { 0.0 };
        let boards = self.boards(sheet, pitch, room);
        let pieces = named(self.state.game());
        let pieces = match boards.is_empty() || pieces.is_empty() {
            true => self.ink.canvas().done(0.0, 0.0),
            false => legend(&pieces, boards.width.max(30.0 * MM), self.ink.canvas()),
        };
        let boards = column(&[boards, pieces], 2.0 * MM, self.ink.canvas());
        let tabled = |width: f64| -> Vec<Picture> {
            let drawn = |one: &WritingTable| {
                table::draw(one, &self.state.game().model().seat_looks(), width, self.ink)
            };
            sheet.tables.iter().map(drawn).collect()
        };
        let body = match tables {
            TablePlace::Below => {
                let mut parts = vec![self.centred(boards, area.width)];
                parts.extend(tabled(area.width));
                column(&parts, GAP, self.ink.canvas())
            }
            TablePlace::Beside => {
                let left = area.width - boards.width - GAP;
                let tables = column(&tabled(left.clamp(aside, ASIDE.max(aside))), GAP, self.ink.canvas());
                let mut canvas = self.ink.canvas();
                canvas.put(0.0, 0.0, &boards);
                canvas.put(boards.width + GAP, 0.0, &tables);
                canvas.done(boards.width + GAP + tables.width, boards.height.max(tables.height))
            }
        };
        column(&[head, body], 3.0 * MM, self.ink.canvas())
    }

    fn centred(self, picture: Picture, width: f64) -> Picture {
        if picture.width >= width || picture.is_empty() {
            return picture;
        }
        let mut canvas = self.ink.canvas();
        canvas.put((width - picture.width) / 2.0, 0.0, &picture);
        canvas.done(width, picture.height)
    }

    /// Draws the title, and a line for the name of the player if the sheet is for one.
    fn head(self, sheet: &PaperSheet, width: f64) -> Picture {
        let model = self.state.game().model();
        let mut canvas = self.ink.canvas();
        let (title, small) = (bold(15.0, TEXT), font(9.5, TEXT));
        let base = 13.0;
        let mut right = width;
        if sheet.seat.is_some() || model.players.count == 1 {
            let line = (width * 0.42).min(62.0 * MM);
            right = width - line;
            let mut x = right;
            let name = sheet.seat.and_then(|seat| model.players.names.get(seat.index()));
            if let Some(seat) = sheet.seat {
                PieceLook::of_seat(seat, &model.seat_looks()).draw(&mut canvas, (x + 7.0, base - 4.0), 7.0);
                x += 18.0;
            }
            let word = name.map_or("name", String::as_str);
            canvas.text((x, base), Anchor::Start, small, word);
            x += measure(word, small) + 5.0;
            canvas.lines(
                &[vec![(x, base + 2.0), (width, base + 2.0)]],
                ShapeOutline { ink: FAINT, width: 0.75 },
            );
            right -= 4.0 * MM;
        }
        canvas.text((0.0, base), Anchor::Start, title, &typeset::cut(self.title, title, right));
        canvas.done(width, 17.0)
    }

    /// Draws the boards of a sheet with their names.
    fn boards(self, sheet: &PaperSheet, pitch: f64, room: f64) -> Picture {
        let several = sheet.boards() > 1;
        let mut pictures = vec![];
        for group in &sheet.groups {
            let boards = group.boards.iter().map(|(name, board)| {
                let board = board.draw(self.state, self.kept, pitch, self.ink.canvas());
                if several { titled(name, board, self.ink.canvas()) } else { board }
            });
            let boards: Vec<Picture> = boards.collect();
            match &group.name {
                Some(name) if several => {
                    let boards = row(&boards, room, self.ink.canvas());
                    pictures.push(titled(name, boards, self.ink.canvas()));
                }
                _ => pictures.extend(boards),
            }
        }
        match pictures.len() {
            1 => pictures.remove(0),
            _ => row(&pictures, room, self.ink.canvas()),
        }
    }
}
