//! Grids: if a game has only a few numbers, one weight for each combination of them, on several scales.

use super::WeightAllocator;
use super::atoms::{Atoms, Dense};

/// Maximum number of numbers. With more there are no grids.
const MOST_NUMBERS: usize = 4;

/// Maximum number of cells of a grid, by scale.
const CELLS: [usize; 5] = [400, 4_000, 40_000, 400_000, 2_100_000];

/// Maximum number of grids of one scale, offset by a fraction of a step (tile coding: Sutton and Barto 2018,
/// 9.5.4), so that neighbouring steps share what is learned.
const TILINGS: u32 = 3;

/// The grids of a game.
#[derive(Debug)]
pub(super) struct Grids {
    grids: Vec<Grid>,
}

#[derive(Debug, PartialEq)]
struct Grid {
    /// For each number: its atom, the width of a step in values, and the number of steps.
    numbers: Vec<(usize, u32, u32)>,
    /// The offset added to each value before it is divided.
    offset: u32,
    first: usize,
    cells: usize,
}

impl Grids {
    pub(super) fn new(atoms: &Atoms, copies: usize, layout: &mut WeightAllocator) -> Grids {
        let dense = atoms.dense();
        let mut grids: Vec<Grid> = vec![];
        for most in CELLS.iter().filter(|_| (1..=MOST_NUMBERS).contains(&dense.len())) {
            let numbers = numbers(&dense, *most);
            let width = numbers.iter().map(|(_, width, _)| *width).max().unwrap_or(1);
            if grids.iter().any(|grid| grid.numbers == numbers) {
                continue;
            }
            for tiling in 0..TILINGS.min(width) {
                let offset = (u64::from(tiling) * u64::from(width) / u64::from(TILINGS.min(width))) as u32;
                let more = u32::from(offset > 0);
                let numbers: Vec<_> =
                    numbers.iter().map(|(atom, width, steps)| (*atom, *width, steps + more)).collect();
                let cells: usize = numbers.iter().map(|(_, _, steps)| *steps as usize).product();
                if cells * copies <= layout.left() {
                    grids.push(Grid { numbers, offset, first: layout.take(cells * copies), cells });
                }
            }
        }
        Grids { grids }
    }

    /// Appends the weights of the cells to `out`.
    pub(super) fn append_features(&self, copy: usize, values: &[u32], out: &mut Vec<u32>) {
        for grid in &self.grids {
            let cell = grid.numbers.iter().fold(0, |cell, (atom, width, steps)| {
                cell * *steps as usize
                    + (values[*atom].saturating_add(grid.offset) / width).min(steps - 1) as usize
            });
            out.push((grid.first + copy * grid.cells + cell) as u32);
        }
    }
}

/// Divides all numbers by a common width, about the smallest for which a grid has at most `most` cells.
fn numbers(dense: &[Dense], most: usize) -> Vec<(usize, u32, u32)> {
    let in_steps = |width: u32| {
        dense.iter().map(move |number| {
            let width = width.min(number.values);
            (number.atom, width, number.values.div_ceil(width))
        })
    };
    let cells = |width: u32| {
        in_steps(width).fold(1usize, |cells, (_, _, steps)| cells.saturating_mul(steps as usize))
    };
    let mut width = 1;
    while cells(width) > most && width < u32::MAX / 2 {
        width += 1 + width / 64;
    }
    in_steps(width).collect()
}
