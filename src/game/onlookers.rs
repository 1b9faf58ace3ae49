//! The seats whose view a drawing shows.

use crate::{Game, Seat};

/// Who looks at a state: a drawing shows what all of some seats see, or everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Onlookers {
    /// A bit for each seat that has to see a thing; no bit if everything is seen.
    seats: u32,
}

impl From<Option<Seat>> for Onlookers {
    /// A seat's, or everything without one.
    fn from(seat: Option<Seat>) -> Onlookers {
        seat.map_or(Onlookers::EVERYTHING, Onlookers::from_seat)
    }
}

impl Onlookers {
    /// Sees everything, what lies face down too.
    pub const EVERYTHING: Onlookers = Onlookers { seats: 0 };

    /// Sees what a seat sees.
    pub fn from_seat(seat: Seat) -> Onlookers {
        Onlookers { seats: 1 << seat.0 }
    }

    /// Sees what everybody sees: somebody who stands beside the table and looks into nobody's hand.
    pub fn from_table(game: &Game) -> Onlookers {
        Onlookers { seats: (1 << game.players()) - 1 }
    }

    /// Returns `true` if everything is seen.
    pub fn is_everything(self) -> bool {
        self.seats == 0
    }

    /// Returns the seat that looks, if it is one alone.
    pub fn seat(self) -> Option<Seat> {
        (self.seats.count_ones() == 1).then(|| Seat(self.seats.trailing_zeros()))
    }

    /// Returns the seats that have to see a thing; none if everything is seen.
    pub fn seats(self) -> impl Iterator<Item = Seat> {
        (0..u32::BITS).filter(move |seat| self.seats >> seat & 1 == 1).map(Seat)
    }

    /// Returns `true` if all who look see something, or if everything is seen.
    pub fn sees(self, seen_by: impl FnMut(Seat) -> bool) -> bool {
        self.seats().all(seen_by)
    }
}
