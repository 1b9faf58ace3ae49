//! Boards of squares in columns and rows.

use super::canvas::{Canvas, Picture, ShapeOutline};
use super::palette::{FRESH, FRESH_EDGE, RULE, SHADE, TILE};
use super::scene::{GridPositions, PaperPoint, Scene, SiteCorners};
use super::strokes::has_moves;
use houserule_model::board::{Shape, Site};

pub(super) fn draw(scene: &Scene<'_>, mut canvas: Canvas<'_>) -> Picture {
    let topology = &scene.board.topology;
    let of = scene.instance.number;
    let mut grid = GridPositions::new(scene, scene.board.width_of(of), scene.board.height_of(of));
    // A board that continues across its edges has lines on paper that do, too.
    let over = match topology.shape() {
        Shape::Grid { wrap: true, .. } if canvas.prints() => (grid.pitch * 0.12).min(9.0),
        _ => 0.0,
    };
    (grid.left, grid.top) = (grid.left + over, grid.top + over);
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
            scene.sites().filter(|site| is_dark(site) == dark).map(tile).collect();
        canvas.cells(&tiles, round, ink);
    }
    if over > 0.0 {
        let (left, right, top, bottom) = (grid.left, grid.width(), grid.top, grid.bottom());
        let step = |n: u32| f64::from(n) * grid.pitch;
        let down = (0..=grid.columns).map(|n| left + step(n));
        let across = (0..=grid.rows).map(|n| top + step(n));
        let down =
            down.flat_map(|x| [vec![(x, top - over), (x, top)], vec![(x, bottom), (x, bottom + over)]]);
        let across =
            across.flat_map(|y| [vec![(left - over, y), (left, y)], vec![(right, y), (right + over, y)]]);
        let lines: Vec<Vec<PaperPoint>> = down.chain(across).collect();
        canvas.lines(&lines, ShapeOutline { ink: RULE, width: 1.0 });
    }
    canvas.part("last", |canvas| {
        for site in scene.fresh.sites() {
            let half = (grid.pitch - gap) / 2.0;
            let (x, y) = at(site);
            let edge = ShapeOutline { ink: FRESH_EDGE, width: (grid.pitch * 0.035).clamp(0.75, 1.5) };
            canvas.rect((x - half, y - half), (2.0 * half, 2.0 * half), round * 0.7, Some(FRESH), Some(edge));
        }
    });
    let cell = SiteCorners { at: &tile, round };
    scene.grounds(&mut canvas, &at, Some(cell), grid.pitch * 0.39);
    scene.stand(&mut canvas, &at, grid.pitch * 0.39);
    let margin = scene.margin(&mut canvas, &grid);
    scene.coordinates(&mut canvas, &grid, over);
    scene.grid_hits(&mut canvas, &grid);
    scene.link_hits(&mut canvas, &at, grid.pitch);
    canvas.done(grid.width() + margin + over, grid.height() + over)
}

/// Returns the corners of a square, given its centre and half a side.
pub(super) fn square(centre: PaperPoint, half: f64) -> Vec<PaperPoint> {
    let (x, y) = centre;
    vec![(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
}
