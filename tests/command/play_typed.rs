//! What can be typed in `houserule play`: names that the board shows, where they collide, sets, and what chance came to.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use crate::table::{folder, piped, play_command};

/// Returns what `play` writes for rules with more arguments and typed lines, in one line, and the journal.
fn typed(name: &str, rules: &str, more: &[&str], lines: &[&str]) -> (String, String) {
    let folder = folder(name);
    std::fs::write(folder.join("game.rules"), rules).unwrap();
    let args = ["game.rules", "--seed", "1", "--new", "--journal", "kept.jsonl"];
    let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    let (code, out, _) = piped(play_command(&folder).args(args).args(more), &lines);
    assert_eq!(code, 0, "{out}");
    let kept = std::fs::read_to_string(folder.join("kept.jsonl")).unwrap();
    (out.split_whitespace().collect::<Vec<_>>().join(" "), kept)
}

/// Asserts that each typed line is answered with some words.
fn are_answered(name: &str, rules: &str, answers: &[(&str, &str)]) {
    for (line, words) in answers {
        let (out, _) = typed(name, rules, &["--agents", "you,you"], &[line, "quit"]);
        assert!(out.contains(words), "{line}: {words}\n{out}");
    }
}

/// What the board shows of two suits differs in upper and lower case alone.
const CASES: &str = r#"game "Name" { players X, O
  enum suit { clubs, hearts, stars } shown as [clubs: "C", hearts: "H", stars: "c"]
  var last: suit = clubs
  turn { choose { name s in suit, n in 4..6 { last = s } only s in suit where s != stars { last = s } } }
  end over when round == 2: draw }"#;

#[test]
fn what_the_board_shows_comes_before_the_beginning_of_a_name() {
    are_answered(
        "typed-cases",
        CASES,
        &[
            ("name c 4", "X: name stars 4"),
            ("name C 4", "X: name clubs 4"),
            ("n c 4", "X: name stars 4"),
            ("c 4", "X: name stars 4"),
            ("name h 4", "X: name H 4"),
            ("name cl 4", "X: name clubs 4"),
            ("name c", "`name c` fits several moves: `name stars 4`, `name stars 5`, `name stars 6`."),
            // Not the move of clubs, which the board doesn't show as `c`.
            ("only c", "`only stars` is not legal now."),
            ("only C", "X: only clubs"),
        ],
    );
}

#[test]
fn a_label_is_not_the_name_of_something_else() {
    let rules = r#"game "Like" { players X, O
      enum colour { red, blue, r } shown as [red: "R", blue: "b", r: "Ä"]
      enum side { q, b, left } shown as [q: "h", b: "q", left: "L"]
      var last: colour = red var own: side = q
      turn { choose {
        like c in colour { last = c }
        call s in side { own = s }
        cry s in side where s != b { own = s } } }
      end over when round == 2: draw }"#;
    are_answered(
        "typed-labels",
        rules,
        &[
            ("like R", "X: like red"),
            ("like r", "X: like Ä"),
            ("like ä", "X: like Ä"),
            ("call h", "X: call h"),
            ("call b", "X: call b"),
            // It is the name of one, and the board shows the other so.
            ("call q", "`call q` fits several moves: `call h`, `call b`."),
            ("cry q", "`cry b` is not legal now."),
        ],
    );
}

#[test]
fn three_labels_that_differ_in_case_alone_are_told_apart() {
    let rules = r#"game "Three" { players X, O
      enum kind { clubs, stones, xs, ys } shown as [stones: "C", xs: "c", ys: "y"]
      domain card { kind: kind, rank: 1..2 }
      zone hand[player] of card zone pile of card
      setup { move card to hand[X] }
      turn { choose { play c in hand[me] { move c to pile } } }
      end over when round == 2: draw }"#;
    are_answered(
        "typed-three",
        rules,
        &[
            ("play C2", "X: play stones-2"),
            ("play c2", "X: play xs-2"),
            ("C1", "X: play stones-1"),
            ("play Y1", "X: play y1"),
            ("play clubs-1", "X: play clubs-1"),
        ],
    );
    let (out, _) = typed("typed-list", rules, &["--agents", "you,you"], &["moves C2", "moves zz", "quit"]);
    assert!(!out.contains("No move with `C2`") && out.contains("No move with `zz`"), "{out}");
}

/// Two cards in hand, of which some or none are changed.
const CHANGE: &str = r#"game "Change" { players 2
  enum suit { clubs, hearts } shown as [clubs: "♣", hearts: "♥"]
  domain card { suit: suit, rank: 1..9 }
  zone deck of card zone hand[player] of card zone pile of card
  setup { move { c in card where c.rank == 1 } to hand[player 1] }
  turn { choose { change k subset of hand[me] where count(k) <= 2 { move k to pile } wait n in 1..2 { } } }
  end over when round == 2: draw }"#;

#[test]
fn sets_of_several_sizes_are_listed_with_commas_and_the_empty_one_by_its_name() {
    let (out, _) = typed("typed-sizes", CHANGE, &["--agents", "you,you"], &["moves change", "quit"]);
    assert_eq!(out.matches("change, 4 moves none, ♣1, ♥1, ♣1 ♥1").count(), 2, "{out}");
    for line in ["change none", "Change None", "change", "none"] {
        let (out, kept) = typed("typed-none", CHANGE, &["--agents", "you,you"], &[line, "quit"]);
        assert!(kept.contains("\"change\""), "{line}\n{out}\n{kept}");
    }
}

#[test]
fn a_bounded_set_can_be_typed_in_any_order() {
    for line in ["change ♥1 ♣1", "hearts-1 ♣1", "change ♣1, ♥1"] {
        let (out, kept) = typed("typed-order", CHANGE, &["--agents", "you,you"], &[line, "quit"]);
        assert!(kept.contains("\"change clubs-1 hearts-1\""), "{line}\n{out}");
    }
}

#[test]
fn a_refused_set_is_quoted_in_the_order_in_which_it_was_typed() {
    let (out, _) = typed("typed-refused", CHANGE, &["--agents", "you,you"], &["change ♥9 ♣9", "quit"]);
    assert!(out.contains("`change ♥9 ♣9` is not legal now."), "{out}");
    let rules = r#"game "Two" { players A, B
      enum suit { clubs, hearts } shown as [clubs: "♣", hearts: "♥"]
      domain card { suit: suit, rank: 1..6 }
      zone deck of card zone hand[player] of card
      setup { move { c in card where c.rank == 1 } to hand[A] }
      turn { choose { two p in players - me, k subset of hand[me] where count(k) == 2 { move k to hand[p] } wait { } } }
      end over when round == 2: draw }"#;
    are_answered(
        "typed-subset",
        rules,
        &[
            ("two B ♥6 ♥1", "`two B ♥6 ♥1` is not legal now."),
            ("two B hearts-6 clubs-2", "`two B ♥6 ♣2` is not legal now."),
            ("two B ♥1 ♣1", "A: two B ♣1 ♥1"),
        ],
    );
}

#[test]
fn what_the_board_shows_of_a_block_is_an_answer() {
    let rules = r#"game "Box" { players 2
      enum colour { red, blue } shown as [red: "R", blue: "B"]
      enum size { small, large } shown as [small: "s", large: "S"]
      domain block { colour: colour, size: size }
      zone box of block seen by none zone hand[player] of block seen by owner
      setup { deal 1 from box to hand }
      turn { choose { keep { } drop { } } }
      end over when round == 2: draw }"#;
    let more = ["--agents", "you,random", "--dice", "ask"];
    let (out, kept) = typed("typed-blocks", rules, &more, &["RS", "bs", "BS", "quit"]);
    for words in [
        "Chance picks one of 4: red-small, red-large, blue-small, blue-large. Which?",
        "drawn: red-large to player 1's hand",
        // The own block can't come any more.
        "Chance picks one of 3: red-small, blue-small, blue-large. Which?",
        "`bs` may be `blue-small` or `blue-large`",
    ] {
        assert!(out.contains(words), "{words}\n{out}");
    }
    assert!(kept.contains("\"pick red-large\"") && kept.contains("\"pick blue-large\""), "{kept}");
}

/// Cards are drawn from the deck and from the other player's hand.
const STEAL: &str = r#"game "Steal" { players 2
  enum suit { clubs, hearts } shown as [clubs: "♣", hearts: "♥"]
  domain card { suit: suit, rank: 1..3 }
  zone deck of card seen by none zone hand[player] of card seen by owner
  setup { deal 2 from deck to hand }
  turn { choose { steal { draw c from hand[other] to hand[me] } take { draw c from deck to hand[me] } } }
  end over when round == 2: draw }"#;

const ASKED: [&str; 4] = ["--agents", "you,you", "--dice", "ask"];

#[test]
fn a_question_does_not_tell_what_others_hold() {
    // The hands are dealt. The first player takes the screen.
    let dealt = ["♣1", "♣2", "♥1", "♥2", ""];
    for (option, wrong, right) in [("steal", "♥3", "♥1"), ("take", "♥1", "♥3")] {
        let lines = [&dealt[..], &[option, wrong, right, "quit"]].concat();
        let (out, _) = typed("asked-hands", STEAL, &ASKED, &lines);
        // Nobody may know yet who has which card.
        let all = "Chance picks one of 6: ♣1, ♣2, ♣3, ♥1, ♥2, ♥3. Which?";
        assert_eq!(out.matches(all).count(), 4, "{out}");
        // The first player knows the own cards.
        assert_eq!(out.matches("Chance picks one of 4: ♣3, ♥1, ♥2, ♥3. Which?").count(), 1, "{out}");
        assert_eq!(out.matches("Chance picks one of").count(), 5, "{out}");
        assert!(out.contains(&format!("`{wrong}` can't be picked now pick>")), "{out}");
        assert!(out.contains(&format!("player 1: drawn: {right} to player 1's hand")), "{out}");
    }
    // A suggestion has the name that the board shows.
    let (out, _) = typed("asked-near", STEAL, &ASKED, &["clubs-7", "quit"]);
    assert!(out.contains("`clubs-7` can't be picked; did you mean `♣1`?"), "{out}");
}

#[test]
fn what_was_reported_before_an_undo_is_told_to_those_who_may_know_it() {
    let lines = ["♣1", "♣2", "♥1", "♥2", "undo", "", "", "take", "♥3", "undo", "", "quit"];
    let (out, kept) = typed("asked-again", STEAL, &ASKED, &lines);
    let offers: Vec<&str> = out
        .match_indices("Enter alone: ")
        .map(|(at, _)| &out[at..out[at..].find('.').unwrap() + at])
        .collect();
    assert_eq!(
        offers,
        ["Enter alone: the same again, as before `undo`", "Enter alone: ♥3 again, as before `undo`"],
        "{out}"
    );
    assert_eq!(kept.matches("\"pick hearts-2\"").count(), 3, "{kept}");
}

#[test]
fn values_of_families_with_several_indices_are_named_as_the_board_shows_them() {
    let rules = r#"game "Pairs" { players X, O
      enum suit { clubs, hearts } shown as [clubs: "♣", hearts: "♥"]
      var met[suit, suit, 1..2]: 0..9 = 0
      turn { choose { meet s in suit, t in suit { met[s, t, 1] += 1 } } }
      end over when round == 2: draw }"#;
    let (out, _) = typed("typed-pairs", rules, &["--agents", "you,you"], &["meet ♣ ♥", "quit"]);
    assert!(out.contains("met ♣, ♣, 1: 0") && out.contains("♣, ♥, 1: 1"), "{out}");
    assert!(!out.contains("clubs"), "{out}");
}
