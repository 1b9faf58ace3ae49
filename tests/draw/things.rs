//! Pictures with marked things: what legal actions name has a shape, each thing one, and no two shapes of a kind overlap.

use std::collections::{BTreeMap, BTreeSet};

use crate::checks::{games, short_name};
use crate::extent;
use houserule::draw::svg::{PictureStyle, Theme, style_sheet, svg};
use houserule::explain::things::ActionThings;
use houserule::game::State;
use houserule::loader::{Request, load};
use houserule::model::Model;

/// The least width and height of what a pointer has to hit.
const LEAST: f64 = 24.0;
/// Height of the smallest cards.
const TINY_CARD: f64 = 40.0;

/// Number of positions of a random game that are drawn.
const POSITIONS: usize = 8;

/// What actions name that no picture shows: numbers, directions and other words, for which a page has buttons. Each
/// with the first game of its kind.
const NOT_DRAWN: [(&str, &str); 17] = [
    ("0..3", "carcassonne.rules"),
    ("0..40", "go-pie"),
    ("0..6", "dominoes"),
    ("0..9", "dominoes-double-nine"),
    ("1..10", "liars-dice"),
    ("1..16", "liars-poker"),
    ("1..5", "dice-wide-shut"),
    ("1..6", "backgammon"),
    ("2..3", "push-off"),
    ("colour", "four-rows"),
    ("direction", "push-off"),
    ("half", "dice-wide-shut"),
    ("kind", "chess-los-alamos"),
    ("number", "liars-poker"),
    ("quarter", "five-with-a-twist"),
    ("suit", "crazy-eights"),
    ("way", "2048"),
];

/// The area of a thing on the page.
enum Area {
    Disc((f64, f64), f64),
    Shape(Vec<(f64, f64)>),
}

impl Area {
    /// Left, right, top and bottom.
    fn bounds(&self) -> [f64; 4] {
        match self {
            Area::Disc((x, y), r) => [x - r, x + r, y - r, y + r],
            Area::Shape(corners) => corners.iter().fold(
                [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY],
                |[l, r, t, b], (x, y)| [l.min(*x), r.max(*x), t.min(*y), b.max(*y)],
            ),
        }
    }

    /// Least and greatest coordinate in a direction of length 1.
    fn along(&self, (dx, dy): (f64, f64)) -> (f64, f64) {
        match self {
            Area::Disc((x, y), r) => (x * dx + y * dy - r, x * dx + y * dy + r),
            Area::Shape(corners) => {
                corners.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (x, y)| {
                    let at = x * dx + y * dy;
                    (low.min(at), high.max(at))
                })
            }
        }
    }

    /// The directions in which convex areas can be apart.
    fn normals(&self, other: &Area) -> Vec<(f64, f64)> {
        let unit = |dx: f64, dy: f64| (dx / dx.hypot(dy), dy / dx.hypot(dy));
        match (self, other) {
            (Area::Disc((ax, ay), _), Area::Disc((bx, by), _)) => vec![unit(bx - ax, by - ay)],
            (Area::Disc(..), Area::Shape(_)) => vec![],
            (Area::Shape(corners), _) => {
                let ends = corners.iter().zip(corners.iter().cycle().skip(1));
                ends.map(|((ax, ay), (bx, by))| unit(by - ay, ax - bx)).collect()
            }
        }
    }

    /// Returns `true` if two convex areas overlap by more than pictures round their numbers.
    fn overlaps(&self, other: &Area) -> bool {
        const ROUNDED: f64 = 0.03;
        let (a, b) = (self.bounds(), other.bounds());
        let near = a[0] < b[1] && b[0] < a[1] && a[2] < b[3] && b[2] < a[3];
        near && self.normals(other).into_iter().chain(other.normals(self)).all(|direction| {
            let (a, b) = (self.along(direction), other.along(direction));
            a.1.min(b.1) - a.0.max(b.0) > ROUNDED
        })
    }
}

fn number(text: Option<&str>) -> f64 {
    text.expect("a number").parse().expect("a number")
}

/// Reads `M1 2H3V4z`.
fn corners(path: &str) -> Vec<(f64, f64)> {
    let (mut found, mut at) = (vec![], (0.0, 0.0));
    let mut rest = path.trim_end_matches('z');
    while let Some(command) = rest.chars().next() {
        let end = rest[1..].find(|c: char| c.is_alphabetic()).map_or(rest.len(), |end| end + 1);
        let mut numbers = rest[1..end].split(' ').map(|text| number(Some(text)));
        let mut next = || numbers.next().expect("a number");
        at = match command {
            'H' => (next(), at.1),
            'V' => (at.0, next()),
            _ => (next(), next()),
        };
        found.push(at);
        rest = &rest[end..];
    }
    found
}

/// Returns `true` for the sites of a board so large that they are smaller than others, for sides of cells and for links.
fn may_be_small(model: &Model, kind: &str) -> bool {
    let name = kind.split_once('[').map_or(kind, |(family, _)| family);
    let name = name.strip_suffix("/columns").or(name.strip_suffix("/rows")).unwrap_or(name);
    model.boards.iter().filter(|board| board.name == name).any(|board| {
        let topology = &board.topology;
        board.sides_of.is_some() || topology.width().max(topology.height()) > 20
    })
}

/// Returns `true` for the name of what is neither a site nor a line of sites.
fn is_no_site(model: &Model, kind: &str) -> bool {
    let name = kind.split(['[', '/']).next().unwrap_or(kind);
    model.boards.iter().all(|board| board.name != name)
}

/// The things of a picture: each with its title and area.
fn things(picture: &str) -> BTreeMap<String, (String, Area)> {
    let document = roxmltree::Document::parse(picture).expect("a picture");
    let mut found = BTreeMap::new();
    for node in document.descendants() {
        let Some(thing) = node.attribute("data-thing") else { continue };
        let moved = node.ancestors().filter_map(|above| {
            let inside = above.attribute("transform")?.strip_prefix("translate(")?.strip_suffix(')')?;
            let (x, y) = inside.split_once(' ').expect("two numbers");
            Some((number(Some(x)), number(Some(y))))
        });
        let (dx, dy) = moved.fold((0.0, 0.0), |(x, y), (dx, dy)| (x + dx, y + dy));
        let of = |name: &str| number(node.attribute(name));
        let area = match node.tag_name().name() {
            "circle" => Area::Disc((of("cx") + dx, of("cy") + dy), of("r")),
            _ => {
                let corners = corners(node.attribute("d").expect("a path"));
                Area::Shape(corners.into_iter().map(|(x, y)| (x + dx, y + dy)).collect())
            }
        };
        assert_eq!(node.attribute("fill"), Some("transparent"));
        let title = node
            .children()
            .find(|child| child.has_tag_name((node.tag_name().namespace().unwrap_or(""), "title")));
        let title = title.and_then(|title| title.text()).unwrap_or_default().to_owned();
        assert!(!title.is_empty(), "{thing} has no title");
        assert!(found.insert(thing.to_owned(), (title, area)).is_none(), "{thing} is marked twice");
    }
    found
}

fn kind(thing: &str) -> &str {
    thing.rsplit_once(':').expect("a thing").0
}

fn marked(state: &State) -> String {
    svg(state, &PictureStyle { viewer: state.current_player(), things: true, ..PictureStyle::default() })
}

#[test]
fn what_legal_actions_name_can_be_clicked() {
    let mut missing = BTreeMap::<String, BTreeSet<String>>::new();
    let mut named = 0;
    for name in extent::some_of("things", 6, games()) {
        let game = load(&Request { name: &name, ..Request::default() }).expect("a game").game;
        let name = short_name(&name);
        let mut state = game.start(1, 0).expect("a start");
        for position in 0..POSITIONS {
            let picture = marked(&state);
            let drawn = things(&picture);
            assert!(!picture.contains("style") && !picture.contains(" id="), "{name}");
            for (thing, (_, area)) in &drawn {
                let [left, right, top, bottom] = area.bounds();
                let is_small = (right - left).min(bottom - top) < LEAST - 0.05;
                // Cards at the seats of others cover each other, if there are many.
                let is_at_other_seat = bottom - top <= TINY_CARD && is_no_site(game.model(), kind(thing));
                assert!(
                    !is_small || is_at_other_seat || may_be_small(game.model(), kind(thing)),
                    "{name}: {thing} {left} to {right}, {top} to {bottom}"
                );
            }
            if position == 0 || position + 1 == POSITIONS {
                let all: Vec<(&String, &(String, Area))> = drawn.iter().collect();
                for (at, (one, (_, area))) in all.iter().enumerate() {
                    for (other, (_, over)) in &all[..at] {
                        assert!(kind(one) != kind(other) || !area.overlaps(over), "{name}: {one}, {other}");
                    }
                }
            }
            let names = ActionThings::from_state(&state);
            for action in state.legal_actions() {
                for thing in names.named_by(&game, action) {
                    named += 1;
                    if !drawn.contains_key(&thing) {
                        missing.entry(kind(&thing).to_owned()).or_default().insert(name.to_owned());
                    }
                }
            }
            for _ in 0..=position * 3 {
                let Some(action) = state.random_action() else { break };
                state.apply(action).expect("a legal action");
            }
        }
    }
    assert!(named > extent::tries(500, 10_000), "actions name things: {named}");
    let is_known = |kind: &String| NOT_DRAWN.iter().any(|(known, _)| known == kind);
    missing.retain(|kind, _| extent::everything() || !is_known(kind));
    let missing: Vec<(&str, &str)> = missing
        .iter()
        .map(|(kind, games)| (kind.as_str(), games.first().map_or("", String::as_str)))
        .collect();
    assert_eq!(missing, if extent::everything() { NOT_DRAWN.to_vec() } else { vec![] });
}

#[test]
fn the_styles_are_those_of_the_colours() {
    let sheet = style_sheet();
    let game = load(&Request { name: "kalah", ..Request::default() }).expect("a game").game;
    let state = game.start(1, 0).expect("a start");
    let dark = svg(&state, &PictureStyle { theme: Theme::Dark, ..PictureStyle::default() });
    let marked = marked(&state);
    let colours = |picture: &str| -> BTreeSet<String> {
        let values = picture.split(['"']).filter(|text| text.len() == 7 && text.starts_with('#'));
        values.map(str::to_owned).collect()
    };
    for colour in colours(&marked) {
        let rule = format!("[data-theme=dark] .houserule-drawing [fill=\"{colour}\"]{{fill:");
        let (_, rest) = sheet.split_once(&rule).unwrap_or_else(|| panic!("{colour} has no rule"));
        assert!(colours(&dark).contains(&rest[..7]), "{colour} becomes {}", &rest[..7]);
    }
}

#[test]
fn shapes_of_sites_say_whether_something_stands_there() {
    let game = load(&Request { name: "chess", ..Request::default() }).expect("a game").game;
    let picture = marked(&game.start(1, 0).expect("a start"));
    for (at, count) in [("open", 32), ("taken", 32)] {
        assert_eq!(picture.matches(&format!("data-at=\"{at}\"")).count(), count, "{at}");
    }
    let plain = svg(&game.start(1, 0).expect("a start"), &PictureStyle::default());
    assert!(!plain.contains("data-at") && !plain.contains("class=\"card\""));
}
