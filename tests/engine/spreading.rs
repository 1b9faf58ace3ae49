//! Neighbours and flood fill on boards of all shapes and widths. The executor, which shifts whole sets, is
//! compared with the reference interpreter, which walks from site to site.

use crate::agree::{Came, agree};
use crate::extent;
use houserule::loader::{Request, load_text};

/// Boards, with the number of turns of a game on each.
const BOARDS: [(&str, u32); 9] = [
    ("grid(1, 1)", 1),
    ("grid(7, 9)", 30),
    ("grid(9, 9)", 50),
    ("grid(100 / 4, 5)", 60),
    ("grid(2, 64)", 60),
    ("grid(15, 17)", 80),
    ("grid(40, 30)", 60),
    ("grid(6, 6, wrap: true)", 25),
    ("hex(11, 11)", 60),
];

#[test]
fn sets_that_move_reach_what_sites_that_step_reach() {
    for (board, turns) in BOARDS {
        // Each turn puts a stone and a wall at random. The region connected to the first stones grows.
        let text = format!(
            "game \"Spread\" {{
                players a, b
                board cell = {board}
                piece stone[player]
                piece wall
                turn {{
                    pick c in empty
                    put stone[me] at c
                    pick n in around(c) & empty
                    if n is some {{ put stone[me] at n }}
                    pick w in empty
                    if w is some {{ put wall at w }}
                    choose {{ go on_board in 1..2 {{ }} }}
                }}
                end over when turns[a] + turns[b] >= {turns} or empty is nothing
                score {{
                    near: count(beside(stone[me]))
                    around: 3 * count(around(stone[me]) - wall)
                    land: 5 * count(reach(beside(stone[me]), empty, four))
                    wide: 7 * count(reach(stone[me], cells - wall, eight))
                    chain: 11 * count(component(lowest(stone), stone[me], eight))
                }}
            }}"
        );
        // The sites that stones enclose, on boards that have an edge, and the number of components.
        let shut = "
                    shut: 13 * count(enclosed(stone[me], stone[me], four))
                    wide_shut: 17 * count(enclosed(lowest(wall), stone[me] | wall, eight))
                    last_shut: 19 * count(enclosed(highest(stone), stone[me], four))
                    filled: 23 * count(fill(stone[me], four))
                    wide_filled: 29 * count(fill(stone, eight))
                    parts: 31 * parts[me]
                }";
        let text = if text.contains("wrap") {
            text
        } else {
            let at = text.rfind('}').and_then(|at| text[..at].rfind('}')).expect("the end of the score");
            format!("{}{shut}{}", &text[..at], &text[at + 1..])
        };
        let text = text.replace("piece wall\n", "piece wall\n var parts[player]: int\n").replace(
            "choose { go",
            "parts[me] = 0
                    for k in components(stone[me], four) { parts[me] += count(k) * count(k) }
                    for k in components(stone, eight) { parts[me] += 5 + count(k & edge) }
                    choose { go",
        );
        // On hexes all neighbours lie across sides.
        let text =
            if board.starts_with("hex") { text.replace(", four", "").replace(", eight", "") } else { text };
        let loaded = load_text("spread.rules", &text, &Request::default()).unwrap_or_else(|e| panic!("{e}"));
        for index in 0..extent::tries(1, 6) {
            assert_eq!(agree(&loaded.game, 5, index, u32::MAX), Came::Over, "{board}, game {index}");
        }
    }
}
