//! What is seen of chance on boards and in zones.

use houserule_game::{Seat, Start};
use houserule_loader::{Request, load_text};

/// A site that is drawn from a hidden zone is no place on the board, and one that a piece is put on is.
#[test]
fn chance_on_the_board_is_seen_and_chance_in_a_bag_is_not() {
    let rules = r#"game "Drawn" {
      players 2
      board cell = grid(3, 2)
      piece rock
      zone bag of cell seen by none
      zone hand[player] of cell seen by owner
      setup { draw t from bag to hand[player 1]; pick c in cell; put rock at c }
      turn { choose { go { done } } }
      end when turns[me] > 2
    }"#;
    let game = load_text("drawn", rules, &Request::default()).unwrap_or_else(|error| panic!("{error}")).game;
    let start = Start { explicit_chance: true, ..Start::default() };
    let mut state = game.start_at(&start).unwrap_or_else(|error| panic!("{error}"));
    let mut told = vec![];
    while state.is_chance() {
        let before = state.clone();
        state.apply_outcome(3).unwrap_or_else(|error| panic!("{error}"));
        let event = state.history()[state.history().len() - 1];
        told.push([0, 1].map(|seat| state.event_seen(&before, &event, Seat(seat)).is_some()));
    }
    assert_eq!(told, [[true, false], [true, true]]);
}
