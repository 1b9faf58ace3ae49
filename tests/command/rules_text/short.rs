//! What the rules in words tell beside the help texts that stand for statements.

use super::{joined, page, rules_of, tells};

#[test]
fn who_acts_in_a_setup_owns_what_is_put() {
    let told = page(
        "setup {
             each player from starter as me { choose place { place c in empty { put mark[me] at c } } }
             as other { choose again { again c in empty { put mark[me] at c } } }
             put mark[starter] at @a1
         }
         turn { choose { a c in empty { put mark[me] at c } } }
         end when empty is nothing",
    );
    tells(
        &told,
        &[
            "each player, from the starter on, chooses one: - place: c is one of the empty places; put your mark at c",
            "the other player chooses one: - again: c is one of the empty places; put the other player's mark at c",
            "put the starter's mark at a1",
        ],
    );
}

#[test]
fn sets_loops_and_names_of_shown_choices_are_told() {
    let told = page(
        "var left: 0..9 = 0
         var sum_of: 0..9 = 0
         procedure go(a, b) \"it goes\" { move a to b }
         define further(c) = around(c) & empty
         define open = empty - edge
         turn { step act \"Do one thing.\" {
             choose {
                 step a in mark[me], b in further(a) \"step\" {
                     let takes = row(a) > 1
                     let unseen = left
                     let here = b
                     left = unseen
                     go(a, b)
                     go(b, a)
                     if takes { while further(here) is some {
                         choose more { more c in further(here) \"on\" { left = sum_of; here = c } enough \"stop\" { skip } } } }
                     while left > 3 { left -= 1; sum_of += 1 }
                 }
                 open c in open \"open\" { put mark[me] at c }
                 bid n in 1..count(empty) \"bid\" { left = min(n, 9) }
                 otherwise { }
             }
             for p in { q in players where mark[q] is some } {
                 as p { choose answer { yes where left > 1 \"agree\" { } no \"refuse\" { } } }
             }
             for p in { q in players where mark[q] is some } {
                 if p != X { as p { choose refuse { nay \"refuse\" { } } } }
             }
             repeat { choose last { last n in 1..3 \"once more\" { left = n skip } } } until false } }
         end when empty is nothing",
    );
    for words in [
        "a is one of your marks, b is one of the places in further of a \
         - let takes be true if the row of a is more than 1, else false - let unseen be left - let here be b \
         - left becomes unseen - twice: it goes \
         - if takes is true: - as long as there is further of here, choose one: - more: on \
         - c is one of the places in further of here \
         - left becomes “sum of” - here becomes c - enough: stop - the step is over \
         - as long as left is more than 3: left goes down by 1; “sum of” goes up by 1 \
         - open - c is one of the open places - bid \
         - n is from 1 to the number of the empty places \
         - each of those players q where q's marks are not empty chooses: - yes: agree - if left is more than 1 - no: refuse \
         - for each p of (those players q where q's marks are not empty): - if p is not X: - p chooses: - nay: refuse \
         - again and again, until the step or the turn is over: - last: once more - the step is over",
        "- further of c: the empty places around c",
        "- open: the empty places without edge",
    ] {
        assert!(told.contains(words), "{words}\n{told}");
    }
    // A name that keeps its value is told alone.
    let kept = page(
        "var left: 0..9 = 0
         define further(c) = around(c) & empty
         turn { step act \"Do one thing.\" { choose {
             step a in mark[me] \"step\" {
                 let takes = row(a) > 1
                 let unseen = left
                 left = unseen
                 if takes { choose more { more c in further(a) \"on\" { put mark[me] at c } enough \"stop\" { } } } }
             otherwise { } } } }
         end when empty is nothing",
    );
    let words = "- step - a is one of your marks - let takes be true if the row of a is more than 1, else false \
                 - if takes is true: - more: on - c is one of the places in further of a - enough: stop";
    assert!(kept.contains(words), "{words}\n{kept}");
    assert!(!kept.contains("unseen"), "{kept}");
}

#[test]
fn the_cases_beside_a_shown_one_are_told() {
    let told = page(
        "enum beast { wolf, bat, mouse }
         var met: beast? = none
         var n: 0..9 = 0
         turn { step meet \"A beast comes.\" {
             if met == wolf { n += 1 } else if met == mouse { n += 3 }
             if n == 8 { n = 7 }
             if met == bat { choose fly { fly c in empty \"fly\" { put mark[me] at c } } } else { n = 5 }
         } }
         end when empty is nothing",
    );
    let words = "meet: A beast comes. - if met is wolf: n goes up by 1 - if not, and met is mouse: n goes up by 3 \
                 - if met is bat: - fly - if not: n becomes 5";
    assert!(told.contains(words), "{words}\n{told}");
    assert!(!told.contains("if n is 8"), "{told}");
}

#[test]
fn the_order_of_those_who_choose_and_who_sees_it_are_told() {
    let told = joined(&rules_of(
        "game \"T\" {
           players 3
           enum face { rose, skull }
           zone hand[player] of face = 1 seen by owner
           zone stack[player] of face seen by owner
           var bidders: set of player = {}
           turn { step s \"All lay, then some bid.\" {
             each player of playing from starter as me {
                 choose lay { lay f in hand[me] seen by none \"lay it\" { move f from hand[me] to stack[me] } otherwise { } } }
             bidders = players
             each player of bidders from after(me) until count(bidders) == 1 as me {
                 choose bid { drop \"drop out\" { bidders -= me } } }
             together as me { choose all { all \"do it\" { } } }
           } }
           end when turns[me] == 2
         }",
    ));
    for words in [
        "- each player of the players who still play, from the starter on, chooses: \
         - lay it - f is one of the faces in your hand, what is chosen is seen by nobody else",
        "- each player of bidders, from the player after you on, in turn again and again until the number of bidders is 1, \
         chooses: - drop out",
    ] {
        assert!(told.contains(words), "{words}\n{told}");
    }
}

#[test]
fn what_a_help_leaves_out_is_told_beside_it() {
    let told = joined(&rules_of(
        "game \"Told\" {
           players 2
           enum suit { hearts, spades }
           domain rank = 1..4
           domain card { suit: suit, rank: rank }
           zone deck of card
           zone hand[player] of card
           zone won of card
           define of_suit(s) = { c in card where c.suit == s and c.rank > 1 }
           define high = { c in won where c.rank >= 3 }
           define choice = if hand[me] & of_suit(hearts) is some then hand[me] & of_suit(hearts) else hand[me]
           define unspoken = count(won)
           var taken: set of card = {}
           var n: 0..90 = 0
           procedure pay() \"a coin is paid\" { n += min(unspoken, 1) }
           setup { deal 4 from card to hand[player 1] }
           turn {
             step play \"Play a card.\" {
               choose { play c in choice & high { taken = taken | c  n = n + 1 } drop c in hand[me] { move c to won } }
             }
             step count \"It is counted.\" { if n > 3 { pay() } for k in 1..2 { pay() } }
           }
           end all when deck is nothing: draw
           end some when n == 3: win me
         }",
    ));
    tells(
        &told,
        &[
            "Two players. Player 1 begins.",
            "suit: hearts and spades",
            "play: c is one of the cards in choice and one of the high cards; add c to taken; n goes up by 1",
            "count: It is counted. - if n is more than 3: a coin is paid - for each k from 1 to 2: a coin is paid",
            "of suit s: the cards whose suit is s and whose rank is more than 1",
            "high: those of the won cards whose rank is at least 3",
            "choice: the cards in your hand that are of suit hearts if there are any, else your hand",
            "If several of these come at once, the first in this list counts.",
        ],
    );
    assert_eq!(told.matches("a coin is paid").count(), 2, "{told}");
    assert!(!told.contains("unspoken"), "a term that no sentence has: {told}");
}
