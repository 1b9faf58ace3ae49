//! The wording of conditions, values and names in the rules.

use super::{page, tells};

#[test]
fn values_are_told_in_words() {
    let told = page(
        "define back(c) = if me == X then toward(c, south) else toward(c, north)
         define safe(p) = mark[p] - column(1)
         turn { choose {
             a c in mark[me] where back(c) in empty and (row(c) > 1 or not empty is nothing) {
                move c to back(c) }
             b c in {lowest(empty - edge)} { put mark[me] at c } } }
         end gone when repeated(2): draw
         end nowhere when safe(me) & row(2) is nothing: lose me
         end when empty is nothing
         winner most(count(safe(me) & row(1)))",
    );
    tells(
        &told,
        &[
            "c is one of your marks, if back of c is one of the empty places and either the row of c is more than 1 or",
            "either the row of c is more than 1 or there is an empty cell; move c to back of c",
            "who has the most of what their safe and row 1 have in common wins;",
            "c is the lowest of the empty places without edge",
            "- After a turn, when the same position has come up twice before; it is a draw.",
            "when the mover's safe and row 2 have nothing in common; the mover loses.",
        ],
    );
}

#[test]
fn who_sees_a_thing_and_what_the_board_shows_are_told() {
    let told = page(
        "define goals = {@a1, @b2} shown as \"g\" in gold \"where marks count\"
         define river = row(3) shown as blue
         var trail: 1..3 = 1 seen by O \"where it went\"
         turn { choose {
             a c in empty - goals - river seen by O { put mark[me] at c trail = row(c) } } }
         end when trail == 2 or empty is nothing: draw",
    );
    tells(
        &told,
        &[
            "goals: where marks count, marked g in gold on the board",
            "river: row 3, marked in blue on the board",
            "what is chosen is seen by O only",
            "1 at first, seen by O only)",
        ],
    );
}

#[test]
fn sets_and_quantifiers_are_told_in_words() {
    let told = page(
        "var folded: player? = none
         var seen: set of cell = {}
         var row_of[player]: 1..3 = 1
         var opened[player]: bool = false
         turn { choose {
             a c in (union p in players: mark[p]) & row(1) where opened[me] and not opened[other] { clear c }
             b c in { c in empty where row(c) == 2 } where (sum p in players: row_of[p]) > 2 { put mark[me] at c }
             d c in empty where folded is nothing and seen is some and (all p in players: row_of[p] < 2) {
                 put mark[me] at c seen += c folded = best p in players by row_of[p] }
             e c in empty where not (row(c) == 1 or row(c) == 2) and (count p in players: opened[p]) == 1 {
                 put mark[me] at c row_of[me] = min(row_of[other], row(c)) opened[me] = true }
             f c in mark[X] | mark[O] where c not in seen { clear c seen -= c }
             otherwise { end game } } }
         end when empty is nothing
         end bare when mark[X] & row(1) is nothing and no action for other: draw",
    );
    for words in [
        "c is one of (p's marks for every player p) and one of row 1, if your opened is true and \
         the other player's opened is false",
        "c is one of those c of the empty places where the row of c is 2, if (the sum of p's row for every player p) \
         is more than 2",
        "if folded is nobody and seen is not empty and every player's row is less than 2",
        "add c to seen",
        "folded becomes the player with the highest row, of equals the first in the order of seats",
        "if the row of c is not 1 and the row of c is not 2 and (the number of players p where p's opened \
         is true) is 1",
        "your row becomes the lowest of the other player's row and the row of c",
        "c is one of X's marks or O's marks, if c is not one of the seen places; take away c; take c out of seen",
        "when X has no marks in row 1 and nothing is possible for the other player; it is a draw",
    ] {
        assert!(told.contains(words), "{words}\n{told}");
    }
    assert!(!told.contains('`'), "{told}");
}

#[test]
fn parentheses_keep_together_what_belongs_together() {
    let told = page(
        "define caught(c) = c in mark[other] and (if row(c) > 1 then row(c) == 2 else column(c) == 1)
         define near(c) = (around(c) | beside(c)) & empty is some
         define odd(c) = row(c) % 2 + 1
         define far(c) = 4 - row(c)
         define span(a, b) = a + b
         define some_of = { c in empty where row(c) == 1 } | mark[X]
         turn { choose { a c in empty where caught(c) or near(c) or odd(c) + far(c) == span(span(row(c), 1), 2) { put mark[me] at c }
                         b c in some_of where row(c) > 1 { put mark[me] at c replacing } } }
         end when empty is nothing",
    );
    for words in [
        "caught of c: true if c is one of the other player's marks and ((the row of c is more than 1 and the row of c is 2) \
         or (the row of c is at most 1 and the column of c is 1))",
        "near of c: true if there are empty places in (the places around c or the places beside c)",
        "span of (span of the row of c and 1) and 2",
        "odd of c: (the remainder of the row of c divided by 2) + 1",
        "far of c: 4 - the row of c",
        "some of: (those c of the empty places where the row of c is 1) and X's marks",
    ] {
        assert!(told.contains(words), "{words}\n{told}");
    }
}

/// What parentheses group stays together, and no reader must know that `and` binds closer than `or`.
#[test]
fn the_words_of_conditions_keep_their_parentheses() {
    let told = page(
        "var n: 0..9 = 0
         var late: bool = false
         define low = n < 3
         define odd(k) = k % 2 == 1
         turn { choose {
             a c in empty where n > 1 and (n < 4 or n > 6) and n != 9 { put mark[me] at c }
             b c in empty where n > 1 and (n < 4 or n > 6 and low) { put mark[me] at c }
             d c in empty where n > 1 and (n < 4 or n > 6) { put mark[me] at c }
             e c in empty where n == 1 and n != 2 or n == 3 { put mark[me] at c }
             f c in empty where (n == 1) == (row(c) == 2) { put mark[me] at c }
             g c in empty where low != odd(n) and n < 8 { put mark[me] at c }
             h c in empty where (any p in players: mark[p] is some or n == 5) and n == 6 { put mark[me] at c }
             i c in empty where (any d in empty: row(d) == 2) or n == 6 { put mark[me] at c }
             j c in empty where c in {@a1, @b2} and n == 6 { put mark[me] at c late = n == 6 or low }
             k c in empty where (count d in empty where row(d) == 1 or row(d) == 2: column(d) == 3) == 2 { put mark[me] at c }
             l c in empty where late == false or not low { put mark[me] at c }
         } }
         end when empty is nothing",
    );
    tells(
        &told,
        &[
            "a: c is one of the empty places, if n is more than 1 and (n is less than 4 or n is more than 6) and n is not 9;",
            "b: c is one of the empty places, if n is more than 1 and (n is less than 4 or (n is more than 6 and low is true));",
            "d: c is one of the empty places, if n is more than 1 and either n is less than 4 or n is more than 6;",
            "e: c is one of the empty places, if (n is 1 and n is not 2) or n is 3;",
            "f: c is one of the empty places, if (n is 1) exactly if (the row of c is 2);",
            "g: c is one of the empty places, if (exactly one of these holds: (low is true), (n is odd)) and n is less than 8;",
            "h: c is one of the empty places, if (a player has marks or n is 5) and n is 6;",
            "i: c is one of the empty places, if (for some d of the empty places, the row of d is 2) or n is 6;",
            "j: c is one of the empty places, if c is either a1 or b2 and n is 6;",
            "late becomes true if n is 6 or low is true, else false",
            "if (the number of d of the empty places where (the row of d is 1 or the row of d is 2) and the column of d is 3) is 2;",
            "l: c is one of the empty places, if late is false or low is false;",
        ],
    );
}

#[test]
fn names_with_prepositions_and_conditions_are_told_as_sentences() {
    let told = page(
        "var coins_of[player]: 0..9 = 3
         define coins_of_both = coins_of[X] + coins_of[O]
         define marks_of(p) = count(mark[p])
         define points_for(p, n) = marks_of(p) + n
         define in_row(r) = { c in cell where row(c) == r }
         define on_top(c) = row(c) == 3
         define is_free(c) = c in empty
         define is_next_to(c, d) = d in around(c)
         define can_pay(p) = coins_of[p] > 0
         define lone(c) = around(c) & empty is nothing
         turn { choose {
             a c in empty & in_row(2) where on_top(c) and is_free(c) and not lone(c) { put mark[me] at c coins_of[me] -= 1 }
             b c in in_row(1) where not on_top(c) and not is_free(c) or not can_pay(me) { clear c }
             d c in empty where points_for(me, 2) > marks_of(other) and can_pay(other) { put mark[me] at c }
             e c in empty where is_next_to(c, @a1) and not is_next_to(c, @b2) { put mark[me] at c }
             otherwise { end game }
         } }
         end rich when coins_of_both > 9 and me == lowest({ p in players where coins_of[p] > 0 }): draw
         end all when count(playing) == 1: win lowest(playing)",
    );
    for words in [
        "a: c is one of the empty places among those in row 2, if c is on top and c is free and \
         c is not lone; put your mark at c; your coins go down by 1",
        "b: c is one of those in row 1, if (c is not on top and c is not free) or you cannot pay; take away c",
        "d: c is one of the empty places, if your points for 2 are more than the other player's marks and the other player can pay;",
        "e: c is one of the empty places, if c is next to a1 and c is not next to b2;",
        "the mover is the first of (those players p where p's coins are more than 0) in the order of seats",
        "the only player who still plays wins",
        "- those in row r: those cells c where the row of c is r",
        "- c is on top: true if the row of c is 3",
    ] {
        assert!(told.contains(words), "{words}\n{told}");
    }
}

/// The verb is denied where it is written, whatever words its subject has.
#[test]
fn what_is_denied_of_a_call_is_its_verb() {
    let told = page(
        "dice pair: 2 of d6
         define marks_that_join_here(p) = mark[p] - row(2)
         turn { roll pair choose {
             a c in empty where not connected(marks_that_join_here(me), row(1), row(3)) { put mark[me] at c }
             b c in empty where not double(pair) { put mark[me] at c }
             d c in empty where not repeated(1) and not repeated(2, of: mark) { put mark[me] at c }
             e c in empty where not not double(pair) { put mark[me] at c }
             f c in empty where connected(mark[me], row(1), row(3)) == false { put mark[me] at c }
             otherwise { end game }
         } }
         end when empty is nothing",
    );
    tells(
        &told,
        &[
            "if your marks that join here don't join row 1 with row 3;",
            "b: c is one of the empty places, if pair is no double;",
            "if the same position has not come up before and the same position of marks has not come up twice before;",
            "e: c is one of the empty places, if pair is a double;",
            "f: c is one of the empty places, if your marks don't join row 1 with row 3;",
        ],
    );
}

/// A set with a name is empty or not; what is on the table is there or not.
#[test]
fn what_is_empty_has_its_words() {
    let told = page(
        "domain card = 1..9
         zone hand[player] of card seen by owner
         zone waste of card
         zone turned of card
         define met = { p in players where mark[p] is nothing }
         define moves(c) = around(c) & empty
         define is_line(c, d) = toward(c, d) is some
         define fits(c) = row(c) > 1
         define matches(c) = row(c) > 2
         turn { choose {
             a c in empty where met is nothing and (turned | waste) is some { put mark[me] at c }
             b c in empty where met is some or (turned | waste) is nothing { put mark[me] at c }
             d c in empty where ray(c, north) is some and around(c) is nothing { put mark[me] at c }
             e c in empty where toward(c, north) is nothing and toward(c, south) is some { put mark[me] at c }
             f c in empty where c is fits and c is not matches and count(hand[me]) > 1 { put mark[me] at c }
             g c in empty, d in directions(cell) where is_line(c, d) and not is_line(c, north) { put mark[me] at c }
             h c in empty where moves(c) is nothing { put mark[me] at {@a1, @b1} }
         } }
         end when empty is nothing",
    );
    tells(
        &told,
        &[
            "a: c is one of the empty places, if met is empty and the turned cards or the waste is not empty; put your mark at c",
            "b: c is one of the empty places, if met is not empty or the turned cards and the waste are empty;",
            "d: c is one of the empty places, if there are places north from c on and there are no places around c;",
            "if there is no place one step north from c and there is a place one step south from c;",
            "f: c is one of the empty places, if c fits and c doesn't match and the number of cards in your hand is more than 1;",
            "if “line” holds for c and d and “line” doesn't hold for c and north;",
            "- line of c and d: true if there is a place one step d from c",
            "h: c is one of the empty places, if there are no moves of c; put your marks at a1, b1",
        ],
    );
}

#[test]
fn the_best_and_what_becomes_of_it_have_their_words() {
    let told = page(
        "piece box
         enum colour { red, blue }
         table worth[colour]: 0..9 = [red: 1, blue: 2]
         var chosen: player? = none
         var where_to: cell? = none
         var dear: colour? = none
         var n: 0..9 = 0
         var coins[player]: 0..9 = 0
         define exact = abs(3 - n)
         setup { put box at @a1 put box at {@b2, @c3} }
         turn { choose {
             a c in empty { put mark[me] at c chosen = best p in players by (-coins[p], mark[p] is some) n = exact }
             b c in empty { put mark[me] at c dear = best k in colour by -worth[k] chosen = none where_to = none }
         } }
         end when empty is nothing: win all best p in playing by coins[p]",
    );
    tells(
        &told,
        &[
            "put a box at a1 - put boxes at b2, c3",
            "chosen becomes the player p with the lowest coins, then preferably if p's marks are not empty, \
             of equals the first in the order of seats; n becomes the value of exact",
            "dear becomes the colour k for which worth of k is lowest, of equals the first in the order (red, blue); \
             chosen becomes nobody; “where to” becomes nothing",
            "exact: the absolute value of (3 - n)",
            "all players who still play, with the highest coins win",
        ],
    );
}

#[test]
fn pushed_and_turned_pieces_are_told() {
    let rules = r#"game "Push" {
      players X, O
      board cell = grid(4, 4)
      piece cube[player]
      turn {
        choose {
          push c in edge, d in directions(cell, four) { move ray(c, d) to reverse(d) replacing }
          wind d in directions(cell, four) { move row(2) to d }
          rise { move cube to north }
          turn_over c in cell { swap cube[X], cube[O] among around(c) }
        }
      }
      end late when turns[me] == 9
      score { cubes: count(cube[me]) }
    }"#;
    let game =
        houserule::loader::load_text("push", rules, &houserule::loader::Request::default()).unwrap().game;
    let told = super::joined(&houserule::prose::rules(&game, 200));
    for words in [
        "move everything on all places d from c on by one in the direction opposite d, in place of what stands there",
        "move row 2 to d",
        "move everything on cubes by one in the direction north",
        "swap X's cubes and O's cubes, only on the places around c",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
}

/// The verb of a condition is denied where it stands, and a name is told as the part of a sentence that it is.
#[test]
fn conditions_are_told_with_their_verbs() {
    let told = page(
        "enum sign { plus, minus, over }
         domain card = 1..9
         zone stock of card
         zone hand[player] of card
         var last_sign: sign = plus
         var bidder: player? = none
         var stays: bool = false
         var leads[player]: bool = false
         var lives: 0..9 = 0
         define hand_of(p) = count(hand[p])
         define leader(p) = hand_of(p) > 3
         define beats(p, q) = hand_of(p) > hand_of(q)
         define flees(c) = c in empty
         define free(c) = c in empty
         define jacks(p) = hand_of(p) > 2
         define in_check(p) = mark[p] is some
         turn { choose {
             a o in {minus, over} where last_sign in {minus, over} and not (o == minus and last_sign == over) { last_sign = o }
             b n in 1..3 where n not in 2..3 and hand_of(me) == 6 and stays and not leads[me] { stays = not stays lives = 3 }
             d c in empty where not leader(me) and beats(me, other) and not beats(other, me) and not flees(c) and free(c) { put mark[me] at c }
             e c in empty where not free(c) and jacks(me) and not in_check(other) and bidder != me and turns[me] > 1 { put mark[me] at c }
             f c in empty where not (all d in around(c): d in empty) { put mark[me] at c }
             g c in empty where free(c) and not (flees(c) and row(c) == 2) { put mark[me] at c }
             h c in empty where column(column(c)) in empty or (row(c), column(c)) != (1, 2) and stays { put mark[me] at c }
             i c in empty where last_sign not in {plus, minus} and playing != {me} { put mark[me] at c }
         } }
         end when empty is nothing",
    );
    for words in [
        "a: o is either minus or over, if last sign is either minus or over and either o is not minus or last sign is not over;",
        "b: n is from 1 to 3, if n is not from 2 to 3 and the number of cards in your hand is 6 and it stays and you don't lead; \
         stays becomes true if it doesn't stay, else false; lives become 3",
        "d: c is one of the empty places, if you are not the leader and you beat the other player and the other player \
         doesn't beat you and c doesn't flee and c is free;",
        "e: c is one of the empty places, if c is not free and “jacks” holds for you and the other player is not in check \
         and you are not the bidder and the number of your turns is more than 1;",
        "f: c is one of the empty places, if for some d of the places around c, d is not one of the empty places;",
        "g: c is one of the empty places, if c is free and either c doesn't flee or the row of c is not 2;",
        "h: c is one of the empty places, if the whole column of c is within the empty places or ((the row of c is not 1 or the \
         column of c is not 2) and it stays);",
        "i: c is one of the empty places, if last sign is neither plus nor minus and you are not the only player who still plays;",
    ] {
        assert!(told.contains(words), "{words}\n{told}");
    }
    assert!(!told.contains("it is not so that"), "{told}");
}

/// A name for one's team is no step of a turn.
#[test]
fn a_name_for_a_team_is_told_where_it_is_used() {
    let rules = "game \"Teams\" { players north, east, south, west
        team ns = {north, south} team ew = {east, west}
        var tricks[player]: 0..99 = 0
        turn { let side = team(me) tricks[me] += count(side)
               choose { go where (sum p in side: tricks[p]) > 2 { } stay { } } }
        end over when turns[me] > 3: draw }";
    let told = super::joined(&super::rules_of(rules));
    tells(
        &told,
        &[
            "1. your tricks go up by the number of your team 2. Choose one.",
            "- go: if (the sum of p's tricks for every p of your team) is more than 2",
        ],
    );
    assert!(!told.contains("let side"), "{told}");
}

/// What lasts is listed with what it begins with, also without a help text, and a set of a card is within another.
#[test]
fn what_lasts_is_listed_without_a_help_text() {
    let rules = "game \"Lotto\" { players 2
        domain number = 1..9
        domain sheet { rows: set of number } = [north: ({1, 2}), south: ({3, 4})]
        var called: set of number = {}
        var health[player]: 0..12 = 10
        var open: bool
        var heard: 0..3 = 0 each turn
        turn { choose { full c in sheet where c.rows in called { health[me] -= 1; heard = 1 }
                        call n in number { called += n; open = heard == 1 } } }
        end over when open or health[me] == 0 }";
    let told = super::joined(&super::rules_of(rules));
    tells(
        &told,
        &[
            "- called: changes during the game",
            "- health: 10 at first",
            "- open: changes during the game",
            "if c's rows are within called",
        ],
    );
    assert!(!told.contains("- heard"), "{told}");
}

#[test]
fn a_truth_value_in_a_sum_is_told_as_one_or_none() {
    let rules = "game \"Skat\" { players 2 var taken[player]: 0..9 = 0 define hand_game = taken[me] == 0
        turn { choose { take n in 1..3 { taken[me] += n } pass } }
        end over when turns[me] > 3
        score { game: 2 * (1 + hand_game + (taken[me] > 5)) } }";
    let told = super::joined(&super::rules_of(rules));
    assert!(
        told.contains("1 + (1 if hand game is true, else 0) + (1 if your taken is more than 5, else 0)"),
        "{told}"
    );
}

#[test]
fn a_condition_that_always_holds_is_told_as_such_within_another() {
    let told = page(
        "var n: 0..9 = 0
         turn { choose {
             a c in empty where (if n > 2 then 1 != 2 or n > 3 else n < 1) { put mark[me] at c n = min(9, n + 1) } } }
         end when empty is nothing",
    );
    tells(&told, &["if n is more than 2 or n is less than 1; put"]);
}
