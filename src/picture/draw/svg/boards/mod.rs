//! Boards in forms that the rules name, with counters; and what the drawings of several kinds of boards share: pieces as
//! pictures, marks, printed numbers, and the part of a large board that is drawn.

pub(super) mod blocks;
pub(super) mod counters;
pub(super) mod crop;
pub(super) mod field;
pub(super) mod fills;
pub(super) mod formations;
pub(super) mod jumps;
pub(super) mod marks;
pub(super) mod men;
pub(super) mod owners;
pub(super) mod pegs;
pub(super) mod piles;
pub(super) mod pits;
pub(super) mod placed;
pub(super) mod printed;
pub(super) mod shared;
pub(super) mod site_cards;
pub(super) mod triangles;
