//! The rules in words tell what a reader could take for something else, and nothing by half.

use super::{joined, page, part, rules_of, tells};

/// The player who is mated can't move, and the mover could be the one who has mated.
#[test]
fn who_loses_at_an_end_that_comes_of_an_otherwise_is_told() {
    let told = |option: &str, otherwise: &str| {
        page(&format!(
            "var stuck: bool = false
             turn {{ choose {{ place c in empty {{ put mark[me] at c {option} }} otherwise {{ {otherwise} }} }} }}
             end mate when stuck and row(2) & mark[me] is nothing: lose me
             end still when stuck: draw"
        ))
    };
    let who_moves = "The mover is the player whose turn it is or has just ended.";
    let mated = told("", "stuck = true");
    tells(&mated, &["has no marks in row 2; the player who can't move loses."]);
    tells(&mated, &[who_moves]);
    // Another player may be stuck when it is set elsewhere, too.
    for other in [told("stuck = true", ""), told("as other { stuck = true }", "stuck = true")] {
        tells(&other, &["has no marks in row 2; the mover loses.", who_moves]);
    }
    let nobody = page("turn { choose { place c in empty { put mark[me] at c } } } end when empty is nothing");
    assert!(!nobody.contains("mover"), "{nobody}");
}

#[test]
fn what_happens_to_those_who_do_not_lose_is_told() {
    let ends = |rest: &str| {
        let rules = format!(
            "game \"Left\" {{ players A, B, C var n: 0..99 = 0 {rest}
               turn {{ choose {{ gain {{ n += 1 }} leave {{ playing -= me }} }} }} }}"
        );
        joined(part(&rules_of(&rules), "The game ends"))
    };
    let last = "end last when count(playing) == 1:";
    tells(
        &ends(&format!("{last} lose lowest(playing)")),
        &["is 1; the only player who still plays loses, and all others win."],
    );
    tells(&ends(&format!("{last} win playing")), &["is 1; the only player who still plays wins."]);
    tells(
        &ends("end late when n > 90: lose me"),
        &["; the player whose turn it was loses, and all others win."],
    );
    tells(&ends("end late when n > 90: win me"), &["; the player whose turn it was wins."]);
    tells(&ends("team crew = players end late when n > 90: lose me"), &["more than 90; all players lose."]);
    tells(&ends("team crew = players end late when n > 90: win me"), &["more than 90; all players win."]);
    let sides = ends("team pair = {A, B} end late when n > 90: lose me");
    tells(&sides, &["more than 90; the player whose turn it was loses."]);
}

#[test]
fn who_is_the_starter_when_a_round_has_named_the_next_one_is_told() {
    let told = |next: &str| {
        joined(&rules_of(&format!(
            "game \"Heir\" {{ players 3 var n: 0..99 = 0
               round {{
                 each player from starter as me {{ choose {{ gain {{ n += 1 }} leave {{ playing -= me }} }} }}
                 step next_one {{ {next} }}
               }}
               end last of round when n == 7: win starter
               end late of round when n > 90: win me }}"
        )))
    };
    tells(
        &told("starter = after(starter)"),
        &[
            "- At the end of a round, when n is 7; the player who would begin the next round wins.",
            "The mover is the player whose turn it is or has just ended; at the end of a round it is the starter.",
        ],
    );
    tells(&told("n += 1"), &["when n is 7; the starter wins."]);
}

#[test]
fn loops_around_choices_are_told_below_a_help() {
    let told = page(
        "turn { step lay \"Lay marks.\" {
             for n in 1..3 { choose more { more c in empty \"lay one\" { put mark[me] at c } enough \"stop\" { skip } } }
             for n in 1..2 { choose last { last c in empty \"and one\" { put mark[me] at c } otherwise { } } } } }
         end when empty is nothing",
    );
    tells(
        &told,
        &[
            "lay: Lay marks. - up to three times: - more: lay one - enough: stop - the step is over - twice: - last: and one",
        ],
    );
}

#[test]
fn all_is_told_below_a_help_if_a_choice_needs_a_name_that_changes() {
    let told = page(
        "var led: 0..9 = 0
         turn { step play \"All play, trick after trick.\" {
             let leader = other
             while empty is some {
                 led = 0
                 each player of players from leader as me {
                     choose lay { lay c in empty \"lay a mark\" {
                         put mark[me] at c
                         if row(c) > led { led = row(c) leader = me } } otherwise { } } } } } }
         end when empty is nothing",
    );
    tells(
        &told,
        &[
            "play: All play, trick after trick. - let leader be the other player - as long as there is an empty cell: \
             - led becomes 0 - each player, from leader on, chooses one: - lay: lay a mark - c is one of the empty places \
             - put your mark at c - if the row of c is more than led: led becomes the row of c; leader becomes you",
        ],
    );
}

#[test]
fn what_happens_if_the_turn_does_not_begin_again_is_told_as_such() {
    let told = page(
        "var n: 0..9 = 0
         turn { choose { place c in empty { put mark[me] at c } otherwise { if n < 3 { n += 2 again } n = 9 } } }
         end when n == 9",
    );
    let words = "- if n is less than 3: n goes up by 2; begin the same turn again - if not: n becomes 9";
    tells(&told, &[words]);
}

#[test]
fn what_a_procedure_is_given_follows_its_help() {
    let told = page(
        "procedure take(d, p) \"the mark there goes\" { clear d & mark[p] }
         turn { choose {
             jump c in empty \"jump\" { put mark[me] at c take(shift(c, north), other) take(c, me) }
             cross c in empty, d in empty { put mark[me] at c take(column(column(c)) & row(row(d)), me) }
         } }
         end when empty is nothing",
    );
    tells(
        &told,
        &[
            "- jump - c is one of the empty places \
             - the mark there goes (d is the place one step north from c; p is the other player) \
             - the mark there goes (d is c; p is you)",
            "the mark there goes (the place in the column of c and the row of d; p is you)",
            "- north: up, toward the rows with higher numbers",
        ],
    );
}

#[test]
fn neighbours_are_terms_where_a_sentence_has_them() {
    let told = |board: &str, places: &str| {
        joined(&rules_of(&format!(
            "game \"Near\" {{ players 2 board cell = {board} piece mark[player]
               turn {{ choose {{ place c in empty where {places} {{ put mark[me] at c }} otherwise {{ }} }} }}
               end when empty is nothing }}"
        )))
    };
    let (beside, around) = ("beside(c) & mark is some", "around(c) & mark is some");
    tells(&told("grid(3, 3)", beside), &["Terms - beside: sharing a side"]);
    tells(&told("grid(3, 3)", around), &["Terms - around: sharing a side or a corner"]);
    tells(&told("hex(3, 3)", around), &["Terms - around: sharing a side"]);
    assert!(!told("hex(3, 3)", around).contains("corner"));
    assert!(!told("grid(3, 3)", "row(c) > 1").contains("Terms"));
}

#[test]
fn possible_values_of_fields_are_told() {
    let told = joined(&rules_of(
        "game \"Fields\" { players 2
           enum colour { red, blue }
           domain rank = 2..14
           domain card { colour: colour, number: 1..7, rank: rank }
           domain task { wants: colour, worth: 1..2 }
           zone stock of card
           zone deck of task
           zone hand[player] of card
           setup { deal 1 from stock to hand }
           turn { choose { play c in hand[me] { move c to stock } pass } }
           end out when hand is nothing }",
    ));
    tells(
        &told,
        &[
            "card: 182, each with its own colour, number (1 to 7) and rank (2 to 14)",
            "task: 4, each with its own wants (a colour) and worth (1 and 2)",
            "- After a turn, when all players' hands are empty.",
        ],
    );
}

#[test]
fn zones_of_a_family_without_an_index_are_all_of_them() {
    let told = joined(&rules_of(
        "game \"Lines\" { players 2
           domain card = 1..9
           board flag = track(3)
           piece taken[player]
           zone deck of card
           zone hand[player] of card
           zone side[player, flag] of card
           define unseen = card - side
           setup { deal 3 from deck to hand }
           turn { choose {
             lay c in hand[me], f in empty { move c to side[me, f] }
             claim f in empty where hand is some and count(unseen) > 3 { put taken[me] at f }
             otherwise { } } }
           end out when empty is nothing or hand | side is some }",
    ));
    tells(
        &told,
        &[
            "f is one of the places that hold no taken piece",
            "if not all players' hands are empty and",
            "unseen: the cards without all players' sides of all flags",
            "there is no flag left that holds no taken piece or all players' hands and all players' sides of all flags \
             are not all empty",
        ],
    );
}

#[test]
fn a_repeated_position_is_told_without_an_order() {
    let told = page(
        "var n: 0..9 = 0
         turn { choose { place c in empty { put mark[me] at c } lift c in mark[me] { clear c n = 1 } } }
         end again when repeated(2, of: [mark, n, mover]): draw
         end once when repeated(1, of: [mark, n]): draw",
    );
    tells(
        &told,
        &[
            "when the same position of marks and n, with the same player to move, has come up twice before;",
            "when the same position of marks and n has come up before;",
        ],
    );
}

#[test]
fn points_that_no_help_names_are_told() {
    let told = joined(&rules_of(
        "game \"Points\" { players 2
           param bonus: 0..5 = 0
           param extra: 0..5 = 3
           var n: 0..9 = 0
           turn { choose { take { n += 1 } } }
           end far when n == 9
           score {
             start: 1 when n > 1 \"for a start\",
             more: 2 when n > 2 \"2 for more\",
             zero: bonus when n > 3 \"for nothing\",
             extra: extra when n > 4 \"for much\" } }",
    ));
    tells(
        &told,
        &[
            "- start: for a start: 1 point (when n is more than 1)",
            "- more: 2 for more (when n is more than 2)",
            "- extra: for much: 3 (when n is more than 4)",
        ],
    );
    assert!(!told.contains("for nothing"), "{told}");
}

#[test]
fn who_begins_is_told_where_a_help_of_the_setup_hides_it() {
    let told = |setup: &str| {
        joined(&rules_of(&format!(
            "game \"Setup\" {{ players 3
               var k[player]: 0..9 = 0
               setup {setup}
               turn {{ choose {{ gain {{ k[me] += 1 }} }} }}
               end far when k[me] == 9
               score {{ k: k[me] }}
               match {{ games: 3, total: sum, starter: next }} }}"
        )))
    };
    let hidden = told("\"All sit down.\" { starter = after(starter) }");
    tells(
        &hidden,
        &[
            "Three players. Player 1 is to begin (the starter), unless another player is named before the first turn.",
            "- All sit down. - the starter becomes the player after the starter",
            "After a game, the next player is to begin the next one, unless another player is named before its first turn.",
        ],
    );
    let best = told("\"Who has most begins.\" { starter = best p in players by k[p] }");
    tells(&best, &["- Who has most begins. - Of equal players, the first in the order of seats counts."]);
    assert!(!best.contains("After a game"), "{best}");
    let equal = told("\"Who has most begins, of equals the first.\" { starter = best p in players by k[p] }");
    assert!(!equal.contains("Of equal players"), "{equal}");
}

#[test]
fn which_of_several_ends_counts_is_told_for_statements_too() {
    let told = |option: &str| {
        page(&format!(
            "turn {{ choose {{ place c in empty {{ put mark[me] at c {option} }} }} }}
             end full at once when empty is nothing: draw"
        ))
    };
    let first = "If several of these come at once, those in a step or a choice count first.";
    tells(
        &told("if row(c) == 3 { end game as last: win me }"),
        &[
            "- last: when a player chooses place, if the row of c is 3; the player whose turn it is wins.",
            first,
        ],
    );
    assert!(!told("").contains(first));
}

#[test]
fn copies_that_lie_in_a_zone_at_first_have_plurals() {
    let told = page(
        "enum kind { pawn, knight, queen, king }
         zone bag of kind = [pawn: 8, knight: 2, queen: 1, king: 0]
         turn { choose { place c in empty, k in bag { put mark[me] at c } otherwise { } } }
         end when empty is nothing",
    );
    tells(&told, &["at first 8 pawns, 2 knights and 1 queen"]);
}

/// Within `as p { … }`, `me` is p, and `other` is the opponent of p.
#[test]
fn what_another_player_who_acts_has_is_not_told_as_yours() {
    let told = page(
        "var coins[player]: 0..9 = 0
         var heir: player = X
         procedure add(n) { coins[me] += n }
         procedure lend(q) { each player as me { coins[q] += 1 } }
         turn {
             choose {
                 give { as other { coins[me] += 1 } }
                 take { as other { coins[other] += 1 } }
                 nest { as other { coins[mover] += 1 as other { coins[me] += 1 } } }
                 ask { as other { choose answer { yes { coins[me] += 1 } no { coins[mover] += 1 } } } }
                 share { for q in players { as q { coins[me] += 1 } } }
                 leave { as heir { coins[me] += 1 heir = other } }
                 follow { as after(me) { coins[me] += 1 as after(me) { coins[me] += 1 } } }
                 pay { as other { for q in players - me { coins[q] = 0 } } }
                 spend { add(1) as other { add(1) } }
                 borrow { lend(me) }
                 bid \"All bid.\" { as other { together as me { choose offer { bid n in 1..3 { coins[me] = n } } } } }
                 change \"All may change it.\" { as other { each player as me { if coins[me] == 1 { next me } } } }
             }
         }
         end when coins[me] > 5",
    );
    tells(
        &told,
        &[
            "- give - the other player acts: the other player's coins go up by 1 - take",
            "- take - the other player acts: your coins go up by 1 - nest",
            "- the other player acts: - the mover's coins go up by 1 - you act: your coins go up by 1",
            "- the other player chooses one: - yes: the other player's coins go up by 1 - no: the mover's coins go up by 1",
            "- for each player q: - q acts: q's coins go up by 1",
            "- heir acts: that player's coins go up by 1; heir becomes that player's opponent",
            "- the player after you acts: - that player's coins go up by 1 \
             - the player after that player acts: that second player's coins go up by 1",
            "- for each q of the players without the other player: q's coins become 0",
            "- add (1): your coins go up by 1 - the other player acts: - add (1): the other player's coins go up by 1",
            "- lend (q: you): - each player: q's coins go up by 1",
            "- bid: All bid. - the other player chooses: \
             - both players at once, without seeing what the other does: - bid: n is from 1 to 3; your coins become n",
            "- the other player acts, each player, if your coins are 1: you are next",
        ],
    );
}

#[test]
fn a_procedure_that_all_call_is_not_told_as_that_of_the_starter() {
    let told = page(
        "var coins[player]: 0..9 = 0
         procedure add(n) { coins[me] += n }
         setup { add(1) each player as me { add(2) add(3) } add(4) }
         turn { choose { gain { coins[me] += 1 } } }
         end when coins[me] > 5",
    );
    tells(
        &told,
        &["- add (1): the starter's coins go up by 1 - each player: - add (2): your coins go up by 2 \
             - add (3), as above - add (4), as above"],
    );
}

#[test]
fn statements_that_are_never_run_are_not_told() {
    let calls: Vec<String> = (1..10).map(|k| format!("procedure p{k}() {{ p{}() }}", k - 1)).collect();
    let rest =
        "var n: 0..9 = 0
         procedure leave() { done }
         procedure p0() { done }
         turn {
             choose {
                 ace { done n = 2 }
                 two { if n == 1 { done } n += 1 }
                 three { if n == 1 { done } else { again n = 2 } n = 2 }
                 four { leave() n = 2 }
                 five { as other { done n = 2 } n = 2 }
                 six { step part { skip n = 2 } n += 1 }
                 seven { end game as over  n = 2 }
                 eight { for q in players { done n = 2 } n += 1 }
                 nine { choose way { left { done } otherwise { done } } n = 2 }
                 ten { step rest { while true { choose last { more { n += 1 } enough { skip } } } n = 2 } n += 1 }
                 eleven { step close { done skip } n = 2 }
                 twelve { p9() n = 2 }
             }
         }
         end when empty is nothing";
    let told = page(&format!("{} {rest}", calls.join(" ")));
    assert!(!told.contains("n becomes 2"), "{told}");
    tells(
        &told,
        &[
            "- ace: the turn is over - two",
            "- two - if n is 1: the turn is over - n goes up by 1 - three",
            "- three: if n is 1, the turn is over; if not, begin the same turn again - four",
            "the turn is over - five",
            "- five - the other player acts: the turn is over - six",
            "- six - part - the step is over - n goes up by 1 - seven",
            "- seven: the game ends: over - eight",
            "- eight - for each player q: the turn is over - n goes up by 1 - nine",
            "- enough: the step is over - n goes up by 1 - eleven",
            "- eleven - close - the turn is over - twelve",
        ],
    );
}
