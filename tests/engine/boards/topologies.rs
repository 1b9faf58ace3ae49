//! Sites, neighbours, lines and names.

use houserule::board::{self, BitSet, GraphError, LineKinds, Notation, Site, Topology};
use proptest::prelude::*;

fn names(topology: &Topology, set: &BitSet) -> String {
    set.sites().map(|site| topology.site_name(site)).collect::<Vec<_>>().join(" ")
}

fn site(topology: &Topology, name: &str) -> Site {
    topology.parse_site(name).unwrap_or_else(|| panic!("no site {name}"))
}

fn set(topology: &Topology, text: &str) -> BitSet {
    BitSet::from_sites(topology.size(), text.split_whitespace().map(|name| site(topology, name)))
}

#[test]
fn a_cell_of_six_sides_has_six_neighbours() {
    let board = Topology::hex(11, 11, Notation::Letters);
    let around = |name| names(&board, &board.around(site(&board, name)));
    assert_eq!(around("c3"), "c2 d2 b3 d3 b4 c4");
    // Two corners are acute and two are obtuse.
    assert_eq!(around("a1"), "b1 a2");
    assert_eq!(around("k11"), "k10 j11");
    assert_eq!(around("a11"), "a10 b10 b11");
    assert_eq!(around("k1"), "j1 j2 k2");
    for cell in board.sites() {
        assert_eq!(board.around(cell), board.beside(cell));
        assert!(board.around(cell).sites().all(|other| board.around(other).contains(cell.0)));
    }
    assert_eq!(board.edge().len(), 40);
    assert_eq!(names(&board, &board.corners()), "a1 k1 a11 k11");
}

#[test]
fn lines_of_hexagons_run_three_ways() {
    let board = Topology::hex(4, 3, Notation::Letters);
    let of = |kind: LineKinds| {
        let lines = board.lines().iter().filter(|line| line.kind == kind);
        let text =
            |line: &board::Line| line.sites.iter().map(|s| board.site_name(*s)).collect::<Vec<_>>().join("-");
        lines.map(text).collect::<Vec<_>>()
    };
    assert_eq!(of(LineKinds::ACROSS), ["a1-b1-c1-d1", "a2-b2-c2-d2", "a3-b3-c3-d3"]);
    assert_eq!(of(LineKinds::DOWN), ["a1-a2-a3", "b1-b2-b3", "c1-c2-c3", "d1-d2-d3"]);
    assert_eq!(of(LineKinds::DIAGONAL), ["a1", "a2-b1", "a3-b2-c1", "b3-c2-d1", "c3-d2", "d3"]);
    // A step in each direction leads to a different neighbour.
    let around: Vec<Site> = (0..6).filter_map(|way| board.step(site(&board, "b2"), way)).collect();
    assert_eq!(BitSet::from_sites(12, around), board.around(site(&board, "b2")));
}

#[test]
fn from_the_top_north_is_up_all_the_same() {
    for board in [Topology::hex(5, 5, Notation::Letters), Topology::grid(5, 5, false, Notation::Letters)] {
        let up = board.direction_named("northeast").unwrap();
        let beyond = |board: &Topology, way| board.step(site(board, "c3"), way).map(|s| board.site_name(s));
        let from_below = beyond(&board, up);
        let turned = board.clone().from_top();
        let from_above = beyond(&turned, turned.direction_named("northeast").unwrap());
        assert_ne!(from_below, from_above);
        let row = |name: Option<String>| name.unwrap()[1..].parse::<u32>().unwrap();
        assert_eq!((row(from_below), row(from_above)), (4, 2));
    }
}

#[test]
fn a_graph_is_what_its_text_says() {
    let board = Topology::graph(&["a1-d1-g1 a4-b4-c4", "a1-a4 g1-a1"], 99).unwrap();
    // Names of a letter and a number are sorted by number, then by letter.
    assert_eq!(names(&board, &BitSet::full(6)), "a1 d1 g1 a4 b4 c4");
    assert_eq!(names(&board, &board.around(site(&board, "a1"))), "d1 g1 a4");
    assert_eq!(names(&board, &board.beside(site(&board, "B4"))), "a4 c4");
    assert_eq!(board.lines().len(), 4);
    assert_eq!(board.longest("a1 d1 g1"), 3);
    // Three sites in a chain that isn't a line are no run of three.
    assert_eq!(board.longest("a4 a1 d1"), 2);
    // Other names stay in the order of the text.
    let board = Topology::graph(&["hub-north hub-south", "north-east-south-west-north"], 99).unwrap();
    assert_eq!(names(&board, &BitSet::full(5)), "hub north south east west");
    // A ring wraps around.
    assert_eq!(board.longest("west north east"), 3);
    assert_eq!(board.longest("north south"), 1);
}

trait Longest {
    fn longest(&self, text: &str) -> u32;
}

impl Longest for Topology {
    fn longest(&self, text: &str) -> u32 {
        board::longest(self, &set(self, text), LineKinds::ALL)
    }
}

#[test]
fn a_track_goes_forward_and_back() {
    for (wrap, ends) in [(false, "1 5"), (true, "")] {
        let board = Topology::track(5, wrap);
        assert_eq!(names(&board, &board.edge()), ends);
        let step = |name, way| {
            let way = board.direction_named(way).unwrap();
            board.step(site(&board, name), way).map(|s| board.site_name(s))
        };
        assert_eq!(step("3", "forward").as_deref(), Some("4"));
        assert_eq!(step("3", "back").as_deref(), Some("2"));
        assert_eq!(step("5", "forward").as_deref(), wrap.then_some("1"));
        assert_eq!(step("1", "back").as_deref(), wrap.then_some("5"));
        assert_eq!(names(&board, &board.around(site(&board, "2"))), "1 3");
        assert_eq!(board.longest("4 5 1"), if wrap { 3 } else { 2 });
    }
    assert_eq!(Topology::track(1, false).around(Site(0)).len(), 0);
    let two = Topology::track(2, false);
    assert_eq!(
        (two.step(Site(0), 0), two.step(Site(0), 1), two.step(Site(1), 0), two.step(Site(1), 1)),
        (Some(Site(1)), None, None, Some(Site(0)))
    );
}

#[test]
fn a_text_that_is_no_graph_says_why() {
    let error = |text: &str| Topology::graph(&[text], 4).unwrap_err();
    assert_eq!(error("  "), GraphError::Empty);
    assert_eq!(error("a--b"), GraphError::Name(String::new()));
    assert_eq!(error("a-b!"), GraphError::Name("b!".into()));
    assert_eq!(error("a-none"), GraphError::Name("none".into()));
    assert_eq!(error("Hub-hub"), GraphError::Capitals("Hub".into(), "hub".into()));
    assert_eq!(error("a-b-a"), GraphError::Twice("a".into()));
    assert_eq!(error("a-b-c-b"), GraphError::Twice("b".into()));
    assert_eq!(error("a-b-c-d-e"), GraphError::Large(4));
}

#[test]
fn a_side_has_one_name_and_is_read_by_all() {
    let board = Topology::sides(3, 2, Notation::Letters, false);
    assert_eq!(board.size(), 17);
    let all = "a1-south b1-south c1-south a1-north b1-north c1-north a2-north b2-north c2-north \
               a1-west a1-east b1-east c1-east a2-west a2-east b2-east c2-east";
    assert_eq!(names(&board, &BitSet::full(17)), all.split_whitespace().collect::<Vec<_>>().join(" "));
    for same in [["a1-north", "a2-south"], ["b1-west", "a1-east"], ["B1W", "a1e"], ["b2-n", "B2-North"]] {
        assert_eq!(board.parse_site(same[0]), board.parse_site(same[1]), "{same:?}");
    }
    for none in ["d1-north", "a3-south", "a0-north", "a1-up", "a1", "north", "", "-n", "é1-n"] {
        assert_eq!(board.parse_site(none), None, "{none}");
    }
    let numbers = Topology::sides(30, 2, Notation::Numbers, false);
    assert_eq!(numbers.parse_site("3:2-west"), numbers.parse_site("2:2-east"));
    // From the top, row 2 is below row 1.
    let top = Topology::sides(3, 2, Notation::Letters, true);
    assert_eq!(top.parse_site("a1-south"), top.parse_site("a2-north"));
    assert_eq!(top.site_name(top.parse_site("a2-north").unwrap()), "a1-south");
    assert_ne!(top.parse_site("a1-north"), top.parse_site("a2-south"));
}

proptest! {
    #[test]
    fn cells_lie_at_their_sides(width in 1u32..7, height in 1u32..7, from_top: bool) {
        let board = Topology::sides(width, height, Notation::Letters, from_top);
        prop_assert_eq!(board.cells(), width * height);
        prop_assert_eq!(board.size(), 2 * width * height + width + height);
        let mut of_all = 0;
        for cell in 0..board.cells() {
            let sides = board.sides_of(&BitSet::single(board.cells(), cell));
            prop_assert_eq!(sides.len(), 4);
            of_all += sides.len();
            for side in 0..board.size() {
                let cells = board.cells_at(&BitSet::single(board.size(), side));
                prop_assert!((1..=2).contains(&cells.len()));
                prop_assert_eq!(cells.contains(cell), sides.contains(side));
            }
        }
        let at_sides: u32 =
            (0..board.size()).map(|s| board.cells_at(&BitSet::single(board.size(), s)).len()).sum();
        prop_assert_eq!(of_all, at_sides);
        for side in board.sites() {
            prop_assert_eq!(board.parse_site(&board.site_name(side)), Some(side));
        }
    }

    #[test]
    fn a_full_board_of_hex_has_one_winner(
        size in 1u32..12,
        bits in prop::collection::vec(any::<bool>(), 121),
    ) {
        let board = Topology::hex(size, size, Notation::Letters);
        let red = BitSet::from_elements(size * size, (0..size * size).filter(|s| bits[*s as usize]));
        let (row, column) = (|n| board.row(n).unwrap(), |n| board.column(n).unwrap());
        let last = i64::from(size);
        let red_wins = board::connected(&board, &red, &row(1), &row(last), true);
        let blue_wins = board::connected(&board, &red.complement(), &column(1), &column(last), true);
        prop_assert!(red_wins != blue_wins);
    }
}
