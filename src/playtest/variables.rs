//! Declared variables at the end of a game, as integers.
//!
//! Defines which variables are metrics and which have columns in tables, and how a value becomes a number.

use houserule_game::Game;
use houserule_game::random_games::Finished;
use houserule_model::{Builtin, Content, DomainId, DomainKind, Model, Role, Slot, SlotId, Value};

/// Encoding of a variable's value as an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Number,
    Bool,
    /// Size of a set.
    Size,
    /// Index of an element of a range with this lower bound; -1 is `none`.
    Range(i64),
    /// Index of a player; -1 is `none`.
    Seat,
    /// Index of an element that is shown by name; -1 is `none`.
    Name(DomainId),
}

/// A value of a declared variable at the end of each game.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndValue {
    pub(super) slot: SlotId,
    pub(super) position: usize,
    encoding: Encoding,
    initial: i64,
}

impl EndValue {
    /// Returns the value as it is encoded.
    #[inline(always)]
    pub(super) fn raw(self, game: &Finished<'_>) -> i64 {
        let kept = match self.encoding {
            Encoding::Size => game.set_count(self.slot, self.position).map(i64::from),
            _ => game.value(self.slot, self.position),
        };
        // No rule changes a variable that isn't kept.
        kept.unwrap_or(self.initial)
    }

    /// Returns the value as a number. An element of a range is its number, `none` is 0, any other element 1.
    #[inline(always)]
    pub(super) fn number(self, game: &Finished<'_>) -> i64 {
        match (self.raw(game), self.encoding) {
            (number, Encoding::Number | Encoding::Bool | Encoding::Size) => number,
            (element, Encoding::Range(low)) if element >= 0 => low + element,
            (_, Encoding::Range(_)) => 0,
            (element, Encoding::Seat | Encoding::Name(_)) => i64::from(element >= 0),
        }
    }
}

/// A declared variable whose values at the end are measured or kept.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) slot: SlotId,
    pub(super) encoding: Encoding,
    /// Its values are metrics. If not, they are names, or too many.
    pub(super) is_measured: bool,
    /// Its values are columns of tables.
    pub(super) is_tabled: bool,
    pub(super) values: Vec<EndValue>,
}

impl Variable {
    /// Returns the least and the greatest number of its columns, if they have numbers.
    pub(super) fn bounds(&self, model: &Model, players: usize) -> Option<(i64, i64)> {
        let size = |domain: DomainId| i64::from(model.domains[domain.index()].size);
        match (self.encoding, model.slots[self.slot.index()].content) {
            (Encoding::Number, Content::Number { low, high }) => Some((low, high)),
            (Encoding::Size, Content::Set(domain)) => Some((0, size(domain))),
            (Encoding::Range(low), Content::Element { domain, .. }) => Some((low, low + size(domain) - 1)),
            (Encoding::Seat, _) => Some((0, players as i64 - 1)),
            _ => None,
        }
    }
}

/// Maximum number of values that are metrics, and of those kept per game for tables.
const MOST_VALUES: usize = 1024;

/// Returns the payoffs, and the variables of a game in the order of the rules, except those that live for only a turn. A
/// variable that doesn't fit into [`MOST_VALUES`] is no metric. In tables, all variables after it have no columns either.
pub(super) fn variables(game: &Game) -> Vec<Variable> {
    let model = game.model();
    let (mut measured, mut tabled) = (0, 0);
    let slots = (0..).map(SlotId).zip(&model.slots);
    let declared = slots.filter(|(_, slot)| match slot.role {
        Role::Builtin(Builtin::Payoff) => game.pays(),
        _ => slot.is_told_at_end(),
    });
    let variable = |(id, slot): (SlotId, &Slot)| {
        let (encoding, is_number) = match slot.content {
            Content::Number { .. } => (Encoding::Number, true),
            Content::Bool => (Encoding::Bool, true),
            Content::Set(_) => (Encoding::Size, true),
            Content::Element { domain, optional } => match model.domains[domain.index()].kind {
                DomainKind::Range { low } => (Encoding::Range(low), true),
                DomainKind::Player => (Encoding::Seat, optional),
                DomainKind::Enum(_) | DomainKind::Sites(_) | DomainKind::Record { .. } => {
                    (Encoding::Name(domain), optional)
                }
            },
        };
        let count = slot.initial.len();
        let is_measured = is_number && measured + count <= MOST_VALUES;
        measured += if is_measured { count } else { 0 };
        tabled += count;
        let value =
            |(position, initial)| EndValue { slot: id, position, encoding, initial: integer(initial) };
        Variable {
            slot: id,
            encoding,
            is_measured,
            is_tabled: tabled <= MOST_VALUES,
            values: slot.initial.iter().enumerate().map(value).collect(),
        }
    };
    declared.map(variable).collect()
}

/// Returns the values that are metrics.
pub(super) fn measured_values(game: &Game) -> Vec<EndValue> {
    let measured = variables(game).into_iter().filter(|variable| variable.is_measured);
    measured.flat_map(|variable| variable.values).collect()
}

fn integer(value: &Value) -> i64 {
    match value {
        Value::Number(number) => *number,
        Value::Bool(value) => i64::from(*value),
        Value::Element(element) => element.map_or(-1, i64::from),
        Value::Set(set) => i64::from(set.len()),
    }
}
