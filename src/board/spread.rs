//! What spreads over a board in sets of a fixed number of words: neighbours, and what can be reached.
//! It says what [`super::region`] says, by moving whole sets.

use super::kernel::{Words, and, lower, or, raise};

/// Steps on a board as moves of whole sets: the elements of a mask go up, or down, by a distance.
#[derive(Clone, Copy, Debug)]
pub struct Moves<'a> {
    /// How far; those up come first. In one or two words less than 64.
    pub distances: &'a [u32],
    /// How many go up.
    pub up: usize,
    /// A mask for each.
    pub masks: &'a [u64],
}

impl Moves<'_> {
    /// Where a move leads from the elements of a set.
    #[inline(always)]
    fn moved<const W: usize>(&self, a: &Words<W>, k: usize, up: bool) -> Words<W> {
        let mut from = [0; W];
        for i in 0..W {
            from[i] = a[i] & self.masks[k * W + i];
        }
        // Less than a word far, said so that no words are counted.
        let n = if W <= 2 { self.distances[k] & 63 } else { self.distances[k] };
        if up { raise(&from, n) } else { lower(&from, n) }
    }

    #[inline(always)]
    fn all<const W: usize>(&self, a: &Words<W>, up: usize, count: usize) -> Words<W> {
        let mut near = [0; W];
        for k in 0..count {
            near = or(&near, &self.moved(a, k, k < up));
        }
        near
    }

    /// As far as moves lead from `from` within a set that holds it.
    #[inline(always)]
    fn through<const W: usize>(
        &self,
        from: Words<W>,
        within: &Words<W>,
        up: usize,
        count: usize,
    ) -> Words<W> {
        let mut reached = from;
        loop {
            let mut next = reached;
            for k in 0..count {
                next = or(&next, &and(&self.moved(&next, k, k < up), within));
            }
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }
}

/// The neighbours of a set's elements.
#[inline(always)]
pub fn spread<const W: usize>(a: &Words<W>, moves: &Moves<'_>) -> Words<W> {
    match (moves.up, moves.distances.len()) {
        // The usual boards unrolled.
        (2, 4) => moves.all(a, 2, 4),
        (4, 8) => moves.all(a, 4, 8),
        (up, count) => moves.all(a, up, count),
    }
}

/// What can be reached from `seed` through `within`.
#[inline(always)]
pub fn flood<const W: usize>(seed: &Words<W>, within: &Words<W>, moves: &Moves<'_>) -> Words<W> {
    let from = and(seed, within);
    match (moves.up, moves.distances.len()) {
        (2, 4) => moves.through(from, within, 2, 4),
        (4, 8) => moves.through(from, within, 4, 8),
        (up, count) => moves.through(from, within, up, count),
    }
}
