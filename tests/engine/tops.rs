//! Zones of which all players see the top: exactly the top, and what they remember of it.

use crate::agree::{Came, agree};
use crate::hidden::shows_nothing_hidden;
use crate::rules::game as made;
use crate::states::{apply, position};
use houserule::game::{Game, Seat, State};

/// Cards go to two columns and a heap of which all see the top.
pub(crate) const TOPS: &str = r#"game "Tops" {
  players 2
  domain card = 1..9
  zone pack of card ordered seen by none
  zone hand[player] of card seen by owner
  zone column[1..2] of card ordered seen by top "columns"
  zone heap of card ordered seen by top
  setup { deal 2 from pack to hand; deal 2 from pack to column[1] }
  turn {
    choose {
      lay c in hand[me] { move c to heap }
      under c in hand[me] { move c to bottom of heap }
      put_on c in hand[me], n in 1..2 { move c to column[n] }
      take where heap is some { draw c from heap to hand[me] }
      carry n in 1..2 where column[n] is some { draw c from column[n] to column[3 - n] }
      turn_over { deal count(column[1]) from column[1] to column[2] }
      mix { shuffle heap }
      more where pack is some { deal 2 from pack to heap }
      give k in hand[me] { move k to hand[other] }
    }
  }
  end when turns[me] > 9
  score { top: or_zero(top(heap)), held: count(hand[me]) }
  define or_zero(c) = if c is some then c else 0
}"#;

fn start() -> State {
    let text = "pack = {8, 9}\nhand = {1, 2} {3}\ncolumn[1] = [4, 5, 7]\nheap = [6]\nmover = player-1";
    let mut state = position(&made(TOPS), text);
    state.begin_here(1, 0, true).expect("it begins");
    state
}

/// Returns what a player is told of a zone.
fn told(state: &State, player: u32, zone: &str) -> String {
    let told = state.information_state(Seat(player));
    let found = told.lines().rfind(|line| line.starts_with(&format!("{zone} has")));
    found.unwrap_or_default().to_owned()
}

#[test]
fn both_executors_agree() {
    let game: Game = made(TOPS);
    for index in 0..60 {
        assert_eq!(agree(&game, 3, index, 200), Came::Over);
    }
}

#[test]
fn what_lies_under_the_top_is_hidden() {
    shows_nothing_hidden(&made(TOPS), 60, |_, _, _| {});
}

#[test]
fn all_see_the_top() {
    let mut state = start();
    apply(&mut state, "lay 1");
    assert_eq!(told(&state, 1, "heap"), "heap has 2, with {1: 1, 6: 2}");
    // The card below was seen, and stays known.
    apply(&mut state, "lay 3");
    assert_eq!(told(&state, 0, "heap"), "heap has 3, with {1: 2, 3: 1, 6: 3}");
    // What lies under all others was not seen, but by its player.
    apply(&mut state, "under 2");
    assert_eq!(told(&state, 1, "heap"), "heap has 4, with {1: 2, 3: 1, 6: 3}");
    assert_eq!(told(&state, 0, "heap"), "heap has 4, with {1: 2, 2: 4, 3: 1, 6: 3}");
    // Who takes the top is known to have it.
    apply(&mut state, "take");
    assert!(state.information_state(Seat(0)).contains("hand[player-2] has 1, with {3}"));
}

/// A statement that moves several cards shows only what lies on top after it.
#[test]
fn cards_are_dealt_face_down() {
    let mut state = start();
    apply(&mut state, "turn_over");
    assert_eq!(told(&state, 0, "column[2]"), "column[2] has 3, with {4: 3, 7: 1}");
    // The top that comes to light by a draw is seen.
    apply(&mut state, "carry 2");
    assert_eq!(told(&state, 0, "column[2]"), "column[2] has 2, with {4: 2, 5: 1}");
    let mut state = start();
    apply(&mut state, "more");
    assert!(state.is_chance());
    state.apply_outcome(0).expect("a card");
    assert_eq!(told(&state, 1, "heap"), "heap has 3, with {6: 3, 9: 1}");
}

/// Nobody sees the top of a shuffled pile: it is chance that is not drawn yet.
#[test]
fn a_shuffled_pile_has_no_top() {
    let mut state = start();
    apply(&mut state, "lay 1");
    apply(&mut state, "mix");
    assert_eq!(told(&state, 1, "heap"), "heap has 2, with {1: 1, 6: 1}");
    apply(&mut state, "take");
    assert!(state.is_chance() && state.chance_outcomes() == 2);
}
