//! The layout of joined tiles: in rows, doubles crosswise, and branches below the double where they begin.

use super::canvas::{Anchor, Canvas, Picture, ShapeOutline, ThingArea};
use super::faces::tile;
use super::palette::{DIE, DIE_EDGE, QUIET, RULE};
use super::scene::font;
use crate::draw::chain::Link;
use crate::draw::table::ChainView;

/// Width of a tile.
const HEIGHT: f64 = 26.0;
/// Length of half a tile.
const HALF: f64 = 22.0;
const GAP: f64 = 3.0;
/// Distance between rows.
const PITCH: f64 = 2.0 * HALF + 6.0;
/// Maximum width of a row before it continues below.
const ROOM: f64 = 560.0;

/// Draws a chain with its name.
pub(super) fn picture(chain: &ChainView, mut canvas: Canvas<'_>) -> Picture {
    let mut size = (0.0, 0.0);
    canvas.part("zones", |canvas| {
        canvas.text((0.0, 11.0), Anchor::Start, font(12.0, QUIET), &chain.label);
        size = draw(&chain.links, &chain.of, 18.0, canvas);
    });
    canvas.done(size.0, size.1 + 18.0)
}

/// Draws the chain below `top`. The names of its tiles begin with `of`. Returns its width and height.
fn draw(chain: &[Link], of: &str, top: f64, canvas: &mut Canvas<'_>) -> (f64, f64) {
    let mut table = ChainTable { chain, of, top, canvas, rows: 0, widest: 0.0 };
    if !chain.is_empty() {
        table.branch(0, 0.5, 0);
    }
    (table.widest + 1.0, (table.rows + 1) as f64 * PITCH - 6.0)
}

struct ChainTable<'c, 'p> {
    chain: &'c [Link],
    of: &'c str,
    top: f64,
    canvas: &'c mut Canvas<'p>,
    /// The last row in use.
    rows: usize,
    widest: f64,
}

impl ChainTable<'_, '_> {
    fn middle(&self, row: usize) -> f64 {
        self.top + row as f64 * PITCH + HALF
    }

    /// Draws a tile and all tiles joined to it.
    fn branch(&mut self, from: usize, begin: f64, row: usize) {
        let (mut at, mut x, mut row) = (from, begin, row);
        loop {
            let link = &self.chain[at];
            let (width, height) = if link.is_double() { (HEIGHT, 2.0 * HALF) } else { (2.0 * HALF, HEIGHT) };
            let middle = self.middle(row);
            let corner = (x, middle - height / 2.0);
            let edge = ShapeOutline { ink: DIE_EDGE, width: 1.0 };
            tile(self.canvas, corner, (HALF, HEIGHT), link.halves, link.is_double(), (DIE, edge));
            let (thing, (a, b)) = (format!("{}:{}", self.of, link.tile), link.halves);
            let area = ThingArea::rect(corner, (width, height));
            self.canvas.thing(&thing, &format!("{a}-{b}"), &area);
            self.widest = self.widest.max(x + width);
            let next = x + width + GAP;
            match link.joined.as_slice() {
                [] => return,
                [only] if next + 2.0 * HALF > ROOM => {
                    self.rows += 1;
                    (at, x, row) = (*only, begin, self.rows);
                }
                [only] => (at, x) = (*only, next),
                [first, more @ ..] => {
                    self.branch(*first, next, row);
                    let fork = x + width / 2.0;
                    for branch in more {
                        self.rows += 1;
                        let (below, row) = (self.middle(self.rows), self.rows);
                        let way = [(fork, middle + height / 2.0), (fork, below), (next, below)];
                        self.canvas.line(&way, ShapeOutline { ink: RULE, width: 1.5 });
                        self.branch(*branch, next, row);
                    }
                    return;
                }
            }
        }
    }
}
