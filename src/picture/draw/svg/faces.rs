//! The elements in a zone: a card with a name, a tile of two numbers with pips on both halves, and the back of
//! a face-down element.

use super::canvas::{Anchor, Canvas, Font, ShapeOutline, text_width};
use super::dice::pips;
use super::palette::{DIE, DIE_EDGE, PIP, RULE, SHADE, on_card};
use super::scene::PaperPoint;
use crate::draw::panel::Face;

pub(super) const HEIGHT: f64 = 26.0;
/// Width of half a tile.
pub(super) const HALF: f64 = 22.0;
/// Maximum number that is drawn as pips.
const PIPS: i64 = 6;

fn name_font() -> Font {
    Font { size: 13.0, bold: true, ink: PIP }
}

/// Returns the width of an element.
pub(super) fn wide(face: &Face) -> f64 {
    match face.halves {
        Some(_) => 2.0 * HALF,
        None => (text_width(&face.name, name_font()) + 12.0).max(HALF),
    }
}

/// Draws an element, or a back.
pub(super) fn one(canvas: &mut Canvas<'_>, corner: PaperPoint, width: f64, face: Option<&Face>) {
    let (x, y) = corner;
    let Some(face) = face else {
        return canvas.rect(
            (x, y),
            (width, HEIGHT),
            4.0,
            Some(SHADE),
            Some(ShapeOutline { ink: RULE, width: 1.0 }),
        );
    };
    if let Some(halves) = face.halves {
        return tile(canvas, (x, y), halves, false);
    }
    canvas.rect((x, y), (width, HEIGHT), 4.0, Some(DIE), Some(ShapeOutline { ink: DIE_EDGE, width: 1.0 }));
    let place = (x + width / 2.0, y + HEIGHT / 2.0 + 4.7);
    let font = Font { ink: face.colour.map_or(PIP, on_card), ..name_font() };
    canvas.text(place, Anchor::Middle, font, &face.name);
}

/// Draws a tile of two numbers, horizontally, or vertically if `upright` is true.
pub(super) fn tile(canvas: &mut Canvas<'_>, corner: PaperPoint, halves: (i64, i64), upright: bool) {
    let (x, y) = corner;
    let turned = |along: f64, over: f64| if upright { (x + over, y + along) } else { (x + along, y + over) };
    let size = if upright { (HEIGHT, 2.0 * HALF) } else { (2.0 * HALF, HEIGHT) };
    canvas.rect((x, y), size, 4.0, Some(DIE), Some(ShapeOutline { ink: DIE_EDGE, width: 1.0 }));
    canvas.line(&[turned(HALF, 4.0), turned(HALF, HEIGHT - 4.0)], ShapeOutline { ink: DIE_EDGE, width: 1.0 });
    for (half, number) in [(0.5, halves.0), (1.5, halves.1)] {
        number_on(canvas, turned(half * HALF, HEIGHT / 2.0), number);
    }
}

/// Draws a number on half a tile, given the centre of the half.
fn number_on(canvas: &mut Canvas<'_>, centre: PaperPoint, number: i64) {
    let (x, y) = centre;
    match u32::try_from(number) {
        Ok(few) if number <= PIPS => {
            for (dx, dy) in pips(few) {
                canvas.circle((x + dx * HALF * 0.26, y + dy * HALF * 0.3), 2.0, Some(PIP), None);
            }
        }
        _ => canvas.text((x, y + 4.7), Anchor::Middle, name_font(), &number.to_string()),
    }
}
