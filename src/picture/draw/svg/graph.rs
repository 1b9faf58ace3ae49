//! Graph boards: points joined by lines, placed by their names or by the links between them.

use std::f64::consts::TAU;

use super::boards::printed::PrintedNumbers;
use super::canvas::{Anchor, Canvas, Font, Picture, ShapeOutline, text_width};
use super::land::links;
use super::palette::{LAND, MAT_EDGE, QUIET, RULE, TEXT, TILE};
use super::scene::{GridPositions, PaperPoint, Scene, font};
use crate::draw::text::capitalised;
use crate::layout::GameLook;
use houserule_base::names::plain;
use houserule_game::drawing::rows;
use houserule_model::board::Site;

/// The length of a link, in units of the distance that pieces need.
const LINK: f64 = 1.9;
/// Least distance between two points, in the same unit.
const NEAREST: f64 = 1.15;
/// Nearer points, in links, don't make the board larger.
const LEAST: f64 = 0.4;
/// Width of a map whose points have places, if these aren't too near each other.
const MAP: f64 = 640.0;
/// The length of a part of a link, before the map is made larger.
const MAP_PART: f64 = 36.0;
/// Width and height of a map with parts of links, at most.
const MAP_ROOM: (f64, f64) = (660.0, 600.0);
/// The margin of a map.
const LAND_MARGIN: f64 = 16.0;
/// Radius of what is drawn around a piece, in units of the piece's.
const RIM: f64 = 1.25;

/// Draws each point in the column and row of its name.
pub(super) fn draw(scene: &Scene<'_>, places: &[(u32, u32)], mut canvas: Canvas<'_>) -> Picture {
    let (columns, rows) = (scene.board.topology.column_names().len(), rows(scene.board, 0));
    let grid = GridPositions::new(scene, columns as u32, rows.len() as u32);
    let mut used: Vec<u32> = places.iter().map(|(column, _)| *column).collect();
    used.sort_unstable();
    used.dedup();
    let at = |site: Site| {
        let (column, number) = places[site.index()];
        let x = used.iter().position(|known| *known == column).unwrap_or(0);
        let y = rows.iter().position(|row| row.number == number).unwrap_or(0);
        grid.middle(x as f64, y as f64)
    };
    let size = (grid.width() - grid.left, grid.bottom() - grid.top);
    canvas.rect((grid.left, grid.top), size, 7.0, Some(TILE), None);
    if let Some(printed) = PrintedNumbers::find(scene) {
        printed.draw(scene, &mut canvas, &at, grid.pitch, QUIET);
    }
    points(scene, &mut canvas, &at, grid.pitch * 0.34);
    scene.coordinates(&mut canvas, &grid, 0.0);
    scene.point_hits(&mut canvas, &at, grid.pitch / 2.0);
    canvas.done(grid.width(), grid.height())
}

/// Draws points whose names say no places, by the links between them. Each name stands in the widest gap between the links
/// of its point.
pub(super) fn spread(scene: &Scene<'_>, mut canvas: Canvas<'_>) -> Picture {
    let topology = &scene.board.topology;
    // Several piles on a site need room.
    let lying = topology.sites().map(|site| scene.marked.lying(site).len()).max().unwrap_or(0);
    let pitch = scene.pitch_or(|_| if lying > 1 { 60.0 } else { 42.0 });
    let r = pitch * 15.0 / 42.0;
    let beside: Vec<Vec<usize>> = topology
        .sites()
        .map(|site| topology.beside(site).sites().map(|other| other.index()).collect())
        .collect();
    let map = links::map_of(scene);
    let places = match &scene.board.look.places[..] {
        [] => {
            let long = |one: usize, other: usize| map.map_or(1, |links| links::length(links, [one, other]));
            let places = GameLook::find(scene.state.game()).places(scene.instance.board, &beside, &long);
            // Pieces on neighbouring points stand apart. On a map, links are drawn as long as their parts.
            let link = if map.is_some() { MAP_PART } else { pitch * LINK };
            scaled(places.to_vec(), link.max(pitch * NEAREST / nearest(places)))
        }
        given => {
            let places: Vec<PaperPoint> =
                given.iter().map(|place| (place.x as f64, -(place.y as f64))).collect();
            let across = places.iter().map(|(x, _)| *x).fold(f64::MIN, f64::max)
                - places.iter().map(|(x, _)| *x).fold(f64::MAX, f64::min);
            let unit = (MAP / across.max(1.0)).clamp(pitch * NEAREST / nearest(&places), pitch * LINK);
            scaled(places, unit)
        }
    };
    let places = match map {
        Some(links) => links::with_room(links, places, MAP_ROOM),
        None => places,
    };
    let r = if map.is_some() { links::POINT } else { r };
    let name = |site: Site| match map {
        Some(_) => capitalised(&plain(&topology.site_name(site))),
        None => topology.site_name(site),
    };
    let font = name_font(map.is_some());
    let names: Vec<String> = topology.sites().map(name).collect();
    // A printed number stands after the name.
    let printed = PrintedNumbers::find(scene);
    let after = |site: Site| printed.as_ref().and_then(|printed| printed.number(site));
    let said: Vec<String> = topology
        .sites()
        .zip(&names)
        .map(|(site, name)| after(site).map_or(name.clone(), |number| format!("{name}  {number}")))
        .collect();
    let labels = labels(&places, &beside, &said, r, font);
    let (mut low, mut high) = ((f64::MAX, f64::MAX), (f64::MIN, f64::MIN));
    let around = places.iter().map(|(x, y)| [x - r * RIM, y - r * RIM, x + r * RIM, y + r * RIM]);
    for [left, top, right, bottom] in around.chain(labels.iter().map(|label| label.area)) {
        (low, high) = ((low.0.min(left), low.1.min(top)), (high.0.max(right), high.1.max(bottom)));
    }
    if map.is_some() {
        let around = links::bounds(&places);
        (low, high) = (
            (low.0.min(around[0]) - LAND_MARGIN, low.1.min(around[1]) - LAND_MARGIN),
            (high.0.max(around[2]) + LAND_MARGIN, high.1.max(around[3]) + LAND_MARGIN),
        );
        let edge = ShapeOutline { ink: MAT_EDGE, width: 1.2 };
        canvas.rect((0.0, 0.0), (high.0 - low.0, high.1 - low.1), 14.0, Some(LAND), Some(edge));
    }
    let at = |site: Site| (places[site.index()].0 - low.0, places[site.index()].1 - low.1);
    points(scene, &mut canvas, &at, r);
    canvas.part("coordinates", |canvas| {
        for (label, name) in labels.iter().zip(&names) {
            let (x, y) = label.base;
            match printed {
                Some(_) => canvas.text((label.area[0] - low.0, y - low.1), Anchor::Start, font, name),
                None => canvas.text((x - low.0, y - low.1), label.anchor, font, name),
            }
        }
    });
    if let Some(printed) = &printed {
        let number = Font { bold: true, ink: TEXT, ..font };
        printed.write(scene, &mut canvas, (number, Anchor::End), &|site| {
            let label = &labels[site.index()];
            (label.area[2] - low.0, label.base.1 - low.1)
        });
    }
    scene.point_hits(&mut canvas, &at, pitch / 2.0);
    if let Some(links) = &scene.links {
        links::hits(links, &mut canvas, &at, r);
    }
    canvas.done(high.0 - low.0, high.1 - low.1)
}

fn scaled(places: Vec<PaperPoint>, unit: f64) -> Vec<PaperPoint> {
    places.into_iter().map(|(x, y)| (x * unit, y * unit)).collect()
}

/// Returns the least distance between two places.
fn nearest(places: &[PaperPoint]) -> f64 {
    let far = |a: &PaperPoint, b: &PaperPoint| (a.0 - b.0).hypot(a.1 - b.1);
    let pairs =
        places.iter().enumerate().flat_map(|(at, one)| places[..at].iter().map(move |other| far(one, other)));
    pairs.fold(1.0, f64::min).max(LEAST)
}

fn name_font(is_map: bool) -> Font {
    if is_map { Font { size: 14.0, bold: true, ink: TEXT } } else { font(11.0, QUIET) }
}

/// Where the name of a point stands.
struct PointLabel {
    base: PaperPoint,
    anchor: Anchor,
    /// Left, top, right and bottom.
    area: [f64; 4],
}

impl PointLabel {
    /// Puts a name beside a point, in a direction of length 1.
    fn beside(place: PaperPoint, direction: PaperPoint, r: f64, font: Font, name: &str) -> PointLabel {
        let (dx, dy) = direction;
        let (x, y) = (place.0 + dx * (r + 8.0), place.1 + dy * (r + 8.0) + font.size * (0.36 + 0.4 * dy));
        let width = text_width(name, font);
        let (anchor, left) = match dx {
            aside if aside > 0.35 => (Anchor::Start, x),
            aside if aside < -0.35 => (Anchor::End, x - width),
            _ => (Anchor::Middle, x - width / 2.0),
        };
        let area = [left, y - font.size * 0.8, left + width, y + font.size * 0.25];
        PointLabel { base: (x, y), anchor, area }
    }

    fn overlaps(&self, other: &[f64; 4]) -> bool {
        let [left, top, right, bottom] = self.area;
        left < other[2] && other[0] < right && top < other[3] && other[1] < bottom
    }
}

/// Returns the place of each name: in the widest gap between the links of its point in which it covers nothing.
fn labels(
    places: &[PaperPoint],
    beside: &[Vec<usize>],
    names: &[String],
    r: f64,
    font: Font,
) -> Vec<PointLabel> {
    let discs: Vec<[f64; 4]> = places.iter().map(|(x, y)| [x - r, y - r, x + r, y + r]).collect();
    let mut labels: Vec<PointLabel> = vec![];
    for (site, name) in names.iter().enumerate() {
        let wished = gaps(places, beside, site);
        let compass = (0..8).map(|at| f64::from(at) * TAU / 8.0);
        let mut possible = wished
            .into_iter()
            .chain(compass)
            .map(|angle| PointLabel::beside(places[site], (angle.cos(), angle.sin()), r, font, name));
        let is_free = |label: &PointLabel| {
            let mut others = discs.iter().enumerate().filter(|(other, _)| *other != site);
            !others.any(|(_, disc)| label.overlaps(disc))
                && !labels.iter().any(|other| label.overlaps(&other.area))
        };
        let Some(first) = possible.next() else { continue };
        let free = if is_free(&first) { None } else { possible.find(is_free) };
        labels.push(free.unwrap_or(first));
    }
    labels
}

/// Returns the middles of the gaps between the links of a site, the widest first.
fn gaps(places: &[PaperPoint], beside: &[Vec<usize>], site: usize) -> Vec<f64> {
    let (x, y) = places[site];
    let mut angles: Vec<f64> =
        beside[site].iter().map(|to| (places[*to].1 - y).atan2(places[*to].0 - x)).collect();
    angles.sort_by(f64::total_cmp);
    let next = angles.iter().skip(1).copied().chain(angles.first().map(|first| first + TAU));
    let mut gaps: Vec<(f64, f64)> =
        angles.iter().zip(next).map(|(from, to)| (to - from, (from + to) / 2.0)).collect();
    // Gaps that differ by what machines round are alike.
    gaps.sort_by_key(|(wide, _)| std::cmp::Reverse((wide * 1000.0).round() as i64));
    let middles: Vec<f64> = gaps.into_iter().map(|(_, middle)| middle).collect();
    if middles.is_empty() { vec![TAU / 4.0] } else { middles }
}

/// Draws the lines, the points and the pieces.
fn points(scene: &Scene<'_>, canvas: &mut Canvas<'_>, at: &dyn Fn(Site) -> PaperPoint, r: f64) {
    let topology = &scene.board.topology;
    let joined: Vec<Vec<PaperPoint>> = topology
        .sites()
        .flat_map(|from| {
            let beside = topology.beside(from);
            let later: Vec<Site> = beside.sites().filter(|to| *to > from).collect();
            later.into_iter().map(move |to| vec![at(from), at(to)])
        })
        .collect();
    if links::map_of(scene).is_some() {
        scene.halos(canvas, at, r);
        links::draw_points(canvas, topology.sites().map(at));
        scene.stand(canvas, at, r);
        return;
    }
    canvas.lines(&joined, ShapeOutline { ink: RULE, width: 2.0 });
    // A letter takes the place of the dot.
    let lettered = |site: &Site| scene.marked.open_ground(*site).is_some_and(|on| on.look.letter.is_some());
    for site in topology.sites().filter(|site| !lettered(site)) {
        canvas.circle(at(site), (r * 0.26).max(2.5), Some(RULE), None);
    }
    scene.halos(canvas, at, r);
    scene.grounds(canvas, at, None, r * 1.1);
    scene.stand(canvas, at, r);
}
