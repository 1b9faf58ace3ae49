//! Names, numbers and times in the sentences of a sheet are known to its reader.

use super::{joined, page, rules_of, tells};

#[test]
fn an_item_of_the_score_tells_its_points_unless_its_help_does() {
    let told = page(
        "turn { choose { place c in empty { put mark[me] at c } } }
         end when empty is nothing
         score {
             near: 1 when mark[me] is some \"for a man on the points 1 to 6\",
             low: 1 when mark[me] is some \"a point for the edge\",
             two: 2 when mark[me] is some \"two points for a corner\",
             three: 3 when mark[me] is some \"3 for a line\",
             rest: 26 when mark[me] is some \"if none of these points count\"
         }",
    );
    tells(
        &told,
        &[
            "- near: for a man on the points 1 to 6: 1 point (when you have marks)",
            "- low: a point for the edge (when you have marks)",
            "- two: two points for a corner (when you have marks)",
            "- three: 3 for a line (when you have marks)",
            "- rest: if none of these points count: 26 points (when you have marks)",
        ],
    );
}

#[test]
fn what_begins_again_with_each_turn_or_round_is_told_so() {
    let told = page(
        "var lot: 0..9 = 3 each turn \"how many marks are left\"
         var hurried: bool each turn \"who hurries takes no more\"
         turn {
             step go { choose {
                 place c in empty where lot > 0 \"mark\" { put mark[me] at c lot -= 1 if lot > 1 { again } }
                 hurry \"hurry on\" { hurried = true } } }
             step more { choose { stay where not hurried \"stay here\" { } leave \"leave it\" { } } }
         }
         end when empty is nothing",
    );
    tells(
        &told,
        &[
            "- lot: how many marks are left (3 at the start of each turn); goes down by 1 in place",
            "- hurried: who hurries takes no more; becomes true in hurry, until the turn is over",
        ],
    );
    let told = joined(&rules_of(
        "game \"Rounds\" { players 2
           var n[player]: 0..99 = 0
           var left: 0..9 = 5 each round \"coins to take\"
           round { step take { each player from starter as me {
               choose { one where left > 0 \"take a coin\" { left -= 1 n[me] += 1 } none_of_it \"take none\" { n[me] += 2 } } } } }
           end far of round when any p in players: n[p] > 9
           score { n: n[me] } }",
    ));
    tells(&told, &["- left: coins to take (5 at the start of each round)"]);
}

#[test]
fn numbers_of_a_field_that_depend_on_a_kind_are_told_by_kind() {
    let told = |many: &str| {
        joined(&rules_of(&format!(
            "game \"Range\" {{ players 2
               enum suit {{ red, blue, gold }}
               table many[suit]: 2..9 = [{many}]
               domain card {{ suit: suit, value: 1..many[suit] }}
               zone deck of card
               turn {{ choose {{ take c in deck \"take\" {{ end game: draw }} }} }} }}"
        )))
    };
    let two = told("{red, blue}: 9, gold: 2");
    tells(&two, &["card: 20, each with its own suit and value (1 to 9, but for gold 1 and 2)"]);
    let three = told("red: 9, blue: 4, gold: 2");
    let words = "suit and value (for red 1 to 9, for blue 1 to 4, for gold 1 and 2)";
    tells(&three, &[words]);
    tells(&told("{red, blue, gold}: 4"), &["card: 12, each with its own suit and value (1 to 4)"]);
}

#[test]
fn what_a_sentence_below_an_option_names_is_told_above_it() {
    let told = joined(&rules_of(
        "game \"Own\" { players X, O
           board sheet[player] = grid(3, 3) seen by owner
           piece mark[player]
           turn { choose { try c in empty[me] \"try a square\" {
               if c in mark[other, other] { put mark[me, other] at c again } else { put mark[me, me] at c } } } }
           end full when count(mark[X, X] | mark[O, O]) == 9: draw }",
    ));
    tells(
        &told,
        &[
            "try a square - c is one of your empty places - if c is one of the other player's marks of the other \
           player: the same player plays again",
        ],
    );
}

#[test]
fn neighbours_are_told_on_every_kind_of_board() {
    let links = page_of("board point = graph(\"a-b-c-a\")", "b in beside(a) & empty");
    tells(&links, &["b is one of the empty places beside a", "- beside: joined by a link"]);
    let two = page_of("board point = grid(3, 3) board spot = grid(6, 6)", "b in beside(a) & empty(point)");
    tells(&two, &["places of point beside a", "- beside: sharing a side"]);
}

/// Returns the sheet of a game in which men go to some places.
fn page_of(boards: &str, to: &str) -> String {
    joined(&rules_of(&format!(
        "game \"Near\" {{ players 2 {boards} piece man[player] on point
           setup {{ put man[player 1] at @{first} }}
           turn {{ choose {{ go a in man[me], {to} {{ move a to b }} otherwise {{ }} }} }}
           end late when turns[me] == 5: draw }}",
        first = if boards.contains("graph") { "a" } else { "a1" },
    )))
}

#[test]
fn a_change_of_something_with_an_index_names_it() {
    let told = page(
        "var first[cell]: player? = none \"who was there first\"
         turn { choose { place c in empty \"lay a mark\" { put mark[me] at c first[c] = me } } }
         end top when first[@b2] is some: win me
         end when empty is nothing",
    );
    tells(&told, &["- first: who was there first; first of c becomes you in place, where c is chosen"]);
}

#[test]
fn a_verb_has_the_number_of_its_subject_and_a_single_one_is_no_choice() {
    let told = joined(&rules_of(
        "game \"Paint\" { players 2
           enum card { red, blue }
           zone deck of card
           zone canvas of card
           turn { choose { lay c in deck { move c to canvas } otherwise { } } }
           end bare when canvas is nothing: draw
           end late when turns[me] == 3: draw }",
    ));
    tells(&told, &["when the canvas is empty; it is a draw."]);
    let told = page(
        "var jumper: cell? = none
         var n: 0..9 = 0
         define reached(p) = n > 3 and p == X
         turn {
             choose { place c in empty { put mark[me] at c jumper = c n += 1 } otherwise { } }
             if jumper is some {
                 choose more { jump a in {jumper}, b in around(a) & empty \"jump on\" { move a to b } otherwise { } } } }
         end far when reached(me): win me
         end full when empty is nothing",
    );
    tells(
        &told,
        &[
            "- a is jumper, b is one of the empty places around a",
            "when “reached” holds for the mover; the mover wins.",
        ],
    );
}

#[test]
fn a_help_that_stands_for_a_procedure_is_not_told_twice() {
    let told = page(
        "procedure close(p) \"the free areas close\" { clear mark[p] & row(1) }
         turn { choose {
             place c in empty where row(c) > 1 \"lay\" { put mark[me] at c close(other) }
             otherwise \"the free areas close\" { close(me) } } }
         end when empty is nothing",
    );
    tells(&told, &["- if nothing of this is possible: the free areas close"]);
}

#[test]
fn a_kind_that_has_this_name_is_told_once() {
    let rules = "game \"Base\" {
        players X, O
        board cell = grid(3, 3)
        enum kind { man \"goes one step\", king \"goes two steps\" }
        piece figure[player, kind]
        turn { choose { lay c in empty { put figure[me, man] at c } } }
        end when empty is nothing
    }
    variant \"Other\" of \"Base\" {
        enum kind { man \"goes two steps\", king \"goes one step\" }
    }";
    let told = joined(&rules_of(rules));
    tells(&told, &["- the kind - man: goes two steps"]);
    assert!(!told.contains("kind kind"), "{told}");
}
