//! A board whose sites are links: each joins two sites of another board.

use super::{BitSet, Near, Shape, Site, Topology};

/// The links of a board.
#[derive(Clone, Debug)]
pub(super) struct Links {
    /// The number of sites of the board that they join.
    pub(super) cells: u32,
    /// The two sites that each link joins, the lower one first.
    pub(super) ends: Vec<[Site; 2]>,
    /// Where each link begins and ends on a drawing; none if the sites have no columns and rows.
    segments: Vec<(GridPoint, GridPoint)>,
}

impl Topology {
    /// Creates the board of the links between all sites that are near each other, named after both. It has no
    /// neighbours, directions or lines. Returns `None` if no sites are near each other.
    pub fn links(cells: &Topology, near: Near) -> Option<Topology> {
        let from = |site: Site| {
            let later = cells.near_to(site, near).sites().filter(|other| *other > site).collect::<Vec<_>>();
            later.into_iter().map(move |other| [site, other])
        };
        let ends: Vec<[Site; 2]> = cells.sites().flat_map(from).collect();
        if ends.is_empty() {
            return None;
        }
        let name = |[a, b]: &[Site; 2]| format!("{}_{}", cells.site_name(*a), cells.site_name(*b));
        let names: Vec<String> = ends.iter().map(name).collect();
        let none = vec![BitSet::empty(ends.len() as u32); ends.len()];
        let mut topology = Topology::named(Shape::Links, names, none, vec![]);
        let places = places_of(cells);
        let segment = |[a, b]: &[Site; 2]| Some((*places.get(a.index())?, *places.get(b.index())?));
        let segments = ends.iter().filter_map(segment).collect();
        topology.links = Some(Links { cells: cells.size(), ends, segments });
        Some(topology)
    }

    /// Returns the sites that a link joins, or `None` if this is not a board of links.
    pub fn ends(&self, link: Site) -> Option<[Site; 2]> {
        self.links.as_ref().map(|links| links.ends[link.index()])
    }

    /// Parses a link named by its ends in either order.
    pub(super) fn parse_link(&self, text: &str) -> Option<Site> {
        let same = |name: &str| self.sites().find(|site| self.site_name(*site).eq_ignore_ascii_case(name));
        let turned = |(at, _)| same(&format!("{}_{}", &text[at + 1..], &text[..at]));
        same(text).or_else(|| text.match_indices('_').find_map(turned))
    }

    /// Returns the links that cross one of `set`: both ends of each are apart from its ends, and on a drawing in columns
    /// and rows they have a point in common. Empty if the sites have no columns and rows.
    pub fn crossings(&self, set: &BitSet) -> BitSet {
        let segments = self.links.as_ref().map_or(&[][..], |links| &links.segments);
        let cross = |(a, b): &(GridPoint, GridPoint), (c, d): &(GridPoint, GridPoint)| {
            ![a, b].contains(&c) && ![a, b].contains(&d) && meet(*a, *b, *c, *d)
        };
        let of: Vec<_> = set.sites().filter_map(|link| segments.get(link.index())).collect();
        let crosses = |other: &Site| {
            segments.get(other.index()).is_some_and(|other| of.iter().any(|link| cross(link, other)))
        };
        BitSet::from_sites(self.size(), self.sites().filter(crosses))
    }

    /// Returns the steps that links allow from each site, each with the link that it crosses or goes along. With `joined`
    /// these are the steps along links; else the steps to neighbours, whether a link or side is between them or not.
    pub fn steps_by(&self, cells: &Topology, near: Near, joined: bool) -> Vec<Vec<(Option<Site>, Site)>> {
        let between = |a: Site, b: Site| {
            let of = |site: Site| self.sides_of(&BitSet::single(cells.size(), site.0));
            of(a).intersect(&of(b)).first().map(Site)
        };
        let from = |site: Site| -> Vec<(Option<Site>, Site)> {
            if joined {
                let links = self.sides_of(&BitSet::single(cells.size(), site.0));
                let other = |link: Site| {
                    let ends = self.cells_at(&BitSet::single(self.size(), link.0));
                    ends.sites().find(|end| *end != site).map(|end| (Some(link), end))
                };
                return links.sites().filter_map(other).collect();
            }
            cells.near_to(site, near).sites().map(|other| (between(site, other), other)).collect()
        };
        cells.sites().map(from).collect()
    }
}

/// A point in columns and rows.
type GridPoint = (i64, i64);

/// Returns where the sites of a board are on a drawing, or nothing if they have no columns and rows.
fn places_of(cells: &Topology) -> Vec<GridPoint> {
    match cells.places() {
        Some(places) => places.iter().map(|(x, y)| (i64::from(*x), i64::from(*y))).collect(),
        None if cells.has_rows() => {
            let place = |site| (i64::from(cells.column_of(site)), i64::from(cells.row_of(site)));
            cells.sites().map(place).collect()
        }
        None => vec![],
    }
}

/// Returns `true` if the segments from `a` to `b` and from `c` to `d` have a point in common.
fn meet(a: GridPoint, b: GridPoint, c: GridPoint, d: GridPoint) -> bool {
    let side = |p: GridPoint, q: GridPoint, r: GridPoint| {
        ((q.0 - p.0) * (r.1 - p.1) - (q.1 - p.1) * (r.0 - p.0)).signum()
    };
    let within = |p: GridPoint, q: GridPoint, r: GridPoint| {
        (p.0.min(q.0)..=p.0.max(q.0)).contains(&r.0) && (p.1.min(q.1)..=p.1.max(q.1)).contains(&r.1)
    };
    let (ac, ad, ca, cb) = (side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b));
    if ac != ad && ca != cb {
        return true;
    }
    let on = [(ac, a, b, c), (ad, a, b, d), (ca, c, d, a), (cb, c, d, b)];
    on.iter().any(|(side, p, q, r)| *side == 0 && within(*p, *q, *r))
}

#[cfg(test)]
mod tests {
    use super::super::Notation;
    use super::*;

    fn bridges(size: u32) -> (Topology, Topology) {
        let cells = Topology::grid(size, size, false, Notation::Letters);
        let links = Topology::links(&cells, Near::Leap(1, 2)).unwrap();
        (cells, links)
    }

    #[test]
    fn every_pair_is_one_link() {
        // A board of n × n has 4 (n - 1) (n - 2) pairs a knight's move apart.
        assert_eq!(bridges(3).1.size(), 8);
        assert_eq!(bridges(24).1.size(), 4 * 23 * 22);
        let star = Topology::graph(&["hub-north hub-east", "north-east"], 9).unwrap();
        let roads = Topology::links(&star, Near::Beside).unwrap();
        assert_eq!(roads.size(), 3);
        assert_eq!(roads.parse_site("east_hub"), roads.parse_site("hub_east"));
        assert_eq!(roads.site_name(roads.parse_site("north_hub").unwrap()), "hub_north");
    }

    #[test]
    fn links_know_their_ends() {
        let (cells, links) = bridges(5);
        for link in links.sites() {
            let [a, b] = links.ends(link).unwrap();
            let both = BitSet::from_sites(25, [a, b]);
            assert_eq!(links.cells_at(&BitSet::single(links.size(), link.0)), both);
            let shared = [a, b].map(|end| links.sides_of(&BitSet::single(25, end.0)));
            assert_eq!(shared[0].intersect(&shared[1]), BitSet::single(links.size(), link.0));
            assert!(cells.near_to(a, Near::Leap(1, 2)).contains(b.0));
        }
    }

    #[test]
    fn a_bridge_in_the_middle_crosses_nine_others() {
        // Counted on paper: in the open each bridge of a peg game is crossed by nine others.
        let (_, links) = bridges(9);
        let middle = links.parse_site("e5_f7").unwrap();
        let crossings = |link: Site| links.crossings(&BitSet::single(links.size(), link.0));
        assert_eq!(crossings(middle).len(), 9);
        for other in crossings(middle).sites() {
            assert!(crossings(other).contains(middle.0), "crossing is mutual");
        }
    }

    #[test]
    fn a_wall_bars_one_step() {
        let cells = Topology::grid(2, 2, false, Notation::Letters);
        let sides = Topology::sides(2, 2, Notation::Letters, false);
        let steps = sides.steps_by(&cells, Near::Beside, false);
        let wall = sides.parse_site("a1n").unwrap();
        let (a1, a2) = (cells.parse_site("a1").unwrap(), cells.parse_site("a2").unwrap());
        assert!(steps[a1.index()].contains(&(Some(wall), a2)));
        assert_eq!(steps[a1.index()].len(), 2);
    }
}
