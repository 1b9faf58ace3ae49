//! Dice: with pips up to six faces, with numbers beyond.

use super::canvas::{Anchor, Canvas, Font, Picture, ShapeOutline, ThingArea, text_width};
use super::palette::{DIE, DIE_EDGE, FAINT, PIP, QUIET};
use super::scene::{PaperPoint, font};
use crate::draw::panel::DiceRow;
use crate::draw::spoken::spoken;
use houserule_base::names::plain;
use houserule_game::explain::things;

/// The side of a die beside a board, and where dice are all there is.
pub(super) const SIDE: f64 = 38.0;
pub(super) const LARGE: f64 = 58.0;
const GAP: f64 = 9.0;

/// Maximum number of dice in a row.
const ROW: usize = 6;

/// Draws a set of dice with its name.
pub(super) fn draw(dice: &DiceRow, side: f64, mut canvas: Canvas<'_>) -> Picture {
    let label = font(12.0, QUIET);
    let name = spoken(&dice.label);
    canvas.text((0.0, 11.0), Anchor::Start, label, &name);
    canvas.part("dice", |canvas| {
        for (at, face) in dice.faces.iter().enumerate() {
            let (column, row) = (at % ROW, at / ROW);
            let x = 1.0 + column as f64 * (side + GAP);
            let y = 20.0 + row as f64 * (side + GAP);
            die(canvas, (x, y), side, dice, *face);
            let shows = face.map_or_else(String::new, |face| format!(": {}", plain(&dice.face(face))));
            let title = format!("{name}, die {}{shows}", at + 1);
            let thing = format!("{}:{}", things::dice(&dice.name), dice.first + at);
            canvas.thing(&thing, &title, &ThingArea::rect((x, y), (side, side)));
        }
    });
    let (columns, rows) = (dice.faces.len().min(ROW), dice.faces.len().div_ceil(ROW));
    let width = (columns as f64 * (side + GAP) - GAP + 2.0).max(text_width(&name, label));
    canvas.done(width, 20.0 + rows as f64 * (side + GAP) - GAP + 1.0)
}

fn die(canvas: &mut Canvas<'_>, corner: PaperPoint, side: f64, dice: &DiceRow, face: Option<u32>) {
    let (x, y) = corner;
    let Some(face) = face else {
        let edge = ShapeOutline { ink: FAINT, width: 1.5 };
        return canvas.rect((x, y), (side, side), 8.0, None, Some(edge));
    };
    canvas.rect((x, y), (side, side), 8.0, Some(DIE), Some(ShapeOutline { ink: DIE_EDGE, width: 1.0 }));
    let middle = (x + side / 2.0, y + side / 2.0);
    let text = plain(&dice.face(face));
    if dice.sides > 6 || text != face.to_string() {
        let size =
            (side * 0.5).min(side * 0.82 / text_width(&text, Font { size: 1.0, bold: true, ink: PIP }));
        let place = (middle.0, middle.1 + size * 0.36);
        return canvas.text(place, Anchor::Middle, Font { size, bold: true, ink: PIP }, &text);
    }
    for (dx, dy) in pips(face) {
        canvas.circle(
            (middle.0 + dx * side * 0.26, middle.1 + dy * side * 0.26),
            side * 0.085,
            Some(PIP),
            None,
        );
    }
}

/// Maximum number that has pips.
pub const MOST_PIPS: u32 = 9;

/// Returns the positions of the pips of a number up to [`MOST_PIPS`], relative to their centre.
pub fn pips(face: u32) -> Vec<PaperPoint> {
    let (rising, falling) = ([(-1.0, 1.0), (1.0, -1.0)], [(-1.0, -1.0), (1.0, 1.0)]);
    let (beside, above) = ([(-1.0, 0.0), (1.0, 0.0)], [(0.0, -1.0), (0.0, 1.0)]);
    let mut pips: Vec<PaperPoint> = vec![];
    if face % 2 == 1 {
        pips.push((0.0, 0.0));
    }
    for (from, pair) in [(2, rising), (4, falling), (6, beside), (8, above)] {
        if face >= from {
            pips.extend(pair);
        }
    }
    pips
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_have_their_pips() {
        for face in 1..=MOST_PIPS {
            assert_eq!(pips(face).len(), face as usize);
        }
    }
}
