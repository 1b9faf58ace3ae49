//! A row of sites, each with cards of two players: those of the one below it, those of the other above.

use crate::draw::svg::canvas::{Anchor, Canvas, Font, Picture, ShapeOutline, ThingArea};
use crate::draw::svg::cards::{Strip, draw_place};
use crate::draw::svg::icons;
use crate::draw::svg::palette::{FRESH, FRESH_EDGE, MAT_EDGE, QUIET, TEXT};
use crate::draw::svg::scene::Scene;
use crate::draw::svg::token::{DiscMark, PieceLook, PieceShape};
use crate::layout::{CardSize, GameLook, Icon};
use houserule_model::board::{Shape, Site};
use houserule_model::{PLAYER, SlotId};

use super::owners;
use super::site_cards::{SiteCards, cards_on};

/// Width of a column, and the gap beside it.
const COLUMN: f64 = 72.0;
const GAP: f64 = 6.0;
/// Height of what lies between the cards of both.
const BAND: f64 = 46.0;
/// How much is seen of a card that another covers, at most.
const STEP: f64 = 26.0;
/// The least number of cards for which there is room.
const LEAST: usize = 3;
/// The most of them that lie without being moved together.
const MOST: usize = 5;
/// The most sites of such a row.
const MOST_SITES: u32 = 12;

const SIZE: CardSize = CardSize::Medium;

/// Returns the zone of two players with cards on each site of a track, if there is one.
pub(in crate::draw::svg) fn zone_of_both(scene: &Scene<'_>) -> Option<SlotId> {
    let topology = &scene.board.topology;
    let game = scene.state.game();
    if !matches!(topology.shape(), Shape::Track { wrap: false })
        || topology.size() > MOST_SITES
        || game.players() != 2
        || !scene.board.index.is_empty()
        || !scene.board.look.places.is_empty()
    {
        return None;
    }
    let index_of = |slot: SlotId| &game.model().slots[slot.index()].index;
    let is_of_both = |slot: &SlotId| index_of(*slot).starts_with(&[PLAYER, scene.board.domain]);
    scene.card_zones.iter().map(|(slot, _)| *slot).find(is_of_both)
}

/// Draws the row.
pub(in crate::draw::svg) fn draw(scene: &Scene<'_>, zone: SlotId, mut canvas: Canvas<'_>) -> Picture {
    let game = scene.state.game();
    let size = scene.board.topology.size() as usize;
    let room = GameLook::find(game).room(game, zone).cards.clamp(LEAST, MOST);
    let side = SIZE.size().1 + STEP * (room - 1) as f64 + 8.0;
    let (width, height) = (size as f64 * (COLUMN + GAP) - GAP, 2.0 * side + BAND);
    let left = |site: Site| site.index() as f64 * (COLUMN + GAP);
    let middle = |site: Site| (left(site) + COLUMN / 2.0, side + BAND / 2.0);
    canvas.part("last", |canvas| {
        for site in scene.fresh.sites() {
            let edge = ShapeOutline { ink: FRESH_EDGE, width: 1.25 };
            canvas.rect((left(site), 0.0), (COLUMN, height), 8.0, Some(FRESH), Some(edge));
        }
    });
    canvas.part("cells", |canvas| {
        for site in scene.sites().filter(|site| !scene.fresh.contains(site.0)) {
            let edge = ShapeOutline { ink: MAT_EDGE, width: 1.25 };
            canvas.rect((left(site), 0.0), (COLUMN, height), 8.0, None, Some(edge));
        }
    });
    let row = FormationRow { scene, zone, size, side };
    canvas.part("pieces", |canvas| {
        for site in scene.sites() {
            let all = cards_on(scene, site);
            row.draw_sides(canvas, site, left(site), &all);
            row.draw_middle(canvas, site, middle(site), &all);
        }
    });
    owners::draw_owners(scene, &mut canvas, &|site| (middle(site).0 + 6.0, middle(site).1 + 8.0), 20.0);
    scene.hints(&mut canvas, &|site| (middle(site).0, middle(site).1 + BAND / 2.0 - 7.0), 15.0);
    scene.hits(&mut canvas, &|site| ThingArea::rect((left(site), 0.0), (COLUMN, height)));
    canvas.done(width, height)
}

struct FormationRow<'r, 's> {
    scene: &'r Scene<'s>,
    zone: SlotId,
    /// The number of sites.
    size: usize,
    /// Height of the cards of one player.
    side: f64,
}

impl FormationRow<'_, '_> {
    /// Draws the cards of both players. Those nearest to the middle came first, as far as there is an order.
    fn draw_sides(&self, canvas: &mut Canvas<'_>, site: Site, left: f64, all: &[SiteCards]) {
        let (wide, high) = SIZE.size();
        let x = left + (COLUMN - wide) / 2.0;
        for seat in 0..2 {
            let is_below = seat == self.scene.bottom;
            let place = seat * self.size + site.index();
            let own = all.iter().find(|cards| cards.slot == self.zone && cards.place == place);
            let near = if is_below { self.side + BAND } else { self.side - high };
            let Some(own) = own else {
                draw_place(canvas, (x, near), SIZE, None);
                continue;
            };
            let count = own.cards.len();
            let step = match count {
                0 | 1 => 0.0,
                more => STEP.min((self.side - 8.0 - high) / (more - 1) as f64),
            };
            if is_below {
                for at in 0..count {
                    let strip = (at + 1 < count).then_some(Strip::Top(step));
                    own.draw_one(self.scene, canvas, at, (x, near + step * at as f64), SIZE, strip);
                }
            } else {
                for at in (0..count).rev() {
                    let strip = (at > 0).then_some(Strip::Top(step));
                    own.draw_one(self.scene, canvas, at, (x, near - step * at as f64), SIZE, strip);
                }
            }
        }
    }

    /// Draws the name of a site, what stands there, and other cards.
    fn draw_middle(&self, canvas: &mut Canvas<'_>, site: Site, centre: (f64, f64), all: &[SiteCards]) {
        let (x, y) = centre;
        let label = Font { size: 12.0, bold: true, ink: QUIET };
        let name = self.scene.board.topology.site_name(site);
        canvas.text((x - COLUMN / 2.0 + 6.0, y + 4.3), Anchor::Start, label, &name);
        // Sites that are called like a picture have it.
        let thing = Icon::named(&self.scene.board.name);
        match (self.scene.token(site), thing) {
            (Some(token), Some(thing)) => {
                let mark = match &token.shape {
                    PieceShape::Disc(mark) | PieceShape::Captured(mark) => *mark,
                    _ => DiscMark::None,
                };
                PieceLook { colours: token.colours, shape: PieceShape::Picture(thing, mark) }
                    .draw(canvas, centre, 17.0);
            }
            (Some(token), None) => token.draw(canvas, centre, 15.0),
            (None, Some(thing)) => icons::icon(canvas, thing, centre, 26.0, TEXT, None),
            (None, None) => {}
        }
        let others = all.iter().filter(|cards| cards.slot != self.zone);
        for (at, cards) in others.enumerate() {
            cards.draw(
                self.scene,
                canvas,
                (x + COLUMN / 2.0 - 15.0 - 12.0 * at as f64, y),
                CardSize::Tiny.size().1,
            );
        }
    }
}
