//! Sites that belong to players, by variables: each has a small token of its owner.

use houserule_model::board::Site;
use houserule_model::{Content, PLAYER, Seat, SlotId, Value, Visibility};

use crate::draw::svg::canvas::Canvas;
use crate::draw::svg::land;
use crate::draw::svg::paper::points;
use crate::draw::svg::scene::{PaperPoint, Scene};
use crate::draw::svg::token::PieceLook;

/// Radius of a token, and how far it is from the middle of its site, as parts of the radius of a piece.
const RADIUS: f64 = 0.36;
const ASIDE: f64 = 0.84;

/// Returns the variables that say whose the sites of a board are: a player for each site, or a set of sites for each player.
/// Boards of crossings show such sets as areas, and what rules say about a variable's looks comes first.
pub(in crate::draw::svg) fn owner_slots(scene: &Scene<'_>) -> Vec<SlotId> {
    let (model, board) = (scene.state.game().model(), scene.board);
    let drawn = land::drawn_slots(scene);
    if !board.index.is_empty() || points::are_crossings(board) {
        return vec![];
    }
    let slots = (0..).map(SlotId).zip(&model.slots);
    let own = slots.filter(|(_, slot)| {
        let by_site = slot.index == [board.domain]
            && matches!(slot.content, Content::Element { domain, .. } if domain == PLAYER);
        let by_player =
            slot.index == [PLAYER] && matches!(slot.content, Content::Set(domain) if domain == board.domain);
        slot.is_declared_variable() && slot.visibility == Visibility::All && (by_site || by_player)
    });
    own.map(|(id, _)| id).filter(|id| !drawn.contains(id)).collect()
}

/// Returns the sites that belong to players, each with its owner.
fn owned(scene: &Scene<'_>, slot: SlotId) -> Vec<(Site, Seat)> {
    let state = scene.state;
    let places = 0..state.game().model().slots[slot.index()].initial.len() as u32;
    let owned = places.flat_map(|place| match state.value(slot, place as usize) {
        Value::Element(Some(seat)) => vec![(Site(place), Seat(seat))],
        Value::Set(sites) => sites.sites().map(|site| (site, Seat(place))).collect(),
        _ => vec![],
    });
    owned.collect()
}

/// Draws the tokens of the owners in the corners of their sites. `r` is the radius of a piece.
pub(in crate::draw::svg) fn draw_owners(
    scene: &Scene<'_>,
    canvas: &mut Canvas<'_>,
    at: &dyn Fn(Site) -> PaperPoint,
    r: f64,
) {
    let slots = owner_slots(scene);
    canvas.part("owners", |canvas| {
        for (site, seat) in slots.into_iter().flat_map(|slot| owned(scene, slot)) {
            let (x, y) = at(site);
            let place = (x + r * ASIDE, y - r * ASIDE);
            PieceLook::of_seat(seat, &scene.seats).draw(canvas, place, r * RADIUS);
        }
    });
}
