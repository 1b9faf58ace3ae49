//! Runs of a set along the lines of a board: all runs, the longest, and their total points.

use super::{BitSet, Site, Topology};

/// A set of line kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineKinds(u8);

impl LineKinds {
    /// Rows.
    pub const ACROSS: LineKinds = LineKinds(1);
    /// Columns.
    pub const DOWN: LineKinds = LineKinds(2);
    /// Diagonals in both directions.
    pub const DIAGONAL: LineKinds = LineKinds(4);
    /// All kinds.
    pub const ALL: LineKinds = LineKinds(7);

    const NAMED: [(&'static str, LineKinds); 3] =
        [("across", Self::ACROSS), ("down", Self::DOWN), ("diagonal", Self::DIAGONAL)];

    /// Returns `true` if all kinds of `other` are in this set.
    pub fn contains(self, other: LineKinds) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the kinds in either set.
    #[must_use]
    pub fn union(self, other: LineKinds) -> LineKinds {
        LineKinds(self.0 | other.0)
    }

    /// Returns the names of the kinds.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMED.iter().filter(move |(_, kind)| self.contains(*kind)).map(|(name, _)| *name)
    }

    /// Returns the kind with this name: `across`, `down` or `diagonal`.
    pub fn named(name: &str) -> Option<LineKinds> {
        Self::NAMED.iter().find(|(n, _)| *n == name).map(|(_, kind)| *kind)
    }
}

impl Default for LineKinds {
    fn default() -> Self {
        Self::ALL
    }
}

/// A maximal run: contiguous sites of a set along a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineRun {
    /// Index into [`Topology::lines`].
    pub line: usize,
    /// Index of the run's first site on the line. On a cyclic line the run may continue past the last site.
    pub start: usize,
    /// Number of sites.
    pub length: u32,
}

impl LineRun {
    /// Iterates over the sites in the order of the line.
    pub fn sites(self, topology: &Topology) -> impl Iterator<Item = Site> + '_ {
        let sites = &topology.lines()[self.line].sites;
        (0..self.length as usize).map(move |i| sites[(self.start + i) % sites.len()])
    }
}

/// Returns the maximal runs of a set along the lines of the given kinds, in the order of the lines.
///
/// A run may cross the seam of a cyclic line. A cyclic line that is entirely in the set is one run from its
/// first site. A site without neighbours in the set is a run of 1 on each line through it.
pub fn runs(topology: &Topology, set: &BitSet, along: LineKinds) -> Vec<LineRun> {
    let mut found = vec![];
    for (line, l) in topology.lines().iter().enumerate().filter(|(_, l)| along.contains(l.kind)) {
        let n = l.sites.len();
        let held = |i: usize| (i < n || l.cyclic) && set.contains(l.sites[i % n].0);
        if l.cyclic && (0..n).all(held) {
            found.push(LineRun { line, start: 0, length: n as u32 });
            continue;
        }
        for start in (0..n).filter(|i| held(*i)) {
            let before = if start > 0 { held(start - 1) } else { l.cyclic && held(n - 1) };
            if !before {
                let length = (start..).take_while(|i| held(*i)).count() as u32;
                found.push(LineRun { line, start, length });
            }
        }
    }
    found
}

/// Returns the length of the longest run, or 0 if the set is empty.
pub fn longest(topology: &Topology, set: &BitSet, along: LineKinds) -> u32 {
    runs(topology, set, along).iter().map(|r| r.length).max().unwrap_or(0)
}

/// Returns the sum over all runs of the points for their lengths, or `None` if it overflows 64 bits.
pub fn line_points(
    topology: &Topology,
    set: &BitSet,
    along: LineKinds,
    points: impl Fn(u32) -> i64,
) -> Option<i64> {
    let sum: i128 = runs(topology, set, along).iter().map(|run| i128::from(points(run.length))).sum();
    i64::try_from(sum).ok()
}

/// Returns the sites in runs of at least the given length.
pub fn in_runs(topology: &Topology, set: &BitSet, along: LineKinds, at_least: i64) -> BitSet {
    let long = runs(topology, set, along).into_iter().filter(|r| i64::from(r.length) >= at_least);
    BitSet::from_sites(topology.size(), long.flat_map(|r| r.sites(topology)))
}

#[cfg(test)]
mod tests {
    use super::super::{Notation, some_boards};
    use super::*;
    use proptest::prelude::*;

    fn board(width: u32, height: u32, wrap: bool) -> Topology {
        Topology::grid(width, height, wrap, Notation::Letters)
    }

    fn set(topology: &Topology, names: &str) -> BitSet {
        let sites = names.split_whitespace().map(|n| topology.parse_site(n).unwrap());
        BitSet::from_sites(topology.size(), sites)
    }

    fn worth(length: u32) -> i64 {
        [0, 0, 0, 1, 3, 10].get(length as usize).copied().unwrap_or(40)
    }

    #[test]
    fn a_full_board_of_six_scores_616() {
        let board = board(6, 6, false);
        assert_eq!(line_points(&board, &BitSet::full(36), LineKinds::ALL, worth), Some(616));
        let across = line_points(&board, &BitSet::full(36), LineKinds::ACROSS, worth);
        assert_eq!(across, Some(240));
    }

    #[test]
    fn a_run_may_cross_the_seam_of_a_torus() {
        let board = board(6, 6, true);
        let row = set(&board, "e1 f1 a1");
        assert_eq!(longest(&board, &row, LineKinds::ACROSS), 3);
        assert_eq!(longest(&board, &row, LineKinds::DOWN), 1);
        let found = runs(&board, &row, LineKinds::ACROSS);
        assert_eq!(found, [LineRun { line: 0, start: 4, length: 3 }]);
        assert_eq!(found[0].sites(&board).collect::<Vec<_>>(), [4, 5, 0].map(Site));
        let full = runs(&board, &board.row(1).unwrap(), LineKinds::ACROSS);
        assert_eq!(full, [LineRun { line: 0, start: 0, length: 6 }]);
    }

    #[test]
    fn a_lone_site_is_a_run_of_one_each_way() {
        let board = board(3, 3, false);
        assert_eq!(runs(&board, &set(&board, "a1"), LineKinds::ALL).len(), 4);
        assert_eq!(longest(&board, &set(&board, "a1 c3"), LineKinds::ALL), 1);
        assert_eq!(longest(&board, &BitSet::empty(9), LineKinds::ALL), 0);
    }

    #[test]
    fn sites_in_long_runs() {
        let board = board(6, 6, false);
        let marks = set(&board, "a1 b1 c1 c2 f1 f2 f3 d3");
        assert_eq!(in_runs(&board, &marks, LineKinds::ALL, 3), set(&board, "a1 b1 c1 f1 f2 f3 c2 d3"));
        assert_eq!(in_runs(&board, &marks, LineKinds::ACROSS, 3), set(&board, "a1 b1 c1"));
        assert_eq!(in_runs(&board, &marks, LineKinds::ALL, -1), marks);
    }

    #[test]
    fn kinds_have_names() {
        assert_eq!(LineKinds::ALL.names().collect::<Vec<_>>(), ["across", "down", "diagonal"]);
        assert_eq!(LineKinds::named("down"), Some(LineKinds::DOWN));
        assert_eq!(LineKinds::named("up"), None);
        assert_eq!(LineKinds::default(), LineKinds::ALL);
    }

    /// Returns the length of the run through a site in an orientation, found by walking cell by cell both ways.
    fn walked(width: i64, height: i64, wrap: bool, set: &BitSet, at: (i64, i64), way: (i64, i64)) -> u32 {
        let held = |mut x: i64, mut y: i64| {
            if wrap {
                (x, y) = (x.rem_euclid(width), y.rem_euclid(height));
            }
            (0..width).contains(&x) && (0..height).contains(&y) && set.contains((y * width + x) as u32)
        };
        let around = (1..).find(|k| (k * way.0) % width == 0 && (k * way.1) % height == 0).unwrap();
        let mut length = 1;
        for sign in [1, -1] {
            let mut k = 1;
            while length < around && held(at.0 + sign * k * way.0, at.1 + sign * k * way.1) {
                length += 1;
                k += 1;
            }
        }
        length as u32
    }

    proptest! {
        #[test]
        fn runs_agree_with_walking((board, wrap, set) in some_boards::with_a_set(0.6)) {
            let (width, height, size) = (board.width(), board.height(), board.size());
            let (w, h) = (i64::from(width), i64::from(height));
            for (kind, ways) in [
                (LineKinds::ACROSS, vec![(1, 0)]),
                (LineKinds::DOWN, vec![(0, 1)]),
                (LineKinds::DIAGONAL, vec![(1, 1), (1, -1)]),
            ] {
                // A run of length n is walked once from each of its n sites.
                let mut sites_by_length = std::collections::BTreeMap::new();
                let mut longest_walked = 0;
                let mut long = BitSet::empty(size);
                for site in set.iter() {
                    for way in &ways {
                        let at = (i64::from(site) % w, i64::from(site) / w);
                        // The board is widened so that, without wrapping, the limit of one round never ends a
                        // walk.
                        let length = if wrap { walked(w, h, true, &set, at, *way) }
                            else { walked(w + 1, h + 1, false, &widen(&set, width, height), at, *way) };
                        *sites_by_length.entry(length).or_insert(0) += 1;
                        longest_walked = longest_walked.max(length);
                        if length >= 3 {
                            long.insert(site);
                        }
                    }
                }
                let mut found = std::collections::BTreeMap::new();
                for run in runs(&board, &set, kind) {
                    *found.entry(run.length).or_insert(0) += run.length;
                    prop_assert!(run.sites(&board).all(|s| set.contains(s.0)));
                }
                prop_assert_eq!(found, sites_by_length);
                prop_assert_eq!(longest(&board, &set, kind), longest_walked);
                prop_assert_eq!(in_runs(&board, &set, kind, 3), long);
            }
        }
    }

    /// Copies a set to a board with one more column and row, both empty.
    fn widen(set: &BitSet, width: u32, height: u32) -> BitSet {
        let sites = set.iter().map(|s| (s / width) * (width + 1) + s % width);
        BitSet::from_elements((width + 1) * (height + 1), sites)
    }
}
