//! What walls enclose, and sets with their holes, with the tables of a program: see [`houserule_model::board::enclosure`].

use super::flood::flood;
use crate::program::{Enclosure, Program};
use houserule_model::board::enclosure::{self, WallCache};
use houserule_model::board::kernel::{self, Words};

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
pub struct EnclosedOperands {
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
    known.come_to(kernel::words_at(frame, asked.walls));
    known.shut_beside(asked.site as usize, kernel::words_at_mut(frame, asked.to))
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
    let walls = *kernel::words_at::<W>(words, asked.walls);
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
    enclosure::fill(grid, of.orthogonal, a)
}

/// Returns a constant set.
#[inline(always)]
fn row<const W: usize>(program: &Program, at: u32) -> Words<W> {
    *kernel::words_at(&program.sets, at as usize * W)
}

/// Returns the sites reachable from `seed` within `free`, which contains `seed`.
fn reach<const W: usize>(program: &Program, of: &Enclosure, seed: &Words<W>, free: &Words<W>) -> Words<W> {
    let Some(grid) = of.grid else {
        return flood(program, of.table, of.moves.as_ref(), *seed, *seed, free);
    };
    enclosure::flood(grid, of.orthogonal, seed, free)
}
