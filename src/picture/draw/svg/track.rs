//! Tracks: in rows of alternating direction, or as a ring if the last site is followed by the first.

use super::canvas::{Anchor, Canvas, Picture, ShapeOutline};
use super::hits;
use super::palette::{FRESH, FRESH_EDGE, QUIET, RULE, TILE};
use super::scene::{PaperPoint, Scene, SiteCorners, font};
use super::tiles::square;
use houserule_model::board::Site;

/// Maximum number of sites in a row.
const ROW: u32 = 10;

/// Minimum number of sites of a ring.
const RING: u32 = 8;

/// Distance between sites on a screen.
const PITCH: f64 = 40.0;

pub(super) fn draw(scene: &Scene<'_>, wrap: bool, mut canvas: Canvas<'_>) -> Picture {
    let topology = &scene.board.topology;
    let size = topology.size();
    let pitch = scene.pitch_or(|_| PITCH);
    let scale = pitch / PITCH;
    let ring = wrap && size >= RING && size.is_multiple_of(2);
    let place = |site: Site| if ring { in_ring(site.0, size) } else { in_rows(site.0) };
    let (columns, rows) =
        topology.sites().map(place).fold((0, 0), |(x, y), (c, r)| (x.max(c + 1), y.max(r + 1)));
    let at = |site: Site| {
        let (column, row) = place(site);
        ((f64::from(column) + 0.5) * pitch, (f64::from(row) + 0.5) * pitch)
    };
    let path: Vec<PaperPoint> = topology.sites().chain(ring.then_some(Site(0))).map(at).collect();
    canvas.line(&path, ShapeOutline { ink: RULE, width: 2.0 });
    let tiles: Vec<Vec<PaperPoint>> = topology.sites().map(|site| square(at(site), 15.0 * scale)).collect();
    canvas.cells(&tiles, 5.0, TILE);
    canvas.part("last", |canvas| {
        for site in scene.fresh.sites() {
            let (x, y) = at(site);
            let edge = ShapeOutline { ink: FRESH_EDGE, width: 1.25 };
            canvas.rect(
                (x - 17.5 * scale, y - 17.5 * scale),
                (35.0 * scale, 35.0 * scale),
                4.0,
                Some(FRESH),
                Some(edge),
            );
        }
    });
    canvas.part("coordinates", |canvas| {
        for site in topology.sites() {
            let (x, y) = at(site);
            let name = topology.site_name(site);
            canvas.text((x - 15.0 * scale, y - 15.0 * scale + 7.0), Anchor::Start, font(8.0, QUIET), &name);
        }
    });
    let cell = SiteCorners { at: &|site| square(at(site), 15.0 * scale), round: 5.0 };
    scene.grounds(&mut canvas, &at, Some(cell), 12.5 * scale);
    scene.stand(&mut canvas, &|site| (at(site).0 + 1.0, at(site).1 + 2.0), 12.5 * scale);
    scene.hits(&mut canvas, &|site| hits::square(at(site), pitch / 2.0));
    canvas.done(f64::from(columns) * pitch, f64::from(rows) * pitch)
}

/// Returns column and row in rows of alternating direction.
fn in_rows(site: u32) -> (u32, u32) {
    let (row, along) = (site / ROW, site % ROW);
    (if row.is_multiple_of(2) { along } else { ROW - 1 - along }, row)
}

/// Returns column and row on a rectangular ring, clockwise from its upper left corner.
fn in_ring(site: u32, size: u32) -> (u32, u32) {
    let half = size / 2;
    // Columns and rows without the shared corners.
    let across = half - half / 2;
    let down = half - across;
    match site {
        s if s < across => (s, 0),
        s if s < half => (across, s - across),
        s if s < half + across => (across - (s - half), down),
        s => (0, down - (s - half - across)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_lie_beside_each_other() {
        let beside = |a: (u32, u32), b: (u32, u32)| a.0.abs_diff(b.0) + a.1.abs_diff(b.1) == 1;
        for size in [8, 10, 12, 40, 42] {
            let all: Vec<(u32, u32)> = (0..size).map(|site| in_ring(site, size)).collect();
            for at in 0..all.len() {
                assert!(beside(all[at], all[(at + 1) % all.len()]), "{size}: {all:?}");
                assert!(!all[..at].contains(&all[at]), "{size}: {all:?}");
            }
        }
        assert!((0..39).all(|site| beside(in_rows(site), in_rows(site + 1))));
    }
}
