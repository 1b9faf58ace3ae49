//! What can be wrong with a picture.

use std::collections::BTreeSet;

use super::picture::{Bounds, Outline, Point, ReadPicture, Shape, Written, words};
use houserule::draw::svg::Theme;
use houserule::draw::svg::palette::{self, Ink, contrast};

/// Least height of letters.
const LEAST_SIZE: f64 = 10.5;

/// Least contrast of words with their ground, and of signs.
const WORDS: f64 = 4.5;
const SIGNS: f64 = 3.0;

/// Largest page of a game for up to six players.
const PAGE: Point = (1200.0, 900.0);

/// Inks of grounds and of lines that only divide them.
const GROUNDS: [Ink; 29] = [
    palette::PAPER,
    palette::BRINK,
    palette::TILE,
    palette::SHADE,
    palette::WOOD,
    palette::RULE,
    palette::FAINT,
    palette::FRESH,
    palette::FRESH_FACE,
    palette::MAT,
    palette::MAT_EDGE,
    palette::PLATE,
    palette::CARD_BACK,
    palette::BACK_LINE,
    palette::BACK_EDGE,
    palette::PLACE,
    palette::BOARD_A,
    palette::BOARD_B,
    palette::BOARD_EDGE,
    palette::SHADOW,
    palette::SEED,
    palette::SEED_EDGE,
    palette::DIE,
    palette::DIE_EDGE,
    palette::SHEET,
    palette::GRID,
    palette::LAND,
    palette::MEADOW,
    palette::ROAD,
];

/// Returns what is wrong with the places of shapes and texts.
pub(super) fn of_places(picture: &ReadPicture) -> Vec<String> {
    let mut faults = vec![];
    let page = Bounds { left: 0.0, top: 0.0, right: picture.size.0, bottom: picture.size.1 };
    for shape in &picture.shapes {
        if !page.holds(shape.bounds, 0.05) {
            faults.push(format!("off the page: {}", name(shape)));
        }
    }
    for (at, one) in picture.areas.iter().enumerate() {
        for other in &picture.areas[..at] {
            let (across, down) = one.bounds.shared(other.bounds);
            if across > 0.5 && down > 0.5 {
                faults.push(format!("areas overlap: {} and {}", one.name, other.name));
            }
        }
    }
    let texts: Vec<(usize, &Shape, &Written)> = (0..)
        .zip(&picture.shapes)
        .filter_map(|(at, shape)| Some((at, shape, shape.written.as_ref()?)))
        .collect();
    for (at, (order, shape, written)) in texts.iter().enumerate() {
        for (_, other, text) in &texts[..at] {
            let (across, down) = shape.bounds.shared(other.bounds);
            if across > 1.0 && down > 1.0 {
                faults.push(format!("texts overlap: {:?} and {:?}", written.text, text.text));
            }
        }
        if let Some(ground) = ground_of(&picture.shapes[..*order], middle(shape.bounds))
            && !ground.bounds.holds(shape.bounds, 0.5)
        {
            let (wide, high) = (shape.bounds.width(), shape.bounds.height());
            let room = (ground.bounds.width(), ground.bounds.height());
            faults.push(format!("text too large: {:?} {wide:.0} x {high:.0} on {room:.0?}", written.text));
        }
        if is_covered(shape.bounds, &picture.shapes[order + 1..]) {
            faults.push(format!("text covered: {:?}", written.text));
        }
        if written.size < LEAST_SIZE - 0.01 {
            faults.push(format!("text small: {:?} {:.1}", written.text, written.size));
        }
    }
    faults
}

/// Returns a name for a shape in a message.
fn name(shape: &Shape) -> String {
    let text = shape.written.as_ref().map_or("", |written| &written.text);
    format!("{text:?} {:?} {:?}", shape.parts, shape.bounds)
}

fn middle(bounds: Bounds) -> Point {
    ((bounds.left + bounds.right) / 2.0, (bounds.top + bounds.bottom) / 2.0)
}

/// Returns the outline that fills the ground of a point.
fn ground_of(below: &[Shape], point: Point) -> Option<&Outline> {
    let ground = below.iter().rev().find(|shape| shape.opacity > 0.9 && shape.covers(point))?;
    ground.outlines.iter().find(|outline| outline.bounds.has(point))
}

/// Returns `true` if a part of a text is hidden by what is drawn later.
fn is_covered(text: Bounds, above: &[Shape]) -> bool {
    let points = [0.1, 0.5, 0.9].map(|part| {
        [0.2, 0.8].map(|down| (text.left + part * text.width(), text.top + down * text.height()))
    });
    // A dot of what may be chosen takes the place of a sign.
    let hides =
        |shape: &&Shape| shape.opacity > 0.5 && shape.bounds.shared(text).0 > 0.0 && !shape.is_in("legal");
    above.iter().filter(hides).any(|shape| points.as_flattened().iter().any(|point| shape.covers(*point)))
}

/// Returns what is wrong with the words.
pub(super) fn of_words(picture: &ReadPicture) -> Vec<String> {
    let numbered =
        |text: &str| text.split("player-").skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let wrong = |text: &&str| text.contains(['[', '_']) || numbered(text);
    words(picture).into_iter().filter(wrong).map(|text| format!("identifier: {text:?}")).collect()
}

/// Returns what is wrong with the size of a page.
pub(super) fn of_size(picture: &ReadPicture) -> Vec<String> {
    let (width, height) = picture.size;
    let is_large = width > PAGE.0 || height > PAGE.1;
    if is_large { vec![format!("page: {width} x {height}")] } else { vec![] }
}

/// Returns what is wrong with the contrast of inks and grounds in a theme.
pub(super) fn of_contrast(picture: &ReadPicture, theme: Theme) -> Vec<String> {
    let grounds: Vec<&str> = GROUNDS.iter().map(|ink| ink.in_theme(theme)).collect();
    let paper = palette::PAPER.in_theme(theme);
    let mut faults = vec![];
    for (at, shape) in picture.shapes.iter().enumerate() {
        if shape.opacity < 0.6 || shape.thing.is_some() {
            continue;
        }
        let below = &picture.shapes[..at];
        if let Some(written) = &shape.written {
            let ink = shape.fill.as_deref().expect("an ink");
            // A letter on a piece is a sign.
            let is_sign = written.text.chars().count() == 1 || written.size >= 24.0;
            let least = if is_sign { SIGNS } else { WORDS };
            for part in [0.1, 0.5, 0.9] {
                let Bounds { left, top, bottom, .. } = shape.bounds;
                let point = (left + part * shape.bounds.width(), (top + bottom) / 2.0);
                let ground = colour_at(below, point, paper);
                let ratio = contrast(ink, &ground);
                if ratio < least - 0.005 {
                    faults.push(format!("contrast {ratio:.2}: {ink} on {ground}, {:?}", written.text));
                }
            }
            continue;
        }
        let inks = [shape.fill.as_deref(), shape.line.as_ref().map(|(ink, _)| ink.as_str())];
        let inks: Vec<&str> = inks.into_iter().flatten().collect();
        // Signs tell coloured cards, not their grounds.
        let is_card = shape.is_in("zone") && shape.bounds.width() > 15.0;
        if is_card || inks.iter().any(|ink| grounds.contains(ink)) || has_rim(below, shape, &grounds) {
            continue;
        }
        // Where it is seen best: a part of it may lie on something else.
        let grounds_below: BTreeSet<String> =
            shape.outlines.iter().flat_map(samples).map(|point| colour_at(below, point, paper)).collect();
        let pairs = grounds_below.iter().flat_map(|ground| inks.iter().map(move |ink| contrast(ink, ground)));
        let best = pairs.fold(0.0, f64::max);
        if best < SIGNS - 0.005 && !inks.is_empty() {
            faults.push(format!("contrast {best:.2}: {inks:?} on {grounds_below:?} in {:?}", shape.parts));
        }
    }
    faults
}

/// Returns a few points of an outline, in the middle of its lines: their ends may lie on the rim of something.
fn samples(outline: &Outline) -> Vec<Point> {
    let lines = outline.points.iter().zip(outline.points.iter().skip(1));
    let middles = lines.map(|(one, other)| ((one.0 + other.0) / 2.0, (one.1 + other.1) / 2.0));
    let step = (outline.points.len() / 8).max(1);
    middles.step_by(step).chain(outline.points.first().copied()).collect()
}

/// Returns `true` if a shape lies on a wider one in the colour of a ground.
fn has_rim(below: &[Shape], shape: &Shape, grounds: &[&str]) -> bool {
    let is_rim = |other: &&Shape| {
        let inks = [other.fill.as_deref(), other.line.as_ref().map(|(ink, _)| ink.as_str())];
        inks.into_iter().flatten().all(|ink| grounds.contains(&ink))
            && other.bounds.holds(shape.bounds, 0.1)
            && other.bounds.width() < shape.bounds.width() + 8.0
            && other.bounds.height() < shape.bounds.height() + 8.0
    };
    below.iter().rev().take(12).any(|other| is_rim(&other))
}

/// Returns the colour of a point below what is drawn later.
fn colour_at(below: &[Shape], point: Point, paper: &str) -> String {
    let mut colour = channels(paper);
    // Arrows lie below pieces, whose rims are seen on them.
    for shape in below.iter().filter(|shape| !shape.is_in("arrow") && shape.covers(point)) {
        let own = channels(shape.fill.as_deref().expect("an ink"));
        for (channel, own) in colour.iter_mut().zip(own) {
            *channel += (own - *channel) * shape.opacity;
        }
    }
    let [red, green, blue] = colour.map(|channel| channel.round() as u8);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn channels(colour: &str) -> [f64; 3] {
    [1, 3, 5].map(|at| f64::from(u8::from_str_radix(&colour[at..at + 2], 16).expect("a colour")))
}
