//! Words in lines, with the widths of the font that is embedded.

use super::width;
use houserule_picture::draw::svg::canvas::{Anchor, Canvas, Font};

/// Distance between baselines, as a multiple of the font's size.
pub(crate) const LEADING: f64 = 1.32;

/// Words of one style.
pub(crate) type TextSpan = (Font, String);

/// Returns the width of a text.
pub(crate) fn measure(text: &str, font: Font) -> f64 {
    width(text, font.size, font.bold)
}

/// Breaks spans into lines of a maximum width, without the backticks around code. A word that is longer gets its own
/// line, and is broken if it must be.
pub(crate) fn lines(spans: &[TextSpan], room: f64) -> Vec<Vec<TextSpan>> {
    let mut lines: Vec<Vec<TextSpan>> = vec![vec![]];
    let mut used = 0.0;
    for (font, text) in spans {
        let text = text.replace('`', "");
        for word in text.split_inclusive(' ').flat_map(|word| broken(word, *font, room)) {
            let wide = measure(word.trim_end(), *font);
            if used > 0.0 && used + wide > room {
                lines.push(vec![]);
                used = 0.0;
            }
            used += measure(&word, *font);
            let Some(line) = lines.last_mut() else { continue };
            match line.last_mut() {
                Some((known, text)) if known.bold == font.bold && known.size == font.size => {
                    text.push_str(&word)
                }
                _ => line.push((*font, word)),
            }
        }
    }
    lines
}

/// Breaks a word that is wider than a line.
fn broken(word: &str, font: Font, room: f64) -> Vec<String> {
    let mut parts = vec![String::new()];
    for character in word.chars() {
        let Some(last) = parts.last_mut() else { continue };
        let longer = format!("{last}{character}");
        if !last.is_empty() && measure(longer.trim_end(), font) > room {
            parts.push(character.to_string());
        } else {
            *last = longer;
        }
    }
    parts
}

/// Draws lines below each other, given the left end and the top of the first. Returns their height.
pub(crate) fn draw(canvas: &mut Canvas<'_>, corner: (f64, f64), lines: &[Vec<TextSpan>]) -> f64 {
    let (x, y) = corner;
    let mut below = y;
    for line in lines {
        let size = line.iter().map(|(font, _)| font.size).fold(0.0, f64::max);
        below += size * LEADING;
        let mut x = x;
        for (font, text) in line {
            canvas.text((x, below - size * (LEADING - 1.0)), Anchor::Start, *font, text);
            x += measure(text, *font);
        }
    }
    below - y
}

/// Returns the height of lines.
pub(crate) fn height(lines: &[Vec<TextSpan>]) -> f64 {
    lines.iter().map(|line| line.iter().map(|(font, _)| font.size).fold(0.0, f64::max) * LEADING).sum()
}

/// Cuts a text to a width.
pub(crate) fn cut(text: &str, font: Font, room: f64) -> String {
    if measure(text, font) <= room {
        return text.to_owned();
    }
    let mut kept = text.to_owned();
    while !kept.is_empty() && measure(&kept, font) + measure("…", font) > room {
        kept.pop();
    }
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print::{bold, font};
    use houserule_picture::draw::svg::palette::TEXT;

    #[test]
    fn lines_are_no_wider_than_their_room() {
        let words = "A word of incomprehensibilitiesandmore and several of the shorter kind.";
        let spans = [(bold(9.0, TEXT), "Head: ".to_owned()), (font(9.0, TEXT), words.to_owned())];
        for room in [30.0, 60.0, 100.0, 400.0] {
            let lines = lines(&spans, room);
            let text: String = lines.iter().flatten().map(|(_, text)| text.as_str()).collect();
            assert_eq!(text, format!("Head: {words}"));
            for line in &lines {
                let last = line.len() - 1;
                let widths = line.iter().enumerate().map(|(at, (font, text))| {
                    measure(if at == last { text.trim_end() } else { text }, *font)
                });
                assert!(widths.sum::<f64>() <= room, "{room}: {line:?}");
            }
        }
    }

    #[test]
    fn a_text_is_cut_with_a_sign() {
        let small = font(8.0, TEXT);
        assert_eq!(cut("short", small, 100.0), "short");
        let kept = cut("a command that is much longer than the page is wide", small, 60.0);
        assert!(kept.ends_with('…') && measure(&kept, small) <= 60.0, "{kept}");
    }

    #[test]
    fn marks_of_code_are_not_printed() {
        let font = font(10.0, TEXT);
        let lines = lines(&[(font, "take `backed`: your `backed`".to_owned())], 1_000.0);
        assert_eq!(lines[0][0].1, "take backed: your backed");
    }
}
