//! Boards with sites or diagonal steps left out, and the hexagonal boards that are named after their outline.

use super::{BitSet, Line, LineKinds, Notation, Shape, Site, Topology};

/// Where the sites of a board with sites left out are.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    /// The column and the row of each site.
    pub(super) places: Vec<(u32, u32)>,
    /// The site of each place of the whole board, in its order.
    pub(super) sites: Vec<Option<Site>>,
    /// The edge and the corners, if steps are left out that lead to other sites.
    pub(super) outline: Option<(BitSet, BitSet)>,
}

impl Topology {
    /// Leaves out sites of a board with columns and rows. The other sites keep their columns, rows, names and directions,
    /// and are numbered in the same order. Returns `None` if no site is left or the board has no columns and rows.
    pub fn without(&self, gone: &BitSet) -> Option<Topology> {
        let (width, height) = (self.width(), self.height());
        let (hex, wrap) = match *self.shape() {
            Shape::Grid { wrap, .. } => (false, wrap),
            Shape::Hex { .. } => (true, false),
            Shape::Cut { hex, wrap, .. } => (hex, wrap),
            Shape::Graph | Shape::Track { .. } | Shape::Sides { .. } | Shape::Links => return None,
        };
        let kept: Vec<Site> = self.sites().filter(|site| !gone.contains(site.0)).collect();
        if kept.is_empty() {
            return None;
        }
        let mut renumbered = vec![None; self.sites().len()];
        for (new, old) in (0..).map(Site).zip(&kept) {
            renumbered[old.index()] = Some(new);
        }
        let places: Vec<(u32, u32)> = kept.iter().map(|s| (self.column_of(*s), self.row_of(*s))).collect();
        let mut sites = vec![None; (width * height) as usize];
        for (site, (column, row)) in (0..).map(Site).zip(&places) {
            sites[((row - 1) * width + column - 1) as usize] = Some(site);
        }
        let step = |direction| {
            kept.iter().map(|site| renumbered[self.step(*site, direction)?.index()]).collect::<Vec<_>>()
        };
        let mut cut = self.clone();
        cut.shape = Shape::Cut { width, height, hex, wrap };
        cut.steps = (0..self.directions().len() as u32).map(step).collect();
        cut.lines = self.lines().iter().flat_map(|line| parts(line, &renumbered)).collect();
        cut.cut = Some(Cut { places, sites, outline: None });
        Some(cut)
    }

    /// Leaves out every diagonal step and line except those between sites of a set. Returns `None` if the board has no
    /// diagonal steps or is a torus.
    pub fn with_diagonals(&self, among: &BitSet) -> Option<Topology> {
        let (Shape::Grid { wrap: false, .. } | Shape::Cut { hex: false, wrap: false, .. }) = *self.shape()
        else {
            return None;
        };
        let outline = Some((self.edge(), self.corners()));
        // Without a hole, the board is one whose sites all have their place.
        let mut kept = self.without(&BitSet::empty(self.size()))?;
        if let Some(cut) = &mut kept.cut {
            cut.outline = outline;
        }
        for (direction, steps) in self.directions().iter().zip(&mut kept.steps) {
            for (site, to) in (0..).zip(steps) {
                let stays = direction.orthogonal || among.contains(site);
                *to = to.filter(|to| stays && (direction.orthogonal || among.contains(to.0)));
            }
        }
        let inside: Vec<Option<Site>> =
            self.sites().map(|site| among.contains(site.0).then_some(site)).collect();
        kept.lines = self
            .lines()
            .iter()
            .flat_map(|line| match line.kind {
                LineKinds::DIAGONAL => {
                    // Every site lies on a line of each kind, if only by itself.
                    let alone = line.sites.iter().filter(|site| !among.contains(site.0));
                    let alone = alone.map(|site| Line { sites: vec![*site], ..line.clone() });
                    [parts(line, &inside), alone.collect()].concat()
                }
                _ => vec![line.clone()],
            })
            .collect();
        Some(kept)
    }

    /// Creates a hexagon of hexagonal cells with `side` cells along each side.
    pub fn hexagon(side: u32, notation: Notation) -> Option<Topology> {
        let reach = i64::from(side) - 1;
        Self::outlined(2 * side - 1, side, notation, |x, y| [x, y, x + y].iter().all(|n| n.abs() <= reach))
    }

    /// Creates a triangle of hexagonal cells with `side` cells along each side.
    pub fn triangle(side: u32, notation: Notation) -> Option<Topology> {
        Self::outlined(side, 1, notation, |x, y| x + y < i64::from(side))
    }

    /// Creates a star of hexagonal cells: a hexagon with a triangle of `side` rows on each side.
    pub fn star(side: u32, notation: Notation) -> Option<Topology> {
        let n = i64::from(side);
        Self::outlined(4 * side + 1, 2 * side + 1, notation, |x, y| {
            (x >= -n && y >= -n && x + y <= n) || (x <= n && y <= n && x + y >= -n)
        })
    }

    /// Creates the part of a rhombus with sides of `width` for which `inside` holds of the columns and rows away from
    /// the cell in column and row `middle`.
    fn outlined(
        width: u32,
        middle: u32,
        notation: Notation,
        inside: impl Fn(i64, i64) -> bool,
    ) -> Option<Topology> {
        let whole = Topology::hex(width, width, notation);
        let away = |n: u32| i64::from(n) - i64::from(middle);
        let outside = |site: &Site| !inside(away(whole.column_of(*site)), away(whole.row_of(*site)));
        whole.without(&BitSet::from_sites(whole.size(), whole.sites().filter(outside)))
    }
}

/// Divides a line at the sites that are left out.
fn parts(line: &Line, renumbered: &[Option<Site>]) -> Vec<Line> {
    let mut sites: Vec<Option<Site>> = line.sites.iter().map(|site| renumbered[site.index()]).collect();
    let gap = sites.iter().position(Option::is_none);
    if let (true, Some(gap)) = (line.cyclic, gap) {
        sites.rotate_left(gap);
    }
    let part = |part: &[Option<Site>]| Line {
        kind: line.kind,
        sites: part.iter().flatten().copied().collect(),
        cyclic: line.cyclic && gap.is_none(),
    };
    sites.split(Option::is_none).filter(|part| !part.is_empty()).map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{longest, shift};
    use super::*;

    #[test]
    fn outlines_have_the_sites_that_are_counted_by_hand() {
        let sizes = |make: fn(u32, Notation) -> Option<Topology>| {
            (1..=5).map(|side| make(side, Notation::Letters).unwrap().size()).collect::<Vec<_>>()
        };
        // Centred hexagonal numbers, triangular numbers, and star numbers: 121 holes of the usual star board.
        assert_eq!(sizes(Topology::hexagon), [1, 7, 19, 37, 61]);
        assert_eq!(sizes(Topology::triangle), [1, 3, 6, 10, 15]);
        assert_eq!(sizes(Topology::star), [13, 37, 73, 121, 181]);
    }

    #[test]
    fn a_hexagon_has_six_corners_and_six_sides() {
        let board = Topology::hexagon(4, Notation::Letters).unwrap();
        let (edge, corners) = (board.edge(), board.corners());
        assert_eq!((edge.len(), corners.len()), (18, 6));
        assert!(corners.sites().all(|site| board.around(site).len() == 3));
        assert!(board.sites().filter(|s| !edge.contains(s.0)).all(|s| board.around(s).len() == 6));
    }

    #[test]
    fn sites_keep_their_names_and_directions() {
        let whole = Topology::grid(3, 3, false, Notation::Letters);
        let hole = BitSet::single(9, 4);
        let board = whole.without(&hole).unwrap();
        let names: Vec<String> = board.sites().map(|site| board.site_name(site)).collect();
        assert_eq!(names, ["a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3"]);
        for site in board.sites() {
            assert_eq!(board.parse_site(&board.site_name(site)), Some(site));
            let (column, row) = (board.column_of(site), board.row_of(site));
            assert_eq!(board.site_at(column.into(), row.into()), Some(site));
        }
        assert_eq!((board.parse_site("b2"), board.site_at(2, 2)), (None, None));
        let east = board.direction_named("east").unwrap();
        let row = board.row(2).unwrap();
        assert_eq!(row.len(), 2);
        assert!(shift(&board, &row, east).is_empty());
        assert_eq!(longest(&board, &row, LineKinds::ALL), 1);
        assert_eq!(board.edge().len(), 8);
    }

    #[test]
    fn a_ring_with_a_gap_is_a_line() {
        let ring = Topology::grid(5, 1, true, Notation::Letters);
        let board = ring.without(&BitSet::single(5, 1)).unwrap();
        let across = board.lines().iter().find(|line| line.kind == LineKinds::ACROSS).unwrap();
        assert!(!across.cyclic);
        let names: Vec<String> = across.sites.iter().map(|site| board.site_name(*site)).collect();
        assert_eq!(names, ["c1", "d1", "e1", "a1"]);
    }

    #[test]
    fn diagonals_join_only_sites_of_the_set() {
        let whole = Topology::grid(5, 5, false, Notation::Letters);
        let even = |site: &Site| (whole.column_of(*site) + whole.row_of(*site)).is_multiple_of(2);
        let board = whole.with_diagonals(&BitSet::from_sites(25, whole.sites().filter(even))).unwrap();
        let near = |name: &str| board.around(board.parse_site(name).unwrap()).len();
        assert_eq!(["a1", "b1", "b2", "c2", "c3"].map(near), [3, 3, 8, 4, 8]);
        assert_eq!((board.size(), board.edge().len(), board.corners().len()), (25, 16, 4));
        // 40 links along columns and rows, and one diagonal in each of 16 squares.
        assert_eq!(board.sites().map(|site| board.around(site).len()).sum::<u32>(), 2 * (40 + 16));
        let diagonals = board.lines().iter().filter(|line| line.kind == LineKinds::DIAGONAL);
        assert!(diagonals.filter(|line| line.sites.len() > 1).flat_map(|line| &line.sites).all(even));
        let none = whole.with_diagonals(&BitSet::empty(25)).unwrap();
        assert_eq!(none.lines().iter().filter(|line| line.sites.len() > 1).count(), 10);
        assert!(Topology::grid(5, 5, true, Notation::Letters).with_diagonals(&BitSet::empty(25)).is_none());
    }

    #[test]
    fn nothing_is_left_of_a_board_without_its_sites() {
        let board = Topology::grid(2, 2, false, Notation::Letters);
        assert!(board.without(&BitSet::full(4)).is_none());
        assert!(Topology::track(4, false).without(&BitSet::empty(4)).is_none());
    }
}
