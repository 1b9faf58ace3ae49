//! The types of script values: elements, sets, and families of values that need an index.

use rhai::{Dynamic, INT};

use houserule_model::board::BitSet;
use houserule_model::{ChoiceId, DomainId, SlotId, TableId};

/// The game, the first argument of every hook. A unit type; the state is in the script context.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameHandle;

/// An element of a domain other than a range: a site, a player, a tile, an enum value.
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

/// The values of a slot of which `known` indices are given; further indices choose one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SlotFamily {
    pub(super) slot: SlotId,
    pub(super) known: usize,
    /// Their position, row-major over the known indices.
    pub(super) place: usize,
}

/// The values of a table of the rules of which `known` indices are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lookup {
    pub(super) table: TableId,
    pub(super) known: usize,
    pub(super) place: usize,
}

/// A param that is a points table, by its index among the params.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Points {
    pub(super) param: usize,
}

/// An action by its number, with the choice it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Action {
    pub(super) number: u32,
    pub(super) choice: ChoiceId,
}

/// Describes a value in messages.
pub(super) fn kind(value: &Dynamic) -> String {
    match value {
        value if value.is_unit() => "none".to_owned(),
        value if value.is::<INT>() => format!("the number {value}"),
        value if value.is::<bool>() => format!("`{value}`"),
        value if value.is_string() => format!("the text \"{value}\""),
        value if value.is::<Element>() => "an element".to_owned(),
        value if value.is::<Action>() => "an action".to_owned(),
        value if value.is::<Set>() => "a set".to_owned(),
        value if value.is::<SlotFamily>() => "a family of values".to_owned(),
        value if value.is::<Lookup>() || value.is::<Points>() => "a table".to_owned(),
        value if value.is::<GameHandle>() => "the game".to_owned(),
        value if value.is_array() => "a list".to_owned(),
        value => format!("a value of the kind {}", value.type_name()),
    }
}
