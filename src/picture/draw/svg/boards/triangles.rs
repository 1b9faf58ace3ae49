//! The board of backgammon: `shown as triangles`. Each player has a track of points, which the two count from opposite ends,
//! with the bar at its end.

use super::counters::CounterPile;
use super::marks::mark_point;
use crate::draw::svg::canvas::{Anchor, Canvas, Font, Picture, ShapeOutline, ThingArea};
use crate::draw::svg::palette::{BOARD_A, BOARD_B, BOARD_EDGE, FRESH_EDGE, ON, PAPER, QUIET, TEXT};
use crate::draw::svg::scene::{PaperPoint, Scene, SceneSize, font};
use crate::draw::svg::token::PieceLook;
use houserule_base::names::plain;
use houserule_game::drawing::SiteContents;
use houserule_model::Seat;
use houserule_model::board::Site;

/// Width of a point.
const WIDE: f64 = 56.0;
/// Height of the board inside its frame.
const HIGH: f64 = 372.0;
/// Height of a triangle.
const TRIANGLE: f64 = 0.415 * HIGH;
/// Width of the frame.
const FRAME: f64 = 12.0;
/// Width of the bar.
const BAR: f64 = 52.0;
/// Width of the trays.
const TRAY: f64 = 62.0;
/// Radius of a man.
const MAN: f64 = 24.0;
/// The most men that lie in a line. More have a number.
const MOST: i64 = 5;
/// Height of the numbers of the points above and below the board.
const NUMBERS: f64 = 20.0;

/// The places of the points of a board.
#[derive(Clone, Copy)]
struct PointPlaces {
    /// Number of points of the board.
    points: u32,
}

impl PointPlaces {
    /// Returns the left side of the columns of points: those left of the bar, then those right of it.
    fn left(self, column: u32) -> f64 {
        let bar = if column >= self.half() / 2 { BAR } else { 0.0 };
        FRAME + f64::from(column) * WIDE + bar
    }

    /// Number of points of the lower and of the upper side.
    fn half(self) -> u32 {
        self.points / 2
    }

    /// Returns the column of a point as the lower player counts, and whether it is on the lower side. The first is at the
    /// lower right.
    fn place(self, point: u32) -> (u32, bool) {
        let half = self.half();
        if point < half { (half - 1 - point, true) } else { (point - half, false) }
    }

    fn width(self) -> f64 {
        2.0 * FRAME + f64::from(self.half()) * WIDE + BAR
    }

    /// Returns the middle of the bar.
    fn bar(self) -> f64 {
        FRAME + f64::from(self.half() / 2) * WIDE + BAR / 2.0
    }
}

/// Draws the boards of both players as one. `lower` is the seat whose first point is at the lower right; `off` are counters
/// that lie beside the board.
pub(in crate::draw::svg) fn draw(
    scenes: [&Scene<'_>; 2],
    lower: usize,
    off: &[CounterPile],
    mut canvas: Canvas<'_>,
) -> Picture {
    let places = PointPlaces { points: scenes[0].board.topology.size() - 1 };
    let (top, bottom) = (NUMBERS + FRAME, NUMBERS + FRAME + HIGH);
    let tray = if off.is_empty() { 0.0 } else { TRAY + FRAME };
    let size = (places.width() + tray, HIGH + 2.0 * FRAME);
    // On paper, the frame is white, too.
    let edge = canvas.prints().then_some(ShapeOutline { ink: BOARD_EDGE, width: 1.5 });
    canvas.rect((0.0, NUMBERS), size, 10.0, Some(edge.map_or(BOARD_EDGE, |_| PAPER)), edge);
    let half = f64::from(places.half() / 2) * WIDE;
    for left in [FRAME, FRAME + half + BAR] {
        canvas.rect((left, top), (half, HIGH), 3.0, Some(BOARD_A), edge);
    }
    triangles(places, (top, bottom), &mut canvas);
    canvas.part("coordinates", |canvas| {
        for point in 0..places.points {
            let (column, is_low) = places.place(point);
            let x = places.left(column) + WIDE / 2.0;
            let y = if is_low { bottom + FRAME + 14.0 } else { NUMBERS - 7.0 };
            canvas.text((x, y), Anchor::Middle, font(12.0, QUIET), &(point + 1).to_string());
        }
    });
    let mut lying = MenOnBoard { places, scenes, lower, canvas };
    lying.draw_men((top, bottom));
    lying.mark_points((top, bottom));
    let MenOnBoard { mut canvas, .. } = lying;
    if !off.is_empty() {
        trays(places.width(), (top, bottom), lower, off, &mut canvas);
    }
    let high = size.1 + 2.0 * NUMBERS;
    let SceneSize::Pitch(pitch) = scenes[0].size else { return canvas.done(size.0, high) };
    let scale = pitch / WIDE;
    let mut scaled = canvas.fresh();
    scaled.scaled((0.0, 0.0), scale, &canvas.done(size.0, high));
    scaled.done(size.0 * scale, high * scale)
}

/// Draws the triangles in two colours.
fn triangles(places: PointPlaces, ends: (f64, f64), canvas: &mut Canvas<'_>) {
    let (top, bottom) = ends;
    let triangle = |point: u32| {
        let (column, is_low) = places.place(point);
        let left = places.left(column);
        let (base, tip) = if is_low { (bottom, bottom - TRIANGLE) } else { (top, top + TRIANGLE) };
        vec![(left + 1.5, base), (left + WIDE / 2.0, tip), (left + WIDE - 1.5, base)]
    };
    let of = |odd: u32| (0..places.points).filter(|point| point % 2 == odd).map(triangle).collect::<Vec<_>>();
    canvas.shapes(&of(0), 0.5, PAPER);
    canvas.shapes(&of(1), 0.5, BOARD_B);
    let lines = of(0).into_iter().map(|mut triangle| {
        triangle.push(triangle[0]);
        triangle
    });
    canvas.lines(&lines.collect::<Vec<_>>(), ShapeOutline { ink: BOARD_EDGE, width: 0.75 });
}

/// The men on the points and on the bar.
struct MenOnBoard<'d, 's, 'p> {
    places: PointPlaces,
    scenes: [&'d Scene<'s>; 2],
    lower: usize,
    canvas: Canvas<'p>,
}

impl MenOnBoard<'_, '_, '_> {
    /// Returns the point of a site as the lower player counts; nothing for the bar.
    fn point(&self, seat: usize, site: Site) -> Option<u32> {
        let points = self.places.points;
        match site.0 {
            bar if bar == points => None,
            point if seat == self.lower => Some(point),
            point => Some(points - 1 - point),
        }
    }

    fn count(&self, seat: usize, site: Site) -> Option<i64> {
        match self.scenes[seat].marked.marks[site.index()] {
            SiteContents::Number(men) => Some(men),
            SiteContents::Piece(_) => Some(1),
            SiteContents::Empty => Some(0),
            SiteContents::Hidden => None,
        }
    }

    /// Returns the middles of the first men of a site, those at the base first.
    fn middles(&self, seat: usize, site: Site, ends: (f64, f64), count: i64) -> Vec<PaperPoint> {
        let (top, bottom) = ends;
        let steps = (0..count.clamp(0, MOST)).map(|at| at as f64);
        match self.point(seat, site) {
            Some(point) => {
                let (column, is_low) = self.places.place(point);
                let x = self.places.left(column) + WIDE / 2.0;
                // Two full lines that meet don't cover each other.
                let room = HIGH / 2.0 - 2.0 * MAN - 3.0;
                let step = (room / (count.clamp(2, MOST) - 1) as f64).min(2.0 * MAN + 1.0);
                let y = |at: f64| MAN + 1.0 + at * step;
                steps.map(|at| (x, if is_low { bottom - y(at) } else { top + y(at) })).collect()
            }
            None => {
                let middle = (top + bottom) / 2.0;
                let x = self.places.bar();
                let y = |step: f64| MAN + 16.0 + step * MAN * 1.5;
                let is_low = seat == self.lower;
                steps.map(|step| (x, if is_low { middle + y(step) } else { middle - y(step) })).collect()
            }
        }
    }

    fn draw_men(&mut self, ends: (f64, f64)) {
        let mut all = vec![];
        for (seat, scene) in self.scenes.iter().enumerate() {
            for site in scene.board.topology.sites() {
                let count = self.count(seat, site);
                let middles = self.middles(seat, site, ends, count.unwrap_or(1));
                let is_fresh = scene.fresh.contains(site.0);
                all.push((seat, site, count, middles, is_fresh));
            }
        }
        let scenes = self.scenes;
        let mover = scenes[0].state.current_player().map(Seat::index);
        self.canvas.part("pieces", |canvas| {
            for (seat, _, count, middles, is_fresh) in &all {
                let token = PieceLook::of_disc(Seat(*seat as u32), &scenes[*seat].seats);
                for (at, middle) in middles.iter().enumerate() {
                    token.draw(canvas, *middle, MAN / 0.88);
                    let ring = ShapeOutline { ink: token.colours.mark, width: 1.0 };
                    canvas.pale(0.4, |canvas| canvas.circle(*middle, MAN * 0.58, None, Some(ring)));
                    let is_last = at + 1 == middles.len();
                    if *is_fresh && is_last {
                        let edge = ShapeOutline { ink: FRESH_EDGE, width: 3.5 };
                        canvas.circle(*middle, MAN + 1.0, None, Some(edge));
                    }
                    let count = count.unwrap_or(0);
                    if is_last && count > MOST {
                        let great = Font { size: 15.0, bold: true, ink: token.colours.mark };
                        canvas.text((middle.0, middle.1 + 5.4), Anchor::Middle, great, &count.to_string());
                    }
                }
            }
        });
        self.canvas.part("legal", |canvas| {
            for (seat, site, _, middles, _) in &all {
                let scene = &scenes[*seat];
                // The sites of both boards have the same names to those who choose.
                let is_legal = scene.legal.contains(site.0) && Some(*seat) == mover;
                if let Some(middle) = middles.last().filter(|_| is_legal) {
                    mark_point(canvas, *middle, 5.5);
                }
            }
        });
        let has_men =
            all.iter().any(|(_, site, count, ..)| site.0 == self.places.points && *count != Some(0));
        if has_men || self.canvas.prints() {
            let middle = (ends.0 + ends.1) / 2.0;
            let ink = if self.canvas.prints() { QUIET } else { ON };
            let label = Font { size: 12.0, bold: true, ink };
            self.canvas.text((self.places.bar(), middle + 4.0), Anchor::Middle, label, "bar");
        }
    }

    /// Marks the points of the player who chooses, for a pointer.
    fn mark_points(&mut self, ends: (f64, f64)) {
        let (top, bottom) = ends;
        let mover = self.scenes[0].state.current_player().map(Seat::index).filter(|seat| *seat < 2);
        let seat = mover.unwrap_or(self.lower);
        let places = self.places;
        let middle = (top + bottom) / 2.0;
        let areas: Vec<Option<(u32, bool)>> = (0..=places.points)
            .map(|site| self.point(seat, Site(site)).map(|point| places.place(point)))
            .collect();
        self.scenes[seat].hits(&mut self.canvas, &|site| match areas[site.index()] {
            Some((column, is_low)) => {
                let y = if is_low { middle } else { top };
                ThingArea::rect((places.left(column), y), (WIDE, middle - top))
            }
            None => ThingArea::rect((places.bar() - BAR / 2.0, top), (BAR, bottom - top)),
        });
    }
}

/// Draws the trays with the men that are off the board.
fn trays(left: f64, ends: (f64, f64), lower: usize, off: &[CounterPile], canvas: &mut Canvas<'_>) {
    let (top, bottom) = ends;
    let high = (bottom - top - FRAME) / 2.0;
    for pile in off {
        let is_low = pile.seat.map_or(0, Seat::index) == lower;
        let y = if is_low { bottom - high } else { top };
        let edge = canvas.prints().then_some(ShapeOutline { ink: BOARD_EDGE, width: 1.5 });
        canvas.rect((left, y), (TRAY, high), 3.0, Some(BOARD_A), edge);
        let count = pile.count.map_or("?".to_owned(), |count| count.to_string());
        let (x, middle) = (left + TRAY / 2.0, y + high / 2.0);
        let great = Font { size: 20.0, bold: true, ink: TEXT };
        if pile.count != Some(0) || !canvas.prints() {
            canvas.text((x, middle), Anchor::Middle, great, &count);
        }
        canvas.text((x, middle + 17.0), Anchor::Middle, font(12.0, QUIET), &plain(&pile.name));
        if pile.count.is_some_and(|count| count > 0) {
            let aside = if is_low { bottom - 22.0 } else { top + 22.0 };
            pile.token.draw(canvas, (x, aside), 14.0);
        }
    }
}
