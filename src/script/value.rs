//! What scripts hold in their hands: elements, sets, and families of values that an index chooses from.

use rhai::{Dynamic, INT};

use crate::board::BitSet;
use crate::lang::model::{ChoiceId, DomainId, SlotId, TableId};

/// The game: what comes first in every hook. It is no more than a sign; the state lies on the desk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Game;

/// An element of a domain that is no range: a site, a player, a tile, a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) domain: DomainId,
    pub(super) number: u32,
}

/// A set over a domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Set {
    pub(super) domain: DomainId,
    pub(super) bits: BitSet,
}

/// Values of a slot, of which an index chooses; so many of its indices are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Family {
    pub(super) slot: SlotId,
    pub(super) known: usize,
    /// Their place, row-major over the known indices.
    pub(super) place: usize,
}

/// Values of a table of the rules, of which an index chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lookup {
    pub(super) table: TableId,
    pub(super) known: usize,
    pub(super) place: usize,
}

/// A param that is a map of numbers, by its place among the params.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Points {
    pub(super) param: usize,
}

/// An action that a player may take, by its number, and where it is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Action {
    pub(super) number: u32,
    pub(super) choice: ChoiceId,
}

/// What kind of thing a value is, in messages.
pub(super) fn kind(value: &Dynamic) -> String {
    match value {
        value if value.is_unit() => "none".to_owned(),
        value if value.is::<INT>() => format!("the number {value}"),
        value if value.is::<bool>() => format!("`{value}`"),
        value if value.is_string() => format!("the text \"{value}\""),
        value if value.is::<Element>() => "an element".to_owned(),
        value if value.is::<Action>() => "an action".to_owned(),
        value if value.is::<Set>() => "a set".to_owned(),
        value if value.is::<Family>() => "a family of values".to_owned(),
        value if value.is::<Lookup>() || value.is::<Points>() => "a table".to_owned(),
        value if value.is::<Game>() => "the game".to_owned(),
        value if value.is_array() => "a list".to_owned(),
        value => format!("a value of the kind {}", value.type_name()),
    }
}
