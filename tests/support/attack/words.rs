//! What is written about rules: the text for players, and what a variant changes.

use super::Seen;
use houserule::game::Game;
use houserule::loader::load_base_game;
use houserule::prose::diff::diff;
use houserule::prose::{full_rules, rules};

/// Maximum length of a text, in bytes.
const LONGEST: usize = 1 << 21;

/// Reads the texts of a game and of its variant.
pub(super) fn attack(game: &Game, variant: &Game, seen: &mut Seen) {
    for of in [game, variant] {
        for columns in [40, 100] {
            readable(&rules(of, columns));
        }
        finite(&full_rules(of, 80));
    }
    let changes = diff(game, variant);
    for (old, new) in [(game, variant), (variant, game)] {
        for change in diff(old, new) {
            let text = change.text();
            assert!(!text.trim().is_empty(), "an empty difference");
            finite(&text);
        }
    }
    if !changes.is_empty() {
        seen.note("differences");
    }
    for of in [game, variant] {
        assert_eq!(diff(of, of).len(), 0, "a game doesn't differ from itself");
    }
    let base =
        load_base_game(variant).unwrap_or_else(|| panic!("no base game of {:?}", variant.sheet().names));
    let from_base: Vec<String> = diff(&base, variant).iter().map(|change| change.text()).collect();
    let from_game: Vec<String> = changes.iter().map(|change| change.text()).collect();
    assert_eq!(from_base, from_game, "the base game of the variant is the game");
}

fn finite(text: &str) {
    assert!(text.len() < LONGEST, "a text of {} bytes", text.len());
}

/// Asserts that a text has sentences, and none without words.
fn readable(text: &str) {
    finite(text);
    assert!(text.len() > 20, "no text: {text}");
    for line in text.lines() {
        let is_rule = line.chars().all(|c| c == '=' || c == '-');
        assert!(
            is_rule || line.trim().is_empty() || line.chars().any(char::is_alphanumeric),
            "a line without a word: {line}\n{text}"
        );
    }
    for hole in [" .", " ,", "..  ", ". .", ",,", ": .", "  .", "()", "“”"] {
        // A range is written with two dots.
        let found = text.match_indices(hole).find(|(at, _)| !text[*at..].starts_with(" .."));
        assert!(found.is_none(), "`{hole}` in\n{text}");
    }
}
