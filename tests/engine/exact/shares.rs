//! Exact shares of the wins where sides have different numbers of players.

use houserule::game::{Game, Start, State};
use houserule::playtest::follow::exact::{ExactValues, LIMITS};
use houserule::solve::{GraphLimits, solve, solve_with_shares};

use crate::rules::{bundled, game};

/// One roll decides: the two win with 1, the three with 2 or 3.
const ONE_ROLL: &str = "dice die: 1 of d6 turn { choose { left { roll die } right { roll die } } }
    end tie when die > 3: draw end few when die == 1: win player 1 end many when die > 1: win player 3";

/// The same, and 5 or 6 decide nothing.
const ROLLS: &str = "dice die: 1 of d6 turn { choose { go { roll die } } }
    end tie when die == 4: draw end few when die == 1: win player 1
    end many when die == 2 or die == 3: win player 3";

/// A draw, or a win with 45 %.
const DARE: &str = "dice die: 1 of d20 turn { choose {
      share { end game as shared: draw }
      dare { roll die if die < 10 { end game as won: win me } else { end game as lost: lose me } }
    } }";

/// Who leaves, loses.
const STAY: &str = "turn { choose { stay { } leave { end game as left: lose me } } }";

/// A game of two players against three.
fn uneven(rules: &str) -> Game {
    game(&format!(
        "game \"Uneven\" {{
           players 5 team few = {{player 1, player 2}} team many = {{player 3, player 4, player 5}}
           {rules}
         }}"
    ))
}

fn solved(game: &Game) -> ExactValues {
    ExactValues::solve(game, &LIMITS).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_draw_counts_half_for_each_of_two_sides() {
    for (rules, few) in [
        (ONE_ROLL, 1.0 / 6.0 + 0.5 / 2.0),
        (ROLLS, 1.0 / 4.0 + 0.25 / 2.0),
        // Endless play is a draw.
        (STAY, 0.5),
        ("turn { choose { go { end game: draw } } }", 0.5),
        ("turn { choose { go { end game: lose me } } }", 0.0),
        // A draw returns 0, and a dare 0.45 · 0.375 − 0.55 · 0.25. It is best, and the shares are those of what is best.
        (DARE, 0.45),
    ] {
        let start = solved(&uneven(rules)).start();
        assert!((start[0] - few).abs() < 1e-8, "{rules}: {start:?}");
        assert!((start[0] + start[4] - 1.0).abs() < 1e-8, "{rules}: {start:?}");
        assert_eq!(start, [start[0], start[0], start[4], start[4], start[4]], "partners win together");
    }
}

/// Returns the shares of the wins that the players can expect.
fn expected(exact: &ExactValues, state: &State) -> Vec<f64> {
    exact.expected(state).into_iter().map(f64::from).collect()
}

#[test]
fn exact_shares_are_those_of_finished_games() {
    let game = uneven(ROLLS);
    let (exact, sides) = (solved(&game), game.model().sides());
    let mut drawn = 0;
    for index in 0..60 {
        let start = Start { seed: 1, index, explicit_chance: true, ..Start::default() };
        let mut state = game.start_at(&start).unwrap_or_else(|error| panic!("{error}"));
        while !state.is_over() {
            let shares = expected(&exact, &state);
            assert!((shares[0] + shares[4] - 1.0).abs() < 1e-6, "game {index}: {shares:?}");
            let is_applied = match state.random_outcome() {
                Some(outcome) => state.apply_outcome(outcome).is_ok(),
                None => state.random_action().is_some_and(|action| state.apply(action).is_ok()),
            };
            assert!(is_applied, "game {index}");
        }
        let shares = state.outcome().expect("it is over").win_shares(sides);
        assert_eq!(expected(&exact, &state), shares, "game {index}");
        drawn += u32::from(shares[0] > 0.0 && shares[0] < 1.0);
    }
    assert!(drawn > 0);
}

#[test]
fn no_action_is_worth_more_than_the_one_that_best_play_takes() {
    let game = uneven(DARE);
    let (exact, state) = (solved(&game), game.start(1, 0).unwrap_or_else(|error| panic!("{error}")));
    let taken = exact.expected(&state)[0];
    let actions = exact.actions(&state, 0);
    // The draw leaves a share of 0.5, the dare 0.45.
    assert_eq!(actions.iter().map(|(_, worth)| *worth).collect::<Vec<f32>>(), [taken, taken]);
    let lost = uneven("turn { choose { draw_it { end game: draw } lose_it { end game: lose me } } }");
    let state = lost.start(1, 0).unwrap_or_else(|error| panic!("{error}"));
    let actions = solved(&lost).actions(&state, 0);
    assert_eq!(actions.iter().map(|(_, worth)| *worth).collect::<Vec<f32>>(), [0.5, 0.0]);
}

#[test]
fn shares_are_kept_only_where_they_do_not_follow_from_the_values() {
    let limits = GraphLimits::default();
    let (game, even) = (uneven(ROLLS), bundled("tic-tac-toe", &[], None));
    let solution = |game: &Game| solve_with_shares(game, &limits).unwrap_or_else(|error| panic!("{error}"));
    let plain = solve(&game, &limits).unwrap_or_else(|error| panic!("{error}"));
    assert!(solution(&game).start_worth().shares.is_some());
    assert!(plain.start_worth().shares.is_none() && solution(&even).start_worth().shares.is_none());
    // Values are found by sweeps until nothing changes by more than 1e-13, and with shares there is more that may change.
    let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-11;
    assert!(solution(&game).start().iter().zip(plain.start()).all(near), "shares change no value");
}
