//! Sets of various ranges: locals of every range, sets of one range inside another, and numbers known only in
//! play. In both executors.

use crate::agree::{Came, agree};
use crate::checked::check_text;
use houserule::check::CheckOptions;
use houserule::game::random_games::{UsageCounts, play_random};
use houserule::game::{Game, Identity};

fn rules(decls: &str, body: &str) -> String {
    format!(
        "game \"Sets\" {{
           players 1
           board cell = grid(3, 3)
           piece mark
           enum colour {{ red, green }}
           domain pit = 2..4
           dice pair: 2 of d6
           var small: set of 1..6 = {{1, 2, 5}}
           var wide: set of 0..9 = {{0, 5, 9}}
           var n: -99..99 = 0
           {decls}
           turn {{ step go {{ choose {{ go {{ {body} }} }} }} }}
           end over when turns[me] == 2
           score {{ n: n }}
         }}"
    )
}

/// Returns `n` after two turns, or `None` if the game fails.
fn comes_to(decls: &str, body: &str) -> Option<i64> {
    let (checked, shown) = check_text(&rules(decls, body), &CheckOptions::default());
    let model = checked.model.unwrap_or_else(|| panic!("{body}\n{shown}"));
    let game = Game::new(model, Identity::default()).expect("it compiles");
    let came = agree(&game, 3, 0, u32::MAX);
    let mut found = None;
    let mut finished = |game: houserule::game::random_games::Finished<'_>| found = Some(game.scores[0]);
    play_random(&game, 3, 0..1, &mut UsageCounts::default(), &mut finished, &mut |_, _| {});
    assert_eq!(came == Came::Over, found.is_some(), "{body}");
    found
}

fn refused(decls: &str, body: &str, code: &str) {
    let (checked, shown) = check_text(&rules(decls, body), &CheckOptions::default());
    assert!(checked.diagnostics.iter().any(|d| d.code.as_str() == code), "{body}\n{shown}");
}

#[test]
fn a_let_holds_what_all_of_its_uses_give_it() {
    for (body, n) in [
        ("let s = {2}  s = small  n = count(s)", 3),
        ("let s = {2}  s = wide  n = sum k in s: k", 14),
        ("let s = {2}  if n == 0 { s = small } else { s = wide }  n = n + count(s)", 6),
        ("let s = {3}  for k in wide { s = s | {k} }  n = sum k in s: k", 17),
        ("let s = {3}  let i = 0  while i < 3 { i += 1  s = s | {7, 8} }  n = sum k in s: k", 18),
        ("let s = {1}  let t = s  t = {9}  s = t  n = sum k in s: k", 9),
        ("let s = 1..3  s = s | (5..6)  n = count(s)", 5),
        ("let s = {}  s = wide  n = count(s)", 3),
        ("let s = {}  s = s | {4}  s = s | {8}  n = sum k in s: k", 12),
        ("let s = {}  s = corners  s = s | {@b2}  n = count(s)", 5),
        ("let s = {}  for c in colour { s = s | {c} }  n = count(s)", 2),
        ("let s = {2}  roll pair  s = {pair[1], 9}  n = max k in s: k", 9),
        ("let s = {2}  let t = {1}  s = { k in wide where k > 4 }  t = union k in s: {k}  n = count(t)", 2),
    ] {
        assert_eq!(comes_to("", body), Some(n), "{body}");
    }
    // A procedure needs a range for all of its calls.
    let procedure = "procedure add(more) { let s = {1}  s = s | more  n = count(s) }";
    assert_eq!(comes_to(procedure, "add(small)  add(wide)"), Some(4));
}

#[test]
fn a_type_can_be_written() {
    for (body, n) in [
        ("let s: set of 0..9 = {}  for k in 3..9 { s = s | {k} }  n = count(s)", 7),
        ("let s: set of cell = {}  s = s | {@a1}  n = count(s)", 1),
        ("let s: set of pit = pit  n = count(s)", 3),
        ("let c: cell? = none  if n == 0 { c = @b3 }  if c is some { n += row(c) }", 3),
        ("let c: colour = green  if c == green { n = 4 }", 4),
        ("let w: left | right = left  w = right  if w == right { n = 2 }", 2),
        ("let x: 0..9 = 3  x += 6  n = x", 9),
        ("let b: bool = n == 0  if b { n = 6 }", 6),
        ("let i: int = 7000000  n = i / 1000000", 7),
        ("let k: 1..6? = none  k = 4  if k is some { n = k }", 4),
    ] {
        assert_eq!(comes_to("", body), Some(n), "{body}");
    }
    // A number out of range ends the game, as it does for variables.
    for body in ["let x: 0..9 = 3  x += 7  n = x", "let x: 0..9 = n - 1  n = x", "let x: 0..9 = 9  x = x * 2"]
    {
        assert_eq!(comes_to("", body), None, "{body}");
    }
    refused("", "let x: 0..9 = 12", "out-of-range");
    refused("", "let s: set of 1..6 = {7}", "out-of-range");
    refused("", "let c: cell = lowest(empty)", "may-be-none");
    refused("", "let s = {}", "unknown-domain");
}

#[test]
fn what_can_not_fit_is_an_error_of_the_rules() {
    for body in [
        "small = wide",
        "small = small | wide",
        "small = { k in 0..9 where k > n }",
        "let s: set of 1..6 = wide",
        "roll pair among wide",
        "small = if n == 0 then small else wide",
        "small = union k in wide: {k}",
    ] {
        refused("", body, "set-does-not-fit");
    }
    refused("", "small = small | {7}", "out-of-range");
    refused("", "small = 0..9", "out-of-range");
    refused("define every = wide", "small = every", "set-does-not-fit");
    refused("zone stock of pit  zone hand of pit", "move wide to hand", "set-does-not-fit");
}

#[test]
fn what_fits_is_kept_and_what_is_cut_says_so() {
    for (body, n) in [
        ("small = wide & (1..6)  n = sum k in small: k", 5),
        ("small = small - wide  n = sum k in small: k", 3),
        ("wide = small | wide  n = count(wide)", 5),
        ("wide = small  n = sum k in wide: k", 8),
        ("n = count(small | wide)", 5),
        ("n = count(wide | small)", 5),
        ("n = count(pit | {7})", 4),
        ("n = count({7} | pit | small)", 6),
        ("n = count(if n == 0 then pit else wide)", 3),
    ] {
        assert_eq!(comes_to("", body), Some(n), "{body}");
    }
}

#[test]
fn sets_of_two_ranges_are_compared_whole() {
    for (body, n) in [
        ("if wide in small { n = 1 } else { n = 2 }", 2),
        ("if wide == small { n = 1 } else { n = 2 }", 2),
        ("if small == wide & (1..6) { n = 1 } else { n = 2 }", 2),
        ("let k = n + 7  if {k} in small { n = 1 } else { n = 2 }", 2),
        ("let k = 2  if {k, 5} in small { n = 1 } else { n = 2 }", 1),
        ("if {1, 5} in small { n = 1 } else { n = 2 }", 1),
        ("if 0..9 in small { n = 1 } else { n = 2 }", 2),
        ("let k = n + 7  if small - (1..6) == {k} { n = 1 } else { n = 2 }", 2),
        ("let k = count(small) - 2  if small & (1..1) == {k} { n = 1 } else { n = 2 }", 1),
    ] {
        assert_eq!(comes_to("", body), Some(n), "{body}");
    }
}

#[test]
fn a_number_that_does_not_fit_ends_the_game() {
    for (body, n) in [
        ("let k = n + 6  small = small | {k}  n = 0", Some(0)),
        ("let k = n + 7  small = small | {k}", None),
        ("for k in wide { small = small | {k} }", None),
        ("for k in wide { if k in 1..6 { small = small | {k} } }  n = count(small)", Some(3)),
        ("let k = n + 7  small = {k}", None),
        ("let k = n + 7  small = small - {k}  n = 0", Some(0)),
        ("let k = n + 7  if small & {k} is nothing { n = 0 }", Some(0)),
        ("let k = n + 7  let s: set of 1..6 = {k}", None),
    ] {
        assert_eq!(comes_to("", body), n, "{body}");
    }
}

#[test]
fn a_let_keeps_its_type_from_decision_to_decision() {
    let decls = "var last: set of 0..9 = {}";
    let body = "let s = {2}  choose more { take k in wide { s = s | {k} } }  last = s  n = count(last)";
    assert_eq!(comes_to(decls, body), Some(2));
}
