//! Neighbours and flood fill on sets of a fixed number of words, by shifting whole sets. Gives the same results
//! as [`super::region`].

use super::kernel::{Words, and, lower, or, raise};

/// The steps on a board as shifts of whole sets: the elements of a mask move up or down by a distance.
#[derive(Clone, Copy, Debug)]
pub struct SetShifts<'a> {
    /// The distance of each shift; the shifts up come first. With one or two words, each is less than 64.
    pub distances: &'a [u32],
    /// The number of shifts up.
    pub up: usize,
    /// One mask for each shift: the elements that may move.
    pub masks: &'a [u64],
}

impl SetShifts<'_> {
    /// Returns where shift `k` leads from the elements of a set.
    #[inline(always)]
    fn moved<const W: usize>(&self, a: &Words<W>, k: usize, up: bool) -> Words<W> {
        let mut from = [0; W];
        for i in 0..W {
            from[i] = a[i] & self.masks[k * W + i];
        }
        // Masking tells the compiler that no shift is a word or longer.
        let n = if W <= 2 { self.distances[k] & 63 } else { self.distances[k] };
        if up { raise(&from, n) } else { lower(&from, n) }
    }

    /// Returns where the shifts from `first` to `last` lead from the elements of a set.
    #[inline(always)]
    fn moves_of<const W: usize>(&self, a: &Words<W>, first: usize, last: usize, up: bool) -> Words<W> {
        let mut near = [0; W];
        for k in first..last {
            near = or(&near, &self.moved(a, k, up));
        }
        near
    }

    #[inline(always)]
    fn all<const W: usize>(&self, a: &Words<W>, up: usize, count: usize) -> Words<W> {
        or(&self.moves_of(a, 0, up, true), &self.moves_of(a, up, count, false))
    }

    /// Returns the elements that repeated moves reach from `from` through `within`. `from` must be a subset of
    /// `within`.
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
            // First all moves up, then all moves down: moves of one kind don't wait for each other.
            let mut next = or(&reached, &and(&self.moves_of(&reached, 0, up, true), within));
            next = or(&next, &and(&self.moves_of(&next, up, count, false), within));
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }
}

/// Returns the neighbours of a set's elements.
#[inline(always)]
pub fn spread<const W: usize>(a: &Words<W>, moves: &SetShifts<'_>) -> Words<W> {
    match (moves.up, moves.distances.len()) {
        // Unrolled for grids: four or eight directions.
        (2, 4) => moves.all(a, 2, 4),
        (4, 8) => moves.all(a, 4, 8),
        (up, count) => moves.all(a, up, count),
    }
}

/// Flood fill: returns the elements reachable from `seed` through `within`.
#[inline(always)]
pub fn flood<const W: usize>(seed: &Words<W>, within: &Words<W>, moves: &SetShifts<'_>) -> Words<W> {
    let from = and(seed, within);
    match (moves.up, moves.distances.len()) {
        (2, 4) => moves.through(from, within, 2, 4),
        (4, 8) => moves.through(from, within, 4, 8),
        (up, count) => moves.through(from, within, up, count),
    }
}
