//! The plates of the seats: mark, name, score and counters.

use super::canvas::{Anchor, Canvas, Font, ShapeOutline, ThingArea, clipped, text_width};
use super::icons::icon;
use super::palette::{FRESH_EDGE, PLATE, QUIET, RULE, TEXT, seat as seat_colours};
use super::panel::{boxes, star};
use super::scene::{PaperPoint, font};
use super::token::PieceLook;
use crate::layout::Plate;
use houserule_model::{Seat, SeatLook};

/// Margin inside a plate.
const MARGIN: f64 = 12.0;
/// Radius of the token of a seat.
const TOKEN: f64 = 10.2;
/// Room that a score leaves for a name.
const LEAST_NAME: f64 = 46.0;
/// Height of a line of counters.
const LINE: f64 = 18.0;
/// Size of the picture of what is counted.
const ICON: f64 = 15.0;

/// Draws a plate.
pub(super) fn draw_plate(
    canvas: &mut Canvas<'_>,
    corner: PaperPoint,
    size: (f64, f64),
    plate: &Plate,
    seat: Seat,
    seats: &[SeatLook],
) {
    let (x, y) = corner;
    let (width, _) = size;
    let edge = match plate.is_to_play {
        true => ShapeOutline { ink: seat_colours(seat, seats).stroke(), width: 2.4 },
        false => ShapeOutline { ink: RULE, width: 1.0 },
    };
    let outline = |canvas: &mut Canvas<'_>| {
        canvas.rect((x + 1.2, y + 1.2), (width - 2.4, size.1 - 2.4), 9.0, Some(PLATE), Some(edge));
    };
    if plate.is_to_play {
        canvas.part("turn", outline)
    } else {
        outline(canvas)
    }
    PieceLook::of_seat(seat, seats).draw(canvas, (x + 21.0, y + 19.0), TOKEN);
    let mut right = x + width - MARGIN;
    if let Some(score) = &plate.score {
        // A long number is smaller, and never cut.
        let great = Font { size: 20.0, bold: true, ink: TEXT };
        let room = right - (x + 38.0) - LEAST_NAME;
        let size = great.size * (room / text_width(score, great).max(1.0)).min(1.0);
        let great = Font { size, ..great };
        canvas.text((right, y + 26.0), Anchor::End, great, score);
        right -= text_width(score, great) + 8.0;
    }
    if plate.has_won {
        canvas.part("winner", |canvas| canvas.shapes(&[star((right - 6.0, y + 19.0), 6.0)], 1.2, FRESH_EDGE));
        right -= 18.0;
    }
    let name_font = Font { size: 14.0, bold: true, ink: TEXT };
    let left = x + 38.0;
    let name = clipped(&plate.name, name_font, right - left);
    canvas.text((left, y + 24.0), Anchor::Start, name_font, &name);
    let after = left + text_width(&name, name_font) + 8.0;
    let small = font(12.0, QUIET);
    let role = match (plate.is_viewer, plate.is_to_play) {
        (true, true) => "you, to play",
        (true, false) => "you",
        (false, true) => "to play",
        (false, false) => "",
    };
    if !role.is_empty() && after + text_width(role, small) <= right {
        canvas.text((after, y + 24.0), Anchor::Start, small, role);
    }
    counters(canvas, (x + MARGIN, y + 38.0), width - 2.0 * MARGIN, plate);
    canvas.thing(&plate.thing, &plate.name, &ThingArea::rect(corner, size));
}

/// Draws the counters and words of a plate in as many lines as they need, below `top`.
fn counters(canvas: &mut Canvas<'_>, corner: PaperPoint, room: f64, plate: &Plate) {
    let (left, top) = corner;
    let (value_font, word_font) = (Font { size: 12.5, bold: true, ink: TEXT }, font(12.5, QUIET));
    let (mut x, mut base) = (left, top + 8.0);
    let next = |x: &mut f64, base: &mut f64, wide: f64| {
        if *x > left && *x + wide > left + room {
            (*x, *base) = (left, *base + LINE);
        }
    };
    for counter in &plate.counters {
        let boxed = counter.boxes.filter(|boxes| boxes.all <= 10);
        let number = match boxed {
            Some(boxes) => boxes.number().unwrap_or_default(),
            None => counter.value.clone(),
        };
        let number_width = if number.is_empty() { 0.0 } else { text_width(&number, value_font) + 5.0 };
        let value_width = number_width + boxed.map_or(0.0, |boxes| boxes.all as f64 * 14.0 + 2.0);
        let aside = if counter.icon.is_some() { ICON + 4.0 } else { 0.0 };
        let word = clipped(&counter.word, word_font, (room - value_width - aside).min(room - 30.0));
        let wide = value_width + text_width(&word, word_font) + aside;
        next(&mut x, &mut base, wide);
        if let Some(picture) = counter.icon {
            icon(canvas, picture, (x + ICON / 2.0, base - 4.5), ICON, QUIET, None);
        }
        let x = &mut x;
        *x += aside;
        let wide = wide - aside;
        canvas.text((*x, base), Anchor::Start, value_font, &number);
        if let Some(row) = boxed {
            boxes((*x + number_width, base - 4.5), row, canvas);
        }
        canvas.text((*x + value_width, base), Anchor::Start, word_font, &word);
        *x += wide + 12.0;
    }
    for word in &plate.words {
        let word = clipped(word, word_font, room);
        let wide = text_width(&word, word_font);
        next(&mut x, &mut base, wide);
        canvas.text((x, base), Anchor::Start, word_font, &word);
        x += wide + 12.0;
    }
}
