//! The texts of a drawing in a bundled font, so that a picture is the same on every machine and needs no installed
//! fonts: as outlines for pixels, or as places for a document that embeds the font.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use ttf_parser::{Face, GlyphId, OutlineBuilder};

pub(crate) const REGULAR: &[u8] = include_bytes!("draw/fonts/DejaVuSansCondensed.ttf");
pub(crate) const BOLD: &[u8] = include_bytes!("draw/fonts/DejaVuSansCondensed-Bold.ttf");

/// Minimum weight that uses the bold font.
const BOLD_FROM: u32 = 600;

/// A text of a drawing.
#[derive(Default)]
pub(crate) struct DrawnText {
    pub bold: bool,
    pub(crate) text: String,
}

/// Replaces every `<text>` of an SVG by a `<path>` with its outlines. Texts may have a position, size, weight and
/// anchor as attributes, but no child elements.
pub fn outlined(svg: &str) -> String {
    replaced(svg, &mut |drawn, place, out| {
        LINES.with_borrow_mut(|lines| {
            if lines.len() >= MOST_LINES {
                lines.clear();
            }
            let DrawnText { bold, text } = drawn;
            let path = lines.entry((bold, text)).or_insert_with_key(|(bold, text)| outlines(*bold, text));
            if !path.is_empty() {
                let _ = write!(out, "<path d=\"{path}\"{place}/>");
            }
        });
    })
}

/// Replaces every `<text>` of an SVG by a mark with the place, size and colour of the text. Returns the texts
/// as well: the id of a mark is the index of its text.
pub(crate) fn reserved(svg: &str) -> (String, Vec<DrawnText>) {
    let mut texts = vec![];
    let svg = replaced(svg, &mut |drawn, place, out| {
        let _ = write!(out, "<path id=\"{}\" d=\"M0 0H9V9Z\"{place}/>", texts.len());
        texts.push(drawn);
    });
    (svg, texts)
}

/// Returns the width of a text.
pub fn width(text: &str, size: f64, bold: bool) -> f64 {
    f64::from(units(text, bold)) * size / f64::from(units_per_em(bold))
}

/// Returns the width of a text in units of the font.
fn units(text: &str, bold: bool) -> f32 {
    let Some(face) = face(bold) else { return 0.0 };
    text.chars().map(|character| f32::from(advance(face, character))).sum()
}

/// Returns the size at which a unit of the font is a unit of the drawing.
pub fn units_per_em(bold: bool) -> f32 {
    face(bold).map_or(1.0, |face| f32::from(face.units_per_em()))
}

/// Returns the bundled font, or its bold variant.
pub fn face(bold: bool) -> Option<&'static Face<'static>> {
    FACES[usize::from(bold)].as_ref()
}

/// Returns the glyph of a character. Missing characters become the font's first glyph, a box.
pub(crate) fn glyph(face: &Face<'_>, character: char) -> GlyphId {
    face.glyph_index(character).unwrap_or_default()
}

/// Returns the width of a character in units of the font.
pub(crate) fn advance(face: &Face<'_>, character: char) -> u16 {
    face.glyph_hor_advance(glyph(face, character)).unwrap_or(0)
}

/// Replaces every text of an SVG. `write` gets the text, and the attributes that scale units of the font and
/// place their origin at the left end of the baseline.
fn replaced(svg: &str, write: &mut dyn FnMut(DrawnText, &str, &mut String)) -> String {
    let mut out = String::with_capacity(svg.len() * 2);
    let mut rest = svg;
    while let Some((before, text)) = rest.split_once("<text ") {
        out.push_str(before);
        let Some(((attributes, said), after)) =
            text.split_once("</text>").and_then(|(element, after)| Some((element.split_once('>')?, after)))
        else {
            rest = "";
            break;
        };
        let (drawn, place) = placed(attributes, unescaped(said));
        write(drawn, &place, &mut out);
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Returns a text and its place.
fn placed(attributes: &str, text: String) -> (DrawnText, String) {
    let (mut x, mut y, mut size, mut weight, mut anchor) = (0.0, 0.0, 16.0, 400, 0.0);
    let mut kept = String::new();
    for (name, value) in pairs(attributes) {
        match name {
            "x" => x = value.parse().unwrap_or(x),
            "y" => y = value.parse().unwrap_or(y),
            "font-size" => size = value.parse().unwrap_or(size),
            "font-weight" => weight = value.parse().unwrap_or(if value == "bold" { 700 } else { weight }),
            "text-anchor" => {
                anchor = match value {
                    "middle" => 0.5,
                    "end" => 1.0,
                    _ => 0.0,
                }
            }
            _ => {
                let _ = write!(kept, " {name}=\"{value}\"");
            }
        }
    }
    let bold = weight >= BOLD_FROM;
    let scale: f32 = size / units_per_em(bold);
    let left = x - anchor * units(&text, bold) * scale;
    // The y axis of fonts points up, that of pictures down.
    let place = format!(" transform=\"matrix({scale} 0 0 -{scale} {left} {y})\"{kept}");
    (DrawnText { bold, text }, place)
}

/// Returns the outlines of a text as the data of a path, in units of the font.
fn outlines(bold: bool, text: &str) -> String {
    let Some(face) = face(bold) else { return String::new() };
    let mut pen = Pen { x: 0.0, path: String::new() };
    for character in text.chars() {
        face.outline_glyph(glyph(face, character), &mut pen);
        pen.x += f32::from(advance(face, character));
    }
    pen.path
}

/// The regular and the bold font.
static FACES: LazyLock<[Option<Face<'static>>; 2]> =
    LazyLock::new(|| [REGULAR, BOLD].map(|font| Face::parse(font, 0).ok()));

/// Maximum number of lines in the table of a thread.
const MOST_LINES: usize = 1000;

thread_local! {
    /// The outlines of the lines drawn last, bold or not: most of them stand in the next picture, too.
    static LINES: RefCell<HashMap<(bool, String), String>> = RefCell::default();
}

/// Iterates over the attributes of an element.
fn pairs(attributes: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = attributes;
    std::iter::from_fn(move || {
        let (name, after) = rest.split_once("=\"")?;
        let (value, after) = after.split_once('"')?;
        rest = after;
        Some((name.trim(), value))
    })
}

fn unescaped(text: &str) -> String {
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    entities.iter().fold(text.to_owned(), |text, (entity, character)| text.replace(entity, character))
}

/// Writes the outlines of glyphs, one after the other.
struct Pen {
    x: f32,
    path: String,
}

impl Pen {
    fn write(&mut self, command: char, places: &[(f32, f32)]) {
        self.path.push(command);
        for (x, y) in places {
            let _ = write!(self.path, "{} {} ", self.x + x, y);
        }
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.write('M', &[(x, y)]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.write('L', &[(x, y)]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.write('Q', &[(x1, y1), (x, y)]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.write('C', &[(x1, y1), (x2, y2), (x, y)]);
    }

    fn close(&mut self) {
        self.path.push('Z');
    }
}
