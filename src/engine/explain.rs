//! What a score counted, item by item and run by run: "row 3: c3–f3, 4 dots, 3 points".

mod parts;
mod run;

pub use run::{CountedRun, Direction};

use super::oracle::{self, value_of};
use super::{Player, RuntimeError, State};
use crate::lang::model::{Expr, SlotId, Value};

/// What one item of a score counted. The points of `runs` and `rest` add up to `points`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemExplanation {
    /// The item.
    pub name: String,
    /// Its help text.
    pub help: String,
    /// The points.
    pub points: i64,
    /// The runs that gave points, if the item counts runs.
    pub runs: Vec<CountedRun>,
    /// What else gave points.
    pub rest: Vec<Part>,
    /// The points of the runs in each direction in which the item counts runs.
    pub directions: Vec<(Direction, i64)>,
}

/// Points of a score that no run gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What gave them: an element (`fives`), or a part of the rules as it is written (`2 * extra`). The item's name
    /// if the item is not made of parts.
    pub name: String,
    /// The points.
    pub points: i64,
}

/// What an expression without free locals is for a player.
pub fn evaluate(state: &State, expr: &Expr, player: Player) -> Result<Value, RuntimeError> {
    value_of(state.game().model(), &slow(state), expr, player.0)
}

/// A state as the slow executor has it.
fn slow(state: &State) -> oracle::State {
    let model = state.game().model();
    let mut slow = oracle::State::initial(model, 0);
    for (slot, at) in model.slots.iter().zip(0..) {
        for place in 0..slot.initial.len() {
            slow.set(SlotId(at), place, state.value(SlotId(at), place));
        }
    }
    slow
}

/// What each item of a player's score counted.
pub fn explain(state: &State, player: Player) -> Result<Vec<ItemExplanation>, RuntimeError> {
    let points = state.scores(player)?;
    let slow = slow(state);
    let items = state.game().model().score.iter().zip(points);
    Ok(items.map(|(item, points)| parts::explained(state, &slow, player, item, points)).collect())
}

/// A word for several of a piece.
pub fn plural(name: &str) -> String {
    if name.ends_with(['s', 'x']) || name.ends_with("ch") || name.ends_with("sh") {
        format!("{name}es")
    } else {
        format!("{name}s")
    }
}

#[cfg(test)]
mod tests {
    use super::plural;

    #[test]
    fn plurals() {
        assert_eq!(["dot", "cross", "man"].map(plural), ["dots", "crosses", "mans"]);
    }
}
