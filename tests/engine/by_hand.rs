//! The hand-written playouts of the benchmarks play the right games: their means agree with the fact files,
//! and both builds play the same games.

use serde_json::Value;

use crate::baseline::{Totals, connect_four, dilido, gomoku, pig, reversi, tic_tac_die, tic_tac_toe};
use crate::extent;

type Playouts = fn(u64, u64) -> Totals;

/// Returns the mean of a fact about random play, and its standard error.
fn fact(file: &str, name: &str, of: &str) -> (f64, f64) {
    let path = format!("{}/tests/facts/{file}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the fact file can be read");
    let file: Value = serde_json::from_str(&text).expect("the fact file is JSON");
    let facts = file["facts"].as_array().expect("the file has a list of facts");
    let fact = facts.iter().find(|fact| fact["name"] == name).expect("there is a fact of that name");
    let number = |key: &str| fact["means"][of][key].as_f64().expect("the fact has that mean");
    (number("value"), number("se"))
}

/// Asserts that a mean over games is within four standard errors of a fact.
fn assert_near(what: &str, mean: f64, deviation: f64, games: f64, (value, se): (f64, f64)) {
    let bound = 4.0 * (deviation * deviation / games + se * se).sqrt();
    assert!((mean - value).abs() <= bound, "{what}: {mean} is not within {bound} of {value}");
}

/// Compares the wins and draws of a game with a fact.
fn assert_results(totals: &Totals, file: &str, name: &str) {
    let games = totals.games as f64;
    let counted = [("win 0", totals.wins[0]), ("win 1", totals.wins[1]), ("draw", totals.draws)];
    for (of, count) in counted {
        let mean = count as f64 / games;
        let expected = fact(file, name, of);
        assert_near(of, mean, (expected.0 * (1.0 - expected.0)).sqrt(), games, expected);
    }
    assert_eq!(totals.wins[0] + totals.wins[1] + totals.draws, totals.games);
}

#[test]
fn tic_tac_toe_wins_as_often_as_random_play_does() {
    let games = extent::tries(500_000, 2_000_000);
    let totals = tic_tac_toe::playouts(games, 1);
    assert_results(&totals, "tic-tac-toe", "random play");
    let length = totals.decisions as f64 / totals.games as f64;
    assert_near("decisions", length, 1.5, games as f64, fact("tic-tac-toe", "random play", "decisions"));
}

#[test]
fn tic_tac_die_is_random_tic_tac_toe() {
    let totals = tic_tac_die::playouts(extent::tries(500_000, 2_000_000), 2);
    assert_results(&totals, "tic-tac-die", "random play");
    assert_eq!(totals.decisions, 0);
}

#[test]
fn connect_four_wins_as_often_as_random_play_does() {
    let games = extent::tries(300_000, 1_000_000);
    let totals = connect_four::playouts(games, 3);
    assert_results(&totals, "connect-four", "random play");
    let length = totals.decisions as f64 / totals.games as f64;
    assert_near("decisions", length, 7.5, games as f64, fact("connect-four", "random play", "decisions"));
}

#[test]
fn dilido_lasts_and_scores_as_random_play_does() {
    let games = extent::tries(300_000, 1_000_000);
    let totals = dilido::playouts(games, 4);
    for (of, total, deviation) in [
        ("rolls", totals.rolls, 4.9),
        ("decisions", totals.decisions, 4.3),
        ("option place", totals.dots, 4.2),
        ("score 0", totals.score, 41.5),
    ] {
        let mean = total as f64 / games as f64;
        assert_near(of, mean, deviation, games as f64, fact("dilido", "random play", of));
    }
    let mean = totals.score as f64 / games as f64;
    let deviation = (totals.score_squared as f64 / games as f64 - mean * mean).sqrt();
    assert!((deviation - 41.2).abs() < 0.5, "the scores deviate by {deviation}");
}

#[test]
fn dilido_counts_the_points_of_runs() {
    assert_eq!(dilido::score(dilido::BOARD), 616);
    let rows =
        [(0b111111, 40), (0b011111, 10), (0b110111, 1), (0b001111, 3), (0b011011, 0), (0b111, 1), (0b11, 0)];
    for (row, points) in rows {
        assert_eq!(dilido::score(row), points, "{row:b}");
        assert_eq!(dilido::score(row << 8), points, "{row:b} in the second row");
    }
}

#[test]
fn pig_wins_and_lasts_as_random_play_does() {
    let games = extent::tries(150_000, 500_000);
    let totals = pig::playouts(games, 5);
    assert_results(&totals, "pig", "random play");
    for (of, total, deviation) in [("rolls", totals.rolls, 30.0), ("decisions", totals.decisions, 60.0)] {
        let mean = total as f64 / games as f64;
        assert_near(of, mean, deviation, games as f64, fact("pig", "random play", of));
    }
}

#[test]
fn gomoku_lasts_as_random_play_does() {
    let games = extent::tries(30_000, 100_000);
    let totals = gomoku::playouts(games, 7);
    let length = totals.decisions as f64 / games as f64;
    assert_near("decisions", length, 25.0, games as f64, fact("gomoku", "random play", "decisions"));
    assert_eq!(totals.wins[0] + totals.wins[1] + totals.draws, games);
}

#[test]
fn reversi_wins_and_lasts_as_random_play_does() {
    let games = extent::tries(8_000, 100_000);
    let totals = reversi::playouts(games, 8);
    assert_results(&totals, "reversi", "random play");
    let length = totals.decisions as f64 / games as f64;
    assert_near("decisions", length, 2.0, games as f64, fact("reversi", "random play", "decisions"));
}

#[test]
fn both_builds_play_the_same_games() {
    let builds: [(Playouts, Playouts); 4] = [
        (tic_tac_toe::playouts, tic_tac_toe::playouts_portable),
        (tic_tac_die::playouts, tic_tac_die::playouts_portable),
        (dilido::playouts, dilido::playouts_portable),
        (reversi::playouts, reversi::playouts_portable),
    ];
    for (faster, portable) in builds {
        let games = extent::tries(2_000, 20_000);
        assert_eq!(faster(games, 6), portable(games, 6));
    }
}
