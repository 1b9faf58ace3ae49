//! Range analysis: bounds known at compile time make range tests unnecessary. A variable with exactly the
//! range of an expression never fails. A variable with a range smaller by one fails, at the same place as in
//! the reference interpreter.

use crate::agree::{Came, agree};
use crate::extent;
use houserule::loader::{Request, load_text};

/// Returns rules in which a turn rolls a die, puts or takes stones, and stores the value of `expression`.
fn text(expression: &str, (low, high): (i64, i64)) -> String {
    format!(
        "game \"Bounds\" {{
            players 1
            dice die: 1 of d6
            board cell = grid(3, 2)
            piece stone
            var n: -2..3 = -2
            var kept: {low}..{high} = {low}
            table worth[1..6]: -4..9 = [1: 9, 2: -4, 3: 0, 4: 1, 5: 1, 6: 2]
            turn {{
                roll die
                n = die - 3
                choose {{
                    put c in empty {{ put stone at c }}
                    take c in stone {{ clear c }}
                    keep c in cells(cell) {{ if c in stone {{ kept = {expression} }} }}
                }}
            }}
            end when turns[me] == 40
            score {{ kept: kept }}
        }}"
    )
}

/// Expressions with the tightest bounds, lower and upper, that the compiler knows.
const EXPRESSIONS: [(&str, i64, i64); 19] = [
    ("n", -2, 3),
    ("-n", -3, 2),
    ("n + 4", 2, 7),
    ("1 - n", -2, 3),
    ("n * n", -6, 9),
    ("n * -2", -6, 4),
    ("n / 2", -1, 1),
    ("n % 4", 0, 3),
    ("worth[die]", -4, 9),
    ("column(c)", 1, 3),
    ("row(c) - 1", 0, 1),
    ("count(stone)", 0, 6),
    ("longest(stone)", 0, 6),
    ("count x in stone: row(x) == 1", 0, 6),
    ("sum x in empty: column(x)", 0, 18),
    ("sum x in empty: n", -12, 18),
    ("min x in empty & row(2): column(x) + 1", 0, 4),
    ("max x in stone & row(1): n - 4", -6, 0),
    ("if c in row(1) then n else 5", -2, 5),
];

#[test]
fn a_range_is_tested_wherever_a_number_may_leave_it() {
    for (expression, low, high) in EXPRESSIONS {
        for (below, above) in [(0, 0), (1, 0), (0, 1), (1, 1), (2, 2)] {
            let text = text(expression, (low + below, high - above));
            if low + below > high - above {
                continue;
            }
            let loaded = load_text("bounds.rules", &text, &Request::default())
                .unwrap_or_else(|e| panic!("{expression}: {e}"));
            let came = (0..extent::tries(6, 16)).map(|index| agree(&loaded.game, 9, index, u32::MAX));
            let failed = came.filter(|came| *came == Came::Failed).count();
            assert!(failed == 0 || below + above > 0, "{expression} leaves {low}..{high}");
        }
    }
}
