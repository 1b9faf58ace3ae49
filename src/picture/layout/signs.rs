//! Short names of cards and other elements, for text.

use super::faces::card_words;
use houserule_base::names::plain;
use houserule_model::{DomainId, DomainKind, Model};

/// Returns the shortest name of an element that people read: with the letters of its suit or those that the rules give, `♠A` or
/// `B7`, or its name in words, `yellow 6`.
pub fn card_sign(model: &Model, domain: DomainId, element: u32) -> String {
    sign_in_words(model, domain, element, &model.element_sign(domain, element))
}

/// Returns a name of an element as people read it. A name with letters of the rules stays as it is.
pub fn sign_in_words(model: &Model, domain: DomainId, element: u32, given: &str) -> String {
    let is_number = given.chars().all(|c| c.is_ascii_digit() || c == '-');
    if is_number || given != model.element_name(domain, element) {
        return plain(given);
    }
    // Links have the names of their ends.
    if matches!(model.domains[domain.index()].kind, DomainKind::Sites(_)) {
        return given.replace('_', "–");
    }
    card_words(model, domain, element)
}

/// Returns the name of each member of a family in words: `hand player 1`.
pub fn family_signs(model: &Model, name: &str, index: &[DomainId]) -> Vec<String> {
    let mut all = vec![plain(name)];
    for (at, domain) in index.iter().enumerate() {
        let size = model.domains[domain.index()].size;
        let between = if at == 0 { " " } else { ", " };
        let with_each = |name: &String| -> Vec<String> {
            (0..size)
                .map(|element| format!("{name}{between}{}", card_sign(model, *domain, element)))
                .collect()
        };
        all = all.iter().flat_map(with_each).collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_game::Game;
    use houserule_loader::{Request, load, load_text};

    fn sign(game: &Game, domain: &str, name: &str) -> String {
        let model = game.model();
        let mut domains = (0..).map(DomainId).zip(&model.domains);
        let (id, of) = domains.find(|(_, of)| of.name == domain).unwrap();
        let element = (0..of.size).find(|element| model.element_name(id, *element) == name);
        card_sign(model, id, element.unwrap_or_else(|| panic!("no {domain} is called {name}")))
    }

    #[test]
    fn short_names_have_no_identifiers() {
        let cases = [
            ("hearts", "card", "spades-ten", "♠T"),
            ("klondike", "card", "13-spades", "K♠"),
            ("cribbage", "card", "jack-spades", "♠J"),
            ("cribbage", "card", "ten-hearts", "♥10"),
            ("dominoes", "tile", "4-6", "4-6"),
            ("blackjack", "rank", "ace", "ace"),
        ];
        for (game, of, name, short) in cases {
            let game = load(&Request { name: game, ..Request::default() }).unwrap().game;
            assert_eq!(sign(&game, of, name), short, "{name}");
        }
        let rules = "game \"Signs\" { players 1 enum hue { red, blue } domain card { hue: hue, rank: 1..3 }
              zone pile of card zone box of card
              turn { choose { take c in pile { move c to box } } } end over when pile is nothing: draw }";
        let game = load_text("signs", rules, &Request::default()).unwrap().game;
        assert_eq!(sign(&game, "card", "red-2"), "red 2");
    }
}
