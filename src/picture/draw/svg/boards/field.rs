//! Grids with sides as sites: dots at the corners, lines between them, and cells with owners.

use super::marks;
use crate::draw::svg::canvas::{Canvas, Picture, ShapeOutline};
use crate::draw::svg::palette::{FAINT, FRESH_EDGE, Ink, TEXT};
use crate::draw::svg::scene::{GridPositions, PaperPoint, Scene, SiteCorners};
use crate::draw::svg::tiles::square;
use houserule_game::drawing::SiteContents;
use houserule_model::board::{Site, Topology};

pub(in crate::draw::svg) fn draw(scene: &Scene<'_>, sides: &Scene<'_>, mut canvas: Canvas<'_>) -> Picture {
    let (topology, all) = (&scene.board.topology, &sides.board.topology);
    let mut grid = GridPositions::new(scene, topology.width(), topology.height());
    // The outermost dots extend beyond the edge.
    let over = (grid.pitch * 0.1).clamp(2.0, 5.0);
    (grid.left, grid.top) = (grid.left + over, grid.top + over);
    let at = |site: Site| grid.place(scene.board, site);
    let whole = |site: Site| square(at(site), grid.pitch / 2.0);
    let cell =
        SiteCorners { at: &|site| square(at(site), grid.pitch * 0.41 - 2.0), whole: &whole, round: 4.0 };
    scene.grounds(&mut canvas, &at, Some(cell), grid.pitch * 0.26);
    canvas.part("cells", |canvas| {
        for site in topology.sites() {
            if let Some(token) = scene.token(site) {
                let half = grid.pitch * 0.41;
                let corners = square(at(site), half - 2.0);
                canvas.pale(0.24, |canvas| canvas.shapes(&[corners], 4.0, token.colours.stroke()));
            }
        }
    });
    let ends = |side: Site| {
        ends(scene.board.from_top, topology, all, side).map(|(x, y)| grid.middle(x - 0.5, y - 0.5))
    };
    let width = (grid.pitch * 0.09).clamp(1.5, 4.5);
    let lines = |wanted: &dyn Fn(Site) -> bool| -> Vec<Vec<PaperPoint>> {
        all.sites().filter(|side| wanted(*side)).map(|side| ends(side).to_vec()).collect()
    };
    let drawn = |side: Site| matches!(sides.marked.marks[side.index()], SiteContents::Piece(_));
    canvas.lines(&lines(&|side| !drawn(side)), ShapeOutline { ink: FAINT, width: width * 0.4 });
    canvas.part("last", |canvas| {
        let fresh = lines(&|side| sides.fresh.contains(side.0));
        canvas.lines(&fresh, ShapeOutline { ink: FRESH_EDGE, width: width * 2.4 });
    });
    canvas.part("sides", |canvas| {
        let mut inks: Vec<Ink> = vec![];
        for ink in all.sites().filter_map(|side| Some(sides.token(side)?.colours.stroke())) {
            if !inks.contains(&ink) {
                inks.push(ink);
            }
        }
        for ink in inks {
            let own = |side: Site| sides.token(side).is_some_and(|token| token.colours.stroke() == ink);
            canvas.lines(&lines(&own), ShapeOutline { ink, width });
        }
    });
    for row in 0..=topology.height() {
        for column in 0..=topology.width() {
            let dot = grid.middle(f64::from(column) - 0.5, f64::from(row) - 0.5);
            canvas.circle(dot, width * 0.95, Some(TEXT), None);
        }
    }
    scene.stand(&mut canvas, &at, grid.pitch * 0.26);
    let middle = |side: Site| {
        let [(ax, ay), (bx, by)] = ends(side);
        ((ax + bx) / 2.0, (ay + by) / 2.0)
    };
    canvas.part("legal", |canvas| {
        sides.legal.sites().for_each(|side| marks::mark_point(canvas, middle(side), width * 1.1));
    });
    scene.coordinates(&mut canvas, &grid, over);
    scene.grid_hits(&mut canvas, &grid);
    sides.side_hits(&mut canvas, &ends);
    canvas.done(grid.width() + over, grid.height() + over)
}

/// Returns the two ends of a side, in columns and rows of the page.
fn ends(from_top: bool, cells: &Topology, sides: &Topology, site: Site) -> [PaperPoint; 2] {
    let Some(side) = sides.side(site) else { return [(0.0, 0.0); 2] };
    let (height, along, line) = (f64::from(cells.height()), f64::from(side.along), f64::from(side.line));
    let down = |row: f64| if from_top { row } else { height - row };
    match side.upright {
        true => [(line, down(along)), (line, down(along + 1.0))],
        false => [(along, down(line)), (along + 1.0, down(line))],
    }
}
