//! Cards and tiles: faces, backs, empty places, in four sizes. The corner comes first, so that a card can be read when most of
//! it is covered.

use super::canvas::{Anchor, Canvas, Font, ShapeOutline, clipped, text_width};
use super::faces;
use super::icons::{icon, outline};
use super::land::faces::draw_tile;
use super::palette::{
    BACK_EDGE, BACK_LINE, CAN, CARD, CARD_BACK, Colours, DIE, DIE_EDGE, FRESH, FRESH_EDGE, FRESH_FACE, Ink,
    KNOWN, PAPER, PIP, PLACE, QUIET, TEXT, card_colours, on_card,
};
use super::path::PathStep;
use super::scene::PaperPoint;
use crate::layout::{CardFace, CardForm, CardSize, Icon};
use houserule_model::Colour;

/// Opacity of the frame of a court card.
const FRAME: f64 = 0.5;
/// Minimum size of words.
const LEAST_WORDS: f64 = 11.0;

/// How far from its middle a number on a card ends, with some paper around it.
const ASIDE: f64 = 13.0;

/// The part of a card that isn't covered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Strip {
    /// Its left edge, of this width.
    Left(f64),
    /// Its upper edge, of this height.
    Top(f64),
}

/// What is marked on a card.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CardMarks {
    /// The last move put it there.
    pub(super) fresh: bool,
    /// It may be chosen, and others beside it may not.
    pub(super) can: bool,
    /// It lies hidden from others, and the viewer knows it.
    pub(super) known: bool,
    /// A number of cards lies on the middle of its lower edge.
    pub(super) counted: bool,
    /// The part that is seen, if something covers it.
    pub(super) strip: Option<Strip>,
}

/// Draws a card, face up.
pub(super) fn draw_card(
    canvas: &mut Canvas<'_>,
    corner: PaperPoint,
    size: CardSize,
    face: &CardFace,
    marks: CardMarks,
) {
    let card = DrawnCard { corner, size, face, strip: marks.strip };
    match face.form {
        CardForm::Domino => card.draw_domino(canvas, marks.fresh),
        CardForm::Tile => card.draw_square(canvas, marks.fresh),
        _ => {
            if marks.fresh {
                card.mark_fresh(canvas);
            }
            draw_blank(canvas, corner, size);
            match face.form {
                CardForm::French { pips, court } => card.draw_french(canvas, pips, court),
                CardForm::Coloured => card.draw_coloured(canvas),
                _ => card.draw_plain(canvas),
            }
        }
    }
    if marks.known {
        card.mark_known(canvas);
    }
    if marks.can {
        card.mark_possible(canvas, marks.counted);
    }
}

/// Draws a card without anything on it: the edges of a pile, below its top.
pub(super) fn draw_blank(canvas: &mut Canvas<'_>, corner: PaperPoint, size: CardSize) {
    let round = round(size);
    canvas.shadow(corner, size.size(), round);
    canvas.rect(corner, size.size(), round, Some(DIE), Some(ShapeOutline { ink: DIE_EDGE, width: 1.0 }));
}

/// Draws a card, face down.
pub(super) fn draw_back(canvas: &mut Canvas<'_>, corner: PaperPoint, size: CardSize) {
    let (width, height) = size.size();
    let centre = (corner.0 + width / 2.0, corner.1 + height / 2.0);
    draw_blank(canvas, corner, size);
    let pad = (width * 0.06).max(1.6);
    let edge = canvas.prints().then_some(ShapeOutline { ink: BACK_EDGE, width: 1.0 });
    let (inner, room) = inset(corner, size, pad);
    canvas.rect(inner, room, (width * 0.05).max(2.0), Some(CARD_BACK), edge);
    icon(canvas, Icon::Diamond, centre, width * 0.38, BACK_LINE, None);
    if size != CardSize::Tiny {
        let (inner, room) = inset(corner, size, 2.2 * pad);
        canvas.rect(inner, room, 2.0, None, Some(ShapeOutline { ink: BACK_LINE, width: 1.0 }));
        icon(canvas, Icon::Diamond, centre, width * 0.2, CARD_BACK, None);
    }
}

/// Draws an empty place for a card, with a word.
pub(super) fn draw_place(canvas: &mut Canvas<'_>, corner: PaperPoint, size: CardSize, label: Option<&str>) {
    let (width, height) = size.size();
    let (x, y) = (corner.0 + width / 2.0, corner.1 + height / 2.0);
    let (inner, room) = inset(corner, size, 1.0);
    let edge = ShapeOutline { ink: PLACE, width: 1.4 };
    canvas.dashed_rect(inner, room, round(size), edge, (5.0, 4.0));
    if let Some(label) = label {
        let font = Font { size: LEAST_WORDS, bold: false, ink: QUIET };
        canvas.text((x, y + 4.0), Anchor::Middle, font, &clipped(label, font, width - 4.0));
    }
}

/// Draws a number on something: how many there are.
pub(super) fn draw_count(canvas: &mut Canvas<'_>, centre: PaperPoint, count: &str) {
    let (x, y) = centre;
    let font = Font { size: 12.0, bold: true, ink: PAPER };
    let width = (text_width(count, font) + 10.0).max(18.0);
    let rim = ShapeOutline { ink: PAPER, width: 1.5 };
    canvas.rect((x - width / 2.0, y - 9.0), (width, 18.0), 9.0, Some(TEXT), Some(rim));
    canvas.text((x, y + 4.3), Anchor::Middle, font, count);
}

/// Returns the radius of a card's corners.
fn round(size: CardSize) -> f64 {
    (size.size().0 * 0.09).max(3.0)
}

/// Returns the corner and the size of a rectangle inside a card, with a margin on all sides.
fn inset(corner: PaperPoint, size: CardSize, margin: f64) -> (PaperPoint, (f64, f64)) {
    let (width, height) = size.size();
    ((corner.0 + margin, corner.1 + margin), (width - 2.0 * margin, height - 2.0 * margin))
}

/// Returns where the signs of a French card are, across and down from its middle, in units of half of their extent.
pub(super) fn french_pips(count: u32) -> Vec<PaperPoint> {
    let sides = |down: f64| [(-1.0, down), (1.0, down)];
    let mut places: Vec<PaperPoint> = vec![];
    match count {
        2 | 3 => places.extend([(0.0, -1.0), (0.0, 1.0)]),
        4..=8 => places.extend([sides(-1.0), sides(1.0)].concat()),
        9 | 10 => places.extend([sides(-1.0), sides(-0.34), sides(0.34), sides(1.0)].concat()),
        _ => {}
    }
    if (6..=8).contains(&count) {
        places.extend(sides(0.0));
    }
    match count {
        3 | 5 | 9 => places.push((0.0, 0.0)),
        7 => places.push((0.0, -0.5)),
        8 => places.extend([(0.0, -0.5), (0.0, 0.5)]),
        10 => places.extend([(0.0, -0.67), (0.0, 0.67)]),
        _ => {}
    }
    places
}

/// A card that is being drawn.
#[derive(Clone, Copy)]
struct DrawnCard<'f> {
    corner: PaperPoint,
    size: CardSize,
    face: &'f CardFace,
    strip: Option<Strip>,
}

impl DrawnCard<'_> {
    /// Draws a square tile in the middle of the card's place.
    fn draw_square(&self, canvas: &mut Canvas<'_>, is_fresh: bool) {
        let (width, height) = self.size.size();
        if is_fresh {
            self.mark_fresh(canvas);
        }
        let corner = (self.corner.0, self.corner.1 + (height - width) / 2.0);
        if let Some(tile) = &self.face.tile {
            draw_tile(canvas, corner, width, tile);
        }
    }

    /// Returns a place on the card, given in units of its width and height.
    fn place(&self, across: f64, down: f64) -> PaperPoint {
        let (width, height) = self.size.size();
        (self.corner.0 + width * across, self.corner.1 + height * down)
    }

    /// Returns the height of the index.
    fn index_size(&self) -> f64 {
        match self.size {
            CardSize::Large => 18.0,
            CardSize::Medium => 16.0,
            CardSize::Small => 15.0,
            CardSize::Tiny => 12.0,
        }
    }

    /// Returns `true` for an index of two characters or more, which is written smaller.
    fn is_wide(&self) -> bool {
        self.face.index.chars().count() > 1
    }

    /// Draws the index and the sign of a card that is too small for more. `ink` is their colour.
    fn draw_tiny(&self, canvas: &mut Canvas<'_>, ink: Ink) {
        let width = match self.strip {
            // In the middle of what is seen.
            Some(Strip::Left(seen)) => seen.min(self.size.size().0),
            _ => self.size.size().0,
        };
        let (x, y) = (self.corner.0 + width / 2.0, self.corner.1);
        let font = Font { size: 12.0, bold: true, ink };
        let initial: String =
            self.face.lines.first().map_or_else(String::new, |line| line.chars().take(1).collect());
        let text = if self.face.index.is_empty() { initial.to_uppercase() } else { self.face.index.clone() };
        let (text, sign) = match self.face.sign {
            Some(sign) if self.face.index.is_empty() => (String::new(), Some((sign, 17.0, 14.0))),
            Some(sign) => (text, Some((sign, 24.0, 11.0))),
            None => (text, None),
        };
        if !text.is_empty() {
            let base = if sign.is_some() { 14.0 } else { 21.0 };
            write(canvas, (x, y + base), font, width - 4.0, &text);
        }
        if let Some((sign, down, size)) = sign {
            icon(canvas, sign, (x, y + down), size, ink, None);
        }
    }

    /// Draws the index in the corner, and returns the outline of the sign beside or below it.
    fn draw_corner(&self, canvas: &mut Canvas<'_>, ink: Ink) -> Vec<PathStep> {
        let (x, y) = self.corner;
        let width = self.size.size().0;
        let great = self.index_size();
        let part = if self.size == CardSize::Large { 0.165 } else { 0.18 };
        let across = x + width * part + if self.size == CardSize::Small { 1.0 } else { 0.0 };
        let index = &self.face.index;
        let size = great * if self.is_wide() { 0.86 } else { 1.0 };
        if !index.is_empty() {
            let font = Font { size, bold: true, ink };
            write(canvas, (across, y + great * 0.98), font, width * 0.34, index);
        }
        let Some(sign) = self.face.sign else { return vec![] };
        let (place, size) = match self.strip {
            // Only the upper edge is seen.
            Some(Strip::Top(_)) if !index.is_empty() => {
                ((across + great * if self.is_wide() { 1.12 } else { 0.98 }, y + great * 0.62), great * 0.72)
            }
            _ if index.is_empty() => ((across, y + great * 0.66), great * 0.74),
            _ => ((across, y + great * 1.5), great * 0.74),
        };
        outline(sign, place, size).collect()
    }

    /// Draws the face of a French pack: pips, a letter, or a crown above the sign.
    fn draw_french(&self, canvas: &mut Canvas<'_>, pips: Option<u32>, court: Option<Icon>) {
        let ink = self.face.colour.map_or(PIP, on_card);
        if self.size == CardSize::Tiny {
            return self.draw_tiny(canvas, ink);
        }
        let mut signs = self.draw_corner(canvas, ink);
        let width = self.size.size().0;
        let middle = self.place(0.62, 0.5);
        match (self.strip, self.face.sign) {
            (None, Some(sign)) => match (pips, court) {
                _ if !self.face.lines.is_empty() => self.draw_words(canvas, ink),
                _ if self.face.index.is_empty() => {
                    signs.extend(outline(sign, self.place(0.55, 0.55), width * 0.5));
                }
                _ if self.size == CardSize::Small => {
                    signs.extend(outline(sign, self.place(0.6, 0.66), 21.0));
                }
                (_, Some(crown)) => self.draw_court(canvas, &mut signs, (crown, sign), ink),
                (Some(1), None) => signs.extend(outline(sign, middle, width * 0.46)),
                (Some(count), None) => {
                    let (across, down) = (width * 0.24 * 0.76, self.size.size().1 * 0.34);
                    for (dx, dy) in french_pips(count) {
                        let size = width * if dy > 0.01 { -0.185 } else { 0.185 };
                        let place = (middle.0 + dx * across, middle.1 + dy * down);
                        signs.extend(outline(sign, place, size));
                    }
                }
                (None, None) => self.draw_great(canvas, ink, 0.55, 0.68),
            },
            (None, None) => self.draw_great(canvas, ink, 0.55, 0.68),
            _ => {}
        }
        canvas.path(&signs, Some(ink), None);
    }

    /// Draws the frame of a court card with its picture and sign, `crown_and_sign`.
    fn draw_court(
        &self,
        canvas: &mut Canvas<'_>,
        signs: &mut Vec<PathStep>,
        crown_and_sign: (Icon, Icon),
        ink: Ink,
    ) {
        let (crown, sign) = crown_and_sign;
        let width = self.size.size().0;
        let (corner, end) = (self.place(0.35, 0.1), self.place(0.89, 0.9));
        let line = self.place(0.35, 0.575).1;
        let edge = ShapeOutline { ink, width: 1.0 };
        canvas.pale(FRAME, |canvas| {
            canvas.rect(corner, (end.0 - corner.0, end.1 - corner.1), 4.0, None, Some(edge));
            canvas.lines(&[vec![(corner.0, line), (end.0, line)]], edge);
        });
        let above = self.place(0.62, 0.345);
        signs.extend(outline(sign, self.place(0.62, 0.74), width * 0.29));
        icon(canvas, crown, above, width * 0.37, ink, None);
        if crown == Icon::Shield {
            let arms = (above.0, above.1 - width * 0.014);
            icon(canvas, sign, arms, width * 0.17, DIE, None);
        }
    }

    /// Writes the index large, with its middle and its baseline at a place in units of the card's width and height.
    fn draw_great(&self, canvas: &mut Canvas<'_>, ink: Ink, across: f64, down: f64) {
        if self.face.index.is_empty() {
            return;
        }
        let (width, height) = self.size.size();
        let font = Font { size: height * 0.38, bold: true, ink };
        write(canvas, self.place(across, down), font, width * 0.72, &self.face.index);
    }

    /// Returns the colours of a coloured card. Signs alone tell colours on paper.
    fn colours(&self, canvas: &Canvas<'_>) -> Colours {
        match self.face.colour {
            _ if canvas.prints() => Colours { body: PAPER, edge: TEXT, mark: TEXT },
            Some(colour) => card_colours(colour),
            None => CARD,
        }
    }

    /// Draws a card that is filled with its colour.
    fn draw_coloured(&self, canvas: &mut Canvas<'_>) {
        let Colours { body, edge, mark } = self.colours(canvas);
        let (width, height) = self.size.size();
        let margin = (width * 0.055).max(2.0);
        let is_pale = canvas.prints() || matches!(self.face.colour, None | Some(Colour::White));
        let edge = is_pale.then_some(ShapeOutline { ink: edge, width: 1.0 });
        let (inner, room) = inset(self.corner, self.size, margin);
        canvas.rect(inner, room, (width * 0.06).max(2.0), Some(body), edge);
        if self.size == CardSize::Tiny {
            return self.draw_tiny(canvas, mark);
        }
        let great = self.index_size();
        let (x, y) = self.corner;
        let has_index = !self.face.index.is_empty();
        let across = x + match self.strip {
            Some(Strip::Left(_)) => width * 0.19,
            _ if self.is_wide() => width * 0.22 + 1.0,
            _ => width * 0.22,
        };
        if has_index {
            let base = (across, y + great * 1.08);
            let font = Font { size: great * if self.is_wide() { 0.9 } else { 1.0 }, bold: true, ink: mark };
            let half = text_width(&self.face.index, font).min(width * 0.36) / 2.0;
            let base = (base.0.max(x + margin + 1.0 + half), base.1);
            write(canvas, base, font, width * 0.36, &self.face.index);
        }
        let mut signs: Vec<PathStep> = vec![];
        if let Some(sign) = self.face.sign {
            let place = match self.strip {
                _ if !has_index => (across, y + great * 0.78),
                // The other corner is covered.
                Some(Strip::Left(_)) => (across, y + great * 1.62),
                _ => (x + width * 0.8, y + great * 0.74),
            };
            signs.extend(outline(sign, place, great * 0.66));
        }
        match (self.strip, self.face.sign) {
            (Some(_), _) => {}
            _ if !self.face.lines.is_empty() => self.draw_words(canvas, mark),
            (None, Some(sign)) if self.size == CardSize::Small || !has_index => {
                let size = width * if has_index { 0.4 } else { 0.5 };
                signs.extend(outline(sign, (x + width / 2.0, y + height * 0.64), size));
            }
            (None, _) => self.draw_great(canvas, mark, 0.5, 0.76),
        }
        canvas.path(&signs, Some(mark), None);
    }

    /// Draws a white card with an index, a sign or words.
    fn draw_plain(&self, canvas: &mut Canvas<'_>) {
        let ink = self.face.colour.map_or(PIP, on_card);
        if self.size == CardSize::Tiny {
            return self.draw_tiny(canvas, ink);
        }
        let (width, _) = self.size.size();
        let great = self.index_size();
        let is_number = self.face.index.parse::<i64>().is_ok();
        let mut signs = if self.face.sign.is_none() && is_number && !self.face.lines.is_empty() {
            // A number among words.
            let centre = (self.corner.0 + great * 0.9, self.corner.1 + great * 0.9);
            let font = Font { size: great * 0.78, bold: true, ink };
            canvas.circle(centre, great * 0.68, None, Some(ShapeOutline { ink, width: 1.2 }));
            let base = (centre.0, centre.1 + font.size * 0.36);
            write(canvas, base, font, great * 1.1, &self.face.index);
            vec![]
        } else {
            self.draw_corner(canvas, ink)
        };
        match (self.strip, self.face.sign) {
            (None, Some(sign)) if self.face.index.is_empty() => {
                signs.extend(outline(sign, self.place(0.55, 0.52), width * 0.46));
                if let Some(name) = self.face.lines.first() {
                    let font = Font { size: LEAST_WORDS, bold: true, ink };
                    let name = clipped(name, font, width - 6.0);
                    canvas.text(self.place(0.5, 0.93), Anchor::Middle, font, &name);
                }
            }
            _ if !self.face.lines.is_empty() => self.draw_words(canvas, ink),
            (Some(_), _) => {}
            (None, Some(sign)) => signs.extend(outline(sign, self.place(0.58, 0.58), width * 0.46)),
            (None, None) => self.draw_great(canvas, ink, 0.55, 0.68),
        }
        canvas.path(&signs, Some(ink), None);
    }

    /// Writes the words of a card below its index, or at its top if that is all of it that is seen.
    fn draw_words(&self, canvas: &mut Canvas<'_>, ink: Ink) {
        let (width, height) = self.size.size();
        let size = if self.size == CardSize::Large { 12.0 } else { LEAST_WORDS };
        let has_corner = !self.face.index.is_empty() || self.face.sign.is_some();
        let is_small = self.size == CardSize::Small;
        let room = width - if is_small { 4.0 } else { 8.0 };
        // A long word comes nearer to the edges, in smaller letters.
        let words = || self.face.lines.iter().flat_map(|line| line.split_whitespace());
        let fits = |word: &str| text_width(word, Font { size, bold: true, ink }) <= room;
        let (size, room) = if words().all(fits) { (size, room) } else { (LEAST_WORDS, width - 4.0) };
        if let Some(strip) = self.strip {
            let font = Font { size, bold: true, ink };
            let seen = if let Strip::Left(wide) = strip { wide.min(width) } else { width };
            let line = self.face.lines.first().filter(|_| !has_corner);
            if let Some(line) = line {
                let (x, y) = self.corner;
                canvas.text((x + 4.0, y + size + 3.0), Anchor::Start, font, &clipped(line, font, seen - 6.0));
            }
            return;
        }
        // The first line is the name.
        let mut lines: Vec<(Font, String)> = vec![];
        for (at, line) in self.face.lines.iter().enumerate() {
            let font = Font { size, bold: at == 0 && !is_small, ink };
            lines.extend(wrap(line, font, room).into_iter().map(|line| (font, line)));
        }
        let top = if has_corner { self.index_size() * 1.6 } else { 4.0 };
        let step = size * 1.25;
        let most = ((height - top - 4.0) / step).floor() as usize;
        lines.truncate(most);
        let high = lines.len() as f64 * step;
        let (x, y) = (self.corner.0 + width / 2.0, self.corner.1 + top + (height - top - 4.0 - high) / 2.0);
        for (at, (font, line)) in lines.iter().enumerate() {
            canvas.text((x, y + at as f64 * step + size), Anchor::Middle, *font, line);
        }
    }

    /// Draws an upright domino in the middle of the card's place.
    fn draw_domino(&self, canvas: &mut Canvas<'_>, is_fresh: bool) {
        let half = self.size.size().1 / 2.0;
        let corner = (self.place(0.5, 0.0).0 - half / 2.0, self.corner.1);
        let (fill, ink, width) = if is_fresh { (FRESH_FACE, FRESH_EDGE, 2.0) } else { (DIE, DIE_EDGE, 1.2) };
        let look = (fill, ShapeOutline { ink, width });
        canvas.shadow(corner, (half, 2.0 * half), 4.0);
        faces::tile(canvas, corner, (half, half), self.face.halves.unwrap_or_default(), true, look);
    }

    /// Marks the card that the last move put there, before it is drawn.
    fn mark_fresh(&self, canvas: &mut Canvas<'_>) {
        let (width, height) = self.size.size();
        let by = match self.size {
            CardSize::Large => 5.0,
            CardSize::Medium => 4.0,
            CardSize::Small | CardSize::Tiny => 3.0,
        };
        let corner = (self.corner.0 - by, self.corner.1 - by);
        let edge = ShapeOutline { ink: FRESH_EDGE, width: 1.6 };
        canvas.rect(corner, (width + 2.0 * by, height + 2.0 * by), by + 3.0, Some(FRESH), Some(edge));
    }

    /// Marks a card that the viewer knows, in another's hand.
    fn mark_known(&self, canvas: &mut Canvas<'_>) {
        let (corner, size) = inset(self.corner, self.size, -1.5);
        canvas.dashed_rect(corner, size, 4.0, ShapeOutline { ink: KNOWN, width: 1.6 }, (3.0, 2.0));
        let below = self.place(0.5, 1.0);
        let centre = (below.0, below.1 + 3.0);
        canvas.circle(centre, 7.0, Some(PAPER), Some(ShapeOutline { ink: KNOWN, width: 1.0 }));
        icon(canvas, Icon::Eye, centre, 10.0, KNOWN, None);
    }

    /// Marks a card that may be chosen, with a bar below what is seen of it; one on each side of a number.
    fn mark_possible(&self, canvas: &mut Canvas<'_>, is_counted: bool) {
        let (width, height) = self.size.size();
        if is_counted {
            let length = (width / 2.0 - ASIDE).clamp(4.0, 13.0);
            let y = self.corner.1 + height + 5.0;
            let middle = self.corner.0 + width / 2.0;
            canvas.rect((middle - ASIDE - length, y), (length, 4.0), 2.0, Some(CAN), None);
            if !matches!(self.strip, Some(Strip::Left(_))) {
                canvas.rect((middle + ASIDE, y), (length, 4.0), 2.0, Some(CAN), None);
            }
            return;
        }
        let seen = if let Some(Strip::Left(wide)) = self.strip { wide.min(width) } else { width };
        let length = (seen - 4.0).clamp(6.0, 26.0);
        let corner = (self.corner.0 + (seen - length) / 2.0, self.corner.1 + height + 5.0);
        canvas.rect(corner, (length, 4.0), 2.0, Some(CAN), None);
    }
}

/// Writes a text with its middle at a place, as small as the room across demands.
pub(super) fn write(canvas: &mut Canvas<'_>, base: PaperPoint, font: Font, room: f64, text: &str) {
    let wide = text_width(text, font);
    let size = if wide > room { font.size * room / wide } else { font.size };
    canvas.text(base, Anchor::Middle, Font { size, ..font }, text);
}

/// Breaks a text into lines of a width. Words that are too long are broken, too.
fn wrap(text: &str, font: Font, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = vec![];
    for word in text.split_whitespace() {
        let longer = lines.last().map(|line| format!("{line} {word}"));
        match longer.filter(|longer| text_width(longer, font) <= width) {
            Some(longer) => {
                lines.pop();
                lines.push(longer);
            }
            None => lines.extend(broken(word, font, width)),
        }
    }
    lines
}

/// Breaks a word into parts of a width, each with a hyphen but the last.
fn broken(word: &str, font: Font, width: f64) -> Vec<String> {
    let mut parts: Vec<String> = vec![];
    let mut part = String::new();
    for letter in word.chars() {
        if !part.is_empty() && text_width(&format!("{part}{letter}-"), font) > width {
            parts.push(format!("{part}-"));
            part.clear();
        }
        part.push(letter);
    }
    // What needs no hyphen fits as a whole.
    match parts.pop() {
        Some(last) if text_width(&format!("{}{part}", last.trim_end_matches('-')), font) <= width => {
            parts.push(format!("{}{part}", last.trim_end_matches('-')));
        }
        last => {
            parts.extend(last);
            parts.push(part);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::super::canvas::{Palette, Theme};
    use super::*;

    const SIZES: [CardSize; 4] = [CardSize::Large, CardSize::Medium, CardSize::Small, CardSize::Tiny];

    fn drawn(theme: Theme, size: CardSize, face: &CardFace, marks: CardMarks) -> String {
        let palette = Palette::new(theme);
        let mut canvas = Canvas::new(&palette);
        draw_card(&mut canvas, (10.0, 10.0), size, face, marks);
        canvas.done(100.0, 120.0).body().to_owned()
    }

    fn eight() -> CardFace {
        CardFace {
            index: "8".to_owned(),
            sign: Some(Icon::Diamonds),
            colour: Some(Colour::Red),
            form: CardForm::French { pips: Some(8), court: None },
            ..CardFace::default()
        }
    }

    #[test]
    fn french_cards_have_as_many_pips_as_their_number() {
        for count in 2..=10 {
            let places = french_pips(count);
            assert_eq!(places.len(), count as usize);
            for (at, place) in places.iter().enumerate() {
                assert!(!places[..at].contains(place), "{count}");
            }
        }
    }

    #[test]
    fn covered_cards_show_their_corner_only() {
        for size in [CardSize::Large, CardSize::Medium] {
            let whole = drawn(Theme::Light, size, &eight(), CardMarks::default());
            for strip in [Strip::Left(24.0), Strip::Top(30.0)] {
                let marks = CardMarks { strip: Some(strip), ..CardMarks::default() };
                let covered = drawn(Theme::Light, size, &eight(), marks);
                assert!(covered.contains(">8</text>") && covered.contains("<path"), "{size:?} {strip:?}");
                assert!(covered.len() < whole.len(), "{size:?} {strip:?}");
            }
        }
    }

    #[test]
    fn marks_are_drawn() {
        let plain = drawn(Theme::Light, CardSize::Large, &eight(), CardMarks::default());
        for (marks, ink) in [
            (CardMarks { fresh: true, ..CardMarks::default() }, FRESH_EDGE),
            (CardMarks { can: true, ..CardMarks::default() }, CAN),
            (CardMarks { known: true, ..CardMarks::default() }, KNOWN),
        ] {
            let marked = drawn(Theme::Light, CardSize::Large, &eight(), marks);
            assert!(marked.contains(ink.light) && !plain.contains(ink.light), "{}", ink.name);
        }
    }

    #[test]
    fn coloured_cards_are_told_apart_without_colours() {
        let card = |sign: Icon, colour: Colour| CardFace {
            index: "5".to_owned(),
            sign: Some(sign),
            colour: Some(colour),
            form: CardForm::Coloured,
            ..CardFace::default()
        };
        let (red, blue) = (card(Icon::Disc, Colour::Red), card(Icon::Triangle, Colour::Blue));
        for size in SIZES {
            let [one, other] =
                [&red, &blue].map(|face| drawn(Theme::Print, size, face, CardMarks::default()));
            assert!(one != other && !one.contains("fill-opacity"), "{size:?}");
            let body = card_colours(Colour::Red).body.light;
            assert!(!one.contains(body), "{size:?}");
            assert!(drawn(Theme::Light, size, &red, CardMarks::default()).contains(body), "{size:?}");
        }
    }

    #[test]
    fn every_form_is_drawn_in_every_size() {
        let court = CardFace {
            index: "K".to_owned(),
            form: CardForm::French { pips: None, court: Some(Icon::Crown) },
            ..eight()
        };
        let tile = CardFace { form: CardForm::Domino, halves: Some((9, 12)), ..CardFace::default() };
        let words = vec!["a ship of the line".to_owned(), "cost 3".to_owned()];
        let row = CardFace { index: "12".to_owned(), lines: words, ..CardFace::default() };
        let colour = CardFace { index: String::new(), form: CardForm::Coloured, ..eight() };
        for face in [eight(), court, tile, row, colour, CardFace::default()] {
            for size in SIZES {
                for strip in [None, Some(Strip::Left(20.0)), Some(Strip::Top(18.0))] {
                    let marks = CardMarks { strip, ..CardMarks::default() };
                    let svg = format!("<svg>{}</svg>", drawn(Theme::Auto, size, &face, marks));
                    assert!(roxmltree::Document::parse(&svg).is_ok(), "{face:?} {size:?}");
                    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
                }
            }
        }
    }

    #[test]
    fn words_are_broken_into_lines() {
        let font = Font { size: 12.0, bold: false, ink: PIP };
        assert_eq!(wrap("a ship of the line", font, 58.0), ["a ship of", "the line"]);
        let parts = wrap("incomprehensibilities", font, 58.0);
        assert!(parts.len() > 1 && parts.iter().rev().skip(1).all(|part| part.ends_with('-')), "{parts:?}");
        assert_eq!(parts.concat().replace('-', ""), "incomprehensibilities");
        assert_eq!(wrap("redeploy", font, text_width("redeploy", font)), ["redeploy"]);
    }
}
