//! The middle of the table: piles, tricks, columns, open rows, dice.

use std::f64::consts::TAU;

use super::blocks::{AreaBlock, AreaItem, AreaKind, ItemContent};
use super::faces::CardSize;
use super::roles::ZoneRole;
use super::table::{PageWidth, PartKind, TableView, zone_families};
use super::zones::LaidZone;

/// Margin of the mat around what lies on it.
const MARGIN: f64 = 24.0;
/// The same on a page for a phone.
const NARROW_MARGIN: f64 = 12.0;
/// Gap between zones.
pub(super) const GAP: f64 = 20.0;
/// Gap between zones of a family.
const FAMILY: f64 = 14.0;
/// How much wider than its room the cloth may be for a trick between other zones.
const WIDER: f64 = 120.0;
/// How far the cards of a trick are from its middle: beside it, and above and below.
const TRICK: (f64, f64) = (128.0, 101.0);
/// The same for five seats and more.
const LARGE_TRICK: (f64, f64) = (170.0, 101.0);

/// Lays out what is in the middle of a table, `room` wide. With `is_cloth`, a mat lies below.
pub(super) fn middle(table: &TableView, room: f64, is_cloth: bool) -> AreaBlock {
    let margin = if table.form == PageWidth::Narrow { NARROW_MARGIN } else { MARGIN };
    let inner = room - 2.0 * margin;
    let families = families(table, |role| {
        matches!(
            role,
            ZoneRole::Stock
                | ZoneRole::Columns
                | ZoneRole::Piles
                | ZoneRole::Pile
                | ZoneRole::Trick
                | ZoneRole::Groups
                | ZoneRole::Used
                | ZoneRole::Row
                | ZoneRole::Covered
        )
    });
    let in_piles = families.iter().filter(|family| table.zones[family[0]].seat.is_none()).flatten();
    let in_piles = in_piles.filter(|zone| table.zones[**zone].role.is_pile()).count();
    let pile_size = fitting_size(table, in_piles, GAP, inner);
    // Beside boards there is little height: piles and rows lie side by side.
    let beside_piles = inner - in_piles as f64 * (pile_size.size().0 + GAP);
    let row_room = if is_cloth || beside_piles < inner / 2.0 { inner } else { beside_piles };
    let (mut piles, mut rows, mut played) = (vec![], vec![], vec![]);
    for family in &families {
        let first = &table.zones[family[0]];
        let is_personal = first.seat.is_some();
        match first.role {
            ZoneRole::Trick => played.push(tricks(table, family)),
            _ if is_personal => {}
            ZoneRole::Columns => rows.push(columns(table, family, inner)),
            role if role.is_pile() => {
                piles.extend(family.iter().map(|zone| {
                    let laid = LaidZone { table, zone: *zone };
                    laid.labelled(laid.pile(pile_size), true)
                }));
            }
            ZoneRole::Groups => {
                let groups = family.iter().map(|zone| {
                    let laid = LaidZone { table, zone: *zone };
                    laid.labelled(laid.fan(CardSize::Medium, inner / 2.0), false)
                });
                rows.push(AreaBlock::row(groups.collect(), FAMILY, inner));
            }
            _ => {
                for zone in family {
                    let laid = LaidZone { table, zone: *zone };
                    let view = &table.zones[*zone];
                    let many = view.is_long(view.most());
                    let kinds =
                        view.room.cards > view.room.kinds || view.cards.iter().any(|card| card.copies > 1);
                    match many && !kinds {
                        true => piles.push(laid.labelled(laid.pile(CardSize::Large), true)),
                        false => rows.push(laid.labelled(laid.fan(CardSize::Large, row_room), false)),
                    }
                }
            }
        }
    }
    let piles = AreaBlock::row(piles, GAP, inner);
    let played = AreaBlock::centred_column(played, GAP);
    let rows = AreaBlock::centred_column(rows, GAP);
    let others = AreaBlock::row(parts(table, PartKind::Middle), GAP, inner);
    // A trick stands between the others, if there is room.
    let side = piles.size.0.max(rows.size.0) + GAP;
    let wider = if is_cloth && table.form == PageWidth::Wide { WIDER } else { 0.0 };
    let all = match !played.is_empty() && played.size.0 + 2.0 * side <= inner + wider {
        true => vec![between(played, [piles, rows], side), others],
        // Piles lie beside what is drawn by itself.
        false
            if played.is_empty()
                && rows.is_empty()
                && !piles.is_empty()
                && !others.is_empty()
                && others.size.0 + GAP + piles.size.0 <= inner =>
        {
            vec![AreaBlock::centred_row(vec![others, piles], 1.5 * GAP)]
        }
        // Piles and rows beside each other leave room for what is high.
        false
            if (!is_cloth || !played.is_empty() || !others.is_empty())
                && !piles.is_empty()
                && !rows.is_empty()
                && piles.size.0 + GAP + rows.size.0 <= inner =>
        {
            vec![AreaBlock::centred_row(vec![piles, rows], GAP), played, others]
        }
        false => vec![piles, played, rows, others],
    };
    let content = AreaBlock::centred_column(all, GAP);
    if content.is_empty() || !is_cloth {
        return content;
    }
    let size = (content.size.0.max(inner) + 2.0 * margin, content.size.1 + 2.0 * margin);
    let mut mat = AreaBlock::single(AreaKind::Mat, size, vec![]);
    mat.put(((size.0 - content.size.0) / 2.0, margin), content);
    mat
}

/// Returns the largest size of which `count` cards fit beside each other. On a wide page there is room for large ones.
fn fitting_size(table: &TableView, count: usize, gap: f64, room: f64) -> CardSize {
    let fits = |size: &CardSize| count as f64 * (size.size().0 + gap) - gap <= room;
    match table.form {
        PageWidth::Wide => CardSize::Large,
        PageWidth::Narrow => {
            [CardSize::Large, CardSize::Medium].into_iter().find(fits).unwrap_or(CardSize::Small)
        }
    }
}

/// Puts a block between two others, each of which has `side` for itself.
fn between(middle: AreaBlock, others: [AreaBlock; 2], side: f64) -> AreaBlock {
    let (width, height) = middle.size;
    let below = |block: &AreaBlock| ((height - block.size.1) / 2.0).max(0.0);
    let [left, right] = others;
    let mut all = AreaBlock::default();
    all.put((side - GAP - left.size.0, below(&left)), left);
    all.put((side, 0.0), middle);
    all.put((side + width + GAP, below(&right)), right);
    all.size.0 = width + 2.0 * side;
    all
}

/// Returns the parts of a kind.
pub(super) fn parts(table: &TableView, kind: PartKind) -> Vec<AreaBlock> {
    let own = (0..).zip(&table.parts).filter(|(_, part)| part.kind == kind);
    own.map(|(at, part)| AreaBlock::single(AreaKind::Part(at), part.size, vec![])).collect()
}

/// Returns the zones of a table with certain roles, those of a family together.
pub(super) fn families(table: &TableView, is_wanted: impl Fn(ZoneRole) -> bool) -> Vec<Vec<usize>> {
    zone_families(&table.zones, |zone| is_wanted(zone.role))
}

/// Lays the cards of a trick towards those who played them.
fn tricks(table: &TableView, family: &[usize]) -> AreaBlock {
    let size = CardSize::Large;
    let (width, height) = size.size();
    let seats = family.len().max(1);
    let (aside, along) = if seats > 4 { LARGE_TRICK } else { TRICK };
    let (middle_x, middle_y) = (aside + width / 2.0, along + height / 2.0);
    let mut items = vec![];
    for zone in family {
        let (laid, view) = (LaidZone { table, zone: *zone }, &table.zones[*zone]);
        let seat = view.seat.map_or(0, |seat| seat.index());
        let steps = (seat + seats - table.bottom % seats) % seats;
        let angle = TAU * steps as f64 / seats as f64;
        let (x, y) = (middle_x - aside * angle.sin(), middle_y + along * angle.cos());
        let corner = (x - width / 2.0, y - height / 2.0);
        let count = view.cards.len();
        let hidden = view.hidden;
        if count + hidden == 0 {
            items.push(laid.place(size, corner));
        }
        for at in 0..hidden {
            let corner = (corner.0 + 4.0 * at as f64, corner.1);
            items.push(AreaItem { content: ItemContent::Back(size), corner });
        }
        for card in 0..count {
            let corner = (corner.0 + 22.0 * card as f64, corner.1);
            let seen = (if card + 1 == count { width } else { 22.0 }, height);
            items.push(laid.card(card, size, corner, seen));
        }
    }
    let first = family.first().copied().unwrap_or(0);
    let most = family.iter().map(|zone| table.zones[*zone].most()).max().unwrap_or(1);
    let right = 2.0 * middle_x + 22.0 * most.saturating_sub(1) as f64;
    AreaBlock::single(AreaKind::Zone(first), (right, 2.0 * middle_y), items)
}

/// Lays the columns of a family side by side, with the cards face down below them.
fn columns(table: &TableView, family: &[usize], room: f64) -> AreaBlock {
    let below = |zone: usize| {
        let view = &table.zones[zone];
        let place = family.iter().position(|one| *one == zone)?;
        let under = families(table, |role| role == ZoneRole::Below(view.slot)).into_iter().next()?;
        under.get(place).map(|zone| LaidZone { table, zone: *zone })
    };
    let size = match table.form {
        PageWidth::Wide if family.len() > 9 => CardSize::Medium,
        _ => fitting_size(table, family.len(), FAMILY, room),
    };
    let columns = family.iter().map(|zone| {
        let laid = LaidZone { table, zone: *zone };
        laid.labelled(laid.column(below(*zone), size), true)
    });
    AreaBlock::row(columns.collect(), FAMILY, room)
}
