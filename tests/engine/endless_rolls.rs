//! Rules that roll forever. Chance events use up the loop budget and don't refill it, in every way of drawing.

use houserule::game::snapshot::Snapshot;
use houserule::game::{ActionId, ApplyError, Game, RuntimeErrorKind, Seat, Start, State};
use houserule::oracle;
use houserule::oracle::{Driver, DriverStop, Halt, Situation};

use crate::rules::game;

/// Each roll follows 20,000 iterations, so fifty rolls exceed a million.
const ROLL: &str = "let n = 0  while n < 20000 { n += 1 }  roll die";

fn rolling(rules: &str) -> Game {
    game(&format!(
        "game \"Rolling\" {{\nplayers 1\ndice die: 1 of d6\nvar k: 0..99 = 0\n{}\nend when die == 7\n}}",
        rules.replace("ROLL", ROLL)
    ))
}

fn is_endless(error: &ApplyError) -> bool {
    matches!(error, ApplyError::Runtime(error) if error.kind == RuntimeErrorKind::Budget)
}

/// Applies chance events explicitly until the rules fail. Returns their number.
fn by_hand(state: &mut State) -> usize {
    for rolls in 0..200 {
        if let Err(error) = state.apply_outcome(0) {
            assert!(is_endless(&error), "{error}");
            return rolls;
        }
    }
    panic!("200 rolls of 20,000 rounds each");
}

/// Returns a game for each part of the rules in which rolls may follow each other without end.
fn cases() -> [(&'static str, Game); 4] {
    [
        ("in an option", rolling("turn { choose { go { repeat { ROLL } until die == 7 } } }")),
        ("in turns", rolling("turn { ROLL }")),
        ("in turns taken again", rolling("turn { ROLL  again }")),
        ("in the setup", rolling("setup { repeat { ROLL } until die == 7 }\nturn { choose { go { } } }")),
    ]
}

#[test]
fn rolls_without_a_decision_run_out_of_budget() {
    for (name, game) in cases() {
        let drawn = game.start(1, 0).map_err(ApplyError::from).and_then(|mut state| {
            let action = state.random_action().expect("there is an option");
            state.apply(action)
        });
        assert!(is_endless(&drawn.expect_err(name)), "{name}");
        let start = Start { seed: 1, explicit_chance: true, ..Start::default() };
        let mut state = game.start_at(&start).expect("it starts with a roll or an option");
        if let Some(action) = state.random_action() {
            state.apply(action).expect("the first roll is reached");
        }
        assert_eq!(by_hand(&mut state), 48, "{name}");
    }
}

struct First;

impl Driver for First {
    fn choose(&mut self, _: &Situation<'_>, legal: &[ActionId]) -> Result<ActionId, DriverStop> {
        Ok(legal[0])
    }

    fn chance(&mut self, _: &Situation<'_>, _: u64) -> Result<u64, DriverStop> {
        Ok(0)
    }
}

#[test]
fn the_reference_interpreter_runs_out_as_well() {
    for (name, game) in cases() {
        let mut state = oracle::SlotValues::initial(game.model(), Seat(0));
        let halt = oracle::play(game.model(), &mut state, &mut First).expect_err(name);
        let Halt::Error(error) = halt else { panic!("{name}: {halt:?}") };
        assert_eq!(error.kind, RuntimeErrorKind::Budget, "{name}");
    }
}

#[test]
fn a_saved_game_keeps_what_is_left_of_the_budget() {
    let [(_, game), ..] = cases();
    let start = Start { seed: 1, explicit_chance: true, ..Start::default() };
    let mut state = game.start_at(&start).expect("it starts");
    state.apply(ActionId(0)).expect("the first roll is reached");
    for _ in 0..30 {
        state.apply_outcome(0).expect("there is budget left");
    }
    let bytes = state.snapshot().to_bytes();
    let snapshot = Snapshot::from_bytes(&bytes).expect("they are a snapshot");
    let mut again = game.restore(&snapshot).expect("it is of this game");
    assert_eq!((by_hand(&mut again), by_hand(&mut state)), (18, 18));
}

#[test]
fn a_decision_refills_the_budget() {
    let game = rolling("turn { choose { go { repeat { ROLL  k += 1 } until k % 40 == 0  k = 0 } } }");
    let start = Start { seed: 1, explicit_chance: true, ..Start::default() };
    let mut state = game.start_at(&start).expect("it starts");
    for _ in 0..5 {
        state.apply(ActionId(0)).expect("it is legal");
        for _ in 0..40 {
            state.apply_outcome(0).expect("there is budget left");
        }
    }
}
