//! Domains with several kinds of elements, and fields of what may be none.

use crate::agree::{Came, agree, same_in_both_modes};
use crate::hidden::shows_nothing_hidden;
use crate::rules::game as made;
use crate::states::{apply, legal, number, position};
use houserule::game::Game;

/// Cards with suit and rank, tokens with a value and a suit or without one, and two jokers.
const KINDS: &str = r#"game "Kinds" {
  players 2
  enum suit { clubs, hearts }
  domain card { suit: suit, rank: 2..5 } | { joker_1, joker_2 } | { worth: -1..1 } | { suit: suit, worth: 7..8 }
    shown as [joker_1: "J" in red, joker_2: "j"]
  zone stock of card seen by none
  zone hand[player] of card seen by owner
  zone pile of card ordered
  var points[player]: -99..999 = 0
  var last: card? = none
  var named: 0..9? = none
  table bonus[suit]: 0..9 = [clubs: 2, hearts: 3]

  define rank_of(c) = if c.rank is some then c.rank else 0
  define worth_of(c) = if c.worth is nothing then rank_of(c) else c.worth

  setup { deal 4 from stock to hand; deal 1 from stock to pile }
  turn {
    if stock is nothing { move pile to stock }
    choose {
      suit c in hand[me] where top(pile).suit == c.suit { move c to pile; points[me] += 1 }
      above c in hand[me] where c.rank > top(pile).rank { move c to pile; points[me] += c.rank }
      below c in hand[me] where c.rank < 4 { move c to pile; points[me] += 4 - c.rank }
      between c in hand[me] where c.rank in 3..9 and c.rank != last.rank { move c to pile }
      token c in hand[me] where c.worth is some { move c to pile; points[me] += c.worth; named = c.worth + 1 }
      suited c in hand[me] where c.suit == hearts and c.rank >= 3 { move c to pile; points[me] += bonus[c.suit] * c.rank }
      joker c in hand[me] & {joker_1, joker_2} { move c to pile; points[me] += 2; named = none }
      same c in hand[me] where c.worth == named { move c to pile; points[me] += worth_of(c) }
      keep { if last is some { points[me] += rank_of(last) } }
      otherwise { end game }
    }
    last = top(pile)
    draw c from stock to hand[me]
    if last.rank == 5 or 2 > last.worth { points[me] += 1 }
    let worth = last.worth
    if worth is some { points[me] += worth }
  }
  end when turns[me] > 20
  score {
    points: points[me]
    ranks: sum c in hand[me] where c.rank is some: c.rank
    best: worth_of(highest(hand[me]))
    suits: count(union c in hand[me]: {c.suit})
    lacking: count c in hand[me]: c.suit is nothing
  }
}"#;

fn kinds() -> Game {
    made(KINDS)
}

#[test]
fn both_executors_read_fields_that_elements_lack_alike() {
    let game = kinds();
    for index in 0..80 {
        assert_ne!(agree(&game, 5, index, 200), Came::Failed);
    }
    same_in_both_modes(&game, 6, 60);
}

#[test]
fn hidden_kinds_stay_hidden() {
    shows_nothing_hidden(&kinds(), 24, |_, _, _| {});
}

#[test]
fn a_domain_lists_its_kinds_in_order() {
    let game = kinds();
    let card = game.model().domains.iter().position(|domain| domain.name == "card").expect("a domain");
    let card = houserule::model::DomainId(card as u32);
    let names: Vec<String> = (0..17).map(|e| game.model().element_name(card, e)).collect();
    let all = "clubs-2 clubs-3 clubs-4 clubs-5 hearts-2 hearts-3 hearts-4 hearts-5 joker_1 joker_2 -1 0 1 \
               clubs-7 clubs-8 hearts-7 hearts-8";
    assert_eq!(names.join(" "), all);
}

#[test]
fn a_field_that_is_missing_is_none_and_compares_as_false() {
    let game = made(
        r#"game "Asked" {
          players 2
          enum suit { clubs, hearts }
          domain card { suit: suit, rank: 1..3 } | { joker }
          zone pack of card
          zone pile of card ordered
          var seen: 0..99 = 0
          define asked = (if joker.rank is nothing then 1 else 0)
            + (if joker.rank > 0 or joker.rank <= 3 or joker.rank == 1 then 2 else 0)
            + (if joker.suit != hearts then 4 else 0)
            + (if top(pile).suit == joker.suit then 8 else 0)
            + (if top(pile).rank == 2 then 16 else 0)
            + (if top(pile).rank > 1 then 32 else 0)
          turn { choose { lay c in pack { move c to pile } }  seen = asked }
          end when pack is nothing
        }"#,
    );
    let mut state = game.start(1, 0).expect("it starts");
    // The pack is the first zone: all cards lie in it, and none on the pile.
    assert_eq!(legal(&state).len(), 7);
    apply(&mut state, "lay clubs-1");
    assert_eq!(number(&state, "seen", 0), 1 + 4);
    apply(&mut state, "lay hearts-2");
    assert_eq!(number(&state, "seen", 0), 1 + 4 + 16 + 32);
    apply(&mut state, "lay joker");
    assert_eq!(number(&state, "seen", 0), 1 + 4 + 8);
    let same = position(&game, &state.position());
    assert_eq!(same.position(), state.position());
}
