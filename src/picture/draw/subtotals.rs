//! Subtotals of line points by direction, as at the foot of a score sheet: across, down, rising, falling.

use super::panel::FamilyTable;
use houserule_game::Onlookers;
use houserule_game::explain::{ItemExplanation, LineDirection, explain};
use houserule_game::{Seat, State};

/// Returns a table for each score item that counts runs in several directions. It has a row for each seat whose
/// score the viewer sees.
pub(super) fn tables(state: &State, sight: Onlookers) -> Vec<FamilyTable> {
    let names = &state.game().model().players.names;
    let seats =
        (0u32..).zip(names).filter(|(seat, _)| sight.sees(|viewer| state.sees_score(Seat(*seat), viewer)));
    let told: Vec<(&String, Vec<ItemExplanation>)> =
        seats.filter_map(|(seat, name)| Some((name, explain(state, Seat(seat)).ok()?))).collect();
    let items = state.game().model().score.iter().enumerate();
    let table = |(at, item): (usize, &houserule_model::ScoreItem)| {
        let of_item = || told.iter().map(|(name, items)| (*name, &items[at].directions));
        // The longest list has all directions: a list is empty if a condition excludes the lines of that seat.
        let (_, all) = of_item().max_by_key(|(_, directions)| directions.len())?;
        if all.len() < 2 {
            return None;
        }
        let of = |directions: &[(LineDirection, i64)], direction| {
            let found = directions.iter().find(|(known, _)| *known == direction);
            found.map_or_else(|| "·".to_owned(), |(_, points)| points.to_string())
        };
        let row = |(name, directions): (&String, &Vec<(LineDirection, i64)>)| {
            let cells = all.iter().map(|(direction, _)| of(directions, *direction)).collect();
            (if names.len() > 1 { name.clone() } else { String::new() }, cells)
        };
        Some(FamilyTable {
            name: item.name.clone(),
            heads: all.iter().map(|(direction, _)| direction.name().to_owned()).collect(),
            lines: of_item().map(row).collect(),
        })
    };
    items.filter_map(table).collect()
}
