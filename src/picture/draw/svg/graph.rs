//! Graph boards: points joined by lines, placed by their names or in a circle.

use std::f64::consts::TAU;

use super::canvas::{Anchor, Canvas, Picture, ShapeOutline, text_width};
use super::palette::{QUIET, RULE, TILE};
use super::scene::{GridPositions, PaperPoint, Scene, font};
use houserule_game::drawing::rows;
use houserule_model::board::Site;

/// Draws each point in the column and row of its name.
pub(super) fn draw(scene: &Scene<'_>, places: &[(u32, u32)], mut canvas: Canvas<'_>) -> Picture {
    let (columns, rows) = (scene.board.topology.column_names().len(), rows(scene.board, 0));
    let grid = GridPositions::new(scene, columns as u32, rows.len() as u32);
    let mut used: Vec<u32> = places.iter().map(|(column, _)| *column).collect();
    used.sort_unstable();
    used.dedup();
    let at = |site: Site| {
        let (column, number) = places[site.index()];
        let x = used.iter().position(|known| *known == column).unwrap_or(0);
        let y = rows.iter().position(|row| row.number == number).unwrap_or(0);
        grid.middle(x as f64, y as f64)
    };
    let size = (grid.width() - grid.left, grid.bottom() - grid.top);
    canvas.rect((grid.left, grid.top), size, 7.0, Some(TILE), None);
    points(scene, &mut canvas, &at, grid.pitch * 0.34);
    scene.coordinates(&mut canvas, &grid, 0.0);
    scene.point_hits(&mut canvas, &at, grid.pitch / 2.0);
    canvas.done(grid.width(), grid.height())
}

/// Draws points in a circle.
pub(super) fn ring(scene: &Scene<'_>, mut canvas: Canvas<'_>) -> Picture {
    let topology = &scene.board.topology;
    // Several piles on a site need room.
    let lying = topology.sites().map(|site| scene.marked.lying(site).len()).max().unwrap_or(0);
    let pitch = scene.pitch_or(|_| if lying > 1 { 60.0 } else { 42.0 });
    let r = pitch * 15.0 / 42.0;
    let names = font(11.0, QUIET);
    let sites = f64::from(topology.size());
    let radius = (sites * pitch / TAU).clamp(70.0, 600.0);
    let text: Vec<String> = topology.sites().map(|site| topology.site_name(site)).collect();
    let widest = text.iter().map(|name| text_width(name, names)).fold(0.0, f64::max);
    let (x, y) = (radius + r + widest + 10.0, radius + r + names.size + 10.0);
    let angle = |site: Site| f64::from(site.0) / sites * TAU - TAU / 4.0;
    let round = |site: Site, radius: f64| (x + radius * angle(site).cos(), y + radius * angle(site).sin());
    points(scene, &mut canvas, &|site| round(site, radius), r);
    canvas.part("coordinates", |canvas| {
        for (site, name) in topology.sites().zip(&text) {
            let (tx, ty) = round(site, radius + r + 8.0);
            let anchor = match tx - x {
                aside if aside > 1.0 => Anchor::Start,
                aside if aside < -1.0 => Anchor::End,
                _ => Anchor::Middle,
            };
            let sink = names.size * (0.36 + 0.4 * angle(site).sin());
            canvas.text((tx, ty + sink), anchor, names, name);
        }
    });
    scene.point_hits(&mut canvas, &|site| round(site, radius), pitch / 2.0);
    canvas.done(2.0 * x, 2.0 * y)
}

/// Draws the lines, the points and the pieces.
fn points(scene: &Scene<'_>, canvas: &mut Canvas<'_>, at: &dyn Fn(Site) -> PaperPoint, r: f64) {
    let topology = &scene.board.topology;
    let joined: Vec<Vec<PaperPoint>> = topology
        .sites()
        .flat_map(|from| {
            let beside = topology.beside(from);
            let later: Vec<Site> = beside.sites().filter(|to| *to > from).collect();
            later.into_iter().map(move |to| vec![at(from), at(to)])
        })
        .collect();
    canvas.lines(&joined, ShapeOutline { ink: RULE, width: 2.0 });
    // A letter takes the place of the dot.
    let lettered = |site: &Site| scene.marked.open_ground(*site).is_some_and(|on| on.look.letter.is_some());
    for site in topology.sites().filter(|site| !lettered(site)) {
        canvas.circle(at(site), (r * 0.26).max(2.5), Some(RULE), None);
    }
    scene.halos(canvas, at, r);
    scene.grounds(canvas, at, None, r * 1.1);
    scene.stand(canvas, at, r);
}
