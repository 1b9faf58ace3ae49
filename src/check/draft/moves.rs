//! What moves, for the update of what players know.

use houserule_model::{CheckedExpr, LocalId, Target};
use std::collections::HashMap;

/// A move of copies, for the update of what players know.
#[derive(Clone, Debug)]
pub(crate) struct Moved {
    pub(crate) from: Target,
    pub(crate) to: Target,
    /// The set of kinds that move.
    pub(crate) kinds: CheckedExpr,
    /// How many copies of each kind move.
    pub(crate) count: MovedCount,
}

/// How many copies of a kind move.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MovedCount {
    One,
    All,
    /// The number that a local holds.
    Number(LocalId),
}

/// An exchange of two zones, for the update of what players know. The key is the local with the contents of the zone
/// `from`, or, for copies, the local with the kinds that are exchanged.
#[derive(Clone, Debug)]
pub(crate) struct Swapped {
    pub(crate) from: Target,
    pub(crate) to: Target,
    /// Of zones without copies: the local with what comes from the other zone.
    pub(crate) other: Option<LocalId>,
    /// What is known is updated here, before anything moves.
    pub(crate) first: bool,
}

/// The moves of copies and the exchanges of zones in the rules.
#[derive(Debug, Default)]
pub(crate) struct Moves {
    /// Moves of copies, by the local that holds the kinds.
    pub(crate) moved: HashMap<LocalId, Moved>,
    /// Exchanges of zones, by a local of each.
    pub(crate) swapped: HashMap<LocalId, Swapped>,
}
