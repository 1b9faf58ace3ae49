//! The words of printed cards: broken into lines, with pictures inside the sentence, as large as their room allows.

use super::super::canvas::{Anchor, Canvas, Font};
use super::super::icons::icon;
use super::super::palette::{Ink, on_card};
use super::super::scene::PaperPoint;
use crate::layout::CardTextPart;
use crate::lettering::width;
use houserule_model::Colour;

/// Distance between lines, in units of their size.
const LEADING: f64 = 1.28;
/// Size of a picture in a sentence, in units of the size of its words.
const PICTURE: f64 = 1.12;
/// Width of a space, in units of the size.
const SPACE: f64 = 0.3;
/// Step by which words become smaller until they fit.
const STEP: f64 = 0.5;

/// A paragraph of a card.
#[derive(Clone, Debug, PartialEq)]
pub struct CardParagraph {
    /// Its words and pictures.
    pub parts: Vec<CardTextPart>,
    /// Bold letters, for a name.
    pub bold: bool,
}

/// The greatest and the least size of words.
#[derive(Clone, Copy)]
pub(super) struct WordSizes {
    pub(super) most: f64,
    pub(super) least: f64,
}

/// A part of a line at its place, from the left end of the line.
#[derive(Clone, Debug)]
struct PlacedPart {
    left: f64,
    part: CardTextPart,
    bold: bool,
}

/// A line with its width.
#[derive(Clone, Debug, Default)]
struct WordLine {
    parts: Vec<PlacedPart>,
    width: f64,
    /// Whether a paragraph ends above it.
    after_gap: bool,
}

/// Paragraphs that are broken into lines at a size.
pub(super) struct SetWords {
    lines: Vec<WordLine>,
    size: f64,
    /// The greatest width of a line.
    pub(super) width: f64,
    /// The height of all lines.
    pub(super) height: f64,
}

/// Breaks paragraphs into lines, as large as fits into an area. Words that don't fit even at the least size run over it.
pub(super) fn set_words(paragraphs: &[CardParagraph], room: (f64, f64), sizes: WordSizes) -> SetWords {
    let mut size = sizes.most;
    loop {
        let set = SetWords::new(paragraphs, room.0, size);
        if size <= sizes.least || (set.width <= room.0 + 0.01 && set.height <= room.1 + 0.01) {
            return set;
        }
        size = (size - STEP).max(sizes.least);
    }
}

impl SetWords {
    fn new(paragraphs: &[CardParagraph], room: f64, size: f64) -> SetWords {
        let mut lines: Vec<WordLine> = vec![];
        for (at, paragraph) in paragraphs.iter().enumerate() {
            lines.push(WordLine { after_gap: at > 0, ..WordLine::default() });
            for unit in units(&paragraph.parts) {
                let gap = |at: usize| if is_counted(&unit, at) { SPACE * size * 0.6 } else { 0.0 };
                let measured = unit.iter().enumerate();
                let widths: Vec<(f64, f64)> =
                    measured.map(|(at, part)| (gap(at), part_width(part, size, paragraph.bold))).collect();
                let wide: f64 = widths.iter().map(|(gap, width)| gap + width).sum();
                let Some(line) = lines.last() else { continue };
                if !line.parts.is_empty() && line.width + SPACE * size + wide > room {
                    lines.push(WordLine::default());
                }
                let Some(line) = lines.last_mut() else { continue };
                let mut left = if line.parts.is_empty() { 0.0 } else { line.width + SPACE * size };
                for (part, (gap, wide)) in unit.into_iter().zip(widths) {
                    left += gap;
                    line.parts.push(PlacedPart { left, part: part.clone(), bold: paragraph.bold });
                    left += wide;
                }
                line.width = left;
            }
        }
        let width = lines.iter().map(|line| line.width).fold(0.0, f64::max);
        let height = lines.iter().map(|line| line_height(line, size)).sum();
        SetWords { lines, size, width, height }
    }

    /// Draws the lines around a middle, from a top.
    pub(super) fn draw(&self, canvas: &mut Canvas<'_>, top: PaperPoint, ink: Ink, coloured: bool) {
        let (middle, mut below) = top;
        for line in &self.lines {
            below += line_height(line, self.size);
            let base = below - self.size * (LEADING - 1.0);
            let left = middle - line.width / 2.0;
            let mut at = 0;
            while at < line.parts.len() {
                let placed = &line.parts[at];
                at += 1;
                match &placed.part {
                    CardTextPart::Picture(sign, colour) => {
                        let own = colour.filter(|_| coloured).filter(|colour| *colour != Colour::White);
                        let side = self.size * PICTURE;
                        let centre = (left + placed.left + side / 2.0, base - self.size * 0.36);
                        icon(canvas, *sign, centre, side, own.map_or(ink, on_card), None);
                    }
                    CardTextPart::Word(word) => {
                        // Words up to the next picture are one text, which can be copied and searched.
                        let mut text = word.clone();
                        let mut end = placed.left + width(word, self.size, placed.bold);
                        while let Some(PlacedPart { left: next, part: CardTextPart::Word(word), .. }) =
                            line.parts.get(at)
                        {
                            if *next > end + 0.01 {
                                text.push(' ');
                            }
                            text.push_str(word);
                            end = *next + width(word, self.size, placed.bold);
                            at += 1;
                        }
                        let font = Font { size: self.size, bold: placed.bold, ink };
                        canvas.text((left + placed.left, base), Anchor::Start, font, &text);
                    }
                }
            }
        }
    }
}

/// Returns `true` for a picture after its number.
fn is_counted(unit: &[&CardTextPart], at: usize) -> bool {
    at > 0 && matches!(unit[at], CardTextPart::Picture(..))
}

/// Returns parts that no line break divides: a picture or a word, with the stops after it, and a number with its picture.
fn units(parts: &[CardTextPart]) -> Vec<Vec<&CardTextPart>> {
    let mut units: Vec<Vec<&CardTextPart>> = vec![];
    for part in parts {
        let glued =
            matches!(part, CardTextPart::Word(word) if word.starts_with([',', '.', ';', ':', '!', '?', ')']));
        let is_number = |part: &&CardTextPart| matches!(part, CardTextPart::Word(word) if word.chars().all(|c| c.is_ascii_digit() || "+-−×".contains(c)));
        let counted = matches!(part, CardTextPart::Picture(..))
            && units.last().is_some_and(|unit| unit.len() == 1 && unit.iter().all(is_number));
        match units.last_mut().filter(|_| glued || counted) {
            Some(unit) => unit.push(part),
            None => units.push(vec![part]),
        }
    }
    units
}

fn part_width(part: &CardTextPart, size: f64, bold: bool) -> f64 {
    match part {
        CardTextPart::Word(word) => width(word, size, bold),
        CardTextPart::Picture(..) => size * PICTURE,
    }
}

fn line_height(line: &WordLine, size: f64) -> f64 {
    size * (LEADING + if line.after_gap { 0.45 } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Icon;

    fn words(text: &str) -> Vec<CardTextPart> {
        text.split(' ').map(|word| CardTextPart::Word(word.to_owned())).collect()
    }

    #[test]
    fn words_shrink_until_they_fit() {
        let long = CardParagraph { parts: words(&"take one card from the pile ".repeat(8)), bold: false };
        let sizes = WordSizes { most: 14.0, least: 7.0 };
        let short =
            set_words(&[CardParagraph { parts: words("take one"), bold: false }], (180.0, 90.0), sizes);
        let set = set_words(&[long], (180.0, 90.0), sizes);
        assert!(short.size == 14.0 && set.size < 14.0, "{}", set.size);
        assert!(set.width <= 180.01 && set.height <= 90.01, "{} {}", set.width, set.height);
    }

    #[test]
    fn a_number_stays_beside_its_picture() {
        let mut parts = words("take 3");
        parts.push(CardTextPart::Picture(Icon::Coin, None));
        let room = width("take 3", 10.0, false) + 1.0;
        let set = SetWords::new(&[CardParagraph { parts, bold: false }], room, 10.0);
        assert_eq!(set.lines.iter().map(|line| line.parts.len()).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn a_stop_stays_beside_its_picture() {
        let mut parts = words("pay");
        parts.push(CardTextPart::Picture(Icon::Coin, None));
        parts.extend(words(", then stop"));
        let set = SetWords::new(&[CardParagraph { parts, bold: false }], 1_000.0, 10.0);
        let [line] = &set.lines[..] else { panic!("{:?}", set.lines) };
        let (picture, stop) = (&line.parts[1], &line.parts[2]);
        assert!((stop.left - picture.left - 10.0 * PICTURE).abs() < 0.001, "{line:?}");
    }
}
