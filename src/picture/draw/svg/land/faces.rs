//! Tiles of a domain that is `shown as tile(…)`: as cards, and those that variables hold.

use super::tile::{SpotLook, TileLayers, TileSpots};
use crate::draw::svg::canvas::{Anchor, Canvas, Picture, ShapeOutline};
use crate::draw::svg::palette::{PLACE, QUIET, ROAD_EDGE};
use crate::draw::svg::scene::{PaperPoint, font};
use crate::layout::{TileFace, TilePart, card_face};
use houserule_base::names::plain;
use houserule_game::{Onlookers, State};
use houserule_model::{Content, DisplayForm, Look, LookForm, Model, Slot, SlotId, TileLook, Value};

/// The side of a tile.
const SIDE: f64 = 96.0;

/// Returns the look of the tiles that a variable without an index holds, one at a time.
pub(in crate::draw) fn tile_of<'m>(model: &'m Model, slot: &Slot) -> Option<&'m TileLook> {
    let Content::Element { domain, .. } = slot.content else { return None };
    let holds_one = slot.is_declared_variable() && slot.index.is_empty();
    model.tiles.iter().find(|tile| holds_one && slot.shown != DisplayForm::Nothing && tile.domain == domain)
}

/// Draws the tile that each variable holds, as far as those who look see it. One that holds none has a place.
pub(in crate::draw::svg) fn pictures<'p>(
    state: &State,
    sight: Onlookers,
    fresh: impl Fn() -> Canvas<'p>,
) -> Vec<Picture> {
    let model = state.game().model();
    let slots = (0..).map(SlotId).zip(&model.slots);
    let held = slots.filter_map(|(id, slot)| Some((id, slot, tile_of(model, slot)?)));
    held.map(|(id, slot, tile)| {
        let mut canvas = fresh();
        canvas.text((0.0, 12.0), Anchor::Start, font(12.0, QUIET), &plain(&slot.name));
        let (corner, size) = ((1.0, 20.0), (SIDE, SIDE));
        match state.value(id, 0) {
            Value::Element(Some(element)) if sight.sees(|seat| state.sees(id, 0, seat)) => {
                if let Some(face) = card_face(model, tile.domain, element).tile {
                    draw_tile(&mut canvas, corner, SIDE, &face);
                }
            }
            _ => {
                let edge = ShapeOutline { ink: PLACE, width: 1.4 };
                canvas.dashed_rect(corner, size, 4.0, edge, (5.0, 4.0));
            }
        }
        canvas.done(SIDE + 4.0, SIDE + 24.0)
    })
    .collect()
}

/// Draws a square tile with this corner and side.
pub(in crate::draw::svg) fn draw_tile(
    canvas: &mut Canvas<'_>,
    corner: PaperPoint,
    side: f64,
    face: &TileFace,
) {
    let mut layers = TileLayers::new(side);
    let [north, east, south, west] = face.sides.map(|part| Some(spot(part)));
    let spots: TileSpots = [[None, north, None], [west, face.middle.map(spot), east], [None, south, None]];
    let ground = Some(spot(face.ground)).filter(|ground| ground.is_area());
    layers.add(corner, &spots, ground);
    canvas.shadow(corner, (side, side), 3.0);
    canvas.part("tile", |canvas| layers.draw(canvas));
    canvas.rect(corner, (side, side), 3.0, None, Some(ShapeOutline { ink: ROAD_EDGE, width: 1.2 }));
}

/// Returns what a part of a tile looks like.
fn spot(part: TilePart) -> SpotLook {
    let form = match part.icon {
        _ if part.is_line => LookForm::Line,
        Some(_) => LookForm::Token,
        None => LookForm::Area,
    };
    SpotLook::new(Look { colour: part.colour, picture: part.icon, form, ..Look::default() })
}
