//! Subsets that are chosen in steps, and quantifiers over subsets: held to subsets that are counted here, and agreement of
//! all executors.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use houserule::game::{Game, Seat, State};
use houserule::loader::{Request, load_text};

use crate::agree::{Came, agree};
use crate::extent;
use crate::hidden::shows_nothing_hidden;
use crate::rules::game;
use crate::states::legal;

/// Eight of 52 cards in each hand. The score is the number of subsets of the hand that fulfil a condition.
fn cards(condition: &str, options: &str) -> Game {
    game(&card_rules(condition, options))
}

fn card_rules(condition: &str, options: &str) -> String {
    format!(
        r#"game "Cards" {{
  players X, O
  enum suit {{ clubs, diamonds, hearts, spades }}
  domain card {{ rank: 1..13, suit: suit }}
  zone pack of card seen by none
  zone hand[player] of card seen by owner
  zone given[player] of card seen by none
  zone laid of card
  var last: 0..9
  setup {{ deal 8 from pack to hand }}
  turn {{ choose act {{ {options} }} }}
  end empty when hand[me] is nothing or turns[me] == 5
  score {{ ways: count k subset of hand[me]: {condition} }}
}}"#
    )
}

const FIFTEEN: &str = "count(k) in 3..5 and (sum c in k: c.rank) == 15";

/// The ranks of the cards that each legal action of a name takes, with the action.
fn takes<'a>(actions: &'a [String], name: &str) -> Vec<(i64, &'a str)> {
    let card = |action: &'a String| {
        let (first, card) = action.split_once(' ')?;
        (first == name).then(|| (card.split('-').next().unwrap().parse().unwrap(), card))
    };
    actions.iter().filter_map(card).collect()
}

/// All ways through the steps of an option from a state: what each takes, and the state after it.
fn ways(state: &State, name: &str, seat: Seat, taken: &[String], all: &mut Vec<(Vec<String>, State)>) {
    for action in legal(state) {
        let step = action.split_once(' ').filter(|(first, _)| *first == name);
        if step.is_none() && (action != "done" || taken.is_empty()) {
            continue;
        }
        let mut after = state.clone();
        after.apply(state.game().parse_action(&action).unwrap()).unwrap();
        let taken = [taken, &step.map(|(_, card)| card.to_owned()).into_iter().collect::<Vec<_>>()].concat();
        match after.current_player() == Some(seat) && step.is_some() && after.turns() == state.turns() {
            true => ways(&after, name, seat, &taken, all),
            false => all.push((taken, after)),
        }
    }
}

#[test]
fn steps_lead_to_each_subset_once() {
    let options = format!(
        "lay k subset of hand[me] where {FIFTEEN} {{ move k to laid; last = count(k) }} single c in hand[me] {{ move c to laid }}"
    );
    let game = cards(FIFTEEN, &options);
    // A card and `done`, twice 52 and 1 actions.
    assert_eq!(game.actions(), 52 + 52 + 1);
    let mut found = 0;
    for index in 0..40 {
        let state = game.start(9, index).unwrap();
        let actions = legal(&state);
        let hand = takes(&actions, "single");
        assert_eq!(hand.len(), 8);
        let wanted: BTreeSet<Vec<String>> = (0..1u32 << 8)
            .filter(|set| (3..=5).contains(&set.count_ones()))
            .map(|set| {
                hand.iter().enumerate().filter(move |(at, _)| set >> at & 1 == 1).map(|(_, card)| card)
            })
            .filter(|cards| cards.clone().map(|(rank, _)| rank).sum::<i64>() == 15)
            .map(|cards| cards.map(|(_, card)| (*card).to_owned()).collect())
            .collect();
        let mut all = vec![];
        ways(&state, "lay", Seat(0), &[], &mut all);
        for (taken, after) in &all {
            let seen = after.information_state(Seat(1));
            assert!(taken.iter().all(|card| seen.contains(card.as_str())), "{taken:?}\n{seen}");
            assert!(after.position().contains(&format!("last = {}", taken.len())), "{taken:?}");
        }
        let taken: Vec<Vec<String>> = all.into_iter().map(|(taken, _)| taken).collect();
        assert_eq!(taken.len(), wanted.len(), "{taken:?}");
        assert_eq!(state.score(Seat(0)).unwrap(), wanted.len() as i64);
        found += wanted.len();
        assert_eq!(taken.into_iter().collect::<BTreeSet<_>>(), wanted);
    }
    assert!(found > 40, "{found}");
}

#[test]
fn the_empty_subset_and_what_comes_before_it_are_one_action() {
    let options = "give p in players - me, k subset of hand[me] where count(k) <= 4 and (all c in k: c.rank > 6) { move k to given[p]; last = count(k) }";
    let game = cards("count(k) == 1", options);
    // Two players with no card, two with a first card, further cards, and `done`.
    assert_eq!(game.actions(), 2 + 2 * 52 + 52 + 1);
    let state = game.start(2, 0).unwrap();
    let actions = legal(&state);
    assert!(actions.contains(&"give O".to_owned()), "{actions:?}");
    let high = actions.iter().filter(|action| action.split(' ').count() == 3).count();
    assert!(high > 1 && actions.len() == high + 1, "{actions:?}");
    let mut after = state.clone();
    let first = actions.iter().find(|action| action.split(' ').count() == 3).unwrap();
    after.apply(game.parse_action(first).unwrap()).unwrap();
    let next = legal(&after);
    assert!(next.contains(&"done".to_owned()) && next.len() == high, "{next:?}");
    after.apply(game.parse_action("done").unwrap()).unwrap();
    assert!(after.position().contains("last = 1") && after.current_player() == Some(Seat(1)));
}

#[test]
fn all_executors_agree_on_steps() {
    let lay = format!(
        "lay k subset of hand[me] where {FIFTEEN} {{ move k to laid; last = count(k) }} single c in hand[me] {{ move c to laid }}"
    );
    let give = "give p in players - me, k subset of hand[me] where count(k) <= 4 and (any c in k: c.rank > 6) { move k to given[p]; last = count(k) } pass";
    let hidden = "hide k subset of hand[me] where count(k) in 2..4 and (sum c in k: c.rank) > 20 seen by none { move k to given[me] } otherwise { last = 3 }";
    for options in [&lay, give, hidden] {
        let game = cards(FIFTEEN, options);
        for index in 0..extent::tries(5, 25) {
            assert_ne!(agree(&game, 5, index, u32::MAX), Came::Failed);
        }
        shows_nothing_hidden(&game, extent::tries(24, 30), |_, _, _| ());
    }
}

#[test]
fn quantifiers_go_over_subsets() {
    let game = game(
        r#"game "Numbers" {
  players 1
  domain number = 1..12
  var have: set of number = {1, 2, 3, 4, 5, 6}
  var few: set of 1..5 = {2, 3, 5}
  turn { choose { stop { end game } } }
  score {
    tens: count k subset of have: count(k) == 3 and (sum n in k: n) == 10
    up_to_two: count k subset of have where count(k) <= 2: 7 in {n in 1..12 where (sum m in k: m) == n}
    greatest: max k subset of have where count(k) == 2: lowest(k) * highest(k)
    total: sum k subset of have where count(k) == 2: lowest(k)
    taking_part: count(union k subset of have where count(k) == 3 and (sum n in k: n) == 7: k)
    unbounded: count k subset of few: (sum n in k: n) > 4
    some_pair: if any k subset of have: count(k) == 2 and (sum n in k: n) == 11 then 1 else 0
    no_pair: if any k subset of have: count(k) == 2 and (sum n in k: n) == 12 then 1 else 0
    every_pair: if all k subset of have where count(k) == 2: (sum n in k: n) > 2 then 1 else 0
    not_every_pair: if all k subset of have where count(k) == 2: (sum n in k: n) > 3 then 1 else 0
    none_so_large: max k subset of few where count(k) == 4: count(k)
  }
}"#,
    );
    let state = game.start(1, 0).unwrap();
    let explained = houserule::explain::explain(&state, Seat(0)).unwrap();
    let items: Vec<(String, i64)> = explained.iter().map(|item| (item.name.clone(), item.points)).collect();
    let wanted = [
        // 136, 145, 235
        ("tens", 3),
        // 16, 25, 34
        ("up_to_two", 3),
        ("greatest", 30),
        // 5·1 + 4·2 + 3·3 + 2·4 + 1·5
        ("total", 35),
        // 124
        ("taking_part", 3),
        // 5, 23, 25, 35, 235
        ("unbounded", 5),
        ("some_pair", 1),
        ("no_pair", 0),
        ("every_pair", 1),
        ("not_every_pair", 0),
        ("none_so_large", 0),
    ];
    assert_eq!(items, wanted.map(|(name, points)| (name.to_owned(), points)));
}

#[test]
fn a_variant_changes_an_option_with_steps() {
    let options = "lay k subset of hand[me] where count(k) == 4 { move k to laid } pass";
    let base = card_rules("count(k) == 1", options);
    let variant = "variant \"Counted\" of \"Cards\" {
        extend act { after lay { last = count(k) } }
    }";
    let game = game(&format!("{base}\n{variant}"));
    let mut state = game.start(1, 0).unwrap();
    for step in 0..4 {
        assert!(!state.position().contains("last = "), "{step}");
        let action = state.legal_actions().into_iter().find(|action| game.action_name(*action) != "pass");
        state.apply(action.unwrap()).unwrap();
    }
    assert!(state.position().contains("last = 4") && state.current_player() == Some(Seat(1)));
}

#[test]
fn what_steps_cannot_do_is_told() {
    let told = |option: &str| {
        let text = format!(
            "game \"Cards\" {{ players 1  enum suit {{ a, b, c, d }}  domain card {{ rank: 1..13, suit: suit }}
             zone pack of card  turn {{ choose {{ {option} }} }}  end when turns[me] == 2 }}"
        );
        load_text("cards.rules", &text, &Request::default()).unwrap_err().to_string()
    };
    let ensuring = told("lay k subset of pack where count(k) == 5 ensuring count(pack) > 3 { }");
    assert!(ensuring.contains("`ensuring` can't be asked of a subset that is chosen in steps"), "{ensuring}");
    let unbounded = told("lay c in pack where (any k subset of pack: c in k) { }");
    assert!(unbounded.contains("how many elements `k` has isn't bounded"), "{unbounded}");
    let least = told("lay c in pack where (min k subset of pack where count(k) == 2: count(k)) > 0 { }");
    assert!(least.contains("`min` doesn't go over subsets"), "{least}");
    let negative =
        told("lay c in pack where (max k subset of pack where count(k) == 2: 0 - count(k)) > 0 { }");
    assert!(negative.contains("this may be negative"), "{negative}");
}
