//! Zones as rows: piles in one row, a row for a trick, for each column, for a hand.

use super::cards::{CardWriter, EMPTY};
use super::line::{RowPiece, TextRow};
use crate::draw::beside;
use crate::draw::panel::Zone;
use crate::layout::{Plate, ZoneRole, ZoneView, zone_families};
use crate::paint::TextStyle;
use houserule_base::names::plain;
use houserule_model::{Model, Seat, SeatLook};

/// How many cards are shown of an open pile, from its top.
const TOPS: usize = 8;

/// The most cards that are listed among the hidden ones of a pile.
const MOST_KNOWN: usize = 6;

/// What lies on a table, to be written in rows.
pub(super) struct ZoneRows<'t> {
    pub(super) model: &'t Model,
    pub(super) zones: &'t [ZoneView],
    /// The same zones and others, as the panel has them.
    pub(super) panel: &'t [Zone],
    pub(super) plates: &'t [Plate],
    pub(super) seats: &'t [SeatLook],
}

impl ZoneRows<'_> {
    /// Returns the zones with certain roles, those of a family together.
    fn families(&self, is_wanted: impl Fn(&ZoneView) -> bool) -> Vec<Vec<&ZoneView>> {
        let families = zone_families(self.zones, is_wanted);
        families.into_iter().map(|family| family.into_iter().map(|at| &self.zones[at]).collect()).collect()
    }

    /// Returns the name of a zone, or of its family, in words.
    fn name(&self, view: &ZoneView) -> String {
        plain(&self.model.slots[view.slot.index()].name)
    }

    /// Returns `true` for a hand of the viewer, or of the only player.
    fn is_own_hand(&self, view: &ZoneView) -> bool {
        let seat = view.seat.and_then(|seat| self.plates.get(seat.index()));
        matches!(view.role, ZoneRole::Hand | ZoneRole::Slots)
            && seat.map_or(self.plates.is_empty(), |plate| plate.is_viewer)
    }

    /// Returns what lies at a seat, but for the viewer's hand, after some blanks.
    pub(super) fn at_seat(&self, seat: Seat, writer: &mut CardWriter) -> Vec<RowPiece> {
        let is_there = |view: &ZoneView| {
            let is_played = view.role == ZoneRole::Trick;
            view.seat == Some(seat) && view.count() > 0 && !is_played && !self.is_own_hand(view)
        };
        let mut pieces = vec![];
        for family in self.families(is_there) {
            let name = self.name(family[0]);
            for (at, view) in family.iter().enumerate() {
                let label = match view.label.as_str() {
                    "" => name.clone(),
                    label if label.starts_with(&name) => label.to_owned(),
                    label if at == 0 => format!("{name} {label}"),
                    label => label.to_owned(),
                };
                pieces.extend(self.at_seat_zone(view, &label, writer));
            }
        }
        pieces
    }

    fn at_seat_zone(&self, view: &ZoneView, label: &str, writer: &mut CardWriter) -> Vec<RowPiece> {
        match view.role {
            ZoneRole::Hand | ZoneRole::Slots if view.hidden > 0 => {
                // The plate has the number of cards.
                if view.cards.is_empty() {
                    return vec![];
                }
                let known = ZoneView { hidden: 0, ..view.clone() };
                with_label("known", writer.by_signs(&known, 1))
            }
            role if role.is_pile() => self.pile(view, label, writer),
            _ => with_label(label, writer.contents(view, 1)),
        }
    }

    /// Returns a pile: its name, its number and its top.
    fn pile(&self, view: &ZoneView, label: &str, writer: &mut CardWriter) -> Vec<RowPiece> {
        let count = view.count();
        if count == 0 {
            return with_label(label, vec![RowPiece::after(1, TextStyle::quiet(), EMPTY)]);
        }
        let label = format!("{label} ({count})");
        let zone = self.panel.iter().find(|zone| zone.slot == view.slot && zone.place == view.place);
        let top = view.order.last().copied().flatten();
        let shown = match (view.role, top) {
            // All of it lies open.
            (ZoneRole::Pile, Some(_)) if view.hidden == 0 => {
                let first = view.cards.len().saturating_sub(TOPS);
                writer.cards(view, &(first..view.cards.len()).collect::<Vec<_>>(), 1)
            }
            (ZoneRole::Used, _) if view.hidden == 0 && view.is_long(count) => vec![],
            (ZoneRole::Used, _) if view.hidden == 0 => writer.by_signs(view, 1),
            (_, Some(top)) if view.hidden == 0 || view.cards.len() == 1 => writer.cards(view, &[top], 1),
            _ if view.cards.is_empty() || view.cards.len() > MOST_KNOWN => vec![],
            _ => match zone.filter(|zone| !zone.parts.is_empty()) {
                Some(zone) => in_order(zone),
                None => writer.by_signs(view, 1),
            },
        };
        with_label(&label, shown)
    }

    /// Returns the piles in the middle of the table, all in one row.
    pub(super) fn piles(&self, writer: &mut CardWriter) -> Vec<TextRow> {
        let is_pile = |view: &ZoneView| {
            let is_pile = view.role.is_pile() || view.role == ZoneRole::Row && is_large(view);
            is_pile && view.seat.is_none() && (view.count() > 0 || view.has_place)
        };
        let mut pieces = vec![];
        for family in self.families(is_pile) {
            let name = self.name(family[0]);
            match family.as_slice() {
                [only] => pieces.extend(spaced(self.pile(only, &name, writer), 3)),
                many => {
                    pieces.push(RowPiece::after(3, TextStyle::quiet(), &name));
                    for view in many {
                        pieces.extend(self.pile_of_family(view, writer));
                    }
                }
            }
        }
        if pieces.is_empty() { vec![] } else { vec![TextRow { label: String::new(), pieces }] }
    }

    /// Returns a pile of a family. The name of the place is left out if the card on top begins or ends with it.
    fn pile_of_family(&self, view: &ZoneView, writer: &mut CardWriter) -> Vec<RowPiece> {
        let top = view.order.last().copied().flatten().and_then(|card| view.cards.get(card));
        let says_place = |short: &str| short.starts_with(&view.label) || short.ends_with(&view.label);
        match top {
            Some(card) if view.hidden == 0 && says_place(&card.short) => {
                vec![writer.card(view, card, 2)]
            }
            _ => self.pile(view, &view.label, writer),
        }
    }

    /// Returns a row for each trick: what each player has played to it, from the one who began if that can be seen.
    pub(super) fn tricks(&self, writer: &mut CardWriter) -> Vec<TextRow> {
        let families = self.families(|view| view.role == ZoneRole::Trick);
        let rows = families.into_iter().map(|mut family| {
            let is_first = |at: usize| {
                let before = (at + family.len() - 1) % family.len();
                family[at].count() > 0 && family[before].count() == 0
            };
            let firsts: Vec<usize> = (0..family.len()).filter(|at| is_first(*at)).collect();
            if let [first] = firsts[..] {
                family.rotate_left(first);
            }
            let pieces = family.iter().flat_map(|view| {
                let name = self.seat_name(view.seat, 3);
                let mut pieces: Vec<RowPiece> = name.into_iter().collect();
                pieces.extend(contents_or_place(view, writer).into_iter().map(RowPiece::join));
                pieces
            });
            TextRow { label: self.name(family[0]), pieces: pieces.collect() }
        });
        rows.collect()
    }

    /// Returns the name of the player of a seat, in the colour of the seat.
    fn seat_name(&self, seat: Option<Seat>, gap: usize) -> Option<RowPiece> {
        let seat = seat?;
        let plate = self.plates.get(seat.index())?;
        Some(RowPiece::after(gap, TextStyle::seat(seat, self.seats), &plate.name))
    }

    /// Returns a row for each column, with backs for what lies face down below.
    pub(super) fn columns(&self, writer: &mut CardWriter) -> Vec<TextRow> {
        let families = self.families(|view| view.role == ZoneRole::Columns && view.seat.is_none());
        let is_one = families.len() == 1;
        let mut rows = vec![];
        for family in families {
            let wide = family.iter().map(|view| view.label.chars().count()).max().unwrap_or(0);
            for view in family {
                let below = self.zones.iter().find(|other| {
                    other.role == ZoneRole::Below(view.slot) && other.place == view.place && other.count() > 0
                });
                let mut pieces: Vec<RowPiece> =
                    below.map(|below| writer.backs(below.count(), 1)).into_iter().collect();
                pieces.extend(self.column(view, writer));
                if pieces.is_empty() {
                    pieces.push(RowPiece::after(1, TextStyle::quiet(), EMPTY));
                }
                let label = format!("{:>wide$}", view.label);
                let label = if is_one { label } else { format!("{} {label}", self.name(view)) };
                rows.push(TextRow { label, pieces });
            }
        }
        rows
    }

    /// Returns the cards of a column, with backs where some lie face down.
    fn column(&self, view: &ZoneView, writer: &mut CardWriter) -> Vec<RowPiece> {
        if view.order.is_empty() || view.hidden == 0 {
            return writer.contents(view, 1);
        }
        let places = view.order.iter();
        let cards = places.map(|place| match place.and_then(|card| view.cards.get(card)) {
            Some(card) => writer.card(view, card, 1),
            None => writer.backs(1, 1),
        });
        cards.collect()
    }

    /// Returns what lies open in the middle.
    pub(super) fn open(&self, writer: &mut CardWriter) -> Vec<TextRow> {
        let is_open = |view: &ZoneView| {
            let is_open = match view.role {
                ZoneRole::Groups | ZoneRole::Hand | ZoneRole::Slots | ZoneRole::Open => true,
                ZoneRole::Chain => view.count() > 0,
                ZoneRole::Row => !is_large(view),
                _ => false,
            };
            let is_there = view.count() > 0 || view.has_place && view.role != ZoneRole::Hand;
            is_open && view.seat.is_none() && is_there && !self.is_own_hand(view)
        };
        self.families(is_open).into_iter().map(|family| self.row(&family, writer)).collect()
    }

    /// Returns the hands of the viewer.
    pub(super) fn hands(&self, writer: &mut CardWriter) -> Vec<TextRow> {
        let families = self.families(|view| self.is_own_hand(view));
        families.into_iter().map(|family| self.row(&family, writer)).collect()
    }

    /// Returns the row of a zone, or of all places of a family.
    fn row(&self, family: &[&ZoneView], writer: &mut CardWriter) -> TextRow {
        let name = self.name(family[0]);
        let mut pieces: Vec<RowPiece> = match family {
            [only] if only.label.is_empty() || only.label == name => contents_or_place(only, writer),
            many => {
                let places = many.iter().flat_map(|view| {
                    let shown = contents_or_place(view, writer);
                    let place = view.label.strip_prefix(&name).unwrap_or(&view.label);
                    spaced(with_label(place.trim_start(), shown), 3)
                });
                places.collect()
            }
        };
        let counts = family.iter().filter_map(|view| view.count.as_deref());
        pieces.extend(counts.map(|count| RowPiece::after(3, TextStyle::quiet(), count)));
        TextRow { label: name, pieces }
    }
}

/// Returns `true` for a row of different cards that is so long that it lies as a pile.
fn is_large(view: &ZoneView) -> bool {
    view.is_long(view.count()) && view.cards.iter().all(|card| card.copies == 1)
}

/// Returns what lies in a zone, or its empty place.
fn contents_or_place(view: &ZoneView, writer: &mut CardWriter) -> Vec<RowPiece> {
    match view.count() {
        0 => vec![RowPiece::after(1, TextStyle::quiet(), EMPTY)],
        _ => writer.contents(view, 1),
    }
}

/// Puts a label before some pieces, which stays with the first of them.
fn with_label(label: &str, pieces: Vec<RowPiece>) -> Vec<RowPiece> {
    let mut all = vec![RowPiece::after(2, TextStyle::quiet(), label)];
    let mut pieces = pieces.into_iter();
    all.extend(pieces.next().map(RowPiece::join));
    all.extend(pieces);
    all
}

/// Puts more blanks before some pieces.
fn spaced(mut pieces: Vec<RowPiece>, gap: usize) -> Vec<RowPiece> {
    if let Some(first) = pieces.first_mut() {
        first.gap = gap;
    }
    pieces
}

/// Returns known cards at their places among hidden ones.
fn in_order(zone: &Zone) -> Vec<RowPiece> {
    beside::in_order(zone).into_iter().map(|(style, word)| RowPiece::after(1, style, word)).collect()
}
