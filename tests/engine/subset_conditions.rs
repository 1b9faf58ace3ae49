//! Conditions on subsets, tested while a subset grows: all executors find the same subsets, in the same order, and no more are looked at
//! than a condition leaves.

#![allow(clippy::unwrap_used)]

use houserule::game::Game;

use crate::agree::{Came, agree};
use crate::extent;
use crate::rules::game;
use crate::states::legal;

/// A game of one player with nine of twenty cards in hand, a number from -2 to 6 that the turns change, and boxes of a small
/// domain. `look` is evaluated at each decision.
fn cards(options: &str, look: &str) -> Game {
    game(&format!(
        "game \"Cards\" {{
            players 1
            domain card {{ rank: 1..5, suit: 1..4 }}
            enum colour {{ red, green, blue, grey, white, black }}
            dice die: 1 of d9
            zone pack of card seen by none
            zone hand[player] of card seen by owner
            zone laid of card
            var n: -2..6 = 2
            var flag: bool
            var held: set of colour = {{red, blue, grey, black}}
            var found: -9999..9999
            table worth[colour]: 1..6 = [red: 1, green: 2, blue: 3, grey: 4, white: 5, black: 6]
            setup {{ deal 9 from pack to hand  deal 3 from pack to laid }}
            turn {{
                roll die
                n = die[1] - 3
                flag = n % 2 == 0
                found = {look}
                choose act {{ {options}  stop {{ held = colour - held }} }}
            }}
            end over when turns[me] == 4 or hand[me] is nothing
            score {{ found: found, held: count(held), laid: count(laid) }}
        }}"
    ))
}

/// Sizes of a subset that a condition names: by variables, less than none and more than there are.
const SIZES: [&str; 8] = [
    "count(k) == n",
    "count(k) == n - 3",
    "count(k) >= n - 1",
    "count(k) in 1..n",
    "n > count(k)",
    "count(k) == 12 - n * 2",
    "count(k) in {1, n}",
    "count(k) != n",
];

/// Conditions on a subset of cards. The last may fail.
const PARTS: [&str; 22] = [
    "(all a in k: all b in k: a.rank == b.rank)",
    "(all a in k: all b in k - {a}: a.suit != b.suit)",
    "(all a in k: all b in k: a == b or a.rank != b.rank)",
    "(all a in k where a.suit > 1: all b in k & laid | k where b.rank < 5: a.suit >= b.suit)",
    "(all c in k: c.rank >= n)",
    "(all c in k: flag or c.suit in 2..3)",
    "(sum c in k: c.rank) <= 2 * n",
    "(sum c in k: c.rank) == 2 * n + 1",
    "(sum c in k: c.rank - 3) < n",
    "2 * n - (sum c in k: c.rank) >= 0",
    "(any s in 1..4: all c in k: c.suit == s)",
    "not (any c in k: c.rank == n)",
    "(max c in k: c.rank) < n + 2",
    "(max c in k: n - c.rank) < 3",
    "count(union c in k: { s in 1..4 where s == c.suit }) <= 2",
    "(count c in k: c.rank > 2) == 1",
    "not ((count c in k: c.suit == 2) > 1 or (any c in k: c in laid))",
    "(if flag then count(k) <= 2 else all c in k: c.rank < 4)",
    "{ c in k where c.rank > 3 } is nothing",
    "(any c in k: c.suit == 3) and flag",
    "(min c in k: c.rank) > n - 3",
    "12 / (n + 1) > (sum c in k: c.rank)",
];

fn condition(k: usize) -> String {
    let (one, other) = (PARTS[k % PARTS.len()], PARTS[(k * 7 + k / PARTS.len() + 3) % PARTS.len()]);
    let size = SIZES[(k + k / 8) % SIZES.len()];
    match k % 4 {
        0 => format!("{size} and {one} and {other}"),
        1 => format!("{one} and {size} and {other}"),
        2 => format!("{one} and {other} and {size}"),
        _ => format!("{size} and ({one} or {other})"),
    }
}

/// How many of some games end, and how many fail.
fn played(games: impl Iterator<Item = (String, Game)>) -> (u32, u32) {
    let (mut over, mut failed) = (0, 0);
    for (text, game) in games {
        for index in 0..2 {
            match agree(&game, 3, index, u32::MAX) {
                Came::Over => over += 1,
                Came::Failed => failed += 1,
                Came::Stopped => unreachable!("there is no end of questions: {text}"),
            }
        }
    }
    (over, failed)
}

#[test]
fn conditions_on_a_growing_subset_mean_what_they_mean_of_the_whole() {
    let looked = (0..66).map(|number| {
        let condition = condition(number);
        let of = format!("k subset of hand[me] where count(k) <= 3 and {condition}");
        let look = match number % 5 {
            0 => format!("count {of}: (sum c in k: c.rank) % 2 == 0"),
            1 => format!("sum {of}: (max c in k: c.rank) - (sum c in k: c.suit)"),
            2 => format!("max {of}: count(k & laid) + 2"),
            3 => format!("(if any {of}: flag or count(k) > 1 then 1 else 0)"),
            _ => format!("count(union {of}: k) + (if all {of}: count(k) > 1 then 10 else 0)"),
        };
        (look.clone(), cards("", &look))
    });
    let (over, failed) = played(looked);
    assert!(over > 100 && failed > 4, "{over} games end, {failed} fail");
}

/// Sizes that the ranges of numbers bound, of up to five.
const BOUNDED: [&str; 4] =
    ["count(k) == n - 1", "n - 1 >= count(k)", "count(k) in 1..n - 2", "count(k) < n - 1"];

#[test]
fn options_take_the_same_subsets_whenever_their_conditions_are_tested() {
    // All cards at once or card by card, and subsets of a small domain, each of which has a number.
    let chosen = (0..66).map(|number| {
        let size = match number % 3 {
            0 => BOUNDED[number / 3 % 4],
            1 => "count(k) <= 3",
            _ => "count(k) <= 5",
        };
        let (condition, small) = (condition(number * 5 + 1), SIZES[number % 8]);
        let option = format!(
            "lay k subset of hand[me] where {size} and {condition} {{ move k to laid }}
             keep k subset of colour where {small} and (all c in k: c in held or worth[c] > n) and (sum c in k: worth[c]) < 9 {{ held = k }}"
        );
        (option.clone(), cards(&option, "0"))
    });
    let (over, failed) = played(chosen);
    assert!(over > 100 && failed > 0, "{over} games end, {failed} fail");
}

#[test]
fn a_size_that_a_number_names_is_bounded_by_its_range() {
    let lays =
        |size: &str| cards(&format!("lay k subset of hand[me] where {size} {{ move k to laid }}"), "0");
    // Three, two, one and none of 20 cards, in that order of their blocks, and `stop`.
    let three = 20 * 20 * 20 + 20 * 20 + 20 + 1 + 1;
    for size in ["count(k) <= 3", "count(k) in 0..n - 3", "count(k) == n - 3", "count(k) == 3 - count(laid)"]
    {
        assert_eq!(lays(size).actions(), three, "{size}");
    }
    // Numbers of actions are those of the constants, if these bound the size.
    for size in ["count(k) <= 3 and count(k) == n - 4", "count(k) == n - 5 and 3 >= count(k)"] {
        assert_eq!(lays(size).actions(), three, "{size}");
    }
    assert_eq!(lays("count(k) == n - 6 - flag").actions(), 2);
}

/// A game whose hand has all of 60 cards, of which there are 2,980,195,860 subsets of up to eight.
fn many(condition: &str) -> Game {
    game(&format!(
        "game \"Many\" {{
            players 1
            domain card {{ rank: 1..15, suit: 1..4 }}
            zone hand of card
            zone laid of card
            var wanted: -1..8 = 2
            var found: 0..9999
            turn {{ choose {{ look {{ found = count k subset of hand where count(k) <= 8 and {condition}: count(k) >= 0 }}
                              lay k subset of hand where count(k) in 1..8 and {condition} {{ move k to laid }} }} }}
            end over when turns[me] == 1
            score {{ found: found }}
        }}"
    ))
}

/// A decision that looks at more than a million combinations fails.
#[test]
fn only_subsets_that_a_condition_leaves_are_looked_at() {
    let all = [
        ("count(k) == wanted", 1_770),
        ("wanted == count(k) and wanted < 3", 1_770),
        ("count(k) == wanted - 4", 0),
        ("count(k) in wanted - 2..wanted - 1", 61),
        // Pairs, three and four of a kind, and one card or none.
        ("(all a in k: all b in k: a.rank == b.rank)", 1 + 15 * 15),
        ("(any r in 1..15: all c in k: c.rank == r)", 1 + 15 * 15),
        ("(all c in k: c.rank == 15 and c.suit > wanted)", 4),
        ("(all a in k: all b in k - {a}: a.rank == b.rank and a.suit == b.suit)", 61),
        // 1, 1, 1, 1; with 2, with 3, and so on.
        ("(sum c in k: c.rank) == 2", 6 + 4),
        ("(sum c in k: c.rank) < wanted", 1 + 4),
        ("not (any c in k: c.rank > 1)", 16),
        ("(max c in k: c.rank + c.suit) <= 3", 8),
    ];
    for (condition, found) in extent::some_of("subsets that are left", 2, all) {
        let game = many(condition);
        let mut state = game.start(1, 0).unwrap();
        let names = legal(&state);
        assert!(names.contains(&"look".to_owned()), "{condition}");
        let look = game.parse_action("look").unwrap();
        state.apply(look).unwrap_or_else(|error| panic!("{condition}: {error}"));
        assert_eq!(state.scores(houserule::game::Seat(0)).unwrap()[0], found, "{condition}");
    }
}
