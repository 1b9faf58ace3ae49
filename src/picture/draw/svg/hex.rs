//! Hexagonal boards, with the edges that players have to join in their colours.

use super::boards::fills;
use super::boards::printed::PrintedNumbers;
use super::canvas::{Anchor, Canvas, Picture, ShapeOutline, ThingArea, text_width};
use super::palette::{FRESH, QUIET, TILE};
use super::scene::{PaperPoint, Scene, SiteCorners, font};
use super::token::PieceLook;
use houserule_model::board::{BitSet, Shape, Site};

pub(super) fn draw(scene: &Scene<'_>, mut canvas: Canvas<'_>) -> Picture {
    let topology = &scene.board.topology;
    let (width, height) = (topology.width(), topology.height());
    // Columns to the right of the left end of row 1.
    let right = |site: Site| f64::from(topology.column_of(site)) + f64::from(topology.row_of(site) - 1) / 2.0;
    let least = topology.sites().map(right).fold(f64::INFINITY, f64::min);
    let across = topology.sites().map(right).fold(0.0, f64::max) - least + 1.0;
    let pitch = scene.pitch_or(|room| (room * 1.1 / across).clamp(11.0, 54.0));
    // The distance from the centre of a cell to a corner.
    let radius = pitch / 3f64.sqrt();
    let is_cut = matches!(topology.shape(), Shape::Cut { .. });
    let names = font((pitch * 0.34).clamp(10.5, 12.0), QUIET);
    // In print, a sign of the player stands in the middle of a border.
    let signs = if canvas.prints() && !scene.borders.is_empty() { sign(pitch) } else { 0.0 };
    let label = text_width(&height.to_string(), names) + signs;
    let (left, top) = (label + 12.0, names.size + 12.0);
    let page_row = |row: u32| if scene.board.from_top { row - 1 } else { height - row };
    let at = |site: Site| -> PaperPoint {
        let x = right(site) - least + 0.5;
        (left + x * pitch, top + radius + 1.5 * radius * f64::from(page_row(topology.row_of(site))))
    };
    // On paper, neighbouring cells share a line.
    let (gap, round) = match canvas.prints() {
        true => (0.0, 0.0),
        false => ((pitch * 0.03).max(0.6), (pitch * 0.1).clamp(1.0, 4.0)),
    };
    let cell = |site: Site| corners(at(site), radius - round / 2.0 - gap);
    let tiles: Vec<Vec<PaperPoint>> = topology.sites().map(cell).collect();
    canvas.cells(&tiles, round, TILE);
    canvas.part("borders", |canvas| {
        let seats = &scene.state.game().model().seat_looks();
        for (seat, sites) in &scene.borders {
            let sides = outer_sides(scene, sites, &|site| corners(at(site), radius + pitch * 0.04));
            let token = PieceLook::of_seat(*seat, seats);
            let ink = token.colours.stroke();
            canvas.lines(&sides, ShapeOutline { ink, width: (pitch * 0.12).max(1.5) });
            // A printer without colours needs another sign of the player.
            if let Some([(ax, ay), (bx, by)]) = sides.get(sides.len() / 2).map(Vec::as_slice)
                && canvas.prints()
            {
                token.draw(canvas, ((ax + bx) / 2.0, (ay + by) / 2.0), sign(pitch));
            }
        }
    });
    canvas.part("last", |canvas| {
        let fresh: Vec<Vec<PaperPoint>> = scene.fresh.sites().map(cell).collect();
        canvas.shapes(&fresh, round, FRESH);
    });
    let whole = |site: Site| corners(at(site), radius);
    scene.grounds(&mut canvas, &at, Some(SiteCorners { at: &cell, whole: &whole, round }), pitch * 0.38);
    if let Some(printed) = PrintedNumbers::find(scene) {
        // In the upper corner, above a piece.
        let small = font((pitch * 0.19).clamp(6.0, 11.0), QUIET);
        printed.write(scene, &mut canvas, (small, Anchor::Middle), &|site| {
            let (x, y) = at(site);
            (x, y - pitch * 0.37)
        });
    }
    fills::draw_cells(scene, &mut canvas, &cell, round);
    scene.stand(&mut canvas, &at, pitch * 0.38);
    let shown = |number: u32| pitch >= 14.0 || number.is_multiple_of(5);
    canvas.part("coordinates", |canvas| {
        for (column, name) in scene.columns(topology.column_names()).filter(|(column, _)| shown(*column)) {
            let mut sites = (1..=height).filter_map(|row| topology.site_at(column.into(), row.into()));
            if is_cut {
                // Beyond the upper end of the column, where no cell is.
                let Some((x, y)) = sites.next_back().map(at) else { continue };
                let rise = if scene.board.from_top { radius * 1.4 + names.size } else { -radius * 1.15 };
                // Nearer to its column than to the name of a row that begins beside it.
                canvas.text((x + pitch * 0.25, y + rise), Anchor::Middle, names, &name);
                continue;
            }
            // Along row 1: above it if row 1 is at the top, else below.
            let Some((x, y)) = sites.next().map(at) else { continue };
            let drop = radius + if scene.board.from_top { -2.0 * radius - 7.0 } else { names.size + 6.0 };
            // The columns lean to the left there.
            canvas.text((x - pitch * 0.25, y + drop), Anchor::Middle, names, &name);
        }
        for row in (1..=height).filter(|row| shown(*row)) {
            let Some(site) = (1..=width).find_map(|column| topology.site_at(column.into(), row.into()))
            else {
                continue;
            };
            let (x, y) = at(site);
            let text = row.to_string();
            let aside = signs + if is_cut { (pitch * 0.14).min(8.0) } else { 8.0 };
            canvas.text((x - pitch / 2.0 - aside, y + names.size * 0.36), Anchor::End, names, &text);
        }
    });
    scene.hits(&mut canvas, &|site| ThingArea::Shape(corners(at(site), radius)));
    let bottom = top + radius * (1.5 * f64::from(height) + 0.5);
    let below = if scene.board.from_top { 4.0 } else { names.size + 10.0 };
    let beside = if is_cut { 0.4 } else { 0.1 };
    canvas.done(left + (across + beside) * pitch, bottom + below)
}

/// Returns the radius of the sign of a player at a border.
fn sign(pitch: f64) -> f64 {
    (pitch * 0.26).max(4.0)
}

/// Returns the six corners of a pointy-topped cell, clockwise from the top.
fn corners(centre: PaperPoint, radius: f64) -> Vec<PaperPoint> {
    let (x, y) = centre;
    let half = radius * 3f64.sqrt() / 2.0;
    vec![
        (x, y - radius),
        (x + half, y - radius / 2.0),
        (x + half, y + radius / 2.0),
        (x, y + radius),
        (x - half, y + radius / 2.0),
        (x - half, y - radius / 2.0),
    ]
}

/// Returns the outer sides of cells: of cells in a row, the sides beyond which columns end; of cells in a
/// column, the sides beyond which rows end.
fn outer_sides(
    scene: &Scene<'_>,
    sites: &BitSet,
    corners: &dyn Fn(Site) -> Vec<PaperPoint>,
) -> Vec<Vec<PaperPoint>> {
    let topology = &scene.board.topology;
    let place = |site: Site| (i64::from(topology.column_of(site)), i64::from(topology.row_of(site)));
    let Some(first) = sites.sites().next().map(place) else { return vec![] };
    let in_row = sites.sites().all(|site| place(site).1 == first.1);
    let mut sides = vec![];
    for site in sites.sites() {
        let (column, row) = place(site);
        let around = corners(site);
        for direction in topology.directions() {
            let (dx, dy) = (i64::from(direction.dx), i64::from(direction.dy));
            let beyond_column = !(1..=i64::from(topology.width())).contains(&(column + dx));
            let beyond_row = !(1..=i64::from(topology.height())).contains(&(row + dy));
            if (in_row && !beyond_row) || (!in_row && (!beyond_column || beyond_row)) {
                continue;
            }
            // Up and down are swapped if row 1 is at the top.
            let up = if scene.board.from_top { -dy } else { dy };
            // On the page, a step up is also half a cell to the right.
            let right = dx as f64 + dy as f64 / 2.0;
            let side = match (up, right > 0.0) {
                (1, true) => 0,
                (0, true) => 1,
                (-1, true) => 2,
                (-1, false) => 3,
                (0, false) => 4,
                _ => 5,
            };
            sides.push(vec![around[side], around[(side + 1) % 6]]);
        }
    }
    sides
}
