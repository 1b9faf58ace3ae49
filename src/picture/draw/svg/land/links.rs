//! Links between the points of a map that have parts: `edges route of city shown as line(length) in colour`. A free link is an
//! outline in its colour with the sign of that colour, a built one is filled and has the mark of its owner.

use crate::draw::svg::canvas::{Canvas, ShapeOutline, ThingArea};
use crate::draw::svg::icons;
use crate::draw::svg::palette::{self, CAN, DIE, FRESH_EDGE, Ink, PAPER, PIP, RULE, TEXT};
use crate::draw::svg::path::PathStep;
use crate::draw::svg::scene::{PaperPoint, Scene};
use crate::draw::svg::token::PieceShape;
use crate::layout::{Icon, sign_of_colour};
use houserule_model::board::Site;
use houserule_model::{Colour, LinkLook};

/// The largest length of a part, and its width.
const PART: (f64, f64) = (74.0, 15.0);
/// The gap between two parts.
const GAP: f64 = 4.4;
/// The radius of a point.
pub(in crate::draw::svg) const POINT: f64 = 11.0;
/// The gap between a point and the first part.
const CLEAR: f64 = 5.0;
/// The least length of a part.
const LEAST_PART: f64 = 24.0;

/// Returns how the links of a scene are drawn, if that has parts or colours.
pub(in crate::draw::svg) fn link_look<'s>(links: &'s Scene<'_>) -> Option<&'s LinkLook> {
    links.board.look.links.as_ref().filter(|look| !look.parts.is_empty() || !look.colours.is_empty())
}

/// Returns the number of parts of a link.
fn parts(look: &LinkLook, link: Site) -> u32 {
    look.parts.get(link.index()).copied().unwrap_or(1).max(1)
}

/// A part of a link, turned along it.
struct LinkPart {
    middle: PaperPoint,
    /// The direction, of length 1.
    along: PaperPoint,
    /// Half of its length.
    half: f64,
}

impl LinkPart {
    /// Returns its outline, smaller by `less` on all sides.
    fn outline(&self, less: f64) -> Vec<PathStep> {
        let (x, y) = self.middle;
        let (dx, dy) = self.along;
        let (long, wide) = (self.half - less, PART.1 / 2.0 - less);
        let corner = |a: f64, b: f64| (x + dx * a - dy * b, y + dy * a + dx * b);
        vec![
            PathStep::Move(corner(-long, -wide)),
            PathStep::Line(corner(long, -wide)),
            PathStep::Line(corner(long, wide)),
            PathStep::Line(corner(-long, wide)),
            PathStep::Close,
        ]
    }
}

/// Returns the parts of a link between two points of a radius. No part is longer than `longest`.
fn place_parts(ends: [PaperPoint; 2], count: u32, radius: f64, longest: f64) -> Vec<LinkPart> {
    let [(ax, ay), (bx, by)] = ends;
    let far = (bx - ax).hypot(by - ay).max(1.0);
    let along = ((bx - ax) / far, (by - ay) / far);
    let room = (far - 2.0 * (radius + CLEAR)).max(4.0);
    let each = (room / f64::from(count)).min(longest);
    let start = (far - each * f64::from(count)) / 2.0;
    (0..count)
        .map(|at| {
            let way = start + (f64::from(at) + 0.5) * each;
            let middle = (ax + along.0 * way, ay + along.1 * way);
            LinkPart { middle, along, half: (each - GAP).max(2.0) / 2.0 }
        })
        .collect()
}

/// Draws all links. `radius` is that of the points.
pub(in crate::draw::svg) fn draw(
    links: &Scene<'_>,
    canvas: &mut Canvas<'_>,
    at: &dyn Fn(Site) -> PaperPoint,
    radius: f64,
) {
    let Some(look) = link_look(links) else { return };
    let model = links.state.game().model();
    let mut signs: Vec<(Colour, Option<Icon>)> = vec![];
    let mut sign_of = |colour: Colour| match signs.iter().find(|(known, _)| *known == colour) {
        Some((_, sign)) => *sign,
        None => {
            let sign = sign_of_colour(model, colour);
            signs.push((colour, sign));
            sign
        }
    };
    canvas.part("links", |canvas| {
        for link in links.board.topology.sites() {
            let Some(ends) = links.board.topology.ends(link) else { continue };
            let parts = place_parts(ends.map(at), parts(look, link), radius, PART.0);
            let colour = look.colours.get(link.index()).copied().flatten();
            match links.token(link) {
                Some(token) => {
                    let colours = token.colours;
                    let is_fresh = links.fresh.contains(link.0);
                    let edge = if is_fresh { FRESH_EDGE } else { colours.edge };
                    let width = if is_fresh { 2.6 } else { 1.6 };
                    let steps: Vec<PathStep> = parts.iter().flat_map(|part| part.outline(0.0)).collect();
                    canvas.path(&steps, Some(colours.body), Some(ShapeOutline { ink: edge, width }));
                    if let PieceShape::Disc(mark) | PieceShape::Picture(_, mark) = token.shape {
                        parts.iter().for_each(|part| mark.draw(canvas, part.middle, 3.4, colours.mark));
                    }
                }
                None => draw_free(canvas, &parts, colour, colour.and_then(&mut sign_of)),
            }
        }
    });
    canvas.part("legal", |canvas| {
        for link in links.legal.sites() {
            let Some(ends) = links.board.topology.ends(link) else { continue };
            for part in place_parts(ends.map(at), parts(look, link), radius, PART.0) {
                canvas.path(&part.outline(-2.5), None, Some(ShapeOutline { ink: CAN, width: 1.6 }));
            }
        }
    });
}

/// Marks the links for a pointer.
pub(in crate::draw::svg) fn hits(
    links: &Scene<'_>,
    canvas: &mut Canvas<'_>,
    at: &dyn Fn(Site) -> PaperPoint,
    radius: f64,
) {
    links.hits(canvas, &|link| {
        let ends = links.board.topology.ends(link).map_or([(0.0, 0.0); 2], |ends| ends.map(at));
        let corners =
            place_parts(ends, 1, radius, f64::INFINITY).into_iter().flat_map(|part| part.outline(-4.0));
        let points = corners.filter_map(|step| match step {
            PathStep::Move(to) | PathStep::Line(to) => Some(to),
            _ => None,
        });
        ThingArea::Shape(points.collect())
    });
}

/// Returns the links of a map: a board whose links have parts or colours.
pub(in crate::draw::svg) fn map_of<'a, 's>(scene: &'a Scene<'s>) -> Option<&'a Scene<'s>> {
    scene.links.as_deref().filter(|links| link_look(links).is_some())
}

/// Returns the number of parts of the link between two points.
pub(in crate::draw::svg) fn length(links: &Scene<'_>, points: [usize; 2]) -> u32 {
    let topology = &links.board.topology;
    let is_between = |link: &Site| {
        topology.ends(*link).is_some_and(|ends| {
            let ends = ends.map(Site::index);
            ends == points || ends == [points[1], points[0]]
        })
    };
    let link = topology.sites().find(is_between);
    link_look(links).zip(link).map_or(1, |(look, link)| parts(look, link))
}

/// Returns the places of points so far apart that the parts of all links have room, but in no more than `room`.
pub(in crate::draw::svg) fn with_room(
    links: &Scene<'_>,
    places: Vec<PaperPoint>,
    room: (f64, f64),
) -> Vec<PaperPoint> {
    let at = |site: Site| places[site.index()];
    let wanted = links.board.topology.sites().filter_map(|link| {
        let [(ax, ay), (bx, by)] = links.board.topology.ends(link)?.map(at);
        let count = link_look(links).map_or(1, |look| parts(look, link));
        Some((f64::from(count) * LEAST_PART + 2.0 * (POINT + CLEAR)) / (bx - ax).hypot(by - ay).max(1.0))
    });
    let [left, top, right, bottom] = bounds_of(&places);
    let most = (room.0 / (right - left).max(1.0)).min(room.1 / (bottom - top).max(1.0));
    let scale = wanted.fold(1.0, f64::max).min(most.max(1.0));
    places.iter().map(|(x, y)| (x * scale, y * scale)).collect()
}

/// Returns left, top, right and bottom of all links.
pub(in crate::draw::svg) fn bounds(places: &[PaperPoint]) -> [f64; 4] {
    let [left, top, right, bottom] = bounds_of(places);
    let around = POINT + 2.0;
    [left - around, top - around, right + around, bottom + around]
}

fn bounds_of(places: &[PaperPoint]) -> [f64; 4] {
    places.iter().fold([f64::MAX, f64::MAX, f64::MIN, f64::MIN], |all, (x, y)| {
        [all[0].min(*x), all[1].min(*y), all[2].max(*x), all[3].max(*y)]
    })
}

/// Draws the points of a map.
pub(in crate::draw::svg) fn draw_points(canvas: &mut Canvas<'_>, points: impl Iterator<Item = PaperPoint>) {
    for point in points {
        canvas.circle(point, POINT - 1.2, Some(PAPER), Some(ShapeOutline { ink: TEXT, width: 2.4 }));
        canvas.circle(point, 4.0, Some(TEXT), None);
    }
}

/// Draws a link that nobody has built on.
fn draw_free(canvas: &mut Canvas<'_>, parts: &[LinkPart], colour: Option<Colour>, sign: Option<Icon>) {
    let outline: Vec<PathStep> = parts.iter().flat_map(|part| part.outline(0.0)).collect();
    let inner: Vec<PathStep> = parts.iter().flat_map(|part| part.outline(2.4)).collect();
    let (ink, width): (Ink, f64) = match colour {
        Some(colour) => (palette::piece_colours(colour).edge, 2.4),
        None => (RULE, 1.6),
    };
    canvas.path(&outline, Some(DIE), Some(ShapeOutline { ink, width }));
    let Some(colour) = colour else { return };
    canvas.pale(0.5, |canvas| canvas.path(&inner, Some(palette::piece_colours(colour).body), None));
    if let Some(sign) = sign {
        let signs: Vec<PathStep> =
            parts.iter().flat_map(|part| icons::outline(sign, part.middle, 9.5)).collect();
        canvas.path(&signs, Some(PIP), None);
    }
}
