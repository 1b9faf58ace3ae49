//! Visible information: text, the player to move, the last move, legal actions, the winner.

use super::{Theme, assert_sound, begun, bundled, drawn, go_on, in_part, play, texts, written};
use houserule::draw::svg::{PictureStyle, svg};
use houserule::game::Event;

fn light(state: &houserule::game::State) -> String {
    drawn(state, Theme::Light)
}

#[test]
fn text_is_shown_as_it_is_written() {
    let game = written(
        "game \"<script>&amp; 'R&B' ]]> ünïcödé 象棋\" {
          players 1
          board cell = grid(2, 2)
          piece dot
          turn { choose place { place c in empty { put dot at c } otherwise { end game } } }
          score { dots: count(dot) }
        }",
    );
    let picture = light(&begun(&game));
    assert_sound("text", &picture);
    assert!(texts(&picture).iter().any(|text| text == "<script>&amp; 'R&B' ]]> ünïcödé 象棋"), "{picture}");
    assert!(!picture.contains("<script>"));
}

#[test]
fn the_last_move_and_whose_turn_it_is_are_shown() {
    let mut state = begun(&bundled("tic-tac-toe"));
    let picture = light(&state);
    assert!(in_part(&picture, "last").is_empty() && in_part(&picture, "last-move").is_empty());
    assert!(texts(&picture).iter().any(|text| text == "X to put their mark on a free square"), "{picture}");
    assert!(!in_part(&picture, "turn").is_empty());
    play(&mut state, &["place b2"]);
    let picture = light(&state);
    assert_eq!(in_part(&picture, "last"), ["rect"]);
    let said = texts(&picture);
    assert!(said.iter().any(|text| text == "O to put their mark on a free square"), "{said:?}");
    assert!(said.iter().any(|text| text == "Last move: X placed a mark on b2"), "{said:?}");
}

#[test]
fn the_winner_and_the_line_are_shown() {
    let mut state = begun(&bundled("tic-tac-toe"));
    play(&mut state, &["place b2", "place a1", "place c3", "place a2", "place a3", "place b1"]);
    assert!(in_part(&light(&state), "won").is_empty() && in_part(&light(&state), "winner").is_empty());
    play(&mut state, &["place c1"]);
    let picture = light(&state);
    assert_eq!(in_part(&picture, "won"), ["path"; 2], "a line and its rim");
    assert_eq!(in_part(&picture, "winner"), ["path"]);
    assert!(in_part(&picture, "turn").is_empty());
    assert!(texts(&picture).iter().any(|text| text == "X wins · line"), "{picture}");
}

#[test]
fn all_that_the_last_turn_changed_is_marked() {
    // The squares that a man moved from and to.
    let mut state = begun(&bundled("breakthrough"));
    play(&mut state, &["straight c2"]);
    assert_eq!(in_part(&light(&state), "last").len(), 2);
    // The disc placed, and the discs turned over.
    let mut state = begun(&bundled("reversi"));
    play(&mut state, &["place d3"]);
    assert_eq!(in_part(&light(&state), "last").len(), 2);
    // A pass changes nothing on the board, but is shown.
    let mut state = begun(&bundled("go"));
    play(&mut state, &["play c3", "pass"]);
    let picture = light(&state);
    assert!(in_part(&picture, "last").is_empty());
    assert!(
        texts(&picture).iter().any(|text| text == "Last move: White left the board as it is"),
        "{picture}"
    );
    // Keeping the joker belongs to the same turn as the dot.
    let mut state = begun(&bundled("dilido"));
    state.apply_outcome(0).unwrap();
    play(&mut state, &["place a1", "pass"]);
    let picture = light(&state);
    assert_eq!(in_part(&picture, "last").len(), 1);
    assert!(
        texts(&picture).iter().any(|text| text == "Last move: placed a dot on a1, kept the jokers"),
        "{picture}"
    );
}

#[test]
fn a_position_has_no_last_move() {
    let game = bundled("tic-tac-toe");
    let state = game.position("X.O\n.X.\n...\nmover = O").unwrap_or_else(|errors| panic!("{errors:?}"));
    let picture = light(&state);
    assert!(in_part(&picture, "last").is_empty() && in_part(&picture, "last-move").is_empty());
    assert_eq!(in_part(&picture, "pieces").len(), 3);
}

#[test]
fn histories_are_played_again() {
    for name in crate::extent::bundled("histories", 8) {
        let game = bundled(name);
        let mut explicit = begun(&game);
        go_on(&mut explicit, 30);
        let mut drawn = game.start(3, 1).unwrap();
        for _ in 0..30 {
            let Some(action) = drawn.random_action() else { break };
            drawn.apply(action).unwrap();
        }
        for state in [explicit, drawn] {
            let mut seen: Vec<Event> = vec![];
            assert!(
                state.replay_history(&mut |before, event| {
                    assert_eq!(before.history(), &state.history()[..before.history().len()]);
                    seen.push(*event);
                }),
                "{name}"
            );
            assert_eq!(seen, state.history(), "{name}");
        }
        // A restored state begins in the middle, so its history doesn't lead to it.
        let mut first = begun(&game);
        let start = first.persistent().to_vec();
        go_on(&mut first, 3);
        let mut later = first.clone();
        later.restore(&start);
        go_on(&mut later, 1);
        assert!(later.replay_history(&mut |_, _| {}), "{name}");
        let here = first.persistent().to_vec();
        if first.is_over() || here == start {
            continue;
        }
        first.restore(&here);
        assert!(!first.replay_history(&mut |_, _| {}), "{name}");
    }
}

#[test]
fn what_may_be_done_is_marked_if_asked_for() {
    let mut state = begun(&bundled("reversi"));
    let marked = |state: &houserule::game::State, legal: bool| {
        in_part(&svg(state, &PictureStyle { legal, theme: Theme::Light, ..PictureStyle::default() }), "legal")
            .len()
    };
    assert_eq!((marked(&state, false), marked(&state, true)), (0, 4));
    play(&mut state, &["place d3"]);
    assert_eq!(marked(&state, true), state.legal_count());
    // If every line can be drawn, marks would say nothing.
    assert_eq!(marked(&begun(&bundled("dots-and-boxes")), true), 0);
}

#[test]
fn dice_have_pips_or_numbers() {
    // Nothing has been rolled yet. Then a five and a three are rolled.
    let mut state = begun(&bundled("dilido"));
    assert_eq!(in_part(&light(&state), "dice"), ["rect"; 2]);
    state.apply_outcome(4 * 6 + 2).unwrap();
    let shown = in_part(&light(&state), "dice");
    assert_eq!(shown.iter().filter(|element| *element == "circle").count(), 5 + 3);
    let mut state = begun(&bundled("dilido-8x8"));
    state.apply_outcome(6 * 8 + 7).unwrap();
    assert_eq!(in_part(&light(&state), "dice"), ["rect", "text", "rect", "text"]);
    let said = texts(&light(&state));
    assert!(["7", "8"].iter().all(|face| said.iter().filter(|text| text == face).count() >= 2), "{said:?}");
}

#[test]
fn lines_that_count_are_drawn() {
    let game = bundled("dilido");
    let sheet = |text: &str| game.position(text).unwrap_or_else(|errors| panic!("{errors:?}"));
    let none = sheet("......\n......\n......\n......\n......\ndd....");
    assert!(in_part(&light(&none), "lines").is_empty());
    let one = sheet("......\n......\n......\n......\n......\nddd...");
    assert_eq!(in_part(&light(&one), "lines"), ["path"]);
}

#[test]
fn sides_to_be_joined_are_drawn() {
    assert_eq!(in_part(&light(&begun(&bundled("hex"))), "borders"), ["path"; 4]);
}
