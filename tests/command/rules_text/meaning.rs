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
            "pays: red: blue, blue and green: the colours without red",
            "worth: row 1: 1, row 2: 2",
            "prize: red: 3, blue and green: 2",
            "rank: 9 to 12; in pictures 10 is T and 11 is J",
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
            "found: in the step look, when there is (the player with the highest points, of equals the first in the order \
             of seats); (the player with the highest points, of equals the first in the order of seats) loses.",
        ],
    );
    let ends = told.split(" The game ends - ").last().unwrap().split(" A turn ").next().unwrap();
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
            "far: at once, when n is more than had + 1, where had was n; it is a draw.",
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
    let gone = "the game no longer ends when too few men are left for a checkmate";
    assert!(alive.contains(gone) && !alive.contains("feeble"), "{alive}");
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

/// What is moved and what stands around it, and what is counted and what is added to it, have words of their own.
#[test]
fn words_after_a_phrase_belong_to_one_of_its_parts() {
    let told = page(
        "var n: 0..9 = 1 var m: 0..9 = 1
         define near(K) = shift(K, east) | shift(K, west)
         turn { choose {
             a c in shift(around(corners), north) { clear c }
             b c in around(shift(corners, north)) { clear c }
             d c in near(shift(corners, north)) { clear c }
             e c in fill(around(corners)) { clear c }
             f c in around(fill(corners)) { clear c }
             g where count({ c in edge where column(c) > n }) + 1 > m { n = 2 }
             h where count({ c in edge where column(c) > n + 1 }) > m { n = 2 }
             i where max(n, m) - 1 > 3 { n = 2 }
             j where (if (if n > 3 then m > 3 else n > 1) then 1 else 2) == 2 { n = 2 }
             k where longest_chain(a) + 1 > 3 { n = 2 }
             l where abs(n) - m > 3 { n = 2 }
             o where { c in edge where column(c) > n } is nothing and n > 2 { n = 2 }
             p where { c in edge where column(c) > n and n > 2 } is nothing { n = 2 } } }
         end when empty is nothing",
    );
    tells(
        &told,
        &[
            "a: c is one of the places one step north from the places around corners;",
            "b: c is one of the places around the places one step north from corners;",
            "d: c is one of the places in near of the places one step north from corners;",
            "e: c is one of (the places around corners) and all that they surround;",
            "f: c is one of the places around (corners and all that they surround);",
            "g: if (the number of those c of edge where the column of c is more than n) + 1 is more than m;",
            "h: if (the number of those c of edge where the column of c is more than n + 1) is more than m;",
            "i: if (the highest of n and m) - 1 is more than 3;",
            "j: if (1 if (n is more than 3 and m is more than 3) or (n is at most 3 and n is more than 1), else 2) is 2;",
            "k: if (the most times in a row that one can a) + 1 is more than 3;",
            "l: if (the absolute value of n) - m is more than 3;",
            "o: if (for no c of edge, the column of c is more than n) and n is more than 2;",
            "p: if for no c of edge, the column of c is more than n and n is more than 2;",
        ],
    );
}

#[test]
fn what_is_taken_from_a_set_is_told_in_words() {
    let told = page(
        "define rest(K, L) = K - L
         turn { choose {
             a c in empty - (edge - corners) { clear c }
             b c in row(1) - column(2) { put mark[me] at edge - c }
             d c in rest(empty, corners) { let kept = edge   clear kept - c } } }
         end when empty is nothing",
    );
    tells(
        &told,
        &[
            "a: c is one of the empty places without (edge without corners);",
            "b: c is one of row 1 without column 2; put your marks at edge without c",
            "take away kept without c",
            "rest of K and L: K without L",
        ],
    );
}

#[test]
fn a_sheet_tells_conditions_numbers_and_ends_as_one_would() {
    let told = page(
        "enum suit { clubs, hearts } domain card { suit: suit, rank: 1..3 }
         zone hand[player] of card
         var n: 0..9 = 1
         var men[player, cell]: 0..9
         define may(c, k) = row(c) > k
         define attacked(c, p) = around(c) & mark[p] is some
         define the(r, s) = { c in card where c.rank == r and c.suit == s }
         define else_any(S) = if S is some then S else edge
         define over = n > 7
         turn { choose {
             a c in empty where may(c, n) and not may(c, 2) and not attacked(c, other) { n = n / 2 }
             b c in hand[me] where c in the(2, clubs) { n = 2 }
             d c in if n > 3 then edge else else_any(row(1)) { clear c }
             e c in empty { men[me, c] = 2 } } }
         end over when over
         end poor when mark[me] is nothing: lose me \"Who has no marks loses.\"
         end full when empty is nothing: draw \"The board is full.\"",
    );
    tells(
        &told,
        &[
            "if “may” holds for c and n and “may” doesn't hold for c and 2 and c is not attacked by the other player;",
            "n becomes n divided by 2, rounded down",
            "b: c is one of the cards in your hand, if c is one of the 2 of clubs; n becomes 2",
            "d: c is one of (edge if n is more than 3, else “else any” of row 1);",
            "e: c is one of the empty places; your men on c become 2",
            "- After a turn, when n is more than 7.",
            "- After a turn: Who has no marks loses. -",
            "- After a turn: The board is full. It is a draw.",
        ],
    );
    let all_out =
        page("var n: 0..9 = 1 turn { choose { on { n = 2 } out { playing -= me } } } score { n: n }");
    tells(
        &all_out,
        &["The game ends - After a turn, when nobody plays any more. - Who has the highest score then wins."],
    );
}

#[test]
fn alternatives_in_a_call_are_kept_together() {
    let told = page(
        "var n: 0..9 = 1
         turn { choose {
             a c in empty { n = count(if n > 3 then edge else corners) }
             b c in empty where c == lowest(if edge & empty is some then edge & empty else empty) { n = 2 }
             d c in empty where c == highest(if n > 3 then edge else corners) { n = 2 }
             e c in shift(if n > 3 then edge else corners, north) { n = 2 } } }
         end when empty is nothing",
    );
    tells(
        &told,
        &[
            "n becomes the number of (edge if n is more than 3, else corners)",
            "the lowest of (the empty places on the edge if there are any, else the empty places)",
            "the highest of (edge if n is more than 3, else corners)",
            "the places one step north from (edge if n is more than 3, else corners)",
        ],
    );
}

#[test]
fn what_follows_with_another_subject_names_it() {
    let told = page(
        "var n: 0..9 = 1
         turn { choose {
             a c in empty { if n > 3 { n -= 1 again } }
             b c in empty { if n > 3 { put mark[me] at c again } } } }
         end when empty is nothing",
    );
    tells(
        &told,
        &[
            "if n is more than 3, n goes down by 1 and you begin the same turn again",
            "if n is more than 3, put your mark at c and begin the same turn again",
        ],
    );
}

#[test]
fn a_condition_that_is_compared_with_true_or_false_or_denied_stays_together() {
    let told = page(
        "param allowed: bool = false
         var n: 0..99 = 0
         var g: bool = false
         var h: bool = false
         turn {
             if not (g and h) { if n > 2 { end game as late: draw } }
             choose {
                 a where (g or h) == true and n > 2 { n += 1 }
                 b where n > 2 and (g or h) != false { n += 1 }
                 c where (g and h) == false and n > 2 { n += 1 }
                 d where not ((g or h) == false) and n > 2 { n += 1 }
                 e where n > 2 or (g and h) == true { n += 1 }
                 forbidden where allowed == true { n += 1 }
                 go { g = true h = true }
             }
         }
         end when empty is nothing",
    );
    tells(
        &told,
        &[
            "at once, when (g is false or h is false) and n is more than 2",
            "a: if (g is true or h is true) and n is more than 2;",
            "b: if n is more than 2 and either g is true or h is true;",
            "c: if (g is false or h is false) and n is more than 2;",
            "d: if (g is true or h is true) and n is more than 2;",
            "e: if n is more than 2 or (g is true and h is true);",
        ],
    );
    assert!(!told.contains("forbidden"), "{told}");
}
