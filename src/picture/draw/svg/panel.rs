//! The panel next to a board: a picture for each group of values.

use super::canvas::{Anchor, Canvas, Font, Picture, ShapeOutline, ThingArea, clipped, text_width};
use super::palette::{FAINT, PENCIL, QUIET, RULE, TEXT};
use super::paper::hand::Hand;
use super::scene::{PaperPoint, font};
use super::token::PieceLook;
use crate::draw::panel::{FamilyList, FamilyTable, ScoreSheet, SeatPanel, Single};
use crate::draw::spoken::spoken;
use crate::layout::BoxRow;
use houserule_base::names::plain;
use houserule_model::{Seat, SeatLook};

/// Minimum width of a picture of the panel.
pub(super) const LEAST: f64 = 176.0;

/// Maximum width of a line of words.
const WORDS: f64 = 260.0;

/// Width of a cell of words, and a step by which it grows.
const WIDE_CELL: f64 = 60.0;

/// Distance between boxes.
const BOX: f64 = 14.0;

/// Maximum number of boxes in a row.
const MOST_BOXES: i64 = 10;

fn bold(size: f64) -> Font {
    Font { size, bold: true, ink: TEXT }
}

/// Draws the score of a one-player game.
pub(super) fn lone(seats: &SeatPanel, mut canvas: Canvas<'_>) -> Picture {
    let Some(score) = seats.scores.as_ref().and_then(|scores| scores.first()) else {
        return canvas.done(0.0, 0.0);
    };
    let size = bold(30.0);
    canvas.part("seats", |canvas| {
        canvas.text((0.0, 27.0), Anchor::Start, size, score);
        let unit = if score == "1" { "point" } else { "points" };
        canvas.text((text_width(score, size) + 8.0, 27.0), Anchor::Start, font(13.0, QUIET), unit);
    });
    canvas.done(LEAST, 32.0)
}

/// Draws boxes in rows, the first ones crossed. The position is the left end and the middle of the first row.
pub(super) fn boxes(start: PaperPoint, row: BoxRow, canvas: &mut Canvas<'_>) {
    let BoxRow { crossed, all, .. } = row;
    let (left, middle) = start;
    const SIDE: f64 = 10.0;
    let places = (0..all).map(|at| {
        let (column, row) = ((at % MOST_BOXES) as f64, (at / MOST_BOXES) as f64);
        (left + column * BOX + (BOX - SIDE) / 2.0, middle - SIDE / 2.0 + row * BOX)
    });
    canvas.part("boxes", |canvas| {
        let mut strokes = vec![];
        for (at, (x, y)) in (0i64..).zip(places) {
            canvas.rect((x, y), (SIDE, SIDE), 1.5, None, Some(ShapeOutline { ink: QUIET, width: 1.2 }));
            if at < crossed {
                let centre = (x + SIDE / 2.0, y + SIDE / 2.0);
                strokes.extend(Hand::new(&[at as u64]).cross(centre, SIDE / 2.0 - 1.0));
            }
        }
        canvas.pen(&strokes, ShapeOutline { ink: PENCIL, width: 1.8 });
    });
}

/// Returns a value as it is shown.
fn display_text(value: &str) -> &str {
    match value {
        "none" => "–",
        "true" => "yes",
        "false" => "no",
        other => other,
    }
}

/// Returns the corners of a five-pointed star.
pub(super) fn star(centre: PaperPoint, r: f64) -> Vec<PaperPoint> {
    let (x, y) = centre;
    (0..10)
        .map(|at| {
            let angle = f64::from(at) * std::f64::consts::TAU / 10.0;
            let far = if at % 2 == 0 { r } else { r * 0.45 };
            (x + far * angle.sin(), y - far * angle.cos())
        })
        .collect()
}

/// Draws variables with a single value: small counters as marks, other values as text.
pub(super) fn values(values: &[Single], mut canvas: Canvas<'_>) -> Picture {
    const ROW: f64 = 23.0;
    /// Maximum value of a counter that is drawn as marks.
    const MOST: i64 = 10;
    const STEP: f64 = 13.0;
    let (label, value) = (font(13.0, QUIET), bold(13.0));
    let text = |single: &Single| match single.text.as_str() {
        _ if single.boxes.is_some() => String::new(),
        other => clipped(display_text(other), value, WORDS),
    };
    let marks = |single: &Single| single.of.filter(|(now, most)| (1..=MOST).contains(most) && *now >= 0);
    let rows = |single: &Single| single.boxes.map_or(1, |row| (row.all + MOST_BOXES - 1) / MOST_BOXES);
    let number_width = |row: BoxRow| row.number().map_or(0.0, |number| text_width(&number, value) + 6.0);
    let line = |single: &Single| {
        if let Some(row) = single.boxes {
            let boxes = row.all.min(MOST_BOXES) as f64 * BOX;
            return text_width(&plain(&single.name), label) + 18.0 + number_width(row) + boxes;
        }
        let marks = marks(single).map_or(0.0, |(_, most)| most as f64 * STEP + 4.0);
        text_width(&plain(&single.name), label) + 18.0 + text_width(&text(single), value) + marks
    };
    let width = values.iter().map(line).fold(LEAST, f64::max);
    canvas.part("values", |canvas| {
        let mut base = 15.0 - ROW;
        let mut high = 0.0;
        for single in values {
            base += ROW + high;
            high = (rows(single) - 1) as f64 * BOX;
            canvas.text((0.0, base), Anchor::Start, label, &plain(&single.name));
            if let Some(row) = single.boxes {
                let left = width - row.all.min(MOST_BOXES) as f64 * BOX;
                boxes((left, base - 4.5), row, canvas);
                if let Some(number) = row.number() {
                    canvas.text((left - number_width(row), base), Anchor::Start, value, &number);
                }
                continue;
            }
            let shown = text(single);
            canvas.text((width, base), Anchor::End, value, &shown);
            let Some((now, most)) = marks(single) else { continue };
            let right = width - text_width(&most.to_string(), value).max(text_width(&shown, value)) - 10.0;
            for mark in 0..most {
                let place = (right - (most - 1 - mark) as f64 * STEP, base - 4.5);
                match mark < now {
                    true => canvas.circle(place, 4.5, Some(TEXT), None),
                    false => canvas.circle(place, 4.0, None, Some(ShapeOutline { ink: FAINT, width: 1.5 })),
                }
            }
        }
    });
    let more: f64 = values.iter().map(|single| (rows(single) - 1) as f64 * BOX).sum();
    canvas.done(width, values.len() as f64 * ROW + more)
}

/// Width that sets have in a sheet from the start.
const ROOM_FOR_SETS: f64 = 150.0;

/// Draws a sheet: a row for each element, a column for each player.
pub(super) fn sheet(sheet: &ScoreSheet, players: &[SeatLook], mut canvas: Canvas<'_>) -> Picture {
    const ROW: f64 = 26.0;
    let (label, value, head) = (font(13.0, TEXT), Font { ink: PENCIL, ..bold(15.0) }, font(11.0, QUIET));
    let lines: Vec<String> = sheet.lines.iter().map(|line| plain(line)).collect();
    let name = lines.iter().map(|line| text_width(line, label)).fold(0.0, f64::max);
    let column = |cells: &Vec<Option<String>>| {
        let widths = cells.iter().flatten().map(|text| text_width(text, value));
        // Sets grow during the game.
        let is_of_sets = cells.iter().flatten().any(|text| text.starts_with('{'));
        let widest = widths.fold(if is_of_sets { ROOM_FOR_SETS } else { 30.0 }, f64::max);
        // Wide columns grow by steps, so that a page seldom does.
        if widest > WIDE_CELL { (widest / WIDE_CELL).ceil() * WIDE_CELL } else { widest + 14.0 }
    };
    let widths: Vec<f64> = sheet.columns.iter().map(column).collect();
    let width = (name + 24.0 + widths.iter().sum::<f64>()).max(LEAST);
    // With the heads of the columns above the boxes.
    let top = 24.0;
    canvas.text((0.0, 12.0), Anchor::Start, head, &plain(&sheet.name));
    let mut right = width;
    let ends: Vec<f64> = widths
        .iter()
        .rev()
        .map(|width| {
            right -= width;
            right + width - 8.0
        })
        .collect();
    let ends: Vec<f64> = ends.into_iter().rev().collect();
    if players.len() > 1 {
        for (seat, end) in ends.iter().enumerate() {
            PieceLook::of_seat(Seat(seat as u32), players).draw(&mut canvas, (end - 7.5, 9.0), 8.0);
        }
    }
    let rules: Vec<Vec<PaperPoint>> = (0..=lines.len())
        .map(|at| vec![(0.0, top + at as f64 * ROW), (width, top + at as f64 * ROW)])
        .collect();
    canvas.lines(&rules, ShapeOutline { ink: FAINT, width: 1.0 });
    let edge = ShapeOutline { ink: RULE, width: 1.0 };
    for (end, wide) in ends.iter().zip(&widths) {
        for row in 0..lines.len() {
            let corner = (end + 8.0 - wide, top + row as f64 * ROW);
            canvas.rect(corner, (*wide, ROW), 0.0, None, Some(edge));
        }
    }
    canvas.part("sheet", |canvas| {
        for (row, line) in lines.iter().enumerate() {
            let base = top + row as f64 * ROW + 18.0;
            canvas.text((2.0, base), Anchor::Start, label, line);
            for (cells, end) in sheet.columns.iter().zip(&ends) {
                if let Some(text) = cells.get(row).and_then(Option::as_ref) {
                    canvas.text((*end, base), Anchor::End, value, text);
                }
            }
            let area = ThingArea::rect((0.0, top + row as f64 * ROW), (width, ROW));
            canvas.thing(&sheet.things[row], line, &area);
        }
    });
    canvas.done(width, top + lines.len() as f64 * ROW + 1.0)
}

/// Draws a table.
pub(super) fn table(table: &FamilyTable, mut canvas: Canvas<'_>) -> Picture {
    const ROW: f64 = 20.0;
    let (label, value, head) = (font(13.0, TEXT), bold(13.0), font(11.0, QUIET));
    let lines: Vec<String> = table.lines.iter().map(|(name, _)| plain(name)).collect();
    let name = lines.iter().map(|line| text_width(line, label)).fold(text_width(&table.name, head), f64::max);
    let cells = table.lines.iter().flat_map(|(_, cells)| cells).map(|text| text_width(text, value));
    let heads = table.heads.iter().map(|text| text_width(text, head));
    let column = cells.chain(heads).fold(8.0, f64::max) + 12.0;
    let width = (name + 10.0 + column * table.heads.len() as f64).max(LEAST);
    let end = |at: usize| width - column * (table.heads.len() - 1 - at) as f64 - 4.0;
    canvas.part("table", |canvas| {
        canvas.text((0.0, 12.0), Anchor::Start, head, &plain(&table.name));
        for (at, text) in table.heads.iter().enumerate() {
            canvas.text((end(at), 12.0), Anchor::End, head, text);
        }
        for (row, (line, (_, cells))) in lines.iter().zip(&table.lines).enumerate() {
            let base = 32.0 + row as f64 * ROW;
            canvas.text((2.0, base), Anchor::Start, label, line);
            for (at, text) in cells.iter().enumerate() {
                canvas.text((end(at), base), Anchor::End, value, text);
            }
        }
    });
    canvas.done(width, 20.0 + lines.len() as f64 * ROW)
}

/// Draws another family: the name, then the members in lines. Without members there is only room for it.
pub(super) fn family(family: &FamilyList, mut canvas: Canvas<'_>) -> Picture {
    const NAME: f64 = 18.0;
    const LINE: f64 = 19.0;
    let (label, value) = (font(12.0, QUIET), font(13.0, TEXT));
    let mut y = NAME;
    let mut widest = LEAST;
    if family.members.is_empty() {
        return canvas.done(widest, NAME + LINE);
    }
    canvas.part("values", |canvas| {
        let name = clipped(&plain(&family.name), label, WORDS);
        canvas.text((0.0, 12.0), Anchor::Start, label, &name);
        for line in family_lines(family, value) {
            let line = clipped(&line, value, WORDS);
            widest = widest.max(text_width(&line, value));
            canvas.text((0.0, y + 13.0), Anchor::Start, value, &line);
            y += LINE;
        }
    });
    canvas.done(widest, y)
}

/// Breaks the members of a family into lines.
fn family_lines(family: &FamilyList, value: Font) -> Vec<String> {
    let words = family.members.iter().map(|(name, value)| match name.is_empty() {
        true => spoken(value),
        false => spoken(&format!("{name} {value}")),
    });
    let more = family.more.then(|| "…".to_owned());
    let mut line = String::new();
    let mut lines = vec![];
    // A long value, such as a set, has line breaks between its words.
    let parts = words.chain(more).flat_map(|word| {
        let breaks = text_width(&word, value) > WORDS;
        let parts: Vec<String> = match breaks {
            true => word.split(' ').map(str::to_owned).collect(),
            false => vec![word],
        };
        (0..).zip(parts).map(|(at, part)| (if at == 0 { ", " } else { " " }, part)).collect::<Vec<_>>()
    });
    for (between, word) in parts {
        let longer = if line.is_empty() { word.clone() } else { format!("{line}{between}{word}") };
        if text_width(&longer, value) > WORDS && !line.is_empty() {
            lines.push(std::mem::replace(&mut line, word));
        } else {
            line = longer;
        }
    }
    lines.push(line);
    lines
}

/// Draws the legend of the pieces that the list of seats doesn't explain.
pub fn legend(pieces: &[(PieceLook, String)], room: f64, mut canvas: Canvas<'_>) -> Picture {
    let label = font(12.0, QUIET);
    let (mut x, mut y, mut widest) = (0.0, 0.0, 0.0f64);
    canvas.part("legend", |canvas| {
        for (token, name) in pieces {
            let wide = 26.0 + text_width(name, label);
            if x > 0.0 && x + wide > room {
                (x, y) = (0.0, y + 25.0);
            }
            token.draw(canvas, (x + 11.0, y + 10.0), 10.2);
            canvas.text((x + 26.0, y + 14.5), Anchor::Start, label, name);
            x += wide + 16.0;
            widest = widest.max(x - 16.0);
        }
    });
    canvas.done(widest, y + 24.0)
}
