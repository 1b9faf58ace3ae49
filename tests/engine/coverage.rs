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
