//! Zones of counted copies. The rules never change the total count. Equal copies are one choice, and one
//! outcome with the sum of their probabilities.

use std::collections::BTreeMap;

use crate::agree::{Came, agree, same_in_both_modes};
use crate::rules::game;
use crate::states::{apply, number};
use houserule::game::trail::UndoHistory;
use houserule::game::{Event, Start, State};
use houserule::model::{Role, SlotId, Value};

/// Cubes in a bag, behind screens, on the table, on shelves, and in a hidden discard.
pub(crate) const CUBES: &str = r#"game "Cubes" {
  players 2
  enum colour { red, blue, green }
  zone bag of colour = [red: 4, blue: 3, green: 2] seen by none
  zone hand[player] of colour seen by owner
  zone market of colour = [green: 1]
  zone shelf[player, 1..2] of colour seen by owner
  zone aside of colour seen by none
  var points[player]: 0..99 = 0
  define reds(p) = hand[p, red]

  setup { shuffle bag; deal 2 from bag to hand }
  turn {
    draw fresh from bag to hand[me]
    choose {
      play k in hand[me] where market[k] < 2 { move k from hand[me] to market; points[me] += market[k] }
      swap k in hand[me], m in market where k != m { move k from hand[me] to market; move m from market to hand[me] }
      hide k in hand[me] { move k from hand[me] to aside }
      give k in hand[me] { move k from hand[me] to hand[other] }
      shelve k in hand[me], n in 1..2 { move k from hand[me] to shelf[me, n] }
      unshelve n in 1..2 where shelf[me, n] is some { move shelf[me, n] to bag }
      sweep where count(market) > 2 { move market - {red} to bag }
      return where count(aside) > 1 { move aside to bag }
      peek where hand[other] is some { reveal hand[other] to me; reveal red from bag to me; reveal aside & {blue, green} to players }
      steal where count(hand[other]) > 1 { draw t from hand[other] to hand[me]; if t is some { points[me] += 1 } }
      pass { pick c in colour; if c == red { points[me] += 1 } }
    }
  }
  end when count(hand) > 7 or points[me] > 12 or bag is nothing
  end long when turns[me] > 30
  score { points: points[me], cubes: count(hand[me]), kinds: count k in hand[me]: k != red,
    blues: count(hand[me] & {blue}) + count(hand[me] | market), reds: reds(me) when bag is nothing }
}"#;

/// A bag from which chance draws under a condition, from one of several zones.
const GIVEN: &str = r#"game "Given" {
  players 2
  domain coin = 1..3
  zone purse[player] of coin = [1: 2, 2: 1]
  zone bank of coin = [3: 2, 1: 1] seen by none
  var lots: 0..100 = 0
  setup { chance { deal 1 from bank to purse } given count(purse[me] & {3}) + count(purse[other] & {3}) > 0 }
  turn {
    chance { draw a from purse[other] to bank   draw b from purse[me] to purse[other]   lots += 1 } given purse[other] is some
    choose { take c in bank { move c from bank to purse[me] } pay { move purse[me] & {1, 2} to bank } }
  }
  end when turns[me] > 5 or bank is nothing
  score { coins: sum c in purse[me]: c * purse[me, c] }
}"#;

/// Returns the count of each of three kinds in all zones together.
fn whole(state: &State) -> Vec<i64> {
    let model = state.game().model();
    let mut sums = vec![0; 3];
    for (id, slot) in (0..).map(SlotId).zip(&model.slots).filter(|(_, slot)| slot.role == Role::Copies) {
        for place in 0..slot.initial.len() {
            let Value::Number(n) = state.value(id, place) else { panic!("a number") };
            assert!(n >= 0, "{}", slot.name);
            sums[place % 3] += n;
        }
    }
    sums
}

#[test]
fn both_executors_move_and_draw_copies_alike() {
    for text in [CUBES, GIVEN] {
        let game = game(text);
        for index in 0..80 {
            assert_ne!(agree(&game, 3, index, 300), Came::Failed, "{text}");
        }
    }
}

#[test]
fn there_are_always_as_many_copies() {
    for (text, all) in [(CUBES, [4, 3, 3]), (GIVEN, [5, 2, 2])] {
        let game = game(text);
        for index in 0..60 {
            let mut state = game.start(5, index).expect("it starts");
            for _ in 0..200 {
                assert_eq!(whole(&state), all, "{}", state.position());
                let Some(action) = state.random_action() else { break };
                state.apply(action).expect("it is legal");
            }
        }
    }
}

#[test]
fn games_with_copies_are_the_same_in_both_modes() {
    [CUBES, GIVEN].iter().for_each(|text| same_in_both_modes(&game(text), 9, 40));
}

/// Returns how many outcomes of the pending pick give each element.
fn outcomes(state: &State) -> BTreeMap<u32, u64> {
    let mut found = BTreeMap::new();
    for outcome in 0..state.chance_outcomes() {
        match state.chance_event(outcome) {
            Some(Event::Pick { element, .. }) => *found.entry(element).or_default() += 1,
            other => panic!("{other:?}"),
        }
    }
    found
}

/// Each player is dealt 2 of 9 cubes. The first player's cubes have the probabilities of drawing without
/// replacement, and equal copies are one outcome with the sum of their probabilities.
#[test]
fn draws_have_the_chances_of_copies() {
    let game = game(CUBES);
    let start = Start { explicit_chance: true, ..Start::default() };
    let first = game.start_at(&start).expect("it starts");
    assert_eq!(outcomes(&first), BTreeMap::from([(0, 4), (1, 3), (2, 2)]));
    assert_eq!(first.distinct_outcomes().collect::<Vec<_>>(), [(0, 4), (4, 3), (7, 2)]);
    let mut hands: BTreeMap<[i64; 3], u64> = BTreeMap::new();
    for one in 0..first.chance_outcomes() {
        let mut next = first.clone();
        next.apply_outcome(one).expect("an outcome");
        assert_eq!(next.chance_outcomes(), 8);
        for other in 0..8 {
            let mut dealt = next.clone();
            dealt.apply_outcome(other).expect("an outcome");
            let held = [0, 1, 2].map(|kind| number(&dealt, "hand", kind));
            *hands.entry(held).or_default() += 1;
        }
    }
    // Of 72 ordered draws.
    let wanted =
        [([0, 0, 2], 2), ([0, 1, 1], 12), ([0, 2, 0], 6), ([1, 0, 1], 16), ([1, 1, 0], 24), ([2, 0, 0], 12)];
    assert_eq!(hands, BTreeMap::from(wanted));
}

/// A draw takes one word of the chance stream for any number of copies, and none if all are of one kind.
#[test]
fn a_draw_takes_one_word() {
    let rolled = |first: &str| -> Vec<i64> {
        let game = game(&format!(
            r#"game "Words" {{
              players 1
              enum colour {{ red, blue, green }}
              zone bag of colour = [red: 4, blue: 5] seen by none
              zone sack of colour = [green: 7]
              zone hand of colour
              dice die: 1 of d1000
              turn {{ {first}  roll die   choose {{ go {{ }} }} }}
              end when turns[me] > 0
            }}"#
        ));
        (0..20).map(|seed| number(&game.start(seed, 0).expect("it starts"), "die", 0)).collect()
    };
    let (none, one) = (rolled(""), rolled("pick n in 1..9"));
    assert_ne!(none, one);
    assert_eq!(rolled("draw k from bag to hand"), one);
    assert_eq!(
        rolled("draw k from sack to hand   deal 5 from sack to hand   draw k2 from bag & {red} to hand"),
        none
    );
    assert_eq!(
        rolled("deal 2 from bag to hand   move hand to bag"),
        rolled("pick a in 1..9   pick b in 1..8")
    );
    assert_eq!(rolled("move bag to hand   draw k from bag to hand   move hand - {green} to bag"), none);
}

/// Equal copies are one action.
#[test]
fn choices_are_of_kinds() {
    let game = game(CUBES);
    let mut state =
        game.position("hand = 3 0 0 0 2 1\nmarket = 0 0 1\nmover = player-1").expect("a position");
    state.begin_here(1, 0, false).expect("it begins");
    let names: Vec<String> = state.legal_actions().into_iter().map(|a| game.action_name(a)).collect();
    let kinds = (0..3).filter(|kind| number(&state, "hand", *kind) > 0).count();
    assert_eq!(names.iter().filter(|name| name.starts_with("give")).count(), kinds, "{names:?}");
    let before = number(&state, "hand", 0);
    assert!(before >= 3);
    apply(&mut state, "give red");
    assert_eq!(number(&state, "hand", 0), before - 1);
    assert_eq!(whole(&state), [4, 3, 3]);
}

/// A position may omit the zone with the remaining copies. Wrong counts get a message.
#[test]
fn positions_count_copies() {
    let game = game(CUBES);
    let state = game.position("hand = 1 1 0 0 1 0\nmarket = 1 0 1").expect("a position");
    assert_eq!(whole(&state), [4, 3, 3]);
    let again = game.position(&state.position()).expect("its own position");
    assert_eq!(whole(&again), [4, 3, 3]);
    let wrong = |text: &str| game.position(text).expect_err("it is wrong")[0].to_string();
    assert_eq!(wrong("hand = 3 0 0 2 0 0"), "there are 4 of `red`, and 5 lie in zones");
    assert_eq!(wrong("bag = 4 3 1\nmarket = 0 0 1"), "there are 3 of `green`, and 2 lie in zones");
}

/// A copy that isn't in the zone can't be moved.
#[test]
fn what_is_not_there_does_not_move() {
    let game = game(
        r#"game "Nothing" {
      players 1
      enum colour { red, blue }
      zone bag of colour = [red: 1]
      zone hand of colour
      turn { choose { take k in colour { move k from bag to hand } } }
      end when turns[me] > 3
    }"#,
    );
    let mut state = game.start(1, 0).expect("it starts");
    let action = game.parse_action("take blue").expect("an action");
    let error = state.apply(action).expect_err("there is none").to_string();
    assert!(error.contains("-1") && error.contains("bag"), "{error}");
}

/// Games with draws are saved and resumed.
#[test]
fn trails_hold_draws_of_copies() {
    let game = game(CUBES);
    let mut chance = houserule::rng::Stream::new(1, 2, 3);
    for index in 0..20 {
        let start = Start { seed: 4, index, explicit_chance: index % 2 == 0, ..Start::default() };
        let mut state = game.start_at(&start).expect("it starts");
        let mut trail = UndoHistory::default();
        for _ in 0..3 * index {
            if state.is_chance() {
                state.apply_outcome(chance.below(state.chance_outcomes())).expect("an outcome");
            } else if let Some(action) = trail.random_action(&mut state) {
                state.apply(action).expect("it is legal");
            }
        }
        let (again, _) = UndoHistory::from_bytes(&game, &trail.to_bytes(&state)).expect("its own bytes");
        assert_eq!((again.position(), again.persistent()), (state.position(), state.persistent()));
    }
}

const SEVERAL: &str = r#"game "Several" {
  players 2
  enum good { wood, ore }
  zone bank of good = [wood: 6, ore: 6] seen by none
  zone hand[player] of good = [wood: 2, ore: 3] seen by owner
  zone pile of good
  var n: -3..9 = 0
  define twice(x) = 2 * x
  turn {
    choose {
      city where hand[me, ore] >= 3 { move 3 ore from hand[me] to bank }
      take k in good, m in 0..2 where bank[k] >= m { move m k from bank to hand[me] }
      lay k in hand[me] { move (hand[me, k]) k from hand[me] to (if k == ore then pile else bank) }
      both where all k in good: hand[me, k] >= 2 { move twice(1) {wood, ore} from hand[me] to hand[other] }
      back where pile is some { move pile[ore] ore from pile to bank }
      show { reveal hand[me] to other }
      deliberate less { n = -1 }
      deliberate too_many { n = 9 }
      go where n != 0 { move n wood from bank to pile }
    }
  }
  end when turns[me] > 8
  score { ore: hand[me, ore] }
}"#;

#[test]
fn several_copies_move_at_once() {
    let game = game(SEVERAL);
    for index in 0..80 {
        agree(&game, 3, index, u32::MAX);
    }
    same_in_both_modes(&game, 5, 40);
    let mut state = game.start(1, 0).expect("it begins");
    let counts = |state: &State, zone: &str| {
        let slots = &state.game().model().slots;
        let slot = slots.iter().position(|slot| slot.name == zone).expect("the zone");
        let read = |place| match state.value(SlotId(slot as u32), place) {
            Value::Number(n) => n,
            other => panic!("{other:?}"),
        };
        [read(0), read(1)]
    };
    apply(&mut state, "city");
    assert_eq!((counts(&state, "bank"), counts(&state, "hand")), ([6, 9], [2, 0]));
    apply(&mut state, "both");
    assert_eq!(counts(&state, "hand"), [4, 2]);
    apply(&mut state, "lay ore");
    assert_eq!((counts(&state, "hand"), counts(&state, "pile")), ([4, 0], [0, 2]));
    apply(&mut state, "take ore 0");
    apply(&mut state, "back");
    assert_eq!((counts(&state, "bank"), counts(&state, "pile")), ([6, 11], [0, 0]));
    // Fewer copies than that, or a number below 0, are errors.
    for (how, message) in [("too_many", "`bank` would become -3"), ("less", "`copies` would become -1")] {
        let mut state = state.clone();
        apply(&mut state, how);
        let go = state.game().parse_action("go").expect("the action");
        let error = state.apply(go).expect_err("an error of the rules");
        assert!(error.to_string().contains(message), "{error}");
    }
}
