//! Sites that are known to be empty.

use super::same::is_same_index;
use crate::lang::model::{BoardId, Expr};

/// Where a site is known to be empty: on a board, or on the one of a family that some indices name.
#[derive(Clone, Debug)]
pub(super) struct Free {
    pub(super) board: BoardId,
    pub(super) index: Vec<Expr>,
    /// Where it stands who acts, for the indices.
    pub(super) me: u16,
}

impl Free {
    /// Is it the same board?
    pub(super) fn is(&self, other: &Free) -> bool {
        self.is_on(other.board, &other.index, other.me)
    }

    pub(super) fn is_on(&self, board: BoardId, index: &[Expr], me: u16) -> bool {
        let same = self.board == board && self.index.len() == index.len();
        let both = || self.index.iter().zip(index).all(|(a, b)| is_same_index(a, b));
        same && (index.is_empty() || self.me == me && both())
    }

    /// Is it known whatever is assigned to slots and locals?
    pub(super) fn is_lasting(&self) -> bool {
        self.index.is_empty()
    }
}
