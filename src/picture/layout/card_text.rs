//! The words of cards with pictures inside the sentence: a name in backticks, such as `coin`, is drawn as its picture.

use super::faces::sign_of_value;
use houserule_base::names::plain;
use houserule_model::{Colour, DomainId, DomainKind, Icon, Model};

/// A part of a sentence on a card.
#[derive(Clone, Debug, PartialEq)]
pub enum CardTextPart {
    /// A word, with what stands beside it.
    Word(String),
    /// A picture, with the colour that the rules give it.
    Picture(Icon, Option<Colour>),
}

/// Reads the text of a card. A name in backticks that is a value with a sign, or a picture, becomes a picture. Other names
/// are written in words.
pub fn read_card_text(model: &Model, text: &str) -> Vec<CardTextPart> {
    let mut parts = vec![];
    for (at, piece) in text.split('`').enumerate() {
        let is_name = at % 2 == 1;
        match picture_of_name(model, piece).filter(|_| is_name) {
            Some((icon, colour)) => parts.push(CardTextPart::Picture(icon, colour)),
            None if is_name => add_words(&mut parts, &plain(piece)),
            None => add_words(&mut parts, piece),
        }
    }
    parts
}

/// Reads a line with the value of a field, or several values: each that has a sign is drawn with it before its name, and a
/// number of something that has a picture with the picture after it.
pub fn read_field_line(model: &Model, line: &str) -> Vec<CardTextPart> {
    let mut parts = vec![];
    for (at, value) in line.split(", ").enumerate() {
        let count = value.split_once(' ').filter(|(_, number)| number.parse::<i64>().is_ok());
        match (count, picture_of_name(model, value)) {
            (Some((name, number)), _) if Icon::named(name).is_some() => {
                parts.push(CardTextPart::Word(number.to_owned()));
                parts.extend(Icon::named(name).map(|icon| CardTextPart::Picture(icon, None)));
            }
            (_, Some((icon, colour))) => {
                parts.push(CardTextPart::Picture(icon, colour));
                add_words(&mut parts, value);
            }
            _ => {
                if at > 0 {
                    add_words(&mut parts, "·");
                }
                add_words(&mut parts, value);
            }
        }
    }
    parts
}

/// Adds the words of a text. What follows a picture without a space stays beside it.
fn add_words(parts: &mut Vec<CardTextPart>, text: &str) {
    parts.extend(text.split_whitespace().map(|word| CardTextPart::Word(word.to_owned())));
}

/// Returns the sign of the value of an enum with a name, or the picture of that name.
fn picture_of_name(model: &Model, name: &str) -> Option<(Icon, Option<Colour>)> {
    let name = name.trim();
    let values = (0..).map(DomainId).zip(&model.domains).filter_map(|(id, domain)| match &domain.kind {
        DomainKind::Enum(names) => {
            Some((id, names.iter().position(|own| own == name || plain(own) == name)?))
        }
        _ => None,
    });
    let signs = values.filter_map(|(id, value)| sign_of_value(model, id, value as u32));
    signs.into_iter().next().or_else(|| Some((Icon::named(name)?, None)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_loader::{Request, load_text};

    const MARKET: &str = "game \"Market\" {
      players 1
      enum hue { red, blue }
      zone stall of hue
      turn { choose { take c in stall { end game } } }
      end over when stall is nothing: draw
    }";

    #[test]
    fn names_in_backticks_become_pictures() {
        let game = load_text("test", MARKET, &Request::default()).unwrap().game;
        let word = |word: &str| CardTextPart::Word(word.to_owned());
        let parts = read_card_text(game.model(), "Pay 2 `coin`, or a `red` card of `last_turn`.");
        let mut domains = (0..).map(DomainId).zip(&game.model().domains);
        let (hue, _) = domains.find(|(_, domain)| domain.name == "hue").unwrap();
        let (icon, colour) = sign_of_value(game.model(), hue, 0).unwrap();
        let wanted = [
            word("Pay"),
            word("2"),
            CardTextPart::Picture(Icon::Coin, None),
            word(","),
            word("or"),
            word("a"),
            CardTextPart::Picture(icon, colour),
            word("card"),
            word("of"),
            word("last"),
            word("turn"),
            word("."),
        ];
        assert_eq!(parts, wanted);
    }

    #[test]
    fn fields_have_their_signs() {
        let game = load_text("test", MARKET, &Request::default()).unwrap().game;
        let word = |word: &str| CardTextPart::Word(word.to_owned());
        let line = read_field_line(game.model(), "coin 3");
        assert_eq!(line, [word("3"), CardTextPart::Picture(Icon::Coin, None)]);
        assert_eq!(read_field_line(game.model(), "cost 3"), [word("cost"), word("3")]);
        let two = read_field_line(game.model(), "red, blue");
        assert!(matches!(
            &two[..],
            [CardTextPart::Picture(_, Some(Colour::Red)), _, CardTextPart::Picture(..), _]
        ));
    }
}
