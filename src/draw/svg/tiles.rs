//! Boards of squares in columns and rows.

use super::canvas::{Canvas, Picture, ShapeOutline};
use super::palette::{FRESH, FRESH_EDGE, SHADE, TILE};
use super::scene::{GridPositions, PaperPoint, Scene};
use super::strokes::has_moves;
use crate::board::Site;

pub(super) fn draw(scene: &Scene<'_>, mut canvas: Canvas<'_>) -> Picture {
    let topology = &scene.board.topology;
    let grid = GridPositions::new(scene, topology.width(), topology.height());
    let at = |site: Site| grid.place(scene.board, site);
    // On paper, neighbouring cells share a line.
    let (gap, round) = match canvas.prints() {
        true => (0.0, 0.0),
        false => ((grid.pitch * 0.07).clamp(1.0, 3.0), (grid.pitch * 0.16).clamp(1.5, 7.0)),
    };
    let tile = |site: Site| square(at(site), (grid.pitch - gap - round) / 2.0);
    // If pieces move, a chequered pattern makes diagonals easier to follow.
    let shaded = has_moves(scene.state.game(), scene.instance.board);
    let is_dark =
        |site: &Site| shaded && (topology.column_of(*site) + topology.row_of(*site)).is_multiple_of(2);
    for (dark, ink) in [(false, TILE), (true, SHADE)] {
        let tiles: Vec<Vec<PaperPoint>> =
            topology.sites().filter(|site| is_dark(site) == dark).map(tile).collect();
        canvas.cells(&tiles, round, ink);
    }
    canvas.part("last", |canvas| {
        for site in scene.fresh.sites() {
            let half = (grid.pitch - gap) / 2.0;
            let (x, y) = at(site);
            let edge = ShapeOutline { ink: FRESH_EDGE, width: (grid.pitch * 0.035).clamp(0.75, 1.5) };
            canvas.rect((x - half, y - half), (2.0 * half, 2.0 * half), round * 0.7, Some(FRESH), Some(edge));
        }
    });
    scene.stand(&mut canvas, &at, grid.pitch * 0.39);
    let margin = scene.margin(&mut canvas, &grid);
    scene.coordinates(&mut canvas, &grid, 0.0);
    canvas.done(grid.width() + margin, grid.height())
}

/// Returns the corners of a square, given its centre and half a side.
pub(super) fn square((x, y): PaperPoint, half: f64) -> Vec<PaperPoint> {
    vec![(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
}
