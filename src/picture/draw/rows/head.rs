//! The head of rows: title and facts, and at the right who is to do what.

use crate::layout::TableFact;
use crate::paint::line::{TextLine, wrap};
use crate::paint::{Paint, TextStyle};

/// What stands between title and facts.
const BETWEEN: &str = " · ";

/// Blanks before the status.
const GAP: usize = 2;

/// Formats title, facts and status as few lines as they fit on.
pub(super) fn head(
    title: &str,
    facts: &[TableFact],
    status: &str,
    paint: Paint,
    width: usize,
) -> Vec<TextLine> {
    let wide = |text: &str| text.chars().count();
    let facts: Vec<(String, String)> =
        facts.iter().map(|fact| (fact.word.clone(), fact.value.clone())).collect();
    let fact_width = |(word, value): &(String, String)| wide(word) + 1 + wide(value);
    let all = wide(title) + facts.iter().map(|fact| wide(BETWEEN) + fact_width(fact)).sum::<usize>();
    let mut first = TextLine::painted(paint, TextStyle::head(), title);
    let push_fact = |line: &mut TextLine, fact: &(String, String)| {
        line.push(paint, TextStyle::quiet(), &fact.0);
        line.push(paint, TextStyle::plain(), &format!(" {}", fact.1));
    };
    let mut lines = vec![];
    if wide(title) > width {
        lines.extend(wrap(title, width).iter().map(|part| TextLine::painted(paint, TextStyle::head(), part)));
        first = TextLine::default();
    }
    let fits_whole = all + GAP + wide(status) <= width;
    if fits_whole {
        for fact in &facts {
            first.push(paint, TextStyle::quiet(), BETWEEN);
            push_fact(&mut first, fact);
        }
    }
    if first.width() + GAP + wide(status) <= width {
        first.pad_to(width - wide(status));
        first.push(paint, TextStyle::plain(), status);
        lines.push(first);
    } else {
        lines.push(first);
        let parts = wrap(status, width);
        lines.extend(parts.iter().map(|part| TextLine::painted(paint, TextStyle::plain(), part)));
    }
    lines.retain(|line| line.width() > 0);
    if fits_whole {
        return lines;
    }
    let mut line = TextLine::default();
    for fact in &facts {
        if line.width() > 0 && line.width() + wide(BETWEEN) + fact_width(fact) > width {
            lines.push(std::mem::take(&mut line));
        }
        if line.width() > 0 {
            line.push(paint, TextStyle::quiet(), BETWEEN);
        }
        if fact_width(fact) <= width {
            push_fact(&mut line, fact);
            continue;
        }
        let parts = wrap(&format!("{} {}", fact.0, fact.1), width);
        lines.extend(parts.iter().map(|part| TextLine::painted(paint, TextStyle::plain(), part)));
    }
    if line.width() > 0 {
        lines.push(line);
    }
    lines
}
