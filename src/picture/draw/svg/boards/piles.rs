//! What lies on the sites of a board: piles of discs and cards, and numbers beside them.

use super::site_cards::cards_on;
use crate::draw::svg::canvas::{Anchor, Canvas, Font, ShapeOutline, text_width};
use crate::draw::svg::icons;
use crate::draw::svg::palette::{self, CARD, Colours, Ink, PAPER, RULE, TEXT};
use crate::draw::svg::paper::points;
use crate::draw::svg::scene::{PaperPoint, Scene, side_of_square};
use crate::draw::svg::token::{PieceLook, PieceShape};
use crate::layout::Icon;
use houserule_game::drawing::{FACE_DOWN, PileElement, PileKind, SitePile};
use houserule_model::SlotId;
use houserule_model::board::{Shape, Site};

/// Maximum number of elements of a pile that are drawn.
const MOST_LAYERS: usize = 5;
/// Maximum number of piles on a site that are drawn.
const MOST_PILES: usize = 9;
/// Least size of the number of elements of a pile.
const LEAST_COUNT: f64 = 8.0;
/// Part of its radius by which an element lies above the one below it.
const STEP: f64 = 0.36;

/// Returns the places of zones that a drawing doesn't show in full.
pub(in crate::draw::svg) fn left_out(scene: &Scene<'_>) -> Vec<(SlotId, usize)> {
    let sites = scene.board.topology.sites().flat_map(|site| {
        let lying = scene.marked.lying(site);
        let piles = lying.iter().filter(|pile| pile.kind != PileKind::Number);
        let many = piles.clone().count() > MOST_PILES;
        // Of an ordered pile, its top and its number say enough.
        let is_ordered = |slot: SlotId| scene.state.game().model().order_in(slot).is_some();
        let is_card = |slot: SlotId| scene.card_zones.iter().any(|(zone, _)| *zone == slot);
        piles.filter(move |pile| {
            !is_card(pile.slot) && (many || !is_ordered(pile.slot) && !pile.says_all(MOST_LAYERS))
        })
    });
    sites.map(|pile| (pile.slot, pile.place)).collect()
}

/// Returns `true` if elements lie on a site.
pub(in crate::draw::svg) fn lie(scene: &Scene<'_>, site: Site) -> bool {
    scene.marked.lying(site).iter().any(|pile| pile.kind != PileKind::Number)
}

/// Draws the piles on a site and its piece, in rows.
pub(in crate::draw::svg) fn draw(
    scene: &Scene<'_>,
    canvas: &mut Canvas<'_>,
    site: Site,
    centre: PaperPoint,
    r: f64,
) {
    let (x, y) = centre;
    let piles = scene.marked.lying(site).iter().filter(|pile| pile.kind != PileKind::Number);
    let is_card = |pile: &SitePile| scene.card_zones.iter().any(|(slot, _)| *slot == pile.slot);
    let piles: Vec<&SitePile> = piles.filter(|pile| !is_card(pile)).take(MOST_PILES).collect();
    let cards = cards_on(scene, site);
    let token = scene.token(site);
    // A crown lies on the pile.
    if let (Some(PieceLook { colours, shape: PieceShape::Picture(Icon::Crown, _) }), [pile], true) =
        (token, &piles[..], cards.is_empty())
    {
        draw_pile(scene, canvas, pile, centre, r);
        let above = (pile.elements.len().min(MOST_LAYERS) as f64 - 1.0) * STEP;
        let size = r / (1.0 + above / 2.0);
        return icons::icon(
            canvas,
            Icon::Crown,
            (x, y - size * above / 2.0),
            size * 0.95,
            colours.mark,
            None,
        );
    }
    let first = usize::from(token.is_some());
    let count = piles.len() + cards.len() + first;
    let across = side_of_square(count);
    let down = count.div_ceil(across).max(1);
    let small = if across == 1 { r } else { r * 1.1 / across as f64 };
    let place = |at: usize| {
        let (column, row) = (at % across, at / across);
        // The last row is in the middle.
        let in_row = if row + 1 == down { count - row * across } else { across };
        let aside = column as f64 - (in_row as f64 - 1.0) / 2.0;
        let below = row as f64 - (down as f64 - 1.0) / 2.0;
        (x + aside * 2.0 * small, y + below * 2.0 * small)
    };
    if let Some(token) = token {
        token.draw(canvas, place(0), small);
    }
    for (at, pile) in (first..).zip(piles) {
        draw_pile(scene, canvas, pile, place(at), small);
    }
    for (at, cards) in cards.iter().enumerate() {
        cards.draw(scene, canvas, place(count - 1 - at), small * 2.36);
    }
}

/// Draws the elements on top of a pile, each above the one below it, and their number if there are more.
fn draw_pile(scene: &Scene<'_>, canvas: &mut Canvas<'_>, pile: &SitePile, centre: PaperPoint, r: f64) {
    let (x, y) = centre;
    let shown = &pile.elements[pile.elements.len().saturating_sub(MOST_LAYERS)..];
    let above = (shown.len() as f64 - 1.0) * STEP;
    // The whole pile is as high as a single disc.
    let size = r / (1.0 + above / 2.0);
    for (at, element) in shown.iter().enumerate() {
        let look = element_look(scene, element, at + 1 == shown.len());
        look.draw(canvas, (x, y + size * (above / 2.0 - at as f64 * STEP)), size);
    }
    if pile.height > shown.len() as i64 {
        let (count, centre) = (pile.height.to_string(), (x + r * 0.62, y + r * 0.6));
        let font = Font { size: (r * 0.62).max(LEAST_COUNT.min(r)), bold: true, ink: TEXT };
        let high = font.size * 1.3;
        let width = (text_width(&count, font) + font.size * 0.5).max(high);
        let edge = ShapeOutline { ink: RULE, width: (r * 0.05).max(0.5) };
        let corner = (centre.0 - width / 2.0, centre.1 - high / 2.0);
        canvas.rect(corner, (width, high), high / 2.0, Some(PAPER), Some(edge));
        canvas.text((centre.0, centre.1 + font.size * 0.36), Anchor::Middle, font, &count);
    }
}

/// Returns the look of an element: a disc of its owner, or a card. Only the one on top has its letter.
fn element_look(scene: &Scene<'_>, element: &PileElement, on_top: bool) -> PieceLook {
    let colours = colours(scene, element);
    let face = match element.initial {
        _ if element.hidden => FACE_DOWN.to_string(),
        // Black and white need no letter.
        Some(initial) if element.label.is_empty() && !colours.are_plain() => initial.to_string(),
        _ => element.label.clone(),
    };
    let face = if on_top { face } else { String::new() };
    let shape = if element.owner.is_some() { PieceShape::Letter(face) } else { PieceShape::Card(face) };
    PieceLook { colours, shape }
}

fn colours(scene: &Scene<'_>, element: &PileElement) -> Colours {
    match (element.owner, element.colour) {
        // The edge tells whose it is.
        (Some(seat), Some(colour)) => {
            Colours { edge: palette::seat(seat, &scene.seats).stroke(), ..palette::card_colours(colour) }
        }
        (Some(seat), None) => palette::seat(seat, &scene.seats),
        (None, Some(colour)) => palette::card_colours(colour),
        (None, None) if element.hidden => palette::BACK,
        (None, None) => CARD,
    }
}

/// Draws the numbers of a site in the colours of their players: in the middle, or small in the lower right corner if
/// anything else is there.
pub(in crate::draw::svg) fn draw_numbers(
    scene: &Scene<'_>,
    canvas: &mut Canvas<'_>,
    site: Site,
    centre: PaperPoint,
    r: f64,
) {
    let (x, y) = centre;
    let numbers = scene.marked.lying(site).iter().filter(|pile| pile.kind == PileKind::Number);
    let texts = numbers.map(|pile| {
        let element = pile.top();
        let coloured = element.owner.is_some() || element.colour.is_some();
        let ink = if coloured { colours(scene, element).stroke() } else { TEXT };
        (format!("{}{}", element.label, pile.height), ink)
    });
    // The number in the middle makes room for piles.
    let own = scene.marked.number(site);
    let moved = own.filter(|_| lie(scene, site)).map(|number| (number.to_string(), TEXT));
    let texts: Vec<(String, Ink)> = moved.into_iter().chain(texts).collect();
    if texts.is_empty() {
        return;
    }
    let in_corner = lie(scene, site) || scene.token(site).is_some() || own.is_some() || scene.is_hidden(site);
    let font = |size: f64, ink: Ink| Font { size, bold: true, ink };
    // In units of the size, with a gap after each.
    let wide: f64 =
        texts.iter().map(|(text, _)| text_width(text, font(1.0, TEXT)) + 0.25).sum::<f64>() - 0.25;
    let (most, room) = if in_corner { (r * 0.56, r * 2.2) } else { (r * 0.9, r * 1.9) };
    let size = most.min(room / wide);
    let (mut left, base) = match in_corner {
        true => (x + r * 1.16 - wide * size, y + r * 1.14),
        false => (x - wide * size / 2.0, y + size * 0.36),
    };
    if !in_corner && (*scene.board.topology.shape() == Shape::Graph || points::are_meant(scene)) {
        // Lines would cross the numbers.
        let (width, high) = ((wide + 0.6) * size, size * 1.3);
        let edge = ShapeOutline { ink: RULE, width: (r * 0.05).max(0.5) };
        canvas.rect((x - width / 2.0, y - high / 2.0), (width, high), high / 2.0, Some(PAPER), Some(edge));
    }
    for (text, ink) in &texts {
        canvas.text((left, base), Anchor::Start, font(size, *ink), text);
        left += (text_width(text, font(1.0, TEXT)) + 0.25) * size;
    }
}
