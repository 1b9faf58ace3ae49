//! Boards on a sheet of paper: `shown as paper`. Thin lines, pieces in ink or pencil, numbers written by hand.

pub(in crate::draw::svg) mod areas;
pub(in crate::draw::svg) mod hand;
mod marks;
pub(in crate::draw::svg) mod outline;
pub(in crate::draw::svg) mod points;
pub(in crate::draw::svg) mod score;
pub(in crate::draw::svg) mod sums;

use super::boards::printed::{PrintedNumbers, index_of};
use super::canvas::{Anchor, Canvas, Font, Picture, ShapeOutline, text_width};
use super::palette::{self, BRINK, Colours, FRESH, FRESH_EDGE, GRID, PENCIL, QUIET, RULE, SHEET, TEXT};
use super::scene::{GridPositions, PaperPoint, Scene, SiteCorners};
use super::tiles::{names_lanes, square};
use hand::Hand;
use houserule_model::board::{LineKinds, Shape, Site};
use houserule_model::{Board, BoardForm, PLAYER};
use sums::Lane;

/// The largest distance between two crossings.
const CROSSINGS: f64 = 33.0;
/// The room for a board of crossings.
const ROOM: f64 = 684.0;
/// How far the sheet goes on beyond the outermost crossings, as a part of the distance between them.
const BRINK_OF_CROSSINGS: f64 = 0.75;
/// The margin of a sheet.
const MARGIN: f64 = 16.0;
/// Where the shadow of a sheet lies.
const SHADOW_PLACE: PaperPoint = (2.0, 3.0);
/// The height of a sum in the margin, as a part of the distance between two sites.
const SUM: f64 = 0.32;

/// Returns `true` if a board is a sheet of paper.
pub(super) fn is_meant(board: &Board) -> bool {
    let squares = matches!(board.topology.shape(), Shape::Grid { .. } | Shape::Cut { hex: false, .. });
    squares && board.sides_of.is_none() && board.look.form == BoardForm::Paper
}

/// Returns `true` if the drawing of a board lies on a sheet. Crossings are drawn with theirs.
pub(super) fn has_sheet(board: &Board) -> bool {
    is_meant(board) && !points::are_crossings(board)
}

/// Returns the room for a board on paper that is alone on the page.
pub(super) fn room(board: &Board, usual: f64) -> f64 {
    let largest = f64::from(board.topology.width().max(board.topology.height()));
    if is_meant(board) && points::are_crossings(board) { ROOM.min(CROSSINGS * largest) } else { usual }
}

/// Puts a drawing on a sheet.
pub(super) fn on_sheet(picture: &Picture, mut canvas: Canvas<'_>) -> Picture {
    let size = (picture.width + 2.0 * MARGIN, picture.height + 2.0 * MARGIN);
    draw_sheet(&mut canvas, (0.0, 0.0), size);
    canvas.put(MARGIN, MARGIN, picture);
    canvas.done(size.0 + SHADOW_PLACE.0, size.1 + SHADOW_PLACE.1)
}

fn draw_sheet(canvas: &mut Canvas<'_>, corner: PaperPoint, size: (f64, f64)) {
    canvas.shadow_at(SHADOW_PLACE, corner, size, 3.0);
    canvas.rect(corner, size, 3.0, Some(SHEET), Some(ShapeOutline { ink: BRINK, width: 1.0 }));
}

/// Draws a board of crossings or cells.
pub(super) fn draw(scene: &Scene<'_>, canvas: Canvas<'_>) -> Picture {
    match points::are_crossings(scene.board) {
        true => draw_crossings(scene, canvas),
        false => draw_cells(scene, canvas),
    }
}

fn draw_crossings(scene: &Scene<'_>, mut canvas: Canvas<'_>) -> Picture {
    let topology = &scene.board.topology;
    let mut grid = GridPositions::new(scene, topology.width(), topology.height());
    let over = if canvas.prints() { 0.0 } else { grid.pitch * (BRINK_OF_CROSSINGS - 0.5) };
    let names = names_of(&grid);
    let rows = grid.shown_rows(scene).map(|(_, row)| text_width(&row.number.to_string(), names.font));
    grid.left = rows.fold(0.0, f64::max) + 8.0;
    (grid.left, grid.top) = (grid.left + over, grid.top + over);
    let at = |site: Site| grid.place(scene.board, site);
    let (corner, end) = ((grid.left - over, grid.top - over), (grid.width() + over, grid.bottom() + over));
    if !canvas.prints() {
        draw_sheet(&mut canvas, corner, (end.0 - corner.0, end.1 - corner.1));
    }
    let lines: Vec<Vec<PaperPoint>> = match topology.shape() {
        Shape::Grid { .. } if !topology.has_chosen_diagonals() => {
            let down = (0..topology.width()).map(|column| grid.middle(column.into(), 0.0).0);
            let across = (0..topology.height()).map(|row| grid.middle(0.0, row.into()).1);
            down.map(|x| vec![(x, corner.1), (x, end.1)])
                .chain(across.map(|y| vec![(corner.0, y), (end.0, y)]))
                .collect()
        }
        _ => {
            let is_drawn = |kind: LineKinds, sites: usize| {
                kind != LineKinds::DIAGONAL || topology.has_chosen_diagonals() && sites > 1
            };
            let lines = topology.lines().iter().filter(|line| is_drawn(line.kind, line.sites.len()));
            lines.map(|line| line.sites.iter().map(|site| at(*site)).collect()).collect()
        }
    };
    canvas.lines(&lines, ShapeOutline { ink: GRID, width: (grid.pitch * 0.03).clamp(0.7, 1.0) });
    areas::draw(scene, &mut canvas, &at, grid.pitch);
    let r = grid.pitch * 0.49;
    fresh_rings(scene, &mut canvas, &at, r);
    scene.grounds(&mut canvas, &at, None, grid.pitch * 0.42);
    marks::draw(scene, &mut canvas, &at, r);
    canvas.part("coordinates", |canvas| {
        let is_shown = |number: u32| number.is_multiple_of(names.step);
        for (number, name) in grid.shown_columns(scene).filter(|(number, _)| is_shown(*number)) {
            let (x, _) = grid.middle(f64::from(number) - 1.0, 0.0);
            canvas.text((x, end.1 + names.font.size + 3.0), Anchor::Middle, names.font, &name);
        }
        for (at, row) in grid.shown_rows(scene).filter(|(_, row)| is_shown(row.number)) {
            let (_, y) = grid.middle(0.0, at.into());
            let base = (corner.0 - 6.0, y + names.font.size * 0.36);
            canvas.text(base, Anchor::End, names.font, &row.number.to_string());
        }
    });
    scene.grid_hits(&mut canvas, &grid);
    scene.link_hits(&mut canvas, &at, grid.pitch);
    let width = end.0 + if canvas.prints() { 0.0 } else { SHADOW_PLACE.0 };
    canvas.done(width, end.1 + names.font.size + 6.0)
}

/// How columns and rows are named.
struct LaneNames {
    font: Font,
    /// One of these has a name.
    step: u32,
}

/// Returns how the columns and rows of many crossings are named: only some, if the names are wider than the columns.
fn names_of(grid: &GridPositions) -> LaneNames {
    let is_dense = grid.pitch < 24.0 && grid.columns > 9;
    let font = Font { size: (grid.pitch * 0.34).clamp(11.0, 12.0), bold: false, ink: QUIET };
    LaneNames { font, step: if is_dense { 5 } else { 1 } }
}

fn draw_cells(scene: &Scene<'_>, mut canvas: Canvas<'_>) -> Picture {
    let topology = &scene.board.topology;
    let number = scene.instance.number;
    let mut grid = GridPositions::new(scene, scene.board.width_of(number), scene.board.height_of(number));
    let wraps = matches!(topology.shape(), Shape::Grid { wrap: true, .. }) && scene.part.is_none();
    // A board that continues across its edges has lines that do, too.
    let over = if wraps { (grid.pitch * 0.12).min(9.0) } else { 1.0 };
    let printed = PrintedNumbers::find(scene);
    // Numbers in the cells say what the columns and rows are. A sheet to write on names them all the same, and a page on
    // which they are chosen.
    let has_names = printed.is_none() || canvas.prints() || names_lanes(scene, &scene.named);
    if !has_names {
        grid.left = 0.0;
    }
    (grid.left, grid.top) = (grid.left + over, grid.top + over);
    let at = |site: Site| grid.place(scene.board, site);
    let tile = |site: Site| square(at(site), grid.pitch / 2.0);
    let tint = colours_of(scene);
    let line = ShapeOutline { ink: tint.map_or(RULE, Colours::stroke), width: 1.0 };
    let is_whole = scene.board.own_sites.is_empty() && matches!(topology.shape(), Shape::Grid { .. });
    let (left, right, top, bottom) = (grid.left, grid.width(), grid.top, grid.bottom());
    if is_whole {
        let out = if wraps { over } else { 0.0 };
        let step = |n: u32| f64::from(n) * grid.pitch;
        let down =
            (0..=grid.columns).map(|n| vec![(left + step(n), top - out), (left + step(n), bottom + out)]);
        let across = (0..=grid.rows).map(|n| vec![(left - out, top + step(n)), (right + out, top + step(n))]);
        canvas.lines(&down.chain(across).collect::<Vec<_>>(), line);
    } else {
        let closed = |mut corners: Vec<PaperPoint>| {
            corners.extend(corners.first().copied());
            corners
        };
        canvas.lines(&scene.sites().map(|site| closed(tile(site))).collect::<Vec<_>>(), line);
    }
    if is_whole && !wraps {
        let edge = ShapeOutline { ink: tint.map_or(TEXT, Colours::stroke), width: 1.8 };
        canvas.rect((left, top), (right - left, bottom - top), 0.0, None, Some(edge));
    }
    let r = grid.pitch * 0.39;
    // Marks stand beside printed numbers.
    let aside = if printed.is_some() { grid.pitch * 0.08 } else { 0.0 };
    let beside = |site: Site| {
        let (x, y) = at(site);
        (x + aside, y + aside)
    };
    fresh_rings(scene, &mut canvas, &beside, r);
    scene.grounds(&mut canvas, &at, Some(SiteCorners { at: &tile, whole: &tile, round: 0.0 }), r);
    if let Some(printed) = &printed {
        let ink = tint.map_or(QUIET, Colours::stroke);
        printed.draw(scene, &mut canvas, &at, grid.pitch, ink);
    }
    marks::draw(scene, &mut canvas, &beside, r);
    let margin = marks::draw_margin(scene, &mut canvas, &grid);
    let mut bottom = grid.bottom() + over;
    if has_names {
        scene.coordinates(&mut canvas, &grid, over);
        bottom = grid.height() + over;
    }
    let (at_rows, at_columns) = write_sums(scene, &mut canvas, &grid, bottom);
    scene.grid_hits(&mut canvas, &grid);
    scene.link_hits(&mut canvas, &at, grid.pitch);
    canvas.done(grid.width() + over + margin.max(at_rows), bottom + at_columns)
}

/// Draws a ring around each site that the last move changed: on paper nothing is covered.
fn fresh_rings(scene: &Scene<'_>, canvas: &mut Canvas<'_>, at: &dyn Fn(Site) -> PaperPoint, r: f64) {
    canvas.part("last", |canvas| {
        for site in scene.fresh.sites() {
            let edge = ShapeOutline { ink: FRESH_EDGE, width: (r * 0.08).clamp(0.9, 1.6) };
            canvas.circle(at(site), marks::ring_around(scene, site, r), Some(FRESH), Some(edge));
        }
    });
}

/// Returns the colours of one of a family of boards: those of an element of its index.
fn colours_of(scene: &Scene<'_>) -> Option<Colours> {
    let model = scene.state.game().model();
    index_of(scene)
        .into_iter()
        .filter(|(domain, _)| *domain != PLAYER)
        .find_map(|(domain, element)| model.element_colour(domain, element))
        .map(palette::piece_colours)
}

/// Writes the points of the lines in each row beside it, and in each column below `bottom`. Returns the room that they take at the right and below,
/// which doesn't depend on the state.
fn write_sums(scene: &Scene<'_>, canvas: &mut Canvas<'_>, grid: &GridPositions, bottom: f64) -> (f64, f64) {
    let lanes = scene.sums.lanes;
    let size = (grid.pitch * SUM).clamp(9.0, 18.0);
    let (beside, below) = (size * 2.4, size * 1.5);
    canvas.part("sums", |canvas| {
        for (lane, points) in &scene.sums.points {
            let text = points.to_string();
            let base = match lane {
                Lane::Row(row) => {
                    let place = grid.shown_rows(scene).find(|(_, drawn)| drawn.number == *row);
                    let Some((place, _)) = place else { continue };
                    (grid.width() + beside / 2.0, grid.middle(0.0, place.into()).1 + size / 2.0)
                }
                Lane::Column(column) => {
                    let (x, _) = grid.middle(f64::from(*column) - 1.0, 0.0);
                    (x, bottom + below - size * 0.2)
                }
            };
            write_number(canvas, base, Anchor::Middle, size, &text);
        }
    });
    (if lanes.0 { beside } else { 0.0 }, if lanes.1 { below } else { 0.0 })
}

/// Writes a value by hand if it is a whole number, else in letters. `size` is the height of digits.
pub(super) fn write_number(canvas: &mut Canvas<'_>, base: PaperPoint, anchor: Anchor, size: f64, text: &str) {
    let seed: Vec<u64> = text.bytes().map(u64::from).chain([base.0 as u64, base.1 as u64]).collect();
    match Hand::new(&seed).number(text, base, anchor, size) {
        Some(steps) => {
            canvas.pen(&steps, ShapeOutline { ink: PENCIL, width: (size * 0.105).max(1.2) });
        }
        None => canvas.text(base, anchor, Font { size: size * 0.9, bold: false, ink: PENCIL }, text),
    }
}
