//! Board topologies: sites, their names, the directions between them and the lines through them.
//! A topology is a table of directions by sites; only its [`Shape`] says how the board looks.

use super::cut::Cut;
use super::links::Links;
use super::{BitSet, LineKinds, Site};

/// The shape of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Squares in columns and rows.
    Grid {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
        /// Opposite sides are joined: a torus.
        wrap: bool,
    },
    /// Hexagonal cells in columns and rows, a rhombus. Each row is half a cell to the left of the row above it
    /// (row 1 at the bottom), or of the row below it (row 1 at the top).
    Hex {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// Squares or hexagonal cells in columns and rows, of which some cells or some steps are left out.
    Cut {
        /// Columns of the whole board.
        width: u32,
        /// Rows of the whole board.
        height: u32,
        /// The cells are hexagonal.
        hex: bool,
        /// Opposite sides are joined.
        wrap: bool,
    },
    /// Named sites and the connections between them.
    Graph,
    /// Sites in a single file.
    Track {
        /// The last site is followed by the first.
        wrap: bool,
    },
    /// The sides of the cells of a grid; each side is a site.
    Sides {
        /// Columns of the cells.
        width: u32,
        /// Rows of the cells.
        height: u32,
        /// Whether row 1 is at the top of the page. North is up on the page in either case.
        from_top: bool,
    },
    /// Links between the sites of another board; each link is a site.
    Links,
}

impl Shape {
    /// Returns `true` if the sites are hexagonal cells.
    pub fn is_hex(self) -> bool {
        matches!(self, Shape::Hex { .. } | Shape::Cut { hex: true, .. })
    }

    /// Returns the name of the shape in rule files.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Grid { .. } => "grid",
            Shape::Hex { .. } => "hex",
            Shape::Cut { hex: false, .. } => "grid",
            Shape::Cut { hex: true, .. } => "hex",
            Shape::Graph => "graph",
            Shape::Track { .. } => "track",
            Shape::Sides { .. } | Shape::Links => "edges",
        }
    }
}

/// The notation of sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// `c4`: column c, row 4. A board with more than 26 columns uses [`Notation::Numbers`] instead.
    Letters,
    /// `3:4`: column 3, row 4.
    Numbers,
    /// Each site has its own name.
    Names,
}

/// A direction from a site to a neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Direction {
    /// The name, such as `north`.
    pub name: &'static str,
    /// Columns to the right per step.
    pub dx: i32,
    /// Rows up per step.
    pub dy: i32,
    /// `true` if a step crosses a side, `false` if it crosses a corner.
    pub orthogonal: bool,
}

/// A maximal line of sites: from edge to edge or around a torus; on a graph, one chain of its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The kind; exactly one.
    pub kind: LineKinds,
    /// The sites in order.
    pub sites: Vec<Site>,
    /// The last site is next to the first.
    pub cyclic: bool,
}

/// The sites that count as near a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Near {
    /// The neighbours across a side.
    Beside,
    /// The neighbours across sides and corners.
    Around,
    /// The sites a number of columns and of rows away, or the same with columns and rows exchanged: a knight's moves.
    Leap(u32, u32),
}

impl Near {
    /// Returns the neighbours across a side, or on all sides.
    pub fn neighbours(orthogonal: bool) -> Near {
        if orthogonal { Near::Beside } else { Near::Around }
    }
}

/// The sites of a board and how they are connected.
#[derive(Clone, Debug)]
pub struct Topology {
    pub(super) shape: Shape,
    notation: Notation,
    width: u32,
    height: u32,
    directions: Vec<Direction>,
    /// Where each direction leads, indexed by direction and site.
    pub(super) steps: Vec<Vec<Option<Site>>>,
    /// Neighbours that no direction leads to, indexed by site: the neighbours on a graph.
    joined: Vec<BitSet>,
    /// The names of the sites; empty if the notation is letters or numbers.
    names: Vec<String>,
    pub(super) lines: Vec<Line>,
    /// The places of the sites, if some places have none or some steps are left out.
    pub(super) cut: Option<Cut>,
    /// What the sites join, on a board of links.
    pub(super) links: Option<Links>,
}

const fn direction(name: &'static str, dx: i32, dy: i32) -> Direction {
    Direction { name, dx, dy, orthogonal: dx == 0 || dy == 0 }
}

/// The eight directions of a grid, clockwise from the top.
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

/// The six directions of a hex board, clockwise from the upper right.
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
    /// Creates a grid. The site in column c and row r, both counted from 1 at the lower left, has the number
    /// `(r - 1) * width + (c - 1)`.
    ///
    /// `width` and `height` must be at least 1, and their product must fit 32 bits.
    ///
    /// With `wrap`, opposite sides are joined. On a torus one column or row wide, a site is its own neighbour;
    /// on a torus two wide, both diagonals through a site have the same sites.
    pub fn grid(width: u32, height: u32, wrap: bool, notation: Notation) -> Topology {
        let lines = [
            ("east", LineKinds::ACROSS),
            ("north", LineKinds::DOWN),
            ("northeast", LineKinds::DIAGONAL),
            ("southeast", LineKinds::DIAGONAL),
        ];
        Self::in_rows(Shape::Grid { width, height, wrap }, notation, &COMPASS, &lines)
    }

    /// Creates a board of hexagonal cells in columns and rows, numbered and named like those of a grid. All six
    /// neighbours of a cell are across its sides. The lines run along the rows, along the columns, and
    /// diagonally.
    ///
    /// `width` and `height` must be at least 1, and their product must fit 32 bits.
    pub fn hex(width: u32, height: u32, notation: Notation) -> Topology {
        let lines =
            [("east", LineKinds::ACROSS), ("northeast", LineKinds::DOWN), ("southeast", LineKinds::DIAGONAL)];
        Self::in_rows(Shape::Hex { width, height }, notation, &SIX, &lines)
    }

    /// Creates a track of `length` sites, at least one, named by their numbers from 1.
    pub fn track(length: u32, wrap: bool) -> Topology {
        let names = (1..=length).map(|n| n.to_string()).collect();
        let mut topology = Self::named(Shape::Track { wrap }, names, vec![], vec![]);
        topology.directions = vec![across_a_side("forward", 1, 0), across_a_side("back", -1, 0)];
        let sites = 0..length;
        topology.steps = [(1, length - 1), (length - 1, 0)]
            .map(|(step, end)| {
                let beyond = |site: u32| (wrap || site != end).then(|| Site((site + step) % length));
                sites.clone().map(beyond).collect()
            })
            .to_vec();
        topology.add_lines("forward", LineKinds::ACROSS);
        topology
    }

    /// Creates a board with columns and rows.
    fn in_rows(
        shape: Shape,
        notation: Notation,
        directions: &[Direction],
        lines: &[(&str, LineKinds)],
    ) -> Topology {
        let (width, height, wrap) = match shape {
            Shape::Grid { width, height, wrap } => (width, height, wrap),
            Shape::Hex { width, height } => (width, height, false),
            Shape::Cut { .. } | Shape::Graph | Shape::Track { .. } | Shape::Sides { .. } | Shape::Links => {
                (0, 0, false)
            }
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
            cut: None,
            links: None,
        };
        topology.steps = directions
            .iter()
            .map(|d| topology.sites().map(|site| topology.offset(site, d.dx, d.dy, wrap)).collect())
            .collect();
        for (name, kind) in lines {
            topology.add_lines(name, *kind);
        }
        topology
    }

    /// Creates a board of named sites with the given neighbours and lines.
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
            cut: None,
            links: None,
        }
    }

    /// Renames the directions so that row 1 is at the top of the page, where north is.
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

    /// Returns the site `dx` columns to the right and `dy` rows up.
    fn offset(&self, site: Site, dx: i32, dy: i32, wrap: bool) -> Option<Site> {
        let (width, height) = (i64::from(self.width), i64::from(self.height));
        let mut column = i64::from(self.column_of(site)) + i64::from(dx);
        let mut row = i64::from(self.row_of(site)) + i64::from(dy);
        if wrap {
            column = (column - 1).rem_euclid(width) + 1;
            row = (row - 1).rem_euclid(height) + 1;
        }
        self.site_at(column, row)
    }

    /// Adds every maximal line in a direction. A line begins at a site that no other leads to. The remaining
    /// sites form cycles, each of which begins at its lowest site.
    fn add_lines(&mut self, name: &str, kind: LineKinds) {
        let Some(forward) = self.direction_named(name) else { return };
        let steps = &self.steps[forward as usize];
        let mut seen = BitSet::empty(self.size());
        let reached = BitSet::from_sites(self.size(), steps.iter().flatten().copied());
        let ends = reached.complement();
        for start in ends.sites().chain(self.sites()) {
            if seen.contains(start.0) {
                continue;
            }
            let mut sites = vec![];
            let mut next = Some(start);
            while let Some(site) = next.filter(|s| !seen.contains(s.0)) {
                seen.insert(site.0);
                sites.push(site);
                next = steps[site.index()];
            }
            self.lines.push(Line { kind, sites, cyclic: next.is_some() });
        }
    }

    /// Returns `true` if the board has columns and rows.
    pub fn has_rows(&self) -> bool {
        matches!(self.shape, Shape::Grid { .. } | Shape::Hex { .. } | Shape::Cut { .. })
    }

    /// Returns `true` if the rules say which sites have diagonals.
    pub fn has_chosen_diagonals(&self) -> bool {
        self.cut.as_ref().is_some_and(|cut| cut.outline.is_some())
    }

    /// Returns `true` if some neighbours are across corners.
    pub fn has_corners(&self) -> bool {
        self.directions.iter().any(|d| !d.orthogonal)
    }

    /// Returns the shape of the board.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns the notation of its sites.
    pub fn notation(&self) -> Notation {
        self.notation
    }

    /// Returns the names of all columns; on a graph, only of columns that have a site.
    pub fn column_names(&self) -> Vec<String> {
        let letter = |column: u32| char::from(b'a' + (column.clamp(1, 26) - 1) as u8).to_string();
        if let Some(places) = self.places() {
            let mut used: Vec<u32> = places.iter().map(|(column, _)| *column).collect();
            used.sort_unstable();
            used.dedup();
            return used.into_iter().map(letter).collect();
        }
        let lettered = self.notation() == Notation::Letters;
        (1..=self.width()).map(|column| if lettered { letter(column) } else { column.to_string() }).collect()
    }

    /// Returns the number of sites.
    pub fn size(&self) -> u32 {
        match &self.cut {
            Some(cut) => cut.places.len() as u32,
            None => self.width * self.height,
        }
    }

    /// Iterates over all sites, in the order of their numbers.
    pub fn sites(&self) -> impl DoubleEndedIterator<Item = Site> + ExactSizeIterator + use<> {
        (0..self.size()).map(Site)
    }

    /// Returns the number of columns, empty ones included, or the number of sites if the board has no columns.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the number of rows, empty ones included, or 1 if the board has no rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns the directions, indexed by direction number.
    pub fn directions(&self) -> &[Direction] {
        &self.directions
    }

    /// Returns the number of the direction with this name.
    pub fn direction_named(&self, name: &str) -> Option<u32> {
        self.directions.iter().position(|d| d.name == name).map(|d| d as u32)
    }

    /// Returns the number of the direction that leads `dx` columns right and `dy` rows up.
    pub fn direction_toward(&self, dx: i64, dy: i64) -> Option<u32> {
        let leads = |d: &Direction| i64::from(d.dx) == dx && i64::from(d.dy) == dy;
        self.directions.iter().position(leads).map(|d| d as u32)
    }

    /// Returns the site that a direction leads to, or `None` if it leads off the board.
    pub fn step(&self, site: Site, direction: u32) -> Option<Site> {
        *self.steps.get(direction as usize)?.get(site.index())?
    }

    /// Returns all neighbours of a site, across sides and corners.
    pub fn around(&self, site: Site) -> BitSet {
        BitSet::from_sites(self.size(), self.near(site, false))
    }

    /// Returns the neighbours of a site across its sides.
    pub fn beside(&self, site: Site) -> BitSet {
        BitSet::from_sites(self.size(), self.near(site, true))
    }

    /// Returns the sites that are `near` a site. Only a board with columns and rows has leaps.
    pub fn near_to(&self, site: Site, near: Near) -> BitSet {
        match near {
            Near::Beside => self.beside(site),
            Near::Around => self.around(site),
            Near::Leap(columns, rows) => {
                let wrap =
                    matches!(self.shape, Shape::Grid { wrap: true, .. } | Shape::Cut { wrap: true, .. });
                let (m, n) = (columns as i32, rows as i32);
                let ways =
                    [(m, n), (n, m)].into_iter().flat_map(|(x, y)| [(x, y), (x, -y), (-x, y), (-x, -y)]);
                BitSet::from_sites(self.size(), ways.filter_map(|(dx, dy)| self.offset(site, dx, dy, wrap)))
            }
        }
    }

    /// Iterates over the neighbours of a site. A neighbour may come up twice.
    pub(super) fn near(&self, site: Site, orthogonal: bool) -> impl Iterator<Item = Site> {
        let numbered = (0..).zip(&self.directions);
        let steps = numbered.filter(move |(_, d)| d.orthogonal || !orthogonal);
        let joined = self.joined.get(site.index());
        steps.filter_map(move |(n, _)| self.step(site, n)).chain(joined.into_iter().flat_map(BitSet::sites))
    }

    /// Returns the sites from which some direction leads off the board. A torus and a graph have none.
    pub fn edge(&self) -> BitSet {
        if let Some((edge, _)) = self.cut.as_ref().and_then(|cut| cut.outline.as_ref()) {
            return edge.clone();
        }
        let outside = |site: &Site| self.steps.iter().any(|s| s[site.index()].is_none());
        BitSet::from_sites(self.size(), self.sites().filter(outside))
    }

    /// Returns the corner sites of the board; a torus and a graph have none. On a board with sites left out these are
    /// the sites of the edge with the fewest neighbours.
    pub fn corners(&self) -> BitSet {
        if let Some((_, corners)) = self.cut.as_ref().and_then(|cut| cut.outline.as_ref()) {
            return corners.clone();
        }
        if self.cut.is_some() {
            let edge = self.edge();
            let fewest = edge.sites().map(|site| self.around(site).len()).min();
            let is_corner = |site: &Site| Some(self.around(*site).len()) == fewest;
            return BitSet::from_sites(self.size(), edge.sites().filter(is_corner));
        }
        let ends = |n, most| n == 1 || n == most;
        let corner = |s: &Site| ends(self.column_of(*s), self.width) && ends(self.row_of(*s), self.height);
        self.edge().intersect(&BitSet::from_sites(self.size(), self.sites().filter(corner)))
    }

    /// Returns a block of `width` by `height` sites in the middle of the board. If it can't be centred exactly
    /// (an even block on an odd board), it leans to the lower left. Returns `None` if the block is empty or
    /// larger than the board.
    pub fn center(&self, width: i64, height: i64) -> Option<BitSet> {
        let (columns, rows) = (i64::from(self.width), i64::from(self.height));
        if !(1..=columns).contains(&width) || !(1..=rows).contains(&height) {
            return None;
        }
        let left = (columns - width) / 2;
        let below = (rows - height) / 2;
        let inside = |site: &Site| {
            let column = i64::from(self.column_of(*site));
            let row = i64::from(self.row_of(*site));
            (left + 1..=left + width).contains(&column) && (below + 1..=below + height).contains(&row)
        };
        Some(BitSet::from_sites(self.size(), self.sites().filter(inside)))
    }

    /// Returns the sites of a column, counted from 1, or `None` if there is no such column.
    pub fn column(&self, column: i64) -> Option<BitSet> {
        let sites = (1..=i64::from(self.height)).filter_map(|row| self.site_at(column, row));
        let inside = (1..=i64::from(self.width)).contains(&column);
        inside.then(|| BitSet::from_sites(self.size(), sites))
    }

    /// Returns the sites of a row, counted from 1, or `None` if there is no such row.
    pub fn row(&self, row: i64) -> Option<BitSet> {
        let sites = (1..=i64::from(self.width)).filter_map(|column| self.site_at(column, row));
        let inside = (1..=i64::from(self.height)).contains(&row);
        inside.then(|| BitSet::from_sites(self.size(), sites))
    }

    /// Returns the site in a column and a row, both counted from 1, or `None` if it is off the board.
    pub fn site_at(&self, column: i64, row: i64) -> Option<Site> {
        let (width, height) = (i64::from(self.width), i64::from(self.height));
        if !(1..=width).contains(&column) || !(1..=height).contains(&row) {
            return None;
        }
        let place = (row - 1) * width + column - 1;
        match &self.cut {
            Some(cut) => cut.sites[place as usize],
            None => Some(Site(place as u32)),
        }
    }

    /// Returns the column of a site, counted from 1.
    pub fn column_of(&self, site: Site) -> u32 {
        self.cut.as_ref().map_or(site.0 % self.width + 1, |cut| cut.places[site.index()].0)
    }

    /// Returns the row of a site, counted from 1.
    pub fn row_of(&self, site: Site) -> u32 {
        self.cut.as_ref().map_or(site.0 / self.width + 1, |cut| cut.places[site.index()].1)
    }

    /// Returns the name of a site in the notation of the board.
    pub fn site_name(&self, site: Site) -> String {
        let (column, row) = (self.column_of(site), self.row_of(site));
        match self.notation {
            Notation::Names => self.names.get(site.index()).cloned().unwrap_or_default(),
            Notation::Letters => format!("{}{row}", char::from(b'a' + (column - 1) as u8)),
            Notation::Numbers => format!("{column}:{row}"),
        }
    }

    /// Returns the site with this name; case is ignored.
    pub fn parse_site(&self, text: &str) -> Option<Site> {
        match self.notation {
            Notation::Names if matches!(self.shape, Shape::Sides { .. }) => self.parse_side(text),
            Notation::Names if self.links.is_some() => self.parse_link(text),
            Notation::Names => {
                let same = |name: &String| name.eq_ignore_ascii_case(text);
                self.names.iter().position(same).map(|site| Site(site as u32))
            }
            notation => {
                let (column, row) = parse_cell(notation, text)?;
                self.site_at(column, row)
            }
        }
    }

    /// Returns every maximal line: rows from the lowest, columns from the left, then the rising and the falling
    /// diagonals. On a graph these are its chains, in the order of the text.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }
}

/// Parses a cell and returns its column and row, which may be off the board.
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
