//! Tables to fill in with a pen.

use super::sheets::{RowKind, WritingRow, WritingTable};
use super::typeset::{self, TextSpan, measure};
use super::{MM, Printer, bold, font};
use crate::draw::svg::canvas::{Anchor, Canvas, Picture, ShapeOutline};
use crate::draw::svg::palette::{FAINT, QUIET, RULE, TEXT};
use crate::draw::svg::token::PieceLook;
use crate::model::Seat;

/// Height of a row to write a number in.
const ROW: f64 = 8.0 * MM;
/// Height of a row for a part of a number.
const PART: f64 = 6.5 * MM;
/// Side of a box to cross.
const BOX: f64 = 5.5 * MM;
/// Distance between boxes.
const BOX_STEP: f64 = 6.8 * MM;
/// Maximum number of boxes in a line.
const MOST_BOXES: usize = 10;
/// Least width of a player's column.
const NARROW: f64 = 10.0 * MM;
/// Usual and greatest width of a player's column.
const WIDE: f64 = 26.0 * MM;
/// Least width of the names of rows.
const LABEL: f64 = 26.0 * MM;
/// Distance of words from the lines around them.
const PAD: f64 = 1.2 * MM;

/// Draws a table of a given width.
pub(super) fn draw(table: &WritingTable, names: &[String], width: f64, ink: Printer<'_>) -> Picture {
    let mut canvas = ink.canvas();
    let columns = table.seats.len().max(1) as f64;
    let column = ((width - 2.0 * LABEL) / columns).clamp(NARROW, WIDE);
    let label = (width - columns * column).max(LABEL);
    let mut y = 0.0;
    let titled = !table.title.is_empty();
    if !table.seats.is_empty() {
        y += heads(&mut canvas, &table.seats, names, (label, column), y);
    }
    if titled {
        y = y.max(16.0);
        canvas.text((0.0, y - 5.0), Anchor::Start, bold(12.0, TEXT), &table.title);
    }
    let mut lines = vec![];
    let top = y;
    canvas.part("table", |canvas| {
        for row in &table.rows {
            lines.push(vec![(0.0, y), (width, y)]);
            y += match row.kind {
                RowKind::Boxes(count) => {
                    boxes(canvas, row, count, table.seats.len(), (label, column, width), y)
                }
                _ => one_row(canvas, row, label, y),
            };
        }
    });
    if !table.rows.is_empty() {
        lines.push(vec![(0.0, y), (width, y)]);
    }
    canvas.lines(&lines, ShapeOutline { ink: FAINT, width: 0.75 });
    // Lines between the columns, where there are numbers to write.
    let mut above = top;
    for row in &table.rows {
        let below = above + height(row, table.seats.len(), (label, column, width));
        if !matches!(row.kind, RowKind::Boxes(_)) || !table.seats.is_empty() {
            let at = |n: usize| label + n as f64 * column;
            let upright: Vec<Vec<(f64, f64)>> =
                (0..=columns as usize).map(|n| vec![(at(n), above), (at(n), below)]).collect();
            let width = if row.kind == RowKind::Total { 1.5 } else { 0.75 };
            canvas.lines(&upright, ShapeOutline { ink: RULE, width });
            if row.kind == RowKind::Total {
                let sides = [above, below].map(|y| vec![(label, y), (label + columns * column, y)]);
                canvas.lines(&sides, ShapeOutline { ink: RULE, width });
            }
        }
        above = below;
    }
    canvas.done((label + columns * column).max(width), y + 1.0)
}

/// Draws the players above their columns, with room for a name. Returns the height.
fn heads(
    canvas: &mut Canvas<'_>,
    seats: &[Seat],
    names: &[String],
    (label, column): (f64, f64),
    y: f64,
) -> f64 {
    canvas.part("heads", |canvas| {
        for (at, seat) in seats.iter().enumerate() {
            let x = label + at as f64 * column;
            let look = PieceLook::of_seat(*seat, names);
            look.draw(canvas, (x + PAD + 7.0, y + 8.0), 7.0);
            let small = font(8.5, TEXT);
            let name = names.get(seat.index()).map_or("", String::as_str);
            let room = column - 16.0 - 2.0 * PAD;
            canvas.text((x + PAD + 17.0, y + 11.0), Anchor::Start, small, &typeset::cut(name, small, room));
        }
    });
    let high = 18.0 + 5.0 * MM;
    let lines: Vec<Vec<(f64, f64)>> = (0..seats.len())
        .map(|at| label + at as f64 * column)
        .map(|x| vec![(x + PAD, y + high - 4.0), (x + column - PAD, y + high - 4.0)])
        .collect();
    canvas.dashes(&lines, ShapeOutline { ink: FAINT, width: 0.75 });
    high
}

fn words(row: &WritingRow, room: f64) -> Vec<Vec<TextSpan>> {
    let size = if row.kind == RowKind::Part { 9.5 } else { 11.0 };
    let name = if row.kind == RowKind::Part { font(size, QUIET) } else { bold(size, TEXT) };
    let mut lines = typeset::lines(&[(name, row.name.clone())], room);
    if !row.help.is_empty() {
        lines.extend(typeset::lines(&[(font(9.5, QUIET), row.help.clone())], room));
    }
    lines
}

/// Returns the height of a row.
fn height(row: &WritingRow, seats: usize, (label, column, width): (f64, f64, f64)) -> f64 {
    match row.kind {
        RowKind::Boxes(count) => {
            let (per_line, room) = boxes_in(count, seats, (label, column, width));
            let lines = (count as usize).div_ceil(per_line) as f64;
            (typeset::height(&words(row, room)) + 2.0 * PAD).max(lines * BOX_STEP + PAD)
        }
        RowKind::Part => PART,
        _ => (typeset::height(&words(row, label - 2.0 * PAD)) + 2.0 * PAD).max(ROW),
    }
}

/// Returns the number of boxes in a line, and the width of the words before them. A single column may be as wide as
/// its boxes need.
fn boxes_in(count: i64, seats: usize, (label, column, width): (f64, f64, f64)) -> (usize, f64) {
    let most = if seats == 0 { (width - LABEL) / BOX_STEP } else { (column - PAD) / BOX_STEP };
    let per_line = (count.max(1) as usize).min(MOST_BOXES).min((most as usize).max(1));
    let room = if seats == 0 { width - per_line as f64 * BOX_STEP } else { label };
    (per_line, room - 2.0 * PAD)
}

fn one_row(canvas: &mut Canvas<'_>, row: &WritingRow, label: f64, y: f64) -> f64 {
    let indent = if row.kind == RowKind::Part { 3.0 * MM } else { 0.0 };
    let lines = words(row, label - 2.0 * PAD - indent);
    let high = height(row, 0, (label, 0.0, label));
    let top = y + (high - typeset::height(&lines)) / 2.0;
    typeset::draw(canvas, (indent, top), &lines);
    high
}

/// Draws a row of boxes for each player. Returns its height.
fn boxes(
    canvas: &mut Canvas<'_>,
    row: &WritingRow,
    count: i64,
    seats: usize,
    (label, column, width): (f64, f64, f64),
    y: f64,
) -> f64 {
    let (per_line, room) = boxes_in(count, seats, (label, column, width));
    let high = height(row, seats, (label, column, width));
    let words = words(row, room);
    typeset::draw(canvas, (0.0, y + (high - typeset::height(&words)) / 2.0), &words);
    let lines = (count as usize).div_ceil(per_line) as f64;
    let top = y + (high - lines * BOX_STEP) / 2.0 + (BOX_STEP - BOX) / 2.0;
    let lefts: Vec<f64> = match seats {
        0 => vec![width - per_line as f64 * BOX_STEP],
        _ => (0..seats).map(|at| label + at as f64 * column + PAD).collect(),
    };
    canvas.part("boxes", |canvas| {
        for left in lefts {
            for at in 0..count as usize {
                let place =
                    (left + (at % per_line) as f64 * BOX_STEP, top + (at / per_line) as f64 * BOX_STEP);
                canvas.rect(place, (BOX, BOX), 1.0, None, Some(ShapeOutline { ink: RULE, width: 1.0 }));
            }
        }
    });
    high
}

/// Returns the least width of a table.
pub(super) fn least(table: &WritingTable) -> f64 {
    let names = table.rows.iter().map(|row| measure(&row.name, bold(11.0, TEXT)) + 2.0 * PAD);
    names.fold(LABEL, f64::max).min(2.0 * LABEL) + table.seats.len().max(1) as f64 * NARROW
}
