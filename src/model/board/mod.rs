//! Board topologies, bitsets over their sites, lines and regions. Independent of games and of the rule
//! language.
//!
//! Except for [`kernel`] and [`spread`], the code is the reference version, written to be clearly right. It
//! builds the tables for the fast versions, and tests compare the fast versions with it.

mod bitset;
mod cut;
pub mod enclosure;
mod graph;
pub mod kernel;
mod lines;
mod links;
mod region;
mod sides;
mod site;
#[cfg(test)]
mod some_boards;
pub mod spread;
mod subset;
mod topology;

pub use bitset::BitSet;
pub use graph::GraphError;
pub use lines::{LineKinds, LineRun, in_runs, line_points, longest, runs};
pub use region::{
    component, components, connected, custodial, enclosed, fill, neighbours, ray, reach, reach_by, shift,
    slide,
};
pub use sides::Side;
pub use site::Site;
pub use subset::subsets;
pub use topology::{Direction, Line, Near, Notation, Shape, Topology};

/// The size of a grid, for the kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct GridSize {
    /// Number of columns.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
}
