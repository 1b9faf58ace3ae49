//! Margins of a board: variables with a value for each row of each board of a family, drawn at the ends of the
//! rows like the boxes of a score sheet.

use houserule_game::drawing::{EMPTY, Instance, symbols};
use houserule_game::{Game, State};
use houserule_model::{BoardId, Content, DomainKind, SlotId, Value, Visibility};

/// A variable in the margin.
#[derive(Clone, Debug)]
pub(super) struct Margin {
    /// The variable.
    pub(super) slot: SlotId,
    /// The letter of each value if the values are an enum. The initial value is a dot.
    letters: Vec<char>,
}

impl Margin {
    /// Returns the margins of a board, in declaration order.
    pub(super) fn all(game: &Game, id: BoardId) -> Vec<Margin> {
        let model = game.model();
        let board = &model.boards[id.index()];
        // A single board has no margin: an index with the same numbers may mean something else.
        if board.index.is_empty() || !board.topology.has_rows() {
            return vec![];
        }
        let rows = |domain: usize| {
            let domain = &model.domains[domain];
            matches!(domain.kind, DomainKind::Range { low: 1 }) && domain.size == board.topology.height()
        };
        let mut used: Vec<char> = symbols(game, board).iter().map(|symbol| symbol.character).collect();
        let mut all = vec![];
        for (slot, at) in model.slots.iter().zip(0..) {
            let Some((last, first)) = slot.index.split_last() else { continue };
            let stands = slot.is_declared_variable() && slot.visibility == Visibility::All;
            if stands
                && *first == board.index[..]
                && rows(last.index())
                && !matches!(slot.content, Content::Set(_))
            {
                let letters = letters(game, SlotId(at), &used);
                used.extend(&letters);
                all.push(Margin { slot: SlotId(at), letters });
            }
        }
        all
    }

    /// Returns the value at the end of a row. Rows count from 1.
    pub(super) fn value(&self, state: &State, instance: &Instance, row: u32) -> Value {
        let height = state.game().model().boards[instance.board.index()].topology.height();
        state.value(self.slot, instance.number * height as usize + row as usize - 1)
    }

    /// Returns `true` if a value is the initial one.
    pub(super) fn is_first(&self, game: &Game, value: &Value) -> bool {
        game.model().slots[self.slot.index()].initial.first() == Some(value)
    }

    /// Returns the sign that is drawn for a value.
    pub(super) fn sign(&self, game: &Game, value: &Value) -> String {
        match (value, game.model().slots[self.slot.index()].content) {
            (Value::Element(Some(element)), Content::Element { domain, .. }) => {
                match self.letters.get(*element as usize) {
                    Some(letter) => letter.to_string(),
                    None => game.element_name(domain, *element),
                }
            }
            (Value::Number(number), _) => number.to_string(),
            (Value::Bool(true), _) => "x".to_owned(),
            _ => EMPTY.to_string(),
        }
    }

    /// Returns the index of the value with a sign, not counting the initial value.
    pub(super) fn place(&self, sign: &str) -> usize {
        let words = self.letters.iter().filter(|letter| **letter != EMPTY);
        words.take_while(|letter| !sign.starts_with(**letter)).count()
    }

    /// Returns the signs and their meanings, without the initial value.
    pub(super) fn legend(&self, game: &Game) -> Vec<(char, String)> {
        let slot = &game.model().slots[self.slot.index()];
        let Content::Element { domain, .. } = slot.content else { return vec![] };
        let words = self.letters.iter().zip(0..).filter(|(letter, _)| **letter != EMPTY);
        words
            .map(|(letter, e)| (*letter, format!("{} {}", game.element_name(domain, e), slot.name)))
            .collect()
    }
}

/// Returns a letter for each value: the first in its name that is still free.
fn letters(game: &Game, id: SlotId, used: &[char]) -> Vec<char> {
    let slot = &game.model().slots[id.index()];
    let Content::Element { domain, .. } = slot.content else { return vec![] };
    let DomainKind::Enum(words) = &game.model().domains[domain.index()].kind else { return vec![] };
    let mut letters: Vec<char> = vec![];
    for (word, element) in words.iter().zip(0..) {
        let free = |letter: &char| {
            letter.is_ascii_alphanumeric() && !used.contains(letter) && !letters.contains(letter)
        };
        letters.push(match slot.initial.first() == Some(&Value::Element(Some(element))) {
            true => EMPTY,
            false => word.chars().chain('a'..='z').chain('A'..='Z').find(free).unwrap_or('?'),
        });
    }
    letters
}
