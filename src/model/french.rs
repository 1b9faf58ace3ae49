//! The cards of a French pack, known by the names of their suits and ranks, and how they are written: `♠K`.

use super::{DomainId, DomainKind, Field, Icon, Model};

/// What ranks are called, with the index on their cards.
const RANKS: [(&str, &str); 18] = [
    ("zero", "0"),
    ("one", "1"),
    ("ace", "A"),
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "10"),
    ("eleven", "11"),
    ("twelve", "12"),
    ("jack", "J"),
    ("knave", "J"),
    ("queen", "Q"),
    ("king", "K"),
];

/// Returns the character of the suit called `name`, in the singular or plural: `club`, `diamonds`.
pub fn suit_called(name: &str) -> Option<char> {
    match name.strip_suffix('s').unwrap_or(name) {
        "club" => Some('♣'),
        "diamond" => Some('♦'),
        "heart" => Some('♥'),
        "spade" => Some('♠'),
        _ => None,
    }
}

impl Model {
    /// Returns the character of a suit that a value is, by its letter, picture or name, if most values of its enum are suits.
    pub fn suit_character(&self, domain: DomainId, element: u32) -> Option<char> {
        let DomainKind::Enum(names) = &self.domains[domain.index()].kind else { return None };
        let find = |value: u32| {
            let look = self.element_look(domain, value);
            let own = look.picture.or_else(|| look.letter.and_then(Icon::in_character));
            let suit = own.and_then(Icon::suit_character);
            suit.or_else(|| suit_called(names.get(value as usize)?))
        };
        let known = (0..names.len() as u32).filter_map(find).count();
        if 2 * known > names.len() { find(element) } else { None }
    }

    /// Returns the index that a value has on cards if most values of its enum are called like ranks.
    pub fn rank_index(&self, domain: DomainId, element: u32) -> Option<&'static str> {
        let DomainKind::Enum(names) = &self.domains[domain.index()].kind else { return None };
        let find =
            |name: &String| RANKS.iter().find(|(own, _)| *own == name.as_str()).map(|(_, index)| *index);
        let known = names.iter().filter_map(find).count();
        if 2 * known > names.len() { find(names.get(element as usize)?) } else { None }
    }

    /// Returns a card of a French pack of which the rules give no letters, as players write it: `♠K`. Returns `None` for other
    /// elements.
    pub(super) fn french_sign(&self, fields: &[Field], record: u32) -> Option<String> {
        let [one, other] = fields else { return None };
        let suit = |field: &Field| {
            let (domain, value) = field.element(self, record)?;
            let is_bare = self.element_look(domain, value).letter.is_none();
            self.suit_character(domain, value).filter(|_| is_bare)
        };
        let (suit, rank) = suit(one).map(|suit| (suit, other)).or_else(|| Some((suit(other)?, one)))?;
        let index = match rank.element(self, record) {
            Some((domain, value)) if self.element_look(domain, value).letter.is_some() => return None,
            Some((domain, value)) if matches!(self.domains[domain.index()].kind, DomainKind::Enum(_)) => {
                self.rank_index(domain, value)?.to_owned()
            }
            _ => french_index(rank.value(record)?),
        };
        Some(format!("{suit}{index}"))
    }
}

/// Returns what a card of a French pack with a number shows in its corner: `A`, `2` to `10`, `J`, `Q`, `K`.
pub fn french_index(number: i64) -> String {
    match number {
        1 | 14 => "A".to_owned(),
        11 => "J".to_owned(),
        12 => "Q".to_owned(),
        13 => "K".to_owned(),
        number => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suits_have_names() {
        for (name, suit) in [("club", '♣'), ("diamond", '♦'), ("hearts", '♥')] {
            assert_eq!(suit_called(name), Some(suit), "{name}");
        }
        for name in ["star", "clubss", "s", ""] {
            assert_eq!(suit_called(name), None, "{name}");
        }
    }
}
