//! Explanations of scores, item by item and run by run ("row 3: c3–f3, 4 dots, 3 points"), of errors, and of what
//! actions name.
//! They are evaluated by the reference interpreter.

pub mod line_counts;
mod located;
mod parts;
mod run;
pub mod things;

pub use run::{CountedRun, LineDirection};

use crate::game_words::value_in;
use crate::oracle::{self, value_of};
use crate::{Game, RuntimeError, Seat, State};
use houserule_language::diagnostic::Span;
use houserule_model::{CheckedExpr, DomainId, SlotId, Value};

/// The explanation of one item of a score. The points of `runs` and `rest` add up to `points`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemExplanation {
    /// The item's name.
    pub name: String,
    /// Its help text.
    pub help: String,
    /// The points.
    pub points: i64,
    /// The runs that gave points, if the item counts runs.
    pub runs: Vec<CountedRun>,
    /// The other parts that gave points.
    pub rest: Vec<ScorePart>,
    /// The points of the runs in each direction in which the item counts runs.
    pub directions: Vec<(LineDirection, i64)>,
}

/// Points of a score that no run gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScorePart {
    /// The source: an element (`fives`), or a part of the rules as written (`2 * extra`). The item's name if
    /// the item has no parts.
    pub name: String,
    /// The element, if the name is that of one.
    pub element: Option<(DomainId, u32)>,
    /// The points.
    pub points: i64,
    /// The part of the rules that the name is written from, and how often it counts.
    pub source: Option<(Span, i64)>,
}

/// Evaluates an expression without free locals for a player.
pub fn evaluate(state: &State, expr: &CheckedExpr, player: Seat) -> Result<Value, RuntimeError> {
    evaluate_in(state.game(), state.words(), expr, player)
}

/// Like [`evaluate`], with the words of a game.
pub(crate) fn evaluate_in(
    game: &Game,
    words: &[u64],
    expr: &CheckedExpr,
    player: Seat,
) -> Result<Value, RuntimeError> {
    value_of(game.model(), &slot_values_in(game, words), expr, player)
}

/// Converts a state to one of the reference interpreter.
pub fn slot_values(state: &State) -> oracle::SlotValues {
    slot_values_in(state.game(), state.words())
}

fn slot_values_in(game: &Game, words: &[u64]) -> oracle::SlotValues {
    let model = game.model();
    let mut slow = oracle::SlotValues::initial(model, Seat(0));
    for (slot, at) in model.slots.iter().zip(0..) {
        for place in 0..slot.initial.len() {
            slow.set(SlotId(at), place, value_in(game, words, SlotId(at), place));
        }
    }
    slow
}

/// Explains every item of a player's score, also those that count what is hidden from the player.
pub fn explain(state: &State, player: Seat) -> Result<Vec<ItemExplanation>, RuntimeError> {
    explain_pieces(state, player, &|_, _| true)
}

/// Like [`explain`], with runs that name only the pieces that are seen, by their variable and their place in it.
pub(crate) fn explain_pieces(
    state: &State,
    player: Seat,
    sees: &dyn Fn(SlotId, usize) -> bool,
) -> Result<Vec<ItemExplanation>, RuntimeError> {
    let points = state.scores(player)?;
    let slow = slot_values(state);
    let items = state.game().model().score.iter().zip(points);
    Ok(items.map(|(item, points)| parts::explained(state, &slow, sees, player, item, points)).collect())
}

/// Returns the plural of a piece's name.
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
