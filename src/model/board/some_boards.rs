//! Boards for tests of properties.

use super::{BitSet, Notation, Topology};
use proptest::prelude::*;

/// Boards of squares with up to 7 columns and rows, whether they wrap, and a set that has each site with a probability.
pub(super) fn with_a_set(share: f64) -> impl Strategy<Value = (Topology, bool, BitSet)> {
    let bits = prop::collection::vec(prop::bool::weighted(share), 49);
    (1u32..8, 1u32..8, any::<bool>(), bits).prop_map(|(width, height, wrap, bits)| {
        let held = (0..width * height).filter(|site| bits[*site as usize]);
        let set = BitSet::from_elements(width * height, held);
        (Topology::grid(width, height, wrap, Notation::Letters), wrap, set)
    })
}
