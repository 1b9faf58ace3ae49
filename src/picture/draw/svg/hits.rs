//! Where the sites of a board, its columns and its rows are, for a pointer. Shapes of the same kind don't overlap.

use super::boards::marks::is_open;
use super::canvas::{Canvas, ThingArea};
use super::scene::{GridPositions, PaperPoint, Scene};
use crate::draw::board::in_words;
use houserule_base::names::plain;
use houserule_game::drawing::{SiteContents, columns, rows};
use houserule_game::explain::things::{Lanes, sites};
use houserule_model::board::Site;

/// Half the width of the shape of a side, as a part of its length.
const SIDE: f64 = 0.2;

/// Distance between neighbouring sites below which these are near each other.
const NEAR: f64 = 24.0;

/// Radius of the shape of a link, as a part of the distance between neighbouring sites.
const LINK: f64 = 0.09;

/// How far from its first site the shape of a link is. Links that cross would share a shape in the middle.
const ALONG: f64 = 0.3;

impl Scene<'_> {
    /// Marks each site.
    pub(super) fn hits(&self, canvas: &mut Canvas<'_>, area: &dyn Fn(Site) -> ThingArea) {
        self.hits_in("things", canvas, &|_| true, area);
    }

    /// Marks some of the sites, in a part of the picture.
    pub(super) fn hits_in(
        &self,
        part: &str,
        canvas: &mut Canvas<'_>,
        is_marked: &dyn Fn(Site) -> bool,
        area: &dyn Fn(Site) -> ThingArea,
    ) {
        let prefix = sites(self.state.game(), self.instance.board, self.instance.number);
        canvas.part(part, |canvas| {
            for site in self.sites().filter(|site| is_marked(*site)) {
                let title = self.title(site);
                let name = format!("{prefix}:{}", site.0);
                canvas.site(&name, &title, &area(site), !is_open(&self.marked, site));
            }
        });
    }

    /// Returns the name of a site, and what stands there.
    fn title(&self, site: Site) -> String {
        let name = self.board.topology.site_name(site);
        let there = match self.marked.marks.get(site.index()) {
            Some(SiteContents::Piece(at)) => {
                self.marked.symbols.get(*at).map(|one| in_words(one, self.board))
            }
            Some(SiteContents::Number(number)) => Some(number.to_string()),
            Some(SiteContents::Hidden) => Some("face down".to_owned()),
            Some(SiteContents::Empty) | None => None,
        };
        let ground = self.board.ground(site).map(|ground| plain(&ground.name));
        [Some(name), ground, there].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// Marks the sites of a grid, and its columns and rows if actions name them.
    pub(super) fn grid_hits(&self, canvas: &mut Canvas<'_>, grid: &GridPositions) {
        let half = grid.pitch / 2.0;
        // The page that shows the picture draws no frames around sites that are near each other.
        let part = if grid.pitch < NEAR { "near-things" } else { "things" };
        self.hits_in(part, canvas, &|_| true, &|site| square(grid.place(self.board, site), half));
        self.lane_hits(canvas, grid);
    }

    /// Marks the columns and rows that actions name: all of them, or their names beside the board if actions name
    /// its sites, too.
    fn lane_hits(&self, canvas: &mut Canvas<'_>, grid: &GridPositions) {
        let board = sites(self.state.game(), self.instance.board, self.instance.number);
        let named = [Lanes::Columns, Lanes::Rows].map(|lanes| self.named.name(&lanes.prefix(&board)));
        let whole = !self.named.name(&board) && named != [true, true];
        let size = (f64::from(grid.columns) * grid.pitch, f64::from(grid.rows) * grid.pitch);
        canvas.part("things", |canvas| {
            if named[0] {
                let top = if whole { grid.top } else { grid.bottom() };
                for (at, name) in (0u32..).zip(columns(self.board, self.instance.number)) {
                    let x = grid.left + f64::from(at) * grid.pitch;
                    let area = ThingArea::rect((x, top), (grid.pitch, grid.height() - top));
                    canvas.thing(
                        &format!("{}:{at}", Lanes::Columns.prefix(&board)),
                        &format!("column {name}"),
                        &area,
                    );
                }
            }
            if named[1] {
                let width = grid.left + if whole { size.0 } else { 0.0 };
                for (at, row) in (0u32..).zip(rows(self.board, self.instance.number)) {
                    let y = grid.top + f64::from(at) * grid.pitch;
                    let area = ThingArea::rect((0.0, y), (width, grid.pitch));
                    let index = row.number - 1;
                    canvas.thing(
                        &format!("{}:{index}", Lanes::Rows.prefix(&board)),
                        &format!("row {}", row.number),
                        &area,
                    );
                }
            }
        });
    }

    /// Marks the sides of cells, given their ends, without the corners.
    pub(super) fn side_hits(&self, canvas: &mut Canvas<'_>, ends: &dyn Fn(Site) -> [PaperPoint; 2]) {
        self.hits(canvas, &|side| {
            let [(ax, ay), (bx, by)] = ends(side);
            let (dx, dy) = ((bx - ax) * SIDE, (by - ay) * SIDE);
            ThingArea::Shape(vec![
                (ax, ay),
                (ax + dx - dy, ay + dy + dx),
                (bx - dx - dy, by - dy + dx),
                (bx, by),
                (bx - dx + dy, by - dy - dx),
                (ax + dx + dy, ay + dy - dx),
            ])
        });
    }

    /// Marks the links between sites, if they are sites of their own.
    pub(super) fn link_hits(&self, canvas: &mut Canvas<'_>, at: &dyn Fn(Site) -> PaperPoint, pitch: f64) {
        let Some(links) = &self.links else { return };
        links.hits(canvas, &|link| {
            let [(ax, ay), (bx, by)] =
                links.board.topology.ends(link).map_or([(0.0, 0.0); 2], |ends| ends.map(at));
            ThingArea::Disc((ax + (bx - ax) * ALONG, ay + (by - ay) * ALONG), pitch * LINK)
        });
    }

    /// Marks points at any distance from each other with discs.
    pub(super) fn point_hits(&self, canvas: &mut Canvas<'_>, at: &dyn Fn(Site) -> PaperPoint, most: f64) {
        let places: Vec<PaperPoint> = self.board.topology.sites().map(at).collect();
        let far = |a: &PaperPoint, b: &PaperPoint| (a.0 - b.0).hypot(a.1 - b.1);
        let nearest = |at: usize, place: &PaperPoint| {
            let others = places.iter().enumerate().filter(|(other, _)| *other != at);
            others.map(|(_, other)| far(place, other)).fold(f64::INFINITY, f64::min)
        };
        let least =
            places.iter().enumerate().map(|(at, place)| nearest(at, place)).fold(2.0 * most, f64::min);
        self.hits(canvas, &|site| ThingArea::Disc(at(site), least / 2.0));
    }
}

/// Returns a square, given its centre and half a side.
pub(super) fn square(centre: PaperPoint, half: f64) -> ThingArea {
    let (x, y) = centre;
    ThingArea::rect((x - half, y - half), (2.0 * half, 2.0 * half))
}
