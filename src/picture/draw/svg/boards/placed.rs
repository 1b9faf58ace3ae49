//! Boards whose sites have places, `shown at …`: crosses, rings and other ways, drawn together, with counters at their places.

use std::collections::BTreeSet;

use super::counters::CounterPile;
use super::jumps;
use super::printed::PrintedNumbers;
use crate::draw::svg::canvas::{Anchor, Canvas, Font, Picture, ShapeOutline, clipped};
use crate::draw::svg::hits;
use crate::draw::svg::palette::{
    BOARD_EDGE, FRESH, FRESH_EDGE, PAPER, QUIET, RULE, SHEET, TEXT, TILE, WOOD, seat,
};
use crate::draw::svg::scene::{PaperPoint, Scene, SceneSize, SiteCorners, font, side_of_square};
use crate::draw::svg::tiles::square;
use crate::draw::text::capitalised;
use houserule_base::names::plain;
use houserule_model::board::{Shape, Site};
use houserule_model::{
    BoardId, Content, Model, PLAYER, Seat, SeatLook, Slot, SlotId, SquarePlace, Value, Visibility,
};

/// The greatest width and height of a drawing, and the greatest distance of squares.
const ROOM: f64 = 600.0;
const PITCH: f64 = 40.0;
/// Least distance of squares.
const LEAST: f64 = 20.0;
/// Margin around the squares.
const MARGIN: f64 = 8.0;
/// The greatest half of the side of a tray.
const TRAY: i64 = 3;
/// Opacity of the colour of a player's lane.
const LANE: f64 = 0.3;
/// The most counters that are drawn one by one.
const MOST: i64 = 9;

/// Returns the boards that are drawn together: those with places, if any of them isn't a graph, or counters have places.
pub(in crate::draw::svg) fn placed_boards(model: &Model, has_counters: bool) -> Vec<BoardId> {
    let boards = (0..).map(BoardId).zip(&model.boards);
    let placed: Vec<BoardId> = boards
        .filter(|(_, board)| !board.look.places.is_empty() && board.index.is_empty())
        .map(|(id, _)| id)
        .collect();
    let is_graph = |id: &BoardId| *model.boards[id.index()].topology.shape() == Shape::Graph;
    if has_counters || !placed.iter().all(is_graph) { placed } else { vec![] }
}

/// Where squares are on the paper.
#[derive(Clone, Copy)]
struct SquareGrid {
    low: SquarePlace,
    high: SquarePlace,
    pitch: f64,
}

impl SquareGrid {
    fn new(places: impl Iterator<Item = SquarePlace>, size: SceneSize) -> SquareGrid {
        let mut ends: Option<(SquarePlace, SquarePlace)> = None;
        for place in places {
            let (low, high) = ends.get_or_insert((place, place));
            (low.x, low.y) = (low.x.min(place.x), low.y.min(place.y));
            (high.x, high.y) = (high.x.max(place.x), high.y.max(place.y));
        }
        let (low, high) = ends.unwrap_or_default();
        let most = (high.x - low.x).max(high.y - low.y) + 1;
        let pitch = match size {
            SceneSize::Room(_) => (ROOM / most as f64).clamp(LEAST, PITCH).floor(),
            SceneSize::Pitch(pitch) => pitch,
        };
        SquareGrid { low, high, pitch }
    }

    fn middle(self, x: f64, y: f64) -> PaperPoint {
        let right = x - self.low.x as f64 + 0.5;
        let down = self.high.y as f64 - y + 0.5;
        (MARGIN + right * self.pitch, MARGIN + down * self.pitch)
    }

    fn place(self, place: SquarePlace) -> PaperPoint {
        self.middle(place.x as f64, place.y as f64)
    }

    fn size(self) -> (f64, f64) {
        let side = |low: i64, high: i64| (high - low + 1) as f64 * self.pitch + 2.0 * MARGIN;
        (side(self.low.x, self.high.x), side(self.low.y, self.high.y))
    }

    /// Returns half of the side of a square.
    fn half(self) -> f64 {
        self.pitch / 2.0 - 1.25
    }

    fn holds(self, place: SquarePlace) -> bool {
        (self.low.x..=self.high.x).contains(&place.x) && (self.low.y..=self.high.y).contains(&place.y)
    }
}

/// Draws boards with places, and the counters that have places.
pub(in crate::draw::svg) fn draw(
    scenes: &[Scene<'_>],
    counters: &[CounterPile],
    mut canvas: Canvas<'_>,
) -> Picture {
    let sites = || scenes.iter().flat_map(|scene| scene.board.look.places.iter().copied());
    let own = counters.iter().filter_map(|pile| pile.place);
    let size = scenes.first().map_or(SceneSize::Room(ROOM), |scene| scene.size);
    let grid = SquareGrid::new(sites().chain(own), size);
    let (width, height) = grid.size();
    let edge = ShapeOutline { ink: BOARD_EDGE, width: 1.0 };
    canvas.rect((0.5, 0.5), (width - 1.0, height - 1.0), 10.0, Some(WOOD), Some(edge));
    let mut taken: BTreeSet<SquarePlace> = sites().collect();
    if let Some(scene) = scenes.first() {
        draw_counters(counters, &scene.seats, grid, &mut taken, &mut canvas);
    }
    for scene in scenes {
        draw_board(scene, grid, &mut canvas);
    }
    canvas.done(width, height)
}

fn draw_board(scene: &Scene<'_>, grid: SquareGrid, canvas: &mut Canvas<'_>) {
    let topology = &scene.board.topology;
    let at = |site: Site| grid.place(scene.board.look.places[site.index()]);
    let (half, r) = (grid.half(), grid.pitch * 0.36);
    let is_graph = *topology.shape() == Shape::Graph;
    if is_graph {
        let joined = topology.sites().flat_map(|from| {
            let beside = topology.beside(from);
            let later: Vec<Site> = beside.sites().filter(|to| *to > from).collect();
            later.into_iter().map(move |to| vec![at(from), at(to)])
        });
        canvas.lines(&joined.collect::<Vec<_>>(), ShapeOutline { ink: RULE, width: 2.0 });
    }
    let squares: Vec<Vec<PaperPoint>> = scene.sites().map(|site| square(at(site), half)).collect();
    canvas.cells(&squares, 4.0, SHEET);
    canvas.part("lanes", |canvas| {
        for (row, own) in lane_owners(scene) {
            let lane = scene.sites().filter(|site| topology.row_of(*site) == row);
            let squares: Vec<Vec<PaperPoint>> = lane.map(|site| square(at(site), half)).collect();
            canvas.pale(LANE, |canvas| canvas.cells(&squares, 4.0, seat(own, &scene.seats).body));
        }
    });
    // On paper, cells have an outline already.
    if !canvas.prints() {
        let edge = ShapeOutline { ink: RULE, width: 0.75 };
        for site in scene.sites() {
            let (x, y) = at(site);
            canvas.rect((x - half, y - half), (2.0 * half, 2.0 * half), 3.0, None, Some(edge));
        }
    }
    canvas.part("last", |canvas| {
        for site in scene.fresh.sites() {
            let (x, y) = at(site);
            let edge = ShapeOutline { ink: FRESH_EDGE, width: 1.5 };
            canvas.rect((x - half, y - half), (2.0 * half, 2.0 * half), 3.0, Some(FRESH), Some(edge));
        }
    });
    let whole = |site: Site| square(at(site), half);
    let cell = SiteCorners { at: &|site| square(at(site), half - 1.0), whole: &whole, round: 3.0 };
    scene.grounds(canvas, &at, Some(cell), r);
    // Nothing moves on paper, so that names stand above what is printed there.
    if canvas.prints() {
        jumps::draw(scene, canvas, &at, grid.pitch);
        draw_names(scene, grid, &at, canvas);
    } else {
        draw_names(scene, grid, &at, canvas);
        jumps::draw(scene, canvas, &at, grid.pitch);
    }
    scene.stand(canvas, &at, r);
    scene.hits(canvas, &|site| hits::square(at(site), grid.pitch / 2.0));
}

/// Draws the names of the sites of a graph below them, and the numbers of a track in the corners of its squares.
fn draw_names(scene: &Scene<'_>, grid: SquareGrid, at: &dyn Fn(Site) -> PaperPoint, canvas: &mut Canvas<'_>) {
    let topology = &scene.board.topology;
    let half = grid.half();
    if *topology.shape() == Shape::Graph {
        canvas.part("coordinates", |canvas| {
            for site in scene.sites() {
                let (x, y) = at(site);
                let name = clipped(&topology.site_name(site), font(11.0, QUIET), 2.0 * grid.pitch);
                let below = if canvas.prints() { -4.0 } else { 11.0 };
                canvas.text((x, y + half + below), Anchor::Middle, font(11.0, QUIET), &name);
            }
        });
    }
    if matches!(topology.shape(), Shape::Track { wrap: false }) {
        canvas.part("coordinates", |canvas| {
            // On paper, squares may be smaller than on a screen.
            let size = if canvas.prints() { (grid.pitch * 0.27).clamp(5.0, 12.0) } else { 10.5 };
            let small = font(size, QUIET);
            for site in scene.sites() {
                let (x, y) = at(site);
                canvas.text(
                    (x - half + 3.0, y - half + size + 0.5),
                    Anchor::Start,
                    small,
                    &topology.site_name(site),
                );
            }
        });
    }
    if let Some(printed) = PrintedNumbers::find(scene) {
        let small = font(10.5, TEXT);
        printed.write(scene, canvas, (small, Anchor::End), &|site| {
            let (x, y) = at(site);
            (x + half - 3.0, y - half + 11.0)
        });
    }
}

/// Returns the rows of a grid that belong to players: a variable says for each of them another row.
fn lane_owners(scene: &Scene<'_>) -> Vec<(u32, Seat)> {
    let (state, topology) = (scene.state, &scene.board.topology);
    if !topology.has_rows() {
        return vec![];
    }
    let rows = i64::from(topology.height());
    let numbers_rows = |slot: &Slot| {
        slot.is_declared_variable()
            && slot.index == [PLAYER]
            && slot.visibility == Visibility::All
            && slot.content == Content::Number { low: 1, high: rows }
    };
    let slots = (0..).map(SlotId).zip(&state.game().model().slots);
    let mut owners = slots.filter(|(_, slot)| numbers_rows(slot)).map(|(id, slot)| {
        let row = |place: usize| match state.value(id, place) {
            Value::Number(row) => u32::try_from(row).ok(),
            _ => None,
        };
        let all: Vec<(u32, Seat)> =
            (0..slot.initial.len()).filter_map(|place| Some((row(place)?, Seat(place as u32)))).collect();
        let differ = |at: usize| all[..at].iter().all(|(row, _)| *row != all[at].0);
        if (0..all.len()).all(differ) { all } else { vec![] }
    });
    owners.find(|all| !all.is_empty()).unwrap_or_default()
}

/// Draws the counters at their places: those of one player in a tray of that player's colour, those of several in a common
/// one.
fn draw_counters(
    counters: &[CounterPile],
    seats: &[SeatLook],
    grid: SquareGrid,
    taken: &mut BTreeSet<SquarePlace>,
    canvas: &mut Canvas<'_>,
) {
    let mut places: Vec<SquarePlace> = counters.iter().filter_map(|pile| pile.place).collect();
    places.sort_unstable();
    places.dedup();
    // The places of all are taken, whatever else there is room for.
    let others: BTreeSet<SquarePlace> = places.iter().copied().collect();
    canvas.part("counters", |canvas| {
        for place in places {
            let here: Vec<&CounterPile> = counters.iter().filter(|pile| pile.place == Some(place)).collect();
            let is_free = |around: &[SquarePlace]| {
                around.iter().all(|one| {
                    grid.holds(*one) && !taken.contains(one) && (*one == place || !others.contains(one))
                })
            };
            let block = find_block(place, here.len() == 1, is_free);
            taken.extend(block.squares());
            let tray = Tray { block, grid, seats };
            match here[..] {
                [pile] => tray.draw_own(pile, canvas),
                _ => tray.draw_common(&here, canvas),
            }
        }
    });
}

/// Squares around a place: from the lower left to the upper right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SquareBlock {
    low: SquarePlace,
    side: i64,
}

impl SquareBlock {
    fn squares(self) -> Vec<SquarePlace> {
        let all = 0..self.side;
        all.clone()
            .flat_map(|x| all.clone().map(move |y| (x, y)))
            .map(|(x, y)| SquarePlace { x: self.low.x + x, y: self.low.y + y })
            .collect()
    }
}

/// Returns the largest free block around a place. An even one, which has the place at the lower left of its middle, if the
/// counters are of one player, or else an odd one.
fn find_block(place: SquarePlace, is_even: bool, is_free: impl Fn(&[SquarePlace]) -> bool) -> SquareBlock {
    let block = |half: i64| match is_even {
        true => {
            SquareBlock { low: SquarePlace { x: place.x - half + 1, y: place.y - half + 1 }, side: 2 * half }
        }
        false => {
            SquareBlock { low: SquarePlace { x: place.x - half, y: place.y - half }, side: 2 * half + 1 }
        }
    };
    let single = SquareBlock { low: place, side: 1 };
    (1..=TRAY).rev().map(block).find(|block| is_free(&block.squares())).unwrap_or(single)
}

/// A tray with counters.
struct Tray<'t> {
    block: SquareBlock,
    grid: SquareGrid,
    seats: &'t [SeatLook],
}

impl Tray<'_> {
    /// The upper left corner and the side, in pixels.
    fn frame(&self) -> (PaperPoint, f64) {
        let SquareBlock { low, side } = self.block;
        let (x, y) = self.grid.place(SquarePlace { x: low.x, y: low.y + side - 1 });
        let half = self.grid.pitch / 2.0;
        ((x - half + 2.0, y - half + 2.0), side as f64 * self.grid.pitch - 4.0)
    }

    fn draw_own(&self, pile: &CounterPile, canvas: &mut Canvas<'_>) {
        let ((left, top), side) = self.frame();
        let is_large = self.block.side >= 4;
        let colours = pile.seat.map(|own| seat(own, self.seats));
        let (fill, ink) = colours.map_or((TILE, RULE), |colours| (colours.body, colours.edge));
        // Paper stays white: the edge alone has the colour.
        let (fill, width) = if canvas.prints() { (PAPER, 2.5) } else { (fill, 1.25) };
        let edge = ShapeOutline { ink, width };
        canvas.rect((left, top), (side, side), if is_large { 12.0 } else { 5.0 }, Some(fill), Some(edge));
        let frame = if is_large { (side * 0.14).max(24.0) } else { 3.0 };
        let inner = side - 2.0 * frame;
        let around = (is_large && canvas.prints()).then_some(ShapeOutline { ink, width: 1.0 });
        let round = if is_large { 9.0 } else { 4.0 };
        canvas.rect((left + frame, top + frame), (inner, inner), round, Some(PAPER), around);
        if let Some(name) = pile.seat.and_then(|own| self.seats.get(own.index())).filter(|_| is_large) {
            let ink = colours.filter(|_| !canvas.prints()).map_or(TEXT, |colours| colours.mark);
            let label = Font { size: 13.0, bold: true, ink };
            let name = clipped(&capitalised(&plain(&name.name)), label, side - 16.0);
            canvas.text((left + side / 2.0, top + frame / 2.0 + 5.0), Anchor::Middle, label, &name);
        }
        let middle = (left + side / 2.0, top + side / 2.0);
        self.draw_holes(pile, middle, inner, canvas);
    }

    /// Draws a place for each counter that there can be, and the counters; a number if these are many.
    fn draw_holes(&self, pile: &CounterPile, middle: PaperPoint, room: f64, canvas: &mut Canvas<'_>) {
        let (x, y) = middle;
        let count = pile.count.unwrap_or(0);
        if pile.most > MOST || pile.count.is_none() || room < 2.0 * LEAST && pile.most > 4 {
            let r = (room * 0.3).min(self.grid.pitch * 0.36);
            if count > 0 {
                pile.token.draw(canvas, (x - r * 0.8, y), r);
            } else if canvas.prints() {
                // The counters themselves lie here.
                return;
            }
            let said = pile.count.map_or("?".to_owned(), |count| count.to_string());
            let great = Font { size: r.clamp(10.5, 15.0), bold: true, ink: TEXT };
            canvas.text((x + r * 0.4, y + great.size * 0.36), Anchor::Start, great, &said);
            return;
        }
        let across = side_of_square(pile.most as usize) as i64;
        let down = (pile.most + across - 1) / across.max(1);
        let step = room / across.max(down).max(1) as f64;
        let r = (step * 0.34).min(self.grid.pitch * 0.4);
        let edge = ShapeOutline { ink: RULE, width: 1.0 };
        for at in 0..pile.most {
            let (column, row) = (at % across, at / across);
            let place = (
                x + (column as f64 - (across - 1) as f64 / 2.0) * step,
                y + (row as f64 - (down - 1) as f64 / 2.0) * step,
            );
            canvas.circle(place, r * 1.16, Some(TILE), Some(edge));
            if at < count {
                pile.token.draw(canvas, place, r);
            }
        }
    }

    /// Draws the counters of several players, those of each in a corner.
    fn draw_common(&self, piles: &[&CounterPile], canvas: &mut Canvas<'_>) {
        let ((left, top), side) = self.frame();
        canvas.rect(
            (left, top),
            (side, side),
            5.0,
            Some(PAPER),
            Some(ShapeOutline { ink: RULE, width: 1.0 }),
        );
        let across = side_of_square(piles.len());
        let down = piles.len().div_ceil(across);
        let (wide, high) = (side / across as f64, side / down as f64);
        let great = Font { size: (high * 0.34).clamp(10.5, 16.0), bold: true, ink: TEXT };
        for (at, pile) in piles.iter().enumerate() {
            let x = left + ((at % across) as f64 + 0.5) * wide;
            let y = top + ((at / across) as f64 + 0.5) * high;
            let r = (wide.min(high) * 0.24).min(self.grid.pitch * 0.36);
            let Some(count) = pile.count.filter(|count| *count > 0) else {
                canvas.circle((x, y), r, Some(TILE), Some(ShapeOutline { ink: RULE, width: 1.0 }));
                continue;
            };
            pile.token.draw(canvas, (x - r * 0.7, y), r);
            canvas.text((x + r * 0.6, y + great.size * 0.36), Anchor::Start, great, &count.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tray_takes_what_is_free() {
        let place = SquarePlace { x: 2, y: 2 };
        let all_free = find_block(place, true, |_| true);
        assert_eq!(all_free, SquareBlock { low: SquarePlace { x: 0, y: 0 }, side: 6 });
        let narrow = find_block(place, true, |squares| squares.len() <= 4);
        assert_eq!(narrow, SquareBlock { low: place, side: 2 });
        let none = find_block(place, true, |_| false);
        assert_eq!((none.low, none.squares()), (place, vec![place]));
        let common = find_block(SquarePlace { x: 7, y: 7 }, false, |squares| squares.len() <= 9);
        assert_eq!(common, SquareBlock { low: SquarePlace { x: 6, y: 6 }, side: 3 });
    }

    #[test]
    fn squares_go_up_and_to_the_right() {
        let grid = SquareGrid::new(
            [(0, 0), (14, 14)].map(|(x, y)| SquarePlace { x, y }).into_iter(),
            SceneSize::Room(ROOM),
        );
        assert_eq!(grid.pitch, 40.0);
        let (low, high) = (grid.place(SquarePlace { x: 0, y: 0 }), grid.place(SquarePlace { x: 14, y: 14 }));
        assert!(low.0 < high.0 && low.1 > high.1);
    }
}
