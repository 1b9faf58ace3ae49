//! What tests of games by hand have in common.

#![allow(clippy::unwrap_used, unreachable_pub)]

use std::collections::BTreeSet;

use houserule::agents::{Limits, Solution, solve};
use houserule::engine::{Game, Start, State};
use houserule::lang::check::Setting;
use houserule::lang::model::{SlotId, Value};
use houserule::loader::{Request, load};

pub fn game_with(name: &str, params: &[(&str, &str)]) -> Game {
    let settings: Vec<Setting> = params.iter().map(|(name, value)| Setting::new(*name, *value)).collect();
    load(&Request { name, settings: &settings, players: None }).unwrap_or_else(|e| panic!("{e}")).game
}

pub fn game(name: &str) -> Game {
    game_with(name, &[])
}

pub fn value(state: &State, name: &str, place: usize) -> Value {
    let at = state.game().model().slots.iter().position(|slot| slot.name == name).expect(name);
    state.value(SlotId(at as u32), place)
}

pub fn number(state: &State, name: &str, place: usize) -> i64 {
    let Value::Number(n) = value(state, name, place) else { panic!("`{name}` is a number") };
    n
}

/// The sites of a set, by their numbers.
pub fn sites(state: &State, name: &str, place: usize) -> BTreeSet<u32> {
    let Value::Set(set) = value(state, name, place) else { panic!("`{name}` is a set") };
    set.iter().collect()
}

pub fn legal(state: &State) -> Vec<String> {
    state.legal_actions().into_iter().map(|action| state.game().action_name(action)).collect()
}

pub fn apply(state: &mut State, name: &str) {
    let action = state.game().parse_action(name).unwrap_or_else(|| panic!("`{name}`"));
    state.apply(action).unwrap_or_else(|e| panic!("`{name}`: {e:?}, but {:?}", legal(state)));
}

pub fn after(game: &Game, actions: &[&str]) -> State {
    let mut state = game.start(1, 0).unwrap();
    actions.iter().for_each(|action| apply(&mut state, action));
    state
}

pub fn position(game: &Game, text: &str) -> State {
    game.position(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// The start of a game in which chance waits to be told.
pub fn waiting(game: &Game) -> State {
    let totals = vec![0; game.players() as usize];
    game.start_at(&Start { game_number: 1, totals, explicit_chance: true, ..Start::default() }).unwrap()
}

/// What a state leads to by the chance event that is pending; all outcomes are as likely.
pub fn outcomes(state: &State) -> Vec<State> {
    let settled = |outcome| {
        let mut next = state.clone();
        next.apply_outcome(outcome).unwrap();
        next
    };
    (0..state.chance_outcomes()).map(settled).collect()
}

pub fn wins_of(state: &State) -> Vec<bool> {
    state.outcome().expect("the game is over").winners
}

/// Visits all that can be decided within so many decisions: the states after exactly so many, and the
/// games that are over before.
pub fn walk(state: &State, decisions: u32, seen: &mut impl FnMut(&State, u32)) {
    if decisions == 0 || state.is_over() {
        return seen(state, decisions);
    }
    for action in state.legal_actions() {
        let mut next = state.clone();
        next.apply(action).unwrap();
        walk(&next, decisions - 1, seen);
    }
}

/// Sequences of exactly so many decisions.
pub fn leaves(game: &Game, decisions: u32) -> u64 {
    let mut found = 0;
    walk(&game.start(1, 0).unwrap(), decisions, &mut |_, left| found += u64::from(left == 0));
    found
}

pub fn solved(game: &Game) -> Solution {
    solve(game, &Limits::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Plays at random and hears every state in which somebody decides, and the last.
pub fn at_random(game: &Game, games: u64, heard: &mut impl FnMut(&State)) {
    for index in 0..games {
        let mut state = game.start(7, index).unwrap();
        heard(&state);
        while let Some(action) = state.random_action() {
            state.apply(action).unwrap();
            heard(&state);
        }
    }
}
