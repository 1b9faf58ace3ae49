//! Tests of topologies on small boards.

use super::*;
use std::collections::BTreeMap;

fn grid(width: u32, height: u32) -> Topology {
    Topology::grid(width, height, false, Notation::Letters)
}

fn torus(width: u32, height: u32) -> Topology {
    Topology::grid(width, height, true, Notation::Letters)
}

fn names(topology: &Topology, set: &BitSet) -> String {
    set.sites().map(|s| topology.site_name(s)).collect::<Vec<_>>().join(" ")
}

fn lengths(topology: &Topology, least: usize) -> BTreeMap<usize, usize> {
    let mut counts = BTreeMap::new();
    for line in topology.lines().iter().filter(|l| l.sites.len() >= least) {
        *counts.entry(line.sites.len()).or_default() += 1;
    }
    counts
}

#[test]
fn six_by_six_has_26_lines_of_three_or_more() {
    let found = lengths(&grid(6, 6), 3);
    assert_eq!(found, BTreeMap::from([(3, 4), (4, 4), (5, 4), (6, 14)]));
    assert_eq!(found.values().sum::<usize>(), 26);
}

#[test]
fn six_by_six_has_80_windows_of_three() {
    let windows: usize = grid(6, 6).lines().iter().map(|l| l.sites.len().saturating_sub(2)).sum();
    assert_eq!(windows, 80);
}

#[test]
fn a_torus_has_cycles_only() {
    let board = torus(6, 6);
    assert_eq!(board.lines().len(), 24);
    assert!(board.lines().iter().all(|l| l.cyclic && l.sites.len() == 6));
    // A diagonal of an oblong torus winds around it: gcd cycles of lcm sites each.
    assert_eq!(lengths(&torus(4, 6), 1), BTreeMap::from([(4, 6), (6, 4), (12, 4)]));
    assert!(board.edge().is_empty() && board.corners().is_empty());
}

#[test]
fn every_site_lies_on_one_line_of_each_orientation() {
    for board in [grid(5, 3), torus(5, 3), grid(1, 4), torus(1, 4), grid(1, 1), torus(1, 1)] {
        for site in board.sites() {
            let through =
                |kind| board.lines().iter().filter(|l| l.kind == kind && l.sites.contains(&site)).count();
            assert_eq!(through(LineKinds::ACROSS), 1);
            assert_eq!(through(LineKinds::DOWN), 1);
            assert_eq!(through(LineKinds::DIAGONAL), 2);
        }
    }
}

#[test]
fn lines_follow_steps_from_edge_to_edge() {
    let board = grid(3, 3);
    let first = &board.lines()[0];
    assert_eq!((first.kind, first.sites.as_slice()), (LineKinds::ACROSS, [0, 1, 2].map(Site).as_slice()));
    for line in board.lines() {
        let name = match line.kind {
            LineKinds::ACROSS => "east",
            LineKinds::DOWN => "north",
            _ if line.sites.len() == 1 => continue,
            _ if line.sites[1] > line.sites[0] => "northeast",
            _ => "southeast",
        };
        let forward = board.direction_named(name).unwrap();
        let walked: Vec<_> = line.sites.iter().map(|s| board.step(*s, forward)).collect();
        let expected: Vec<_> = line.sites[1..].iter().copied().map(Some).chain([None]).collect();
        assert_eq!(walked, expected);
    }
}

#[test]
fn neighbours_stop_at_the_edge_or_wrap() {
    let board = grid(6, 6);
    let at = |t: &Topology, name: &str| t.parse_site(name).unwrap();
    assert_eq!(names(&board, &board.around(at(&board, "a1"))), "b1 a2 b2");
    assert_eq!(names(&board, &board.beside(at(&board, "c3"))), "c2 b3 d3 c4");
    assert_eq!(board.around(at(&board, "c3")).len(), 8);
    let board = torus(6, 6);
    assert_eq!(names(&board, &board.around(at(&board, "a1"))), "b1 f1 a2 b2 f2 a6 b6 f6");
    assert_eq!(names(&board, &board.beside(at(&board, "a1"))), "b1 f1 a2 a6");
}

#[test]
fn regions_of_a_board() {
    let board = grid(4, 3);
    assert_eq!(names(&board, &board.edge()), "a1 b1 c1 d1 a2 d2 a3 b3 c3 d3");
    assert_eq!(names(&board, &board.corners()), "a1 d1 a3 d3");
    assert_eq!(names(&board, &board.column(2).unwrap()), "b1 b2 b3");
    assert_eq!(names(&board, &board.row(3).unwrap()), "a3 b3 c3 d3");
    assert_eq!(board.column(0), None);
    assert_eq!(board.column(5), None);
    assert_eq!(board.row(4), None);
    assert_eq!(board.row(i64::MIN), None);
}

#[test]
fn the_centre_leans_to_the_lower_left() {
    let board = grid(5, 4);
    let center = |w, h| board.center(w, h).map(|c| names(&board, &c));
    assert_eq!(center(1, 2).as_deref(), Some("c2 c3"));
    assert_eq!(center(2, 1).as_deref(), Some("b2 c2"));
    assert_eq!(board.center(5, 4).map(|c| c.len()), Some(20));
    assert_eq!(center(6, 1), None);
    assert_eq!(center(0, 1), None);
    // The centre zones of two boards for a game of dots.
    let zone = grid(39, 32).center(15, 8).unwrap();
    let board = grid(39, 32);
    assert_eq!(zone.sites().next().map(|s| (board.column_of(s), board.row_of(s))), Some((13, 13)));
    assert_eq!(zone.sites().next_back().map(|s| (board.column_of(s), board.row_of(s))), Some((27, 20)));
}

#[test]
fn site_names_read_back() {
    for board in [grid(6, 12), grid(27, 3), Topology::grid(5, 5, false, Notation::Numbers)] {
        for site in board.sites() {
            assert_eq!(board.parse_site(&board.site_name(site)), Some(site));
        }
    }
    let board = grid(6, 6);
    assert_eq!(board.parse_site("c3"), Some(Site(14)));
    assert_eq!(board.parse_site("C3"), Some(Site(14)));
    for wrong in
        ["", "c", "3", "g1", "a0", "a7", "a01", "a+1", "a-1", "3:3", "a1 ", "é1", "a99999999999999999999"]
    {
        assert_eq!(board.parse_site(wrong), None, "{wrong}");
    }
    let board = Topology::grid(3, 4, false, Notation::Numbers);
    assert_eq!(board.parse_site("3:4"), Some(Site(11)));
    assert_eq!(board.parse_site("4:3"), None);
    assert_eq!(board.parse_site("c4"), None);
}

#[test]
fn columns_have_letters_or_numbers() {
    let grid = |width, notation| Topology::grid(width, 2, false, notation);
    assert_eq!(grid(3, Notation::Letters).column_names(), ["a", "b", "c"]);
    assert_eq!(grid(2, Notation::Numbers).column_names(), ["1", "2"]);
    let wide = grid(30, Notation::Letters).column_names();
    assert_eq!((wide[0].as_str(), wide[29].as_str()), ("1", "30"));
    let graph = Topology::graph(&["a1-g7 d4"], 9).unwrap();
    assert_eq!(graph.column_names(), ["a", "d", "g"]);
}
