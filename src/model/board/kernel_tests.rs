//! Compares the kernels with the reference functions.

use super::super::{self as board, BitSet, Notation, Topology};
use super::*;
use proptest::prelude::*;

fn words<const W: usize>(set: &BitSet) -> Words<W> {
    let mut words = none::<W>();
    set.iter().for_each(|s| words[s as usize / 64] |= 1 << (s % 64));
    words
}

/// Returns the masks of all steps up, the masks of all steps down, and the strides.
fn masks<const W: usize>(topology: &Topology) -> (Vec<u64>, Vec<u64>, [u32; LANES]) {
    let (mut up, mut down, mut strides) = (vec![], vec![], [0; LANES]);
    for (lane, (ahead, back)) in
        [("east", "west"), ("north", "south"), ("northeast", "southwest"), ("northwest", "southeast")]
            .into_iter()
            .enumerate()
    {
        let [ahead, back] = [ahead, back].map(|name| topology.direction_named(name).unwrap());
        let all = BitSet::full(topology.size());
        up.extend(words::<W>(&board::shift(topology, &all, ahead)));
        down.extend(words::<W>(&board::shift(topology, &all, back)));
        let d = topology.directions()[ahead as usize];
        strides[lane] = (d.dy * topology.width() as i32 + d.dx) as u32;
    }
    (up, down, strides)
}

fn hold_steps<const W: usize>(width: u32, height: u32, sets: [&[bool]; 3]) {
    let topology = Topology::grid(width, height, false, Notation::Numbers);
    let size = width * height;
    let [a, b, c] = sets.map(|bits| BitSet::from_elements(size, (0..size).filter(|s| bits[*s as usize])));
    let (up, down, strides) = masks::<W>(&topology);
    let doublings = width.max(height).next_power_of_two().trailing_zeros();
    let steps = GridStrides { strides, up: &up, down: &down, doublings };
    let plain = board::custodial(&topology, &a, &b, &c);
    assert_eq!(custodial(&steps, &words::<W>(&a), &words::<W>(&b), &words::<W>(&c)), words::<W>(&plain));
    let some = |s: &u32| !board::custodial(&topology, &BitSet::single(size, *s), &b, &c).is_empty();
    let plain = BitSet::from_elements(size, (0..size).filter(some));
    assert_eq!(flanks(&steps, &words::<W>(&b), &words::<W>(&c)), words::<W>(&plain));
}

proptest! {
    #[test]
    fn what_lies_between_is_found_in_all_directions_at_once(
        width in 1u32..=16,
        height in 1u32..=16,
        a in prop::collection::vec(prop::bool::weighted(0.1), 256),
        b in prop::collection::vec(prop::bool::weighted(0.2), 256),
        c in prop::collection::vec(prop::bool::weighted(0.7), 256),
    ) {
        if width * height <= 64 {
            hold_steps::<1>(width, height, [&a, &b, &c]);
        }
        if width * height <= 128 {
            hold_steps::<2>(width, height, [&a, &b, &c]);
        }
        hold_steps::<4>(width, height, [&a, &b, &c]);
    }

    #[test]
    fn rows_are_those_of_the_sites(
        width in 1u32..=64,
        height in 1u32..=64,
        a in prop::collection::vec(prop::bool::weighted(0.1), 64),
    ) {
        let height = height.min(64 / width);
        let size = width * height;
        let set = BitSet::from_elements(size, (0..size).filter(|s| a[*s as usize]));
        let first = BitSet::from_elements(size, (0..height).map(|row| row * width));
        let plain = BitSet::from_elements(height, set.iter().map(|s| s / width));
        let found = rows::<false>(words::<1>(&set)[0], width, words::<1>(&first)[0]);
        prop_assert_eq!([found], words::<1>(&plain));
    }

    #[test]
    fn raising_is_adding(
        a in prop::collection::vec(prop::bool::weighted(0.3), 256),
        n in 0u32..300,
    ) {
        let set = BitSet::from_elements(256, (0..256).filter(|s| a[*s as usize]));
        let raised = BitSet::from_elements(256, set.iter().map(|s| s + n).filter(|s| *s < 256));
        prop_assert_eq!(raise(&words::<4>(&set), n), words::<4>(&raised));
    }
}

#[test]
fn the_first_element_from_a_start_is_found_or_else_the_first_of_all() {
    let set: Words<3> = [1 << 5 | 1 << 63, 0, 1 << 7];
    let starts = [
        (-3, 5),
        (0, 5),
        (5, 5),
        (6, 63),
        (63, 63),
        (64, 135),
        (135, 135),
        (136, 5),
        (192, 5),
        (i64::MAX, 5),
    ];
    for (start, first) in starts {
        assert_eq!(first_from(&set, start), first, "from {start}");
    }
    assert_eq!(first_from(&[0u64; 2], 70), -1);
}
