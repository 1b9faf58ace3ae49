//! Sets on a grid as rows. A row has at most 64 sites and is one word.

use crate::board::GridSize;
use crate::board::kernel::Words;

/// Maximum number of rows of a board.
pub(super) const ROWS: usize = 64;

/// Returns the sites of a neighbouring row that are one step away from `row`.
#[inline(always)]
pub(super) fn wide(row: u64, orthogonal: bool) -> u64 {
    if orthogonal { row } else { row | row << 1 | row >> 1 }
}

pub(super) fn row_mask(grid: GridSize) -> u64 {
    u64::MAX >> (64 - grid.width)
}

/// Returns a row of a set.
#[inline(always)]
pub(super) fn row_of<const W: usize>(a: &Words<W>, grid: GridSize, row: u32) -> u64 {
    let at = (row * grid.width) as usize;
    let (word, bit) = (at / 64 % W, at % 64);
    let above = if word + 1 < W { a[word + 1] << 1 << (63 - bit) } else { 0 };
    (a[word] >> bit | above) & row_mask(grid)
}

/// Adds the sites of a row to a set.
#[inline(always)]
pub(super) fn put_row<const W: usize>(a: &mut Words<W>, grid: GridSize, row: u32, sites: u64) {
    let at = (row * grid.width) as usize;
    let (word, bit) = (at / 64 % W, at % 64);
    a[word] |= sites << bit;
    if word + 1 < W {
        a[word + 1] |= sites >> 1 >> (63 - bit);
    }
}

/// Flood fill: extends `reached` through the free sites of all rows.
pub(super) fn spread(reached: &mut [u64], free: &[u64], orthogonal: bool) {
    let last = reached.len() - 1;
    for r in 0..=last {
        reached[r] = along(reached[r], free[r]);
    }
    loop {
        let mut more = false;
        for r in (1..=last).chain((0..last).rev().map(|r| r + ROWS)) {
            let (r, from) = if r < ROWS { (r, r - 1) } else { (r - ROWS, r - ROWS + 1) };
            let fresh = wide(reached[from], orthogonal) & free[r] & !reached[r];
            if fresh != 0 {
                reached[r] = along(reached[r] | fresh, free[r]);
                more = true;
            }
        }
        if !more {
            return;
        }
    }
}

/// Flood fill within a row: a carry runs up through the free sites, and once more from the other end.
pub(super) fn along(from: u64, free: u64) -> u64 {
    let up = |from: u64, free: u64| (free.wrapping_add(from) ^ free | from) & free;
    up(from, free) | up(from.reverse_bits(), free.reverse_bits()).reverse_bits()
}
