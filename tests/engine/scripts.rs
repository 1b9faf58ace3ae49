//! Games with scripts. Both executors agree in every mode, chance events of a script are like any others, and
//! a script has the same effect as the equivalent rules.

use crate::agree::{Came, agree, same_in_both_modes};
use crate::extent;
use crate::rules::game;
use houserule::game::snapshot::Snapshot;
use houserule::game::trail::UndoHistory;
use houserule::game::{Event, Game, Seat, Start, State};
use houserule::notation::record::Record;

/// Every kind of hook, most of what `g` can do, and a helper function.
const EVERYTHING: &str = include_str!("../everything.rules");

fn everything() -> Game {
    game(EVERYTHING)
}

#[test]
fn both_executors_agree_on_every_state_of_scripted_games() {
    let game = everything();
    for index in 0..extent::tries(20, 150) {
        assert_eq!(agree(&game, 7, index, u32::MAX), Came::Over, "game {index}");
    }
}

/// Plays a game to its end.
fn play(game: &Game, start: &Start) -> State {
    let mut state = game.start_at(start).expect("it starts");
    let mut dice = houserule::rng::Stream::new(5, start.index, 99);
    while !state.is_over() {
        if state.is_chance() {
            let outcome = dice.below(state.chance_outcomes());
            state.apply_outcome(outcome).expect("it comes out");
        } else {
            let action = state.random_action().expect("an action");
            state.apply(action).expect("it is legal");
        }
    }
    state
}

#[test]
fn games_played_whole_are_those_that_stop_at_every_decision() {
    same_in_both_modes(&everything(), 3, 60);
}

#[test]
fn what_a_script_leaves_to_chance_is_an_event() {
    let game = everything();
    let mut drawn = 0;
    for index in 0..40 {
        // With explicit chance, a game is a list of events that leads to the same state.
        let start = Start { seed: 3, index, explicit_chance: true, ..Start::default() };
        let state = play(&game, &start);
        drawn += state.history().iter().filter(|event| matches!(event, Event::Draw { .. })).count();
        let mut again = game.start_at(&start).expect("it starts");
        for event in state.history() {
            match event {
                Event::Action { action, .. } => again.apply(*action).expect("it is legal"),
                event => {
                    let outcome = (0..again.chance_outcomes())
                        .find(|outcome| again.chance_event(*outcome) == Some(*event))
                        .expect("it can come out");
                    again.apply_outcome(outcome).expect("it comes out");
                }
            }
        }
        assert_eq!(again, state);
        // With drawn chance, a record replays the game, and a saved game continues.
        let start = Start { seed: 3, index, ..Start::default() };
        let state = play(&game, &start);
        let record = Record::from_state(&state).expect("a record");
        assert!(record.events.iter().any(|event| event.starts_with("draw ")), "{:?}", record.events);
        let saved = UndoHistory::default().to_bytes(&state);
        assert_eq!(UndoHistory::from_bytes(&game, &saved).expect("it is read").0, state);
        let restored = game.restore(&Snapshot::from_bytes(&state.snapshot().to_bytes()).expect("bytes"));
        assert_eq!(restored.expect("it is restored"), state);
    }
    assert!(drawn > 40 * 3, "two walls and an end in every game");
}

/// The same rule as a script and in the rules.
#[test]
fn a_script_does_what_the_rules_do() {
    let said = |more: &str| {
        game(&format!(
            "game \"Same\" {{
                players X, O
                board cell = grid(4, 4)
                piece mark[player]
                var taken[player]: 0..16 = 0
                turn {{ step place {{ choose {{ {more}
                end full when empty is nothing
                score {{ taken: 3 * taken[me] + longest(mark[me]) }}
            }}"
        ))
    };
    let rules = said(
        "place c in empty where around(c) & empty is some or count(empty) < 4 {
            put mark[me] at c
            taken[me] += count(custodial(c, mark[me], mark[other]))
            put mark[me] at custodial(c, mark[me], mark[other])
        } otherwise { end game } } } }",
    );
    let script = said(
        "place c in empty { put mark[me] at c } otherwise { end game } } } }
        script \"\"\"
        fn allow_place(g, c) { some(around(c) & g.empty) || count(g.empty) < 4 }
        fn on_place(g, c) {
          let caught = custodial(c, g.mark[g.me], g.mark[g.other]);
          g.taken[g.me] += count(caught);
          g.put(\"mark\", g.me, caught);
        }
        \"\"\"",
    );
    for index in 0..100 {
        let start = Start { seed: 4, index, ..Start::default() };
        let (a, b) = (play(&rules, &start), play(&script, &start));
        assert_eq!(a.history(), b.history(), "game {index}");
        assert_eq!(a.score_of_each(), b.score_of_each(), "game {index}");
    }
}

#[test]
fn hooks_are_called_where_a_step_or_an_option_is_left() {
    let game = game(
        "game \"Left\" {
            players 1
            var left: 0..9 = 0
            var told: 0..9 = 0
            var after: 0..9 = 0
            turn {
                step go {
                    choose {
                        skip_it { left += 1; if left < 9 { skip } }
                        again_it { left += 1; again }
                        inner { choose { done_it { left += 1; done } on { left += 1 } } }
                        plain { left += 1 }
                    }
                }
            }
            end when left >= 4
            score { told: told  after: 10 * after }
            script \"\"\"
              fn on_skip_it(g) { g.told += 1; }
              fn on_again_it(g) { g.told += 1; }
              fn on_inner(g) { g.told += 1; }
              fn on_plain(g) { g.told += 1; }
              fn after_go(g) { g.after += 1; }
            \"\"\"
        }",
    );
    for index in 0..50 {
        let state = play(&game, &Start { index, ..Start::default() });
        assert_eq!(
            state.score(Seat(0)),
            Ok(44),
            "game {index}: {:?}",
            Record::from_state(&state).map(|r| r.events)
        );
        assert_eq!(agree(&game, 0, index, u32::MAX), Came::Over);
    }
}

/// `on_end` belongs to the game, even if an option is called `end`.
#[test]
fn the_end_is_not_an_option() {
    let text = r#"game "Ends" {
  players 1
  var ends: 0..9 = 0
  var taken: 0..9 = 0
  turn { choose { end { taken += 1; end game } } }
  score { ends: ends, taken: taken }
  script """
    fn on_end(g) { g.ends += 1; }
  """
}"#;
    let state = play(&game(text), &Start::default());
    assert_eq!(state.scores(Seat(0)).expect("scores"), [1, 1]);
}

/// A score computed by a script is visible to a player who sees everything that the script reads.
#[test]
fn scores_of_scripts_are_open_as_far_as_they_read() {
    let text = r#"game "Cards" {
  players 2
  domain card = 1..6
  zone stock of card seen by none
  zone hand[player] of card seen by owner
  zone table of card seen by all
  setup { deal 2 from stock to hand }
  turn { choose { show c in hand[me] { move c to table } } }
  end when hand is nothing
  score { laid: 0, held: 0 }
  script """
    fn score_laid(g, player, points) { count(g.table) }
    fn score_held(g, player, points) { let all = g; count(all.hand[player]) }
  """
}"#;
    let game = game(text);
    let mut state = game.start(1, 0).expect("it starts");
    let sees = |state: &State, of, viewer| [0, 1].map(|item| state.sees_item(item, Seat(of), Seat(viewer)));
    for viewer in [0, 1] {
        assert_eq!(sees(&state, viewer, viewer), [true, true]);
        assert_eq!(sees(&state, 1 - viewer, viewer), [true, false]);
        assert!(!state.sees_score(Seat(1 - viewer), Seat(viewer)));
    }
    while let Some(action) = state.random_action() {
        state.apply(action).expect("it is legal");
    }
    assert_eq!(state.scores(Seat(0)).expect("scores"), [4, 0]);
}

#[test]
fn scripts_add_up_when_variants_are_stacked() {
    let text = "game \"Base\" { players 1 var n: 0..99 = 0 turn { step go { choose { go { n += 1 } } } }
          end when n >= 3 score { n: n } script \"\"\" fn score_n(g, player, points) { points * 2 } \"\"\" }
        variant \"More\" of \"Base\" { script \"\"\" fn score_n(g, player, points) { points + 1 } \"\"\" }";
    let state = play(&game(text), &Start::default());
    assert_eq!(state.score(Seat(0)), Ok(7));
}
