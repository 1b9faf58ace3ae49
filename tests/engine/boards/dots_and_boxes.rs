//! Dots and Boxes.

use super::{bundled, end, play, sites_of, winners};
use crate::states::{legal, position};
use houserule::game::Seat;

#[test]
fn a_closed_box_gives_another_turn() {
    let game = bundled("dots-and-boxes", &[("width", "2"), ("height", "2")]);
    let mut state = game.start(1, 0).unwrap();
    assert_eq!(legal(&state).len(), 12);
    play(&mut state, &["draw a1-south", "draw a1-north", "draw b2-north"]);
    assert_eq!(state.current_player(), Some(Seat(1)));
    play(&mut state, &["draw a1-west", "draw b1-west"]);
    // The second player had to draw a third side. The first player closes the box and moves again.
    assert_eq!(state.current_player(), Some(Seat(0)));
    assert_eq!((state.score(Seat(0)), state.score(Seat(1))), (Ok(1), Ok(0)));
    play(&mut state, &["draw b1-east"]);
    assert_eq!(state.current_player(), Some(Seat(1)));
    assert_eq!(sites_of(&state, "draw"), "b1-south b1-north a2-north a2-west a2-east b2-east");
}

#[test]
fn one_line_may_close_two_boxes() {
    let game = bundled("dots-and-boxes", &[("width", "2"), ("height", "1")]);
    let mut state = position(&game, "  +---+---+\n1 |       |\n  +---+---+\n    a   b\nmover = player-2");
    assert_eq!(legal(&state), ["draw a1-east"]);
    play(&mut state, &["draw b1-west"]);
    assert_eq!((end(&state), winners(&state)), ("full".into(), vec![false, true]));
    assert_eq!(state.score(Seat(1)), Ok(2));
    assert_eq!(state.position().lines().nth(1), Some("1 | 2 | 2 |"));
}

#[test]
fn a_chain_is_taken_in_one_turn() {
    let game = bundled("dots-and-boxes", &[("width", "4"), ("height", "1")]);
    let field = "  +---+---+---+---+\n1 |                \n  +---+---+---+---+\nmover = player-1";
    let mut state = position(&game, field);
    for draw in ["a1-east", "b1-east", "c1-east"] {
        play(&mut state, &[&format!("draw {draw}")]);
        assert_eq!(state.current_player(), Some(Seat(0)));
    }
    assert_eq!(state.score(Seat(0)), Ok(3));
    // The last line closes the fourth box, and no line is left.
    play(&mut state, &["draw d1-east"]);
    assert_eq!((end(&state), winners(&state)), ("full".into(), vec![true, false]));
    assert_eq!(state.score(Seat(0)), Ok(4));
}

#[test]
fn as_many_boxes_each_are_a_draw() {
    let field = "  +---+---+\n1 | 1 |    \n  +---+---+\nmover = player-2";
    let mut state = position(&bundled("dots-and-boxes", &[("width", "2"), ("height", "1")]), field);
    play(&mut state, &["draw b1-east"]);
    assert_eq!(winners(&state), [true, true]);
}

#[test]
fn most_boxes_win_or_else_the_fewest() {
    let field = "  +---+---+---+\n1 | 1 | 1 |    \n  +---+---+---+\nmover = player-2";
    for (name, won) in [("dots-and-boxes", [true, false]), ("dots-and-boxes-misere", [false, true])] {
        let mut state = position(&bundled(name, &[("width", "3"), ("height", "1")]), field);
        play(&mut state, &["draw c1-east"]);
        assert_eq!((state.score(Seat(0)), state.score(Seat(1))), (Ok(2), Ok(1)));
        assert_eq!(winners(&state), won, "{name}");
    }
}
