//! Payoffs: what a finished game returns to each seat.
#![allow(clippy::unwrap_used)]

use houserule::extremes::payoff_range;
use houserule::game::random_games::{UsageCounts, play_random};
use houserule::game::{Game, RuntimeErrorKind, Seat};
use houserule::loader::{Request, load, load_text};

use crate::agree::{Came, agree};
use crate::extent;
use crate::rules::{game, played};

/// Each raises the stake or folds. Who folds loses the stake.
const WAGER: &str = r#"game "Wager" {
  players X, O
  var stake: 1..8 = 1
  var folded: player? = none
  turn {
    choose {
      raise where stake < 8 { stake += stake }
      fold { folded = me }
    }
  }
  end folded when folded == mover: lose mover
  payoff zero sum if folded == me then -stake else stake "the stake"
}"#;

/// Each seat gets its marks, whoever wins.
const SHARES: &str = r#"game "Shares" {
  players 2..4
  var marks[player]: 0..9 = 0
  turn { choose { take n in 0..3 { marks[me] += n } } }
  end when turns[me] == 3
  payoff marks[me] - 4
}"#;

fn changed(rules: &str, from: &str, to: &str) -> Game {
    assert!(rules.contains(from));
    game(&rules.replace(from, to))
}

#[test]
fn the_returns_of_a_finished_game_are_its_payoffs() {
    let game = game(WAGER);
    assert!(game.pays() && !game.has_unit_values());
    let state = played(&game, &["raise", "raise"]);
    assert_eq!(state.returns(), [0.0, 0.0], "it isn't over");
    let state = played(&game, &["raise", "raise", "fold"]);
    let outcome = state.outcome().unwrap();
    assert_eq!(outcome.winners, [false, true]);
    assert_eq!(outcome.payoffs, Some(vec![-4, 4]));
    assert_eq!(state.returns(), [-4.0, 4.0]);
    assert_eq!(outcome.returns_of_winning(), [-1.0, 1.0]);
    assert_eq!(state.worth_of_each().unwrap(), [-4.0, 4.0]);
}

#[test]
fn all_executors_pay_the_same() {
    for rules in [WAGER, SHARES] {
        for players in [2, 3] {
            let request = Request { players: (rules == SHARES).then_some(players), ..Request::default() };
            let game = load_text("game", rules, &request).unwrap().game;
            houserule::game::agree(&game, 5, extent::tries(60, 200)).unwrap();
            for index in 0..extent::tries(20, 50) {
                assert!(matches!(agree(&game, 5, index, 1000), Came::Over));
            }
        }
    }
}

#[test]
fn without_a_score_the_highest_payoff_wins() {
    let state = played(&game(SHARES), &["take 3", "take 1", "take 0", "take 1", "take 1"]);
    let outcome = state.outcome().unwrap();
    assert_eq!((outcome.payoffs, outcome.winners), (Some(vec![0, -2]), vec![true, false]));
    // A score decides if there is one.
    let scored = changed(SHARES, "payoff", "score { few: -marks[me] }\n  payoff");
    let state = played(&scored, &["take 3", "take 1", "take 0", "take 1", "take 1"]);
    assert_eq!(state.outcome().unwrap().winners, [false, true]);
    assert_eq!(state.returns(), [0.0, -2.0]);
}

#[test]
fn a_lone_player_has_a_payoff_too() {
    let game = changed(SHARES, "players 2..4", "players 1");
    let state = played(&game, &["take 3", "take 3", "take 3"]);
    assert_eq!(state.returns(), [5.0]);
    assert_eq!(state.worth_of_each().unwrap(), [5.0]);
}

#[test]
fn payoffs_that_break_their_promise_abort_the_game() {
    let game = changed(WAGER, "then -stake", "then 1 - stake");
    let mut state = played(&game, &["raise"]);
    let error = state.apply(game.parse_action("fold").unwrap()).unwrap_err();
    let houserule::game::ApplyError::Runtime(error) = error else { panic!("{error}") };
    assert_eq!(error.kind, RuntimeErrorKind::PayoffSum { sum: 1 });
    let told = error.diagnostic_in(&game, Some(&state));
    assert_eq!(told.notes, ["X: 2, O: -1"]);
    let mut aborted = 0;
    let finished = &mut |_: houserule::game::random_games::Finished<'_>| panic!("no game is finished");
    play_random(&game, 1, 0..50, &mut UsageCounts::default(), finished, &mut |_, error| {
        assert_eq!(error.kind, RuntimeErrorKind::PayoffSum { sum: 1 });
        aborted += 1;
    });
    assert_eq!(aborted, 50);
    for index in 0..20 {
        assert!(matches!(agree(&game, 5, index, 1000), Came::Failed));
    }
}

#[test]
fn payoffs_have_the_range_that_the_variables_allow() {
    assert_eq!(payoff_range(game(WAGER).model()), Some((-8, 8)));
    assert_eq!(payoff_range(game(SHARES).model()), Some((-4, 5)));
    let open = changed(SHARES, "0..9", "int");
    assert_eq!(payoff_range(open.model()), None);
    let plain = changed(WAGER, "payoff zero sum if folded == me then -stake else stake \"the stake\"", "");
    assert_eq!(payoff_range(plain.model()), None);
}

/// The winners of a hand of cards are an expression with millions of steps, which a bound does not take. Who wins all has
/// paid an ante.
#[test]
fn large_expressions_of_payoffs_are_bounded_by_their_ranges() {
    let request = Request { name: "five-card-draw", players: Some(5), ..Request::default() };
    let loaded = load(&request).expect("a bundled game");
    assert_eq!(payoff_range(loaded.game.model()), Some((-250, 1249)));
}

#[test]
fn a_finished_position_keeps_its_payoffs() {
    let game = game(WAGER);
    let state = played(&game, &["raise", "fold"]);
    let text = state.position();
    assert!(text.contains("payoff = 2 -2"), "{text}");
    let read = game.position(&text).unwrap();
    assert_eq!(read.outcome(), state.outcome());
    assert_eq!(read.position(), text);
}

#[test]
fn scripts_act_before_the_payoffs_are_counted() {
    let game = changed(WAGER, "payoff", "script \"\"\" fn on_end(g) { g.stake = 7; } \"\"\"\n  payoff");
    assert_eq!(played(&game, &["fold"]).returns(), [-7.0, 7.0]);
    for index in 0..20 {
        assert!(matches!(agree(&game, 5, index, 1000), Came::Over));
    }
}

#[test]
fn what_a_finished_game_pays_is_in_its_figures() {
    let game = game(WAGER);
    let mut sums = [0; 2];
    let mut finished = |game: houserule::game::random_games::Finished<'_>| {
        let paid = [game.payoff(Seat(0)), game.payoff(Seat(1))];
        assert_eq!(paid[0] + paid[1], 0);
        assert_eq!(paid[0] > 0, game.winners == 1);
        sums[usize::from(paid[0] > 0)] += 1;
    };
    play_random(&game, 1, 0..200, &mut UsageCounts::default(), &mut finished, &mut |_, error| {
        panic!("{error}")
    });
    assert!(sums[0] > 0 && sums[1] > 0);
}
