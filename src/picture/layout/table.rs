//! What lies on a table, as somebody sees it: plates of seats, zones with their cards, facts. Without places.

use super::faces::CardFace;
use super::roles::ZoneRole;
use super::room::ZoneRoom;
use houserule_model::{Icon, Seat, SlotId};

/// The most cards of an open row that lie side by side.
const MOST_IN_ROW: usize = 12;
/// The same where the rules say that they lie in a row.
const MOST_SAID_IN_ROW: usize = 60;

/// The width for which a page is arranged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PageWidth {
    /// For screens and paper: seats around the middle.
    #[default]
    Wide,
    /// For a phone: everything below each other.
    Narrow,
}

/// A word and a value that concern the whole table: `led ♦`.
#[derive(Clone, Debug, PartialEq)]
pub struct TableFact {
    /// The word, or a question.
    pub word: String,
    /// The value.
    pub value: String,
    /// The help text of the variable.
    pub help: String,
}

/// A value of a seat, with the word for it: `4 tricks`.
#[derive(Clone, Debug, PartialEq)]
pub struct Counter {
    /// The value.
    pub value: String,
    /// The word.
    pub word: String,
    /// The boxes, if it is shown as boxes.
    pub boxes: Option<BoxRow>,
    /// What it counts, if the rules give it a picture.
    pub icon: Option<Icon>,
}

/// A number as boxes, of which the first are crossed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxRow {
    /// The number of crossed boxes.
    pub crossed: i64,
    /// The number of all boxes.
    pub all: i64,
    /// Whether the value is what is left, and so the number of boxes that aren't crossed.
    pub is_left: bool,
}

impl BoxRow {
    /// Returns the number that stands before the boxes: what is left. Otherwise the crossed boxes say it.
    pub(crate) fn number(self) -> Option<String> {
        self.is_left.then(|| (self.all - self.crossed).to_string())
    }

    /// Returns the number of letters that are as wide as the boxes with their number.
    pub(crate) fn letters(self) -> usize {
        let number = if self.is_left { self.all.to_string().len() + 1 } else { 0 };
        2 * self.all.min(10) as usize + 2 + number
    }
}

/// The plate of a seat.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plate {
    /// The name that actions know the seat by.
    pub thing: String,
    /// The name of the player.
    pub name: String,
    /// The score.
    pub score: Option<String>,
    /// Further values.
    pub counters: Vec<Counter>,
    /// Words: `dealer`.
    pub words: Vec<String>,
    /// The number of letters of values and words that there is room for, as long as they aren't shown.
    pub room: usize,
    /// The viewer sits there.
    pub is_viewer: bool,
    /// The seat has to choose.
    pub is_to_play: bool,
    /// The seat has won.
    pub has_won: bool,
}

/// A card, or anything else that lies in a zone.
#[derive(Clone, Debug, PartialEq)]
pub struct CardView {
    /// The name that actions know it by.
    pub thing: String,
    /// Its name in words.
    pub title: String,
    /// Its shortest name.
    pub short: String,
    /// What it shows.
    pub face: CardFace,
    /// How often it lies there.
    pub copies: u64,
    /// The last move put it there.
    pub is_fresh: bool,
    /// It can be chosen now, and others beside it can't.
    pub can_be_chosen: bool,
}

/// A place of a zone: `hand[west]`.
#[derive(Clone, Debug, PartialEq)]
pub struct ZoneView {
    /// The zone.
    pub slot: SlotId,
    /// Which of its family.
    pub place: usize,
    /// What it is on the table.
    pub role: ZoneRole,
    /// The seat to which it belongs.
    pub seat: Option<Seat>,
    /// Its name in words, or that of its index in a family.
    pub label: String,
    /// The rules say that it lies side by side.
    pub is_row: bool,
    /// A number that the rules show beside it, with its name.
    pub count: Option<String>,
    /// The name that actions know its index by, if it is one of a family with one index.
    pub thing: Option<String>,
    /// What those who look see in it: from the bottom to the top, if it has an order.
    pub cards: Vec<CardView>,
    /// The number of other cards.
    pub hidden: usize,
    /// Where the hidden cards are among the others, from the bottom to the top: `None` for a hidden one. Empty if that isn't
    /// known.
    pub order: Vec<Option<usize>>,
    /// Everybody who looks sees what is in it.
    pub is_open: bool,
    /// Its place is drawn even if nothing lies there.
    pub has_place: bool,
    /// How much there is room for.
    pub room: ZoneRoom,
}

impl ZoneView {
    /// Returns how many cards there is room for. More lie closer together, so that the page never grows.
    pub(super) fn most(&self) -> usize {
        if self.room.cards > 0 { self.room.cards } else { self.count() }
    }

    /// Returns `true` if a row of this many cards lies as a pile.
    pub fn is_long(&self, count: usize) -> bool {
        count > if self.is_row { MOST_SAID_IN_ROW } else { MOST_IN_ROW }
    }

    /// Returns how many different cards there is room for.
    pub(super) fn most_kinds(&self) -> usize {
        if self.room.kinds > 0 { self.room.kinds } else { self.cards.len() }
    }

    /// Returns how many cards lie in it.
    pub fn count(&self) -> usize {
        self.hidden + self.cards.iter().map(|card| card.copies as usize).sum::<usize>()
    }
}

/// Returns some of the zones of a table by their indices, those of a family together.
pub fn zone_families(zones: &[ZoneView], is_wanted: impl Fn(&ZoneView) -> bool) -> Vec<Vec<usize>> {
    let mut families: Vec<Vec<usize>> = vec![];
    for (at, zone) in zones.iter().enumerate().filter(|(_, zone)| is_wanted(zone)) {
        match families.last_mut() {
            Some(family) if zones[family[0]].slot == zone.slot => family.push(at),
            _ => families.push(vec![at]),
        }
    }
    families
}

/// What a part of the page is that something else draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// A board.
    Board,
    /// Dice, or a chain of tiles: in the middle of the table.
    Middle,
    /// A sheet or a table: beside the board or below.
    Beside,
    /// A track on which the seats count: at the left.
    Track,
}

/// A part of the page that something else draws, with its size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartSize {
    /// What it is.
    pub kind: PartKind,
    /// Its width and height.
    pub size: (f64, f64),
}

/// What lies on a table.
#[derive(Clone, Debug, Default)]
pub struct TableView {
    /// The width for which it is arranged.
    pub form: PageWidth,
    /// The seat at the bottom.
    pub bottom: usize,
    /// The plates of the seats in their order; none if there is one player.
    pub plates: Vec<Plate>,
    /// The zones.
    pub zones: Vec<ZoneView>,
    /// Parts that something else draws.
    pub parts: Vec<PartSize>,
}

impl TableView {
    /// Returns `true` if a zone belongs to the viewer.
    pub fn is_viewers(&self, zone: usize) -> bool {
        let seat = self.zones[zone].seat.map(|seat| seat.index());
        let plate = seat.and_then(|seat| self.plates.get(seat));
        plate.map_or(self.plates.is_empty(), |plate| plate.is_viewer)
    }
}
