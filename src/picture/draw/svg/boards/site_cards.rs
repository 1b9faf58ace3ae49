//! Cards that lie on the sites of a board: each a small card, or the top of a pile.

use std::collections::BTreeSet;

use crate::draw::svg::canvas::Canvas;
use crate::draw::svg::cards::{CardMarks, Strip, draw_back, draw_blank, draw_card, draw_count};
use crate::draw::svg::scene::{PaperPoint, Scene};
use crate::layout::{CardForm, CardSize, GameLook, card_face};
use houserule_game::Game;
use houserule_game::drawing::{PileKind, drawn_on_sites, lying_elements};
use houserule_model::board::Site;
use houserule_model::{BoardId, Content, DomainId, DomainKind, Model, Role, SlotId};

/// The most cards of a zone that are drawn one by one on a site.
const MOST_CARDS: usize = 12;

/// The most elements of a domain that are looked at.
const LOOKED_AT: u32 = 200;

/// Cards of one zone on one site.
pub(in crate::draw::svg) struct SiteCards {
    /// The zone.
    pub(in crate::draw::svg) slot: SlotId,
    /// The place in its family.
    pub(in crate::draw::svg) place: usize,
    domain: DomainId,
    /// The cards from the bottom to the top; `None` for one that lies face down.
    pub(in crate::draw::svg) cards: Vec<Option<u32>>,
    /// Only the one on top is seen.
    is_pile: bool,
}

/// Returns the domain of the cards of a zone, if its elements are cards: they have a sign and a number, as in a pack.
fn domain_of_cards(model: &Model, zone: SlotId) -> Option<DomainId> {
    let slot = &model.slots[zone.index()];
    let domain = match (slot.role, slot.content) {
        (Role::Zone, Content::Set(domain)) => domain,
        (Role::Copies, _) => *slot.index.last()?,
        _ => return None,
    };
    if !matches!(model.domains[domain.index()].kind, DomainKind::Record { .. }) {
        return None;
    }
    let size = model.domains[domain.index()].size.min(LOOKED_AT);
    let is_card = |element: u32| {
        matches!(card_face(model, domain, element).form, CardForm::French { .. } | CardForm::Coloured)
    };
    (0..size).any(is_card).then_some(domain)
}

/// Returns the zones whose cards lie on the sites of a board.
pub(in crate::draw::svg) fn card_zones(game: &Game, board: BoardId) -> &[(SlotId, DomainId)] {
    GameLook::find(game).site_cards(board, || {
        let model = game.model();
        let all = drawn_on_sites(model, board).into_iter();
        all.filter_map(|slot| Some((slot, domain_of_cards(model, slot)?))).collect()
    })
}

/// Returns the cards on a site, those of each zone together.
pub(in crate::draw::svg) fn cards_on(scene: &Scene<'_>, site: Site) -> Vec<SiteCards> {
    let model = scene.state.game().model();
    let mut known = BTreeSet::new();
    let lying = scene.marked.lying(site).iter().filter(|pile| pile.kind != PileKind::Number);
    let zones = lying.filter(|pile| known.insert((pile.slot, pile.place)));
    let all = zones.filter_map(|pile| {
        let domain = scene.card_zones.iter().find(|(slot, _)| *slot == pile.slot)?.1;
        let cards = lying_elements(scene.state, pile.slot, pile.place, scene.sight);
        let is_pile = pile.kind == PileKind::Ordered || cards.len() > MOST_CARDS;
        Some(SiteCards { slot: pile.slot, place: pile.place, domain, cards, is_pile })
    });
    let mut all: Vec<SiteCards> = all.collect();
    // Which of them lie face down says nothing.
    let in_order = |zone: &SiteCards| model.order_in(zone.slot).is_some();
    all.iter_mut().filter(|zone| !in_order(zone)).for_each(|zone| zone.cards.sort_by_key(Option::is_none));
    all
}

/// Returns the largest size of a card that fits into a height.
fn size_within(height: f64) -> CardSize {
    let sizes = [CardSize::Large, CardSize::Medium, CardSize::Small];
    sizes.into_iter().find(|size| size.size().1 <= height).unwrap_or(CardSize::Tiny)
}

impl SiteCards {
    /// Draws the cards around a point, in a square with a side of `room`.
    pub(in crate::draw::svg) fn draw(
        &self,
        scene: &Scene<'_>,
        canvas: &mut Canvas<'_>,
        centre: PaperPoint,
        room: f64,
    ) {
        let size = size_within(room);
        let ((x, y), (width, height)) = (centre, size.size());
        let top = y - height / 2.0;
        if self.is_pile {
            let below = self.cards.len().saturating_sub(1).min(3);
            for at in 0..below {
                let away = 1.6 * (below - at) as f64;
                draw_blank(canvas, (x - width / 2.0 + away, top + away), size);
            }
            let corner = (x - width / 2.0, top);
            self.draw_one(scene, canvas, self.cards.len() - 1, corner, size, None);
            if self.cards.len() > 1 {
                draw_count(canvas, (x, top + height), &self.cards.len().to_string());
            }
            return;
        }
        let many = self.cards.len().saturating_sub(1) as f64;
        let step = if many > 0.0 { ((room - width) / many).clamp(4.0, width) } else { 0.0 };
        let left = x - (width + many * step) / 2.0;
        for at in 0..self.cards.len() {
            let strip = if at + 1 < self.cards.len() { Some(Strip::Left(step)) } else { None };
            self.draw_one(scene, canvas, at, (left + at as f64 * step, top), size, strip);
        }
    }

    /// Draws one of the cards.
    pub(in crate::draw::svg) fn draw_one(
        &self,
        scene: &Scene<'_>,
        canvas: &mut Canvas<'_>,
        at: usize,
        corner: PaperPoint,
        size: CardSize,
        strip: Option<Strip>,
    ) {
        match self.cards.get(at).copied().flatten() {
            Some(element) => {
                let face = card_face(scene.state.game().model(), self.domain, element);
                draw_card(canvas, corner, size, &face, CardMarks { strip, ..CardMarks::default() });
            }
            None => draw_back(canvas, corner, size),
        }
    }
}
