//! Following the events of a game takes bounded work, which the interpreter and compiled code count alike.

use std::sync::Arc;

use houserule_base::rng::Stream;
use houserule_game::hidden::{OpponentModel, WorldOptions};
use houserule_game::{Game, RunKind, Seat, Start, State};
use houserule_loader::{Request, load_text};

/// The body of an option whose trials count as 15,626 iterations of a loop each, since the rules fail in them: how many they
/// make is not known then.
const COSTLY: &str = "fine -= n";

/// The body of an option whose trials count as one iteration or few.
const CHEAP: &str = "fine = 0";

/// Returns two copies of a game: one for the interpreter, and one that is compiled if there is a backend.
fn load_twice(rules: &str) -> [Game; 2] {
    [false, true].map(|is_compiled| {
        let loaded = load_text("work", rules, &Request::default());
        let game = loaded.unwrap_or_else(|error| panic!("{error}")).game;
        if is_compiled {
            game.machine(RunKind::Steps);
            game.observed().expect("it hides something").game.machine(RunKind::Steps);
        }
        game
    })
}

/// Returns the state after an action.
fn follow(mut state: State, action: &str) -> State {
    let action = state.game().parse_action(action).expect("an action");
    state.apply(action).expect("it is legal");
    state
}

/// Rules with a hidden pick, and one of ten outcomes that everybody sees. `after` follows the second; then a player decides,
/// and `slips` candidates with the body `slip` are tried.
fn picks(after: &str, slips: u32, slip: &str) -> String {
    format!(
        r#"game "Picks" {{
          players 2
          var secret: 1..2 = 1 seen by none
          var i: 0..999999 = 0 seen by none
          var shown: 0..10 = 0
          var fine: 0..1 = 0
          setup {{
            pick s in 1..2
            secret = s
            pick k in 1..10
            shown = k
            {after}
          }}
          turn {{ choose {{ go {{ }}  slip n in 1..{slips} ensuring fine == 0 {{ {slip} }} }} }}
          end when turns[me] > 2
          score {{ n: shown + secret }}
        }}"#
    )
}

/// Nine other outcomes of 200,000 iterations each are compared with the one that came; with 240,000 each, that is more than
/// 2,000,000, and what came stays hidden.
#[test]
fn outcomes_are_compared_until_that_is_much_work() {
    for (loops, is_seen) in [(200_000, true), (240_000, false)] {
        let rules = picks(&format!("while i < {loops} {{ i += 1 }}  i = 0"), 1, CHEAP);
        for game in load_twice(&rules) {
            let start = Start { explicit_chance: true, ..Start::default() };
            let mut state = game.start_at(&start).expect("it starts");
            let mut seen = vec![];
            while state.is_chance() {
                let before = state.clone();
                state.apply_outcome(1).expect("an outcome");
                let event = state.history()[state.history().len() - 1];
                seen.push(state.event_seen(&before, &event, Seat(1)).is_some());
            }
            assert_eq!(seen, [false, is_seen], "{loops} iterations");
        }
    }
}

/// The log has the pick and the action if the nine other outcomes are about 1,830,000 work, and only the action if they are
/// about 2,110,000.
#[test]
fn the_log_compares_outcomes_until_that_is_much_work() {
    let never = OpponentModel::Like(Arc::new(|_: &State, _, _| 0.0));
    for (slips, events) in [(13, 2), (15, 1)] {
        for game in load_twice(&picks("", slips, COSTLY)) {
            let state = follow(game.start(1, 0).expect("it starts"), "go");
            // Under opponents who never act, no world agrees with the log, and its length is told.
            let options = WorldOptions { opponents: never.clone(), ..WorldOptions::default() };
            let none = state.worlds(Seat(1), &options).expect_err("nobody goes");
            assert_eq!(none.event, events, "{slips} candidates");
        }
    }
}

/// A draw of a position is right once in 1,000 times, so 10,000 draws find a right one. A draw with 600 costly candidates takes
/// a work of 9,375,600 and counts as 4,687, so there are 3.
#[test]
fn costly_draws_of_a_position_are_few() {
    let rules = |slip: &str| {
        format!(
            r#"game "Draws" {{
              players 2
              var secret: 1..1000 = 1 seen by none
              var fine: 0..1 = 0
              setup {{ pick k in 1..1000  secret = k }}
              turn {{
                choose {{
                  take n in 1..1000 where n == secret {{ }}
                  slip n in 1..600 ensuring fine == 0 {{ {slip} }}
                }}
              }}
              end when turns[me] > 2
              score {{ n: secret }}
            }}"#
        )
    };
    // Without a filter and without a search, worlds are draws of the position.
    let options = WorldOptions { bound: 0, budget: 0, ..WorldOptions::default() };
    for (slip, finds) in [(CHEAP, true), (COSTLY, false)] {
        for game in load_twice(&rules(slip)) {
            let state = game.start(1, 0).expect("it starts");
            let mut worlds = state.worlds(Seat(0), &options).expect("worlds");
            let mut stream = Stream::new(1, 2, 3);
            assert_eq!(worlds.next(&mut stream).is_ok(), finds, "{slip}");
            if !finds {
                let mut expected = Stream::new(1, 2, 3);
                for _ in 0..3 {
                    expected.below(1_000);
                }
                assert_eq!(stream.next_word(), expected.next_word(), "3 draws");
            }
        }
    }
}

/// Each replay of the search is right once in 90 times. A budget of 300 is enough for more than 400 replays, but for 3 or 4
/// if each tries 256 costly candidates.
#[test]
fn a_search_for_a_first_world_makes_few_costly_replays() {
    let rules = |slips: u32| {
        format!(
            r#"game "Locks" {{
              players 2
              var secret: 1..90 = 1 seen by none
              var open: 0..90 = 0
              var fine: 0..1 = 0
              setup {{ pick k in 1..90  secret = k }}
              turn {{
                choose {{
                  look {{ open = secret }}
                  slip n in 1..{slips} ensuring fine == 0 {{ {COSTLY} }}
                }}
                choose {{ stay {{ }} }}
              }}
              end when turns[me] > 2
              score {{ n: open }}
            }}"#
        )
    };
    let options = WorldOptions { bound: 0, budget: 300, ..WorldOptions::default() };
    for (slips, found) in [(1, 18..=20), (256, 0..=5)] {
        let explained = load_twice(&rules(slips)).map(|game| {
            let is_explained = |seed| {
                let state = follow(game.start(seed, 0).expect("it starts"), "look");
                state.worlds(Seat(0), &options).expect("worlds").keep_history()
            };
            (0..20).map(is_explained).collect::<Vec<bool>>()
        });
        assert_eq!(explained[0], explained[1], "{slips} candidates");
        let count = explained[0].iter().filter(|is_explained| **is_explained).count();
        assert!(found.contains(&count), "{slips} candidates: {count} of 20");
    }
}
