//! Cards, tiles and counters of a game: which there are, how often, how large, and what each shows.

mod counters;
mod files;
mod imposition;

use std::fmt;

use super::{MM, PrintError};
use houserule_base::names::plain;
use houserule_game::Game;
use houserule_language::syntax::{DeclKind, ElementKind};
use houserule_model::{Content, DomainId, DomainKind, Role, Value};
use houserule_picture::draw::svg::canvas::Canvas;
use houserule_picture::draw::svg::printed::{
    CardCut, CardParagraph, PrintedFace, draw_printed_back, draw_printed_face,
};
use houserule_picture::layout::{CardForm, CardTextPart, card_face, read_card_text, read_field_line};

pub use files::{CardFile, DeckFileForm, card_files};
pub(super) use imposition::add_pages;

/// Maximum number of pieces of one deck. More are rather counted with something else.
pub(super) const MOST: usize = 1000;

/// Least and greatest side of a card, in millimetres.
const SIDES: (f64, f64) = (15.0, 200.0);

/// Greatest bleed, in millimetres.
pub const MOST_BLEED: f64 = 10.0;

/// Width and height of a card, in millimetres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CardMeasure {
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
}

impl CardMeasure {
    /// The sizes that have names.
    pub const NAMES: [(&'static str, CardMeasure); 4] = [
        ("poker", CardMeasure { width: 63.0, height: 88.0 }),
        ("bridge", CardMeasure { width: 57.0, height: 89.0 }),
        ("mini", CardMeasure { width: 44.0, height: 63.0 }),
        ("tarot", CardMeasure { width: 70.0, height: 120.0 }),
    ];

    /// Reads a name, or `WIDTHxHEIGHT` in millimetres. Returns a message about anything else.
    pub fn parse(text: &str) -> Result<CardMeasure, String> {
        if let Some((_, measure)) = CardMeasure::NAMES.iter().find(|(name, _)| *name == text) {
            return Ok(*measure);
        }
        let names: Vec<&str> = CardMeasure::NAMES.iter().map(|(name, _)| *name).collect();
        let wrong = || {
            format!(
                "`{text}` is no size of cards: write {} or WIDTHxHEIGHT in millimetres, such as 70x70",
                names.join(", ")
            )
        };
        let (width, height) = text.split_once(['x', 'X', '×']).ok_or_else(wrong)?;
        let side = |side: &str| side.trim().parse::<f64>().ok().filter(|side| side.is_finite());
        let (width, height) = side(width).zip(side(height)).ok_or_else(wrong)?;
        let (least, most) = SIDES;
        if ![width, height].iter().all(|side| (least..=most).contains(side)) {
            return Err(format!("`{text}` is no size of cards: each side is {least} to {most} mm long"));
        }
        Ok(CardMeasure { width, height })
    }
}

impl Default for CardMeasure {
    fn default() -> Self {
        CardMeasure::NAMES[0].1
    }
}

impl fmt::Display for CardMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match CardMeasure::NAMES.iter().find(|(_, measure)| measure == self) {
            Some((name, _)) => f.write_str(name),
            None => write!(f, "{}x{}", self.width, self.height),
        }
    }
}

/// How the backs of cards are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CardBacks {
    /// Not at all.
    #[default]
    None,
    /// On the other side of the paper, which the printer turns over along its long edge.
    LongEdge,
    /// On the other side of the paper, which the printer turns over along its short edge.
    ShortEdge,
    /// Beside the faces: the page is folded between them and glued.
    Fold,
}

impl CardBacks {
    /// Returns `true` if backs are printed on the other side of the paper.
    fn is_duplex(self) -> bool {
        matches!(self, CardBacks::LongEdge | CardBacks::ShortEdge)
    }
}

/// How cards are laid out in a PDF.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CardLayout {
    /// Several on a page of the paper.
    #[default]
    Sheets,
    /// One on a page of its size, as print shops take them.
    Pages,
}

/// How the cards of a game are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CardOptions {
    /// The size of a card.
    pub measure: CardMeasure,
    /// The backs.
    pub backs: CardBacks,
    /// How far the ground of a card goes on beyond the cut, in millimetres, up to [`MOST_BLEED`].
    pub bleed: f64,
    /// Several on a page, or one.
    pub layout: CardLayout,
    /// Whether they are printed in colours.
    pub colours: bool,
}

/// What is cut out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CutForm {
    /// Two numbers side by side.
    Tile,
    Card,
    Counter,
}

/// The cards of a deck that are alike.
#[derive(Clone, Debug)]
pub(super) struct DeckCard {
    pub(super) element: u32,
    /// Its name in the rules.
    pub(super) name: String,
    pub(super) face: PrintedFace,
    /// What it says, as written.
    pub(super) text: String,
    pub(super) count: usize,
}

/// All elements of a domain, as often as there are.
#[derive(Clone, Debug)]
pub(super) struct Deck {
    pub(super) name: String,
    pub(super) form: CutForm,
    pub(super) domain: DomainId,
    pub(super) cards: Vec<DeckCard>,
    /// Its place among the decks, by which its back differs from others.
    pub(super) place: usize,
}

impl Deck {
    /// Returns its pieces, each as often as there are copies of it.
    fn each(&self) -> impl Iterator<Item = &DeckCard> {
        self.cards.iter().flat_map(|card| std::iter::repeat_n(card, card.count))
    }

    /// Returns the number of its pieces.
    pub(super) fn pieces(&self) -> usize {
        self.cards.iter().map(|card| card.count).sum()
    }

    /// Returns the size of a piece after it is cut.
    fn cut(&self, options: &CardOptions) -> CardCut {
        let (width, height) = match self.form {
            CutForm::Tile => (46.0, 23.0),
            CutForm::Card => (options.measure.width, options.measure.height),
            CutForm::Counter => (18.0, 18.0),
        };
        CardCut { width: width * MM, height: height * MM, bleed: options.bleed * MM }
    }

    fn draw_face(
        &self,
        game: &Game,
        canvas: &mut Canvas<'_>,
        corner: (f64, f64),
        cut: CardCut,
        card: &DeckCard,
    ) {
        match self.form {
            CutForm::Counter => {
                counters::draw_counter(game, canvas, (self.domain, card.element), corner, cut)
            }
            _ => draw_printed_face(canvas, corner, cut, &card.face),
        }
    }

    fn draw_back(&self, canvas: &mut Canvas<'_>, corner: (f64, f64), cut: CardCut) {
        draw_printed_back(canvas, corner, cut, self.place);
    }

    /// Returns `true` if its pieces have backs.
    fn has_backs(&self) -> bool {
        self.form != CutForm::Counter
    }

    /// Keeps the cards that another deck doesn't have, or has fewer of.
    fn without(mut self, older: &Deck) -> Deck {
        if self.form != older.form {
            return self;
        }
        let mut known: Vec<(PrintedFace, usize)> =
            older.cards.iter().map(|card| (card.face.clone(), card.count)).collect();
        for card in &mut self.cards {
            for (_, count) in known.iter_mut().filter(|(face, _)| *face == card.face) {
                let same = card.count.min(*count);
                card.count -= same;
                *count -= same;
            }
        }
        self.cards.retain(|card| card.count > 0);
        self
    }
}

/// Returns the decks of a game. Compared with an older game, only the cards that it doesn't have.
pub(super) fn decks(game: &Game, since: Option<&Game>) -> Vec<Deck> {
    let all = all_decks(game);
    let Some(older) = since.map(all_decks) else { return all };
    let changed = all.into_iter().map(|deck| match older.iter().find(|older| older.name == deck.name) {
        Some(older) => deck.without(older),
        None => deck,
    });
    changed.filter(|deck| !deck.cards.is_empty()).collect()
}

fn all_decks(game: &Game) -> Vec<Deck> {
    let counts = cards_of_domains(game).into_iter();
    let decks = counts.filter(|(_, _, counts)| (1..=MOST).contains(&counts.iter().sum())).enumerate();
    decks.map(|(place, (domain, copied, counts))| deck(game, domain, copied, &counts, place)).collect()
}

/// Returns an error about the first deck that has too many cards to be printed, if there is one.
pub(super) fn large_deck(game: &Game) -> Option<PrintError> {
    let all = cards_of_domains(game).into_iter();
    let mut sizes = all.map(|(domain, _, counts)| (domain, counts.iter().sum::<usize>()));
    let (domain, cards) = sizes.find(|(_, cards)| *cards > MOST)?;
    Some(PrintError::LargeDeck { deck: game.model().domains[domain.index()].name.clone(), cards })
}

/// Returns how often there is each element of the domains with zones, and whether its copies are counted.
fn cards_of_domains(game: &Game) -> Vec<(DomainId, bool, Vec<usize>)> {
    let model = game.model();
    let mut counts: Vec<(DomainId, bool, Vec<usize>)> = vec![];
    for slot in &model.slots {
        let (domain, copied) = match (slot.role, slot.content, slot.index.last()) {
            (Role::Zone, Content::Set(domain), _) => (domain, false),
            (Role::Copies, _, Some(kind)) => (*kind, true),
            _ => continue,
        };
        let size = model.domains[domain.index()].size as usize;
        let at = counts.iter().position(|(known, ..)| *known == domain);
        let at = at.unwrap_or_else(|| {
            counts.push((domain, copied, vec![usize::from(!copied); size]));
            counts.len() - 1
        });
        if copied {
            for (place, value) in slot.initial.iter().enumerate() {
                if let Value::Number(count) = value {
                    counts[at].2[place % size] += (*count).max(0) as usize;
                }
            }
        }
    }
    counts
}

fn deck(game: &Game, domain: DomainId, copied: bool, counts: &[usize], place: usize) -> Deck {
    let model = game.model();
    let is_enum = matches!(model.domains[domain.index()].kind, DomainKind::Enum(_));
    let mut cards: Vec<DeckCard> = vec![];
    // A table of the cards has those of which there are none, too.
    for (element, count) in (0..).zip(counts) {
        let card = deck_card(game, domain, element, *count);
        // Copies that only a number tells apart are one card, printed several times.
        match cards.iter_mut().find(|known| known.face == card.face && !is_enum) {
            Some(known) => known.count += count,
            None => cards.push(card),
        }
    }
    let is_domino = cards.iter().all(|card| card.face.face.form == CardForm::Domino);
    let form = match is_domino {
        true => CutForm::Tile,
        false if is_enum && copied && cards.iter().all(|card| card.count == 0 || card.text.is_empty()) => {
            CutForm::Counter
        }
        false => CutForm::Card,
    };
    Deck { name: plain(&model.domains[domain.index()].name), form, domain, cards, place }
}

fn deck_card(game: &Game, domain: DomainId, element: u32, count: usize) -> DeckCard {
    let model = game.model();
    let name = model.element_name(domain, element);
    let face = card_face(model, domain, element);
    let text = element_help(game, &model.domains[domain.index()].name, &name);
    let is_named = match &model.domains[domain.index()].kind {
        DomainKind::Record { named, .. } => named.iter().any(|(place, _)| *place == element),
        DomainKind::Enum(_) => true,
        _ => false,
    };
    let line = |(at, line): (usize, &String)| match at {
        0 if is_named => {
            let words = line.split(' ').map(|word| CardTextPart::Word(word.to_owned()));
            CardParagraph { parts: words.collect(), bold: true }
        }
        _ => CardParagraph { parts: read_field_line(model, line), bold: false },
    };
    let lines = face.lines.iter().enumerate().map(line).collect();
    let printed = PrintedFace { lines, text: read_card_text(model, &text), face };
    DeckCard { element, name, face: printed, text, count }
}

/// Returns the help text of an element with a name of its own, which is what its card says.
fn element_help(game: &Game, domain: &str, element: &str) -> String {
    let decls = game.sheet().tree.iter().flat_map(|tree| &tree.decls);
    let mut help = decls.filter_map(|decl| match &decl.kind {
        DeclKind::Record { name, kinds, .. } if name.text == domain => {
            let named = kinds.iter().flat_map(ElementKind::named);
            named.filter(|(name, _)| name.text == element).find_map(|(_, help)| help)
        }
        DeclKind::Enum { name, values, helps, .. } if name.text == domain => {
            let at = values.iter().position(|value| value.text == element)?;
            helps.get(at)?.as_ref()
        }
        _ => None,
    });
    // Of two declarations, the last counts.
    help.next_back().map(|help| help.text.clone()).unwrap_or_default()
}

/// Returns an error if a card doesn't fit on a page.
fn too_large(options: &CardOptions, paper: super::Paper) -> PrintError {
    PrintError::CardTooLarge { measure: options.measure, paper }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_names_or_lengths() {
        let poker = CardMeasure { width: 63.0, height: 88.0 };
        assert_eq!(CardMeasure::parse("poker"), Ok(poker));
        assert_eq!(CardMeasure::parse("63x88"), Ok(poker));
        assert_eq!(CardMeasure::parse("50.5 x 70"), Ok(CardMeasure { width: 50.5, height: 70.0 }));
        for wrong in ["", "pokre", "63", "63x", "0x88", "63xNaN", "900x20", "-5x60"] {
            let message = CardMeasure::parse(wrong).unwrap_err();
            assert!(message.contains("mm") || message.contains("WIDTHxHEIGHT"), "{message}");
        }
        assert_eq!(
            (poker.to_string().as_str(), CardMeasure::parse("70x70").unwrap().to_string().as_str()),
            ("poker", "70x70")
        );
    }
}
