//! Tables that lead from one site of a board to another, `shown as line`: a ladder to a later site, a snake to an earlier one.

use crate::draw::svg::canvas::{Canvas, ShapeOutline};
use crate::draw::svg::palette::{Colours, ROAD_EDGE, TEXT, TOWN, card_colours};
use crate::draw::svg::scene::{PaperPoint, Scene};
use houserule_model::board::Site;
use houserule_model::{BoardId, Colour};

/// The colours of snakes, in turn.
const SNAKES: [Colour; 4] = [Colour::Green, Colour::Purple, Colour::Orange, Colour::Teal];

/// Draws the lines of all tables that lead over a board. `pitch` is the distance between its sites.
pub(in crate::draw::svg) fn draw(
    scene: &Scene<'_>,
    canvas: &mut Canvas<'_>,
    at: &dyn Fn(Site) -> PaperPoint,
    pitch: f64,
) {
    let jumps = jumps(scene);
    canvas.part("jumps", |canvas| {
        for [from, to] in jumps.iter().filter(|[from, to]| to > from) {
            draw_ladder(canvas, at(*from), at(*to), pitch);
        }
        for (number, [from, to]) in jumps.iter().filter(|[from, to]| to < from).enumerate() {
            let colours = match canvas.prints() {
                true => Colours { body: TOWN, edge: TEXT, mark: TEXT },
                false => card_colours(SNAKES[number % SNAKES.len()]),
            };
            draw_snake(canvas, at(*from), at(*to), pitch, colours);
        }
    });
}

/// Returns from where to where the tables lead. An entry that is no other site leads nowhere.
fn jumps(scene: &Scene<'_>) -> Vec<[Site; 2]> {
    let model = scene.state.game().model();
    let board = BoardId(scene.instance.board.0);
    let size = i64::from(scene.board.topology.size());
    let own = model.joined.iter().filter(|(_, of)| *of == board);
    let all = own.flat_map(|(table, _)| (0..).zip(model.tables[table.index()].values.iter().copied()));
    let jumps = all.filter(|(from, to)| (1..=size).contains(to) && *to != from + 1);
    jumps.map(|(from, to)| [Site(from as u32), Site(to as u32 - 1)]).collect()
}

/// Returns the way from one point to another: its length, its direction, and what is at the right of it.
fn way(from: PaperPoint, to: PaperPoint) -> (f64, PaperPoint, PaperPoint) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let long = dx.hypot(dy).max(1.0);
    (long, (dx / long, dy / long), (-dy / long, dx / long))
}

fn draw_ladder(canvas: &mut Canvas<'_>, from: PaperPoint, to: PaperPoint, pitch: f64) {
    let (long, (ux, uy), (sx, sy)) = way(from, to);
    let half = pitch * 0.16;
    let point = |along: f64, aside: f64| (from.0 + ux * along + sx * aside, from.1 + uy * along + sy * aside);
    let (first, last) = (-pitch * 0.12, long + pitch * 0.12);
    let mut lines = [-half, half].map(|aside| vec![point(first, aside), point(last, aside)]).to_vec();
    let rungs = (long / (pitch * 0.3)).round().max(2.0);
    lines.extend((0..=rungs as u32).map(|rung| {
        let along = long * f64::from(rung) / rungs;
        vec![point(along, -half), point(along, half)]
    }));
    let width = (pitch * 0.075).max(1.5);
    canvas.lines(&lines, ShapeOutline { ink: ROAD_EDGE, width: width + 1.2 });
    canvas.lines(&lines, ShapeOutline { ink: TOWN, width });
}

fn draw_snake(canvas: &mut Canvas<'_>, from: PaperPoint, to: PaperPoint, pitch: f64, colours: Colours) {
    let (long, (ux, uy), (sx, sy)) = way(from, to);
    let waves = (long / (pitch * 1.6)).round().max(1.0);
    let steps = (waves * 12.0) as u32;
    let line: Vec<PaperPoint> = (0..=steps)
        .map(|step| {
            let part = f64::from(step) / f64::from(steps);
            let aside = pitch * 0.2 * (part * waves * std::f64::consts::TAU).sin();
            (from.0 + ux * long * part + sx * aside, from.1 + uy * long * part + sy * aside)
        })
        .collect();
    let width = (pitch * 0.13).max(2.0);
    canvas.line(&line, ShapeOutline { ink: colours.edge, width: width + 1.6 });
    canvas.line(&line, ShapeOutline { ink: colours.body, width });
    // Its head, with two eyes.
    let head = ShapeOutline { ink: colours.edge, width: 0.9 };
    canvas.circle(from, pitch * 0.15, Some(colours.body), Some(head));
    for aside in [-0.06, 0.06] {
        let eye = (
            from.0 + sx * pitch * aside - ux * pitch * 0.04,
            from.1 + sy * pitch * aside - uy * pitch * 0.04,
        );
        canvas.circle(eye, (pitch * 0.028).max(0.8), Some(colours.mark), None);
    }
}
