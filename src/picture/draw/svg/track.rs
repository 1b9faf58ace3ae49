//! Tracks, and graphs that are paths: sites in a row, in rows of alternating direction if there are many, or as a ring if
//! the last site is followed by the first.

use super::boards::jumps;
use super::boards::printed::PrintedNumbers;
use super::canvas::{Anchor, Canvas, Picture, ShapeOutline, clipped, text_width};
use super::hits;
use super::palette::{FRESH, FRESH_EDGE, QUIET, RULE, TEXT, TILE};
use super::scene::{PaperPoint, Scene, SiteCorners, font};
use super::tiles::square;
use houserule_model::board::{Site, Topology};

/// Maximum number of sites that are a single row.
const STRAIGHT: u32 = 20;

/// Number of sites in each of several rows.
const ROW: u32 = 10;

/// Minimum number of sites of a ring.
const RING: u32 = 8;

/// Distance between sites at which a tile is 30 wide.
const UNIT: f64 = 40.0;

/// Number of sites of a ring that is drawn more closely.
const LONG_RING: u32 = 40;

/// Distance between sites on a screen.
const PITCH: f64 = 48.0;

/// Distance between sites on which cards lie.
const CARD_PITCH: f64 = 84.0;

/// Maximum distance between sites whose names are long.
const WIDE_PITCH: f64 = 72.0;

/// Distance between sites of a path on which several piles lie.
const PILE_PITCH: f64 = 60.0;

/// Size of the names.
const NAME: f64 = 10.5;

/// How sites in an order are drawn.
#[derive(Clone, Copy)]
struct PathForm {
    /// Whether the first site follows the last.
    wrap: bool,
    /// Distance between sites on a screen.
    pitch: f64,
}

/// Draws a track.
pub(super) fn draw(scene: &Scene<'_>, wrap: bool, canvas: Canvas<'_>) -> Picture {
    let sites: Vec<Site> = scene.board.topology.sites().collect();
    let pitch = if scene.card_zones.is_empty() { PITCH } else { CARD_PITCH };
    draw_along(scene, &sites, PathForm { wrap, pitch }, canvas)
}

/// Draws a graph that is a path.
pub(super) fn draw_path(scene: &Scene<'_>, sites: &[Site], canvas: Canvas<'_>) -> Picture {
    let topology = &scene.board.topology;
    let width = |site: &Site| text_width(&topology.site_name(*site), font(NAME, QUIET));
    let widest = sites.iter().map(width).fold(0.0, f64::max);
    let lying = sites.iter().map(|site| scene.marked.lying(*site).len()).max().unwrap_or(0);
    let least = if lying > 1 { PILE_PITCH } else { PITCH };
    let pitch = (widest + 12.0).clamp(least, WIDE_PITCH);
    draw_along(scene, sites, PathForm { wrap: false, pitch }, canvas)
}

/// Returns the sites of a graph from one end to the other, if each is linked with the next only. Returns `None` for other
/// graphs.
pub(super) fn path(topology: &Topology) -> Option<Vec<Site>> {
    let ends: Vec<Site> = topology.sites().filter(|site| topology.beside(*site).len() < 2).collect();
    let [first, _] = ends.as_slice() else { return None };
    let (mut sites, mut before, mut at) = (vec![*first], None, *first);
    loop {
        let next: Vec<Site> = topology.beside(at).sites().filter(|site| Some(*site) != before).collect();
        match next.as_slice() {
            [] => break,
            [one] => {
                sites.push(*one);
                (before, at) = (Some(at), *one);
            }
            _ => return None,
        }
    }
    (sites.len() == topology.size() as usize).then_some(sites)
}

/// Draws sites in their order.
fn draw_along(scene: &Scene<'_>, sites: &[Site], form: PathForm, mut canvas: Canvas<'_>) -> Picture {
    let topology = &scene.board.topology;
    let size = topology.size();
    let pitch = scene.pitch_or(|_| if form.wrap && size > LONG_RING { UNIT } else { form.pitch });
    let scale = pitch / UNIT;
    let ring = form.wrap && size >= RING && size.is_multiple_of(2);
    let mut order = vec![0; sites.len()];
    for (number, site) in (0..).zip(sites) {
        order[site.index()] = number;
    }
    let place = |site: Site| {
        let number: u32 = order[site.index()];
        if ring { in_ring(number, size) } else { in_rows(number, row_length(size)) }
    };
    let (columns, rows) =
        topology.sites().map(place).fold((0, 0), |(x, y), (c, r)| (x.max(c + 1), y.max(r + 1)));
    let at = |site: Site| {
        let (column, row) = place(site);
        ((f64::from(column) + 0.5) * pitch, (f64::from(row) + 0.5) * pitch)
    };
    let first = sites.first().filter(|_| ring);
    let way: Vec<PaperPoint> = sites.iter().chain(first).map(|site| at(*site)).collect();
    canvas.line(&way, ShapeOutline { ink: RULE, width: 2.0 });
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
    let printed = PrintedNumbers::find(scene);
    let number = font(NAME, TEXT);
    canvas.part("coordinates", |canvas| {
        for site in topology.sites() {
            let (x, y) = at(site);
            let beside = printed.as_ref().and_then(|printed| printed.number(site));
            let beside = beside.map_or(0.0, |text| text_width(&text, number) + 4.0);
            let name = clipped(&topology.site_name(site), font(NAME, QUIET), 0.875 * pitch - beside);
            canvas.text((x - 15.0 * scale, y - 15.0 * scale + 9.0), Anchor::Start, font(NAME, QUIET), &name);
        }
    });
    if let Some(printed) = &printed {
        printed.write(scene, &mut canvas, (number, Anchor::End), &|site| {
            let (x, y) = at(site);
            (x + 15.0 * scale, y - 15.0 * scale + 9.0)
        });
    }
    let tile = |site: Site| square(at(site), 15.0 * scale);
    let cell = SiteCorners { at: &tile, whole: &tile, round: 5.0 };
    scene.grounds(&mut canvas, &at, Some(cell), 12.5 * scale);
    jumps::draw(scene, &mut canvas, &at, pitch);
    scene.stand(&mut canvas, &|site| (at(site).0 + 1.0, at(site).1 + 3.5), 12.5 * scale);
    scene.hits(&mut canvas, &|site| hits::square(at(site), pitch / 2.0));
    canvas.done(f64::from(columns) * pitch, f64::from(rows) * pitch)
}

/// Returns how many sites a row has.
fn row_length(size: u32) -> u32 {
    if size <= STRAIGHT { size } else { ROW }
}

/// Returns column and row in rows of alternating direction, which have `length` sites each.
fn in_rows(site: u32, length: u32) -> (u32, u32) {
    let (row, along) = (site / length, site % length);
    (if row.is_multiple_of(2) { along } else { length - 1 - along }, row)
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
        assert!((0..39).all(|site| beside(in_rows(site, ROW), in_rows(site + 1, ROW))));
    }

    #[test]
    fn a_row_is_straight_while_it_fits() {
        for size in [1, 12, STRAIGHT] {
            assert!((0..size).all(|site| in_rows(site, row_length(size)) == (site, 0)), "{size}");
        }
        assert_eq!(in_rows(STRAIGHT, row_length(STRAIGHT + 1)), (0, 2));
    }

    #[test]
    fn only_a_path_is_drawn_from_end_to_end() {
        let found = |chains: &[&str]| {
            let graph = Topology::graph(chains, 99).expect("a graph");
            let name = |site: &Site| graph.site_name(*site);
            path(&graph).map(|sites| sites.iter().map(name).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(found(&["inn-mill-well-barn"]).as_deref(), Some("inn mill well barn"));
        // The text needn't begin at an end.
        assert_eq!(found(&["mill-well", "inn-mill"]).as_deref(), Some("well mill inn"));
        for other in [&["hub-n hub-e hub-s"][..], &["n-e-s-n"], &["n-e s-w"], &["n-e-s-w w-e"], &["n"]] {
            assert_eq!(found(other), None, "{other:?}");
        }
    }
}
