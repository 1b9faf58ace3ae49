//! Converts the texts of a drawing to outlines of a bundled font, so that a picture is the same on every
//! machine and needs no installed fonts.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use ttf_parser::{Face, OutlineBuilder};

const REGULAR: &[u8] = include_bytes!("fonts/DejaVuSansCondensed.ttf");
const BOLD: &[u8] = include_bytes!("fonts/DejaVuSansCondensed-Bold.ttf");

/// Minimum weight that uses the bold font.
const BOLD_FROM: u32 = 600;

/// Replaces every `<text>` of an SVG by a `<path>`. Texts may have a position, size, weight and anchor as
/// attributes, but no child elements.
pub(super) fn outlined(svg: &str) -> String {
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
        outline(attributes, &unescaped(said), &mut out);
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Writes one text as a path. Its coordinates are units of the font: those of a text are the same wherever it stands.
fn outline(attributes: &str, text: &str, out: &mut String) {
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
    let is_bold = weight >= BOLD_FROM;
    let Some(face) = &FACES[usize::from(is_bold)] else { return };
    LINES.with_borrow_mut(|lines| {
        if lines.len() >= MOST_LINES {
            lines.clear();
        }
        let line = lines.entry((is_bold, text.to_owned())).or_insert_with(|| OutlinedLine::of(face, text));
        if line.path.is_empty() {
            return;
        }
        let scale: f32 = size / f32::from(face.units_per_em());
        let left = x - anchor * line.width * scale;
        // The y axis of fonts points up, that of pictures down.
        let placed = format_args!("matrix({scale} 0 0 -{scale} {left} {y})");
        let _ = write!(out, "<path transform=\"{placed}\" d=\"{}\"{kept}/>", line.path);
    });
}

/// A line of text as a path, in units of its font.
struct OutlinedLine {
    width: f32,
    path: String,
}

impl OutlinedLine {
    fn of(face: &Face<'_>, text: &str) -> OutlinedLine {
        let mut pen = Pen { x: 0.0, path: String::new() };
        for character in text.chars() {
            // Missing characters become the font's first glyph, a box.
            let glyph = face.glyph_index(character).unwrap_or_default();
            face.outline_glyph(glyph, &mut pen);
            pen.x += f32::from(face.glyph_hor_advance(glyph).unwrap_or(0));
        }
        OutlinedLine { width: pen.x, path: pen.path }
    }
}

/// The regular and the bold font.
static FACES: LazyLock<[Option<Face<'static>>; 2]> =
    LazyLock::new(|| [REGULAR, BOLD].map(|font| Face::parse(font, 0).ok()));

/// Maximum number of lines in the table of a thread.
const MOST_LINES: usize = 1000;

thread_local! {
    /// The lines drawn last, bold or not: most of them stand in the next picture, too.
    static LINES: RefCell<HashMap<(bool, String), OutlinedLine>> = RefCell::default();
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
