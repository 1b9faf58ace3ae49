//! Numbers at the ends of 64 bits: they are computed as they are, or end the game with an error; never a wrong number.

use crate::agree::{Came, agree};
use crate::rules::{game, played};
use houserule::game::{ApplyError, Game, RuntimeErrorKind, Seat};

/// Plays a game with both executors, and with compiled code.
fn all_agree(game: &Game, came: Came) {
    for index in 0..20 {
        assert_eq!(agree(game, 5, index, 200), came, "game {index}");
    }
    houserule::game::agree(game, 5, 20).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_far_number_is_in_no_near_range() {
    let game = game(
        "game \"Purse\" {
            players 1
            var purse: (-9223372036854775807 - 1)..9223372036854775807 = 0
            var near: 0..2 = 0
            turn {
                choose {
                    owe { purse = -9223372036854775807 - 1 }
                    own { purse = 9223372036854775807 }
                    near { purse = 5 }
                }
                if purse in 1..9 or purse in -9..9 { near = 1 } else { near = 2 }
            }
            end when turns[me] > 0
            score { near: near }
        }",
    );
    all_agree(&game, Came::Over);
    for (action, near) in [("owe", 2), ("own", 2), ("near", 1)] {
        assert_eq!(played(&game, &[action]).score(Seat(0)).expect("a score"), near, "{action}");
    }
}

#[test]
fn a_domain_may_begin_at_the_lowest_number() {
    let game = game(
        "game \"Abyss\" {
            players 1
            domain depth = (-9223372036854775807 - 1)..-9223372036854775801
            var here: depth = -9223372036854775802
            var seen: set of depth = {}
            turn {
                choose { dive n in 1..5 { here = -9223372036854775802 - n } }
                seen += here
            }
            end when turns[me] > 3
            score { levels: count(seen) }
        }",
    );
    all_agree(&game, Came::Over);
    let state = played(&game, &["dive 1", "dive 5", "dive 1", "dive 5"]);
    assert_eq!(state.score(Seat(0)).expect("a score"), 2);
}

/// The kinds of boards whose lines are counted in ways of their own: small, large, of several words, and by lists.
const BOARDS: [(&str, &str); 4] = [
    ("grid(3, 1)", "{@a1, @c1}"),
    ("grid(40, 3)", "{cell(1, 1), cell(40, 1)}"),
    ("grid(5, 5, wrap: true)", "{cell(1, 1), cell(3, 3)}"),
    ("graph(\"a-b-c-d\")", "{@a, @c}"),
];

#[test]
fn points_of_lines_that_64_bits_do_not_hold_end_the_game() {
    for (board, set) in BOARDS {
        let rules = |points: i64| {
            game(&format!(
                "game \"Rich\" {{
                    players 1
                    board cell = {board}
                    piece mark
                    var rich: 0..1 = 0
                    turn {{
                        choose {{ go {{ put mark at {set} }} }}
                        if lines(mark, [1: {points}]) > 0 {{ rich = 1 }}
                    }}
                    end when turns[me] > 0
                    score {{ rich: rich  runs: lines(mark, [1: {points}]) }}
                }}"
            ))
        };
        let far = rules(1 << 62);
        all_agree(&far, Came::Failed);
        let mut state = far.start(1, 0).expect("it starts");
        let error = state.apply(far.parse_action("go").expect("an action")).expect_err("it doesn't fit");
        let ApplyError::Runtime(error) = error else { panic!("{board}: {error}") };
        assert_eq!(error.kind, RuntimeErrorKind::Overflow, "{board}");
        for points in [(1 << 62) - 1, -(1 << 62), (1 << 40) + 3, -7] {
            let near = rules(points);
            // The runs are as many as their points where each has one.
            let runs = played(&rules(1), &["go"]).scores(Seat(0)).expect("scores")[1];
            let mut state = near.start(1, 0).expect("it starts");
            let came = state.apply(near.parse_action("go").expect("an action"));
            match points.checked_mul(runs) {
                Some(sum) => assert_eq!(state.scores(Seat(0)).expect("scores")[1], sum, "{board}, {points}"),
                None => assert!(came.is_err(), "{board}, {points}"),
            }
        }
    }
}

#[test]
fn the_least_of_scores_may_be_the_lowest_number() {
    let game = game(
        "game \"Debt\" {
            players 2
            var purse[player]: (-9223372036854775807 - 1)..0 = 0
            turn { choose { owe { purse[me] = -9223372036854775807 - 1 } some n in 1..3 { purse[me] = -n } } }
            end when turns[player 2] > 0
            score { purse: purse[me] }
            winner least(score)
        }",
    );
    all_agree(&game, Came::Over);
    let winners = |actions: [&str; 2]| played(&game, &actions).outcome().expect("it is over").winners;
    assert_eq!(winners(["owe", "some 3"]), [true, false]);
    assert_eq!(winners(["some 2", "some 1"]), [true, false]);
    assert_eq!(winners(["owe", "owe"]), [true, true]);
}

/// Keys of a team are added up, and teams may differ in size.
#[test]
fn the_least_sum_of_a_team_wins() {
    let game = game(
        "game \"Golf\" {
            players A, B, C
            team pair = {A, B}
            var strokes[player]: 0..9 = 0
            turn { choose { take n in 0..9 { strokes[me] = n } } }
            end when turns[C] > 0
            score { strokes: strokes[me] }
            winner least(score)
        }",
    );
    all_agree(&game, Came::Over);
    let winners = |actions: [&str; 3]| played(&game, &actions).outcome().expect("it is over").winners;
    assert_eq!(winners(["take 2", "take 3", "take 4"]), [false, false, true]);
    assert_eq!(winners(["take 1", "take 2", "take 4"]), [true, true, false]);
}

#[test]
fn no_more_is_dealt_than_there_is() {
    let game = game(
        "game \"All\" {
            param cards: 1..10000000 = 2000000
            players 2
            domain card = 1..20
            zone pack of card seen by none
            zone hand[player] of card seen by owner
            setup { deal cards from pack to hand }
            turn { choose { lay c in hand[me] { move c to pack } pass } }
            end when turns[player 2] > 1
            score { cards: count(hand[me]) }
        }",
    );
    all_agree(&game, Came::Over);
}
