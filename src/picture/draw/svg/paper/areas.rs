//! Areas that players have enclosed with pieces on crossings: the contents of a variable that is `shown as area`, extended to
//! the surrounding pieces. Inside them, pieces of nobody aren't drawn: the area says that they are there.

use super::outline::{corners, hatching, outlines};
use super::points;
use crate::draw::svg::canvas::{Canvas, ShapeOutline};
use crate::draw::svg::palette::{self, Ink};
use crate::draw::svg::path::PathStep;
use crate::draw::svg::scene::{PaperPoint, Scene};
use houserule_game::drawing::SiteContents;
use houserule_model::board::{BitSet, Site};
use houserule_model::{
    Board, Content, DisplayForm, Model, PLAYER, Role, Seat, Slot, SlotId, Value, Visibility,
};

/// Returns the variable with the areas of a board: a set of its sites for each player.
pub(in crate::draw::svg) fn area_slot(scene: &Scene<'_>) -> Option<SlotId> {
    slot_on(scene.state.game().model(), scene.board)
}

/// Returns `true` if a board shows areas.
pub(in crate::draw::svg) fn are_drawn_on(model: &Model, board: &Board) -> bool {
    points::are_crossings(board) && slot_on(model, board).is_some()
}

/// Returns the sites in areas on which a piece of nobody stands.
pub(in crate::draw::svg) fn covered(scene: &Scene<'_>) -> BitSet {
    let (model, size) = (scene.state.game().model(), scene.board.topology.size());
    let mut covered = BitSet::empty(size);
    let is_area = points::are_crossings(scene.board);
    let Some(slot) = is_area.then(|| slot_on(model, scene.board)).flatten() else { return covered };
    for seat in 0..model.players.names.len() {
        if let Value::Set(area) = scene.state.value(slot, seat) {
            covered = covered.union(&area);
        }
    }
    let is_nobodys = |site: &Site| match scene.marked.marks[site.index()] {
        SiteContents::Piece(at) => scene.marked.symbols[at].player.is_none(),
        _ => false,
    };
    BitSet::from_sites(size, covered.sites().filter(is_nobodys))
}

/// Returns the variables that are areas of a board.
pub(in crate::draw::svg) fn area_slots<'a>(
    model: &'a Model,
    board: &'a Board,
) -> impl Iterator<Item = SlotId> + 'a {
    let slots = (0..).map(SlotId).zip(&model.slots);
    let is_area = move |slot: &Slot| {
        slot.role == Role::Variable
            && slot.visibility == Visibility::All
            && slot.shown == DisplayForm::Area
            && (slot.index.is_empty() || slot.index == [PLAYER])
            && matches!(slot.content, Content::Set(domain) if domain == board.domain)
    };
    slots.filter(move |(_, slot)| is_area(slot)).map(|(id, _)| id)
}

fn slot_on(model: &Model, board: &Board) -> Option<SlotId> {
    area_slots(model, board).find(|id| model.slots[id.index()].index == [PLAYER])
}

/// Distance between the lines of a hatching, as a part of the distance between two sites.
const GAP: f64 = 0.22;

/// Outlines each area in the colour of its owner, and hatches it: up for every other seat, down for the others.
pub(in crate::draw::svg) fn draw(
    scene: &Scene<'_>,
    canvas: &mut Canvas<'_>,
    at: &dyn Fn(Site) -> PaperPoint,
    pitch: f64,
) {
    let Some(slot) = area_slot(scene) else { return };
    let seats = &scene.state.game().model().seat_looks();
    canvas.part("areas", |canvas| {
        for seat in 0..seats.len() {
            let Value::Set(area) = scene.state.value(slot, seat) else { continue };
            let colours = palette::seat(Seat(seat as u32), seats);
            let all: Vec<Vec<PaperPoint>> = outlines(&shapes(scene, &area, colours.stroke()))
                .into_iter()
                .map(|outline| corners(&outline.into_iter().map(at).collect::<Vec<PaperPoint>>()))
                .collect();
            if all.is_empty() {
                continue;
            }
            // With more than two seats, the distance between the lines differs, too.
            let gap = (pitch * GAP).clamp(3.5, 7.5) * (1.0 + (seat / 2) as f64 * 0.5);
            let width = (pitch * 0.04).clamp(0.8, 1.3);
            let hatched: Vec<PathStep> = hatching(&all, seat % 2 == 0, gap)
                .into_iter()
                .flat_map(|[from, to]| [PathStep::Move(from), PathStep::Line(to)])
                .collect();
            let ink = colours.stroke();
            canvas.pale(0.75, |canvas| canvas.pen(&hatched, ShapeOutline { ink, width }));
            let edge = ShapeOutline { ink, width: (pitch * 0.08).clamp(1.4, 2.6) };
            canvas.pen(&closed(&all), edge);
        }
    });
}

/// Returns closed lines through the corners of outlines.
pub(in crate::draw::svg) fn closed(outlines: &[Vec<PaperPoint>]) -> Vec<PathStep> {
    let steps = outlines.iter().flat_map(|outline| {
        let (first, rest) = outline.split_at(outline.len().min(1));
        let begin = first.iter().map(|point| PathStep::Move(*point));
        begin.chain(rest.iter().map(|point| PathStep::Line(*point))).chain([PathStep::Close])
    });
    steps.collect()
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
