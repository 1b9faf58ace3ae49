//! Rectangles of a page, and how they stand beside and below each other.

use super::faces::CardSize;

/// A place on the page. The origin is the upper left corner, in pixels.
pub type PagePoint = (f64, f64);

/// Width and height.
pub type PageSize = (f64, f64);

/// What an area of the page holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AreaKind {
    /// The cloth in the middle of the table, below other areas.
    Mat,
    /// The plate of a seat.
    Plate(usize),
    /// Zones of a table: the index of the first.
    Zone(usize),
    /// A part that something else draws, by its index.
    Part(usize),
}

/// A rectangle of the page, and what lies in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    /// What it holds.
    pub kind: AreaKind,
    /// Its upper left corner.
    pub corner: PagePoint,
    /// Its size.
    pub size: PageSize,
    /// What lies in it, from below to above. Places are those of the page.
    pub items: Vec<AreaItem>,
}

/// Something that lies in an area.
#[derive(Clone, Debug, PartialEq)]
pub struct AreaItem {
    /// What it is.
    pub content: ItemContent,
    /// Its upper left corner; of a text, the middle or the left end of its baseline.
    pub corner: PagePoint,
}

/// What an item is.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemContent {
    /// A card of a zone, face up, and the size of the corner that is seen of it.
    Card {
        /// The zone.
        zone: usize,
        /// Its index among the cards of the zone.
        card: usize,
        /// Its size.
        size: CardSize,
        /// Width and height of what isn't covered.
        seen: PageSize,
        /// It lies hidden from others; the viewer knows it.
        is_known: bool,
    },
    /// The back of a card.
    Back(CardSize),
    /// The empty place of a card.
    Place {
        /// The zone.
        zone: usize,
        /// The size of a card.
        size: CardSize,
        /// What is written there.
        label: Option<String>,
    },
    /// The index of a family, which actions can name.
    Index {
        /// The zone.
        zone: usize,
        /// The size of its shape.
        size: PageSize,
    },
    /// A number of cards.
    Count(usize),
    /// A text; `true` if its middle is at the place.
    Text(String, bool),
}

/// Areas with a common size. Their places are relative to its upper left corner.
#[derive(Clone, Debug, Default)]
pub struct AreaBlock {
    /// Width and height.
    pub size: PageSize,
    /// The areas, those below others first.
    pub areas: Vec<Area>,
}

impl AreaBlock {
    /// A block of a single area.
    pub(super) fn single(kind: AreaKind, size: PageSize, items: Vec<AreaItem>) -> AreaBlock {
        AreaBlock { size, areas: vec![Area { kind, corner: (0.0, 0.0), size, items }] }
    }

    /// Returns `true` if there is nothing in it.
    pub(super) fn is_empty(&self) -> bool {
        self.areas.is_empty()
    }

    /// Puts another block into this one, which grows as needed.
    pub(super) fn put(&mut self, corner: PagePoint, other: AreaBlock) {
        let (x, y) = corner;
        if other.is_empty() {
            return;
        }
        self.size = (self.size.0.max(x + other.size.0), self.size.1.max(y + other.size.1));
        self.areas.extend(other.areas.into_iter().map(|mut area| {
            area.corner = (area.corner.0 + x, area.corner.1 + y);
            for item in &mut area.items {
                item.corner = (item.corner.0 + x, item.corner.1 + y);
            }
            area
        }));
    }

    /// Puts blocks below each other.
    pub(super) fn column(blocks: Vec<AreaBlock>, gap: f64) -> AreaBlock {
        let mut all = AreaBlock::default();
        for block in blocks.into_iter().filter(|block| !block.is_empty()) {
            let y = if all.is_empty() { 0.0 } else { all.size.1 + gap };
            all.put((0.0, y), block);
        }
        all
    }

    /// Puts blocks below each other, each in the middle.
    pub(super) fn centred_column(blocks: Vec<AreaBlock>, gap: f64) -> AreaBlock {
        let width = blocks.iter().map(|block| block.size.0).fold(0.0, f64::max);
        let mut all = AreaBlock::default();
        for block in blocks.into_iter().filter(|block| !block.is_empty()) {
            let y = if all.is_empty() { 0.0 } else { all.size.1 + gap };
            all.put(((width - block.size.0) / 2.0, y), block);
        }
        all.size.0 = width;
        all
    }

    /// Puts blocks beside each other in one row, each in the middle of its height.
    pub(super) fn centred_row(blocks: Vec<AreaBlock>, gap: f64) -> AreaBlock {
        let height = blocks.iter().map(|block| block.size.1).fold(0.0, f64::max);
        let mut all = AreaBlock::default();
        for block in blocks.into_iter().filter(|block| !block.is_empty()) {
            let x = if all.is_empty() { 0.0 } else { all.size.0 + gap };
            all.put((x, (height - block.size.1) / 2.0), block);
        }
        all.size.1 = height;
        all
    }

    /// Puts blocks beside each other, in as many rows as `room` requires.
    pub(super) fn row(blocks: Vec<AreaBlock>, gap: f64, room: f64) -> AreaBlock {
        let mut all = AreaBlock::default();
        let (mut x, mut y) = (0.0, 0.0);
        for block in blocks.into_iter().filter(|block| !block.is_empty()) {
            if x > 0.0 && x + block.size.0 > room {
                (x, y) = (0.0, all.size.1 + gap);
            }
            let width = block.size.0;
            all.put((x, y), block);
            x += width + gap;
        }
        all
    }
}
