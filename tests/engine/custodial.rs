//! Sites enclosed between two others, in both executors, on boards whose sets have various widths.

use crate::agree::{Came, agree};
use crate::extent;
use houserule::loader::{Request, load_text};

/// Returns a game with random stones and every custodial expression on them.
fn stones(board: &str) -> String {
    format!(
        "game \"Stones\" {{
            players 2
            board cell = {board}
            piece stone[player]
            var at: cell? = none
            turn {{ choose {{ put c in empty {{ put stone[me] at c; at = c }} }} }}
            end full when count(empty) < 4
            score {{
                each: sum c in cells(cell): count(custodial(c, stone[me], stone[other])),
                sites: sum c in {{ c in cells(cell) where custodial(c, stone[me], stone[other]) is some }}: column(c),
                some: count({{ c in empty where custodial(c, stone[other], stone[me] - {{at}}) is some }}),
                both: count(custodial(stone[me], stone[me] | stone[other], empty | stone[other])),
                none: count(custodial(at, stone[me], stone[other])),
            }}
            winner most(score)
        }}"
    )
}

#[test]
fn what_lies_between_is_the_same_for_both_executors() {
    let boards =
        ["8, 8", "5, 4", "1, 9", "9, 9", "11, 10", "17, 9", "3, 60", "6, 6, wrap: true", "5, 3, wrap: true"];
    for board in boards {
        let text = stones(&format!("grid({board})"));
        let loaded =
            load_text("stones.rules", &text, &Request::default()).unwrap_or_else(|e| panic!("{board}: {e}"));
        // In `./test`, games on large boards are stopped.
        let (games, questions) = extent::tries((2, 40), (3, u32::MAX));
        for index in 0..if text.contains("60") { 1 } else { games } {
            let came = agree(&loaded.game, 3, index, questions);
            let is_stopped = came == Came::Stopped && !extent::everything();
            assert!(came == Came::Over || is_stopped, "{board}, game {index}");
        }
    }
}
