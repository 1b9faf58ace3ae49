//! Positions survive a round trip: they are drawn, read, and drawn again.

#![allow(clippy::unwrap_used)]

use crate::extent;
use crate::rules::games_for;
use houserule::explain::explain;
use houserule::game::{Game, Seat};
use houserule::loader::{Request, load};

fn game(name: &str) -> Game {
    load(&Request { name, ..Request::default() }).unwrap().game
}

#[test]
fn a_typed_board_is_read_and_printed() {
    let game = game("tic-tac-toe");
    let state = game.position("X.O\n.X.\n...\nmover = O").unwrap();
    assert_eq!(state.current_player(), Some(Seat(1)));
    assert_eq!(state.legal_actions().len(), 6);
    let text = "3 X . O\n2 . X .\n1 . . .\n  a b c\nlegend: X = mark[X], O = mark[O]\nmover = O\n";
    assert_eq!(state.position(), text);
    assert_eq!(game.position(text).unwrap(), state);
}

#[test]
fn every_state_of_a_game_survives_the_round_trip() {
    for name in extent::bundled("positions", 8) {
        let game = game(name);
        for index in 0..games_for(&game, extent::tries(50, 150), 3) {
            let mut state = game.start(11, index).unwrap();
            while let Some(action) = state.random_action() {
                // In `./test`, of long games every fifth state, as those after each other are much alike.
                let decisions = state.decisions();
                if !extent::everything() && decisions > 20 && !decisions.is_multiple_of(5) {
                    state.apply(action).unwrap();
                    continue;
                }
                let text = state.position();
                if text.contains("choice = fleets") {
                    // A loop of the setup, whose place a position doesn't hold.
                    state.apply(action).unwrap();
                    continue;
                }
                let read = game.position(&text).unwrap_or_else(|errors| panic!("{name}: {errors:?}\n{text}"));
                assert_eq!(read.position(), text, "{name}");
                if game.program().pasts.is_empty() {
                    assert_eq!(read.legal_actions(), state.legal_actions(), "{name}\n{text}");
                } else {
                    // A position has no past, which may forbid more actions.
                    let legal = read.legal_actions();
                    assert!(state.legal_actions().iter().all(|a| legal.contains(a)), "{name}\n{text}");
                }
                assert_eq!(read.current_player(), state.current_player(), "{name}\n{text}");
                for player in (0..game.players()).map(Seat) {
                    assert_eq!(read.scores(player), state.scores(player), "{name}\n{text}");
                }
                state.apply(action).unwrap();
            }
        }
    }
}

#[test]
fn a_legend_gives_other_characters() {
    let game = game("dilido");
    let state = game
        .position("legend: x = dot, o = wild\n6 xxxo..\n5 ......\n4......\n3 ......\n2 ......\n1 ......")
        .unwrap();
    assert_eq!(state.score(Seat(0)), Ok(3));
    let default = game.position("dddw..\n......\n......\n......\n......\n......").unwrap();
    assert_eq!(state, default);
}

#[test]
fn a_full_board_scores_616() {
    let game = game("dilido");
    let state = game.position(&"d d d d d d\n".repeat(6)).unwrap();
    assert_eq!(state.score(Seat(0)), Ok(616));
    let items = explain(&state, Seat(0)).unwrap();
    let mut lengths = [0; 7];
    for run in &items[0].runs {
        lengths[run.sites.len()] += 1;
    }
    assert_eq!(lengths[3..], [4, 4, 4, 14]);
    assert_eq!(items[0].points, 616);
}

#[test]
fn dice_lead_to_the_choice_that_they_open() {
    let game = game("dilido");
    let empty = "......\n".repeat(6);
    let state = game.position(&format!("{empty}pair = 3 5")).unwrap();
    let names: Vec<String> = state.legal_actions().into_iter().map(|a| game.action_name(a)).collect();
    assert_eq!(names, ["place e3", "place c5"]);
    let state = game.position(&format!("{empty}anchor = a1\npair = 3 5\nchoice = joker")).unwrap();
    let names: Vec<String> = state.legal_actions().into_iter().map(|a| game.action_name(a)).collect();
    assert_eq!(names, ["joker b1", "joker a2", "joker b2", "pass"]);
    let without = game.position(&empty).unwrap();
    assert!(without.is_chance(), "at the start of the turn the dice are still to be rolled");
}

#[test]
fn an_explanation_tells_the_runs() {
    let game = game("dilido");
    let sheet = "......\n......\n......\n..dddw\n......\n......\n";
    let items = explain(&game.position(sheet).unwrap(), Seat(0)).unwrap();
    let run = &items[0].runs[0];
    assert_eq!((run.line.as_str(), run.pieces.as_str(), run.points), ("row 3", "3 dots, 1 wild", 3));
    assert_eq!(run.sites, ["c3", "d3", "e3", "f3"]);
}

fn errors(game: &Game, text: &str) -> Vec<String> {
    game.position(text).unwrap_err().iter().map(ToString::to_string).collect()
}

#[test]
fn every_mistake_is_told_with_its_line() {
    let game = game("dilido");
    let found = errors(
        &game,
        "dd\npenaltys = 3\npenalties = 4\nanchor = g9\nlegend: q = dott\nchoice = jocker\npair = 3",
    );
    assert_eq!(found.len(), 8, "{found:#?}");
    assert!(found[0].starts_with("line 1: a row has 6 sites, and this line has 2"), "{found:#?}");
    assert_eq!(found[1], "line 2: no variable is called `penaltys`; did you mean `penalties`?");
    assert_eq!(found[2], "line 3: `penalties` is 0..3, and 4 is not");
    assert!(
        found[3].starts_with("line 4: `g9` is no site of `cell`, which has 6 columns and 6 rows"),
        "{found:#?}"
    );
    assert_eq!(found[4], "line 5: no piece is called `dott`; did you mean `dot`?");
    assert_eq!(found[5], "line 6: no choice is called `jocker`; did you mean `joker`?");
    assert!(found[6].starts_with("line 7: `pair` has 2 values"), "{found:#?}");
    assert_eq!(found[7], "line 1: the board has 6 rows, and 1 is drawn");
}

#[test]
fn a_wrong_board_is_told() {
    let game = game("tic-tac-toe");
    assert_eq!(
        errors(&game, "...\n.Q.\n...")[0],
        "line 2: `Q` on b2 is no piece; there are `X = mark[X]`, `O = mark[O]`, and `.` is an empty site"
    );
    assert_eq!(errors(&game, "...\n...\n...\n...")[0], "line 4: the board has 3 rows, and this is one more");
    assert!(errors(&game, "3 ...\n1 ...\n1 ...")[0].starts_with("line 2: this row is row 2, not 1"));
    assert!(errors(&game, "bord:\n...")[0].contains("no board is called `bord`"));
}

/// The player who chooses isn't always the mover.
#[test]
fn a_choice_may_be_somebody_elses() {
    let game = game("go-pie");
    let mut state = game.start(1, 0).unwrap();
    state.apply(game.parse_action("name 13").unwrap()).unwrap();
    assert_eq!(state.current_player(), Some(Seat(1)));
    assert!(state.position().ends_with("mover = black\nhalf_komi = 13\nchoice = side by white\n"));
    let mut read = game.position(&state.position()).unwrap();
    assert_eq!(read.current_player(), Some(Seat(1)));
    read.apply(game.parse_action("first").unwrap()).unwrap();
    assert_eq!(read.current_player(), Some(Seat(1)));
    let errors = game.position("choice = side by nobody").unwrap_err();
    assert_eq!(errors[0].message, "`nobody` is no player; there are `black`, `white`");
}
