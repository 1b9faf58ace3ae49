//! Variables that are shown as counters: how many there are, whose they are, and what they look like.

use crate::draw::svg::palette;
use crate::draw::svg::token::{DiscMark, PieceLook, PieceShape};
use crate::layout::Icon;
use houserule_game::{Onlookers, State};
use houserule_model::{Content, DisplayForm, Look, PLAYER, Seat, SeatLook, SlotId, SquarePlace, Value};

/// The counters of one place of a variable.
#[derive(Clone, Debug)]
pub(in crate::draw::svg) struct CounterPile {
    /// The variable.
    pub(in crate::draw::svg) slot: SlotId,
    /// Its name.
    pub(in crate::draw::svg) name: String,
    /// Whose counters they are.
    pub(in crate::draw::svg) seat: Option<Seat>,
    /// How many there are; `None` if those who look don't see it.
    pub(in crate::draw::svg) count: Option<i64>,
    /// How many there can be.
    pub(in crate::draw::svg) most: i64,
    /// What one looks like.
    pub(in crate::draw::svg) token: PieceLook,
    /// Where they stand, if the rules say it.
    pub(in crate::draw::svg) place: Option<SquarePlace>,
}

/// Returns all counters of a state.
pub(in crate::draw::svg) fn counter_piles(state: &State, sight: Onlookers) -> Vec<CounterPile> {
    let mut piles = vec![];
    let seats = state.game().model().seat_looks();
    for (id, slot) in (0..).map(SlotId).zip(&state.game().model().slots) {
        let (DisplayForm::Counters(counters), Content::Number { high, .. }) = (&slot.shown, slot.content)
        else {
            continue;
        };
        for place in 0..slot.initial.len() {
            let seat = (slot.index == [PLAYER]).then_some(Seat(place as u32));
            let is_seen = sight.sees(|viewer| state.sees(id, place, viewer));
            let count = match state.value(id, place) {
                Value::Number(count) if is_seen => Some(count),
                _ => None,
            };
            piles.push(CounterPile {
                slot: id,
                name: slot.name.clone(),
                seat,
                count,
                most: high,
                token: counter_token(&seats, seat, counters.look),
                place: counters.places.get(place).copied().flatten(),
            });
        }
    }
    piles
}

/// Returns what a counter looks like.
pub(in crate::draw::svg) fn counter_token(seats: &[SeatLook], seat: Option<Seat>, look: Look) -> PieceLook {
    let Look { colour, picture, .. } = look;
    let own = colour.map(palette::piece_colours);
    let colours =
        own.unwrap_or_else(|| seat.map_or(palette::piece(0, &[]), |seat| palette::seat(seat, seats)));
    let mark = seat.map_or(DiscMark::None, |seat| DiscMark::of_seat(seat, colours));
    let shape = match picture {
        None | Some(Icon::Disc) => PieceShape::Disc(mark),
        Some(icon) => PieceShape::Picture(icon, mark),
    };
    PieceLook { colours, shape }
}
