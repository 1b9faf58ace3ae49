//! Shapes and text as SVG. The one place that writes elements: numbers are rounded and text is escaped here.

use std::cell::RefCell;
use std::fmt::Write as _;

use super::palette::Ink;

/// In whose light a picture is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Theme {
    /// On white.
    Light,
    /// On black.
    Dark,
    /// As whoever looks at it has set their screen: with `prefers-color-scheme`, and in notebooks as
    /// the notebook is.
    #[default]
    Auto,
}

/// The colours of a picture: of one theme, or of both.
#[derive(Debug)]
pub(super) struct Palette {
    theme: Theme,
    /// The attributes with colours that were written.
    used: RefCell<Vec<(&'static str, Ink)>>,
}

impl Palette {
    pub(super) fn new(theme: Theme) -> Self {
        Palette { theme, used: RefCell::new(vec![]) }
    }

    /// The value of an attribute, `fill` or `stroke`. It is always a colour, so that viewers without style
    /// sheets show the picture rightly.
    fn colour(&self, attribute: &'static str, ink: Ink) -> &'static str {
        match self.theme {
            Theme::Light => ink.light,
            Theme::Dark => ink.dark,
            Theme::Auto => {
                let mut used = self.used.borrow_mut();
                if !used.contains(&(attribute, ink)) {
                    used.push((attribute, ink));
                }
                ink.light
            }
        }
    }

    /// A style sheet that replaces the light colours by the dark ones where the screen is dark, for the
    /// element with an id. Returns an empty text if there is but one theme.
    pub(super) fn rules(&self, id: &str) -> String {
        if self.theme != Theme::Auto {
            return String::new();
        }
        let mut used = self.used.borrow().clone();
        used.sort_by_key(|(attribute, ink)| (*attribute, ink.light));
        used.dedup_by_key(|(attribute, ink)| (*attribute, ink.light));
        let all = |where_to: &str, colour: fn(&Ink) -> &'static str| -> String {
            let rule = |(attribute, ink): &(&str, Ink)| {
                format!("{where_to}#{id} [{attribute}=\"{}\"]{{{attribute}:{}}}", ink.light, colour(ink))
            };
            used.iter().map(rule).collect()
        };
        // Notebooks have themes of their own, whatever the screen is set to.
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

/// How text stands at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How text looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Font {
    pub(super) size: f64,
    pub(super) bold: bool,
    pub(super) ink: Ink,
}

/// The outline of a shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) ink: Ink,
    pub(super) width: f64,
}

/// A picture that is being drawn, from its upper left corner.
#[derive(Debug)]
pub(super) struct Canvas<'p> {
    palette: &'p Palette,
    body: String,
}

/// A picture with its size, to be put somewhere into another one.
#[derive(Clone, Debug, Default)]
pub(super) struct Picture {
    pub(super) width: f64,
    pub(super) height: f64,
    body: String,
}

impl Picture {
    pub(super) fn body(&self) -> &str {
        &self.body
    }

    pub(super) fn is_empty(&self) -> bool {
        self.body.is_empty()
    }
}

/// A number with at most two places behind the point.
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

/// Text within elements and attributes. What XML can't hold at all is left out.
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

/// How wide a text is, about: fonts differ, and this is on the safe side of those that systems bring.
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
    em * font.size * if font.bold { 1.06 } else { 1.0 }
}

/// A text cut to a width.
pub(super) fn clipped(text: &str, font: Font, width: f64) -> String {
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
    pub(super) fn new(palette: &'p Palette) -> Self {
        Canvas { palette, body: String::new() }
    }

    /// What has been drawn, in a size.
    pub(super) fn done(self, width: f64, height: f64) -> Picture {
        Picture { width, height, body: self.body }
    }

    fn fill(&mut self, fill: Option<Ink>, edge: Option<Edge>) {
        let fill = fill.map_or("none", |ink| self.palette.colour("fill", ink));
        let _ = write!(self.body, " fill=\"{fill}\"");
        self.edge(edge);
    }

    fn edge(&mut self, edge: Option<Edge>) {
        if let Some(Edge { ink, width }) = edge {
            let ink = self.palette.colour("stroke", ink);
            let _ = write!(self.body, " stroke=\"{ink}\" stroke-width=\"{}\"", number(width));
        }
    }

    /// Draws a part in one pale go.
    pub(super) fn pale(&mut self, opacity: f64, draw: impl FnOnce(&mut Self)) {
        let _ = write!(self.body, "<g opacity=\"{}\">", number(opacity));
        draw(self);
        self.body.push_str("</g>");
    }

    /// Draws a part that programs can find by a name: `data-part="…"`.
    pub(super) fn part(&mut self, name: &str, draw: impl FnOnce(&mut Self)) {
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

    /// Puts a picture at a place.
    pub(super) fn put(&mut self, x: f64, y: f64, picture: &Picture) {
        if !picture.is_empty() {
            let (x, y) = (number(x), number(y));
            let _ = write!(self.body, "<g transform=\"translate({x} {y})\">{}</g>", picture.body);
        }
    }

    /// A rectangle with round corners.
    pub(super) fn rect(
        &mut self,
        (x, y): (f64, f64),
        (width, height): (f64, f64),
        round: f64,
        fill: Option<Ink>,
        edge: Option<Edge>,
    ) {
        let [x, y, width, height, round] = [x, y, width, height, round].map(number);
        let _ = write!(
            self.body,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{round}\""
        );
        self.fill(fill, edge);
        self.body.push_str("/>");
    }

    /// A disc, or a ring.
    pub(super) fn circle(&mut self, (x, y): (f64, f64), radius: f64, fill: Option<Ink>, edge: Option<Edge>) {
        let [x, y, radius] = [x, y, radius].map(number);
        let _ = write!(self.body, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"");
        self.fill(fill, edge);
        self.body.push_str("/>");
    }

    /// A line through places, with round ends and corners.
    pub(super) fn line(&mut self, through: &[(f64, f64)], edge: Edge) {
        self.body.push_str("<path d=\"");
        self.track(through);
        self.body.push('"');
        self.fill(None, Some(edge));
        self.body.push_str(" stroke-linecap=\"round\" stroke-linejoin=\"round\"/>");
    }

    /// Lines of one look, in one go.
    pub(super) fn lines(&mut self, lines: &[Vec<(f64, f64)>], edge: Edge) {
        if lines.is_empty() {
            return;
        }
        self.body.push_str("<path d=\"");
        lines.iter().for_each(|through| self.track(through));
        self.body.push('"');
        self.fill(None, Some(edge));
        self.body.push_str(" stroke-linecap=\"round\"/>");
    }

    /// Shapes with straight sides and round corners, of one look, in one go.
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
        // An edge of the same colour with round joins makes the corners round.
        self.fill(Some(fill), Some(Edge { ink: fill, width: round }));
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

    /// A text, by the left, middle or right end of its baseline.
    pub(super) fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, font: Font, text: &str) {
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
