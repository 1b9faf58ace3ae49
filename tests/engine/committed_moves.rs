//! Moves and variables in `together`: nobody else can tell what a player has committed before all have chosen.

use crate::agree::{Came, agree, same_in_both_modes};
use crate::hidden::shows_nothing_hidden;
use crate::rules::game;
use crate::states::{apply, legal, number, set};
use houserule::draw::text;
use houserule::game::{Seat, State};
use houserule::loader::{Request, load_text};

/// All play one card or two, put one aside face down, and take back what lies in front of them.
pub(crate) const CARDS: &str = r#"game "Cards" {
  players 2..3
  domain card = 1..9
  enum side { left, right }
  zone stock of card seen by none
  zone hand[player] of card seen by owner
  zone played[player] of card
  zone aside[player, side] of card seen by owner
  zone table of card
  var points[player]: 0..99 = 0
  round {
    deal 3 from stock to hand
    together as me {
      choose first {
        play c in hand[me] { move c to played[me] }
        two k subset of hand[me] where count(k) == 2 { move k to played[me] }
        keep c in hand[me], s in side { move c to aside[me, s] }
      }
      choose second {
        more c in hand[me] where c > 2 { move c to played[me] }
        back c in played[me] { move c to hand[me] }
        turn_down c in played[me] where count(hand[me]) > 0 { move c to aside[me, right] }
        all where hand[me] is some { for c in hand[me] { move c to aside[me, left] } }
        otherwise { }
      }
      if count(played[me]) > 2 { let low = lowest(played[me])  for c in low { move c to aside[me, left] } }
    }
    for p in players { points[p] += (sum c in played[p]: c) - count(aside[p, left]) + 3 }
    move played | hand | aside to stock
  }
  end late of round when round == 4
  score { points: points[me] }
}"#;

/// All pass a card to the left, put one into the middle unseen, and then pass their whole hands on.
pub(crate) const PASSING: &str = r#"game "Passing" {
  players 2..4
  domain card = 1..16
  zone stock of card seen by none
  zone hand[player] of card seen by owner
  zone built[player] of card
  zone middle of card
  var points[player]: 0..99 = 0
  setup { deal 4 from stock to hand }
  round {
    together as me {
      choose { pass_on c in hand[me] { move c to hand[after(me)] } }
      choose {
        build c in hand[me] { move c to built[me] }
        throw c in hand[me] where count(hand[me]) > 1 { move c to middle }
        pass
      }
    }
    together as me { move hand[me] to hand[after(me)] }
    for p in players { points[p] += count(built[p]) }
  }
  end late of round when round == 4
  score { points: points[me] }
}"#;

/// The same with the variables that the engine keeps written out, for one option.
const WRITTEN: &str = r#"game "Written" {
  players 3
  domain card = 1..9
  zone stock of card seen by none
  zone hand[player] of card seen by owner
  zone played[player] of card
  var chosen[player]: card? = none each round
  round {
    deal 2 from stock to hand
    together as me { choose { play c in hand[me] { CHOSEN } } }
    AFTER
    move played | hand to stock
  }
  end late of round when round == 4
  score { none: 0 }
}"#;

fn refused(block: &str) -> String {
    let rules = format!(
        "game \"Refused\" {{
            players 2
            enum cube {{ red, blue }}
            domain card = 1..9
            zone stock of card seen by none
            zone hand[player] of card seen by owner
            zone played[player] of card
            zone table of card
            domain tile = 1..4
            zone heap of tile
            zone pile[player] of tile ordered
            zone rack[player] of tile
            zone bag of cube = 3
            zone held[player] of cube
            var seen[player]: 0..9 = 0 each round
            round {{ together as me {{ {block} }} }}
            end when stock is nothing
        }}"
    );
    match load_text("rules", &rules, &Request::default()) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("{block} is accepted"),
    }
}

#[test]
fn both_executors_commit_alike() {
    let game = game(CARDS);
    for index in 0..80 {
        assert_eq!(agree(&game, 6, index, u32::MAX), Came::Over, "game {index}");
    }
    same_in_both_modes(&game, 6, 40);
}

#[test]
fn a_committed_move_is_a_variable_written_out() {
    let with = |chosen: &str, after: &str| game(&WRITTEN.replace("CHOSEN", chosen).replace("AFTER", after));
    let moved = with("move c to played[me]", "");
    let noted = with("chosen[me] = c", "for p in players { for c in chosen[p] { move c to played[p] } }");
    for index in 0..20 {
        let (mut one, mut other) =
            (moved.start(5, index).expect("it starts"), noted.start(5, index).expect("it starts"));
        for turn in 0.. {
            if one.is_over() {
                break;
            }
            let actions = one.legal_actions();
            let action = actions[(index + turn) as usize % actions.len()];
            assert_eq!(legal(&one), legal(&other));
            one.apply(action).expect("it is legal");
            other.apply(action).expect("it is legal");
            for zone in ["hand", "played", "stock"] {
                for place in 0..if zone == "stock" { 1 } else { 3 } {
                    assert_eq!(set(&one, zone, place), set(&other, zone, place), "{zone}");
                }
            }
        }
        assert!(other.is_over());
    }
}

/// The first legal action that begins with a word.
fn choose(state: &mut State, word: &str) -> String {
    let all = legal(state);
    let action = all.iter().find(|name| name.starts_with(word)).unwrap_or_else(|| panic!("{word}: {all:?}"));
    let action = action.clone();
    apply(state, &action);
    action
}

#[test]
fn own_zones_are_read_as_if_the_elements_had_moved() {
    let game = game(CARDS);
    let mut state = game.start(1, 0).expect("it starts");
    let hand = set(&state, "hand", 0);
    let first = choose(&mut state, "play");
    let played = hand.iter().find(|card| first == format!("play {}", *card + 1)).copied();
    let played = played.expect("a card of the hand");
    let all = legal(&state);
    // The card in front can be taken back, and is no longer in the hand.
    assert!(all.contains(&format!("back {}", played + 1)), "{all:?}");
    assert!(!all.contains(&format!("more {}", played + 1)), "{all:?}");
    assert_eq!((set(&state, "hand", 0), set(&state, "committed played", 0)), (hand.clone(), vec![played]));
    choose(&mut state, "turn_down");
    for _ in 1..state.game().players() {
        choose(&mut state, "play");
        choose(&mut state, "back");
    }
    // The second round has begun, and everything was moved to the stock.
    assert!(set(&state, "played", 0).is_empty() && set(&state, "committed aside", 1).is_empty());
}

#[test]
fn elements_move_when_all_have_chosen() {
    let game = game(&CARDS.replace(
        "move played | hand | aside to stock",
        "choose { go_on { move played | hand | aside to stock } }",
    ));
    let mut state = game.start(1, 0).expect("it starts");
    let hands = [set(&state, "hand", 0), set(&state, "hand", 1)];
    let name = |card: u32| (card + 1).to_string();
    apply(&mut state, &format!("two {} {}", name(hands[0][0]), name(hands[0][1])));
    choose(&mut state, "back");
    assert_eq!([set(&state, "hand", 0), set(&state, "hand", 1)], hands);
    apply(&mut state, &format!("keep {} right", name(hands[1][2])));
    apply(&mut state, "all");
    assert_eq!(set(&state, "played", 0), [hands[0][1]]);
    assert_eq!(set(&state, "hand", 0), [hands[0][0], hands[0][2]]);
    assert_eq!(
        (set(&state, "aside", 3), set(&state, "aside", 2)),
        (vec![hands[1][2]], hands[1][..2].to_vec())
    );
    assert!(set(&state, "hand", 1).is_empty() && set(&state, "committed aside", 2).is_empty());
}

#[test]
fn what_is_passed_on_arrives_when_all_have_chosen() {
    let game = game(PASSING);
    let mut state = game.start(1, 0).expect("it starts");
    assert_eq!(game.players(), 2);
    let hands = [set(&state, "hand", 0), set(&state, "hand", 1)];
    let name = |card: u32| (card + 1).to_string();
    apply(&mut state, &format!("pass_on {}", name(hands[0][0])));
    assert!(!legal(&state).contains(&format!("build {}", name(hands[0][0]))), "it is no longer in the hand");
    assert!(
        !legal(&state).contains(&format!("build {}", name(hands[1][0]))),
        "the other's card isn't there yet"
    );
    apply(&mut state, &format!("throw {}", name(hands[0][1])));
    assert_eq!([set(&state, "hand", 0), set(&state, "hand", 1)], hands);
    assert!(set(&state, "middle", 0).is_empty());
    apply(&mut state, &format!("pass_on {}", name(hands[1][3])));
    apply(&mut state, &format!("build {}", name(hands[1][2])));
    // Both have passed a card on, and then their whole hands.
    let mut first = vec![hands[0][0], hands[1][0], hands[1][1]];
    let mut second = vec![hands[0][2], hands[0][3], hands[1][3]];
    first.sort_unstable();
    second.sort_unstable();
    assert_eq!([set(&state, "hand", 0), set(&state, "hand", 1)], [first, second]);
    assert_eq!((set(&state, "middle", 0), set(&state, "built", 1)), (vec![hands[0][1]], vec![hands[1][2]]));
}

/// Plays games on all executors, and looks for what seats could see of each other's choices.
fn alike_and_secret(rules: &str, games: u64, looked_at: u64) {
    let game = game(rules);
    for index in 0..games {
        assert_ne!(agree(&game, 3, index, 200), Came::Failed);
    }
    same_in_both_modes(&game, 4, games);
    shows_nothing_hidden(&game, looked_at, |_, _, _| {});
}

#[test]
fn both_executors_pass_cards_on_alike() {
    alike_and_secret(PASSING, 10, 60);
}

#[test]
fn nobody_can_tell_what_the_others_have_committed() {
    let game = game(CARDS);
    let start = game.start(1, 0).expect("it starts");
    let options = legal(&start);
    let seen: Vec<_> = options
        .iter()
        .map(|action| {
            let mut state = start.clone();
            apply(&mut state, action);
            let seat = Seat(1);
            let told = state.information_state(seat);
            (state.observation(seat), told, text::state(&state, Some(seat)))
        })
        .collect();
    assert!(options.len() > 6, "{options:?}");
    assert!(seen.iter().all(|one| *one == seen[0]));
    shows_nothing_hidden(&game, 30, |_, _, _| {});
}

#[test]
fn a_position_in_the_middle_is_read_back() {
    let game = game(CARDS);
    for index in 0..10 {
        let mut state = game.start(9, index).expect("it starts");
        while let Some(action) = state.random_action() {
            state.apply(action).expect("it is legal");
            let text = state.position();
            let read = game.position(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
            assert_eq!(read.position(), text);
            assert_eq!(read.legal_actions(), state.legal_actions(), "{text}");
        }
    }
}

#[test]
fn what_could_disturb_others_is_refused() {
    let refuses = |block: &str, why: &str| {
        let told = refused(block);
        assert!(told.contains(why), "{block}: {told}");
    };
    refuses("seen[me] = 1", "nobody chooses or moves anything");
    refuses(
        "choose { a c in hand[me] { move c to played[other]; move c to played[me] } b where count(played[other]) > 0 { } }",
        "`played` is kept from the others here",
    );
    refuses("choose { a c in table { move c to hand[me] } }", "only what lies in zones of their own");
    refuses("choose { a c in played[other] { move c to hand[me] } }", "only what lies in zones of their own");
    refuses("choose { a c in card { move c to hand[me] } }", "only what lies in zones of their own");
    refuses(
        "choose { a c in hand[me] { let d = lowest({c}); d = lowest(stock); for x in d { move x to played[me] } } }",
        "only what lies in zones of their own",
    );
    refuses("choose { a c in rack[me] { move c to pile[me] } }", "has no order");
    refuses("choose { a c in pile[me] { move c to rack[me] } }", "has no order");
    refuses("choose { a c in hand[me] { draw d from stock to hand[me] } }", "isn't allowed in `together`");
    refuses("choose { a k in held[me] { move k from held[me] to bag } }", "copies");
    // What others have moved can't be read.
    refuses(
        "choose { a c in hand[me] { move c to played[me] } b n in 1..9 where count(played[other]) > 0 { seen[me] = n } }",
        "`played` is kept from the others here",
    );
    refuses(
        "choose { a c in hand[me] { move c to played[me] } b where hand is some { seen[me] = 1 } }",
        "`hand` is kept from the others here",
    );
    refuses(
        "choose { a c in hand[me] where owner(c) == me { move c to played[me] } }",
        "is kept from the others here",
    );
}

/// All write on sheets of their own at once; what they write stays.
pub(crate) const SHEETS: &str = r#"game "Sheets" {
  players 2..3
  board box = grid(3, 2)
  enum mood { calm, wild }
  dice cup: 2 of d6
  var number[player, box]: 0..12 = 0
  var left[player]: 0..9 = 9
  var feels[player]: mood = calm seen by owner
  var crossed[player]: set of box = {}
  round {
    roll cup
    together as me {
      choose {
        write c in box where number[me, c] == 0 and c not in crossed[me] { number[me, c] = sum(cup) }
        cross c in box - crossed[me] { crossed[me] += c; left[me] -= 1 }
        pass
      }
      if left[me] < 7 and count(crossed[me]) > 1 { feels[me] = wild }
      choose {
        again c in crossed[me] where number[me, c] == 0 { number[me, c] = left[me] }
        rest where feels[me] == calm or left[me] > 2 { left[me] -= 1 }
        otherwise { }
      }
    }
  }
  end late of round when round == 4
  score { all: sum c in box: number[me, c] }
}"#;

#[test]
fn variables_that_last_change_when_all_have_chosen() {
    let game = game(SHEETS);
    let mut state = game.start(1, 0).expect("it starts");
    let rolled = number(&state, "cup", 0) + number(&state, "cup", 1);
    apply(&mut state, "cross b2");
    assert!(legal(&state).contains(&"again b2".to_owned()), "the own sheet is read as written");
    apply(&mut state, "again b2");
    assert!(set(&state, "crossed", 0).is_empty() && number(&state, "left", 0) == 9);
    // The own sheet shows what was committed, in the names of the rules.
    let [own, other] = [0, 1].map(|seat| text::state(&state, Some(Seat(seat))));
    assert!(!own.contains("committed") && !other.contains("committed"), "{own}");
    let left = |shown: &str| {
        let head = shown.lines().find(|line| line.contains("left")).expect("a column");
        let row = &shown.lines().find(|line| line.contains("player 1")).expect("a row");
        let at = head.find("left").expect("a column") + 3;
        row[at..].chars().next()
    };
    assert_eq!((left(&own), left(&other)), (Some('8'), Some('9')), "{own}");
    apply(&mut state, "write a1");
    apply(&mut state, "rest");
    assert_eq!(set(&state, "crossed", 0), [4]);
    assert_eq!([number(&state, "left", 0), number(&state, "left", 1)], [8, 8]);
    assert_eq!([number(&state, "number", 4), number(&state, "number", 6)], [8, rolled]);
    while !state.is_over() {
        let action = state.legal_actions()[0];
        state.apply(action).expect("it is legal");
    }
    assert!(!text::state(&state, None).contains("committed"));
}

#[test]
fn both_executors_commit_variables_alike() {
    alike_and_secret(SHEETS, 20, 60);
}
