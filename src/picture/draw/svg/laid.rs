//! The areas of an arranged page as SVG: the mat, cards, backs, places, numbers.

use super::canvas::{Anchor, Canvas, Picture, ShapeOutline, ThingArea};
use super::cards::{CardMarks, Strip, draw_back, draw_card, draw_count, draw_place};
use super::palette::{MAT, MAT_EDGE, QUIET};
use super::plates::draw_plate;
use super::scene::font;
use crate::layout::{
    Area, AreaBlock, AreaItem, AreaKind, ItemContent, PagePoint, PageSize, PartKind, TableView, ZoneRole,
};
use houserule_model::{Seat, SeatLook};

/// How far the shape of a name goes on above it: a pointer needs as much.
const ABOVE_NAME: f64 = 6.0;

/// Draws an arranged table. `parts` are the pictures of its parts.
pub(super) fn draw_table(
    canvas: &mut Canvas<'_>,
    table: &TableView,
    page: &AreaBlock,
    parts: &[Picture],
    seats: &[SeatLook],
) {
    let mut areas: Vec<&Area> = page.areas.iter().collect();
    if canvas.marks_things() {
        areas.sort_by_key(|area| reading_order(table, area.kind));
    }
    for area in areas {
        match area.kind {
            AreaKind::Mat => {
                let edge = ShapeOutline { ink: MAT_EDGE, width: 1.0 };
                canvas.rect(area.corner, area.size, 16.0, Some(MAT), Some(edge));
            }
            AreaKind::Plate(seat) => {
                let plate = &table.plates[seat];
                canvas.part("seats", |canvas| {
                    draw_plate(canvas, area.corner, area.size, plate, Seat(seat as u32), seats);
                });
            }
            AreaKind::Part(part) => canvas.put(area.corner.0, area.corner.1, &parts[part]),
            AreaKind::Zone(_) => canvas.part("zone", |canvas| draw_zone(canvas, table, area)),
        }
    }
}

/// Returns where an area comes among those that are read out, or reached by keys: the viewer's hand, the middle of the table,
/// boards, what is beside them, the seats. What lies below others comes before them.
fn reading_order(table: &TableView, kind: AreaKind) -> u8 {
    match kind {
        AreaKind::Mat => 0,
        AreaKind::Zone(zone) => {
            let view = &table.zones[zone];
            match view.role {
                ZoneRole::Hand | ZoneRole::Slots if table.is_viewers(zone) => 1,
                ZoneRole::Trick => 2,
                _ if view.seat.is_none() => 2,
                _ => 5,
            }
        }
        AreaKind::Part(part) => match table.parts[part].kind {
            PartKind::Middle => 2,
            PartKind::Board | PartKind::Track => 3,
            PartKind::Beside => 4,
        },
        AreaKind::Plate(_) => 5,
    }
}

fn draw_zone(canvas: &mut Canvas<'_>, table: &TableView, area: &Area) {
    for item in &area.items {
        draw_item(canvas, table, item, &area.items);
    }
}

/// Returns `true` if the number of a pile lies on the lower edge of a card, in its middle.
fn is_counted(items: &[AreaItem], corner: PagePoint, size: PageSize) -> bool {
    let (x, y) = (corner.0 + size.0 / 2.0, corner.1 + size.1);
    let mut counts = items.iter().filter(|item| matches!(item.content, ItemContent::Count(_)));
    counts.any(|count| (count.corner.0 - x).abs() < 1.0 && (count.corner.1 - y).abs() < 1.0)
}

fn draw_item(canvas: &mut Canvas<'_>, table: &TableView, item: &AreaItem, all: &[AreaItem]) {
    let (x, y) = item.corner;
    match &item.content {
        ItemContent::Card { zone, card, size, seen, is_known } => {
            let view = &table.zones[*zone];
            let shown = &view.cards[*card];
            let some_cannot = view.cards.iter().any(|other| !other.can_be_chosen);
            let (width, height) = size.size();
            let strip = match *seen {
                (wide, _) if wide < width => Some(Strip::Left(wide)),
                (_, high) if high < height => Some(Strip::Top(high)),
                _ => None,
            };
            let marks = CardMarks {
                fresh: shown.is_fresh,
                can: shown.can_be_chosen && some_cannot,
                known: *is_known,
                counted: is_counted(all, item.corner, (width, height)),
                strip,
            };
            canvas.liftable(|canvas| {
                draw_card(canvas, item.corner, *size, &shown.face, marks);
                canvas.thing(&shown.thing, &shown.title, &ThingArea::rect(item.corner, *seen));
            });
        }
        ItemContent::Back(size) => draw_back(canvas, item.corner, *size),
        ItemContent::Place { zone, size, label } => {
            let view = &table.zones[*zone];
            draw_place(canvas, item.corner, *size, label.as_deref());
            if let Some(thing) = &view.thing {
                canvas.thing(thing, &view.label, &ThingArea::rect(item.corner, size.size()));
            }
        }
        ItemContent::Index { zone, size } => {
            let view = &table.zones[*zone];
            if let Some(thing) = &view.thing {
                let above = (item.corner.0, item.corner.1 - ABOVE_NAME);
                let area = (size.0, size.1.min(18.0) + ABOVE_NAME);
                canvas.thing(thing, &view.label, &ThingArea::rect(above, area));
            }
        }
        ItemContent::Count(count) => draw_count(canvas, item.corner, &count.to_string()),
        ItemContent::Text(text, is_centred) => {
            let anchor = if *is_centred { Anchor::Middle } else { Anchor::Start };
            canvas.text((x, y), anchor, font(12.0, QUIET), text);
        }
    }
}
