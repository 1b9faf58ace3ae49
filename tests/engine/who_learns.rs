//! Who learns what: `seen by` after options, and `reveal` of variables and dice.
#![allow(clippy::unwrap_used)]

use houserule::game::{Seat, State};

use crate::agree::{Came, agree};
use crate::extent;
use crate::hidden::shows_nothing_hidden;
use crate::rules::{game, played};
use crate::states::legal;

/// Cups and a secret number that are shown, hidden again and rolled again.
const SHOWN: &str = r#"game "Shown" {
  players X, O
  dice cup[player]: 2 of d6 each game seen by owner
  var bid[player]: 0..9 = 0 seen by owner
  var code: bool = true seen by none
  var mine: set of player seen by none
  setup { roll cup[X], cup[O] }
  turn {
    choose {
      bid n in 0..9 { bid[me] = n }
      show_one "show a die" { reveal cup[me, 1] to players }
      show_both { reveal cup[me] to other }
      ask { reveal bid[other] to me }
      peep { reveal code to me; reveal mine to me }
      turn_over { code = not code; mine += me }
      again_one { roll cup[me] among {1} }
    }
  }
  end late when turns[me] > 6
  score { sum: sum(cup[me]) + bid[me] + (if code then 1 else 0) }
}"#;

/// The same tile is named aloud, whispered, or laid where nobody looks.
const SAID: &str = r#"game "Said" {
  players X, O
  domain tile = 1..6
  board cell = grid(2, 2)
  piece mark
  zone box of tile
  zone hand[player] of tile seen by owner
  zone down[player] of tile seen by owner
  var spot: cell = cell(1, 1) seen by none
  setup { move {1, 2, 3} to hand[X]; move {4, 5, 6} to hand[O] }
  turn {
    choose {
      name t in hand[me] seen by all { move t to down[me] }
      hide t in hand[me], c in cell seen by none { move t to down[me]; put mark at c replacing }
      lay t in hand[me] { move t to down[me] }
      mark c in cell { spot = c }
    }
  }
  end full when hand[X] is nothing or turns[me] > 5
}"#;

/// The last line about what a player was shown of a variable.
fn shown(state: &State, player: u32, of: &str) -> String {
    let told = state.information_state(Seat(player));
    let start = format!("shown {of}");
    told.lines().rfind(|line| line.starts_with(&start)).unwrap_or_default().to_owned()
}

#[test]
fn all_executors_agree_on_what_was_shown() {
    for rules in [SHOWN, SAID] {
        let game = game(rules);
        houserule::game::agree(&game, 5, extent::tries(30, 100)).unwrap();
        for index in 0..extent::tries(20, 60) {
            assert!(matches!(agree(&game, 5, index, 1000), Came::Over), "{rules}");
        }
        shows_nothing_hidden(&game, 80, |_, _, _| {});
    }
}

#[test]
fn a_shown_value_is_known_until_it_changes() {
    let game = game(SHOWN);
    let state = played(&game, &["bid 7", "ask"]);
    assert!(shown(&state, 1, "bid").contains('7'), "{}", state.information_state(Seat(1)));
    // Only the one who asked was shown it.
    assert!(!shown(&state, 0, "bid").contains('7'));
    let state = played(&game, &["bid 7", "ask", "bid 3"]);
    assert!(!shown(&state, 1, "bid").contains('7') && !shown(&state, 1, "bid").contains('3'));
    // Of two dice, the one that is rolled again is hidden again.
    let before = played(&game, &["show_both"]);
    let (first, second) = (before.clone(), played(&game, &["show_both", "ask", "again_one"]));
    assert_ne!(shown(&first, 1, "cup"), shown(&second, 1, "cup"), "{}", second.information_state(Seat(1)));
}

#[test]
fn what_was_shown_stays_in_what_is_drawn() {
    let game = game(SHOWN);
    let mut stream = houserule::rng::Stream::new(1, 2, 3);
    let position = game.position(&played(&game, &["show_both", "bid 4", "ask", "ask"]).position()).unwrap();
    let own = |state: &State, seat: u32, name: &str| {
        let slots = &state.game().model().slots;
        let at = slots.iter().position(|slot| slot.name == name).unwrap();
        let slot = houserule::model::SlotId(at as u32);
        (0..2).map(|die| state.value(slot, seat as usize * 2 + die)).collect::<Vec<_>>()
    };
    for _ in 0..50 {
        let drawn = position.determinize(Seat(1), &mut stream).unwrap();
        assert_eq!(own(&drawn, 0, "cup"), own(&position, 0, "cup"));
    }
}

#[test]
fn an_option_says_who_learns_what_it_binds() {
    let game = game(SAID);
    let heard = |actions: &[&str]| {
        let state = played(&game, actions);
        let told = state.information_state(Seat(1));
        told.lines().filter(|line| line.starts_with("X: ")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(heard(&["name 2"]), ["X: name 2"]);
    assert_eq!(heard(&["hide 2 b1"]), ["X: hide ? ?"]);
    // O saw the tiles go to the hand, but not which of them leaves it.
    assert_eq!(heard(&["lay 2"]), ["X: lay ?"]);
    assert_eq!(heard(&["mark b1"]), ["X: mark ?"]);
}

/// Hands are traded with a player whose name all hear.
#[test]
fn whose_hand_is_taken_is_no_secret() {
    let game = game(
        r#"game "Trade" {
  players 3
  enum card { guard, priest, baron }
  zone deck of card = [guard: 5, priest: 5, baron: 5] seen by none
  zone hand[player] of card seen by owner
  setup { deal 2 from deck to hand }
  turn { choose {
    trade p in players - me {
      let mine = hand[me]
      let theirs = hand[p]
      move mine from hand[me] to hand[p]
      move theirs from hand[p] to hand[me]
    }
    give k in hand[me], p in players - me { move k from hand[me] to hand[p] }
  } }
  end when turns[me] == 2
}"#,
    );
    let heard = |actions: &[&str]| played(&game, actions).information_state(Seat(2));
    assert!(
        heard(&["trade player-2"]).contains("player 1: trade player-2"),
        "{}",
        heard(&["trade player-2"])
    );
    // What is given remains hidden.
    let state = game.start(1, 0).unwrap();
    let give =
        legal(&state).into_iter().find(|action| action.starts_with("give") && action.ends_with("player-2"));
    assert!(heard(&[&give.unwrap()]).contains("player 1: give ? player-2"));
}
