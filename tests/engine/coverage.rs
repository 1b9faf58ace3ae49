//! What random games of `houserule check` reach and find.

#![allow(clippy::unwrap_used)]

use crate::extent;
use houserule::coverage::{try_rules, try_rules_within};
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
fn found(code: Code, rules: &str) -> (String, Vec<String>) {
    let game = load_text("stuck", rules, &Request::default()).unwrap().game;
    let tried = try_rules(&game, 1, &|_| {});
    let [found] = tried.diagnostics.as_slice() else { panic!("{tried:?}") };
    assert_eq!(found.code, code);
    (found.message.clone(), found.notes.clone())
}

#[test]
fn turns_without_a_legal_action_are_no_loop() {
    let (message, notes) = found(
        Code::EndlessLoop,
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
        Code::LimitWork,
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

#[test]
fn a_condition_that_looks_at_too_much_is_no_endless_game() {
    let (message, _) = found(
        Code::LimitWork,
        "game \"Melds\" { players 1 board cell = grid(8, 8) piece mark[player]
           setup { put mark[player 1] at cell - row(1) }
           define split(S, n) = S is nothing or (if n == 0 then false else
             any k subset of S where count(k) in 3..4 and longest(k) == 2: split(S - k, n - 1))
           turn { choose { out c in mark[me] where split(mark[me] - c, 3) { clear c }  drop c in mark[me] { clear c } } }
           end over when mark[me] is nothing }",
    );
    assert_eq!(message, "the condition of the option `out` looks at too much for one decision");
}

/// Returns the message of the error that ends the first random game, the texts at its places, and the note on turns.
fn endless(rules: &str) -> (String, Vec<String>, String) {
    let game = load_text("endless", rules, &Request::default()).unwrap().game;
    let tried = try_rules(&game, 1, &|_| {});
    let [found] = tried.diagnostics.as_slice() else { panic!("{tried:?}") };
    assert_eq!(found.code, Code::EndlessLoop);
    let places = found.secondary.iter().chain([&found.primary]);
    let texts = places.map(|label| rules[label.span.start as usize..label.span.end as usize].to_owned());
    (found.message.clone(), texts.collect(), found.notes.first().cloned().unwrap_or_default())
}

#[test]
fn turns_that_pass_without_a_decision_and_without_an_end_are_told() {
    let passing = "the game goes on for ever: turns pass without a decision and without an end";
    // The budget runs out between two turns.
    let (message, texts, notes) = endless(
        "game \"Rolling\" { players 1 dice die: 1 of d6
           turn { step roll { roll die } } end seven when die == 7 }",
    );
    assert_eq!(message, passing);
    assert_eq!(texts, ["die == 7", "step roll { roll die }"]);
    assert!(notes.contains(" turns and 0 decisions"), "{notes}");
    // The budget runs out at an expression of a turn, and turns have taken most of it.
    let (message, texts, _) = endless(
        "game \"Reaching\" { players 2 board cell = grid(3, 3) piece mark[player] var n: 0..9 = 0
           turn {
             step move { choose { place c in empty { put mark[me] at c } otherwise { } } }
             step score { if count(reach(mark[me], mark[other])) > 9 { n = 9 } }
           }
           end nine when n == 9 score { n: n } }",
    );
    assert_eq!(message, passing);
    assert!(texts[1].starts_with("step move"), "{texts:?}");
}

#[test]
fn rounds_that_pass_without_an_end_are_told() {
    let (message, ..) = endless(
        "game \"Rounds\" { players 2 dice die: 1 of d6
           round { roll die } end seven when die == 7 score { n: 0 } }",
    );
    assert_eq!(message, "the game goes on for ever: rounds pass without a decision and without an end");
}

#[test]
fn a_loop_in_a_few_turns_is_still_blamed() {
    let (message, ..) = endless(
        "game \"Loop\" { players 1 var n: 0..9 = 0
           turn { choose { go { } } while n < 5 { let k = n } } end over when n == 9 }",
    );
    assert!(message.starts_with("this loop never ends"), "{message}");
}

/// What the first game of a match leaves allows two options, an end and an item of the score of the games after it.
const TWICE: &str = "game \"Twice\" {
  players 2
  var n: 0..9 = 0
  var held[player]: 0..9 = 0 match
  var paid: 0..1 = 0
  setup { for p in players { if held[p] > 0 { as p { choose pay { pay { paid = 1 } keep { } } } } } }
  turn { choose { go { n += 1 } } if n == 3 { held[me] = 1 } }
  end done when n == 3 and paid == 0: win me
  end rich when n == 3: win me
  score { n: n  bonus: paid }
  match { games: 3, total: sum }
}
";

#[test]
fn later_games_of_a_match_count_as_well() {
    let game = load_text("twice", TWICE, &Request::default()).unwrap().game;
    let tried = try_rules(&game, 200, &|_| {});
    assert!(tried.diagnostics.is_empty() && tried.games == 200, "{tried:?}");
    for rule in ["option `pay`", "option `keep`", "end `rich`", "score item `bonus`"] {
        assert!(tried.in_later_games.contains(rule), "{rule}: {tried:?}");
    }
    let never = TWICE.replace("keep { }", "keep { } no where n > 3 { }");
    let game = load_text("never", &never, &Request::default()).unwrap().game;
    let tried = try_rules(&game, 40, &|_| {});
    let [found] = tried.diagnostics.as_slice() else { panic!("{tried:?}") };
    let games = "option `no` was taken by nobody in 40 random games and 12 games of matches";
    assert_eq!(found.message, games);
}

#[test]
fn an_error_in_a_later_game_of_a_match_is_found() {
    let wrong = TWICE.replace("paid = 1", "paid = 2 * game_number");
    let game = load_text("wrong", &wrong, &Request::default()).unwrap().game;
    let tried = try_rules(&game, 200, &|_| {});
    let [found] = tried.diagnostics.as_slice() else { panic!("{tried:?}") };
    assert!(found.notes.iter().any(|note| note.contains("in a match of random players")), "{found:?}");
}

/// A game of many decisions, with a branch and an option that no game reaches.
const LONG: &str = "game \"Long\" { players 1 var n: 0..9 = 0 limit 1000000
  turn { choose { go { } never where n == 9 { n = 0 } } if n > 8 { n = 1 } else { n = 0 } }
  end over when turns[me] == 100000 }";

#[test]
fn long_games_end_the_check_with_what_they_did_not_reach() {
    let (turns, seconds) = extent::tries(("10000", 0.8), ("100000", 4.0));
    let long = LONG.replace("100000 }", &format!("{turns} }}"));
    let game = load_text("long", &long, &Request::default()).unwrap().game;
    let tried = try_rules_within(&game, 10_000_000, seconds, &|_| {});
    assert!(tried.cut_short && tried.diagnostics.is_empty(), "{tried:?}");
    assert!((1..10_000_000).contains(&tried.games), "{tried:?}");
    let places: Vec<_> =
        tried.unreached.iter().map(|one| (&*one.what, &long[one.span.start as usize..])).collect();
    assert_eq!(places.len(), 2, "{tried:?}");
    assert!(places[0].0 == "option `never`" && places[0].1.starts_with("never where"), "{places:?}");
    assert!(places[1].0 == "a branch" && places[1].1.starts_with("{ n = 1 }"), "{places:?}");
}

#[test]
fn long_games_that_are_fast_to_play_are_all_played() {
    let game = load_text("long", &LONG.replace("100000", "2000"), &Request::default()).unwrap().game;
    let tried = try_rules(&game, 40, &|_| {});
    assert!((tried.games, tried.cut_short) == (40, false), "{tried:?}");
    let codes: Vec<_> = tried.diagnostics.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, [Code::OptionNeverTaken, Code::BranchNeverEntered]);
    assert!(tried.diagnostics[0].message.ends_with("by nobody in 40 random games"), "{tried:?}");
}

#[test]
fn time_ends_the_check_also_within_a_game() {
    let game = load_text("long", LONG, &Request::default()).unwrap().game;
    let tried = try_rules_within(&game, 1000, 0.0, &|_| {});
    assert!(tried.cut_short && tried.games == 0 && tried.diagnostics.is_empty(), "{tried:?}");
    let short = LONG.replace("100000", "2");
    let game = load_text("short", &short, &Request::default()).unwrap().game;
    let tried = try_rules_within(&game, 1000, 0.0, &|_| {});
    assert!(tried.cut_short && tried.games < 1000 && !tried.unreached.is_empty(), "{tried:?}");
}
