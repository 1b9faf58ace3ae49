//! The contents of zones, each zone in a row.

use super::canvas::{Anchor, Canvas, Picture, ThingArea, clipped, text_width};
use super::chain;
use super::faces::{HALF, HEIGHT, one, wide};
use super::palette::QUIET;
use super::scene::font;
use crate::draw::panel::Zone;
use houserule_base::names::plain;

const GAP: f64 = 5.0;
/// Maximum width of a row.
const ROW: f64 = 320.0;
/// Maximum number of backs that are drawn.
const BACKS: usize = 24;

/// Draws the zones below each other.
pub(super) fn draw(zones: &[Zone], mut canvas: Canvas<'_>) -> Picture {
    let label = font(12.0, QUIET);
    let (mut y, mut widest) = (0.0, 0.0f64);
    canvas.part("zones", |canvas| {
        for zone in zones {
            let count =
                if zone.hidden > 0 { format!(" · {} face down", zone.hidden) } else { String::new() };
            let name = clipped(&format!("{}{count}", plain(&zone.name)), label, ROW);
            canvas.text((0.0, y + 11.0), Anchor::Start, label, &name);
            if let Some(thing) = &zone.thing {
                let size = (text_width(&name, label).max(HALF), 16.0);
                canvas.thing(thing, &plain(&zone.name), &ThingArea::rect((0.0, y), size));
            }
            widest = widest.max(text_width(&name, label));
            y += 18.0;
            if let Some(links) = &zone.chain {
                let (width, height) = chain::draw(links, &zone.of, y, canvas);
                widest = widest.max(width);
                y += height + 9.0;
                continue;
            }
            let mut x = 0.0;
            let mut empty = true;
            for face in zone.faces(BACKS) {
                let width = face.map_or(HALF, wide);
                if x > 0.0 && x + width > ROW {
                    (x, y) = (0.0, y + HEIGHT + GAP);
                }
                one(canvas, (x + 0.5, y), width, face);
                if let Some(face) = face {
                    canvas.thing(&face.thing, &face.name, &ThingArea::rect((x + 0.5, y), (width, HEIGHT)));
                }
                x += width + GAP;
                widest = widest.max(x - GAP + 1.0);
                empty = false;
            }
            y += if empty { 0.0 } else { HEIGHT } + 9.0;
        }
    });
    canvas.done(widest, (y - 9.0).max(0.0))
}
