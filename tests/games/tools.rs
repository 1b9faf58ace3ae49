//! Shared helpers of the tests of single games.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use crate::rules::bundled;
pub(crate) use crate::states::{after, apply, legal, number, position, set};
use houserule::game::{Game, Start, State};
use houserule::solve::{GraphLimits, Solution, solve};

pub(crate) fn game_with(name: &str, params: &[(&str, &str)]) -> Game {
    bundled(name, params, None)
}

pub(crate) fn game(name: &str) -> Game {
    game_with(name, &[])
}

/// Returns the indices of the sites of a set.
pub(crate) fn sites(state: &State, name: &str, place: usize) -> BTreeSet<u32> {
    set(state, name, place).into_iter().collect()
}

/// Starts a game with explicit chance.
pub(crate) fn waiting(game: &Game) -> State {
    let totals = vec![0; game.players() as usize];
    game.start_at(&Start { game_number: 1, totals, explicit_chance: true, ..Start::default() }).unwrap()
}

/// Returns the states after the pending chance event. All outcomes are equally likely.
pub(crate) fn outcomes(state: &State) -> Vec<State> {
    let settled = |outcome| {
        let mut next = state.clone();
        next.apply_outcome(outcome).unwrap();
        next
    };
    (0..state.chance_outcomes()).map(settled).collect()
}

pub(crate) fn wins_of(state: &State) -> Vec<bool> {
    state.outcome().expect("the game is over").winners
}

/// Visits the states after exactly `decisions` decisions, and the games that end before.
pub(crate) fn walk(state: &State, decisions: u32, seen: &mut impl FnMut(&State, u32)) {
    if decisions == 0 || state.is_over() {
        return seen(state, decisions);
    }
    for action in state.legal_actions() {
        let mut next = state.clone();
        next.apply(action).unwrap();
        walk(&next, decisions - 1, seen);
    }
}

/// Returns the number of sequences of exactly `decisions` decisions.
pub(crate) fn leaves(game: &Game, decisions: u32) -> u64 {
    let mut found = 0;
    walk(&game.start(1, 0).unwrap(), decisions, &mut |_, left| found += u64::from(left == 0));
    found
}

pub(crate) fn solved(game: &Game) -> Solution {
    solve(game, &GraphLimits::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Plays at random. Passes every state with a decision, and the last state, to `heard`.
pub(crate) fn at_random(game: &Game, games: u64, heard: &mut impl FnMut(&State)) {
    for index in 0..games {
        let mut state = game.start(7, index).unwrap();
        heard(&state);
        while let Some(action) = state.random_action() {
            state.apply(action).unwrap();
            heard(&state);
        }
    }
}
