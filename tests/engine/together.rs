//! `together`: every seat commits a choice, and no seat sees the others' choices before all have committed.

#![allow(clippy::unwrap_used)]

use crate::agree::{Came, agree};
use crate::extent;
use crate::rules::bundled;
use houserule::draw::svg::{PictureStyle, svg};
use houserule::draw::text;
use houserule::game::{Game, Seat, State};
use houserule::hidden::WorldOptions;
use houserule::loader::{Request, load_text};
use houserule::rng::Stream;

fn made_up(rules: &str) -> Game {
    let text = format!("game \"Made up\" {{\n{rules}\n}}");
    load_text("made-up.rules", &text, &Request::default()).unwrap_or_else(|e| panic!("{e}")).game
}

fn play(state: &mut State, actions: &[&str]) {
    for action in actions {
        let id = state.game().parse_action(action).unwrap_or_else(|| panic!("{action}"));
        state.apply(id).unwrap_or_else(|e| panic!("{action}: {e}\n{}", state.position()));
    }
}

/// The highest unique bid takes the card. A bid is a number, and a bluff doubles it.
const BIDS: &str = "
    players 3
    var bid[player]: 0..10 = 0 each round
    var card[player]: 0..5 = 0 each round
    var twice[player]: bool each round
    var points[player]: 0..99 = 0
    var spent[player, 1..5]: bool
    round {
      together as me {
        choose bid { bid n in 1..5 where not spent[me, n] { bid[me] = n; card[me] = n } }
        let low = bid[me] < 3
        if low {
          choose twice {
            twice { twice[me] = true; bid[me] += bid[me] }
            once { }
          }
        }
      }
      step take {
        for p in players {
          if all o in players - p: bid[o] < bid[p] { points[p] += bid[p] }
          for n in 1..5 { if card[p] == n { spent[p, n] = true } }
        }
        starter = after(starter)
      }
    }
    end spent of round when round >= 5
    score { points: points[me] }";

fn seen(state: &State, by: u32) -> Vec<f32> {
    state.observation(Seat(by))
}

#[test]
fn all_are_asked_from_the_starter_on() {
    let game = made_up(BIDS);
    let mut state = game.start(1, 0).unwrap();
    let mut order = vec![];
    for _ in 0..6 {
        order.push(state.current_player().unwrap().0);
        let action = state.legal_actions()[2];
        state.apply(action).unwrap();
    }
    assert_eq!(order, [0, 1, 2, 1, 2, 0]);
}

#[test]
fn nobody_sees_what_the_others_did_before_all_have() {
    let game = made_up(BIDS);
    let after = |actions: &[&str]| {
        let mut state = game.start(1, 0).unwrap();
        play(&mut state, actions);
        state
    };
    // Seat 1 has bid, seat 2 is to move.
    let (three, five) = (after(&["bid 3"]), after(&["bid 5"]));
    assert_ne!(seen(&three, 0), seen(&five, 0), "seat 1 knows its own bid");
    for seat in [1, 2] {
        assert_eq!(seen(&three, seat), seen(&five, seat), "seat {seat}");
        assert_eq!(text::state(&three, Some(Seat(seat))), text::state(&five, Some(Seat(seat))));
    }
    let open = |state: &State| text::screen(state, &text::TextOptions::open());
    assert_ne!(open(&three), open(&five));
    // A second decision of the same seat is hidden too, also while it is being made.
    let halves = [after(&["bid 1"]), after(&["bid 2"])];
    assert_eq!(halves[0].current_player(), Some(Seat(0)));
    for seat in [1, 2] {
        assert_eq!(seen(&halves[0], seat), seen(&halves[1], seat), "seat {seat}");
    }
    let twice = [after(&["bid 2", "twice"]), after(&["bid 1", "once"]), after(&["bid 4"])];
    assert!(twice.iter().all(|state| seen(state, 2) == seen(&twice[0], 2)));
    // Afterwards all players know.
    let told = [after(&["bid 3", "bid 4", "bid 5"]), after(&["bid 4", "bid 3", "bid 5"])];
    for seat in 0..3 {
        assert_ne!(seen(&told[0], seat), seen(&told[1], seat), "seat {seat}");
    }
}

#[test]
fn what_may_be_done_does_not_tell_what_others_did() {
    let game = made_up(BIDS);
    for bid in 3..6 {
        let mut state = game.start(1, 0).unwrap();
        play(&mut state, &[&format!("bid {bid}")]);
        assert_eq!(state.legal_actions().len(), 5);
    }
}

#[test]
fn both_executors_agree_on_what_is_done_together() {
    let game = made_up(BIDS);
    for index in 0..200 {
        assert_eq!(agree(&game, 2, index, 5_000), Came::Over, "game {index}");
    }
    // Also within a turn.
    let game = made_up(
        "players 2..4
        var hand[player]: 0..3 each turn
        var won[player]: 0..9
        turn {
          together as me { choose show { show n in 1..3 { hand[me] = n } } }
          if hand[mover] == hand[after(mover)] { won[mover] += 1 }
        }
        end when won[me] >= 3: win me
        score { won: won[me] }",
    );
    for index in 0..100 {
        assert_eq!(agree(&game, 2, index, 5_000), Came::Over, "game {index}");
    }
}

fn picture(state: &State, viewer: u32) -> String {
    svg(state, &PictureStyle { viewer: Some(Seat(viewer)), ..PictureStyle::default() })
}

/// What the first player has chosen stays unseen while the same player chooses again, and until the others have chosen.
#[test]
fn pictures_do_not_tell_the_first_of_two_choices_before_all_have_chosen() {
    let mut state = made_up(BIDS).start(1, 0).unwrap();
    for action in ["bid 2", "once"] {
        play(&mut state, &[action]);
        assert!(picture(&state, 0).contains("bid 2"));
        let other = picture(&state, 1);
        assert!(!other.contains("bid 2") && !other.contains("once"), "{other}");
    }
}

/// Some options change nothing, so only those who are told of them know.
const HANDS: &str = "
    players 3
    var points[player]: 0..9 = 0
    round {
      together as me { choose show { fist { } palm { } } }
      step count { for p in players { points[p] += 1 } }
    }
    end late of round when round >= 3
    score { points: points[me] }";

/// Asserts that a seat can't tell some worlds from the real state. Returns whether all of them are known.
fn cannot_be_told_from_worlds(state: &State, seat: u32, options: &WorldOptions, count: usize) -> bool {
    let mut worlds = state.worlds(Seat(seat), options).unwrap();
    assert!(worlds.keep_history(), "{}", state.information_state(Seat(seat)));
    let mut stream = Stream::new(1, 2, u64::from(seat));
    for _ in 0..count {
        let world = worlds.next(&mut stream).unwrap();
        assert_eq!(state.information_state(Seat(seat)), world.information_state(Seat(seat)));
        assert_eq!(seen(state, seat), seen(world, seat));
        assert_eq!(picture(state, seat), picture(world, seat));
    }
    worlds.is_exact()
}

/// Once all have chosen, information states tell what everybody then sees of it.
#[test]
fn information_states_tell_choices_once_all_have_chosen() {
    tells_hands(&made_up(HANDS));
}

/// The same block may begin again at once.
#[test]
fn information_states_tell_choices_also_where_the_same_block_begins_again() {
    let block = "together as me { choose show { fist { } palm { } } }";
    tells_hands(&made_up(&HANDS.replace(block, &format!("for n in 1..2 {{ {block} }}"))));
}

fn tells_hands(game: &Game) {
    let after = |actions: &[&str]| {
        let mut state = game.start(1, 0).unwrap();
        play(&mut state, actions);
        state
    };
    let told = |state: &State, seat: u32| state.information_state(Seat(seat));
    let [one, other] = [after(&["fist", "palm"]), after(&["palm", "fist"])];
    assert_eq!(told(&one, 2), told(&other, 2));
    assert!(told(&one, 0).contains("> fist") && !told(&one, 0).contains("palm"));
    let [one, other] = [after(&["fist", "palm", "fist"]), after(&["palm", "fist", "fist"])];
    assert!(told(&one, 2).contains("> fist\nplayer 1: fist\nplayer 2: palm"), "{}", told(&one, 2));
    assert!(told(&one, 0).contains("player 2: palm\nplayer 3: fist"), "{}", told(&one, 0));
    assert_ne!(told(&one, 2), told(&other, 2));
    let actions = ["fist", "palm", "palm", "palm", "fist", "palm", "palm"];
    for played in 0..actions.len() {
        let state = after(&actions[..=played]);
        for seat in 0..3 {
            assert!(cannot_be_told_from_worlds(&state, seat, &WorldOptions::default(), 4));
            let chain = WorldOptions { bound: 0, ..WorldOptions::default() };
            assert!(!cannot_be_told_from_worlds(&state, seat, &chain, 4));
        }
    }
}

/// Of the cards that are passed in Hearts, the others see none, but that each player has passed three.
#[test]
fn information_states_tell_that_cards_were_passed_in_hearts() {
    let mut state = bundled("hearts", &[], None).start(3, 0).unwrap();
    for passed in 1..=12 {
        let before = state.information_state(Seat(3));
        let action = state.legal_actions()[passed % 4];
        state.apply(action).unwrap();
        let told = state.information_state(Seat(3));
        assert!(told.starts_with(&before), "{told}");
        assert_eq!(told.matches("north: pass ?").count(), if passed < 12 { 0 } else { 3 }, "{told}");
    }
    for seat in 0..extent::tries(2, 4) {
        let options = WorldOptions { budget: 30_000, ..WorldOptions::default() };
        cannot_be_told_from_worlds(&state, seat, &options, 2);
    }
}

/// Worlds of a seed are the same, whether or not some were drawn before, also while others' choices aren't told yet.
#[test]
fn worlds_do_not_depend_on_who_asked_before_all_had_chosen() {
    let bundled = ["cribbage", "liars-poker"].map(|name| bundled(name, &[], None));
    for game in [made_up(HANDS), made_up(BIDS)].into_iter().chain(bundled) {
        let mut asked = game.start(3, 1).unwrap();
        let mut silent = asked.clone();
        for _ in 0..8 {
            let action = silent.random_action().unwrap();
            for seat in (0..game.players()).map(Seat) {
                asked.determinize(seat, &mut Stream::new(9, 9, 9)).unwrap();
            }
            asked.apply(action).unwrap();
            silent.apply(action).unwrap();
        }
        for seat in (0..game.players()).map(Seat) {
            let drawn = |state: &State| state.determinize(seat, &mut Stream::new(1, 2, 3)).unwrap();
            assert_eq!(drawn(&asked).history(), drawn(&silent).history());
        }
    }
}
