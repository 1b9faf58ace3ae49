//! States as SVG: every bundled game in every theme, every kind of board, and the gallery.

#![allow(clippy::unwrap_used)]

mod boards;
mod command;
mod forms;
#[path = "../../../examples/gallery/pictures.rs"]
mod gallery;
mod looks;
mod men;
mod paper;
mod piles;
mod seen;
mod shown;
mod sites;
mod stale;

use houserule::draw::svg::{PictureStyle, Theme, svg};
use houserule::game::{Game, Start, State};
use houserule::loader::{Request, load, load_text};

const THEMES: [Theme; 3] = [Theme::Light, Theme::Dark, Theme::Auto];

/// Loads a bundled game, with the fewest players.
fn bundled(name: &str) -> Game {
    load(&Request { name, ..Request::default() }).unwrap_or_else(|error| panic!("{name}: {error}")).game
}

/// Loads a game from a rule text.
fn written(text: &str) -> Game {
    load_text("test.rules", text, &Request::default()).unwrap_or_else(|error| panic!("{error}\n{text}")).game
}

/// Starts a game with explicit chance, which stops at every decision.
fn begun(game: &Game) -> State {
    game.start_at(&Start { seed: 5, explicit_chance: true, ..Start::default() }).unwrap()
}

/// Applies some random events.
fn go_on(state: &mut State, events: usize) {
    let mut dice = houserule::rng::Stream::new(5, 0, 0);
    for _ in 0..events {
        if state.is_over() {
            break;
        }
        match state.random_action() {
            Some(action) => state.apply(action).unwrap(),
            None => state.apply_outcome(dice.below(state.chance_outcomes())).unwrap(),
        }
    }
}

/// Applies actions by name.
fn play(state: &mut State, actions: &[&str]) {
    for name in actions {
        let action = state.game().parse_action(name).unwrap_or_else(|| panic!("no action `{name}`"));
        state.apply(action).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

fn drawn(state: &State, theme: Theme) -> String {
    svg(state, &PictureStyle { theme, ..PictureStyle::default() })
}

/// Returns the elements in the named parts of a picture.
fn in_part(picture: &str, part: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(picture).unwrap();
    let parts = document.descendants().filter(|node| node.attribute("data-part") == Some(part));
    let inside = parts.flat_map(|part| part.descendants().skip(1)).filter(|node| node.is_element());
    inside.filter(|node| !node.has_tag_name("g")).map(|node| node.tag_name().name().to_owned()).collect()
}

/// Returns all text elements of a picture.
fn texts(picture: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(picture).unwrap();
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts.filter_map(|node| node.text().map(str::to_owned)).collect()
}

/// Asserts that a picture is valid: well-formed, self-contained XML with all elements inside its page.
fn assert_sound(name: &str, picture: &str) {
    let document =
        roxmltree::Document::parse(picture).unwrap_or_else(|error| panic!("{name}: {error}\n{picture}"));
    let root = document.root_element();
    assert_eq!(root.tag_name().namespace(), Some("http://www.w3.org/2000/svg"), "{name}");
    let view: Vec<f64> =
        root.attribute("viewBox").unwrap().split(' ').map(|number| number.parse().unwrap()).collect();
    let (width, height) = (view[2], view[3]);
    let mut drawn = 0;
    for node in root.descendants().filter(roxmltree::Node::is_element) {
        for word in ["href", "class", "onload"] {
            assert!(node.attribute(word).is_none(), "{name}: `{word}` in {:?}", node.tag_name());
        }
        let Some([left, top, right, bottom]) = extent(&node) else { continue };
        let mut placed = [left, top, right, bottom];
        for above in node.ancestors().filter_map(|above| above.attribute("transform")) {
            let (moved, scaled) = match above.split_once(") scale(") {
                Some((moved, scale)) => (moved, Some(scale)),
                None => (above, None),
            };
            let (x, y) = moved.strip_prefix("translate(").unwrap().split_once(' ').unwrap();
            let number = |text: &str| text.trim_end_matches(')').parse::<f64>().unwrap();
            let scale = scaled.map_or(1.0, number);
            let by = [number(x), number(y)];
            placed = [0, 1, 2, 3].map(|at| placed[at] * scale + by[at % 2]);
        }
        drawn += 1;
        let [left, top, right, bottom] = placed;
        // Scaled numbers are rounded.
        let least = -0.05;
        let inside = left >= least && top >= least && right <= width - least && bottom <= height - least;
        assert!(
            inside,
            "{name}: {:?} {:?} lies outside of {width} × {height}: {left}, {top} to {right}, {bottom}",
            node.tag_name().name(),
            node.attributes().collect::<Vec<_>>()
        );
    }
    assert!(drawn > 3, "{name}: {picture}");
}

/// Returns the bounding box of an element, with its outline.
fn extent(node: &roxmltree::Node<'_, '_>) -> Option<[f64; 4]> {
    let number = |name: &str| node.attribute(name).map_or(0.0, |text| text.parse::<f64>().unwrap());
    let edge = number("stroke-width") / 2.0;
    let [left, top, right, bottom] = match node.tag_name().name() {
        "rect" => {
            let (x, y) = (number("x"), number("y"));
            [x, y, x + number("width"), y + number("height")]
        }
        "circle" => {
            let (x, y, r) = (number("cx"), number("cy"), number("r"));
            [x - r, y - r, x + r, y + r]
        }
        "path" => path(node.attribute("d").unwrap()),
        "text" => {
            // Approximate widths in fonts, with narrow letters and spaces.
            let (x, y, size) = (number("x"), number("y"), number("font-size"));
            let wide = node.text().unwrap_or("").chars().count() as f64 * size * 0.42;
            let left = match node.attribute("text-anchor") {
                Some("middle") => x - wide / 2.0,
                Some("end") => x - wide,
                _ => x,
            };
            [left, y - size * 0.75, left + wide, y + size * 0.2]
        }
        _ => return None,
    };
    assert!(left <= right && top <= bottom, "{node:?}");
    Some([left - edge, top - edge, right + edge, bottom + edge])
}

/// Returns the bounding box of a path. A curve reaches no farther than its control points.
fn path(text: &str) -> [f64; 4] {
    let mut corners = [f64::MAX, f64::MAX, f64::MIN, f64::MIN];
    let (mut x, mut y, mut start) = (0.0, 0.0, (0.0, 0.0));
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let end = rest[1..].find(|c: char| c.is_ascii_alphabetic()).map_or(rest.len(), |at| at + 1);
        let numbers = rest[1..end].replace('-', " -");
        let numbers: Vec<f64> = numbers.split_whitespace().map(|number| number.parse().unwrap()).collect();
        // Small letters count from the point before.
        let (left, top) = if letter.is_ascii_lowercase() { (x, y) } else { (0.0, 0.0) };
        let mut reached = vec![];
        match (letter.to_ascii_uppercase(), numbers.as_slice()) {
            ('M', [to, down]) => {
                (x, y) = (left + to, top + down);
                start = (x, y);
            }
            ('L', [to, down]) => (x, y) = (left + to, top + down),
            ('H', [to]) => x = left + to,
            ('V', [to]) => y = top + to,
            ('C', [a, b, c, d, to, down]) => {
                reached = vec![(left + a, top + b), (left + c, top + d)];
                (x, y) = (left + to, top + down);
            }
            // Half a circle, begun at its left or right end.
            ('A', [radius, _, _, _, _, to, down]) => {
                reached = vec![(x, y - radius), (x, y + radius)];
                (x, y) = (left + to, top + down);
            }
            ('Z', []) => (x, y) = start,
            other => panic!("{other:?} in {text}"),
        }
        reached.push((x, y));
        for (x, y) in reached {
            corners = [corners[0].min(x), corners[1].min(y), corners[2].max(x), corners[3].max(y)];
        }
        rest = &rest[end..];
    }
    corners
}
