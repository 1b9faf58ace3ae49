//! Boards and the sets on them: topologies, bitsets, lines, neighbours. Pure; no game, no language.
//!
//! Everything here is the obvious version, written to be clearly right. It builds the tables that
//! faster code starts from, and is what that code is tested against.

mod bitset;
mod graph;
pub mod kernel;
mod lines;
mod region;
mod sides;
pub mod spread;
mod subset;
mod topology;

pub use bitset::BitSet;
pub use graph::GraphError;
pub use lines::{LineKinds, Run, in_runs, line_points, longest, runs};
pub use region::{
    component, components, connected, custodial, enclosed, fill, neighbours, ray, reach, shift,
};
pub use sides::Side;
pub use subset::subsets;
pub use topology::{Direction, Line, Notation, Shape, Topology};
