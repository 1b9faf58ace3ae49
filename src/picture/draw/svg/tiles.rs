//! Boards of squares in columns and rows. Where pieces of two players move, it is a wooden board.

use super::boards::marks;
use super::boards::printed::PrintedNumbers;
use super::canvas::{Anchor, Canvas, Font, Picture, ShapeOutline};
use super::palette::{
    BOARD_A, BOARD_B, BOARD_EDGE, FRESH, FRESH_EDGE, PAPER, QUIET, RULE, SHADE, TEXT, TILE,
};
use super::scene::{GridPositions, PaperPoint, Scene, SiteCorners};
use super::strokes::has_moves;
use houserule_game::explain::things::{ActionThings, Lanes, sites};
use houserule_model::board::{Shape, Site};

/// Least distance between sites at which names of columns and rows have room beside the pieces.
const ROOM_FOR_NAMES: f64 = 44.0;

/// Number of cells from which they aren't drawn one by one.
const MANY_CELLS: usize = 400;

pub(super) fn draw(scene: &Scene<'_>, mut canvas: Canvas<'_>) -> Picture {
    let topology = &scene.board.topology;
    let of = scene.instance.number;
    let mut grid = GridPositions::new(scene, scene.board.width_of(of), scene.board.height_of(of));
    // If pieces move, a chequered pattern makes diagonals easier to follow.
    let shaded = has_moves(scene.state.game(), scene.instance.board);
    let is_dark =
        |site: &Site| shaded && (topology.column_of(*site) + topology.row_of(*site)).is_multiple_of(2);
    let wooden = shaded && scene.has_two_sides() && !canvas.prints();
    let is_whole = wooden && has_edge(scene);
    // Numbers of two digits would lie below pieces.
    let names_inside =
        is_whole && grid.pitch >= ROOM_FOR_NAMES && grid.rows < 10 && !names_lanes(scene, &scene.named);
    // A board that continues across its edges has lines on paper that do, too.
    let over = match topology.shape() {
        _ if is_whole => (grid.pitch * 0.12).clamp(2.5, 8.0),
        Shape::Grid { wrap: true, .. } if canvas.prints() && scene.part.is_none() => {
            (grid.pitch * 0.12).min(9.0)
        }
        _ => 0.0,
    };
    if names_inside {
        grid.left = 0.0;
    }
    (grid.left, grid.top) = (grid.left + over, grid.top + over);
    let at = |site: Site| grid.place(scene.board, site);
    // On paper and on wood, neighbouring cells share a line.
    let (gap, round) = match canvas.prints() || wooden {
        true => (0.0, 0.0),
        false => ((grid.pitch * 0.07).clamp(1.0, 3.0), (grid.pitch * 0.16).clamp(1.5, 7.0)),
    };
    let tile = |site: Site| square(at(site), (grid.pitch - gap - round) / 2.0);
    let inks = if wooden { [BOARD_A, BOARD_B] } else { [TILE, SHADE] };
    if is_whole {
        let (corner, size) = ((grid.left, grid.top), (grid.width() - grid.left, grid.bottom() - grid.top));
        let (outer, all) = ((corner.0 - over, corner.1 - over), (size.0 + 2.0 * over, size.1 + 2.0 * over));
        canvas.rect(outer, all, over, Some(BOARD_EDGE), None);
        canvas.rect(corner, size, 0.0, Some(BOARD_A), None);
    }
    for (dark, ink) in [false, true].into_iter().zip(inks).filter(|(dark, _)| *dark || !is_whole) {
        let tiles: Vec<Vec<PaperPoint>> = scene
            .sites()
            .filter(|site| is_dark(site) == dark && !scene.is_left_out(*site))
            .map(tile)
            .collect();
        match shaded || canvas.prints() || tiles.len() < MANY_CELLS {
            true => canvas.cells(&tiles, round, ink),
            false => draw_many_cells(scene, &mut canvas, &grid, gap),
        }
    }
    if over > 0.0 && canvas.prints() {
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
            let edge = ShapeOutline { ink: FRESH_EDGE, width: (grid.pitch * 0.035).clamp(0.75, 1.5) };
            // What is drawn with a pencil has a ring.
            if !shaded && scene.token(site).is_some_and(|token| token.shape.is_dot()) {
                canvas.circle(at(site), grid.pitch * 0.38, Some(FRESH), Some(edge));
                continue;
            }
            // On wood the outline lies inside its square.
            let half = (grid.pitch - if wooden { edge.width } else { gap }) / 2.0;
            let (x, y) = at(site);
            canvas.rect((x - half, y - half), (2.0 * half, 2.0 * half), round * 0.7, Some(FRESH), Some(edge));
        }
    });
    if names_inside {
        name_squares(scene, &mut canvas, &grid);
    }
    let whole = |site: Site| square(at(site), grid.pitch / 2.0);
    let cell = SiteCorners { at: &tile, whole: &whole, round };
    scene.grounds(&mut canvas, &at, Some(cell), grid.pitch * 0.39);
    if let Some(printed) = PrintedNumbers::find(scene) {
        printed.draw(scene, &mut canvas, &at, grid.pitch, QUIET);
    }
    scene.stand(&mut canvas, &at, grid.pitch * 0.39);
    let margin = scene.margin(&mut canvas, &grid);
    if !names_inside {
        scene.coordinates(&mut canvas, &grid, over);
    }
    scene.grid_hits(&mut canvas, &grid);
    scene.link_hits(&mut canvas, &at, grid.pitch);
    let height = if names_inside { grid.bottom() } else { grid.height() };
    canvas.done(grid.width() + margin + over, height + over)
}

/// Draws the cells of a large board: the rows as one, and lines between them.
fn draw_many_cells(scene: &Scene<'_>, canvas: &mut Canvas<'_>, grid: &GridPositions, gap: f64) {
    let mut places: Vec<PaperPoint> = scene.sites().map(|site| grid.place(scene.board, site)).collect();
    places.sort_by(|one, other| one.1.total_cmp(&other.1).then(one.0.total_cmp(&other.0)));
    let goes_on = |one: &PaperPoint, next: &PaperPoint| one.1 == next.1 && next.0 - one.0 < grid.pitch * 1.5;
    let (aside, half) = (grid.pitch / 2.0, (grid.pitch - gap) / 2.0);
    let rows: Vec<Vec<PaperPoint>> = places
        .chunk_by(goes_on)
        .map(|row| {
            let (left, right, y) = (row[0].0 - half, row[row.len() - 1].0 + half, row[0].1);
            vec![(left, y - half), (right, y - half), (right, y + half), (left, y + half)]
        })
        .collect();
    canvas.shapes(&rows, 0.0, TILE);
    let between = (1..grid.columns).map(|column| {
        let x = grid.left + f64::from(column) * grid.pitch;
        vec![(x, grid.top + aside - half), (x, grid.bottom() - aside + half)]
    });
    canvas.lines(&between.collect::<Vec<_>>(), ShapeOutline { ink: PAPER, width: gap });
}

/// Returns `true` if a wooden board has an edge that is a rectangle: all squares are there, or only light ones are left out.
fn has_edge(scene: &Scene<'_>) -> bool {
    let topology = &scene.board.topology;
    let (width, height) = (i64::from(topology.width()), i64::from(topology.height()));
    let places = (1..=width).flat_map(|column| (1..=height).map(move |row| (column, row)));
    let mut gone = places.filter(|(column, row)| topology.site_at(*column, *row).is_none());
    !marks::goes_on(scene.board)
        && scene.part.is_none()
        && scene.board.own_sites.is_empty()
        && gone.all(|(column, row)| (column + row) % 2 == 1)
}

/// Returns `true` if things that actions name are the columns or rows of a board: their names can be chosen beside it.
pub(super) fn names_lanes(scene: &Scene<'_>, things: &ActionThings) -> bool {
    let board = sites(scene.state.game(), scene.instance.board, scene.instance.number);
    [Lanes::Columns, Lanes::Rows].into_iter().any(|lanes| things.name(&lanes.prefix(&board)))
}

/// Writes the names of columns and rows into the squares at the edge of a wooden board.
fn name_squares(scene: &Scene<'_>, canvas: &mut Canvas<'_>, grid: &GridPositions) {
    let font = Font { size: 12.0, bold: true, ink: TEXT };
    canvas.part("coordinates", |canvas| {
        canvas.pale(0.8, |canvas| {
            for (number, name) in grid.shown_columns(scene) {
                let right = grid.left + f64::from(number) * grid.pitch;
                canvas.text((right - 5.0, grid.bottom() - 5.0), Anchor::End, font, &name);
            }
            for (at, row) in grid.shown_rows(scene) {
                let top = grid.top + f64::from(at) * grid.pitch;
                canvas.text((grid.left + 4.0, top + 14.0), Anchor::Start, font, &row.number.to_string());
            }
        });
    });
}

/// Returns the corners of a square, given its centre and half a side.
pub(super) fn square(centre: PaperPoint, half: f64) -> Vec<PaperPoint> {
    let (x, y) = centre;
    vec![(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
}
