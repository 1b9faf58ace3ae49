//! What `houserule play` tells of a game: only what a viewer may see, and whose it is.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use crate::table::{folder, piped, play_command};

/// Returns what `play` writes for rules or the name of a game, with agents and typed lines.
fn told(name: &str, rules: &str, agents: &str, seed: u64, typed: &[&str]) -> String {
    let folder = folder(name);
    let path = match rules.contains("game \"") || rules.contains("variant \"") {
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
    assert!(own.contains("player 1: 41 points") && own.contains("♣K: 10 points"), "{scores}");
    assert!(other.starts_with("? (it counts what is hidden)\n  pips: ? (pips of the cards"), "{scores}");
    let is_item = |line: &&str| line.starts_with("    ") && !line.starts_with("     ");
    assert_eq!(other.lines().filter(is_item).count(), 0, "{scores}");
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
        let history: Vec<&str> =
            first_answer(&out, "over> ").lines().filter(|line| line.contains("die rolled: ")).collect();
        assert!(history.len() > 5, "{out}");
        // A turn is a line, which begins with the player.
        for (at, line) in history.iter().enumerate() {
            let turn = line.strip_prefix(&format!("  player {}: die rolled: ", at % 2 + 1)).unwrap();
            assert!(
                ["1, no move", "2, no move", "3, no move", "4, no move", "5, go", "6, go"].contains(&turn),
                "{line}\n{out}"
            );
        }
    }
}

#[test]
fn several_turns_of_a_lone_player_are_several_lines() {
    let rules = "game \"Alone\" { players 1 dice die: 1 of d6 var points: 0..99 = 0
      turn { roll die choose { once { points += 1 } twice { points += 1 choose { more { points += 1 } less { } } } } }
      end over when turns[me] >= 3 score { points: points } }";
    let typed = ["once", "twice", "less", "twice", "more", "history", ""];
    let out = told("lone-turns", rules, "you", 3, &typed);
    let history = first_answer(&out, "over> ");
    let turns: Vec<&str> = history.lines().skip(1).map(str::trim).filter(|line| !line.is_empty()).collect();
    let words: Vec<String> =
        turns.iter().map(|turn| turn.replace(|c: char| c.is_ascii_digit(), "")).collect();
    let told = ["die rolled: , once", "die rolled: , twice, less", "die rolled: , twice, more"];
    assert_eq!(words[..3.min(words.len())], told, "{out}");
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
        assert!(out.contains("  player 1: play ♣K\n"), "{typed}\n{out}");
    }
}

#[test]
fn menu_and_log_name_cards_as_the_board_shows_them() {
    let folder = folder("board-names");
    let args = ["crazy-eights", "--agents", "you,random", "--seed", "4", "--journal", "kept.jsonl"];
    let typed = ["1", "undo", "help", "clubs-king", "history", "quit"].map(str::to_owned);
    let (code, out, _) = piped(play_command(&folder).args(args), &typed);
    assert_eq!(code, 0, "{out}");
    let told = joined(&out);
    for words in [
        "picked: player 2 drawn: ♥T, ♣K, ♣T, ♠6, ♣5 to player 1's hand, ♦K to pile, and 5 face down to player 2's hand",
        "1 play ♣K play a card that fits",
        "player 1: play ♣K player 2 (random): play ♣A",
        "Taken back: play ♣K.",
        "`play ♣K` or `♣K`. The names in the rules will do, too: `play clubs-king`. Tab completes it.",
        "and 5 face down to player 2's hand player 1: play ♣K player 2: play ♣A player 1> quit",
    ] {
        assert!(told.contains(words), "{words}\n{out}");
    }
    // The journal has the names of the rules.
    let kept = std::fs::read_to_string(folder.join("kept.jsonl")).unwrap();
    assert!(kept.contains("\"play clubs-king\"") && kept.contains("\"pick player-2\""), "{kept}");
    assert!(!kept.contains('♣'), "{kept}");
}

#[test]
fn drawn_cards_are_reported_as_the_board_shows_them_or_by_their_names() {
    let rules = "game \"Up\" { players 2 enum suit { clubs, hearts } shown as [clubs: \"♣\", hearts: \"♥\"]
      domain card { suit: suit, rank: 7..9 }
      zone deck of card seen by none zone hand[player] of card seen by owner zone pile of card
      setup { pick p in players starter = p deal 1 from deck to pile }
      turn { draw n from deck to hand[me] choose { play c in hand[me] { move c to pile } keep { } } }
      end over when round == 3: draw }";
    let folder = folder("reported-cards");
    std::fs::write(folder.join("up.rules"), rules).unwrap();
    for (player, first, second) in [
        ("player 2", "♥7", "♣8"),
        ("player-2", "hearts-7", "Clubs-8"),
        ("Player 2", "pick ♥7", "pick clubs-8"),
    ] {
        let lines = [player, "♥", first, second, "undo", "", "quit"].map(str::to_owned);
        let args = ["up.rules", "--dice", "ask", "--agents", "you,you", "--new", "--journal", "up.jsonl"];
        let _ = std::fs::remove_file(folder.join("up.jsonl"));
        let (code, out, _) = piped(play_command(&folder).args(args), &lines);
        assert_eq!(code, 0, "{out}");
        for told in [
            "Chance picks one of 2: player 1, player 2. Which?",
            "  picked: player 2\n",
            "Chance picks one of 6: ♣7, ♣8, ♣9, ♥7, ♥8, ♥9. Which?",
            "`♥` is no answer.",
            "drawn: ♥7 to pile\n",
            "Enter alone: the same again, as before `undo`.",
        ] {
            assert!(out.contains(told), "{told}\n{out}");
        }
        // The journal has the names of the rules.
        let kept = std::fs::read_to_string(folder.join("up.jsonl")).unwrap();
        for event in ["pick player-2", "pick hearts-7", "pick clubs-8"] {
            assert!(kept.contains(&format!("\"{event}\"")), "{kept}");
        }
        assert!(!kept.contains('♥') && !kept.contains('♣'), "{kept}");
    }
}

#[test]
fn reported_dice_are_told_with_the_names_of_their_faces() {
    let rules = "game \"Claws\" { players 2 dice hand: 2 of {1, 2, claw, heart} var points[player]: 0..99 = 0
      turn { roll hand choose { go { points[me] += 1 } } }
      end over when round == 3 }";
    let folder = folder("reported-faces");
    std::fs::write(folder.join("claws.rules"), rules).unwrap();
    let lines = ["claw 2", "undo", "", "quit"].map(str::to_owned);
    let args = ["claws.rules", "--dice", "ask", "--agents", "you,you", "--new", "--journal", "claws.jsonl"];
    let (code, out, _) = piped(play_command(&folder).args(args), &lines);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("Enter alone: claw 2 again, as before `undo`."), "{out}");
    assert!(out.matches("hand rolled: claw 2").count() > 1, "{out}");
    // The journal has the numbers of the faces.
    let kept = std::fs::read_to_string(folder.join("claws.jsonl")).unwrap();
    assert!(kept.contains("\"roll hand 3 2\"") && !kept.contains("\"roll hand claw"), "{kept}");
}

#[test]
fn what_has_the_same_label_keeps_its_name() {
    let rules = "game \"Call\" { players 2 enum rank { q, queen, king } shown as [queen: \"Q\", king: \"K\"]
      var called: rank = q
      turn { choose { call s in rank { called = s } } }
      end over when round == 2: draw }";
    for (typed, named) in
        [("2", "queen"), ("call q", "q"), ("queen", "queen"), ("call k", "K"), ("king", "K")]
    {
        let out = told("same-label", rules, "you,you", 3, &[typed, "quit"]);
        assert!(out.contains("  1 call q  2 call queen  3 call K\n"), "{out}");
        assert!(out.contains(&format!("  player 1: call {named}\n")), "{typed}\n{out}");
    }
}

#[test]
fn a_card_that_may_not_be_played_is_named_as_the_board_shows_it() {
    for typed in ["play ♣5", "play clubs-five"] {
        let out = told("not-legal", "crazy-eights", "you,random", 4, &[typed, "quit"]);
        assert!(joined(&out).contains("`play ♣5` is not legal now."), "{typed}\n{out}");
    }
}

#[test]
fn a_set_can_be_typed_as_the_board_shows_it_in_any_order() {
    let rules = "game \"Lay\" { players 2 enum suit { clubs, hearts } shown as [clubs: \"♣\", hearts: \"♥\"]
      domain card { suit: suit, rank: 7..9 }
      zone hand[player] of card zone pile of card
      setup { move card to hand[player 1] }
      turn { choose { lay these subset of hand[me] { move these to pile } } }
      end over when round == 1: draw }";
    for typed in ["lay ♥7 ♣8", "lay ♣8 hearts-7", "hearts-7 ♣8", "lay clubs-8 hearts-7"] {
        let out = told("laid-sets", rules, "you,random", 3, &[typed, "quit"]);
        assert!(out.contains("  player 1: lay ♣8 ♥7\n"), "{typed}\n{out}");
    }
}

#[test]
fn cards_that_go_from_hand_to_hand_unseen_are_counted() {
    let rules = "game \"Hands\" { players A, B, C domain card = 1..18
      zone deck of card seen by none zone hand[player] of card seen by owner
      setup { deal 5 from deck to hand }
      turn { draw n from deck to hand[me]
        choose { hand_on { move {highest(hand[me]), lowest(hand[me])} to hand[after(me)] } wait { } } }
      end late of round when round == 2 }";
    let mut counted = 0;
    for seed in 1..6 {
        let out = told("handed-on", rules, "random,you,random", seed, &["wait", "wait", "history"]);
        let all: Vec<&str> = out.lines().map(str::trim).collect();
        for (at, line) in all.iter().enumerate().filter(|(_, line)| line.contains("(random): hand on")) {
            let next = all[at + 1];
            // Who gets cards sees which.
            match line.starts_with("A") {
                true => assert!(next.starts_with("moved: ") && next.ends_with(" to B's hand"), "{out}"),
                false => assert_eq!(next, "moved: 2 face down from C's hand to A's hand", "{out}"),
            }
            assert_eq!(next.contains("face down"), line.starts_with("C"), "{out}");
            counted += usize::from(line.starts_with("C"));
        }
        for line in all.iter().filter(|line| line.starts_with("C: ") && line.contains("hand on")) {
            assert!(line.ends_with("hand on, moved: 2 face down from C's hand to A's hand"), "{out}");
        }
        assert_eq!(out.contains("moved: 2 face down"), out.contains("C (random): hand on"), "{out}");
    }
    assert!(counted > 0);
}

#[test]
fn what_the_numbers_of_cards_do_not_show_is_not_told() {
    let rules = "game \"Swaps\" { players A, B, C domain card = 1..18
      zone deck of card seen by none zone hand[player] of card seen by owner
      setup { deal 5 from deck to hand }
      turn { choose { swap { let high = highest(hand[me]) let low = lowest(hand[after(me)])
        if high is some and low is some { move high to hand[after(me)] move low to hand[me] } } } }
      end late of round when round == 2 }";
    let out = told("swapped", rules, "random,random,you", 3, &["swap", "history"]);
    let all: Vec<&str> = out.lines().map(str::trim).collect();
    let swaps = all.iter().position(|line| *line == "A (random): swap").unwrap();
    // Between others as many cards go as come. C sees only the own cards.
    assert!(!all[swaps + 1].starts_with("moved: ") && !out.contains("moved: 1 face down"), "{out}");
    assert!(out.contains("to C's hand"), "{out}");
}

#[test]
fn a_card_that_is_laid_face_down_is_told_once() {
    let rules = "game \"Dark\" { players A, B domain card = 1..12
      zone deck of card seen by none zone hand[player] of card seen by owner zone dark of card seen by none
      setup { deal 4 from deck to hand }
      turn { choose { drop c in hand[me] { move c to dark } } }
      end late of round when round == 2 }";
    let out = told("laid-once", rules, "random,you", 3, &["quit"]);
    assert!(out.contains("  A (random): drop ?\n") && !out.contains("moved: "), "{out}");
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
    let hand = out.lines().find_map(|line| line.strip_prefix("hand  ")).unwrap();
    let cards: Vec<&str> = hand.split_whitespace().rev().collect();
    assert_eq!(cards.len(), 3, "{out}");
    let keeps = format!("keep {}", cards[1]);
    let out = told("laid-aside-again", rules, "you,you", 3, &["", &keeps, "quit"]);
    let line = format!("  moved: {}, {} from player 1's hand to aside\n", cards[0], cards[2]);
    assert!(out.contains(&line), "{line}\n{out}");
    // The next player reads as much as is seen by all, and finds it in the history.
    let out = told("laid-aside-read", rules, "you,you", 3, &["", &keeps, "", "history", "quit"]);
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    let read = format!("player 1: keep ?, moved: {}, {} from player 1's hand to aside", cards[0], cards[2]);
    assert_eq!(words.matches(&read).count(), 2, "{read}\n{out}");
    // The action itself tells what is laid.
    let lays = format!("lay {}", cards[1]);
    let out = told("laid-openly", rules, "you,you", 3, &["", &lays, "quit"]);
    assert!(out.contains(&format!("  player 1: {lays}\n")) && !out.contains("moved: "), "{out}");
}

#[test]
fn copies_that_are_given_have_a_line() {
    let out = told("given-copies", "go-fish", "you,random", 3, &["1", "1", "1", "1", "quit"]);
    assert!(out.contains("  moved: two from player 2's hand to player 1's hand\n"), "{out}");
    assert!(out.contains("  moved: three from player 1's hand to player 2's hand\n"), "{out}");
}

#[test]
fn cards_that_are_taken_are_moved_and_not_shown() {
    let short = "variant \"Short\" of \"battle\" { fix longest = 100 }";
    let out = told("taken-cards", short, "you,random", 2, &[]);
    let first = out.lines().find(|line| line.starts_with("  moved: ")).unwrap_or_default();
    assert!(first.contains("♥J, ♠Q from player 1's shown to player 1's pile"), "{out}");
    assert!(!out.contains("shown: player 1's pile: ♥2"), "{out}");
    // Nor is what a player held and passed on.
    let out = told("passed-hands", "orchard", "you,random", 2, &["1", "quit"]);
    assert!(out.contains("  player 1: keep apple\n") && !out.contains("shown: "), "{out}");
}

/// Returns the words of an output with single spaces.
fn joined(out: &str) -> String {
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_an_action_moved_is_told_before_the_next_turn() {
    let rules = "game \"After\" { players A, B, C domain card = 1..30
      zone deck of card ordered seen by none zone hand[player] of card seen by owner zone laid of card
      setup { deal 4 from deck to hand deal 2 from deck to laid }
      turn {
        step draw { draw c from deck to hand[me] }
        step play { choose { lay c in hand[me] { move c to deck move laid to hand[before(me)] } } }
      }
      end late of round when round == 3 }";
    let out = told("told-in-order", rules, "you,you,you", 3, &["", "quit"]);
    let lying = |zone: &str| {
        let line = out.lines().find_map(|line| line.strip_prefix(&format!("{zone} "))).unwrap();
        line.split_whitespace().rev().map(str::to_owned).collect::<Vec<_>>()
    };
    let (card, laid) = (lying("hand")[0].clone(), lying("laid").join(", "));
    let out = told("told-in-order-laid", rules, "you,you,you", 3, &["", &format!("lay {card}"), "quit"]);
    let lines =
        format!("  A: lay {card}\n  moved: {laid} from laid to C's hand\n  B: drawn: {card} to B's hand\n");
    assert!(out.contains(&lines), "{lines}\n{out}");
}

#[test]
fn that_there_is_no_move_is_told_before_what_follows() {
    let rules = "game \"Forced\" { players A, B domain card = 1..12
      zone deck of card seen by none zone hand[player] of card seen by owner zone dark of card seen by none
      setup { deal 2 from deck to hand }
      turn {
        choose { drop c in hand[me] where c > 6 { move c to dark } otherwise { } }
        draw n from deck to hand[me]
      }
      end late of round when round == 4 }";
    let mut passed = 0;
    for seed in 1..6 {
        let out = told("no-move-first", rules, "random,random", seed, &[]);
        let all: Vec<&str> = out.lines().map(str::trim).collect();
        for (at, line) in all.iter().enumerate() {
            let Some(player) = line.strip_suffix(" has no move") else { continue };
            let next = all[at + 1];
            assert!(next.starts_with("drawn: ") && next.ends_with(&format!(" to {player}'s hand")), "{out}");
            passed += 1;
        }
    }
    assert!(passed > 0);
}

#[test]
fn moves_without_a_decision_have_lines() {
    let rules = "game \"Auto\" { players A, B domain card = 1..12
      zone deck of card seen by none zone hand[player] of card seen by owner zone open[player] of card zone heap of card
      setup { deal 3 from deck to hand for p in players { move highest(hand[p]) to open[p] } }
      turn {
        step draw { draw c from deck to hand[me] move lowest(hand[me]) to heap }
        if turns[me] % 2 == 0 { choose { go { } lay c in hand[me] { move c to open[me] } } }
        step sweep { move open[other] to hand[me] }
        step later { if heap is some { move highest(heap) to deck } }
      }
      end late of round when round == 5 }";
    for seed in 1..5 {
        let out = told("moves-alone", rules, "you,random", seed, &["go", "history", "quit"]);
        let all: Vec<&str> = out.lines().map(str::trim).collect();
        let dealt = all.iter().position(|line| line.starts_with("drawn: ")).unwrap();
        let own = all[dealt].strip_prefix("drawn: ").unwrap().split_once(" to A's hand").unwrap().0;
        let highest = own.split(", ").map(|card| card.parse::<u32>().unwrap()).max().unwrap();
        let opened = all[dealt + 1];
        assert!(opened.contains(&format!("{highest} from A's hand to A's open")), "{out}");
        // Of the other's hand only what is open now is told.
        assert!(opened.starts_with("moved: ") && opened.contains(" to B's open"), "{out}");
        assert!(!opened.contains("B's hand"), "{out}");
        assert!(all[dealt + 2].starts_with("A: drawn: "), "{out}");
        let heap = all[dealt + 3].strip_suffix(" from A's hand to heap").unwrap();
        let heap = heap.strip_prefix("moved: ").unwrap();
        // The card on the heap goes back after the decision.
        let swept = all.iter().position(|line| *line == "A: go").unwrap();
        assert!(all[swept + 1].contains(&format!("{heap} from heap to deck")), "{out}");
        let history = joined(&out);
        let read = format!("to heap, go, {}", all[swept + 1]);
        assert!(history.contains(&joined(&read)), "{read}\n{out}");
    }
}

/// Secrets that are revealed to some.
const REVEALS: &str = "game \"Rev\" { players A, B, C domain card = 1..20
      zone deck of card seen by none zone hand[player] of card seen by owner zone secret of card seen by none
      setup { deal 3 from deck to hand deal 2 from deck to secret
        reveal highest(hand[A]) to players reveal lowest(hand[B]) to C }
      turn { choose { i_see { reveal secret to me } they_see { reveal secret to players - me } } }
      end late of round when round == 5 }";

#[test]
fn what_is_shown_is_told_to_those_who_see_it() {
    let typed = ["", "i_see", "", "", "history", "they_see", "", "history", "quit"];
    let out = told("shown-to-some", REVEALS, "you,you,you", 3, &typed);
    let secret = out.lines().find_map(|line| line.strip_prefix("  shown: secret: ")).unwrap();
    let (before, after) = out.split_once("B, Enter> ").unwrap();
    let (second, third) = after.split_once("C, Enter> ").unwrap();
    assert!(joined(before).contains("A: i see shown: secret: "), "{out}");
    // The setup showed a card of A to all, and one of B to C.
    let second = joined(second);
    assert!(second.contains("shown: A's hand: ") && !second.contains("shown: B's hand"), "{out}");
    assert!(second.contains("A: i see") && !second.contains("shown: secret"), "{out}");
    let third = joined(third);
    assert!(third.contains("shown: A's hand: ") && third.contains("shown: B's hand: "), "{out}");
    // C reads it when C takes the keyboard, and in the history.
    let read = format!("B: they see, shown: secret: {secret}");
    assert_eq!(third.matches(&read).count(), 2, "{read}\n{out}");
}

#[test]
fn what_is_put_back_openly_is_moved_and_not_shown() {
    let rules = "game \"Back\" { players A, B domain card = 1..12
      zone deck of card seen by none zone hand[player] of card seen by owner zone played[player] of card
      setup { deal 3 from deck to hand }
      turn {
        choose { play c in hand[me] { move c to played[me] } keep { } }
        step back { move played[me] to deck }
        step again { if deck is some { draw n from deck to hand[me] } }
      }
      end late of round when round == 4 }";
    let mut played = 0;
    for seed in 1..6 {
        let out = told("put-back", rules, "you,random", seed, &["keep", "keep", "keep", "keep"]);
        assert!(!out.contains("shown: "), "{out}");
        let all: Vec<&str> = out.lines().map(str::trim).collect();
        for (at, line) in all.iter().enumerate() {
            let Some(card) = line.strip_prefix("B (random): play ") else { continue };
            assert_eq!(all[at + 1], format!("moved: {card} from B's played to deck"), "{out}");
            played += 1;
        }
    }
    assert!(played > 0);
}

#[test]
fn a_roll_in_a_turn_without_a_decision_has_a_name() {
    let rules = "game \"Lives\" { players A, B, C dice die: 1 of d6 var lives[player]: 0..9 = 3
      turn {
        step roll { roll die if die <= 3 { lives[me] -= 1 done } }
        step play { choose { heal { lives[me] += 1 } hold { } } }
      }
      end dead when lives[me] == 0: lose me }";
    for seed in 1..6 {
        let out = told("named-rolls", rules, "random,random,random", seed, &[]);
        let all: Vec<&str> = out.lines().map(str::trim).collect();
        let mut lost = 0;
        for (at, line) in all.iter().enumerate() {
            if line.starts_with("die rolled: ") {
                assert!(all[at + 1].contains(" (random): "), "whose roll?\n{out}");
            }
            lost += usize::from(
                ["1", "2", "3"].iter().any(|die| line.ends_with(&format!(": die rolled: {die}"))),
            );
        }
        assert!(lost >= 3, "{out}");
    }
    let alone = "game \"Loser\" { players 3 dice die: 1 of d6 var lives[player]: 0..3 = 2
      turn { roll die if die <= 2 { lives[me] -= 1 } }
      end dead when lives[me] == 0: lose me }";
    let out = told("named-rolls-alone", alone, "random,random,random", 5, &[]);
    let rolls: Vec<&str> = out.lines().filter(|line| line.contains("die rolled: ")).collect();
    for (at, roll) in rolls.iter().enumerate() {
        assert!(roll.starts_with(&format!("  player {}: die rolled: ", at % 3 + 1)), "{out}");
    }
    assert!(rolls.len() > 1, "{out}");
}

#[test]
fn who_can_not_choose_together_is_told_once_all_have_chosen() {
    let rules = "game \"Tog\" { players A, B domain card = 1..20
      zone deck of card seen by none zone hand[player] of card seen by owner zone played[player] of card
      setup { deal 3 from deck to hand }
      round {
        together as me { choose play { play c in hand[me] where c > 10 { move c to played[me] } otherwise { } } }
        step show { for p in players { move played[p] to deck } }
        step again { deal 1 from deck to hand }
      }
      end late of round when round == 4 }";
    let mut passed = 0;
    for seed in 1..12 {
        let out = told("together-passed", rules, "you,you", seed, &["", "quit"]);
        // A has no card that can be played: B decides first.
        if !out.contains("B> ") || out.contains("A, Enter> ") || out.contains("B has no move") {
            continue;
        }
        assert!(!out.contains("has no move"), "B is still to choose\n{out}");
        let board = out.lines().find_map(|line| line.strip_prefix("hand ")).unwrap();
        let card = board
            .split_whitespace()
            .filter_map(|card| card.trim_end_matches('+').parse::<u32>().ok())
            .max()
            .unwrap();
        let plays = format!("play {card}");
        let out = told("together-told", rules, "you,you", seed, &["", &plays, "quit"]);
        let lines = format!("  B: {plays}\n  A has no move\n  moved: {card} from B's played to deck\n");
        assert!(out.contains(&lines), "{lines}\n{out}");
        passed += 1;
    }
    assert!(passed > 0);
}

#[test]
fn nobody_can_tell_how_much_another_player_has_chosen_together() {
    let rules = "game \"Haggle\" { players A, B, C domain card = 1..18
      zone deck of card seen by none zone hand[player] of card seen by owner zone stake[player] of card seen by none
      var bid[player]: 0..9 = 0 each round
      setup { deal 3 from deck to hand }
      round {
        together as me { choose {
          stake c in hand[me] where c > 16 { move c to stake[me] }
          haggle { choose { offer n in 0..3 { bid[me] = n } } choose { again_ n in 0..3 { bid[me] = n } } }
          hold { }
        } }
      }
      end late of round when round == 4 score { bid: bid[me] } }";
    // B takes the keyboard when A has chosen.
    let chosen = |name: &str, moves: &[&str]| {
        let typed = [&[""], moves, &["", "history", "quit"]].concat();
        let out = told(name, rules, "you,you,you", 3, &typed);
        let told = joined(out.split_once("B, Enter> ").unwrap().1);
        assert_eq!(told.matches("A: ?").count(), 2, "{out}");
        assert!(!told.contains("A: ? ?") && !told.contains("?, ?") && !told.contains("A chose"), "{out}");
    };
    chosen("held", &["hold"]);
    chosen("haggled", &["haggle", "offer 1", "again_ 2"]);
}

#[test]
fn who_had_no_choice_together_is_told_like_the_others() {
    let rules = "game \"Hearts\" { players A, B, C domain card = 1..9
      zone deck of card seen by none zone hand[player] of card seen by owner zone stake[player] of card seen by none
      setup { deal 3 from deck to hand }
      round {
        together as me { choose { stake c in hand[me] where c > 6 { move c to stake[me] } otherwise { } } }
      }
      end late of round when round == 1 }";
    let mut passed = 0;
    for seed in 1..12 {
        let out = told("no-choice-together", rules, "you,you,you", seed, &["", "history", "quit"]);
        // Somebody can't stake a card: the first who can reads of those before.
        let Some((_, first)) = out.split_once("B, Enter> ") else { continue };
        assert!(joined(first).contains("A: ?") && !first.contains("has no move"), "{out}");
        passed += 1;
    }
    assert!(passed > 0);
}

#[test]
fn a_choice_without_an_option_has_a_line_among_other_decisions() {
    let rules = "game \"Ow\" { players A, B enum suit { red, blue } domain card { suit: suit, rank: 1..5 }
      zone deck of card seen by none zone hand[player] of card seen by owner zone out of card
      setup { deal 2 from deck to hand }
      procedure ask() { choose { stop c in hand[me] where c.suit == red { move c to out } otherwise { } } }
      turn {
        step burn { for i in 1..2 { ask() } }
        step last { choose { halt { } go { } } }
      }
      end late of round when round == 3 }";
    let mut passed = 0;
    for seed in 1..5 {
        let out = told("no-option", rules, "random,random", seed, &[]);
        let mut burnt = 0;
        for line in out.lines().map(str::trim) {
            burnt +=
                usize::from(line.contains("(random): stop ") || line.ends_with(" has no move in step burn"));
            passed += usize::from(line.ends_with(" has no move in step burn"));
            if line.ends_with("halt") || line.ends_with("(random): go") {
                assert_eq!(burnt, 2, "{line}\n{out}");
                burnt = 0;
            }
        }
    }
    assert!(passed > 0);
}

#[test]
fn nobody_is_told_that_a_secret_choice_had_no_option() {
    let rules = "game \"Dark\" { players A, B domain card = 1..12
      zone deck of card seen by none zone hand[player] of card seen by owner zone dark of card seen by none
      setup { deal 3 from deck to hand }
      turn {
        if any c in hand[me]: c > 6 { choose { drop c in hand[me] where c == 12 { move c to dark } otherwise { } } }
        choose { wait { } stay { } }
      }
      end late of round when round == 3 }";
    let mut own = 0;
    for seed in 1..8 {
        let out = told("dark-choice", rules, "you,random", seed, &["wait", "wait", "wait"]);
        assert!(!out.contains("B has no move"), "{out}");
        own += out.matches("  A has no move\n").count();
    }
    assert!(own > 0);
}

#[test]
fn a_draw_where_another_player_acts_has_that_players_name() {
    let rules = "game \"Ask\" { players A, B, C domain card = 1..40
      zone deck of card seen by none zone hand[player] of card seen by owner
      setup { deal 1 from deck to hand }
      turn { choose { go { for p in players - me { as p { draw t from deck to hand[me] } } } } }
      end late when turns[me] == 2: draw }";
    let out = told("acting-draws", rules, "random,random,random", 3, &[]);
    for player in ["A", "B", "C"] {
        let name = format!("  {player}: drawn: ");
        let draws: Vec<&str> = out.lines().filter(|line| line.starts_with(&name)).collect();
        let zone = format!(" to {player}'s hand");
        assert!(!draws.is_empty() && draws.iter().all(|line| line.ends_with(&zone)), "{out}");
    }
}
