//! Cards as a printer makes them, in any size: both corners, words that are wrapped, backs, and a bleed beyond the edge.
//! They show the same faces as the pictures of a game.

mod words;

use super::canvas::{Canvas, Font, ShapeOutline};
use super::cards::{french_pips, write};
use super::faces;
use super::icons::{icon, outline};
use super::land::faces::draw_tile;
use super::palette::{
    BACK_EDGE, BACK_LINE, CARD, CARD_BACK, Colours, DIE, DIE_EDGE, Ink, PAPER, PIP, TEXT, card_colours,
    on_card,
};
use super::path::PathStep;
use super::scene::PaperPoint;
use crate::layout::{CardFace, CardForm, CardTextPart, Icon};
use crate::lettering::width as text_width;
use houserule_model::Colour;
pub use words::CardParagraph;
use words::{WordSizes, set_words};

/// Pixels per millimetre: an inch is 96 pixels.
const MM: f64 = 96.0 / 25.4;
/// Width and height of the card for which lengths are given, in millimetres. They are scaled to other cards.
const USUAL: (f64, f64) = (63.0, 88.0);
/// Size of the index of that card: 18 points.
const INDEX: f64 = 24.0;
/// Greatest and least size of words: 10 and 5.5 points.
const WORDS: WordSizes = WordSizes { most: 13.5, least: 7.3 };
/// Signs of the backs of several decks. They look the same upside down.
const BACKS: [Icon; 5] = [Icon::Diamond, Icon::Disc, Icon::Square, Icon::Cross, Icon::Ring];

/// The size of a card after it is cut, and how far its ground goes on beyond the cut, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CardCut {
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// How far the ground goes on.
    pub bleed: f64,
}

impl CardCut {
    /// Returns the factor by which a card is larger than the usual one.
    fn scale(self) -> f64 {
        (self.width / (USUAL.0 * MM)).min(self.height / (USUAL.1 * MM))
    }

    /// Returns the size with the bleed.
    pub fn outer(self) -> (f64, f64) {
        (self.width + 2.0 * self.bleed, self.height + 2.0 * self.bleed)
    }

    /// Returns the corner and the size of the ground with its bleed.
    pub fn ground(self, corner: (f64, f64)) -> ((f64, f64), (f64, f64)) {
        ((corner.0 - self.bleed, corner.1 - self.bleed), self.outer())
    }
}

/// What a printed card shows: its face, and its words in paragraphs.
#[derive(Clone, Debug, PartialEq)]
pub struct PrintedFace {
    /// Index, sign, colour and form.
    pub face: CardFace,
    /// Its name and fields.
    pub lines: Vec<CardParagraph>,
    /// What it says.
    pub text: Vec<CardTextPart>,
}

/// Draws the face of a card. `corner` is where it is cut.
pub fn draw_printed_face(canvas: &mut Canvas<'_>, corner: PaperPoint, cut: CardCut, card: &PrintedFace) {
    let drawn = PrintedCard { corner, cut, card, unit: cut.scale() };
    match card.face.form {
        CardForm::Domino => drawn.draw_domino(canvas),
        CardForm::French { pips, court } => drawn.draw_french(canvas, pips, court),
        CardForm::Coloured => drawn.draw_coloured(canvas),
        CardForm::Plain => drawn.draw_plain(canvas),
        CardForm::Tile => drawn.draw_square(canvas),
    }
}

/// Draws the back of the cards of a deck. Backs look the same upside down, and each deck has a sign of its own.
pub fn draw_printed_back(canvas: &mut Canvas<'_>, corner: PaperPoint, cut: CardCut, deck: usize) {
    let (ground, size) = cut.ground(corner);
    let prints = canvas.prints();
    let line = if prints { BACK_EDGE } else { BACK_LINE };
    canvas.rect(ground, size, 0.0, Some(CARD_BACK), None);
    let unit = cut.scale() * MM;
    let (middle_x, middle_y) = (corner.0 + cut.width / 2.0, corner.1 + cut.height / 2.0);
    let margin = 4.0 * unit;
    let inner = (cut.width - 2.0 * margin, cut.height - 2.0 * margin);
    let edge = ShapeOutline { ink: line, width: 0.5 * unit };
    canvas.rect((corner.0 + margin, corner.1 + margin), inner, 2.0 * unit, None, Some(edge));
    let sign = BACKS[deck % BACKS.len()];
    let step = 6.0 * unit;
    let count = |length: f64| ((length - 3.0 * unit) / 2.0 / step).floor() as i32;
    let (columns, rows) = (count(inner.0), count(inner.1));
    let great = 14.0 * unit;
    let mut signs: Vec<PathStep> = vec![];
    for row in -rows..=rows {
        for column in -columns..=columns {
            let (dx, dy) = (f64::from(column) * step, f64::from(row) * step);
            let covered = dx.hypot(dy) < great * 0.72 + 3.0 * unit;
            if !covered && (row + column) % 2 == 0 {
                signs.extend(outline(sign, (middle_x + dx, middle_y + dy), 3.4 * unit));
            }
        }
    }
    canvas.path(&signs, Some(line), None);
    canvas.circle((middle_x, middle_y), great * 0.72, None, Some(edge));
    icon(canvas, sign, (middle_x, middle_y), great * 0.8, line, None);
}

/// Draws a picture by itself, around a point.
pub fn draw_picture(canvas: &mut Canvas<'_>, picture: Icon, centre: PaperPoint, size: f64) {
    icon(canvas, picture, centre, size, TEXT, None);
}

/// A card that is being drawn.
struct PrintedCard<'c> {
    corner: PaperPoint,
    cut: CardCut,
    card: &'c PrintedFace,
    /// The factor by which lengths are scaled.
    unit: f64,
}

impl PrintedCard<'_> {
    /// Returns a place on the card, given in units of its width and height.
    fn place(&self, across: f64, down: f64) -> PaperPoint {
        (self.corner.0 + self.cut.width * across, self.corner.1 + self.cut.height * down)
    }

    /// Returns a length that is given in millimetres of the usual card.
    fn length(&self, millimetres: f64) -> f64 {
        millimetres * MM * self.unit
    }

    fn draw_ground(&self, canvas: &mut Canvas<'_>, ink: Ink) {
        let (corner, size) = self.cut.ground(self.corner);
        canvas.rect(corner, size, 0.0, Some(ink), None);
    }

    /// Draws index and sign in the upper left corner, and turned in the lower right one.
    fn draw_corners(&self, canvas: &mut Canvas<'_>, ink: Ink) {
        let middle = self.place(0.5, 0.5);
        self.draw_corner(canvas, ink);
        canvas.turned(middle, |canvas| self.draw_corner(canvas, ink));
    }

    fn draw_corner(&self, canvas: &mut Canvas<'_>, ink: Ink) {
        let face = &self.card.face;
        let (x, y) = (self.corner.0 + self.length(6.4), self.corner.1 + self.length(3.5));
        let size = INDEX * self.unit;
        let mut below = y;
        if !face.index.is_empty() {
            write(
                canvas,
                (x, y + size * 0.78),
                Font { size, bold: true, ink },
                self.length(8.6),
                &face.index,
            );
            below += size * 0.78 + self.length(1.2);
        }
        if let Some(sign) = face.sign {
            let side = self.length(5.2);
            icon(canvas, sign, (x, below + side / 2.0), side, ink, None);
        }
    }

    fn draw_french(&self, canvas: &mut Canvas<'_>, pips: Option<u32>, court: Option<Icon>) {
        let face = &self.card.face;
        let ink = face.colour.map_or(PIP, on_card);
        self.draw_ground(canvas, DIE);
        self.draw_corners(canvas, ink);
        let Some(sign) = face.sign else { return self.draw_great(canvas, ink, 0.5, 34.0) };
        let middle = self.place(0.5, 0.5);
        if !self.card.lines.is_empty() || !self.card.text.is_empty() {
            return self.draw_words(canvas, ink, self.length(15.0));
        }
        match (pips, court) {
            (_, Some(crown)) => self.draw_court(canvas, crown, sign, ink),
            (Some(1), None) => icon(canvas, sign, middle, self.length(26.0), ink, None),
            (Some(count), None) => {
                let (across, down) = (self.cut.width * 0.18, self.cut.height * 0.335);
                let mut signs: Vec<PathStep> = vec![];
                for (dx, dy) in french_pips(count) {
                    let size = self.length(if dy > 0.01 { -10.5 } else { 10.5 });
                    signs.extend(outline(sign, (middle.0 + dx * across, middle.1 + dy * down), size));
                }
                canvas.path(&signs, Some(ink), None);
            }
            (None, None) if face.index.is_empty() => icon(canvas, sign, middle, self.length(30.0), ink, None),
            (None, None) => self.draw_great(canvas, ink, 0.5, 34.0),
        }
    }

    /// Draws a court card: its picture and sign above, and the same turned below.
    fn draw_court(&self, canvas: &mut Canvas<'_>, crown: Icon, sign: Icon, ink: Ink) {
        let (left, top) = (self.corner.0 + self.length(12.5), self.corner.1 + self.length(6.0));
        let (middle, half) = (self.place(0.5, 0.5), self.cut.width / 2.0 - self.length(12.5));
        let size = (2.0 * half, 2.0 * (middle.1 - top));
        let edge = ShapeOutline { ink, width: self.length(0.35) };
        canvas.rect((left, top), size, self.length(2.0), None, Some(edge));
        canvas.lines(&[vec![(left, middle.1), (left + size.0, middle.1)]], edge);
        let above = (middle.0, top + size.1 * 0.2);
        let draw_half = |canvas: &mut Canvas<'_>| {
            icon(canvas, crown, above, self.length(22.0), ink, None);
            if crown == Icon::Shield {
                icon(canvas, sign, (above.0, above.1 - self.length(0.8)), self.length(10.0), DIE, None);
            }
            icon(canvas, sign, (middle.0, top + size.1 * 0.41), self.length(8.0), ink, None);
        };
        draw_half(canvas);
        canvas.turned(middle, draw_half);
    }

    /// Writes the index large around a height of the card, up to `most` millimetres high.
    fn draw_great(&self, canvas: &mut Canvas<'_>, ink: Ink, down: f64, most: f64) {
        let index = &self.card.face.index;
        let size = self.length(most);
        let (x, y) = self.place(0.5, down);
        let room = self.cut.width * 0.66;
        let size = size.min(room / text_width(index, 1.0, true).max(0.1));
        write(canvas, (x, y + size * 0.36), Font { size, bold: true, ink }, room, index);
    }

    /// Returns the colours of a coloured card. Signs alone tell colours on paper.
    fn colours(&self, canvas: &Canvas<'_>) -> Colours {
        match self.card.face.colour {
            _ if canvas.prints() => Colours { body: PAPER, edge: TEXT, mark: TEXT },
            Some(colour) => card_colours(colour),
            None => CARD,
        }
    }

    fn draw_coloured(&self, canvas: &mut Canvas<'_>) {
        let Colours { body, edge, mark } = self.colours(canvas);
        self.draw_ground(canvas, body);
        let face = &self.card.face;
        if canvas.prints() || matches!(face.colour, None | Some(Colour::White)) {
            let margin = self.length(2.6);
            let size = (self.cut.width - 2.0 * margin, self.cut.height - 2.0 * margin);
            let line = ShapeOutline { ink: edge, width: self.length(0.5) };
            let corner = (self.corner.0 + margin, self.corner.1 + margin);
            canvas.rect(corner, size, self.length(2.0), None, Some(line));
        }
        self.draw_corners(canvas, mark);
        if !self.card.lines.is_empty() || !self.card.text.is_empty() {
            return self.draw_words(canvas, mark, self.length(15.0));
        }
        match face.sign {
            Some(sign) if face.index.is_empty() => {
                icon(canvas, sign, self.place(0.5, 0.5), self.length(30.0), mark, None);
            }
            Some(sign) => {
                icon(canvas, sign, self.place(0.5, 0.37), self.length(22.0), mark, None);
                self.draw_great(canvas, mark, 0.68, 24.0);
            }
            None => self.draw_great(canvas, mark, 0.5, 34.0),
        }
    }

    /// Draws a white card: a picture with its name, a number, or words.
    fn draw_plain(&self, canvas: &mut Canvas<'_>) {
        let face = &self.card.face;
        let ink = face.colour.map_or(PIP, on_card);
        self.draw_ground(canvas, DIE);
        let has_words = !self.card.lines.is_empty() || !self.card.text.is_empty();
        if !has_words {
            if face.index.is_empty() && face.sign.is_none() {
                return;
            }
            self.draw_corners(canvas, ink);
            return match face.sign {
                Some(sign) => icon(canvas, sign, self.place(0.5, 0.5), self.length(30.0), ink, None),
                None => self.draw_great(canvas, ink, 0.5, 34.0),
            };
        }
        let mut top = self.length(4.0);
        if !face.index.is_empty() {
            let radius = self.length(5.2);
            let centre = (self.corner.0 + self.length(9.0), self.corner.1 + self.length(9.0));
            canvas.circle(centre, radius, None, Some(ShapeOutline { ink, width: self.length(0.5) }));
            let size = INDEX * 0.8 * self.unit;
            let font = Font { size, bold: true, ink };
            write(canvas, (centre.0, centre.1 + size * 0.36), font, radius * 1.6, &face.index);
            top = self.length(4.0);
        }
        if let Some(sign) = face.sign {
            icon(canvas, sign, self.place(0.5, 0.36), self.length(24.0), ink, None);
            top = self.cut.height * 0.36 + self.length(14.0);
        }
        self.draw_words(canvas, ink, top);
    }

    /// Writes the words of a card below a distance from its top: the name as a heading, the fields below it, and what the
    /// card says in the room that is left.
    fn draw_words(&self, canvas: &mut Canvas<'_>, ink: Ink, top: f64) {
        let margin = self.length(5.0);
        let is_filled = matches!(self.card.face.form, CardForm::Coloured);
        let coloured = !canvas.prints() && !is_filled;
        // Only headings have the colour of a white card.
        let words = if is_filled { ink } else { PIP };
        let has_circle = matches!(self.card.face.form, CardForm::Plain)
            && !self.card.face.index.is_empty()
            && self.card.face.sign.is_none();
        let bottom =
            self.cut.height - margin - if self.has_turned_corner() { self.length(12.0) } else { 0.0 };
        let sizes = |factor: f64| WordSizes {
            most: WORDS.most * factor * self.unit,
            least: WORDS.least * self.unit.min(1.0),
        };
        let mut y = top;
        let (heads, fields) = self.card.lines.split_at(self.card.lines.len().min(1));
        let head_left = if has_circle { self.length(16.0) } else { margin };
        if !heads.is_empty() {
            let room = (self.cut.width - head_left - margin, self.length(12.0));
            let set = set_words(heads, room, sizes(1.3));
            let middle = self.corner.0 + head_left + room.0 / 2.0;
            let high = set.height.max(if has_circle { self.length(10.4) } else { 0.0 });
            set.draw(canvas, (middle, self.corner.1 + y + (high - set.height) / 2.0), ink, coloured);
            y += high + self.length(1.0);
        } else if has_circle {
            y += self.length(11.4);
        }
        let middle = self.corner.0 + self.cut.width / 2.0;
        let room = self.cut.width - 2.0 * margin;
        if !fields.is_empty() {
            let set = set_words(fields, (room, (bottom - y) * 0.5), sizes(1.0));
            let high = if self.card.text.is_empty() { bottom - y } else { set.height };
            let below = self.corner.1 + y + ((high - set.height) / 2.0).max(0.0);
            set.draw(canvas, (middle, below), words, coloured);
            y += high + self.length(1.5);
        }
        if !self.card.text.is_empty() {
            let line = ShapeOutline { ink, width: self.length(0.3) };
            let at = self.corner.1 + y;
            if !self.card.lines.is_empty() {
                canvas
                    .lines(&[vec![(self.corner.0 + margin, at), (self.corner.0 + margin + room, at)]], line);
            }
            y += self.length(1.5);
            let text = CardParagraph { parts: self.card.text.clone(), bold: false };
            let set = set_words(&[text], (room, bottom - y), sizes(1.0));
            let high = ((bottom - y - set.height) / 2.0).max(0.0);
            set.draw(canvas, (middle, self.corner.1 + y + high), words, coloured);
        }
    }

    /// Returns `true` if index or sign stand in the lower right corner, too.
    fn has_turned_corner(&self) -> bool {
        matches!(self.card.face.form, CardForm::French { .. } | CardForm::Coloured)
            && (self.card.face.sign.is_some() || !self.card.face.index.is_empty())
    }

    /// Draws a tile with sides, as large as fits.
    fn draw_square(&self, canvas: &mut Canvas<'_>) {
        self.draw_ground(canvas, DIE);
        let Some(tile) = &self.card.face.tile else { return };
        let (width, height) = (self.cut.width, self.cut.height);
        let side = width.min(height) - 2.0 * self.length(2.0).min(width.min(height) * 0.06);
        let corner = (self.corner.0 + (width - side) / 2.0, self.corner.1 + (height - side) / 2.0);
        draw_tile(canvas, corner, side, tile);
    }

    /// Draws a domino, along the longer side of its card.
    fn draw_domino(&self, canvas: &mut Canvas<'_>) {
        self.draw_ground(canvas, DIE);
        let (width, height) = (self.cut.width, self.cut.height);
        let margin = self.length(2.0).min(width.min(height) * 0.06);
        let is_upright = height > width;
        let (long, short) = (width.max(height) - 2.0 * margin, width.min(height) - 2.0 * margin);
        let half = ((long / 2.0).min(short * 1.3), short);
        let size = if is_upright { (half.1, 2.0 * half.0) } else { (2.0 * half.0, half.1) };
        let corner = (self.corner.0 + (width - size.0) / 2.0, self.corner.1 + (height - size.1) / 2.0);
        let halves = self.card.face.halves.unwrap_or_default();
        faces::tile(
            canvas,
            corner,
            half,
            halves,
            is_upright,
            (DIE, ShapeOutline { ink: DIE_EDGE, width: 1.0 }),
        );
    }
}
