//! Sites that walls cut off from the edge of a board (enclose), and sets with their holes.
//!
//! On a plain grid, a cache holds the sites that walls enclose and a union-find of walls that are connected,
//! corners included. A new wall encloses something only if it joins walls that were already connected. Its
//! eight neighbours usually rule that out without a flood. Otherwise its sides are flooded in alternation,
//! until the smallest is complete. Like all caches, this one holds facts about sets. Zeros describe a board
//! without walls.

mod known;
mod rows;

use super::flood::flood;
use crate::board::kernel::{self, Words};
use crate::program::{Enclosure, GridSize, Program};
use known::WallCache;
use rows::{ROWS, put_row, row_mask, row_of, spread, wide};

/// Returns the enclosed sites: the connected components of non-walls that contain one of `near` and can't
/// reach the edge.
#[inline(always)]
pub(crate) fn enclosed<const W: usize>(
    program: &Program,
    of: &Enclosure,
    words: &mut [u64],
    near: &Words<W>,
    walls: &Words<W>,
    me: usize,
) -> Words<W> {
    match (of.grid, of.memory) {
        (Some(grid), Some(memory)) if of.orthogonal && me < usize::from(program.players) => {
            let each = of.memory_words(W);
            let first = usize::from(memory) + me * each;
            let edge = &program.sets[of.edge as usize * W..][..W];
            let mut known = WallCache::<W> { grid, edge, of: &mut words[first..first + each] };
            known.come_to(walls);
            known.shut_off(near)
        }
        _ => enclosed_uncached(program, of, near, walls),
    }
}

/// Operands of [`enclosed_beside`].
#[derive(Clone, Copy)]
pub(crate) struct EnclosedOperands {
    /// The site whose neighbours are tested, or none.
    pub(crate) site: i64,
    /// Address of the walls. It is less than that of the cache.
    pub(crate) walls: usize,
    /// The player of the walls.
    pub(crate) me: usize,
    /// Address of the result.
    pub(crate) to: usize,
}

/// Writes the enclosed components beside a site, with the cache. Returns `true` if there are any. Without a
/// cache it does nothing.
#[inline(always)]
pub(crate) fn enclosed_beside<const W: usize>(
    program: &Program,
    of: &Enclosure,
    words: &mut [u64],
    asked: EnclosedOperands,
) -> bool {
    let (Some(grid), Some(memory)) = (of.grid, of.memory) else { return false };
    let inside = (0..i64::from(grid.width * grid.height)).contains(&asked.site);
    if !inside || asked.me >= usize::from(program.players) {
        return beside_anew::<W>(program, of, words, asked);
    }
    let each = of.memory_words(W);
    let (frame, remembered) = words.split_at_mut(usize::from(memory));
    let edge = &program.sets[of.edge as usize * W..][..W];
    let mut known = WallCache::<W> { grid, edge, of: &mut remembered[asked.me * each..][..each] };
    known.come_to(&frame[asked.walls..][..W]);
    let mut near = [0; 4];
    let mut count = 0;
    let site = asked.site as usize;
    let off = if known.is_edge(site) { known.ring_at_edge(site).1 } else { 0 };
    for place in [0, 2, 4, 6] {
        if off >> place & 1 == 0 {
            let next = known.around(site, place);
            if known.is_shut(next) && !known.is_wall(next) {
                near[count] = next;
                count += 1;
            }
        }
    }
    let to = &mut frame[asked.to..][..W];
    to.fill(0);
    if count > 0 {
        known.part(&near[..count], to);
    }
    count > 0
}

/// Like [`enclosed_beside`], without the cache: for no site or no player.
#[cold]
#[inline(never)]
fn beside_anew<const W: usize>(
    program: &Program,
    of: &Enclosure,
    words: &mut [u64],
    asked: EnclosedOperands,
) -> bool {
    let mut walls = kernel::none::<W>();
    walls.copy_from_slice(&words[asked.walls..][..W]);
    let rows = program.set_tables[usize::from(of.table)];
    let index = asked.site - rows.low;
    let near = match (0..i64::from(rows.count)).contains(&index) {
        true => row::<W>(program, rows.first + index as u32),
        false => kernel::none::<W>(),
    };
    let found = enclosed_uncached::<W>(program, of, &near, &walls);
    words[asked.to..][..W].copy_from_slice(&found);
    !kernel::is_empty(&found)
}

/// Like [`enclosed`], without the cache.
#[inline(never)]
pub(crate) fn enclosed_uncached<const W: usize>(
    program: &Program,
    of: &Enclosure,
    near: &Words<W>,
    walls: &Words<W>,
) -> Words<W> {
    let free = kernel::minus(&row(program, of.all), walls);
    let near = kernel::and(near, &free);
    let open = reach(program, of, &kernel::and(&row(program, of.edge), &free), &free);
    reach(program, of, &kernel::minus(&near, &open), &free)
}

/// Returns a set with its holes filled.
#[inline(never)]
pub(crate) fn fill<const W: usize>(program: &Program, of: &Enclosure, a: &Words<W>) -> Words<W> {
    let Some(grid) = of.grid else {
        let (edge, all) = (row::<W>(program, of.edge), row::<W>(program, of.all));
        let free = kernel::minus(&all, a);
        return kernel::minus(&all, &reach(program, of, &kernel::and(&edge, &free), &free));
    };
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
    spread(&mut outside[..count], &free[..count], of.orthogonal);
    let mut filled = *a;
    for r in 0..count {
        put_row(&mut filled, grid, low + r as u32, free[r] & !outside[r]);
    }
    filled
}

/// Returns the sites reachable from `from` through `within`: a flood fill that visits only rows next to
/// reached ones.
#[inline(never)]
pub(crate) fn reach_in_rows<const W: usize>(
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

/// Returns a constant set.
#[inline(always)]
fn row<const W: usize>(program: &Program, at: u32) -> Words<W> {
    let mut set = kernel::none::<W>();
    set.copy_from_slice(&program.sets[at as usize * W..][..W]);
    set
}

/// Returns the sites reachable from `seed` within `free`, which contains `seed`.
fn reach<const W: usize>(program: &Program, of: &Enclosure, seed: &Words<W>, free: &Words<W>) -> Words<W> {
    let Some(grid) = of.grid else {
        return flood(program, of.table, of.moves.as_ref(), *seed, *seed, free);
    };
    if kernel::is_empty(seed) {
        return *seed;
    }
    let (mut rows, mut reached) = ([0; ROWS], [0; ROWS]);
    let count = grid.height as usize;
    for r in 0..count {
        (rows[r], reached[r]) = (row_of(free, grid, r as u32), row_of(seed, grid, r as u32));
    }
    spread(&mut reached[..count], &rows[..count], of.orthogonal);
    let mut found = kernel::none::<W>();
    for (r, reached) in reached[..count].iter().enumerate() {
        put_row(&mut found, grid, r as u32, *reached);
    }
    found
}
