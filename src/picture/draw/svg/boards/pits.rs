//! Boards of pits with seeds, and the players' stores at the ends.

use super::piles;
use crate::draw::svg::canvas::{Anchor, Canvas, Font, Picture, ShapeOutline, ThingArea};
use crate::draw::svg::palette::{FRESH, FRESH_EDGE, Ink, QUIET, RULE, SEED, SEED_EDGE, TEXT, TILE};
use crate::draw::svg::scene::{PaperPoint, Scene, font};
use crate::draw::svg::token::PieceLook;
use houserule_game::drawing::{FACE_DOWN, SiteContents, numbers};
use houserule_game::{Game, Seat, State};
use houserule_model::board::Site;
use houserule_model::{BoardId, Content, PLAYER, SlotId, Value};

/// Names of sites that make a board one of pits.
const NAMES: [&str; 3] = ["pit", "house", "hole"];

/// Maximum number of seeds that are drawn in a pit.
const MOST_SEEDS: i64 = 60;

/// Returns `true` if a board has pits. The rules indicate this by the name of its sites.
pub(in crate::draw::svg) fn are_meant(game: &Game, board: BoardId) -> bool {
    let told = &game.model().boards[board.index()];
    told.topology.has_corners() && NAMES.contains(&told.name.as_str()) && numbers(game, board).is_some()
}

/// Returns the variable with the players' stores: the only one that each of two players has with the same range
/// as the pits.
pub(in crate::draw::svg) fn stores(game: &Game, board: BoardId) -> Option<SlotId> {
    if !are_meant(game, board) || game.players() != 2 {
        return None;
    }
    let model = game.model();
    let content = model.slots[numbers(game, board)?.index()].content;
    let alike = (0..)
        .map(SlotId)
        .zip(&model.slots)
        .filter(|(_, slot)| slot.is_declared_variable() && slot.index == [PLAYER] && slot.content == content);
    let all: Vec<SlotId> = alike.map(|(id, _)| id).collect();
    if let ([one], Content::Number { low: 0, .. }) = (all.as_slice(), content) { Some(*one) } else { None }
}

pub(in crate::draw::svg) fn draw(
    scene: &Scene<'_>,
    before: Option<&State>,
    mut canvas: Canvas<'_>,
) -> Picture {
    let (state, topology) = (scene.state, &scene.board.topology);
    let (width, height) = (topology.width(), topology.height());
    let store = stores(state.game(), scene.instance.board);
    let pitch = scene.pitch_or(|_| (470.0 / (f64::from(width) + 2.0)).clamp(34.0, 60.0).floor());
    let (names, counts) = (font(11.0, QUIET), Font { size: 13.0, bold: true, ink: TEXT });
    // Counts are outside the two rows, or below the pits if there are more rows.
    let between = if height == 2 { pitch } else { pitch + counts.size + 4.0 };
    let over = if height == 2 { counts.size + 7.0 } else { 4.0 };
    let aside = if store.is_some() { pitch + 22.0 } else { 18.0 };
    let down = |row: u32| if scene.board.from_top { row - 1 } else { height - row };
    let at = |site: Site| -> PaperPoint {
        let (column, row) = (topology.column_of(site), topology.row_of(site));
        let x = aside + (f64::from(column) - 0.5) * pitch;
        (x, over + pitch / 2.0 + between * f64::from(down(row)))
    };
    let bottom = over + pitch + between * f64::from(height - 1) + counts.size + 7.0;
    let (high, low) = (over, bottom - counts.size - 7.0);
    let r = pitch * 0.44;
    for site in topology.sites() {
        let fresh = scene.fresh.contains(site.0);
        let (fill, edge) = pit_style(fresh);
        canvas.circle(at(site), r, Some(fill), Some(edge));
    }
    scene.grounds(&mut canvas, &at, None, r);
    let all = 2.0 * aside + pitch * f64::from(width) - if store.is_some() { 0.0 } else { 14.0 };
    if let Some(slot) = store {
        let amount = |state: &State, seat: usize| match state.value(slot, seat) {
            Value::Number(seeds) => seeds,
            _ => 0,
        };
        let players = &state.game().model().seat_looks();
        for seat in 0..2 {
            // The player who sows to the right along the lower row has the store at its end.
            let x = if seat == 0 { all - pitch / 2.0 - 1.0 } else { pitch / 2.0 + 1.0 };
            let seeds = amount(state, seat);
            let text = if canvas.prints() { String::new() } else { seeds.to_string() };
            let fresh = before.is_some_and(|before| amount(before, seat) != seeds);
            let (fill, edge) = pit_style(fresh);
            let half = pitch * 0.44;
            canvas.rect((x - half, high), (2.0 * half, low - high), half, Some(fill), Some(edge));
            heap(&mut canvas, (x, (high + low) / 2.0), (half * 0.7, (low - high) / 2.0 - half * 0.35), seeds);
            canvas.text((x, low + counts.size + 3.0), Anchor::Middle, counts, &text);
            let token = PieceLook::of_seat(Seat(seat as u32), players);
            token.draw(&mut canvas, (x, high - 10.0), 7.0);
        }
    }
    canvas.part("pieces", |canvas| {
        for site in topology.sites() {
            let (x, y) = at(site);
            let (seeds, text) = match scene.marked.marks[site.index()] {
                SiteContents::Number(seeds) => (seeds, seeds.to_string()),
                SiteContents::Hidden => (0, FACE_DOWN.to_string()),
                SiteContents::Empty | SiteContents::Piece(_) => (0, String::new()),
            };
            piles::draw(scene, canvas, site, (x, y), r * 0.9);
            piles::draw_numbers(scene, canvas, site, (x, y), r * 0.9);
            heap(canvas, (x, y), (r * 0.7, r * 0.7), seeds);
            let above = height == 2 && down(topology.row_of(site)) == 0;
            let at = if above { y - r - 5.0 } else { y + r + counts.size + 1.0 };
            canvas.text((x, at), Anchor::Middle, counts, &text);
        }
    });
    scene.hints(&mut canvas, &at, r);
    canvas.part("coordinates", |canvas| {
        for (column, name) in scene.columns(topology.column_names()) {
            let x = aside + (f64::from(column) - 0.5) * pitch;
            canvas.text((x, bottom + names.size + 1.0), Anchor::Middle, names, &name);
        }
        for row in 1..=height {
            let y = over + pitch / 2.0 + between * f64::from(down(row)) + names.size * 0.36;
            canvas.text((aside - 6.0, y), Anchor::End, names, &row.to_string());
        }
    });
    scene.hits(&mut canvas, &|site| ThingArea::Disc(at(site), pitch / 2.0));
    canvas.done(all, bottom + names.size + 5.0)
}

/// Returns fill and outline of a pit or store.
fn pit_style(fresh: bool) -> (Ink, ShapeOutline) {
    match fresh {
        true => (FRESH, ShapeOutline { ink: FRESH_EDGE, width: 1.5 }),
        false => (TILE, ShapeOutline { ink: RULE, width: 0.75 }),
    }
}

/// Draws seeds in an ellipse, in the spiral pattern of a sunflower.
fn heap(canvas: &mut Canvas<'_>, centre: PaperPoint, radii: (f64, f64), seeds: i64) {
    let (x, y) = centre;
    let (wide, high) = radii;
    const GOLDEN: f64 = 2.399_963_229_728_653;
    let shown = seeds.clamp(0, MOST_SEEDS);
    let n = shown as f64;
    // As large as possible without hiding each other.
    let r = (0.78 * (wide * high).sqrt() / n.max(1.0).sqrt()).clamp(1.4, 4.6);
    let places: Vec<PaperPoint> = (0..shown)
        .map(|seed| {
            let far = if shown == 1 { 0.0 } else { ((seed as f64 + 0.5) / n).sqrt() };
            let angle = seed as f64 * GOLDEN;
            (x + wide * far * angle.cos(), y + high * far * angle.sin())
        })
        .collect();
    for place in places {
        canvas.circle(
            place,
            r,
            Some(SEED),
            Some(ShapeOutline { ink: SEED_EDGE, width: (r * 0.22).min(0.8) }),
        );
    }
}
