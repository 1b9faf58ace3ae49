//! How the cards of a zone lie: fans, piles, columns, backs.

use super::blocks::{AreaBlock, AreaItem, AreaKind, ItemContent, PagePoint, PageSize};
use super::faces::CardSize;
use super::roles::ZoneRole;
use super::table::{TableView, ZoneView};

/// Gap between cards that don't cover each other.
const GAP: f64 = 6.0;
/// The least that is seen of a covered card in a fan: a pointer's least target.
const LEAST_STEP: f64 = 24.0;
/// Distance of backs that cover each other.
const BACK_STEP: f64 = 13.0;
/// The least distance of backs.
const LEAST_BACK_STEP: f64 = 2.0;
/// Distance of cards at another seat that cover each other and are known.
const KNOWN_STEP: f64 = 17.0;
/// What is seen of an open card in a column, and of one that lies face down.
const OPEN_STEP: f64 = 30.0;
/// What is seen of a card face down in a column.
const COVERED_STEP: f64 = 9.0;
/// The least that is seen of an open card in a column.
const LEAST_OPEN_STEP: f64 = 18.0;
/// The greatest height of a column.
const COLUMN: f64 = 400.0;
/// Height of a label above a zone.
pub(super) const LABEL: f64 = 21.0;
/// The most backs that lie in a row; more have a number.
const MOST_BACKS: usize = 13;
/// For how many cards a column of a seat has room, at least.
const LEAST_COLUMN: usize = 6;

/// The zones of a table, with its index.
#[derive(Clone, Copy)]
pub(super) struct LaidZone<'t> {
    /// The table.
    pub(super) table: &'t TableView,
    /// The index of the zone.
    pub(super) zone: usize,
}

impl<'t> LaidZone<'t> {
    fn view(self) -> &'t ZoneView {
        &self.table.zones[self.zone]
    }

    pub(super) fn card(self, card: usize, size: CardSize, corner: PagePoint, seen: PageSize) -> AreaItem {
        let is_known = !self.view().is_open;
        AreaItem { content: ItemContent::Card { zone: self.zone, card, size, seen, is_known }, corner }
    }

    /// Returns its empty place. That in a trick has the name of the player whose card comes there.
    pub(super) fn place(self, size: CardSize, corner: PagePoint) -> AreaItem {
        let view = self.view();
        let seat = view.seat.filter(|_| view.role == ZoneRole::Trick);
        let plate = seat.and_then(|seat| self.table.plates.get(seat.index()));
        let label = plate.map(|plate| plate.name.clone());
        AreaItem { content: ItemContent::Place { zone: self.zone, size, label }, corner }
    }

    fn block(self, size: PageSize, items: Vec<AreaItem>) -> AreaBlock {
        AreaBlock::single(AreaKind::Zone(self.zone), size, items)
    }

    /// Returns the middle of the pill with the number of a pile.
    fn count_place(size: CardSize, corner: PagePoint) -> PagePoint {
        let (width, height) = size.size();
        (corner.0 + width / 2.0, corner.1 + height)
    }

    /// Lays the open cards side by side, each covering the one before if there isn't room, in two rows or more if they would
    /// cover too much. If some are hidden, lays their backs before them.
    pub(super) fn fan(self, size: CardSize, room: f64) -> AreaBlock {
        let view = self.view();
        let (width, height) = size.size();
        let count = view.cards.len();
        if view.hidden > 0 {
            return self.backs(size, room);
        }
        let most = view.most_kinds();
        if most == 0 && !view.has_place {
            return AreaBlock::default();
        }
        let fits = |in_row: usize| in_row <= 1 || width + (in_row - 1) as f64 * LEAST_STEP <= room;
        let rows = (1..=most).find(|rows| fits(most.div_ceil(*rows))).unwrap_or(1);
        let is_full = count > most;
        let in_row = most.max(count).div_ceil(rows).min(count.max(1));
        let mut items = vec![];
        if count == 0 && view.has_place {
            items.push(self.place(size, (0.0, 0.0)));
        }
        let for_most = most.div_ceil(rows).saturating_sub(1) as f64 * (width + GAP) + width;
        let mut wide = if most > 1 { for_most.min(room) } else { width };
        let step = match in_row {
            0 | 1 => width + GAP,
            _ if is_full => (width + GAP).min((wide - width) / (in_row - 1) as f64),
            _ => (width + GAP).min((room - width) / (in_row - 1) as f64).max(LEAST_STEP),
        };
        for card in 0..count {
            let (column, row) = (card % in_row, card / in_row);
            let corner = (column as f64 * step, row as f64 * (height + GAP));
            let is_last = column + 1 == in_row || card + 1 == count;
            let seen = if is_last { width } else { step.min(width) };
            items.push(self.card(card, size, corner, (seen, height)));
            wide = wide.max(corner.0 + width);
        }
        let several = items.iter().zip(&view.cards).filter(|(_, card)| card.copies > 1);
        let counts: Vec<AreaItem> = several
            .map(|(item, card)| AreaItem {
                content: ItemContent::Count(card.copies as usize),
                corner: Self::count_place(size, item.corner),
            })
            .collect();
        let is_of_copies = view.room.cards > view.room.kinds || !counts.is_empty();
        let below = if is_of_copies { 9.0 } else { 0.0 };
        items.extend(counts);
        self.block((wide, rows as f64 * (height + GAP) - GAP + below), items)
    }

    /// Lays backs in a row, then what is known among them, face up: closer if there isn't room.
    pub(super) fn backs(self, size: CardSize, room: f64) -> AreaBlock {
        let view = self.view();
        let (width, height) = size.size();
        let (most, known) = (view.most(), view.cards.len());
        if most == 0 {
            return AreaBlock::default();
        }
        let shown = view.hidden.min(MOST_BACKS);
        // Without what is known, which takes the place of backs.
        let wide = ((most.min(MOST_BACKS) - 1) as f64 * KNOWN_STEP + width + GAP).min(room);
        let gap = if shown > 0 { GAP } else { 0.0 };
        let beside = match shown {
            0 => 0.0,
            _ => (shown - 1) as f64 * BACK_STEP + width,
        };
        let wanted = if known == 0 { beside } else { beside + gap + known as f64 * (width + GAP) - GAP };
        let is_close = wanted > wide;
        let steps = |count: usize| count.max(2) as f64 - 1.0;
        // Known cards lie apart if there is room, else as backs do, which then lie closer.
        let known_step = match is_close {
            true => {
                let least = wide - gap - 2.0 * width - steps(shown) * LEAST_BACK_STEP;
                ((wide - beside - gap - width) / steps(known))
                    .max(BACK_STEP)
                    .min(least / steps(known))
                    .max(1.0)
            }
            false => width + GAP,
        };
        let back_step = match is_close {
            true => {
                let for_known = match known {
                    0 => 0.0,
                    _ => gap + steps(known) * known_step + width,
                };
                ((wide - for_known - width) / steps(shown)).clamp(LEAST_BACK_STEP, BACK_STEP)
            }
            false => BACK_STEP,
        };
        let mut items: Vec<AreaItem> = (0..shown)
            .map(|at| AreaItem { content: ItemContent::Back(size), corner: (at as f64 * back_step, 0.0) })
            .collect();
        let end = if shown == 0 { 0.0 } else { (shown - 1) as f64 * back_step + width };
        for card in 0..known {
            let is_last = card + 1 == known;
            let seen = if is_last { width } else { known_step.min(width) };
            items.push(self.card(card, size, (end + gap + card as f64 * known_step, 0.0), (seen, height)));
        }
        // How many there are of what is known, beside the index of the card: its mark lies below.
        let last = items.iter().map(|item| item.corner.0 + width).fold(0.0, f64::max);
        let several = items.iter().skip(shown).zip(&view.cards).enumerate();
        let counts: Vec<AreaItem> = several
            .filter(|(_, (_, card))| card.copies > 1)
            .map(|(at, (item, card))| {
                let seen = if at + 1 == known { width } else { known_step.min(width) };
                let corner = (item.corner.0 + seen - 8.0, item.corner.1 + 8.0);
                AreaItem { content: ItemContent::Count(card.copies as usize), corner }
            })
            .collect();
        items.extend(counts);
        if view.hidden > MOST_BACKS {
            items.push(AreaItem { content: ItemContent::Count(view.hidden), corner: (end / 2.0, height) });
        }
        let right = last.max(wide);
        let below = if most > MOST_BACKS { 9.0 } else { 0.0 };
        self.block((right, height + below), items)
    }

    /// Lays a pile: its top card or a back, and its number.
    pub(super) fn pile(self, size: CardSize) -> AreaBlock {
        let view = self.view();
        let (width, height) = size.size();
        let count = view.count();
        let top = view.order.last().copied().flatten();
        let mut items = vec![];
        match (count, top) {
            (0, _) if !view.has_place && view.most() == 0 => return AreaBlock::default(),
            (0, _) if !view.has_place => {}
            (0, _) => items.push(self.place(size, (0.0, 0.0))),
            (_, Some(card)) => items.push(self.card(card, size, (0.0, 0.0), (width, height))),
            (_, None) => items.push(AreaItem { content: ItemContent::Back(size), corner: (0.0, 0.0) }),
        }
        if count > 1 {
            let corner = Self::count_place(size, (0.0, 0.0));
            items.push(AreaItem { content: ItemContent::Count(count), corner });
        }
        self.block((width, height + 9.0), items)
    }

    /// Lays a column, each card covering the one below but for its head. `below` is the zone of the cards face down under it.
    pub(super) fn column(self, below: Option<LaidZone<'t>>, size: CardSize) -> AreaBlock {
        let view = self.view();
        let (width, height) = size.size();
        let covered = below.map_or(0, |below| below.view().count());
        let open = view.count();
        let step = |covered: usize, open: usize| match open {
            0 | 1 => OPEN_STEP,
            _ => {
                let room = COLUMN - height - covered as f64 * COVERED_STEP;
                (room / (open - 1) as f64).clamp(LEAST_OPEN_STEP, OPEN_STEP)
            }
        };
        let (most_covered, most) = (below.map_or(0, |below| below.view().most()), view.most());
        // Each seat has its own: what comes to lie there moves nothing else on the table by much.
        let most = if view.seat.is_some() { most.min(open.max(LEAST_COLUMN)) } else { most };
        let for_most = height
            + most_covered as f64 * COVERED_STEP
            + most.saturating_sub(1) as f64 * step(most_covered, most);
        let left = for_most.min(COLUMN) - height - covered as f64 * COVERED_STEP;
        let step = match open {
            0 | 1 => OPEN_STEP,
            _ if open > most => step(covered, open).min(left / (open - 1) as f64),
            _ => step(covered, open),
        };
        let mut items = vec![];
        let mut y = 0.0;
        for _ in 0..covered {
            items.push(AreaItem { content: ItemContent::Back(size), corner: (0.0, y) });
            y += COVERED_STEP;
        }
        let faces: Vec<Option<usize>> = match view.order.is_empty() {
            true => (0..view.cards.len()).map(Some).chain((0..view.hidden).map(|_| None)).collect(),
            false => view.order.clone(),
        };
        for (at, face) in faces.iter().enumerate() {
            let seen = if at + 1 == faces.len() { height } else { step.min(height) };
            items.push(match face {
                Some(card) => self.card(*card, size, (0.0, y), (width, seen)),
                None => AreaItem { content: ItemContent::Back(size), corner: (0.0, y) },
            });
            y += step;
        }
        if items.is_empty() {
            items.push(self.place(size, (0.0, 0.0)));
        }
        let bottom = items.last().map_or(0.0, |item| item.corner.1) + height;
        self.block((width, bottom.max(for_most.min(COLUMN))), items)
    }

    /// Adds the name of the zone above a block, in the middle or from the left, and the shape by which actions know its index.
    pub(super) fn labelled(self, block: AreaBlock, is_centred: bool) -> AreaBlock {
        let view = self.view();
        let parts = [Some(view.label.as_str()), view.count.as_deref()];
        let label =
            parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ");
        if block.is_empty() || label.is_empty() {
            return block;
        }
        // Letters of twelve pixels are about seven wide.
        let words = label.chars().count() as f64 * 7.0;
        let inner = block.size;
        let width = inner.0.max(words);
        let aside = if is_centred { (width - inner.0) / 2.0 } else { 0.0 };
        let mut all = AreaBlock::default();
        all.put((aside, LABEL), block);
        all.size.0 = width;
        // Room for what isn't there has no name.
        if let Some(area) = all.areas.first_mut().filter(|area| !area.items.is_empty()) {
            (area.corner, area.size) = ((0.0, 0.0), all.size);
            let corner = (if is_centred { width / 2.0 } else { 0.0 }, 12.0);
            let text = ItemContent::Text(label, is_centred);
            area.items.insert(0, AreaItem { content: text, corner });
            if view.thing.is_some() {
                let index = ItemContent::Index { zone: self.zone, size: all.size };
                // Above the name, which would keep a pointer from it.
                area.items.insert(1, AreaItem { content: index, corner: (0.0, 0.0) });
            }
        }
        all
    }
}
