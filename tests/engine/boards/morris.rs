//! Nine Men's Morris, in hand-made positions.

use super::{bundled, end, play, sites_of, winners};
use crate::states::{legal, position};
use houserule::game::{Seat, State};

/// Returns a position of men, with additional lines.
fn men(rows: [&str; 7], more: &str) -> State {
    position(&bundled("nine-mens-morris", &[]), &format!("{}\n{more}", rows.join("\n")))
}

/// All men are placed.
const PLACED: &str = "in_hand = 0 0";

/// Returns the points to which a man may move.
fn from(state: &State, point: &str) -> String {
    let names = legal(state);
    let to =
        names.iter().filter_map(|name| name.strip_prefix("slide ")?.strip_prefix(point)?.strip_prefix(' '));
    to.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_mill_takes_a_man_while_men_are_placed() {
    let rows = [
        ".-----------.-----------.",
        "  .-------b-------.",
        "    .---.---.",
        ". . .   . . .",
        "    . . .",
        "  b . .",
        "w w .",
    ];
    let mut state = men(rows, "in_hand = 7 7\nmover = white");
    assert_eq!(legal(&state).len(), 20);
    assert!(sites_of(&state, "place").contains("g1") && sites_of(&state, "slide").is_empty());
    // Two in a line are no mill.
    let mut quiet = state.clone();
    play(&mut quiet, &["place a4"]);
    assert_eq!(quiet.current_player(), Some(Seat(1)));
    play(&mut state, &["place g1"]);
    assert_eq!(state.current_player(), Some(Seat(0)));
    assert_eq!(legal(&state), ["take b2", "take d6"]);
    play(&mut state, &["take d6"]);
    assert_eq!(state.current_player(), Some(Seat(1)));
    assert!(state.position().contains("in_hand = 6 7"), "{}", state.position());
    assert!(sites_of(&state, "place").contains("d6"));
}

#[test]
fn a_man_in_a_mill_is_safe_unless_all_are() {
    let rows = ["b . .", ". . .", ". . .", ". . . . . .", ". . .", "b b b", "w w ."];
    let mut state = men(rows, "in_hand = 6 5\nmover = white");
    play(&mut state, &["place g1"]);
    assert_eq!(legal(&state), ["take a7"]);
    let rows = [". . .", ". . .", ". . .", ". . . . . .", ". . .", "b b b", "w w ."];
    let mut state = men(rows, "in_hand = 6 5\nmover = white");
    play(&mut state, &["place g1"]);
    assert_eq!(legal(&state), ["take b2", "take d2", "take f2"]);
}

#[test]
fn a_mill_that_is_opened_may_be_closed_again() {
    let rows = [". . .", "b . b", ". b .", ". . . b . .", "b . .", ". . .", "w w w"];
    let mut state = men(rows, &format!("{PLACED}\nmover = white"));
    play(&mut state, &["slide g1 g4", "slide b6 d6"]);
    assert_eq!(state.current_player(), Some(Seat(0)));
    play(&mut state, &["slide g4 g1"]);
    assert_eq!(sites_of(&state, "take"), "c3 e4 d5 d6 f6");
}

#[test]
fn one_move_takes_one_man_and_a_double_mill_takes_one_with_each() {
    // Two mills at once.
    let rows = [". . w", "b . b", ". b .", ". . . . . w", ". . .", ". . .", "w w ."];
    let mut state = men(rows, "in_hand = 5 6\nmover = white");
    play(&mut state, &["place g1"]);
    assert_eq!(sites_of(&state, "take"), "d5 b6 f6");
    play(&mut state, &["take d5"]);
    assert_eq!(state.current_player(), Some(Seat(1)));
    // One man moves back and forth, and closes a mill with each move.
    let rows = ["w w w", "w . w", ". . .", ". . . . . .", "b b .", ". . b", "b . b"];
    let mut state = men(rows, &format!("{PLACED}\nmover = white"));
    let blacks = ["slide g1 g4", "slide g4 g1"];
    for (there, back) in [("slide d7 d6", "slide d6 d7"), ("slide d6 d7", "")] {
        play(&mut state, &[there]);
        assert_eq!(
            legal(&state).iter().filter(|name| name.starts_with("take ")).count(),
            legal(&state).len()
        );
        let taken = if back.is_empty() { "take f2" } else { "take a1" };
        play(&mut state, &[taken]);
        if !back.is_empty() {
            play(&mut state, &[blacks[0]]);
        }
    }
    assert!(state.position().contains("1 .-----------.-----------."), "{}", state.position());
}

#[test]
fn men_slide_along_lines_and_three_fly() {
    let rows = [". . .", "b . b", ". b .", "w . . b . .", ". . .", "w . w", "w . ."];
    let state = men(rows, &format!("{PLACED}\nmover = white"));
    // With four men, to the next point.
    assert_eq!(from(&state, "a1"), "d1");
    assert_eq!(from(&state, "a4"), "b4 a7");
    assert_eq!(from(&state, "b2"), "d2 b4");
    let rows = [". . .", "b . b", ". b .", "w . . b . .", ". . .", ". . w", "w . ."];
    let mut state = men(rows, &format!("{PLACED}\nmover = white"));
    assert_eq!(from(&state, "a1").split(' ').count(), 24 - 7);
    assert_eq!(legal(&state).len(), 3 * 17);
    play(&mut state, &["slide f2 a7"]);
    assert_eq!(sites_of(&state, "take"), "e4 d5 b6 f6");
    play(&mut state, &["take b6"]);
    // Black has three men as well.
    assert_eq!(from(&state, "d5").split(' ').count(), 24 - 6);
    // While men are left to place, no man moves.
    let state = men(rows, "in_hand = 1 0\nmover = white");
    assert!(sites_of(&state, "slide").is_empty());
    let game = bundled("nine-mens-morris-no-flying", &[]);
    let state = position(&game, &format!("{}\n{PLACED}\nmover = white", rows.join("\n")));
    assert_eq!(from(&state, "a1"), "d1");
}

#[test]
fn who_can_not_move_has_lost() {
    let rows = [". . .", ". . .", ". . .", "w . . . . w", "w . .", "w b w", "b b b"];
    let mut state = men(rows, &format!("{PLACED}\nmover = white"));
    let mut open = state.clone();
    play(&mut state, &["slide c3 d3"]);
    assert_eq!((end(&state), winners(&state)), ("blocked".into(), vec![true, false]));
    play(&mut open, &["slide c3 c4"]);
    assert_eq!(legal(&open), ["slide d2 d3"]);
    // Three men fly, so they can't be blocked.
    let rows = [". . .", ". . .", ". . .", "w . . . . w", "w . .", ". w .", "b b b"];
    let mut state = men(rows, &format!("{PLACED}\nmover = white"));
    play(&mut state, &["slide c3 c4"]);
    assert!(!state.is_over());
}

#[test]
fn who_has_two_men_left_has_lost() {
    let rows = [". . .", "b . .", ". b .", "w . . b . .", ". . .", ". . w", "w . ."];
    let mut state = men(rows, &format!("{PLACED}\nmover = white"));
    play(&mut state, &["slide f2 a7"]);
    assert!(!state.is_over());
    play(&mut state, &["take b6"]);
    assert_eq!((end(&state), winners(&state)), ("men".into(), vec![true, false]));
    // Men that are not placed yet count.
    let mut state = men(rows, "in_hand = 1 1\nmover = white");
    play(&mut state, &["place a7", "take b6"]);
    assert!(!state.is_over());
    assert_eq!(state.current_player(), Some(Seat(1)));
}

#[test]
fn a_hundred_quiet_turns_are_a_draw() {
    let rows = [". . .", "b . b", ". b .", "w . . b . .", ". . .", "w . w", "w . ."];
    let mut state = men(rows, &format!("{PLACED}\nquiet = 98\nmover = white"));
    play(&mut state, &["slide f2 f4"]);
    assert!(!state.is_over());
    play(&mut state, &["slide e4 e3"]);
    assert_eq!((end(&state), winners(&state)), ("quiet".into(), vec![true, true]));
    // Capturing a man resets the count.
    let mut state = men(rows, &format!("{PLACED}\nquiet = 99\nmover = white"));
    play(&mut state, &["slide a4 a7"]);
    assert!(state.is_over());
    let rows = ["w . .", "b . b", ". b .", ". w . b . .", ". . .", ". . w", "w . ."];
    let mut state = men(rows, &format!("{PLACED}\nquiet = 99\nmover = white"));
    play(&mut state, &["slide b4 a4", "take d5"]);
    assert!(!state.is_over() && !state.position().contains("quiet"), "{}", state.position());
}
