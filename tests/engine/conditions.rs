//! Conditions of options with several binders. Whatever the order of the tests, both executors find the same
//! legal actions and raise the same errors.

use crate::agree::{Came, agree};
use crate::extent;
use houserule::loader::{Request, load_text};

/// Returns a game with men that move from site to site, and expressions that may be `none`, 0 or large.
fn men(option: &str) -> String {
    format!(
        "game \"Men\" {{
            players white, black
            board cell = grid(4, 3)
            piece man[player]
            enum way {{ up, down, left }}
            var n: 0..5 = 3
            var large: 0..4000000000000000000 = 0
            var seen[1..3]: 0..9 = 0
            var open: set of way = {{up, left}}
            table worth[way]: 0..9 = [up: 1, down: 2, left: 3]
            setup {{ put man[white] at @b1; put man[white] at @c1; put man[black] at @b3; put man[black] at @c3 }}
            turn {{
                large = 1500000000000000000 * (n % 3)
                choose {{
                    {option} {{
                        n = (n + 2 + column(b)) % 6
                        if n % 2 == 1 and n < 4 {{ seen[n] = column(a) % 3 }}
                        if b in empty {{ move a to b }} else {{ clear b }}
                    }}
                    put c in empty where n < 5 and row(c) != 2 {{ put man[me] at c; n = (n + 1) % 6 }}
                    otherwise {{ n = (n + 1) % 6 }}
                }}
            }}
            end long when turns[me] == 4
            score {{ men: count(man[me]), n: n }}
        }}"
    )
}

/// Conditions that can't fail, on every kind of expression.
const TOTAL: [&str; 12] = [
    "n > 1",
    "a in around(man[other])",
    "b in beside(a)",
    "row(b) < 3",
    "count(beside(a) & empty) + n > 2",
    "longest(man[me] | {b}) >= 2",
    "(any x in man[other]: x in around(b))",
    "(all x in man[me]: row(x) <= row(b) or x == a)",
    "toward(a, north) in empty | man[other]",
    "(count x in empty: row(x) == row(a)) * 2 >= column(b)",
    "(sum x in man[me]: column(x)) % 3 != n - 2",
    "not (b in column(n) and a != b)",
];

/// Conditions that fail with an error in some states or for some elements.
const FAILING: [&str; 4] =
    ["6 / (n - 1) > 1", "seen[(n + 2) % 4] < 3", "large * n >= 0", "seen[column(b) + row(b) - 2] == 0"];

/// Sets of the second binder. One of the last two may fail.
const SETS: [&str; 5] = [
    "empty",
    "man[other] | {@a1}",
    "{ x in around(a) where x in empty }",
    "row(6 / n) & empty",
    "row(6 / n + 1)",
];

/// Returns how many games ended, and how many failed.
fn played(options: impl Iterator<Item = String>) -> (u32, u32) {
    let (mut over, mut failed) = (0, 0);
    for option in options {
        let text = men(&option);
        let loaded =
            load_text("men.rules", &text, &Request::default()).unwrap_or_else(|e| panic!("{option}: {e}"));
        for index in 0..4 {
            match agree(&loaded.game, 5, index, u32::MAX) {
                Came::Over => over += 1,
                Came::Failed => failed += 1,
                Came::Stopped => unreachable!("there is no end of questions"),
            }
        }
    }
    (over, failed)
}

#[test]
fn conditions_that_cannot_fail_are_asked_in_any_order() {
    let two = |k: usize| {
        let set = SETS[k % 3];
        let (one, other) = (TOTAL[k % 12], TOTAL[(k / 12 + k % 12 + 1) % 12]);
        format!("go a in man[me], b in {set} where {one} and {other}")
    };
    let options = (0..132usize).step_by(extent::tries(7, 1));
    let games = 4 * options.len() as u32;
    assert_eq!(played(options.map(two)), (games, 0));
}

#[test]
fn an_error_comes_where_the_rules_say_so_and_nowhere_else() {
    let mixed = |k: usize| {
        let (total, failing) = (TOTAL[k % 12], FAILING[k / 12 % 4]);
        let set = SETS[(k / 5 + k) % 5];
        match k % 3 {
            0 => format!("go a in man[me], b in {set} where {total} and {failing}"),
            1 => format!("go a in man[me], b in {set} where {failing} and {total}"),
            _ => {
                let last = TOTAL[(k + 5) % 12];
                format!("go a in man[me], b in {set} where {total} and {failing} and {last}")
            }
        }
    };
    let (over, failed) = played((0..240).step_by(extent::tries(7, 1)).map(mixed));
    let least = extent::tries(28, 200);
    assert!(over > least && failed > least, "{over} games end, {failed} fail");
}

#[test]
fn conditions_of_three_binders_and_of_subsets_are_asked_in_any_order() {
    let ways = ["open", "way", "{up, down}"];
    let asked = ["w in open", "worth[w] < n", "(w != down or a in row(1))", "worth[w] + column(b) > 3"];
    let three = |k: usize| {
        let (set, total, other) = (SETS[k % 5], TOTAL[k % 12], TOTAL[(k + 7) % 12]);
        let (of, about) = (ways[k % 3], asked[k % 4]);
        format!("go a in man[me], w in {of}, b in {set} where {total} and {about} and {other}")
    };
    let (over, failed) = played((0..60).map(three));
    assert!(over > 100 && failed > 10, "{over} games end, {failed} fail");
    let about =
        ["k - open is nothing", "count(k) < n", "(up in k or b in row(1))", "count(k) == worth[down]"];
    let subset = |k: usize| {
        let (set, total) = (SETS[k % 5], TOTAL[k % 12]);
        let (of, about) = (ways[k % 3], about[k % 4]);
        format!("go a in man[me], b in {set}, k subset of {of} where {about} and {total}")
    };
    let (over, failed) = played((0..60).map(subset));
    assert!(over > 100 && failed > 10, "{over} games end, {failed} fail");
}

/// Conditions on families of numbers, truth values and elements, by the last index. Other indices are
/// constant or not, and the condition covers some of the elements or all.
const FAMILIES: [&str; 14] = [
    "x in 1..6 where many[me, x] > 1",
    "x in 1..6 where many[X, x] <= 2 and many[other, x] != 0",
    "x in 2..5 where many[me, x] >= 2",
    "x in 3..6 where 2 < many[me, x]",
    "x in 1..6 where lone[x] == 1 or not (lone[x] < 2)",
    "x in 2..4 where not used[me, x]",
    "x in 1..6 where used[other, x] and many[me, x] < 3",
    "x in 1..6 where mood[me, x] == glad",
    "x in 1..6 where mood[mover, x] != glad and whose[x] == X",
    "x in 1..6 where whose[x] == none",
    "x in 1..6 where deep[x, me] < 2",
    "x in 2..5 where deep[x, O] != 0 and not used[me, x]",
    "p in players, x in 1..6 where many[p, x] == 2",
    "p in players, x in 2..6 where used[p, x] and lone[x] > 0 and p != me",
];

#[test]
fn tests_of_families_of_numbers_are_asked_of_all_at_once() {
    for option in FAMILIES {
        let rules = format!(
            "game \"Families\" {{
                players X, O
                enum mood_of {{ glad, sad }}
                dice three: 3 of d6
                var many[player, 1..6]: 0..4 = [X: [1: 2, 4: 3], O: [2: 2, 6: 1]]
                var lone[1..6]: 0..3 = [2: 1, 5: 2]
                var deep[1..6, player]: 0..3 = [1: [X: 2], 3: [O: 1], 4: [X: 3, O: 2]]
                var used[player, 1..6]: bool
                var mood[player, 1..6]: mood_of = glad
                var whose[1..6]: player? = none
                turn {{
                    roll three
                    choose {{
                        take {option} {{
                            many[me, x] = (many[me, x] + 1) % 5
                            lone[x] = (lone[x] + faces(three, x)) % 4
                            used[me, x] = not used[other, x]
                            mood[other, x] = if mood[me, x] == glad then sad else glad
                            whose[x] = me
                            deep[x, other] = (deep[x, me] + 1) % 4
                        }}
                        otherwise {{ for x in 1..6 {{ many[me, x] = faces(three, x)   lone[x] = faces(three, x) }} }}
                    }}
                }}
                end long when turns[me] == 12
                score {{ many: sum x in 1..6: many[me, x] * x, used: count x in 1..6: used[me, x] }}
            }}"
        );
        let request = Request::default();
        let game =
            load_text("families.rules", &rules, &request).unwrap_or_else(|e| panic!("{option}: {e}")).game;
        for index in 0..extent::tries(15, 40) {
            assert_eq!(agree(&game, 4, index, u32::MAX), Came::Over, "{option}, game {index}");
        }
    }
}
