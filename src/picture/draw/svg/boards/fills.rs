//! Pieces of nobody that fill their site: blocks, what lies face down, tiles of a path. Their letters say so: `#` fills a cell in
//! text, and `/`, `\` lead through it.

use std::f64::consts::TAU;

use super::piles;
use crate::draw::svg::canvas::{Canvas, ShapeOutline};
use crate::draw::svg::icons;
use crate::draw::svg::palette::{
    BACK_EDGE, BACK_LINE, BOARD_EDGE, CARD_BACK, Colours, DIE, FRESH_FACE, RULE, TEXT,
};
use crate::draw::svg::scene::{PaperPoint, Scene};
use crate::draw::svg::token::PieceShape;
use crate::layout::Icon;
use houserule_game::drawing::Symbol;
use houserule_model::board::Site;
use houserule_model::{Board, Content, Model, Visibility};

/// The letter of what fills a site.
const FILLED: char = '#';

/// The letter of what can't be looked into.
const FOG: char = '~';

/// Half of the side of a filled square, in units of the maximum radius of a piece.
const HALF: f64 = 1.15;

/// How the two ways over a tile lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileWays {
    /// Straight on, one over the other.
    Across,
    /// From the left upwards and from below to the right: `/`.
    Rising,
    /// From the left downwards and from above to the right: `\`.
    Falling,
}

/// Returns the shape of a piece of nobody that fills its site, because of its letter.
pub(in crate::draw::svg) fn shape(
    model: &Model,
    board: &Board,
    symbol: &Symbol,
    all: &[Symbol],
) -> Option<PieceShape> {
    if symbol.player.is_some() || !symbol.lettered {
        return None;
    }
    let is_lettered = |letter: char| all.iter().any(|other| other.lettered && other.character == letter);
    let leads = is_lettered('/') && is_lettered('\\');
    match symbol.character {
        '/' if leads => Some(PieceShape::Ways(TileWays::Rising)),
        '\\' if leads => Some(PieceShape::Ways(TileWays::Falling)),
        FILLED if leads => Some(PieceShape::Ways(TileWays::Across)),
        FILLED if is_about_hidden_sites(model, board) => Some(PieceShape::FaceDown),
        FILLED => Some(PieceShape::Block),
        FOG => Some(PieceShape::Fog),
        digit if digit.is_ascii_digit() => Some(PieceShape::Digit(digit)),
        _ => None,
    }
}

/// Returns `true` if nobody sees something about the sites of a board: what fills them covers it.
fn is_about_hidden_sites(model: &Model, board: &Board) -> bool {
    model.slots.iter().any(|slot| {
        let is_about = match slot.content {
            Content::Set(domain) => domain == board.domain,
            _ => false,
        };
        slot.visibility == Visibility::Nobody && (is_about || slot.index.contains(&board.domain))
    })
}

/// Draws a square that is blocked: filled, with lines across.
pub(in crate::draw::svg) fn draw_block(
    canvas: &mut Canvas<'_>,
    centre: PaperPoint,
    r: f64,
    colours: Colours,
) {
    let ((x, y), half) = (centre, r * HALF);
    let edge = ShapeOutline { ink: colours.edge, width: (r * 0.08).max(0.75) };
    canvas.rect((x - half, y - half), (2.0 * half, 2.0 * half), half * 0.12, Some(colours.body), Some(edge));
    // From the lower left to the upper right.
    let lines = [-1.0, -0.5, 0.0, 0.5, 1.0].map(|shift: f64| {
        let (low, high) = ((-1.0_f64).max(shift - 1.0), 1.0_f64.min(shift + 1.0));
        let point = |along: f64| (x + along * half * 0.86, y - (along - shift) * half * 0.86);
        vec![point(low), point(high)]
    });
    canvas.pale(0.45, |canvas| {
        canvas.lines(&lines, ShapeOutline { ink: colours.mark, width: (r * 0.07).max(0.6) });
    });
}

/// Returns `true` if a piece is drawn as a whole cell of its board, which is no square.
pub(in crate::draw::svg) fn is_cell(board: &Board, shape: &PieceShape) -> bool {
    let is_hex = board.topology.shape().is_hex();
    is_hex && matches!(shape, PieceShape::Block | PieceShape::Fog | PieceShape::FaceDown)
}

/// Draws the cells of a board with hexagons that are filled: in the colour of the piece, with lines across if they are blocked.
pub(in crate::draw::svg) fn draw_cells(
    scene: &Scene<'_>,
    canvas: &mut Canvas<'_>,
    cell: &dyn Fn(Site) -> Vec<PaperPoint>,
    round: f64,
) {
    canvas.part("pieces", |canvas| {
        for site in scene.sites().filter(|site| !scene.is_covered(*site) && !piles::lie(scene, *site)) {
            let Some(token) = scene.token(site).filter(|token| is_cell(scene.board, &token.shape)) else {
                continue;
            };
            let corners = cell(site);
            match &token.shape {
                PieceShape::Fog => {
                    canvas.pale(0.62, |canvas| canvas.shapes(&[corners], round, CARD_BACK));
                }
                PieceShape::FaceDown => canvas.shapes(&[corners], round, CARD_BACK),
                _ => {
                    canvas.shapes(std::slice::from_ref(&corners), round, token.colours.body);
                    // Parallels to the side from the lower left to the upper right.
                    let lines: Vec<Vec<PaperPoint>> = [(4, 0), (3, 1)]
                        .into_iter()
                        .filter_map(|(from, to)| {
                            let (ends, far) = ([*corners.get(from)?, *corners.get(to)?], 0.86);
                            let middle = ((ends[0].0 + ends[1].0) / 2.0, (ends[0].1 + ends[1].1) / 2.0);
                            let near = |(x, y): PaperPoint| {
                                (middle.0 + (x - middle.0) * far, middle.1 + (y - middle.1) * far)
                            };
                            Some(ends.map(near).to_vec())
                        })
                        .collect();
                    let width = corners.first().zip(corners.get(3)).map_or(0.6, |(a, b)| (b.1 - a.1) * 0.025);
                    let edge = ShapeOutline { ink: token.colours.mark, width: width.max(0.6) };
                    canvas.pale(0.45, |canvas| canvas.lines(&lines, edge));
                }
            }
        }
    });
}

/// Draws a square that can't be looked into.
pub(in crate::draw::svg) fn draw_fog(canvas: &mut Canvas<'_>, centre: PaperPoint, r: f64) {
    let ((x, y), half) = (centre, r * 1.28);
    canvas.pale(0.62, |canvas| {
        canvas.rect((x - half, y - half), (2.0 * half, 2.0 * half), 0.0, Some(CARD_BACK), None);
    });
}

/// Draws a tile under a number, the deeper the greater the number is.
pub(in crate::draw::svg) fn draw_number_tile(
    canvas: &mut Canvas<'_>,
    centre: PaperPoint,
    r: f64,
    number: i64,
) {
    let ((x, y), half) = (centre, r * HALF);
    let depth = (0.12 * (number.unsigned_abs() as f64 + 1.0).log2()).min(0.9);
    canvas.rect((x - half, y - half), (2.0 * half, 2.0 * half), half * 0.16, Some(DIE), None);
    canvas.pale(depth, |canvas| {
        canvas.rect((x - half, y - half), (2.0 * half, 2.0 * half), half * 0.16, Some(FRESH_FACE), None);
    });
    let edge = ShapeOutline { ink: BOARD_EDGE, width: 1.0 };
    canvas.rect((x - half, y - half), (2.0 * half, 2.0 * half), half * 0.16, None, Some(edge));
}

/// Draws a tile that lies face down.
pub(in crate::draw::svg) fn draw_face_down(canvas: &mut Canvas<'_>, centre: PaperPoint, r: f64) {
    let ((x, y), half) = (centre, r * HALF);
    let side = (2.0 * half, 2.0 * half);
    let edge = ShapeOutline { ink: BACK_EDGE, width: (r * 0.06).max(0.75) };
    canvas.rect((x - half, y - half), side, half * 0.2, Some(CARD_BACK), Some(edge));
    if r >= 9.0 {
        let inner = half * 0.78;
        let line = ShapeOutline { ink: BACK_LINE, width: (r * 0.05).max(0.6) };
        canvas.rect((x - inner, y - inner), (2.0 * inner, 2.0 * inner), half * 0.1, None, Some(line));
    }
    icons::icon(canvas, Icon::Diamond, centre, r * 0.62, BACK_LINE, None);
}

/// Draws a tile with two ways over it.
pub(in crate::draw::svg) fn draw_ways(canvas: &mut Canvas<'_>, centre: PaperPoint, r: f64, ways: TileWays) {
    let ((x, y), half) = (centre, r * HALF);
    let edge = ShapeOutline { ink: RULE, width: 1.0 };
    canvas.rect((x - half, y - half), (2.0 * half, 2.0 * half), half * 0.1, Some(DIE), Some(edge));
    let way = ShapeOutline { ink: TEXT, width: (r * 0.2).max(1.5) };
    // A quarter of a circle around a corner, between the middles of two sides.
    let quarter = |corner: (f64, f64), from: f64| {
        let (cx, cy) = (x + corner.0 * half, y + corner.1 * half);
        let steps = (0..=8).map(|step| TAU * (from + 0.25 * f64::from(step) / 8.0));
        steps.map(|angle| (cx + half * angle.cos(), cy + half * angle.sin())).collect::<Vec<_>>()
    };
    let lines = match ways {
        TileWays::Across => vec![vec![(x - half, y), (x + half, y)], vec![(x, y - half), (x, y + half)]],
        TileWays::Rising => vec![quarter((-1.0, -1.0), 0.0), quarter((1.0, 1.0), 0.5)],
        TileWays::Falling => vec![quarter((-1.0, 1.0), 0.75), quarter((1.0, -1.0), 0.25)],
    };
    canvas.lines(&lines, way);
}
