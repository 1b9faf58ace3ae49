//! Set expressions in words: what sets have in common, and the nouns for their elements.

use super::{joined, page, rules_of, tells};

/// A set that says what it has is told by it, and the others say where.
#[test]
fn what_sets_have_in_common_is_told_by_what_it_is_and_where() {
    let told = page(
        "var n: 0..9 = 1
         var dark: set of cell = {}
         define goals(c) = around(c) - edge
         define home = row(1)
         define open = column(1)
         define meeting = { c in home & open where row(c) > n }
         define both(p) = (mark[p] | mark[other]) & home
         define near = (union d in directions(cell): shift(mark[me], d)) & empty
         turn { choose {
             a c in mark[me] & row(3) { clear c }
             b c in empty & home { put mark[me] at c }
             d c in empty & open { put mark[me] at c }
             e c in empty & edge { put mark[me] at c }
             f c in around(@b2) & empty { put mark[me] at c }
             g c in mark[me] & beside(dark) & home { clear c }
             h c in goals(@b2) & home { clear c }
             i c in goals(@b2) & empty { put mark[me] at c }
             j c in cell where c in mark[other] & dark and c not in empty & dark { n = count(empty & dark) }
             k c in empty where mark[other] & edge is some or empty & home is nothing { n = count(mark[me] & edge) }
             l c in empty where c in meeting and both(me) is some and c in near { n = 2 }
             m c in (empty & edge) | dark { n = 3 }
             o c in empty & (edge | dark) { n = 4 }
             q c in empty where c in (if n > 2 then empty & home else dark) { dark = dark | c } } }
         end when empty is nothing",
    );
    tells(
        &told,
        &[
            "a: c is one of your marks in row 3;",
            "b: c is one of the empty places in home;",
            "d: c is one of the empty places that are open;",
            "e: c is one of the empty places on the edge;",
            "f: c is one of the empty places around b2;",
            "g: c is one of your marks that are on the places beside dark and on home;",
            "h: c is one of the goals of b2 and one of the places in home;",
            "i: c is one of the goals of b2 and one of the empty places;",
            "j: c is one of the cells, if c is one of the other player's marks on dark and c is not one of the empty places in \
             dark; n becomes the number of empty places in dark",
            "k: c is one of the empty places, if the other player has marks on the edge or there are no empty places in home; \
             n becomes the number of your marks on the edge",
            "m: c is one of (the empty places on the edge) or dark;",
            "o: c is one of the empty places in (edge or dark);",
            "q: c is one of the empty places, if c is one of (the empty places in home if n is more than 2, else dark);",
            "meeting: those c of what home and open have in common where the row of c is more than n",
            "both of p: (p's marks and the other player's marks) on home",
            "near: the empty places one step d from your marks for every d of the directions of cell",
        ],
    );
}

/// The name of a piece may be that of a state: its noun is enough.
#[test]
fn pieces_whose_names_say_how_something_is_have_one_noun() {
    let told = page(
        "piece building piece taken
         define named = row(1)
         turn { choose {
             a c in building { clear c }
             b c in taken { clear c }
             d c in building | taken { clear c }
             e c in named { put building at c }
             f c in empty { put taken at c } } }
         end when empty is nothing",
    );
    tells(
        &told,
        &[
            "a: c is one of the buildings;",
            "b: c is one of the taken pieces;",
            "d: c is one of the buildings or the taken pieces;",
            "e: c is one of the named places;",
        ],
    );
}

/// Cards are told by where they lie, and by what they are.
#[test]
fn cards_of_a_zone_that_are_something_are_told_as_such() {
    let told = joined(&rules_of(
        "game \"Told\" {
           players 2
           enum suit { hearts, spades }
           domain card { suit: suit, rank: 1..4 }
           zone deck of card
           zone hand[player] of card
           zone pile of card
           var n: 0..90 = 0
           define of_suit(s) = { c in card where c.suit == s }
           define fitting = { c in card where c.rank > n }
           define trumps = of_suit(spades)
           define stock = { c in card where c.rank == 1 }
           setup { deal 4 from card to hand[player 1] }
           turn { choose {
               a c in hand[me] & fitting { move c to pile }
               b c in hand[me] & of_suit(hearts) { move c to pile }
               d c in hand[me] & trumps { move c to pile }
               e c in hand[me] & stock & fitting { move c to pile }
               f c in fitting where c in trumps or c in stock or c in trumps | stock { n += 1 }
               g c in hand[me] - fitting where hand[me] & fitting is nothing { n = count(hand[me] & trumps) }
           } }
           end all when n == 9: draw
         }",
    ));
    tells(
        &told,
        &[
            "a: c is one of the cards in your hand that are fitting;",
            "b: c is one of the cards in your hand that are of suit hearts;",
            "d: c is one of the cards in your hand that are trumps;",
            "e: c is one of the cards in your hand that are in stock and fitting;",
            "f: c is one of the fitting cards, if c is one of the trumps or c is one of the cards in stock or c is one of (the \
             trumps or stock);",
            "g: c is one of the cards in your hand without fitting, if there are no cards in your hand that are fitting; n \
             becomes the number of cards in your hand that are trumps",
        ],
    );
}

/// A name that is no part of a sentence holds or doesn't, and a verb or an adjective says it itself.
#[test]
fn what_a_define_says_of_its_arguments_is_a_sentence() {
    let told = page(
        "define jacks(p) = mark[p] is some
         define covers(c, d, k) = row(c) + row(d) > k
         define may_move(c) = row(c) > 1
         define alike(k) = k > 2
         turn { choose {
             a c in empty where jacks(me) and not jacks(other) { put mark[me] at c }
             b c in empty, d in empty where covers(c, d, 2) and not covers(d, c, 3) { put mark[me] at c }
             e c in empty where may_move(c) { put mark[me] at c }
             f c in empty where not may_move(c) { put mark[me] at c }
             g k in 1..3 where not alike(k) { } } }
         end when empty is nothing",
    );
    tells(
        &told,
        &[
            "if “jacks” holds for you and “jacks” doesn't hold for the other player;",
            "if c covers d and 2 and d doesn't cover c and 3;",
            "e: c is one of the empty places, if c may move;",
            "f: c is one of the empty places, if c may not move;",
            "g: k is from 1 to 3, if k is not alike",
            "c may move: true if the row of c is more than 1",
        ],
    );
}

#[test]
fn a_noun_that_ends_like_an_adjective_is_a_noun() {
    let told = page(
        "define speed = row(2)
         define fitting = row(3)
         turn { choose {
             a c in speed & empty { put mark[me] at c }
             b c in fitting & empty { put mark[me] at c }
         } }
         end when empty is nothing",
    );
    tells(&told, &["c is one of the empty places that are fitting", "c is one of the empty places in speed"]);
}
