//! Domains, boards and constant tables.

use super::{BoardId, DomainId, Model, SlotId, Visibility};
use crate::board::{Site, Topology};

/// A finite domain.
#[derive(Clone, Debug)]
pub struct Domain {
    /// Name in messages: `cell`, `player`, `1..6`.
    pub name: String,
    /// Kind of its elements.
    pub kind: DomainKind,
    /// Number of elements.
    pub size: u32,
}

/// The kind of a domain's elements.
#[derive(Clone, Debug)]
pub enum DomainKind {
    /// The players of the game.
    Player,
    /// Consecutive integers from `low`.
    Range {
        /// The first number.
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
    /// The domain of the field's elements, or `None` for a number.
    pub of: Option<DomainId>,
    /// Its value for each record: a number or an element's index.
    pub values: Vec<i64>,
}

/// A board.
#[derive(Clone, Debug)]
pub struct Board {
    /// The name of its site domain.
    pub name: String,
    /// The domain of its sites.
    pub domain: DomainId,
    /// Index domains: one board for each element of their product.
    pub index: Vec<DomainId>,
    /// Neighbours, lines and site names.
    pub topology: Topology,
    /// Row 1 is drawn at the top.
    pub from_top: bool,
    /// Default visibility of the pieces and variables on it.
    pub visibility: Visibility,
    /// For a board of edges: the board whose cells' sides are its sites. It has the same index.
    pub sides_of: Option<BoardId>,
    /// Slot of the empty sites, derived from the pieces; indexed like the board.
    pub empty: SlotId,
    /// The pieces that stand on it.
    pub pieces: Vec<SlotId>,
}

/// A constant table of integers over the product of its index domains, row-major.
#[derive(Clone, Debug)]
pub struct ConstantTable {
    /// Its name.
    pub name: String,
    /// The index domains.
    pub index: Vec<DomainId>,
    /// One value for each; an element as its index, none as -1.
    pub values: Vec<i64>,
}

impl Model {
    /// The name of element `e`: `c3`, `red`, `6-4`.
    pub fn element_name(&self, domain: DomainId, e: u32) -> String {
        match &self.domains[domain.index()].kind {
            DomainKind::Player => {
                let name = self.players.names.get(e as usize).cloned();
                name.unwrap_or_else(|| (e + 1).to_string()).replace(' ', "-")
            }
            DomainKind::Range { low } => (low + i64::from(e)).to_string(),
            DomainKind::Enum(names) => names.get(e as usize).cloned().unwrap_or_default(),
            DomainKind::Sites(board) => self.boards[board.index()].topology.site_name(Site(e)),
            DomainKind::Record(fields) => {
                let name = |field: &Field| {
                    let value = field.values.get(e as usize).copied().unwrap_or(0);
                    field.of.map_or_else(|| value.to_string(), |of| self.element_name(of, value as u32))
                };
                fields.iter().map(name).collect::<Vec<_>>().join("-")
            }
        }
    }
}
