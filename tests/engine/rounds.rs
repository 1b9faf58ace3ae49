//! Rules with `round`: the order of turns, the lifetime of values, when ends are tested, and saving and
//! resuming in the middle of a round. Uses small made-up rules.

#![allow(clippy::unwrap_used)]

use crate::agree::{Came, agree};
use crate::extent;
use houserule::game::random_games::{Finished, UsageCounts, play_random};
use houserule::game::{Game, Seat, State};
use houserule::loader::{Request, load_text};
use houserule::model::SlotId;
use houserule::notation::record::{Record, replay};

fn made_up(rules: &str) -> Game {
    let text = format!("game \"Made up\" {{\n{rules}\n}}");
    load_text("made-up.rules", &text, &Request::default()).unwrap_or_else(|e| panic!("{e}")).game
}

fn number(state: &State, name: &str, place: usize) -> i64 {
    let slots = &state.game().model().slots;
    let slot = slots.iter().position(|slot| slot.name == name).unwrap_or_else(|| panic!("{name}"));
    match state.value(SlotId(slot as u32), place) {
        houserule::model::Value::Number(n) => n,
        houserule::model::Value::Element(Some(e)) => e.into(),
        other => panic!("{name} is {other:?}"),
    }
}

fn play(state: &mut State, actions: &[&str]) {
    for action in actions {
        let id = state.game().parse_action(action).unwrap_or_else(|| panic!("{action}"));
        state.apply(id).unwrap_or_else(|e| panic!("{action}: {e}\n{}", state.position()));
    }
}

/// Asserts that random games agree in both executors, and in both modes of the compiled program.
fn alike(game: &Game, games: u64) {
    for index in 0..extent::tries(games.div_ceil(3), games) {
        assert_eq!(agree(game, 3, index, 5_000), Came::Over, "game {index}");
    }
    let mut counts = UsageCounts::default();
    let mut finished = |f: Finished<'_>| {
        let mut state = game.start(9, f.index).unwrap();
        while let Some(action) = state.random_action() {
            state.apply(action).unwrap();
        }
        let scores: Vec<i64> = (0..game.players()).flat_map(|p| state.scores(Seat(p)).unwrap()).collect();
        assert_eq!(
            (f.counters.turns, f.counters.rolls, f.counters.decisions),
            (state.turns(), state.rolls(), state.decisions())
        );
        assert_eq!(f.scores, scores, "game {}", f.index);
    };
    play_random(game, 9, 0..games, &mut counts, &mut finished, &mut |index, error| {
        panic!("{index}: {error}")
    });
}

/// Three seats. The starter rotates.
const TALLY: &str = "
    players 3
    var taken[player]: 0..99 = 0
    var kept: 0..9 = 0 each turn
    var shared: 0..99 = 0 each round
    round {
      each player from starter as me {
        step take {
          choose take {
            take n in 1..3 { taken[me] += n; kept = n; shared += n }
            more where kept == 0 { kept = 9; again }
            leave { done }
          }
          taken[me] += 1
        }
      }
      step turn_round { starter = after(starter) }
    }
    end rich when taken[me] >= 12
    end many of round when (sum p in players: taken[p]) >= 20
    score { taken: taken[me] }";

#[test]
fn every_seat_has_its_turn_from_the_starter_on_who_goes_round() {
    let game = made_up(TALLY);
    let mut state = game.start(1, 0).unwrap();
    let mut order = vec![];
    for _ in 0..9 {
        order.push(state.current_player().unwrap().0);
        play(&mut state, &["take 1"]);
    }
    assert_eq!(order, [0, 1, 2, 1, 2, 0, 2, 0, 1]);
    assert_eq!(state.turns(), 9);
    assert_eq!((0..3).map(|p| number(&state, "taken", p)).collect::<Vec<_>>(), [6, 6, 6]);
}

#[test]
fn a_turn_forgets_what_is_its_own_and_a_round_what_is_its_own() {
    let game = made_up(TALLY);
    let mut state = game.start(1, 0).unwrap();
    play(&mut state, &["take 3"]);
    assert_eq!((number(&state, "kept", 0), number(&state, "shared", 0)), (0, 3));
    // The same seat again is still the same turn.
    play(&mut state, &["more"]);
    assert_eq!((state.current_player(), number(&state, "kept", 0)), (Some(Seat(1)), 9));
    assert!(!state.is_legal(game.parse_action("more").unwrap()));
    play(&mut state, &["take 1", "leave"]);
    assert_eq!((number(&state, "shared", 0), state.turns()), (0, 3));
    assert_eq!((0..3).map(|p| number(&state, "taken", p)).collect::<Vec<_>>(), [4, 2, 0]);
}

#[test]
fn an_end_of_a_turn_cuts_a_round_short_and_one_of_the_round_waits_for_all() {
    let game = made_up(TALLY);
    let mut state = game.start(1, 0).unwrap();
    play(&mut state, &["take 3", "take 1", "leave", "take 1", "leave", "take 3"]);
    play(&mut state, &["leave", "take 3"]);
    assert!(state.is_over(), "seat 1 has 12");
    assert_eq!((state.outcome().unwrap().end, state.turns()), (0, 8));

    let mut state = game.start(1, 0).unwrap();
    play(&mut state, &["take 3", "take 3", "take 3", "take 2", "take 3"]);
    assert!(!state.is_over(), "19 so far, and seat 1 is to come");
    play(&mut state, &["take 1"]);
    assert_eq!((state.outcome().unwrap().end, state.turns()), (1, 6));
}

#[test]
fn a_game_that_is_left_in_a_round_goes_on_there() {
    let game = made_up(TALLY);
    let mut state = game.start(1, 0).unwrap();
    play(&mut state, &["take 1", "leave", "take 2", "more"]);
    let mut other = state.clone();
    let words = state.persistent().to_vec();
    let saved = state.snapshot();
    play(&mut state, &["take 3", "leave"]);
    assert_ne!(state, other);
    let mut restored = game.restore(&saved).unwrap();
    let mut from_words = game.start(5, 5).unwrap();
    from_words.restore(&words);
    for again in [&mut other, &mut restored, &mut from_words] {
        assert_eq!(again.current_player(), Some(Seat(1)));
        assert_eq!(again.legal_actions().len(), 4);
        play(again, &["take 3", "leave"]);
        assert_eq!(again.persistent(), state.persistent());
    }
    let record = Record::from_state(&state).unwrap();
    assert_eq!(replay(&game, &record).unwrap(), state);
}

#[test]
fn a_position_is_at_the_start_of_a_round() {
    let game = made_up(TALLY);
    let mut state = game.position("taken = 3 4 5\nstarter = player-3").unwrap();
    assert_eq!(state.current_player(), Some(Seat(2)));
    play(&mut state, &["take 1", "take 1", "take 1"]);
    assert_eq!(state.current_player(), Some(Seat(0)));
}

#[test]
fn a_position_says_who_is_still_to_come() {
    let game = made_up(TALLY);
    let mut state = game.start(1, 0).unwrap();
    play(&mut state, &["take 1", "take 2", "leave", "leave"]);
    let drawn = state.position();
    assert!(drawn.contains("to_come = {player-1}"), "{drawn}");
    let mut again = game.position(&drawn).unwrap();
    for action in ["take 1", "leave", "take 3", "take 1"] {
        assert_eq!(again.current_player(), state.current_player());
        play(&mut again, &[action]);
        play(&mut state, &[action]);
    }
    assert_eq!(again.position(), state.position());
}

#[test]
fn games_that_end_between_turns_count_those_that_were_taken() {
    let game = made_up(
        "players 2
        var points[player]: 0..9 = 0
        round {
          step open { if round == 3 { end game } }
          each player from starter as me { choose get { get { points[me] += 1 } } }
        }
        score { points: points[me] }",
    );
    let mut state = game.start(1, 0).unwrap();
    play(&mut state, &["get", "get", "get", "get"]);
    assert!(state.is_over());
    assert_eq!((state.turns(), state.outcome().unwrap().end), (4, 0));
    alike(&game, 3);
}

#[test]
fn both_executors_agree_on_rounds() {
    alike(&made_up(TALLY), 300);
    // Chance and choices outside of turns, turns inside a test and twice in a round, other seats acting,
    // loops and locals around turns, and counted steps.
    let rules = "
        players 4
        board cell = grid(4, 4)
        dice pair: 2 of d4
        dice own: 1 of d6 each turn
        piece mark[player]
        var bid[player]: 0..9 = 0 each round
        var luck: 0..6 = 0 each turn
        var first: player? = none each round
        procedure place_one(S) {
          choose place {
            place c in S & empty { put mark[me] at c }
            pass
          }
        }
        setup { each player from starter as me { choose seat { seat c in corners & empty { put mark[me] at c } } } }
        round {
          let before = count(empty)
          step roll { roll pair }
          pick lucky in players
          choose double_up { double_up where pair is double { place_one(edge) } fine { } }
          each player from after(starter) as me {
            step bid { choose bid { bid n in 1..3 { bid[me] = n } } }
            if bid[me] == pair[1] { again }
          }
          first = best p in players by bid[p]
          if first is some {
            for n in 1..2 {
              each player from first as me {
                step act {
                  roll own
                  luck = own[1]
                  let there = around(mark[me])
                  place_one(if luck > 3 then there else there & row(pair[2]))
                  as after(me) { place_one(row(1)) }
                  if luck == 6 { done }
                }
                step more { if me == lucky { place_one(column(pair[1])) } }
              }
            }
          }
          step close {
            if count(empty) == before { end game }
            starter = after(starter)
          }
        }
        end row at once when any p in players: longest(mark[p]) >= 3
        end marks when count(mark[me]) >= 6: win me
        end full of round when count(empty) < 3
        score { marks: count(mark[me]), turns: turns[me], luck: round }";
    alike(&made_up(rules), 400);
}

#[test]
fn a_lone_step_of_a_round_is_counted_by_rounds() {
    let game = made_up(
        "players 2..3
        dice die: 1 of d6
        var pips: 0..99 = 0
        round {
          step roll { roll die; pips += die }
          each player from starter as me { step look { choose look { look { } } } }
        }
        end high of round when pips >= 20
        score { pips: pips }",
    );
    let mut counts = UsageCounts::default();
    let mut told = (0, 0);
    let mut finished = |f: Finished<'_>| {
        told.0 += f.counters.rolls;
        told.1 += f.counters.turns;
    };
    play_random(&game, 4, 0..50, &mut counts, &mut finished, &mut |_, error| panic!("{error}"));
    assert_eq!(counts.steps, [told.0, told.1]);
    assert_eq!(told.1, told.0 * 2);
    alike(&game, 20);
}

/// A position is noted when a turn of a round begins; the next player is the first of those to come, or the starter.
#[test]
fn positions_are_repeated_in_rounds() {
    let walk = |rest: &str| {
        made_up(&format!(
            "players 2
             var at[player]: 1..2 = 1
             var seen: 0..99 = 0
             round {{
               each player from starter as me {{ choose {{ step {{ at[me] = 3 - at[me] }} pass }} if repeated(1) {{ seen += 1 }} }}
               {rest}
             }}
             end again when repeated(2, of: [at, mover])
             end late of round when round > 40 or repeated(3, of: at)
             score {{ seen: seen }}"
        ))
    };
    let game = walk("");
    let mut state = game.start(1, 0).unwrap();
    // The first player stays, and the second: the position at the beginning of the first round, and then again.
    play(&mut state, &["pass", "pass", "pass"]);
    assert!(!state.is_over());
    play(&mut state, &["pass"]);
    assert!(state.is_over(), "the third time with the first player to move");
    alike(&game, 200);
    alike(&walk("starter = after(starter)"), 200);
    // Without turns of players, positions are those of rounds.
    let together = made_up(
        "players 2
         var at[player]: 1..3 = 1
         var next_at[player]: 1..3 = 1 each round
         round {
           together as me { choose { to n in 1..3 { next_at[me] = n } } }
           for p in players { at[p] = next_at[p] }
         }
         end again of round when repeated(1, of: at): draw",
    );
    let mut state = together.start(1, 0).unwrap();
    play(&mut state, &["to 2", "to 1", "to 3", "to 1", "to 2"]);
    assert!(!state.is_over());
    play(&mut state, &["to 1"]);
    assert!(state.is_over());
    alike(&together, 200);
}
