//! A board whose sites are the sides of the cells of a grid, outer sides included.
//!
//! Horizontal sides are numbered first, from the lowest row, left to right; then vertical sides, row by row
//! from the lowest, left to right. A side that two cells share is named after the cell with the lower number:
//! `a1-north` rather than `a2-south`.

use super::topology::parse_cell;
use super::{BitSet, Notation, Shape, Site, Topology};

/// The four sides of a cell, as long and short names.
const WAYS: [(&str, &str); 4] = [("north", "n"), ("east", "e"), ("south", "s"), ("west", "w")];

/// The location of a side of a cell, in columns and rows counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// `true` if the side is vertical, `false` if it is horizontal.
    pub upright: bool,
    /// The row of a vertical side, or the column of a horizontal one.
    pub along: u32,
    /// The number of columns to the left of a vertical side, or of rows below a horizontal one.
    pub line: u32,
}

/// Returns the side of a cell in a direction, an index into [`WAYS`].
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

/// Returns the number of horizontal sides. All higher numbers are vertical sides.
fn lying(width: u32, height: u32) -> u32 {
    width * (height + 1)
}

impl Topology {
    /// Creates the board of the sides of a grid of at least one cell, whose cells are written in `notation`. It
    /// has no neighbours, directions or lines.
    pub fn sides(width: u32, height: u32, notation: Notation, from_top: bool) -> Topology {
        let cells = Topology::grid(width, height, false, notation);
        let size = lying(width, height) + height * (width + 1);
        let mut names = vec![String::new(); size as usize];
        for cell in (0..width * height).rev() {
            for way in 0..4 {
                let name = format!("{}-{}", cells.site_name(Site(cell)), WAYS[on_page(way, from_top)].0);
                names[side(width, height, cell, way) as usize] = name;
            }
        }
        let shape = Shape::Sides { width, height, from_top };
        Topology::named(shape, names, vec![BitSet::empty(size); size as usize], vec![])
    }

    /// Returns the number of cells of a board of sides or links, or 0 for any other board.
    pub fn cells(&self) -> u32 {
        match *self.shape() {
            Shape::Sides { width, height, .. } => width * height,
            _ => self.links.as_ref().map_or(0, |links| links.cells),
        }
    }

    /// Returns the sides of a set of cells, on a board of sides, or the links at them.
    pub fn sides_of(&self, cells: &BitSet) -> BitSet {
        if let Some(links) = &self.links {
            let at = |link: &Site| links.ends[link.index()].iter().any(|end| cells.contains(end.0));
            return BitSet::from_sites(self.size(), self.sites().filter(at));
        }
        let mut found = BitSet::empty(self.size());
        if let Shape::Sides { width, height, .. } = *self.shape() {
            for cell in cells.iter() {
                (0..4).for_each(|way| found.insert(side(width, height, cell, way)));
            }
        }
        found
    }

    /// Returns the cells on both sides of each side of a set, on a board of sides, or the ends of links. An outer side
    /// has one cell.
    pub fn cells_at(&self, sides: &BitSet) -> BitSet {
        if let Some(links) = &self.links {
            return BitSet::from_sites(links.cells, sides.sites().flat_map(|link| links.ends[link.index()]));
        }
        let mut found = BitSet::empty(self.cells());
        let Shape::Sides { width, height, .. } = *self.shape() else { return found };
        for side in sides.iter() {
            // A side lies between two rows or columns of cells; at the outside there is only one.
            let (upright, along, line) = Self::place_of(width, height, side);
            let lines = if upright { width } else { height };
            for beside in line.saturating_sub(1)..=line.min(lines - 1) {
                let (column, row) = if upright { (beside, along) } else { (along, beside) };
                found.insert(row * width + column);
            }
        }
        found
    }

    /// Returns the location of a side, or `None` if this is not a board of sides.
    pub fn side(&self, site: Site) -> Option<Side> {
        let Shape::Sides { width, height, .. } = *self.shape() else { return None };
        let (upright, along, line) = Self::place_of(width, height, site.0);
        Some(Side { upright, along, line })
    }

    /// Returns whether a side is vertical, its row (or column if horizontal) from 0, and the number of columns
    /// (or rows) before it.
    fn place_of(width: u32, height: u32, side: u32) -> (bool, u32, u32) {
        match side.checked_sub(lying(width, height)) {
            Some(side) => (true, side / (width + 1), side % (width + 1)),
            None => (false, side % width, side / width),
        }
    }

    /// Parses a side named by any of its cells, in full or abbreviated: `a1-north`, `a1-n`, `a1n`.
    pub(super) fn parse_side(&self, text: &str) -> Option<Site> {
        let Shape::Sides { width, height, from_top } = *self.shape() else { return None };
        let text = text.to_ascii_lowercase();
        // The name of any side shows which notation its cells have.
        let numbers = self.site_name(Site(0)).contains(':');
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
            inside.then(|| Site(side(width, height, cell, way)))
        })
    }
}

/// Returns the direction as seen on the page: north is up, whether rows count from the bottom or the top.
fn on_page(way: usize, from_top: bool) -> usize {
    if from_top && way.is_multiple_of(2) { 2 - way } else { way }
}
