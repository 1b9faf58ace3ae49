//! Boards whose sites are the crossings of lines.

use super::areas;
use crate::draw::svg::canvas::{Canvas, Picture, ShapeOutline};
use crate::draw::svg::palette::{RULE, WOOD};
use crate::draw::svg::scene::{GridPositions, PaperPoint, Scene};
use houserule_model::Board;
use houserule_model::board::{LineKinds, Shape, Site};

/// Names of sites that make a board one of crossings.
const NAMES: [&str; 2] = ["point", "crossing"];

/// Returns `true` if the sites are crossings. The rules indicate this by the name of the sites, or by diagonals that only
/// some sites have.
pub(in crate::draw::svg) fn are_meant(scene: &Scene<'_>) -> bool {
    are_crossings(scene.board)
}

/// Like [`are_meant`], of a board.
pub(in crate::draw::svg) fn are_crossings(board: &Board) -> bool {
    let shape = board.topology.shape();
    let lines = matches!(shape, Shape::Grid { wrap: false, .. } | Shape::Cut { hex: false, wrap: false, .. });
    lines && (NAMES.contains(&board.name.as_str()) || board.topology.has_chosen_diagonals())
}

pub(in crate::draw::svg) fn draw(scene: &Scene<'_>, mut canvas: Canvas<'_>) -> Picture {
    let topology = &scene.board.topology;
    let (width, height) = (topology.width(), topology.height());
    let grid = GridPositions::new(scene, width, height);
    let at = |site: Site| grid.place(scene.board, site);
    let (right, bottom) = (grid.width(), grid.bottom());
    canvas.rect((grid.left, grid.top), (right - grid.left, bottom - grid.top), 7.0, Some(WOOD), None);
    let crossed = topology.has_chosen_diagonals();
    let lines = topology.lines().iter().filter(|line| match line.kind {
        LineKinds::DIAGONAL => crossed && line.sites.len() > 1,
        _ => true,
    });
    let all: Vec<Vec<PaperPoint>> =
        lines.map(|line| line.sites.iter().map(|site| at(*site)).collect()).collect();
    canvas.lines(&all, ShapeOutline { ink: RULE, width: (grid.pitch * 0.04).clamp(0.75, 1.25) });
    let whole = matches!(topology.shape(), Shape::Grid { .. });
    for (column, row) in if whole { stars(width, height) } else { vec![] } {
        canvas.circle(grid.middle(column.into(), row.into()), (grid.pitch * 0.09).max(1.5), Some(RULE), None);
    }
    areas::draw(scene, &mut canvas, &at, grid.pitch);
    scene.halos(&mut canvas, &at, grid.pitch * 0.45);
    scene.grounds(&mut canvas, &at, None, grid.pitch * 0.42);
    scene.stand(&mut canvas, &at, grid.pitch * 0.49);
    scene.coordinates(&mut canvas, &grid, 0.0);
    scene.grid_hits(&mut canvas, &grid);
    scene.link_hits(&mut canvas, &at, grid.pitch);
    canvas.done(right, grid.height())
}

/// Returns the marked crossings that help orientation on larger boards with a centre.
fn stars(width: u32, height: u32) -> Vec<(u32, u32)> {
    if width != height || width.is_multiple_of(2) || width < 9 {
        return vec![];
    }
    let (near, middle) = (if width < 13 { 2 } else { 3 }, width / 2);
    let far = width - 1 - near;
    let mut stars = vec![(near, near), (near, far), (far, near), (far, far), (middle, middle)];
    if width > 15 {
        stars.extend([(near, middle), (far, middle), (middle, near), (middle, far)]);
    }
    stars
}
