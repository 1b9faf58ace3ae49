//! What a viewer may see of a drawing.

use crate::{Game, Onlookers, Seat};

impl Onlookers {
    /// Sees what a viewer sees, or without one what lies open on the table; everything if all is laid `open`.
    pub fn from_viewer(game: &Game, viewer: Option<Seat>, open: bool) -> Onlookers {
        match viewer {
            Some(seat) => Onlookers::from_seat(seat),
            None if open || !game.hides() => Onlookers::EVERYTHING,
            None => Onlookers::from_table(game),
        }
    }
}
