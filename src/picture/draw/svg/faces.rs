//! Tiles of two numbers, with pips on both halves.

use super::canvas::{Canvas, Font, ShapeOutline};
use super::cards::write;
use super::dice::{MOST_PIPS, pips};
use super::palette::{DIE_EDGE, Ink, PIP};
use super::path::PathStep;
use super::scene::PaperPoint;

/// Draws a tile of two numbers, horizontally, or vertically if `upright` is true. `half` is the length of a half along the
/// tile, and its width.
pub(super) fn tile(
    canvas: &mut Canvas<'_>,
    corner: PaperPoint,
    half: (f64, f64),
    halves: (i64, i64),
    upright: bool,
    look: (Ink, ShapeOutline),
) {
    let (x, y) = corner;
    let ((length, width), (fill, edge)) = (half, look);
    let turned = |along: f64, over: f64| if upright { (x + over, y + along) } else { (x + along, y + over) };
    let size = if upright { (width, 2.0 * length) } else { (2.0 * length, width) };
    canvas.rect(corner, size, 4.0, Some(fill), Some(edge));
    let bar = [0.1, 0.9].map(|part| turned(length, part * width));
    canvas.line(&bar, ShapeOutline { ink: DIE_EDGE, width: 1.1 });
    let mut dots: Vec<PathStep> = vec![];
    for (at, number) in [(0.5, halves.0), (1.5, halves.1)] {
        let centre = turned(at * length, width / 2.0);
        add_number(canvas, &mut dots, centre, length.min(width), number);
    }
    canvas.path(&dots, Some(PIP), None);
}

/// Writes a number in the middle of a half tile of this size, or adds its pips to `dots`.
fn add_number(canvas: &mut Canvas<'_>, dots: &mut Vec<PathStep>, centre: PaperPoint, size: f64, number: i64) {
    let (x, y) = centre;
    match u32::try_from(number) {
        Ok(few) if few <= MOST_PIPS => {
            let places = pips(few).into_iter().map(|(dx, dy)| (x + dx * size * 0.27, y + dy * size * 0.27));
            dots.extend(places.map(|place| PathStep::Disc(place, (size * 0.085).max(1.3))));
        }
        _ => {
            let font = Font { size: size * 0.6, bold: true, ink: PIP };
            write(canvas, (x, y + font.size * 0.36), font, size * 0.9, &number.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::canvas::{Palette, Theme};
    use super::super::palette::DIE;
    use super::*;

    #[test]
    fn numbers_up_to_nine_have_pips() {
        let palette = Palette::new(Theme::Light);
        let mut canvas = Canvas::new(&palette);
        let look = (DIE, ShapeOutline { ink: DIE_EDGE, width: 1.0 });
        tile(&mut canvas, (0.0, 0.0), (22.0, 26.0), (9, 12), false, look);
        let picture = canvas.done(44.0, 26.0);
        // Each pip but the last is followed by another.
        assert_eq!(picture.body().matches("zm").count(), 8, "{}", picture.body());
        assert!(picture.body().contains(">12</text>"), "{}", picture.body());
    }
}
