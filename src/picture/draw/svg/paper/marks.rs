//! Pieces in ink and pencil: dots, crosses, rings, and numbers written by hand.

use super::hand::Hand;
use super::write_number;
use crate::draw::margin::Margin;
use crate::draw::svg::boards::piles;
use crate::draw::svg::canvas::{Anchor, Canvas, ShapeOutline, text_width};
use crate::draw::svg::land;
use crate::draw::svg::palette::{Ink, PENCIL, QUIET, RULE, SHADE, SHEET, TEXT};
use crate::draw::svg::path::PathStep;
use crate::draw::svg::scene::{GridPositions, LEAST_SIZE, PaperPoint, Scene, font};
use crate::draw::svg::token::{DiscMark, PieceLook, PieceShape};
use houserule_base::names::plain;
use houserule_game::drawing::FACE_DOWN;
use houserule_model::Value;
use houserule_model::board::Site;

/// The radius of a dot, in units of the maximum radius of a piece, and in pixels at least.
const DOT: (f64, f64) = (0.42, 4.2);
/// The radius of a cross, in units of the maximum radius of a piece.
const CROSS: f64 = 0.62;
/// From this radius on, the outline of a dot is drawn.
const LARGE: f64 = 7.0;

/// Strokes of one ink and width, drawn as one element.
struct Strokes {
    ink: Ink,
    width: f64,
    steps: Vec<PathStep>,
}

/// What is drawn, by ink.
#[derive(Default)]
struct Strokework {
    /// The outlines of large dots.
    dots: Vec<(Ink, Vec<PathStep>)>,
    /// From the lowest to the topmost.
    layers: [Vec<Strokes>; 3],
}

impl Strokework {
    fn add(&mut self, layer: usize, ink: Ink, width: f64, steps: impl IntoIterator<Item = PathStep>) {
        let all = &mut self.layers[layer];
        match all.iter_mut().find(|strokes| strokes.ink == ink && strokes.width == width) {
            Some(strokes) => strokes.steps.extend(steps),
            None => all.push(Strokes { ink, width, steps: steps.into_iter().collect() }),
        }
    }

    /// Adds a dot.
    fn dot(&mut self, hand: &mut Hand, ink: Ink, centre: PaperPoint, r: f64) {
        if r < LARGE {
            self.add(0, ink, 2.0 * r, hand.speck(centre, r));
            return;
        }
        let outline = hand.dot(centre, r);
        match self.dots.iter_mut().find(|(known, _)| *known == ink) {
            Some((_, steps)) => steps.extend(outline),
            None => self.dots.push((ink, outline)),
        }
    }

    fn draw(self, canvas: &mut Canvas<'_>) {
        for (ink, steps) in self.dots {
            canvas.path(&steps, Some(ink), None);
        }
        for strokes in self.layers.into_iter().flatten() {
            canvas.pen(&strokes.steps, ShapeOutline { ink: strokes.ink, width: strokes.width });
        }
    }
}

/// Returns the radius of a dot.
fn dot_radius(r: f64) -> f64 {
    (r * DOT.0).max(DOT.1.min(r * 0.85))
}

/// Returns the radius of the ring around a site that the last move changed.
pub(super) fn ring_around(scene: &Scene<'_>, site: Site, r: f64) -> f64 {
    match scene.token(site).map(|token| &token.shape) {
        Some(PieceShape::Dot | PieceShape::Disc(_) | PieceShape::Captured(_)) => dot_radius(r) * 1.8,
        Some(PieceShape::Ringed) => dot_radius(r) * 2.1,
        _ => r,
    }
}

/// Draws the contents of the sites: lines that count, pieces, numbers, winning lines, and legal actions. `r` is the maximum
/// radius of a piece.
pub(super) fn draw(scene: &Scene<'_>, canvas: &mut Canvas<'_>, at: &dyn Fn(Site) -> PaperPoint, r: f64) {
    canvas.part("lines", |canvas| canvas.pale(0.55, |canvas| draw_lines(scene, canvas, at, r, false)));
    scene.arrow(canvas, at, r);
    let mut work = Strokework::default();
    let mut others = vec![];
    for site in scene.sites() {
        let (seed, centre) = ([scene.instance.number as u64, site.0.into()], at(site));
        match scene.token(site).filter(|_| !piles::lie(scene, site)) {
            Some(_) if scene.is_covered(site) => {}
            Some(token) if add_piece(&mut work, token, &mut Hand::new(&seed), centre, r) => {}
            _ => others.push(site),
        }
    }
    canvas.part("pieces", |canvas| {
        work.draw(canvas);
        for site in others {
            draw_other(scene, canvas, site, at(site), r);
        }
    });
    land::counters(scene, canvas, at, r * 1.5);
    canvas.part("won", |canvas| canvas.pale(0.8, |canvas| draw_lines(scene, canvas, at, r, true)));
    scene.hints(canvas, at, r);
}

/// Draws the lines that count, or those that have won.
fn draw_lines(
    scene: &Scene<'_>,
    canvas: &mut Canvas<'_>,
    at: &dyn Fn(Site) -> PaperPoint,
    r: f64,
    won: bool,
) {
    for stroke in scene.strokes.iter().filter(|stroke| stroke.won == won) {
        let is_alone = scene.seats.len() == 1 && !won;
        let steps: Vec<PathStep> = stroke
            .runs
            .iter()
            .flat_map(|run| {
                let through: Vec<PaperPoint> = [run.first(), run.get(run.len() / 2), run.last()]
                    .into_iter()
                    .flatten()
                    .map(|site| at(*site))
                    .collect();
                let seed: Vec<u64> = run.iter().map(|site| u64::from(site.0)).collect();
                Hand::new(&seed).stroke(&through, r * 0.08)
            })
            .collect();
        let ink = if is_alone { PENCIL } else { stroke.ink };
        canvas.pen(&steps, ShapeOutline { ink, width: (r * 0.1).clamp(1.2, 2.6) });
    }
}

/// Adds a piece to what is drawn. Returns `false` if it isn't one of ink or pencil.
fn add_piece(work: &mut Strokework, token: &PieceLook, hand: &mut Hand, centre: PaperPoint, r: f64) -> bool {
    let (x, y) = centre;
    let ink = token.colours.body;
    let width = (r * 0.15).clamp(1.3, 2.8);
    let dot = dot_radius(r);
    match &token.shape {
        PieceShape::Cross => work.add(1, ink, width, hand.cross(centre, r * CROSS)),
        PieceShape::Struck => {
            work.add(1, ink, width, hand.cross(centre, r * CROSS));
            // Joins the lines of neighbouring sites.
            work.add(2, ink, width, hand.stroke(&[(x - r * 1.25, y), (x + r * 1.25, y)], r * 0.08));
        }
        PieceShape::Nought => work.add(1, ink, width, hand.ring(centre, r * CROSS)),
        PieceShape::Dot => work.dot(hand, ink, centre, dot),
        PieceShape::Ringed => {
            work.dot(hand, ink, centre, dot);
            work.add(1, ink, width, hand.ring(centre, dot * 1.8));
        }
        PieceShape::Disc(DiscMark::None) => work.dot(hand, ink, centre, dot),
        PieceShape::Disc(DiscMark::Ring) => {
            work.dot(hand, ink, centre, dot);
            work.add(1, SHEET, dot * 0.72, hand.speck(centre, 0.0));
        }
        PieceShape::Captured(mark @ (DiscMark::None | DiscMark::Ring)) => {
            let disc = PieceLook { colours: token.colours, shape: PieceShape::Disc(*mark) };
            add_piece(work, &disc, hand, centre, r);
            let d = dot * 1.25;
            work.add(
                2,
                TEXT,
                (dot * 0.34).max(1.3),
                hand.stroke(&[(x - d, y + d), (x + d, y - d)], dot * 0.1),
            );
        }
        _ => return false,
    }
    true
}

/// Draws what isn't drawn in ink or pencil: other pieces, piles, numbers, what lies face down.
fn draw_other(scene: &Scene<'_>, canvas: &mut Canvas<'_>, site: Site, centre: PaperPoint, r: f64) {
    let (x, y) = centre;
    if piles::lie(scene, site) {
        piles::draw(scene, canvas, site, centre, r);
    } else if let Some(token) = scene.token(site) {
        token.draw(canvas, centre, r * 0.9);
    } else if let Some(number) = scene.marked.number(site) {
        let size = (r * 0.9).min(r * 4.2 / number.to_string().len() as f64);
        write_number(canvas, (x, y + size / 2.0), Anchor::Middle, size, &number.to_string());
    } else if scene.is_hidden(site) {
        let size = r * 0.9;
        canvas.text((x, y + size * 0.36), Anchor::Middle, font(size, QUIET), &FACE_DOWN.to_string());
    }
    piles::draw_numbers(scene, canvas, site, centre, r);
}

/// Draws the margin at the ends of the rows: printed discs, with a ring for each value but the first. Returns its width.
pub(super) fn draw_margin(scene: &Scene<'_>, canvas: &mut Canvas<'_>, grid: &GridPositions) -> f64 {
    let game = scene.state.game();
    let step = grid.pitch * 0.96;
    // A name has to fit.
    let r = (grid.pitch * 0.34).max((grid.pitch * 0.46).min(LEAST_SIZE));
    let margins = Margin::all(game, scene.instance.board);
    canvas.part("margin", |canvas| {
        for (column, margin) in margins.iter().enumerate() {
            let x = grid.width() + (column as f64 + 0.55) * step;
            let slot = &game.model().slots[margin.slot.index()];
            let name = plain(&slot.name);
            let size = r.min(r * 2.0 / text_width(&name, font(1.0, QUIET)).max(0.1));
            for (at, row) in grid.shown_rows(scene) {
                let (_, y) = grid.middle(0.0, at.into());
                let centre = (x, y);
                let value = margin.value(scene.state, &scene.instance, row.number);
                canvas.circle(centre, r, Some(SHADE), Some(ShapeOutline { ink: RULE, width: 1.0 }));
                let is_first = margin.is_first(game, &value);
                if let Value::Number(number) = value {
                    if !is_first {
                        write_number(canvas, (x, y + r * 0.45), Anchor::Middle, r * 0.9, &number.to_string());
                    }
                    continue;
                }
                let least = if canvas.prints() { 6.0 } else { LEAST_SIZE };
                if size >= least - 0.01 {
                    canvas.text((x, y + size * 0.36), Anchor::Middle, font(size, QUIET), &name);
                }
                if is_first {
                    continue;
                }
                let seed = [scene.instance.number as u64, margin.slot.0.into(), at.into()];
                let mut hand = Hand::new(&seed);
                let mut steps = hand.ring(centre, r * 1.08);
                // Of several values, the later ones are crossed.
                if margin.place(&margin.sign(game, &value)) > 0 {
                    steps.extend(hand.cross(centre, r * 0.7));
                }
                canvas.pen(&steps, ShapeOutline { ink: PENCIL, width: (r * 0.16).clamp(1.2, 2.4) });
            }
        }
    });
    step * margins.len() as f64 + if margins.is_empty() { 0.0 } else { r * 0.4 }
}
