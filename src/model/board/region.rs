//! Operations on sets of sites: shift, ray, neighbours, flood fill, connected components, holes.
//!
//! If `orthogonal` is true, neighbours are those across sides only; otherwise those across corners too.

use super::{BitSet, Near, Site, Topology};

/// Moves a set one step in a direction. Sites that leave the board are dropped.
pub fn shift(topology: &Topology, set: &BitSet, direction: u32) -> BitSet {
    BitSet::from_sites(topology.size(), set.sites().filter_map(|s| topology.step(s, direction)))
}

/// Returns the sites beyond the sites of a set in a direction, up to the edge. On a torus a ray ends before it
/// returns to its own site.
pub fn ray(topology: &Topology, set: &BitSet, direction: u32) -> BitSet {
    let mut beyond = BitSet::empty(topology.size());
    for start in set.sites() {
        let mut site = topology.step(start, direction);
        while let Some(s) = site.filter(|s| *s != start) {
            beyond.insert(s.0);
            site = topology.step(s, direction);
        }
    }
    beyond
}

/// Returns the sites that a piece on each site of a set can slide to in a direction: those beyond it up to the
/// first that isn't in `through`, which is included. On a torus no site is reached from itself.
pub fn slide(topology: &Topology, set: &BitSet, direction: u32, through: &BitSet) -> BitSet {
    let mut passed = BitSet::empty(topology.size());
    for start in set.sites() {
        let mut site = topology.step(start, direction);
        while let Some(s) = site.filter(|s| *s != start) {
            passed.insert(s.0);
            site = if through.contains(s.0) { topology.step(s, direction) } else { None };
        }
    }
    passed
}

/// Returns the sites near the sites of a set. They may be in the set themselves.
pub fn neighbours(topology: &Topology, set: &BitSet, near: Near) -> BitSet {
    let near = |site| topology.near_to(site, near);
    set.sites().fold(BitSet::empty(topology.size()), |all, site| all.union(&near(site)))
}

/// Flood fill: returns the sites reachable from `seed` through `within`, starting at the sites in both.
pub fn reach(topology: &Topology, seed: &BitSet, within: &BitSet, orthogonal: bool) -> BitSet {
    let mut reached = seed.intersect(within);
    let mut fresh: Vec<Site> = reached.sites().collect();
    while let Some(site) = fresh.pop() {
        for next in topology.near(site, orthogonal) {
            if within.contains(next.0) && !reached.contains(next.0) {
                reached.insert(next.0);
                fresh.push(next);
            }
        }
    }
    reached
}

/// Like [`reach`], by other steps. `steps` has the steps from each site: the site that a step leads to, and the link
/// between the two sites, if there is one. If `joined`, only steps along `links` are possible; otherwise only the others.
pub fn reach_by(
    steps: &[Vec<(Option<Site>, Site)>],
    seed: &BitSet,
    within: &BitSet,
    links: &BitSet,
    joined: bool,
) -> BitSet {
    let mut reached = seed.intersect(within);
    let mut fresh: Vec<Site> = reached.sites().collect();
    while let Some(site) = fresh.pop() {
        for (link, next) in &steps[site.index()] {
            let possible = link.is_some_and(|link| links.contains(link.0)) == joined;
            if possible && within.contains(next.0) && !reached.contains(next.0) {
                reached.insert(next.0);
                fresh.push(*next);
            }
        }
    }
    reached
}

/// Returns the connected component of `within` that contains `site`; empty if `site` isn't in `within`.
pub fn component(topology: &Topology, site: Site, within: &BitSet, orthogonal: bool) -> BitSet {
    reach(topology, &BitSet::single(topology.size(), site.0), within, orthogonal)
}

/// Returns the connected components of a set, ordered by their smallest sites.
pub fn components(topology: &Topology, set: &BitSet, orthogonal: bool) -> Vec<BitSet> {
    let mut parts = vec![];
    let mut rest = set.clone();
    while let Some(site) = rest.first() {
        let part = component(topology, Site(site), &rest, orthogonal);
        rest = rest.minus(&part);
        parts.push(part);
    }
    parts
}

/// Returns a set with its holes filled. Holes are sites that can't reach the edge without crossing the set;
/// `orthogonal` applies to the paths to the edge. A torus has no edge, so everything is filled.
pub fn fill(topology: &Topology, set: &BitSet, orthogonal: bool) -> BitSet {
    reach(topology, &topology.edge(), &set.complement(), orthogonal).complement()
}

/// Returns the regions next to `near` that `walls` enclose: connected components of the sites outside `walls`
/// that contain an orthogonal neighbour of `near` and don't reach the edge. `orthogonal` applies to the
/// components.
pub fn enclosed(topology: &Topology, near: &BitSet, walls: &BitSet, orthogonal: bool) -> BitSet {
    let free = walls.complement();
    let open = reach(topology, &topology.edge(), &free, orthogonal);
    reach(topology, &neighbours(topology, near, Near::Beside), &free.minus(&open), orthogonal)
}

/// Returns `true` if a site of `to` can be reached from a site of `from` through `within`. Both ends must be in
/// `within`.
pub fn connected(topology: &Topology, within: &BitSet, from: &BitSet, to: &BitSet, orthogonal: bool) -> bool {
    !reach(topology, from, within, orthogonal).intersect(to).is_empty()
}

/// Returns the sites of `through` in unbroken straight runs between a site of `from` and a site of `to`. On a
/// torus no run continues past its own start.
pub fn custodial(topology: &Topology, from: &BitSet, to: &BitSet, through: &BitSet) -> BitSet {
    let mut found = BitSet::empty(topology.size());
    for line in topology.lines() {
        let n = line.sites.len();
        for (at, _) in line.sites.iter().enumerate().filter(|(_, s)| from.contains(s.0)) {
            let forward = at + 1..if line.cyclic { at + n } else { n };
            let back = (if line.cyclic { at + 1 } else { n }..at + n).rev();
            add_between(&mut found, forward.map(|i| line.sites[i % n]), to, through);
            add_between(&mut found, back.map(|i| line.sites[i % n]), to, through);
        }
    }
    found
}

/// Adds the sites of `through` that a walk from a site of `from` passes without a break before each site of `to`.
fn add_between(found: &mut BitSet, walk: impl Iterator<Item = Site>, to: &BitSet, through: &BitSet) {
    let mut passed = vec![];
    for site in walk {
        if to.contains(site.0) {
            passed.drain(..).for_each(|s: Site| found.insert(s.0));
        }
        if !through.contains(site.0) {
            return;
        }
        passed.push(site);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Notation, some_boards};
    use super::*;
    use proptest::prelude::*;

    /// Parses a board drawn with its top row first, and the sets of sites marked by each of the letters.
    fn drawn<const N: usize>(rows: &[&str], letters: [char; N]) -> (Topology, [BitSet; N]) {
        let (width, height) = (rows[0].len() as u32, rows.len() as u32);
        let board = Topology::grid(width, height, false, Notation::Letters);
        let cells: Vec<char> = rows.iter().rev().flat_map(|r| r.chars()).collect();
        let marked =
            |letter| (0..width * height).filter(move |s| cells[*s as usize] == letter).collect::<Vec<_>>();
        let sets = letters.map(|l| BitSet::from_elements(width * height, marked.clone()(l)));
        (board, sets)
    }

    #[test]
    fn a_ring_is_filled() {
        let (board, [ring, hole]) = drawn(&[".....", "..x..", ".xox.", "..x.."], ['x', 'o']);
        // Enclosed for orthogonal steps, open for diagonal steps.
        assert_eq!(fill(&board, &ring, true), ring.union(&hole));
        assert_eq!(fill(&board, &ring, false), ring);
        let (board, [ring]) = drawn(&[".....", "..x..", ".x.x.", "....."], ['x']);
        assert_eq!(fill(&board, &ring, true), ring);
    }

    #[test]
    fn components_come_by_their_least_sites() {
        let (board, [x]) = drawn(&["x..x", ".x.x", "x..."], ['x']);
        let sizes =
            |orthogonal| components(&board, &x, orthogonal).iter().map(BitSet::len).collect::<Vec<_>>();
        assert_eq!(sizes(true), [1, 1, 2, 1]);
        assert_eq!(sizes(false), [3, 2]);
        assert!(component(&board, Site(1), &x, true).is_empty());
    }

    #[test]
    fn reaching_begins_within() {
        let (board, [a, b, x]) = drawn(&["a.xb", "xxx."], ['a', 'b', 'x']);
        assert!(reach(&board, &a, &x, true).is_empty());
        let all = a.union(&b).union(&x);
        assert!(connected(&board, &all, &a, &b, true));
        assert!(!connected(
            &board,
            &all.minus(&BitSet::single(8, 2)).minus(&BitSet::single(8, 6)),
            &a,
            &b,
            false
        ));
    }

    #[test]
    fn rays_end_at_the_edge_or_before_themselves() {
        let (board, [x, o]) = drawn(&["...", "xoo", "..."], ['x', 'o']);
        let east = board.direction_named("east").unwrap();
        assert_eq!(ray(&board, &x, east), o);
        assert_eq!(shift(&board, &x.union(&o), east), o);
        let torus = Topology::grid(3, 3, true, Notation::Letters);
        assert_eq!(ray(&torus, &x, east), o);
        assert_eq!(ray(&torus, &x.union(&BitSet::single(9, 4)), east), torus.row(2).unwrap());
    }

    proptest! {
        #[test]
        fn regions_agree_with_walking(
            (board, wrap, set) in some_boards::with_a_set(0.55),
            orthogonal: bool,
        ) {
            let (width, height, size) = (board.width(), board.height(), board.size());
            // Two sites touch if their columns and rows are adjacent, across the seam on a torus.
            let apart = |a: u32, b: u32, n: u32| {
                let d = a.abs_diff(b);
                if wrap { d.min(n - d) } else { d }
            };
            let touch = |a: u32, b: u32| {
                let dx = apart(a % width, b % width, width);
                let dy = apart(a / width, b / width, height);
                a != b && dx.max(dy) == 1 && (!orthogonal || dx + dy == 1)
            };
            // Compute components by propagating the smallest label until nothing changes.
            let mut label: Vec<u32> = (0..size).collect();
            let mut changed = true;
            while changed {
                changed = false;
                for a in set.iter() {
                    for b in set.iter() {
                        if touch(a, b) && label[a as usize] > label[b as usize] {
                            label[a as usize] = label[b as usize];
                            changed = true;
                        }
                    }
                }
            }
            let roots: Vec<u32> = set.iter().filter(|s| label[*s as usize] == *s).collect();
            let parts = components(&board, &set, orthogonal);
            prop_assert_eq!(parts.iter().map(|p| p.first().unwrap()).collect::<Vec<_>>(), roots);
            for part in &parts {
                let root = part.first().unwrap();
                prop_assert_eq!(part, &BitSet::from_elements(size, set.iter().filter(|s| label[*s as usize] == root)));
            }
            let outside = set.complement();
            let at_edge = |p: &BitSet| !p.intersect(&board.edge()).is_empty();
            let holes = components(&board, &outside, orthogonal).into_iter().filter(|p| !at_edge(p));
            prop_assert_eq!(fill(&board, &set, orthogonal), holes.fold(set.clone(), |a, b| a.union(&b)));
            if width > 2 && height > 2 {
                let near = (0..size).filter(|s| set.iter().any(|t| touch(*s, t)));
                prop_assert_eq!(neighbours(&board, &set, Near::neighbours(orthogonal)), BitSet::from_elements(size, near));
            }
        }
    }
}
