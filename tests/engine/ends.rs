//! The end that decided a game: a declared end, or an `end game` in an option or step.

#![allow(clippy::unwrap_used)]

use crate::agree::{Came, agree};
use crate::rules::bundled;
use houserule::agents::AgentKind;
use houserule::game::{Game, State};
use houserule::loader::{Request, load_text};
use houserule::playtest::{SimulationPlan, simulate};

const MANY_ENDS: &str = "game \"Many ends\" {
  players 2
  param dead: 0..1 = 0
  var n: 0..9 = 0
  procedure stop_it { end game }
  turn {
    step look { if n == 7 { end game } }
    choose {
      one { n += 1 }
      two { n += 2 }
      give_up { stop_it() }
      agree { end game as agreed }
      shake { end game as agreed
        as other { n = 1 } }
      full { end game }
      never where dead == 1 { if dead == 1 { end game as impossible } }
    }
    if n == 6 { end game }
  }
  end full when n == 5
  end when n == 8
}
";

fn game() -> Game {
    load_text("made-up.rules", MANY_ENDS, &Request::default()).unwrap_or_else(|e| panic!("{e}")).game
}

/// Returns the name of the end after these actions.
fn end_after(game: &Game, actions: &[&str]) -> String {
    let mut state: State = game.start(1, 0).unwrap();
    for action in actions {
        state.apply(game.parse_action(action).unwrap_or_else(|| panic!("{action}"))).unwrap();
    }
    game.model().end_name(state.outcome().unwrap().end).to_owned()
}

#[test]
fn every_end_has_a_name() {
    let game = game();
    let names: Vec<&str> = game.model().end_names().collect();
    // An option named like a declared end is listed separately. Ends that can't occur are not listed.
    assert_eq!(names, ["full", "end 2", "look", "give_up", "agreed", "option full", "end game"]);
    assert_eq!(end_after(&game, &["two", "two", "one"]), "full");
    assert_eq!(end_after(&game, &["two", "two", "two"]), "end game");
    assert_eq!(end_after(&game, &["one", "give_up"]), "give_up", "the option that called the procedure");
    assert_eq!(end_after(&game, &["agree"]), "agreed");
    assert_eq!(end_after(&game, &["one", "shake"]), "agreed");
    assert_eq!(end_after(&game, &["full"]), "option full");
}

#[test]
fn both_executors_agree_on_the_end() {
    let game = game();
    (0..200).for_each(|index| assert_eq!(agree(&game, 1, index, 1_000), Came::Over));
}

#[test]
fn reports_count_every_end_by_its_name() {
    let game = game();
    let agents = vec![AgentKind::Random];
    let plan = SimulationPlan { games: 500, first: 0, seed: 9, threads: 2, agents, match_play: false };
    let ends = simulate(&game, &plan, &|_| {}, None).unwrap().ends;
    assert_eq!(ends.0.iter().map(|(_, games)| games).sum::<u64>(), 500);
    for name in ["full", "give_up", "agreed", "option full"] {
        assert!(ends.get(name).is_some_and(|games| *games > 10), "{name}: {ends:?}");
    }
}

#[test]
fn an_agreed_end_of_points_is_told_from_a_stop() {
    let game = bundled("points-small", &[("agreement", "on")], None);
    let mut state = game.start(1, 0).unwrap();
    let mut placed = vec![];
    for _ in 0..2 {
        placed.push(game.action_name(state.legal_actions()[0]));
        state.apply(state.legal_actions()[0]).unwrap();
    }
    let ended = |how: &[&str]| {
        let placed = placed.iter().map(String::as_str);
        end_after(&game, &placed.chain(how.iter().copied()).collect::<Vec<&str>>())
    };
    assert_eq!(ended(&["offer", "accept"]), "agreed");
    assert_eq!(ended(&["stop"]), "stop");
}

const RESULTS: &str = "game \"Results\" {
  players A, B, C
  team pair = {A, B}
  board cell = grid(2, 2)
  piece mark[player]
  var n: 0..9 = 0
  setup { put mark[A] at @a1; put mark[C] at @b2 }
  procedure resign { end game as resigned: lose me }
  turn {
    let standing = { p in players where mark[p] is some }
    choose {
      give_up { resign() }
      other_loses p in players - me { as p { end game as resigned: lose me } }
      name p in players { n = 3  end game as named: win p }
      share { end game: draw }
      share_out { end game as named }
      all_standing { n = 4  clear mark[A]  end game as standing: win standing }
      few k subset of players where k is some { end game as few: lose k }
    }
  }
  score { n: if me == C then 5 else 0 }
}
";

/// Returns the winners after this action, by seat.
fn winners_after(game: &Game, action: &str) -> Vec<bool> {
    let mut state = game.start(1, 0).unwrap();
    state.apply(game.parse_action(action).unwrap_or_else(|| panic!("{action}"))).unwrap();
    let position = state.position();
    let read = game.position(&position).unwrap_or_else(|errors| panic!("{errors:?}\n{position}"));
    assert_eq!(read.outcome(), state.outcome(), "{position}");
    state.outcome().unwrap().winners.clone()
}

#[test]
fn a_statement_states_who_wins() {
    let game =
        load_text("made-up.rules", RESULTS, &Request::default()).unwrap_or_else(|e| panic!("{e}")).game;
    assert_eq!(winners_after(&game, "give_up"), [false, false, true], "A loses with the team");
    assert_eq!(winners_after(&game, "other_loses C"), [true, true, false], "the acting player loses");
    assert_eq!(winners_after(&game, "name B"), [true, true, false]);
    assert_eq!(winners_after(&game, "share"), [true, true, true]);
    assert_eq!(winners_after(&game, "share_out"), [false, false, true], "the scores decide");
    assert_eq!(winners_after(&game, "all_standing"), [true, true, true], "a local keeps its value");
    assert_eq!(winners_after(&game, "few C"), [true, true, false]);
    // One end can have several results, and then a position says which.
    let names: Vec<&str> = game.model().end_names().collect();
    assert_eq!(names, ["resigned", "named", "share", "standing", "few"]);
    let draw = game.position("end = share").unwrap_or_else(|errors| panic!("{errors:?}"));
    assert_eq!(draw.outcome().unwrap().winners, [true, true, true]);
    for line in ["end = named", "end = resigned", "end = few"] {
        let errors = game.position(line).unwrap_err();
        assert!(errors[0].to_string().contains("this end does not say who won"), "{line}: {errors:?}");
    }
    (0..100).for_each(|index| assert_eq!(agree(&game, 1, index, 1_000), Came::Over));
}

/// A result is computed at its statement: before a script that acts and draws when the game is over.
#[test]
fn scripts_at_the_end_come_after_the_result_of_a_statement() {
    let text = "game \"Scripted end\" {
      players 3
      var best: player = player 1
      var rolled: 0..6 = 0
      turn { choose { name p in players { best = p  end game as named: win best }
        others p in players { best = p  end game as others: lose {best} } } }
      script \"\"\" fn on_end(g) { g.rolled = g.roll(6); g.best = g.after(g.best); } \"\"\"
    }";
    let game = load_text("made-up.rules", text, &Request::default()).unwrap_or_else(|e| panic!("{e}")).game;
    for (action, expected) in
        [("name player-2", [false, true, false]), ("others player-3", [true, true, false])]
    {
        let mut state = game.start(1, 0).unwrap();
        state.apply(game.parse_action(action).unwrap()).unwrap();
        assert_eq!(state.outcome().unwrap().winners, expected, "{action}");
    }
    (0..50).for_each(|index| assert_eq!(agree(&game, 1, index, 1_000), Came::Over));
}
