//! What random games of `houserule check` reach and find.

#![allow(clippy::unwrap_used)]

use houserule::coverage::try_rules;
use houserule::diagnostic::Code;
use houserule::loader::{Request, load_text};

/// A deliberate option, whose body and choices only players who take it reach.
fn rules(body: &str) -> String {
    format!(
        "game \"Deliberate\" {{ players 2 var n: 0..9 = 0
           turn {{ step act {{ choose {{ go {{ n += 1 }} deliberate offer where n < 2 {{ {body} }} }} }} }}
           end done when n == 3 score {{ n: n }} }}"
    )
}

#[test]
fn what_lies_behind_a_deliberate_option_is_reached() {
    let text = rules("choose answer { yes { n += 1 } no { } }");
    let game = load_text("deliberate", &text, &Request::default()).unwrap().game;
    let tried = try_rules(&game, 200, &|_| {});
    assert!(tried.diagnostics.is_empty() && !tried.cut_short, "{tried:?}");
}

#[test]
fn an_endless_loop_behind_a_deliberate_option_is_found() {
    let text = rules("while n < 2 { let k = n }");
    let game = load_text("deliberate", &text, &Request::default()).unwrap().game;
    let tried = try_rules(&game, 200, &|_| {});
    let [found] = tried.diagnostics.as_slice() else { panic!("{tried:?}") };
    assert_eq!(found.code, Code::EndlessLoop);
    assert!(found.notes.iter().any(|note| note.contains("`deliberate` options")), "{found:?}");
}

/// Returns the message and the note of the error that ends the first random game.
fn found(rules: &str) -> (String, Vec<String>) {
    let game = load_text("stuck", rules, &Request::default()).unwrap().game;
    let tried = try_rules(&game, 1, &|_| {});
    let [found] = tried.diagnostics.as_slice() else { panic!("{tried:?}") };
    assert_eq!(found.code, Code::EndlessLoop);
    (found.message.clone(), found.notes.clone())
}

#[test]
fn turns_without_a_legal_action_are_no_loop() {
    let (message, notes) = found(
        "game \"Full\" { players A, B board cell = grid(3, 3) piece mark[player]
           turn { choose { place c in empty where row(c) < 2 { put mark[me] at c } } }
           end full when empty is nothing: draw }",
    );
    assert!(message.contains("turns pass, and no player ever has a legal action here"), "{message}");
    assert!(notes[0].ends_with("turns were taken until the game was stopped"), "{notes:?}");
}

#[test]
fn a_choice_with_too_many_subsets_is_named_with_their_number() {
    let (message, notes) = found(
        "game \"Rows\" { players 1 board cell = grid(8, 8) piece mark[player]
           setup { put mark[player 1] at cell - row(1) }
           turn { while mark[me] is some { choose row {
               row k subset of mark[me] where count(k) == 5 and longest(k) == 5 { clear k }
               otherwise { end game } } } }
           end over when mark[me] is nothing }",
    );
    assert!(message.contains("the option `row` has too many combinations"), "{message}");
    assert_eq!(notes[0], "`k` may be any 5 of 56 elements: 3,819,816 sets");
}
