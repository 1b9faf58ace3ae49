//! What a player sees of the variables, pieces and zones of a state, as JSON.

use serde_json::Value as Json;

use super::knowledge::slots;
use crate::values::{family_json, is_named};
use crate::{Seat, State};
use houserule_model::{PLAYER, Slot, SlotId};

/// What a player sees of a variable, piece or zone.
pub enum VisibleValue {
    /// All of it.
    All(Json),
    /// The values of some seats, by seat; `None` for a hidden one.
    BySeat(Vec<Option<Json>>),
    /// Nothing.
    Nothing,
}

/// Returns what a player sees of the variables, pieces and zones of a state, each as in
/// [`variables_json`](crate::values::variables_json).
pub fn variables_seen(state: &State, player: Seat) -> Vec<(String, VisibleValue)> {
    let model = state.game().model();
    let seen = |(id, slot): (SlotId, &Slot)| {
        let places: Vec<bool> = (0..slot.initial.len()).map(|place| state.sees(id, place, player)).collect();
        let value = family_json(state, id, &slot.index, &mut 0);
        let seen = match value {
            value if places.iter().all(|seen| *seen) => VisibleValue::All(value),
            Json::Array(seats) if slot.index.first() == Some(&PLAYER) && places.contains(&true) => {
                let each = places.len() / seats.len();
                let seat =
                    |(value, places): (Json, &[bool])| places.iter().all(|seen| *seen).then_some(value);
                VisibleValue::BySeat(seats.into_iter().zip(places.chunks(each.max(1))).map(seat).collect())
            }
            _ => VisibleValue::Nothing,
        };
        (slot.name.clone(), seen)
    };
    slots(model).filter(|(_, slot)| is_named(slot)).map(seen).collect()
}
