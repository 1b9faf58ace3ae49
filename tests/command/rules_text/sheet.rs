//! What a rule sheet says: which of equals is meant, what a sentence is about, and nouns where rules have names.

use super::{joined, page, rules_of, tells};

#[test]
fn which_of_equals_is_meant_is_told_wherever_the_best_is_named() {
    let told = page(
        "enum colour { red, blue, green, white }
         table worth[colour]: 0..9 = [red: 1, blue: 2, green: 1, white: 2]
         var coins[player]: 0..9 = 0
         var dear: colour? = none
         var here: cell? = none
         var n: 0..9 = 0
         turn { choose {
             a c in empty { put mark[me] at c coins[me] = 1 dear = best k in colour by worth[k] }
             b c in empty { put mark[me] at c n = best i in 1..6 by i % 2 here = best d in empty by -row(d) }
             d c in empty { put mark[me] at best d in empty by row(d) n = best i in 1..6 by (i % 2, -i) }
             e c in empty where c == (best d in empty by (row(d), column(d))) {
                 put mark[me] at c next best p in players by coins[p] }
         } }
         end when empty is nothing",
    );
    tells(
        &told,
        &[
            "dear becomes the colour k for which worth of k is highest, of equals the first in the order (red, blue and so on) -",
            "n becomes the i from 1 to 6 for which (the remainder of i divided by 2) is highest, of equals the lowest; \
             here becomes the d of the empty places for which the row of d is lowest, \
             of equals the first in the order (a1, b1 and so on) -",
            "put your mark at (the d of the empty places for which the row of d is highest, of equals the first in the \
             order (a1, b1 and so on)); n becomes the i from 1 to 6",
            // A criterion that differs for all leaves one alone.
            "is highest, then with the lowest i -",
            "if c is (the d of the empty places for which the row of d is highest, then for which the column of d is \
             highest, of equals the first in the order (a1, b1 and so on));",
            "the player with the highest coins, of equals the first in the order of seats, is next",
        ],
    );
}

#[test]
fn alternatives_in_what_is_moved_drawn_shown_and_put_are_kept_together() {
    let told = joined(&rules_of(
        "game \"Sheet\" { players 3
         domain card { suit: 1..4, rank: 1..9 }
         zone deck of card ordered seen by none
         zone spare of card seen by none
         zone hand[player] of card seen by owner
         zone shown of card
         zone taken[player] of card
         board cell = grid(3, 3)
         piece mark[player]
         piece struck
         var n: 0..9 = 0
         setup { move { c in card where c.rank > 2 } to deck move card - deck to spare
                 deal 3 from deck to hand deal 1 from deck to taken }
         turn { choose {
             a c in hand[me] { move (if n > 2 then {c} else hand[me]) to shown  n = 1 }
             b c in hand[me] { move c to (if n > 2 then shown else spare) n = 2 }
             d c in hand[me] { draw t from (if n > 2 then spare else deck) to hand[me] n = 3 }
             e c in hand[me] { reveal (if n > 2 then {c} else hand[me]) to after(me) n = 4 }
             f c in cell { put mark[if n > 2 then me else after(me)] at c replacing n = 5 }
             g c in empty { put mark[me] at (if n > 2 then {c} else edge & empty) put struck at lowest(empty) }
             h c in hand[me] where shown is nothing and taken[me] is some {
                 move best t in hand[me] by t.rank to shown }
             i c in hand[me] where count(shown) > 3 and count(taken[me]) > 2 {
                 clear (if n > 2 then mark[me] else mark[after(me)]) n = 6 }
             j c in hand[me], s in cell where c in taken[me] or deck is nothing { shuffle deck playing -= me }
             k c in hand[me] where (any o in card: o.suit == 2)
                     and (count o in card where o.rank > 1: o.suit == n) > 1 {
                 for o in card { n = o.rank } n = 6 }
         } }
         end out when turns[me] > 20 or deck is nothing: win best p in players by count(taken[p])
         winner most(count(taken[me])) }",
    ));
    tells(
        &told,
        &[
            "move (the cards whose rank is more than 2) to the deck - move the cards without the deck to the spare - \
             deal 3 from the deck to each hand - deal 1 from the deck to each player's taken cards",
            "move (c if n is more than 2, else your hand) to the shown cards; n becomes 1",
            "move c to (the shown cards if n is more than 2, else the spare); n becomes 2",
            "draw t from (the spare if n is more than 2, else the deck) to your hand; n becomes 3",
            "show (c if n is more than 2, else your hand) to the player after you; n becomes 4",
            "f: c is one of the cells; put a mark of (you if n is more than 2, else the player after you) at c, in place of \
             what stands there",
            "put your marks at (c if n is more than 2, else the empty places on the edge); \
             put a struck piece at the lowest of the empty places",
            "if there are no shown cards and you have some taken cards; move (the t of your hand for which t's rank is \
             highest, of equals the first in the order (",
            " and so on)) to the shown cards",
            "if the number of shown cards is more than 3 and the number of your taken cards is more than 2; \
             take away (your marks if n is more than 2, else marks of the player after you); n becomes 6",
            "if c is one of your taken cards or the deck is empty; shuffle the deck; you leave the game",
            "if (for some card o, o's suit is 2) and (the number of cards o where o's rank is more than 1 and o's suit is \
             n) is more than 1",
            "for each card o: n becomes o's rank",
            "the player with the highest number of taken cards wins, of equals the first in the order of seats.",
            "If the end leaves the result open, who has the most taken cards wins;",
        ],
    );
}

#[test]
fn names_that_are_no_nouns_and_single_conditions_are_told_as_one_would() {
    let told = joined(&rules_of(
        "game \"Sheet\" { players 2..4
         enum half { left, right }
         domain card { suit: 1..4, rank: 1..9 } | { fool }
         dice pair: 2 of d6
         zone deck of card seen by none
         zone hand[player] of card seen by owner
         var folded: set of player = {}
         var out: bool = false
         define still_in = players - folded
         setup { deal 3 from deck to hand }
         turn {
             roll pair
             if count(still_in) == 1 or out { end game as last: draw }
             choose {
                 a c in hand[me], s in half where c.rank is some and pair[1] > pair[2] { folded += me }
                 b c in hand[me] where c.suit is nothing or s_of(c) == 2 { out = true }
             }
         }
         define s_of(c) = sum r in 1..3 where r > 1: r
         end long when turns[me] > 20
         payoff score
         score { cards: count(hand[me]) } }",
    ));
    tells(
        &told,
        &[
            "- last: at once, when the number of “still in” is 1 or out is true; it is a draw.",
            "s is one of the halves, if c has a rank and the first die of pair is more than the second die of pair",
            "if c has no suit or s of c is 2",
            "still in: the players without folded",
            "the sum of r for every r from 1 to 3 where r is more than 1",
            "What a player wins or loses in the end: the score.",
        ],
    );
}

/// Places that touch at a corner are connected or not: other rules have other words.
#[test]
fn what_is_connected_across_corners_is_told_as_such() {
    let told = page(
        "dice pair: 2 of d6
         dice die: 3 of d6
         turn { roll pair roll die choose {
             a c in reach(mark[me], mark[me] | empty, eight) - mark[me] { put mark[me] at c }
             b c in component(@a1, empty, eight) & empty { put mark[me] at c }
             d c in component(@a1, empty, four) { put mark[me] at c }
             e c in empty where connected(mark[me], row(1), row(3), eight) { put mark[me] at c }
             f c in empty - edge - {@b2, @c2} - mark[me] { put mark[me] at c }
             g c in empty where faces(pair, 6) > 1 or faces(die, 5) == 2 { put mark[me] at c }
             h c in empty where connected(mark[me], row(1), row(3)) { put mark[me] at c }
             i c in fill(mark[me], eight) & empty { put mark[me] at c }
             otherwise { end game }
         } }
         end when empty is nothing",
    );
    tells(
        &told,
        &[
            "a: c is one of (what can be reached from your marks through (your marks and the empty places), corners \
             included) without your marks;",
            "b: c is one of the empty places in (the connected part of the empty places with a1, corners included);",
            "d: c is one of the connected part of the empty places with a1;",
            "if your marks join row 1 with row 3, corners included;",
            "f: c is one of the empty places without (edge and b2 and c2 and your marks);",
            "if the number of dice of pair that show 6 is more than 1 or the number of dice that show 5 is 2;",
            "h: c is one of the empty places, if your marks join row 1 with row 3;",
            "i: c is one of the empty places in (your marks and all that they surround, corners included);",
        ],
    );
}
