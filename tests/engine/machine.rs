//! Differential test of the interpreter and compiled code: the same words, draws, errors and counts.

use crate::extent;
use crate::rules::games_for;
use houserule::game::{agree, agree_within};
use houserule::loader::{Request, load, load_text};

/// Number of games of each bundled file. `HOUSERULE_GAMES` overrides it.
const GAMES: u64 = 200;
/// Number of decisions of all of them, but for one game at least.
const DECISIONS: u64 = 1_000;

#[test]
fn compiled_code_plays_the_games_of_the_interpreter() {
    let given: Option<u64> = std::env::var("HOUSERULE_GAMES").ok().and_then(|n| n.parse().ok());
    let mut compared = 0;
    // In `./test`, random rules are played with short budgets.
    let short: &[u64] = if extent::everything() || given.is_some() { &[8, 300] } else { &[] };
    for name in extent::bundled("compiled code", 16) {
        let Ok(loaded) = load(&Request { name, ..Request::default() }) else { continue };
        let games = given.unwrap_or_else(|| games_for(&loaded.game, DECISIONS, GAMES));
        match agree_within(&loaded.game, 1, games, short) {
            Ok(of) => compared += of,
            Err(what) => panic!("{name}: {what}"),
        }
    }
    assert!(compared > 0 || !cfg!(feature = "compile"), "nothing was compiled");
}

/// Compiled code rolls two dice itself, and the interpreter rolls eight for it: either must pass on its number of iterations.
#[test]
fn a_loop_that_waits_for_dice_spends_its_budget() {
    for dice in [2, 8] {
        let text = "game \"Rolls\" {
            players 1
            dice pair: 2 of d4
            turn {
                let n = 5
                while n > 0 { n -= 1; roll pair among {1} }
                choose { stop { end game } }
            }
        }";
        let text = text.replace("2 of", &format!("{dice} of"));
        let loaded = load_text("rolls.rules", &text, &Request::default()).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(agree(&loaded.game, 1, 20).map(drop), Ok(()));
    }
}

/// No die, one, some or all of them are rolled: what isn't rolled stays, no die takes no random word, and all subsets are always
/// legal.
#[test]
fn some_of_the_dice_are_rolled_as_by_the_interpreter() {
    for (count, faces) in [(1, 6), (5, 6), (6, 2), (3, 20), (7, 6), (3, 1)] {
        let text = format!(
            "game \"Some\" {{
            players a, b
            dice hand: {count} of d{faces}
            var last[player]: 0..999
            turn {{
                roll hand
                choose again {{ again k subset of hand {{ roll k }} }}
                let high = {{ d in 1..{count} where hand[d] > 1 }}
                roll hand among high
                choose keep {{ keep {{ last[me] = sum(hand) }} throw {{ last[me] = 0 }} }}
            }}
            end over when turns[a] + turns[b] >= 9
            score {{ last: last[me] }}
        }}"
        );
        let loaded = load_text("some.rules", &text, &Request::default()).unwrap_or_else(|e| panic!("{e}"));
        let compared = agree(&loaded.game, 1, 60).unwrap_or_else(|e| panic!("{count} of d{faces}: {e}"));
        assert!(compared > 0 || !cfg!(feature = "compile"), "{count} of d{faces}");
    }
}

/// Rolls and entries of steps follow from the number of turns, and the uses of one option from the decisions, also where a game
/// fails: in a loop, where a number is too large, or at the end of a turn.
#[test]
fn counts_that_follow_from_others_are_those_of_the_interpreter() {
    let text = "game \"Counts\" {
        players 1
        dice die: 1 of d6
        var n: 0..9 = 0
        turn {
            step cast { roll die }
            step take { choose { few { n += die } none { n -= 1 } } }
            step rest { let k = n while k > 0 { k -= 1 } }
        }
        end enough at once when n > 7
    }";
    let loaded = load_text("counts.rules", text, &Request::default()).unwrap_or_else(|e| panic!("{e}"));
    assert!(agree(&loaded.game, 1, 400).is_ok_and(|games| games == 400 || !cfg!(feature = "compile")));
}

/// Options without a binder, with one and with two, some of which fail, loop or are always legal: compiled code tries the candidates
/// of each word of the mask in one call, unless a trial may change many words.
#[test]
fn candidates_are_tried_as_by_the_interpreter() {
    for words in [2, 40] {
        let text = format!(
            "game \"Tried\" {{
            players a, b
            var n: 0..90 = 0
            var seen[1..{words}]: 0..99 = 0
            turn {{
                choose {{
                    add k in 1..80 ensuring n % 7 != 3 {{ n += k seen[k % {words} + 1] = k }}
                    both j in 1..3, k in 1..70 ensuring (n + k) % 3 != 0 {{ n += j seen[1] = k }}
                    halve ensuring n > 4 {{ let k = n while k > 4 {{ k -= 1 }} n = n / 2 }}
                    rest {{ n = max(n - 1, 0) }}
                }}
            }}
            end over when turns[a] + turns[b] >= 12
            score {{ n: n, seen: seen[1] }}
        }}"
        );
        let loaded = load_text("tried.rules", &text, &Request::default()).unwrap_or_else(|e| panic!("{e}"));
        let compared = agree(&loaded.game, 1, 60).unwrap_or_else(|e| panic!("{words} words: {e}"));
        assert!(compared > 0 || !cfg!(feature = "compile"), "{words} words");
    }
}

/// Conditions of `ensuring` that a param makes always true, so that a trial is kept as soon as it begins.
#[test]
fn trials_that_cannot_fail_are_compiled() {
    for (param, condition) in [
        ("limit: 3..6 = 5", "longest(stone[me]) < limit"),
        ("shade: bool = false", "not any t in stone[me]: shade and beside(t) & stone[me] is some"),
        ("company: bool = false", "(all d in stone[me]: not company or beside(d) & stone[me] is some)"),
    ] {
        let text = format!(
            "game \"Kept\" {{
            param {param}
            players X, O
            board cell = grid(4, 4)
            piece stone[player]
            turn {{ choose {{ pass {{ }} place c in empty ensuring {condition} {{ put stone[me] at c }} }} }}
            end when turns[me] == 9 or empty is nothing
            score {{ edge: count(stone[me] & edge) }}
        }}"
        );
        let loaded = load_text("kept.rules", &text, &Request::default()).unwrap_or_else(|e| panic!("{e}"));
        let compared = agree(&loaded.game, 1, 60).unwrap_or_else(|e| panic!("{condition}: {e}"));
        assert!(compared > 0 || !cfg!(feature = "compile"), "{condition}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_of_compiled_code_is_freed_with_its_game() {
    use houserule::native::RunKind;

    let mappings =
        || std::fs::read_to_string("/proc/self/maps").unwrap_or_default().matches(" r-xp ").count();
    let given = std::env::var("HOUSERULE_LOADS").ok().and_then(|n| n.parse().ok());
    let loads = given.unwrap_or(extent::tries(40, 100));
    let before = mappings();
    for _ in 0..loads {
        let loaded = load(&Request { name: "tic-tac-die", ..Request::default() }).expect("it loads");
        for kind in RunKind::ALL {
            loaded.game.compiled_size(kind);
        }
    }
    // Other tests of the same process compile too, but only a few games at a time.
    assert!(mappings() < before + 50, "{before} mappings became {}", mappings());
}
