//! Sites beside each other as one shape, and lines through them: `shown as area` and `shown as line`, for kinds of pieces,
//! sets of sites and variables, on any board.

use crate::draw::svg::boards::men;
use crate::draw::svg::canvas::{Canvas, ShapeOutline};
use crate::draw::svg::palette::{self, Ink};
use crate::draw::svg::paper::areas::{self, area_slots, closed};
use crate::draw::svg::paper::outline::{corners, outlines};
use crate::draw::svg::path::PathStep;
use crate::draw::svg::scene::{PaperPoint, Scene, SiteCorners};
use houserule_game::drawing::SiteContents;
use houserule_model::board::{BitSet, Site};
use houserule_model::{LookForm, Seat, Value};

/// The width of a line and of its casing, in units of the maximum radius of a piece.
const LINE: (f64, f64) = (0.5, 0.75);
/// The width of the outline of an area, in the same unit.
const EDGE: f64 = 0.13;

/// Sites that are drawn together.
struct SiteShape {
    sites: BitSet,
    form: LookForm,
    fill: Ink,
    edge: Ink,
    /// The opacity of the fill of an area.
    opacity: f64,
}

/// Returns the sites whose pieces aren't drawn one by one: as an area, as a line, or not at all.
pub(in crate::draw::svg) fn covered(scene: &Scene<'_>) -> BitSet {
    let model = scene.state.game().model();
    let is_covered: Vec<bool> = scene
        .marked
        .symbols
        .iter()
        .map(|symbol| men::find_look(model, symbol).form != LookForm::Token)
        .collect();
    let size = scene.board.topology.size();
    if !is_covered.contains(&true) {
        return BitSet::empty(size);
    }
    let marks = (0..).map(Site).zip(&scene.marked.marks);
    let of_piece = marks.filter(|(_, mark)| matches!(mark, SiteContents::Piece(at) if is_covered[*at]));
    BitSet::from_sites(size, of_piece.map(|(site, _)| site))
}

/// Draws what is shown as areas or lines. `cell` returns the corners of a site, if it has any. `r` is the maximum radius of a
/// piece.
pub(in crate::draw::svg) fn draw(
    scene: &Scene<'_>,
    canvas: &mut Canvas<'_>,
    at: &dyn Fn(Site) -> PaperPoint,
    cell: Option<SiteCorners<'_>>,
    r: f64,
) {
    let shapes = find_shapes(scene);
    if shapes.is_empty() {
        return;
    }
    canvas.part("shapes", |canvas| {
        for shape in shapes {
            match (shape.form, cell) {
                (LookForm::Line, _) => draw_line(scene, canvas, &shape, at, r),
                (_, Some(cell)) => draw_cells(canvas, &shape, cell, r),
                (_, None) => draw_blobs(scene, canvas, &shape, at, r),
            }
        }
    });
}

fn find_shapes(scene: &Scene<'_>) -> Vec<SiteShape> {
    let model = scene.state.game().model();
    let mut shapes = vec![];
    for ground in scene.board.grounds.iter().filter(|ground| is_shape(ground.look.form)) {
        let (fill, edge) = match ground.look.colour {
            Some(colour) => palette::land(colour),
            None => (palette::QUIET, palette::QUIET),
        };
        let sites = ground.sites.clone();
        shapes.push(SiteShape { sites, form: ground.look.form, fill, edge, opacity: 0.34 });
    }
    for (at, symbol) in scene.marked.symbols.iter().enumerate() {
        let look = men::find_look(model, symbol);
        if !is_shape(look.form) {
            continue;
        }
        let (fill, edge) = match (look.colour, symbol.player) {
            (Some(colour), _) => palette::land(colour),
            (None, Some(seat)) => {
                let colours = palette::seat(seat, &scene.seats);
                (colours.body, colours.edge)
            }
            (None, None) => (palette::QUIET, palette::TEXT),
        };
        let marks = (0..).map(Site).zip(&scene.marked.marks);
        let own = marks.filter(|(_, mark)| matches!(mark, SiteContents::Piece(kind) if *kind == at));
        let sites = BitSet::from_sites(scene.board.topology.size(), own.map(|(site, _)| site));
        shapes.push(SiteShape { sites, form: look.form, fill, edge, opacity: 1.0 });
    }
    if !areas::are_drawn_on(model, scene.board) {
        shapes.extend(variables(scene));
    }
    shapes.retain(|shape| !shape.sites.is_empty());
    shapes
}

/// Returns the variables that are areas of a board, in the colours of their players.
fn variables(scene: &Scene<'_>) -> Vec<SiteShape> {
    let model = scene.state.game().model();
    let mut shapes = vec![];
    for id in area_slots(scene.state.game().model(), scene.board) {
        let slot = &model.slots[id.index()];
        for place in 0..slot.initial.len() {
            let Value::Set(sites) = scene.state.value(id, place) else { continue };
            let (fill, edge) = match slot.index.is_empty() {
                true => (palette::QUIET, palette::QUIET),
                false => {
                    let colours = palette::seat(Seat(place as u32), &scene.seats);
                    (colours.body, colours.edge)
                }
            };
            shapes.push(SiteShape { sites, form: LookForm::Area, fill, edge, opacity: 0.3 });
        }
    }
    shapes
}

fn is_shape(form: LookForm) -> bool {
    matches!(form, LookForm::Area | LookForm::Line)
}

/// Draws cells that touch as one outlined shape.
fn draw_cells(canvas: &mut Canvas<'_>, shape: &SiteShape, cell: SiteCorners<'_>, r: f64) {
    // Corners that cells have in common are equal once they are rounded.
    let rounded = |value: f64| (value * 50.0).round() as i64;
    let cells: Vec<Vec<(i64, i64)>> = shape
        .sites
        .sites()
        .map(|site| (cell.whole)(site).into_iter().map(|(x, y)| (rounded(x), rounded(y))).collect())
        .collect();
    let all: Vec<Vec<PaperPoint>> = outlines(&cells)
        .into_iter()
        .map(|outline| {
            let points: Vec<PaperPoint> =
                outline.into_iter().map(|(x, y)| (x as f64 / 50.0, y as f64 / 50.0)).collect();
            corners(&points)
        })
        .collect();
    let steps = closed(&all);
    canvas.pale(shape.opacity, |canvas| canvas.path(&steps, Some(shape.fill), None));
    canvas.pen(&steps, ShapeOutline { ink: shape.edge, width: (r * EDGE).clamp(1.2, 2.6) });
}

/// Draws points that are joined as one shape: broad lines with an edge.
fn draw_blobs(
    scene: &Scene<'_>,
    canvas: &mut Canvas<'_>,
    shape: &SiteShape,
    at: &dyn Fn(Site) -> PaperPoint,
    r: f64,
) {
    let steps = joined(scene, &shape.sites, at);
    let edge = (r * EDGE).clamp(1.2, 2.6);
    canvas.pen(&steps, ShapeOutline { ink: shape.edge, width: r * 1.8 });
    canvas.pen(&steps, ShapeOutline { ink: palette::PAPER, width: r * 1.8 - 2.0 * edge });
    canvas.pale(shape.opacity, |canvas| {
        canvas.pen(&steps, ShapeOutline { ink: shape.fill, width: r * 1.8 - 2.0 * edge });
    });
}

/// Draws a line with a casing through sites beside each other.
fn draw_line(
    scene: &Scene<'_>,
    canvas: &mut Canvas<'_>,
    shape: &SiteShape,
    at: &dyn Fn(Site) -> PaperPoint,
    r: f64,
) {
    let steps = joined(scene, &shape.sites, at);
    canvas.pen(&steps, ShapeOutline { ink: shape.edge, width: r * LINE.1 });
    canvas.pen(&steps, ShapeOutline { ink: shape.fill, width: r * LINE.0 });
}

/// Returns lines between sites beside each other. A site with two neighbours is a bend, one without any is a point.
fn joined(scene: &Scene<'_>, sites: &BitSet, at: &dyn Fn(Site) -> PaperPoint) -> Vec<PathStep> {
    let topology = &scene.board.topology;
    let is_wrapped = |one: Site, other: Site| {
        topology.has_rows()
            && (topology.column_of(one).abs_diff(topology.column_of(other)) > 1
                || topology.row_of(one).abs_diff(topology.row_of(other)) > 1)
    };
    let mut steps = vec![];
    for site in sites.sites() {
        let near: Vec<Site> = topology
            .beside(site)
            .intersect(sites)
            .sites()
            .filter(|other| !is_wrapped(site, *other))
            .collect();
        let centre = at(site);
        let halfway = |other: Site| {
            let (x, y) = at(other);
            ((x + centre.0) / 2.0, (y + centre.1) / 2.0)
        };
        match near.as_slice() {
            [] => steps.extend([PathStep::Move(centre), PathStep::Line((centre.0 + 0.1, centre.1))]),
            [one, other] => {
                let [from, to] = [*one, *other].map(halfway);
                steps.extend([PathStep::Move(from), bend(from, centre, to)]);
            }
            all => steps.extend(
                all.iter().flat_map(|other| [PathStep::Move(halfway(*other)), PathStep::Line(centre)]),
            ),
        }
    }
    steps
}

/// Returns the curve between two points that is bent towards a third one.
pub(super) fn bend(from: PaperPoint, towards: PaperPoint, to: PaperPoint) -> PathStep {
    const PULL: f64 = 0.7;
    let pull = |end: PaperPoint| (end.0 + (towards.0 - end.0) * PULL, end.1 + (towards.1 - end.1) * PULL);
    PathStep::Curve(pull(from), pull(to), to)
}
