//! A board whose squares are in blocks, which are the cells of a coarser board.

use super::crop;
use super::marks::mark_point;
use super::owners::draw_owners;
use super::printed::PrintedNumbers;
use crate::draw::svg::canvas::{Canvas, Picture, ShapeOutline, ThingArea};
use crate::draw::svg::land;
use crate::draw::svg::palette::{CAN, FRESH_EDGE, RULE, TEXT};
use crate::draw::svg::scene::{GridPositions, PaperPoint, Scene, SiteCorners};
use crate::draw::svg::tiles::{self, square};
use houserule_game::explain::things::sites;
use houserule_model::board::Site;

/// The radius of a piece on a block, as a part of its side, and how pale it is.
const PIECE: f64 = 0.4;
const PALE: f64 = 0.55;
/// The same of a number, and of what lies on a block.
const NUMBER: f64 = 0.2;

/// Draws the squares of `over` with lines between the blocks, and large what stands on a block.
pub(in crate::draw::svg) fn draw(scene: &Scene<'_>, over: &Scene<'_>, mut canvas: Canvas<'_>) -> Picture {
    let squares = tiles::draw(over, canvas.fresh());
    let topology = &over.board.topology;
    let grid = GridPositions::new(over, topology.width(), topology.height());
    let (columns, rows) = (scene.board.topology.width(), scene.board.topology.height());
    let side = (grid.width() - grid.left) / f64::from(columns);
    let corner = |site: Site| {
        let (column, row) = crop::place(scene.board, site, rows);
        (grid.left + side * f64::from(column), grid.top + side * f64::from(row))
    };
    let middle = |site: Site| {
        let (x, y) = corner(site);
        (x + side / 2.0, y + side / 2.0)
    };
    let is_named = |one: &Scene<'_>| {
        scene.named.name(&sites(scene.state.game(), one.instance.board, one.instance.number))
    };
    let hits = |canvas: &mut Canvas<'_>| {
        scene.hits_in("things", canvas, &|_| true, &|site| ThingArea::rect(corner(site), (side, side)));
    };
    // Squares that can be chosen lie on top.
    if is_named(scene) && is_named(over) {
        hits(&mut canvas);
    }
    canvas.put(0.0, 0.0, &squares);
    let step = |n: u32| f64::from(n) * side;
    let down =
        (1..columns).map(|n| vec![(grid.left + step(n), grid.top), (grid.left + step(n), grid.bottom())]);
    let across = (1..rows).map(|n| vec![(grid.left, grid.top + step(n)), (grid.width(), grid.top + step(n))]);
    let lines: Vec<Vec<PaperPoint>> = down.chain(across).collect();
    canvas.lines(&lines, ShapeOutline { ink: RULE, width: (grid.pitch * 0.07).clamp(2.0, 4.0) });
    let frame = |canvas: &mut Canvas<'_>, site: Site, edge: ShapeOutline| {
        let (x, y) = corner(site);
        canvas.rect((x + 2.0, y + 2.0), (side - 4.0, side - 4.0), 4.0, None, Some(edge));
    };
    canvas.part("last", |canvas| {
        for site in scene.fresh.sites() {
            frame(canvas, site, ShapeOutline { ink: FRESH_EDGE, width: 2.6 });
        }
    });
    let whole = |site: Site| square(middle(site), side / 2.0);
    let cell = SiteCorners { at: &whole, whole: &whole, round: 0.0 };
    canvas.pale(PALE, |canvas| scene.grounds(canvas, &middle, Some(cell), side * NUMBER));
    if let Some(printed) = PrintedNumbers::find(scene) {
        printed.draw(scene, &mut canvas, &middle, side, TEXT);
    }
    canvas.part("pieces", |canvas| {
        canvas.pale(PALE, |canvas| {
            for site in scene.sites() {
                let size = if scene.token(site).is_some() { PIECE } else { NUMBER };
                scene.contents(canvas, site, middle(site), side * size);
            }
        });
    });
    draw_owners(scene, &mut canvas, &middle, side * NUMBER);
    land::counters(scene, &mut canvas, &middle, side * PIECE);
    canvas.part("legal", |canvas| {
        for site in scene.legal.sites() {
            frame(canvas, site, ShapeOutline { ink: CAN, width: 1.5 });
            mark_point(canvas, middle(site), (side * 0.08).clamp(3.5, 5.0));
        }
    });
    if is_named(scene) && !is_named(over) {
        hits(&mut canvas);
    }
    canvas.done(squares.width, squares.height)
}
