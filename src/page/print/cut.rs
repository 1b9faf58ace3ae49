//! Cards, tiles and counters to cut out: the elements of domains that the rules keep in zones.

use super::typeset::{self, measure};
use super::{CUT, MARGIN, MM, PageArea, Paper, Printer, bold, font};
use houserule_base::names::plain;
use houserule_game::Game;
use houserule_model::board::BitSet;
use houserule_model::{Colour, Content, DomainId, DomainKind, Field, Role, SetField, Value};
use houserule_picture::draw::chain::halves;
use houserule_picture::draw::svg::canvas::{Anchor, Canvas, Picture, ShapeOutline};
use houserule_picture::draw::svg::dice::pips;
use houserule_picture::draw::svg::palette::{Ink, QUIET, RULE, TEXT, piece_colours};
use houserule_picture::draw::svg::token::{PieceLook, PieceShape};

/// Maximum number of pieces of one deck. More are rather counted with something else.
const MOST: usize = 1000;

/// Maximum number that is drawn as pips.
const PIPS: i64 = 6;

/// Height of the line above the cards.
const HEAD: f64 = 6.0 * MM;

/// All elements of a domain, as often as there are.
struct Deck {
    name: String,
    form: CutForm,
    pieces: Vec<u32>,
    domain: DomainId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CutForm {
    /// Two numbers side by side.
    Tile,
    Card,
    Counter,
}

impl CutForm {
    /// Returns width and height in millimetres.
    fn size(self) -> (f64, f64) {
        match self {
            CutForm::Tile => (46.0, 23.0),
            CutForm::Card => (44.0, 63.0),
            CutForm::Counter => (18.0, 18.0),
        }
    }
}

/// Draws the pages to cut out.
pub(super) fn pages(game: &Game, paper: Paper, ink: Printer<'_>) -> Vec<Picture> {
    decks(game).iter().flat_map(|deck| deck_pages(game, deck, paper, ink)).collect()
}

fn decks(game: &Game) -> Vec<Deck> {
    let model = game.model();
    let mut decks: Vec<Deck> = vec![];
    for slot in &model.slots {
        let domain = match (slot.role, slot.content, slot.index.last()) {
            (Role::Zone, Content::Set(domain), _) => domain,
            (Role::Copies, _, Some(kind)) => *kind,
            _ => continue,
        };
        let size = model.domains[domain.index()].size;
        let pieces: Vec<u32> = match slot.role {
            Role::Copies => {
                (0..).zip(&slot.initial).flat_map(|(at, count)| copies(at % size, count)).collect()
            }
            _ => (0..size).collect(),
        };
        match decks.iter_mut().find(|deck| deck.domain == domain) {
            Some(deck) if slot.role == Role::Copies => deck.pieces.extend(pieces),
            Some(_) => {}
            None => {
                let enums = matches!(model.domains[domain.index()].kind, DomainKind::Enum(_));
                let form = match halves(model, domain, 0) {
                    Some(_) => CutForm::Tile,
                    None if enums && slot.role == Role::Copies => CutForm::Counter,
                    None => CutForm::Card,
                };
                let name = plain(&model.domains[domain.index()].name);
                decks.push(Deck { name, form, pieces, domain });
            }
        }
    }
    decks.iter_mut().for_each(|deck| deck.pieces.sort_unstable());
    decks.retain(|deck| (1..=MOST).contains(&deck.pieces.len()));
    decks
}

/// Returns a kind as often as there are copies of it, but not more often than any deck has pieces.
fn copies(kind: u32, count: &Value) -> impl Iterator<Item = u32> {
    let count = if let Value::Number(count) = count { (*count).clamp(0, MOST as i64 + 1) } else { 0 };
    (0..count).map(move |_| kind)
}

fn deck_pages(game: &Game, deck: &Deck, paper: Paper, ink: Printer<'_>) -> Vec<Picture> {
    let page = PageArea::new(paper, false);
    let inside = page.inside();
    let (width, height) = deck.form.size();
    let (width, height) = (width * MM, height * MM);
    let columns = (inside.width / width).floor() as usize;
    let rows = ((inside.height - HEAD) / height).floor() as usize;
    let left = (page.width - columns as f64 * width) / 2.0;
    let top = MARGIN * MM + HEAD;
    let pages = deck.pieces.chunks(columns * rows);
    pages
        .map(|pieces| {
            let mut canvas = ink.canvas();
            let head = format!("{}: {} to cut out", deck.name, deck.pieces.len());
            canvas.text((left, MARGIN * MM + 10.0), Anchor::Start, font(9.5, QUIET), &head);
            let used = pieces.len().div_ceil(columns);
            let (right, bottom) =
                (left + columns.min(pieces.len()) as f64 * width, top + used as f64 * height);
            let across = (0..=used).map(|row| top + row as f64 * height).map(|y| vec![(left, y), (right, y)]);
            let down = (0..=columns.min(pieces.len())).map(|n| left + n as f64 * width);
            let cuts: Vec<Vec<(f64, f64)>> =
                across.chain(down.map(|x| vec![(x, top), (x, bottom)])).collect();
            canvas.part("cuts", |canvas| canvas.dashes(&cuts, CUT));
            canvas.part("cards", |canvas| {
                for (at, piece) in pieces.iter().enumerate() {
                    let x = left + (at % columns) as f64 * width;
                    let y = top + (at / columns) as f64 * height;
                    face(canvas, game, deck, *piece, (x, y), (width, height));
                }
            });
            canvas.done(page.width, page.height)
        })
        .collect()
}

fn face(canvas: &mut Canvas<'_>, game: &Game, deck: &Deck, piece: u32, at: (f64, f64), size: (f64, f64)) {
    let ((x, y), (width, height)) = (at, size);
    if let Some(halves) = halves(game.model(), deck.domain, piece) {
        let middle = x + width / 2.0;
        canvas.lines(
            &[vec![(middle, y + 2.0 * MM), (middle, y + height - 2.0 * MM)]],
            ShapeOutline { ink: RULE, width: 1.0 },
        );
        number(canvas, (x + width / 4.0, y + height / 2.0), halves.0);
        return number(canvas, (x + width * 0.75, y + height / 2.0), halves.1);
    }
    let values = values(game, deck.domain, piece);
    if deck.form == CutForm::Counter {
        if let [value] = values.as_slice() {
            counter(canvas, value, (x + width / 2.0, y + height / 2.0), width);
        }
        return;
    }
    // The values in the corner can be read in a hand of cards.
    let mut below = y + 3.0 * MM;
    for value in &values {
        let font = bold(13.0, value.ink());
        let text = value.letter.map_or_else(|| value.name.clone(), |letter| letter.to_string());
        below += 15.0;
        canvas.text((x + 3.0 * MM, below), Anchor::Start, font, &typeset::cut(&text, font, width * 0.8));
    }
    let room = width - 6.0 * MM;
    let tall: f64 = values.iter().map(CardValue::height).sum();
    let mut below = y + (height - tall) / 2.0 + 4.0 * MM;
    for value in &values {
        below += value.height();
        large(canvas, value, (x + width / 2.0, below), room);
    }
}

/// A value of a card: that of a field, or its name.
struct CardValue {
    name: String,
    /// The letter that the rules give, or the sign of a suit.
    letter: Option<char>,
    /// The colour that the rules give, or the one in the name.
    colour: Option<Colour>,
}

impl CardValue {
    fn new(game: &Game, domain: DomainId, element: u32) -> CardValue {
        let name = plain(&game.element_name(domain, element));
        let look = game.model().element_look(domain, element);
        let letter = look.letter.or_else(|| sign(&name));
        CardValue { colour: look.colour.or_else(|| Colour::in_name(&name)), letter, name }
    }

    fn ink(&self) -> Ink {
        self.colour.filter(|_| self.letter.is_some()).map_or(TEXT, |colour| piece_colours(colour).stroke())
    }

    fn is_short(&self) -> bool {
        self.name.chars().count() <= SHORT
    }

    /// Height in the middle of a card.
    fn height(&self) -> f64 {
        let large = self.letter.is_some() || self.colour.is_some() || self.is_short();
        if large { 13.0 * MM } else { 7.0 * MM }
    }
}

/// Returns the values of an element: its name, if it has one of its own, and those of its fields.
fn values(game: &Game, domain: DomainId, element: u32) -> Vec<CardValue> {
    let DomainKind::Record { fields, named, sets } = &game.model().domains[domain.index()].kind else {
        return vec![CardValue::new(game, domain, element)];
    };
    let value = |field: &Field| match field.element(game.model(), element) {
        Some((domain, value)) => Some(CardValue::new(game, domain, value)),
        None => Some(CardValue { name: field.sign(game.model(), element)?, letter: None, colour: None }),
    };
    let own = named.iter().any(|(place, _)| *place == element);
    let own = own.then(|| CardValue::new(game, domain, element));
    let in_set = |field: &SetField| -> Vec<CardValue> {
        let set = field.values.get(element as usize);
        set.into_iter().flat_map(BitSet::iter).map(|e| CardValue::new(game, field.of, e)).collect()
    };
    let of_sets = sets.iter().flat_map(in_set);
    own.into_iter().chain(fields.iter().filter_map(value)).chain(of_sets).collect()
}

/// Maximum number of characters that are drawn large.
const SHORT: usize = 3;

/// Draws a value in the middle of a card: numbers large, letters and colours with a sign above their name.
fn large(canvas: &mut Canvas<'_>, value: &CardValue, foot: (f64, f64), room: f64) {
    let (x, base) = foot;
    let name = |canvas: &mut Canvas<'_>| {
        let text = typeset::cut(&value.name, font(9.0, TEXT), room);
        canvas.text((x, base - 1.0), Anchor::Middle, font(9.0, TEXT), &text);
    };
    if let Some(letter) = value.letter {
        canvas.text((x, base - 4.0 * MM), Anchor::Middle, font(32.0, value.ink()), &letter.to_string());
        name(canvas);
    } else if let Some(colour) = value.colour {
        token(&value.name, colour).draw(canvas, (x, base - 8.0 * MM), 3.5 * MM);
        name(canvas);
    } else {
        let most: f64 = if value.is_short() { 40.0 } else { 17.0 };
        let size = most.min(room / measure(&value.name, bold(1.0, TEXT)));
        canvas.text((x, base - 2.0 * MM), Anchor::Middle, bold(size, TEXT), &value.name);
    }
}

/// Returns the sign of a suit of cards.
fn sign(word: &str) -> Option<char> {
    let known = [("club", '♣'), ("diamond", '♦'), ("heart", '♥'), ("spade", '♠')];
    let word = word.to_lowercase();
    known
        .iter()
        .find(|(suit, _)| word == *suit || word.strip_suffix('s') == Some(suit))
        .map(|(_, sign)| *sign)
}

/// Returns a disc of a colour with the first letter of its name, which tells it apart without colours.
fn token(name: &str, colour: Colour) -> PieceLook {
    let letter = name.chars().next().unwrap_or('?').to_uppercase().to_string();
    PieceLook { colours: piece_colours(colour), shape: PieceShape::Letter(letter) }
}

fn counter(canvas: &mut Canvas<'_>, value: &CardValue, centre: (f64, f64), width: f64) {
    let (x, y) = centre;
    let room = width - 2.0 * MM;
    if let Some(colour) = value.colour {
        let name = value.letter.map_or_else(|| value.name.clone(), |letter| letter.to_string());
        token(&name, colour).draw(canvas, (x, y - 1.5 * MM), 4.5 * MM);
    }
    let most: f64 = if value.colour.is_some() { 9.0 } else { 13.0 };
    let size = most.min(room / measure(&value.name, bold(1.0, TEXT)));
    let base = if value.colour.is_some() { y + 6.5 * MM } else { y + size * 0.36 };
    canvas.text((x, base), Anchor::Middle, bold(size, TEXT), &value.name);
}

/// Draws a number on half a tile.
fn number(canvas: &mut Canvas<'_>, centre: (f64, f64), number: i64) {
    let (x, y) = centre;
    match u32::try_from(number) {
        Ok(few) if number <= PIPS => {
            for (dx, dy) in pips(few) {
                canvas.circle((x + dx * 6.0 * MM, y + dy * 6.0 * MM), 1.8 * MM, Some(TEXT), None);
            }
        }
        _ => {
            let font = bold(36.0, TEXT);
            canvas.text((x, y + 13.0), Anchor::Middle, font, &number.to_string());
        }
    }
}
