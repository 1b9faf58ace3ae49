//! What stands where on a rule sheet, and the words for its settings, its players, its ends and what variants change.

use houserule::loader::{Request, load_text};
use houserule::prose::{full_rules, sections};

use super::{joined, page, part, rules_of, tells};

fn in_full(text: &str) -> String {
    joined(&full_rules(&load_text("game", text, &Request::default()).unwrap().game, 200))
}

/// Who knows the game of a variant needs what is changed, and a player what the game is about before how it is played.
#[test]
fn the_changes_of_a_variant_come_first_and_the_end_before_the_turn() {
    let variant = "variant \"V\" of \"dilido\" { param penalty_limit = 5 }";
    let game = load_text("v", variant, &Request::default()).unwrap().game;
    let titles: Vec<String> = sections(&game).into_iter().map(|section| section.title).collect();
    assert_eq!(
        titles,
        [
            "What is changed from Di-Li-Do",
            "Players",
            "Equipment",
            "The game ends",
            "A turn",
            "Scoring",
            "Terms",
            "What is kept",
            "A match",
            "What can be set"
        ]
    );
}

#[test]
fn settings_are_told_as_questions_with_their_answers() {
    let rules = "game \"Set\" {
        param size: 3..12 = 6 \"squares to a side\"
        param across: 1..9 = 4 \"the first mark goes into the middle: so many across\"
        param up: 1..9 = 5 \"and so many up\"
        param hits_back: bool = true \"may a hit be avenged?\"
        param rest: owner_only | nobody = owner_only \"who gets the rest: its owner, or nobody\"
        param wild: red | blue | green | white | black | grey | pink | gold | brown = gold \"the wild colour\"
        param goal: 2 | 4 | 8 | 16 | 32 | 64 | 128 | 256 | 512 = 64 \"the number to be made\"
        param points: table = [3: 1, 4+: 5] \"points for a run\"
        param bare: 1..3 = 2
        players 2
        enum colour { red, blue, green, white, black, grey, pink, gold, brown }
        var n: 0..9 = 0
        turn { choose { a { n = 1 } b { } } }
        end far when n == 9 or turns[me] == 9
    }";
    let told = joined(&rules_of(rules));
    tells(
        part(&rules_of(rules), "What can be set"),
        &["  - Squares to a side: 6 (size: 3 to 12)\n", "  - bare: 2 (1 to 3)\n"],
    );
    tells(
        &told,
        &[
            "- The first mark goes into the middle: so many across. Now: 4 (across: 1 to 9), and so many up: 5 (up: 1 to 9) -",
            "- May a hit be avenged? Yes. (hits_back: yes or no)",
            "- Who gets the rest: its owner, or nobody. Now: owner only (rest: owner only or nobody)",
            "- The wild colour: gold (wild: any colour)",
            "- The number to be made: 64 (goal: 2, 4 and so on to 512)",
            "- Points for a run: 1 for 3 and 5 for 4 or more (points)",
        ],
    );
    tells(
        &in_full(rules),
        &[
            "- May a hit be avenged? Yes. (hits_back=true: true or false)",
            "owner only (rest=owner_only: owner_only or nobody)",
            "(points=[3: 1, 4+: 5])",
            "- bare: 2 (bare=2: 1 to 3)",
        ],
    );
    // A variant may change only what goes on with the words of another one.
    let variant = "variant \"High\" of \"Set\" { param up = 7 fix hits_back = false }";
    let changed = rules_of(&format!("{rules}\n{variant}"));
    tells(
        &joined(part(&changed, "What is changed from Set")),
        &[
            "- The first mark goes into the middle: so many up. Now: 7 (up) -",
            "- May a hit be avenged? No. (hits_back, always)",
        ],
    );
    tells(&joined(&changed), &["- May a hit be avenged? No. (hits_back: fixed by a variant)"]);
}

/// What the game says of itself is true of its variants, too: whose sides are which, for example.
#[test]
fn a_variant_has_the_words_of_its_game_and_tells_its_changes_in_words() {
    let rules = "/// Lay marks.
game \"Base\" {
    players X, O
    board cell = grid(2, 2)
    piece mark[player]
    var laid: 0..9 = 0 \"marks laid\"
    turn { choose lay { lay c in empty \"lay a mark\" { put mark[me] at c laid += 1 } } }
    end full when empty is nothing: draw \"no cell is free\"
    end odd when laid == 9: draw
    end top when mark[me] & row(2) is some: win me \"a mark lies above\"
}
/// The top loses.
variant \"Down\" of \"Base\" {
    board cell = grid(3, 3)
    var laid: 0..8 = 0 \"marks laid\"
    without end full
    without end odd
    end top when mark[me] & row(2) is some: lose me \"a mark lies above\"
    new end late when laid == 8: draw
    extend lay { lift c in mark[me] where laid > 2 \"lift a mark\" { clear c } }
}";
    let page = rules_of(rules);
    assert!(
        page.starts_with(
            "Down\n====\n\nThe top loses.\n\nIn Base: Lay marks.\n\nWhat is changed from Base\n"
        ),
        "{page}"
    );
    let changes = joined(part(&page, "What is changed from Base"));
    tells(
        &changes,
        &[
            "- the board cell: a board of 3 columns and 3 rows -",
            "- in what is kept, laid: marks laid -",
            "- the game no longer ends when no cell is free - the end “odd” doesn't hold",
            "- an end is changed: after a turn, when a mark lies above; the player whose turn it was loses -",
            "- the game also ends after a turn, when laid is 8; it is a draw -",
            "- in lay, the option lift: lift a mark",
        ],
    );
    assert!(
        !changes.contains('`') && !changes.contains("clear") && !changes.contains("take away"),
        "{changes}"
    );
}

#[test]
fn an_end_has_its_name_only_where_the_sheet_speaks_of_it() {
    let rules = "game \"Ends\" {
        players X, O
        board cell = grid(3, 3)
        piece mark[player]
        turn { choose {
            lay c in empty \"lay a mark\" { put mark[me] at c if row(c) == 3 { end game as above: draw } }
            otherwise { end game as stuck: lose me } } }
        end full when empty is nothing: draw
        end column when mark[me] & column(1) is some: win me \"a mark lies at the left\"
    }";
    let short = joined(&rules_of(rules));
    tells(
        &short,
        &[
            "- After a turn, when there is no empty cell left; it is a draw. \
             - After a turn, when a mark lies at the left; the player whose turn it was wins.",
            "- above: when a player chooses lay (lay a mark), if the row of c is 3; it is a draw.",
            "- stuck: when no option is possible; the player who can't move loses.",
        ],
    );
    assert!(!short.contains("mover"), "{short}");
    tells(
        &in_full(rules),
        &[
            "- full: after a turn, when there is",
            "- column: after a turn, when a mark",
            "- above: when a player",
        ],
    );
}

/// At the end of a round, and where its condition speaks of the mover, an end does so, too.
#[test]
fn the_mover_has_one_name_within_an_end() {
    let told = page(
        "turn { choose { place c in empty { put mark[me] at c } } }
         end poor when mark[me] is nothing: lose me
         end full when empty is nothing: win me",
    );
    tells(
        &told,
        &[
            "; the mover loses. - After a turn, when there is no empty cell left; the player whose turn it was wins.",
        ],
    );
    let round = rules_of(
        "game \"Round\" { players 3 var n: 0..99 = 0
           round { each player from starter as me { choose { gain { n += 1 } rest { } } } }
           end late of round when n > 90: win me }",
    );
    tells(
        &joined(&round),
        &["- At the end of a round, when n is more than 90; the mover wins.", "it is the starter."],
    );
}

#[test]
fn who_begins_and_who_wins_is_told_wherever_several_may_play() {
    let told = |players: &str, rest: &str| {
        joined(&rules_of(&format!(
            "game \"Some\" {{ players {players} var n[player]: 0..99 = 0
               turn {{ choose {{ take {{ n[me] += 1 }} rest {{ }} }} }}
               end late when turns[me] == 5
               end far when n[me] == 9: lose me
               {rest} }}"
        )))
    };
    let best = "score { taken: n[me], bonus: 5 when n[me] > 3 \"a bonus\" } winner most(score)";
    tells(
        &told("1..4", best),
        &[
            "1 to 4 players (this sheet is for 1). If there are several, player 1 begins.",
            "- The highest score is best. With several players, who has the highest score wins; whoever is still equal \
             shares the win.",
            "- The score is the sum of these, as far as they hold: - taken:",
        ],
    );
    // Where one end names who wins, nobody shares that.
    tells(
        &told("2..4", best),
        &[
            "2 to 4 players (this sheet is for 2). Player 1 begins.",
            "; the mover loses, and all others win.",
            "- If the end leaves the result open, who has the highest score wins; whoever is still equal shares the win.",
        ],
    );
    let two = told("2", "score { taken: n[me], long: turns[me] } payoff zero sum score");
    tells(
        &two,
        &[
            "- The score is the sum of these: - taken:",
            "; the mover loses. -",
            "- What a player wins or loses in the end: the score; what one wins, others lose.",
        ],
    );
    assert!(!told("1", "score { taken: n[me] }").contains("sum of these"), "one item is the score");
}

#[test]
fn who_the_starter_is_is_told_where_the_sheet_speaks_of_the_starter() {
    let told = |setup: &str| {
        joined(&rules_of(&format!(
            "game \"First\" {{ players 3 var n[player]: 0..9 = 0 {setup}
               turn {{ choose {{ gain {{ n[me] += 1 }} }} }}
               end far when n[me] == 9 }}"
        )))
    };
    tells(
        &told("setup { n[starter] = 1 }"),
        &[
            "Three players. Player 1 begins. The starter is who begins the game.",
            "- the starter's n becomes 1",
        ],
    );
    assert!(!told("").contains("starter"), "{}", told(""));
    // The sheet says it once.
    let named = told("setup { starter = after(starter) }");
    tells(&named, &["Player 1 is to begin (the starter),"]);
    assert!(!named.contains("is who begins"), "{named}");
}

/// The help text of another formula would be false: an item of the score that changes is told by its own.
#[test]
fn a_changed_item_of_the_score_and_a_zone_that_opens_are_told() {
    let rules = "game \"Base\" { players 3
        domain card = 1..9
        zone stock of card seen by none \"the stock\"
        zone hand[player] of card seen by owner \"the hands\"
        var coins[player]: 0..9
        var kept[player]: 0..9
        setup { deal 2 from stock to hand }
        turn { choose { a { coins[me] += 1 kept[me] = 1 } b c in hand[me] { move c to stock } } }
        end far when turns[me] > 3
        score { points: coins[me] \"points for coins\", held: kept[me] when kept[me] > 3 \"what is kept\" }
        ties most(coins[me]) }
    variant \"V\" of \"Base\" {
        zone hand[player] of card seen by all
        ties least(coins[me])
        new team pair = {player 1, player 2}
        score { points: 3 * coins[me], held: 2 * kept[me] \"what is kept\" }
    }";
    let page = rules_of(rules);
    tells(&joined(part(&page, "Scoring")), &["- points: 3 times your coins - held: what is kept"]);
    let changes = joined(part(&page, "What is changed from Base"));
    tells(
        &changes,
        &[
            "- the zone hand: the hands (seen by all) -",
            "among equals the fewest coins.",
            "- a new team pair: player 1 and player 2, who win and lose together. -",
            "- in the score, points: 3 times your coins -",
            "- in the score, held: what is kept (2 times your kept)",
        ],
    );
    assert!(!changes.contains('`') && !page.contains("points for coins"), "{page}");
}

/// What a later variant takes back is no change of the game.
#[test]
fn a_stack_tells_only_what_differs_in_its_game() {
    let rules = "game \"Base\" { players 3
        var n[player]: 0..9
        param goal: 1..9 = 9 \"the goal\"
        turn {
            step roll \"Roll.\" { n[me] += 0 }
            step go \"Go on.\" { choose { a { n[me] += 1 } b \"stand still\" { } } }
            step last \"Rest.\" { n[me] += 0 }
        }
        end far when n[me] == goal: win me
        end late when turns[me] > 5
        score { n: n[me] \"your points\" } }
    variant \"One\" of \"Base\" {
        param goal = 5
        before go step look \"Look.\" { n[me] += 0 }
        step roll \"Roll well.\"
        without step last
        extend go { c \"take two\" { n[me] += 2 } without b }
        new end poor when n[me] == 8: lose me
        end far when n[me] == 8: lose me
        new define twice = 2 * n[me]
        score { n: twice }
    }";
    let one = joined(part(&rules_of(rules), "What is changed from Base"));
    tells(&one, &["- a new step look before go: Look. -", "- no step last -", "- in go, no b -"]);
    let two = format!(
        "{rules} variant \"Two\" of \"One\" {{
            param goal = 9
            turn {{ step only {{ choose go {{ a {{ n[me] += 1 }} }} }} }}
            without end poor
            end far when n[me] == 7: lose me
            score {{ n: 4 * n[me] }}
        }}"
    );
    assert_eq!(
        joined(part(&rules_of(&two), "What is changed from Base")),
        "What is changed from Base - One - Two - the whole turn, as it stands above - an end is changed: after a turn, when \
         the mover's n is 7; the mover loses, and all others win - in the score, n: 4 times your n"
    );
    // A variant beside another one undoes nothing.
    let beside =
        format!("{rules} variant \"Three\" of \"One\" {{ extend go {{ after a {{ n[me] += 1 }} }} }}");
    let beside = joined(part(&rules_of(&beside), "What is changed from Base"));
    tells(
        &beside,
        &[
            "- a new step look before go: Look. - the step roll: Roll well. - no step last - in go, the option c: take two",
            "- the game also ends after a turn, when the mover's n is 8;",
            "- Three - in go, after a: your n goes up by 1",
        ],
    );
}

/// An answer stands behind its question, not behind what explains the question.
#[test]
fn a_question_with_an_explanation_has_its_answer_apart() {
    let told = joined(&rules_of(
        "game \"Set\" {
            param doubles: bool = false \"do doubles count? If not, they cost a point.\"
            param near: 8 | 4 = 4 \"which neighbours count? 8 or 4\"
            param jokers: 0..3 = 0 \"how many jokers?\"
            players 2
            var n: 0..9 = 0
            turn { choose { a { n = 1 } b { } } if doubles and near == 8 and jokers > 1 { done } n = 2 }
            end far when turns[me] == 9
        }",
    ));
    tells(
        &told,
        &[
            "- Do doubles count? If not, they cost a point. Now: no (doubles: yes or no)",
            "- Which neighbours count? 8 or 4. Now: 4 (near: 8 or 4)",
            "- How many jokers? 0. (jokers: 0 to 3)",
        ],
    );
}
