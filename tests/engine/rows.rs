//! Domains whose elements have names, each with a row of values.

use crate::agree::{Came, agree, same_in_both_modes};
use crate::hidden::shows_nothing_hidden;
use crate::rules::game as made;
use crate::states::{apply, legal, number};
use houserule::game::Game;
use houserule::model::DomainId;

/// Cards that cost gems and give one. A guild asks for a card, and is declared before it.
const ROWS: &str = r#"game "Rows" {
  players 2
  param dear: 1..9 = 6
  domain guild { wants: card, time: early | late } = [masons: (quarry, early), bankers: (bank, late)]
  enum gem { red, blue, green }
  domain level = 1..3
  domain card { cost: 0..9, gives: gem?, points: 0..5, level: level, upkeep: 1..3? } = [
    mine: (3, blue, 0, 1, none) "a mine in the hills",
    harbour: (2, red, 1, 1, none),
    quarry: (dear / 2, green, 1, 2, 2),
    bank: (dear, none, 4, 3, 1),
  ] | { points: 2..3, gives: gem } | { ruin }
  zone stock of card seen by none
  zone hand[player] of card seen by owner
  zone built[player] of card
  zone guilds of guild
  zone joined[player] of guild
  var coins[player]: 0..99 = 5
  var points[player]: 0..999 = 0

  setup { deal 3 from stock to hand; deal 1 from stock to built }
  turn {
    coins[me] += 1 + count(built[me])
    choose {
      build c in hand[me] where c.cost <= coins[me] "build a card" {
        coins[me] -= c.cost
        points[me] += c.points
        move c to built[me]
      }
      give c in hand[me] where c.gives in {red, green} and c.level is nothing { points[me] += c.points; move c to stock }
      sell c in hand[me] where c == ruin or c.upkeep > 1 { coins[me] += 2; move c to stock }
      join g in guilds where g.wants in built[me] and (g.time == early or points[me] > 4) {
        let wanted = g.wants
        if wanted.cost is some { points[me] += wanted.cost }
        move g to joined[me]
      }
      pass
    }
    draw c from stock to hand[me]
  }
  end late of round when round > 12
  score {
    points: points[me]
    upkeep: 0 - (sum c in built[me] where c.upkeep is some: c.upkeep)
    gems: count(union c in built[me]: {c.gives})
  }
}"#;

fn card(game: &Game) -> DomainId {
    let at = game.model().domains.iter().position(|domain| domain.name == "card");
    DomainId(at.expect("a domain") as u32)
}

#[test]
fn both_executors_read_rows_alike() {
    let game = made(ROWS);
    for index in 0..80 {
        assert_ne!(agree(&game, 5, index, 200), Came::Failed);
    }
    same_in_both_modes(&game, 6, 60);
}

#[test]
fn hidden_rows_stay_hidden() {
    shows_nothing_hidden(&made(ROWS), 80, |_, _, _| {});
}

#[test]
fn elements_have_the_names_of_their_rows_and_stay_in_order() {
    let game = made(ROWS);
    let card = card(&game);
    let size = game.model().domains[card.index()].size;
    let names: Vec<String> = (0..size).map(|e| game.model().element_name(card, e)).collect();
    let records = ["2-red", "2-blue", "2-green", "3-red", "3-blue", "3-green"];
    let all: Vec<&str> =
        ["mine", "harbour", "quarry", "bank"].into_iter().chain(records).chain(["ruin"]).collect();
    assert_eq!(names.len(), all.len());
    // The fields of a record are in the order in which they are first declared.
    for (name, expected) in names.iter().zip(&all) {
        let mut parts: Vec<&str> = name.split('-').collect();
        let mut wanted: Vec<&str> = expected.split('-').collect();
        parts.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(parts, wanted);
    }
    let name = game.model().domains.iter().find(|domain| domain.name == "guild");
    assert_eq!(name.expect("a domain").size, 2);
}

#[test]
fn fields_have_the_values_of_their_row() {
    for (set, cost) in [(None, 6), (Some(9), 9)] {
        let rules = r#"game "Values" {
          players 1
          param dear: 1..9 = 6
          enum gem { red, blue }
          domain card { cost: 0..9, gives: gem? } = [mine: (3, blue), bank: (dear, none)]
          var seen[1..4]: -9..99 = 0
          turn {
            seen[1] = mine.cost
            seen[2] = card.bank.cost
            seen[3] = if bank.gives is nothing then 1 else 2
            seen[4] = count c in card: c.gives == blue
            end game
          }
          score { points: 0 }
        }"#;
        let rules = match set {
            Some(set) => rules.replace("= 6", &format!("= {set}")),
            None => rules.to_owned(),
        };
        let game = made(&rules);
        let state = game.start(1, 0).expect("it starts");
        let seen: Vec<i64> = (0..4).map(|place| number(&state, "seen", place)).collect();
        assert_eq!(seen, [3, cost, 1, 1]);
        assert!(legal(&state).is_empty());
    }
}

#[test]
fn a_variant_declares_other_rows() {
    let base = r#"game "Cards" {
      players 1
      domain card { worth: 0..9 } = [mine: 3, bank: 5]
      zone stock of card
      zone built of card
      var earned: 0..99 = 0
      turn { choose { build c in stock { move c to built; earned += c.worth } otherwise { end game } } }
      score { earned: earned }
    }"#;
    let variant = r#"variant "More cards" of "Cards" {
      domain card { worth: 0..9 } = [mine: 4, bank: 5, harbour: 9]
    }"#;
    let worth = |rules: &str| {
        let game = made(rules);
        let mut state = game.start(1, 0).expect("it starts");
        while let Some(action) = legal(&state).first().cloned() {
            apply(&mut state, &action);
        }
        number(&state, "earned", 0)
    };
    assert_eq!(worth(base), 8);
    assert_eq!(worth(&format!("{base}\n{variant}")), 18);
}

#[test]
fn the_range_of_a_field_reads_a_table_of_the_field_before() {
    let game = made(
        r#"game "Bugs" {
      players 2
      enum kind { queen, beetle, ant }
      table many[kind]: 1..3 = [queen: 1, beetle: 2, ant: 3]
      domain bug { kind: kind, number: 1..many[kind] }
      zone stock of bug
      zone hand[player] of bug
      var due: 0..2 = 0

      procedure take(n) { for k in 1..n { if count(stock) > 0 { draw b from stock to hand[me] } } }
      turn {
        choose { ask k in 1..2 { due = k } }
        take(due)
      }
      end all when stock is nothing
      score { bugs: count(hand[me]) }
    }"#,
    );
    let bug = game.model().domains.iter().position(|domain| domain.name == "bug").expect("a domain");
    let size = game.model().domains[bug].size;
    let names: Vec<String> = (0..size).map(|e| game.model().element_name(DomainId(bug as u32), e)).collect();
    assert_eq!(names, ["queen-1", "beetle-1", "beetle-2", "ant-1", "ant-2", "ant-3"]);
    for index in 0..20 {
        assert_ne!(agree(&game, 5, index, 200), Came::Failed);
    }
}
