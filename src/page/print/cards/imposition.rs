//! Cards on pages: as many as fit, with marks to cut along, and their backs on the other side or across a fold.

use super::{CardBacks, CardLayout, CardOptions, Deck, DeckCard, decks, too_large};
use crate::print::{CUT, FOOT, MARGIN, MM, PageArea, Paper, PrintError, PrintPage, Printer, font};
use houserule_game::Game;
use houserule_picture::draw::svg::canvas::{Anchor, Canvas, ShapeOutline};
use houserule_picture::draw::svg::palette::{QUIET, TEXT};
use houserule_picture::draw::svg::printed::CardCut;
use houserule_picture::render::pdf::{PageBox, PageBoxes};

/// Height of the line above the cards.
const HEAD: f64 = 6.0 * MM;
/// Length of a mark to cut along, and its distance from the cards.
const MARK: f64 = 3.0 * MM;
const MARK_GAP: f64 = 1.0 * MM;
/// Height of the words at the foot of a page.
const FOOT_WORDS: f64 = 2.4 * MM;
/// A line to cut along: a hairline.
const MARK_LINE: ShapeOutline = ShapeOutline { ink: TEXT, width: 0.4 };

/// Adds the pages with cards to cut out to others.
pub(in crate::print) fn add_pages(
    pages: &mut Vec<PrintPage>,
    games: (&Game, Option<&Game>),
    paper: Paper,
    options: &CardOptions,
    ink: Printer<'_>,
) -> Result<(), PrintError> {
    let (game, since) = games;
    for deck in decks(game, since) {
        // Faces and their backs are the two sides of one sheet of paper.
        let is_duplex = options.layout == CardLayout::Sheets && options.backs.is_duplex() && deck.has_backs();
        if is_duplex && pages.len() % 2 == 1 {
            let PageArea { width, height } = PageArea::new(paper, false);
            pages.push(PrintPage::whole(ink.canvas().done(width, height)));
        }
        match options.layout {
            CardLayout::Pages => pages.extend(single_pages(game, &deck, options, ink)),
            CardLayout::Sheets => {
                let grid = CardGrid::best(&deck, options, paper).ok_or_else(|| too_large(options, paper))?;
                pages.extend(grid.pages(game, &deck, ink));
            }
        }
    }
    Ok(())
}

/// Draws each card on a page of its own, with its back after it if backs are printed.
fn single_pages(game: &Game, deck: &Deck, options: &CardOptions, ink: Printer<'_>) -> Vec<PrintPage> {
    let cut = deck.cut(options);
    let corner = (cut.bleed, cut.bleed);
    let size = cut.outer();
    let boxes = PageBoxes {
        trim: PageBox { corner, size: (cut.width, cut.height) },
        bleed: PageBox { corner: (0.0, 0.0), size },
    };
    let page = |draw: &dyn Fn(&mut Canvas<'_>)| {
        let mut canvas = ink.canvas();
        draw(&mut canvas);
        PrintPage { picture: canvas.done(size.0, size.1), boxes: Some(boxes), foot: false }
    };
    let mut pages = vec![];
    for card in deck.each() {
        pages.push(page(&|canvas| deck.draw_face(game, canvas, corner, cut, card)));
        if options.backs != CardBacks::None && deck.has_backs() {
            pages.push(page(&|canvas| deck.draw_back(canvas, corner, cut)));
        }
    }
    pages
}

/// The places of cards on a page.
#[derive(Clone, Copy, Debug)]
struct CardGrid {
    page: PageArea,
    landscape: bool,
    columns: usize,
    rows: usize,
    /// The upper left corner of all cards with their bleed.
    corner: (f64, f64),
    cut: CardCut,
    backs: CardBacks,
}

/// Lines of a page, each with its ends.
type CutLines = Vec<Vec<(f64, f64)>>;

impl CardGrid {
    /// Returns the grid that needs the fewest pages, upright if both need as many. Returns `None` if not one card fits.
    fn best(deck: &Deck, options: &CardOptions, paper: Paper) -> Option<CardGrid> {
        let backs = if deck.has_backs() { options.backs } else { CardBacks::None };
        let cut = deck.cut(options);
        let grids = [false, true]
            .map(|landscape| CardGrid::new(cut, backs, PageArea::new(paper, landscape), landscape));
        let [upright, across] = grids;
        let pages = |grid: &CardGrid| match grid.count() {
            0 => usize::MAX,
            count => deck.pieces().div_ceil(count),
        };
        let best = if pages(&across) < pages(&upright) { across } else { upright };
        (best.count() > 0).then_some(best)
    }

    fn new(cut: CardCut, backs: CardBacks, page: PageArea, landscape: bool) -> CardGrid {
        let inside = page.inside();
        let step = cut.outer();
        let width = if backs == CardBacks::Fold { inside.width / 2.0 } else { inside.width };
        let columns = (width / step.0 + 1e-6).floor() as usize;
        let rows = ((inside.height - HEAD) / step.1 + 1e-6).floor() as usize;
        let wide = columns as f64 * step.0;
        let left = if backs == CardBacks::Fold { page.width / 2.0 - wide } else { (page.width - wide) / 2.0 };
        // Backs that are turned over along a horizontal edge come to lie where the faces are.
        let high = rows as f64 * step.1;
        let top = match backs {
            CardBacks::LongEdge | CardBacks::ShortEdge => {
                ((page.height - high) / 2.0).max(MARGIN * MM + HEAD)
            }
            _ => MARGIN * MM + HEAD,
        };
        CardGrid { page, landscape, columns, rows, corner: (left, top), cut, backs }
    }

    fn count(&self) -> usize {
        self.columns * self.rows
    }

    /// Returns where a card is cut.
    fn place(&self, at: usize) -> (f64, f64) {
        let (column, row) = ((at % self.columns) as f64, (at / self.columns) as f64);
        let (across, down) = self.cut.outer();
        (self.corner.0 + column * across + self.cut.bleed, self.corner.1 + row * down + self.cut.bleed)
    }

    /// Returns where the back of a card is cut: its mirror image about the edge along which the paper is turned, or the fold.
    fn back_place(&self, at: usize) -> (f64, f64) {
        let (x, y) = self.place(at);
        match (self.backs, self.landscape) {
            // The long edge of a page across is horizontal.
            (CardBacks::LongEdge, true) | (CardBacks::ShortEdge, false) => {
                (x, self.page.height - y - self.cut.height)
            }
            _ => (self.page.width - x - self.cut.width, y),
        }
    }

    /// Returns the pages of a deck.
    fn pages(&self, game: &Game, deck: &Deck, ink: Printer<'_>) -> Vec<PrintPage> {
        let all: Vec<&DeckCard> = deck.each().collect();
        let mut pages = vec![];
        for cards in all.chunks(self.count()) {
            pages.push(self.faces(game, deck, cards, all.len(), ink));
            if self.backs.is_duplex() {
                pages.push(self.backs(deck, cards.len(), ink));
            }
        }
        pages
    }

    fn faces(
        &self,
        game: &Game,
        deck: &Deck,
        cards: &[&DeckCard],
        total: usize,
        ink: Printer<'_>,
    ) -> PrintPage {
        let mut canvas = ink.canvas();
        let fold = if self.backs == CardBacks::Fold { ", fold the page between faces and backs" } else { "" };
        let head = format!("{}: {total} to cut out{fold}", deck.name);
        canvas.text((self.place(0).0, MARGIN * MM + 4.0), Anchor::Start, font(8.5, QUIET), &head);
        canvas.part("cards", |canvas| {
            for (at, card) in cards.iter().enumerate() {
                deck.draw_face(game, canvas, self.place(at), self.cut, card);
            }
        });
        if self.backs == CardBacks::Fold {
            canvas.part("backs", |canvas| {
                for at in 0..cards.len() {
                    deck.draw_back(canvas, self.back_place(at), self.cut);
                }
            });
            let middle = self.page.width / 2.0;
            let ends = [self.corner.1 - MARK, self.page.height - MARGIN * MM - FOOT];
            canvas.part("fold", |canvas| canvas.dashes(&[ends.map(|y| (middle, y)).to_vec()], CUT));
        }
        let (marks, across) = self.cuts(cards.len());
        if self.cut.bleed == 0.0 {
            canvas.part("cuts", |canvas| canvas.dashes(&across, CUT));
        }
        canvas.part("marks", |canvas| canvas.lines(&marks, MARK_LINE));
        let picture = canvas.done(self.page.width, self.page.height);
        PrintPage { picture, boxes: Some(self.boxes(&self.places(cards.len()))), foot: true }
    }

    /// Draws the page with the backs of some cards. A page that is turned over along a horizontal edge is upside down.
    fn backs(&self, deck: &Deck, count: usize, ink: Printer<'_>) -> PrintPage {
        let mut canvas = ink.canvas();
        let places: Vec<(f64, f64)> = (0..count).map(|at| self.back_place(at)).collect();
        canvas.part("backs", |canvas| {
            places.iter().for_each(|at| deck.draw_back(canvas, *at, self.cut));
        });
        let picture = canvas.done(self.page.width, self.page.height);
        PrintPage { picture, boxes: Some(self.boxes(&places)), foot: true }
    }

    /// Returns the extent of cards at some places after they are cut: the upper left and the lower right corner.
    fn extent(&self, places: &[(f64, f64)]) -> ((f64, f64), (f64, f64)) {
        let most = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        let low =
            places.iter().fold((f64::INFINITY, f64::INFINITY), |low, at| (low.0.min(at.0), low.1.min(at.1)));
        let high = places.iter().fold(most, |high, at| (high.0.max(at.0), high.1.max(at.1)));
        (low, (high.0 + self.cut.width, high.1 + self.cut.height))
    }

    /// Returns the places of some faces, and of the backs beside them if the page is folded.
    fn places(&self, count: usize) -> Vec<(f64, f64)> {
        let folded = if self.backs == CardBacks::Fold { count } else { 0 };
        (0..count).map(|at| self.place(at)).chain((0..folded).map(|at| self.back_place(at))).collect()
    }

    /// Returns the marks at the edges, on both ends of each cut, and the cuts across the page.
    fn cuts(&self, count: usize) -> (CutLines, CutLines) {
        let ((left, top), (right, bottom)) = self.extent(&self.places(count));
        let bleed = self.cut.bleed;
        let mut xs: Vec<f64> = vec![];
        let mut ys: Vec<f64> = vec![];
        for at in 0..self.columns.min(count) {
            let places = [self.place(at).0, self.back_place(at).0];
            let shown = if self.backs == CardBacks::Fold { &places[..] } else { &places[..1] };
            xs.extend(shown.iter().flat_map(|x| [*x, x + self.cut.width]));
        }
        for row in 0..count.div_ceil(self.columns) {
            let y = self.place(row * self.columns).1;
            ys.extend([y, y + self.cut.height]);
        }
        for lines in [&mut xs, &mut ys] {
            lines.sort_by(f64::total_cmp);
            lines.dedup_by(|a, b| (*a - *b).abs() < 0.01);
        }
        let ends = |low: f64, high: f64| {
            let near = bleed + MARK_GAP;
            [(low - near - MARK, low - near), (high + near, high + near + MARK)]
        };
        // The foot of the page has words.
        let foot = self.page.height - MARGIN * MM - FOOT_WORDS;
        let upright = xs.iter().flat_map(|x| {
            let marks = ends(top, bottom).map(|(from, to)| (from, to.min(foot)));
            marks.into_iter().filter(|(from, to)| from < to).map(|(from, to)| vec![(*x, from), (*x, to)])
        });
        let level = ys.iter().flat_map(|y| ends(left, right).map(|(from, to)| vec![(from, *y), (to, *y)]));
        let marks = upright.chain(level).collect();
        let down = xs.iter().map(|x| vec![(*x, top), (*x, bottom)]);
        let across = down.chain(ys.iter().map(|y| vec![(left, *y), (right, *y)])).collect();
        (marks, across)
    }

    fn boxes(&self, places: &[(f64, f64)]) -> PageBoxes {
        let ((left, top), (right, bottom)) = self.extent(places);
        let around = |by: f64| PageBox {
            corner: (left - by, top - by),
            size: (right - left + 2.0 * by, bottom - top + 2.0 * by),
        };
        PageBoxes { trim: around(0.0), bleed: around(self.cut.bleed) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(backs: CardBacks, landscape: bool) -> CardGrid {
        let cut = CardCut { width: 60.0 * MM, height: 80.0 * MM, bleed: 2.0 * MM };
        CardGrid::new(cut, backs, PageArea::new(Paper::A4, landscape), landscape)
    }

    #[test]
    fn backs_lie_behind_their_faces() {
        for (backs, landscape, across) in [
            (CardBacks::LongEdge, false, true),
            (CardBacks::ShortEdge, false, false),
            (CardBacks::LongEdge, true, false),
            (CardBacks::ShortEdge, true, true),
            (CardBacks::Fold, false, true),
        ] {
            let grid = grid(backs, landscape);
            for at in 0..grid.count() {
                let ((x, y), (back_x, back_y)) = (grid.place(at), grid.back_place(at));
                let turned = match across {
                    true => (grid.page.width - back_x - grid.cut.width, back_y),
                    false => (back_x, grid.page.height - back_y - grid.cut.height),
                };
                assert!(
                    (turned.0 - x).abs() < 0.01 && (turned.1 - y).abs() < 0.01,
                    "{backs:?} {landscape} {at}"
                );
                let margin = (MARGIN - 0.01) * MM;
                let inside = |at: f64, length: f64, page: f64| at >= margin && at + length <= page - margin;
                assert!(inside(back_x, grid.cut.width, grid.page.width), "{backs:?} {landscape} {at}");
                assert!(inside(back_y, grid.cut.height, grid.page.height), "{backs:?} {landscape} {at}");
            }
        }
    }

    #[test]
    fn faces_and_backs_of_a_fold_don_t_meet() {
        let grid = grid(CardBacks::Fold, false);
        let middle = grid.page.width / 2.0;
        for at in 0..grid.count() {
            assert!(grid.place(at).0 + grid.cut.width + grid.cut.bleed <= middle + 0.01);
            assert!(grid.back_place(at).0 - grid.cut.bleed >= middle - 0.01);
        }
    }

    #[test]
    fn each_cut_has_marks_on_both_ends() {
        let grid = grid(CardBacks::None, false);
        assert_eq!((grid.columns, grid.rows), (2, 3));
        let (marks, across) = grid.cuts(3);
        // Four cuts down and four across: cards with a bleed have gaps between them.
        assert_eq!((marks.len(), across.len()), (16, 8));
    }
}
