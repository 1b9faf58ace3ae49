//! Visibility of hidden counted copies: observations and information states contain only what the player may
//! know, and determinizations have the probabilities of copies.

use std::collections::BTreeMap;

use crate::copies::CUBES;
use crate::extent;
use crate::hidden::{shows_nothing_hidden, visit_states};
use crate::rules::game;
use crate::states::{apply, slot};
use houserule::game::{Seat, State};
use houserule::model::{Role, SlotId, Value, Visibility};
use houserule::rng::Stream;

fn numbers(state: &State, name: &str) -> Vec<i64> {
    let id = slot(state.game(), name);
    let value = |place| match state.value(id, place) {
        Value::Number(n) => n,
        other => panic!("{other:?}"),
    };
    (0..state.game().model().slots[id.index()].initial.len()).map(value).collect()
}

#[test]
fn hidden_copies_do_not_show() {
    shows_nothing_hidden(&game(CUBES), 60, |_, _, _| {});
}

/// In a determinization each zone keeps its size, and visible and certain copies stay. Players are certain
/// only of copies that are in the zone.
#[test]
fn what_is_certain_stays() {
    let (game, mut stream) = (game(CUBES), Stream::new(3, 1, 4));
    let mut kept = 0;
    visit_states(&game, 9, extent::tries(56, 150), 14, &mut |state| {
        for player in 0..2usize {
            let drawn = state.determinize(Seat(player as u32), &mut stream).expect("another");
            for (id, known) in (0..).map(SlotId).zip(&game.model().slots) {
                let Role::KnownCopies(zone) = known.role else { continue };
                let zone = &game.model().slots[zone.index()];
                let (before, now) = (numbers(state, &zone.name), numbers(&drawn, &zone.name));
                let own = |place: usize| {
                    zone.visibility == Visibility::Owner && place / (before.len() / 2) == player
                };
                let (then, after) = (numbers(state, &known.name), numbers(&drawn, &known.name));
                for place in (0..before.len()).step_by(3) {
                    let sum = |all: &[i64]| all[place..place + 3].iter().sum::<i64>();
                    assert_eq!(sum(&before), sum(&now), "{}", zone.name);
                }
                for place in 0..before.len() {
                    let certain = then[player * before.len() + place];
                    kept += certain;
                    assert!(certain <= now[place] && certain <= before[place], "{}", zone.name);
                    assert_eq!(after[player * before.len() + place], certain, "{}", known.name);
                    assert!(after[(1 - player) * before.len() + place] <= now[place], "{}", known.name);
                    assert!(!own(place) || before[place] == now[place], "{}", zone.name);
                }
                assert!(game.keeps(id));
            }
        }
    });
    assert!(kept > extent::tries(70, 200), "{kept}");
}

/// A game with a deal from a bag. Determinizations draw the other's hand as copies.
const DEAL: &str = r#"game "Deal" {
  players 2
  enum colour { red, blue, green }
  zone bag of colour = [red: 4, blue: 3, green: 2] seen by none
  zone hand[player] of colour seen by owner
  zone table of colour
  setup { deal 2 from bag to hand }
  turn { choose {
    lay k in hand[me] { move k from hand[me] to table }
    look where turns[me] == 0 { reveal hand[other] & {red} to me }
  } }
  end when hand[me] is nothing
}"#;

fn ways(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1))
}

/// The other's hand has the probabilities of drawing it from all hidden copies.
#[test]
fn what_is_drawn_has_the_chances_of_copies() {
    let (game, mut stream) = (game(DEAL), Stream::new(7, 8, 9));
    for index in 0..4 {
        let state = game.start(11, index).expect("it starts");
        let mine = numbers(&state, "hand");
        let out: Vec<u64> = [4, 3, 2].iter().zip(&mine).map(|(all, own)| (all - own) as u64).collect();
        let draws = extent::tries(2000u32, 6000);
        let mut times: BTreeMap<Vec<i64>, u32> = BTreeMap::new();
        for _ in 0..draws {
            let drawn = state.determinize(Seat(0), &mut stream).expect("a way");
            assert_eq!(numbers(&drawn, "hand")[..3], mine[..3]);
            *times.entry(numbers(&drawn, "hand")[3..].to_vec()).or_default() += 1;
        }
        let mut chi = 0.0;
        for (held, n) in &times {
            let found: u64 = held.iter().zip(&out).map(|(k, n)| ways(*n, *k as u64)).product();
            let expected = f64::from(draws) * found as f64 / ways(7, 2) as f64;
            chi += (f64::from(*n) - expected).powi(2) / expected;
        }
        let possible = (0..3).flat_map(|a| (a..3).map(move |b| (a, b)));
        let possible =
            possible.filter(|(a, b)| if a == b { out[*a] > 1 } else { out[*a] > 0 && out[*b] > 0 });
        assert_eq!(times.len(), possible.count());
        // With up to 5 degrees of freedom, 0.0001 of all samples are above 25.8.
        assert!(chi < 25.8, "{chi}: {times:?}");
    }
}

/// Revealed copies stay. The rest is drawn from the other hidden copies.
#[test]
fn what_was_revealed_is_drawn_no_more() {
    let (game, mut stream) = (game(DEAL), Stream::new(7, 8, 9));
    let mut state = game.position("hand = 1 1 0 2 0 0").expect("a position");
    apply(&mut state, "look");
    for _ in 0..100 {
        let drawn = state.determinize(Seat(0), &mut stream).expect("a way");
        assert_eq!(numbers(&drawn, "hand"), [1, 1, 0, 2, 0, 0]);
    }
    let told = state.information_state(Seat(0));
    assert!(told.contains("hand[player-2] has 2, with {2 red}"), "{told}");
    // One of the two is laid in the open. The other remains certain.
    apply(&mut state, "lay red");
    assert_eq!(numbers(&state, "known hand")[..6], [0, 0, 0, 1, 0, 0]);
}

/// Copies laid face down in sight are known. A copy that is laid in the open no longer counts as known in its
/// old zone. A hidden move between hidden zones ends all certainty about the first zone.
#[test]
fn knowledge_of_copies_follows_what_moves() {
    let game = game(
        r#"game "Moves" {
      players A, B, C
      enum colour { red, blue }
      zone bag of colour = [red: 6, blue: 6] seen by none
      zone hand[player] of colour seen by owner
      zone table of colour
      zone aside of colour seen by none
      setup {
        move {red, blue} from bag to hand[A]   move red from bag to hand[A]
        move {red, blue} from bag to hand[B]
        move {red, blue} from bag to table     move red from bag to table
      }
      turn { choose {
        show k in hand[me] { move k from hand[me] to table }
        bury k in hand[me] { move k from hand[me] to aside }
        hide k in table { move k from table to aside }
        give k in hand[me], p in players - me { move k from hand[me] to hand[p] }
        lift k in aside { move k from aside to table }
        back { move aside to bag }
      } }
      end when turns[me] > 9
    }"#,
    );
    let mut state = game.start(1, 0).expect("it starts");
    assert_eq!(numbers(&state, "hand"), [2, 1, 1, 1, 0, 0]);
    let knows = |state: &State, name: &str, player: usize| {
        let all = numbers(state, &format!("known {name}"));
        let each = all.len() / 3;
        all[player * each..(player + 1) * each].to_vec()
    };
    apply(&mut state, "hide red");
    assert!((0..3).all(|player| knows(&state, "aside", player) == [1, 0]));
    apply(&mut state, "bury blue");
    assert_eq!(knows(&state, "aside", 1), [1, 1]);
    assert_eq!(knows(&state, "aside", 0), [1, 0]);
    let (own, other) = (state.information_state(Seat(1)), state.information_state(Seat(0)));
    assert!(own.contains("> bury blue") && own.contains("aside has 2, with {1 red, 1 blue}"), "{own}");
    assert!(other.contains("B: bury ?") && other.contains("aside has 2, with {1 red}"), "{other}");
    apply(&mut state, "lift red");
    assert_eq!((knows(&state, "aside", 0), knows(&state, "aside", 1)), (vec![0, 0], vec![0, 1]));
    // The giver knows the copy, the receiver sees it, and the third player sees only that a copy was given.
    apply(&mut state, "give red C");
    assert_eq!(knows(&state, "hand", 0)[4..], [1, 0]);
    assert_eq!((knows(&state, "hand", 1), knows(&state, "hand", 2)), (vec![0; 6], vec![0; 6]));
    assert!(state.information_state(Seat(1)).contains("A: give ? C"));
    assert!(state.information_state(Seat(2)).contains("A: give red C"));
    // The whole hand moves to the bag, so copies that were certain in the hand are certain in the bag.
    apply(&mut state, "back");
    assert_eq!((knows(&state, "aside", 1), knows(&state, "bag", 1)), (vec![0, 0], vec![0, 1]));
    apply(&mut state, "give red A");
    // A player saw neither move, so nothing is certain in the third player's hand.
    assert_eq!(knows(&state, "hand", 1), [0; 6]);
    assert!(state.information_state(Seat(1)).contains("C: give ? A"));
}

/// A game without knowledge about hidden copies stores none.
#[test]
fn nothing_is_kept_where_nothing_is_learnt() {
    let game = game(
        r#"game "Plain" {
      players 2
      enum colour { red, blue }
      zone bag of colour = [red: 6, blue: 6] seen by none
      zone hand[player] of colour seen by owner
      zone table of colour
      turn { draw k from bag to hand[me]   choose { show k2 in hand[me] { move k2 from hand[me] to table } } }
      end when bag is nothing
    }"#,
    );
    assert!(game.model().slots.iter().all(|slot| !matches!(slot.role, Role::KnownCopies(_))));
    assert!(game.hides());
}

/// The contents of several zones before the setup are known to all.
#[test]
fn the_start_is_known() {
    let game = game(
        r#"game "Start" {
      players 2
      enum colour { red, blue }
      zone bag of colour = [red: 3, blue: 1] seen by none
      zone hand[player] of colour = [blue: 2] seen by owner
      turn { choose { give k in hand[me] { move k from hand[me] to hand[other] } draw { draw k from bag to hand[me] } } }
      end when turns[me] > 5
    }"#,
    );
    let mut stream = Stream::new(5, 5, 5);
    let mut state = game.start(1, 0).expect("it starts");
    for _ in 0..20 {
        let drawn = state.determinize(Seat(0), &mut stream).expect("a way");
        assert_eq!(drawn.persistent(), state.persistent());
    }
    apply(&mut state, "draw");
    let hands: std::collections::BTreeSet<Vec<i64>> =
        (0..200).map(|_| numbers(&state.determinize(Seat(1), &mut stream).expect("a way"), "hand")).collect();
    assert_eq!(hands, [vec![1, 2, 0, 2], vec![0, 3, 0, 2]].into());
}

/// Sizes are visible to all, as the same numbers for any contents.
#[test]
fn sizes_of_copies_are_observed() {
    let game = game(CUBES);
    let entry = |name: &str| game.observation_spec().into_iter().find(|e| e.name == name).expect(name);
    let state = game.position("hand = 2 1 0 1 0 0\nmarket = 0 0 1").expect("a position");
    let held = numbers(&state, "hand");
    let seen = state.observation(Seat(1));
    let size = entry("hand size");
    assert_eq!((size.length, size.shape.clone()), (2, vec![2]));
    let sizes =
        [held[3..].iter().sum::<i64>(), held[..3].iter().sum::<i64>()].map(|n| (n as f64 / 10.0) as f32);
    assert_eq!(seen[size.offset..size.offset + 2], sizes);
    let own = entry("hand");
    let counts: Vec<f32> = held[3..].iter().map(|n| *n as f32 / 4.0).collect();
    assert_eq!(seen[own.offset..own.offset + 3], counts);
    let shelf = entry("shelf size");
    assert_eq!(shelf.shape, [2, 2]);
}
