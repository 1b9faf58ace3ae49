//! Domains, boards and constant tables.

use super::{BoardId, DomainId, SlotId};
use crate::board::Topology;

/// A finite domain.
#[derive(Clone, Debug)]
pub struct Domain {
    /// Its name in messages: `cell`, `player`, `1..6`.
    pub name: String,
    /// What its elements are.
    pub kind: DomainKind,
    /// How many there are.
    pub size: u32,
}

/// What a domain's elements are.
#[derive(Clone, Debug)]
pub enum DomainKind {
    /// The players of the game.
    Player,
    /// Numbers from `low`.
    Range {
        /// The first.
        low: i64,
    },
    /// Named values; names as written.
    Enum(Vec<String>),
    /// Sites of a board.
    Sites(BoardId),
    /// Records, by their fields.
    Record(Vec<Field>),
}

/// A field of records.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// The domain whose element it is; none for a number.
    pub of: Option<DomainId>,
    /// Its value for each element: the number, or which element.
    pub values: Vec<i64>,
}

/// A board.
#[derive(Clone, Debug)]
pub struct Board {
    /// The name of its site domain.
    pub name: String,
    /// Its sites.
    pub domain: DomainId,
    /// There is one board for each element of their product.
    pub index: Vec<DomainId>,
    /// Neighbours, lines, names.
    pub topology: Topology,
    /// Row 1 is drawn at the top.
    pub from_top: bool,
    /// Its sites are the sides of the cells of this board, which has the same index.
    pub sides_of: Option<BoardId>,
    /// The empty sites, a derived slot with the index of the board.
    pub empty: SlotId,
    /// The pieces that stand on it.
    pub pieces: Vec<SlotId>,
}

/// A constant table of numbers over the product of its index domains, row-major.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// The index domains.
    pub index: Vec<DomainId>,
    /// A value for each; an element is its number, none is -1.
    pub values: Vec<i64>,
}
