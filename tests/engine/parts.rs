//! Options that choose a part of copies or of dice: which actions there are, what they do, what others learn of them,
//! and agreement of all executors.

use std::collections::BTreeSet;

use houserule::game::{Game, Seat, Start};

use crate::agree::{Came, agree};
use crate::extent;
use crate::hidden::shows_nothing_hidden;
use crate::rules::{game, played};
use crate::states::{legal, number};

/// Three reds, two greens and a blue in the hand of each player.
fn cubes(turn: &str) -> Game {
    game_from("zone hand[player] of cube = [red: 3, green: 2, blue: 1] seen by owner", turn)
}

/// Six of eighteen cubes in the hand of each player.
fn dealt(turn: &str) -> Game {
    let bag = "zone hand[player] of cube seen by owner
  zone bag of cube = [red: 9, green: 6, blue: 3] seen by none
  setup { deal 6 from bag to hand }";
    game_from(bag, turn)
}

fn game_from(hands: &str, turn: &str) -> Game {
    game(&format!(
        r#"game "Cubes" {{
  players X, O
  enum cube {{ red, green, blue }}
  {hands}
  zone hidden[player] of cube seen by owner
  zone open of cube
  var points[player]: 0..999
  turn {{ {turn} }}
  end empty when hand[X] is nothing or turns[me] > 5
  score {{ points: points[me] }}
}}"#
    ))
}

const LAY: &str = "choose {
  lay k part of hand[me] where count(k) <= 3 { move k to open; points[me] += count(k) * 10 + 3 * k[red] + count({ c in cube where k[c] > 0 }) }
}";

/// A choice among dice, after which all are rolled again.
fn dice(choice: &str) -> Game {
    game(&format!(
        r#"game "Dice" {{
  players 2
  dice cup[player]: 5 of d4
  var faces[player]: 0..99
  turn {{ roll cup[me]; choose {{ {choice} }} }}
  end when turns[me] == 6
  score {{ faces: faces[me] }}
}}"#
    ))
}

#[test]
fn equal_copies_are_one_action() {
    let state = cubes(LAY).start(1, 0).unwrap();
    let actions = legal(&state);
    // (1 + x + x² + x³)(1 + x + x²)(1 + x) has the coefficients 1, 3, 5 and 6.
    assert_eq!(actions.len(), 1 + 3 + 5 + 6);
    assert!(actions.contains(&"lay red red green".to_owned()), "{actions:?}");
    assert!(actions.contains(&"lay red green blue".to_owned()) && actions.contains(&"lay".to_owned()));
    assert!(!actions.iter().any(|action| action.contains("blue blue") || action.contains("green red")));
}

#[test]
fn a_part_may_be_of_some_kinds_only() {
    let actions = |of: &str| {
        legal(
            &cubes(&format!("choose {{ lay k part of {of} where count(k) <= 2 {{ move k to open }} }}"))
                .start(1, 0)
                .unwrap(),
        )
    };
    // (1 + x + x²)(1 + x)
    assert_eq!(actions("hand[me] & {green, blue}").len(), 1 + 2 + 2);
    assert_eq!(actions("hand[me] - {green, blue}"), ["lay", "lay red", "lay red red"]);
}

#[test]
fn a_part_goes_as_a_whole_and_says_what_it_has() {
    let game = cubes(LAY);
    let state = played(&game, &["lay red red green"]);
    let seen = state.information_state(Seat(0));
    assert!(seen.contains("open = {2 red, 1 green}"), "{seen}");
    assert!(seen.contains("hand[X] = {1 red, 1 green, 1 blue}"), "{seen}");
    // Three copies, two of them red, of two kinds.
    assert_eq!(state.score(Seat(0)).unwrap(), 30 + 6 + 2);
    // Only what is left can be laid.
    let next = played(&game, &["lay red red green", "lay"]);
    assert_eq!(legal(&next).len(), 1 + 3 + 3 + 1);
}

#[test]
fn all_executors_agree_on_parts() {
    let hidden = "choose {
      give k part of hand[me] where 1 <= count(k) and count(k) < 4 and k[red] != 2 { move k from hand[me] to hidden[other] }
      show k part of hand[me] where count(k) == 2 { reveal k to other; points[other] += k[blue] }
      both p in players, k part of hidden[p] where count(k) <= 2 and red in k { move k to open; points[p] += count(k) }
      wild k part of hand[me] & {green, blue} where count(k) in {1, 3} { move k to open }
      tame k part of hand[me] - {red} where count(k) == 2 { move k to open }
      pass
    }";
    for game in [dealt(LAY), dealt(hidden)] {
        for index in 0..extent::tries(20, 60) {
            assert_ne!(agree(&game, 5, index, u32::MAX), Came::Failed);
        }
        shows_nothing_hidden(&game, 60, |_, _, _| ());
    }
    for choice in [
        "keep k part of cup[me] { faces[me] = sum d in k: cup[me, d] } none_of_them { }",
        "keep k part of cup[me] where count(k) in 2..3 and 2 in k { roll k; faces[me] = count(k) } pass",
    ] {
        let game = dice(choice);
        for index in 0..extent::tries(20, 60) {
            assert_ne!(agree(&game, 5, index, u32::MAX), Came::Failed);
        }
    }
}

#[test]
fn what_is_revealed_of_a_part_is_all_of_it() {
    let game = dealt("choose { show k part of hand[me] where count(k) == 3 { reveal k to other } }");
    let mut state = game.start(1, 0).unwrap();
    assert!(state.information_state(Seat(1)).contains("hand[X] has 6\n"));
    let actions = legal(&state);
    let two_alike = actions.iter().find_map(|action| match action.split(' ').collect::<Vec<_>>()[..] {
        [_, a, b, c] if a == b && b != c => Some((action, format!("2 {a}, 1 {c}"))),
        _ => None,
    });
    let (action, shown) = two_alike.unwrap();
    state.apply(game.parse_action(action).unwrap()).unwrap();
    let seen = state.information_state(Seat(1));
    assert!(seen.contains(&format!("hand[X] has 6, with {{{shown}}}\n")), "{action}\n{seen}");
}

#[test]
fn dice_with_equal_faces_are_one_action() {
    let game = dice("keep k part of cup[me] { faces[me] = sum d in k: cup[me, d] }");
    let mut seen = 0;
    for index in 0..extent::tries(60, 200) {
        let state = game.start_at(&Start { seed: 3, index, ..Start::default() }).unwrap();
        let position = state.position();
        let line = position.lines().find(|line| line.starts_with("cup = ")).unwrap().to_owned();
        let mut counts = [0; 4];
        // The dice of the first player.
        for face in line.chars().filter_map(|c| c.to_digit(10)).take(5) {
            counts[face as usize - 1] += 1;
        }
        assert_eq!(counts.iter().sum::<usize>(), 5, "{line}");
        assert_eq!(legal(&state).len(), counts.iter().map(|count| count + 1).product::<usize>(), "{line}");
        seen += 32 - legal(&state).len();
        // Each sum of faces that a subset has can be had.
        let faces: Vec<i64> =
            (1..).zip(counts).flat_map(|(face, count)| std::iter::repeat_n(face, count)).collect();
        let has = |set: u32| (0..5).filter(move |die| set >> die & 1 == 1).map(|die| faces[die]).sum();
        let sums: BTreeSet<i64> = (0..32).map(has).collect();
        let reached = state.legal_actions().into_iter().map(|action| {
            let mut after = state.clone();
            after.apply(action).unwrap();
            after.score(Seat(0)).unwrap()
        });
        assert_eq!(reached.collect::<BTreeSet<i64>>(), sums, "{line}");
    }
    assert!(seen > 0);
}

/// Parts too large for an action each are chosen copy by copy. Nobody gets stuck, and the part is paid as a whole.
#[test]
fn a_large_part_is_chosen_in_steps() {
    let game = game(
        r#"game "Gems" {
  players 2
  enum gem { white, blue, green, red, black }
  zone hand[player] of gem = [white: 4, blue: 4, green: 3, red: 1] seen by owner
  zone bank of gem
  var paid[player]: 0..99
  turn {
    choose {
      pay k part of hand[me] where count(k) == 10 and k[red] == 1 and k[white] > k[blue] { move k to bank; paid[me] += count(k) + 10 * k[white] }
      discard k part of hand[me] where count(k) in 9..12 { move k to bank; paid[me] += count(k) }
      otherwise { }
    }
  }
  end when turns[me] == 2
  score { paid: paid[me] }
}"#,
    );
    let copies =
        ["pay white"; 4].into_iter().chain(["pay blue"; 2]).chain(["pay green"; 3]).chain(["pay red"]);
    let copies: Vec<&str> = copies.collect();
    let state = played(&game, &copies);
    assert_eq!(number(&state, "paid", 0), 50);
    let few = played(&game, &copies[..5]);
    assert_eq!(legal(&few), ["pay blue"], "with a single blue there are no ten");
    for index in 0..30 {
        assert_eq!(agree(&game, 3, index, 5_000), Came::Over, "game {index}");
    }
}

/// Dice are kept by what they show.
const CUP: &str = r#"game "Cup" {
  players 2
  dice cup: 6 of d6
  dice odd: 4 of {ray, tank, cow}
  var points[player]: 0..999 = 0
  setup { roll cup; roll odd }
  turn {
    choose {
      keep k part of cup & {1, 5} where count(k) > 0 { points[me] += (sum d in k: cup[d]); roll k }
      same k part of cup - {1, 5} where count(k) == 3 { points[me] += 2; roll k }
      some k subset of odd & {ray, tank} where count(k) in 1..2 { points[me] += count(k); roll k }
      otherwise { roll cup; roll odd }
    }
  }
  end when points[me] > 40 or turns[me] > 20
  score { points: points[me] }
}"#;

#[test]
fn a_part_of_dice_is_limited_to_faces() {
    let game = game(CUP);
    for index in 0..extent::tries(15, 40) {
        assert_eq!(agree(&game, 3, index, u32::MAX), Came::Over);
    }
    for index in 0..20 {
        let state = game.start(2, index).expect("it starts");
        let faces: Vec<i64> = (0..6).map(|die| number(&state, "cup", die)).collect();
        let odd = (0..4).filter(|die| number(&state, "odd", *die) < 3).count();
        let count = |face: i64| faces.iter().filter(|one| **one == face).count();
        let begin = |word: &str| legal(&state).iter().filter(|action| action.starts_with(word)).count();
        // Of n equal dice a part has 0 to n.
        assert_eq!(begin("keep"), (count(1) + 1) * (count(5) + 1) - 1, "{faces:?}");
        let others: Vec<usize> = [2, 3, 4, 6].map(count).to_vec();
        let mut parts = [1_usize, 0, 0, 0];
        for many in others {
            for size in (0..4).rev() {
                parts[size] = (0..=size.min(many)).map(|taken| parts[size - taken]).sum();
            }
        }
        assert_eq!(begin("same"), parts[3], "{faces:?}");
        assert_eq!(begin("some"), odd + odd * odd.saturating_sub(1) / 2);
    }
}
