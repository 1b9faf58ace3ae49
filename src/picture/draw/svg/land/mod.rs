//! Landscapes: a finer grid that lies on a coarser one, drawn as tiles. Areas and lines on any board.

pub(in crate::draw) mod faces;
pub(in crate::draw::svg) mod links;
pub(in crate::draw::svg) mod shapes;
pub(in crate::draw::svg) mod tile;

use std::collections::BTreeMap;

use super::boards::counters::counter_token;
use super::boards::marks::mark_point;
use super::boards::owners::draw_owners;
use super::boards::printed::PrintedNumbers;
use super::boards::{crop, men};
use super::canvas::{Anchor, Canvas, Picture, ShapeOutline, ThingArea};
use super::icons;
use super::palette::{CAN, FRESH_EDGE, MAT, MAT_EDGE, PAPER, TEXT};
use super::paper::areas;
use super::scene::{GridPositions, PaperPoint, Scene, SceneSize, SiteCorners, side_of_square};
use super::tiles::square;
use super::token::{PieceLook, PieceShape};
use crate::draw::last::legal;
use houserule_game::drawing::SiteContents;
use houserule_game::explain::things::sites;
use houserule_model::board::{BitSet, Shape, Site};
use houserule_model::{
    Board, BoardId, Content, DisplayForm, LookForm, Model, PLAYER, Role, Seat, SlotId, Value, Visibility,
};
use tile::{SpotLook, TileLayers, TileSpots};

/// The width of all counters of a site, in units of the size of a single one.
const ROOM_OF_COUNTERS: f64 = 1.6;

/// The largest side of a tile.
const LARGEST: f64 = 84.0;
/// The width and height of a landscape, without its margin.
const ROOM: f64 = 690.0;
/// The margin around it.
const MARGIN: f64 = 12.0;
/// The size of a counter on a spot, as a part of the side of a tile.
const COUNTER: f64 = 0.42;
/// The spots of a tile with towns and roads, on each side.
const TILE_SPOTS: f64 = 3.0;
/// The size of a piece on a tile, as a part of its side.
const PIECE: f64 = 0.2;

/// Returns the finer board that lies on a board, if it is the same number of times as fine in both directions.
pub(super) fn finer(model: &Model, coarse: BoardId) -> Option<BoardId> {
    let is_square = |board: &Board| {
        matches!(board.topology.shape(), Shape::Grid { .. })
            && board.index.is_empty()
            && board.sides_of.is_none()
    };
    let below = &model.boards[coarse.index()];
    let size = (below.topology.width(), below.topology.height());
    let fits = |board: &Board| {
        let (width, height) = (board.topology.width(), board.topology.height());
        is_square(board)
            && board.look.over == Some(coarse)
            && board.from_top == below.from_top
            && width.is_multiple_of(size.0)
            && height == size.1 * (width / size.0)
    };
    if !is_square(below) {
        return None;
    }
    model.boards.iter().position(fits).map(|at| BoardId(at as u32))
}

/// Returns `true` if a board is drawn on a coarser one.
pub(super) fn lies_on_another(model: &Model, board: BoardId) -> bool {
    model.boards[board.index()].look.over.is_some_and(|below| finer(model, below) == Some(board))
}

/// Returns `true` if a board is drawn as tiles: the rules show what is on the finer board as areas and lines, or with
/// counters. Else its cells are blocks of squares.
pub(super) fn is_landscape(model: &Model, board: BoardId) -> bool {
    let Some(finer) = finer(model, board) else { return false };
    let finer = &model.boards[finer.index()];
    let is_land = |piece: &SlotId| match &model.slots[piece.index()].shown {
        DisplayForm::Pieces(looks) => {
            looks.iter().any(|look| matches!(look.form, LookForm::Area | LookForm::Line))
        }
        _ => false,
    };
    finer.pieces.iter().any(is_land) || !counter_sets(model, finer).is_empty()
}

/// Returns the room for a board that is alone on the page.
pub(super) fn room(model: &Model, board: BoardId, usual: f64) -> f64 {
    if is_landscape(model, board) { ROOM } else { usual }
}

/// How many sites of the finer board are on a side of a tile.
fn fineness(scene: &Scene<'_>, over: &Scene<'_>) -> u32 {
    over.board.topology.width() / scene.board.topology.width()
}

/// Returns the sites of a board on which the finer board has pieces.
pub(super) fn tiles_in_use(scene: &Scene<'_>) -> BitSet {
    let size = scene.board.topology.size();
    let Some(over) = &scene.over else { return BitSet::empty(size) };
    let marks = (0..).map(Site).zip(&over.marked.marks);
    let pieces = marks.filter(|(_, mark)| matches!(mark, SiteContents::Piece(_)));
    BitSet::from_sites(size, pieces.filter_map(|(site, _)| tile_of(scene, over, site)))
}

/// Returns the tile on which a site of the finer board is.
fn tile_of(scene: &Scene<'_>, over: &Scene<'_>, site: Site) -> Option<Site> {
    let (fine, topology) = (fineness(scene, over), &over.board.topology);
    let [column, row] = [topology.column_of(site), topology.row_of(site)].map(|place| (place - 1) / fine + 1);
    scene.board.topology.site_at(column.into(), row.into())
}

/// Draws a board with a finer one on it.
pub(super) fn draw(scene: &Scene<'_>, over: &Scene<'_>, mut canvas: Canvas<'_>) -> Picture {
    let topology = &scene.board.topology;
    let mut grid = GridPositions::new(scene, topology.width(), topology.height());
    let most = f64::from(grid.columns.max(grid.rows));
    grid.pitch = scene.pitch_or(|room| (room / most).min(LARGEST).floor());
    let q = grid.pitch;
    let size = match scene.size {
        SceneSize::Room(room) => (room, room),
        SceneSize::Pitch(_) => (q * f64::from(grid.columns), q * f64::from(grid.rows)),
    };
    let size = (size.0 + 2.0 * MARGIN, size.1 + 2.0 * MARGIN);
    // The part that is drawn lies in the middle.
    let aside = |size: f64, count: u32| (size - q * f64::from(count)) / 2.0;
    let corner = (grid.left, grid.top);
    grid.left += aside(size.0, grid.columns);
    grid.top += aside(size.1, grid.rows);
    let at = |site: Site| grid.place(scene.board, site);
    let fine = f64::from(fineness(scene, over));
    let fine_at = |site: Site| {
        let (column, row) = crop::place(over.board, site, over.board.topology.height());
        grid.middle((f64::from(column) + 0.5) / fine - 0.5, (f64::from(row) + 0.5) / fine - 0.5)
    };
    let corner_of = |site: Site| {
        let (x, y) = at(site);
        (x - q / 2.0, y - q / 2.0)
    };
    let end = (corner.0 + size.0, corner.1 + size.1);
    let edge = ShapeOutline { ink: MAT_EDGE, width: 1.2 };
    canvas.rect(corner, size, 14.0, Some(MAT), Some(edge));
    let looks = SpotLooks::new(over);
    let small = q / fine;
    if fine == TILE_SPOTS {
        let mut layers = TileLayers::new(q);
        for site in scene.sites() {
            if let Some(spots) = looks.spots(scene, over, site) {
                layers.add(corner_of(site), &spots, looks.ground);
            }
        }
        canvas.part("tiles", |canvas| layers.draw(canvas));
    } else {
        let whole = |site: Site| square(fine_at(site), small / 2.0);
        let cell = SiteCorners { at: &whole, whole: &whole, round: 0.0 };
        over.grounds(&mut canvas, &fine_at, Some(cell), small * 0.39);
    }
    let whole = |site: Site| square(at(site), q / 2.0);
    let cell = SiteCorners { at: &|site| square(at(site), q / 2.0 - 1.0), whole: &whole, round: 3.0 };
    scene.grounds(&mut canvas, &at, Some(cell), q * PIECE);
    if let Some(printed) = PrintedNumbers::find(scene) {
        printed.draw(scene, &mut canvas, &at, q, TEXT);
    }
    if let Some(printed) = PrintedNumbers::find(over) {
        printed.draw(over, &mut canvas, &fine_at, small, TEXT);
    }
    canvas.part("last", |canvas| {
        for site in
            scene.fresh.sites().filter(|site| scene.part.is_none_or(|part| part.has_site(scene.board, *site)))
        {
            let (x, y) = corner_of(site);
            let edge = ShapeOutline { ink: FRESH_EDGE, width: 2.6 };
            canvas.rect((x + 1.0, y + 1.0), (q - 2.0, q - 2.0), 3.0, None, Some(edge));
        }
    });
    canvas.part("pieces", |canvas| {
        for site in scene.sites() {
            let place = looks.middle_of_areas(scene, over, site, &fine_at).unwrap_or(at(site));
            scene.contents(
                canvas,
                site,
                place,
                q * if scene.token(site).is_some() { PIECE / 1.8 } else { PIECE },
            );
        }
        for site in over.sites() {
            // What stands in the middle of a tile is part of it.
            if fine != TILE_SPOTS || !looks.is_thing(scene, over, site) {
                over.contents(canvas, site, fine_at(site), small * 0.39);
            }
        }
    });
    draw_owners(scene, &mut canvas, &at, q * PIECE);
    draw_owners(over, &mut canvas, &fine_at, small * 0.39);
    counters(scene, &mut canvas, &at, q * COUNTER);
    counters(over, &mut canvas, &fine_at, q * COUNTER);
    canvas.part("legal", |canvas| {
        for site in scene.legal.sites() {
            let ((x, y), edge) = (corner_of(site), ShapeOutline { ink: CAN, width: 1.5 });
            canvas.dashed_rect((x + 3.0, y + 3.0), (q - 6.0, q - 6.0), 4.0, edge, (5.0, 4.0));
            mark_point(canvas, at(site), (q * 0.08).clamp(3.5, 5.0));
        }
        for site in over.legal.sites() {
            mark_point(canvas, fine_at(site), (q * 0.07).clamp(3.0, 5.0));
        }
    });
    name_lanes(scene, &mut canvas, &grid, (corner.0, end.1));
    // What can be chosen on the finer board lies on top.
    let prefix = sites(scene.state.game(), over.instance.board, over.instance.number);
    let open = match scene.named.name(&prefix) {
        true => legal(scene.state, &over.instance),
        false => BitSet::empty(over.board.topology.size()),
    };
    let half = small / 2.0;
    over.hits_in("things", &mut canvas, &|site| open.contains(site.0), &|site| {
        let (x, y) = fine_at(site);
        ThingArea::rect((x - half, y - half), (2.0 * half, 2.0 * half))
    });
    scene.grid_hits(&mut canvas, &grid);
    canvas.done(end.0, end.1 + grid.font().size + 6.0)
}

/// Names the columns and rows that are drawn, beside the left edge and below the lower one.
fn name_lanes(scene: &Scene<'_>, canvas: &mut Canvas<'_>, grid: &GridPositions, edges: PaperPoint) {
    canvas.part("coordinates", |canvas| {
        let font = grid.font();
        for (number, name) in grid.shown_columns(scene) {
            let (x, _) = grid.middle(f64::from(number) - 1.0, 0.0);
            canvas.text((x, edges.1 + font.size + 3.0), Anchor::Middle, font, &name);
        }
        for (at, row) in grid.shown_rows(scene) {
            let y = grid.middle(0.0, at.into()).1 + font.size * 0.36;
            canvas.text((edges.0 - 6.0, y), Anchor::End, font, &row.number.to_string());
        }
    });
}

/// What each kind of piece on the finer board looks like.
struct SpotLooks {
    kinds: Vec<SpotLook>,
    /// The first kind of area, which is everywhere where nothing else is.
    ground: Option<SpotLook>,
}

impl SpotLooks {
    fn new(over: &Scene<'_>) -> SpotLooks {
        let model = over.state.game().model();
        let looks: Vec<_> = over.marked.symbols.iter().map(|symbol| men::find_look(model, symbol)).collect();
        let ground = looks.iter().find(|look| look.form == LookForm::Area).map(|look| SpotLook::new(*look));
        SpotLooks { kinds: looks.into_iter().map(SpotLook::new).collect(), ground }
    }

    /// Returns `true` if a picture stands in the middle of a tile.
    fn is_thing(&self, scene: &Scene<'_>, over: &Scene<'_>, site: Site) -> bool {
        let kind = match over.marked.marks[site.index()] {
            SiteContents::Piece(kind) => self.kinds.get(kind),
            _ => None,
        };
        let middle = |tile: Site| fine_sites(scene, over, tile).get(4).map(|(.., middle)| *middle);
        kind.is_some_and(|look| look.is_thing()) && tile_of(scene, over, site).and_then(middle) == Some(site)
    }

    /// Returns what is on the spots of a tile; nothing if there is none.
    fn spots(&self, scene: &Scene<'_>, over: &Scene<'_>, tile: Site) -> Option<TileSpots> {
        let mut spots = TileSpots::default();
        let mut is_tile = false;
        for (row, column, site) in fine_sites(scene, over, tile) {
            if let SiteContents::Piece(kind) = over.marked.marks[site.index()] {
                spots[row][column] = self.kinds.get(kind).copied();
                is_tile = true;
            }
        }
        is_tile.then_some(spots)
    }

    /// Returns the middle of the areas on a tile that aren't its ground.
    fn middle_of_areas(
        &self,
        scene: &Scene<'_>,
        over: &Scene<'_>,
        tile: Site,
        at: &dyn Fn(Site) -> PaperPoint,
    ) -> Option<PaperPoint> {
        let is_area = |site: &Site| match over.marked.marks[site.index()] {
            SiteContents::Piece(kind) => {
                self.kinds.get(kind).is_some_and(|look| look.is_area() && Some(*look) != self.ground)
            }
            _ => false,
        };
        let places: Vec<PaperPoint> = fine_sites(scene, over, tile)
            .into_iter()
            .map(|(.., site)| site)
            .filter(is_area)
            .map(at)
            .collect();
        let count = places.len() as f64;
        let sum = places.into_iter().reduce(|a, b| (a.0 + b.0, a.1 + b.1))?;
        Some((sum.0 / count, sum.1 / count))
    }
}

/// Returns the sites of the finer board on a tile: the row and column of each on the tile, from the upper left.
fn fine_sites(scene: &Scene<'_>, over: &Scene<'_>, tile: Site) -> Vec<(usize, usize, Site)> {
    let fine = fineness(scene, over);
    let topology = &scene.board.topology;
    let first = [topology.column_of(tile), topology.row_of(tile)].map(|place| (place - 1) * fine + 1);
    let mut sites = vec![];
    for row in 0..fine {
        for column in 0..fine {
            let up = if over.board.from_top { row } else { fine - 1 - row };
            let site = over.board.topology.site_at((first[0] + column).into(), (first[1] + up).into());
            sites.extend(site.map(|site| (row as usize, column as usize, site)));
        }
    }
    sites
}

/// Draws the sets of sites whose sites have counters: `var men[player]: set of spot shown as meeple`. Several on one site lie
/// side by side, and on the lower part of a piece that stands there.
pub(super) fn counters(
    scene: &Scene<'_>,
    canvas: &mut Canvas<'_>,
    at: &dyn Fn(Site) -> PaperPoint,
    size: f64,
) {
    let model = scene.state.game().model();
    let mut here: BTreeMap<Site, Vec<PieceLook>> = BTreeMap::new();
    for (id, place, look) in counter_sets(model, scene.board) {
        let Value::Set(sites) = scene.state.value(id, place) else { continue };
        let is_owned = model.slots[id.index()].index.first() == Some(&PLAYER);
        let seat = is_owned.then_some(Seat(place as u32));
        for site in drawn(scene, &sites) {
            here.entry(site).or_default().push(counter_token(&scene.seats, seat, look));
        }
    }
    canvas.part("counters", |canvas| {
        for (site, tokens) in here {
            let is_taken = scene.token(site).is_some() && !scene.is_covered(site);
            let (places, size) = counter_places(at(site), tokens.len(), is_taken, size);
            // A rim of paper, so that it is seen on everything.
            for (token, place) in tokens.iter().zip(&places) {
                if let PieceShape::Picture(picture, _) = token.shape {
                    icons::icon(canvas, picture, *place, size * 1.14, PAPER, None);
                }
            }
            for (token, place) in tokens.iter().zip(&places) {
                token.draw(canvas, *place, size / 1.76);
            }
        }
    });
}

/// Returns the middles of the counters of a site and their size, from the size of a single one.
fn counter_places(centre: PaperPoint, count: usize, is_taken: bool, size: f64) -> (Vec<PaperPoint>, f64) {
    let across = if is_taken { count } else { side_of_square(count) };
    let down = count.div_ceil(across.max(1));
    let (most, drop) = if is_taken { (0.6, 0.45 * size) } else { (1.0, 0.0) };
    let size = size * f64::min(most, ROOM_OF_COUNTERS / across.max(1) as f64);
    let place = |number: usize| {
        let (row, column) = (number / across, number % across);
        // The last row may be shorter.
        let in_row = across.min(count - row * across);
        let middle = |at: usize, all: usize| (at as f64 - (all as f64 - 1.0) / 2.0) * size;
        (centre.0 + middle(column, in_row), centre.1 + drop + middle(row, down))
    };
    ((0..count).map(place).collect(), size)
}

/// Returns the variables that are shown as counters on the sites of a board: each with a place of its family and the look.
fn counter_sets(model: &Model, board: &Board) -> Vec<(SlotId, usize, houserule_model::Look)> {
    let mut found = vec![];
    for (id, slot) in (0..).map(SlotId).zip(&model.slots) {
        let DisplayForm::Counters(counters) = &slot.shown else { continue };
        let is_here = matches!(slot.content, Content::Set(domain) if domain == board.domain);
        let is_plain = slot.index.is_empty() || slot.index == [PLAYER];
        if is_here && is_plain && slot.role == Role::Variable && slot.visibility == Visibility::All {
            found.extend((0..slot.initial.len()).map(|place| (id, place, counters.look)));
        }
    }
    found
}

/// Returns the variables that a board and the finer one on it show as counters or areas.
pub(super) fn drawn_slots(scene: &Scene<'_>) -> Vec<SlotId> {
    let model = scene.state.game().model();
    let mut slots: Vec<SlotId> = counter_sets(model, scene.board)
        .into_iter()
        .map(|(slot, ..)| slot)
        .chain(areas::area_slots(model, scene.board))
        .collect();
    slots.extend(scene.over.iter().flat_map(|over| drawn_slots(over)));
    slots
}

/// Returns the sites of a set that are drawn.
fn drawn<'a>(scene: &'a Scene<'_>, sites: &'a BitSet) -> impl Iterator<Item = Site> + 'a {
    sites.sites().filter(|site| scene.part.is_none_or(|part| part.has_site(scene.board, *site)))
}
