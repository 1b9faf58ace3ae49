//! What one pass of the checker leaves for others: how far it is with a part, what it has inferred, which actions there
//! are, and what moves.

use houserule_language::diagnostic::Span;
use houserule_model::{CheckedExpr, DomainId, LocalId, Target};

/// The progress of determining the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlayersState {
    Waiting,
    Busy,
    Done,
}

/// The progress of checking the score. A winner or an end may need it earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Score {
    Waiting,
    Busy,
    Done,
    Poison,
}

/// The domain of a `let` without a type, inferred from all of its uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Inferred {
    /// A range without a name.
    Range(i64, i64),
    /// A declared domain.
    Named(String),
}

/// The identity of a block of actions, before the blocks are ordered.
#[derive(Clone, Debug)]
pub(crate) struct ActionBlockKey {
    pub(crate) option: String,
    pub(crate) domains: Vec<DomainId>,
    pub(crate) subset: bool,
    /// See [`ActionBlock::faces`](houserule_model::ActionBlock::faces).
    pub(crate) faces: Vec<(usize, u32, String)>,
    pub(crate) span: Span,
}

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
