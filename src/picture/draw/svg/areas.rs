//! Areas that players have enclosed with pieces on crossings: the contents of `var area[player]`, extended to
//! the surrounding pieces.

use std::collections::HashMap;

use super::canvas::{Canvas, ShapeOutline};
use super::palette::{self, Ink};
use super::scene::{PaperPoint, Scene};
use houserule_model::board::{BitSet, Site};
use houserule_model::{Content, PLAYER, Role, Seat, SlotId, Value, Visibility};

/// The name of the variable in rules.
const NAME: &str = "area";

/// Returns the variable with the areas of a board: a set of its sites for each player.
pub(super) fn area_slot(scene: &Scene<'_>) -> Option<SlotId> {
    let model = scene.state.game().model();
    let slots = model.slots.iter().zip((0..).map(SlotId));
    let mut fitting = slots.filter(|(slot, _)| {
        slot.role == Role::Variable
            && slot.visibility == Visibility::All
            && slot.name == NAME
            && slot.index == [PLAYER]
            && matches!(slot.content, Content::Set(domain) if domain == scene.board.domain)
    });
    fitting.next().map(|(_, id)| id)
}

/// Fills each area with the colour of its owner and outlines it.
pub(super) fn draw(scene: &Scene<'_>, canvas: &mut Canvas<'_>, at: &dyn Fn(Site) -> PaperPoint, pitch: f64) {
    let Some(slot) = area_slot(scene) else { return };
    let seats = &scene.state.game().model().seat_looks();
    canvas.part("areas", |canvas| {
        for seat in 0..seats.len() {
            let Value::Set(area) = scene.state.value(slot, seat) else { continue };
            let ink = palette::seat(Seat(seat as u32), seats).stroke();
            let shapes = shapes(scene, &area, ink);
            let placed: Vec<Vec<PaperPoint>> =
                shapes.iter().map(|shape| shape.iter().map(|site| at(*site)).collect()).collect();
            canvas.pale(0.3, |canvas| canvas.shapes(&placed, 0.0, ink));
            let brink: Vec<Vec<PaperPoint>> =
                brink(&shapes).into_iter().map(|(a, b)| vec![at(a), at(b)]).collect();
            canvas.lines(&brink, ShapeOutline { ink, width: (pitch * 0.09).max(1.0) });
        }
    });
}

/// Returns the squares and half squares between the sites of an area and the owner's adjacent pieces.
fn shapes(scene: &Scene<'_>, area: &BitSet, ink: Ink) -> Vec<Vec<Site>> {
    let topology = &scene.board.topology;
    let mut within = area.clone();
    for site in area.sites() {
        for wall in topology.beside(site).sites() {
            if scene.token(wall).is_some_and(|token| token.colours.stroke() == ink) {
                within.insert(wall.0);
            }
        }
    }
    let (width, height) = (i64::from(topology.width()), i64::from(topology.height()));
    let squares = (1..height).flat_map(|row| (1..width).map(move |column| (column, row)));
    squares
        .filter_map(|(column, row)| {
            let corners = [(0, 0), (1, 0), (1, 1), (0, 1)];
            let sites = corners.iter().filter_map(|(x, y)| topology.site_at(column + x, row + y));
            let held: Vec<Site> = sites.filter(|site| within.contains(site.0)).collect();
            (held.len() > 2 && held.iter().any(|site| area.contains(site.0))).then_some(held)
        })
        .collect()
}

/// Returns the sides that belong to exactly one shape, sorted.
fn brink(shapes: &[Vec<Site>]) -> Vec<(Site, Site)> {
    let mut sides: HashMap<(Site, Site), u32> = HashMap::new();
    for shape in shapes {
        for (from, to) in shape.iter().zip(shape.iter().cycle().skip(1)) {
            *sides.entry((*from.min(to), *from.max(to))).or_default() += 1;
        }
    }
    let mut single: Vec<(Site, Site)> =
        sides.into_iter().filter(|(_, count)| *count == 1).map(|(side, _)| side).collect();
    single.sort_unstable();
    single
}
