//! The faces of cards and tiles: index, sign, colour and words, from the domains of the rules. It knows what suits and ranks
//! are called, and no game.

use super::Icon;
use super::tile_face::{TileFace, tile_face};
use houserule_base::names::plain;
use houserule_model::{Colour, DomainId, DomainKind, Field, Model, french_index};

/// The size of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardSize {
    /// The hand of the viewer, and what lies in the middle of the table.
    Large,
    /// Cards on boards, and in bundles.
    Medium,
    /// Open cards at other seats.
    Small,
    /// Backs at other seats, and cards that the viewer knows there.
    Tiny,
}

impl CardSize {
    /// Returns width and height.
    pub fn size(self) -> (f64, f64) {
        match self {
            CardSize::Large => (66.0, 92.0),
            CardSize::Medium => (54.0, 75.0),
            CardSize::Small => (40.0, 56.0),
            CardSize::Tiny => (24.0, 34.0),
        }
    }
}

/// What a card or tile shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CardFace {
    /// The number or letter in its corner: `8`, `K`. Empty if there is none.
    pub index: String,
    /// The sign below the index.
    pub sign: Option<Icon>,
    /// The colour of the whole card if it is coloured, else that of the sign and the words.
    pub colour: Option<Colour>,
    /// How the rest looks.
    pub form: CardForm,
    /// Words in the middle: its name, further fields.
    pub lines: Vec<String>,
    /// The numbers of a domino.
    pub halves: Option<(i64, i64)>,
    /// The sides of a tile.
    pub tile: Option<TileFace>,
}

/// How a card looks, apart from its index, sign and colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CardForm {
    /// White, with words.
    #[default]
    Plain,
    /// White, with the signs of a French pack.
    French {
        /// The number of signs, 1 for an ace.
        pips: Option<u32>,
        /// The sign of a king, queen or jack.
        court: Option<Icon>,
    },
    /// Filled with its colour.
    Coloured,
    /// Two halves with pips.
    Domino,
    /// A square with sides.
    Tile,
}

/// The signs of the values of an enum of colours, in order.
const SIGNS: [Icon; 12] = [
    Icon::Disc,
    Icon::Triangle,
    Icon::Square,
    Icon::Diamond,
    Icon::Star,
    Icon::Cross,
    Icon::Ring,
    Icon::Shield,
    Icon::Crown,
    Icon::Flag,
    Icon::House,
    Icon::Tower,
];

/// The name of the field that is the index of a card with several numbers.
const POINTS: &str = "points";

/// Returns what an element shows as a card.
pub fn card_face(model: &Model, domain: DomainId, element: u32) -> CardFace {
    let DomainKind::Record { named, .. } = &model.domains[domain.index()].kind else {
        return value_face(model, domain, element);
    };
    if let Some(tile) = tile_face(model, domain, element) {
        return CardFace { tile: Some(tile), form: CardForm::Tile, ..CardFace::default() };
    }
    if named.iter().any(|(place, _)| *place == element) {
        return row_face(model, domain, element);
    }
    if let Some(halves) = domino_halves(model, domain, element) {
        return CardFace { halves: Some(halves), form: CardForm::Domino, ..CardFace::default() };
    }
    if let Some((inner, value)) = inner_card(model, domain, element) {
        return card_face(model, inner, value);
    }
    match SignedCard::find(model, domain, element) {
        Some(card) => card.face(model),
        None => row_face(model, domain, element),
    }
}

/// Returns the name of an element in words: `8 of diamonds`, `blue 5`, `queen of spades`.
pub fn card_words(model: &Model, domain: DomainId, element: u32) -> String {
    let fields = match &model.domains[domain.index()].kind {
        DomainKind::Record { fields, named, .. } if named.iter().all(|(place, _)| *place != element) => {
            fields
        }
        DomainKind::Player => {
            let name = model.players.names.get(element as usize);
            return name.map_or_else(|| (element + 1).to_string(), |name| plain(name));
        }
        _ => return plain(&model.element_name(domain, element)),
    };
    if domino_halves(model, domain, element).is_some() {
        return model.element_name(domain, element);
    }
    match SignedCard::find(model, domain, element) {
        Some(card) => card.words(model),
        None => {
            let values = fields.iter().filter_map(|field| FieldValue::read(model, field, element));
            values.map(|value| value.words(model)).collect::<Vec<_>>().join(" ")
        }
    }
}

/// Returns the card that a record of a single card names: `task { wants: card }`. It is drawn as that card, framed.
pub fn inner_card(model: &Model, domain: DomainId, element: u32) -> Option<(DomainId, u32)> {
    let DomainKind::Record { fields, named, .. } = &model.domains[domain.index()].kind else { return None };
    let is_named = named.iter().any(|(place, _)| *place == element);
    match &fields[..] {
        [only] if !is_named => {
            let (inner, value) = only.element(model, element)?;
            let is_record = matches!(model.domains[inner.index()].kind, DomainKind::Record { .. });
            is_record.then_some((inner, value))
        }
        _ => None,
    }
}

/// Returns a key by which the cards of a hand are sorted as people hold them: by sign, black and red in turn, from high to low.
pub fn order_in_hand(model: &Model, domain: DomainId, element: u32) -> (u32, i64, u32) {
    if let Some((inner, value)) = inner_card(model, domain, element) {
        return order_in_hand(model, inner, value);
    }
    match SignedCard::find(model, domain, element) {
        Some(card) => {
            let (of, value) = card.sign;
            let sign = suit_sign(model, of, value).and_then(Icon::suit_place).unwrap_or(value);
            (sign, -card.rank.order(), element)
        }
        None if matches!(model.domains[domain.index()].kind, DomainKind::Range { .. }) => {
            (0, -i64::from(element), element)
        }
        None => (0, 0, element),
    }
}

/// Returns the two numbers of an element, or `None` if it isn't a record of two numbers.
pub fn halves(model: &Model, domain: DomainId, element: u32) -> Option<(i64, i64)> {
    let DomainKind::Record { fields, named, .. } = &model.domains[domain.index()].kind else { return None };
    if named.iter().any(|(place, _)| *place == element) {
        return None;
    }
    match &fields[..] {
        [a, b] if a.of.is_none() && b.of.is_none() => a.value(element).zip(b.value(element)),
        _ => None,
    }
}

/// Returns the two numbers of an element that looks like a domino: they are from the same range.
fn domino_halves(model: &Model, domain: DomainId, element: u32) -> Option<(i64, i64)> {
    let DomainKind::Record { fields, .. } = &model.domains[domain.index()].kind else { return None };
    let span = |field: &Field| {
        let values = || field.values.iter().flatten();
        values().min().copied().zip(values().max().copied())
    };
    let mut spans = fields.iter().map(span);
    let is_alike = spans.next() == spans.next();
    halves(model, domain, element).filter(|_| is_alike)
}

/// The value of a field: an element, or a number that is from no declared domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FieldValue {
    Element(DomainId, u32),
    Number(i64),
}

impl FieldValue {
    /// Reads a field of an element, if the element has it.
    fn read(model: &Model, field: &Field, element: u32) -> Option<FieldValue> {
        let number = FieldValue::Number(field.value(element)?);
        let element = field.element(model, element);
        Some(element.map_or(number, |(domain, value)| FieldValue::Element(domain, value)))
    }

    /// Returns its number if it is one.
    fn number(self, model: &Model) -> Option<i64> {
        match self {
            FieldValue::Number(number) => Some(number),
            FieldValue::Element(domain, element) => match model.domains[domain.index()].kind {
                DomainKind::Range { low } => Some(low + i64::from(element)),
                _ => None,
            },
        }
    }

    /// Returns a number that is greater for values that come later.
    fn order(self) -> i64 {
        match self {
            FieldValue::Number(number) => number,
            FieldValue::Element(_, element) => i64::from(element),
        }
    }

    /// Returns the index for it on a card: a number, a letter, or what its rank is called.
    fn index(self, model: &Model) -> Option<String> {
        match self {
            FieldValue::Number(number) => Some(number.to_string()),
            FieldValue::Element(domain, element) => {
                let letter = model.element_look(domain, element).letter;
                let letter = letter.filter(|letter| Icon::in_character(*letter).is_none());
                let rank = model.rank_index(domain, element).map(str::to_owned);
                let rank = rank.or_else(|| self.number(model).map(|number| number.to_string()));
                match letter {
                    // A single letter can't say ten.
                    Some(letter) if rank.as_deref() != Some("10") => Some(letter.to_string()),
                    _ => rank,
                }
            }
        }
    }

    /// Returns the rank of a French pack that it is: `A`, `2` to `10`, `J`, `Q`, `K`.
    fn french_rank(self, model: &Model) -> Option<String> {
        match (self.number(model), self) {
            (Some(number), _) => Some(french_index(number)),
            (None, FieldValue::Element(domain, element)) => {
                let letter = model.element_look(domain, element).letter.map(String::from);
                model.rank_index(domain, element).map(str::to_owned).or(letter)
            }
            (None, _) => None,
        }
    }

    /// Returns its name in words.
    fn words(self, model: &Model) -> String {
        match self {
            FieldValue::Number(number) => number.to_string(),
            FieldValue::Element(domain, element) => card_words(model, domain, element),
        }
    }
}

/// A card of two fields: a sign or colour, and a rank.
struct SignedCard {
    sign: (DomainId, u32),
    rank: FieldValue,
}

impl SignedCard {
    /// Reads the two fields of an element, if it is such a card. Numbers that only tell copies apart don't count besides.
    fn find(model: &Model, domain: DomainId, element: u32) -> Option<SignedCard> {
        let DomainKind::Record { fields, named, .. } = &model.domains[domain.index()].kind else {
            return None;
        };
        if named.iter().any(|(place, _)| *place == element) {
            return None;
        }
        let all = read_fields(model, fields, element);
        let shown = if all.len() == 2 { all } else { skip_copies(model, &all) };
        let [(_, one), (_, other)] = shown[..] else { return None };
        let read = |sign: FieldValue, rank: FieldValue, is_french: bool| {
            let FieldValue::Element(of, value) = sign else { return None };
            let is_sign = match is_french {
                true => suit_sign(model, of, value).is_some(),
                false => is_coloured(model, of),
            };
            is_sign.then_some(SignedCard { sign: (of, value), rank })
        };
        read(one, other, true)
            .or_else(|| read(other, one, true))
            .or_else(|| read(one, other, false))
            .or_else(|| read(other, one, false))
    }

    /// Returns what it shows.
    fn face(&self, model: &Model) -> CardFace {
        let (domain, value) = self.sign;
        let index = self.rank.index(model);
        let lines = if index.is_some() { vec![] } else { vec![self.rank.words(model)] };
        let Some(suit) = suit_sign(model, domain, value) else {
            return CardFace {
                index: index.unwrap_or_default(),
                sign: colour_sign(model, domain, value),
                colour: model.element_colour(domain, value),
                form: CardForm::Coloured,
                lines,
                halves: None,
                tile: None,
            };
        };
        let rank = self.rank.french_rank(model).unwrap_or_default();
        let (pips, court) = match rank.as_str() {
            "A" => (Some(1), None),
            "K" => (None, Some(Icon::Crown)),
            "Q" => (None, Some(Icon::Coronet)),
            "J" => (None, Some(Icon::Shield)),
            number => (number.parse::<u32>().ok().filter(|pips| (1..=10).contains(pips)), None),
        };
        // Numbers from 11 on are letters on French cards.
        let is_number = index.as_ref().is_some_and(|index| index.parse::<i64>().is_ok());
        CardFace {
            index: if is_number { rank } else { index.unwrap_or_default() },
            sign: Some(suit),
            colour: Some(suit_colour(model, self.sign, suit)),
            form: CardForm::French { pips, court },
            lines,
            halves: None,
            tile: None,
        }
    }

    /// Returns its name in words.
    fn words(&self, model: &Model) -> String {
        let (domain, value) = self.sign;
        let sign = card_words(model, domain, value);
        let is_number = |rank: &String| rank.parse::<i64>().is_ok();
        if suit_sign(model, domain, value).is_none() {
            let number = self.rank.index(model).filter(is_number);
            return format!("{sign} {}", number.unwrap_or_else(|| self.rank.words(model)));
        }
        let french_rank = self.rank.french_rank(model);
        let rank = match (self.rank.number(model), french_rank.as_deref()) {
            (_, Some(digits)) if digits.parse::<i64>().is_ok() => digits.to_owned(),
            (Some(_), Some("A")) => "ace".to_owned(),
            (Some(_), Some("J")) => "jack".to_owned(),
            (Some(_), Some("Q")) => "queen".to_owned(),
            (Some(_), Some("K")) => "king".to_owned(),
            _ => self.rank.words(model),
        };
        format!("{rank} of {sign}")
    }
}

/// Returns the fields that an element has.
fn read_fields<'m>(model: &Model, fields: &'m [Field], element: u32) -> Vec<(&'m Field, FieldValue)> {
    let values = fields.iter().map(|field| (field, FieldValue::read(model, field, element)));
    values.filter_map(|(field, value)| Some((field, value?))).collect()
}

/// Leaves out the numbers that the rules never read, which mostly tell copies of a card apart, if other fields remain.
fn skip_copies<'m>(model: &Model, fields: &[(&'m Field, FieldValue)]) -> Vec<(&'m Field, FieldValue)> {
    let is_copy = |part: &&(&Field, FieldValue)| !part.0.read && part.1.number(model).is_some();
    let shown: Vec<(&Field, FieldValue)> = fields.iter().filter(|part| !is_copy(part)).copied().collect();
    if shown.is_empty() { fields.to_vec() } else { shown }
}

/// Returns what an element without fields shows.
fn value_face(model: &Model, domain: DomainId, element: u32) -> CardFace {
    if let Some(suit) = suit_sign(model, domain, element) {
        return CardFace {
            sign: Some(suit),
            colour: Some(suit_colour(model, (domain, element), suit)),
            form: CardForm::French { pips: None, court: None },
            ..CardFace::default()
        };
    }
    let value = FieldValue::Element(domain, element);
    let (name, colour) = (value.words(model), model.element_colour(domain, element));
    if is_coloured(model, domain) {
        let is_clear = Colour::in_name(&name).is_some() || Icon::named(&name).is_some();
        return CardFace {
            sign: colour_sign(model, domain, element),
            colour,
            form: CardForm::Coloured,
            lines: if is_clear { vec![] } else { vec![name] },
            ..CardFace::default()
        };
    }
    let is_clear = model.rank_index(domain, element).is_some() || value.number(model).is_some();
    CardFace {
        index: value.index(model).unwrap_or_default(),
        sign: picture(model, domain, element),
        colour,
        lines: if is_clear { vec![] } else { vec![name] },
        ..CardFace::default()
    }
}

/// Returns what a record shows that is no card of a sign and a rank: its name and its fields, one of the numbers as index.
fn row_face(model: &Model, domain: DomainId, element: u32) -> CardFace {
    let DomainKind::Record { fields, named, sets } = &model.domains[domain.index()].kind else {
        return CardFace::default();
    };
    let shown = skip_copies(model, &read_fields(model, fields, element));
    let main = main_number(model, &shown);
    let name = named.iter().find(|(place, _)| *place == element).map(|(_, name)| plain(name));
    let mut lines: Vec<String> = name.into_iter().collect();
    for (at, (field, value)) in shown.iter().enumerate() {
        // Of several fields with values of one kind, their names tell them apart.
        let has_twin =
            shown.iter().filter(|(other, _)| other.of.is_some() && other.of == field.of).count() > 1;
        match value.number(model) {
            _ if main == Some(at) => {}
            None if has_twin => lines.push(format!("{} {}", plain(&field.name), value.words(model))),
            Some(_) => lines.push(format!("{} {}", plain(&field.name), value.words(model))),
            None => lines.push(value.words(model)),
        }
    }
    for field in sets {
        let set = field.values.get(element as usize);
        let words =
            set.into_iter().flat_map(|set| set.iter()).map(|value| card_words(model, field.of, value));
        let words: Vec<String> = words.collect();
        if !words.is_empty() {
            lines.push(words.join(", "));
        }
    }
    CardFace {
        index: main.and_then(|at| shown[at].1.index(model)).unwrap_or_default(),
        colour: model.element_colour(domain, element),
        lines,
        ..CardFace::default()
    }
}

/// Returns the index of the most important number: that of the field called `points`, or else the one with the widest range.
fn main_number(model: &Model, shown: &[(&Field, FieldValue)]) -> Option<usize> {
    let numbers = || (0..shown.len()).filter(move |at| shown[*at].1.number(model).is_some());
    let points = numbers().find(|at| shown[*at].0.name == POINTS);
    let width = |field: &Field| {
        let values = || field.values.iter().flatten();
        values().max().zip(values().min()).map(|(high, low)| high - low)
    };
    points.or_else(|| numbers().rev().max_by_key(|at| width(shown[*at].0)))
}

/// Returns the suit of a French pack that a value is.
fn suit_sign(model: &Model, domain: DomainId, element: u32) -> Option<Icon> {
    model.suit_character(domain, element).and_then(Icon::in_character)
}

/// Returns the colour of a suit: the one that the rules give, or else red or black.
fn suit_colour(model: &Model, value: (DomainId, u32), suit: Icon) -> Colour {
    let own = model.element_colour(value.0, value.1);
    own.unwrap_or(match suit {
        Icon::Hearts | Icon::Diamonds => Colour::Red,
        _ => Colour::Black,
    })
}

/// Returns the sign of a value of an enum and its colour, if it has one: a suit, the sign of a colour, a picture.
pub fn sign_of_value(model: &Model, domain: DomainId, element: u32) -> Option<(Icon, Option<Colour>)> {
    if let Some(suit) = suit_sign(model, domain, element) {
        return Some((suit, Some(suit_colour(model, (domain, element), suit))));
    }
    let sign = if is_coloured(model, domain) { colour_sign(model, domain, element) } else { None };
    let sign = sign.or_else(|| picture(model, domain, element))?;
    Some((sign, model.element_colour(domain, element)))
}

/// Returns `true` for an enum of which most values have colours.
fn is_coloured(model: &Model, domain: DomainId) -> bool {
    let of = &model.domains[domain.index()];
    let coloured = (0..of.size).filter(|value| model.element_colour(domain, *value).is_some()).count();
    matches!(of.kind, DomainKind::Enum(_)) && 2 * coloured > of.size as usize
}

/// Returns the sign of a value of an enum of colours: the picture that it is called after, or one by its place.
fn colour_sign(model: &Model, domain: DomainId, element: u32) -> Option<Icon> {
    let name = model.element_name(domain, element);
    let given = given_picture(model, domain, element);
    let named = || if Colour::in_name(&name).is_none() { Icon::named(&name) } else { None };
    given.or_else(named).or_else(|| SIGNS.get(element as usize).copied())
}

/// Returns the sign that cards of a colour have, if an enum of the game is one of colours.
pub fn sign_of_colour(model: &Model, colour: Colour) -> Option<Icon> {
    let enums = (0..).map(DomainId).zip(&model.domains);
    enums.into_iter().filter(|(id, _)| is_coloured(model, *id)).find_map(|(id, of)| {
        let element = (0..of.size).find(|value| model.element_colour(id, *value) == Some(colour))?;
        colour_sign(model, id, element)
    })
}

/// Returns the picture of a value, by its letter, or by its name if all values of its enum are called after pictures.
fn picture(model: &Model, domain: DomainId, element: u32) -> Option<Icon> {
    let given = given_picture(model, domain, element);
    let DomainKind::Enum(names) = &model.domains[domain.index()].kind else { return given };
    let all: Option<Vec<Icon>> = names.iter().map(|name| Icon::named(name)).collect();
    given.or_else(|| all?.get(element as usize).copied())
}

/// Returns the picture that the rules give a value, or that is its letter.
fn given_picture(model: &Model, domain: DomainId, element: u32) -> Option<Icon> {
    let look = model.element_look(domain, element);
    look.picture.or_else(|| look.letter.and_then(Icon::in_character))
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_game::Game;
    use houserule_loader::{Request, load, load_text};

    fn bundled(name: &str) -> Game {
        load(&Request { name, ..Request::default() }).unwrap().game
    }

    fn written(text: &str) -> Game {
        load_text("test", text, &Request::default()).unwrap().game
    }

    /// Returns the element of a domain with a name.
    fn find(game: &Game, domain: &str, name: &str) -> (DomainId, u32) {
        let model = game.model();
        let mut domains = (0..).map(DomainId).zip(&model.domains);
        let (id, of) = domains.find(|(_, of)| of.name == domain).unwrap();
        let element = (0..of.size).find(|element| model.element_name(id, *element) == name);
        (id, element.unwrap_or_else(|| panic!("no {domain} is called {name}")))
    }

    fn face(game: &Game, domain: &str, name: &str) -> CardFace {
        let (id, element) = find(game, domain, name);
        card_face(game.model(), id, element)
    }

    fn words(game: &Game, domain: &str, name: &str) -> String {
        let (id, element) = find(game, domain, name);
        card_words(game.model(), id, element)
    }

    fn french(index: &str, sign: Icon, colour: Colour, pips: Option<u32>, court: Option<Icon>) -> CardFace {
        CardFace {
            index: index.to_owned(),
            sign: Some(sign),
            colour: Some(colour),
            form: CardForm::French { pips, court },
            ..CardFace::default()
        }
    }

    #[test]
    fn cards_of_a_french_pack() {
        let cases = [
            ("hearts", "diamonds-eight", "8 of diamonds"),
            ("hearts", "spades-queen", "queen of spades"),
            ("hearts", "clubs-ten", "10 of clubs"),
            ("klondike", "1-hearts", "ace of hearts"),
            ("klondike", "13-spades", "king of spades"),
            ("whist", "clubs-jack", "jack of clubs"),
            ("battle", "14-spades", "ace of spades"),
            ("battle", "11-diamonds", "jack of diamonds"),
        ];
        let faces = [
            french("8", Icon::Diamonds, Colour::Red, Some(8), None),
            french("Q", Icon::Spades, Colour::Black, None, Some(Icon::Coronet)),
            french("10", Icon::Clubs, Colour::Black, Some(10), None),
            french("A", Icon::Hearts, Colour::Red, Some(1), None),
            french("K", Icon::Spades, Colour::Black, None, Some(Icon::Crown)),
            french("J", Icon::Clubs, Colour::Black, None, Some(Icon::Shield)),
            french("A", Icon::Spades, Colour::Black, Some(1), None),
            french("J", Icon::Diamonds, Colour::Red, None, Some(Icon::Shield)),
        ];
        for ((game, name, said), shown) in cases.into_iter().zip(faces) {
            let game = bundled(game);
            assert_eq!(face(&game, "card", name), shown, "{name}");
            assert_eq!(words(&game, "card", name), said);
        }
    }

    #[test]
    fn a_hand_is_sorted_by_suit_from_high_to_low() {
        let game = bundled("hearts");
        let names = ["hearts-ace", "clubs-two", "spades-queen", "clubs-king", "diamonds-ten", "hearts-two"];
        let mut hand = names.map(|name| find(&game, "card", name));
        hand.sort_by_key(|(domain, element)| order_in_hand(game.model(), *domain, *element));
        let sorted = hand.map(|(domain, element)| game.model().element_name(domain, element));
        let wanted = ["clubs-king", "clubs-two", "diamonds-ten", "spades-queen", "hearts-ace", "hearts-two"];
        assert_eq!(sorted, wanted);
    }

    #[test]
    fn cards_of_one_value() {
        let plain = |index: &str, lines: &[&str]| CardFace {
            index: index.to_owned(),
            lines: lines.iter().map(|line| (*line).to_owned()).collect(),
            ..CardFace::default()
        };
        assert_eq!(face(&bundled("blackjack"), "rank", "ace"), plain("A", &[]));
        assert_eq!(face(&bundled("blackjack"), "rank", "ten"), plain("10", &[]));
        assert_eq!(face(&bundled("kuhn-poker"), "card", "2"), plain("2", &[]));
        assert_eq!(face(&bundled("orchard"), "fruit", "quince"), plain("", &["quince"]));
    }

    #[test]
    fn dominoes_have_two_numbers() {
        let game = bundled("dominoes");
        let tile = face(&game, "tile", "4-6");
        assert_eq!((tile.form, tile.halves), (CardForm::Domino, Some((4, 6))));
        assert_eq!(words(&game, "tile", "4-6"), "4-6");
    }

    #[test]
    fn coloured_cards_have_signs() {
        let crew = written(include_str!("../../../tests/outside/crew.rules"));
        let coloured = |index: &str, sign: Icon, colour: Colour| CardFace {
            index: index.to_owned(),
            sign: Some(sign),
            colour: Some(colour),
            form: CardForm::Coloured,
            ..CardFace::default()
        };
        let yellow = coloured("6", Icon::Diamond, Colour::Yellow);
        assert_eq!(face(&crew, "card", "yellow-6"), yellow);
        assert_eq!(face(&crew, "card", "rocket-3"), coloured("3", Icon::Rocket, Colour::Black));
        assert_eq!(words(&crew, "card", "blue-5"), "blue 5");
        // A record of a single card.
        assert_eq!(face(&crew, "task", "yellow-6"), yellow);
        assert_eq!(words(&crew, "task", "yellow-6"), "yellow 6");
        let (task, element) = find(&crew, "task", "yellow-6");
        assert_eq!(inner_card(crew.model(), task, element), Some(find(&crew, "card", "yellow-6")));
        assert_eq!(face(&crew, "suit", "green"), coloured("", Icon::Square, Colour::Green));
    }

    #[test]
    fn cards_of_two_kinds() {
        let tactics = written(include_str!("../../../tests/outside/battleline-tactics.rules"));
        assert_eq!(face(&tactics, "card", "purple-9").sign, Some(Icon::Cross));
        let fog = face(&tactics, "card", "fog");
        assert_eq!((fog.form, fog.lines), (CardForm::Plain, vec!["fog".to_owned()]));
        let wizard = written(include_str!("../../../tests/outside/wizard.rules"));
        assert_eq!(face(&wizard, "card", "green-13").index, "13");
        // The number only tells the four jesters apart.
        let jester = face(&wizard, "card", "jester-2");
        assert_eq!((jester.index.as_str(), jester.lines), ("", vec!["jester".to_owned()]));
    }

    #[test]
    fn records_have_lines() {
        let game = written(
            "game \"Market\" {
              players 1
              domain ware { cost: 1..3, points: 0..9 } = [salt_fish: (2, 5), tea: (3, 8)]
              zone stall of ware
              zone bought of ware
              var sold: 0..99 = 0
              turn { choose { buy w in stall where w.cost < 4 { sold += w.points move w to bought } } }
              end over when stall is nothing or sold > 9: draw
            }",
        );
        let fish = face(&game, "ware", "salt_fish");
        assert_eq!(fish.index, "5");
        assert_eq!(fish.lines, ["salt fish", "cost 2"]);
    }
}
