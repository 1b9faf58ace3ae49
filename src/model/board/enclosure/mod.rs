//! Sites that walls cut off from the edge of a grid, and sets with their holes, fast.
//!
//! A cache holds the sites that walls enclose and a union-find of walls that are connected, corners included.
//! A new wall encloses something only if it joins walls that were already connected. Its eight neighbours
//! usually rule that out without a flood. Otherwise its sides are flooded in alternation, until the smallest is
//! complete. Like all caches, this one holds facts about sets. Zeros describe a board without walls.
//!
//! Tests compare this with [`enclosed`](super::enclosed) and [`fill`](super::fill), the reference versions.

mod rows;
mod walls;

pub use walls::WallCache;

use super::GridSize;
use super::kernel::{self, Words};
use rows::{ROWS, put_row, row_mask, row_of, spread, wide};

/// Returns a set with its holes filled.
pub fn fill<const W: usize>(grid: GridSize, orthogonal: bool, a: &Words<W>) -> Words<W> {
    let (first, last) = (kernel::first(a), kernel::last(a));
    if first < 0 {
        return *a;
    }
    // All holes lie in the rows of the set. One more row on either side belongs to the outside.
    let low = (first as u32 / grid.width).saturating_sub(1);
    let high = (last as u32 / grid.width + 1).min(grid.height - 1);
    let all = row_mask(grid);
    let (mut free, mut outside) = ([0; ROWS], [0; ROWS]);
    let count = (high - low + 1) as usize;
    let sides = 1 | 1 << (grid.width - 1);
    for r in 0..count {
        free[r] = all & !row_of(a, grid, low + r as u32);
        outside[r] = free[r] & if r == 0 || r + 1 == count { all } else { sides };
    }
    spread(&mut outside[..count], &free[..count], orthogonal);
    let mut filled = *a;
    for r in 0..count {
        put_row(&mut filled, grid, low + r as u32, free[r] & !outside[r]);
    }
    filled
}

/// Returns the sites reachable from `from` through `within`: a flood fill that visits only rows next to
/// reached ones.
#[inline(never)]
pub fn reach<const W: usize>(
    grid: GridSize,
    orthogonal: bool,
    from: &Words<W>,
    within: &Words<W>,
) -> Words<W> {
    let from = kernel::and(from, within);
    let (first, last) = (kernel::first(&from), kernel::last(&from));
    let mut found = kernel::none::<W>();
    if first < 0 {
        return found;
    }
    let (mut low, mut high) = ((first as u32 / grid.width) as usize, (last as u32 / grid.width) as usize);
    let (mut free, mut reached) = ([0; ROWS], [0; ROWS]);
    for r in low..=high {
        free[r] = row_of(within, grid, r as u32);
        reached[r] = row_of(&from, grid, r as u32);
    }
    loop {
        spread(&mut reached[low..=high], &free[low..=high], orthogonal);
        let (below, above) = (low.checked_sub(1), Some(high + 1).filter(|r| *r < grid.height as usize));
        let mut more = false;
        for (next, beside) in [(below, low), (above, high)] {
            let Some(next) = next else { continue };
            free[next] = row_of(within, grid, next as u32);
            reached[next] = wide(reached[beside], orthogonal) & free[next];
            if reached[next] != 0 {
                (low, high) = (low.min(next), high.max(next));
                more = true;
            }
        }
        if !more {
            break;
        }
    }
    for (r, reached) in reached.iter().enumerate().take(high + 1).skip(low) {
        put_row(&mut found, grid, r as u32, *reached);
    }
    found
}

/// Returns the sites reachable from `seed` through `free`, which contains `seed`. It visits all rows: faster
/// than [`reach`] if most of the board is reached.
pub fn flood<const W: usize>(grid: GridSize, orthogonal: bool, seed: &Words<W>, free: &Words<W>) -> Words<W> {
    if kernel::is_empty(seed) {
        return *seed;
    }
    let (mut rows, mut reached) = ([0; ROWS], [0; ROWS]);
    let count = grid.height as usize;
    for r in 0..count {
        (rows[r], reached[r]) = (row_of(free, grid, r as u32), row_of(seed, grid, r as u32));
    }
    spread(&mut reached[..count], &rows[..count], orthogonal);
    let mut found = kernel::none::<W>();
    for (r, reached) in reached[..count].iter().enumerate() {
        put_row(&mut found, grid, r as u32, *reached);
    }
    found
}
