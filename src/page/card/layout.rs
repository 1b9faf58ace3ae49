//! The drawing of a card: texts and figures at their own heights, and the picture in the room that they leave.

use super::RuleCard;
use crate::print::typeset::{LEADING, TextSpan, cut, draw, height, lines, measure};
use crate::print::{MM, bold, font};
use houserule_picture::draw::svg::canvas::{Anchor, Canvas, Palette, Picture, ShapeOutline};
use houserule_picture::draw::svg::palette::{BRINK, CAN, PAPER, PLATE, QUIET, RULE, TEXT};

/// Width and height of A5.
const PAGE: (f64, f64) = (148.0 * MM, 210.0 * MM);

/// Margins at the sides, at the top and at the bottom.
const SIDE: f64 = 30.0;
const TOP: f64 = 24.0;
const BOTTOM: f64 = 20.0;

/// Distance of parts of the card.
const GAP: f64 = 13.0;

/// A picture that is wider than this, as a multiple of its height, has its words below it and not beside it.
const WIDE: f64 = 1.3;

/// Width of a picture with words beside it, and the distance of these.
const BESIDE: f64 = 232.0;
const ASIDE: f64 = 20.0;

/// Distance of the words below a picture.
const BELOW: f64 = 12.0;

/// Least and greatest height of a picture.
const LEAST_PICTURE: f64 = 120.0;
const MOST_PICTURE: f64 = 330.0;

/// Sizes of the rule file, from the largest.
const FILE_SIZES: [f64; 5] = [10.0, 9.5, 9.0, 8.0, 7.0];

/// Width of a space before a line of the rule file, as a multiple of the size.
const SPACE: f64 = 0.55;

impl RuleCard {
    /// Draws the card.
    pub(super) fn draw(&self, palette: &Palette) -> Picture {
        let room = PAGE.0 - 2.0 * SIDE;
        let head = self.head(room, palette);
        let figures = self.figures(room, palette);
        let sizes = FILE_SIZES.into_iter().filter(|size| self.has_room_for_file(room, *size));
        let files: Vec<Picture> = sizes.map(|size| self.file_part(room, size, palette)).collect();
        let foot = self.foot(room, files.is_empty(), palette);
        let left = |file: &Picture| {
            let parts = [&head, &figures, file, &foot];
            let gaps = parts.iter().filter(|part| !part.is_empty()).count() as f64 * GAP;
            PAGE.1 - TOP - BOTTOM - gaps - parts.iter().map(|part| part.height).sum::<f64>()
        };
        let fitting = |least: f64| files.iter().find(|file| left(file) >= least);
        let none = Picture::default();
        let file =
            fitting(1.6 * LEAST_PICTURE).or_else(|| fitting(LEAST_PICTURE)).or(files.last()).unwrap_or(&none);
        let middle = self.middle(room, left(file).clamp(LEAST_PICTURE, MOST_PICTURE), palette);
        let mut canvas = Canvas::new(palette);
        let edge = ShapeOutline { ink: BRINK, width: 1.0 };
        canvas.rect((0.5, 0.5), (PAGE.0 - 1.0, PAGE.1 - 1.0), 0.0, Some(PAPER), Some(edge));
        let mut y = TOP;
        let mut parts = vec![head, middle, figures, file.clone()];
        if files.is_empty() {
            let used: f64 = parts.iter().filter(|part| !part.is_empty()).map(|part| part.height + GAP).sum();
            parts.push(self.rules_in_words(room, PAGE.1 - TOP - BOTTOM - foot.height - GAP - used, palette));
        }
        for part in &parts {
            canvas.put(SIDE, y, part);
            y += if part.is_empty() { 0.0 } else { part.height + GAP };
        }
        canvas.put(SIDE, PAGE.1 - BOTTOM - foot.height, &foot);
        canvas.done(PAGE.0, PAGE.1)
    }

    /// The title, and the rule in words.
    fn head(&self, room: f64, palette: &Palette) -> Picture {
        let mut canvas = Canvas::new(palette);
        let mut y = draw(&mut canvas, (0.0, 0.0), &lines(&[(font(13.0, QUIET), self.kicker.clone())], room));
        y += draw(&mut canvas, (0.0, y), &lines(&[(bold(29.0, TEXT), self.title.clone())], room)) + 6.0;
        let left = 16.0;
        let mut spans: Vec<TextSpan> = vec![];
        if let Some(mark) = self.mark {
            // Spaces that aren't broken are the ends of the label.
            let (mark_font, word) = (bold(11.0, PAPER), format!("\u{a0}{}\u{a0}", mark.word()));
            let size = (measure(&word, mark_font), 16.0);
            canvas.rect((left, y + 3.5), size, 4.0, Some(CAN), None);
            spans.extend([(mark_font, word), (font(16.5, TEXT), " ".to_owned())]);
        }
        spans.push((font(16.5, TEXT), self.rule.clone()));
        let text = lines(&spans, room - left);
        let high = draw(&mut canvas, (left, y), &text);
        canvas.rect((0.0, y), (5.0, high + 2.0), 0.0, Some(CAN), None);
        canvas.done(room, y + high + 2.0)
    }

    /// The picture with its caption, and what was the rule until now.
    fn middle(&self, room: f64, high: f64, palette: &Palette) -> Picture {
        let mut canvas = Canvas::new(palette);
        let mut told: Vec<Vec<TextSpan>> = vec![];
        let picture = self.moment.as_ref().map(|moment| (moment.picture(palette), moment.caption()));
        let is_wide = picture.as_ref().is_some_and(|(picture, _)| picture.width > WIDE * picture.height);
        let words = if is_wide || picture.is_none() { room } else { room - BESIDE - ASIDE };
        let small = font(12.0, QUIET);
        if let Some((_, caption)) = &picture {
            told.extend(lines(&[(font(if is_wide { 12.0 } else { 14.0 }, TEXT), caption.clone())], words));
        }
        if !self.effect.is_empty() {
            told.extend(lines(
                &[(bold(if is_wide { 12.5 } else { 14.0 }, TEXT), self.effect.clone())],
                words,
            ));
        }
        if !self.until_now.is_empty() {
            told.extend(lines(&[(small, format!("Until now: {}", self.until_now))], words));
        }
        let Some((picture, _)) = picture else {
            let used = draw(&mut canvas, (0.0, 0.0), &told);
            return canvas.done(room, used);
        };
        let below = if is_wide { height(&told) + BELOW } else { 0.0 };
        let width = if is_wide { room } else { BESIDE };
        let factor =
            (width / picture.width).min((high - below).max(LEAST_PICTURE / 2.0) / picture.height).min(1.4);
        let (wide, tall) = (picture.width * factor, picture.height * factor);
        canvas.scaled(((width - wide) / 2.0, 0.0), factor, &picture);
        match is_wide {
            true => {
                draw(&mut canvas, (0.0, tall + BELOW), &told);
                canvas.done(room, tall + below)
            }
            false => {
                // What doesn't fit beside the picture is left out from the end.
                while told.len() > 1 && height(&told) > high {
                    told.pop();
                }
                let used = draw(&mut canvas, (BESIDE + ASIDE, 0.0), &told);
                canvas.done(room, tall.max(used))
            }
        }
    }

    /// The figures side by side, between two lines.
    fn figures(&self, room: f64, palette: &Palette) -> Picture {
        let mut canvas = Canvas::new(palette);
        if self.figures.is_empty() {
            return canvas.done(room, 0.0);
        }
        let column = room / self.figures.len() as f64;
        let texts: Vec<Vec<Vec<TextSpan>>> = self
            .figures
            .iter()
            .map(|figure| {
                let words = column - 16.0;
                let mut all = lines(&[(bold(25.0, TEXT), figure.number.clone())], words);
                all.extend(lines(&[(bold(12.0, TEXT), figure.unit.clone())], words));
                let told = [&figure.range, &figure.instead];
                for text in told.into_iter().filter(|text| !text.is_empty()) {
                    all.extend(lines(&[(font(12.0, QUIET), text.clone())], words));
                }
                all
            })
            .collect();
        let high = texts.iter().map(|text| height(text)).fold(0.0, f64::max) + 14.0;
        let line = |y: f64| vec![vec![(0.0, y), (room, y)]];
        canvas.lines(&line(0.0), ShapeOutline { ink: TEXT, width: 2.0 });
        canvas.lines(&line(high), ShapeOutline { ink: RULE, width: 1.0 });
        for (at, text) in texts.iter().enumerate() {
            let x = column * at as f64;
            if at > 0 {
                let edge = ShapeOutline { ink: RULE, width: 1.0 };
                canvas.lines(&[vec![(x, 6.0), (x, high)]], edge);
            }
            draw(&mut canvas, (x + if at > 0 { 14.0 } else { 0.0 }, 5.0), text);
        }
        canvas.done(room, high)
    }

    /// Returns `true` if there is a rule file, and each of its lines fits in letters of a size.
    fn has_room_for_file(&self, room: f64, size: f64) -> bool {
        let letters = font(size, TEXT);
        let fits = |line: &String| {
            let code = line.trim_start();
            indent(line, size) + measure(code, letters) + 8.0 <= room
        };
        !self.file.lines.is_empty() && self.file.lines.iter().all(fits)
    }

    /// The rule file, in letters of a size.
    fn file_part(&self, room: f64, size: f64, palette: &Palette) -> Picture {
        let mut canvas = Canvas::new(palette);
        let lines = &self.file.lines;
        let head = bold(12.0, QUIET);
        let title = format!("The rule as a file: save it as {}", self.file.name);
        canvas.text((0.0, 12.0), Anchor::Start, head, &cut(&title, head, room));
        let step = size * LEADING;
        let top = 19.0;
        let high = step * lines.len() as f64 + 14.0;
        canvas.rect((0.0, top), (room, high), 6.0, Some(PLATE), None);
        let letters = font(size, TEXT);
        for (at, line) in lines.iter().enumerate() {
            let code = line.trim_start();
            let base = top + 7.0 + step * at as f64 + size;
            canvas.text((indent(line, size), base), Anchor::Start, letters, code);
        }
        canvas.done(room, top + high)
    }

    /// The rules in words, as many whole paragraphs as there is room for.
    fn rules_in_words(&self, room: f64, high: f64, palette: &Palette) -> Picture {
        let mut canvas = Canvas::new(palette);
        let mut y = 0.0;
        for (title, text) in &self.paragraphs {
            let spans = match title.is_empty() {
                true => vec![(font(12.0, TEXT), text.clone())],
                false => vec![(bold(12.0, TEXT), format!("{title}: ")), (font(12.0, TEXT), text.clone())],
            };
            let text = lines(&spans, room);
            if y + height(&text) > high {
                break;
            }
            y += draw(&mut canvas, (0.0, y), &text) + 4.0;
        }
        canvas.done(room, y)
    }

    /// How to play it, and who played.
    fn foot(&self, room: f64, is_command_told: bool, palette: &Palette) -> Picture {
        let mut canvas = Canvas::new(palette);
        let small = font(11.0, QUIET);
        let mut all = vec![];
        if is_command_told {
            all.extend(lines(&[(font(12.0, TEXT), format!("To play it: {}", self.command))], room));
            all.extend(lines(&[(small, self.players.clone())], room));
            let high = draw(&mut canvas, (0.0, 0.0), &all);
            return canvas.done(room, high);
        }
        let is_one_line = measure(&self.command, small) + measure(&self.players, small) + 20.0 <= room;
        let high = if is_one_line { 14.0 } else { 29.0 };
        canvas.text((0.0, 11.0), Anchor::Start, small, &cut(&self.command, small, room));
        let players = cut(&self.players, small, room);
        match is_one_line {
            true => canvas.text((room, 11.0), Anchor::End, small, &players),
            false => canvas.text((0.0, 26.0), Anchor::Start, small, &players),
        }
        canvas.done(room, high)
    }
}

/// Returns where a line of a rule file begins.
fn indent(line: &str, size: f64) -> f64 {
    12.0 + (line.len() - line.trim_start().len()) as f64 * size * SPACE
}
