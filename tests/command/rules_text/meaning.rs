//! Words that would say another rule than the one that is written.

use houserule::loader::{Request, load, load_text};
use houserule::prose::rules as set;

use super::{joined, page, rules_of, tells};

#[test]
fn what_is_taken_away_and_what_is_added_stay_apart() {
    let told = page(
        "define a = row(1)
         define b = row(2)
         turn { choose {
             x c in mark[me] - a | b { clear c }
             y c in mark[me] - (a | b) { clear c }
             z c in empty - a & b { put mark[me] at c } } }
         end when empty is nothing",
    );
    tells(
        &told,
        &[
            "x: c is one of (your marks without a) or b",
            "y: c is one of your marks without (a and b)",
            "z: c is one of the empty places without (what a and b have in common)",
        ],
    );
}

#[test]
fn computed_tables_and_the_letters_of_pictures_are_told() {
    let told = rules_of(
        "game \"Lay\" {
           param bonus: 1..9 = 2
           players 2
           enum colour { red, blue, green }
           enum suit { hearts, spades } shown as [hearts: \"♥\", spades: \"S\"]
           domain rank = 9..12 shown as [9: \"9\", 10: \"T\", 11: \"J\"]
           board cell = grid(2, 2)
           piece mark[player]
           table pays[colour]: set of colour = [red: {blue}, {blue, green}: colour - red]
           table worth[cell]: 1..3 = [row(1): 1, row(2): 2]
           table prize[colour]: 1..30 = [red: bonus + 1, {blue, green}: 2]
           turn { choose { lay k in colour, c in empty where k in pays[k] or worth[c] == 1 or prize[k] == 2 { put mark[me] at c } } }
           end full when empty is nothing
         }",
    );
    tells(
        &told,
        &[
            "pays: red: blue, blue and green: colour without red",
            "worth: row 1: 1, row 2: 2",
            "prize: red: 3, blue and green: 2",
            "rank: in pictures 10 is T and 11 is J",
            "suit: hearts and spades; in pictures spades is S",
        ],
    );
}

#[test]
fn an_end_in_a_procedure_is_told_where_it_is_called_and_of_whom() {
    let told = page(
        "var points[player]: 0..99 = 0
         procedure finish(p) { points[p] += 1 end game as finished: win p }
         turn {
             choose { stop { if points[me] >= 10 { finish(me) } else { finish(other) } } on { } }
             step look { let leader = best p in players by points[p] if leader is some { end game as found: lose leader } }
         }
         end when empty is nothing",
    );
    tells(
        &told,
        &[
            "finished: when a player chooses stop, if the mover's points are at least 10; the mover wins.",
            "finished: when a player chooses stop, if the mover's points are less than 10; the other player wins.",
            "found: in the step look, if there is (the player with the highest points); (the player with the highest points) loses.",
        ],
    );
    let ends = told.split("A turn").next().unwrap();
    assert!(!ends.contains("leader") && !ends.contains("p wins"), "{ends}");
}

#[test]
fn an_end_speaks_of_what_was_by_its_name() {
    let told = page(
        "var n: 0..99 = 0
         procedure step_up(k) { n += 1 if n > k + 1 { end game as over: draw } }
         turn {
             let had = n
             choose { a { n += 2 } b { step_up(n) } }
             if n > had + 1 { end game as far: draw }
         }
         end when empty is nothing",
    );
    tells(
        &told,
        &[
            "far: at once, if n is more than had + 1",
            "over: when a player chooses b, if n is more than k + 1",
        ],
    );
}

#[test]
fn whom_the_setup_lets_begin_nobody_follows() {
    let game = |setup: &str| {
        rules_of(&format!(
            "game \"Star\" {{
               players 3
               domain card = 1..9
               zone stock of card seen by none
               zone hand[player] of card seen by owner
               zone pile of card
               procedure dealt() {{ deal 3 from stock to hand {setup} }}
               setup {{ dealt() }}
               turn {{ choose {{ play c in hand[me] {{ move c to pile }} }} }}
               end out when hand is nothing
               score {{ nine: 1 when 9 in pile and me == player 1 }}
               match {{ games: 4, total: sum }}
             }}"
        ))
    };
    let named = game("for p in players { if 1 in hand[p] { starter = p } }");
    assert!(!named.contains("begins the next one"), "{named}");
    assert!(game("").contains("After a game, the next player begins the next one."));
    let hearts = load(&Request { name: "hearts", ..Request::default() }).unwrap().game;
    assert!(!joined(&set(&hearts, 200)).contains("begins the next one"));
}

#[test]
fn what_a_variant_adds_has_words_and_what_only_its_author_sees_has_none() {
    let told = |text: &str| joined(&set(&load_text("v.rules", text, &Request::default()).unwrap().game, 200));
    let held = told(
        "variant \"Held back\" of \"whist\" {
           new zone aside[player] of card seen by owner \"cards that a player holds back\"
         }",
    );
    assert!(
        held.contains("a new zone aside: cards that a player holds back (seen by its owner only)"),
        "{held}"
    );
    let alive = told(
        "variant \"Alive\" of \"chess\" {
           without end dead without define feeble without define dark without define rest without define all_of
         }",
    );
    assert!(alive.contains("no end dead") && !alive.contains("feeble"), "{alive}");
}

/// Each bracket is told once: the words of a formula grow with it, and not with two to the power of its depth.
#[test]
fn deep_brackets_are_told() {
    for operator in ["+", "-", "*", "/", "%"] {
        let deep = format!("{}n{}", format!("(1 {operator} ").repeat(60), ")".repeat(60));
        let told = page(&format!(
            "var n: 1..9 = 1 turn {{ choose {{ a {{ n = 2 }} b {{ }} }} }} end when {deep} > 1 or turns[me] == 3"
        ));
        assert!(told.len() < 10_000, "{operator}: {}", told.len());
    }
    let told = page(
        "var seen: set of cell = {} turn { choose { a { seen = edge } b { } } }
         end when turns[me] == 3
         score { n: count((((edge & seen) & edge) & seen) & edge) }",
    );
    tells(&told, &["have in common"]);
}

/// What a file declares is told by its own name, though the language has a function of that name.
#[test]
fn a_define_may_have_the_name_of_a_function() {
    let told = page(
        "define before(p) = turns[p] - 1
         define top = row(1)
         turn { choose { place c in empty & top where before(me) < 3 { put mark[me] at c } wait { } } }
         end when turns[me] == 9
         score { before: before(me) }",
    );
    tells(&told, &["your before", "before of p: p's turns - 1"]);
    assert!(!told.contains("previous player"), "{told}");
}
