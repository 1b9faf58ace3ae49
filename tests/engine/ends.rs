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
