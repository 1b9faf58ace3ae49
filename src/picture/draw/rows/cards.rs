//! Cards in rows: their short names in their colours, with marks; hands by signs.

use super::line::RowPiece;
use crate::layout::{CardForm, CardView, Icon, ZoneRole, ZoneView};
use crate::paint::{Paint, TextStyle};
use houserule_model::Colour;

/// What stands after a card that the last move put there, and after one that may be chosen.
const FRESH: &str = "*";
const CAN: &str = "+";

/// What stands for a card that lies face down in a column.
pub(super) const BACK: &str = "▒";

/// What stands for an empty place.
pub(super) const EMPTY: &str = "·";

/// Writes cards, and notes which marks have to be explained.
pub(super) struct CardWriter {
    pub(super) paint: Paint,
    has_fresh: bool,
    has_choice: bool,
    has_backs: bool,
}

impl CardWriter {
    pub(super) fn new(paint: Paint) -> CardWriter {
        CardWriter { paint, has_fresh: false, has_choice: false, has_backs: false }
    }

    /// Returns the explanation of the marks that were used.
    pub(super) fn legend(&self) -> Vec<RowPiece> {
        let marks = [
            (self.has_fresh, format!("{FRESH} last move")),
            (self.has_choice, format!("{CAN} may be chosen")),
            (self.has_backs, format!("{BACK} face down")),
        ];
        let used = marks.into_iter().filter(|(is_used, _)| *is_used);
        used.map(|(_, text)| RowPiece::after(3, TextStyle::quiet(), text)).collect()
    }

    /// Returns a card after some blanks, under a name, which may leave out its sign.
    fn named_card(&mut self, view: &ZoneView, card: &CardView, gap: usize, name: &str) -> RowPiece {
        let mut style = style(card);
        let mut text = name.to_owned();
        if card.copies > 1 {
            text.push_str(&format!("\u{a0}×{}", card.copies));
        }
        // In colours, cards are marked like sites.
        if card.is_fresh && self.paint.is_on() {
            style = style.changed();
        } else if card.is_fresh {
            self.has_fresh = true;
            text.push_str(FRESH);
        }
        if card.can_be_chosen && view.cards.iter().any(|other| !other.can_be_chosen) {
            self.has_choice = true;
            text.push_str(CAN);
        }
        RowPiece::after(gap, style, text)
    }

    /// Returns a card after some blanks.
    pub(super) fn card(&mut self, view: &ZoneView, card: &CardView, gap: usize) -> RowPiece {
        self.named_card(view, card, gap, &card.short)
    }

    /// Returns some of the cards of a zone, after some blanks, in their order.
    pub(super) fn cards(&mut self, view: &ZoneView, which: &[usize], first: usize) -> Vec<RowPiece> {
        let gap = gap_between(view);
        let cards = which.iter().filter_map(|card| view.cards.get(*card));
        cards.enumerate().map(|(at, card)| self.card(view, card, if at == 0 { first } else { gap })).collect()
    }

    /// Returns backs in a column.
    pub(super) fn backs(&mut self, count: usize, gap: usize) -> RowPiece {
        self.has_backs = true;
        RowPiece::after(gap, TextStyle::quiet(), BACK.repeat(count))
    }

    /// Returns all cards of a zone that lie in no order: by signs, each sign once, then how many lie face down.
    pub(super) fn by_signs(&mut self, view: &ZoneView, first: usize) -> Vec<RowPiece> {
        let mut pieces = vec![];
        let mut rest = view.cards.as_slice();
        let plain_gap = gap_between(view);
        while let Some(leader) = rest.first() {
            let key = sign(leader);
            let same = rest[1..].iter().take_while(|card| key.is_some() && sign(card) == key).count();
            let (group, later) = rest.split_at(1 + same);
            let prefix = prefix(group);
            for (at, card) in group.iter().enumerate() {
                let name = match &prefix {
                    Some(prefix) if at > 0 => card.short[prefix.len()..].trim_start(),
                    _ => card.short.as_str(),
                };
                let gap = match (pieces.is_empty(), at, &prefix) {
                    (true, ..) => first,
                    (_, 0, _) if key.is_some() => 2,
                    (_, 0, _) => plain_gap,
                    (_, _, Some(_)) => 1,
                    (_, _, None) => plain_gap,
                };
                pieces.push(self.named_card(view, card, gap, name));
            }
            rest = later;
        }
        let hidden = match (view.hidden, pieces.is_empty()) {
            (0, _) => return pieces,
            (hidden, true) => format!("{hidden}\u{a0}face\u{a0}down"),
            (hidden, false) => format!("and\u{a0}{hidden}\u{a0}face\u{a0}down"),
        };
        let gap = if pieces.is_empty() { first } else { 1 };
        pieces.push(RowPiece::after(gap, TextStyle::plain(), hidden));
        pieces
    }

    /// Returns what lies in a zone, after some blanks: in its order, or by signs.
    pub(super) fn contents(&mut self, view: &ZoneView, first: usize) -> Vec<RowPiece> {
        let is_ordered = matches!(view.role, ZoneRole::Pile | ZoneRole::Piles | ZoneRole::Columns);
        match is_ordered && view.hidden == 0 {
            true => self.cards(view, &(0..view.cards.len()).collect::<Vec<_>>(), first),
            false => self.by_signs(view, first),
        }
    }
}

/// Returns the blanks between names: names of several words stand further apart.
pub(super) fn gap_between(view: &ZoneView) -> usize {
    let is_long = |card: &CardView| card.short.contains(' ') || card.copies > 1;
    if view.cards.iter().any(is_long) { 2 } else { 1 }
}

/// The sign by which cards are grouped.
fn sign(card: &CardView) -> Option<(Icon, Option<Colour>)> {
    let has_signs = matches!(card.face.form, CardForm::French { .. } | CardForm::Coloured);
    card.face.sign.filter(|_| has_signs && card.copies == 1).map(|sign| (sign, card.face.colour))
}

/// Returns what the names of some cards begin with and need not repeat: a suit, or the colour of coloured cards.
fn prefix(group: &[CardView]) -> Option<String> {
    let of = |card: &CardView| match card.face.form {
        CardForm::French { .. } => {
            let first = card.short.chars().next()?;
            Icon::in_character(first).map(|_| first.to_string())
        }
        CardForm::Coloured => card.short.rsplit_once(' ').map(|(colour, _)| colour.to_owned()),
        CardForm::Plain | CardForm::Domino | CardForm::Tile => None,
    };
    let first = group.first().and_then(of)?;
    group.iter().all(|card| of(card).as_ref() == Some(&first)).then_some(first)
}

/// Returns the colour of a card's name. Black is the colour of all other words.
fn style(card: &CardView) -> TextStyle {
    match card.face.colour {
        None | Some(Colour::Black) => TextStyle::plain(),
        Some(colour) => TextStyle::coloured(colour),
    }
}
