//! Explanations of scores: the runs and other parts of an item always add up to its points.
#![allow(clippy::unwrap_used)]

use crate::extent;
use houserule::draw::score::item_text;
use houserule::explain::{ItemExplanation, explain};
use houserule::game::{Game, Seat, State};
use houserule::loader::{Request, load, load_text};

fn assert_adds_up(name: &str, state: &State) {
    for seat in 0..state.game().players() {
        let items = explain(state, Seat(seat)).unwrap();
        for item in &items {
            let runs: i64 = item.runs.iter().map(|run| run.points).sum();
            let rest: i64 = item.rest.iter().map(|part| part.points).sum();
            assert_eq!(runs + rest, item.points, "{name}, {}: {item:?}", item.name);
            let directions: i64 = item.directions.iter().map(|(_, points)| points).sum();
            assert_eq!(directions, runs, "{name}, {}: {item:?}", item.name);
        }
        let sum: i64 = items.iter().map(|item| item.points).sum();
        assert_eq!(sum, state.score(Seat(seat)).unwrap(), "{name}");
    }
}

#[test]
fn parts_add_up_to_the_score_in_every_bundled_game() {
    let mut explained = 0;
    for name in extent::bundled("scores explained", 8) {
        let game = load(&Request { name, ..Request::default() }).unwrap().game;
        if game.model().score.is_empty() {
            continue;
        }
        let mut state = game.start(17, 3).unwrap();
        let mut decisions = 0u32;
        while !state.is_over() && decisions < 120 {
            if decisions.is_multiple_of(20) {
                assert_adds_up(name, &state);
            }
            let Some(action) = state.random_action() else { break };
            state.apply(action).unwrap();
            decisions += 1;
        }
        assert_adds_up(name, &state);
        explained += 1;
    }
    assert!(explained > extent::tries(2, 20), "{explained}");
}

/// Returns a score's item on a 3×3 board with three dots in the lowest row and one at a3.
fn item(score: &str) -> ItemExplanation {
    let text = format!(
        "game \"Runs\" {{
          param more: 0..9 = 1
          players 1
          domain kind = 1..3
          board cell = grid(3, 3)
          piece dot
          var extra[kind]: 0..9 = [1: 4, 2: 0, 3: 2]
          setup {{ put dot at row(1) put dot at @a3 }}
          turn {{ choose {{ go {{ end game }} }} }}
          score {{ runs: {score} }}
        }}"
    );
    let game: Game =
        load_text("test.rules", &text, &Request::default()).unwrap_or_else(|e| panic!("{e}")).game;
    let mut items = explain(&game.start(1, 0).unwrap(), Seat(0)).unwrap();
    items.remove(0)
}

fn parts(score: &str) -> Vec<(String, i64)> {
    let item = item(score);
    let runs = item.runs.iter().map(|run| (run.line.clone(), run.points));
    runs.chain(item.rest.iter().map(|part| (part.name.clone(), part.points))).collect()
}

#[test]
fn runs_survive_sums_products_and_conditions() {
    let row = |points: i64| ("row 1".to_owned(), points);
    let other = |name: &str, points: i64| (name.to_owned(), points);
    assert_eq!(parts("lines(dot, [3: 5])"), [row(5)]);
    assert_eq!(parts("lines(dot, [3: 5]) + more"), [row(5), other("more", 1)]);
    assert_eq!(parts("lines(dot, [3: 5]) - count(dot)"), [row(5), other("− count(dot)", -4)]);
    assert_eq!(parts("2 * lines(dot, [3: 5])"), [row(10)]);
    assert_eq!(parts("lines(dot, [3: 5]) * count(dot) + 1"), [row(20), other("1", 1)]);
    assert_eq!(parts("if count(dot) > 1 then lines(dot, [3: 5]) else 7"), [row(5)]);
    assert_eq!(parts("max(0, lines(dot, [3: 5]))"), [row(5)]);
    assert_eq!(parts("min(3, lines(dot, [3: 5]))"), [other("runs", 3)]);
    assert_eq!(parts("lines(dot, [3: 5]) / 2"), [other("runs", 2)]);
    assert_eq!(parts("sum k in kind: extra[k]"), [other("1", 4), other("3", 2)]);
    assert_eq!(parts("count(dot)"), [other("runs", 4)]);
}

#[test]
fn what_is_not_made_of_parts_is_told_once() {
    assert_eq!(item_text(&item("count(dot)")), "  runs: 4 points\n");
    assert_eq!(
        item_text(&item("lines(dot, [3: 5]) + more")),
        "  runs: 6 points\n    row 1: a1–c1, 3 dots, 5 points\n    more: 1 point\n"
    );
}
