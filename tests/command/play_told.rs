//! What `houserule play` tells of a game: only what a viewer may see, and whose it is.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use crate::table::{folder, piped, play_command};

/// Returns what `play` writes for rules or the name of a game, with agents and typed lines.
fn told(name: &str, rules: &str, agents: &str, seed: u64, typed: &[&str]) -> String {
    let folder = folder(name);
    let path = match rules.contains("game \"") {
        true => {
            std::fs::write(folder.join("game.rules"), rules).unwrap();
            "game.rules"
        }
        false => rules,
    };
    let seed = seed.to_string();
    let args = [path, "--agents", agents, "--seed", &seed, "--new"];
    let lines: Vec<String> = typed.iter().map(|line| (*line).to_owned()).collect();
    let (code, out, _) = piped(play_command(&folder).args(args), &lines);
    assert_eq!(code, 0, "{out}");
    out
}

/// Returns what is written between the first prompt and the next one.
fn first_answer<'o>(out: &'o str, prompt: &str) -> &'o str {
    out.split(prompt).nth(1).unwrap()
}

#[test]
fn a_score_of_hidden_cards_is_not_told() {
    let out = told("hidden-score", "crazy-eights", "you,random", 4, &["score", "quit"]);
    let scores = first_answer(&out, "player 1> ");
    let (own, other) = scores.split_once("player 2: ").unwrap();
    assert!(own.contains("player 1: 41 points") && own.contains("clubs-king: 10 points"), "{scores}");
    assert!(other.starts_with("? (it counts what is hidden)\n  pips: ?  (pips of the cards"), "{scores}");
    assert_eq!(other.lines().filter(|line| line.starts_with("    ")).count(), 0, "{scores}");
    // After the end nothing is hidden.
    let out = told("open-score", "crazy-eights", "random,random", 4, &[]);
    assert!(!out.contains("it counts what is hidden"), "{out}");
}

#[test]
fn that_copies_are_counted_does_not_tell_their_kinds() {
    let rules = "game \"Count\" { players 2 enum fruit { apple, pear, plum }
      zone box of fruit = [apple: 6, pear: 6, plum: 6] seen by none zone hand[player] of fruit seen by owner zone pile of fruit
      setup { deal 4 from box to hand }
      turn { choose { lay f in hand[me] { move f from hand[me] to pile } wait { } } }
      end over when round == 9
      score { cards: count(hand[me]) } }";
    let out = told("counted-copies", rules, "you,random", 2, &["score", "quit"]);
    let scores = first_answer(&out, "player 1> ");
    let (own, other) = scores.split_once("player 2: ").unwrap();
    assert!(own.lines().any(|line| line.starts_with("    ")), "{scores}");
    assert!(other.starts_with("4 points\n  cards: 4 points"), "{scores}");
    assert!(!["apple", "pear", "plum"].iter().any(|fruit| other.contains(fruit)), "{scores}");
}

/// A die decides whether there is a move.
const PASSES: &str = "game \"Passes\" { players 2 dice die: 1 of d6 var points[player]: 0..99 = 5
      turn { roll die choose { go where die > 4 { points[me] += 1 } otherwise { points[me] -= 1 } } }
      end when points[me] == 0: lose me }";

#[test]
fn the_history_names_whose_move_it_was() {
    for seed in 1..6 {
        let out = told("whose-move", PASSES, "you,you", seed, &["history", ""]);
        let history = first_answer(&out, "over> ").split_whitespace().collect::<Vec<_>>().join(" ");
        let mut player = 1;
        for (at, part) in history.split("die rolled: ").skip(1).enumerate() {
            let said = part.split_once(", ").unwrap().1;
            if said.starts_with("go") {
                // The name is before the move, or before the roll.
                let all: Vec<&str> = history.split("die rolled: ").collect();
                assert!(all[at].ends_with(&format!("player {player}: ")), "{at}\n{history}");
            } else if let Some(named) = said.strip_prefix("player ") {
                assert!(named.starts_with(&player.to_string()), "{at}\n{history}");
            }
            player = 3 - player;
        }
    }
}

#[test]
fn a_turn_that_ends_without_a_move_after_a_roll_has_a_line() {
    let rules = "game \"Push\" { players 2 dice die: 1 of d6
      var points[player]: 0..999 = 0 var kept: 0..999 = 0 each turn
      turn { step play { roll die
        while true {
          choose { keep where die > 3 { kept += die } otherwise { kept = 0; skip } }
          choose { on { roll die } bank { points[me] += kept; skip } }
        } } }
      end over when points[me] >= 60: win me score { points: points[me] } }";
    let out = told("no-move-after-roll", rules, "random,random", 3, &[]);
    let all: Vec<&str> = out.lines().map(str::trim).collect();
    let mut after_decision = 0;
    for three in all.windows(3).filter(|three| three[0].ends_with("(random): on")) {
        let player = &three[0][.."player 1".len()];
        let none = ["1", "2", "3"].iter().any(|face| three[1] == format!("die rolled: {face}"));
        assert_eq!(three[2] == format!("{player} has no move"), none, "{three:?}\n{out}");
        after_decision += usize::from(none);
    }
    assert!(after_decision > 0, "{out}");
    // The first roll of the next player has the name.
    for (at, line) in all.iter().enumerate().filter(|(_, line)| line.ends_with("has no move")) {
        let other = if line.starts_with("player 1") { "player 2" } else { "player 1" };
        assert!(all[at + 1].starts_with(&format!("{other}: die rolled: ")), "{line}\n{out}");
    }
}

#[test]
fn an_end_that_no_rule_says_is_explained() {
    let rules = "game \"Out\" { players 2 dice die: 1 of d6 var points[player]: 0..99 = 0
      turn { roll die choose { on { points[me] = min(99, points[me] + die) } } if die < 4 { playing -= me } }
      score { points: points[me] } }";
    let out = told("nobody-plays", rules, "random,random", 3, &[]);
    assert!(out.contains("It ended because nobody still plays."), "{out}");
    assert!(!out.contains("nobody_playing"), "{out}");
}

#[test]
fn what_the_board_shows_can_be_typed() {
    for typed in ["♣K", "play ♣k"] {
        let out = told("typed-signs", "crazy-eights", "you,random", 4, &[typed, "quit"]);
        assert!(out.contains("  player 1: play clubs-king\n"), "{typed}\n{out}");
    }
}

#[test]
fn numbers_that_are_listed_can_be_typed() {
    let rules = "game \"Many\" { players 2 board field = grid(8, 8) piece man[player]
      turn { choose { swap a in cells, b in cells where a != b and a in row(1) and b in row(2) \"change two cells\" { } pass } }
      end over when round == 2: draw }";
    let out = told("group-numbers", rules, "you,random", 3, &["moves", "quit"]);
    let listed = first_answer(&out, "player 1> ");
    assert!(listed.contains("swap, 64 moves") && listed.contains("a1: a2 b2"), "{listed}");
    assert!(!listed.contains("16 swap"), "{listed}");
}

#[test]
fn what_goes_from_zone_to_zone_has_a_line() {
    let rules = "game \"Aside\" { players 2 domain card = 1..12
      zone stock of card seen by none zone hand[player] of card seen by owner zone aside of card
      setup { deal 3 from stock to hand }
      turn { choose {
        keep c in hand[me] { move hand[me] - {c} to aside }
        lay c in hand[me] { move c to aside }
      } }
      end over when round == 3 }";
    let out = told("laid-aside", rules, "you,you", 3, &["", "keep", "quit"]);
    let hand = out.lines().find_map(|line| line.split_once("hand[player-1]  ")).unwrap().1;
    let cards: Vec<&str> = hand.split_whitespace().collect();
    assert_eq!(cards.len(), 3, "{out}");
    let keeps = format!("keep {}", cards[1]);
    let out = told("laid-aside-again", rules, "you,you", 3, &["", &keeps, "quit"]);
    let line = format!("  moved: {}, {} from hand[player-1] to aside\n", cards[0], cards[2]);
    assert!(out.contains(&line), "{line}\n{out}");
    // The next player reads as much as is seen by all, and finds it in the history.
    let out = told("laid-aside-read", rules, "you,you", 3, &["", &keeps, "", "history", "quit"]);
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    let read = format!("player 1: keep ?, moved: {}, {} to aside", cards[0], cards[2]);
    assert_eq!(words.matches(&read).count(), 2, "{read}\n{out}");
    // The action itself tells what is laid.
    let lays = format!("lay {}", cards[1]);
    let out = told("laid-openly", rules, "you,you", 3, &["", &lays, "quit"]);
    assert!(out.contains(&format!("  player 1: {lays}\n")) && !out.contains("moved: "), "{out}");
}

#[test]
fn copies_that_are_given_have_a_line() {
    let out = told("given-copies", "go-fish", "you,random", 3, &["1", "1", "1", "1", "quit"]);
    assert!(out.contains("  moved: two from hand[player-2] to hand[player-1]\n"), "{out}");
    assert!(out.contains("  moved: three from hand[player-1] to hand[player-2]\n"), "{out}");
}

#[test]
fn cards_that_are_taken_are_moved_and_not_shown() {
    let out = told("taken-cards", "battle", "you,random", 2, &[]);
    let first = out.lines().find(|line| line.starts_with("  moved: ")).unwrap_or_default();
    assert!(first.contains("11-hearts, 12-spades from shown[player-1] to pile[player-1]"), "{out}");
    assert!(!out.contains("shown: pile[player-1]: 2-hearts"), "{out}");
    // Nor is what a player held and passed on.
    let out = told("passed-hands", "orchard", "you,random", 2, &["1", "quit"]);
    assert!(out.contains("  player 1: keep apple\n") && !out.contains("shown: "), "{out}");
}
