//! Shapes and text as SVG. Only this module writes elements: it rounds numbers and escapes text.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt::Write as _;

use super::palette::{Ink, RULE, SHADOW};
use super::path::{self, PathStep};
use super::scene::PaperPoint;
use crate::draw::spoken::spoken;

/// Width of the lines between cells on paper.
const CELL_LINE: f64 = 1.0;

/// Opacity of a shadow.
const SHADOW_OPACITY: f64 = 0.16;
/// How far a shadow is from what throws it, to the right and down.
const SHADOW_PLACE: (f64, f64) = (0.5, 1.5);

/// The colour theme of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Theme {
    /// On a white background.
    Light,
    /// On a black background.
    Dark,
    /// The viewer's setting: `prefers-color-scheme`, or the theme of the notebook in notebooks.
    #[default]
    Auto,
    /// For a printer: white paper and dark lines, legible without colours.
    Print,
}

/// The colours of a picture, in one theme or in both.
#[derive(Debug)]
pub struct Palette {
    theme: Theme,
    /// The colour attributes that have been written.
    used: RefCell<Vec<(&'static str, Ink)>>,
    /// The names of the things that have been marked, if things are.
    things: Option<RefCell<HashSet<String>>>,
}

/// Where a thing is, for a pointer.
#[derive(Clone, Debug)]
pub(super) enum ThingArea {
    Disc(PaperPoint, f64),
    Shape(Vec<PaperPoint>),
}

impl ThingArea {
    /// A rectangle with this upper left corner.
    pub(super) fn rect(corner: PaperPoint, size: (f64, f64)) -> ThingArea {
        let (x, y) = corner;
        let (width, height) = size;
        ThingArea::Shape(vec![(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
    }
}

impl Palette {
    /// A palette in the colours of a theme.
    pub fn new(theme: Theme) -> Self {
        Palette { theme, used: RefCell::new(vec![]), things: None }
    }

    /// A palette for a picture that marks things, in the colours of light paper. A style sheet has the dark ones.
    pub(super) fn of_things() -> Self {
        Palette { things: Some(RefCell::default()), ..Palette::new(Theme::Light) }
    }

    /// Returns `true` if things are marked.
    pub(super) fn marks_things(&self) -> bool {
        self.things.is_some()
    }

    /// Returns the value of a colour attribute, `fill` or `stroke`. It is always a literal colour, so that
    /// viewers without style sheets show the picture correctly.
    fn colour(&self, attribute: &'static str, ink: Ink) -> &'static str {
        let mut used = self.used.borrow_mut();
        if self.theme == Theme::Auto && !used.contains(&(attribute, ink)) {
            used.push((attribute, ink));
        }
        self.literal(ink)
    }

    fn literal(&self, ink: Ink) -> &'static str {
        ink.in_theme(self.theme)
    }

    /// Returns `true` if something in a picture is filled with a colour.
    pub(super) fn fills(&self, picture: &Picture, ink: Ink) -> bool {
        picture.body.contains(&format!("fill=\"{}\"", self.literal(ink)))
    }

    /// Returns the rules that give an element with an id other colours, where a selector matches.
    fn recoloured(&self, id: &str, where_to: &str, colour: fn(&Ink) -> &'static str) -> String {
        let mut used = self.used.borrow().clone();
        used.sort_by_key(|(attribute, ink)| (*attribute, ink.light));
        used.dedup_by_key(|(attribute, ink)| (*attribute, ink.light));
        let rule = |(attribute, ink): &(&str, Ink)| {
            format!("{where_to}#{id} [{attribute}=\"{}\"]{{{attribute}:{}}}", ink.light, colour(ink))
        };
        used.iter().map(rule).collect()
    }

    /// Returns a style sheet for the element with an id in a page that says its theme as `data-theme`, or follows the
    /// screen's. A printed page is light.
    pub(super) fn page_rules(&self, id: &str) -> String {
        if self.theme != Theme::Auto {
            return String::new();
        }
        let dark = |where_to: &str| self.recoloured(id, where_to, |ink| ink.dark);
        format!(
            "<style>@media screen and (prefers-color-scheme:dark){{{}}}@media screen{{{}}}</style>",
            dark(":root:not([data-theme=light]) "),
            dark("[data-theme=dark] "),
        )
    }

    /// Returns a style sheet for the element with an id, which replaces light colours by dark ones on dark
    /// screens. Empty if the picture has a single theme.
    pub(super) fn rules(&self, id: &str) -> String {
        if self.theme != Theme::Auto {
            return String::new();
        }
        let all = |where_to: &str, colour: fn(&Ink) -> &'static str| self.recoloured(id, where_to, colour);
        // Notebooks have their own theme, independent of the screen's.
        let notebook =
            |jupyter: bool, code: &str| format!(":is([data-jp-theme-light={jupyter}],.vscode-{code}) ");
        format!(
            "<style>@media(prefers-color-scheme:dark){{{}}}{}{}</style>",
            all("", |ink| ink.dark),
            all(&notebook(true, "light"), |ink| ink.light),
            all(&notebook(false, "dark"), |ink| ink.dark),
        )
    }
}

/// The horizontal alignment of a text at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The text begins there.
    Start,
    /// The middle of the text is there.
    Middle,
    /// The text ends there.
    End,
}

/// The style of a text.
#[derive(Clone, Copy, Debug)]
pub struct Font {
    /// Height of the letters, in units of the picture.
    pub size: f64,
    /// Bold letters.
    pub bold: bool,
    /// Their colour.
    pub ink: Ink,
}

/// The outline of a shape.
#[derive(Clone, Copy, Debug)]
pub struct ShapeOutline {
    /// Its colour.
    pub ink: Ink,
    /// Width of its line.
    pub width: f64,
}

/// A picture being drawn. The origin is the upper left corner.
#[derive(Debug)]
pub struct Canvas<'p> {
    palette: &'p Palette,
    body: String,
}

/// A finished picture with its size, which can be placed in another one.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
    body: String,
}

impl Picture {
    pub(super) fn body(&self) -> &str {
        &self.body
    }

    /// Returns `true` if another picture shows the same.
    pub fn shows_same(&self, other: &Picture) -> bool {
        self.body == other.body
    }

    /// Returns `true` if nothing is drawn.
    pub fn is_empty(&self) -> bool {
        self.body.is_empty()
    }
}

/// Formats a number with at most two decimals.
pub(super) fn number(value: f64) -> String {
    let mut text = format!("{value:.2}");
    while text.ends_with('0') {
        text.pop();
    }
    if text.ends_with('.') {
        text.pop();
    }
    if text == "-0" { "0".to_owned() } else { text }
}

/// Escapes text for elements and attributes. Characters that XML can't contain are dropped.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {}
            other => escaped.push(other),
        }
    }
    escaped
}

/// Estimates the width of a text. Fonts differ; the estimate is on the wide side for common system fonts.
pub(super) fn text_width(text: &str, font: Font) -> f64 {
    let em: f64 = text
        .chars()
        .map(|character| match character {
            'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '|' | '!' | '\'' => 0.28,
            ' ' | 'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' | '·' => 0.36,
            'm' | 'w' | 'M' | 'W' | '…' => 0.9,
            'A'..='Z' => 0.7,
            character if character as u32 >= 0x1100 => 1.0,
            _ => 0.58,
        })
        .sum();
    em * font.size * if font.bold { 1.18 } else { 1.0 }
}

/// Cuts a text to a width.
pub fn clipped(text: &str, font: Font, width: f64) -> String {
    if text_width(text, font) <= width {
        return text.to_owned();
    }
    let mut kept = text.to_owned();
    while !kept.is_empty() && text_width(&kept, font) + text_width("…", font) > width {
        kept.pop();
    }
    format!("{}…", kept.trim_end())
}

impl<'p> Canvas<'p> {
    /// An empty picture in these colours.
    pub fn new(palette: &'p Palette) -> Self {
        Canvas { palette, body: String::new() }
    }

    /// Returns another canvas with the same palette.
    pub(super) fn fresh(&self) -> Canvas<'p> {
        Canvas::new(self.palette)
    }

    /// Finishes the picture with the given size.
    pub fn done(self, width: f64, height: f64) -> Picture {
        Picture { width, height, body: self.body }
    }

    fn fill(&mut self, fill: Option<Ink>, edge: Option<ShapeOutline>) {
        let fill = fill.map_or("none", |ink| self.palette.colour("fill", ink));
        let _ = write!(self.body, " fill=\"{fill}\"");
        self.edge(edge);
    }

    fn edge(&mut self, edge: Option<ShapeOutline>) {
        if let Some(ShapeOutline { ink, width }) = edge {
            let ink = self.palette.colour("stroke", ink);
            let _ = write!(self.body, " stroke=\"{ink}\" stroke-width=\"{}\"", number(width));
        }
    }

    /// Draws a group with an opacity.
    pub(super) fn pale(&mut self, opacity: f64, draw: impl FnOnce(&mut Self)) {
        let _ = write!(self.body, "<g opacity=\"{}\">", number(opacity));
        draw(self);
        self.body.push_str("</g>");
    }

    /// Draws a group upside down, turned around a point.
    pub(super) fn turned(&mut self, around: (f64, f64), draw: impl FnOnce(&mut Self)) {
        let _ = write!(self.body, "<g transform=\"rotate(180 {} {})\">", number(around.0), number(around.1));
        draw(self);
        self.body.push_str("</g>");
    }

    /// Draws a group with a name that programs can find: `data-part="…"`.
    pub fn part(&mut self, name: &str, draw: impl FnOnce(&mut Self)) {
        let before = self.body.len();
        let opening = format!("<g data-part=\"{name}\">");
        self.body.push_str(&opening);
        let empty = self.body.len();
        draw(self);
        if self.body.len() == empty {
            self.body.truncate(before);
        } else {
            self.body.push_str("</g>");
        }
    }

    /// Places a picture.
    pub fn put(&mut self, x: f64, y: f64, picture: &Picture) {
        if !picture.is_empty() {
            let (x, y) = (number(x), number(y));
            let _ = write!(self.body, "<g transform=\"translate({x} {y})\">{}</g>", picture.body);
        }
    }

    /// Draws a rectangle with rounded corners.
    pub fn rect(
        &mut self,
        corner: (f64, f64),
        size: (f64, f64),
        round: f64,
        fill: Option<Ink>,
        edge: Option<ShapeOutline>,
    ) {
        let (x, y) = corner;
        let (width, height) = size;
        let [x, y, width, height, round] = [x, y, width, height, round].map(number);
        let _ = write!(
            self.body,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{round}\""
        );
        self.fill(fill, edge);
        self.body.push_str("/>");
    }

    /// Draws a disc or a ring.
    pub fn circle(&mut self, centre: (f64, f64), radius: f64, fill: Option<Ink>, edge: Option<ShapeOutline>) {
        let (x, y) = centre;
        let [x, y, radius] = [x, y, radius].map(number);
        let _ = write!(self.body, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"");
        self.fill(fill, edge);
        self.body.push_str("/>");
    }

    /// Draws the outline of a rectangle with rounded corners, dashed. `dash` is the length of a dash and of the gap after it.
    pub(super) fn dashed_rect(
        &mut self,
        corner: (f64, f64),
        size: (f64, f64),
        round: f64,
        edge: ShapeOutline,
        dash: (f64, f64),
    ) {
        self.rect(corner, size, round, None, Some(edge));
        self.dash(dash);
    }

    /// Draws the shadow of a rectangle with rounded corners. There is none on paper.
    pub(super) fn shadow(&mut self, corner: (f64, f64), size: (f64, f64), round: f64) {
        self.shadow_at(SHADOW_PLACE, corner, size, round);
    }

    /// Draws the shadow of a rectangle that lies `away` from what throws it. There is none on paper.
    pub(super) fn shadow_at(&mut self, away: (f64, f64), corner: (f64, f64), size: (f64, f64), round: f64) {
        if self.prints() {
            return;
        }
        self.rect((corner.0 + away.0, corner.1 + away.1), size, round, Some(SHADOW), None);
        self.extend(&format!(" fill-opacity=\"{}\"", number(SHADOW_OPACITY)));
    }

    /// Draws outlines of lines and curves of the same style as one element.
    pub(super) fn path(&mut self, steps: &[PathStep], fill: Option<Ink>, edge: Option<ShapeOutline>) {
        if steps.is_empty() {
            return;
        }
        self.body.push_str("<path d=\"");
        path::write(steps, &mut self.body);
        self.body.push('"');
        self.fill(fill, edge);
        self.body.push_str(if edge.is_some() { " stroke-linejoin=\"round\"/>" } else { "/>" });
    }

    /// Draws lines and curves with round ends and corners as one element.
    pub(super) fn pen(&mut self, steps: &[PathStep], edge: ShapeOutline) {
        if !steps.is_empty() {
            self.path(steps, None, Some(edge));
            self.extend(" stroke-linecap=\"round\"");
        }
    }

    /// Adds attributes to the element that was drawn last.
    fn extend(&mut self, attributes: &str) {
        self.body.truncate(self.body.len() - "/>".len());
        self.body.push_str(attributes);
        self.body.push_str("/>");
    }

    /// Makes the lines of the element that was drawn last dashed.
    fn dash(&mut self, dash: (f64, f64)) {
        self.extend(&format!(" stroke-dasharray=\"{} {}\"", number(dash.0), number(dash.1)));
    }

    /// Draws a polyline with round ends and corners.
    pub(crate) fn line(&mut self, through: &[(f64, f64)], edge: ShapeOutline) {
        self.body.push_str("<path d=\"");
        self.track(through);
        self.body.push('"');
        self.fill(None, Some(edge));
        self.body.push_str(" stroke-linecap=\"round\" stroke-linejoin=\"round\"/>");
    }

    /// Marks a thing, if the picture does: with its name for programs and its title for people. A thing that is drawn
    /// several times is marked where it is drawn first.
    pub(super) fn thing(&mut self, name: &str, title: &str, area: &ThingArea) {
        self.marked_thing(name, title, area, "");
    }

    /// Like [`Canvas::thing`], of a site: `data-at` says whether something stands there, since what may be chosen is then marked
    /// otherwise.
    pub(super) fn site(&mut self, name: &str, title: &str, area: &ThingArea, is_taken: bool) {
        self.marked_thing(
            name,
            title,
            area,
            if is_taken { " data-at=\"taken\"" } else { " data-at=\"open\"" },
        );
    }

    /// Writes the shape of a thing, with further attributes.
    fn marked_thing(&mut self, name: &str, title: &str, area: &ThingArea, more: &str) {
        let Some(things) = &self.palette.things else { return };
        if !things.borrow_mut().insert(name.to_owned()) {
            return;
        }
        match area {
            ThingArea::Disc((x, y), radius) => {
                let [x, y, radius] = [*x, *y, *radius].map(number);
                let _ = write!(self.body, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"");
            }
            ThingArea::Shape(corners) => {
                self.body.push_str("<path d=\"");
                self.track(corners);
                self.body.push_str("z\"");
            }
        }
        let (name, title) = (escaped(name), escaped(&spoken(title)));
        let _ =
            write!(self.body, " fill=\"transparent\" data-thing=\"{name}\"{more}><title>{title}</title></");
        self.body.push_str(if matches!(area, ThingArea::Disc(..)) { "circle>" } else { "path>" });
    }

    /// Draws something that the page can lift from the table, together with its shape.
    pub(super) fn liftable(&mut self, draw: impl FnOnce(&mut Self)) {
        if !self.marks_things() {
            return draw(self);
        }
        self.body.push_str("<g class=\"card\">");
        draw(self);
        self.body.push_str("</g>");
    }

    /// Returns `true` if things are marked.
    pub(super) fn marks_things(&self) -> bool {
        self.palette.marks_things()
    }

    /// Draws polylines of the same style as one element.
    pub fn lines(&mut self, lines: &[Vec<(f64, f64)>], edge: ShapeOutline) {
        if lines.is_empty() {
            return;
        }
        self.body.push_str("<path d=\"");
        lines.iter().for_each(|through| self.track(through));
        self.body.push('"');
        self.fill(None, Some(edge));
        self.body.push_str(" stroke-linecap=\"round\"/>");
    }

    /// Draws polygons with rounded corners of the same style as one element.
    pub(super) fn shapes(&mut self, shapes: &[Vec<(f64, f64)>], round: f64, fill: Ink) {
        if shapes.is_empty() {
            return;
        }
        self.body.push_str("<path d=\"");
        for corners in shapes {
            self.track(corners);
            self.body.push('z');
        }
        self.body.push('"');
        // A stroke of the fill colour with round joins rounds the corners.
        self.fill(Some(fill), Some(ShapeOutline { ink: fill, width: round }));
        self.body.push_str(" stroke-linejoin=\"round\"/>");
    }

    fn track(&mut self, through: &[(f64, f64)]) {
        let mut last: Option<(f64, f64)> = None;
        for (x, y) in through {
            let (px, py) = (number(*x), number(*y));
            let _ = match last {
                None => write!(self.body, "M{px} {py}"),
                Some((_, old)) if old == *y => write!(self.body, "H{px}"),
                Some((old, _)) if old == *x => write!(self.body, "V{py}"),
                Some(_) => write!(self.body, "L{px} {py}"),
            };
            last = Some((*x, *y));
        }
    }

    /// Returns `true` if the picture is for a printer.
    pub(crate) fn prints(&self) -> bool {
        self.palette.theme == Theme::Print
    }

    /// Draws the cells of a board, as polygons of the same style. On paper they have an outline instead of a ground.
    pub(super) fn cells(&mut self, cells: &[Vec<(f64, f64)>], round: f64, fill: Ink) {
        self.shapes(cells, round, fill);
        if self.prints() {
            let closed: Vec<Vec<(f64, f64)>> = cells
                .iter()
                .map(|corners| corners.iter().chain(corners.first()).copied().collect())
                .collect();
            self.lines(&closed, ShapeOutline { ink: RULE, width: CELL_LINE });
        }
    }

    /// Places a picture, smaller or larger by a factor.
    pub fn scaled(&mut self, corner: (f64, f64), scale: f64, picture: &Picture) {
        if !picture.is_empty() {
            let [x, y] = [corner.0, corner.1].map(number);
            let _ = write!(
                self.body,
                "<g transform=\"translate({x} {y}) scale({scale:.4})\">{}</g>",
                picture.body
            );
        }
    }

    /// Draws dashed polylines as one element.
    pub fn dashes(&mut self, lines: &[Vec<(f64, f64)>], edge: ShapeOutline) {
        let before = self.body.len();
        self.lines(lines, edge);
        if self.body.len() > before {
            self.dash((4.0, 4.0));
        }
    }

    /// Draws a text, given the left, middle or right end of its baseline.
    pub fn text(&mut self, base: (f64, f64), anchor: Anchor, font: Font, text: &str) {
        let (x, y) = base;
        let (x, y, size) = (number(x), number(y), number(font.size));
        let ink = self.palette.colour("fill", font.ink);
        let _ = write!(self.body, "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{ink}\"");
        if font.bold {
            self.body.push_str(" font-weight=\"600\"");
        }
        match anchor {
            Anchor::Start => {}
            Anchor::Middle => self.body.push_str(" text-anchor=\"middle\""),
            Anchor::End => self.body.push_str(" text-anchor=\"end\""),
        }
        let _ = write!(self.body, ">{}</text>", escaped(text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let all =
            [(1.0, "1"), (0.25, "0.25"), (2.5, "2.5"), (-0.001, "0"), (1.0 / 3.0, "0.33"), (100.0, "100")];
        for (value, text) in all {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn text_can_hold_anything() {
        assert_eq!(escaped("a<b & \"c\"\u{1}'"), "a&lt;b &amp; &quot;c&quot;&#39;");
    }

    #[test]
    fn what_is_too_long_is_cut() {
        let font = Font { size: 10.0, bold: false, ink: super::super::palette::TEXT };
        assert_eq!(clipped("short", font, 100.0), "short");
        let cut = clipped("a text that is much too long for its place", font, 60.0);
        assert!(cut.ends_with('…') && text_width(&cut, font) <= 60.0, "{cut}");
    }
}
