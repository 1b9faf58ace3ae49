//! What a board is made of: sites, the directions between them, their names and their lines.
//! A topology is a table of directions by sites; how the board looks is in its [`Shape`] alone.

use super::{BitSet, LineKinds};

/// The form of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// Squares in columns and rows.
    Grid {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
        /// Opposite sides touch: a torus.
        wrap: bool,
    },
    /// Six-sided cells in columns and rows, a rhombus: each row stands half a cell to the left of the
    /// row above it (row 1 at the bottom), or of the row below it (row 1 at the top).
    Hex {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// Sites by name, and what joins them.
    Graph,
    /// Sites one behind the other.
    Track {
        /// The last is followed by the first.
        wrap: bool,
    },
    /// The sides of the cells of a grid.
    Sides {
        /// Columns of the cells.
        width: u32,
        /// Rows of the cells.
        height: u32,
        /// Row 1 is at the top of the page, where north is.
        from_top: bool,
    },
}

impl Shape {
    /// As rule files call it.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Grid { .. } => "grid",
            Shape::Hex { .. } => "hex",
            Shape::Graph => "graph",
            Shape::Track { .. } => "track",
            Shape::Sides { .. } => "edges",
        }
    }
}

/// How sites are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// `c4`: column c, row 4. A board with more than 26 columns is written in numbers all the same.
    Letters,
    /// `3:4`: column 3, row 4.
    Numbers,
    /// Every site has a name of its own.
    Names,
}

/// A way to go from a site to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Direction {
    /// Its name.
    pub name: &'static str,
    /// Columns to the right.
    pub dx: i32,
    /// Rows up.
    pub dy: i32,
    /// Across a side, else across a corner.
    pub orthogonal: bool,
}

/// A line of sites that runs from edge to edge, or round a torus; on a graph, a chain of its names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Exactly one kind.
    pub kind: LineKinds,
    /// The sites in order.
    pub sites: Vec<u32>,
    /// The last is beside the first.
    pub cyclic: bool,
}

/// The sites of a board and how they hang together.
#[derive(Clone, Debug)]
pub struct Topology {
    shape: Shape,
    notation: Notation,
    width: u32,
    height: u32,
    directions: Vec<Direction>,
    /// Where each direction leads, by direction and site.
    steps: Vec<Vec<Option<u32>>>,
    /// Neighbours that no direction leads to, by site: those of a graph.
    joined: Vec<BitSet>,
    /// The names of the sites, if they have names of their own.
    names: Vec<String>,
    lines: Vec<Line>,
}

const fn direction(name: &'static str, dx: i32, dy: i32) -> Direction {
    Direction { name, dx, dy, orthogonal: dx == 0 || dy == 0 }
}

/// Clockwise from the top.
const COMPASS: [Direction; 8] = [
    direction("north", 0, 1),
    direction("northeast", 1, 1),
    direction("east", 1, 0),
    direction("southeast", 1, -1),
    direction("south", 0, -1),
    direction("southwest", -1, -1),
    direction("west", -1, 0),
    direction("northwest", -1, 1),
];

/// The six ways to go from a cell to the next, clockwise from the upper right.
const SIX: [Direction; 6] = [
    across_a_side("northeast", 0, 1),
    across_a_side("east", 1, 0),
    across_a_side("southeast", 1, -1),
    across_a_side("southwest", 0, -1),
    across_a_side("west", -1, 0),
    across_a_side("northwest", -1, 1),
];

const fn across_a_side(name: &'static str, dx: i32, dy: i32) -> Direction {
    Direction { name, dx, dy, orthogonal: true }
}

impl Topology {
    /// Squares in columns and rows. The site in column c and row r, both from 1 and from the lower
    /// left, has the number `(r - 1) * width + (c - 1)`.
    ///
    /// Width and height are at least 1, and their product fits 32 bits.
    ///
    /// With `wrap`, opposite sides touch. On a torus one column or row wide a site is its own
    /// neighbour; on one two wide, both diagonals through a site are the same sites.
    pub fn grid(width: u32, height: u32, wrap: bool, notation: Notation) -> Topology {
        let lines = [
            ("east", LineKinds::ACROSS),
            ("north", LineKinds::DOWN),
            ("northeast", LineKinds::DIAGONAL),
            ("southeast", LineKinds::DIAGONAL),
        ];
        Self::in_rows(Shape::Grid { width, height, wrap }, notation, &COMPASS, &lines)
    }

    /// Six-sided cells in columns and rows, numbered and named as those of a grid. All six neighbours
    /// of a cell lie across its sides. Its lines run along rows, along columns, and across both.
    ///
    /// Width and height are at least 1, and their product fits 32 bits.
    pub fn hex(width: u32, height: u32, notation: Notation) -> Topology {
        let lines =
            [("east", LineKinds::ACROSS), ("northeast", LineKinds::DOWN), ("southeast", LineKinds::DIAGONAL)];
        Self::in_rows(Shape::Hex { width, height }, notation, &SIX, &lines)
    }

    /// So many sites one behind the other, at least one, named by their numbers from 1.
    pub fn track(length: u32, wrap: bool) -> Topology {
        let names = (1..=length).map(|n| n.to_string()).collect();
        let mut topology = Self::named(Shape::Track { wrap }, names, vec![], vec![]);
        topology.directions = vec![across_a_side("forward", 1, 0), across_a_side("back", -1, 0)];
        let sites = 0..length;
        topology.steps = [(1, length - 1), (length - 1, 0)]
            .map(|(step, end)| {
                let beyond = |site: u32| (wrap || site != end).then(|| (site + step) % length);
                sites.clone().map(beyond).collect()
            })
            .to_vec();
        topology.add_lines("forward", LineKinds::ACROSS);
        topology
    }

    /// A board of columns and rows.
    fn in_rows(
        shape: Shape,
        notation: Notation,
        directions: &[Direction],
        lines: &[(&str, LineKinds)],
    ) -> Topology {
        let (width, height, wrap) = match shape {
            Shape::Grid { width, height, wrap } => (width, height, wrap),
            Shape::Hex { width, height } => (width, height, false),
            Shape::Graph | Shape::Track { .. } | Shape::Sides { .. } => (0, 0, false),
        };
        let mut topology = Topology {
            shape,
            notation: if width > 26 { Notation::Numbers } else { notation },
            width,
            height,
            directions: directions.to_vec(),
            steps: vec![],
            joined: vec![],
            names: vec![],
            lines: vec![],
        };
        let sites = 0..width * height;
        topology.steps = directions
            .iter()
            .map(|d| sites.clone().map(|site| topology.beyond(site, d, wrap)).collect())
            .collect();
        for (name, kind) in lines {
            topology.add_lines(name, *kind);
        }
        topology
    }

    /// Sites by name, each with its neighbours and on the lines that are given.
    pub(super) fn named(shape: Shape, names: Vec<String>, joined: Vec<BitSet>, lines: Vec<Line>) -> Topology {
        Topology {
            shape,
            notation: Notation::Names,
            width: names.len() as u32,
            height: 1,
            directions: vec![],
            steps: vec![],
            joined,
            names,
            lines,
        }
    }

    /// The same board with row 1 at the top of the page, where north is.
    #[must_use]
    pub fn from_top(mut self) -> Topology {
        for direction in &mut self.directions {
            direction.name = match direction.name {
                "north" => "south",
                "south" => "north",
                "northeast" => "southeast",
                "southeast" => "northeast",
                "northwest" => "southwest",
                "southwest" => "northwest",
                other => other,
            };
        }
        self
    }

    fn beyond(&self, site: u32, direction: &Direction, wrap: bool) -> Option<u32> {
        let (width, height) = (i64::from(self.width), i64::from(self.height));
        let mut column = i64::from(self.column_of(site)) + i64::from(direction.dx);
        let mut row = i64::from(self.row_of(site)) + i64::from(direction.dy);
        if wrap {
            column = (column - 1).rem_euclid(width) + 1;
            row = (row - 1).rem_euclid(height) + 1;
        }
        self.site_at(column, row)
    }

    /// Every maximal line in a direction. A line begins where nothing lies behind; what is then left
    /// lies on cycles, and each of those begins at its least site.
    fn add_lines(&mut self, name: &str, kind: LineKinds) {
        let Some(forward) = self.direction_named(name) else { return };
        let steps = &self.steps[forward as usize];
        let mut seen = BitSet::empty(self.size());
        let reached = BitSet::from_elements(self.size(), steps.iter().flatten().copied());
        let ends = reached.complement();
        for start in ends.iter().chain(0..self.size()) {
            if seen.contains(start) {
                continue;
            }
            let mut sites = vec![];
            let mut next = Some(start);
            while let Some(site) = next.filter(|s| !seen.contains(*s)) {
                seen.insert(site);
                sites.push(site);
                next = steps[site as usize];
            }
            self.lines.push(Line { kind, sites, cyclic: next.is_some() });
        }
    }

    /// Has it columns and rows?
    pub fn has_rows(&self) -> bool {
        matches!(self.shape, Shape::Grid { .. } | Shape::Hex { .. })
    }

    /// Do its sites have neighbours across corners besides those across sides?
    pub fn has_corners(&self) -> bool {
        self.directions.iter().any(|d| !d.orthogonal)
    }

    /// The form of the board.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// How its sites are written.
    pub fn notation(&self) -> Notation {
        self.notation
    }

    /// How many sites.
    pub fn size(&self) -> u32 {
        self.width * self.height
    }

    /// How many columns; of a board without any, how many sites.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// How many rows; 1 of a board without any.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The directions, by number.
    pub fn directions(&self) -> &[Direction] {
        &self.directions
    }

    /// The number of a direction.
    pub fn direction_named(&self, name: &str) -> Option<u32> {
        self.directions.iter().position(|d| d.name == name).map(|d| d as u32)
    }

    /// The number of the direction that leads `dx` columns right and `dy` rows up.
    pub fn direction_toward(&self, dx: i64, dy: i64) -> Option<u32> {
        let leads = |d: &Direction| i64::from(d.dx) == dx && i64::from(d.dy) == dy;
        self.directions.iter().position(leads).map(|d| d as u32)
    }

    /// Where a direction leads from a site; none off the board.
    pub fn step(&self, site: u32, direction: u32) -> Option<u32> {
        *self.steps.get(direction as usize)?.get(site as usize)?
    }

    /// The neighbours of a site in every direction.
    pub fn around(&self, site: u32) -> BitSet {
        BitSet::from_elements(self.size(), self.near(site, false))
    }

    /// The neighbours of a site across its sides.
    pub fn beside(&self, site: u32) -> BitSet {
        BitSet::from_elements(self.size(), self.near(site, true))
    }

    /// The neighbours of a site, one by one, some of them perhaps twice.
    pub(super) fn near(&self, site: u32, orthogonal: bool) -> impl Iterator<Item = u32> {
        let numbered = (0..).zip(&self.directions);
        let steps = numbered.filter(move |(_, d)| d.orthogonal || !orthogonal);
        let joined = self.joined.get(site as usize);
        steps.filter_map(move |(n, _)| self.step(site, n)).chain(joined.into_iter().flat_map(BitSet::iter))
    }

    /// The sites from which some direction leads off the board; a torus has none, nor has a graph.
    pub fn edge(&self) -> BitSet {
        let outside = |site: &u32| self.steps.iter().any(|s| s[*site as usize].is_none());
        BitSet::from_elements(self.size(), (0..self.size()).filter(outside))
    }

    /// The sites at the four corners; a torus has none.
    pub fn corners(&self) -> BitSet {
        let ends = |n, most| n == 1 || n == most;
        let corner = |s: &u32| ends(self.column_of(*s), self.width) && ends(self.row_of(*s), self.height);
        self.edge().intersect(&BitSet::from_elements(self.size(), (0..self.size()).filter(corner)))
    }

    /// A block of sites in the middle; where it can't lie exactly there (an even block on an odd
    /// board), the nearest to the lower left. None if it is empty or larger than the board.
    pub fn center(&self, width: i64, height: i64) -> Option<BitSet> {
        let (columns, rows) = (i64::from(self.width), i64::from(self.height));
        if !(1..=columns).contains(&width) || !(1..=rows).contains(&height) {
            return None;
        }
        let left = (columns - width) / 2;
        let below = (rows - height) / 2;
        let inside = |site: &u32| {
            let column = i64::from(self.column_of(*site));
            let row = i64::from(self.row_of(*site));
            (left + 1..=left + width).contains(&column) && (below + 1..=below + height).contains(&row)
        };
        Some(BitSet::from_elements(self.size(), (0..self.size()).filter(inside)))
    }

    /// The sites of a column, from 1.
    pub fn column(&self, column: i64) -> Option<BitSet> {
        let rows = 1..=i64::from(self.height);
        let sites: Option<Vec<u32>> = rows.map(|row| self.site_at(column, row)).collect();
        Some(BitSet::from_elements(self.size(), sites?))
    }

    /// The sites of a row, from 1.
    pub fn row(&self, row: i64) -> Option<BitSet> {
        let columns = 1..=i64::from(self.width);
        let sites: Option<Vec<u32>> = columns.map(|column| self.site_at(column, row)).collect();
        Some(BitSet::from_elements(self.size(), sites?))
    }

    /// The site in a column and a row, both from 1; none off the board.
    pub fn site_at(&self, column: i64, row: i64) -> Option<u32> {
        let (width, height) = (i64::from(self.width), i64::from(self.height));
        let inside = (1..=width).contains(&column) && (1..=height).contains(&row);
        inside.then(|| ((row - 1) * width + column - 1) as u32)
    }

    /// The column of a site, from 1.
    pub fn column_of(&self, site: u32) -> u32 {
        site % self.width + 1
    }

    /// The row of a site, from 1.
    pub fn row_of(&self, site: u32) -> u32 {
        site / self.width + 1
    }

    /// A site as it is written.
    pub fn site_name(&self, site: u32) -> String {
        let (column, row) = (self.column_of(site), self.row_of(site));
        match self.notation {
            Notation::Names => self.names.get(site as usize).cloned().unwrap_or_default(),
            Notation::Letters => format!("{}{row}", char::from(b'a' + (column - 1) as u8)),
            Notation::Numbers => format!("{column}:{row}"),
        }
    }

    /// The site that is written so; letters may be capitals.
    pub fn parse_site(&self, text: &str) -> Option<u32> {
        match self.notation {
            Notation::Names if matches!(self.shape, Shape::Sides { .. }) => self.parse_side(text),
            Notation::Names => {
                let same = |name: &String| name.eq_ignore_ascii_case(text);
                self.names.iter().position(same).map(|site| site as u32)
            }
            notation => {
                let (column, row) = parse_cell(notation, text)?;
                self.site_at(column, row)
            }
        }
    }

    /// Every maximal line: rows from the lowest, columns from the left, then the diagonals that
    /// rise and those that fall to the right; of a graph, its chains in the order of the text.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }
}

/// The column and the row of a cell that is written in a notation, on the board or not.
pub(super) fn parse_cell(notation: Notation, text: &str) -> Option<(i64, i64)> {
    let number = |digits: &str| -> Option<i64> {
        let plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
        if plain { digits.parse().ok() } else { None }
    };
    match notation {
        Notation::Letters => {
            let letter = text.chars().next().filter(char::is_ascii_alphabetic)?;
            let column = i64::from(letter.to_ascii_lowercase() as u8 - b'a') + 1;
            Some((column, number(&text[1..])?))
        }
        Notation::Numbers => {
            let (column, row) = text.split_once(':')?;
            Some((number(column)?, number(row)?))
        }
        Notation::Names => None,
    }
}

#[cfg(test)]
#[path = "topology_tests.rs"]
mod tests;
