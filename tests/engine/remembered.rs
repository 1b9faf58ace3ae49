//! Caches of line and connection tests never change a result: a state that is restored, copied or changed a
//! lot continues as a new state does.

use houserule::game::{Game, State};
use houserule::loader::{Request, load_text};
use houserule::rng::Stream;
use rand::prelude::*;

/// Returns a game in which several stones at a time are put, taken, moved and replaced. Lines and connected
/// edges end it.
fn stones(board: &str, line: u32) -> Game {
    let text = format!(
        "game \"Stones\" {{
            players 2
            board cell = {board}
            piece stone[player]
            turn {{
                choose {{
                    one c in empty {{ put stone[me] at c }}
                    all c in empty {{ put stone[me] at empty & ({{c}} | beside(c)) }}
                    take c in stone[other] {{ clear {{c}} }}
                    turn_over c in stone[other] {{ put stone[me] at c }}
                    shift c in stone[me] {{ move c to highest(empty) }}
                }}
            }}
            end line when longest(stone[me]) >= {line}: win me
            end other_line when longest(stone[other], along: across | down) >= {line}: win other
            end joined when connected(stone[me], column(1), column(9)): lose me
            end hemmed when count(reach(column(1), empty | stone[me])) < 24: draw
        }}"
    );
    load_text("stones.rules", &text, &Request::default()).unwrap_or_else(|e| panic!("{board}: {e}")).game
}

/// Plays in one state, sometimes restores an earlier one, and compares every step with a new state.
fn hold(game: &Game, steps: usize) {
    let mut chance = Stream::new(5, 0, 0);
    let mut state = game.start(1, 0).expect("the game starts");
    let mut seen = vec![state.persistent().to_vec()];
    for _ in 0..steps {
        if state.is_over() || chance.random_ratio(1, 8) {
            state.restore(seen.choose(&mut chance).unwrap());
            if chance.random_ratio(1, 3) {
                state = state.clone();
            }
        }
        let legal = state.legal_actions();
        if legal.is_empty() {
            continue;
        }
        let action = *legal.choose(&mut chance).unwrap();
        let mut fresh: State = game.start(1, 0).expect("the game starts");
        fresh.restore(state.persistent());
        fresh.apply(action).expect("a legal action can be taken");
        state.apply(action).expect("a legal action can be taken");
        assert_eq!(state.persistent(), fresh.persistent(), "{}", game.action_name(action));
        assert_eq!(state.outcome(), fresh.outcome(), "{}", game.action_name(action));
        assert_eq!(state.legal_actions(), fresh.legal_actions());
        if !state.is_over() {
            seen.push(state.persistent().to_vec());
        }
    }
}

/// Returns a game in which walls are built and removed, one or several at a time. The enclosed sites count.
fn walls(board: &str) -> Game {
    let text = format!(
        "game \"Walls\" {{
            players 2
            board cell = {board}
            piece wall[player]
            var shut[player]: int
            turn {{
                choose {{
                    one c in empty {{ put wall[me] at c; shut[me] = count(enclosed(c, wall[me])) }}
                    ring c in empty - edge {{ put wall[me] at around(c) & empty; shut[me] = count(enclosed(c, wall[me])) }}
                    take c in wall[other] {{ clear {{c}}; shut[me] = count(enclosed(c, wall[other])) }}
                    raze c in wall[other] {{ clear {{c}} | around(c) }}
                    turn_over c in wall[other] {{ put wall[me] at c }}
                    into c in empty {{
                        put wall[me] at c
                        for k in components(enclosed(c, wall[me])) {{ put wall[other] at fill(k) }}
                    }}
                }}
            }}
            end full when empty is nothing
            score {{ shut: sum c in wall[me]: count(enclosed(c, wall[me])) }}
        }}"
    );
    load_text("walls.rules", &text, &Request::default()).unwrap_or_else(|e| panic!("{board}: {e}")).game
}

#[test]
fn what_is_remembered_of_walls_does_not_show() {
    for (board, steps) in [
        ("grid(4, 4)", 1500),
        ("grid(7, 7)", 1500),
        ("grid(9, 9)", 1500),
        ("grid(13, 11)", 1500),
        ("grid(3, 40)", 600),
        ("grid(30, 30)", 400),
        ("grid(64, 64)", 40),
    ] {
        hold(&walls(board), steps);
    }
}

#[test]
fn what_is_remembered_does_not_show() {
    for (board, line) in
        [("grid(9, 9)", 7), ("grid(13, 11)", 7), ("grid(9, 9, wrap: true)", 9), ("grid(8, 8)", 7)]
    {
        hold(&stones(board, line), 1500);
    }
}
