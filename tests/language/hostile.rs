//! Rules made to hang the program or to exhaust the memory. Each ends with a message, or is played. A failing
//! test here may hang.

#![allow(clippy::unwrap_used, reason = "a helper of tests")]

use std::fmt::Write;

use crate::extent;
use crate::whole_way::whole_way;
use houserule::loader::{Request, load_text};

/// Returns the message about a text that isn't a valid game.
fn refused(text: &str) -> String {
    match load_text("test.rules", text, &Request::default()) {
        Ok(_) => panic!("this is too much to load"),
        Err(error) => error.to_string(),
    }
}

/// Returns the state after the first action, or the error of the start.
fn first_move(text: &str) -> String {
    let loaded = load_text("test.rules", text, &Request::default()).unwrap();
    let mut state = match loaded.game.start(1, 0) {
        Ok(state) => state,
        Err(error) => return error.to_string(),
    };
    let action = state.random_action().unwrap();
    state.apply(action).map_or_else(|error| error.to_string(), |()| "goes on".to_owned())
}

/// `count` lines, one for each number.
fn lines(count: u32, line: impl Fn(u32) -> String) -> String {
    (0..count).fold(String::new(), |mut all, n| {
        let _ = writeln!(all, "{}", line(n));
        all
    })
}

#[test]
fn what_was_found_walks_the_whole_way() {
    let mut walked = 0;
    for entry in std::fs::read_dir("tests/fuzzed").unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        assert!(whole_way(&text, 1).is_some(), "this was a game:\n{text}");
        walked += 1;
    }
    assert!(walked > 0);
}

#[test]
fn loops_within_loops_end_with_a_message() {
    for name in ["nested-quantifiers", "rolls-forever", "reach-in-loops"] {
        let text = std::fs::read_to_string(format!("tests/fuzzed/{name}.rules")).unwrap();
        let message = first_move(&text);
        assert!(message.contains("a million iterations"), "{name}: {message}");
    }
}

#[test]
fn a_define_that_doubles_is_too_large() {
    let doubling = lines(40, |n| format!("define f{} = f{n} + f{n}", n + 1));
    let text = format!(
        "game \"Doubling\" {{ players 2 var x: 0..9 = 0 define f0 = x\n{doubling}\
         turn {{ choose {{ go {{ x = 1 }} }} }} end when f40 > 3: draw }}"
    );
    assert!(refused(&text).contains("too large"), "{}", refused(&text));
}

#[test]
fn scores_of_more_words_than_a_game_has_are_too_large() {
    let items = lines(4600, |n| format!("s{n}: x + {n},"));
    let text = format!(
        "game \"Items\" {{ players 16 var x: 0..9 = 0 turn {{ choose {{ go {{ x = 1 }} }} }} \
         end when x == 1 score {{ {items} }} winner most(score) }}"
    );
    assert!(refused(&text).contains("words of state"), "{}", refused(&text));
}

#[test]
fn a_long_table_in_many_places_is_too_large() {
    let table = (1..2400).map(|n| format!("{n}: {n}")).collect::<Vec<_>>().join(", ");
    let items = lines(5000, |n| format!("s{n}: lines(mark[me], points),"));
    let text = format!(
        "game \"Points\" {{ param points: table = [{table}] players 2 board cell = grid(6, 6) \
         piece mark[player] on cell turn {{ choose {{ put_one c in empty {{ put mark[me] at c }} }} }} \
         end when empty is nothing score {{ {items} }} winner most(score) }}"
    );
    assert!(refused(&text).contains("too large"), "{}", refused(&text));
}

#[test]
fn many_ends_after_many_steps_are_too_large() {
    let steps = lines(3000, |n| format!("step s{n} {{ x = {} }}", n % 7));
    let ends = lines(3000, |n| format!("end at once when x == {}: draw", 8 + n % 2));
    let text = format!(
        "game \"Ends\" {{ players 2 var x: 0..9 = 0 turn {{ choose {{ go {{ x = 2 }} }} {steps} }} {ends} }}"
    );
    assert!(refused(&text).contains("too large"), "{}", refused(&text));
}

#[test]
fn many_locals_are_played() {
    let locals = lines(extent::tries(5_000, 20_000), |n| format!("let a{n} = x"));
    let text = format!(
        "game \"Locals\" {{ players 2 var x: 0..9 = 0 turn {{ {locals} choose {{ go {{ x = 1 }} }} }} limit 5 }}"
    );
    assert_eq!(whole_way(&text, 1), Some(5));
}

#[test]
fn long_names_are_not_compared_letter_by_letter() {
    let name = "a".repeat(200_000);
    let text = format!(
        "game \"Names\" {{ players 2 var {name}: 0..9 = 0 turn {{ choose {{ go {{ {name}b = 1 }} }} }} }}"
    );
    assert!(refused(&text).contains("nothing is called"));
}
