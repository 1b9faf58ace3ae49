//! Hex.

use super::{bundled, end, play, winners};
use crate::states::{legal, position};
use houserule::game::random_games::{Finished, UsageCounts, play_random};

#[test]
fn red_joins_top_and_bottom() {
    let game = bundled("hex", &[("size", "4")]);
    let mut state = position(&game, "r . b .\n r . b .\n  . . b .\n   r . . b\nmover = red");
    assert_eq!(legal(&state).len(), 9);
    play(&mut state, &["place a3"]);
    assert_eq!((end(&state), winners(&state)), ("joined".into(), vec![true, false]));
    // The step to the lower right is no neighbour: c1 and d2 share only a corner.
    let mut state = position(&game, "b b r .\n . . . r\n  b . . r\n   . b . .\nmover = red");
    play(&mut state, &["place d4"]);
    assert!(!state.is_over());
    play(&mut state, &["place b3", "place d1"]);
    assert_eq!(winners(&state), [true, false]);
}

#[test]
fn blue_joins_left_and_right() {
    let game = bundled("hex", &[("size", "4")]);
    let mut state = position(&game, "r . . b\n r . . .\n  b b r .\n   r . . .\nmover = blue");
    play(&mut state, &["place c2"]);
    assert_eq!((end(&state), winners(&state)), ("joined".into(), vec![false, true]));
    // Blue doesn't connect top and bottom.
    let mut state = position(&game, "b . . .\n b . . .\n  b . r .\n   . r . r\nmover = blue");
    play(&mut state, &["place a4"]);
    assert!(!state.is_over());
}

#[test]
fn the_first_stone_may_be_taken_over() {
    let game = bundled("hex-swap", &[("size", "5")]);
    let swap = "swap".to_string();
    let mut state = game.start(1, 0).unwrap();
    assert!(!legal(&state).contains(&swap));
    play(&mut state, &["place c5"]);
    assert_eq!(legal(&state).len(), 25);
    let mut kept = state.clone();
    play(&mut state, &["swap"]);
    // Red has no stone. Blue has one, mirrored at the long diagonal.
    let rows = state.position().lines().skip(1).take(5).map(|row| row.trim().to_owned()).collect::<Vec<_>>();
    assert_eq!(rows, ["1 . . . . .", "2 . . . . .", "3 . . . . b", "4 . . . . .", "5 . . . . ."]);
    assert_eq!(legal(&state).len(), 24);
    // The swap is allowed only once, and only as the second move.
    assert!(!legal(&state).contains(&swap));
    play(&mut kept, &["place a1", "place a2"]);
    assert!(!legal(&kept).contains(&swap));
}

#[test]
fn random_games_take_107_and_a_half_turns() {
    let (game, games) = (bundled("hex", &[]), 20_000u32);
    let (mut sum, mut squares) = (0.0, 0.0);
    let mut finished = |f: Finished<'_>| {
        let turns = f.counters.turns as f64;
        sum += turns;
        squares += turns * turns;
        assert!(f.winners == 1 || f.winners == 2, "nobody can draw");
    };
    let mut failed = |index, error| panic!("game {index}: {error}");
    play_random(&game, 3, 0..games.into(), &mut UsageCounts::default(), &mut finished, &mut failed);
    let (n, mean) = (f64::from(games), sum / f64::from(games));
    let error = ((squares / n - mean * mean) / n).sqrt();
    assert!((mean - 107.5).abs() < 4.0 * error, "{mean} ± {error}");
}
