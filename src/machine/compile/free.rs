//! Sites that are known to be empty at compile time.

use houserule_model::{BoardId, CheckedExpr, is_same_index};

/// The board on which a site is known to be empty: a single board, or the one of a family with some indices.
#[derive(Clone, Debug)]
pub(super) struct Free {
    pub(super) board: BoardId,
    pub(super) index: Vec<CheckedExpr>,
    /// Address of the acting player, whom the indices may name.
    pub(super) me: u16,
}

impl Free {
    /// Returns `true` for the same board.
    pub(super) fn is(&self, other: &Free) -> bool {
        self.is_on(other.board, &other.index, other.me)
    }

    pub(super) fn is_on(&self, board: BoardId, index: &[CheckedExpr], me: u16) -> bool {
        let same = self.board == board && self.index.len() == index.len();
        let both = || self.index.iter().zip(index).all(|(a, b)| is_same_index(a, b));
        same && (index.is_empty() || self.me == me && both())
    }

    /// Returns `true` if assignments to slots and locals can't invalidate it.
    pub(super) fn is_lasting(&self) -> bool {
        self.index.is_empty()
    }
}
