//! Values of slots and scores in the words of a game.

use crate::{Game, Seat};
use houserule_machine::program::Program;
use houserule_model::board::BitSet;
use houserule_model::{Content, SlotId, Value};

/// Returns a value of a slot from the words of a game. A slot that the program does not keep has its initial value.
pub(crate) fn value_in(game: &Game, words: &[u64], slot: SlotId, place: usize) -> Value {
    let declared = &game.model().slots[slot.index()];
    let Some(first) = game.slots()[slot.index()] else { return declared.initial[place].clone() };
    let width = usize::from(game.program().width);
    match declared.content {
        Content::Set(domain) => {
            let size = game.model().domains[domain.index()].size;
            let at = usize::from(first) + place * width;
            Value::Set(BitSet::from_words(size, &words[at..at + size.div_ceil(64) as usize]))
        }
        content => {
            let word = words[usize::from(first) + place] as i64;
            match content {
                Content::Bool => Value::Bool(word != 0),
                Content::Element { .. } => Value::Element(u32::try_from(word).ok()),
                _ => Value::Number(word),
            }
        }
    }
}

/// Writes a value of a slot to the words of a game.
pub(crate) fn write_value(game: &Game, words: &mut [u64], slot: SlotId, place: usize, value: &Value) {
    let Some(first) = game.slots()[slot.index()] else { return };
    let value = houserule_model::value_words(game.program().width, value);
    let at = usize::from(first) + place * value.len();
    words[at..at + value.len()].copy_from_slice(&value);
}

/// Returns a player's score from words with computed scores.
#[inline(always)]
pub(crate) fn score_in(program: &Program, words: &[u64], player: Seat) -> i64 {
    match program.item_count {
        0 => 0,
        _ => words[usize::from(program.totals) + player.index()] as i64,
    }
}
