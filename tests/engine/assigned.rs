//! Assignments with several errors at once: both executors raise the same one.

use crate::agree::{Came, agree};
use crate::rules::game;
use houserule::game::{Game, RuntimeErrorKind};

/// A game whose one option runs a statement, with `n` and `zero` unknown when the rules are loaded.
fn assigning(statement: &str) -> Game {
    game(&format!(
        "game \"Assigned\" {{
            players 2
            enum way {{ up, down }}
            var n: 0..9 = 0
            var zero: 0..9 = 0
            var from: way? = none
            var seen[1..3]: 0..4 = 1
            var deep[1..3, 1..3]: 0..4 = 1
            var ways[1..3]: way = up
            var open[1..3]: set of 1..6 = {{}}
            turn {{ choose {{ go k in 5..9 {{ n = k; {statement} }} }} }}
            end long when turns[me] == 3
            score {{ n: n }}
        }}"
    ))
}

/// Returns the error of the first action, which both executors must raise.
fn error(statement: &str) -> RuntimeErrorKind {
    let game = assigning(statement);
    assert_eq!(agree(&game, 3, 0, u32::MAX), Came::Failed, "{statement}");
    let mut state = game.start(3, 0).expect("it starts");
    let action = game.parse_action("go 7").expect("an action");
    match state.apply(action) {
        Err(houserule::game::ApplyError::Runtime(error)) => error.kind,
        other => panic!("{statement}: {other:?}"),
    }
}

#[test]
fn an_error_of_the_value_comes_before_one_of_the_index() {
    let range =
        |name: &str, value| RuntimeErrorKind::OutOfRange { name: name.into(), value, low: 0, high: 4 };
    assert_eq!(error("seen[n] = n"), range("seen", 7));
    assert_eq!(error("deep[2, n] = n"), range("deep", 7));
    assert_eq!(error("deep[n, n] = n + 1"), range("deep", 8));
    assert_eq!(error("seen[n] = 6 / zero"), RuntimeErrorKind::DivisionByZero);
    assert_eq!(error("open[n] = {zero + 1}"), RuntimeErrorKind::NoneIndex);
    // With only one of the two errors, it is that one.
    assert_eq!(error("seen[n] = 2"), RuntimeErrorKind::NoneIndex);
    assert_eq!(error("seen[2] = n"), range("seen", 7));
}

#[test]
fn a_value_that_reads_its_target_needs_the_index_first() {
    for statement in [
        "seen[n] += n",
        "seen[n] -= n",
        "seen[n] += 9",
        "seen[n] += 6 / zero",
        "seen[n] -= 6 / zero",
        "seen[n] = seen[n] + 6 / zero",
        "deep[1, n] += 6 / zero",
        "open[n] += { m in 1..6 where 6 / zero > m }",
    ] {
        assert_eq!(error(statement), RuntimeErrorKind::NoneIndex, "{statement}");
    }
}
