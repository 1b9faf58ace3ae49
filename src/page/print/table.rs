//! Tables to fill in with a pen.

use super::sheets::{RowKind, WritingRow, WritingTable};
use super::typeset::{self, TextSpan, measure};
use super::{MM, Printer, bold, font};
use houserule_model::{Seat, SeatLook};
use houserule_picture::draw::svg::canvas::{Anchor, Canvas, Picture, ShapeOutline};
use houserule_picture::draw::svg::palette::{FAINT, QUIET, RULE, TEXT};
use houserule_picture::draw::svg::token::PieceLook;

/// Least height of a row to write a number in.
const ROW: f64 = 8.0 * MM;
/// Least height of a row for a part of a number.
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
/// Indentation of the names of parts.
const INDENT: f64 = 3.0 * MM;
/// Height of the title.
const TITLE: f64 = 16.0;

/// A thin line between rows.
const THIN: ShapeOutline = ShapeOutline { ink: FAINT, width: 0.75 };

/// The columns of a table.
struct TableColumns<'t> {
    seats: &'t [Seat],
    /// Width of the names of rows.
    label: f64,
    /// Width of each column.
    column: f64,
}

impl TableColumns<'_> {
    /// Returns the number of columns. A table without players has one.
    fn count(&self) -> usize {
        self.seats.len().max(1)
    }

    /// Returns the left end of a column, or the right end of the last.
    fn left(&self, at: usize) -> f64 {
        self.label + at as f64 * self.column
    }

    fn right(&self) -> f64 {
        self.left(self.count())
    }

    /// Returns the number of boxes in a line. A single column takes as much of the row as its boxes need.
    fn boxes(&self, count: i64) -> usize {
        let room = if self.seats.is_empty() { self.right() - LABEL } else { self.column - PAD };
        (count.max(1) as usize).min(MOST_BOXES).min((room / BOX_STEP) as usize).max(1)
    }

    /// Returns the width of the words of a row.
    fn room(&self, row: &WritingRow) -> f64 {
        let room = match row.kind {
            RowKind::Boxes(count) if self.seats.is_empty() => {
                self.right() - self.boxes(count) as f64 * BOX_STEP
            }
            RowKind::Part => self.label - INDENT,
            _ => self.label,
        };
        room - 2.0 * PAD
    }

    /// Returns the height of a row with these words.
    fn height(&self, row: &WritingRow, words: &[Vec<TextSpan>]) -> f64 {
        let least = match row.kind {
            RowKind::Boxes(count) => (count as usize).div_ceil(self.boxes(count)) as f64 * BOX_STEP + PAD,
            RowKind::Part => PART,
            RowKind::Number | RowKind::Total => ROW,
        };
        (typeset::height(words) + 2.0 * PAD).max(least)
    }
}

/// Draws a table of a given width.
pub(super) fn draw(table: &WritingTable, players: &[SeatLook], width: f64, ink: Printer<'_>) -> Picture {
    let mut canvas = ink.canvas();
    let count = table.seats.len().max(1) as f64;
    let column = ((width - 2.0 * LABEL) / count).clamp(NARROW, WIDE);
    let columns = TableColumns { seats: &table.seats, label: (width - count * column).max(LABEL), column };
    let mut y = heads(&mut canvas, &columns, players);
    if !table.title.is_empty() {
        y = y.max(TITLE);
        canvas.text((0.0, y - 5.0), Anchor::Start, bold(12.0, TEXT), &table.title);
    }
    canvas.part("table", |canvas| {
        for row in &table.rows {
            let words = words(row, columns.room(row));
            let high = columns.height(row, &words);
            let indent = if row.kind == RowKind::Part { INDENT } else { 0.0 };
            typeset::draw(canvas, (indent, y + (high - typeset::height(&words)) / 2.0), &words);
            canvas.lines(&[y, y + high].map(|y| vec![(0.0, y), (columns.right(), y)]), THIN);
            if let RowKind::Boxes(count) = row.kind {
                boxes(canvas, &columns, count, y, high);
            }
            if !(matches!(row.kind, RowKind::Boxes(_)) && columns.seats.is_empty()) {
                fields(canvas, &columns, row.kind == RowKind::Total, y, high);
            }
            y += high;
        }
    });
    canvas.done(columns.right(), y + 1.0)
}

/// Draws the players above their columns, with a line for a name. Returns the height.
fn heads(canvas: &mut Canvas<'_>, columns: &TableColumns<'_>, players: &[SeatLook]) -> f64 {
    if columns.seats.is_empty() {
        return 0.0;
    }
    let high = 18.0 + 5.0 * MM;
    let small = font(8.5, TEXT);
    canvas.part("heads", |canvas| {
        for (at, seat) in columns.seats.iter().enumerate() {
            let x = columns.left(at);
            PieceLook::of_seat(*seat, players).draw(canvas, (x + PAD + 7.0, 8.0), 7.0);
            let name = players.get(seat.index()).map_or("", |player| &player.name);
            let name = typeset::cut(name, small, columns.column - 16.0 - 2.0 * PAD);
            canvas.text((x + PAD + 17.0, 11.0), Anchor::Start, small, &name);
            canvas.dashes(&[vec![(x + PAD, high - 4.0), (x + columns.column - PAD, high - 4.0)]], THIN);
        }
    });
    high
}

fn words(row: &WritingRow, room: f64) -> Vec<Vec<TextSpan>> {
    let name = if row.kind == RowKind::Part { font(9.5, QUIET) } else { bold(11.0, TEXT) };
    let mut lines = typeset::lines(&[(name, row.name.clone())], room);
    if !row.help.is_empty() {
        lines.extend(typeset::lines(&[(font(9.5, QUIET), row.help.clone())], room));
    }
    lines
}

/// Draws the lines around the fields of a row between `y` and `y + high`, thicker for the sum.
fn fields(canvas: &mut Canvas<'_>, columns: &TableColumns<'_>, sum: bool, y: f64, high: f64) {
    let upright = (0..=columns.count()).map(|at| columns.left(at)).map(|x| vec![(x, y), (x, y + high)]);
    let mut lines: Vec<Vec<(f64, f64)>> = upright.collect();
    if sum {
        lines.extend([y, y + high].map(|y| vec![(columns.left(0), y), (columns.right(), y)]));
    }
    canvas.lines(&lines, ShapeOutline { ink: RULE, width: if sum { 1.5 } else { 0.75 } });
}

/// Draws boxes to cross for each player in a row between `y` and `y + high`.
fn boxes(canvas: &mut Canvas<'_>, columns: &TableColumns<'_>, count: i64, y: f64, high: f64) {
    let in_line = columns.boxes(count);
    let lines = (count as usize).div_ceil(in_line) as f64;
    let top = y + (high - lines * BOX_STEP) / 2.0 + (BOX_STEP - BOX) / 2.0;
    let lefts: Vec<f64> = match columns.seats.len() {
        0 => vec![columns.right() - in_line as f64 * BOX_STEP],
        seats => (0..seats).map(|at| columns.left(at) + PAD).collect(),
    };
    canvas.part("boxes", |canvas| {
        for left in lefts {
            for at in 0..count as usize {
                let (column, line) = ((at % in_line) as f64, (at / in_line) as f64);
                let place = (left + column * BOX_STEP, top + line * BOX_STEP);
                canvas.rect(place, (BOX, BOX), 1.0, None, Some(ShapeOutline { ink: RULE, width: 1.0 }));
            }
        }
    });
}

/// Returns the least width of a table.
pub(super) fn least(table: &WritingTable) -> f64 {
    let names = table.rows.iter().map(|row| measure(&row.name, bold(11.0, TEXT)) + 2.0 * PAD);
    names.fold(LABEL, f64::max).min(2.0 * LABEL) + table.seats.len().max(1) as f64 * NARROW
}
