//! The score of a lone player as a sheet: points by direction, and their total, written by hand.

use super::{draw_sheet, write_number};
use crate::draw::panel::{FamilyTable, Panel};
use crate::draw::svg::canvas::{Anchor, Canvas, Font, Picture, ShapeOutline};
use crate::draw::svg::palette::{FAINT, QUIET, TEXT, TILE};
use crate::draw::svg::scene::font;
use houserule_base::names::plain;

/// Its width.
const WIDTH: f64 = 196.0;
/// The height of a row, and that of the total.
const ROWS: (f64, f64) = (28.0, 38.0);

/// Takes the subtotals of the only item of a lone player's score out of the panel.
pub(in crate::draw::svg) fn take_subtotals(panel: &mut Panel) -> Option<(FamilyTable, String)> {
    let [total] = panel.seats.scores.as_deref()? else { return None };
    let is_of_lone = |table: &FamilyTable| matches!(table.lines.as_slice(), [(name, _)] if name.is_empty());
    let place = panel.tables.iter().position(is_of_lone)?;
    let total = total.clone();
    panel.seats.scores = None;
    Some((panel.tables.remove(place), total))
}

/// Draws the sheet.
pub(in crate::draw::svg) fn draw(table: &FamilyTable, total: &str, mut canvas: Canvas<'_>) -> Picture {
    let (row, last) = ROWS;
    let top = 20.0;
    let rows: Vec<(&String, &String)> =
        table.lines.iter().flat_map(|(_, values)| table.heads.iter().zip(values)).collect();
    let height = top + row * rows.len() as f64 + last;
    canvas.text((0.0, 12.0), Anchor::Start, font(12.0, QUIET), &format!("points for {}", plain(&table.name)));
    draw_sheet(&mut canvas, (0.0, top), (WIDTH, height - top));
    canvas.part("table", |canvas| {
        let mut y = top;
        for (head, value) in rows {
            canvas.text((12.0, y + 19.0), Anchor::Start, font(13.5, TEXT), head);
            // A direction that doesn't count has a dot.
            if value != "·" {
                write_number(canvas, (WIDTH - 14.0, y + 21.0), Anchor::End, 15.0, value);
            }
            y += row;
            canvas.line(&[(0.0, y), (WIDTH, y)], ShapeOutline { ink: FAINT, width: 1.0 });
        }
        let edge = ShapeOutline { ink: TEXT, width: 1.4 };
        canvas.rect((0.0, y), (WIDTH, last), 0.0, Some(TILE), Some(edge));
        let words = Font { size: 15.0, bold: true, ink: TEXT };
        canvas.text((12.0, y + 25.0), Anchor::Start, words, "total");
        write_number(canvas, (WIDTH - 14.0, y + 29.0), Anchor::End, 20.0, total);
    });
    canvas.done(WIDTH + 3.0, height + 4.0)
}
