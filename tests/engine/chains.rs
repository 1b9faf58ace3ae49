//! `longest_chain(option)`: how often in a row can an option be taken?
#![allow(clippy::unwrap_used)]

use houserule::game::{Game, RuntimeErrorKind, State};
use houserule::loader::{Request, load_text};

use crate::agree::{Came, agree};
use crate::extent;
use crate::rules::game;

/// Pegs jump over each other as long as they can, and what is jumped over leaves the board. The directions are few, so that
/// the search has a place of its own for each.
const PEGS: &str = r#"game "Pegs" {
  players 1
  param most: bool = false
  board cell = grid(4, 4)
  piece peg
  var left: 0..64 = 0
  var hops: 0..64 = 0
  define over(c, d) = step(c, d)
  define beyond(c, d) = step(step(c, d), d)
  setup { repeat { pick c in empty; put peg at c } until count(peg) == 9 }
  turn {
    left = longest_chain(hop)
    choose {
      hop c in peg, d in directions(cell, four) where over(c, d) in peg and beyond(c, d) in empty
          ensuring not most or left == longest_chain(hop) + 1 {
        let goal = beyond(c, d)
        clear {over(c, d)}
        move c to goal
        hops += 1
      }
    }
  }
  end stuck when longest_chain(hop) == 0: draw
  score { hops: hops }
}"#;

/// Counts hops without the engine: bit `4 * y + x` is the peg in column x and row y.
fn count_hops(pegs: u32) -> u32 {
    let mut most = 0;
    for at in 0..16i32 {
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let (x, y) = (at % 4 + 2 * dx, at / 4 + 2 * dy);
            if !(0..4).contains(&x) || !(0..4).contains(&y) {
                continue;
            }
            let (over, to) = (at + dx + 4 * dy, 4 * y + x);
            let has = |at: i32| pegs >> at & 1 == 1;
            if has(at) && has(over) && !has(to) {
                most = most.max(1 + count_hops(pegs & !(1 << at) & !(1 << over) | 1 << to));
            }
        }
    }
    most
}

/// Plays random games with all executors.
fn plays(rules: &str) -> Game {
    plays_games(rules, extent::tries((20, 4), (200, 30)))
}

/// Plays random games with the interpreter and compiled code, and so many with the reference interpreter.
fn plays_games(rules: &str, (fast, slow): (u64, u64)) -> Game {
    let game = game(rules);
    houserule::game::agree(&game, 3, fast).unwrap();
    for index in 0..slow {
        assert_ne!(agree(&game, 3, index, 1000), Came::Failed, "{index}");
    }
    game
}

/// Returns the pegs of a state, as [`count_hops`] takes them.
fn pegs_of(state: &State) -> u32 {
    let empty = state.game().model().boards[0].empty;
    let houserule::model::Value::Set(free) = state.value(empty, 0) else { panic!("no set") };
    !free.iter().fold(0, |bits, site| bits | 1 << site) & 0xffff
}

fn left_in(state: &State) -> u32 {
    let slots = &state.game().model().slots;
    let left = slots.iter().position(|slot| slot.name == "left").unwrap();
    let houserule::model::Value::Number(n) = state.value(houserule::model::SlotId(left as u32), 0) else {
        panic!("no number")
    };
    n as u32
}

#[test]
fn the_longest_chain_is_that_of_a_search_by_hand() {
    let game = plays(PEGS);
    let mut lengths = std::collections::BTreeSet::new();
    for index in 0..extent::tries(40, 200) {
        let mut state = game.start(5, index).unwrap();
        while let Some(action) = state.random_action() {
            lengths.insert(left_in(&state));
            assert_eq!(left_in(&state), count_hops(pegs_of(&state)), "{}", state.position());
            state.apply(action).unwrap();
        }
        assert_eq!(count_hops(pegs_of(&state)), 0);
    }
    assert!(lengths.contains(&1) && lengths.contains(&5), "{lengths:?}");
}

#[test]
fn who_has_to_take_the_longest_way_takes_it() {
    let game = plays(&PEGS.replace("most: bool = false", "most: bool = true"));
    for index in 0..extent::tries(20, 100) {
        let mut state = game.start(6, index).unwrap();
        let first = count_hops(pegs_of(&state));
        let mut hops = 0;
        while let Some(action) = state.random_action() {
            state.apply(action).unwrap();
            hops += 1;
        }
        assert_eq!(hops, first, "{index}");
    }
}

/// The option is one of two domains, its effect has a loop and a branch, and another player acts.
#[test]
fn a_chain_is_that_of_who_acts_with_all_options_of_the_name() {
    plays(
        r#"game "Coins" {
  players 2..3
  enum purse { left, right }
  var coins[player]: 0..9 = 4
  var held[purse]: 0..9 = 0
  var most: 0..64 = 0
  setup { for p in players { coins[p] = 3 } }
  turn {
    step count { as other { most = longest_chain(pay) } }
    step pay {
      choose {
        pay n in 1..2 where n <= coins[me] { coins[me] -= n; for q in players - me { coins[q] = min(9, coins[q] + 1) } }
        pay b in purse where held[b] < 2 and coins[me] > 0 { held[b] += 1; if b == left { coins[me] -= 1 } }
        pass
      }
    }
    step after { most = longest_chain(pay) }
  }
  end late when turns[me] == 6: win most(most)
}"#
            .replace("win most(most)", "win me")
            .replace("as other", "as after(me)")
            .as_str(),
    );
}

/// Returns the error of the first decision of a game.
fn fails(rules: &str) -> RuntimeErrorKind {
    let game = game(rules);
    assert_eq!(agree(&game, 3, 0, 10), Came::Failed);
    houserule::game::agree(&game, 3, extent::tries(1, 10)).unwrap();
    match game.start(1, 0) {
        Err(error) => error.kind,
        Ok(_) => panic!("it doesn't fail"),
    }
}

#[test]
fn a_chain_without_an_end_is_an_error() {
    let rules = r#"game "Spin" {
  players 1
  var angle: 0..3 = 0
  var most: 0..64 = 0
  turn { most = longest_chain(spin); choose { spin { angle = (angle + 1) % 4 } } }
  end late when turns[me] == 3: draw
}"#;
    assert_eq!(fails(rules), RuntimeErrorKind::Budget);
    // Eight of seven ways each are too many to try, though no chain is long.
    let wide = rules.replace("spin {", "spin n in 0..6 where turns[me] < 9 and depth < 8 { depth += 1;");
    let wide = wide.replace("var most", "var depth: 0..9 = 0 each turn\n  var most");
    assert_eq!(fails(&wide), RuntimeErrorKind::Budget);
    // Five are few enough.
    let few = wide.replace("depth < 8", "depth < 5");
    let game = plays_games(&few, extent::tries((2, 1), (200, 30)));
    assert!(game.start(1, 0).is_ok());
}

/// Returns the messages about a rule text.
fn messages(rules: &str) -> String {
    match load_text("game", rules, &Request::default()) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn what_cannot_be_tried_is_an_error_that_says_why() {
    let wrong = |from: &str, to: &str| {
        assert!(PEGS.contains(from), "{from}");
        messages(&PEGS.replace(from, to))
    };
    let cases = [
        ("left = longest_chain(hop)", "left = longest_chain(hope)", "did you mean `hop`?"),
        ("left = longest_chain(hop)", "left = longest_chain(peg)", "there is no option `peg`"),
        ("left = longest_chain(hop)", "left = longest_chain(3)", "needs the name of an option"),
        ("hops += 1", "hops += 1; again", "contains `again`, so it can't be tried in advance"),
        ("hops += 1", "pick q in empty", "contains `pick`"),
        ("where over(c, d)", "where longest_chain(hop) > 0 and over(c, d)", "needs the answer itself"),
        ("where over(c, d)", "where not repeated(1, of: hops) and over(c, d)", "asks for earlier positions"),
        ("score { hops: hops }", "score { hops: longest_chain(hop) }", "outside a turn"),
        ("hop c in peg,", "hop k subset of peg,", "subset"),
    ];
    for (from, to, expected) in cases {
        let found = wrong(from, to);
        assert!(found.contains(expected), "{to}: {found}");
    }
}

#[test]
fn a_file_may_give_the_name_to_a_define() {
    plays(
        r#"game "Own" {
  players 1
  var n: 0..9 = 0
  define longest_chain(hop) = hop + 1
  turn { choose { go { n = longest_chain(n) } } }
  end late when n == 5: draw
}"#,
    );
}
