//! Domains with several kinds of elements, and fields of what may be none.

use crate::agree::{Came, agree, same_in_both_modes};
use crate::extent;
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
    for index in 0..extent::tries(30, 80) {
        assert_ne!(agree(&game, 5, index, 200), Came::Failed);
    }
    same_in_both_modes(&game, 6, 60);
}

#[test]
fn hidden_kinds_stay_hidden() {
    shows_nothing_hidden(&kinds(), 40, |_, _, _| {});
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
    assert_eq!(number(&state, "seen", 0), 1 + 4);
    let same = position(&game, &state.position());
    assert_eq!(same.position(), state.position());
}

/// A pack in which cards of several kinds lie a different number of times.
const PACK: &str = r#"game "Pack" {
  players 3
  enum colour { red, green, blue }
  enum act { miss, turn_round, take_two }
  domain card { colour: colour, number: 0..3 } | { colour: colour, act: act } | { wild, wild_four }
  zone stock of card = [
    { c in card where c.number == 0 }: 1, { c in card where c.number > 0 or c.act is some }: 2, {wild, wild_four}: 4
  ] seen by none
  zone hand[player] of card seen by owner
  zone pile of card
  var colour_now: colour = red
  var number_now: 0..3? = none
  var act_now: act? = none
  define fits(c) = c.colour == colour_now or c.number is some and c.number == number_now
    or c.act is some and c.act == act_now
  setup { deal 5 from stock to hand }
  turn {
    if stock is nothing { move pile to stock }
    choose {
      play c in hand[me] where c.colour is some and fits(c) {
        move c from hand[me] to pile
        colour_now = c.colour
        number_now = c.number
        act_now = c.act
        if c.act == miss { next after(after(me)) }
        if c.act == take_two { deal 2 from stock to hand[after(me)] }
      }
      wild c in hand[me] & {wild, wild_four}, k in colour {
        move c from hand[me] to pile
        colour_now = k
        number_now = none
        act_now = none
        if c == wild_four { deal 4 from stock to hand[after(me)] }
      }
      otherwise { draw c from stock to hand[me] }
    }
  }
  end out when hand[me] is nothing: win me
  end late when turns[me] > 30
}"#;

#[test]
fn copies_of_several_kinds_are_counted_by_sets() {
    let game = made(PACK);
    let state = game.start(1, 0).expect("it starts");
    let in_all: i64 = (0..game.model().slots.len())
        .filter(|slot| game.model().slots[*slot].role == houserule::model::Role::Copies)
        .map(|slot| {
            let values = &game.model().slots[slot].initial;
            let counts = (0..values.len()).map(|place| number(&state, &game.model().slots[slot].name, place));
            counts.sum::<i64>()
        })
        .sum();
    // Three times 1 + 3 * 2 numbers, 3 * 2 acts, and eight wild cards.
    assert_eq!(in_all, 3 * 7 + 18 + 8);
    for index in 0..40 {
        assert_ne!(agree(&game, 5, index, 300), Came::Failed);
    }
}
