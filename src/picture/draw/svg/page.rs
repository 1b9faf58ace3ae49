//! The page: title, boards, panel, and the last move at the bottom.

use super::canvas::{
    Anchor, Canvas, Font, Palette, Picture, ShapeOutline, clipped, escaped, number, text_width,
};
use super::palette::{BRINK, FRESH, FRESH_EDGE, PAPER, QUIET, TEXT, called};
use super::scene::{KeptMarks, Scene, SceneSize, font};
use super::sheet::DRAWING;
use super::token::{PieceLook, named};
use super::{PictureStyle, areas, dice, field, graph, hex, panel, piles, pits, points, tiles, track, zones};
use crate::draw::board::{DrawnOnBoards, groups};
use crate::draw::last::Last;
use crate::draw::panel::Panel;
use crate::draw::text::{status, winners};
use houserule_base::rng::MAX_PLAYERS;
use houserule_game::State;
use houserule_game::drawing::Instance;
use houserule_game::explain::things::ActionThings;
use houserule_model::board::Shape;

/// Margin around the page.
const MARGIN: f64 = 20.0;
/// Margin around a drawing in a page that has its own frame.
const BARE_MARGIN: f64 = 6.0;
/// Gap between a board and the panel.
const GAP: f64 = 30.0;
/// Gap between the pictures of the panel.
const STEP: f64 = 18.0;
/// Ratio of width to height above which the panel is below the board.
const WIDE: f64 = 1.7;

pub(super) fn page(state: &State, earlier: Option<&State>, style: &PictureStyle) -> String {
    let palette = if style.things { Palette::of_things() } else { Palette::new(style.theme) };
    let fresh = || Canvas::new(&palette);
    let mut last = Last::from_state(state, earlier, style.viewer);
    let veiled = style.viewer.and_then(|viewer| {
        let veiled = state.veiled(viewer)?;
        last = std::mem::take(&mut last).veiled(viewer);
        Some(veiled)
    });
    let state = veiled.as_ref().unwrap_or(state);
    let (boards, drawn) = boards(state, &last, style, &palette);
    let mut left = stacked(boards, fresh());
    let pieces: Vec<(PieceLook, String)> = named(state.game());
    if !pieces.is_empty() {
        let legend = panel::legend(&pieces, left.width.max(panel::LEAST), fresh());
        left = column(&[left, legend], 10.0, fresh());
    }
    let mut panel_data = Panel::from_state(state, style.viewer, &drawn, MAX_PLAYERS);
    // Avoids showing a score twice that is just a variable.
    if let [item] = state.game().model().score.as_slice() {
        let scores = panel_data.seats.scores.as_deref().unwrap_or_default();
        panel_data.seats.columns.retain(|column| column.name != item.name || column.values != scores);
    }
    let seats = panel::seats(&panel_data.seats, &winners(state), fresh());
    let tables = panel_data.tables.iter().map(|table| panel::table(table, fresh()));
    let sheets = panel_data.sheets.iter().map(|sheet| panel::sheet(sheet, &panel_data.seats.seats, fresh()));
    let mut beside = vec![seats];
    beside.extend(panel_data.dice.iter().map(|dice| dice::draw(dice, fresh())));
    if !panel_data.zones.is_empty() {
        beside.push(zones::draw(&panel_data.zones, fresh()));
    }
    if !panel_data.values.is_empty() {
        beside.push(panel::values(&panel_data.values, fresh()));
    }
    beside.extend(tables);
    if !panel_data.families.is_empty() {
        beside.push(panel::families(&panel_data.families, fresh()));
    }
    if left.is_empty() {
        left = column(&sheets.collect::<Vec<_>>(), STEP, fresh());
    } else {
        beside.extend(sheets);
    }
    beside.retain(|picture| !picture.is_empty());
    let below = left.width > WIDE * left.height;
    let beside = if below { row(&beside, left.width, fresh()) } else { column(&beside, STEP, fresh()) };
    let body = match (left.is_empty(), beside.is_empty()) {
        (true, _) => beside,
        (_, true) => left,
        _ if below => column(&[left, beside], STEP, fresh()),
        _ => side_by_side(&left, &beside, fresh()),
    };
    framed(state, &last, body, style, &palette)
}

/// Draws every board. Also returns the variables that the boards show. Boards with several indices are grouped
/// by the first.
fn boards(
    state: &State,
    last: &Last,
    style: &PictureStyle,
    palette: &Palette,
) -> (Vec<Picture>, DrawnOnBoards) {
    let game = state.game();
    let groups = groups(game);
    let mut drawn = DrawnOnBoards::for_game(game);
    let count: usize = groups.iter().map(|group| group.boards.len()).sum();
    let several = count > 1;
    let room = if several { 460.0 / (count as f64).sqrt().ceil() } else { 392.0 };
    let named = if style.things { ActionThings::from_state(state) } else { ActionThings::default() };
    let mut pictures = vec![];
    for group in &groups {
        let boards = group.boards.iter().map(|(name, instance)| {
            drawn.slots.extend(pits::stores(game, instance.board));
            let mut scene =
                Scene::new(state, instance, last, style.viewer, style.legal, SceneSize::Room(room));
            scene.named = named.clone();
            drawn.left_out.extend(piles::left_out(&scene));
            if points::are_meant(&scene) {
                drawn.slots.extend(areas::area_slot(&scene));
            }
            let picture = board(&scene, last.before(), Canvas::new(palette));
            if several { titled(name, picture, Canvas::new(palette)) } else { picture }
        });
        let boards: Vec<Picture> = boards.collect();
        match &group.name {
            None => pictures.extend(boards),
            Some(name) => {
                let boards = row(&boards, f64::INFINITY, Canvas::new(palette));
                pictures.push(titled(name, boards, Canvas::new(palette)));
            }
        }
    }
    (pictures, drawn)
}

/// Draws a board on paper.
pub fn on_paper(
    state: &State,
    instance: &Instance,
    kept: &KeptMarks,
    pitch: f64,
    canvas: Canvas<'_>,
) -> Picture {
    board(&Scene::printed(state, instance, kept, pitch), None, canvas)
}

/// Draws a board with the module for its kind.
fn board(scene: &Scene<'_>, before: Option<&State>, canvas: Canvas<'_>) -> Picture {
    let topology = &scene.board.topology;
    if let Some(sides) = &scene.sides {
        return field::draw(scene, sides, canvas);
    }
    match (topology.shape(), topology.places()) {
        (Shape::Graph, Some(places)) => graph::draw(scene, &places, canvas),
        (Shape::Graph, None) => match track::path(topology) {
            Some(sites) => track::draw_path(scene, &sites, canvas),
            None => graph::ring(scene, canvas),
        },
        (Shape::Track { wrap }, _) => track::draw(scene, *wrap, canvas),
        (shape, _) if shape.is_hex() => hex::draw(scene, canvas),
        _ if !scene.board.own_sites.is_empty() => tiles::draw(scene, canvas),
        _ if points::are_meant(scene) => points::draw(scene, canvas),
        _ if pits::are_meant(scene.state.game(), scene.instance.board) => pits::draw(scene, before, canvas),
        _ => tiles::draw(scene, canvas),
    }
}

/// Adds a title to the board of a family.
pub fn titled(name: &str, picture: Picture, mut canvas: Canvas<'_>) -> Picture {
    let head = Font { size: 12.0, bold: true, ink: called(name).unwrap_or(QUIET) };
    canvas.text((0.0, 12.0), Anchor::Start, head, &clipped(name, head, picture.width));
    canvas.put(0.0, 20.0, &picture);
    canvas.done(picture.width, picture.height + 20.0)
}

/// Returns a single picture as it is, and arranges several in rows.
fn stacked(mut pictures: Vec<Picture>, canvas: Canvas<'_>) -> Picture {
    match pictures.len() {
        0 => canvas.done(0.0, 0.0),
        1 => pictures.remove(0),
        _ => row(&pictures, 560.0, canvas),
    }
}

/// Arranges pictures below each other.
pub fn column(pictures: &[Picture], step: f64, mut canvas: Canvas<'_>) -> Picture {
    let (mut y, mut width) = (0.0, 0.0f64);
    for picture in pictures.iter().filter(|picture| !picture.is_empty()) {
        y += if y > 0.0 { step } else { 0.0 };
        canvas.put(0.0, y, picture);
        y += picture.height;
        width = width.max(picture.width);
    }
    canvas.done(width, y)
}

/// Arranges pictures next to each other, in as many rows as the width requires.
pub fn row(pictures: &[Picture], room: f64, mut canvas: Canvas<'_>) -> Picture {
    let (mut x, mut y, mut high, mut width) = (0.0, 0.0, 0.0f64, 0.0f64);
    for picture in pictures {
        if x > 0.0 && x + picture.width > room {
            (x, y, high) = (0.0, y + high + STEP, 0.0);
        }
        canvas.put(x, y, picture);
        width = width.max(x + picture.width);
        high = high.max(picture.height);
        x += picture.width + GAP;
    }
    canvas.done(width, y + high)
}

/// Places the panel next to a board.
fn side_by_side(left: &Picture, right: &Picture, mut canvas: Canvas<'_>) -> Picture {
    canvas.put(0.0, 0.0, left);
    canvas.put(left.width + GAP, 0.0, right);
    canvas.done(left.width + GAP + right.width, left.height.max(right.height))
}

/// Adds the paper, the title, the status and the last move.
fn framed(state: &State, last: &Last, body: Picture, style: &PictureStyle, palette: &Palette) -> String {
    let model = state.game().model();
    let (title, line) = (Font { size: 17.0, bold: true, ink: TEXT }, font(13.5, TEXT));
    let said = status(state);
    let seat = state.current_player().filter(|_| !state.is_over() && state.game().players() > 1);
    let aside = if seat.is_some() { 22.0 } else { 0.0 };
    let moved = last.describe(state, style.viewer);
    let mut canvas = Canvas::new(palette);
    let (mut width, mut top, mut margin) = (body.width.max(240.0), 0.0, BARE_MARGIN);
    // A page with marked things says these itself, and has its own frame.
    if !style.things {
        let least = [text_width(&model.title, title), text_width(&said, line) + aside];
        width = least.into_iter().fold(width, f64::max).min(body.width.max(620.0));
        canvas.text((0.0, 15.0), Anchor::Start, title, &clipped(&model.title, title, width));
        canvas.part("status", |canvas| {
            if let Some(player) = seat {
                PieceLook::of_seat(player, &model.seat_looks()).draw(canvas, (8.0, 34.5), 8.0);
            }
            canvas.text((aside, 39.0), Anchor::Start, line, &clipped(&said, line, width - aside));
        });
        (top, margin) = (58.0, MARGIN);
    }
    canvas.put(0.0, top, &body);
    let mut height = top + body.height;
    height += 16.0;
    if let Some(text) = &moved {
        let small = font(12.0, QUIET);
        // The colour is explained where something has it.
        let is_marked = palette.fills(&body, FRESH);
        canvas.part("last-move", |canvas| {
            let left = if is_marked { 19.0 } else { 0.0 };
            if is_marked {
                let edge = ShapeOutline { ink: FRESH_EDGE, width: 1.0 };
                canvas.rect((0.5, height + 1.5), (11.0, 11.0), 2.5, Some(FRESH), Some(edge));
            }
            let text = clipped(text, small, width - left - 1.0);
            canvas.text((left, height + 11.5), Anchor::Start, small, &text);
        });
    }
    // Reserved before the first move, too, so that all pictures of a game have the same size.
    height += 14.0;
    let page = canvas.done(width, height);
    let (width, height) = ((width + 2.0 * margin).ceil(), (height + 2.0 * margin).ceil());
    let mut paper = Canvas::new(palette);
    if !style.things {
        let edge = ShapeOutline { ink: BRINK, width: 1.0 };
        paper.rect((0.5, 0.5), (width - 1.0, height - 1.0), 12.0, Some(PAPER), Some(edge));
    }
    paper.put(margin, margin, &page);
    let body = paper.done(width, height);
    let shown = style.width.map_or(width, f64::from);
    element(&format!("{}: {said}", model.title), &body, shown, palette)
}

/// Makes a document of a page for a printer.
pub fn document(label: &str, page: &Picture, palette: &Palette) -> String {
    element(label, page, page.width, palette)
}

/// Makes an SVG of a picture, with the width at which it is shown.
fn element(label: &str, body: &Picture, shown: f64, palette: &Palette) -> String {
    if palette.marks_things() {
        return marked_element(label, body, shown);
    }
    let (width, height) = (body.width, body.height);
    let id = format!("houserule-{:x}", fingerprint(body.body()) >> 16);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"{id}\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" \
         role=\"img\" aria-label=\"{}\" font-family=\"system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',\
         Arial,sans-serif\" style=\"font-variant-numeric:tabular-nums\">{}{}</svg>\n",
        number(shown),
        number(shown * height / width),
        number(width),
        number(height),
        escaped(label),
        palette.rules(&id),
        body.body(),
    )
}

/// Makes an SVG with marked things. Its styles are in the style sheet of the page.
fn marked_element(label: &str, body: &Picture, shown: f64) -> String {
    let (width, height) = (body.width, body.height);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"{DRAWING}\" width=\"{}\" height=\"{}\" \
         viewBox=\"0 0 {} {}\" role=\"group\" aria-label=\"{}\">{}</svg>\n",
        number(shown),
        number(shown * height / width),
        number(width),
        number(height),
        escaped(label),
        body.body(),
    )
}

/// Returns an FNV-1a hash of a text. It gives pictures on the same page different ids.
fn fingerprint(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
