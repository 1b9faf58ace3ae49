//! The page: title, boards, panel, and the last move at the bottom.

use super::boards::counters::counter_piles;
use super::boards::owners::owner_slots;
use super::boards::shared::SharedBoards;
use super::boards::site_cards::card_zones;
use super::boards::{blocks, crop, field, formations, pegs, piles, pits, placed};
use super::canvas::{
    Anchor, Canvas, Font, Palette, Picture, ShapeOutline, clipped, escaped, number, text_width,
};
use super::laid::draw_table;
use super::land;
use super::palette::{BRINK, FRESH, FRESH_EDGE, PAPER, PLATE, QUIET, TEXT, called};
use super::paper::{self, points};
use super::scene::{KeptMarks, Scene, SceneSize, font};
use super::sheet::DRAWING;
use super::token::{PieceLook, named};
use super::{PictureStyle, Theme, chain, dice, graph, hex, panel, tiles, track};
use crate::draw::board::{DrawnOnBoards, groups};
use crate::draw::last::Last;
use crate::draw::panel::{FamilyTable, Panel};
use crate::draw::spoken::spoken;
use crate::draw::table::{ChainView, TableReader};
use crate::draw::text::{status, winners};
use crate::layout::{GameLook, PartKind, PartSize, TableFact, TableView, arrange};
use houserule_base::rng::MAX_PLAYERS;
use houserule_game::drawing::{Instance, instances};
use houserule_game::explain::things::ActionThings;
use houserule_game::{Game, Onlookers, State};
use houserule_model::board::Shape;
use houserule_model::{BoardId, DisplayForm, Seat, Slot, SlotId};

/// Margin around the page.
const MARGIN: f64 = 24.0;
/// Margin around a drawing in a page that has its own frame.
const BARE_MARGIN: f64 = 6.0;
/// Gap between a board and the panel.
const GAP: f64 = 30.0;
/// Gap between the pictures of the panel.
const STEP: f64 = 18.0;
/// Largest side of a board.
const ALONE: f64 = 528.0;
/// Largest side of one of two boards.
const TWO: f64 = 320.0;
/// Largest side of the square in which several boards lie.
const SEVERAL: f64 = 460.0;
/// Room for the names of columns and rows of a board in a frame.
const ROOM_FOR_NAMES: f64 = 30.0;
/// Width of a row of boards.
const BOARDS: f64 = 736.0;
/// What a sheet of a player is wider than its boards, and a board than its sites.
const SHEET_EDGES: f64 = 36.0;
const BOARD_EDGES: f64 = 40.0;
/// Size of a chain of tiles.
const CHAIN: (f64, f64) = (562.0, 262.0);
/// Least width of a page.
const LEAST_WIDTH: f64 = 420.0;
/// The font of titles.
const TITLE: Font = Font { size: 21.0, bold: true, ink: TEXT };
/// Width of the widest title for which a page becomes wider.
const WIDEST_TITLE: f64 = 660.0;
/// Least width of a drawing in a page that has its own frame.
const BARE_WIDTH: f64 = 240.0;

pub(super) fn page(state: &State, earlier: Option<&State>, style: &PictureStyle) -> String {
    let palette = if style.things { Palette::of_things() } else { Palette::new(style.theme) };
    let table = DrawnTable::new((state, earlier), style, &[], &palette);
    framed(&table, style, &palette)
}

/// Draws a state for a page that has its own frame and says the title of the game and who is to move. The sites that actions
/// of some `options` name have a dashed frame.
pub(super) fn bare(state: &State, style: &PictureStyle, options: &[String], palette: &Palette) -> Picture {
    let mut canvas = Canvas::new(palette);
    let table = DrawnTable::new((state, None), style, options, palette);
    let (width, height) = table.draw(&mut canvas, BARE_WIDTH, true, palette);
    canvas.done(width, height)
}

/// A state that is drawn, without a frame.
struct DrawnTable {
    /// The state as who looks may see it.
    state: State,
    /// Who is to do what.
    said: String,
    facts: Vec<TableFact>,
    /// The game has facts. There is room for them even if none is shown, so that all pictures of a game have the same size.
    has_facts: bool,
    last: Last,
    sight: Onlookers,
    body: Picture,
}

impl DrawnTable {
    /// Draws a state, given an earlier one from which its last move is found.
    fn new(
        states: (&State, Option<&State>),
        style: &PictureStyle,
        options: &[String],
        palette: &Palette,
    ) -> DrawnTable {
        let (state, earlier) = states;
        let sight = Onlookers::from_viewer(state.game(), style.viewer, style.open);
        let mut last = Last::from_state(state, earlier, sight);
        let veiled = state.veiled(sight);
        if veiled.is_some() {
            last = last.veiled(sight);
        }
        let state = veiled.as_ref().unwrap_or(state);
        let look = GameLook::find(state.game());
        let (boards, drawn) = boards(state, sight, options, &last, style, palette);
        let mut panel_data = Panel::from_state(state, sight, &drawn, MAX_PLAYERS);
        panel_data.single_out_lone_values(state, sight);
        panel_data.leave_out_score(state.game().model());
        let reader = TableReader::new(state, last.before(), sight, look, style.legal);
        let (mut zones, chains) = reader.zones(&panel_data);
        for zone in &mut zones {
            zone.room = look.room(state.game(), zone.slot);
        }
        let plates = reader.plates(&panel_data, &winners(state));
        let (facts, told) = reader.facts(&panel_data);
        panel_data.values.retain(|single| !told.contains(&single.slot));
        panel_data.families.retain(|family| !reader.is_internal(family.slot) && !reader.is_on_plates(family));
        // Those that say nothing keep their places.
        for family in panel_data.families.iter_mut().filter(|family| reader.is_left_out(family.slot)) {
            family.members.clear();
        }
        let has_paper = state.game().model().boards.iter().any(paper::is_meant);
        let score_sheet = if has_paper { paper::score::take_subtotals(&mut panel_data) } else { None };
        let parts = parts(state, sight, boards, &panel_data, &chains, score_sheet, palette);
        let table = TableView {
            form: style.form,
            bottom: style.viewer.map_or(0, Seat::index),
            plates,
            zones,
            parts: parts
                .iter()
                .map(|(kind, part)| PartSize { kind: *kind, size: (part.width, part.height) })
                .collect(),
        };
        let page = arrange(&table);
        let pictures: Vec<Picture> = parts.into_iter().map(|(_, picture)| picture).collect();
        let mut canvas = Canvas::new(palette);
        draw_table(&mut canvas, &table, &page, &pictures, &panel_data.seats.seats);
        DrawnTable {
            said: status(state, sight),
            facts,
            has_facts: reader.can_have_facts(),
            body: canvas.done(page.size.0, page.size.1),
            state: state.clone(),
            sight,
            last,
        }
    }

    /// Draws the table below its head: title and status, unless a page says them, and the facts. Returns width and height.
    fn draw(&self, canvas: &mut Canvas<'_>, least: f64, is_bare: bool, palette: &Palette) -> (f64, f64) {
        let width = self.body.width.max(least);
        let above = draw_head(self, width, is_bare, Canvas::new(palette));
        canvas.put(0.0, 0.0, &above);
        let top = if above.height > 0.0 { above.height + 14.0 } else { 0.0 };
        canvas.put((width - self.body.width).max(0.0) / 2.0, top, &self.body);
        (width, top + self.body.height)
    }
}

/// Draws everything but zones and plates: boards with their legend, dice and chains, sheets and tables.
fn parts(
    state: &State,
    sight: Onlookers,
    boards: Vec<Picture>,
    panel_data: &Panel,
    chains: &[ChainView],
    score_sheet: Option<(FamilyTable, String)>,
    palette: &Palette,
) -> Vec<(PartKind, Picture)> {
    let fresh = || Canvas::new(palette);
    let mut left = stacked(boards, fresh());
    let pieces: Vec<(PieceLook, String)> = named(state.game());
    if !pieces.is_empty() {
        let legend = panel::legend(&pieces, left.width.max(panel::LEAST), fresh());
        left = column(&[left, legend], 10.0, fresh());
    }
    // Where cards lie, the board is the middle of the table.
    let model = state.game().model();
    let has_cards = |board: u32| !card_zones(state.game(), BoardId(board)).is_empty();
    let kind = match !model.boards.is_empty() && (0..model.boards.len() as u32).all(has_cards) {
        true => PartKind::Middle,
        false => PartKind::Board,
    };
    let mut parts = vec![(kind, left)];
    parts.extend(pegs::tracks(state, sight, fresh).into_iter().map(|track| (PartKind::Track, track)));
    let side = if model.boards.is_empty() { dice::LARGE } else { dice::SIDE };
    parts.extend(panel_data.dice.iter().map(|dice| (PartKind::Middle, dice::draw(dice, side, fresh()))));
    parts.extend(land::faces::pictures(state, sight, fresh).into_iter().map(|tile| (PartKind::Middle, tile)));
    parts.extend(chains.iter().map(|chain| {
        let picture = chain::picture(chain, fresh());
        (PartKind::Middle, in_frame(picture, CHAIN, fresh()))
    }));
    let mut beside = vec![];
    if let [_] = panel_data.seats.seats.as_slice() {
        beside.push(panel::lone(&panel_data.seats, fresh()));
    }
    if let Some((table, total)) = &score_sheet {
        beside.push(paper::score::draw(table, total, fresh()));
    }
    if !panel_data.values.is_empty() {
        beside.push(panel::values(&panel_data.values, fresh()));
    }
    beside.extend(panel_data.tables.iter().map(|table| panel::table(table, fresh())));
    beside.extend(panel_data.families.iter().map(|family| panel::family(family, fresh())));
    beside.extend(panel_data.sheets.iter().map(|sheet| {
        let drawn = panel::sheet(sheet, &panel_data.seats.seats, fresh());
        paper::on_sheet(&drawn, fresh())
    }));
    parts.extend(beside.into_iter().map(|picture| (PartKind::Beside, picture)));
    parts.retain(|(_, picture)| picture.height > 0.0);
    parts
}

/// Draws every board. Also returns the variables that the boards show. Boards with several indices are grouped
/// by the first.
fn boards(
    state: &State,
    sight: Onlookers,
    options: &[String],
    last: &Last,
    style: &PictureStyle,
    palette: &Palette,
) -> (Vec<Picture>, DrawnOnBoards) {
    let game = state.game();
    let model = game.model();
    // A board that lies on another is drawn with that.
    let mut groups = groups(game);
    for group in &mut groups {
        group.boards.retain(|(_, instance)| {
            let is_unseen = style.viewer.is_some() && is_out_of_sight(state, instance);
            !is_unseen && !land::lies_on_another(model, instance.board)
        });
    }
    groups.retain(|group| !group.boards.is_empty());
    let mut drawn = DrawnOnBoards::for_game(game);
    let counters = counter_piles(state, sight);
    let shared = SharedBoards::find(game, &counters);
    let count = groups.iter().flat_map(|group| &group.boards).filter(|(_, one)| shared.draws(one)).count();
    let several = count > 1;
    let room = match count {
        0 | 1 => ALONE,
        2 => TWO,
        more => SEVERAL / (more as f64).sqrt().ceil(),
    };
    // Sheets of three players or more lie in two columns.
    let room = match groups.iter().filter(|group| group.name.is_some()).count() {
        0..=2 => room,
        sheets => {
            let boards = count.div_ceil(sheets).max(1) as f64;
            (((BOARDS - GAP) / 2.0 - SHEET_EDGES) / boards - BOARD_EDGES).min(SEVERAL / 2.0)
        }
    };
    let named = if style.things { ActionThings::from_state(state) } else { ActionThings::default() };
    let mut pictures = vec![];
    for group in &groups {
        let boards = group.boards.iter().filter(|(_, one)| shared.draws(one)).map(|(name, instance)| {
            let own = &model.boards[instance.board.index()];
            let room = match several {
                true => room,
                false => land::room(model, instance.board, paper::room(own, room)),
            };
            let frame = (room, room);
            // In its frame a part of a board has names, too.
            let room =
                if crop::is_large(model, instance.board) && several { room - ROOM_FOR_NAMES } else { room };
            let scene_of = |instance: &Instance| {
                Scene::new(state, instance, last, sight, style.legal, SceneSize::Room(room))
            };
            if let Some(others) = shared.with(instance) {
                let scenes: Vec<Scene<'_>> = others.iter().map(scene_of).collect();
                drawn.left_out.extend(scenes.iter().flat_map(piles::left_out));
                return shared.draw(&scenes, style.viewer.map_or(0, Seat::index), Canvas::new(palette));
            }
            drawn.slots.extend(pits::stores(game, instance.board));
            let mut scene = scene_of(instance);
            scene.named = named.clone();
            scene.bottom = style.viewer.map_or(0, Seat::index);
            scene.frame_sites_of(options);
            if let Some(over) = &mut scene.over {
                over.named = named.clone();
                over.bottom = scene.bottom;
                over.frame_sites_of(options);
            }
            drawn.left_out.extend(piles::left_out(&scene));
            drawn.slots.extend(owner_slots(&scene));
            drawn.slots.extend(land::drawn_slots(&scene));
            let mut picture = board(&scene, last.before(), Canvas::new(palette));
            if crop::can_be_cropped(&scene) {
                picture = in_frame(picture, frame, Canvas::new(palette));
            }
            if several { titled(&spoken(name), picture, Canvas::new(palette)) } else { picture }
        });
        let boards: Vec<Picture> = boards.collect();
        // The boards of a group are on one sheet.
        let has_sheet = |board: &(String, Instance)| paper::has_sheet(&model.boards[board.1.board.index()]);
        let is_on_sheet = style.theme != Theme::Print && group.boards.iter().all(has_sheet);
        let on_table = |picture: Picture| match is_on_sheet {
            true => paper::on_sheet(&picture, Canvas::new(palette)),
            false => picture,
        };
        match &group.name {
            None => pictures.extend(boards.into_iter().map(on_table)),
            Some(name) => {
                let boards = row(&boards, f64::INFINITY, Canvas::new(palette));
                pictures.push(on_table(titled(&spoken(name), boards, Canvas::new(palette))));
            }
        }
    }
    (pictures, drawn)
}

/// Returns `true` for a board that lies face down with all its pieces, such as another player's own sheet.
fn is_out_of_sight(state: &State, instance: &Instance) -> bool {
    let model = state.game().model();
    let board = &model.boards[instance.board.index()];
    let is_as_hidden = |piece: &SlotId| model.slots[piece.index()].visibility == board.visibility;
    state.is_face_down(board, instance.number) && board.pieces.iter().all(is_as_hidden)
}

/// Returns the boards that are drawn on paper: without those that another draws, and those that are never drawn.
pub fn paper_boards(game: &Game) -> Vec<PaperBoard> {
    let counters = game.model().slots.iter().any(has_places);
    let shared = SharedBoards { game, counters: &[], placed: placed::placed_boards(game.model(), counters) };
    let drawn = instances(game)
        .into_iter()
        .filter(|one| shared.draws(one) && !land::lies_on_another(game.model(), one.board));
    drawn.map(|one| PaperBoard { together: shared.with(&one), instance: one }).collect()
}

/// Returns `true` for a variable that is shown as counters with places.
fn has_places(slot: &Slot) -> bool {
    matches!(&slot.shown, DisplayForm::Counters(counters) if counters.places.iter().any(Option::is_some))
}

/// A board that is drawn on paper.
#[derive(Clone, Debug)]
pub struct PaperBoard {
    /// The board.
    pub instance: Instance,
    /// Those in one drawing with it, itself among them.
    together: Option<Vec<Instance>>,
}

impl PaperBoard {
    /// Returns all boards of its drawing.
    pub fn all(&self) -> &[Instance] {
        self.together.as_deref().unwrap_or(std::slice::from_ref(&self.instance))
    }

    /// Returns `true` if its drawing has several boards.
    pub fn is_shared(&self) -> bool {
        self.together.is_some()
    }

    /// Draws it with the pieces, numbers and counters that are kept, at a distance of `pitch` between sites.
    pub fn draw(&self, state: &State, kept: &KeptMarks, pitch: f64, canvas: Canvas<'_>) -> Picture {
        let scene = |one: &Instance| Scene::printed(state, one, kept, pitch);
        if !self.is_shared() {
            return board(&scene(&self.instance), None, canvas);
        }
        let mut counters = counter_piles(state, Onlookers::EVERYTHING);
        kept.remove_counters(&mut counters);
        let scenes: Vec<Scene<'_>> = self.all().iter().map(scene).collect();
        SharedBoards::find(state.game(), &counters).draw(&scenes, 0, canvas)
    }
}

/// Draws a board with the module for its kind.
fn board(scene: &Scene<'_>, before: Option<&State>, canvas: Canvas<'_>) -> Picture {
    let topology = &scene.board.topology;
    if let Some(zone) = formations::zone_of_both(scene) {
        return formations::draw(scene, zone, canvas);
    }
    if let Some(sides) = &scene.sides {
        return field::draw(scene, sides, canvas);
    }
    if let Some(over) = &scene.over {
        return match land::is_landscape(scene.state.game().model(), scene.instance.board) {
            true => land::draw(scene, over, canvas),
            false => blocks::draw(scene, over, canvas),
        };
    }
    match (topology.shape(), topology.places()) {
        (Shape::Graph, Some(places)) if scene.board.look.places.is_empty() => {
            graph::draw(scene, &places, canvas)
        }
        (Shape::Graph, _) if !scene.board.look.places.is_empty() => graph::spread(scene, canvas),
        (Shape::Graph, _) => match track::path(topology) {
            Some(sites) => track::draw_path(scene, &sites, canvas),
            None => graph::spread(scene, canvas),
        },
        (Shape::Track { wrap }, _) => track::draw(scene, *wrap, canvas),
        (shape, _) if shape.is_hex() => hex::draw(scene, canvas),
        _ if paper::is_meant(scene.board) => paper::draw(scene, canvas),
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

/// Puts a picture into the middle of a frame, so that it has the same size in all states: smaller if it is too large.
fn in_frame(picture: Picture, size: (f64, f64), mut canvas: Canvas<'_>) -> Picture {
    let scale = (size.0 / picture.width).min(size.1 / picture.height);
    if scale < 1.0 {
        let left = (size.0 - scale * picture.width) / 2.0;
        canvas.scaled((left, 0.0), scale, &picture);
    } else {
        canvas.put((size.0 - picture.width) / 2.0, 0.0, &picture);
    }
    canvas.done(size.0, size.1)
}

/// Returns a single picture as it is, and arranges several in rows.
fn stacked(mut pictures: Vec<Picture>, canvas: Canvas<'_>) -> Picture {
    match pictures.len() {
        0 => canvas.done(0.0, 0.0),
        1 => pictures.remove(0),
        _ => row(&pictures, BOARDS, canvas),
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

/// Height of a line of the head.
const HEAD_LINE: f64 = 26.0;

/// Draws the head of a page: the title at the left, who is to do what at the right or below, and a line of facts.
fn draw_head(head: &DrawnTable, width: f64, is_bare: bool, mut canvas: Canvas<'_>) -> Picture {
    let height = if is_bare { 0.0 } else { title_line(head, width, &mut canvas) };
    if !head.has_facts {
        return canvas.done(width, height);
    }
    let (word, value) = (font(12.5, QUIET), Font { size: 12.5, bold: true, ink: TEXT });
    let base = height + 17.0;
    canvas.part("facts", |canvas| {
        let mut x = 0.0;
        for fact in &head.facts {
            let (words, shown) = (clipped(&fact.word, word, 260.0), clipped(&fact.value, value, 240.0));
            let wide = text_width(&words, word) + text_width(&shown, value) + 26.0;
            if x + wide > width {
                break;
            }
            canvas.rect((x, base - 15.0), (wide, 21.0), 10.5, Some(PLATE), None);
            canvas.text((x + 10.0, base), Anchor::Start, word, &words);
            canvas.text((x + wide - 10.0, base), Anchor::End, value, &shown);
            x += wide + 8.0;
        }
    });
    canvas.done(width, height + 26.0)
}

/// Draws the title and the status. Returns their height.
fn title_line(head: &DrawnTable, width: f64, canvas: &mut Canvas<'_>) -> f64 {
    let state = &head.state;
    let status_font = font(15.0, TEXT);
    let title = clipped(&state.game().model().title, TITLE, width);
    canvas.text((0.0, 18.0), Anchor::Start, TITLE, &title);
    let seat = state.current_player().filter(|_| !state.is_over() && state.game().players() > 1);
    let aside = if seat.is_some() { 26.0 } else { 0.0 };
    let said = clipped(&head.said, status_font, width - aside);
    // Titles take half of the page at most, else the status would move from line to line during a game.
    let is_below = text_width(&title, TITLE) > width / 2.0 || width < 2.0 * LEAST_WIDTH;
    let said = if is_below { said } else { clipped(&said, status_font, width / 2.0 - 16.0 - aside) };
    let wide = text_width(&said, status_font) + aside;
    let (left, line) = if is_below { (0.0, 18.0 + HEAD_LINE) } else { (width - wide, 18.0) };
    canvas.part("status", |canvas| {
        if let Some(player) = seat {
            let looks = state.game().model().seat_looks();
            PieceLook::of_seat(player, &looks).draw(canvas, (left + 10.0, line - 5.0), 10.2);
        }
        canvas.text((left + aside, line), Anchor::Start, status_font, &said);
    });
    if is_below { HEAD_LINE * 2.0 } else { HEAD_LINE }
}

/// Adds the paper, the head and the last move.
fn framed(table: &DrawnTable, style: &PictureStyle, palette: &Palette) -> String {
    let mut canvas = Canvas::new(palette);
    let margin = if style.things { BARE_MARGIN } else { MARGIN };
    // A page with marked things says title and status itself.
    let title = text_width(&table.state.game().model().title, TITLE).min(WIDEST_TITLE);
    let least = if style.things { BARE_WIDTH } else { LEAST_WIDTH.max(title.ceil()) };
    let (width, mut height) = table.draw(&mut canvas, least, style.things, palette);
    height += 16.0;
    if let Some(text) = table.last.describe(&table.state, table.sight).as_deref() {
        let small = font(12.5, QUIET);
        // The colour is explained where something has it.
        let is_marked = palette.fills(&table.body, FRESH);
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
    element(&format!("{}: {}", table.state.game().model().title, table.said), &body, shown, palette)
}

/// Makes a document of a page for a printer.
pub fn document(label: &str, page: &Picture, palette: &Palette) -> String {
    element(label, page, page.width, palette)
}

/// Makes an SVG of a picture for the HTML of a page that says its theme as `data-theme`, or follows the screen's.
pub fn in_page(label: &str, body: &Picture, palette: &Palette) -> String {
    let id = id_of(body);
    tagged(&id, label, body, body.width, &palette.page_rules(&id))
}

/// Makes an SVG of a picture, with the width at which it is shown.
fn element(label: &str, body: &Picture, shown: f64, palette: &Palette) -> String {
    if palette.marks_things() {
        return marked_element(label, body, shown);
    }
    let id = id_of(body);
    tagged(&id, label, body, shown, &palette.rules(&id))
}

/// Returns an id that tells the pictures of a page apart.
fn id_of(body: &Picture) -> String {
    format!("houserule-{:x}", fingerprint(body.body()) >> 16)
}

/// Makes an SVG with an id and a style sheet.
fn tagged(id: &str, label: &str, body: &Picture, shown: f64, rules: &str) -> String {
    let (width, height) = (body.width, body.height);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"{id}\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" \
         role=\"img\" aria-label=\"{}\" font-family=\"system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',\
         Arial,sans-serif\" style=\"font-variant-numeric:tabular-nums\">{}{}</svg>\n",
        number(shown),
        number(shown * height / width),
        number(width),
        number(height),
        escaped(label),
        rules,
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
