//! Where everything is on a page: the viewer at the bottom, the others clockwise from the left, the middle of the table
//! between them; boards at the left, with the seats beside them.

use super::blocks::{AreaBlock, AreaKind};
use super::faces::CardSize;
use super::middle::{GAP, families, middle, parts};
use super::roles::ZoneRole;
use super::table::{PageWidth, PartKind, Plate, TableView};
use super::zones::LaidZone;

/// Width of a plate.
const PLATE: f64 = 232.0;
/// Height of a plate without counters, and of a line of counters.
const PLATE_HEIGHT: f64 = 38.0;
const LINE: f64 = 18.0;
/// Letters in a line of counters.
const LETTERS: usize = 30;
/// Gap between a plate and what lies at the seat.
const NEAR: f64 = 12.0;
/// Least width of the middle of the table.
const MIDDLE: f64 = 440.0;
/// Width of the table of a patience, and the least one of a table with dice.
const ALONE: f64 = 720.0;
const DICE: f64 = 492.0;
/// Width of a page for a phone.
const NARROW: f64 = 512.0;
/// Width of a page.
const WIDE: f64 = 992.0;
/// A board that is wider than this many times its height has the seats below.
const BROAD: f64 = 1.7;

/// Arranges a table on a page.
pub fn arrange(table: &TableView) -> AreaBlock {
    let mut boards = parts(table, PartKind::Board);
    let tracks = parts(table, PartKind::Track);
    // Beside a board, or on a phone, a track is one more board.
    let is_apart = boards.is_empty() && !tracks.is_empty() && table.form == PageWidth::Wide;
    if !is_apart {
        boards.extend(tracks.iter().cloned());
    }
    let tracks = AreaBlock::row(if is_apart { tracks } else { vec![] }, GAP, WIDE / 3.0);
    let wide = if is_apart { WIDE - tracks.size.0 - GAP + 96.0 } else { WIDE };
    let beside = parts(table, PartKind::Beside);
    let hand = hands(
        table,
        match table.form {
            PageWidth::Wide => wide - PLATE - GAP,
            PageWidth::Narrow => NARROW,
        },
    );
    match (table.form, boards.is_empty()) {
        (PageWidth::Narrow, _) => narrow(table, boards, beside, hand),
        (PageWidth::Wide, false) => around_boards(table, boards, beside, hand),
        (PageWidth::Wide, true) => {
            let table = around_the_middle(table, wide, beside, hand);
            AreaBlock::row(vec![tracks, table], GAP, f64::INFINITY)
        }
    }
}

/// Lays the viewer's hands as fans.
fn hands(table: &TableView, room: f64) -> AreaBlock {
    let own = families(table, |role| matches!(role, ZoneRole::Hand | ZoneRole::Slots)).into_iter().flatten();
    let own = own.filter(|zone| table.is_viewers(*zone));
    let fans = own.map(|zone| LaidZone { table, zone }.fan(CardSize::Large, room));
    AreaBlock::row(fans.collect(), GAP, room)
}

/// Returns the size of a plate.
fn plate_size(plate: &Plate) -> (f64, f64) {
    let letters: usize = plate
        .counters
        .iter()
        .map(|counter| {
            (match counter.boxes {
                Some(row) => counter.word.chars().count() + row.letters(),
                None => counter.word.chars().count() + counter.value.chars().count() + 3,
            }) + if counter.icon.is_some() { 3 } else { 0 }
        })
        .sum::<usize>()
        + plate.words.iter().map(|word| word.chars().count() + 2).sum::<usize>();
    let lines = letters.max(plate.room).div_ceil(LETTERS);
    (PLATE, PLATE_HEIGHT + LINE * lines as f64)
}

/// A seat: its plate, and what lies there. With `is_beside`, that is at the right of the plate.
fn seat(table: &TableView, seat: usize, is_beside: bool) -> AreaBlock {
    let room = match table.form {
        _ if !is_beside => PLATE,
        PageWidth::Wide => 2.0 * PLATE,
        PageWidth::Narrow => NARROW - PLATE - NEAR,
    };
    seat_with_room(table, seat, room, is_beside)
}

/// A seat with `room` for what lies there.
fn seat_with_room(table: &TableView, seat: usize, room: f64, is_beside: bool) -> AreaBlock {
    let Some(plate) = table.plates.get(seat) else { return AreaBlock::default() };
    let size = plate_size(plate);
    let plate = AreaBlock::single(AreaKind::Plate(seat), size, vec![]);
    let lying = AreaBlock::row(lying_at(table, seat, room), NEAR, room);
    match is_beside {
        true => AreaBlock::row(vec![plate, lying], NEAR, f64::INFINITY),
        false => AreaBlock::column(vec![plate, lying], NEAR),
    }
}

/// Returns what lies at a seat, but for the viewer's hand.
fn lying_at(table: &TableView, seat: usize, room: f64) -> Vec<AreaBlock> {
    let own = (0..).zip(&table.zones).filter(|(_, zone)| zone.seat.is_some_and(|own| own.index() == seat));
    let blocks = own.filter_map(|(at, view)| {
        let laid = LaidZone { table, zone: at };
        let is_own_hand = matches!(view.role, ZoneRole::Hand | ZoneRole::Slots) && table.is_viewers(at);
        let block = match view.role {
            _ if is_own_hand => return None,
            ZoneRole::Hand | ZoneRole::Slots if view.is_open => laid.fan(CardSize::Small, room),
            ZoneRole::Hand | ZoneRole::Slots => laid.backs(CardSize::Tiny, room),
            ZoneRole::Open | ZoneRole::Row | ZoneRole::Groups => {
                laid.labelled(laid.fan(CardSize::Small, room), false)
            }
            ZoneRole::Columns => laid.labelled(laid.column(None, CardSize::Small), false),
            role if role.is_pile() => laid.labelled(laid.pile(CardSize::Small), false),
            _ => return None,
        };
        Some(block)
    });
    blocks.collect()
}

/// Returns the seats clockwise from the one after the seat at the bottom.
fn others(table: &TableView) -> Vec<usize> {
    let seats = table.plates.len();
    (1..seats).map(|step| (table.bottom + step) % seats).collect()
}

/// Cards on a table: seats around the middle.
fn around_the_middle(table: &TableView, wide: f64, beside: Vec<AreaBlock>, hand: AreaBlock) -> AreaBlock {
    let others = others(table);
    // Without cards the cloth is as wide as what lies on it.
    let is_small = table.zones.is_empty() && tracks_nothing(table);
    // Sheets beside the table leave no room for seats at its sides.
    let has_sides = others.len() == 3 && (!is_small || beside.is_empty());
    let sides = if has_sides { 2.0 * (PLATE + GAP) } else { 0.0 };
    let is_alone = table.plates.len() < 2 && hand.is_empty();
    let wide = match (is_small, is_alone) {
        (true, _) => narrowed(table, wide - sides, others.len()) + sides,
        (false, true) => wide.min(ALONE),
        (false, false) => wide,
    };
    let cloth = middle(table, (wide - sides).max(MIDDLE), true);
    let below = viewers_row(table, hand);
    let body = match others.as_slice() {
        [left, top, right] if has_sides => {
            let [left, right] = [left, right].map(|one| seat(table, *one, false));
            let mut row = AreaBlock::default();
            let width = cloth.size.0 + sides;
            let middle_of = |block: &AreaBlock| ((cloth.size.1 - block.size.1) / 2.0).max(0.0);
            let [down_left, down_right] = [&left, &right].map(middle_of);
            let (x, at_right) = (PLATE + GAP, PLATE + 2.0 * GAP + cloth.size.0);
            row.put((0.0, down_left), left);
            row.put((x, 0.0), cloth);
            row.put((at_right, down_right), right);
            row.size.0 = row.size.0.max(width);
            AreaBlock::centred_column(vec![seat(table, *top, true), row], GAP)
        }
        [left, right] => {
            let width = cloth.size.0.max(wide);
            let mut row = AreaBlock::default();
            let room = (width - GAP) / 2.0 - PLATE - NEAR;
            row.put((0.0, 0.0), seat_with_room(table, *left, room, true));
            let right = seat_with_room(table, *right, room, true);
            row.put((width - right.size.0, 0.0), right);
            AreaBlock::centred_column(vec![row, cloth], GAP)
        }
        many => {
            let seats = many.iter().map(|one| seat(table, *one, many.len() == 1)).collect();
            AreaBlock::column(vec![AreaBlock::row(seats, GAP, wide), cloth], GAP)
        }
    };
    if is_small && !beside.is_empty() {
        let page = AreaBlock::column(vec![body, below], GAP);
        return AreaBlock::row(vec![page, AreaBlock::column(beside, GAP)], GAP + 8.0, f64::INFINITY);
    }
    let beside = AreaBlock::row(beside, GAP, wide);
    AreaBlock::column(vec![body, below, beside], GAP)
}

/// Returns the width of a table that has only a few dice on it.
fn narrowed(table: &TableView, room: f64, others: usize) -> f64 {
    let lying = parts(table, PartKind::Middle);
    let widths: f64 = lying.iter().map(|part| part.size.0 + GAP).sum();
    let plates = if others == 2 { 2.0 * PLATE + GAP } else { MIDDLE };
    (widths + 2.0 * GAP).max(plates).max(DICE).min(room)
}

/// Returns `true` if there are no score tracks beside the table.
fn tracks_nothing(table: &TableView) -> bool {
    table.parts.iter().all(|part| part.kind != PartKind::Track)
}

/// The viewer's plate with the hand beside it.
fn viewers_row(table: &TableView, hand: AreaBlock) -> AreaBlock {
    // Without a hand, what lies there has room beside the plate.
    let own = seat(table, table.bottom, hand.is_empty());
    AreaBlock::row(vec![own, hand], GAP, f64::INFINITY)
}

/// Boards at the left, the seats in a column at the right; below the boards if these are broad.
fn around_boards(
    table: &TableView,
    boards: Vec<AreaBlock>,
    beside: Vec<AreaBlock>,
    hand: AreaBlock,
) -> AreaBlock {
    let boards = AreaBlock::row(boards, GAP, WIDE);
    let is_broad = boards.size.0 > BROAD * boards.size.1 || boards.size.0 > WIDE - PLATE - GAP;
    // All plates in a row, if the page is wide enough.
    let plates = table.plates.len() as f64 * (PLATE + GAP) - GAP;
    let are_many = plates > WIDE;
    let plates = if are_many { 0.0 } else { plates };
    let room = if is_broad { boards.size.0.max(plates).max(MIDDLE) } else { PLATE };
    let seats: Vec<AreaBlock> = (0..table.plates.len()).map(|one| seat(table, one, false)).collect();
    let lying = middle(table, room.max(PLATE) + 48.0, false);
    let hand = AreaBlock::row(vec![hand], GAP, f64::INFINITY);
    if is_broad {
        let is_beside = are_many && boards.size.0 + GAP + PLATE <= WIDE;
        let body = match is_beside {
            true => AreaBlock::row(vec![boards, AreaBlock::column(seats, 8.0)], GAP, f64::INFINITY),
            false => AreaBlock::column(vec![boards, AreaBlock::row(seats, GAP, room)], GAP),
        };
        let beside = AreaBlock::row(beside, GAP, room);
        return AreaBlock::column(vec![body, lying, hand, beside], GAP);
    }
    let mut column = vec![AreaBlock::column(seats, 8.0), lying];
    column.extend(beside);
    let right = AreaBlock::column(column, GAP);
    let body = AreaBlock::row(vec![boards, right], GAP + 8.0, f64::INFINITY);
    AreaBlock::column(vec![body, hand], GAP)
}

/// Everything below each other.
fn narrow(table: &TableView, boards: Vec<AreaBlock>, beside: Vec<AreaBlock>, hand: AreaBlock) -> AreaBlock {
    let mut seats: Vec<AreaBlock> = others(table).into_iter().map(|one| seat(table, one, true)).collect();
    seats.extend([seat(table, table.bottom, true)].into_iter().filter(|_| !table.plates.is_empty()));
    let is_board = !boards.is_empty();
    // Two beside each other, if nothing lies there.
    let mut all = vec![AreaBlock::row(seats, 8.0, NARROW), AreaBlock::row(boards, GAP, NARROW)];
    all.push(middle(table, NARROW, !is_board));
    all.push(hand);
    all.extend(beside);
    AreaBlock::column(all, GAP)
}

#[cfg(test)]
mod tests {
    use super::super::blocks::{AreaItem, ItemContent};
    use super::super::faces::CardFace;
    use super::super::room::ZoneRoom;
    use super::super::table::{CardView, ZoneView};
    use super::*;
    use houserule_model::{Seat, SlotId};

    fn card(at: usize) -> CardView {
        CardView {
            thing: format!("card:{at}"),
            title: format!("card {at}"),
            short: at.to_string(),
            face: CardFace::default(),
            copies: 1,
            is_fresh: false,
            can_be_chosen: false,
        }
    }

    fn zone(slot: u32, role: ZoneRole, seat: Option<u32>, cards: usize, hidden: usize) -> ZoneView {
        ZoneView {
            slot: SlotId(slot),
            place: 0,
            role,
            seat: seat.map(Seat),
            label: if seat.is_none() { "zone".to_owned() } else { String::new() },
            is_row: false,
            count: None,
            thing: None,
            cards: (0..cards).map(card).collect(),
            hidden,
            order: vec![],
            is_open: hidden == 0,
            has_place: true,
            room: ZoneRoom::default(),
        }
    }

    /// A game of cards for some seats, seen from the first one.
    fn cards(seats: u32, in_hand: usize) -> TableView {
        let plate =
            |seat: u32| Plate { name: format!("seat {seat}"), is_viewer: seat == 0, ..Plate::default() };
        let mut zones = vec![zone(0, ZoneRole::Stock, None, 0, 20)];
        for seat in 0..seats {
            let (open, hidden) = if seat == 0 { (in_hand, 0) } else { (0, in_hand) };
            zones.push(zone(1, ZoneRole::Hand, Some(seat), open, hidden));
        }
        zones.extend((0..seats).map(|seat| zone(2, ZoneRole::Trick, Some(seat), (seat % 2) as usize, 0)));
        TableView { plates: (0..seats).map(plate).collect(), zones, ..TableView::default() }
    }

    /// Returns the pairs of areas that overlap, but for the mat and what lies on it.
    fn overlaps(page: &AreaBlock) -> Vec<(AreaKind, AreaKind)> {
        let areas: Vec<_> = page.areas.iter().filter(|area| area.kind != AreaKind::Mat).collect();
        let mut found = vec![];
        for (at, one) in areas.iter().enumerate() {
            for other in &areas[at + 1..] {
                let apart =
                    |a: f64, long: f64, b: f64, wide: f64| a + long <= b + 0.01 || b + wide <= a + 0.01;
                if !apart(one.corner.0, one.size.0, other.corner.0, other.size.0)
                    && !apart(one.corner.1, one.size.1, other.corner.1, other.size.1)
                {
                    found.push((one.kind, other.kind));
                }
            }
        }
        found
    }

    #[test]
    fn nothing_overlaps_and_all_is_on_the_page() {
        for seats in 1..=8 {
            for in_hand in [0, 1, 5, 13, 26] {
                for form in [PageWidth::Wide, PageWidth::Narrow] {
                    let table = TableView { form, ..cards(seats, in_hand) };
                    let page = arrange(&table);
                    assert_eq!(overlaps(&page), [], "{seats} seats, {in_hand} cards, {form:?}");
                    for area in &page.areas {
                        let (x, y) = (area.corner.0 + area.size.0, area.corner.1 + area.size.1);
                        assert!(
                            x <= page.size.0 + 0.01 && y <= page.size.1 + 0.01,
                            "{area:?} {:?}",
                            page.size
                        );
                    }
                    let most = if form == PageWidth::Wide { 1160.0 } else { 530.0 };
                    assert!(page.size.0 <= most, "{seats} seats, {in_hand} cards: {:?}", page.size);
                }
            }
        }
    }

    #[test]
    fn every_card_lies_on_the_page_once() {
        let page = arrange(&cards(4, 13));
        let all = page.areas.iter().flat_map(|area| &area.items);
        let in_hand =
            all.filter(|item: &&AreaItem| matches!(item.content, ItemContent::Card { zone: 1, .. }));
        assert_eq!(in_hand.count(), 13);
    }

    /// Returns how many things that lie in some zones are on their page.
    fn drawn(zones: Vec<ZoneView>, is_counted: impl Fn(&ItemContent) -> bool) -> usize {
        let page = arrange(&TableView { zones, ..TableView::default() });
        page.areas.iter().flat_map(|area| &area.items).filter(|item| is_counted(&item.content)).count()
    }

    #[test]
    fn hidden_cards_of_a_row_are_backs() {
        let row = || vec![zone(0, ZoneRole::Row, None, 2, 3)];
        assert_eq!(drawn(row(), |content| matches!(content, ItemContent::Back(_))), 3);
        assert_eq!(drawn(row(), |content| matches!(content, ItemContent::Card { .. })), 2);
    }

    #[test]
    fn several_tricks_lie_on_the_page() {
        let tricks = (0..2).map(|slot| zone(slot, ZoneRole::Trick, Some(0), 1, 0)).collect();
        assert_eq!(drawn(tricks, |content| matches!(content, ItemContent::Card { .. })), 2);
    }
}
