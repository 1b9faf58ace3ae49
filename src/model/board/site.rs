//! A site of a board. Independent of the board's shape.

/// A site of a board: its number, from 0. It has the same number in sets, as an element of the board's domain, and
/// in [`Topology`](super::Topology), which also gives its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site(pub u32);

impl Site {
    /// Returns the number as an index, for lists with an entry for each site.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
