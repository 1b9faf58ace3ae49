//! The sides of the cells of a grid, as sites of their own: those of the outside too.
//!
//! Sides that lie across are numbered first, from the lowest row of them, left to right; then those that
//! stand upright, row by row from the lowest, left to right. A side that two cells share is written by the
//! cell with the lower number: `a1-north` rather than `a2-south`.

use super::topology::parse_cell;
use super::{BitSet, Notation, Shape, Topology};

/// The sides of a cell, with what its name may be cut to.
const WAYS: [(&str, &str); 4] = [("north", "n"), ("east", "e"), ("south", "s"), ("west", "w")];

/// Where a side of a cell is, in columns and rows counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// It stands upright, else it lies across.
    pub upright: bool,
    /// In this row, or in this column if it lies across.
    pub along: u32,
    /// Behind so many columns, or so many rows if it lies across.
    pub line: u32,
}

/// The side of a cell in a direction of [`WAYS`].
fn side(width: u32, height: u32, cell: u32, way: usize) -> u32 {
    let (column, row) = (cell % width, cell / width);
    let upright = width * (height + 1);
    match way {
        0 => (row + 1) * width + column,
        1 => upright + row * (width + 1) + column + 1,
        2 => row * width + column,
        _ => upright + row * (width + 1) + column,
    }
}

/// The sides that lie across; all others stand upright.
fn lying(width: u32, height: u32) -> u32 {
    width * (height + 1)
}

impl Topology {
    /// The sides of the cells of a grid of at least one cell, whose sites are written in a way.
    /// They have no neighbours, directions and lines.
    pub fn sides(width: u32, height: u32, notation: Notation, from_top: bool) -> Topology {
        let cells = Topology::grid(width, height, false, notation);
        let size = lying(width, height) + height * (width + 1);
        let mut names = vec![String::new(); size as usize];
        for cell in (0..width * height).rev() {
            for way in 0..4 {
                let name = format!("{}-{}", cells.site_name(cell), WAYS[on_page(way, from_top)].0);
                names[side(width, height, cell, way) as usize] = name;
            }
        }
        let shape = Shape::Sides { width, height, from_top };
        Topology::named(shape, names, vec![BitSet::empty(size); size as usize], vec![])
    }

    /// On the board of sides, how many cells have them; none on any other.
    pub fn cells(&self) -> u32 {
        match *self.shape() {
            Shape::Sides { width, height, .. } => width * height,
            _ => 0,
        }
    }

    /// The sides of the cells of a set, on the board of sides.
    pub fn sides_of(&self, cells: &BitSet) -> BitSet {
        let mut found = BitSet::empty(self.size());
        if let Shape::Sides { width, height, .. } = *self.shape() {
            for cell in cells.iter() {
                (0..4).for_each(|way| found.insert(side(width, height, cell, way)));
            }
        }
        found
    }

    /// The cells on both sides of the sides of a set, on the board of sides; a side on the outside has one.
    pub fn cells_at(&self, sides: &BitSet) -> BitSet {
        let mut found = BitSet::empty(self.cells());
        let Shape::Sides { width, height, .. } = *self.shape() else { return found };
        for side in sides.iter() {
            // A side lies between two lines of cells, of which there is one at the outside.
            let (upright, along, line) = Self::place_of(width, height, side);
            let lines = if upright { width } else { height };
            for beside in line.saturating_sub(1)..=line.min(lines - 1) {
                let (column, row) = if upright { (beside, along) } else { (along, beside) };
                found.insert(row * width + column);
            }
        }
        found
    }

    /// Where a side is, on the board of sides; none on any other. See [`Side`].
    pub fn side(&self, site: u32) -> Option<Side> {
        let Shape::Sides { width, height, .. } = *self.shape() else { return None };
        let (upright, along, line) = Self::place_of(width, height, site);
        Some(Side { upright, along, line })
    }

    /// Where a side is: does it stand upright, in which row (else column) from 0, and after how many
    /// columns (else rows).
    fn place_of(width: u32, height: u32, side: u32) -> (bool, u32, u32) {
        match side.checked_sub(lying(width, height)) {
            Some(side) => (true, side / (width + 1), side % (width + 1)),
            None => (false, side % width, side / width),
        }
    }

    /// Reads a side by any of its cells, in full or cut: `a1-north`, `a1-n`, `a1n`.
    pub(super) fn parse_side(&self, text: &str) -> Option<u32> {
        let Shape::Sides { width, height, from_top } = *self.shape() else { return None };
        let text = text.to_ascii_lowercase();
        // The name of any side says how cells are written.
        let numbers = self.site_name(0).contains(':');
        let notation = if numbers { Notation::Numbers } else { Notation::Letters };
        (0..4).find_map(|way| {
            let (long, short) = WAYS[on_page(way, from_top)];
            let cell = text
                .strip_suffix(long)
                .and_then(|rest| rest.strip_suffix('-'))
                .or_else(|| text.strip_suffix(short).map(|rest| rest.strip_suffix('-').unwrap_or(rest)))?;
            let (column, row) = parse_cell(notation, cell)?;
            let inside = (1..=i64::from(width)).contains(&column) && (1..=i64::from(height)).contains(&row);
            let cell = (row - 1) as u32 * width + (column - 1) as u32;
            inside.then(|| side(width, height, cell, way))
        })
    }
}

/// The way on the page: north is up, whether rows count from below or from the top.
fn on_page(way: usize, from_top: bool) -> usize {
    if from_top && way.is_multiple_of(2) { 2 - way } else { way }
}
