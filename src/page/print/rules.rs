//! The rules in words, in two columns, with the changes of a house rule marked against its base game.

use super::typeset::{self, LEADING, TextSpan};
use super::{MARGIN, MM, PageArea, Paper, Printer, bold, font};
use crate::prose::marked::{MarkedEntry, ParagraphChange, marked};
use crate::prose::settings::settled;
use crate::prose::{SETTINGS, Section, blurbs, is_numbered, sections};
use houserule_game::Onlookers;
use houserule_game::drawing::{Instance, Marked, SiteContents};
use houserule_game::{Game, State};
use houserule_model::SlotId;
use houserule_picture::draw::svg::canvas::{Anchor, Canvas, Picture, ShapeOutline};
use houserule_picture::draw::svg::page::{PaperBoard, paper_boards, row, titled};
use houserule_picture::draw::svg::palette::{QUIET, RULE, TEXT};
use houserule_picture::draw::svg::scene::KeptMarks;

/// Size of the words: 9 points.
const SIZE: f64 = 12.0;
/// Distance between the columns.
const GUTTER: f64 = 8.0 * MM;
/// Distance of marked words from the bar before them.
const BAR: f64 = 2.5 * MM;
/// Indentation of each level.
const INDENT: f64 = 4.5 * MM;
/// Sizes of sites in the picture of the start, in millimetres, from the largest.
const PITCHES: [f64; 5] = [8.0, 6.5, 5.0, 4.0, 3.0];

/// The title of the section with the values of the params.
const VALUES: &str = "The numbers of this game";

/// A part of the text that stays together.
struct RulesPart {
    /// Distance from the part above.
    space: f64,
    picture: Picture,
    /// Whether the next part must be in the same column.
    heading: bool,
}

/// Draws the pages with the rules.
pub(super) fn pages(
    state: &State,
    fixed: &KeptMarks,
    base: Option<&Game>,
    paper: Paper,
    ink: Printer<'_>,
) -> Vec<Picture> {
    let page = PageArea::new(paper, false);
    let inside = page.inside();
    let width = (inside.width - GUTTER) / 2.0;
    let head = head(state.game(), base, inside.width, ink);
    let mut parts = parts(state.game(), base, width, ink);
    parts.extend(start(state, fixed, width, ink));
    let (left, top) = (MARGIN * MM, MARGIN * MM);
    let mut pages = vec![];
    let mut rest = parts.as_slice();
    let mut first = Some(head);
    while first.is_some() || !rest.is_empty() {
        let mut canvas = ink.canvas();
        let mut begin = 0.0;
        if let Some(head) = first.take() {
            canvas.put(left, top, &head);
            begin = head.height + 4.0 * MM;
        }
        let room = inside.height - begin;
        let fits = |room: f64| columns(rest, room)[2].is_empty();
        // The columns of the last page end at the same height.
        let balanced = (1..).map(|lines| f64::from(lines) * SIZE).take_while(|high| *high < room);
        let room =
            Some(room).filter(|room| !fits(*room)).or_else(|| balanced.into_iter().find(|high| fits(*high)));
        let [one, two, after] = columns(rest, room.unwrap_or(inside.height - begin));
        for (column, parts) in [one, two].into_iter().enumerate() {
            let x = left + column as f64 * (width + GUTTER);
            let mut y = top + begin;
            for (at, part) in parts.iter().enumerate() {
                y += if at > 0 { part.space } else { 0.0 };
                canvas.put(x, y, &part.picture);
                y += part.picture.height;
            }
        }
        rest = after;
        pages.push(canvas.done(page.width, page.height));
    }
    pages
}

/// Divides parts into two columns of a height, and the rest.
fn columns(parts: &[RulesPart], height: f64) -> [&[RulesPart]; 3] {
    let (one, rest) = parts.split_at(column(parts, height));
    let (two, rest) = rest.split_at(column(rest, height));
    [one, two, rest]
}

/// Returns the number of parts that fit below each other, at least one.
fn column(parts: &[RulesPart], height: f64) -> usize {
    let mut used = 0.0;
    for (at, part) in parts.iter().enumerate() {
        used += part.picture.height + if at > 0 { part.space } else { 0.0 };
        // A heading needs room for a few lines below it.
        let below = if part.heading { 3.0 * SIZE * LEADING } else { 0.0 };
        if at > 0 && used + below > height {
            return at;
        }
    }
    parts.len()
}

/// Draws the title of the game, what it is, and what the marks mean.
fn head(game: &Game, base: Option<&Game>, width: f64, ink: Printer<'_>) -> Picture {
    let model = game.model();
    let mut canvas = ink.canvas();
    let mut spans: Vec<Vec<TextSpan>> = typeset::lines(&[(bold(22.0, TEXT), model.title.clone())], width);
    let names = game.sheet().names.join(" + ");
    let players = match model.players.count {
        1 => "one player".to_owned(),
        count => format!("{count} players"),
    };
    let about = if names.is_empty() { players } else { format!("{names}, for {players}") };
    spans.extend(typeset::lines(&[(font(SIZE - 2.0, QUIET), about)], width));
    for blurb in blurbs(game) {
        spans.extend(typeset::lines(&[(font(SIZE + 1.0, TEXT), blurb)], width));
    }
    if let Some(base) = base {
        let told = format!("A bar marks what differs from {}: NEW, CHANGED or GONE.", base.model().title);
        spans.extend(typeset::lines(&[(font(SIZE, TEXT), told)], width));
    }
    let mut high = typeset::draw(&mut canvas, (0.0, 0.0), &spans) + 2.0 * MM;
    canvas.lines(&[vec![(0.0, high), (width, high)]], ShapeOutline { ink: RULE, width: 1.0 });
    high += 1.0;
    canvas.done(width, high)
}

fn parts(game: &Game, base: Option<&Game>, width: f64, ink: Printer<'_>) -> Vec<RulesPart> {
    let old = base.map(paper_sections);
    let mut parts = vec![];
    for section in marked(&paper_sections(game), old.as_deref()) {
        parts.push(heading(&section.title, width, ink));
        let mut number = 0;
        for entry in &section.entries {
            if entry.depth == 0 && entry.change != Some(ParagraphChange::Gone) {
                number += 1;
            }
            let numbered = is_numbered(&section.title) && entry.depth == 0;
            let sign = match entry.change {
                Some(ParagraphChange::Gone) => "–".to_owned(),
                _ if numbered => format!("{number}."),
                _ if entry.depth > 0 => "–".to_owned(),
                _ => "•".to_owned(),
            };
            parts.push(paragraph(entry, &sign, width, ink));
        }
    }
    parts
}

/// Returns the rules as sections for paper, on which nothing can be set: of each param its value, and not its name.
fn paper_sections(game: &Game) -> Vec<Section> {
    let mut all = sections(game);
    for section in &mut all {
        if section.title == SETTINGS {
            section.title = VALUES.to_owned();
            section.entries = settled(game.model());
        }
        for entry in &mut section.entries {
            entry.text = without_params(game, &entry.text);
        }
    }
    all
}

/// Removes the names of params in parentheses, by which other texts refer to them.
pub(super) fn without_params(game: &Game, text: &str) -> String {
    let names = game.model().params.iter().map(|param| format!(" ({})", param.name));
    names.fold(text.to_owned(), |kept, name| kept.replace(&name, ""))
}

fn heading(title: &str, width: f64, ink: Printer<'_>) -> RulesPart {
    let mut canvas = ink.canvas();
    let lines = typeset::lines(&[(bold(SIZE + 2.0, TEXT), title.to_owned())], width);
    let height = typeset::draw(&mut canvas, (0.0, 0.0), &lines);
    RulesPart { space: 4.0 * MM, picture: canvas.done(width, height), heading: true }
}

fn paragraph(entry: &MarkedEntry, sign: &str, width: f64, ink: Printer<'_>) -> RulesPart {
    let mut canvas = ink.canvas();
    let x = BAR + INDENT * (entry.depth as f64 + 1.0);
    let gone = entry.change == Some(ParagraphChange::Gone);
    let paint = if gone { QUIET } else { TEXT };
    let mut spans: Vec<TextSpan> = vec![];
    let word = match &entry.change {
        None => None,
        Some(ParagraphChange::New) => Some("NEW "),
        Some(ParagraphChange::Changed { .. }) => Some("CHANGED "),
        Some(ParagraphChange::Gone) => Some("GONE "),
    };
    spans.extend(word.map(|word| (bold(SIZE - 3.0, TEXT), word.to_owned())));
    let marks = spans.len();
    match (entry.name.is_empty(), entry.text.is_empty()) {
        (true, _) => spans.push((font(SIZE, paint), entry.text.clone())),
        (false, true) => spans.push((bold(SIZE, paint), entry.name.clone())),
        (false, false) => {
            spans.push((bold(SIZE, paint), format!("{}: ", entry.name)));
            spans.push((font(SIZE, paint), entry.text.clone()));
        }
    }
    let lines = typeset::lines(&spans, width - x);
    canvas.text((x - INDENT + 1.0, SIZE), Anchor::Start, font(SIZE, paint), sign);
    let mut height = typeset::draw(&mut canvas, (x, 0.0), &lines);
    if gone {
        strike(&mut canvas, &lines, x, marks);
    }
    if let Some(ParagraphChange::Changed { was }) = &entry.change {
        let lines = typeset::lines(&[(font(SIZE - 2.0, QUIET), format!("was: {was}"))], width - x);
        height += typeset::draw(&mut canvas, (x, height), &lines);
    }
    if entry.change.is_some() {
        let bar = vec![(BAR / 2.0, 2.0), (BAR / 2.0, height)];
        canvas.part("changed", |canvas| canvas.lines(&[bar], ShapeOutline { ink: TEXT, width: 2.0 }));
    }
    RulesPart { space: 1.0 * MM, picture: canvas.done(width, height), heading: false }
}

/// Strikes words through, except the mark before them.
fn strike(canvas: &mut Canvas<'_>, lines: &[Vec<TextSpan>], left: f64, marks: usize) {
    let mut y = 0.0;
    let mut strokes = vec![];
    for (at, line) in lines.iter().enumerate() {
        let size = line.iter().map(|(font, _)| font.size).fold(0.0, f64::max);
        let wide = |spans: &[TextSpan]| -> f64 {
            spans.iter().map(|(font, text)| typeset::measure(text, *font)).sum()
        };
        let skipped = if at == 0 { wide(&line[..marks.min(line.len())]) } else { 0.0 };
        y += size * LEADING;
        let middle = y - size * (LEADING - 1.0) - size * 0.27;
        strokes.push(vec![(left + skipped, middle), (left + wide(line), middle)]);
    }
    canvas.lines(&strokes, ShapeOutline { ink: QUIET, width: 0.9 });
}

/// Draws the boards at the start, if more stands on them than the sheets show.
fn start(state: &State, fixed: &KeptMarks, width: f64, ink: Printer<'_>) -> Vec<RulesPart> {
    let game = state.game();
    let slots = (0..game.model().slots.len() as u32).map(SlotId).collect();
    let always = KeptMarks { slots, ..fixed.clone() };
    let marks = |one: &Instance, kept: &KeptMarks| {
        let mut marked = Marked::seen(state, one, Onlookers::EVERYTHING);
        kept.remove_others(state, one, &mut marked);
        let stands =
            |mark: &&SiteContents| matches!(mark, SiteContents::Piece(_) | SiteContents::Number(1..));
        marked.marks.iter().filter(stands).count() + marked.piles.iter().flatten().count()
    };
    let all = paper_boards(game);
    let has_more =
        |board: &&PaperBoard| board.all().iter().any(|one| marks(one, &always) > marks(one, fixed));
    let used: Vec<&PaperBoard> = all.iter().filter(has_more).collect();
    if used.is_empty() {
        return vec![];
    }
    let drawn = |pitch: &f64| {
        let boards = used.iter().map(|one| {
            let board = one.draw(state, &always, pitch * MM, ink.canvas());
            if all.len() > 1 { titled(&one.instance.name, board, ink.canvas()) } else { board }
        });
        row(&boards.collect::<Vec<_>>(), width, ink.canvas())
    };
    let Some(picture) = PITCHES.iter().map(drawn).find(|picture| picture.width <= width) else {
        return vec![];
    };
    vec![heading("At the start", width, ink), RulesPart { space: 2.0 * MM, picture, heading: false }]
}
